//! Directives: lines that begin with `#`.

use super::Preprocessor;
use super::macros::Macro;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Punct, RawKind, RawToken, Scanner, StringEnd};
use crate::source::Span;
use std::rc::Rc;
use ww_spelling::suggestion;

/// An open `#if`.
pub(super) struct Conditional {
    /// The directive that opened it.
    pub(super) span: Span,
    /// Tokens of the current group count.
    pub(super) active: bool,
    /// One of its groups was or is active, or the whole stands in a skipped group.
    taken: bool,
    seen_else: bool,
}

/// All directives, for suggestions.
const DIRECTIVES: [&str; 15] = [
    "include", "define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else",
    "endif", "error", "warning", "pragma", "line",
];

impl Preprocessor<'_> {
    /// Defines what `-D` asks for.
    pub(super) fn define_from_options(&mut self) {
        if self.options.defines.is_empty() {
            return;
        }
        let mut text = String::new();
        for (name, value) in &self.options.defines {
            let line = format!("{name} {value}").replace(['\n', '\r'], " ");
            text.push_str(&line);
            text.push('\n');
        }
        let id = self.sources.add("<command line>", text.clone(), false);
        let mut scanner = Scanner::new(text.into(), id);
        scanner.strings_end_with_line = true;
        let mut line: Vec<RawToken> = Vec::new();
        loop {
            let token = scanner.next(&mut self.interner);
            match token.kind {
                RawKind::End => return,
                RawKind::Newline => {
                    let span = line.first().map_or(token.span, |t| t.span);
                    self.define(span, std::mem::take(&mut line));
                }
                _ => line.push(token),
            }
        }
    }

    /// Obeys the directive that `hash` begins, and takes its line.
    pub(super) fn directive(&mut self, hash: RawToken) {
        let Some(file) = self.files.last_mut() else { return };
        let skipping = file.conditionals.last().is_some_and(|c| !c.active);
        file.scanner.strings_end_with_line = true;
        file.scanner.discard = false;
        let token = file.scanner.next(&mut self.interner);
        if token.ends_line() {
            return;
        }
        let span = hash.span.to(token.span);
        let RawKind::Identifier(name) = &token.kind else {
            // `# 12 "file"`, a marker that another preprocessor left.
            let is_marker = matches!(token.kind, RawKind::Number(_));
            self.directive_line();
            if !is_marker && !skipping {
                self.diagnostics.error(span, "expected the name of a directive behind '#'");
            }
            return;
        };
        match &**name {
            "if" | "ifdef" | "ifndef" => self.open_conditional(name, span, skipping),
            "elif" | "elifdef" | "elifndef" | "else" => self.next_group(name, span),
            "endif" => {
                self.directive_line();
                let closed = self.files.last_mut().and_then(|f| f.conditionals.pop());
                if closed.is_none() {
                    self.diagnostics.error(span, "'#endif' without '#if'");
                }
            }
            _ if skipping => {
                self.directive_line();
            }
            "include" => self.include_directive(span),
            "define" => {
                let line = self.directive_line();
                self.define(span, line);
            }
            "undef" => {
                let line = self.directive_line();
                if let Some(name) = self.macro_name("undef", span, &line) {
                    self.macros.remove(&name);
                }
            }
            "error" | "warning" => {
                let text = self.message_text();
                let message = match text.as_str() {
                    "" => format!("#{name}"),
                    text => format!("#{name}: {text}"),
                };
                let diagnostic = match &**name {
                    "error" => Diagnostic::error(span, message),
                    _ => Diagnostic::warning(span, message),
                };
                self.diagnostics.push(diagnostic);
            }
            "pragma" => {
                let line = self.directive_line();
                let once = matches!(line.as_slice(), [t] if &*t.spelling() == "once");
                if let (true, Some(file)) = (once, self.files.last()) {
                    self.once.insert(file.id);
                }
            }
            "line" => {
                self.directive_line();
            }
            _ => {
                self.directive_line();
                let mut diagnostic =
                    Diagnostic::error(span, format!("unknown directive '#{name}'"));
                if let Some(near) = suggestion(name, DIRECTIVES) {
                    diagnostic = diagnostic.help(format!("did you mean '#{near}'?"));
                }
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// A string over several lines with conditional directives among them, which choose what
    /// belongs to it, as they do for the C preprocessor when it reads assembly text.
    pub(super) fn interrupted_string(&mut self, opening: RawToken) -> RawToken {
        let mut text = opening.spelling().into_owned();
        loop {
            let Some(file) = self.files.last_mut() else { return opening };
            let skipping = file.conditionals.last().is_some_and(|c| !c.active);
            file.scanner.strings_end_with_line = skipping;
            file.scanner.discard = skipping;
            let end = if skipping || file.scanner.conditional_ahead() {
                let token = file.scanner.next(&mut self.interner);
                match token.kind {
                    RawKind::Punct(Punct::Hash) if token.line_start => {
                        self.directive(token);
                        continue;
                    }
                    RawKind::End => StringEnd::File,
                    _ => continue,
                }
            } else {
                let (piece, end) = file.scanner.resume_string();
                text.push_str(&piece);
                end
            };
            if end != StringEnd::Conditional {
                let kind = RawKind::String(self.interner.intern(&text), end == StringEnd::Quote);
                return RawToken { kind, ..opening };
            }
        }
    }

    /// What an `#error` says: the text up to a comment or the end of the line.
    fn message_text(&mut self) -> String {
        let line = self.directive_line();
        match (line.first(), line.last()) {
            (Some(first), Some(last)) => {
                self.sources.snippet(first.span.to(last.span)).trim().to_owned()
            }
            _ => String::new(),
        }
    }

    /// The name behind `#undef`, `#ifdef` and so on.
    fn macro_name(
        &mut self,
        directive: &str,
        span: Span,
        line: &[RawToken],
    ) -> Option<crate::ast::Name> {
        match line.first().map(|t| (&t.kind, t.span)) {
            Some((RawKind::Identifier(name), _)) => Some(name.clone()),
            other => {
                let span = other.map_or(span, |(_, span)| span);
                self.diagnostics.error(span, format!("expected a name behind '#{directive}'"));
                None
            }
        }
    }

    /// Whether the condition of an `#if`, `#ifdef`, `#elif`... holds.
    fn condition_holds(&mut self, name: &str, span: Span) -> bool {
        let line = self.directive_line();
        match name {
            "if" | "elif" => self.evaluate_condition(span, line),
            _ => match self.macro_name(name, span, &line) {
                Some(wanted) => self.is_defined(&wanted) == name.ends_with("ifdef"),
                None => false,
            },
        }
    }

    fn open_conditional(&mut self, name: &str, span: Span, skipping: bool) {
        let active = if skipping {
            self.directive_line();
            false
        } else {
            self.condition_holds(name, span)
        };
        if let Some(file) = self.files.last_mut() {
            let taken = active || skipping;
            file.conditionals.push(Conditional { span, active, taken, seen_else: false });
        }
    }

    fn next_group(&mut self, name: &str, span: Span) {
        let state = self.files.last_mut().and_then(|f| f.conditionals.last_mut());
        let Some(conditional) = state else {
            self.directive_line();
            self.diagnostics.error(span, format!("'#{name}' without '#if'"));
            return;
        };
        let opened = conditional.span;
        if conditional.seen_else {
            conditional.active = false;
            self.directive_line();
            self.diagnostics.push(
                Diagnostic::error(span, format!("'#{name}' behind '#else'"))
                    .also(opened, "the conditional begins here"),
            );
            return;
        }
        conditional.seen_else = name == "else";
        // Until its own condition is known the group is skipped.
        conditional.active = false;
        let taken = conditional.taken;
        let active = if taken || name == "else" {
            self.directive_line();
            !taken
        } else {
            self.condition_holds(name, span)
        };
        let state = self.files.last_mut().and_then(|f| f.conditionals.last_mut());
        if let Some(conditional) = state {
            conditional.active = active;
            conditional.taken |= active;
        }
    }

    fn include_directive(&mut self, span: Span) {
        let Some(file) = self.files.last_mut() else { return };
        // File names are no tokens: `<a//b.p4>` holds no comment.
        if let Some((name, quoted, place)) = file.scanner.header_name() {
            self.directive_line();
            self.include(&name, quoted, place);
            return;
        }
        // A macro that expands to one of the two forms.
        let line = self.directive_line();
        let place = match (line.first(), line.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => span,
        };
        let line = self.expand_all(line);
        match Self::header_name(&line) {
            Some((name, quoted)) => self.include(&name, quoted, place),
            None => {
                let message = "expected \"file\" or <file> behind '#include'";
                self.diagnostics.error(place, message);
            }
        }
    }

    /// Whether a macro of that name exists.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || matches!(name, "__FILE__" | "__LINE__")
    }

    /// `#define`, behind the directive's name.
    fn define(&mut self, span: Span, line: Vec<RawToken>) {
        let Some(name) = self.macro_name("define", span, &line) else { return };
        let place = line.first().map_or(span, |t| t.span);
        if &*name == "defined" {
            self.diagnostics.error(place, "'defined' cannot be a macro");
            return;
        }
        match Macro::parse(name.clone(), place, line.get(1..).unwrap_or(&[])) {
            Ok(new) => {
                if let Some(old) = self.macros.get(&name)
                    && !old.same_as(&new)
                {
                    self.diagnostics.push(
                        Diagnostic::warning(place, format!("macro '{name}' is defined anew"))
                            .also(old.span, "defined differently here")
                            .help("'#undef' it first if that is meant"),
                    );
                }
                self.macros.insert(name, Rc::new(new));
            }
            Err((span, message)) => self.diagnostics.error(span, message),
        }
    }
}
