//! PIEO for ranks and times of up to 64 bits: B+ trees whose nodes know the least time below them.
//!
//! A [`Forest`] is any number of trees in one piece of memory; an element is in at most one of them.
//! The order of a tree is that of its leaves, so equal ranks need no further key: an element is put
//! behind all that have its rank. Removal starts at the leaf, which the element's id leads to.

use crate::list::Element;

/// Entries of a node.
const WIDTH: usize = 64;
/// Ranks that are compared together.
const EIGHT: usize = 8;
/// A node with fewer entries looks for a neighbour to merge with.
const SPARSE: usize = WIDTH / 8;
/// Two neighbours merge if no more entries than this come of it.
const MERGED: usize = WIDTH * 3 / 4;
/// No node.
const NONE: u32 = u32::MAX;

/// A leaf or an inner node. The entries are at `start .. start + len`, so that entries may leave at
/// both ends without a move. Ranks in front of them are 0, behind them the largest.
#[derive(Clone, Debug)]
struct Node {
    start: u32,
    len: u32,
    parent: u32,
    /// Inner: the nodes below are nodes.
    inner: bool,
    /// Leaf: rank of each element. Inner: no rank in the child is less, no rank in front of the child
    /// is more (the first is not looked at).
    ranks: [u64; WIDTH],
    /// Leaf: eligible time of each element. Inner: the least in the child.
    times: [u64; WIDTH],
    /// Leaf: ids. Inner: children.
    links: [u32; WIDTH],
}

#[derive(Clone, Copy)]
struct Entry {
    rank: u64,
    time: u64,
    link: u32,
}

impl Node {
    fn new(inner: bool) -> Self {
        Self {
            start: 0,
            len: 0,
            parent: NONE,
            inner,
            ranks: [u64::MAX; WIDTH],
            times: [0; WIDTH],
            links: [0; WIDTH],
        }
    }

    #[inline]
    fn span(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }

    #[inline]
    fn ranks(&self) -> &[u64] {
        &self.ranks[self.span()]
    }

    /// How many entries have this rank or less. Two looks at eight ranks each, without a branch, rather
    /// than a search; what is outside the span has ranks that make it come out right.
    #[inline]
    fn not_behind(&self, rank: u64) -> usize {
        let (eights, _) = self.ranks.as_chunks::<EIGHT>();
        let full = eights.iter().map(|eight| usize::from(eight[EIGHT - 1] <= rank)).sum::<usize>();
        let last = eights.get(full).map_or(0, |eight| {
            eight.iter().map(|&other| usize::from(other <= rank)).sum::<usize>()
        });
        (full * EIGHT + last).min(self.span().end) - self.start as usize
    }

    #[inline]
    fn times(&self) -> &[u64] {
        &self.times[self.span()]
    }

    #[inline]
    fn links(&self) -> &[u32] {
        &self.links[self.span()]
    }

    #[inline]
    fn entry(&self, place: usize) -> Entry {
        let i = self.start as usize + place;
        Entry { rank: self.ranks[i], time: self.times[i], link: self.links[i] }
    }

    fn least(&self) -> u64 {
        self.times().iter().fold(u64::MAX, |least, &time| least.min(time))
    }

    #[inline]
    fn shift(&mut self, from: std::ops::Range<usize>, to: usize) {
        if from.is_empty() {
            return;
        }
        self.ranks.copy_within(from.clone(), to);
        self.times.copy_within(from.clone(), to);
        self.links.copy_within(from, to);
    }

    /// Puts an entry in front of the one at `place`; there must be room.
    #[inline]
    fn insert(&mut self, place: usize, entry: Entry) {
        let (span, at) = (self.span(), self.start as usize + place);
        let at = if self.start > 0 && (place * 2 < span.len() || span.end == WIDTH) {
            self.shift(span.start..at, span.start - 1);
            self.start -= 1;
            at - 1
        } else {
            self.shift(at..span.end, at + 1);
            at
        };
        (self.ranks[at], self.times[at], self.links[at]) = (entry.rank, entry.time, entry.link);
        self.len += 1;
    }

    #[inline]
    fn remove(&mut self, place: usize) {
        let (span, at) = (self.span(), self.start as usize + place);
        if place * 2 < span.len() {
            self.shift(span.start..at, span.start + 1);
            self.ranks[span.start] = 0;
            self.start += 1;
        } else {
            self.shift(at + 1..span.end, at);
            self.ranks[span.end - 1] = u64::MAX;
        }
        self.len -= 1;
    }
}

/// Trees over elements with ids from 0.
#[derive(Clone, Debug)]
pub struct Forest {
    nodes: Vec<Node>,
    unused: Vec<u32>,
    roots: Box<[u32]>,
    /// The leaf of each id.
    leaves: Box<[u32]>,
}

impl Forest {
    /// `trees` empty trees for elements with ids below `ids`.
    pub fn new(trees: usize, ids: u32) -> Self {
        Self {
            nodes: Vec::new(),
            unused: Vec::new(),
            roots: vec![NONE; trees].into(),
            leaves: vec![NONE; ids as usize].into(),
        }
    }

    /// Whether a tree has an element with this id.
    pub fn contains(&self, id: u32) -> bool {
        self.leaves.get(id as usize).is_some_and(|&leaf| leaf != NONE)
    }

    fn node(&mut self, inner: bool) -> u32 {
        if let Some(index) = self.unused.pop() {
            self.nodes[index as usize] = Node::new(inner);
            return index;
        }
        self.nodes.push(Node::new(inner));
        self.nodes.len() as u32 - 1
    }

    /// The least eligible time in a tree.
    pub fn least(&self, tree: usize) -> Option<u64> {
        let root = self.roots[tree];
        (root != NONE).then(|| self.nodes[root as usize].least())
    }

    /// Leaf and place of the first element of a tree that is eligible.
    #[inline]
    fn find(&self, tree: usize, now: u64) -> Option<(u32, usize)> {
        let mut index = self.roots[tree];
        loop {
            let node = self.nodes.get(index as usize)?;
            let place = node.times().iter().position(|&time| time <= now)?;
            if !node.inner {
                return Some((index, place));
            }
            index = node.links()[place];
        }
    }

    /// The first element of a tree that is eligible, left in.
    #[inline]
    pub fn peek(&self, tree: usize, now: u64) -> Option<Element> {
        let (leaf, place) = self.find(tree, now)?;
        let entry = self.nodes[leaf as usize].entry(place);
        Some(Element { id: entry.link, rank: entry.rank, eligible: entry.time })
    }

    /// Takes out the first element of a tree that is eligible.
    #[inline]
    pub fn dequeue(&mut self, tree: usize, now: u64) -> Option<Element> {
        let (leaf, place) = self.find(tree, now)?;
        Some(self.take(tree, leaf, place))
    }

    /// Takes out the element with this id, which is in this tree or in none.
    pub fn dequeue_id(&mut self, tree: usize, id: u32) -> Option<Element> {
        let leaf = *self.leaves.get(id as usize)?;
        let node = self.nodes.get(leaf as usize)?;
        let place = node.links().iter().position(|&link| link == id)?;
        Some(self.take(tree, leaf, place))
    }

    /// Puts an element in that is in no tree.
    #[inline]
    pub fn enqueue(&mut self, tree: usize, element: Element) {
        let Element { id, rank, eligible: time } = element;
        let mut index = self.roots[tree];
        if index == NONE {
            index = self.node(false);
            self.roots[tree] = index;
        }
        while self.nodes[index as usize].inner {
            let node = &mut self.nodes[index as usize];
            let child = node.not_behind(rank).max(1) - 1;
            let at = node.start as usize + child;
            node.times[at] = node.times[at].min(time);
            index = node.links[at];
        }
        self.leaves[id as usize] = index;
        let node = &mut self.nodes[index as usize];
        let place = node.not_behind(rank);
        node.insert(place, Entry { rank, time, link: id });
        if node.len as usize == WIDTH {
            // Ranks that only grow leave full nodes behind.
            let left = if place == WIDTH - 1 { MERGED } else { WIDTH / 2 };
            self.split(tree, index, left);
        }
    }

    /// Moves all entries of a full node but the first `left` into a new one behind it.
    fn split(&mut self, tree: usize, index: u32, left: usize) {
        let inner = self.nodes[index as usize].inner;
        let right = self.node(inner);
        self.append(index, left, right);
        let node = &mut self.nodes[index as usize];
        node.len = left as u32;
        let end = node.span().end;
        node.ranks[end..].fill(u64::MAX);
        let (lower, upper) = (&self.nodes[index as usize], &self.nodes[right as usize]);
        let (low_rank, low_time) = (lower.ranks()[0], lower.least());
        let above = Entry { rank: upper.ranks()[0], time: upper.least(), link: right };
        let mut parent = lower.parent;
        if parent == NONE {
            parent = self.node(true);
            self.roots[tree] = parent;
            self.nodes[index as usize].parent = parent;
            let below = Entry { rank: low_rank, time: low_time, link: index };
            self.nodes[parent as usize].insert(0, below);
        }
        self.nodes[right as usize].parent = parent;
        let place = self.place(parent, index);
        let node = &mut self.nodes[parent as usize];
        node.times[node.start as usize + place] = low_time;
        node.insert(place + 1, above);
        if node.len as usize == WIDTH {
            self.split(tree, parent, WIDTH / 2);
        }
    }

    /// Where a parent has a child.
    #[inline]
    fn place(&self, parent: u32, child: u32) -> usize {
        let links = self.nodes[parent as usize].links();
        links.iter().position(|&link| link == child).expect("a child of its parent")
    }

    /// Appends the entries of a node from `place` on to another node, which must have room.
    fn append(&mut self, from: u32, place: usize, to: u32) {
        let Ok([from, node]) = self.nodes.get_disjoint_mut([from as usize, to as usize]) else {
            return;
        };
        let moved = from.start as usize + place..from.span().end;
        if node.span().end + moved.len() > WIDTH {
            let span = node.span();
            node.shift(span.clone(), 0);
            node.start = 0;
            node.ranks[span.len()..].fill(u64::MAX);
        }
        let end = node.span().end;
        let target = end..end + moved.len();
        node.ranks[target.clone()].copy_from_slice(&from.ranks[moved.clone()]);
        node.times[target.clone()].copy_from_slice(&from.times[moved.clone()]);
        node.links[target.clone()].copy_from_slice(&from.links[moved]);
        node.len += target.len() as u32;
        match node.inner {
            true => {
                for place in target {
                    let child = self.nodes[to as usize].links[place];
                    self.nodes[child as usize].parent = to;
                }
            }
            false => {
                for &id in &node.links[target] {
                    self.leaves[id as usize] = to;
                }
            }
        }
    }

    #[inline]
    fn take(&mut self, tree: usize, leaf: u32, place: usize) -> Element {
        let node = &mut self.nodes[leaf as usize];
        let entry = node.entry(place);
        node.remove(place);
        self.leaves[entry.link as usize] = NONE;
        self.shrunk(tree, leaf, entry.time);
        Element { id: entry.link, rank: entry.rank, eligible: entry.time }
    }

    /// Puts right what is above a node that has lost an entry with this time.
    #[inline]
    fn shrunk(&mut self, tree: usize, index: u32, lost: u64) {
        let (mut index, mut lost) = (index, lost);
        loop {
            let node = &self.nodes[index as usize];
            let (parent, len) = (node.parent, node.len as usize);
            if parent == NONE {
                self.root_shrunk(tree, index);
                return;
            }
            let place = self.place(parent, index);
            let up = &self.nodes[parent as usize];
            let known = up.times()[place];
            if len < SPARSE
                && let Some(least) = self.dissolve(parent, place)
            {
                (lost, index) = (least, parent);
                continue;
            }
            // The parent is right if the least time is still there.
            let node = &self.nodes[index as usize];
            if lost > known || node.times()[0] == known {
                return;
            }
            let least = node.least();
            let up = &mut self.nodes[parent as usize];
            up.times[up.start as usize + place] = least;
            if least == known {
                return;
            }
            (lost, index) = (known, parent);
        }
    }

    /// Removes an empty child, or merges a sparse one with a neighbour if both fit into one node. The
    /// least time that the parent may have lost; `None` if nothing was done.
    fn dissolve(&mut self, parent: u32, place: usize) -> Option<u64> {
        let up = &self.nodes[parent as usize];
        let (child, before) = (up.links()[place], up.times()[place]);
        if self.nodes[child as usize].len == 0 {
            self.nodes[parent as usize].remove(place);
            self.unused.push(child);
            return Some(before);
        }
        let left = if place + 1 < up.len as usize { place } else { place.checked_sub(1)? };
        let (lower, upper) = (up.links()[left], up.links()[left + 1]);
        let size = self.nodes[lower as usize].len + self.nodes[upper as usize].len;
        if size as usize > MERGED {
            return None;
        }
        let lost = up.times()[left].min(up.times()[left + 1]);
        self.append(upper, 0, lower);
        self.unused.push(upper);
        let least = self.nodes[lower as usize].least();
        let up = &mut self.nodes[parent as usize];
        up.times[up.start as usize + left] = least;
        up.remove(left + 1);
        Some(lost)
    }

    fn root_shrunk(&mut self, tree: usize, index: u32) {
        let node = &self.nodes[index as usize];
        if node.len == 0 {
            self.unused.push(index);
            self.roots[tree] = NONE;
        } else if node.inner && node.len == 1 {
            let child = node.links()[0];
            self.unused.push(index);
            self.nodes[child as usize].parent = NONE;
            self.roots[tree] = child;
        }
    }

    /// All elements of a tree in order.
    pub fn elements(&self, tree: usize) -> Vec<Element> {
        let mut elements = Vec::new();
        // Children still to visit, the next one last.
        let mut stack = vec![self.roots[tree]];
        while let Some(node) = stack.pop().and_then(|index| self.nodes.get(index as usize)) {
            let entries = (0..node.len as usize).map(|place| node.entry(place));
            match node.inner {
                true => stack.extend(entries.rev().map(|entry| entry.link)),
                false => elements.extend(entries.map(|e| Element {
                    id: e.link,
                    rank: e.rank,
                    eligible: e.time,
                })),
            }
        }
        elements
    }
}
