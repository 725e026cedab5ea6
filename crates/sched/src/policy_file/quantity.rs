//! Quantities with units, as text: rates and durations.

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
    }
}
