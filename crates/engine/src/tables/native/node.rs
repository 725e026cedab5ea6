//! Nodes of a trie.

/// Bits that a node looks at.
pub(super) const STRIDE: u32 = 6;

/// Slots of a node.
pub(super) const SLOTS: usize = 1 << STRIDE;

/// In a position: the rest is a target, not the position of a node.
pub(super) const LEAF: u32 = 1 << 31;

/// Most bits that a jump looks at.
pub(super) const LONGEST_JUMP: u32 = 63;

/// A node: mostly one of 64 slots, which are nodes or leaves.
///
/// Slot 0 is a node or starts a run of leaves, so that one of the two lowest bits is set. Where
/// neither is, this is a jump: see [`Node::jump`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Slots that are nodes.
    pub(super) children: u64,
    /// Slots with a leaf that differs from the leaf before.
    pub(super) starts: u64,
    /// Position of the first node below; of a jump, what equal bits lead to.
    pub(super) child_base: u32,
    /// Position of the first leaf; of a jump, the target for other bits.
    pub(super) leaf_base: u32,
}

impl Node {
    /// A node that compares `count` bits (1 to [`LONGEST_JUMP`]): if they are `value`, the key
    /// leads to the position `to`, otherwise to the target `miss`.
    pub(super) fn jump(count: u32, value: u64, to: u32, miss: u32) -> Self {
        Self {
            children: u64::from(count) << 1,
            starts: value << 1,
            child_base: to,
            leaf_base: miss,
        }
    }

    #[inline(always)]
    pub(super) fn is_jump(self) -> bool {
        (self.children | self.starts) & 1 == 0
    }

    /// How many bits a jump compares.
    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        (self.children >> 1) as u32
    }

    /// The bits that a jump compares with.
    #[inline(always)]
    pub(super) fn value(self) -> u64 {
        self.starts >> 1
    }
}
