//! Random numbers: those of [`ww_dataplane::random`], with the rounds of the generator as steps of
//! the pipeline.
//!
//! What the key is made of (seed, place, how often the packet drew there) is known when the
//! program is built, but for the count where an earlier call may or may not have been reached;
//! then the key is a choice among constants. What differs from packet to packet is the packet's
//! number, so numbers are on their way from the first clock on.

use super::super::dataflow::ValueId;
use super::super::refusal::Reason;
use super::Lowering;
use super::environment::{Environment, Slot};
use ww_dataplane::random::{Draw, PARITY, ROTATIONS, ROUNDS, ROUNDS_A_KEY, site, words};
use ww_engine::interp::Options;
use ww_p4::pipeline::BinaryOp;
use ww_p4::source::Span;

/// The input with the number of the packet, 32 bits.
pub const PACKET_NUMBER: &str = "packet_number";
/// Bits of a count of draws.
pub const COUNT_BITS: u32 = 16;
/// Bits of a number that are multiplied at a time.
const DIGIT: u32 = 16;

impl Lowering<'_> {
    /// The next 64 bits for a place. `None` is a refusal.
    pub fn draw(&mut self, env: &mut Environment, at: Span) -> Option<ValueId> {
        if self.crossing.is_some() || self.reenters {
            self.refuse(Reason::Random, "", Some(at));
            return None;
        }
        let place = site(at.begin(), self.behind_ingress);
        let count = self.get(env, Slot::Draws(place));
        let before = self.draws.entry(place).or_insert(0);
        let most = *before;
        *before += 1;
        let one = self.graph.constant(COUNT_BITS, 1u32);
        let next = self.graph.binary(BinaryOp::Add, count, one);
        env.set(Slot::Draws(place), next);

        let seed = Options::default().seed;
        let key_of = |count| Draw { seed, site: place, count }.key();
        let key = match self.graph.as_number(count) {
            Some(count) => self.graph.constant(64, key_of(count)),
            None => {
                let mut choices = Vec::new();
                for count_here in 0..=u64::from(most) {
                    let here = self.graph.is(count, count_here);
                    choices.push((here, self.graph.constant(64, key_of(count_here))));
                }
                self.graph.one_hot(64, choices)
            }
        };
        let packet = self.graph.input(PACKET_NUMBER, 32);
        Some(self.threefry(key, packet))
    }

    /// Threefry-2x32-20 of a counter whose high half is zero.
    fn threefry(&mut self, key: ValueId, counter: ValueId) -> ValueId {
        let first = self.graph.slice(key, 0, 32);
        let second = self.graph.slice(key, 32, 32);
        let parity = self.graph.constant(32, PARITY);
        let third = self.graph.binary(BinaryOp::Xor, first, second);
        let third = self.graph.binary(BinaryOp::Xor, third, parity);
        let keys = [first, second, third];
        let draw: u32 = self.draws.values().sum();
        let mut a = self.graph.binary(BinaryOp::Add, counter, first);
        let mut b = second;
        for round in 0..ROUNDS {
            a = self.graph.binary(BinaryOp::Add, a, b);
            let turn = ROTATIONS[round % ROTATIONS.len()];
            let high = self.graph.slice(b, 32 - turn, turn);
            let low = self.graph.slice(b, 0, 32 - turn);
            let rotated = self.graph.join(vec![low, high]);
            b = self.graph.binary(BinaryOp::Xor, rotated, a);
            self.graph.name(a, &format!("random_{draw}_round_{round}_a"));
            self.graph.name(b, &format!("random_{draw}_round_{round}_b"));
            if (round + 1) % ROUNDS_A_KEY == 0 {
                let turn = (round + 1) / ROUNDS_A_KEY;
                a = self.graph.binary(BinaryOp::Add, a, keys[turn % 3]);
                let number = self.graph.constant(32, turn);
                let word = self.graph.binary(BinaryOp::Add, keys[(turn + 1) % 3], number);
                b = self.graph.binary(BinaryOp::Add, b, word);
            }
        }
        self.graph.join(vec![b, a])
    }

    /// A number from `low` to `high`, or `low` if that is more; all of one width.
    pub fn random_between(
        &mut self,
        env: &mut Environment,
        at: Span,
        low: ValueId,
        high: ValueId,
    ) -> Option<ValueId> {
        let width = self.graph.width(low);
        let mut drawn = Vec::new();
        for _ in 0..words(width) {
            drawn.push(self.draw(env, at)?);
        }
        let drawn = self.graph.join(drawn);
        let above = self.graph.binary(BinaryOp::Lt, low, high);
        let (from, to) =
            (self.graph.zero_extend(low, width + 1), self.graph.zero_extend(high, width + 1));
        let one = self.graph.constant(width + 1, 1u32);
        let span = self.graph.binary(BinaryOp::Sub, to, from);
        let span = self.graph.binary(BinaryOp::Add, span, one);
        let offset = self.scaled(drawn, span);
        let offset = self.graph.resize(offset, width);
        let sum = self.graph.binary(BinaryOp::Add, low, offset);
        Some(self.graph.mux(above, sum, low))
    }

    /// A fraction of `span`: their product without the bits of the fraction. It is made digit by
    /// digit, lowest first, for multipliers of hardware have few bits.
    fn scaled(&mut self, fraction: ValueId, span: ValueId) -> ValueId {
        let (digits, width) = (self.graph.width(fraction) / DIGIT, self.graph.width(span));
        if let Some(size) = self.graph.as_const(span).cloned()
            && size.count_ones() == 1
        {
            // The highest bits.
            let bits = (size.bits() - 1) as u32;
            if bits == 0 {
                return self.graph.zero(width);
            }
            let full = self.graph.width(fraction);
            let top = self.graph.slice(fraction, full - bits, bits);
            return self.graph.resize(top, width);
        }
        let product = width + DIGIT;
        let span = self.graph.zero_extend(span, product);
        let mut sum = self.graph.zero(product);
        for n in 0..digits {
            let digit = self.graph.slice(fraction, n * DIGIT, DIGIT);
            let digit = self.graph.zero_extend(digit, product);
            let part = self.graph.binary(BinaryOp::Mul, digit, span);
            let carry = self.graph.slice(sum, DIGIT, width);
            let carry = self.graph.zero_extend(carry, product);
            sum = self.graph.binary(BinaryOp::Add, carry, part);
        }
        self.graph.slice(sum, DIGIT, width)
    }
}
