//! The request and the answer in which a scheduler speaks with a scheduling policy that is a program
//! (docs/scheduling.md): a request is a packet that comes in, and the answer the packet that leaves.

/// What the scheduler asks a policy for; the number stands in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Rank and eligible time of a child that enters the list.
    PreEnqueue = 0,
    /// A packet of the child has left.
    PostDequeue = 1,
    /// What eligible times are compared with.
    Clock = 2,
    /// May the child that was chosen send its packet?
    MaySend = 3,
    /// Does a child that has sent go on without a look at the list?
    Stays = 4,
    /// The child leaves the list without sending.
    Withdraw = 5,
    /// The child has no packet any more.
    Emptied = 6,
}

/// All kinds, by number.
pub const KINDS: [Kind; 7] = [
    Kind::PreEnqueue,
    Kind::PostDequeue,
    Kind::Clock,
    Kind::MaySend,
    Kind::Stays,
    Kind::Withdraw,
    Kind::Emptied,
];

/// How many nodes and children share a program; states of all of them are in its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    /// Nodes, at least 1.
    pub nodes: u32,
    /// Children of all nodes, at least 1.
    pub children: u32,
}

/// A field of the request or the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its name.
    pub name: &'static str,
    /// Bits, a multiple of 8.
    pub bits: u32,
    /// Whether the program sees it as `bool`.
    pub is_bool: bool,
}

/// The request, in network byte order without gaps. `kind` is a [`Kind`]; `node` and `child` say where
/// their states are, from 0; the others are those of `wirewright.p4`.
pub const REQUEST: &[Word] = &[
    word("kind", 8),
    flag("fresh"),
    flag("any"),
    word("node", 32),
    word("child", 32),
    word("bytes", 32),
    word("stamped", 32),
    word("now", 64),
    word("least", 64),
    word("weight", 32),
    word("priority", 64),
    word("pace", 64),
    word("share", 64),
    word("node_pace", 64),
    word("burst", 32),
    word("quantum", 32),
    word("arrival", 64),
    word("size", 64),
    word("remaining", 64),
    word("slack", 64),
    word("deadline", 64),
    word("release", 64),
];

/// The answer, in network byte order without gaps. Those that the control does not give are 0.
pub const ANSWER: &[Word] =
    &[word("rank", 64), word("eligible", 64), word("clock", 64), flag("yes")];

const fn word(name: &'static str, bits: u32) -> Word {
    Word { name, bits, is_bool: false }
}

const fn flag(name: &'static str) -> Word {
    Word { name, bits: 8, is_bool: true }
}

/// Bytes of a request or an answer.
pub const fn bytes(words: &[Word]) -> usize {
    offset(words, words.len())
}

/// The first byte of the word with this number.
pub const fn offset(words: &[Word], number: usize) -> usize {
    let (mut sum, mut n) = (0, 0);
    while n < number {
        sum += words[n].bits as usize / 8;
        n += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_numbered() {
        assert!(KINDS.iter().enumerate().all(|(number, kind)| *kind as usize == number));
    }

    #[test]
    fn words_are_whole_bytes() {
        assert!(REQUEST.iter().chain(ANSWER).all(|word| word.bits % 8 == 0));
        assert_eq!((bytes(REQUEST), bytes(ANSWER)), (127, 25));
        assert_eq!(offset(REQUEST, 3), 3);
    }
}
