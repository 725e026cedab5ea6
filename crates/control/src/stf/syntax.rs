//! What an STF file says, before any name has a meaning.

use crate::number::Pattern;
use crate::word::Word;
use num_bigint::BigUint;
use ww_p4::source::Span;

/// A whole test.
#[derive(Clone, Debug, Default)]
pub struct Test {
    /// Statements in order.
    pub statements: Vec<Statement>,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it asks for.
    pub kind: StatementKind,
    /// The whole line without its comment.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `packet PORT HEX`
    Packet {
        /// Where it comes in.
        port: u32,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// `expect PORT [HEX [$]]`
    Expect {
        /// Where it must leave.
        port: u32,
        /// Its contents; `None` accepts any packet.
        pattern: Option<PacketPattern>,
    },
    /// `no_packet`
    NoPacket,
    /// `wait`
    Wait,
    /// `add TABLE [PRIORITY] KEY:VALUE.. ACTION(..) [= NAME]`
    Add {
        /// Suffix of the table's name.
        table: Word,
        /// The higher number wins.
        priority: Option<i64>,
        /// Keys in any order.
        keys: Vec<KeyValue>,
        /// What the entry does.
        action: ActionCall,
        /// A name for the entry.
        name: Option<Word>,
    },
    /// `setdefault TABLE ACTION(..)`
    SetDefault {
        /// Suffix of the table's name.
        table: Word,
        /// The new default.
        action: ActionCall,
    },
    /// `remove all`
    RemoveAll,
    /// `remove TABLE [PRIORITY] KEY:VALUE..`
    Remove {
        /// Suffix of the table's name.
        table: Word,
        /// Tells entries with equal keys apart.
        priority: Option<i64>,
        /// Keys in any order.
        keys: Vec<KeyValue>,
    },
    /// `mirroring_add SESSION PORT`
    MirroringAdd {
        /// Session.
        session: u32,
        /// Where clones go.
        port: u32,
    },
    /// `mirroring_add_mc SESSION GROUP`
    MirroringAddGroup {
        /// Session.
        session: u32,
        /// Where clones go.
        group: u16,
    },
    /// `mirroring_delete SESSION`
    MirroringDelete(u32),
    /// `mirroring_get SESSION`
    MirroringGet(u32),
    /// `mc_mgrp_create GROUP`
    GroupCreate(u16),
    /// `mc_node_create RID PORT..`
    NodeCreate {
        /// `egress_rid` of the copies.
        replication_id: u16,
        /// Where they go.
        ports: Vec<u32>,
    },
    /// `mc_node_associate GROUP HANDLE`
    NodeAssociate {
        /// Group.
        group: u16,
        /// The node: they are numbered from 0 in the order of their creation.
        node: u32,
    },
    /// `register_write REGISTER INDEX VALUE`
    RegisterWrite {
        /// Suffix of its name.
        register: Word,
        /// Cell.
        index: u64,
        /// Value; a negative one as two's complement.
        value: num_bigint::BigInt,
    },
    /// `register_read REGISTER [INDEX [EXPECTED]]`
    RegisterRead {
        /// Suffix of its name.
        register: Word,
        /// Cell; all of them without.
        index: Option<u64>,
        /// What it must hold.
        expected: Option<num_bigint::BigInt>,
    },
    /// `register_reset REGISTER`
    RegisterReset(Word),
    /// `counter_read COUNTER INDEX`
    CounterRead {
        /// Suffix of its name.
        counter: Word,
        /// Cell, or handle of the entry.
        index: u64,
    },
    /// `counter_write COUNTER INDEX PACKETS BYTES`
    CounterWrite {
        /// Suffix of its name.
        counter: Word,
        /// Cell, or handle of the entry.
        index: u64,
        /// New value.
        packets: u64,
        /// New value.
        bytes: u64,
    },
    /// `counter_reset COUNTER`
    CounterReset(Word),
    /// `check_counter COUNTER(INDEX) [packets|bytes] == N`
    CheckCounter {
        /// Suffix of its name.
        counter: Word,
        /// Cell, handle of an entry, or name of an entry.
        index: CounterCell,
        /// Whether bytes are compared.
        bytes: bool,
        /// How.
        comparison: Comparison,
        /// With what.
        value: u64,
    },
    /// `meter_set_rates METER INDEX RATE:BURST RATE:BURST`, or `meter_array_set_rates` without
    /// index.
    MeterSetRates {
        /// Suffix of its name.
        meter: Word,
        /// Cell, or handle of the entry; all of them without.
        index: Option<u64>,
        /// Committed and peak: units per microsecond, and depth of the bucket.
        rates: [(f64, u64); 2],
    },
    /// `meter_get_rates METER INDEX`
    MeterGetRates {
        /// Suffix of its name.
        meter: Word,
        /// Cell, or handle of the entry.
        index: u64,
    },
}

/// A key of an entry.
#[derive(Clone, Debug)]
pub struct KeyValue {
    /// Name, or the end of it.
    pub name: Word,
    /// What must be there.
    pub value: MatchValue,
    /// Where the value was written.
    pub span: Span,
}

/// The forms of a key's value.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchValue {
    /// A number; a negative one as two's complement.
    Exact(num_bigint::BigInt),
    /// Digits with `*` among them.
    Pattern(Pattern),
    /// `V/LEN`
    Prefix(BigUint, u32),
    /// `V&&&MASK`
    Mask(BigUint, BigUint),
    /// `LO->HI` or `LO..HI`; negative bounds as two's complement.
    Range(num_bigint::BigInt, num_bigint::BigInt),
    /// `*` or `_`
    Any,
}

/// An action with arguments by name or by position.
#[derive(Clone, Debug)]
pub struct ActionCall {
    /// Name, or the end of it.
    pub name: Word,
    /// In any order if they have names, else in the order of the parameters.
    pub arguments: Vec<Argument>,
}

/// An argument of an action.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The parameter.
    pub name: Option<Word>,
    /// A negative one as two's complement.
    pub value: num_bigint::BigInt,
    /// Where the value was written.
    pub span: Span,
}

impl Argument {
    /// Whether the parameter is named.
    pub fn is_named(&self) -> bool {
        self.name.is_some()
    }
}

/// Which cell of a counter is checked.
#[derive(Clone, Debug)]
pub enum CounterCell {
    /// By number.
    Index(u64),
    /// That of an entry with a name.
    Entry(Word),
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `>`
    Above,
}

impl Comparison {
    /// Spellings, longest first.
    pub const ALL: [(&'static str, Comparison); 6] = [
        ("==", Comparison::Equal),
        ("!=", Comparison::NotEqual),
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("<", Comparison::Below),
        (">", Comparison::Above),
    ];

    /// Whether `left` stands in this relation to `right`.
    pub fn holds(self, left: u64, right: u64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::AtMost => left <= right,
            Comparison::AtLeast => left >= right,
            Comparison::Below => left < right,
            Comparison::Above => left > right,
        }
    }

    /// As it is written.
    pub fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, c)| *c == self).map_or("", |(text, _)| text)
    }
}

/// What an expected packet must look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketPattern {
    /// Half-bytes from the first on; `None` fits any. Their number is even.
    pub nibbles: Vec<Option<u8>>,
    /// Whether the packet must end where the pattern ends.
    pub exact: bool,
}

impl PacketPattern {
    /// Offset in bytes of the first difference, which is the end of the shorter one if only the
    /// lengths differ.
    pub fn first_difference(&self, packet: &[u8]) -> Option<usize> {
        for (offset, pair) in self.nibbles.chunks(2).enumerate() {
            let Some(&byte) = packet.get(offset) else { return Some(offset) };
            let fits = |nibble: Option<&Option<u8>>, found: u8| match nibble {
                Some(Some(expected)) => *expected == found,
                _ => true,
            };
            if !fits(pair.first(), byte >> 4) || !fits(pair.get(1), byte & 15) {
                return Some(offset);
            }
        }
        let length = self.nibbles.len() / 2;
        (self.exact && packet.len() > length).then_some(length)
    }

    /// One string of two characters per byte.
    pub fn bytes_as_text(&self) -> Vec<String> {
        let digit = |nibble: &Option<u8>| match nibble {
            Some(value) => char::from_digit(u32::from(*value), 16).unwrap_or('?'),
            None => '*',
        };
        self.nibbles.chunks(2).map(|pair| pair.iter().map(digit).collect()).collect()
    }
}
