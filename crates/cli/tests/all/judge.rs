//! Programs that the front end must accept, and programs that it must reject with the errors that
//! their authors marked: `//~ ERROR text` stands on the line of the error; its message, label or
//! advice contains the text (or one of several, separated by `|`; upper and lower case are equal).

use crate::corpus;

use std::path::Path;
use ww_p4::diagnostic::{Diagnostic, Severity};
use ww_p4::frontend::{Compilation, compile_file};
use ww_p4::source::Span;

const MARKER: &str = "//~ ERROR";

fn errors(compilation: &Compilation) -> Vec<&Diagnostic> {
    compilation.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect()
}

fn accept(file: &Path) -> Result<(), String> {
    let compilation = compile_file(file, &Default::default());
    match errors(&compilation).is_empty() {
        true => Ok(()),
        false => Err(compilation.diagnostics.render(&compilation.sources, false)),
    }
}

fn reject(file: &Path) -> Result<(), String> {
    let compilation = compile_file(file, &Default::default());
    let errors = errors(&compilation);
    if errors.is_empty() {
        return Err("accepted, but must be rejected".to_owned());
    }
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let mut missed = String::new();
    for (index, line) in text.lines().enumerate() {
        let Some((_, wanted)) = line.split_once(MARKER) else { continue };
        let wanted = wanted.trim().to_lowercase();
        let on_line = |span: Span| {
            let in_file = compilation.sources.file(span.file).is_some_and(|f| f.path == file);
            let at = compilation.sources.position(span).filter(|_| in_file);
            at.is_some_and(|at| at.line == index + 1)
        };
        let fits = |d: &&Diagnostic| {
            let mut texts = vec![d.message.as_str(), d.label.as_str()];
            texts.extend(d.help.as_deref());
            texts.extend(d.secondary.iter().map(|(_, label)| label.as_str()));
            let texts = texts.join("\n").to_lowercase();
            let near = on_line(d.span) || d.secondary.iter().any(|(span, _)| on_line(*span));
            near && wanted.split('|').any(|option| texts.contains(option.trim()))
        };
        if !errors.iter().any(fits) {
            missed.push_str(&format!("line {}: no error with `{wanted}`\n", index + 1));
        }
    }
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!("{missed}\n{}", compilation.diagnostics.render(&compilation.sources, false)))
}

#[test]
fn legal_programs_are_accepted() {
    let root = corpus::root();
    let mut files = corpus::files(&root.join("tests/p4/accept"), ".p4");
    let has_main = |path: &std::path::PathBuf| {
        std::fs::read_to_string(path).is_ok_and(|text| text.contains(") main;"))
    };
    files.extend(corpus::files(&root.join("p4/programs"), ".p4").into_iter().filter(has_main));
    let complaints = corpus::complaints(&files, accept);
    corpus::report("legal programs", files.len(), &complaints);
}

#[test]
fn illegal_programs_are_rejected() {
    let files = corpus::files(&corpus::root().join("tests/p4/reject"), ".p4");
    let complaints = corpus::complaints(&files, reject);
    corpus::report("illegal programs", files.len(), &complaints);
}
