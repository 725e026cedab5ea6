//! Values as what they stand for: rates, times, addresses.

use super::tree::{Kind, Value};
use std::net::Ipv4Addr;
use ww_sched::policy_file::quantity;

/// What a value can stand for.
pub trait Quantity: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// What was expected, and what was found.
    fn read(value: &Value) -> Result<Self, String>;
}

/// Bits a second, 1 or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Rate(pub u64);

/// Picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Span(pub u64);

/// Picoseconds, more or less than none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Offset(pub i64);

/// Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Bytes(pub u64);

/// Picoseconds that light takes through a cable, 5 ns/m.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Length(pub u64);

/// A share of something: 0 or more; 1 is all.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Share(pub f64);

/// A share from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Probability(pub f64);

/// So many a second: `1000 /s`, `2.5 M/s`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Frequency(pub f64);

/// A name of a node, of a piece of traffic: letters, digits, '_' and '.'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(pub String);

/// Where a host's frames go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gateway {
    /// Its address on the link.
    Mac([u8; 6]),
    /// Its IP address.
    Address(Ipv4Addr),
}

/// An address on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mac(pub [u8; 6]);

/// Limits of rates: what schedulers and lines can pace.
const RATES: std::ops::RangeInclusive<u64> = 466..=1_000_000_000_000_000;

/// The text of a value, or a sentence with what was expected.
fn text<'v>(value: &'v Value, expected: &str) -> Result<&'v str, String> {
    match &value.kind {
        Kind::Text(text) => Ok(text),
        Kind::Integer(_) | Kind::Float(_) => {
            Err(format!("expected {expected}, found {}, which has no unit", value.described()))
        }
        _ => Err(format!("expected {expected}, found {}", value.described())),
    }
}

impl Quantity for Rate {
    fn read(value: &Value) -> Result<Self, String> {
        let text = text(value, "a rate such as \"10 Gb/s\" (b/s, kb/s, Mb/s, Gb/s, Tb/s)")?;
        let rate = quantity::rate(text)?;
        match RATES.contains(&rate) {
            true => Ok(Self(rate)),
            false => Err(format!("expected a rate from 466 b/s to 1000 Tb/s, found {text:?}")),
        }
    }
}

impl Quantity for Span {
    fn read(value: &Value) -> Result<Self, String> {
        let text = text(value, "a time such as \"100 us\" (ps, ns, us, ms, s)")?;
        let span = quantity::duration(text)?;
        // A day, and sums of some stay far from 2^64 ps, which are 213 days.
        match span <= 86_400_000_000_000_000 {
            true => Ok(Self(span)),
            false => Err(format!("expected a day at most, found {text:?}")),
        }
    }
}

impl Quantity for Offset {
    fn read(value: &Value) -> Result<Self, String> {
        let text = text(value, "a time such as \"-2 us\" (ps, ns, us, ms, s)")?;
        let (sign, rest) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest.trim_start()),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let span = quantity::duration(rest).map_err(|_| {
            format!("expected a time such as \"-2 us\" (ps, ns, us, ms, s), found {text:?}")
        })?;
        match i64::try_from(span).ok().filter(|span| *span <= 86_400_000_000_000_000) {
            Some(span) => Ok(Self(sign * span)),
            None => Err(format!("expected a day at most, found {text:?}")),
        }
    }
}

impl Quantity for Bytes {
    fn read(value: &Value) -> Result<Self, String> {
        let text = text(value, "a size such as \"64 KB\" (B, KB, MB, GB, KiB, MiB, GiB)")?;
        let bytes = quantity::bytes(text)?;
        match bytes <= 1 << 50 {
            true => Ok(Self(bytes)),
            false => Err(format!("expected a size of 2^50 bytes at most, found {text:?}")),
        }
    }
}

impl Quantity for Length {
    fn read(value: &Value) -> Result<Self, String> {
        quantity::length(text(value, "a length such as \"100 m\" (cm, m, km)")?).map(Self)
    }
}

impl Quantity for Share {
    fn read(value: &Value) -> Result<Self, String> {
        let found =
            || format!("expected a share such as \"1 %\" or 0.01, found {}", value.described());
        match &value.kind {
            Kind::Text(text) => quantity::share(text).map(Self),
            Kind::Integer(number) if *number >= 0 => Ok(Self(*number as f64)),
            Kind::Float(number) if *number >= 0.0 && number.is_finite() => Ok(Self(*number)),
            _ => Err(found()),
        }
    }
}

impl Quantity for Probability {
    fn read(value: &Value) -> Result<Self, String> {
        match Share::read(value) {
            Ok(Share(share)) if share <= 1.0 => Ok(Self(share)),
            Err(message) => Err(message.replace("a share", "a probability")),
            Ok(_) => {
                Err(format!("expected a probability from 0 to 1, found {}", value.described()))
            }
        }
    }
}

impl Quantity for Frequency {
    fn read(value: &Value) -> Result<Self, String> {
        let wanted = "a rate of events such as \"1000 /s\" (/s, k/s, M/s)";
        let text = text(value, wanted)?;
        let units = [("M/s", 1e6), ("k/s", 1e3), ("/s", 1.0)];
        let number = units.iter().find_map(|(unit, factor)| {
            let number = text.strip_suffix(unit)?.trim_end();
            let plain = number.starts_with(|c: char| c.is_ascii_digit());
            plain.then(|| number.parse::<f64>().ok()).flatten().map(|number| number * factor)
        });
        match number.filter(|number| number.is_finite() && *number > 0.0 && *number <= 1e12) {
            Some(number) => Ok(Self(number)),
            None => Err(format!("expected {wanted}, found {text:?}")),
        }
    }
}

impl Quantity for String {
    fn read(value: &Value) -> Result<Self, String> {
        match &value.kind {
            Kind::Text(text) => Ok(text.clone()),
            _ => Err(format!("expected a text in quotes, found {}", value.described())),
        }
    }
}

/// Whether a name can be used in paths of results and names of links.
pub fn is_name(text: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    !text.is_empty()
        && text.len() <= 64
        && text.chars().all(legal)
        && !text.starts_with('.')
        && !text.ends_with('.')
}

impl Quantity for Name {
    fn read(value: &Value) -> Result<Self, String> {
        match &value.kind {
            Kind::Text(text) if is_name(text) => Ok(Self(text.clone())),
            _ => Err(format!(
                "expected a name of 1 to 64 letters, digits, '_' and '.', found {}",
                value.described()
            )),
        }
    }
}

impl Quantity for bool {
    fn read(value: &Value) -> Result<Self, String> {
        match value.kind {
            Kind::Truth(truth) => Ok(truth),
            _ => Err(format!("expected true or false, found {}", value.described())),
        }
    }
}

impl Quantity for f64 {
    fn read(value: &Value) -> Result<Self, String> {
        match value.kind {
            Kind::Integer(number) => Ok(number as f64),
            Kind::Float(number) if number.is_finite() => Ok(number),
            _ => Err(format!("expected a number, found {}", value.described())),
        }
    }
}

impl Quantity for u64 {
    fn read(value: &Value) -> Result<Self, String> {
        match value.kind {
            Kind::Integer(number) if number >= 0 => Ok(number as u64),
            _ => Err(format!("expected a whole number, 0 or more, found {}", value.described())),
        }
    }
}

impl Quantity for u32 {
    fn read(value: &Value) -> Result<Self, String> {
        let number = u64::read(value)?;
        Self::try_from(number).map_err(|_| format!("expected less than 2^32, found {number}"))
    }
}

impl Quantity for Ipv4Addr {
    fn read(value: &Value) -> Result<Self, String> {
        value.text().and_then(|text| text.parse().ok()).ok_or_else(|| {
            format!("expected an IPv4 address such as \"10.0.0.1\", found {}", value.described())
        })
    }
}

impl Quantity for Gateway {
    fn read(value: &Value) -> Result<Self, String> {
        if let Some(ip) = value.text().and_then(|text| text.parse().ok()) {
            return Ok(Self::Address(ip));
        }
        Mac::read(value).map(|Mac(mac)| Self::Mac(mac)).map_err(|message| {
            match value.text().is_some_and(|text| text.contains('.')) {
                true => Ipv4Addr::read(value).map_or_else(|message| message, |_| message),
                false => message,
            }
        })
    }
}

impl Quantity for Mac {
    fn read(value: &Value) -> Result<Self, String> {
        let read = |text: &str| {
            let mut bytes = [0; 6];
            let mut words = text.split(':');
            for byte in &mut bytes {
                let word = words.next().filter(|word| word.len() == 2)?;
                *byte = u8::from_str_radix(word, 16).ok()?;
            }
            words.next().is_none().then_some(bytes)
        };
        let found = value.text().and_then(read);
        let wanted = "a MAC address such as \"02:00:00:00:00:01\"";
        match found {
            Some(bytes) if bytes[0] & 1 == 0 => Ok(Self(bytes)),
            Some(_) => Err(format!(
                "expected {wanted}, found {}, an address of a group",
                value.described()
            )),
            None => Err(format!("expected {wanted}, found {}", value.described())),
        }
    }
}
