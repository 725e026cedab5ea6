//! Values as these commands write them.

use crate::number;
use crate::word::shorten;
use num_bigint::{BigInt, BigUint};
use std::net::{Ipv4Addr, Ipv6Addr};
use ww_dataplane::control::{ActionInfo, KeyInfo, KeyMatch, MatchKind, Target};

/// Reads a value of `width` bits: a number (a negative one as two's complement), an IPv4 address
/// (32 bits), a MAC address (48 bits), an IPv6 address (128 bits), or `true` and `false` (1 bit).
/// The error is the rest of a sentence that begins with what the value is for.
pub fn parse_value(text: &str, width: u32) -> Result<BigUint, String> {
    let (value, bits, what) = if let Some(value) = address(text) {
        value
    } else if text == "true" || text == "false" {
        (BigInt::from(u8::from(text == "true")), Some(1), "a truth value")
    } else if let Some(value) = number::signed(text) {
        (value, None, "a number")
    } else {
        return Err(format!(
            "expected a number or an address of {width} bits, found `{}`",
            shorten(text)
        ));
    };
    if let Some(bits) = bits.filter(|bits| *bits != width) {
        return Err(format!("has {width} bit(s), found {what} of {bits}: `{text}`"));
    }
    number::bits(&value, width)
        .ok_or_else(|| format!("has {width} bit(s), which `{}` does not fit", shorten(text)))
}

/// An address, its width and its name.
pub(crate) fn address(text: &str) -> Option<(BigInt, Option<u32>, &'static str)> {
    if text.contains('.') {
        let address: Ipv4Addr = text.parse().ok()?;
        return Some((u32::from(address).into(), Some(32), "an IPv4 address"));
    }
    if let Some(value) = mac(text) {
        return Some((value.into(), Some(48), "a MAC address"));
    }
    if text.contains(':') {
        let address: Ipv6Addr = text.parse().ok()?;
        return Some((u128::from(address).into(), Some(128), "an IPv6 address"));
    }
    None
}

/// Six groups of one or two hexadecimal digits.
fn mac(text: &str) -> Option<u64> {
    let separator = if text.contains(':') { ':' } else { '-' };
    let groups: Vec<&str> = text.split(separator).collect();
    if groups.len() != 6 {
        return None;
    }
    groups.iter().try_fold(0, |value, group| {
        let fits = (1..=2).contains(&group.len()) && group.bytes().all(|b| b.is_ascii_hexdigit());
        let byte = fits.then(|| u64::from_str_radix(group, 16).ok()).flatten()?;
        Some(value << 8 | byte)
    })
}

/// Reads the value of a key in the form of its match kind.
pub fn parse_key(key: &KeyInfo, text: &str) -> Result<KeyMatch, String> {
    let named = |problem: String| format!("key `{}` ({}) {problem}", key.name, key.kind.name());
    let value = |text: &str| parse_value(text, key.width).map_err(named);
    let all = (BigUint::from(1u8) << key.width) - 1u8;
    let form = |what: &str| named(format!("is written {what}, found `{}`", shorten(text)));
    match key.kind {
        MatchKind::Exact | MatchKind::Selector => {
            if text.contains("&&&") || text.contains("->") || text.contains('/') {
                return Err(form("VALUE"));
            }
            value(text).map(KeyMatch::Exact)
        }
        MatchKind::Lpm => {
            let (head, length) = text.split_once('/').ok_or_else(|| form("VALUE/LENGTH"))?;
            let prefix_len: u32 = number::small(length).ok_or_else(|| form("VALUE/LENGTH"))?;
            if prefix_len > key.width {
                return Err(named(format!(
                    "has {} bits, found a prefix of {prefix_len}",
                    key.width
                )));
            }
            Ok(KeyMatch::Lpm { value: value(head)?, prefix_len })
        }
        MatchKind::Ternary => match text.split_once("&&&") {
            Some((head, mask)) => Ok(KeyMatch::Ternary { value: value(head)?, mask: value(mask)? }),
            None => Ok(KeyMatch::Ternary { value: value(text)?, mask: all }),
        },
        MatchKind::Range => {
            let (low, high) = text.split_once("->").ok_or_else(|| form("LOW->HIGH"))?;
            Ok(KeyMatch::Range { low: value(low)?, high: value(high)? })
        }
        MatchKind::Optional => match text.split_once("&&&") {
            None => value(text).map(|v| KeyMatch::Optional(Some(v))),
            Some((head, mask)) => {
                let (head, mask) = (value(head)?, value(mask)?);
                if mask == all {
                    Ok(KeyMatch::Optional(Some(head)))
                } else if mask == BigUint::ZERO {
                    Ok(KeyMatch::Optional(None))
                } else {
                    Err(form("VALUE, or VALUE&&&0 for any value"))
                }
            }
        },
    }
}

/// A key as these commands write it, numbers in hexadecimal.
pub fn format_key(key: &KeyMatch) -> String {
    match key {
        KeyMatch::Exact(value) => format!("{value:#x}"),
        KeyMatch::Lpm { value, prefix_len } => format!("{value:#x}/{prefix_len}"),
        KeyMatch::Ternary { value, mask } => format!("{value:#x}&&&{mask:#x}"),
        KeyMatch::Range { low, high } => format!("{low:#x}->{high:#x}"),
        KeyMatch::Optional(Some(value)) => format!("{value:#x}"),
        KeyMatch::Optional(None) => "0x0&&&0x0".to_owned(),
    }
}

/// What an entry leads to, as text.
pub fn format_target(actions: &[ActionInfo], target: &Target) -> String {
    match target {
        Target::Member(member) => format!("member {member}"),
        Target::Group(group) => format!("group {group}"),
        Target::Action(data) => {
            let name = actions.get(data.action).map_or("?", |a| a.name.as_str());
            let arguments: Vec<_> = data.arguments.iter().map(|v| format!(" {v:#x}")).collect();
            format!("{name}{}", arguments.concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(kind: MatchKind, width: u32) -> KeyInfo {
        KeyInfo { name: "k".into(), kind, width, signed: false }
    }

    #[test]
    fn values() {
        let read = |text, width| parse_value(text, width).ok();
        assert_eq!(read("10.0.1.2", 32), Some(0x0a00_0102u32.into()));
        assert_eq!(read("10.0.1.2", 48), None);
        assert_eq!(read("00:0a:b:0C:d:ff", 48), Some(0x000a_0b0c_0dffu64.into()));
        assert_eq!(read("00-0a-0b-0c-0d-ff", 48), Some(0x000a_0b0c_0dffu64.into()));
        assert_eq!(
            read("2001:db8::1", 128),
            Some(0x2001_0db8_0000_0000_0000_0000_0000_0001u128.into())
        );
        assert_eq!(read("::", 128), Some(0u8.into()));
        assert_eq!(
            read("1:2:3:4:5:6:7:8", 128),
            Some(0x0001_0002_0003_0004_0005_0006_0007_0008u128.into())
        );
        assert_eq!(read("true", 1), Some(1u8.into()));
        assert_eq!(read("true", 8), None);
        assert_eq!(read("-1", 8), Some(255u8.into()));
        assert_eq!(read("256", 8), None);
        assert_eq!(read("0xff", 8), Some(255u8.into()));
        for text in ["", "10.0.0", "10.0.0.256", "g", ":::", "1:2:3:4:5:g"] {
            assert!(parse_value(text, 32).is_err(), "{text}");
        }
    }

    #[test]
    fn keys() {
        let read = |kind, text| parse_key(&key(kind, 32), text);
        assert_eq!(
            read(MatchKind::Lpm, "10.0.0.0/8"),
            Ok(KeyMatch::Lpm { value: 0x0a00_0000u32.into(), prefix_len: 8 })
        );
        assert!(read(MatchKind::Lpm, "10.0.0.0").is_err());
        assert!(read(MatchKind::Lpm, "10.0.0.0/33").is_err());
        assert_eq!(
            read(MatchKind::Ternary, "0x10&&&0xf0"),
            Ok(KeyMatch::Ternary { value: 0x10u8.into(), mask: 0xf0u8.into() })
        );
        assert_eq!(
            read(MatchKind::Range, "1->0xa"),
            Ok(KeyMatch::Range { low: 1u8.into(), high: 10u8.into() })
        );
        assert_eq!(read(MatchKind::Optional, "0&&&0"), Ok(KeyMatch::Optional(None)));
        assert!(read(MatchKind::Optional, "1&&&2").is_err());
        assert!(read(MatchKind::Exact, "1&&&2").is_err());
        let error = parse_key(&key(MatchKind::Exact, 9), "512").expect_err("too wide");
        assert_eq!(error, "key `k` (exact) has 9 bit(s), which `512` does not fit");
    }
}
