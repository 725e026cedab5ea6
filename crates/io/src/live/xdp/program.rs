//! The XDP program that sends an interface's frames to sockets, loaded by hand: seven
//! instructions need neither a compiler for BPF nor a library.

use crate::live::socket::{bind, packet_socket, promiscuous};
use libc::{c_int, c_long};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// `enum bpf_cmd` of linux/bpf.h.
const BPF_MAP_CREATE: c_long = 0;
const BPF_MAP_UPDATE_ELEM: c_long = 2;
const BPF_PROG_LOAD: c_long = 5;
const BPF_LINK_CREATE: c_long = 28;
const BPF_LINK_DETACH: c_long = 34;

const BPF_MAP_TYPE_XSKMAP: u32 = 17;
const BPF_PROG_TYPE_XDP: u32 = 6;
const BPF_XDP: u32 = 37;
const BPF_PSEUDO_MAP_FD: u8 = 1;
const BPF_FUNC_REDIRECT_MAP: i32 = 51;
const XDP_PASS: i32 = 2;
/// Where `struct xdp_md` has the receive queue's number.
const RX_QUEUE_INDEX: i16 = 16;

/// `union bpf_attr`, as far as we use it: the commands' fields are all of one of these
/// forms, which the kernel takes to be followed by zeros.
#[repr(C)]
struct MapCreate {
    kind: u32,
    key_size: u32,
    value_size: u32,
    max_entries: u32,
}

#[repr(C)]
struct MapUpdate {
    map: u32,
    padding: u32,
    key: u64,
    value: u64,
    flags: u64,
}

#[repr(C)]
struct ProgramLoad {
    kind: u32,
    count: u32,
    instructions: u64,
    license: u64,
}

#[repr(C)]
struct LinkCreate {
    program: u32,
    interface: u32,
    attach: u32,
    flags: u32,
}

/// `struct bpf_insn`.
#[repr(C)]
struct Instruction {
    code: u8,
    /// Destination in the low half, source in the high half.
    registers: u8,
    offset: i16,
    immediate: i32,
}

/// # Safety
/// `attribute` must be what the command expects, with pointers that are good.
unsafe fn bpf<T>(command: c_long, attribute: &T) -> io::Result<c_long> {
    // SAFETY: pointer and length describe the attribute, which the kernel reads.
    let result = unsafe {
        libc::syscall(libc::SYS_bpf, command, std::ptr::from_ref(attribute), size_of::<T>())
    };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// # Safety
/// As for [`bpf`], with a command that makes a descriptor.
unsafe fn bpf_open<T>(command: c_long, attribute: &T) -> io::Result<OwnedFd> {
    // SAFETY: the caller's promise; the descriptor is fresh and ours.
    unsafe { bpf(command, attribute).map(|fd| OwnedFd::from_raw_fd(fd as c_int)) }
}

/// The program on an interface. It goes with this value, and with the process, however
/// that ends: the kernel detaches it when the link's last descriptor closes.
pub(super) struct Program {
    sockets: OwnedFd,
    link: OwnedFd,
    /// Keeps the interface in promiscuous mode.
    _promiscuous: OwnedFd,
}

impl Program {
    /// Attaches the program. Frames of a queue without a socket pass on to the kernel.
    pub fn attach(interface: c_int, queues: u32) -> io::Result<Self> {
        let map = MapCreate {
            kind: BPF_MAP_TYPE_XSKMAP,
            key_size: 4,
            value_size: 4,
            max_entries: queues,
        };
        // SAFETY: a map's description.
        let sockets = unsafe { bpf_open(BPF_MAP_CREATE, &map)? };
        let instruction = |code, to: u8, from: u8, offset, immediate| Instruction {
            code,
            registers: if cfg!(target_endian = "big") { to << 4 | from } else { from << 4 | to },
            offset,
            immediate,
        };
        // return bpf_redirect_map(&sockets, context->rx_queue_index, XDP_PASS);
        let code = [
            instruction(0x61, 2, 1, RX_QUEUE_INDEX, 0),
            instruction(0x18, 1, BPF_PSEUDO_MAP_FD, 0, sockets.as_raw_fd()),
            instruction(0, 0, 0, 0, 0),
            instruction(0xb7, 3, 0, 0, XDP_PASS),
            instruction(0x85, 0, 0, 0, BPF_FUNC_REDIRECT_MAP),
            instruction(0x95, 0, 0, 0, 0),
        ];
        let load = ProgramLoad {
            kind: BPF_PROG_TYPE_XDP,
            count: code.len() as u32,
            instructions: code.as_ptr() as u64,
            license: c"Apache-2.0".as_ptr() as u64,
        };
        // SAFETY: a program's description; code and licence live through the call.
        let program = unsafe { bpf_open(BPF_PROG_LOAD, &load)? };
        let link = LinkCreate {
            program: program.as_raw_fd() as u32,
            interface: interface as u32,
            attach: BPF_XDP,
            flags: 0,
        };
        // SAFETY: a link's description.
        let link = unsafe { bpf_open(BPF_LINK_CREATE, &link)? };
        let holder = packet_socket()?;
        bind(&holder, interface, 0)?;
        promiscuous(&holder, interface)?;
        Ok(Self { sockets, link, _promiscuous: holder })
    }

    /// Has the frames of a queue go to a socket.
    pub fn redirect(&self, queue: u32, socket: &OwnedFd) -> io::Result<()> {
        let value = socket.as_raw_fd() as u32;
        let update = MapUpdate {
            map: self.sockets.as_raw_fd() as u32,
            padding: 0,
            key: std::ptr::from_ref(&queue) as u64,
            value: std::ptr::from_ref(&value) as u64,
            flags: 0,
        };
        // SAFETY: key and value are four bytes each, as the map has them, and live through the call.
        unsafe { bpf(BPF_MAP_UPDATE_ELEM, &update).map(drop) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // To close our descriptor is not enough: a child that another thread is just
        // starting holds copies of all of them until its `exec`.
        let detach = self.link.as_raw_fd() as u32;
        // SAFETY: `struct link_detach` is one descriptor. A failure leaves the closing.
        let _ = unsafe { bpf(BPF_LINK_DETACH, &detach) };
    }
}
