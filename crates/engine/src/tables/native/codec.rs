//! Keys of entries as rows of units.

use super::{KeyLayout, packing};
use crate::bits::Bits;
use crate::tables::KeyField;
use ww_dataplane::control::{KeyInfo, MatchKind};

/// What the rows of a store are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The bit string of the keys.
    Exact,
    /// The bit string of the keys, zero behind the prefix, and the length of the prefix.
    Prefix,
    /// Two bit strings, which for each key are value and mask or lower and upper bound, and which
    /// of these they are: two bits per key.
    Ranked,
}

/// How the two bit strings of a row of [`Form::Ranked`] are to be read for one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    /// Value and mask.
    Masked,
    /// Bounds of numbers from 0.
    Unsigned,
    /// Bounds of two's complement numbers.
    Signed,
}

/// Turns keys of entries into rows and back.
#[derive(Debug)]
pub(super) struct Codec {
    layout: KeyLayout,
    form: Form,
    /// The key that is a prefix in [`Form::Prefix`].
    prefix_key: Option<usize>,
    /// Whether the sum of prefix lengths decides among equal priorities.
    by_prefix: bool,
}

impl Codec {
    pub(super) fn new(infos: &[KeyInfo], form: Form) -> Self {
        use MatchKind::{Optional, Range, Ternary};
        Self {
            layout: KeyLayout::of(infos),
            form,
            prefix_key: infos.iter().position(|k| k.kind == MatchKind::Lpm),
            by_prefix: !infos.iter().any(|k| matches!(k.kind, Ternary | Range | Optional)),
        }
    }

    pub(super) fn layout(&self) -> &KeyLayout {
        &self.layout
    }

    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// Units in a bit string.
    fn units(&self) -> usize {
        packing::units(self.layout.bits)
    }

    /// Units in a row.
    pub(super) fn row_units(&self) -> usize {
        match self.form {
            Form::Exact => self.units(),
            Form::Prefix => self.units() + 1,
            Form::Ranked => 2 * self.units() + self.layout.widths.len().div_ceil(16),
        }
    }

    /// The row of these keys; `None` if the form cannot say it.
    pub(super) fn encode(&self, keys: &[KeyField]) -> Option<Vec<u32>> {
        match self.form {
            Form::Exact | Form::Prefix => self.encode_prefix(keys),
            Form::Ranked => Some(self.encode_ranked(keys)),
        }
    }

    fn encode_prefix(&self, keys: &[KeyField]) -> Option<Vec<u32>> {
        let layout = &self.layout;
        let mut words = vec![0; layout.words];
        let mut length = layout.bits;
        for (n, key) in keys.iter().enumerate() {
            let KeyField::Masked { value, mask } = key else { return None };
            let free = mask.width() - prefix_length(mask)?;
            if self.prefix_key == Some(n) && self.form == Form::Prefix {
                length -= free;
            } else if free > 0 {
                return None;
            }
            packing::put(&mut words, *layout.offsets.get(n)?, value);
        }
        let mut row = Vec::with_capacity(self.row_units());
        packing::push_units(&mut row, &words, layout.bits);
        if self.form == Form::Prefix {
            row.push(length);
        }
        Some(row)
    }

    fn encode_ranked(&self, keys: &[KeyField]) -> Vec<u32> {
        let layout = &self.layout;
        let mut first = vec![0; layout.words];
        let mut second = first.clone();
        let mut forms = vec![0u32; layout.widths.len().div_ceil(16)];
        for (n, (key, &offset)) in keys.iter().zip(&layout.offsets).enumerate() {
            let (a, b, form) = match key {
                KeyField::Masked { value, mask } => (value, mask, 0),
                KeyField::Range { low, high, signed: false } => (low, high, 1),
                KeyField::Range { low, high, signed: true } => (low, high, 2),
            };
            packing::put(&mut first, offset, a);
            packing::put(&mut second, offset, b);
            forms[n / 16] |= form << (2 * (n % 16));
        }
        let mut row = Vec::with_capacity(self.row_units());
        packing::push_units(&mut row, &first, layout.bits);
        packing::push_units(&mut row, &second, layout.bits);
        row.extend(forms);
        row
    }

    /// The bit string of a row, or the first one, as words.
    pub(super) fn first_words(&self, row: &[u32]) -> Vec<u64> {
        packing::words_of(&row[..self.units()], self.layout.bits)
    }

    /// The mask or upper bounds of a row as words.
    pub(super) fn second_words(&self, row: &[u32]) -> Vec<u64> {
        let units = self.units();
        match self.form {
            Form::Ranked => packing::words_of(&row[units..2 * units], self.layout.bits),
            Form::Exact | Form::Prefix => {
                let length = match self.form {
                    Form::Prefix => row[units],
                    _ => self.layout.bits,
                };
                let mut mask = vec![u32::MAX; units];
                packing::cut(&mut mask, length);
                packing::words_of(&mask, self.layout.bits)
            }
        }
    }

    /// How the two bit strings of a row compare with key `n`.
    pub(super) fn compare(&self, row: &[u32], n: usize) -> Compare {
        if self.form != Form::Ranked {
            return Compare::Masked;
        }
        match row[2 * self.units() + n / 16] >> (2 * (n % 16)) & 3 {
            0 => Compare::Masked,
            1 => Compare::Unsigned,
            _ => Compare::Signed,
        }
    }

    /// The keys of a row.
    pub(super) fn decode(&self, row: &[u32]) -> Vec<KeyField> {
        let (first, second) = (self.first_words(row), self.second_words(row));
        let keys = self.layout.offsets.iter().zip(&self.layout.widths).enumerate();
        let field = |(n, (&at, &width)): (usize, (&u32, &u32))| {
            let a = packing::take(&first, at, width);
            let b = packing::take(&second, at, width);
            match self.compare(row, n) {
                Compare::Masked => KeyField::Masked { value: a, mask: b },
                Compare::Unsigned => KeyField::Range { low: a, high: b, signed: false },
                Compare::Signed => KeyField::Range { low: a, high: b, signed: true },
            }
        };
        keys.map(field).collect()
    }

    /// Bits in all prefixes of a row together, if they count.
    pub(super) fn ranked_prefix(&self, row: &[u32]) -> u32 {
        if !self.by_prefix {
            return 0;
        }
        let second = self.second_words(row);
        let keys = self.layout.offsets.iter().zip(&self.layout.widths).enumerate();
        keys.filter(|(n, _)| self.compare(row, *n) == Compare::Masked)
            .filter_map(|(_, (&at, &width))| prefix_length(&packing::take(&second, at, width)))
            .sum()
    }
}

/// [`Bits::prefix_length`], faster for masks of a usual width.
fn prefix_length(mask: &Bits) -> Option<u32> {
    match *mask {
        Bits::Small { width, value } if width > 0 => {
            let aligned = value << (128 - width);
            let length = aligned.leading_ones();
            (aligned.count_ones() == length).then_some(length)
        }
        _ => mask.prefix_length(),
    }
}
