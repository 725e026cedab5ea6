//! Which blocks of a link are idle.

/// What a link carries: frames of one size one behind the other leave an idle block after each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Traffic {
    /// Nothing: every block is idle.
    #[default]
    Idle,
    /// Back-to-back frames of this many blocks, with one idle block between two of them.
    Saturated {
        /// Blocks of a frame: 191 for 1,522 bytes with preamble, 1,129 for 9 kB.
        blocks: u64,
    },
}

/// Frames of 1,522 bytes, the preamble counted.
pub const MTU_BLOCKS: u64 = 191;
/// Frames of 9 kB.
pub const JUMBO_BLOCKS: u64 = 1129;

impl Traffic {
    /// The first idle block that is not before a tick.
    pub fn idle_from(self, tick: u64) -> u64 {
        match self {
            Self::Idle => tick,
            Self::Saturated { blocks } => tick.next_multiple_of(blocks + 1),
        }
    }
}
