//! Longest prefix match: a compressed trie in the manner of Poptrie (Asai, Ohara: Poptrie: A
//! Compressed Trie with Population Count for Fast and Scalable Software IP Routing Table Lookup,
//! SIGCOMM 2015).
//!
//! The first bits of a key index an array. Behind it are nodes of 64 slots for six bits each. A
//! slot is a node or a leaf; nodes keep the nodes below in one array and the leaves in another,
//! where a run of equal leaves is there once. Shorter prefixes are pushed down to the leaves.
//!
//! Unlike there, paths are compressed (Morrison: PATRICIA - Practical Algorithm To Retrieve
//! Information Coded in Alphanumeric, Journal of the ACM 1968): where all leaves of a node but
//! those under one of its parts are equal, a jump compares the bits that lead to that part. A
//! jump to a node compares a multiple of six bits, so that a node's depth follows from its level.

use super::arena::Arena;
use super::node::{LEAF, LONGEST_JUMP, Node, SLOTS, STRIDE};
use super::slab::prefix;
use super::{EntryStore, packing};

/// Longest keys: recursion goes as deep as a sixth of that.
pub(super) const MAX_BITS: u32 = 1024;

/// Changes of so many entries at once are made by building the trie anew, if they are more than
/// a quarter of all.
const MANY: usize = 64;

#[derive(Clone, Copy, Debug)]
enum Slot {
    Leaf(u32),
    Node(Node),
}

/// A trie over the prefixes of a store.
#[derive(Debug)]
pub(super) struct Trie {
    /// Bits of a key.
    pub(super) bits: u32,
    /// Bits that the first array looks at.
    pub(super) first: u32,
    pub(super) roots: Vec<u32>,
    pub(super) nodes: Arena<Node>,
    pub(super) leaves: Arena<u32>,
}

/// The bits of the first array for so many entries: it should not be larger than what follows,
/// and leave multiples of the stride to the usual /24. Behind it, long keys have jumps: for them,
/// a smaller array, which stays in the cache, is as fast.
fn first_bits(bits: u32, entries: usize) -> u32 {
    let wanted = match entries {
        0..32 => 6,
        32..1024 => 12,
        1024..0x4_0000 if bits > 64 => 16,
        _ => 18,
    };
    wanted.min(bits)
}

/// Whether paths are compressed in a trie for keys with so many bits. Short keys have few levels:
/// there, a jump costs a mispredicted branch and saves nothing.
fn has_jumps(bits: u32) -> bool {
    bits > 36
}

impl Trie {
    pub(super) fn new(store: &EntryStore) -> Self {
        let bits = store.layout().bits;
        let first = first_bits(bits, store.len());
        let roots = vec![LEAF; 1 << first];
        let mut trie = Self { bits, first, roots, nodes: Arena::new(), leaves: Arena::new() };
        trie.redo(store, &vec![0; packing::units(bits)], 0);
        trie
    }

    /// Brings the trie up to date after changes of these prefixes.
    pub(super) fn apply<'a>(&mut self, store: &EntryStore, rows: impl Iterator<Item = &'a [u32]>) {
        let rows: Vec<&[u32]> = rows.collect();
        let few = rows.len() < MANY.max(store.len() / 4);
        if few && first_bits(self.bits, store.len()) <= self.first {
            for row in rows {
                let (value, length) = prefix(row);
                self.redo(store, value, length);
            }
        } else {
            *self = Self::new(store);
        }
        if self.nodes.is_sparse() || self.leaves.is_sparse() {
            *self = Self::new(store);
        }
    }

    /// Makes anew what lies under a prefix.
    fn redo(&mut self, store: &EntryStore, value: &[u32], length: u32) {
        let first_chunk = packing::chunk(value, 0, self.first) as usize;
        if length > self.first {
            let root = self.roots[first_chunk];
            let slot = if root & LEAF != 0 {
                self.build(store, value, self.first)
            } else {
                let node = self.take(root);
                self.redo_node(store, value, length, node, self.first)
            };
            self.roots[first_chunk] = self.root(slot);
            return;
        }
        let count = 1 << (self.first - length);
        let start = first_chunk & !(count - 1);
        for n in start..start + count {
            let root = self.roots[n];
            if root & LEAF == 0 {
                let node = self.take(root);
                self.free(Slot::Node(node));
            }
        }
        let (cover, under) = store.around(value, length);
        let mut slots = vec![Slot::Leaf(cover); count];
        self.fill(store, &under, (0, self.first), start, &mut slots);
        for (n, slot) in slots.into_iter().enumerate() {
            self.roots[start + n] = self.root(slot);
        }
    }

    fn root(&mut self, slot: Slot) -> u32 {
        match slot {
            Slot::Leaf(target) => target | LEAF,
            Slot::Node(node) => self.nodes.add(&[node]),
        }
    }

    /// Makes anew what lies under a prefix that is longer than `depth`, the depth of `node`.
    fn redo_node(
        &mut self,
        store: &EntryStore,
        value: &[u32],
        length: u32,
        node: Node,
        depth: u32,
    ) -> Slot {
        let mut slots = self.decode(node);
        let chunk = packing::chunk(value, depth, STRIDE) as usize;
        let below = depth + STRIDE;
        if length > below {
            slots[chunk] = match slots[chunk] {
                Slot::Leaf(_) => self.build(store, value, below),
                Slot::Node(node) => self.redo_node(store, value, length, node, below),
            };
        } else {
            let count = 1 << (below - length);
            let start = chunk & !(count - 1);
            for slot in &slots[start..start + count] {
                self.free(*slot);
            }
            let (cover, under) = store.around(value, length);
            slots[start..start + count].fill(Slot::Leaf(cover));
            self.fill(store, &under, (depth, STRIDE), start, &mut slots[start..start + count]);
        }
        self.encode(&slots)
    }

    /// What lies under the first `depth` bits of `value`.
    fn build(&mut self, store: &EntryStore, value: &[u32], depth: u32) -> Slot {
        let (cover, under) = store.around(value, depth);
        self.build_from(store, &under, cover, depth)
    }

    /// What lies at a place of which these are the longer prefixes, where what is shorter leads
    /// to `inherited`.
    fn build_from(
        &mut self,
        store: &EntryStore,
        under: &[u32],
        inherited: u32,
        depth: u32,
    ) -> Slot {
        if let [] | [_] = under
            && (under.is_empty() || has_jumps(self.bits))
            && let Some(slot) = build_path(store, under.first().copied(), inherited, depth)
        {
            return slot;
        }
        let mut slots = [Slot::Leaf(inherited); SLOTS];
        self.fill(store, under, (depth, STRIDE), 0, &mut slots);
        self.encode(&slots)
    }

    /// Fills slots, from number `start` on, with what prefixes under them lead to. The slots are
    /// those of `stride` bits behind the first `depth` ones.
    fn fill(
        &mut self,
        store: &EntryStore,
        under: &[u32],
        (depth, stride): (u32, u32),
        start: usize,
        slots: &mut [Slot],
    ) {
        let below = depth + stride;
        let chunk = |slot: u32| packing::chunk(store.row(slot), depth, stride) as usize;
        let mut rest = under;
        while let Some(&slot) = rest.first() {
            let length = prefix(store.row(slot)).1;
            let at = chunk(slot) - start;
            if length <= below {
                // Prefixes that hold others stand before them.
                let count = 1 << (below - length);
                slots[at..at + count].fill(Slot::Leaf(store.slot_target(slot)));
                rest = &rest[1..];
            } else {
                let end = rest.partition_point(|&s| chunk(s) == at + start);
                let inherited = match slots[at] {
                    Slot::Leaf(target) => target,
                    Slot::Node(_) => 0,
                };
                slots[at] = self.build_from(store, &rest[..end], inherited, below);
                rest = &rest[end..];
            }
        }
    }

    /// The slots of a node, whose arrays are freed.
    fn decode(&mut self, node: Node) -> [Slot; SLOTS] {
        if node.is_jump() {
            return self.decode_jump(node);
        }
        let children = self.nodes.get(node.child_base, node.children.count_ones() as usize);
        let leaves = self.leaves.get(node.leaf_base, node.starts.count_ones() as usize);
        let (mut child, mut leaf) = (0, 0);
        let slots = std::array::from_fn(|n| {
            if node.children >> n & 1 == 1 {
                child += 1;
                return Slot::Node(children[child - 1]);
            }
            leaf += (node.starts >> n & 1) as usize;
            Slot::Leaf(leaves[leaf - 1])
        });
        self.nodes.remove(node.child_base, child);
        self.leaves.remove(node.leaf_base, node.starts.count_ones() as usize);
        slots
    }

    /// The slots of a node that would do what a jump does.
    fn decode_jump(&mut self, jump: Node) -> [Slot; SLOTS] {
        let (count, value, to) = (jump.count(), jump.value(), jump.child_base);
        let mut slots = [Slot::Leaf(jump.leaf_base); SLOTS];
        if count <= STRIDE && to & LEAF != 0 {
            let free = STRIDE - count;
            slots[(value as usize) << free..][..1 << free].fill(Slot::Leaf(to & !LEAF));
            return slots;
        }
        let rest = count - STRIDE;
        slots[(value >> rest) as usize] = match rest {
            0 => Slot::Node(self.take(to)),
            _ => Slot::Node(Node::jump(rest, value & ((1 << rest) - 1), to, jump.leaf_base)),
        };
        slots
    }

    /// The node at a position, which is freed.
    fn take(&mut self, position: u32) -> Node {
        let node = self.nodes.get(position, 1)[0];
        self.nodes.remove(position, 1);
        node
    }

    fn free(&mut self, slot: Slot) {
        match slot {
            Slot::Leaf(_) => {}
            Slot::Node(jump) if jump.is_jump() => {
                if jump.child_base & LEAF == 0 {
                    let node = self.take(jump.child_base);
                    self.free(Slot::Node(node));
                }
            }
            Slot::Node(node) => {
                for slot in self.decode(node) {
                    self.free(slot);
                }
            }
        }
    }

    /// A node with these slots, or the leaf that all of them are.
    fn encode(&mut self, slots: &[Slot; SLOTS]) -> Slot {
        let mut nodes = [Node { children: 0, starts: 0, child_base: 0, leaf_base: 0 }; SLOTS];
        let mut leaves = [0; SLOTS];
        let (mut children, mut starts, mut child, mut leaf) = (0u64, 0u64, 0, 0);
        for (n, slot) in slots.iter().enumerate() {
            match *slot {
                Slot::Node(node) => {
                    children |= 1 << n;
                    nodes[child] = node;
                    child += 1;
                }
                Slot::Leaf(target) if leaf == 0 || leaves[leaf - 1] != target => {
                    starts |= 1 << n;
                    leaves[leaf] = target;
                    leaf += 1;
                }
                Slot::Leaf(_) => {}
            }
        }
        match (child, leaf) {
            (0, 1) => return Slot::Leaf(leaves[0]),
            (0, 2 | 3) if has_jumps(self.bits) => {
                if let Some(jump) = jump_to_leaf(starts, &leaves[..leaf]) {
                    return Slot::Node(jump);
                }
            }
            (1, 1) if has_jumps(self.bits) => {
                let chunk = children.trailing_zeros();
                return Slot::Node(self.jump_to_node(chunk.into(), nodes[0], leaves[0]));
            }
            _ => {}
        }
        let child_base = self.nodes.add(&nodes[..child]);
        let leaf_base = self.leaves.add(&leaves[..leaf]);
        Slot::Node(Node { children, starts, child_base, leaf_base })
    }

    /// A jump where the slot `chunk` is a node and all others lead to `miss`.
    fn jump_to_node(&mut self, chunk: u64, node: Node, miss: u32) -> Node {
        let fits =
            node.is_jump() && node.leaf_base == miss && node.count() + STRIDE <= LONGEST_JUMP;
        if fits {
            let value = chunk << node.count() | node.value();
            return Node::jump(node.count() + STRIDE, value, node.child_base, miss);
        }
        Node::jump(STRIDE, chunk, self.nodes.add(&[node]), miss)
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        self.roots.capacity() * 4 + self.nodes.memory_bytes() + self.leaves.memory_bytes()
    }
}

/// What lies at a place with at most one longer prefix, if that can be said without a node of 64
/// slots.
fn build_path(store: &EntryStore, under: Option<u32>, inherited: u32, depth: u32) -> Option<Slot> {
    let Some(slot) = under else { return Some(Slot::Leaf(inherited)) };
    let (row, target) = (store.row(slot), store.slot_target(slot));
    let count = prefix(row).1 - depth;
    if target == inherited {
        return Some(Slot::Leaf(inherited));
    }
    (count <= LONGEST_JUMP).then(|| {
        let value = packing::long_chunk(row, depth, count);
        Slot::Node(Node::jump(count, value, target | LEAF, inherited))
    })
}

/// A jump that does what these runs of leaves do, if all of them but one are equal and a prefix
/// leads to that one.
fn jump_to_leaf(starts: u64, leaves: &[u32]) -> Option<Node> {
    let second = (starts & (starts - 1)).trailing_zeros();
    let (start, end, hit, miss) = match *leaves {
        [a, b] if second <= SLOTS as u32 / 2 => (0, second, a, b),
        [a, b] => (second, SLOTS as u32, b, a),
        [a, b, c] if a == c => (second, 63 - starts.leading_zeros(), b, a),
        _ => return None,
    };
    let length = end - start;
    if !length.is_power_of_two() || start % length != 0 {
        return None;
    }
    let count = STRIDE - length.ilog2();
    Some(Node::jump(count, u64::from(start / length), hit | LEAF, miss))
}
