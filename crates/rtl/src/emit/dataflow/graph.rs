//! The dataflow graph of a section: values in single assignment, and the units that make some of
//! them. Equal values are one value; constants fold; what nothing reads is never printed.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::HashMap;
use ww_p4::pipeline::{BinaryOp, Expr, UnaryOp};
use ww_p4::source::Span;

/// A [`Value`] of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// A [`Unit`] of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub u32);

impl ValueId {
    /// Position in [`Graph::values`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl UnitId {
    /// Position in [`Graph::units`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value of a packet.
#[derive(Clone, Debug)]
pub struct Value {
    /// Bits; never 0.
    pub width: u32,
    /// Where it comes from.
    pub kind: ValueKind,
    /// Name of the field that it is the value of, if it is one.
    pub name: Option<String>,
    /// What in the program asks for it.
    pub span: Option<Span>,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// The same for every packet.
    Const(BigUint),
    /// Bits of the packet from that one on; bit 0 is the first on the wire, the most significant
    /// of a byte.
    Head(u64),
    /// Comes with the packet's token; see [`Graph::inputs`].
    Input(u32),
    /// Made from others.
    Operation(Operation, Vec<ValueId>),
    /// An output of a unit.
    Output(UnitId, u32),
}

/// How a value is made from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// An operator of the pipeline IR with one operand.
    Unary(UnaryOp),
    /// An operator of the pipeline IR with two operands.
    Binary(BinaryOp),
    /// The second if the first, one bit, is 1; otherwise the third.
    Mux,
    /// Pairs of a bit and a value: the value whose bit is 1, zero if none is; never two.
    OneHot,
    /// Bits from that one upwards.
    Slice(u32),
    /// Zeros in front.
    ZeroExtend,
    /// Copies of the sign bit, the second operand, in front.
    SignExtend,
    /// All operands, the first in the highest bits.
    Join,
    /// The first, not before the clock behind that of the second.
    After,
    /// Exclusive or of all bits of the operand that the mask, a constant second operand, has.
    Parity,
}

/// A block with state or memory beside the packet: takes values, and gives some a fixed time
/// later.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What it is: an index into a list of the emitter.
    pub kind: UnitKind,
    /// What it reads.
    pub inputs: Vec<ValueId>,
    /// Bits of each output.
    pub outputs: Vec<u32>,
    /// What in the program asks for it.
    pub span: Option<Span>,
}

/// Kinds of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// Looks a key up. Inputs: key, if the table has keys that entries match; hash, if it has an
    /// action selector. Outputs: hit, data, row. The numbers are the table's position
    /// and which of its copies.
    Lookup(u32, u32),
    /// Counts. Inputs: enable, index. Counter array and lane.
    Count(u32, u32),
    /// Reads a register array for this packet. Inputs: index. Output: value. Array, read port.
    Read(u32, u32),
    /// Writes a register array. Inputs: enable, index, value. Array, write port.
    Write(u32, u32),
    /// Executes a meter. Inputs: enable, index, units, time. Output: colour.
    Meter(u32),
    /// Calls a module of the user. Inputs: enable, arguments. Outputs: its results. Position in
    /// the lowering's list, and whether it has a state and so must be called.
    Module(u32, bool),
    /// Whether a value set has a key. Input: key. Output: one bit. Set, port.
    Member(u32, u32),
    /// Tells the control plane. Inputs: enable, data.
    Digest(u32),
}

/// A dataflow graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// All values; operands come before what is made of them, but for outputs of units.
    pub values: Vec<Value>,
    /// All units.
    pub units: Vec<Unit>,
    /// Names and widths of [`ValueKind::Input`]s.
    pub inputs: Vec<(String, u32)>,
    known: HashMap<(u32, ValueKind), ValueId>,
    /// What new values are attributed to.
    pub at: Option<Span>,
}

/// The largest number of that many bits.
pub fn ones(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

impl Graph {
    fn push(&mut self, width: u32, kind: ValueKind) -> ValueId {
        debug_assert!(width > 0, "a value has bits");
        if let Some(id) = self.known.get(&(width, kind.clone())) {
            return *id;
        }
        let id = ValueId(self.values.len() as u32);
        self.known.insert((width, kind.clone()), id);
        self.values.push(Value { width, kind, name: None, span: self.at });
        id
    }

    /// Bits of a value.
    pub fn width(&self, id: ValueId) -> u32 {
        self.values[id.index()].width
    }

    /// Where a value comes from.
    pub fn kind(&self, id: ValueId) -> &ValueKind {
        &self.values[id.index()].kind
    }

    /// Gives a value the name of a field, unless it has one. Constants and bits of the packet
    /// keep theirs too: the first field that they are the value of.
    pub fn name(&mut self, id: ValueId, name: &str) {
        let value = &mut self.values[id.index()];
        if value.name.is_none() {
            value.name = Some(name.to_owned());
        }
    }

    /// A constant; bits beyond the width are dropped.
    pub fn constant(&mut self, width: u32, value: impl Into<BigUint>) -> ValueId {
        let value = value.into() & ones(width);
        self.push(width, ValueKind::Const(value))
    }

    /// Zero.
    pub fn zero(&mut self, width: u32) -> ValueId {
        self.constant(width, 0u32)
    }

    /// One bit.
    pub fn bit(&mut self, value: bool) -> ValueId {
        self.constant(1, u32::from(value))
    }

    /// The number that a value is for every packet.
    pub fn as_const(&self, id: ValueId) -> Option<&BigUint> {
        match self.kind(id) {
            ValueKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The constant bit that a value is.
    pub fn as_bit(&self, id: ValueId) -> Option<bool> {
        self.as_const(id).map(|value| !value.is_zero())
    }

    /// Bits of the packet.
    pub fn head(&mut self, offset: u64, width: u32) -> ValueId {
        self.push(width, ValueKind::Head(offset))
    }

    /// What comes with the token under this name.
    pub fn input(&mut self, name: &str, width: u32) -> ValueId {
        let position = self.inputs.iter().position(|(n, _)| n == name).unwrap_or_else(|| {
            self.inputs.push((name.to_owned(), width));
            self.inputs.len() - 1
        });
        let id = self.push(width, ValueKind::Input(position as u32));
        self.name(id, name);
        id
    }

    /// A unit, and its outputs.
    pub fn unit(
        &mut self,
        kind: UnitKind,
        inputs: Vec<ValueId>,
        outputs: Vec<u32>,
    ) -> Vec<ValueId> {
        let id = UnitId(self.units.len() as u32);
        self.units.push(Unit { kind, inputs, outputs: outputs.clone(), span: self.at });
        let outputs = outputs.into_iter().enumerate();
        outputs.map(|(n, width)| self.push(width, ValueKind::Output(id, n as u32))).collect()
    }

    fn operation(&mut self, width: u32, operation: Operation, operands: Vec<ValueId>) -> ValueId {
        self.push(width, ValueKind::Operation(operation, operands))
    }

    pub(super) fn operands(&self, id: ValueId, operation: Operation) -> Option<&[ValueId]> {
        match self.kind(id) {
            ValueKind::Operation(op, operands) if *op == operation => Some(operands),
            _ => None,
        }
    }

    /// One operand.
    pub fn unary(&mut self, op: UnaryOp, a: ValueId) -> ValueId {
        let width = self.width(a);
        if let Some(value) = self.as_const(a) {
            let folded = Expr::unary(op, Expr::constant(width, value.clone()));
            return self.folded(folded);
        }
        if let Some([inner]) = self.operands(a, Operation::Unary(op)) {
            return *inner;
        }
        self.operation(width, Operation::Unary(op), vec![a])
    }

    fn folded(&mut self, folded: Expr) -> ValueId {
        let value = folded.as_const().cloned().unwrap_or_default();
        self.constant(folded.width, value)
    }

    /// The opposite of a bit.
    pub fn not(&mut self, a: ValueId) -> ValueId {
        self.unary(UnaryOp::Not, a)
    }

    /// Both of two bits.
    pub fn and(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::And, a, b)
    }

    /// Either of two bits.
    pub fn or(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Or, a, b)
    }

    /// Whether two values are equal.
    pub fn equal(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Eq, a, b)
    }

    /// Whether a value is a constant.
    pub fn is(&mut self, a: ValueId, value: impl Into<BigUint>) -> ValueId {
        let constant = self.constant(self.width(a), value);
        self.equal(a, constant)
    }

    /// Two operands of the widths that the operator demands.
    pub fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        let (width_a, width_b) = (self.width(a), self.width(b));
        let width = match op {
            BinaryOp::Concat => return self.join(vec![a, b]),
            _ if op.is_comparison() => 1,
            _ => width_a,
        };
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            let (x, y) = (x.clone(), y.clone());
            let (x, y) = (Expr::constant(width_a, x), Expr::constant(width_b, y));
            return self.folded(Expr::binary(op, x, y));
        }
        if let Some(simple) = self.simplified(op, width, a, b) {
            return simple;
        }
        let commutes = matches!(
            op,
            BinaryOp::Add
                | BinaryOp::Mul
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Eq
        );
        let (a, b) = if commutes && a > b { (b, a) } else { (a, b) };
        self.operation(width, Operation::Binary(op), vec![a, b])
    }

    /// The second if the first is 1, otherwise the third.
    pub fn mux(&mut self, condition: ValueId, then: ValueId, otherwise: ValueId) -> ValueId {
        match self.as_bit(condition) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None if then == otherwise => return then,
            None => {}
        }
        let width = self.width(then);
        if width == 1 {
            match (self.as_bit(then), self.as_bit(otherwise)) {
                (Some(true), _) => return self.or(condition, otherwise),
                (_, Some(false)) => return self.and(condition, then),
                (Some(false), _) => {
                    let not = self.not(condition);
                    return self.and(not, otherwise);
                }
                (_, Some(true)) => {
                    let not = self.not(condition);
                    return self.or(not, then);
                }
                (None, None) => {}
            }
        }
        if let Some(&[inner]) = self.operands(condition, Operation::Unary(UnaryOp::Not)) {
            return self.mux(inner, otherwise, then);
        }
        // A choice of the same condition within a choice.
        let otherwise = match self.operands(otherwise, Operation::Mux) {
            Some(&[c, _, e]) if c == condition => e,
            _ => otherwise,
        };
        let then = match self.operands(then, Operation::Mux) {
            Some(&[c, t, _]) if c == condition => t,
            _ => then,
        };
        if then == otherwise {
            return then;
        }
        self.operation(width, Operation::Mux, vec![condition, then, otherwise])
    }

    /// The value whose bit is 1, zero if none is. At most one bit is 1 for any packet.
    pub fn one_hot(&mut self, width: u32, choices: Vec<(ValueId, ValueId)>) -> ValueId {
        let mut merged: Vec<(ValueId, ValueId)> = Vec::new();
        let mut places: HashMap<ValueId, usize> = HashMap::new();
        for (condition, value) in choices {
            let is_zero = self.as_const(value).is_some_and(Zero::is_zero);
            if is_zero || self.as_bit(condition) == Some(false) {
                continue;
            }
            if self.as_bit(condition) == Some(true) {
                return value;
            }
            match places.get(&value) {
                Some(&n) => merged[n].0 = self.or(merged[n].0, condition),
                None => {
                    places.insert(value, merged.len());
                    merged.push((condition, value));
                }
            }
        }
        match merged[..] {
            [] => return self.zero(width),
            [(condition, value)] => {
                let zero = self.zero(width);
                return self.mux(condition, value, zero);
            }
            _ => {}
        }
        if width == 1 {
            let mut any = self.bit(false);
            for (condition, value) in merged {
                let both = self.and(condition, value);
                any = self.or(any, both);
            }
            return any;
        }
        let operands = merged.into_iter().flat_map(|(c, v)| [c, v]).collect();
        self.operation(width, Operation::OneHot, operands)
    }

    /// `width` bits from bit `low` upwards; both lie within the value.
    pub fn slice(&mut self, a: ValueId, low: u32, width: u32) -> ValueId {
        let full = self.width(a);
        if width == full {
            return a;
        }
        match self.kind(a).clone() {
            ValueKind::Const(value) => self.constant(width, value >> low),
            ValueKind::Head(offset) => self.head(offset + u64::from(full - low - width), width),
            ValueKind::Operation(Operation::Slice(inner), operands) => {
                self.slice(operands[0], inner + low, width)
            }
            ValueKind::Operation(Operation::ZeroExtend, operands) => {
                let inner = self.width(operands[0]);
                if low >= inner {
                    self.zero(width)
                } else if low + width <= inner {
                    self.slice(operands[0], low, width)
                } else {
                    let part = self.slice(operands[0], low, inner - low);
                    self.zero_extend(part, width)
                }
            }
            ValueKind::Operation(Operation::Join, operands) => {
                // What of each operand lies within, from the highest on.
                let mut top = full;
                let mut parts = Vec::new();
                for operand in operands {
                    let bits = self.width(operand);
                    let bottom = top - bits;
                    let (from, to) = (bottom.max(low), top.min(low + width));
                    if from < to {
                        parts.push(self.slice(operand, from - bottom, to - from));
                    }
                    top = bottom;
                }
                self.join(parts)
            }
            _ => self.operation(width, Operation::Slice(low), vec![a]),
        }
    }

    /// Several values, the first in the highest bits.
    pub fn join(&mut self, parts: Vec<ValueId>) -> ValueId {
        let mut flat: Vec<ValueId> = Vec::new();
        for part in parts {
            match self.operands(part, Operation::Join).map(<[_]>::to_vec) {
                Some(inner) => inner.into_iter().for_each(|p| self.join_part(&mut flat, p)),
                None => self.join_part(&mut flat, part),
            }
        }
        if let [one] = flat[..] {
            return one;
        }
        let width = flat.iter().map(|p| self.width(*p)).sum();
        self.operation(width, Operation::Join, flat)
    }

    /// Appends a part, as one with the last where both lie side by side in one source.
    fn join_part(&mut self, flat: &mut Vec<ValueId>, part: ValueId) {
        if let Some(&last) = flat.last() {
            let (high, low) = (self.width(last), self.width(part));
            let merged = match (self.kind(last).clone(), self.kind(part).clone()) {
                (ValueKind::Const(x), ValueKind::Const(y)) => {
                    Some(self.constant(high + low, (x << low) | y))
                }
                (ValueKind::Head(x), ValueKind::Head(y)) if x + u64::from(high) == y => {
                    Some(self.head(x, high + low))
                }
                (
                    ValueKind::Operation(Operation::Slice(x), a),
                    ValueKind::Operation(Operation::Slice(y), b),
                ) if a == b && x == y + low => Some(self.slice(a[0], y, high + low)),
                _ => None,
            };
            if let Some(merged) = merged {
                flat.pop();
                flat.push(merged);
                return;
            }
        }
        flat.push(part);
    }

    /// Zeros in front.
    pub fn zero_extend(&mut self, a: ValueId, width: u32) -> ValueId {
        if width == self.width(a) {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            let value = value.clone();
            return self.constant(width, value);
        }
        if let Some(&[inner]) = self.operands(a, Operation::ZeroExtend) {
            return self.zero_extend(inner, width);
        }
        self.operation(width, Operation::ZeroExtend, vec![a])
    }

    /// Copies of the sign bit in front.
    pub fn sign_extend(&mut self, a: ValueId, width: u32) -> ValueId {
        let from = self.width(a);
        if width == from {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            let folded = Expr::constant(from, value.clone()).resize_signed(width);
            return self.folded(folded);
        }
        let sign = self.slice(a, from - 1, 1);
        self.operation(width, Operation::SignExtend, vec![a, sign])
    }

    /// To another width: zeros in front, or high bits dropped.
    pub fn resize(&mut self, a: ValueId, width: u32) -> ValueId {
        if width <= self.width(a) { self.slice(a, 0, width) } else { self.zero_extend(a, width) }
    }

    /// Exclusive or of the bits that the mask has.
    pub fn parity(&mut self, a: ValueId, mask: BigUint) -> ValueId {
        if mask.is_zero() {
            return self.bit(false);
        }
        if let Some(value) = self.as_const(a) {
            let odd = (value & mask).count_ones() % 2 == 1;
            return self.bit(odd);
        }
        let width = self.width(a);
        let mask = self.constant(width, mask);
        self.operation(1, Operation::Parity, vec![a, mask])
    }

    /// A value, not before the clock behind that of another.
    pub fn after(&mut self, a: ValueId, other: ValueId) -> ValueId {
        if a == other || self.as_const(a).is_some() || self.as_const(other).is_some() {
            return a;
        }
        self.operation(self.width(a), Operation::After, vec![a, other])
    }

    /// A constant as a small number.
    pub fn as_number(&self, id: ValueId) -> Option<u64> {
        self.as_const(id).and_then(ToPrimitive::to_u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_one_and_constants_fold() {
        let mut g = Graph::default();
        let (a, b) = (g.input("a", 8), g.input("b", 8));
        assert_eq!(g.binary(BinaryOp::Add, a, b), g.binary(BinaryOp::Add, b, a));
        // ((a - 1) - 1) == 3 is a == 5.
        let one = g.constant(8, 1u32);
        let less = g.binary(BinaryOp::Sub, a, one);
        let less = g.binary(BinaryOp::Sub, less, one);
        assert_eq!(g.is(less, 3u32), g.is(a, 5u32));
        let wide = g.zero_extend(a, 16);
        assert_eq!(g.slice(wide, 0, 8), a);
        assert_eq!(g.is(wide, 0x100u32), g.bit(false));
    }

    #[test]
    fn both_branches_make_the_whole() {
        let mut g = Graph::default();
        let (p, c) = (g.input("p", 1), g.input("c", 1));
        let not = g.not(c);
        let (then, otherwise) = (g.and(p, c), g.and(p, not));
        assert_eq!(g.or(then, otherwise), p);
        assert_eq!(g.and(then, p), then);
    }

    #[test]
    fn slices_of_joins_and_of_the_packet() {
        let mut g = Graph::default();
        let (x, y) = (g.head(0, 4), g.head(4, 12));
        let both = g.join(vec![x, y]);
        assert_eq!(both, g.head(0, 16));
        // The lowest byte of 16 bits is the second on the wire.
        assert_eq!(g.slice(both, 0, 8), g.head(8, 8));
        let a = g.input("a", 8);
        let joined = g.join(vec![a, y]);
        assert_eq!(g.slice(joined, 12, 8), a);
        let low = g.slice(joined, 4, 10);
        assert_eq!(g.width(low), 10);
    }

    #[test]
    fn one_hot_merges_equal_values() {
        let mut g = Graph::default();
        let (p, q, v) = (g.input("p", 1), g.input("q", 1), g.input("v", 8));
        let either = g.or(p, q);
        let zero = g.zero(8);
        assert_eq!(g.one_hot(8, vec![(p, v), (q, v)]), g.mux(either, v, zero));
        assert_eq!(g.one_hot(8, vec![(p, zero)]), zero);
    }
}
