//! Where a frame may start: in lane 0 or 4, and in no block that ends another.

/// What happens to a gap after which a frame would start in another lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// It becomes up to 3 characters shorter or longer, so that the mean is exact: the deficit idle count of
    /// IEEE 802.3 clause 46.3.1.4.
    #[default]
    Mean,
    /// It becomes longer, to the next whole block (up to 7 characters).
    Block,
}

/// Chooses starts.
#[derive(Debug, Clone, Default)]
pub struct Placement {
    rounding: Rounding,
    /// By how much gaps were shorter so far, 0 to 3.
    deficit: u64,
}

impl Placement {
    /// By a rule.
    pub fn new(rounding: Rounding) -> Self {
        Self { rounding, deficit: 0 }
    }

    /// The place of the next start, where places are counted in characters and blocks begin at multiples of 8, for a
    /// frame that is wished at `wish`; the block of the terminate, if there was a frame, ends at `least`.
    pub fn place(&mut self, wish: u64, least: u64) -> u64 {
        let place = match self.rounding {
            Rounding::Block => wish.next_multiple_of(8),
            Rounding::Mean => {
                let over = wish % 4;
                if self.deficit + over <= 3 {
                    self.deficit += over;
                    wish - over
                } else {
                    self.deficit -= 4 - over;
                    wish + 4 - over
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
