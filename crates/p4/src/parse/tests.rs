//! Expected trees and refusals follow the grammar (Appendix H) of the specification.

mod declarations;
mod errors;
mod expressions;
mod limits;
mod soup;
mod statements;

use crate::ast::{Declaration, DeclarationKind, Expression, Program};
use crate::diagnostic::{Diagnostics, Severity};
use crate::preprocess::{Options, preprocess_text};
use crate::print_ast::print;
use crate::source::SourceMap;
use std::path::Path;

/// The tree of a text, and the errors with line and column.
fn parse(text: &str) -> (Program, Vec<String>) {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let path = Path::new("test.p4");
    let tokens = preprocess_text(path, text, &Options::default(), &mut sources, &mut diagnostics);
    let program = super::parse(&tokens, &mut diagnostics);
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| {
        let at = sources.position(d.span).map_or((0, 0), |p| (p.line, p.column));
        format!("{}:{}: {}", at.0, at.1, d.message)
    });
    (program, errors.collect())
}

/// The tree of a legal text, whose print has to parse to the same print.
fn ok(text: &str) -> Program {
    let (program, errors) = parse(text);
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    let printed = print(&program);
    let (again, errors) = parse(&printed);
    assert_eq!(errors, Vec::<String>::new(), "{printed}");
    assert_eq!(print(&again), printed);
    program
}

/// The errors of an illegal text.
fn errors(text: &str) -> Vec<String> {
    let (_, errors) = parse(text);
    assert!(!errors.is_empty(), "accepted: {text}");
    errors
}

/// The only error of a text, without its place.
fn error(text: &str) -> String {
    let errors = errors(text);
    assert_eq!(errors.len(), 1, "{text}: {errors:?}");
    errors[0].splitn(3, ':').nth(2).unwrap_or("").trim().to_owned()
}

/// The only declaration of a legal text.
fn declaration(text: &str) -> Declaration {
    let mut program = ok(text);
    assert_eq!(program.declarations.len(), 1, "{text}");
    program.declarations.remove(0)
}

/// Names that the expressions of tests use: `T`, `G` and `X` are types, all else is not.
const NAMES: &str = "typedef bit<8> T; struct G<A> { A a; } extern X<A> { X(); A get(); }\n";

/// The value of a constant in a context where `T` and `G` are types.
fn expression(text: &str) -> Expression {
    let program = ok(&format!("{NAMES}const bit<8> c = {text};"));
    match program.declarations.into_iter().next_back().map(|d| d.kind) {
        Some(DeclarationKind::Constant { value, .. }) => value,
        other => panic!("{other:?}"),
    }
}

/// A control whose `apply` block holds the text.
fn in_apply(text: &str) -> String {
    format!("{NAMES}control c(inout bit<8> a, inout bit<8> b) {{ apply {{\n{text}\n}} }}")
}

/// A parser whose first state holds the text.
fn in_state(text: &str) -> String {
    format!("{NAMES}parser p(inout bit<8> a) {{ state start {{\n{text}\n}} }}")
}

/// A table of a control that holds the text.
fn in_table(text: &str) -> String {
    format!("control c(inout bit<8> a) {{ action x() {{}} table t {{\n{text}\n}} apply {{}} }}")
}
