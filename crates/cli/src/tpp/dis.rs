//! `ww tpp dis`: bytes to text.

use super::read;
use crate::Failure;
use crate::output::print;
use crate::tpp_args::DisArguments;
use std::path::Path;
use ww_tpp::disassemble::disassemble;
use ww_tpp::packet::{Repr, Tpp};

/// Prints the program of a TPP.
pub fn dis(arguments: &DisArguments) -> Result<(), Failure> {
    let word = &arguments.tpp;
    let bytes = match digits(word.as_bytes()) {
        Some(bytes) => bytes,
        None => {
            let bytes = read(Path::new(word))?;
            digits(&bytes).unwrap_or(bytes)
        }
    };
    let tpp = Tpp::new(bytes.as_slice())
        .map_err(|fault| Failure::Rejected(format!("this is no TPP: {fault}")))?;
    let behind = bytes.len() - tpp.length();
    if behind > 0 {
        let message = format!("the TPP has {} bytes, and {behind} more follow", tpp.length());
        return Err(Failure::Rejected(message));
    }
    print(&disassemble(&Repr::parse(&tpp)))
}

/// The bytes of hexadecimal digits, with blanks between them or not. `None` if it is something else.
fn digits(text: &[u8]) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| char::from(*byte).to_digit(16).map(|digit| digit as u8))
        .collect();
    let digits = digits.filter(|digits| !digits.is_empty() && digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
