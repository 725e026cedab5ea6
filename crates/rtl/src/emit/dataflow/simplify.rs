//! Simpler values that equal the result of a binary operator: neutral and absorbing operands, opposites, constants.

use super::graph::{Graph, Operation, ValueId, ones};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use ww_p4::pipeline::{BinaryOp, UnaryOp};

impl Graph {
    /// Whether one bit is certainly the opposite of the other.
    fn opposite(&self, a: ValueId, b: ValueId) -> bool {
        let not = Operation::Unary(UnaryOp::Not);
        self.operands(a, not).is_some_and(|o| o[0] == b)
            || self.operands(b, not).is_some_and(|o| o[0] == a)
    }

    /// A simpler value that equals the result of an operator, if there is one.
    pub(super) fn simplified(
        &mut self,
        op: BinaryOp,
        width: u32,
        a: ValueId,
        b: ValueId,
    ) -> Option<ValueId> {
        use BinaryOp::{Add, And, Eq, Le, LeSigned, Lt, LtSigned, Ne, Or, Sub, Xor};
        let width_a = self.width(a);
        let all = ones(width_a);
        let is_zero = |g: &Self, v| g.as_const(v).is_some_and(Zero::is_zero);
        let is_ones = |g: &Self, v| g.as_const(v) == Some(&all);
        match op {
            And if a == b || is_ones(self, b) || is_zero(self, a) => return Some(a),
            And if is_ones(self, a) || is_zero(self, b) => return Some(b),
            Or if a == b || is_zero(self, b) || is_ones(self, a) => return Some(a),
            Or if is_zero(self, a) || is_ones(self, b) => return Some(b),
            And if self.opposite(a, b) => return Some(self.zero(width)),
            Or if self.opposite(a, b) => return Some(self.constant(width, all)),
            Add | Xor | Sub if is_zero(self, b) => return Some(a),
            Add | Xor if is_zero(self, a) => return Some(b),
            Sub | Xor | Lt | LtSigned | Ne if a == b => return Some(self.zero(width)),
            Eq | Le | LeSigned if a == b => return Some(self.bit(true)),
            _ if op.is_shift() && is_zero(self, b) => return Some(a),
            Ne => {
                let equal = self.equal(a, b);
                return Some(self.not(equal));
            }
            Le | LeSigned => {
                let less = self.binary(if op == Le { Lt } else { LtSigned }, b, a);
                return Some(self.not(less));
            }
            Lt if is_zero(self, b) || is_ones(self, a) => return Some(self.bit(false)),
            LtSigned if self.as_const(a) == Some(&(all.clone() >> 1u32)) => {
                return Some(self.bit(false));
            }
            LtSigned if self.as_const(b) == Some(&(BigUint::one() << (width_a - 1))) => {
                return Some(self.bit(false));
            }
            Lt if is_zero(self, a) => {
                let zero = self.is(b, 0u32);
                return Some(self.not(zero));
            }
            Eq if width_a == 1 => {
                let (constant, other) = if self.as_const(a).is_some() { (a, b) } else { (b, a) };
                match self.as_bit(constant) {
                    Some(true) => return Some(other),
                    Some(false) => return Some(self.not(other)),
                    None => {}
                }
            }
            _ => {}
        }
        self.absorbed(op, a, b).or_else(|| self.with_constant(op, a, b))
    }

    /// `x & (x | y)` and the like, which joins of branches are full of.
    fn absorbed(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<ValueId> {
        let (and, or) = (Operation::Binary(BinaryOp::And), Operation::Binary(BinaryOp::Or));
        let (inner, outer) = match op {
            BinaryOp::And => (or, and),
            BinaryOp::Or => (and, or),
            _ => return None,
        };
        for (x, y) in [(a, b), (b, a)] {
            if self.operands(y, inner).is_some_and(|o| o.contains(&x)) {
                return Some(x);
            }
            if self.operands(y, outer).is_some_and(|o| o.contains(&x)) {
                return Some(y);
            }
        }
        if op == BinaryOp::Or {
            // (x & y) | (x & !y)
            let (Some(&[p, q]), Some(&[r, s])) = (self.operands(a, and), self.operands(b, and))
            else {
                return None;
            };
            for ((p, q), (r, s)) in
                [((p, q), (r, s)), ((p, q), (s, r)), ((q, p), (r, s)), ((q, p), (s, r))]
            {
                if p == r && self.opposite(q, s) {
                    return Some(p);
                }
            }
        }
        None
    }

    /// Folds constants through sums, so that chains of them become parallel.
    fn with_constant(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<ValueId> {
        let width = self.width(a);
        match op {
            BinaryOp::Sub => {
                let constant = self.as_const(b)?.clone();
                let negated = self.constant(width, (BigUint::one() << width) - constant);
                Some(self.binary(BinaryOp::Add, a, negated))
            }
            BinaryOp::Add => {
                let (x, constant) = if self.as_const(a).is_some() { (b, a) } else { (a, b) };
                let constant = self.as_const(constant)?.clone();
                let &[p, q] = self.operands(x, Operation::Binary(BinaryOp::Add))? else {
                    return None;
                };
                let (rest, inner) = if self.as_const(p).is_some() { (q, p) } else { (p, q) };
                let inner = self.as_const(inner)?.clone();
                let sum = self.constant(width, inner + constant);
                Some(self.binary(BinaryOp::Add, rest, sum))
            }
            BinaryOp::Eq => {
                let (x, constant) = if self.as_const(a).is_some() { (b, a) } else { (a, b) };
                let constant = self.as_const(constant)?.clone();
                if let Some(&[inner]) = self.operands(x, Operation::ZeroExtend) {
                    let inner_width = self.width(inner);
                    if constant.bits() > u64::from(inner_width) {
                        return Some(self.bit(false));
                    }
                    return Some(self.is(inner, constant));
                }
                let &[p, q] = self.operands(x, Operation::Binary(BinaryOp::Add))? else {
                    return None;
                };
                let (rest, inner) = if self.as_const(p).is_some() { (q, p) } else { (p, q) };
                let inner = self.as_const(inner)?.clone();
                let difference = (BigUint::one() << width) + constant - inner;
                Some(self.is(rest, difference))
            }
            _ => None,
        }
    }
}
