//! The engines of the frame check sequence against each other and against the catalogue's check value.

use ww_phy::fcs::{bitwise, fcs, folding, is_good, slicing, table};

type Engine = fn(&[u8]) -> u32;

const ENGINES: [(&str, Engine); 4] = [
    ("bitwise", bitwise::crc32),
    ("table", table::crc32),
    ("slicing", slicing::crc32),
    ("folding", folding::crc32),
];

#[test]
fn check_value() {
    for (name, engine) in ENGINES {
        assert_eq!(engine(b"123456789"), 0xcbf4_3926, "{name}");
        assert_eq!(engine(b""), 0, "{name}");
    }
}

#[test]
fn all_lengths_agree() {
    let mut state = 1u64;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    })
    .take(9_016)
    .collect();
    // The remainder of the definition, one byte after the other, instead of anew for each length.
    let mut remainder = !0u32;
    for length in 1..=9000 {
        remainder ^= u32::from(bytes[length - 1]);
        for _ in 0..8 {
            remainder = remainder >> 1 ^ if remainder & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
        let part = &bytes[..length];
        for (name, engine) in &ENGINES[1..] {
            assert_eq!(engine(part), !remainder, "{name}, {length} bytes");
        }
        if length <= 300 {
            assert_eq!(bitwise::crc32(part), !remainder);
            // At any alignment.
            let shifted = &bytes[length % 16..][..length];
            assert_eq!(folding::crc32(shifted), bitwise::crc32(shifted), "{length} bytes, moved");
        }
    }
}

#[test]
fn fcs_of_frames_is_checked() {
    let mut frame = (0..60).collect::<Vec<u8>>();
    let sequence = fcs(&frame).to_le_bytes();
    frame.extend(sequence);
    assert!(is_good(&frame));
    for bit in 0..8 * frame.len() {
        let mut wrong = frame.clone();
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert!(!is_good(&wrong), "bit {bit}");
    }
    assert!(!is_good(&frame[..3]));
}
