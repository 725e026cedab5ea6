//! Entries, members of value sets and replicas in the layout of their rows.

use super::Error;
use super::driver::Match;
use crate::manifest::{ActionLayout, TableObject};
use num_bigint::BigUint;
use ww_engine::runtime::{ActionData, KeyMatch, TableInfo, ValueSetInfo};

/// Vectors of SystemVerilog as the driver takes them: bit 0 of byte 0 is bit 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector(BigUint);

impl Vector {
    /// All bits zero.
    pub fn zero() -> Self {
        Self(BigUint::ZERO)
    }

    /// The same vector with the low `width` bits of `value` at `offset`, which are zero so far.
    pub fn with(self, offset: u32, width: u32, value: &BigUint) -> Self {
        Self(self.0 | ((value & ones(width)) << offset))
    }

    /// The bytes of a vector of so many bits.
    pub fn bytes(&self, bits: u32) -> Vec<u8> {
        let mut bytes = self.0.to_bytes_le();
        bytes.resize(bits.div_ceil(8) as usize, 0);
        bytes
    }
}

/// Some bits of a row.
pub fn bits(row: &[u8], offset: u32, width: u32) -> BigUint {
    (BigUint::from_bytes_le(row) >> offset) & ones(width)
}

/// So many ones.
pub fn ones(width: u32) -> BigUint {
    (BigUint::from(1u32) << width) - 1u32
}

/// The layout of an action that the schema has at a position, if the table's object has it.
fn action<'o>(
    object: &'o TableObject,
    info: &TableInfo,
    position: usize,
) -> Option<(usize, &'o ActionLayout)> {
    let name = &info.actions.get(position)?.name;
    let found = object.actions.iter().enumerate().find(|(_, action)| action.name == *name);
    // Instances of one control have actions of one name.
    found.or_else(|| {
        let same = object.actions.len() == info.actions.len();
        object.actions.get(position).filter(|_| same).map(|action| (position, action))
    })
}

/// The number of an action and its arguments.
pub fn data(object: &TableObject, info: &TableInfo, to: &ActionData) -> Result<Vec<u8>, Error> {
    let missing = || {
        let name = info.actions.get(to.action).map_or("?", |action| action.name.as_str());
        Error::Control(format!("table `{}` in hardware has no action `{name}`", info.name))
    };
    let (number, layout) = action(object, info, to.action).ok_or_else(missing)?;
    if layout.parameters.len() != to.arguments.len() {
        return Err(missing());
    }
    let mut vector = Vector::zero().with(0, object.action_bits, &BigUint::from(number));
    for (parameter, value) in layout.parameters.iter().zip(&to.arguments) {
        vector = vector.with(parameter.offset, parameter.width, value);
    }
    Ok(vector.bytes(object.data_bits))
}

/// What an entry matches. `keys` are in the forms of their match kinds.
pub fn entry(
    object: &TableObject,
    info: &TableInfo,
    keys: &[KeyMatch],
    priority: i64,
) -> Result<Match, Error> {
    let refuse = |what: &str| Error::Control(format!("table `{}` in hardware: {what}", info.name));
    if keys.len() != object.keys.len() {
        return Err(refuse("it has other keys"));
    }
    let (mut key, mut mask) = (Vector::zero(), Vector::zero());
    let mut prefixes = 0;
    for (layout, found) in object.keys.iter().zip(keys) {
        let is_range = layout.match_kind == "range";
        let (value, care) = key_and_mask(found, layout.width, is_range)
            .ok_or_else(|| refuse("a range for a key that is none"))?;
        if layout.match_kind == "lpm" {
            prefixes += care.count_ones() as i64;
        }
        key = key.with(layout.offset, layout.width, &value);
        mask = mask.with(layout.offset, layout.width, &care);
    }
    let cares = mask.0.count_ones();
    let leading = mask.0 == ones(object.key_bits) - ones(object.key_bits - cares as u32);
    match object.implementation.as_str() {
        "ternary" => {}
        "lpm" if leading => {}
        "lpm" => return Err(refuse("the keys are no prefix of the whole key")),
        _ if cares == u64::from(object.key_bits) => {}
        _ => return Err(refuse("an exact key that matches anything")),
    }
    let rank = rank(info, priority, prefixes);
    let priority = i32::try_from(rank)
        .map_err(|_| refuse(&format!("priority {priority} has more than 32 bits")))?;
    let bytes = |vector: Vector| vector.bytes(object.key_bits);
    Ok(Match { key: bytes(key), mask: bytes(mask), prefix_length: cares as u32, priority })
}

/// Value and mask of a key; of one that is compared with bounds, the bounds.
fn key_and_mask(key: &KeyMatch, width: u32, is_range: bool) -> Option<(BigUint, BigUint)> {
    let (value, mask) = match key {
        KeyMatch::Range { low, high } if is_range => return Some((low.clone(), high.clone())),
        KeyMatch::Exact(value) if is_range => return Some((value.clone(), value.clone())),
        _ if is_range => return Some((BigUint::ZERO, ones(width))),
        KeyMatch::Range { .. } => return None,
        KeyMatch::Exact(value) | KeyMatch::Optional(Some(value)) => (value.clone(), ones(width)),
        KeyMatch::Optional(None) => (BigUint::ZERO, BigUint::ZERO),
        KeyMatch::Lpm { value, prefix_len } => {
            let length = (*prefix_len).min(width);
            (value.clone(), ones(length) << (width - length))
        }
        KeyMatch::Ternary { value, mask } => (value.clone(), mask.clone()),
    };
    Some((value & &mask, mask))
}

/// The row of a member of a value set: `{valid, mask, key}`, valid in bit 0.
pub fn member(info: &ValueSetInfo, member: &[KeyMatch]) -> Result<BigUint, Error> {
    let total: u32 = info.keys.iter().map(|key| key.width).sum();
    let (mut key, mut mask) = (Vector::zero(), Vector::zero());
    let mut offset = total;
    for (layout, found) in info.keys.iter().zip(member) {
        offset -= layout.width;
        let (value, care) = key_and_mask(found, layout.width, false).ok_or_else(|| {
            Error::Control(format!("value set `{}` in hardware: a range", info.name))
        })?;
        key = key.with(offset, layout.width, &value);
        mask = mask.with(offset, layout.width, &care);
    }
    Ok(BigUint::from(1u32) | mask.0 << 1 | key.0 << (1 + total))
}

/// What decides between entries of a ternary table: the priority where there are such, the
/// length of the prefix otherwise, and for several prefixes first the one and then the other.
fn rank(info: &TableInfo, priority: i64, prefixes: i64) -> i64 {
    use ww_engine::runtime::MatchKind::Lpm;
    match info.keys.iter().filter(|key| key.kind == Lpm).count() {
        _ if info.has_priorities() => priority,
        0 | 1 => prefixes,
        _ => priority.saturating_mul(1 << 12).saturating_add(prefixes),
    }
}
