//! Arithmetic on values of any width.

use super::emitter::{Emitter, Words};
use crate::jit::layout::{WORD, words};
use crate::jit::runtime::arithmetic::{WideOperation, wide_binary};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use num_bigint::BigUint;
use ww_p4::pipeline::BinaryOp;

/// Bits of the highest word.
fn top_bits(width: u32) -> u32 {
    match width % WORD {
        0 if width > 0 => WORD,
        bits => bits,
    }
}

fn top_mask(width: u32) -> u64 {
    match top_bits(width) {
        WORD => u64::MAX,
        bits => (1 << bits) - 1,
    }
}

impl Emitter<'_, '_> {
    /// A constant of any width.
    pub fn constant(&mut self, width: u32, value: &BigUint) -> Words {
        let mut digits = value.iter_u64_digits();
        (0..words(u64::from(width)))
            .map(|_| {
                let digit = digits.next().unwrap_or(0);
                self.word(digit)
            })
            .collect()
    }

    fn zeros(&mut self, width: u32) -> Words {
        let zero = self.word(0);
        vec![zero; words(u64::from(width))]
    }

    fn ones(&mut self, width: u32) -> Words {
        let mut ones = vec![self.word(u64::MAX); words(u64::from(width))];
        if let Some(top) = ones.last_mut() {
            *top = self.word(top_mask(width));
        }
        ones
    }

    /// Clears the bits above the width.
    fn trim(&mut self, mut value: Words, width: u32) -> Words {
        if let Some(top) = value.last_mut() {
            *top = self.mask(*top, top_bits(width));
        }
        value
    }

    /// All bits inverted.
    pub fn not(&mut self, value: &[Value], width: u32) -> Words {
        let ones = self.ones(width);
        value.iter().zip(ones).map(|(v, m)| self.b.ins().bxor(*v, m)).collect()
    }

    /// Two's complement.
    pub fn negate(&mut self, value: &[Value], width: u32) -> Words {
        let zero = self.zeros(width);
        self.subtract(&zero, value, width).0
    }

    /// Sum and, of the full words, the carry.
    fn add(&mut self, a: &[Value], b: &[Value], width: u32) -> (Words, Value) {
        let mut carry = self.word(0);
        let mut sum = Vec::with_capacity(a.len());
        for (n, (a, b)) in a.iter().zip(b).enumerate() {
            let partial = self.b.ins().iadd(*a, *b);
            let first = self.compare(IntCC::UnsignedLessThan, partial, *a);
            if n == 0 {
                sum.push(partial);
                carry = first;
                continue;
            }
            let total = self.b.ins().iadd(partial, carry);
            let second = self.compare(IntCC::UnsignedLessThan, total, partial);
            carry = self.b.ins().bor(first, second);
            sum.push(total);
        }
        let over = match top_bits(width) {
            WORD => carry,
            bits => {
                let top = sum[sum.len() - 1];
                self.b.ins().ushr_imm_u(top, i64::from(bits))
            }
        };
        (self.trim(sum, width), over)
    }

    /// Difference, and whether it is negative.
    fn subtract(&mut self, a: &[Value], b: &[Value], width: u32) -> (Words, Value) {
        let mut borrow = self.word(0);
        let mut difference = Vec::with_capacity(a.len());
        for (n, (a, b)) in a.iter().zip(b).enumerate() {
            let partial = self.b.ins().isub(*a, *b);
            let first = self.compare(IntCC::UnsignedLessThan, *a, *b);
            if n == 0 {
                difference.push(partial);
                borrow = first;
                continue;
            }
            let total = self.b.ins().isub(partial, borrow);
            let second = self.compare(IntCC::UnsignedLessThan, partial, borrow);
            borrow = self.b.ins().bor(first, second);
            difference.push(total);
        }
        (self.trim(difference, width), borrow)
    }

    /// The highest bit.
    fn sign(&mut self, value: &[Value], width: u32) -> Value {
        let top = value[value.len() - 1];
        if width == 0 {
            return top;
        }
        self.b.ins().ushr_imm_u(top, i64::from(top_bits(width) - 1))
    }

    /// A word of fewer bits as a two's complement word.
    fn extend_sign(&mut self, value: Value, width: u32) -> Value {
        if width == 0 || width >= WORD {
            return value;
        }
        let distance = i64::from(WORD - width);
        let up = self.b.ins().ishl_imm_u(value, distance);
        self.b.ins().sshr_imm_u(up, distance)
    }

    /// Applies an operator to operands of one width.
    pub fn binary(&mut self, op: BinaryOp, a: &[Value], b: &[Value], width: u32) -> Words {
        match op {
            BinaryOp::Add => self.add(a, b, width).0,
            BinaryOp::Sub => self.subtract(a, b, width).0,
            BinaryOp::SatAdd => {
                let (sum, over) = self.add(a, b, width);
                let ones = self.ones(width);
                self.choose(over, &ones, &sum)
            }
            BinaryOp::SatSub => {
                let (difference, under) = self.subtract(a, b, width);
                let zeros = self.zeros(width);
                self.choose(under, &zeros, &difference)
            }
            BinaryOp::SatAddSigned | BinaryOp::SatSubSigned => {
                self.saturate_signed(op, a, b, width)
            }
            BinaryOp::And => self.each(a, b, |e, a, b| e.b.ins().band(a, b)),
            BinaryOp::Or => self.each(a, b, |e, a, b| e.b.ins().bor(a, b)),
            BinaryOp::Xor => self.each(a, b, |e, a, b| e.b.ins().bxor(a, b)),
            BinaryOp::Mul if a.len() == 1 => {
                let product = self.b.ins().imul(a[0], b[0]);
                vec![self.mask(product, width)]
            }
            BinaryOp::Div | BinaryOp::Rem if a.len() == 1 => {
                let (zero, one) = (self.word(0), self.word(1));
                let safe = self.b.ins().select(b[0], b[0], one);
                let result = if op == BinaryOp::Div {
                    self.b.ins().udiv(a[0], safe)
                } else {
                    self.b.ins().urem(a[0], safe)
                };
                vec![self.b.ins().select(b[0], result, zero)]
            }
            BinaryOp::Mul => self.wide(WideOperation::Multiply, a, b, width),
            BinaryOp::Div => self.wide(WideOperation::Divide, a, b, width),
            BinaryOp::Rem => self.wide(WideOperation::Remainder, a, b, width),
            BinaryOp::Eq | BinaryOp::Ne => {
                let condition = if op == BinaryOp::Eq { IntCC::Equal } else { IntCC::NotEqual };
                let difference = self.each(a, b, |e, a, b| e.b.ins().bxor(a, b));
                let rest = difference[1..].to_vec();
                if rest.is_empty() {
                    return vec![self.compare(condition, a[0], b[0])];
                }
                let all = rest.iter().fold(difference[0], |sum, w| self.b.ins().bor(sum, *w));
                let zero = self.word(0);
                vec![self.compare(condition, all, zero)]
            }
            BinaryOp::Lt => vec![self.less(a, b)],
            BinaryOp::Le => {
                let greater = self.less(b, a);
                vec![self.b.ins().bxor_imm_u(greater, 1)]
            }
            BinaryOp::LtSigned | BinaryOp::LeSigned => {
                let (a, b) = (self.offset_sign(a, width), self.offset_sign(b, width));
                let unsigned = if op == BinaryOp::LtSigned { BinaryOp::Lt } else { BinaryOp::Le };
                self.binary(unsigned, &a, &b, width)
            }
            // The amount has a width of its own: see `shift`; a concatenation two: `concat`.
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::ShrSigned | BinaryOp::Concat => {
                unreachable!("{op:?} has operands of two widths")
            }
        }
    }

    fn each(
        &mut self,
        a: &[Value],
        b: &[Value],
        op: impl Fn(&mut Self, Value, Value) -> Value,
    ) -> Words {
        a.iter().zip(b).map(|(a, b)| op(self, *a, *b)).collect()
    }

    fn less(&mut self, a: &[Value], b: &[Value]) -> Value {
        self.subtract(a, b, a.len() as u32 * WORD).1
    }

    /// With the sign bit inverted signed numbers compare like unsigned ones.
    fn offset_sign(&mut self, value: &[Value], width: u32) -> Words {
        let mut value = value.to_vec();
        if let Some(top) = value.last_mut().filter(|_| width > 0) {
            let sign = self.word(1 << (top_bits(width) - 1));
            *top = self.b.ins().bxor(*top, sign);
        }
        value
    }

    fn saturate_signed(&mut self, op: BinaryOp, a: &[Value], b: &[Value], width: u32) -> Words {
        let adds = op == BinaryOp::SatAddSigned;
        let result = if adds { self.add(a, b, width).0 } else { self.subtract(a, b, width).0 };
        let (sa, sb) = (self.sign(a, width), self.sign(b, width));
        let sr = self.sign(&result, width);
        // A sum leaves the range if both operands have one sign and it the other; a difference
        // if the operands' signs differ and its own is not the first one's.
        let mut signs = self.b.ins().bxor(sa, sb);
        if adds {
            signs = self.b.ins().bxor_imm_u(signs, 1);
        }
        let turned = self.b.ins().bxor(sa, sr);
        let over = self.b.ins().band(signs, turned);
        let mut highest = BigUint::from(1u32) << width.saturating_sub(1);
        let lowest = self.constant(width, &highest);
        highest -= 1u32;
        let highest = self.constant(width, &highest);
        let limit = self.choose(sa, &lowest, &highest);
        self.choose(over, &limit, &result)
    }

    /// An operation that the runtime does.
    fn wide(&mut self, op: WideOperation, a: &[Value], b: &[Value], width: u32) -> Words {
        let count = a.len();
        self.plan.need_scratch(3 * count);
        self.set_scratch(count, a);
        self.set_scratch(2 * count, b);
        let op = self.word(op as u64);
        let (scratch, width) = (self.scratch(0), self.word(u64::from(width)));
        self.run(wide_binary as *const u8, &[op, scratch, width]);
        self.get_scratch(0, count)
    }

    /// A shift by an amount of any width.
    pub fn shift(&mut self, op: BinaryOp, a: &[Value], amount: &[Value], width: u32) -> Words {
        let amount = self.clamp_amount(amount);
        if a.len() > 1 {
            let mut operand = self.zeros(width);
            operand[0] = amount;
            let op = match op {
                BinaryOp::Shl => WideOperation::ShiftLeft,
                BinaryOp::Shr => WideOperation::ShiftRight,
                _ => WideOperation::ShiftRightSigned,
            };
            return self.wide(op, a, &operand, width);
        }
        if op == BinaryOp::ShrSigned {
            let value = self.extend_sign(a[0], width);
            let most = self.word(u64::from(WORD - 1));
            let amount = self.b.ins().umin(amount, most);
            let shifted = self.b.ins().sshr(value, amount);
            return vec![self.mask(shifted, width)];
        }
        let (limit, zero) = (self.word(u64::from(width)), self.word(0));
        let shifted = if op == BinaryOp::Shl {
            let shifted = self.b.ins().ishl(a[0], amount);
            self.mask(shifted, width)
        } else {
            self.b.ins().ushr(a[0], amount)
        };
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThan, amount, limit);
        vec![self.b.ins().select(fits, shifted, zero)]
    }

    /// An amount as one word; a large one for all that do not fit.
    fn clamp_amount(&mut self, amount: &[Value]) -> Value {
        let Some((low, high)) = amount.split_first() else { return self.word(0) };
        let Some(first) = high.first() else { return *low };
        let any = high[1..].iter().fold(*first, |sum, w| self.b.ins().bor(sum, *w));
        let most = self.word(u64::MAX);
        self.b.ins().select(any, most, *low)
    }

    /// Of a value of `of` bits those from `low` upwards, `width` of them.
    pub fn slice(&mut self, value: &[Value], of: u32, low: u32, width: u32) -> Words {
        let (first, shift) = ((low / WORD) as usize, low % WORD);
        let part: Words = (0..words(u64::from(width)))
            .map(|n| {
                let Some(word) = value.get(first + n).copied() else { return self.word(0) };
                if shift == 0 {
                    return word;
                }
                let down = self.b.ins().ushr_imm_u(word, i64::from(shift));
                // Bits of the next word that are wanted.
                let wanted = width > (n as u32 + 1) * WORD - shift;
                match value.get(first + n + 1).copied().filter(|_| wanted) {
                    Some(next) => {
                        let up = self.b.ins().ishl_imm_u(next, i64::from(WORD - shift));
                        self.b.ins().bor(down, up)
                    }
                    None => down,
                }
            })
            .collect();
        // Nothing is above the highest bit of the value.
        if low + width >= of { part } else { self.trim(part, width) }
    }

    /// The bits of `high` in front of those of `low`.
    pub fn concat(&mut self, high: (&[Value], u32), low: (&[Value], u32)) -> Words {
        let total = high.1 + low.1;
        if low.1 == 0 {
            return high.0.to_vec();
        }
        if high.1 == 0 {
            return low.0.to_vec();
        }
        let (first, shift) = ((low.1 / WORD) as usize, low.1 % WORD);
        (0..words(u64::from(total)))
            .map(|n| {
                let mut parts = Vec::new();
                parts.extend(low.0.get(n).filter(|_| (n as u32) * WORD < low.1).copied());
                if n >= first {
                    if let Some(word) = high.0.get(n - first).copied() {
                        parts.push(self.b.ins().ishl_imm_u(word, i64::from(shift)));
                    }
                    if shift > 0
                        && n > first
                        && let Some(word) = high.0.get(n - first - 1).copied()
                    {
                        parts.push(self.b.ins().ushr_imm_u(word, i64::from(WORD - shift)));
                    }
                }
                let mut parts = parts.into_iter();
                let one = parts.next();
                let one = one.unwrap_or_else(|| self.word(0));
                parts.fold(one, |sum, part| self.b.ins().bor(sum, part))
            })
            .collect()
    }

    /// To a greater width.
    pub fn extend(&mut self, value: &[Value], from: u32, to: u32, signed: bool) -> Words {
        let mut value = value.to_vec();
        let mut fill = self.word(0);
        if signed
            && from > 0
            && let Some(top) = value.last_mut()
        {
            *top = self.extend_sign(*top, top_bits(from));
            fill = self.b.ins().sshr_imm_u(*top, i64::from(WORD - 1));
        }
        value.resize(words(u64::from(to)), fill);
        self.trim(value, to)
    }

    /// Whether any bit is set.
    pub fn any(&mut self, value: &[Value]) -> Value {
        debug_assert!(value.iter().all(|v| self.value_type(*v) == types::I64));
        value[1..].iter().fold(value[0], |sum, word| self.b.ins().bor(sum, *word))
    }
}
