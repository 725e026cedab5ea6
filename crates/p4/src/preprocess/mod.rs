//! The preprocessor (§6.2): source files to one list of tokens, with the rules of the C
//! preprocessor for inclusion, conditions and macros.

mod condition;
mod directives;
mod files;
mod foreign;
mod macros;
mod substitute;

pub use files::system_includes;

use crate::ast::Name;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lexer::{
    Interner, Keyword, Punct, RawKind, RawToken, Scanner, Token, TokenKind, address, decode_number,
    decode_string,
};
use crate::source::{FileId, SourceMap, Span};
use directives::Conditional;
use files::Origin;
use macros::{Context, Macro};
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Where includes are searched and what is defined beforehand.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders of `-I`, in order; they win over our own includes.
    pub include_dirs: Vec<PathBuf>,
    /// `-D NAME=VALUE`: name (with parameters if it has any) and replacement.
    pub defines: Vec<(String, String)>,
    /// Files that describe architectures beside our own (`--arch`): their folders are looked
    /// through for includes, behind those of `-I`.
    pub architectures: Vec<PathBuf>,
}

/// Most tokens that a program may have after preprocessing.
const MAX_TOKENS: usize = 4_000_000;

/// Most work that macro expansion and inclusion may take: tokens moved, or bytes included.
const MAX_WORK: u64 = 200_000_000;

/// Past this many errors the rest of a program is not read: it is no P4 at all.
const MAX_ERRORS: usize = 100_000;

/// Reads a program and all that it includes. The last token is always [`TokenKind::End`]. After
/// an error that leaves nothing sensible to parse it is the only one.
pub fn preprocess(
    path: &Path,
    options: &Options,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    match files::read(path) {
        Ok(text) => preprocess_text(path, text, options, sources, diagnostics),
        Err(reason) => {
            diagnostics.error(Span::NONE, format!("cannot read '{}': {reason}", path.display()));
            vec![Token { kind: TokenKind::End, span: Span::NONE, line_start: true }]
        }
    }
}

/// The same for a program whose main text is in memory; `path` names it in messages and tells
/// where `#include "..."` looks first.
pub fn preprocess_text(
    path: &Path,
    text: impl Into<String>,
    options: &Options,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut run = Preprocessor {
        sources,
        diagnostics,
        options,
        interner: Interner::default(),
        macros: HashMap::new(),
        files: Vec::new(),
        texts: HashMap::new(),
        known_files: HashMap::new(),
        once: HashSet::new(),
        pushed_back: VecDeque::new(),
        contexts: Vec::new(),
        expansion_depth: 0,
        work: 0,
        failed: false,
        tokens: Vec::new(),
        pragma_line: false,
        annotation_depth: 0,
    };
    run.define_from_options();
    let main = run.sources.add(path, text.into(), false);
    let (end, foreign) = match run.sources.file(main) {
        Some(file) => (file.text.len() as u32, foreign::what_it_is(&file.text)),
        None => (0, None),
    };
    match foreign {
        Some(what) => {
            run.failed = true;
            run.diagnostics.error(Span { file: main, lo: 0, hi: 0 }, what);
        }
        None => {
            run.open(main, Origin::of_path(path));
            run.run();
        }
    }
    let span = Span { file: main, lo: end, hi: end };
    if run.failed {
        run.tokens.clear();
    }
    run.tokens.push(Token { kind: TokenKind::End, span, line_start: true });
    run.tokens
}

/// A file that is being read.
struct OpenFile {
    id: FileId,
    scanner: Scanner,
    conditionals: Vec<Conditional>,
    origin: Origin,
}

/// The state of one run.
struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
    options: &'a Options,
    interner: Interner,
    macros: HashMap<Name, Rc<Macro>>,
    /// Files being read, the innermost last.
    files: Vec<OpenFile>,
    texts: HashMap<FileId, Rc<str>>,
    known_files: HashMap<PathBuf, FileId>,
    /// Files with `#pragma once`.
    once: HashSet<FileId>,
    /// Tokens that were looked at too early.
    pushed_back: VecDeque<RawToken>,
    /// Macro expansions being read, the innermost last.
    contexts: Vec<Context>,
    expansion_depth: usize,
    work: u64,
    /// Nothing sensible can follow.
    failed: bool,
    tokens: Vec<Token>,
    /// The current line holds `@pragma`.
    pragma_line: bool,
    /// Open parentheses of the body of an unstructured annotation.
    annotation_depth: usize,
}

impl Preprocessor<'_> {
    /// Starts reading a file.
    fn open(&mut self, id: FileId, origin: Origin) {
        let text = self.texts.entry(id).or_insert_with(|| {
            let text = self.sources.file(id).map_or("", |f| f.text.as_str());
            Rc::from(text)
        });
        let scanner = Scanner::new(text.clone(), id);
        let cost = text.len() as u64 + 1000;
        self.files.push(OpenFile { id, scanner, conditionals: Vec::new(), origin });
        self.charge(cost, Span { file: id, lo: 0, hi: 0 });
    }

    /// Accounts for work; gives up when there is too much of it.
    fn charge(&mut self, cost: u64, span: Span) {
        self.work += cost;
        if self.work > MAX_WORK && !self.failed {
            self.give_up(
                Diagnostic::error(span, "macros and includes expand to too much text").help(
                    "look for macros that double their text, or files that include each other",
                ),
            );
        }
    }

    /// Gives up when a list of tokens that has to be kept becomes too long.
    fn limit_list(&mut self, length: usize, span: Span) {
        if length > MAX_TOKENS {
            let message = format!("more than {MAX_TOKENS} tokens in one directive or macro use");
            self.give_up(Diagnostic::error(span, message));
        }
    }

    /// Reports an error after which nothing is read any more.
    fn give_up(&mut self, diagnostic: Diagnostic) {
        if !self.failed {
            self.diagnostics.push(diagnostic);
        }
        self.stop();
    }

    fn stop(&mut self) {
        self.failed = true;
        self.files.clear();
        self.contexts.clear();
        self.pushed_back.clear();
    }

    /// Reads to the end of the main file.
    fn run(&mut self) {
        loop {
            let token = self.next_expanded();
            match token.kind {
                RawKind::End => break,
                RawKind::Newline => {
                    if std::mem::take(&mut self.pragma_line) {
                        self.emit(TokenKind::EndPragma, &token);
                    }
                }
                _ => self.finish(token),
            }
        }
        if std::mem::take(&mut self.pragma_line) {
            let span = self.tokens.last().map_or(Span::NONE, |t| t.span);
            self.tokens.push(Token { kind: TokenKind::EndPragma, span, line_start: false });
        }
    }

    fn emit(&mut self, kind: TokenKind, raw: &RawToken) {
        if self.tokens.len() >= MAX_TOKENS {
            let message = format!("the program has more than {MAX_TOKENS} tokens");
            self.give_up(Diagnostic::error(raw.span, message));
            return;
        }
        self.tokens.push(Token { kind, span: raw.span, line_start: raw.line_start });
    }

    /// Turns a preprocessing token that no macro replaces into a token of the language.
    fn finish(&mut self, raw: RawToken) {
        let kind = match &raw.kind {
            RawKind::Identifier(name) => match Keyword::from_text(name) {
                Some(keyword) => TokenKind::Keyword(keyword),
                None => {
                    if !name.is_ascii() {
                        let message = format!("name '{name}' contains characters beyond ASCII");
                        self.diagnostics.push(
                            Diagnostic::error(raw.span, message)
                                .help("names consist of letters a-z, A-Z, digits and underscores"),
                        );
                    }
                    let after_at =
                        self.tokens.last().is_some_and(|t| t.kind == TokenKind::Punct(Punct::At));
                    self.pragma_line |= after_at && &**name == "pragma";
                    TokenKind::Identifier(name.clone())
                }
            },
            RawKind::Number(text) => {
                self.charge(text.len() as u64, raw.span);
                match decode_number(text) {
                    Ok(number) => TokenKind::Number(number.into()),
                    Err(_) if self.in_annotation() => TokenKind::Unknown(text.clone()),
                    Err(error) => {
                        let diagnostic = self.address_around(raw.span).unwrap_or_else(|| {
                            let mut diagnostic = Diagnostic::error(raw.span, error.message);
                            diagnostic.help = error.help.map(str::to_owned);
                            diagnostic
                        });
                        self.diagnostics.push(diagnostic);
                        let zero = crate::lexer::Number {
                            value: 0.into(),
                            width: None,
                            text: text.clone(),
                        };
                        TokenKind::Number(zero.into())
                    }
                }
            }
            RawKind::String(text, closed) => {
                if !closed {
                    let opening = Span { hi: raw.span.lo.saturating_add(1), ..raw.span };
                    self.diagnostics.push(
                        Diagnostic::error(opening, "string literal is never closed")
                            .label("it begins here"),
                    );
                }
                TokenKind::String(self.interner.intern(&decode_string(text)))
            }
            RawKind::Punct(punct) => {
                self.follow_annotation(*punct);
                TokenKind::Punct(*punct)
            }
            RawKind::Other(c) if self.in_annotation() => {
                TokenKind::Unknown(self.interner.intern(&c.to_string()))
            }
            RawKind::Other(c) => {
                let shown = match c {
                    '\u{fffd}' => "bytes that are not UTF-8".to_owned(),
                    c => format!("unknown character '{}'", c.escape_debug()),
                };
                let mut diagnostic = Diagnostic::error(raw.span, shown);
                if *c == '\'' {
                    diagnostic = diagnostic.help("string literals stand in double quotes");
                }
                self.diagnostics.push(diagnostic);
                return;
            }
            RawKind::Newline | RawKind::End => return,
        };
        self.emit(kind, &raw);
    }

    /// The message for the address, such as `0a:00:00:00:00:01`, that the text at `span` is part of.
    fn address_around(&self, span: Span) -> Option<Diagnostic> {
        let text = &self.sources.file(span.file)?.text;
        let (lo, hi) = address::around(text, span.lo as usize, span.hi as usize)?;
        let found = text.get(lo..hi)?;
        let whole = Span { lo: lo as u32, hi: hi as u32, ..span };
        Some(address::diagnostic(whole, found, &address::as_literal(found)?))
    }

    /// Whether the tokens belong to an annotation, which may hold anything.
    fn in_annotation(&self) -> bool {
        self.annotation_depth > 0 || self.pragma_line
    }

    /// Notes where the body of an annotation `@name( .. )` begins and ends.
    fn follow_annotation(&mut self, punct: Punct) {
        match punct {
            Punct::ParenOpen => {
                let begins = match self.tokens.as_slice() {
                    [.., at, name] => {
                        at.kind == TokenKind::Punct(Punct::At)
                            && matches!(name.kind, TokenKind::Identifier(_) | TokenKind::Keyword(_))
                    }
                    _ => false,
                };
                if begins || self.annotation_depth > 0 {
                    self.annotation_depth += 1;
                }
            }
            Punct::ParenClose => {
                self.annotation_depth = self.annotation_depth.saturating_sub(1);
            }
            _ => {}
        }
    }

    /// The next token from the files, directives obeyed and skipped groups left out. `Newline`
    /// stands at the end of each line and of each included file.
    fn next_raw(&mut self) -> RawToken {
        if let Some(token) = self.pushed_back.pop_front() {
            return token;
        }
        loop {
            if self.diagnostics.error_count() > MAX_ERRORS {
                self.stop();
            }
            let Some(file) = self.files.last_mut() else {
                return RawToken {
                    kind: RawKind::End,
                    span: Span::NONE,
                    space_before: false,
                    line_start: true,
                    no_expand: false,
                };
            };
            let skipping = file.conditionals.last().is_some_and(|c| !c.active);
            file.scanner.strings_end_with_line = skipping;
            file.scanner.discard = skipping;
            let token = file.scanner.next(&mut self.interner);
            match token.kind {
                RawKind::End => {
                    self.close_file();
                    return RawToken { kind: RawKind::Newline, ..token };
                }
                RawKind::Punct(Punct::Hash) if token.line_start => self.directive(token),
                _ if skipping => {}
                _ if std::mem::take(&mut file.scanner.string_interrupted) => {
                    return self.interrupted_string(token);
                }
                _ => return token,
            }
        }
    }

    /// Ends the innermost file.
    fn close_file(&mut self) {
        let Some(file) = self.files.pop() else { return };
        if let Some(span) = file.scanner.open_comment {
            self.diagnostics
                .push(Diagnostic::error(span, "comment is never closed").label("it begins here"));
        }
        for conditional in file.conditionals {
            self.diagnostics.push(
                Diagnostic::error(conditional.span, "conditional directive without '#endif'")
                    .label("it begins here"),
            );
        }
    }

    /// The remaining tokens of a directive's line.
    fn directive_line(&mut self) -> Vec<RawToken> {
        let mut line = Vec::new();
        let Some(file) = self.files.last_mut() else { return line };
        file.scanner.strings_end_with_line = true;
        loop {
            let token = file.scanner.next(&mut self.interner);
            if token.ends_line() {
                return line;
            }
            if line.len() >= MAX_TOKENS {
                self.limit_list(line.len() + 1, token.span);
                return Vec::new();
            }
            line.push(token);
        }
    }
}

#[cfg(test)]
mod tests;
