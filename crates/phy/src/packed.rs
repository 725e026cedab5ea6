//! Several frames in one area of memory: what one thread hands to the next at a time (spec 000 section 2.4).
//!
//! An entry is the gap in front of a frame in characters (8 bytes), the frame's length (4) and the distance to the next entry (4), then the
//! frame, and zeros up to a multiple of 16: so each frame begins where folding likes it to.

/// Bytes in front of a frame, and what entries are multiples of.
const UNIT: usize = 16;

/// Frames with the gaps in front of them.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    words: Vec<u128>,
    end: usize,
    count: usize,
}

impl Packed {
    /// A buffer of this many bytes, for frames and entries together.
    pub fn new(bytes: usize) -> Self {
        Self { words: vec![0; bytes / UNIT], end: 0, count: 0 }
    }

    /// Appends a frame. False if it does not fit, or has 4 GiB or more.
    pub fn push(&mut self, gap: u64, frame: &[u8]) -> bool {
        self.push_with(gap, frame.len(), |room| room.copy_from_slice(frame))
    }

    /// The same for a frame that is made in its place.
    pub fn push_with(&mut self, gap: u64, length: usize, make: impl FnOnce(&mut [u8])) -> bool {
        let units = 1 + length.div_ceil(UNIT);
        let (Ok(short), Some(room)) =
            (u32::try_from(length), self.words.get_mut(self.end..self.end + units))
        else {
            return false;
        };
        room[0] = u128::from(gap) | u128::from(short) << 64 | (units as u128 * UNIT as u128) << 96;
        if let Some(last) = room[1..].last_mut() {
            *last = 0;
        }
        make(&mut bytes_mut(&mut room[1..])[..length]);
        self.end += units;
        self.count += 1;
        true
    }

    /// Frames.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        (self.end, self.count) = (0, 0);
    }

    /// Gaps and frames, in their order.
    pub fn frames(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut rest = &self.words[..self.end];
        std::iter::from_fn(move || {
            let (head, _) = rest.split_first()?;
            let (gap, length) = (*head as u64, (*head >> 64) as u32 as usize);
            let (entry, after) = rest.split_at_checked((*head >> 96) as usize / UNIT)?;
            rest = after;
            Some((gap, &bytes(&entry[1..])[..length]))
        })
    }
}

fn bytes(words: &[u128]) -> &[u8] {
    // SAFETY: words are bytes in a row, with nothing between them, and bytes may be anywhere.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

fn bytes_mut(words: &mut [u128]) -> &mut [u8] {
    // SAFETY: as above; all bytes are words.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of_val(words)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_frames_round_trip() {
        let mut packed = Packed::new(1 << 16);
        for round in 0..3 {
            let frames: Vec<Vec<u8>> =
                (0..100).map(|length| vec![length as u8 ^ round; length * 5]).collect();
            for (gap, frame) in frames.iter().enumerate() {
                assert!(packed.push(gap as u64 + (1 << 40), frame));
            }
            assert_eq!(packed.len(), 100);
            let out: Vec<_> = packed.frames().collect();
            assert_eq!(out.len(), 100);
            for (number, (gap, frame)) in out.into_iter().enumerate() {
                assert_eq!((gap, frame), (number as u64 + (1 << 40), &frames[number][..]));
                assert_eq!(frame.as_ptr() as usize % UNIT, 0);
            }
            packed.clear();
            assert!(packed.is_empty() && packed.frames().next().is_none());
        }
    }

    #[test]
    fn frames_beyond_capacity_are_refused() {
        // 64 bytes and an entry are 80.
        let mut packed = Packed::new(160 + 15);
        assert!(packed.push(1, &[1; 64]) && packed.push(2, &[2; 64]));
        assert!(!packed.push(3, &[3; 1]) && !packed.push(3, &[]));
        assert_eq!(packed.frames().map(|(gap, _)| gap).collect::<Vec<_>>(), [1, 2]);
    }
}
