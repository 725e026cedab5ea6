//! The three forms of the scrambler against each other and against the vectors of spec 000 section 2.3.

use proptest::prelude::*;
use ww_phy::scrambler::serial::Serial;
use ww_phy::scrambler::{Descrambler, Scrambler};

/// Words that are random enough, by a linear congruence.
fn words(seed: u64, count: usize) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state >> 32
    };
    (0..count).map(|_| next() << 32 | next()).collect()
}

#[test]
fn published_vectors() {
    let mut scrambler = Scrambler::new(u64::MAX);
    let idle: Vec<u64> = (0..4).map(|_| scrambler.word(0x1e)).collect();
    let wanted = [
        0x7bff_f080_0000_001e,
        0x85cf_f0ff_fff8_401e,
        0x85d8_4f01_1807_9ee1,
        0x85d8_15fe_e847_9ee9,
    ];
    assert_eq!(idle, wanted);
    let mut scrambler = Scrambler::new(0);
    let mut words = [0xd555_5555_5555_5578, 0x0123_4567_89ab_cdef, u64::MAX, 0];
    scrambler.scramble(&mut words);
    let wanted = [
        0x9fff_e955_5555_5578,
        0xc645_b28d_230a_3210,
        0xb1ae_3a56_e9aa_91a6,
        0x9706_21b1_8cbb_8132,
    ];
    assert_eq!(words, wanted);
}

/// The register of the serial form is the last word in the other order.
#[test]
fn serial_and_parallel_agree() {
    let last = 0x0123_4567_89ab_cdef;
    let mut serial = Serial::new(last_first(last));
    let mut parallel = Scrambler::new(last);
    let mut back = Serial::new(last_first(last));
    for word in words(1, 10_000) {
        let scrambled = parallel.word(word);
        assert_eq!(serial.scramble(word), scrambled);
        assert_eq!(back.descramble(scrambled), word);
    }
}

/// Bit 63 of a word was sent last.
fn last_first(word: u64) -> u64 {
    word.reverse_bits()
}

#[test]
fn many_at_a_time_agree_with_one_by_one() {
    for count in [0, 1, 63, 64, 65, 191, 192, 193, 255, 496, 1023, 1024, 1025, 1216, 5000, 15_872] {
        let plain = words(count as u64, count);
        let mut one = Scrambler::default();
        let expected: Vec<u64> = plain.iter().map(|word| one.word(*word)).collect();
        let mut all = plain.clone();
        let mut many = Scrambler::default();
        many.scramble(&mut all);
        assert_eq!(all, expected, "{count} words");
        assert_eq!(many.word(1), one.word(1), "what follows {count} words");
        let mut back = Descrambler::default();
        back.descramble(&mut all);
        assert_eq!(all, plain, "{count} words back");
    }
}

proptest! {
    /// After 58 bits it does not matter with what a descrambler began.
    #[test]
    fn descrambler_synchronises_from_any_state(first: u64, other: u64, seed: u64, cut in 1usize..600) {
        let plain = words(seed, 600);
        let mut sent = plain.clone();
        let mut scrambler = Scrambler::new(first);
        // In two parts of any length.
        scrambler.scramble(&mut sent[..cut]);
        scrambler.scramble(&mut sent[cut..]);
        let mut received = sent;
        let mut descrambler = Descrambler::new(other);
        descrambler.descramble(&mut received[..cut]);
        descrambler.descramble(&mut received[cut..]);
        prop_assert_eq!(received[0] >> 58, plain[0] >> 58);
        prop_assert_eq!(&received[1..], &plain[1..]);
    }
}
