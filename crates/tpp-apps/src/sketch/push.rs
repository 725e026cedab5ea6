//! Messages of hosts about their bitmaps, that each fit into a datagram and are complete in themselves, so that they
//! may be lost, repeated, or come in any order. All in network byte order.
//!
//! | bytes | field |
//! |---|---|
//! | 0–3 | `TPSK` |
//! | 4 | version, 1 |
//! | 5 | binary logarithm of the bits of a bitmap, 6 to 16 |
//! | 6–7 | bitmaps, 1 or more |
//! | 8–11 | epoch: the interval that the bitmaps are of |
//!
//! Then each bitmap: switch (2 bytes), port (2), and a count (2) of the positions of bits that are set, which follow in
//! ascending order (2 each), from the least significant bit of the first word on. A count of 0xffff: all words follow (8
//! bytes each). The sender chooses the shorter form.

use super::Link;
use super::bitmap::ones;
use super::links::LinkSketches;
use std::fmt;

const MAGIC: [u8; 4] = *b"TPSK";
const VERSION: u8 = 1;
const HEADER: usize = 12;
const ENTRY: usize = 6;
const ALL_WORDS: u16 = 0xffff;

/// Why a message was refused; nothing of it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It does not begin as messages do.
    NotAPush,
    /// It is of another version.
    Version,
    /// Its bitmaps are of another size.
    Bits,
    /// It is shorter or longer than what it says that it has.
    Length,
    /// Positions are not ascending or beyond the last bit, or there is none.
    Positions,
    /// It is of an epoch that is over.
    Epoch,
    /// Another instance of the service has this link.
    Instance,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAPush => "it does not begin with TPSK",
            Self::Version => "it is of another version than 1",
            Self::Bits => "its bitmaps are of another size",
            Self::Length => "it is shorter or longer than its bitmaps",
            Self::Positions => "positions of bits are not ascending, or beyond the bitmap",
            Self::Epoch => "it is of an epoch that is over",
            Self::Instance => "it has a link that is another instance's",
        })
    }
}

impl std::error::Error for Refused {}

/// Bytes that a bitmap takes, and whether as positions.
fn size(bitmap: &[u64]) -> (usize, bool) {
    let (sparse, dense) = (2 * ones(bitmap) as usize, 8 * bitmap.len());
    (ENTRY + sparse.min(dense), sparse < dense)
}

fn append(message: &mut Vec<u8>, link: Link, bitmap: &[u64]) {
    message.extend(link.switch.to_be_bytes());
    message.extend(link.port.to_be_bytes());
    if !size(bitmap).1 {
        message.extend(ALL_WORDS.to_be_bytes());
        bitmap.iter().for_each(|word| message.extend(word.to_be_bytes()));
        return;
    }
    message.extend((ones(bitmap) as u16).to_be_bytes());
    for (number, word) in (0u32..).zip(bitmap) {
        let mut rest = *word;
        while rest != 0 {
            let position = 64 * number + rest.trailing_zeros();
            message.extend((position as u16).to_be_bytes());
            rest &= rest - 1;
        }
    }
}

/// Messages with these bitmaps of one size, each at most `most` bytes long, or one bitmap. Bitmaps without any bit say
/// nothing, and are left out.
pub fn messages<'b>(
    epoch: u32,
    bitmaps: impl IntoIterator<Item = (Link, &'b [u64])>,
    most: usize,
) -> Vec<Vec<u8>> {
    let mut done: Vec<Vec<u8>> = Vec::new();
    let mut count = 0u16;
    for (link, bitmap) in bitmaps {
        if ones(bitmap) == 0 {
            continue;
        }
        let fits = done.last().is_some_and(|message| message.len() + size(bitmap).0 <= most);
        if !fits || count == u16::MAX {
            let mut header = MAGIC.to_vec();
            header.extend([VERSION, (64 * bitmap.len()).ilog2() as u8, 0, 0]);
            header.extend(epoch.to_be_bytes());
            done.push(header);
            count = 0;
        }
        count += 1;
        if let Some(message) = done.last_mut() {
            append(message, link, bitmap);
            message[6..8].copy_from_slice(&count.to_be_bytes());
        }
    }
    done
}

/// A message that was found to be good.
#[derive(Clone, Copy, Debug)]
pub struct Push<'m> {
    /// The interval that its bitmaps are of.
    pub epoch: u32,
    words: usize,
    entries: &'m [u8],
}

fn word_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
}

/// Reads one bitmap into `bitmap`. Gives its link and what follows.
fn entry<'m>(bytes: &'m [u8], bitmap: &mut [u64]) -> Result<(Link, &'m [u8]), Refused> {
    let (Some(switch), Some(port), Some(count)) =
        (word_at(bytes, 0), word_at(bytes, 2), word_at(bytes, 4))
    else {
        return Err(Refused::Length);
    };
    let rest = &bytes[ENTRY..];
    let length = if count == ALL_WORDS { 8 * bitmap.len() } else { 2 * usize::from(count) };
    let (body, rest) = rest.split_at_checked(length).ok_or(Refused::Length)?;
    let link = Link { switch, port };
    if count == ALL_WORDS {
        for (word, bytes) in bitmap.iter_mut().zip(body.as_chunks::<8>().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        return Ok((link, rest));
    }
    bitmap.fill(0);
    let mut next = 0;
    for pair in body.as_chunks::<2>().0 {
        let position = usize::from(u16::from_be_bytes(*pair));
        let word = bitmap.get_mut(position / 64).filter(|_| position >= next);
        *word.ok_or(Refused::Positions)? |= 1 << (position % 64);
        next = position + 1;
    }
    if next == 0 { Err(Refused::Positions) } else { Ok((link, rest)) }
}

impl<'m> Push<'m> {
    /// Checks a whole message with bitmaps of `bits` bits.
    ///
    /// # Errors
    /// It is not a push, or a malformed one.
    pub fn new(message: &'m [u8], bits: usize) -> Result<Self, Refused> {
        let (header, entries) = message.split_first_chunk::<HEADER>().ok_or(Refused::NotAPush)?;
        if header[..4] != MAGIC {
            return Err(Refused::NotAPush);
        }
        if header[4] != VERSION {
            return Err(Refused::Version);
        }
        if 1usize.checked_shl(header[5].into()) != Some(bits) {
            return Err(Refused::Bits);
        }
        let count = u16::from_be_bytes([header[6], header[7]]);
        let epoch = u32::from_be_bytes([header[8], header[9], header[10], header[11]]);
        let words = bits / 64;
        let mut bitmap = vec![0; words];
        let mut rest = entries;
        for _ in 0..count {
            rest = entry(rest, &mut bitmap)?.1;
        }
        let is_whole = rest.is_empty() && count > 0;
        is_whole.then_some(Self { epoch, words, entries }).ok_or(Refused::Length)
    }

    /// Its links.
    pub fn links(&self) -> Vec<Link> {
        let mut links = Vec::new();
        self.each(|link, _| links.push(link));
        links
    }

    /// Adds its bitmaps.
    pub fn merge_into(&self, sketches: &mut LinkSketches) {
        self.each(|link, bitmap| sketches.merge(link, bitmap));
    }

    fn each(&self, mut work: impl FnMut(Link, &[u64])) {
        let mut bitmap = vec![0; self.words];
        let mut rest = self.entries;
        while let Ok((link, behind)) = entry(rest, &mut bitmap) {
            work(link, &bitmap);
            rest = behind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Link = Link { switch: 0x0102, port: 3 };

    /// By hand, from the table above.
    #[test]
    fn bytes_by_hand() {
        let message = messages(7, [(LINK, [1 << 5, 1].as_slice())], 1400);
        let wanted =
            [b'T', b'P', b'S', b'K', 1, 7, 0, 1, 0, 0, 0, 7, 1, 2, 0, 3, 0, 2, 0, 5, 0, 64];
        assert_eq!(message, [wanted.to_vec()]);
        // 5 of 64 bits are 10 bytes, all of them 8.
        let message = messages(0, [(LINK, [0x1f].as_slice())], 1400);
        assert_eq!(message[0][16..], [0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0x1f]);
    }

    #[test]
    fn what_is_pushed_arrives() {
        let mut host = LinkSketches::new(1024, 100).expect("good");
        for n in 0..10_000u64 {
            // From 1 to thousands of elements a link.
            let port = (super::super::hash(n) % 100) as u16;
            (0..=u64::from(port))
                .for_each(|k| host.add(Link { switch: 9, port }, super::super::hash(n * k)));
        }
        let changed = host.take_changed();
        let pushed = messages(1, changed, 1400);
        assert!(pushed.len() > 1 && pushed.iter().all(|message| message.len() <= 1400));
        let mut service = LinkSketches::new(1024, 100).expect("good");
        // Twice and from the last to the first: it makes no difference.
        for message in pushed.iter().rev().chain(&pushed) {
            Push::new(message, 1024).expect("a good message").merge_into(&mut service);
        }
        assert!(host.iter().all(|(link, bitmap)| service.bitmap(link) == Some(bitmap)));
        assert_eq!(host.iter().count(), service.iter().count());
    }

    #[test]
    fn bad_messages_are_refused() {
        let good = messages(1, [(LINK, [1 << 5, 1].as_slice())], 1400).remove(0);
        let refused = |message: &[u8]| Push::new(message, 128).expect_err("bad");
        let with = |at: usize, value: u8| {
            let mut message = good.clone();
            message[at] = value;
            message
        };
        assert_eq!(Push::new(&good, 128).expect("good").links(), [LINK]);
        assert_eq!(refused(&good[..11]), Refused::NotAPush);
        assert_eq!(refused(&with(0, b'X')), Refused::NotAPush);
        assert_eq!(refused(&with(4, 2)), Refused::Version);
        assert_eq!(refused(&with(5, 6)), Refused::Bits);
        assert_eq!(refused(&with(5, 255)), Refused::Bits);
        assert_eq!(refused(&with(7, 0)), Refused::Length, "bytes that belong to nothing");
        assert_eq!(refused(&with(7, 2)), Refused::Length);
        assert_eq!(refused(&with(17, 3)), Refused::Length);
        assert_eq!(refused(&with(17, 1)), Refused::Length);
        assert_eq!(refused(&with(19, 64)), Refused::Positions, "twice the same");
        assert_eq!(refused(&with(20, 1)), Refused::Positions, "bit 320 of 128");
        assert_eq!(refused(&[&good[..17], &[0]].concat()), Refused::Positions, "none");
        assert!((0..good.len()).all(|length| Push::new(&good[..length], 128).is_err()));
    }
}
