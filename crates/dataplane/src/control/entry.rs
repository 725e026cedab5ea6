//! What the control plane says to tables, profiles, meters and the replication engine.

use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// One key of an entry. Numbers are bit patterns: an `int<W>` key takes its two's complement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeyMatch {
    /// All bits equal. Taken for every match kind: a full prefix, a full mask, a range of one.
    Exact(BigUint),
    /// The first `prefix_len` bits equal. For `lpm`, and as a mask for `ternary`.
    Lpm {
        /// The value; bits behind the prefix are ignored.
        value: BigUint,
        /// Number of bits compared, from the most significant one on.
        prefix_len: u32,
    },
    /// The bits of the mask equal. For `ternary`, and for `lpm` if the mask is a prefix.
    Ternary {
        /// The value; bits outside the mask are ignored.
        value: BigUint,
        /// The bits compared.
        mask: BigUint,
    },
    /// Within bounds that both belong to the range.
    Range {
        /// Smallest.
        low: BigUint,
        /// Largest.
        high: BigUint,
    },
    /// One value, or anything.
    Optional(Option<BigUint>),
}

impl KeyMatch {
    /// The form's name for messages.
    pub fn form(&self) -> &'static str {
        match self {
            KeyMatch::Exact(_) => "a value",
            KeyMatch::Lpm { .. } => "a prefix",
            KeyMatch::Ternary { .. } => "a value and mask",
            KeyMatch::Range { .. } => "a range",
            KeyMatch::Optional(_) => "an optional value",
        }
    }
}

/// An action with the control plane's arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionData {
    /// Position among the table's (or profile's) actions in the schema.
    pub action: usize,
    /// One number per parameter; bit patterns.
    pub arguments: Vec<BigUint>,
}

/// What an entry leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An action.
    Action(ActionData),
    /// A member of the table's action profile or selector.
    Member(u32),
    /// A group of the table's action selector.
    Group(u32),
}

/// An entry to be inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// One per key of the schema (keys of kind `selector` are not among them).
    pub keys: Vec<KeyMatch>,
    /// The higher number wins, then the entry inserted first. Ignored by tables in which no two
    /// entries can overlap, and by those where the longest prefix decides.
    pub priority: i64,
    /// What it leads to.
    pub target: Target,
}

/// Identifies an entry within its table for as long as it is there. Numbers are given out in
/// order from 0 and not again; the program's own entries come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryHandle(pub u64);

/// An entry as it stands in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryView {
    /// Its handle.
    pub handle: EntryHandle,
    /// What was inserted; keys in the form of the match kind.
    pub entry: NewEntry,
    /// Whether it is constant in the program.
    pub is_const: bool,
}

/// Members and groups of an action profile or selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileView {
    /// Members by handle.
    pub members: BTreeMap<u32, ActionData>,
    /// Groups by handle, with the handles of their members.
    pub groups: BTreeMap<u32, BTreeSet<u32>>,
}

/// Packets and bytes that a counter has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CounterValue {
    /// Packets.
    pub packets: u64,
    /// Bytes of those packets, as they came in.
    pub bytes: u64,
}

impl CounterValue {
    /// One packet more, of so many bytes.
    pub fn count(&mut self, bytes: u64) {
        self.packets += 1;
        self.bytes += bytes;
    }
}

/// One of the two rates of a meter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeterRate {
    /// Units (packets, or bytes) per microsecond; not negative.
    pub units_per_microsecond: f64,
    /// Depth of the token bucket in units.
    pub burst: u64,
}

/// Both rates of a meter (RFC 2698: CIR/CBS and PIR/PBS).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeterRates {
    /// Above this, packets are yellow.
    pub committed: MeterRate,
    /// Above this, packets are red.
    pub peak: MeterRate,
}

/// Where clones of a session go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MirrorSession {
    /// To this port.
    pub port: Option<u32>,
    /// To the members of this multicast group.
    pub group: Option<u16>,
    /// Cut to at most that many bytes; `None` keeps the packet whole.
    pub truncate: Option<u32>,
}

/// A node of the replication engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeHandle(pub u32);

/// A node of the replication engine as it stands: replicas with one id to some ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeView {
    /// Becomes `egress_rid`.
    pub replication_id: u16,
    /// Where replicas go, ascending.
    pub ports: Vec<u32>,
}

/// Multicast groups and nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MulticastView {
    /// Groups with their nodes in the order in which they joined.
    pub groups: BTreeMap<u16, Vec<NodeHandle>>,
    /// All nodes, also those in no group.
    pub nodes: BTreeMap<NodeHandle, NodeView>,
}

/// Which configurable CRC of v1model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CustomCrc {
    /// `HashAlgorithm.crc16_custom`
    Crc16,
    /// `HashAlgorithm.crc32_custom`
    Crc32,
}

/// What a program told the control plane with `digest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// The `receiver` argument.
    pub receiver: u32,
    /// Name of the data's type.
    pub name: String,
    /// The fields in order; nested ones with dotted names.
    pub fields: Vec<DigestField>,
    /// When the packet was processed, in picoseconds.
    pub at: u64,
}

/// A field of a [`Digest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestField {
    /// Name; the position for nameless data.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// The pattern.
    pub value: BigUint,
}
