//! Bitmaps of many links in one allocation, and which of them have changed.

use super::Link;
use super::bitmap::{self, Estimate};
use std::collections::HashMap;

/// See the module.
#[derive(Clone, Debug)]
pub struct LinkSketches {
    /// 64-bit words of a bitmap.
    words: usize,
    /// In the order in which links were met.
    bitmaps: Vec<u64>,
    links: Vec<Link>,
    changed: Vec<bool>,
    places: HashMap<Link, u32>,
    room: usize,
    refused: u64,
}

impl LinkSketches {
    /// For at most `room` links with bitmaps of `bits` bits; their memory is allocated now. `None` if bitmaps cannot have
    /// that many bits ([`bitmap::is_size`]), or for more than 2^24 links.
    pub fn new(bits: usize, room: usize) -> Option<Self> {
        if !bitmap::is_size(bits) || room > 1 << 24 {
            return None;
        }
        let words = bits / 64;
        Some(Self {
            words,
            bitmaps: Vec::with_capacity(words * room),
            links: Vec::with_capacity(room),
            changed: Vec::with_capacity(room),
            places: HashMap::with_capacity(room),
            room,
            refused: 0,
        })
    }

    /// Bits of a bitmap.
    pub fn bits(&self) -> usize {
        64 * self.words
    }

    /// Elements and bitmaps that were refused, as there was no room for another link.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Bytes of the bitmaps that there are.
    pub fn bitmap_bytes(&self) -> usize {
        size_of_val(self.bitmaps.as_slice())
    }

    /// Bytes of all memory that it has taken, but for what the hash table needs besides its entries (a byte each, and an
    /// eighth of them free).
    pub fn memory(&self) -> usize {
        self.bitmaps.capacity() * size_of::<u64>()
            + self.links.capacity() * size_of::<Link>()
            + self.changed.capacity() * size_of::<bool>()
            + self.places.capacity() * size_of::<(Link, u32)>()
    }

    fn place(&mut self, link: Link) -> Option<usize> {
        if let Some(place) = self.places.get(&link) {
            return Some(*place as usize);
        }
        let place = self.links.len();
        if place == self.room {
            self.refused += 1;
            return None;
        }
        self.places.insert(link, place as u32);
        self.links.push(link);
        self.changed.push(false);
        self.bitmaps.resize((place + 1) * self.words, 0);
        Some(place)
    }

    fn of(&self, place: usize) -> &[u64] {
        &self.bitmaps[place * self.words..(place + 1) * self.words]
    }

    /// Adds an element, given its hash, to a link's bitmap.
    pub fn add(&mut self, link: Link, hash: u64) {
        let Some(place) = self.place(link) else { return };
        let words = place * self.words..(place + 1) * self.words;
        self.changed[place] |= bitmap::set(&mut self.bitmaps[words], hash);
    }

    /// Adds what another bitmap of the link, of the same size, has seen.
    pub fn merge(&mut self, link: Link, bitmap: &[u64]) {
        let Some(place) = self.place(link) else { return };
        let words = place * self.words..(place + 1) * self.words;
        self.changed[place] |= bitmap::merge(&mut self.bitmaps[words], bitmap);
    }

    /// Links and bitmaps, in the order in which they were met.
    pub fn iter(&self) -> impl Iterator<Item = (Link, &[u64])> {
        self.links.iter().copied().zip(self.bitmaps.chunks_exact(self.words))
    }

    /// A link's bitmap.
    pub fn bitmap(&self, link: Link) -> Option<&[u64]> {
        self.places.get(&link).map(|place| self.of(*place as usize))
    }

    /// How many different elements a link has seen.
    pub fn estimate(&self, link: Link) -> Option<Estimate> {
        self.bitmap(link).map(bitmap::estimate)
    }

    /// Gives the bitmaps that have changed since this was called the last time.
    pub fn take_changed(&mut self) -> Vec<(Link, &[u64])> {
        let words = self.words;
        let all = self.links.iter().zip(self.bitmaps.chunks_exact(words)).zip(&mut self.changed);
        all.filter_map(|((link, bitmap), changed)| {
            std::mem::take(changed).then_some((*link, bitmap))
        })
        .collect()
    }

    /// Forgets what all links have seen, and the links.
    pub fn clear(&mut self) {
        self.bitmaps.clear();
        self.links.clear();
        self.changed.clear();
        self.places.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Link = Link { switch: 1, port: 2 };

    #[test]
    fn changes_are_told_once() {
        let mut sketches = LinkSketches::new(64, 2).expect("a good size");
        sketches.add(LINK, 3);
        sketches.add(LINK, 3);
        assert_eq!(sketches.take_changed(), [(LINK, [8].as_slice())]);
        sketches.add(LINK, 3);
        sketches.merge(LINK, &[8]);
        assert!(sketches.take_changed().is_empty());
        sketches.merge(LINK, &[1]);
        assert_eq!(sketches.take_changed(), [(LINK, [9].as_slice())]);
        let other = Link { switch: 2, port: 2 };
        sketches.add(other, 0);
        sketches.add(Link { switch: 3, port: 0 }, 0);
        assert_eq!((sketches.refused(), sketches.iter().count()), (1, 2), "room for two");
        assert!(sketches.estimate(Link { switch: 3, port: 0 }).is_none());
        sketches.clear();
        assert!(sketches.bitmap(LINK).is_none());
    }

    /// Acceptance check 23 of spec 003: 65,536 links of 1 kbit are 8,388,608 bytes.
    #[test]
    fn memory_of_a_server_in_a_fat_tree_of_64() {
        let mut sketches = LinkSketches::new(1024, 65_536).expect("a good size");
        for switch in 0..1024 {
            for port in 0..64 {
                sketches.add(Link { switch, port }, u64::from(port));
            }
        }
        assert_eq!(sketches.iter().count(), 65_536);
        assert_eq!(sketches.bitmap_bytes(), 8_388_608);
        let more = sketches.memory() - sketches.bitmap_bytes();
        // Links 4 bytes, marks 1, and the index 8 bytes a link in a table that is 7/8 full at most: 114,688 places.
        assert_eq!(more, 65_536 * 5 + 114_688 * 8);
    }
}
