//! Expressions (§8), by precedence climbing.

use super::{Abandoned, MAX_DEPTH, Parse, Parser};
use crate::ast::{
    Argument, BinaryOp, Expression, ExpressionKind, Ident, Path, TypeExpr, TypeExprKind, UnaryOp,
};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct, TokenKind};
use crate::source::Span;
use num_bigint::BigInt;

/// How a `<` behind an operand is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Angle {
    /// As a comparison unless a type follows (`realTypeArgumentList`).
    Comparison,
    /// As the start of type arguments: the target of a statement is never compared.
    TypeArguments,
}

impl Parser<'_> {
    /// An expression.
    pub(super) fn expression(&mut self) -> Parse<Expression> {
        self.nested(|p| {
            let left = p.unary()?;
            p.expression_from(left)
        })
    }

    /// The rest of an expression whose first operand was read.
    pub(super) fn expression_from(&mut self, first: Expression) -> Parse<Expression> {
        let condition = self.binary_from(first, 0)?;
        if !self.eat(Punct::Question) {
            return Ok(condition);
        }
        let mut depth = self.depth;
        let then = self.expression()?;
        depth = depth.max(self.depth);
        self.expect(Punct::Colon, "between the values of '? :'")?;
        let otherwise = self.expression()?;
        depth = depth.max(self.depth);
        let span = condition.span.to(otherwise.span);
        let kind =
            ExpressionKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        self.node(kind, span, depth)
    }

    /// A node whose deepest operand has depth `below`.
    fn node(&mut self, kind: ExpressionKind, span: Span, below: u32) -> Parse<Expression> {
        self.depth = below + 1;
        if self.depth > MAX_DEPTH {
            let message = format!("expression has more than {MAX_DEPTH} operators in a row");
            self.give_up(Diagnostic::error(self.span(), message).label("one too many"));
            return Err(Abandoned);
        }
        Ok(Expression { kind, span })
    }

    /// Binary operators of at least the precedence `lowest` behind `left`.
    fn binary_from(&mut self, mut left: Expression, lowest: u8) -> Parse<Expression> {
        let mut depth = self.depth;
        while let TokenKind::Punct(punct) = self.peek() {
            let Some((op, precedence)) = binary_operator(*punct) else { break };
            // `+:` is the middle of a slice `[L+:W]`.
            if precedence < lowest || (op == BinaryOp::Add && self.is_at(1, Punct::Colon)) {
                break;
            }
            self.bump();
            let operand = self.unary()?;
            let right = self.binary_from(operand, precedence + 1)?;
            depth = depth.max(self.depth);
            let span = left.span.to(right.span);
            left = self.node(
                ExpressionKind::Binary(op, Box::new(left), Box::new(right)),
                span,
                depth,
            )?;
            depth = self.depth;
        }
        self.depth = depth;
        Ok(left)
    }

    /// Prefix operators and casts, then an operand with what is attached to it.
    fn unary(&mut self) -> Parse<Expression> {
        let op = match self.peek() {
            TokenKind::Punct(Punct::Minus) => UnaryOp::Negate,
            TokenKind::Punct(Punct::Plus) => UnaryOp::Plus,
            TokenKind::Punct(Punct::Not) => UnaryOp::Not,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::Complement,
            TokenKind::Punct(Punct::ParenOpen) => return self.parenthesized(),
            _ => {
                let base = self.primary()?;
                return self.postfix(base, Angle::Comparison);
            }
        };
        let start = self.bump();
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        self.node(ExpressionKind::Unary(op, Box::new(operand)), span, self.depth)
    }

    /// `(e)` with what is attached to it, or `(T) e`.
    fn parenthesized(&mut self) -> Parse<Expression> {
        let start = self.bump();
        self.parenthesized_from(start)
    }

    /// The same behind the `(`, which stands at `start`.
    pub(super) fn parenthesized_from(&mut self, start: Span) -> Parse<Expression> {
        if self.cast_type_follows() {
            let (ty, depth) = self.with_type_depth(Self::type_ref)?;
            if self.is(Punct::ParenClose) {
                self.bump();
                return self.cast_operand(start, ty, depth);
            }
            // `(T<A>(x))` or `(T<A>.m)`: the type began an expression.
            let TypeExprKind::Named { path, arguments } = ty.kind else {
                return Err(self.expected("')' behind the type of a cast"));
            };
            let inner = self.nested(|p| {
                let base = p.specialized(path, arguments, ty.span, depth)?;
                let base = p.postfix(base, Angle::Comparison)?;
                p.expression_from(base)
            })?;
            return self.close_parenthesis(start, inner);
        }
        let inner = self.expression()?;
        self.close_parenthesis(start, inner)
    }

    /// Behind the contents of a parenthesis.
    pub(super) fn close_parenthesis(
        &mut self,
        start: Span,
        inner: Expression,
    ) -> Parse<Expression> {
        self.close_condition("behind the parenthesised expression")?;
        let unknown_type = match &inner.kind {
            ExpressionKind::Name(path) => self.scopes.meaning(&path.name.name).is_none(),
            _ => false,
        };
        if unknown_type && self.operand_follows() {
            // Only a cast has an operand here: the name is a type that was never declared.
            if let ExpressionKind::Name(path) = inner.kind {
                let kind = TypeExprKind::Named { path, arguments: Vec::new() };
                return self.cast_operand(start, TypeExpr { kind, span: inner.span }, 0);
            }
            return Err(Abandoned);
        }
        let inner = Expression { span: self.since(start), ..inner };
        self.postfix(inner, Angle::Comparison)
    }

    /// The operand of a cast to `ty`, in which expressions are `below` deep.
    fn cast_operand(&mut self, start: Span, ty: TypeExpr, below: u32) -> Parse<Expression> {
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        let kind = ExpressionKind::Cast(Box::new(ty), Box::new(operand));
        self.node(kind, span, self.depth.max(below))
    }

    /// Whether a type follows that is not the start of an expression such as `T.member` or
    /// `T(..)`.
    pub(super) fn cast_type_follows(&self) -> bool {
        if self.is_keyword(Keyword::Error) {
            return !self.is_at(1, Punct::Dot);
        }
        if self.is_type_keyword_at(0) {
            return true;
        }
        match self.type_name_at(0) {
            Some(length) => {
                !self.is_at(length, Punct::Dot) && !self.is_at(length, Punct::ParenOpen)
            }
            None => false,
        }
    }

    /// Whether the current token can only be the start of an operand.
    fn operand_follows(&self) -> bool {
        match self.peek() {
            TokenKind::Identifier(_) | TokenKind::Number(_) | TokenKind::String(_) => true,
            TokenKind::Keyword(k) => matches!(k, Keyword::True | Keyword::False | Keyword::This),
            _ => false,
        }
    }

    /// An operand without prefix and without anything attached.
    fn primary(&mut self) -> Parse<Expression> {
        let start = self.span();
        self.depth = 1;
        let kind = match self.peek() {
            TokenKind::Number(number) => {
                ExpressionKind::Number { value: number.value.clone(), width: number.width }
            }
            TokenKind::String(text) => ExpressionKind::String(text.clone()),
            TokenKind::Keyword(Keyword::True) => ExpressionKind::Bool(true),
            TokenKind::Keyword(Keyword::False) => ExpressionKind::Bool(false),
            TokenKind::Keyword(Keyword::This) => ExpressionKind::This,
            TokenKind::Punct(Punct::Dots) => ExpressionKind::Defaults,
            TokenKind::Punct(Punct::InvalidHeader) => ExpressionKind::Invalid,
            TokenKind::Punct(Punct::BraceOpen) => return self.nested(Self::brace_expression),
            TokenKind::Punct(Punct::Dot) => return self.name_expression(),
            TokenKind::Keyword(Keyword::Error) if self.is_at(1, Punct::Dot) => {
                let ty = TypeExpr { kind: TypeExprKind::Error, span: start };
                ExpressionKind::Type(Box::new(ty))
            }
            _ if self.is_name_at(0) => return self.name_expression(),
            _ if self.is_type_keyword_at(0) => {
                let message = format!("expected an expression, found type {}", self.describe());
                let help = "a cast needs parentheses around the type: (bit<8>) x";
                self.report(Diagnostic::error(start, message).help(help));
                return Err(Abandoned);
            }
            TokenKind::Punct(Punct::DontCare) => {
                let message = "expected an expression, found '_'";
                let help = "'_' stands for any value in keysets and for an ignored out argument";
                self.report(Diagnostic::error(start, message).help(help));
                return Err(Abandoned);
            }
            _ => return Err(self.expected_operand()),
        };
        self.bump();
        Ok(Expression { kind, span: start })
    }

    /// `x`, `.x`, or `T<A>(..)` and `T<A>.m` with a type.
    fn name_expression(&mut self) -> Parse<Expression> {
        let start = self.span();
        let is_type = self.type_name_at(0).is_some();
        let absolute = self.eat(Punct::Dot);
        let name = self.name("a name")?;
        self.depth = 1;
        let path = Path { absolute, name };
        if is_type && self.eat(Punct::Lt) {
            let (arguments, depth) = self.with_type_depth(Self::type_arguments)?;
            let span = self.since(start);
            return self.specialized(path, arguments, span, depth);
        }
        Ok(Expression { kind: ExpressionKind::Name(path), span: self.since(start) })
    }

    /// Behind `T<A>` in an expression, in which expressions are `below` deep: a constructor call or
    /// a member has to follow.
    fn specialized(
        &mut self,
        path: Path,
        type_arguments: Vec<TypeExpr>,
        span: Span,
        below: u32,
    ) -> Parse<Expression> {
        self.depth = below + 1;
        if self.is(Punct::ParenOpen) {
            let callee = Expression { kind: ExpressionKind::Name(path), span };
            return self.call(callee, type_arguments);
        }
        if !self.is(Punct::Dot) {
            return Err(self.expected("'(' or '.' behind a type"));
        }
        let kind = match type_arguments.is_empty() {
            true => ExpressionKind::Name(path),
            false => {
                let kind = TypeExprKind::Named { path, arguments: type_arguments };
                ExpressionKind::Type(Box::new(TypeExpr { kind, span }))
            }
        };
        Ok(Expression { kind, span })
    }

    /// Members, indices, slices and calls attached to an operand.
    pub(super) fn postfix(&mut self, mut base: Expression, angle: Angle) -> Parse<Expression> {
        loop {
            base = match self.peek() {
                TokenKind::Punct(Punct::Dot) => {
                    self.bump();
                    let depth = self.depth;
                    let member = self.name("the name of a member")?;
                    let span = base.span.to(member.span);
                    self.node(ExpressionKind::Member(Box::new(base), member), span, depth)?
                }
                TokenKind::Punct(Punct::BracketOpen) => self.subscript(base)?,
                TokenKind::Punct(Punct::ParenOpen) => self.call(base, Vec::new())?,
                TokenKind::Punct(Punct::Lt)
                    if angle == Angle::TypeArguments || self.type_argument_follows() =>
                {
                    let depth = self.depth;
                    self.bump();
                    let (type_arguments, below) = self.with_type_depth(Self::type_arguments)?;
                    self.depth = depth.max(below);
                    if !self.is(Punct::ParenOpen) {
                        return Err(self.expected("'(' behind the type arguments of a call"));
                    }
                    self.call(base, type_arguments)?
                }
                _ => return Ok(base),
            };
        }
    }

    /// Whether what follows the current `<` is a type, so that it opens type arguments.
    fn type_argument_follows(&self) -> bool {
        if self.is_at(1, Punct::DontCare) || self.is_at(1, Punct::Gt) {
            return true;
        }
        if self.is_keyword_at(1, Keyword::Error) {
            return !self.is_at(2, Punct::Dot);
        }
        if self.is_type_keyword_at(1) {
            return true;
        }
        match self.type_name_at(1) {
            Some(length) => {
                let behind = 1 + length;
                !self.is_at(behind, Punct::Dot) && !self.is_at(behind, Punct::ParenOpen)
            }
            None => false,
        }
    }

    fn subscript(&mut self, base: Expression) -> Parse<Expression> {
        let mut depth = self.depth;
        self.bump();
        let first = self.expression()?;
        depth = depth.max(self.depth);
        if self.is(Punct::Plus) && self.is_at(1, Punct::Colon) {
            self.bump();
            self.bump();
            let width = self.expression()?;
            depth = depth.max(self.depth);
            let close = self.expect(Punct::BracketClose, "behind the width of a slice")?;
            let span = base.span.to(close);
            let high = Box::new(highest_bit(&first, width));
            let kind = ExpressionKind::Slice(Box::new(base), high, Box::new(first));
            return self.node(kind, span, depth + 3);
        }
        if self.eat(Punct::Colon) {
            let low = self.expression()?;
            depth = depth.max(self.depth);
            let close = self.expect(Punct::BracketClose, "behind the bounds of a slice")?;
            let span = base.span.to(close);
            let kind = ExpressionKind::Slice(Box::new(base), Box::new(first), Box::new(low));
            return self.node(kind, span, depth);
        }
        let close = self.expect(Punct::BracketClose, "behind the index")?;
        let span = base.span.to(close);
        self.node(ExpressionKind::Index(Box::new(base), Box::new(first)), span, depth)
    }

    /// A call of `callee`; the current token is `(`.
    fn call(&mut self, callee: Expression, type_arguments: Vec<TypeExpr>) -> Parse<Expression> {
        let below = self.depth;
        let (arguments, depth) = self.arguments()?;
        let span = self.since(callee.span);
        let callee = Box::new(callee);
        let kind = ExpressionKind::Call { callee, type_arguments, arguments };
        self.node(kind, span, below.max(depth))
    }

    /// `( argumentList )`, and the depth of the deepest argument.
    pub(super) fn arguments(&mut self) -> Parse<(Vec<Argument>, u32)> {
        let mut depth = 0;
        self.expect(Punct::ParenOpen, "before the arguments")?;
        let arguments = self.list(Punct::ParenClose, false, "a list of arguments", |p| {
            let start = p.span();
            let name = match (p.is_name_or_list(), p.is_at(1, Punct::Assign)) {
                (true, true) => {
                    let name = p.name("the name of a parameter")?;
                    p.bump();
                    Some(name)
                }
                _ => None,
            };
            let value = if p.is(Punct::DontCare) {
                Expression { kind: ExpressionKind::DontCare, span: p.bump() }
            } else {
                p.expression()?
            };
            depth = depth.max(p.depth);
            Ok(Argument { name, value, span: p.since(start) })
        })?;
        Ok((arguments, depth))
    }

    /// Whether a `name`, which `list` may be too, stands here.
    fn is_name_or_list(&self) -> bool {
        self.is_name_at(0) || self.is_keyword(Keyword::List)
    }

    /// `{ a, b }`, `{ x = a, y = b }`, either with `...` at the end.
    fn brace_expression(&mut self) -> Parse<Expression> {
        let start = self.bump();
        let mut depth = 0;
        let kind = if self.is_name_or_list() && self.is_at(1, Punct::Assign) {
            let mut fields: Vec<(Ident, Expression)> = Vec::new();
            let mut dots = None;
            self.list(Punct::BraceClose, true, "a structure expression", |p| {
                if let Some(span) = dots {
                    let message = "'...' has to be the last element";
                    p.complain(Diagnostic::error(span, message));
                }
                if p.is(Punct::Dots) {
                    dots = Some(p.bump());
                    return Ok(());
                }
                let name = p.name("the name of a field")?;
                p.expect(Punct::Assign, "behind the name of a field")?;
                let value = p.expression()?;
                depth = depth.max(p.depth);
                fields.push((name, value));
                Ok(())
            })?;
            ExpressionKind::Record { fields, defaults: dots.is_some() }
        } else {
            let mut elements = self.list(Punct::BraceClose, true, "a list expression", |p| {
                let element = p.expression()?;
                depth = depth.max(p.depth);
                Ok(element)
            })?;
            let defaults =
                matches!(elements.last().map(|e| &e.kind), Some(ExpressionKind::Defaults));
            if defaults {
                elements.pop();
            }
            ExpressionKind::List { elements, defaults }
        };
        let span = self.since(start);
        self.node(kind, span, depth)
    }

    /// A number or `( expression )`, with nothing attached: a width or a priority.
    pub(super) fn width_operand(&mut self) -> Parse<Expression> {
        if !self.is(Punct::ParenOpen) {
            return self.primary();
        }
        let start = self.bump();
        let inner = self.expression()?;
        self.expect(Punct::ParenClose, "behind the parenthesised expression")?;
        Ok(Expression { span: self.since(start), ..inner })
    }

    /// What a statement begins with: an l-value or a call, where `<` opens type arguments.
    pub(super) fn target(&mut self) -> Parse<Expression> {
        let base = if self.is(Punct::ParenOpen) {
            let start = self.bump();
            let inner = self.nested(Self::target)?;
            self.expect(Punct::ParenClose, "behind the parenthesised l-value")?;
            Expression { span: self.since(start), ..inner }
        } else {
            self.primary()?
        };
        self.postfix(base, Angle::TypeArguments)
    }
}

/// The upper bound of a slice `[low+:width]`: `low + width - 1`, without loss on small types.
fn highest_bit(low: &Expression, width: Expression) -> Expression {
    let span = low.span.to(width.span);
    let make = |kind| Expression { kind, span };
    let unbounded = |e: Expression| match e.kind {
        ExpressionKind::Number { width: None, .. } => e,
        _ => {
            let ty = TypeExpr { kind: TypeExprKind::Int, span: e.span };
            Expression { span: e.span, kind: ExpressionKind::Cast(Box::new(ty), Box::new(e)) }
        }
    };
    let (low, width) = (unbounded(low.clone()), unbounded(width));
    if let (ExpressionKind::Number { value: low, .. }, ExpressionKind::Number { value: width, .. }) =
        (&low.kind, &width.kind)
        && low + width >= BigInt::from(1)
    {
        return make(ExpressionKind::Number { value: low + width - 1, width: None });
    }
    let sum = make(ExpressionKind::Binary(BinaryOp::Add, Box::new(low), Box::new(width)));
    let one = make(ExpressionKind::Number { value: 1.into(), width: None });
    make(ExpressionKind::Binary(BinaryOp::Sub, Box::new(sum), Box::new(one)))
}

/// Operators and how tightly they bind, from 0. Unlike in C, `&`, `^` and `|` bind more tightly
/// than comparisons.
pub(crate) fn binary_operator(punct: Punct) -> Option<(BinaryOp, u8)> {
    Some(match punct {
        Punct::LogicalOr => (BinaryOp::LogicalOr, 0),
        Punct::LogicalAnd => (BinaryOp::LogicalAnd, 1),
        Punct::Eq => (BinaryOp::Eq, 2),
        Punct::Ne => (BinaryOp::Ne, 2),
        Punct::Lt => (BinaryOp::Lt, 3),
        Punct::Gt => (BinaryOp::Gt, 3),
        Punct::Le => (BinaryOp::Le, 3),
        Punct::Ge => (BinaryOp::Ge, 3),
        Punct::Or => (BinaryOp::Or, 4),
        Punct::Xor => (BinaryOp::Xor, 5),
        Punct::And => (BinaryOp::And, 6),
        Punct::Shl => (BinaryOp::Shl, 7),
        Punct::Shr => (BinaryOp::Shr, 7),
        Punct::Concat => (BinaryOp::Concat, 8),
        Punct::Plus => (BinaryOp::Add, 8),
        Punct::Minus => (BinaryOp::Sub, 8),
        Punct::SatPlus => (BinaryOp::SatAdd, 8),
        Punct::SatMinus => (BinaryOp::SatSub, 8),
        Punct::Star => (BinaryOp::Mul, 9),
        Punct::Slash => (BinaryOp::Div, 9),
        Punct::Percent => (BinaryOp::Mod, 9),
        _ => return None,
    })
}
