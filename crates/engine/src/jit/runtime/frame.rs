//! Bits of the frame at places that are known only when the packet is there.

use super::runtime;
use crate::jit::abi::Context;
use crate::jit::layout::words;
use crate::jit::packet::PacketHead;

/// Reads up to 64 bits that begin `at` bits behind an address.
///
/// # Safety
/// The bits are inside of memory that may be read.
pub unsafe extern "C" fn read_bits_at(bytes: *const u8, at: u64, width: u64) -> u64 {
    let mut value = 0u64;
    let (mut at, end) = (at, at + width);
    while at < end {
        // SAFETY: the caller's promise.
        let byte = u64::from(unsafe { *bytes.add((at / 8) as usize) });
        let take = (8 - at % 8).min(end - at);
        let part = byte >> (8 - at % 8 - take) & ((1 << take) - 1);
        value = value << take | part;
        at += take;
    }
    value
}

/// Reads a `varbit` of `taken` bits that begins `at` bits behind an address into a field of
/// `width` bits: its first bit on the wire becomes the most significant one.
///
/// # Safety
/// The bits are inside of memory that may be read, and `out` has the words of the width, which
/// is not less than `taken`.
pub unsafe extern "C" fn extract_varbit(
    out: *mut u64,
    bytes: *const u8,
    at: u64,
    taken: u64,
    width: u64,
) {
    // SAFETY: the caller's promise.
    let out = unsafe { std::slice::from_raw_parts_mut(out, words(width)) };
    out.fill(0);
    let mut done = 0;
    while done < taken {
        let take = (taken - done).min(8);
        // SAFETY: the caller's promise.
        let part = unsafe { read_bits_at(bytes, at + done, take) };
        done += take;
        set_bits(out, width - done, take, part);
    }
}

/// Sets up to 8 bits, which are zero, from `low` on.
fn set_bits(words: &mut [u64], low: u64, width: u64, value: u64) {
    let (n, shift) = ((low / 64) as usize, low % 64);
    words[n] |= value << shift;
    if shift + width > 64 {
        words[n + 1] |= value >> (64 - shift);
    }
}

/// Bits of a number from words, the lowest first: up to 8 from `low` on.
fn get_bits(words: &[u64], low: u64, width: u64) -> u64 {
    let (n, shift) = ((low / 64) as usize, low % 64);
    let mut value = words[n] >> shift;
    if shift + width > 64 {
        value |= words[n + 1] << (64 - shift);
    }
    value & ((1 << width) - 1)
}

/// Appends the first `length` bits of a value of `width` bits to bytes, of which `filled` bits
/// are in use; bytes behind them are overwritten.
pub fn append_bits(out: &mut Vec<u8>, filled: &mut u64, words: &[u64], width: u64, length: u64) {
    let mut left = length.min(width);
    let mut high = width;
    out.truncate(filled.div_ceil(8) as usize);
    while left > 0 {
        let used = *filled % 8;
        if used == 0 {
            out.push(0);
        }
        let take = (8 - used).min(left);
        let part = get_bits(words, high - take, take) as u8;
        if let Some(last) = out.last_mut() {
            *last |= part << (8 - used - take);
        }
        high -= take;
        left -= take;
        *filled += take;
    }
}

/// Has the deparser's output grow by the first `length` bits of a value of `width` bits.
///
/// # Safety
/// The packet's memory and the context are those of a running native function, and `row` has
/// the words of the width.
pub unsafe extern "C" fn write_bits(
    context: *const Context,
    packet: *mut PacketHead,
    row: *const u64,
    width: u64,
    length: u64,
) {
    // SAFETY: the caller's promise.
    let (packet, runtime) = unsafe { (&mut *packet, runtime(context)) };
    // SAFETY: the caller's promise.
    let row = unsafe { std::slice::from_raw_parts(row, words(width)) };
    append_bits(&mut runtime.output, &mut packet.out_bits, row, width, length);
}
