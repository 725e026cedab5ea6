//! Uses of what is annotated `@deprecated` (§20.2).

use super::suppress::deprecation;
use super::survey::Survey;
use super::{Lint, Sink};
use crate::ast::Annotation;
use crate::diagnostic::Diagnostic;
use crate::ir::visit::{self, Visitor};
use crate::ir::{Call, Callee, Expr, ExprKind, Program};
use crate::source::Span;

pub(super) fn run(survey: &Survey, program: &Program, sink: &mut Sink) {
    for &(id, span) in &survey.deprecated {
        let s = &survey.symbols[id];
        let advice = s.deprecated.as_deref().unwrap_or_default();
        report(sink, s.kind.describe(), &s.name, advice, span, s.span);
    }
    visit::program(&mut Calls { program, sink }, program);
}

/// Functions and methods of the architecture, which may be overloaded, and fields.
struct Calls<'a, 's> {
    program: &'a Program,
    sink: &'a mut Sink<'s>,
}

impl Calls<'_, '_> {
    fn check(&mut self, what: &str, name: &str, at: &[Annotation], span: Span, declared: Span) {
        if let Some(advice) = deprecation(at) {
            report(self.sink, what, name, &advice, span, declared);
        }
    }
}

impl Visitor for Calls<'_, '_> {
    fn call(&mut self, c: &Call) {
        match &c.callee {
            Callee::ExternFunction(id) => {
                let f = &self.program[*id];
                let s = &f.signature;
                self.check("function", &s.name, &f.annotations, c.span, s.span);
            }
            Callee::Method { extern_id, method, .. } => {
                let def = &self.program.types[*extern_id];
                if let Some(m) = def.methods.get(*method as usize) {
                    let s = &m.signature;
                    self.check("method", &s.name, &m.annotations, c.span, s.span);
                }
            }
            _ => {}
        }
    }

    fn expression(&mut self, e: &Expr) {
        if let ExprKind::Field(base, n) = &e.kind
            && let Some(def) = self.program.types.as_struct(&base.ty)
            && let Some(f) = def.fields.get(*n as usize)
        {
            self.check("field", &f.name, &f.annotations, e.span, f.span);
        }
    }
}

fn report(sink: &mut Sink, what: &str, name: &str, advice: &str, span: Span, declared: Span) {
    let d = Diagnostic::warning(span, format!("{what} `{name}` is deprecated"));
    let d = if sink.is_system(declared.file) { d } else { d.also(declared, "declared here") };
    sink.warn(Lint::Deprecated, if advice.is_empty() { d } else { d.help(advice) });
}
