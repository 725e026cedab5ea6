//! Random numbers of the dataplane: a function of the seed, the packet, the place of the call and
//! how often the packet came by, so that two runs with one seed are equal, in software and in
//! hardware.
//!
//! Seed, place and count make a [`key`], which is a constant of the program in nearly all cases.
//! Under it [`threefry`] makes 64 bits of the number of the packet: a generator without state
//! whose rounds are additions, rotations and exclusive ors of 32-bit words, one clock each in
//! hardware, so that a new packet can draw every clock (J. Salmon, M. Moraes, R. Dror, D. Shaw:
//! Parallel random numbers: as easy as 1, 2, 3. SC 2011).

use num_bigint::BigUint;

/// Rounds of [`threefry`], as its authors recommend.
pub const ROUNDS: usize = 20;
/// By how many bits the second word is rotated in each round, over and over.
pub const ROTATIONS: [u32; 8] = [13, 15, 26, 6, 17, 29, 16, 24];
/// The third word of a key is the exclusive or of the others and this.
pub const PARITY: u32 = 0x1bd1_1bda;
/// Rounds after which words of the key are added.
pub const ROUNDS_A_KEY: usize = 4;

/// Which packet draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawer {
    /// Number of the received frame; its low 32 bits count.
    pub packet: u64,
    /// Which of its copies.
    pub copy: u32,
}

/// Which number it draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The seed.
    pub seed: u64,
    /// The place of the call: see [`site`].
    pub site: u64,
    /// How many 64-bit numbers the packet drew there before.
    pub count: u64,
}

/// The number of a place in a program's source: a file of its source map, by number, and the offset
/// there. Behind ingress, what it draws there is something else: functions and
/// actions may be called on both sides, and may not have the same numbers.
pub fn site((file, offset): (u32, u32), behind_ingress: bool) -> u64 {
    u64::from(behind_ingress) << 63 | u64::from(file) << 32 | u64::from(offset)
}

impl Draw {
    /// The key under which packets draw this number.
    pub fn key(self) -> u64 {
        [self.site, self.count].iter().fold(self.seed, |state, part| mix(state ^ mix(*part)))
    }

    /// The number: 64 bits.
    pub fn number(self, drawer: Drawer) -> u64 {
        let counter = drawer.packet & 0xffff_ffff | u64::from(drawer.copy) << 32;
        threefry(self.key(), counter)
    }
}

/// Numbers of 64 bits that a result of that many bits takes.
pub fn words(width: u32) -> u32 {
    width.div_ceil(64).max(1)
}

/// A number from `low` to `high`, both included, or `low` if that is more; `width` are the bits
/// of the result, which say how often [`words`] are drawn. Of all numbers that the draws can be,
/// each result has as many as each other or one more: for a result of 32 bits its probability is
/// off by less than a part in 2^32.
pub fn between(low: BigUint, high: &BigUint, width: u32, mut draw: impl FnMut() -> u64) -> BigUint {
    let words = words(width);
    let drawn = (0..words).fold(BigUint::ZERO, |drawn, _| (drawn << 64u32) + draw());
    if *high <= low {
        return low;
    }
    let span = high - &low + 1u32;
    low + ((drawn * span) >> (64 * words))
}

/// The output function of SplitMix64 (Steele, Lea, Flood 2014), a bijection that mixes well.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Threefry-2x32-20. The first words of key, counter and result are their low halves.
#[inline]
pub fn threefry(key: u64, counter: u64) -> u64 {
    let halves = |value: u64| [value as u32, (value >> 32) as u32];
    let [first, second] = halves(key);
    let keys = [first, second, PARITY ^ first ^ second];
    let [a, b] = halves(counter);
    let mut state = [a.wrapping_add(keys[0]), b.wrapping_add(keys[1])];
    // Written out, as the compiler does not unroll a loop of so many rounds.
    const { assert!(ROUNDS == 5 * ROUNDS_A_KEY) };
    turn::<1>(&mut state, keys);
    turn::<2>(&mut state, keys);
    turn::<3>(&mut state, keys);
    turn::<4>(&mut state, keys);
    turn::<5>(&mut state, keys);
    u64::from(state[0]) | u64::from(state[1]) << 32
}

/// The rounds before the key is added for the `TURN`th time, from 1, and that.
#[inline(always)]
fn turn<const TURN: usize>([a, b]: &mut [u32; 2], keys: [u32; 3]) {
    for round in (TURN - 1) * ROUNDS_A_KEY..TURN * ROUNDS_A_KEY {
        *a = a.wrapping_add(*b);
        *b = b.rotate_left(ROTATIONS[round % ROTATIONS.len()]) ^ *a;
    }
    *a = a.wrapping_add(keys[TURN % 3]);
    *b = b.wrapping_add(keys[(TURN + 1) % 3]).wrapping_add(TURN as u32);
}

#[cfg(test)]
mod tests;
