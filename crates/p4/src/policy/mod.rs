//! Scheduling policies: programs whose `main` is the package `Scheduler` of `wirewright.p4`.
//!
//! [`judge`] reads what a policy consists of, and says what is wrong with it; [`wrapper`] writes the rest
//! of a v1model program around its controls: parser and deparser of the request and the answer that
//! [`crate::architecture::scheduler`] describes, and register arrays for the states. So every engine that
//! runs v1model runs policies. For hardware the states come and go with request and answer.

mod judge;
mod wrapper;

pub use ww_dataplane::policy::Size;

pub use judge::{Field, FieldKind, Policy, State, is_policy, judge};

use crate::ast::{self, DeclarationKind};
use crate::check;
use crate::diagnostic::Diagnostics;
use crate::frontend::{Compilation, with_stack};
use crate::ir;
use crate::parse;
use crate::preprocess::{self, Options};
use std::path::Path;

/// How states are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layout {
    /// A register array for each field, `node.FIELD` or `child.FIELD`: software touches what it needs.
    #[default]
    Fields,
    /// No registers. Behind its words the request has the states of its node and of its child, and so has the
    /// answer what became of them: hardware keeps them beside the pipeline, whatever node and child have to do with
    /// each other. [`State::bytes`] says how long they are.
    Carried,
}

/// The v1model program of a policy that has been compiled without errors; its places are in
/// `compilation.sources`.
///
/// # Errors
/// What is wrong, for the policy's author: names of the policy that the program needs for itself.
pub fn program(
    compilation: &mut Compilation,
    policy: &Policy,
    size: Size,
    layout: Layout,
) -> Result<ir::Program, Diagnostics> {
    let text = wrapper::text(policy, size, layout);
    let Compilation { sources, ast, .. } = compilation;
    with_stack(|| {
        let mut diagnostics = Diagnostics::new();
        let path = Path::new("<scheduler>");
        let options = Options::default();
        let tokens =
            preprocess::preprocess_text(path, text, &options, sources, &mut diagnostics);
        let around = parse::parse(&tokens, &mut diagnostics);
        let is_main = |d: &ast::Declaration| {
            matches!(&d.kind, DeclarationKind::Instantiation(i) if &*i.name.name == "main")
        };
        let own = ast.declarations.iter().filter(|d| !is_main(d)).cloned();
        let whole = ast::Program { declarations: own.chain(around.declarations).collect() };
        let program = check::check(&whole, sources, &mut diagnostics);
        match diagnostics.has_errors() {
            true => Err(diagnostics),
            false => Ok(program),
        }
    })
    .unwrap_or_else(|message| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.error(crate::source::Span::NONE, message);
        Err(diagnostics)
    })
}

#[cfg(test)]
mod tests;
