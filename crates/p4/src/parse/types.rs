//! Types (§7): `typeRef`, type arguments and type parameters.

use super::scope::Meaning;
use super::{Abandoned, Parse, Parser};
use crate::ast::{Expression, Ident, Path, TypeExpr, TypeExprKind};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// Whether the token there is a reserved word that begins a type.
    pub(super) fn is_type_keyword_at(&self, ahead: usize) -> bool {
        use Keyword::*;
        let TokenKind::Keyword(keyword) = self.peek_at(ahead) else { return false };
        matches!(keyword, Bool | Bit | Int | Varbit | String | MatchKind | Error | Void | Tuple)
            || (*keyword == List && self.is_at(ahead + 1, Punct::Lt))
    }

    /// If a type's name, perhaps with a leading dot, stands there: how many tokens it has.
    pub(super) fn type_name_at(&self, ahead: usize) -> Option<usize> {
        let dot = usize::from(self.is_at(ahead, Punct::Dot));
        let name = self.name_at(ahead + dot)?;
        let meaning = match dot {
            0 => self.scopes.meaning(name),
            _ => self.scopes.top_level_meaning(name),
        };
        (meaning == Some(Meaning::Type)).then_some(1 + dot)
    }

    /// Reads types, and says how deep the deepest expression within them is.
    pub(super) fn with_type_depth<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<(T, u32)> {
        let outer = std::mem::take(&mut self.type_depth);
        let result = read(self);
        let depth = std::mem::replace(&mut self.type_depth, outer);
        Ok((result?, depth))
    }

    /// An expression that is part of a type.
    fn expression_of_type(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parse<Expression>,
    ) -> Parse<Expression> {
        let expression = read(self)?;
        self.type_depth = self.type_depth.max(self.depth);
        Ok(expression)
    }

    /// A type in a place where `void` is none.
    pub(super) fn type_ref(&mut self) -> Parse<TypeExpr> {
        let ty = self.type_or_void()?;
        if matches!(ty.kind, TypeExprKind::Void) {
            let message = "'void' is only the return type of functions and a type argument";
            self.complain(Diagnostic::error(ty.span, message).label("not a type of values"));
        }
        Ok(ty)
    }

    /// `typeOrVoid`.
    pub(super) fn type_or_void(&mut self) -> Parse<TypeExpr> {
        self.nested(|p| {
            let start = p.span();
            let kind = p.type_without_size()?;
            let mut ty = TypeExpr { kind, span: p.since(start) };
            let mut sizes = 0;
            while p.is(Punct::BracketOpen) {
                p.bump();
                let size = Box::new(p.expression_of_type(Self::expression)?);
                p.expect(Punct::BracketClose, "behind the size of a header stack")?;
                sizes += 1;
                if sizes > super::MAX_NESTING {
                    p.give_up(Diagnostic::error(p.span(), "too many sizes in one type"));
                    return Err(Abandoned);
                }
                let kind = TypeExprKind::Stack { element: Box::new(ty), size };
                ty = TypeExpr { kind, span: p.since(start) };
            }
            Ok(ty)
        })
    }

    fn type_without_size(&mut self) -> Parse<TypeExprKind> {
        let TokenKind::Keyword(keyword) = self.peek() else { return self.named_type() };
        let keyword = *keyword;
        let simple = match keyword {
            Keyword::Bool => TypeExprKind::Bool,
            Keyword::Error => TypeExprKind::Error,
            Keyword::MatchKind => TypeExprKind::MatchKind,
            Keyword::String => TypeExprKind::String,
            Keyword::Void => TypeExprKind::Void,
            Keyword::Bit => {
                self.bump();
                return Ok(TypeExprKind::Bit(self.optional_width("bit")?));
            }
            Keyword::Int => {
                self.bump();
                return Ok(match self.optional_width("int")? {
                    Some(width) => TypeExprKind::Signed(width),
                    None => TypeExprKind::Int,
                });
            }
            Keyword::Varbit => {
                self.bump();
                if !self.is(Punct::Lt) {
                    let behind = "and the largest width behind 'varbit'";
                    return self.expect(Punct::Lt, behind).map(|_| TypeExprKind::Void);
                }
                return match self.optional_width("varbit")? {
                    Some(width) => Ok(TypeExprKind::Varbit(width)),
                    None => Err(Abandoned),
                };
            }
            Keyword::Tuple => {
                self.bump();
                self.expect(Punct::Lt, "behind 'tuple'")?;
                return Ok(TypeExprKind::Tuple(self.type_arguments()?));
            }
            Keyword::List => {
                self.bump();
                self.expect(Punct::Lt, "behind 'list'")?;
                let element = self.type_argument()?;
                self.closing_angle("behind the element type of 'list'")?;
                return Ok(TypeExprKind::List(Box::new(element)));
            }
            _ => return self.named_type(),
        };
        self.bump();
        Ok(simple)
    }

    fn named_type(&mut self) -> Parse<TypeExprKind> {
        let absolute = self.eat(Punct::Dot);
        if !self.is_name_at(0) {
            return Err(self.expected("a type"));
        }
        let name = self.name("a type")?;
        let arguments = if self.eat(Punct::Lt) { self.type_arguments()? } else { Vec::new() };
        Ok(TypeExprKind::Named { path: Path { absolute, name }, arguments })
    }

    /// `<8>` or `<(expression)>` behind `bit`, `int` or `varbit`.
    fn optional_width(&mut self, ty: &str) -> Parse<Option<Box<Expression>>> {
        if !self.is(Punct::Lt) {
            return Ok(None);
        }
        self.bump();
        let start = self.span();
        let width = match self.peek() {
            TokenKind::Number(_) | TokenKind::Punct(Punct::ParenOpen) => {
                let parenthesized = self.is(Punct::ParenOpen);
                let width = self.expression_of_type(Self::width_operand)?;
                // `bit<(W) + 1>` lacks the parentheses around the whole.
                if !self.is_closing_angle() {
                    let what = if parenthesized { "parentheses" } else { "the width" };
                    let behind = format!("behind {what} in '{ty}<...>'");
                    return self.closing_angle(&behind).map(|_| None);
                }
                width
            }
            TokenKind::Identifier(name) => {
                let diagnostic = self.name_as_width(ty, name, start);
                self.report(diagnostic);
                self.expression_of_type(Self::width_operand)?
            }
            _ => return Err(self.expected("a number or a parenthesised expression as the width")),
        };
        self.closing_angle("behind the width")?;
        Ok(Some(Box::new(width)))
    }

    /// Type arguments behind `<`, up to and with `>`.
    pub(super) fn type_arguments(&mut self) -> Parse<Vec<TypeExpr>> {
        self.list(Punct::Gt, false, "a list of type arguments", Self::type_argument)
    }

    /// `typeArg`: a type, `void` or `_`.
    fn type_argument(&mut self) -> Parse<TypeExpr> {
        if self.is(Punct::DontCare) {
            let span = self.bump();
            return Ok(TypeExpr { kind: TypeExprKind::DontCare, span });
        }
        self.type_or_void()
    }

    /// `optTypeParameters`. The names are declared as types in the innermost scope.
    pub(super) fn type_parameters(&mut self) -> Parse<Vec<Ident>> {
        if !self.is(Punct::Lt) {
            return Ok(Vec::new());
        }
        let open = self.bump();
        let names = self.list(Punct::Gt, false, "a list of type parameters", |p| {
            p.name("the name of a type parameter")
        })?;
        if names.is_empty() {
            let span = self.since(open);
            self.complain(Diagnostic::error(span, "expected at least one type parameter"));
        }
        for name in &names {
            self.scopes.declare(&name.name, Meaning::Type);
        }
        Ok(names)
    }
}
