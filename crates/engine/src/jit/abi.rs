//! What native code and the runtime both touch: memory layouts that are fixed by `repr(C)`, and
//! read by native code at the offsets that [`std::mem::offset_of`] gives.

use std::ffi::c_void;

/// Flags of a [`RecordHead`].
pub mod flag {
    /// The record belongs to an entry, not to a default action.
    pub const HIT: u32 = 1;
    /// The action is that of a member of the table's profile: resolve it for each packet.
    pub const MEMBER: u32 = 2;
    /// The action is that of a member which the selector chooses in a group.
    pub const GROUP: u32 = 4;
}

/// What a table lookup leads to. The arguments of the action follow in memory: for each
/// parameter of the pipeline IR's action in order, as many 64-bit words as its bits need, the
/// lowest word first. Records never change while a packet can see them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RecordHead {
    /// Position in [`ww_p4::pipeline::Table::actions`].
    pub action: u32,
    /// [`flag`]s.
    pub flags: u32,
    /// Number of the member or group, if the flags name one.
    pub choice: u32,
    /// With a TCPU, whose records belong to one entry each: the low bits of the entry's handle.
    pub entry: u32,
    /// The entry's direct counter: one [`CounterCell`] per worker, [`cells_apart`], or null.
    pub counter: *mut CounterCell,
    /// The entry's direct meter (`crate::objects::Meter`), or null.
    pub meter: *mut c_void,
}

/// Bytes in front of a record's arguments.
pub const RECORD_ARGUMENTS: usize = size_of::<RecordHead>();

/// Packets and bytes that one worker counted. Only that worker writes it; others read it word
/// by word.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct CounterCell {
    /// Packets.
    pub packets: u64,
    /// Bytes.
    pub bytes: u64,
}

/// How many cells lie between an entry's [`CounterCell`]s of one worker and the next: workers
/// must not write to one cache line.
pub const fn cells_apart(workers: usize) -> usize {
    if workers > 1 { 64 / size_of::<CounterCell>() } else { 1 }
}

/// A table as packets of one generation see it, at the position of its
/// [`ww_p4::pipeline::TableId`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TableView {
    /// Finds the number of the target for a key, 0 on a miss. The key is a row of 64-bit words,
    /// the lowest first, as the table's layout says.
    pub lookup: unsafe extern "C" fn(index: *const c_void, key: *const u64) -> u32,
    /// Loads what `lookup` is going to read into the cache.
    pub prefetch: unsafe extern "C" fn(index: *const c_void, key: *const u64),
    /// The first argument of both.
    pub index: *const c_void,
    /// Targets by number: addresses of [`RecordHead`]s. Number 0 is the default action.
    pub records: *const *const RecordHead,
    /// If the table is an array, the numbers of the targets by key; null if not.
    pub array: *const u32,
    /// 1 if the index is so large that a lookup is likely to wait for memory.
    pub far: u64,
}

/// What the packets of one batch have in common.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// By [`ww_p4::pipeline::TableId`].
    pub tables: *const TableView,
    /// This worker's cells, by [`ww_dataplane::control::CounterIndex`]; null for direct counters.
    pub counters: *const *mut CounterCell,
    /// 1 if packets have to pass output queues.
    pub queues: u64,
    /// Bytes in front of this worker's own one among an entry's [`CounterCell`]s.
    pub own_cell: u64,
    /// With a TCPU: packets that were looked up in a table, and those of them that matched; this worker's, by
    /// [`ww_dataplane::control::TableIndex`].
    pub seen: *mut [CounterCell; 2],
    /// For functions of the runtime that native code calls.
    pub runtime: *mut c_void,
}
