//! What programmers write by habit from other languages, or from P4_14: the message names the
//! mend. All of it is looked for where the grammar has failed, or is about to, so that no legal
//! program can meet it.

use super::cursor::starts_statement;
use super::scope::Meaning;
use super::statements::compound_operator;
use super::{Abandoned, Parse, Parser};
use crate::ast::{Expression, ExpressionKind};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct, TokenKind, address};
use crate::print_ast;
use crate::source::Span;

/// How to have a P4_14 program converted.
const CONVERT: &str =
    "p4c converts a P4_14 program: p4test --std p4-14 OLD.p4 --pp NEW.p4; give NEW.p4";

/// Longest target, in bytes, that advice repeats.
const MAX_SHOWN: usize = 60;

/// The mend of `x++` and `x--`; `op` is `+` or `-`.
pub(super) fn step_help(target: Option<&Expression>, op: char) -> String {
    let x = target
        .filter(|e| is_short_lvalue(e))
        .map(print_ast::expression)
        .filter(|text| text.len() <= MAX_SHOWN)
        .unwrap_or_else(|| "x".to_owned());
    let why = if op == '+' { "'++' concatenates" } else { "there is no '--'" };
    format!("in P4 {why}; write {x} = {x} {op} 1;")
}

/// Whether it is a name with members and indices, whose text is what the author wrote.
fn is_short_lvalue(mut e: &Expression) -> bool {
    loop {
        match &e.kind {
            ExpressionKind::Name(_) => return true,
            ExpressionKind::Member(base, _) => e = base,
            ExpressionKind::Index(base, index) => {
                if !matches!(index.kind, ExpressionKind::Number { .. } | ExpressionKind::Name(_)) {
                    return false;
                }
                e = base;
            }
            _ => return false,
        }
    }
}

impl Parser<'_> {
    /// Whether `++` or `--` follows what stands alone, and nothing behind it.
    pub(super) fn step_follows(&self) -> bool {
        let length = match self.peek() {
            TokenKind::Punct(Punct::Concat) => 1,
            TokenKind::Punct(Punct::Minus) if self.is_at(1, Punct::Minus) => 2,
            _ => return false,
        };
        self.is_at(length, Punct::Semicolon) || self.is_at(length, Punct::ParenClose)
    }

    /// Reports that an operand is missing.
    pub(super) fn expected_operand(&mut self) -> Abandoned {
        let message = format!("expected an expression, found {}", self.describe());
        let diagnostic = Diagnostic::error(self.span(), message).label("expected an expression");
        let ends = self.is(Punct::Semicolon) || self.is(Punct::ParenClose);
        let is_step = self.is(Punct::Concat) || (ends && self.follows(Punct::Concat));
        self.report(if is_step { diagnostic.help(step_help(None, '+')) } else { diagnostic });
        Abandoned
    }

    /// The `)` of a condition or of an expression in parentheses.
    pub(super) fn close_condition(&mut self, behind: &str) -> Parse<()> {
        if self.is(Punct::ParenClose) {
            self.bump();
            return Ok(());
        }
        let TokenKind::Punct(punct) = *self.peek() else {
            return self.expect(Punct::ParenClose, behind).map(|_| ());
        };
        let help = match compound_operator(punct) {
            _ if punct == Punct::Assign => {
                "did you mean '=='? '=' assigns, and an assignment has no value".to_owned()
            }
            Some(op) => format!(
                "an assignment has no value; write x = x {} ...; as a statement before",
                op.symbol()
            ),
            None => return self.expect(Punct::ParenClose, behind).map(|_| ()),
        };
        let message = format!("expected ')' {behind}, found {}", self.describe());
        let diagnostic = Diagnostic::error(self.span(), message).label("expected ')'").help(help);
        self.report(diagnostic);
        Err(Abandoned)
    }

    /// Whether a word that begins a statement, or a type, stands where the label of a case should.
    pub(super) fn statement_follows(&self) -> bool {
        match self.peek() {
            TokenKind::Keyword(Keyword::Error) => false,
            TokenKind::Keyword(k) => starts_statement(*k) || self.is_type_keyword_at(0),
            _ => false,
        }
    }

    /// Whether what was read as the label of a case turns out to be the beginning of a statement.
    pub(super) fn statement_goes_on(&self) -> bool {
        match self.peek() {
            TokenKind::Punct(Punct::Assign | Punct::Semicolon) => true,
            TokenKind::Punct(punct) => compound_operator(*punct).is_some() || self.step_follows(),
            // `T x` with a type of the program.
            _ => self.is_name_at(0),
        }
    }

    /// Reports that the statement that begins at `statement` needs a block around it.
    pub(super) fn case_without_block(&mut self, statement: Span) -> Abandoned {
        let message = "expected '{' behind the label of a case, found a statement";
        let diagnostic = Diagnostic::error(statement, message)
            .label("expected '{'")
            .help("a case needs a block around its statements: LABEL: { ... }");
        self.report(diagnostic);
        Abandoned
    }

    /// The message for the name `name` as the width of the type `ty`.
    pub(super) fn name_as_width(&self, ty: &str, name: &str, span: Span) -> Diagnostic {
        if self.scopes.meaning(name) == Some(Meaning::Variable) {
            let message =
                format!("'{name}' cannot be a width: its value is known at run time only");
            return Diagnostic::error(span, message)
                .label("widths are known at compile time")
                .help(format!("write a number or a constant: const int W = 8; {ty}<(W)>"));
        }
        let message = format!("expected a number or '(' as the width, found '{name}'");
        let help = format!("a width that is an expression needs parentheses: {ty}<({name})>");
        Diagnostic::error(span, message).help(help)
    }

    /// The message for the address, such as `10.0.0.1`, that the current token is part of.
    pub(super) fn address_here(&self) -> Option<Diagnostic> {
        let at = self.position();
        (at.saturating_sub(address::MAX_TOKENS - 1)..=at).find_map(|first| {
            let (text, span) = self.joined_from(first, at)?;
            let literal = address::as_literal(&text)?;
            Some(address::diagnostic(span, &text, &literal))
        })
    }

    /// The longest address that begins with the token at `first` and reaches the one at `at`: its
    /// text and its place.
    fn joined_from(&self, first: usize, at: usize) -> Option<(String, Span)> {
        let mut text = String::new();
        let mut span: Option<Span> = None;
        for n in first..first + address::MAX_TOKENS {
            let token = self.token_at(n)?;
            let piece = match &token.kind {
                TokenKind::Number(number) => &*number.text,
                TokenKind::Identifier(name) => name,
                TokenKind::Punct(punct @ (Punct::Colon | Punct::Dot)) => punct.text(),
                _ => return None,
            };
            if span.is_some_and(|s| s.file != token.span.file || s.hi != token.span.lo) {
                return None;
            }
            text.push_str(piece);
            let whole = span.map_or(token.span, |s| s.to(token.span));
            // Both have a fixed number of tokens: 6 + 5 and 4 + 3.
            if n >= at && matches!(n - first, 6 | 10) && address::as_literal(&text).is_some() {
                return Some((text, whole));
            }
            span = Some(whole);
        }
        None
    }

    /// The word of P4_14 that a top-level declaration begins with, if it cannot be P4_16.
    pub(super) fn older_language(&self) -> Option<&'static str> {
        let named = self.is_name_at(1);
        match self.peek() {
            TokenKind::Identifier(word) if named => {
                let words: &[&'static str] = match self.peek_at(2) {
                    TokenKind::Punct(Punct::BraceOpen) => &[
                        "header_type",
                        "field_list",
                        "field_list_calculation",
                        "calculated_field",
                        "action_profile",
                        "action_selector",
                        "counter",
                        "meter",
                        "register",
                    ],
                    _ => return None,
                };
                words.iter().copied().find(|known| *known == &**word)
            }
            TokenKind::Keyword(Keyword::Parser)
                if self.name_at(1) == Some("start") && self.is_at(2, Punct::BraceOpen) =>
            {
                Some("parser start {")
            }
            TokenKind::Keyword(Keyword::Header)
                if named && self.is_name_at(2) && self.is_at(3, Punct::Semicolon) =>
            {
                Some("header TYPE NAME;")
            }
            _ => None,
        }
    }

    /// Reports that the program is P4_14; the rest of it is not read.
    pub(super) fn refuse_older_language(&mut self, construct: &str) -> Abandoned {
        let message = format!("this is P4_14 ('{construct}'), and P4_16 is expected");
        self.give_up(Diagnostic::error(self.span(), message).help(CONVERT));
        Abandoned
    }

    /// Reports a property of a table that lacks its `=`, behind its name. `reads` is P4_14.
    pub(super) fn property_without_assign(&mut self, name: &str) -> Option<Abandoned> {
        if !self.is(Punct::BraceOpen) {
            return None;
        }
        let message = format!("expected '=' behind '{name}', found '{{'");
        let diagnostic = Diagnostic::error(self.span(), message).label("expected '='");
        let diagnostic = match name {
            "reads" => {
                diagnostic.help(format!("'reads' is P4_14; P4_16 has key = {{ ... }}. {CONVERT}"))
            }
            "key" | "actions" | "entries" => diagnostic.help(format!("write {name} = {{ ... }}")),
            _ => return None,
        };
        self.report(diagnostic);
        Some(Abandoned)
    }
}
