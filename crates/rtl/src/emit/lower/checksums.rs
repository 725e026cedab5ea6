//! Hashes of the packet's fields. The Internet checksum is in [`sums`](super::sums).

use super::super::dataflow::ValueId;
use super::super::refusal::Reason;
use super::Lowering;
use super::environment::Environment;
use num_bigint::BigUint;
use num_traits::One;
use ww_p4::pipeline::Operand;
use ww_packet::hash::Hash;

/// Bits of the data of a hash at most.
const MAX_HASH_BITS: u32 = 16_384;

/// Lengths that the data of one hash can have at most: each is a hash of its own.
const MAX_LENGTHS: usize = 256;

/// Data of one length: what is there, and when.
#[derive(Clone)]
struct Shape {
    condition: ValueId,
    parts: Vec<ValueId>,
}

impl Lowering<'_> {
    /// The hash of data by the algorithm with this name, 64 bits.
    pub fn hash_of(
        &mut self,
        env: &Environment,
        algorithm: &str,
        data: &Operand,
    ) -> Option<ValueId> {
        let hash = self.hash_function(algorithm)?;
        if matches!(hash, Hash::Csum16) {
            let sum = self.checksum_of(env, data, false)?;
            return Some(self.graph.zero_extend(sum, 64));
        }
        let mut choices = Vec::new();
        for shape in self.shapes(env, data)? {
            let value = self.hashed(&hash, shape.parts);
            choices.push((shape.condition, value));
        }
        if let [(_, value)] = choices[..] {
            return Some(value);
        }
        Some(self.graph.one_hot(64, choices))
    }

    /// The hash of the `selector` keys of a table, 64 bits. `None` is a refusal.
    pub fn hash_of_keys(&mut self, algorithm: &str, keys: Vec<ValueId>) -> Option<ValueId> {
        let hash = self.hash_function(algorithm)?;
        let bits: u32 = keys.iter().map(|key| self.graph.width(*key)).sum();
        if bits > MAX_HASH_BITS {
            self.too_large(MAX_HASH_BITS as usize, "bits of data for a hash", self.graph.at);
            return None;
        }
        if matches!(hash, Hash::Csum16) {
            let sum = self.checksum_of_values(keys);
            return Some(self.graph.zero_extend(sum, 64));
        }
        Some(self.hashed(&hash, keys))
    }

    fn hash_function(&mut self, algorithm: &str) -> Option<Hash> {
        let hash = Hash::by_name(algorithm);
        if hash.is_none() {
            self.refuse(Reason::HashRange, algorithm, self.graph.at);
        }
        hash
    }

    /// The hash of these values one after the other, with zeros behind them to whole bytes: all
    /// but the Internet checksum.
    fn hashed(&mut self, hash: &Hash, mut parts: Vec<ValueId>) -> ValueId {
        let bits: u32 = parts.iter().map(|part| self.graph.width(*part)).sum();
        let padding = bits.next_multiple_of(8) - bits;
        if padding > 0 {
            parts.push(self.graph.zero(padding));
        }
        if parts.is_empty() {
            return self.graph.constant(64, hash.hash(&[]));
        }
        let data = self.graph.join(parts);
        self.affine(data, hash)
    }

    /// The hash over data and the payload behind them, 64 bits: only the Internet checksum.
    pub fn hash_with_payload(
        &mut self,
        env: &Environment,
        algorithm: &str,
        data: &Operand,
    ) -> Option<ValueId> {
        if !matches!(Hash::by_name(algorithm), Some(Hash::Csum16)) {
            self.refuse(Reason::PayloadChecksum, algorithm, self.graph.at);
            return None;
        }
        let sum = self.checksum_of(env, data, true)?;
        Some(self.graph.zero_extend(sum, 64))
    }

    /// All lengths that data can have: the first of the parts is in front, and exactly one
    /// condition holds. `None` is a refusal.
    fn shapes(&mut self, env: &Environment, operand: &Operand) -> Option<Vec<Shape>> {
        let always = self.graph.bit(true);
        let mut shapes = vec![Shape { condition: always, parts: Vec::new() }];
        let leaves = &operand.leaves;
        let mut n = 0;
        while n < leaves.len() {
            // Fields of one header are there or not together.
            let valid = &leaves[n].valid;
            let count = leaves[n..].iter().take_while(|leaf| leaf.valid == *valid).count();
            let mut here = vec![Shape { condition: always, parts: Vec::new() }];
            for leaf in leaves[n..n + count].iter().filter(|leaf| leaf.value.width > 0) {
                let value = self.eval(env, &leaf.value);
                match &leaf.length {
                    None => here.iter_mut().for_each(|shape| shape.parts.push(value)),
                    Some(length) => {
                        let length = self.eval(env, length);
                        let forms = self.lengths(value, length);
                        here = self.combined(here, &forms)?;
                    }
                }
            }
            if let Some(valid) = valid.as_ref().filter(|valid| valid.as_bool() != Some(true)) {
                let valid = self.eval(env, valid);
                for shape in &mut here {
                    shape.condition = self.graph.and(shape.condition, valid);
                }
                let condition = self.not(valid);
                here.push(Shape { condition, parts: Vec::new() });
            }
            shapes = self.combined(shapes, &here)?;
            n += count;
        }
        let bits = |shape: &Shape| shape.parts.iter().map(|p| self.graph.width(*p)).sum::<u32>();
        if shapes.iter().map(bits).sum::<u32>() > MAX_HASH_BITS {
            self.too_large(MAX_HASH_BITS as usize, "bits of data for a hash", self.graph.at);
            return None;
        }
        Some(shapes)
    }

    /// A `varbit` in all its lengths: its bits come first, zeros behind.
    fn lengths(&mut self, value: ValueId, length: ValueId) -> Vec<Shape> {
        let width = self.graph.width(value);
        let (whole, length_width) = (width.div_ceil(8) * 8, self.graph.width(length));
        let lengths = (0..=whole).step_by(8).filter(|bits| *bits <= width);
        let mut shapes = Vec::new();
        for bits in lengths.filter(|bits| u64::from(*bits) >> length_width == 0) {
            let condition = self.graph.is(length, bits);
            let parts = match bits {
                0 => Vec::new(),
                _ => vec![self.graph.slice(value, width - bits, bits)],
            };
            shapes.push(Shape { condition, parts });
        }
        shapes
    }

    /// Each of the first with each of the second behind it, but for those that cannot be.
    fn combined(&mut self, first: Vec<Shape>, second: &[Shape]) -> Option<Vec<Shape>> {
        let mut all = Vec::new();
        for before in first {
            for behind in second {
                let condition = self.graph.and(before.condition, behind.condition);
                if self.graph.as_bit(condition) == Some(false)
                    || self.conditions.is_never(&self.graph, condition)
                {
                    continue;
                }
                let parts = before.parts.iter().chain(&behind.parts).copied().collect();
                all.push(Shape { condition, parts });
            }
        }
        if all.len() > MAX_LENGTHS {
            self.refuse(Reason::VariableHash, "", self.graph.at);
            return None;
        }
        Some(all)
    }

    /// A hash whose bits are exclusive ors of bits of its data, and constants: all of v1model's
    /// but the checksum. The matrix comes from the function itself, bit by bit.
    fn affine(&mut self, data: ValueId, hash: &Hash) -> ValueId {
        let width = self.graph.width(data);
        let bytes = (width / 8) as usize;
        let zero = hash.hash(&vec![0; bytes]);
        let columns: Vec<u64> = (0..width)
            .map(|bit| {
                // Bit 0 of the value is the last on the wire.
                let from_front = (width - 1 - bit) as usize;
                let mut message = vec![0u8; bytes];
                message[from_front / 8] = 0x80 >> (from_front % 8);
                hash.hash(&message) ^ zero
            })
            .collect();
        let bits = hash.width();
        let mut result = Vec::new();
        for out in (0..bits).rev() {
            let mut mask = BigUint::ZERO;
            for (bit, column) in columns.iter().enumerate() {
                if column >> out & 1 == 1 {
                    mask |= BigUint::one() << bit;
                }
            }
            let parity = self.graph.parity(data, mask);
            let flipped = zero >> out & 1 == 1;
            result.push(if flipped { self.not(parity) } else { parity });
        }
        let value = self.graph.join(result);
        self.graph.zero_extend(value, 64)
    }
}
