//! Values as what they stand for: rates, times, sizes, numbers, addresses. A crate adds its own by implementing [`Quantity`].

use crate::tree::{Kind, Value};
use crate::units;
use std::net::Ipv4Addr;

/// What a value can stand for.
pub trait Quantity: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// What was expected, and what was found.
    fn read(value: &Value) -> Result<Self, String>;
}

/// Bits a second, from 466 b/s to 1000 Tb/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Rate(pub u64);

/// Picoseconds, a day at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Span(pub u64);

/// Picoseconds, positive or negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Offset(pub i64);

/// Bytes, 2^50 at most.
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

/// An address on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mac(pub [u8; 6]);

/// Bits a second that the fixed-point arithmetic of schedulers and lines can pace.
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
        let rate = units::rate(text)?;
        match RATES.contains(&rate) {
            true => Ok(Self(rate)),
            false => Err(format!("expected a rate from 466 b/s to 1000 Tb/s, found {text:?}")),
        }
    }
}

impl Quantity for Span {
    fn read(value: &Value) -> Result<Self, String> {
        let text = text(value, "a time such as \"100 us\" (ps, ns, us, ms, s)")?;
        let span = units::duration(text)?;
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
        let span = units::duration(rest).map_err(|_| {
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
        let bytes = units::bytes(text)?;
        match bytes <= 1 << 50 {
            true => Ok(Self(bytes)),
            false => Err(format!("expected a size of 2^50 bytes at most, found {text:?}")),
        }
    }
}

impl Quantity for Length {
    fn read(value: &Value) -> Result<Self, String> {
        units::length(text(value, "a length such as \"100 m\" (cm, m, km)")?).map(Self)
    }
}

impl Quantity for Share {
    fn read(value: &Value) -> Result<Self, String> {
        let found =
            || format!("expected a share such as \"1 %\" or 0.01, found {}", value.described());
        match &value.kind {
            Kind::Text(text) => units::share(text).map(Self),
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

/// Whole numbers that types of Rust hold.
macro_rules! whole_numbers {
    ($($number:ty: $range:literal),*) => {$(
        impl Quantity for $number {
            fn read(value: &Value) -> Result<Self, String> {
                let Kind::Integer(number) = value.kind else {
                    return Err(format!("expected a whole number, found {}", value.described()));
                };
                Self::try_from(number).map_err(|_| {
                    format!(concat!("expected a whole number, ", $range, ", found {}"), number)
                })
            }
        }
    )*};
}

whole_numbers! {
    u8: "0 to 255",
    u16: "0 to 65535",
    u32: "0 to 2^32 - 1",
    u64: "0 to 2^64 - 1",
    usize: "0 or more",
    i32: "-2^31 to 2^31 - 1",
    i64: "-2^63 to 2^63 - 1"
}

impl Quantity for Ipv4Addr {
    fn read(value: &Value) -> Result<Self, String> {
        value.text().and_then(|text| text.parse().ok()).ok_or_else(|| {
            format!("expected an IPv4 address such as \"10.0.0.1\", found {}", value.described())
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
            Some(_) => {
                Err(format!("expected {wanted}, found {}, a group address", value.described()))
            }
            None => Err(format!("expected {wanted}, found {}", value.described())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn read<Q: Quantity>(value: &str) -> Result<Q, String> {
        let quantity = parse("f", &format!("v = {value}"), |file| file.need("v", "1"));
        quantity.map_err(|report| report.to_string())
    }

    #[test]
    fn bounds_of_numbers() {
        assert_eq!((read("0xff"), read("-2147483648")), (Ok(255u8), Ok(i32::MIN)));
        assert_eq!((read("18446744073709551615"), read("65535")), (Ok(u64::MAX), Ok(u16::MAX)));
        for wrong in ["256", "-1", "1.0", "'1'", "true", "1979-05-27"] {
            let error = read::<u8>(wrong).expect_err(wrong);
            assert!(error.starts_with("f:1:5: 'v': expected a whole number"), "{error}");
        }
        let error = read::<u64>("18446744073709551616").expect_err("2^64");
        assert!(error.contains("below 2^64"), "{error}");
        assert_eq!((read("3"), read("2.5")), (Ok(3.0), Ok(2.5)));
        assert!(read::<f64>("nan").is_err() && read::<f64>("inf").is_err());
    }

    #[test]
    fn bounds_of_quantities() {
        assert_eq!(read("'466 b/s'"), Ok(Rate(466)));
        assert!(read::<Rate>("'465 b/s'").is_err() && read::<Rate>("'1001 Tb/s'").is_err());
        assert_eq!(read("'-2us'"), Ok(Offset(-2_000_000)));
        assert_eq!(read("'86400 s'"), Ok(Span(86_400_000_000_000_000)));
        assert!(read::<Span>("'86401 s'").is_err() && read::<Offset>("'-86401 s'").is_err());
        assert!(read::<Bytes>("1500").expect_err("no unit").contains("which has no unit"));
        assert_eq!(read("'100 %'"), Ok(Probability(1.0)));
        assert!(read::<Probability>("1.5").is_err() && read::<Share>("-0.1").is_err());
        assert_eq!(read("'02:00:00:00:00:01'"), Ok(Mac([2, 0, 0, 0, 0, 1])));
        assert!(read::<Mac>("'01:00:00:00:00:01'").expect_err("group").contains("group"));
        assert_eq!(read("'2.5 k/s'"), Ok(Frequency(2500.0)));
    }
}
