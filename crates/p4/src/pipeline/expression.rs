//! Expressions on scalars, without effects. Constructors fold constants and keep out operands
//! of no bits.

use super::arithmetic;
use super::fields::{Field, FieldId};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// Bits of its value.
    pub width: u32,
    /// Which.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// A pattern.
    Const(BigUint),
    /// A field.
    Field(FieldId),
    /// One operand, as wide as the result.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The second if the first, one bit, is 1; otherwise the third.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Bits from the given one upwards, as many as the expression is wide.
    Slice(Box<Expr>, u32),
    /// With zero bits in front.
    ZeroExtend(Box<Expr>),
    /// With copies of the sign bit in front.
    SignExtend(Box<Expr>),
    /// The element at the index, or zero if there is none.
    Index(Box<Expr>, Vec<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// All bits inverted; also `!`.
    Not,
    /// Two's complement.
    Negate,
}

/// Operators with two operands. Unless said otherwise both are as wide as the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient of unsigned numbers; zero if the divisor is.
    Div,
    /// Remainder of unsigned numbers; zero if the divisor is.
    Rem,
    /// Sum of unsigned numbers, at most 2^W - 1.
    SatAdd,
    /// Difference of unsigned numbers, at least 0.
    SatSub,
    /// Sum of signed numbers, clamped.
    SatAddSigned,
    /// Difference of signed numbers, clamped.
    SatSubSigned,
    /// Both; also `&&`.
    And,
    /// Either; also `||`.
    Or,
    /// Exclusive or.
    Xor,
    /// To the left; the amount has any width.
    Shl,
    /// To the right, zeros in front; the amount has any width.
    Shr,
    /// To the right, sign bits in front; the amount has any width.
    ShrSigned,
    /// Equal: one bit from operands of one width.
    Eq,
    /// Not equal: one bit.
    Ne,
    /// Unsigned less: one bit.
    Lt,
    /// Unsigned less or equal: one bit.
    Le,
    /// Signed less: one bit.
    LtSigned,
    /// Signed less or equal: one bit.
    LeSigned,
    /// The left operand's bits in front of the right one's; as wide as both together.
    Concat,
}

impl BinaryOp {
    /// Whether the result is one bit from two operands of one width.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::{Eq, Le, LeSigned, Lt, LtSigned, Ne};
        matches!(self, Eq | Ne | Lt | Le | LtSigned | LeSigned)
    }

    /// The comparison that holds where this one does not, and whether its operands are swapped.
    /// Operators that compare nothing stay as they are.
    fn opposite(self) -> (BinaryOp, bool) {
        match self {
            BinaryOp::Eq => (BinaryOp::Ne, false),
            BinaryOp::Ne => (BinaryOp::Eq, false),
            BinaryOp::Lt => (BinaryOp::Le, true),
            BinaryOp::Le => (BinaryOp::Lt, true),
            BinaryOp::LtSigned => (BinaryOp::LeSigned, true),
            BinaryOp::LeSigned => (BinaryOp::LtSigned, true),
            other => (other, false),
        }
    }

    /// Whether the right operand is an amount of any width.
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::ShrSigned)
    }
}

impl Expr {
    /// A constant; bits beyond the width are dropped.
    pub fn constant(width: u32, value: impl Into<BigUint>) -> Self {
        let value = arithmetic::truncate(&value.into(), width);
        Expr { width, kind: ExprKind::Const(value) }
    }

    /// Zero.
    pub fn zero(width: u32) -> Self {
        Expr { width, kind: ExprKind::Const(BigUint::zero()) }
    }

    /// One bit.
    pub fn bool(value: bool) -> Self {
        Expr::constant(1, u32::from(value))
    }

    /// A field; one without bits is a constant.
    pub fn field(id: FieldId, fields: &[Field]) -> Self {
        let width = fields.get(id.index()).map_or(0, |f| f.width);
        if width == 0 { Expr::zero(0) } else { Expr { width, kind: ExprKind::Field(id) } }
    }

    /// The pattern of a constant.
    pub fn as_const(&self) -> Option<&BigUint> {
        match &self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The field that this is.
    pub fn as_field(&self) -> Option<FieldId> {
        match self.kind {
            ExprKind::Field(id) => Some(id),
            _ => None,
        }
    }

    /// The truth value of a constant bit.
    pub fn as_bool(&self) -> Option<bool> {
        self.as_const().filter(|_| self.width == 1).map(|v| !v.is_zero())
    }

    fn is_zero(&self) -> bool {
        self.as_const().is_some_and(Zero::is_zero)
    }

    fn is_ones(&self) -> bool {
        self.as_const().is_some_and(|v| *v == arithmetic::ones(self.width))
    }

    /// One operand.
    pub fn unary(op: UnaryOp, operand: Expr) -> Self {
        let width = operand.width;
        match operand.kind {
            ExprKind::Const(value) => Expr::constant(width, arithmetic::unary(op, width, &value)),
            ExprKind::Unary(inner, original) if inner == op => *original,
            ExprKind::Binary(comparison, a, b)
                if op == UnaryOp::Not && comparison.is_comparison() =>
            {
                let (opposite, swapped) = comparison.opposite();
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                Expr { width, kind: ExprKind::Binary(opposite, a, b) }
            }
            kind => {
                let operand = Box::new(Expr { width, kind });
                Expr { width, kind: ExprKind::Unary(op, operand) }
            }
        }
    }

    /// All bits inverted: of one bit the opposite.
    pub fn inverted(self) -> Self {
        Expr::unary(UnaryOp::Not, self)
    }

    /// Both of two bits.
    pub fn and(self, other: Expr) -> Self {
        Expr::binary(BinaryOp::And, self, other)
    }

    /// Either of two bits.
    pub fn or(self, other: Expr) -> Self {
        Expr::binary(BinaryOp::Or, self, other)
    }

    /// Whether two values are equal.
    pub fn equals(self, other: Expr) -> Self {
        Expr::binary(BinaryOp::Eq, self, other)
    }

    /// Two operands of the widths that the operator demands.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Self {
        let width = match op {
            BinaryOp::Concat => a.width.saturating_add(b.width),
            _ if op.is_comparison() => 1,
            _ => a.width,
        };
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
            return Expr::constant(width, arithmetic::binary(op, a.width, x, y, b.width));
        }
        match op {
            _ if width == 0 => return Expr::zero(0),
            BinaryOp::Concat if a.width == 0 => return b,
            BinaryOp::Concat if b.width == 0 => return a,
            BinaryOp::And if a.is_zero() || b.is_ones() => return a,
            BinaryOp::And if b.is_zero() || a.is_ones() => return b,
            BinaryOp::Or if a.is_zero() || b.is_ones() => return b,
            BinaryOp::Or if b.is_zero() || a.is_ones() => return a,
            BinaryOp::Eq if a.width == 1 && b.is_ones() => return a,
            BinaryOp::Eq if a.width == 1 && b.is_zero() => return a.inverted(),
            BinaryOp::Ne if a.width == 1 && b.is_zero() => return a,
            BinaryOp::Ne if a.width == 1 && b.is_ones() => return a.inverted(),
            _ if op.is_shift() && b.is_zero() => return a,
            _ => {}
        }
        Expr { width, kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) }
    }

    /// One of two values of one width.
    pub fn select(condition: Expr, then: Expr, otherwise: Expr) -> Self {
        match condition.as_bool() {
            Some(true) => return then,
            Some(false) => return otherwise,
            None if then == otherwise => return then,
            None => {}
        }
        let width = then.width;
        if width == 1 && then.is_ones() && otherwise.is_zero() {
            return condition;
        }
        let kind = ExprKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise));
        Expr { width, kind }
    }

    /// `width` bits from bit `low` upwards; both lie within the operand.
    pub fn slice(self, low: u32, width: u32) -> Self {
        if width == self.width {
            return self;
        }
        if width == 0 {
            return Expr::zero(0);
        }
        match self.kind {
            ExprKind::Const(value) => Expr::constant(width, value >> low),
            ExprKind::Slice(inner, inner_low) => {
                Expr { width, kind: ExprKind::Slice(inner, inner_low.saturating_add(low)) }
            }
            kind => {
                let operand = Box::new(Expr { width: self.width, kind });
                Expr { width, kind: ExprKind::Slice(operand, low) }
            }
        }
    }

    /// To another width: zeros in front, or high bits dropped.
    pub fn resize(self, width: u32) -> Self {
        if width <= self.width {
            return self.slice(0, width);
        }
        match self.kind {
            ExprKind::Const(value) => Expr::constant(width, value),
            kind => {
                let operand = Box::new(Expr { width: self.width, kind });
                Expr { width, kind: ExprKind::ZeroExtend(operand) }
            }
        }
    }

    /// To another width: sign bits in front, or high bits dropped.
    pub fn resize_signed(self, width: u32) -> Self {
        if width <= self.width {
            return self.slice(0, width);
        }
        match self.kind {
            ExprKind::Const(value) => {
                let value = arithmetic::signed(&value, self.width);
                Expr::constant(width, arithmetic::pattern(&value, width))
            }
            kind => {
                let operand = Box::new(Expr { width: self.width, kind });
                Expr { width, kind: ExprKind::SignExtend(operand) }
            }
        }
    }

    /// The element at an index of several of one width; zero if there is none.
    pub fn index(index: Expr, width: u32, mut elements: Vec<Expr>) -> Self {
        if let Some(n) = index.as_const() {
            let n = n.to_usize().filter(|n| *n < elements.len());
            return n.map_or(Expr::zero(width), |n| elements.swap_remove(n));
        }
        if width == 0 || elements.iter().all(Expr::is_zero) {
            return Expr::zero(width);
        }
        Expr { width, kind: ExprKind::Index(Box::new(index), elements) }
    }

    /// The value with bits from `low` upwards replaced by `part`.
    pub fn with_slice(self, low: u32, part: Expr) -> Self {
        let above = low.saturating_add(part.width);
        let high = self.clone().slice(above.min(self.width), self.width.saturating_sub(above));
        let below = self.slice(0, low);
        Expr::binary(BinaryOp::Concat, Expr::binary(BinaryOp::Concat, high, part), below)
    }

    /// `1` in as many bits as the expression has.
    pub fn one(width: u32) -> Self {
        Expr::constant(width, BigUint::one())
    }

    /// Calls `visit` with every operand.
    pub fn for_each_operand<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Field(_) => {}
            ExprKind::Unary(_, a)
            | ExprKind::Slice(a, _)
            | ExprKind::ZeroExtend(a)
            | ExprKind::SignExtend(a) => visit(a),
            ExprKind::Binary(_, a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::Select(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            ExprKind::Index(index, elements) => {
                visit(index);
                elements.iter().for_each(visit);
            }
        }
    }

    /// Calls `visit` with every field that is read, once per use.
    pub fn for_each_field(&self, visit: &mut dyn FnMut(FieldId)) {
        if let ExprKind::Field(id) = self.kind {
            visit(id);
        }
        self.for_each_operand(&mut |operand| operand.for_each_field(visit));
    }

    /// Whether the value is only moved: no gates but wires.
    pub fn is_wiring(&self) -> bool {
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Field(_) => true,
            ExprKind::Slice(a, _) | ExprKind::ZeroExtend(a) | ExprKind::SignExtend(a) => {
                a.is_wiring()
            }
            ExprKind::Binary(BinaryOp::Concat, a, b) => a.is_wiring() && b.is_wiring(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(n: u32, width: u32) -> Expr {
        Expr { width, kind: ExprKind::Field(FieldId(n)) }
    }

    #[test]
    fn constants_fold() {
        let sum = Expr::binary(BinaryOp::Add, Expr::constant(8, 200u32), Expr::constant(8, 100u32));
        assert_eq!(sum, Expr::constant(8, 44u32));
        assert_eq!(Expr::constant(4, 0xdu32).resize_signed(8), Expr::constant(8, 0xfdu32));
        assert_eq!(field(0, 1).and(Expr::bool(true)), field(0, 1));
        assert_eq!(field(0, 1).and(Expr::bool(false)), Expr::bool(false));
        assert_eq!(field(0, 1).inverted().inverted(), field(0, 1));
        let less = Expr::binary(BinaryOp::Lt, field(0, 8), field(1, 8));
        let at_least = Expr::binary(BinaryOp::Le, field(1, 8), field(0, 8));
        assert_eq!(less.inverted(), at_least);
        assert_eq!(Expr::index(Expr::constant(8, 7u32), 4, vec![field(0, 4)]), Expr::zero(4));
        assert_eq!(field(0, 16).slice(4, 8).slice(2, 3), field(0, 16).slice(6, 3));
    }

    #[test]
    fn a_slice_is_replaced() {
        // 0xabcd with bits 11 to 4 cleared.
        let value = Expr::constant(16, 0xabcdu32).with_slice(4, Expr::zero(8));
        assert_eq!(value, Expr::constant(16, 0xa00du32));
        assert_eq!(field(0, 8).with_slice(0, field(1, 8)), field(1, 8));
        let low = field(0, 8).with_slice(0, field(1, 3));
        assert_eq!(low, Expr::binary(BinaryOp::Concat, field(0, 8).slice(3, 5), field(1, 3)));
    }
}
