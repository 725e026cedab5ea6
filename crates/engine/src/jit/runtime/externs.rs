//! Functions and objects of the architecture that are more than a few instructions.

use super::arithmetic::{from_words, to_words};
use super::frame::append_bits;
use super::{PreparedSite, Runtime, runtime};
use crate::bits::Bits;
use crate::jit::abi::Context;
use crate::jit::compile::{Leaf, Site};
use crate::jit::layout::words;
use crate::jit::packet::PacketHead;
use num_bigint::BigUint;
use std::sync::Arc;
use ww_dataplane::control::{Digest, DigestField, MeterIndex, RegisterIndex};
use ww_dataplane::random::{Draw, Drawer, between};

/// The next 64 random bits for a place and the packet at work.
fn draw(runtime: &mut Runtime, packet: &PacketHead, place: u64) -> u64 {
    let count = match runtime.draws.iter_mut().find(|(site, _)| *site == place) {
        Some((_, count)) => {
            *count += 1;
            *count
        }
        None => {
            runtime.draws.push((place, 0));
            0
        }
    };
    let draw = Draw { seed: runtime.seed, site: place, count };
    draw.number(Drawer { packet: packet.packet, copy: packet.copy })
}

/// The hash of bytes by the algorithm of a site. Programs with an unknown one are refused when they
/// are loaded.
///
/// # Safety
/// The runtime's generation is pinned.
pub unsafe fn hash_bytes(
    runtime: &mut Runtime,
    packet: &PacketHead,
    site: usize,
    bytes: &[u8],
) -> u64 {
    let prepared = &runtime.sites[site];
    if let Some(hash) = &prepared.hash {
        return hash.hash(bytes);
    }
    // SAFETY: the caller's promise.
    let generation = unsafe { &*runtime.generation };
    match &*prepared.site.algorithm {
        "random" => {
            let place = prepared.site.place();
            draw(runtime, packet, place)
        }
        "crc16_custom" => generation.crc16_custom.hash(bytes),
        "crc32_custom" => generation.crc32_custom.hash(bytes),
        // An action profile without a selector: its members are chosen without a hash.
        "" => 0,
        other => unreachable!("hash algorithm `{other}` was refused when it was loaded"),
    }
}

/// A scalar as a function of the runtime finds it: its words, and how many of its bits are on
/// the wire.
struct Scalar<'r> {
    leaf: &'r Leaf,
    words: &'r [u64],
    length: u64,
}

/// Takes the scalars of data from a row of words.
fn scalars<'r>(site: &'r Site, row: *const u64) -> impl Iterator<Item = Scalar<'r>> {
    let mut at = row;
    // SAFETY (of all reads): native code stores as many words as the site says.
    let mut take = move |count: usize| unsafe {
        let part = std::slice::from_raw_parts(at, count);
        at = at.add(count);
        part
    };
    site.data.leaves.iter().map(move |leaf| {
        let value = take(words(u64::from(leaf.width)));
        let length = if leaf.has_length { take(1)[0] } else { u64::from(leaf.width) };
        let valid = !leaf.has_validity || take(1)[0] != 0;
        let length = if valid { length.min(u64::from(leaf.width)) } else { 0 };
        Scalar { leaf, words: value, length }
    })
}

/// Puts the data of a site on the wire and hashes it.
///
/// # Safety
/// The context and the packet are those of a running native function, and `row` has what the
/// site says.
unsafe fn hash_site(
    context: *const Context,
    packet: &PacketHead,
    site: u64,
    row: *const u64,
) -> u64 {
    // SAFETY: the caller's promise.
    let runtime = unsafe { runtime(context) };
    let sites = Arc::clone(&runtime.sites);
    let PreparedSite { site: description, .. } = &sites[site as usize];
    let mut wire = std::mem::take(&mut runtime.wire);
    wire.clear();
    let mut filled = 0;
    for scalar in scalars(description, row) {
        let width = u64::from(scalar.leaf.width);
        append_bits(&mut wire, &mut filled, scalar.words, width, scalar.length);
    }
    if description.with_payload {
        // SAFETY: the packet's bytes are as many as its length says.
        let bytes = unsafe { std::slice::from_raw_parts(packet.bytes, packet.length as usize) };
        append_rest(&mut wire, &mut filled, bytes, packet.cursor);
    }
    // SAFETY: the generation is pinned while native code runs.
    let hash = unsafe { hash_bytes(runtime, packet, site as usize, &wire) };
    runtime.wire = wire;
    hash
}

/// Appends the bits of a packet from `cursor` on.
pub fn append_rest(out: &mut Vec<u8>, filled: &mut u64, bytes: &[u8], cursor: u64) {
    let (first, odd) = ((cursor / 8) as usize, cursor % 8);
    if filled.is_multiple_of(8) && odd == 0 {
        let rest = bytes.get(first..).unwrap_or_default();
        out.extend_from_slice(rest);
        *filled += rest.len() as u64 * 8;
        return;
    }
    for (n, byte) in bytes.iter().enumerate().skip(first) {
        let left = if n == first { 8 - odd } else { 8 };
        append_bits(out, filled, &[u64::from(*byte) & ((1 << left) - 1)], left, left);
    }
}

/// The hash of a site's data.
///
/// # Safety
/// As for [`hash_site`].
pub unsafe extern "C" fn hash(
    context: *const Context,
    packet: *const PacketHead,
    site: u64,
    row: *const u64,
) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { hash_site(context, &*packet, site, row) }
}

/// The checksum of a site's data.
///
/// # Safety
/// As for [`hash_site`].
pub unsafe extern "C" fn checksum(
    context: *const Context,
    packet: *const PacketHead,
    site: u64,
    row: *const u64,
) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { hash_site(context, &*packet, site, row) }
}

/// `base + hash mod max` of numbers of any width. In front of the data are the words of `base`
/// and `max`; the result takes their place.
///
/// # Safety
/// As for [`hash_site`]; the site's widths are those of result, base and max.
pub unsafe extern "C" fn hash_range(
    context: *const Context,
    packet: *const PacketHead,
    site: u64,
    row: *mut u64,
) -> u64 {
    // SAFETY: the caller's promise.
    let sites = unsafe { Arc::clone(&runtime(context).sites) };
    let count = |n: usize| words(u64::from(sites[site as usize].site.widths[n]));
    let (out, base, max) = (count(0), count(1), count(2));
    // SAFETY: the caller's promise.
    let (base, max, data) = unsafe {
        (
            from_words(std::slice::from_raw_parts(row, base)),
            from_words(std::slice::from_raw_parts(row.add(base), max)),
            row.add(base + max),
        )
    };
    // SAFETY: the caller's promise.
    let hash = BigUint::from(unsafe { hash_site(context, &*packet, site, data) });
    let offset = if max == BigUint::ZERO { max } else { hash % max };
    // SAFETY: the caller's promise.
    let result = unsafe { std::slice::from_raw_parts_mut(row, out) };
    to_words(&(base + offset), result);
    0
}

/// A random number from `low` to `high`, or `low` if that is more. The row has the words of
/// both; the result takes their place.
///
/// # Safety
/// The context and the packet are those of a running native function; the site's widths are
/// those of result, low and high.
pub unsafe extern "C" fn random(
    context: *const Context,
    packet: *const PacketHead,
    site: u64,
    row: *mut u64,
) {
    // SAFETY: the caller's promise.
    let (runtime, packet) = unsafe { (runtime(context), &*packet) };
    let called = &runtime.sites[site as usize].site;
    let (place, width) = (called.place(), called.widths[0]);
    let [out, low, high] = [0, 1, 2].map(|n| words(u64::from(called.widths[n])));
    // SAFETY: the caller's promise.
    let (low, high) = unsafe {
        (
            from_words(std::slice::from_raw_parts(row, low)),
            from_words(std::slice::from_raw_parts(row.add(low), high)),
        )
    };
    let result = between(low, &high, width, || draw(runtime, packet, place));
    // SAFETY: the caller's promise.
    to_words(&result, unsafe { std::slice::from_raw_parts_mut(row, out) });
}

/// `digest`: the row has the receiver and then the data.
///
/// # Safety
/// As for [`hash_site`].
pub unsafe extern "C" fn digest(
    context: *const Context,
    packet: *const PacketHead,
    site: u64,
    row: *const u64,
) -> u64 {
    // SAFETY: the caller's promise.
    let (runtime, packet) = unsafe { (runtime(context), &*packet) };
    let sites = Arc::clone(&runtime.sites);
    let site = &sites[site as usize].site;
    // SAFETY: the caller's promise.
    let (receiver, data) = unsafe { (*row, row.add(1)) };
    let fields = scalars(site, data)
        .map(|scalar| {
            let width = scalar.leaf.width;
            let value = Bits::from_biguint(width, &from_words(scalar.words));
            // Of a `varbit` the first bits are those that count.
            let length = scalar.length as u32;
            let value = value.shr(u64::from(width - length)).resize(length);
            DigestField {
                name: scalar.leaf.name.clone(),
                width: value.width(),
                value: value.to_biguint(),
            }
        })
        .collect();
    let digest = Digest {
        receiver: receiver as u32,
        name: site.data.type_name.clone(),
        fields,
        at: packet.now,
    };
    runtime.digests.push((packet.packet, digest));
    0
}

/// The colour that a meter gives to the packet.
///
/// # Safety
/// The context and the packet are those of a running native function of a program with ordered
/// objects.
pub unsafe extern "C" fn execute_meter(
    context: *const Context,
    packet: *const PacketHead,
    meter: u64,
    index: u64,
) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(ordered) = runtime(context).ordered.as_mut() else { return 0 };
        let meter = MeterIndex(meter as u32);
        u64::from(ordered.meter_execute(meter, index, (*packet).now, (*packet).length))
    }
}

/// What a direct meter said last.
///
/// # Safety
/// As for [`execute_meter`].
pub unsafe extern "C" fn meter_colour(context: *const Context, meter: u64) -> u64 {
    // SAFETY: the caller's promise.
    let ordered = unsafe { runtime(context).ordered.as_ref() };
    ordered.map_or(0, |ordered| u64::from(ordered.colour(MeterIndex(meter as u32))))
}

/// Reads a cell of a register into a row of words; zeros beyond its end.
///
/// # Safety
/// As for [`execute_meter`]; `row` has `count` words.
pub unsafe extern "C" fn read_register(
    context: *const Context,
    register: u64,
    index: u64,
    row: *mut u64,
    count: u64,
) {
    // SAFETY: the caller's promise.
    let (ordered, row) = unsafe {
        (runtime(context).ordered.as_ref(), std::slice::from_raw_parts_mut(row, count as usize))
    };
    row.fill(0);
    if let Some(ordered) = ordered {
        ordered.register_read(RegisterIndex(register as u32), index, row);
    }
}

/// Writes a row of words into a cell of a register; nothing beyond its end.
///
/// # Safety
/// As for [`read_register`].
pub unsafe extern "C" fn write_register(
    context: *const Context,
    register: u64,
    index: u64,
    row: *const u64,
    count: u64,
) {
    // SAFETY: the caller's promise.
    let (ordered, row) = unsafe {
        (runtime(context).ordered.as_mut(), std::slice::from_raw_parts(row, count as usize))
    };
    if let Some(ordered) = ordered {
        ordered.register_write(RegisterIndex(register as u32), index, row);
    }
}
