//! The parser: tokens to the abstract syntax tree, by recursive descent over the grammar of
//! P4_16 1.2.5 (Appendix H).
//!
//! Like the grammar's own lexer it knows which names are types, because `(a) - b` is a cast if
//! `a` is one. An error ends the smallest construct that can be left out; the rest is still read.

mod annotations;
mod cursor;
mod declarations;
mod expressions;
mod externs;
mod keysets;
mod loops;
mod mistakes;
mod parsers;
mod scope;
mod statements;
mod tables;
mod types;

use crate::ast::Program;
use crate::diagnostic::Diagnostics;
use crate::lexer::{Token, TokenKind};
use crate::source::Span;
use cursor::Cursor;
use scope::Scopes;

/// Deepest nesting of expressions, statements and types within one another.
pub const MAX_NESTING: usize = 256;

/// Deepest tree that one expression may become; a chain `a + b + c` counts an operator a level.
pub const MAX_DEPTH: u32 = 3000;

/// Most `else if` in a row, together with those around the row.
pub const MAX_ELSE_IFS: usize = 3000;

/// Something could not be read, was reported, and is left out.
#[derive(Debug)]
struct Abandoned;

type Parse<T> = Result<T, Abandoned>;

/// Parses a whole program. Errors go to `diagnostics`; what could be read comes back.
pub fn parse(tokens: &[Token], diagnostics: &mut Diagnostics) -> Program {
    let end = Token {
        kind: TokenKind::End,
        span: tokens.last().map_or(Span::NONE, |t| t.span),
        line_start: true,
    };
    let mut parser = Parser {
        cursor: Cursor::new(tokens, end),
        diagnostics,
        scopes: Scopes::new(),
        nesting: 0,
        depth: 0,
        type_depth: 0,
        else_ifs: 0,
        failed_at: None,
        gave_up: false,
    };
    parser.program()
}

/// The state of one run.
struct Parser<'a> {
    cursor: Cursor<'a>,
    diagnostics: &'a mut Diagnostics,
    scopes: Scopes,
    /// Constructs that are open around the current token.
    nesting: usize,
    /// Depth of the tree of the expression that was read last.
    depth: u32,
    /// Depth of the deepest expression within the type that is being read.
    type_depth: u32,
    /// `else if`s around the current token.
    else_ifs: usize,
    /// Position of the last error: one message for one token.
    failed_at: Option<usize>,
    /// The limit of nesting was met: nothing is read or reported any more.
    gave_up: bool,
}

#[cfg(test)]
mod tests;
