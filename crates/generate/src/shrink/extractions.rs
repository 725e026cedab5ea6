//! Cuts of parser and packets at once: a header that is not extracted any more, together with its
//! bytes.

use super::Shrinker;
use crate::case::{Case, Step};
use crate::tree::*;

impl Shrinker<'_> {
    /// Leaves out each `extract` with as many bytes of the packets, wherever they are.
    pub(super) fn drop_extractions(&mut self) {
        let mut n = 0;
        while let Some((program, bytes)) = without_extraction(&self.best.program, n) {
            let longest = self.best.steps.iter().map(length).max().unwrap_or(0);
            let starts = 0..=longest.saturating_sub(bytes);
            let dropped = starts.into_iter().any(|start| {
                let mut steps = self.best.steps.clone();
                for step in &mut steps {
                    if let Step::Packet { bytes: frame, .. } = step
                        && frame.len() >= start + bytes
                    {
                        frame.drain(start..start + bytes);
                    }
                }
                self.try_case(Case { program: program.clone(), steps })
            });
            if !dropped {
                n += 1;
            }
        }
    }
}

fn length(step: &Step) -> usize {
    match step {
        Step::Packet { bytes, .. } => bytes.len(),
        Step::Request(_) => 0,
    }
}

/// The program without the n-th `extract` of its parsers, and the bytes of that header.
fn without_extraction(program: &Program, n: usize) -> Option<(Program, usize)> {
    let mut program = program.clone();
    let mut left = n;
    let mut found = None;
    for declaration in &mut program.declarations {
        let Decl::Parser(parser) = declaration else { continue };
        for state in &mut parser.states {
            let Some(at) = nth_extraction(&state.body, &mut left) else { continue };
            if let Stmt::Call(call) = state.body.remove(at) {
                found = extracted_type(&call).cloned();
            }
            break;
        }
        if found.is_some() {
            break;
        }
    }
    let bits = header_bits(&program, &found?);
    Some((program, bits as usize / 8))
}

fn nth_extraction(body: &[Stmt], left: &mut usize) -> Option<usize> {
    for (at, statement) in body.iter().enumerate() {
        let Stmt::Call(call) = statement else { continue };
        if extracted_type(call).is_some() {
            if *left == 0 {
                return Some(at);
            }
            *left -= 1;
        }
    }
    None
}

fn extracted_type(call: &Expr) -> Option<&Type> {
    let ExprKind::Call(callee, _, arguments) = &call.kind else { return None };
    match &callee.kind {
        ExprKind::Member(_, method) if method == "extract" => arguments.first().map(|a| &a.ty),
        _ => None,
    }
}

/// Bits of a header; a `varbit` counts nothing.
fn header_bits(program: &Program, ty: &Type) -> u32 {
    program
        .declarations
        .iter()
        .find_map(|d| match (d, ty) {
            (Decl::Struct("header", name, fields), Type::Named(wanted)) if name == wanted => {
                Some(fields.iter().filter_map(|f| f.ty.width()).sum())
            }
            _ => None,
        })
        .unwrap_or(0)
}
