//! Checksums and hashes of the packet's fields.

use super::super::dataflow::ValueId;
use super::super::refusal::Reason;
use super::Lowering;
use super::environment::Environment;
use num_bigint::BigUint;
use num_traits::One;
use ww_p4::pipeline::{BinaryOp, Operand};
use ww_packet::hash::Hash;

/// Bits of the data of a hash at most.
const MAX_HASH_BITS: u32 = 16_384;

/// Operands that one level of an adder tree adds up at a time.
const ADDER_INPUTS: usize = 2;

impl Lowering<'_> {
    /// The hash of data by the algorithm with this name, 64 bits.
    pub fn hash_of(
        &mut self,
        env: &Environment,
        algorithm: &str,
        data: &Operand,
    ) -> Option<ValueId> {
        let hash = self.hash_function(algorithm)?;
        let is_sum = matches!(hash, Hash::Csum16);
        let parts = self.data(env, data, is_sum)?;
        self.hashed(&hash, parts)
    }

    /// The hash of the `selector` keys of a table, 64 bits. `None` is a refusal.
    pub fn hash_of_keys(&mut self, algorithm: &str, keys: Vec<ValueId>) -> Option<ValueId> {
        let hash = self.hash_function(algorithm)?;
        self.hashed(&hash, keys)
    }

    fn hash_function(&mut self, algorithm: &str) -> Option<Hash> {
        let hash = Hash::by_name(algorithm);
        if hash.is_none() {
            let reason = if algorithm == "random" { Reason::Random } else { Reason::HashRange };
            self.refuse(reason, algorithm, self.graph.at);
        }
        hash
    }

    /// The hash of these values one after the other, with zeros behind them to whole bytes.
    fn hashed(&mut self, hash: &Hash, mut parts: Vec<ValueId>) -> Option<ValueId> {
        let bits: u32 = parts.iter().map(|part| self.graph.width(*part)).sum();
        if bits > MAX_HASH_BITS {
            self.refuse(Reason::Size, "", self.graph.at);
            return None;
        }
        let is_sum = matches!(hash, Hash::Csum16);
        let unit = if is_sum { 16 } else { 8 };
        let padding = bits.next_multiple_of(unit) - bits;
        if padding > 0 {
            parts.push(self.graph.zero(padding));
        }
        if parts.is_empty() {
            return Some(self.graph.constant(64, hash.hash(&[])));
        }
        let data = self.graph.join(parts);
        if is_sum {
            let sum = self.checksum(data);
            return Some(self.graph.zero_extend(sum, 64));
        }
        Some(self.affine(data, hash))
    }

    /// All data, in order. `None` is a refusal.
    fn data(&mut self, env: &Environment, operand: &Operand, is_sum: bool) -> Option<Vec<ValueId>> {
        let mut parts = Vec::new();
        let count = operand.leaves.len();
        for (n, leaf) in operand.leaves.iter().enumerate() {
            // Fields of invalid headers are zero, and so are bits beyond the length of a varbit:
            // in a sum of 16-bit words they make no difference if they are whole words or the
            // last. Nothing else can leave out bits.
            let absent = leaf.valid.as_ref().is_some_and(|v| v.as_bool() != Some(true));
            let is_last = n + 1 == count;
            let whole = absent && is_sum && self.whole_words(operand, n);
            if (absent && !whole) || (leaf.length.is_some() && !(is_sum && is_last)) {
                self.refuse(Reason::VariableHash, "", self.graph.at);
                return None;
            }
            if leaf.value.width > 0 {
                parts.push(self.eval(env, &leaf.value));
            }
        }
        Some(parts)
    }

    /// Whether the leaves of the header that one belongs to begin and end with 16-bit words.
    fn whole_words(&self, operand: &Operand, n: usize) -> bool {
        let valid = &operand.leaves[n].valid;
        let same = |leaf: &&ww_p4::pipeline::InLeaf| &leaf.valid == valid;
        let first = n - operand.leaves[..n].iter().rev().take_while(same).count();
        let bits = |leaves: &[ww_p4::pipeline::InLeaf]| -> u32 {
            leaves.iter().map(|leaf| leaf.value.width).sum()
        };
        let before = bits(&operand.leaves[..first]);
        let length: u32 =
            operand.leaves[first..].iter().take_while(same).map(|leaf| leaf.value.width).sum();
        before.is_multiple_of(16) && length.is_multiple_of(16)
    }

    /// The Internet checksum (RFC 1071) of whole 16-bit words.
    fn checksum(&mut self, data: ValueId) -> ValueId {
        let words = self.graph.width(data) / 16;
        let width = 16 + u32::BITS - words.leading_zeros();
        let mut terms: Vec<ValueId> = (0..words)
            .map(|n| {
                let word = self.graph.slice(data, n * 16, 16);
                self.graph.zero_extend(word, width)
            })
            .collect();
        while terms.len() > 1 {
            terms = terms
                .chunks(ADDER_INPUTS)
                .map(|group| {
                    let mut sum = group[0];
                    for term in &group[1..] {
                        sum = self.graph.binary(BinaryOp::Add, sum, *term);
                    }
                    sum
                })
                .collect();
        }
        // The carries of a sum of less than 2^16 words are below 2^16; so is their sum with the
        // low word but for one more carry.
        let mut sum = terms[0];
        for _ in 0..2 {
            let total = self.graph.width(sum);
            let low = self.graph.slice(sum, 0, 16);
            let high = self.graph.slice(sum, 16, total - 16);
            let low = self.graph.zero_extend(low, 17);
            let high = self.graph.zero_extend(high, 17);
            sum = self.graph.binary(BinaryOp::Add, low, high);
        }
        let folded = self.graph.slice(sum, 0, 16);
        self.not(folded)
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
