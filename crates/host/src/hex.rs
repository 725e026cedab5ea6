//! Bytes as hexadecimal digits.

use std::fmt::Write as _;

/// Two digits a byte.
pub fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes of digits, with blanks between them or not. `None` if it is something else.
pub fn bytes(text: &[u8]) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| char::from(*byte).to_digit(16).map(|digit| digit as u8))
        .collect();
    let digits = digits.filter(|digits| !digits.is_empty() && digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
