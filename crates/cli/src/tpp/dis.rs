//! `ww tpp dis`: bytes to text.

use super::read;
use crate::Failure;
use crate::output::print;
use crate::tpp_args::DisArguments;
use std::path::Path;
use ww_host::hex;
use ww_tpp::disassemble::disassemble;
use ww_tpp::packet::{Repr, Tpp};

/// Prints the program of a TPP.
pub fn dis(arguments: &DisArguments) -> Result<(), Failure> {
    let word = &arguments.tpp;
    let bytes = match hex::bytes(word.as_bytes()) {
        Some(bytes) => bytes,
        None => {
            let bytes = read(Path::new(word))?;
            hex::bytes(&bytes).unwrap_or(bytes)
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
