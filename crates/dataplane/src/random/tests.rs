//! Random numbers against published vectors, a computation with big integers in Python, and
//! statistics.

use super::*;

/// Draws of one place by consecutive packets.
fn sequence(site: u64, count: u64, packets: u64) -> Vec<u64> {
    let draw = Draw { seed: 1, site, count };
    (1..=packets).map(|packet| draw.number(Drawer { packet, copy: 0 })).collect()
}

/// Chi-square of counts that should be equal, less its degrees of freedom, in standard
/// deviations.
fn deviation(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    let expected = total as f64 / counts.len() as f64;
    let chi: f64 = counts.iter().map(|c| (*c as f64 - expected).powi(2) / expected).sum();
    let freedom = (counts.len() - 1) as f64;
    (chi - freedom) / (2.0 * freedom).sqrt()
}

#[test]
fn splitmix64_reference_sequence() {
    // The first outputs for seed 1234567 that the authors' C code prints.
    let gamma = 0x9e37_79b9_7f4a_7c15u64;
    let outputs: Vec<_> =
        (0..3u64).map(|n| mix(gamma.wrapping_mul(n).wrapping_add(1_234_567))).collect();
    assert_eq!(
        outputs,
        [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
    );
}

#[test]
fn threefry_known_answers() {
    // Of Threefry-2x32-20, published with the Random123 library: counter, key, result.
    for (counter, key, result) in [
        (0, 0, 0x99ba_4efe_6b20_0159),
        (u64::MAX, u64::MAX, 0xbb00_2be7_1cb9_96fc),
        (0x85a3_08d3_243f_6a88, 0x0370_7344_1319_8a2e, 0x483d_f7a0_c492_3a9c),
    ] {
        assert_eq!(threefry(key, counter), result);
    }
}

#[test]
fn numbers_as_big_integers_make_them() {
    // Computed with Python's integers from the definition in docs/engine.md.
    let check = |range: (u128, u128), width, place: (u64, u64, u64), drawer, expected: u128| {
        let (seed, site, mut count) = place;
        let result = between(range.0.into(), &range.1.into(), width, || {
            let draw = Draw { seed, site, count };
            count += 1;
            draw.number(drawer)
        });
        assert_eq!(result, expected.into());
    };
    let here = (1, (3 << 32) + 700, 0);
    let drawer = |packet, copy| Drawer { packet, copy };
    check((0, u128::from(u64::MAX)), 64, here, drawer(1, 0), 0xaf76_8004_1553_e164);
    check((10, 20), 8, here, drawer(2, 0), 14);
    check((100, 1099), 32, (1, 5, 3), drawer(7, 2), 736);
    check(
        (5, u128::MAX - 2),
        128,
        (9, (1 << 40) + 1, 2),
        drawer((1 << 32) + 6, 0),
        0x486a_be07_0d24_6996_b418_25ab_6e9b_7fed,
    );
    check(((1 << 48) - 16, (1 << 48) - 1), 48, (1, 77, 1), drawer(3, 0), 0xffff_ffff_fff1);
    check((9, 9), 16, (1, 1, 0), drawer(1, 0), 9);
    check((9, 3), 16, (1, 1, 0), drawer(1, 0), 9);
}

#[test]
fn every_bit_is_one_half_of_the_time() {
    let numbers = sequence(0x1_0000_0123, 0, 100_000);
    for bit in 0..64 {
        let ones = numbers.iter().filter(|n| *n >> bit & 1 == 1).count() as f64;
        // Five standard deviations: sqrt(100,000) / 2 each.
        assert!((ones - 50_000.0).abs() < 5.0 * 158.2, "bit {bit}: {ones}");
    }
}

#[test]
fn small_spans_are_uniform() {
    for span in [2u32, 3, 5, 6, 10, 100, 251, 1000] {
        let mut counts = vec![0u64; span as usize];
        for number in sequence(77, u64::from(span), 100_000) {
            let value = between(7u32.into(), &(6 + span).into(), 16, || number) - 7u32;
            let value: usize = value.try_into().expect("at most the end of the span");
            counts[value] += 1;
        }
        let deviation = deviation(&counts);
        assert!(deviation.abs() < 5.0, "span {span}: {deviation}");
    }
}

#[test]
fn neighbours_are_independent() {
    // Pairs of packets, of places, of draws and of copies: each of 16 by 16 cells as often as
    // each other, for several nibbles; and half of the bits differ.
    let numbers = sequence(500, 0, 100_001);
    let draw = Draw { seed: 1, site: 500, count: 0 };
    let copies: Vec<u64> =
        (1..=100_000).map(|packet| draw.number(Drawer { packet, copy: 1 })).collect();
    let others = [
        ("packets", numbers[1..].to_vec()),
        ("places", sequence(501, 0, 100_000)),
        ("draws", sequence(500, 1, 100_000)),
        ("copies", copies),
    ];
    for (name, other) in others {
        let pairs = || numbers.iter().zip(&other).take(100_000);
        for shift in [0, 28, 32, 60] {
            let mut cells = vec![0u64; 256];
            for (a, b) in pairs() {
                cells[((a >> shift & 15) << 4 | (b >> shift & 15)) as usize] += 1;
            }
            let deviation = deviation(&cells);
            assert!(deviation.abs() < 5.0, "{name} from bit {shift}: {deviation}");
        }
        let differ: u32 = pairs().map(|(a, b)| (a ^ b).count_ones()).sum();
        // 6.4 million bits: five standard deviations are 6,325.
        assert!((f64::from(differ) - 3_200_000.0).abs() < 6_325.0, "{name}: {differ}");
    }
}
