//! What native code knows of one packet: the front of its memory. The fields of the program
//! follow, where [`super::layout::Layout`] puts them.

use ww_p4::architecture::Request;

/// Bits of [`PacketHead::requests`].
pub mod request {
    /// `clone`
    pub const CLONE: u32 = 1;
    /// `resubmit`
    pub const RESUBMIT: u32 = 2;
    /// `recirculate`
    pub const RECIRCULATE: u32 = 4;
    /// `truncate`
    pub const TRUNCATE: u32 = 8;
}

/// What native functions return.
pub mod status {
    /// The blocks ran to their end.
    pub const DONE: u32 = 0;
    /// The packet waits for memory: call the function again, later.
    pub const WAIT: u32 = 1;
    /// the whole fast path is done: the packet can leave.
    pub const READY: u32 = 2;
    /// The fast path ends behind ingress.
    pub const INGRESS_ENDED: u32 = 3;
    /// The fast path ends behind egress.
    pub const EGRESS_ENDED: u32 = 4;
    /// The packet is lost; added to the position of the reason in
    /// [`ww_dataplane::DropReason::ALL`].
    pub const LOST: u32 = 16;
}

/// Marks a [`PacketHead`] `keep` value that is a position in the compiled program's own lists,
/// instead of the number of a `@field_list`.
pub const KEEP_OWN: u64 = 1 << 63;

/// See [`PacketHead::begin`].
pub const ELSEWHERE: u64 = u64::MAX;

/// The front of a packet's memory.
#[repr(C, align(16))]
#[derive(Clone, Debug)]
pub struct PacketHead {
    /// The packet as it came in, or as the deparser left it. Writable.
    pub bytes: *mut u8,
    /// Its bytes.
    pub length: u64,
    /// Bits that the parser took.
    pub cursor: u64,
    /// Where the deparser writes: in front of the payload when what goes out is not longer than
    /// what came in, else in a buffer of the worker.
    pub out: *mut u8,
    /// Bits that the deparser wrote.
    pub out_bits: u64,
    /// Rounds of loops that the packet may still make in this pass.
    pub steps: u64,
    /// States that the parser may still enter.
    pub states: u64,
    /// Where to go on after [`status::WAIT`]; 0 is the start.
    pub resume: u32,
    /// [`request`]s.
    pub requests: u32,
    /// Session of a requested clone.
    pub clone_session: u32,
    /// Length of a requested truncation in bytes.
    pub truncate: u32,
    /// What a requested clone keeps.
    pub clone_keep: u64,
    /// What a resubmitted packet keeps.
    pub resubmit_keep: u64,
    /// What a recirculated packet keeps.
    pub recirculate_keep: u64,
    /// 1 if the parser ended in `reject`.
    pub rejected: u32,
    /// 1 if the parser met an error.
    pub failed: u32,
    /// Arrival of the pass in picoseconds.
    pub now: u64,
    /// Number of the received frame.
    pub packet: u64,
    /// The same in microseconds.
    pub microseconds: u64,
    /// Number of the copy.
    pub copy: u32,
    /// The port on which the packet came in; on the fast path, from the start of egress on the
    /// one for which it is bound.
    pub port: u32,
    /// One more than the bits of the frame in front of what the deparser writes, if it writes into
    /// the frame; more than a frame can have if not.
    pub place: u64,
    /// Where the frame begins behind `bytes` when the deparser is done, if it was written there;
    /// [`ELSEWHERE`] if not.
    pub begin: u64,
}

impl PacketHead {
    /// What the packet keeps when it starts over.
    pub fn kept_by(&self, what: Request) -> u64 {
        match what {
            Request::Resubmit => self.resubmit_keep,
            _ => self.recirculate_keep,
        }
    }
}
