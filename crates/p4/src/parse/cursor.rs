//! Walking over the tokens: looking ahead, expecting, reporting and going on after an error.

use super::{Abandoned, MAX_NESTING, Parse, Parser};
use crate::ast::{Ident, Name};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct, Token, TokenKind};
use crate::source::Span;

/// A position in the token list.
pub(super) struct Cursor<'a> {
    tokens: &'a [Token],
    end: Token,
    at: usize,
    /// The first half of a `>>` that closes two angle brackets was taken.
    half: bool,
    previous: Span,
}

const CLOSING_ANGLE: TokenKind = TokenKind::Punct(Punct::Gt);

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [Token], end: Token) -> Self {
        Self { tokens, end, at: 0, half: false, previous: Span::NONE }
    }

    fn token(&self, ahead: usize) -> &Token {
        self.tokens.get(self.at.saturating_add(ahead)).unwrap_or(&self.end)
    }
}

impl<'a> Parser<'a> {
    /// The current token.
    pub(super) fn peek(&self) -> &TokenKind {
        if self.cursor.half { &CLOSING_ANGLE } else { &self.cursor.token(0).kind }
    }

    /// The token `ahead` positions further.
    pub(super) fn peek_at(&self, ahead: usize) -> &TokenKind {
        if ahead == 0 { self.peek() } else { &self.cursor.token(ahead).kind }
    }

    /// Where the current token stands.
    pub(super) fn span(&self) -> Span {
        let span = self.cursor.token(0).span;
        if self.cursor.half { Span { lo: span.hi.saturating_sub(1), ..span } } else { span }
    }

    /// Where the last token taken stands.
    pub(super) fn previous(&self) -> Span {
        self.cursor.previous
    }

    /// From `start` to the last token taken.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.cursor.previous)
    }

    /// The token at a position of the whole list, which [`Parser::position`] counts.
    pub(super) fn token_at(&self, position: usize) -> Option<&Token> {
        self.cursor.tokens.get(position)
    }

    /// Whether the last token taken is this one.
    pub(super) fn follows(&self, punct: Punct) -> bool {
        let last = self.cursor.at.checked_sub(1).and_then(|at| self.cursor.tokens.get(at));
        last.is_some_and(|t| t.kind == TokenKind::Punct(punct))
    }

    pub(super) fn at_end(&self) -> bool {
        *self.peek() == TokenKind::End
    }

    /// Whether the current token is the first of its line.
    pub(super) fn at_line_start(&self) -> bool {
        self.cursor.token(0).line_start
    }

    /// Whether the token there is the first of its line.
    pub(super) fn starts_line_at(&self, ahead: usize) -> bool {
        self.cursor.token(ahead).line_start
    }

    /// A number that grows with each token taken, to see that a loop gets on.
    pub(super) fn position(&self) -> usize {
        self.cursor.at
    }

    /// Takes the current token.
    pub(super) fn bump(&mut self) -> Span {
        let span = self.span();
        self.cursor.previous = span;
        self.cursor.half = false;
        if self.cursor.at < self.cursor.tokens.len() {
            self.cursor.at += 1;
        }
        span
    }

    pub(super) fn is(&self, punct: Punct) -> bool {
        self.is_at(0, punct)
    }

    pub(super) fn is_at(&self, ahead: usize, punct: Punct) -> bool {
        *self.peek_at(ahead) == TokenKind::Punct(punct)
    }

    pub(super) fn is_keyword(&self, keyword: Keyword) -> bool {
        self.is_keyword_at(0, keyword)
    }

    pub(super) fn is_keyword_at(&self, ahead: usize, keyword: Keyword) -> bool {
        *self.peek_at(ahead) == TokenKind::Keyword(keyword)
    }

    pub(super) fn eat(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    /// Whether the token there can name something (`nonTypeName` or `TYPE_IDENTIFIER`).
    pub(super) fn is_name_at(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            TokenKind::Identifier(_) => true,
            TokenKind::Keyword(keyword) => keyword.is_name(),
            _ => false,
        }
    }

    /// The text of the name there, if there is one.
    pub(super) fn name_at(&self, ahead: usize) -> Option<&str> {
        match self.peek_at(ahead) {
            TokenKind::Identifier(name) => Some(name),
            TokenKind::Keyword(keyword) if keyword.is_name() => Some(keyword.text()),
            _ => None,
        }
    }

    /// Takes a name; `what` says what it names, for the message.
    pub(super) fn name(&mut self, what: &str) -> Parse<Ident> {
        let name: Name = match self.peek() {
            TokenKind::Identifier(name) => name.clone(),
            // `name` admits `list` besides the words of `nonTypeName`.
            TokenKind::Keyword(k) if k.is_name() || *k == Keyword::List => k.text().into(),
            TokenKind::Keyword(keyword) => {
                let word = keyword.text();
                let message = format!("expected {what}, found reserved word '{word}'");
                let diagnostic = Diagnostic::error(self.span(), message)
                    .label("reserved words cannot be names")
                    .help(format!("rename it, for instance to '{word}_'"));
                // Nobody means the word as itself where a name has to stand before punctuation.
                let is_misnomer = matches!(self.peek_at(1), TokenKind::Punct(p) if *p != Punct::Lt);
                self.report(diagnostic);
                if is_misnomer {
                    let span = self.bump();
                    return Ok(Ident { name: word.into(), span });
                }
                return Err(Abandoned);
            }
            TokenKind::Punct(Punct::DontCare) => {
                let message = format!("expected {what}, found '_'");
                let diagnostic =
                    Diagnostic::error(self.span(), message).label("'_' alone is not a name");
                self.report(diagnostic);
                let span = self.bump();
                return Ok(Ident { name: "_".into(), span });
            }
            _ => return Err(self.expected(what)),
        };
        let span = self.bump();
        Ok(Ident { name, span })
    }

    /// Reports once per token, and nothing after giving up.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.gave_up && self.failed_at != Some(self.cursor.at) {
            self.failed_at = Some(self.cursor.at);
            let diagnostic = self.address_here().unwrap_or(diagnostic);
            // A token that the lexer refused already needs no second message.
            if self.diagnostics.has_error_at(diagnostic.span) {
                return;
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports something that is read but illegal; the parser is not confused by it.
    pub(super) fn complain(&mut self, diagnostic: Diagnostic) {
        if !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports that something else should stand here.
    pub(super) fn expected(&mut self, what: &str) -> Abandoned {
        let message = format!("expected {what}, found {}", self.describe());
        let diagnostic = Diagnostic::error(self.span(), message).label(format!("expected {what}"));
        self.report(diagnostic);
        Abandoned
    }

    /// The current token in words.
    pub(super) fn describe(&self) -> String {
        self.peek().describe()
    }

    /// Takes a piece of punctuation that has to stand here; `behind` says what precedes it.
    pub(super) fn expect(&mut self, punct: Punct, behind: &str) -> Parse<Span> {
        if self.is(punct) {
            return Ok(self.bump());
        }
        let text = punct.text();
        let message = format!("expected '{text}' {behind}, found {}", self.describe());
        let mut diagnostic =
            Diagnostic::error(self.span(), message).label(format!("expected '{text}'"));
        // What is missing at the end of a line is missing there, not on the next.
        if self.at_line_start() && !self.previous().is_none() {
            diagnostic.span = end_of(self.previous());
            diagnostic.label = format!("'{text}' is missing here");
        }
        self.report(diagnostic);
        Err(Abandoned)
    }

    /// Takes a `;`. A missing one is reported and, where the next token cannot belong to what
    /// came before, taken as written.
    pub(super) fn semicolon(&mut self, behind: &str) -> Parse<()> {
        if self.eat(Punct::Semicolon) {
            return Ok(());
        }
        let goes_on = self.at_line_start()
            || self.at_end()
            || self.is(Punct::BraceClose)
            || matches!(self.peek(), TokenKind::Keyword(k) if starts_statement(*k));
        match self.expect(Punct::Semicolon, behind) {
            Err(_) if goes_on => Ok(()),
            other => other.map(|_| ()),
        }
    }

    /// Takes a closing angle bracket, be it half of a `>>`.
    pub(super) fn closing_angle(&mut self, behind: &str) -> Parse<()> {
        if self.is(Punct::Shr) {
            let span = self.span();
            self.cursor.previous = Span { hi: span.hi.saturating_sub(1), ..span };
            self.cursor.half = true;
            return Ok(());
        }
        self.expect(Punct::Gt, behind).map(|_| ())
    }

    /// Whether a closing angle bracket, be it half of a `>>`, is next.
    pub(super) fn is_closing_angle(&self) -> bool {
        self.is(Punct::Gt) || self.is(Punct::Shr)
    }

    /// Reads something that may contain itself, up to the limit of nesting.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting >= MAX_NESTING {
            let message = format!("constructs are nested more than {MAX_NESTING} deep");
            self.give_up(Diagnostic::error(self.span(), message).label("one level too many"));
            return Err(Abandoned);
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// Reports an error after which the rest of the program is not read.
    pub(super) fn give_up(&mut self, diagnostic: Diagnostic) {
        self.complain(diagnostic);
        self.stop();
    }

    fn stop(&mut self) {
        self.gave_up = true;
        self.cursor.at = self.cursor.tokens.len();
        self.cursor.half = false;
    }

    /// Skips to behind the next `;`, or to before a `}` that closes what is around, or to before
    /// a line that seems to begin something new. What failed began at the position `start`.
    pub(super) fn skip_statement(&mut self, start: usize) {
        let mut open = 0usize;
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::Punct(Punct::Semicolon) if open == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::BraceClose) => {
                    if open == 0 {
                        return;
                    }
                    open -= 1;
                    self.bump();
                    if open == 0 && !self.is(Punct::Semicolon) && !self.is(Punct::ParenClose) {
                        return;
                    }
                    continue;
                }
                TokenKind::Punct(Punct::BraceOpen) => open += 1,
                TokenKind::Keyword(k)
                    if open == 0
                        && self.position() > start
                        && self.at_line_start()
                        && starts_statement(*k) =>
                {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips to behind the `}` that closes what is open.
    pub(super) fn skip_braces(&mut self) {
        let mut open = 1usize;
        while open > 0 && !self.at_end() {
            match self.peek() {
                TokenKind::Punct(Punct::BraceOpen) => open += 1,
                TokenKind::Punct(Punct::BraceClose) => open -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// Reads `{ item item ... }` behind an opening brace up to the closing one. An item that
    /// fails is skipped like a statement.
    pub(super) fn braced(
        &mut self,
        what: &str,
        mut item: impl FnMut(&mut Self) -> Parse<()>,
    ) -> Parse<()> {
        loop {
            if self.eat(Punct::BraceClose) {
                return Ok(());
            }
            if self.at_end() {
                return self
                    .expect(Punct::BraceClose, &format!("at the end of {what}"))
                    .map(|_| ());
            }
            let before = self.position();
            if item(self).is_err() {
                if self.gave_up {
                    return Err(Abandoned);
                }
                self.skip_statement(before);
            }
            if self.position() == before && !self.is(Punct::BraceClose) {
                self.bump();
            }
        }
    }

    /// Reads a comma-separated list up to `close`, which is taken as well. A trailing comma is
    /// reported unless `trailing` admits it.
    pub(super) fn list<T>(
        &mut self,
        close: Punct,
        trailing: bool,
        what: &str,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let result = self.list_items(close, trailing, what, &mut item);
        if result.is_err() {
            self.skip_list(close);
        }
        result
    }

    /// Skips to behind the end of a list in which something failed, if it has one.
    fn skip_list(&mut self, close: Punct) {
        if close == Punct::Gt {
            return;
        }
        let mut open = 0usize;
        loop {
            match self.peek() {
                TokenKind::End | TokenKind::Punct(Punct::Semicolon) => return,
                TokenKind::Punct(Punct::ParenOpen | Punct::BracketOpen | Punct::BraceOpen) => {
                    open += 1;
                }
                TokenKind::Punct(punct) if *punct == close && open == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::ParenClose | Punct::BracketClose | Punct::BraceClose) => {
                    if open == 0 {
                        return;
                    }
                    open -= 1;
                }
                TokenKind::Keyword(k) if self.at_line_start() && starts_statement(*k) => return,
                _ => {}
            }
            self.bump();
        }
    }

    fn list_items<T>(
        &mut self,
        close: Punct,
        trailing: bool,
        what: &str,
        item: &mut impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        let closes = |p: &Self| if close == Punct::Gt { p.is_closing_angle() } else { p.is(close) };
        while !closes(self) {
            items.push(item(self)?);
            if !self.is(Punct::Comma) {
                break;
            }
            let comma = self.bump();
            if closes(self) && !trailing {
                let message = format!("{what} may not end in a comma");
                self.complain(Diagnostic::error(comma, message).label("remove this comma"));
            }
        }
        if closes(self) {
            if close == Punct::Gt {
                self.closing_angle("")?;
            } else {
                self.bump();
            }
            return Ok(items);
        }
        let message =
            format!("expected ',' or '{}' in {what}, found {}", close.text(), self.describe());
        let label = format!("expected ',' or '{}'", close.text());
        self.report(Diagnostic::error(self.span(), message).label(label));
        Err(Abandoned)
    }
}

/// The empty place right behind a span.
pub(super) fn end_of(span: Span) -> Span {
    Span { lo: span.hi, ..span }
}

/// Words that begin a declaration or statement and stand nowhere else, so that reading can go on
/// there after an error.
pub(super) fn starts_statement(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(
        keyword,
        Action
            | Break
            | Const
            | Continue
            | Control
            | Enum
            | Exit
            | Extern
            | For
            | Header
            | HeaderUnion
            | If
            | Package
            | Parser
            | Return
            | Struct
            | Switch
            | Table
            | Transition
            | Typedef
            | ValueSet
    )
}
