//! Where a frame may start: at 10 Gb/s in lane 0 or 4, and in no block that ends another.

/// What happens to a gap after which a frame would start in another lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// It becomes up to 3 characters shorter or longer, so that the mean is exact: the deficit idle count of
    /// IEEE 802.3 clause 46.3.1.4. At 40 Gb/s, where frames start in lane 0 only, it is up to 7 (clause 81.3.1.4); at
    /// 1 Gb/s, where they start at even places, 1.
    #[default]
    Mean,
    /// It becomes longer, to the next whole block (up to 7 characters); at 1 Gb/s to the next even place.
    Block,
}

/// Chooses starts.
#[derive(Debug, Clone)]
pub struct Placement {
    rounding: Rounding,
    /// Frames start at multiples of it.
    starts: u64,
    /// Characters of a whole block.
    block: u64,
    /// By how much gaps were shorter so far, fewer than `starts`.
    deficit: u64,
}

impl Default for Placement {
    fn default() -> Self {
        Self::new(Rounding::default())
    }
}

impl Placement {
    /// By a rule, at 10 Gb/s.
    pub fn new(rounding: Rounding) -> Self {
        Self { rounding, starts: 4, block: 8, deficit: 0 }
    }

    /// By a rule, where frames start at multiples of `starts` characters, 1 or more: 8 at 40 Gb/s, 2 at 1 Gb/s.
    pub fn at_multiples(rounding: Rounding, starts: u64) -> Self {
        assert!(starts > 0, "starts are apart by one character or more");
        Self { rounding, starts, block: starts, deficit: 0 }
    }

    /// The place of the next start, where places are counted in characters and blocks begin at multiples of their length, for a
    /// frame that is wished at `wish`; the block of the terminate, if there was a frame, ends at `least`.
    pub fn place(&mut self, wish: u64, least: u64) -> u64 {
        let place = match self.rounding {
            Rounding::Block => wish.next_multiple_of(self.block),
            Rounding::Mean => {
                let over = wish % self.starts;
                if self.deficit + over < self.starts {
                    self.deficit += over;
                    wish - over
                } else {
                    self.deficit -= self.starts - over;
                    wish + self.starts - over
                }
            }
        };
        if place < least {
            self.deficit = 0;
            return least;
        }
        place
    }
}
