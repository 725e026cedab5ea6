//! What programmers write by habit from other languages, where types or names tell that it is wrong: the message names
//! the mend.

use super::Checker;
use crate::ast::{
    self, Argument, Declaration, DeclarationKind, Direction, Expression, ExpressionKind, Ident,
};
use crate::diagnostic::{Diagnostic, MAX_KEPT};
use crate::ir::{self, BinaryOp, Type};
use crate::source::Span;
use ww_spelling::suggestion;

/// Longest piece of a program, in bytes, that advice repeats.
const MAX_SHOWN: usize = 60;

/// Most names that all suggestions of one check may be chosen from: each comparison of two words takes time that grows
/// with the product of their lengths.
const MAX_COMPARED: usize = 2_000_000;

/// The name that a declaration gives to one thing.
fn declared_name(d: &Declaration) -> Option<&Ident> {
    use DeclarationKind::*;
    Some(match &d.kind {
        Constant { name, .. } | Typedef { name, .. } | NewType { name, .. } => name,
        ValueSet { name, .. } => name,
        Variable(v) => &v.name,
        Instantiation(i) => &i.name,
        Struct(s) => &s.name,
        Enum(e) => &e.name,
        ParserType(t) | ControlType(t) | Package(t) => &t.name,
        Extern(e) => &e.name,
        ExternFunction(p) => &p.name,
        Function(f) => &f.prototype.name,
        Parser(p) => &p.head.name,
        Control(c) => &c.head.name,
        Action(a) => &a.name,
        Table(t) => &t.name,
        Errors(_) | MatchKinds(_) => return None,
    })
}

impl<'a> Checker<'a> {
    /// The name that `found` most likely is a misspelling of; none once a program has asked too often.
    pub(super) fn nearest<'n>(
        compared: &mut usize,
        found: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        suggestion(
            found,
            known.into_iter().take_while(|_| {
                *compared += 1;
                *compared <= MAX_COMPARED
            }),
        )
    }

    /// Reports a name that stands for nothing here: with the declaration that comes too late, or with the nearest name
    /// that stands for something.
    pub(super) fn unknown_name(&mut self, path: &ast::Path, what: &str) {
        let name = &path.name.name;
        let message = format!("`{name}` is not declared");
        let mut d = Diagnostic::error(path.name.span, message).label(format!("no such {what}"));
        // Past the errors that are kept nobody reads the advice, which is what takes time.
        if self.muted > 0 || self.diagnostics.error_count() >= MAX_KEPT {
            self.report(d);
            return;
        }
        if let Some(later) = self.declared_later(path) {
            let line = self.sources.position(later).map_or(0, |at| at.line);
            d.message =
                format!("`{name}` is not declared yet: its declaration follows at line {line}");
            d.label = "used before its declaration".to_owned();
            d = d.also(later, "declared here").help("move the declaration above this use");
            self.report(d);
            return;
        }
        let known = self.scopes.names().map(|n| &**n);
        if let Some(near) = Self::nearest(&mut self.compared, name, known) {
            d = d.help(format!("did you mean `{near}`?"));
        } else if matches!(
            &**name,
            "packet_in" | "packet_out" | "NoAction" | "verify" | "exact" | "lpm"
        ) {
            d = d.help("it is declared in core.p4: `#include <core.p4>`");
        } else if matches!(&**name, "V1Switch" | "standard_metadata_t" | "mark_to_drop") {
            d = d.help("it is declared in v1model.p4: `#include <v1model.p4>`");
        }
        self.report(d);
    }

    /// Where the name is declared further down, in the same control or parser or at the top level.
    fn declared_later(&self, path: &ast::Path) -> Option<Span> {
        let used = path.name.span;
        let lists = if path.absolute { self.ahead.get(..1)? } else { &self.ahead[..] };
        let candidates = lists.iter().rev().flat_map(|list| list.iter());
        candidates
            .filter(|d| declared_name(d).is_some_and(|n| n.name == path.name.name))
            // What uses itself is not declared later.
            .find(|d| !(d.span.file == used.file && d.span.lo <= used.lo && used.hi <= d.span.hi))
            .and_then(declared_name)
            .map(|name| name.span)
    }

    /// The text of an operand as advice repeats it.
    fn shown_operand(&self, span: Span) -> String {
        let text = self.sources.snippet(span);
        let is_simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
        match text {
            "" => "...".to_owned(),
            text if text.len() > MAX_SHOWN || text.contains('\n') => "(...)".to_owned(),
            text if text.chars().all(is_simple) || text.ends_with(')') => text.to_owned(),
            text => format!("({text})"),
        }
    }

    /// The advice for a number of type `found` at `span` where a bool is expected.
    pub(super) fn number_as_bool(&self, span: Span, found: &Type) -> Option<String> {
        let is_number = matches!(self.shallow(found), Type::Bit(_) | Type::Signed(_));
        is_number.then(|| format!("a number is no bool: write `{} != 0`", self.shown_operand(span)))
    }

    /// The advice for `!x` on a number.
    pub(super) fn negated_number(&self, span: Span, found: &Type) -> Option<String> {
        let is_number = matches!(self.shallow(found), Type::Bit(_) | Type::Signed(_));
        is_number.then(|| format!("a number is no bool: write `{} == 0`", self.shown_operand(span)))
    }

    /// Reports a call whose value is used although the result is in an `out` parameter that was left out. Whether it did.
    pub(super) fn result_in_parameter(
        &mut self,
        head: &ir::Signature,
        arguments: &[Argument],
        name: &Ident,
        call: Span,
    ) -> bool {
        let is_result = |p: &&ir::ParameterDef| p.direction == Direction::Out;
        let Some(at) = head.parameters.iter().position(|p| is_result(&p)) else { return false };
        let required = head.parameters.iter().filter(|p| !p.optional && p.default.is_none());
        let applies = self.statement_call != Some(call)
            && head.return_type == Type::Void
            && head.parameters.iter().filter(is_result).count() == 1
            && required.count() == arguments.len() + 1
            && arguments.iter().all(|a| a.name.is_none());
        if !applies {
            return false;
        }
        let receiver = match self.receiver {
            Some((value, target)) if value == call => self.sources.snippet(target),
            _ => "v",
        };
        let mut texts: Vec<&str> = arguments.iter().map(|a| self.sources.snippet(a.span)).collect();
        texts.insert(at.min(texts.len()), receiver);
        let callee = self.sources.snippet(Span { hi: name.span.hi, ..call });
        let text = format!("{callee}({})", texts.join(", "));
        let parameter = &head.parameters[at];
        let message = format!("`{}` returns nothing; its result is the `out` parameter", name.name);
        let d = Diagnostic::error(call, message).also(parameter.span, "the result");
        let d = match text.len() <= MAX_SHOWN && !text.contains('\n') {
            true => d.help(format!("write the statement `{text};`")),
            false => d.help("call it as a statement, with a variable for the result"),
        };
        self.report(d);
        true
    }

    /// Reports the comparison of the action that a table ran with the name of an action. Whether it did.
    pub(super) fn compared_action(
        &mut self,
        op: BinaryOp,
        a: &'a Expression,
        b: &'a Expression,
        span: Span,
    ) -> bool {
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return false;
        }
        let is_run = |e: &Expression| match &e.kind {
            ExpressionKind::Member(base, member) => {
                &*member.name == "action_run" && matches!(base.kind, ExpressionKind::Call { .. })
            }
            _ => false,
        };
        let (run, action) = match (is_run(a), is_run(b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return false,
        };
        let ExpressionKind::Name(path) = &action.kind else { return false };
        let is_action = matches!(self.lookup(path), Some(super::scope::Symbol::Action(_)));
        if !is_action {
            return false;
        }
        let text = self.sources.snippet(run.span);
        let text = if text.len() > MAX_SHOWN || text.contains('\n') { "..." } else { text };
        let d = Diagnostic::error(span, "`action_run` cannot be compared")
            .label("only `switch` can ask which action ran")
            .help(format!("write `switch ({text}) {{ {}: {{ ... }} }}`", path.name.name));
        self.report(d);
        true
    }
}
