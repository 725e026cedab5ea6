//! Fingerprints of rows of frames: two runs whose fingerprints agree sent the same.
//!
//! A frame's hash multiplies its 16-byte blocks into 128 bits and folds these, as
//! wyhash does (Wang Yi, "wyhash", 2019). It is made for speed and for telling
//! mistakes apart, not to withstand somebody who looks for a collision.

/// Constants without pattern, odd: the digits of pi, as Blowfish has them.
const K: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345, 0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89];

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// The hash of one frame: of its bytes and its length.
pub fn frame_hash(frame: &[u8]) -> u64 {
    let mut state = K[0] ^ (frame.len() as u64).wrapping_mul(K[3]);
    let (blocks, rest) = frame.as_chunks::<16>();
    for block in blocks {
        let (low, high) = block.split_at(8);
        state = fold(word(low) ^ K[1], word(high) ^ state);
    }
    let (low, high) = rest.split_at(rest.len().min(8));
    state = fold(word(low) ^ K[2], word(high) ^ state);
    fold(state, K[3])
}

/// Two hashes of a row of frames.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fingerprint {
    hash: u64,
    sum: u64,
}

impl Fingerprint {
    /// Appends a frame.
    pub fn add(&mut self, frame: &[u8]) {
        let frame = frame_hash(frame);
        self.hash = chain(self.hash, frame);
        self.sum = self.sum.wrapping_add(frame);
    }

    /// Depends on the frames and their order.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Depends on the frames alone: their hashes' sum.
    pub fn sum(&self) -> u64 {
        self.sum
    }
}

/// A hash that depends on both and their order.
pub fn chain(before: u64, next: u64) -> u64 {
    (before.rotate_left(23) ^ next).wrapping_mul(K[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn of(frames: &[&[u8]]) -> Fingerprint {
        let mut fingerprint = Fingerprint::default();
        frames.iter().for_each(|frame| fingerprint.add(frame));
        fingerprint
    }

    #[test]
    fn order_counts_for_one_and_not_for_the_other() {
        let (ab, ba) = (of(&[b"a", b"b"]), of(&[b"b", b"a"]));
        assert_eq!(ab.sum(), ba.sum());
        assert_ne!(ab.hash(), ba.hash());
        assert_ne!(of(&[b"ab", b""]).sum(), of(&[b"a", b"b"]).sum());
    }

    #[test]
    fn every_bit_and_the_length_count() {
        let mut seen = HashSet::new();
        for length in 0..100 {
            let mut frame = vec![0; length];
            assert!(seen.insert(frame_hash(&frame)), "{length} zeros");
            for bit in 0..length * 8 {
                frame[bit / 8] ^= 1 << (bit % 8);
                assert!(seen.insert(frame_hash(&frame)), "{length} bytes, bit {bit}");
                frame[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}
