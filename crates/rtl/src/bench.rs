//! One test bench for all hardware: a module of `rtl/`, or any other SystemVerilog, under Verilator.
//!
//! [`Top`] says what is built: the module at the top, its parameters, and files that are not in `rtl/`. [`Bench`] is
//! the built model with its ports by name: numbers, bytes, and fields of wide ports go in and out, and the clock is
//! moved by half a period or a whole one. No C++ is written for a module: the model's interface is generated from the
//! ports that Verilator finds. What was built is kept under the hash of its sources, parameters and tools.
//!
//! ```no_run
//! use ww_rtl::bench::{Bench, Top};
//!
//! # fn main() -> Result<(), ww_rtl::runner::Error> {
//! let mut fifo = Bench::new(&Top::of("ww_fifo").with("WIDTH", 8u32).with("DEPTH", 16u32))?;
//! fifo.reset(2)?;
//! fifo.set("s_data", 7);
//! fifo.set("s_valid", 1);
//! fifo.cycle()?;
//! assert_eq!(fifo.get("m_data"), 7);
//! # Ok(())
//! # }
//! ```

use crate::design::SourceFile;
use crate::library;
use crate::runner::Error;
use crate::runner::cache::Cache;
use crate::runner::compile::{Effort, Options, build_top};
use crate::runner::model::{Model, Signal};
use crate::runner::tools::Tools;
use std::ops::Range;

/// The seed of what registers without reset begin with.
const SEED: u32 = 1;

/// What a bench is built from.
#[derive(Clone, Debug)]
pub struct Top {
    module: String,
    parameters: Vec<(String, u64)>,
    files: Vec<SourceFile>,
}

impl Top {
    /// A module of `rtl/`, or of one of the files that [`file`](Self::file) adds.
    pub fn of(module: &str) -> Self {
        Self { module: module.to_owned(), parameters: Vec::new(), files: Vec::new() }
    }

    /// Sets a parameter of the module; the others keep their defaults.
    #[must_use]
    pub fn with(mut self, parameter: &str, value: impl Into<u64>) -> Self {
        self.parameters.push((parameter.to_owned(), value.into()));
        self
    }

    /// Adds a file, `name` with `.sv`, unless there is one of this name. The modules that it declares are taken from it
    /// and not from `rtl/`.
    #[must_use]
    pub fn file(mut self, name: &str, text: impl Into<String>) -> Self {
        if !self.files.iter().any(|file| file.name == name) {
            self.files.push(SourceFile { name: name.to_owned(), text: text.into() });
        }
        self
    }

    /// The files that are given: those that were added, and the one of the module unless one of these declares it.
    fn sources(&self) -> Result<Vec<SourceFile>, Error> {
        let mut files = self.files.clone();
        if !files.iter().any(|file| library::declares(&file.text, &self.module)) {
            let block = library::block(&self.module).ok_or_else(|| {
                Error::Model(format!(
                    "no module {} is in rtl/ or in the files of the bench",
                    self.module
                ))
            })?;
            let name = format!("{}.sv", block.module);
            files.push(SourceFile { name, text: block.text.to_owned() });
        }
        Ok(files)
    }
}

/// How a port is named: by its name in the module, or by the [`Signal`] that [`Bench::port`] has found for the name,
/// which is quicker.
pub trait Port {
    /// The port of this model.
    ///
    /// # Panics
    /// The module has no such port: the bench is wrong, not what it tests.
    fn of(&self, bench: &Bench) -> Signal;
}

impl Port for Signal {
    fn of(&self, _: &Bench) -> Signal {
        *self
    }
}

impl Port for &str {
    fn of(&self, bench: &Bench) -> Signal {
        bench.port(self).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Port for String {
    fn of(&self, bench: &Bench) -> Signal {
        self.as_str().of(bench)
    }
}

/// A module in simulation. Its clock is the port `clk`; all inputs are 0 at first.
pub struct Bench {
    module: String,
    model: Model,
}

impl Bench {
    /// Builds the model, or takes the one that is kept.
    ///
    /// # Errors
    /// The tools are missing, Verilator refuses the module or its parameters, or the module has no port `clk`.
    pub fn new(top: &Top) -> Result<Self, Error> {
        let options = Options { effort: Effort::Fast, waveform: None };
        let (tools, cache) = (Tools::find()?, Cache::open()?);
        let files = top.sources()?;
        let path = build_top(&top.module, &top.parameters, &files, options, &tools, &cache)?;
        let mut model = Model::load(&path, SEED)?;
        let inputs: Vec<Signal> = model.signals().filter(|signal| !signal.is_output()).collect();
        for input in inputs {
            model.bytes_mut(input).fill(0);
        }
        Ok(Self { module: top.module.clone(), model })
    }

    /// The port with this name.
    ///
    /// # Errors
    /// The module has none.
    pub fn port(&self, name: &str) -> Result<Signal, Error> {
        let missing = || Error::Model(format!("module {} has no port {name}", self.module));
        self.model.signal(name).ok_or_else(missing)
    }

    /// Ports by name, to be taken apart: `let [valid, ready] = bench.ports(["valid", "ready"])?`.
    ///
    /// # Errors
    /// The module lacks one of them.
    pub fn ports<const N: usize>(&self, names: [&str; N]) -> Result<[Signal; N], Error> {
        let mut found = Vec::with_capacity(N);
        for name in names {
            found.push(self.port(name)?);
        }
        Ok(found.try_into().expect("as many as there are names"))
    }

    /// Drives a port of up to 64 bits with a number; bits above the port's are ignored.
    pub fn set(&mut self, port: impl Port, value: u64) {
        let port = port.of(self);
        self.model.set(port, value);
    }

    /// The low 64 bits of a port.
    pub fn get(&self, port: impl Port) -> u64 {
        self.model.get(port.of(self))
    }

    /// Whether a port of one bit is 1.
    pub fn is(&self, port: impl Port) -> bool {
        self.get(port) != 0
    }

    /// The bytes of a port, the lowest first. Bits above the port's are zero.
    pub fn bytes(&self, port: impl Port) -> &[u8] {
        self.model.bytes(port.of(self))
    }

    /// Drives the bytes of a port from byte `at` on; the rest stays as it is.
    ///
    /// # Panics
    /// They go beyond the port, which then has fewer bytes than the bench thinks.
    pub fn set_bytes(&mut self, port: impl Port, at: usize, bytes: &[u8]) {
        let port = port.of(self);
        self.model.bytes_mut(port)[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Bits `bits` of a port, at most 64 of them: an element of a packed array, a field of a structure.
    ///
    /// # Panics
    /// The range is longer than 64 bits or goes beyond the port.
    pub fn field(&self, port: impl Port, bits: Range<usize>) -> u64 {
        let port = port.of(self);
        check(port, &bits);
        let mut window = [0; 16];
        let bytes = &self.model.bytes(port)[bits.start / 8..bits.end.div_ceil(8)];
        window[..bytes.len()].copy_from_slice(bytes);
        (u128::from_le_bytes(window) >> (bits.start % 8)) as u64 & mask(bits.len())
    }

    /// Drives bits `bits` of a port, at most 64 of them, with the low bits of a number.
    ///
    /// # Panics
    /// As [`field`](Self::field).
    pub fn set_field(&mut self, port: impl Port, bits: Range<usize>, value: u64) {
        let port = port.of(self);
        check(port, &bits);
        let bytes = &mut self.model.bytes_mut(port)[bits.start / 8..bits.end.div_ceil(8)];
        let mut window = [0; 16];
        window[..bytes.len()].copy_from_slice(bytes);
        let (mask, shift) = (mask(bits.len()), bits.start % 8);
        let kept = u128::from_le_bytes(window) & !(u128::from(mask) << shift);
        let new = kept | u128::from(value & mask) << shift;
        bytes.copy_from_slice(&new.to_le_bytes()[..bytes.len()]);
    }

    /// The clock is low: outputs follow inputs.
    ///
    /// # Errors
    /// An assertion of the module stopped it.
    pub fn settle(&mut self) -> Result<(), Error> {
        self.model.settle()
    }

    /// The clock rises: registers take their values. Inputs must have settled.
    ///
    /// # Errors
    /// As [`settle`](Self::settle).
    pub fn edge(&mut self) -> Result<(), Error> {
        self.model.edge()
    }

    /// A whole clock for inputs that were just set: they settle, the clock rises, and outputs show the new state.
    ///
    /// # Errors
    /// As [`settle`](Self::settle).
    pub fn cycle(&mut self) -> Result<(), Error> {
        self.settle()?;
        self.edge()?;
        self.settle()
    }

    /// Holds the port `rst` for so many clocks, and takes it away.
    ///
    /// # Errors
    /// As [`settle`](Self::settle), or the module has no port `rst`.
    pub fn reset(&mut self, clocks: u32) -> Result<(), Error> {
        let rst = self.port("rst")?;
        self.set(rst, 1);
        for _ in 0..clocks {
            self.cycle()?;
        }
        self.set(rst, 0);
        self.settle()
    }

    /// A beat of an AXI4-Stream or of any other port with `valid` and `ready`: with `offers` at `valid`, whether this
    /// clock moves it. The inputs of the beat must have been set.
    ///
    /// # Errors
    /// As [`settle`](Self::settle).
    pub fn accepts(
        &mut self,
        valid: impl Port,
        ready: impl Port,
        offers: bool,
    ) -> Result<bool, Error> {
        self.set(valid, u64::from(offers));
        self.settle()?;
        Ok(offers && self.is(ready))
    }
}

fn check(port: Signal, bits: &Range<usize>) {
    assert!(bits.len() <= 64 && bits.end <= port.bits() as usize, "{bits:?} of {port:?}");
}

/// So many ones.
fn mask(bits: usize) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}
