//! `ww tpp asm`: text to bytes.

use super::with_program;
use crate::Failure;
use crate::output::{print, write_file};
use crate::tpp_args::AsmArguments;
use ww_host::hex;
use ww_io::overwrite::Files;
use ww_tpp::assemble::assemble;

/// Prints the bytes on one line, on which scripts rely, or writes them as they are.
pub fn asm(arguments: &AsmArguments) -> Result<(), Failure> {
    if let Some(out) = &arguments.out {
        Files::default().reads("the program", &arguments.program.file).writes("--out", out)?;
    }
    let options = arguments.program.options();
    let bytes = with_program(&arguments.program, |text| assemble(text, &options))?.emit();
    match &arguments.out {
        Some(file) => write_file(file, &bytes),
        None => print(&format!("{}\n", hex::digits(&bytes))),
    }
}
