//! A model in memory: ports and clocks.

use super::Error;
use super::shim::INTERFACE;
use libloading::{Library, Symbol};
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;

#[cfg(target_endian = "big")]
compile_error!("ports of models are read byte by byte, the lowest first");

/// As `shim.cpp` has it.
#[repr(C)]
struct RawPort {
    name: *const c_char,
    memory: *mut u8,
    bits: u32,
    bytes: u32,
    is_output: u8,
}

type Step = unsafe extern "C" fn(*mut c_void) -> c_int;

/// A port. It belongs to the model that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Among the model's ports.
    position: usize,
    bits: u32,
    is_output: bool,
}

impl Signal {
    /// Its width.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Whether the model drives it.
    pub fn is_output(&self) -> bool {
        self.is_output
    }
}

/// A model of a design.
pub struct Model {
    handle: *mut c_void,
    settle: Step,
    edge: Step,
    error: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    destroy: unsafe extern "C" fn(*mut c_void),
    waveform: unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int,
    /// Where the bytes of each port are, and how many.
    memory: Vec<(*mut u8, usize)>,
    signals: BTreeMap<String, Signal>,
    /// Where `handle` and the functions are.
    _library: Library,
}

// SAFETY: a model keeps its state in what `handle` refers to; nothing of it is bound to a thread.
// The runtime's only thread-local variable, the current context, is set whenever the model is
// called. `Model` is not `Sync` and all calls are through `&mut`.
unsafe impl Send for Model {}

impl Model {
    /// Loads a model that [`compile`](super::compile) made. Registers without reset begin with
    /// values that depend on `seed`.
    pub fn load(path: &Path, seed: u32) -> Result<Self, Error> {
        let wrong = |error: libloading::Error| {
            Error::Model(format!("{} cannot be loaded: {error}", path.display()))
        };
        // SAFETY: the file was made by `compile::build` from `shim.cpp`, which has no
        // initialisers but those of C++ objects, and the functions have the types given here.
        unsafe {
            let library = Library::new(path).map_err(wrong)?;
            let interface: Symbol<unsafe extern "C" fn() -> u32> =
                library.get(b"ww_interface").map_err(wrong)?;
            if interface() != INTERFACE {
                return Err(Error::Model(format!("{} is of another version", path.display())));
            }
            let create: Symbol<unsafe extern "C" fn(u32) -> *mut c_void> =
                library.get(b"ww_create").map_err(wrong)?;
            let ports: Symbol<unsafe extern "C" fn(*mut c_void, *mut u32) -> *const RawPort> =
                library.get(b"ww_ports").map_err(wrong)?;
            let settle = *library.get::<Step>(b"ww_settle").map_err(wrong)?;
            let edge = *library.get::<Step>(b"ww_edge").map_err(wrong)?;
            let error = *library.get(b"ww_error").map_err(wrong)?;
            let destroy = *library.get(b"ww_destroy").map_err(wrong)?;
            let waveform = *library.get(b"ww_waveform").map_err(wrong)?;
            let handle = create(seed);
            if handle.is_null() {
                return Err(Error::Model(format!("{} does not start", path.display())));
            }
            let mut count = 0;
            let first = ports(handle, &mut count);
            let list = std::slice::from_raw_parts(first, count as usize);
            let memory = list.iter().map(|port| (port.memory, port.bytes as usize)).collect();
            let signal = |(position, port): (usize, &RawPort)| {
                let name = CStr::from_ptr(port.name).to_string_lossy().into_owned();
                (name, Signal { position, bits: port.bits, is_output: port.is_output != 0 })
            };
            let signals = list.iter().enumerate().map(signal).collect();
            Ok(Self {
                handle,
                settle,
                edge,
                error,
                destroy,
                waveform,
                memory,
                signals,
                _library: library,
            })
        }
    }

    /// The port with this name, if there is one.
    pub fn signal(&self, name: &str) -> Option<Signal> {
        self.signals.get(name).copied()
    }

    /// All ports.
    pub fn signals(&self) -> impl Iterator<Item = Signal> + '_ {
        self.signals.values().copied()
    }

    /// The port with this name and width.
    pub fn expect(&self, name: &str, bits: u32) -> Result<Signal, Error> {
        match self.signal(name) {
            Some(signal) if signal.bits == bits => Ok(signal),
            Some(signal) => Err(Error::Model(format!(
                "port {name} has {} bit(s), expected {bits}",
                signal.bits
            ))),
            None => Err(Error::Model(format!("the top module has no port {name}"))),
        }
    }

    /// The low 64 bits of a port.
    pub fn get(&self, signal: Signal) -> u64 {
        let mut bytes = [0; 8];
        let read = self.bytes(signal);
        let count = read.len().min(8);
        bytes[..count].copy_from_slice(&read[..count]);
        u64::from_le_bytes(bytes)
    }

    /// Drives a port with a number; its bits above the port's are ignored.
    pub fn set(&mut self, signal: Signal, value: u64) {
        let value = if signal.bits < 64 { value & ((1 << signal.bits) - 1) } else { value };
        let memory = self.bytes_mut(signal);
        let count = memory.len().min(8);
        memory[..count].copy_from_slice(&value.to_le_bytes()[..count]);
        memory[count..].fill(0);
    }

    /// The bytes of a port, the lowest first. Bits above the port's are zero.
    pub fn bytes(&self, signal: Signal) -> &[u8] {
        let (memory, bytes) = self.memory[signal.position];
        // SAFETY: the memory of a port is part of the model, which lives as long as `self`, has
        // so many bytes, and changes only in calls through `&mut self`.
        unsafe { std::slice::from_raw_parts(memory, bytes) }
    }

    /// The bytes of an input, to be driven. Bits above the port's must be zero.
    pub fn bytes_mut(&mut self, signal: Signal) -> &mut [u8] {
        let (memory, bytes) = self.memory[signal.position];
        // SAFETY: as above, and nobody else has it.
        unsafe { std::slice::from_raw_parts_mut(memory, bytes) }
    }

    /// Has outputs follow inputs while the clock is low.
    pub fn settle(&mut self) -> Result<(), Error> {
        // SAFETY: `handle` is a model of this library.
        let status = unsafe { (self.settle)(self.handle) };
        self.check(status)
    }

    /// The rising edge of the clock.
    pub fn edge(&mut self) -> Result<(), Error> {
        // SAFETY: as above.
        let status = unsafe { (self.edge)(self.handle) };
        self.check(status)
    }

    /// Has all that follows written to a file. Only for models that were built so, and once.
    pub fn waveform(&mut self, path: &Path) -> Result<(), Error> {
        let text = path.to_string_lossy().into_owned();
        let text = CString::new(text)
            .map_err(|_| Error::Model("a file name has a zero byte".to_owned()))?;
        // SAFETY: as above; the text ends in zero.
        let status = unsafe { (self.waveform)(self.handle, text.as_ptr()) };
        self.check(status)
    }

    fn check(&self, status: c_int) -> Result<(), Error> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: the text belongs to the model and ends in zero.
        let text = unsafe { CStr::from_ptr((self.error)(self.handle)) };
        Err(Error::Model(format!("the model stopped: {}", text.to_string_lossy())))
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: nobody uses it any more, and the library is open.
        unsafe { (self.destroy)(self.handle) }
    }
}
