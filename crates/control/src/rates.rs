//! Meter rates as BMv2's commands write them: `RATE:BURST`.

/// Reads `RATE:BURST`: units per microsecond, and the depth of the bucket in units.
pub fn parse(text: &str) -> Result<(f64, u64), String> {
    let complain = || format!("expected RATE:BURST (units per microsecond, units), found `{text}`");
    let (rate, burst) = text.split_once(':').ok_or_else(complain)?;
    let decimal = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '-' | '+');
    let rate: f64 =
        rate.chars().all(decimal).then(|| rate.parse().ok()).flatten().ok_or_else(complain)?;
    let burst = crate::number::small(burst).ok_or_else(complain)?;
    if !rate.is_finite() || rate < 0.0 {
        return Err(format!("the rate `{text}` is not a number from 0 on"));
    }
    Ok((rate, burst))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        assert_eq!(parse("0.5:10"), Ok((0.5, 10)));
        assert_eq!(parse("1:0x10"), Ok((1.0, 16)));
        assert_eq!(parse("1e-6:1"), Ok((1e-6, 1)));
        for text in ["1", "1:", ":1", "-1:1", "nan:1", "inf:1", "1:-1", "1:1.5", "1e999:1"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
