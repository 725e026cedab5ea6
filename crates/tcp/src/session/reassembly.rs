//! What has arrived: bytes in order that nobody has read, and ranges beyond them that wait for what is missing.

use crate::options::{Block, Blocks, MOST_BLOCKS};
use crate::sequence::Sequence;
use std::collections::VecDeque;

/// What became of a segment's bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Bytes that are in order now and were not before, those of waiting ranges included.
    pub in_order: u32,
    /// It filled the last hole.
    pub filled: bool,
    /// It waits beyond a hole, or could not be kept there.
    pub out_of_order: bool,
    /// Bytes that had come before (RFC 2883).
    pub duplicate: Option<Block>,
    /// The peer's FIN is in order now.
    pub fin: bool,
}

/// What a segment brings: bytes, and perhaps FIN behind them.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'p> {
    /// Number of the first byte.
    pub start: Sequence,
    /// The bytes.
    pub bytes: &'p [u8],
    /// FIN follows.
    pub fin: bool,
}

/// The receive buffer of a session.
#[derive(Clone, Debug, Default)]
pub struct Reassembly {
    /// Bytes from `read` on: those in order, and behind them, with holes, the ranges.
    data: VecDeque<u8>,
    /// First byte that the application has not read.
    read: Sequence,
    /// rcv_nxt: the byte that comes next in order.
    next: Sequence,
    /// Ranges beyond `next`, in order, that do not touch each other.
    ranges: Vec<Block>,
    /// The number of the peer's FIN, if it has come.
    fin: Option<Sequence>,
    /// Ranges by the time of their last change, the latest first (RFC 2018 section 4).
    recent: Vec<Block>,
}

impl Reassembly {
    /// Begins with the byte `first`.
    pub fn new(first: Sequence) -> Self {
        Self { read: first, next: first, ..Self::default() }
    }

    /// rcv_nxt.
    pub fn next(&self) -> Sequence {
        self.next
    }

    /// The first byte that the application has not read.
    pub fn read_position(&self) -> Sequence {
        self.read
    }

    /// Bytes that can be read.
    pub fn readable(&self) -> u32 {
        self.next - self.read
    }

    /// Whether bytes wait beyond a hole.
    pub fn has_hole(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// Takes in what a segment brings, which ends within the window. Up to `most` ranges are kept out of order.
    pub fn insert(&mut self, piece: &Piece<'_>, most: usize) -> Arrival {
        let &Piece { start, bytes, fin } = piece;
        let mut arrival = Arrival::default();
        let end = start + bytes.len() as u32 + u32::from(fin);
        if start.before(self.next) {
            arrival.duplicate = Some(Block { start, end: end.earliest(self.next) });
        }
        if !end.after(self.next) {
            return arrival;
        }
        if start.after(self.next) {
            arrival.out_of_order = true;
            if most > 0 {
                if fin {
                    self.fin = Some(end - 1);
                }
                arrival.duplicate = self.keep(Block { start, end }, bytes, most);
            }
            return arrival;
        }
        if fin {
            self.fin = Some(end - 1);
        }
        let known = (self.next.beyond(start) as usize).min(bytes.len());
        self.put(self.next, &bytes[known..]);
        let (before, holes) = (self.next, self.has_hole());
        self.next = end;
        let reached = self.ranges.iter().take_while(|range| !range.start.after(self.next)).count();
        for range in self.ranges.drain(..reached) {
            // What the segment brought a second time.
            if range.start.before(end) && arrival.duplicate.is_none() {
                arrival.duplicate =
                    Some(Block { start: range.start, end: range.end.earliest(end) });
            }
            self.next = self.next.latest(range.end);
        }
        // A range that begins within what a later one has reached.
        while let Some(range) = self.ranges.first().filter(|range| !range.start.after(self.next)) {
            self.next = self.next.latest(range.end);
            self.ranges.remove(0);
        }
        if let Some(fin) = self.fin.filter(|fin| fin.before(self.next)) {
            // It takes a number and no byte; what is behind it is none of the stream.
            self.fin = None;
            self.next = fin + 1;
            self.ranges.clear();
            self.read += 1;
            arrival.fin = true;
        }
        self.recent.retain(|block| block.start.after(self.next));
        arrival.in_order = self.next - before - u32::from(arrival.fin);
        arrival.filled = holes && self.ranges.is_empty();
        arrival
    }

    /// Keeps a range out of order, and says which part of it was there.
    fn keep(&mut self, block: Block, bytes: &[u8], most: usize) -> Option<Block> {
        let touches =
            |range: &Block| !range.end.before(block.start) && !range.start.after(block.end);
        let first = self.ranges.iter().position(touches);
        let Some(first) = first else {
            if self.ranges.len() < most {
                let place = self.ranges.iter().position(|range| range.start.after(block.end));
                self.ranges.insert(place.unwrap_or(self.ranges.len()), block);
                self.put(block.start, bytes);
                self.report(block);
            }
            return None;
        };
        let count = self.ranges[first..].iter().take_while(|range| touches(range)).count();
        let overlap = self.ranges[first..first + count].iter().find_map(|range| {
            let (start, end) = (range.start.latest(block.start), range.end.earliest(block.end));
            start.before(end).then_some(Block { start, end })
        });
        let whole = Block {
            start: block.start.earliest(self.ranges[first].start),
            end: block.end.latest(self.ranges[first + count - 1].end),
        };
        self.ranges.drain(first..first + count);
        self.ranges.insert(first, whole);
        self.put(block.start, bytes);
        self.report(whole);
        overlap
    }

    /// The range has changed last.
    fn report(&mut self, block: Block) {
        self.recent.retain(|old| old.start.before(block.start) || old.end.after(block.end));
        self.recent.insert(0, block);
        self.recent.truncate(MOST_BLOCKS);
    }

    /// Writes bytes to their place, over what was there.
    fn put(&mut self, start: Sequence, bytes: &[u8]) {
        let offset = (start - self.read) as usize;
        if self.data.len() == offset {
            self.data.extend(bytes);
            return;
        }
        if self.data.len() < offset + bytes.len() {
            self.data.resize(offset + bytes.len(), 0);
        }
        let (first, second) = self.data.as_mut_slices();
        let split = first.len();
        if offset < split {
            let head = bytes.len().min(split - offset);
            first[offset..offset + head].copy_from_slice(&bytes[..head]);
            second[..bytes.len() - head].copy_from_slice(&bytes[head..]);
        } else {
            second[offset - split..][..bytes.len()].copy_from_slice(bytes);
        }
    }

    /// Blocks for a SACK option: a duplicate first (RFC 2883), then the ranges that changed last.
    pub fn blocks(&self, duplicate: Option<Block>) -> Blocks {
        let mut blocks = Blocks::default();
        duplicate
            .into_iter()
            .chain(self.recent.iter().copied())
            .for_each(|block| blocks.push(block));
        blocks
    }

    /// The end of the last range, if there is one.
    pub fn furthest(&self) -> Option<Sequence> {
        self.ranges.last().map(|range| range.end)
    }

    /// Bytes in order, in two pieces.
    pub fn peek(&self) -> (&[u8], &[u8]) {
        let readable = self.readable() as usize;
        let (first, second) = self.data.as_slices();
        let head = first.len().min(readable);
        (&first[..head], &second[..readable - head])
    }

    /// The application has taken `count` bytes, at most those that can be read.
    pub fn consume(&mut self, count: u32) {
        let count = count.min(self.readable());
        self.data.drain(..count as usize);
        self.read += count;
        if self.data.is_empty() && self.data.capacity() > 1 << 16 {
            self.data.shrink_to(1 << 12);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: usize = 64;

    fn block(start: u32, end: u32) -> Block {
        Block { start: Sequence(start), end: Sequence(end) }
    }

    fn insert(buffer: &mut Reassembly, start: u32, bytes: &[u8]) -> Arrival {
        buffer.insert(&Piece { start: Sequence(start), bytes, fin: false }, MOST)
    }

    fn read(buffer: &mut Reassembly) -> Vec<u8> {
        let (first, second) = buffer.peek();
        let bytes = [first, second].concat();
        buffer.consume(bytes.len() as u32);
        bytes
    }

    #[test]
    fn a_hole_is_filled() {
        let mut buffer = Reassembly::new(Sequence(0));
        let arrival = insert(&mut buffer, 4, b"efgh");
        assert!(arrival.out_of_order && arrival.in_order == 0);
        assert_eq!(buffer.blocks(None).as_slice(), [block(4, 8)]);
        let arrival = insert(&mut buffer, 0, b"abcd");
        assert_eq!((arrival.in_order, arrival.filled), (8, true));
        assert!(buffer.blocks(None).is_empty());
        assert_eq!(read(&mut buffer), b"abcdefgh");
    }

    #[test]
    fn a_fin_waits_for_what_is_in_front_of_it() {
        let mut buffer = Reassembly::new(Sequence(0));
        let last = Piece { start: Sequence(4), bytes: b"ef", fin: true };
        assert!(!buffer.insert(&last, MOST).fin);
        assert_eq!(buffer.blocks(None).as_slice(), [block(4, 7)]);
        let arrival = insert(&mut buffer, 0, b"abcd");
        assert_eq!((arrival.fin, arrival.in_order, buffer.next()), (true, 6, Sequence(7)));
        assert_eq!(read(&mut buffer), b"abcdef");
        assert_eq!(buffer.readable(), 0);
    }

    #[test]
    fn nothing_comes_behind_a_fin() {
        let mut buffer = Reassembly::new(Sequence(0));
        insert(&mut buffer, 7, b"xyz");
        assert!(!buffer.insert(&Piece { start: Sequence(4), bytes: b"ef", fin: true }, MOST).fin);
        let arrival = insert(&mut buffer, 0, b"abcd");
        assert_eq!((arrival.fin, arrival.in_order, buffer.next()), (true, 6, Sequence(7)));
        assert!(!buffer.has_hole() && buffer.blocks(None).is_empty());
        assert_eq!(read(&mut buffer), b"abcdef");
    }

    #[test]
    fn blocks_are_told_latest_first() {
        let mut buffer = Reassembly::new(Sequence(0));
        for start in [10, 30, 50, 20] {
            insert(&mut buffer, start, b"0123456789");
        }
        // 20 to 30 joins its neighbours.
        assert_eq!(buffer.blocks(None).as_slice(), [block(10, 40), block(50, 60)]);
    }

    #[test]
    fn duplicates_are_told() {
        let mut buffer = Reassembly::new(Sequence(0));
        insert(&mut buffer, 0, b"0123");
        assert_eq!(insert(&mut buffer, 0, b"01").duplicate, Some(block(0, 2)));
        assert_eq!(insert(&mut buffer, 2, b"2345").duplicate, Some(block(2, 4)));
        insert(&mut buffer, 10, b"0123");
        assert_eq!(insert(&mut buffer, 12, b"2345").duplicate, Some(block(12, 14)));
    }

    #[test]
    fn without_keeping_nothing_waits() {
        let mut buffer = Reassembly::new(Sequence(0));
        let beyond = Piece { start: Sequence(4), bytes: b"efgh", fin: false };
        assert!(buffer.insert(&beyond, 0).out_of_order);
        assert_eq!(insert(&mut buffer, 0, b"abcd").in_order, 4);
        assert!(!buffer.has_hole());
    }

    #[test]
    fn ranges_are_bounded() {
        let mut buffer = Reassembly::new(Sequence(0));
        for number in 0..2 * MOST as u32 {
            insert(&mut buffer, 10 + 10 * number, b"x");
        }
        assert_eq!(buffer.ranges.len(), MOST);
        assert_eq!(buffer.furthest(), Some(Sequence(10 + 10 * (MOST as u32 - 1) + 1)));
    }

    proptest! {
        /// Pieces of a stream in any order, again and overlapping, end as the stream, wherever the numbers wrap.
        #[test]
        fn any_order_ends_as_the_stream(
            first in any::<u32>(),
            pieces in prop::collection::vec((0usize..500, 1usize..80), 1..60),
            reads in any::<bool>(),
        ) {
            let stream: Vec<u8> = (0..600).map(|n| (n * 31 % 251) as u8).collect();
            let mut buffer = Reassembly::new(Sequence(first));
            let (mut there, mut got) = (vec![false; 600], Vec::new());
            for (at, length) in pieces {
                let before = got.len() as u32 + buffer.readable();
                let start = first.wrapping_add(at as u32);
                let arrival = insert(&mut buffer, start, &stream[at..at + length]);
                there[at..at + length].fill(true);
                let whole = there.iter().take_while(|&&byte| byte).count() as u32;
                prop_assert_eq!(buffer.next() - Sequence(first), whole);
                prop_assert_eq!(arrival.in_order, whole - before);
                for block in buffer.blocks(None).as_slice() {
                    let (from, to) = (block.start - Sequence(first), block.end - Sequence(first));
                    prop_assert!(there[from as usize..to as usize].iter().all(|&byte| byte));
                    prop_assert!(!there[from as usize - 1] && !there[to as usize]);
                }
                if reads {
                    got.extend(read(&mut buffer));
                }
            }
            got.extend(read(&mut buffer));
            prop_assert_eq!(&got[..], &stream[..got.len()]);
        }
    }
}
