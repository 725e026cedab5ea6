//! Addresses as people write them, which P4 has no literals for: `00:11:22:33:44:55` and `10.0.0.1`.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Most tokens that an address consists of.
pub(crate) const MAX_TOKENS: usize = 11;

/// The number that a MAC or IPv4 address stands for, as a P4 literal; `None` for any other text.
pub(crate) fn as_literal(text: &str) -> Option<String> {
    let mac: Vec<&str> = text.split(':').collect();
    if mac.len() == 6 && mac.iter().all(|g| g.len() == 2 && is_hexadecimal(g)) {
        return Some(format!("0x{}", mac.concat().to_ascii_uppercase()));
    }
    let groups: Vec<&str> = text.split('.').collect();
    let is_octet = |g: &&str| g.len() <= 3 && g.bytes().all(|b| b.is_ascii_digit());
    if groups.len() != 4 || !groups.iter().all(is_octet) {
        return None;
    }
    let octets: Option<Vec<u8>> = groups.iter().map(|g| g.parse().ok()).collect();
    Some(octets?.iter().fold("0x".to_owned(), |text, octet| format!("{text}{octet:02X}")))
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The message for the address `text` at `span`, whose number is `literal`.
pub(crate) fn diagnostic(span: Span, text: &str, literal: &str) -> Diagnostic {
    Diagnostic::error(span, format!("'{text}' is no number of P4"))
        .label("P4 has no literals for addresses")
        .help(format!("write the address as one number: {literal}"))
}

/// The address in `text` around the bytes `lo..hi`, with its first and last offset.
pub(crate) fn around(text: &str, lo: usize, hi: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let belongs = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b':' | b'.' | b'_');
    // An address is shorter than 18 bytes; a longer run is none.
    let first = bytes.get(..lo)?.iter().rev().take(18).take_while(|b| belongs(b)).count();
    let behind = bytes.get(hi..)?.iter().take(18).take_while(|b| belongs(b)).count();
    let (start, end) = (lo - first, hi + behind);
    // The ':' between a keyset and its action may follow without a blank.
    let end = if text.get(start..end)?.ends_with(':') { end - 1 } else { end };
    as_literal(text.get(start..end)?).map(|_| (start, end))
}

#[cfg(test)]
mod tests {
    use super::{around, as_literal};

    /// By hand: each octet is two hexadecimal digits.
    #[test]
    fn addresses_as_numbers() {
        for (text, number) in [
            ("00:11:22:33:44:55", Some("0x001122334455")),
            ("0a:bb:CC:dd:ee:ff", Some("0x0ABBCCDDEEFF")),
            ("10.0.0.1", Some("0x0A000001")),
            ("255.255.255.0", Some("0xFFFFFF00")),
            ("256.0.0.1", None),
            ("10.0.0", None),
            ("10..0.1", None),
            ("1:2:3:4:5:6", None),
            ("00:11:22:33:44", None),
            ("00:11:22:33:44:55:66", None),
            ("0g:11:22:33:44:55", None),
            ("", None),
        ] {
            assert_eq!(as_literal(text).as_deref(), number, "{text}");
        }
    }

    #[test]
    fn addresses_in_a_text() {
        let text = "x = 00:1e:22:33:44:55: f();";
        assert_eq!(around(text, 7, 9), Some((4, 21)));
        assert_eq!(around(text, 4, 6), Some((4, 21)));
        assert_eq!(around("8w1e5", 0, 5), None);
    }
}
