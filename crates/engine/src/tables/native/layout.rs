//! How the keys of a table form one bit string.

use ww_dataplane::control::{KeyInfo, MatchKind};

/// The bit string that a table's keys form: what native code hands to a lookup.
///
/// The keys follow one another without gaps; the first of [`KeyLayout::order`] holds the most
/// significant bits. A prefix key stands last, so that exact keys and the prefix form one longer
/// prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyLayout {
    /// Positions of the keys in the table's declaration, from the most significant one on.
    pub order: Vec<usize>,
    /// Bit position of each key's least significant bit, by position in the declaration.
    pub offsets: Vec<u32>,
    /// Bits of each key, by position in the declaration.
    pub widths: Vec<u32>,
    /// Bits in all.
    pub bits: u32,
    /// 64-bit words in all: the lowest bits are in the first one, bits beyond [`KeyLayout::bits`]
    /// are zero.
    pub words: usize,
}

impl KeyLayout {
    /// The layout for a table with such keys.
    pub fn of(keys: &[KeyInfo]) -> Self {
        let (lpm, others): (Vec<usize>, Vec<usize>) =
            (0..keys.len()).partition(|&n| keys[n].kind == MatchKind::Lpm);
        let order: Vec<usize> = others.into_iter().chain(lpm).collect();
        let mut offsets = vec![0; keys.len()];
        let mut bits = 0;
        for &n in order.iter().rev() {
            offsets[n] = bits;
            bits += keys[n].width;
        }
        let widths = keys.iter().map(|k| k.width).collect();
        Self { order, offsets, widths, bits, words: bits.div_ceil(64) as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(kind: MatchKind, width: u32) -> KeyInfo {
        KeyInfo { name: "k".to_owned(), kind, width, signed: false }
    }

    #[test]
    fn prefix_key_is_the_least_significant_part() {
        let keys = [key(MatchKind::Lpm, 32), key(MatchKind::Exact, 12), key(MatchKind::Exact, 48)];
        let layout = KeyLayout::of(&keys);
        assert_eq!(layout.order, [1, 2, 0]);
        assert_eq!(layout.offsets, [0, 80, 32]);
        assert_eq!((layout.bits, layout.words), (92, 2));
    }

    #[test]
    fn no_keys_have_no_bits() {
        let layout = KeyLayout::of(&[]);
        assert_eq!((layout.bits, layout.words), (0, 0));
    }
}
