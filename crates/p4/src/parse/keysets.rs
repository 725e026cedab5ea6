//! Keysets (§13.6): what `select` cases and table entries match.

use super::{Parse, Parser};
use crate::ast::{Expression, ExpressionKind};
use crate::lexer::{Keyword, Punct};
use crate::source::Span;

impl Parser<'_> {
    /// `keysetExpression`: one element, or the elements of a tuple `(a, b)`.
    pub(super) fn keyset(&mut self) -> Parse<Vec<Expression>> {
        if !self.is(Punct::ParenOpen) {
            return Ok(vec![self.keyset_element()?]);
        }
        let start = self.bump();
        if self.cast_type_follows() {
            return self.keyset_after_cast(start);
        }
        let first = self.keyset_element()?;
        if self.is(Punct::Comma) {
            self.bump();
            let mut elements = vec![first];
            elements.extend(self.list(
                Punct::ParenClose,
                false,
                "a tuple of keysets",
                Self::keyset_element,
            )?);
            return Ok(elements);
        }
        match first.kind {
            // A tuple of one, which has to look different from an expression in parentheses.
            ExpressionKind::Mask(..)
            | ExpressionKind::Range(..)
            | ExpressionKind::Default
            | ExpressionKind::DontCare => {
                self.expect(Punct::ParenClose, "behind the keyset")?;
                Ok(vec![first])
            }
            // `(a) + b`: the parenthesis was only the start of the element.
            _ => {
                let operand = self.close_parenthesis(start, first)?;
                let element = self.expression_from(operand)?;
                Ok(vec![self.mask_or_range(element)?])
            }
        }
    }

    /// Behind `(` where a type follows: `(T) e`, `(T<A>(..), b)` or `((T) e, b)` cannot be told
    /// apart by one token, but the first begins with a cast in any case.
    fn keyset_after_cast(&mut self, start: Span) -> Parse<Vec<Expression>> {
        let operand = self.parenthesized_from(start)?;
        let element = self.expression_from(operand)?;
        Ok(vec![self.mask_or_range(element)?])
    }

    /// `simpleKeysetExpression`.
    fn keyset_element(&mut self) -> Parse<Expression> {
        if self.is_keyword(Keyword::Default) {
            return Ok(Expression { kind: ExpressionKind::Default, span: self.bump() });
        }
        if self.is(Punct::DontCare) {
            return Ok(Expression { kind: ExpressionKind::DontCare, span: self.bump() });
        }
        let first = self.expression()?;
        self.mask_or_range(first)
    }

    /// `&&& mask` or `.. end` behind an expression.
    fn mask_or_range(&mut self, first: Expression) -> Parse<Expression> {
        let is_mask = self.is(Punct::Mask);
        if !is_mask && !self.is(Punct::Range) {
            return Ok(first);
        }
        self.bump();
        let second = self.expression()?;
        let span = first.span.to(second.span);
        let (first, second) = (Box::new(first), Box::new(second));
        let kind = match is_mask {
            true => ExpressionKind::Mask(first, second),
            false => ExpressionKind::Range(first, second),
        };
        Ok(Expression { kind, span })
    }

    /// `e` or `a .. b`, what a `for` loop runs over.
    pub(super) fn collection(&mut self) -> Parse<Expression> {
        let first = self.expression()?;
        match self.is(Punct::Range) {
            true => self.mask_or_range(first),
            false => Ok(first),
        }
    }
}
