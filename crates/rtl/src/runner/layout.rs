//! Entries, members of value sets and replicas in the layout of their rows.

use super::Error;
use super::driver::Match;
use crate::manifest::{ActionLayout, TableObject};
use num_bigint::BigUint;
use ww_dataplane::control::{ActionData, KeyMatch, MeterRates, TableInfo, ValueSetInfo};
use ww_engine::tables::KeyField;

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

/// What an entry or a default action leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// An action with its arguments.
    Action(ActionData),
    /// The number of a group of the table's selector.
    Group(u32),
}

/// The data of an entry or default action.
pub fn stored(object: &TableObject, info: &TableInfo, to: &Stored) -> Result<Vec<u8>, Error> {
    match (to, &object.selector) {
        (Stored::Action(action), _) => data(object, info, action),
        (Stored::Group(number), Some(_)) => {
            let flag = Vector::zero().with(object.data_bits - 1, 1, &BigUint::from(1u32));
            let group = flag.with(0, object.data_bits - 1, &BigUint::from(*number));
            Ok(group.bytes(object.data_bits))
        }
        (Stored::Group(_), None) => {
            Err(Error::Control(format!("table `{}` in hardware has no groups", info.name)))
        }
    }
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
        let (mut value, mut care) = key_and_mask(found, layout.width, is_range)
            .ok_or_else(|| refuse("a range for a key that is none"))?;
        if layout.is_signed_range && matches!(found, KeyMatch::Range { .. } | KeyMatch::Exact(_)) {
            let sign = BigUint::from(1u32) << (layout.width - 1);
            value ^= &sign;
            care ^= &sign;
        }
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
pub fn member(info: &ValueSetInfo, member: &[KeyField]) -> Result<BigUint, Error> {
    let total: u32 = info.keys.iter().map(|key| key.width).sum();
    let (mut key, mut mask) = (Vector::zero(), Vector::zero());
    let mut offset = total;
    for (layout, found) in info.keys.iter().zip(member) {
        offset -= layout.width;
        let (value, care) = found.value_and_mask().ok_or_else(|| {
            Error::Control(format!("value set `{}` in hardware: a range", info.name))
        })?;
        key = key.with(offset, layout.width, &value.to_biguint());
        mask = mask.with(offset, layout.width, &care.to_biguint());
    }
    Ok(BigUint::from(1u32) | mask.0 << 1 | key.0 << (1 + total))
}

/// Widths of `ww_meter_array`: of a rate and of a number of tokens, both in 10^-12 units.
const RATE: u32 = 60;
const TOKENS: u32 = 72;
/// Bits of a meter's row.
pub const METER_ROW: u32 = 1 + 2 * (RATE + TOKENS);

/// The row of a meter: committed rate, committed depth, peak rate, peak depth, whether it is
/// configured. `None` if a rate or a depth is too large.
pub fn meter(rates: MeterRates) -> Option<BigUint> {
    const FRACTION: u64 = 1_000_000_000_000;
    let mut vector = Vector::zero().with(METER_ROW - 1, 1, &BigUint::from(1u32));
    let mut offset = 0;
    for rate in [rates.committed, rates.peak] {
        // As the software engines round; a conversion from float saturates.
        let speed = (rate.units_per_microsecond * FRACTION as f64).round() as u128;
        let depth = BigUint::from(rate.burst) * FRACTION;
        if speed >> RATE != 0 || depth.bits() > u64::from(TOKENS) {
            return None;
        }
        vector = vector.with(offset, RATE, &BigUint::from(speed));
        vector = vector.with(offset + RATE, TOKENS, &depth);
        offset += RATE + TOKENS;
    }
    Some(vector.0)
}

/// What decides between entries of a ternary table: the priority where there are such, the
/// length of the prefix otherwise, and for several prefixes first the one and then the other.
fn rank(info: &TableInfo, priority: i64, prefixes: i64) -> i64 {
    use ww_dataplane::control::MatchKind::Lpm;
    match info.keys.iter().filter(|key| key.kind == Lpm).count() {
        _ if info.has_priorities() => priority,
        0 | 1 => prefixes,
        _ => priority.saturating_mul(1 << 12).saturating_add(prefixes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::KeyLayout;
    use ww_dataplane::control::{KeyInfo, MatchKind, MeterRate};

    fn table(implementation: &str, kinds: &[(&str, MatchKind)]) -> (TableObject, TableInfo) {
        let mut offset = 8 * kinds.len() as u32;
        let keys = kinds.iter().map(|(kind, _)| {
            offset -= 8;
            KeyLayout {
                name: "k".into(),
                match_kind: (*kind).into(),
                width: 8,
                offset,
                is_signed_range: false,
            }
        });
        let object = TableObject {
            implementation: implementation.to_owned(),
            entries: 16,
            key_bits: 8 * kinds.len() as u32,
            data_bits: 20,
            action_bits: 2,
            keys: keys.collect(),
            actions: Vec::new(),
            copies: 1,
            number_bits: 0,
            hash: None,
            memory_bits: 0,
            compared_bits: 0,
            selector: None,
        };
        let key = |&(_, kind)| KeyInfo { name: "k".into(), kind, width: 8, signed: false };
        let info = TableInfo {
            name: "t".into(),
            instance: 0,
            table: 0,
            keys: kinds.iter().map(key).collect(),
            actions: Vec::new(),
            size: 16,
            const_entries: false,
            const_default: false,
            profile: None,
            counter: None,
            meter: None,
        };
        (object, info)
    }

    fn number(value: u32) -> BigUint {
        value.into()
    }

    #[test]
    fn ranges_and_masks_of_a_ternary_table() {
        let kinds = [("range", MatchKind::Range), ("ternary", MatchKind::Ternary)];
        let (object, info) = table("ternary", &kinds);
        let keys = [
            KeyMatch::Range { low: number(3), high: number(9) },
            KeyMatch::Ternary { value: number(0xff), mask: number(0x0f) },
        ];
        let found = entry(&object, &info, &keys, -5).expect("it has a place");
        assert_eq!((found.key, found.mask, found.priority), (vec![0x0f, 3], vec![0x0f, 9], -5));
        assert!(entry(&object, &info, &keys, 1 << 40).is_err());
        assert!(entry(&object, &info, &keys[..1], 0).is_err());
    }

    #[test]
    fn prefixes() {
        let lpm = |value, prefix_len| KeyMatch::Lpm { value: number(value), prefix_len };
        let kinds = [("exact", MatchKind::Exact), ("lpm", MatchKind::Lpm)];
        let keys = [KeyMatch::Exact(number(1)), lpm(0xff, 3)];
        let (object, info) = table("lpm", &kinds);
        let found = entry(&object, &info, &keys, 7).expect("a prefix of both");
        assert_eq!((found.key, found.prefix_length), (vec![0xe0, 1], 11));
        // In a ternary table the length decides, and not the priority.
        let (object, info) = table("ternary", &kinds);
        assert_eq!(entry(&object, &info, &keys, 7).map(|m| m.priority).ok(), Some(3));
        // An exact key below a prefix does not count as one.
        let (object, info) = table("lpm", &[kinds[1], kinds[0]]);
        assert!(entry(&object, &info, &[lpm(0xff, 3), KeyMatch::Exact(number(1))], 0).is_err());
        // Several prefixes: first the priority, then all their bits.
        let (object, info) = table("ternary", &[kinds[1], kinds[1]]);
        let rank = |a, b, priority| {
            entry(&object, &info, &[lpm(0, a), lpm(0, b)], priority).map(|m| m.priority).ok()
        };
        assert!(rank(8, 8, 0) < rank(0, 0, 1) && rank(3, 4, 1) > rank(2, 4, 1));
    }

    #[test]
    fn exact_tables_take_exact_keys_only() {
        let (object, info) = table("hash", &[("exact", MatchKind::Exact)]);
        let any = KeyMatch::Ternary { value: number(0), mask: number(0) };
        assert!(entry(&object, &info, &[any], 0).is_err());
        assert!(entry(&object, &info, &[KeyMatch::Exact(number(5))], 0).is_ok());
    }

    #[test]
    fn meters() {
        let rate = |units_per_microsecond, burst| MeterRate { units_per_microsecond, burst };
        let rates = MeterRates { committed: rate(0.5, 3), peak: rate(2.0, 5) };
        let row = meter(rates).expect("small").to_bytes_le();
        let part = |offset, width| bits(&row, offset, width);
        assert_eq!(part(0, 60), BigUint::from(500_000_000_000u64));
        assert_eq!(part(60, 72), BigUint::from(3_000_000_000_000u64));
        assert_eq!(part(132, 60), BigUint::from(2_000_000_000_000u64));
        assert_eq!(part(192, 72), BigUint::from(5_000_000_000_000u64));
        assert_eq!(part(264, 1), number(1));
        assert!(meter(MeterRates { committed: rate(2e6, 1), ..rates }).is_none());
        assert!(meter(MeterRates { peak: rate(1.0, u64::MAX), ..rates }).is_none());
    }
}
