//! Which elements go with many different others: sources that send to many destinations. Rows of bitmaps, of which each
//! source has one in every row; other sources only add to it, so the row with the least tells most (the count-min
//! sketch with bitmaps for counters, as OpenSketch has it).

use super::bitmap::{self, Estimate};
use super::{OtherSize, hash};

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spreaders {
    width: usize,
    words: usize,
    bitmaps: Vec<u64>,
}

impl Spreaders {
    /// With `depth` rows of `width` bitmaps of `bits` bits; powers of two, `depth` apart. `None` if bitmaps cannot have
    /// so many bits, or it has no row or bitmap.
    pub fn new(bits: usize, width: usize, depth: usize) -> Option<Self> {
        let is_good = bitmap::is_size(bits) && width.is_power_of_two() && depth > 0;
        let words = bits / 64;
        is_good.then(|| Self { width, words, bitmaps: vec![0; words * width * depth] })
    }

    /// Where a source's bitmap in each row begins.
    fn places(&self, source: u64) -> impl Iterator<Item = usize> + use<> {
        let (width, words) = (self.width, self.words);
        let rows = self.bitmaps.len() / (width * words);
        let mixed = hash(source);
        let column = move |row: usize| hash(mixed ^ (row as u64) << 56) as usize & (width - 1);
        (0..rows).map(move |row| (row * width + column(row)) * words)
    }

    /// A source has sent to a destination.
    pub fn add(&mut self, source: u64, destination: u64) {
        // Of the pair, so that two sources of one bitmap do not hide each other's destinations.
        let both = hash(hash(source) ^ destination.rotate_left(32));
        for place in self.places(source) {
            bitmap::set(&mut self.bitmaps[place..place + self.words], both);
        }
    }

    /// To about how many different destinations it has sent, those of others perhaps among them.
    pub fn estimate(&self, source: u64) -> Estimate {
        let rows =
            self.places(source).map(|at| bitmap::estimate(&self.bitmaps[at..at + self.words]));
        rows.min_by(|a, b| a.least().total_cmp(&b.least())).unwrap_or(Estimate::About(0.0))
    }

    /// Adds what another one has seen.
    ///
    /// # Errors
    /// It has another size.
    pub fn merge(&mut self, other: &Self) -> Result<(), OtherSize> {
        let size = |sketch: &Self| (sketch.width, sketch.words, sketch.bitmaps.len());
        if size(self) != size(other) {
            return Err(OtherSize);
        }
        bitmap::merge(&mut self.bitmaps, &other.bitmaps);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 300 sources with 3 destinations each and one with 200, of which another host has seen half.
    #[test]
    fn who_sends_to_many() {
        let new = || Spreaders::new(512, 256, 3).expect("a good size");
        let (mut here, mut there) = (new(), new());
        for source in 0..300 {
            (0..3).for_each(|destination| here.add(source, destination));
        }
        (0..120).for_each(|destination| here.add(1000, destination));
        (80..200).for_each(|destination| there.add(1000, destination));
        here.merge(&there).expect("of one size");
        // Linear counting with 512 bits: 3 % for 200, and the few of the sources beside it.
        let found = here.estimate(1000).least();
        assert!((found - 200.0).abs() < 3.0 * 0.034 * 200.0, "{found}");
        assert!((0..300).all(|source| here.estimate(source).least() < 30.0));
        assert_eq!(here.merge(&Spreaders::new(512, 256, 2).expect("good")), Err(OtherSize));
        assert!(Spreaders::new(100, 4, 1).is_none() && Spreaders::new(64, 3, 1).is_none());
    }
}
