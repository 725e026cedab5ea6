//! Ones'-complement sums (RFC 1071) of fields whose data may change their length, and of the
//! payload.
//!
//! A sum of 16-bit words does not depend on their order, and the sum of words with swapped bytes
//! is the sum with swapped bytes (RFC 1071, section 2). So each part of the data is summed where
//! it stands, and only whether it begins at an odd byte matters. Of the payload `ww_head` brings
//! the exact sum of the packet; what the parser took is subtracted before anything is folded, for
//! a folded sum of zero would not tell a payload of zeros from others.

use super::super::dataflow::ValueId;
use super::super::refusal::Reason;
use super::Lowering;
use super::environment::Environment;
use super::parser::Parsed;
use ww_p4::pipeline::{BinaryOp, InLeaf, Operand};

/// Bits of a word.
const WORD: u32 = 16;
/// Bits of an exact sum: of the words of 65,535 bytes.
const EXACT: u32 = 32;
/// The input with the exact sum of the packet, 32 bits.
pub const PACKET_SUM: &str = "packet_sum";
/// What crosses to egress: the folded sum of the payload, 16 bits.
pub const PAYLOAD_SUM: &str = "payload_sum";

/// Data that are being summed.
struct Summing {
    /// Whether the chunk begins at an odd byte.
    odd: ValueId,
    /// What the chunk has so far, the first in the highest bits.
    parts: Vec<ValueId>,
    /// Bits of the chunk that are there in any case.
    bits: u32,
    /// Words to be added up, 16 bits each.
    words: Vec<ValueId>,
}

impl Lowering<'_> {
    /// The Internet checksum of data and, if wanted, the payload behind them: 16 bits, inverted.
    /// `None` is a refusal.
    pub fn checksum_of(
        &mut self,
        env: &Environment,
        data: &Operand,
        with_payload: bool,
    ) -> Option<ValueId> {
        let reason = if with_payload { Reason::PayloadChecksum } else { Reason::VariableHash };
        let odd = self.graph.bit(false);
        let mut sum = Summing { odd, parts: Vec::new(), bits: 0, words: Vec::new() };
        let leaves = &data.leaves;
        let mut n = 0;
        while n < leaves.len() {
            let leaf = &leaves[n];
            if let Some(length) = &leaf.length {
                // A `varbit`: its bits come first, zeros behind, and it has whole bytes.
                let last = n + 1 == leaves.len() && !with_payload;
                if !last && !sum.bits.is_multiple_of(8) {
                    self.refuse(reason, "", self.graph.at);
                    return None;
                }
                if leaf.value.width > 0 {
                    let value = self.eval(env, &leaf.value);
                    sum.parts.push(value);
                    if !last {
                        let length = self.eval(env, length);
                        let length = self.graph.resize(length, 4.max(self.graph.width(length)));
                        let odd = self.graph.slice(length, 3, 1);
                        self.end_chunk(&mut sum, odd);
                    }
                }
                n += 1;
                continue;
            }
            // Fields that are there or not together; those of an invalid header are zero.
            let same = |other: &&InLeaf| other.valid == leaf.valid && other.length.is_none();
            let count = leaves[n..].iter().take_while(same).count();
            let mut bits = 0;
            for leaf in &leaves[n..n + count] {
                if leaf.value.width > 0 {
                    sum.parts.push(self.eval(env, &leaf.value));
                    bits += leaf.value.width;
                }
            }
            n += count;
            let absent = leaf.valid.as_ref().filter(|valid| valid.as_bool() != Some(true));
            let last = n == leaves.len() && !with_payload;
            match absent {
                Some(valid) if !bits.is_multiple_of(WORD) && !last => {
                    if !bits.is_multiple_of(8) || !sum.bits.is_multiple_of(8) {
                        self.refuse(reason, "", self.graph.at);
                        return None;
                    }
                    let valid = self.eval(env, valid);
                    self.end_chunk(&mut sum, valid);
                }
                // Whole words that are not there move nothing by a byte.
                _ => sum.bits += bits,
            }
        }
        if with_payload && !sum.bits.is_multiple_of(8) {
            self.refuse(reason, "", self.graph.at);
            return None;
        }
        let never = self.graph.bit(false);
        self.end_chunk(&mut sum, never);
        if with_payload {
            let payload = self.payload_sum();
            let payload = self.swapped_if(payload, sum.odd);
            sum.words.push(payload);
        }
        let total = self.sum_of(sum.words);
        Some(self.not(total))
    }

    /// The Internet checksum of values one after the other: 16 bits, inverted.
    pub fn checksum_of_values(&mut self, values: Vec<ValueId>) -> ValueId {
        let odd = self.graph.bit(false);
        let mut sum = Summing { odd, parts: values, bits: 0, words: Vec::new() };
        self.end_chunk(&mut sum, odd);
        let total = self.sum_of(sum.words);
        self.not(total)
    }

    /// Adds the chunk's words, and begins a new one that `moves` by one byte.
    fn end_chunk(&mut self, sum: &mut Summing, moves: ValueId) {
        let mut parts = std::mem::take(&mut sum.parts);
        let whole_bytes = sum.bits / 8;
        sum.bits = 0;
        let odd = sum.odd;
        if !parts.is_empty() {
            if self.graph.as_bit(odd) == Some(true) {
                parts.insert(0, self.graph.zero(8));
            }
            let bits: u32 = parts.iter().map(|part| self.graph.width(*part)).sum();
            let padding = bits.next_multiple_of(WORD) - bits;
            if padding > 0 {
                parts.push(self.graph.zero(padding));
            }
            let chunk = self.graph.join(parts);
            let count = self.graph.width(chunk) / WORD;
            let words = (0..count).map(|n| self.graph.slice(chunk, n * WORD, WORD));
            let words: Vec<ValueId> = words.collect();
            if self.graph.as_bit(odd).is_some() {
                sum.words.extend(words);
            } else {
                let folded = self.sum_of(words);
                let folded = self.swapped_if(folded, odd);
                sum.words.push(folded);
            }
        }
        let fixed = self.graph.bit(whole_bytes % 2 == 1);
        let odd = self.graph.binary(BinaryOp::Xor, odd, fixed);
        sum.odd = self.graph.binary(BinaryOp::Xor, odd, moves);
    }

    /// A word with its bytes swapped if the bit is 1.
    fn swapped_if(&mut self, word: ValueId, swap: ValueId) -> ValueId {
        let (high, low) = (self.graph.slice(word, 8, 8), self.graph.slice(word, 0, 8));
        let swapped = self.graph.join(vec![low, high]);
        self.graph.mux(swap, swapped, word)
    }

    /// The ones'-complement sum of words; zero only if all of them are.
    fn sum_of(&mut self, words: Vec<ValueId>) -> ValueId {
        let count = words.len() as u32;
        let width = WORD + (u32::BITS - count.leading_zeros()).max(1);
        let total = self.exact_sum(words, width);
        self.folded(total)
    }

    /// The sum of words as a number of that many bits, which must be enough.
    fn exact_sum(&mut self, words: Vec<ValueId>, width: u32) -> ValueId {
        let mut terms: Vec<ValueId> =
            words.into_iter().map(|word| self.graph.zero_extend(word, width)).collect();
        while terms.len() > 1 {
            let pairs = terms.chunks(2).map(|pair| match *pair {
                [a, b] => self.graph.binary(BinaryOp::Add, a, b),
                _ => pair[0],
            });
            terms = pairs.collect();
        }
        terms.pop().unwrap_or_else(|| self.graph.zero(width))
    }

    /// A sum of words with its carries added at the other end: 16 bits.
    fn folded(&mut self, mut sum: ValueId) -> ValueId {
        // The carries of a sum of less than 2^16 words are below 2^16; so is their sum with the
        // low word but for one more carry.
        for _ in 0..2 {
            let total = self.graph.width(sum);
            let low = self.graph.slice(sum, 0, WORD);
            let high = self.graph.slice(sum, WORD, total - WORD);
            let low = self.graph.zero_extend(low, WORD + 1);
            let high = self.graph.zero_extend(high, WORD + 1);
            sum = self.graph.binary(BinaryOp::Add, low, high);
        }
        self.graph.slice(sum, 0, WORD)
    }

    /// Notes where the parser stops, for sums of what is behind.
    pub fn payload_begins(&mut self, parsed: &Parsed) {
        self.payload_at.clone_from(&parsed.cursors);
    }

    /// The folded sum of the payload, its first byte in the high half of a word.
    pub fn payload_sum(&mut self) -> ValueId {
        if self.crossing.is_some() {
            return self.graph.input(PAYLOAD_SUM, WORD);
        }
        let cursors = self.payload_at.clone();
        let most = cursors.iter().map(|(_, bits)| bits / 8).max().unwrap_or(0);
        // Each byte in front of the payload, or zero.
        let mut bytes = Vec::new();
        for n in 0..most {
            let mut taken = self.graph.bit(false);
            let mut always = true;
            for (condition, bits) in &cursors {
                if bits / 8 > n {
                    taken = self.graph.or(taken, *condition);
                } else {
                    always = false;
                }
            }
            let byte = self.graph.head(n * 8, 8);
            let zero = self.graph.zero(8);
            bytes.push(if always { byte } else { self.graph.mux(taken, byte, zero) });
        }
        if bytes.len() % 2 == 1 {
            bytes.push(self.graph.zero(8));
        }
        let words = bytes.chunks(2).map(|pair| self.graph.join(pair.to_vec())).collect();
        let head = self.exact_sum(words, EXACT);
        let all = self.graph.input(PACKET_SUM, EXACT);
        let payload = self.graph.binary(BinaryOp::Sub, all, head);
        let folded = self.folded(payload);
        let mut odd = self.graph.bit(false);
        for (condition, bits) in &cursors {
            if bits / 8 % 2 == 1 {
                odd = self.graph.or(odd, *condition);
            }
        }
        if cursors.iter().all(|(_, bits)| bits / 8 % 2 == 1) && !cursors.is_empty() {
            odd = self.graph.bit(true);
        }
        self.swapped_if(folded, odd)
    }
}
