//! From files to a loaded engine.

use crate::Failure;
use crate::args::ProgramArguments;
use crate::output::print_diagnostics;
use std::path::Path;
use std::sync::Arc;
use ww_control::entries;
use ww_dataplane::control::Control;
use ww_io::spec::PortAssignment;
use ww_p4::architecture::v1model::DROP_PORT;
use ww_p4::diagnostic::{Diagnostics, Severity};
use ww_p4::frontend::{Compilation, compile_file};
use ww_p4::ir::Program;
use ww_p4::source::SourceMap;

/// Reads and checks a program that is to be executed. Only errors are printed.
pub fn program(arguments: &ProgramArguments) -> Result<(Arc<SourceMap>, Arc<Program>), Failure> {
    let mut compilation = compile_file(&arguments.program, &arguments.options());
    if compilation.diagnostics.has_errors() {
        compilation.diagnostics.retain(|d| d.severity == Severity::Error);
        print_diagnostics(&compilation.diagnostics, &compilation.sources);
        return Err(rejected(&arguments.program, &compilation.diagnostics));
    }
    let Compilation { sources, program, .. } = compilation;
    Ok((Arc::new(sources), Arc::new(program)))
}

/// The closing line about a file with errors.
pub fn rejected(path: &Path, diagnostics: &Diagnostics) -> Failure {
    let count = match diagnostics.error_count() {
        1 => "1 error".to_owned(),
        n => format!("{n} errors"),
    };
    Failure::Rejected(format!("{} is rejected: {count}", path.display()))
}

/// Refuses port numbers that a program cannot name: v1model's ports have nine bits, of which the
/// largest number stands for no port.
pub fn check_ports(ports: &[PortAssignment]) -> Result<(), Failure> {
    match ports.iter().find(|port| u64::from(port.port) >= DROP_PORT) {
        None => Ok(()),
        Some(port) => Err(Failure::Rejected(format!(
            "port {}: v1model has the ports 0 to {}; {DROP_PORT} means drop",
            port.port,
            DROP_PORT - 1
        ))),
    }
}

/// Why a file cannot be read, in the words that the front end has for its files.
fn reason(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::IsADirectory {
        return "it is a folder".to_owned();
    }
    let text = error.to_string();
    text.split_once(" (os error").map_or_else(|| text.clone(), |(words, _)| words.to_lowercase())
}

/// The text of a file.
pub fn text(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::Rejected(format!("cannot read '{}': {}", path.display(), reason(&error)))
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        Failure::Rejected(format!("{}:{}: is not UTF-8 text", path.display(), line + 1))
    })
}

/// Carries out the commands of a file, all or none. Returns what they print.
pub fn entries(path: Option<&Path>, control: &mut dyn Control) -> Result<Vec<String>, Failure> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add(path, text(path)?, false);
    let script = entries::parse(file, &sources, &mut diagnostics);
    let output = script.load(control, &mut diagnostics);
    print_diagnostics(&diagnostics, &sources);
    match diagnostics.has_errors() {
        true => Err(rejected(path, &diagnostics)),
        false => Ok(output),
    }
}
