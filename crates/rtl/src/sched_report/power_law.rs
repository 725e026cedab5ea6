//! Growth as a power of the size.

/// The exponent b and factor a of y = a x^b by least squares of the logarithms. `None` for fewer than two
/// points, or values of 0 and less.
pub fn power_law(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    if points.len() < 2 || points.iter().any(|&(x, y)| x <= 0.0 || y <= 0.0) {
        return None;
    }
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (mx, my) = (
        logs.iter().map(|p| p.0).sum::<f64>() / count,
        logs.iter().map(|p| p.1).sum::<f64>() / count,
    );
    let across: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let along: f64 = logs.iter().map(|p| (p.0 - mx).powi(2)).sum();
    let exponent = across / along;
    exponent.is_finite().then(|| (exponent, (my - exponent * mx).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_powers() {
        let points: Vec<(f64, f64)> =
            [1.0f64, 4.0, 9.0, 100.0].map(|x| (x, 3.0 * x.sqrt())).to_vec();
        let (exponent, factor) = power_law(&points).expect("points");
        assert!((exponent - 0.5).abs() < 1e-9 && (factor - 3.0).abs() < 1e-9);
        assert_eq!(power_law(&[(1.0, 1.0)]), None);
        assert_eq!(power_law(&[(1.0, 1.0), (2.0, 0.0)]), None);
        assert_eq!(power_law(&[(2.0, 1.0), (2.0, 3.0)]), None);
    }
}
