//! Quantities with units, as text: rates, times, sizes, lengths of cable, shares. A decimal number that is whole in the smallest
//! unit, then the unit, with a space between them or without.

/// Bits a second: `40 Gb/s`, `2.5 Mb/s`, `500 kb/s`, `1 Tb/s`, `9600 b/s`.
///
/// # Errors
/// A sentence.
pub fn rate(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 5] = [
        ("b/s", 1),
        ("kb/s", 1_000),
        ("Mb/s", 1_000_000),
        ("Gb/s", 1_000_000_000),
        ("Tb/s", 1_000_000_000_000),
    ];
    quantity(text, &UNITS).ok_or_else(|| {
        format!("expected a rate such as \"40 Gb/s\" (b/s, kb/s, Mb/s, Gb/s, Tb/s), found {text:?}")
    })
}

/// Picoseconds: `100 us`, `2.5 ms`, `1 s`, `800 ns`, `6400 ps`.
///
/// # Errors
/// A sentence.
pub fn duration(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 5] = [
        ("ps", 1),
        ("ns", 1_000),
        ("us", 1_000_000),
        ("ms", 1_000_000_000),
        ("s", 1_000_000_000_000),
    ];
    quantity(text, &UNITS).ok_or_else(|| {
        format!("expected a time such as \"100 us\" (ps, ns, us, ms, s), found {text:?}")
    })
}

/// Bytes: `1500 B`, `64 KB`, `2.5 MB`, `1 GB` (powers of ten), `64 KiB`, `2 MiB`, `1 GiB` (powers of two).
///
/// # Errors
/// A sentence.
pub fn bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 8] = [
        ("B", 1),
        ("KB", 1_000),
        ("kB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
    ];
    quantity(text, &UNITS).ok_or_else(|| {
        format!("expected a size such as \"64 KB\" (B, KB, MB, GB, KiB, MiB, GiB), found {text:?}")
    })
}

/// Picoseconds that light takes through so much fibre or copper: `3 m`, `2.5 km`, `40 cm`; 5 ns/m.
///
/// # Errors
/// A sentence.
pub fn length(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 3] = [("cm", 50), ("m", 5_000), ("km", 5_000_000)];
    quantity(text, &UNITS)
        .ok_or_else(|| format!("expected a length such as \"100 m\" (cm, m, km), found {text:?}"))
}

/// A share: `1 %`, `0.01 %`; or a number without a unit, of which 1 is all. It may be more than 1.
///
/// # Errors
/// A sentence.
pub fn share(text: &str) -> Result<f64, String> {
    let (number, part) = match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let plain = number.starts_with(|c: char| c.is_ascii_digit());
    let value = number.parse::<f64>().ok().filter(|value| plain && value.is_finite());
    value
        .map(|value| value / part)
        .ok_or_else(|| format!("expected a share such as \"1 %\" or 0.01, found {text:?}"))
}

/// A whole number of the smallest unit. `None` for anything else.
fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let begin = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(begin);
    let &(_, unit) = units.iter().find(|(name, _)| *name == unit.trim_start())?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || fraction.len() > 12 || fraction.contains('.') {
        return None;
    }
    let scale = 10u64.pow(fraction.len() as u32);
    let digits: u128 = format!("{whole}{fraction}").parse().ok()?;
    let product = digits.checked_mul(u128::from(unit))?;
    match product.is_multiple_of(u128::from(scale)) {
        true => u64::try_from(product / u128::from(scale)).ok(),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities() {
        assert_eq!(rate("40 Gb/s"), Ok(40_000_000_000));
        assert_eq!(rate("2.5Mb/s"), Ok(2_500_000));
        assert_eq!(duration("0.5 us"), Ok(500_000));
        for wrong in ["40", "40 GB/s", ".5 Gb/s", "1.2.3 Gb/s", "0.5 b/s", "-1 b/s", "", "9e9 b/s"]
        {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
        assert!(duration("99999999999999999999999999999999999999999 s").is_err());
        assert!(duration("99999999999999 s").is_err());
        assert_eq!(bytes("1500 B"), Ok(1500));
        assert_eq!((bytes("2.5MB"), bytes("64 KiB")), (Ok(2_500_000), Ok(65_536)));
        assert_eq!((length("100 m"), length("2 km")), (Ok(500_000), Ok(10_000_000)));
        assert_eq!((share("1 %"), share("0.25"), share("1e-3")), (Ok(0.01), Ok(0.25), Ok(0.001)));
        for wrong in ["", "%", "-1", "nan", "inf", "1 %%", "1e999"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        for wrong in ["1500", "1.5 B", "1 kib", "64 K"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert!(length("1 mile").is_err());
    }
}
