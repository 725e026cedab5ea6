//! Words and numbers in SVG and HTML.

/// Text with what is special in XML written out.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 has no way to write these.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// About how many pixels text of this size takes; fonts differ, so a little more than most need.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}

/// A coordinate: two digits behind the point, no negative zero.
pub fn coordinate(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// A number for readers: three or four digits that count, thousands as k, M, G.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let (scaled, letter) = match size {
        s if s >= 1e9 => (value / 1e9, "G"),
        s if s >= 1e6 => (value / 1e6, "M"),
        s if s >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    if size != 0.0 && size < 1e-3 {
        return format!("{value:.2e}");
    }
    let decimals = match scaled.abs() {
        s if s >= 1000.0 => 0,
        s if s >= 100.0 => 1,
        s if s >= 10.0 => 2,
        _ => 3,
    };
    let text = format!("{scaled:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    format!("{}{letter}", if text == "-0" { "0" } else { text })
}

/// A power of two as one says it: 512, 1K, 64K, 1M.
pub fn binary(value: f64) -> String {
    match value {
        v if v >= 1_048_576.0 => format!("{}M", number(v / 1_048_576.0)),
        v if v >= 1024.0 => format!("{}K", number(v / 1024.0)),
        v => number(v),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_readers() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (0.25, "0.25"),
            (3.0, "3"),
            (12.346, "12.35"),
            (1500.0, "1500"),
            (10_000.0, "10k"),
            (2_500_000.0, "2.5M"),
            (-4e9, "-4G"),
            (0.000_12, "1.20e-4"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!([binary(512.0), binary(1024.0), binary(65_536.0)], ["512", "1K", "64K"]);
        assert_eq!(binary(3.0 * 1_048_576.0), "3M");
        assert_eq!(coordinate(-0.001), "0");
        assert_eq!(coordinate(1.005_1), "1.01");
    }

    #[test]
    fn nothing_gets_out_of_text() {
        assert_eq!(escaped("a<b> & \"c\"\u{1}"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}");
    }
}
