//! Profiles, direct meters and value sets.

use super::externs::hash_bytes;
use super::runtime;
use crate::jit::abi::{Context, RecordHead};
use crate::jit::packet::PacketHead;
use ww_dataplane::control::MeterIndex;
use ww_p4::pipeline::{TableId, ValueSetId};

/// Whether a row of words is a member of a value set: 1 or 0.
///
/// # Safety
/// The context is that of a running native function; `row` has `count` words.
pub unsafe extern "C" fn in_value_set(
    context: *const Context,
    set: u64,
    row: *const u64,
    count: u64,
) -> u64 {
    // SAFETY: the caller's promise; the generation is pinned while native code runs.
    let (generation, row) =
        unsafe { (&*runtime(context).generation, std::slice::from_raw_parts(row, count as usize)) };
    u64::from(generation.in_value_set(ValueSetId(set as u32), row))
}

/// The record of the action for a packet, plus one if the entry hits.
///
/// # Safety
/// The context and the packet are those of a running native function, `record` is one of the
/// table's, and `row` has `length` bytes.
pub unsafe extern "C" fn resolve(
    context: *const Context,
    packet: *const PacketHead,
    site: u64,
    table: u64,
    record: *const RecordHead,
    row: *const u8,
    length: u64,
) -> u64 {
    // SAFETY: the caller's promise.
    let (runtime, key) =
        unsafe { (runtime(context), std::slice::from_raw_parts(row, length as usize)) };
    // SAFETY: the packet is at work.
    let hash = unsafe { hash_bytes(runtime, &*packet, site as usize, key) };
    // SAFETY: the record is of the pinned generation.
    let resolved = unsafe { (*runtime.generation).resolve(TableId(table as u32), record, hash) };
    resolved.record as u64 | u64::from(resolved.hit)
}

/// Has the direct meter of an entry see the packet; of a miss, which has none, remembers green.
///
/// # Safety
/// The context and the packet are those of a running native function of a program with ordered
/// objects; `entry` is null or a record of the table.
pub unsafe extern "C" fn execute_direct_meter(
    context: *const Context,
    packet: *const PacketHead,
    meter: u64,
    entry: *const RecordHead,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(ordered) = runtime(context).ordered.as_mut() else { return };
        let cell = entry.as_ref().map_or(std::ptr::null_mut(), |entry| entry.meter);
        let meter = MeterIndex(meter as u32);
        ordered.direct_meter_execute(meter, cell, (*packet).now, (*packet).length);
    }
}
