//! What software must know of an emitted design: its ports, and every object that the control
//! plane reaches, with the layout of its rows.
//!
//! `ww build` writes it as `manifest.json`; the register map, the C header, the Python module
//! and the runner are made from it, so that no address exists twice.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// Bytes of an object's window in the AXI4-Lite address space: object `n` begins at `n << 12`.
pub const WINDOW_BYTES: u32 = 1 << 12;
/// Memory of a table that holds its default action, as row 0.
pub const DEFAULT_MEMORY: u32 = 15;

/// Row of the globals with which the counts of port 0 begin, in the shape `switch`.
pub const PORT_ROWS: u32 = 5;
/// Counts of each port there.
pub const PORT_COUNTS: u32 = 3;

/// A design as software sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of the program; that of the top module too.
    pub program: String,
    /// Bits of a bus beat.
    pub width: u32,
    /// `wire` or `switch`.
    pub shape: String,
    /// Pairs of streams: 1 for `wire`.
    pub ports: u32,
    /// Clocks between two packets at least; 1 unless state makes packets wait for each other.
    pub initiation_interval: u32,
    /// Whether packets can come back to the parser (resubmission, recirculation). Their order
    /// against packets behind them is then not that of an engine without pipeline.
    pub reenters: bool,
    /// Whether egress can make clones (`E2E`). They come to egress again behind their packet; those
    /// behind it may leave before them, unlike in an engine without pipeline.
    #[serde(default)]
    pub egress_clones: bool,
    /// When a packet is where.
    #[serde(default)]
    pub timing: Timing,
    /// What the control plane reaches. Window `n` is object `n`.
    pub objects: Vec<Object>,
}

/// When a packet is where, as the design was scheduled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Why a packet's processing begins with its end and not with the end of its head. Empty:
    /// it begins with the head (cut-through).
    pub store_and_forward: Vec<String>,
    /// Bytes of the longest head: what the parser can reach.
    pub head_bytes: u64,
    /// The pipelines, in the order in which a packet passes them: `pipeline`, or `ingress` and
    /// `egress` in a program that makes copies.
    pub sections: Vec<SectionTiming>,
}

/// A pipeline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionTiming {
    /// Its name in the top module.
    pub name: String,
    /// Clocks from the token, the head of a packet, to what becomes of the packet. A new packet
    /// can follow every clock.
    pub latency: u32,
    /// Its accesses to tables and state, the earliest first.
    pub accesses: Vec<Access>,
    /// Bits of the registers between its stages.
    #[serde(default)]
    pub register_bits: u64,
}

/// An access of a packet to an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The object's name.
    pub object: String,
    /// `lookup`, `read`, `write`, `count`, `meter`, `digest`, or `call` of a module of the user.
    pub operation: String,
    /// The clock in which the object gets key, index or data, counted from the token's clock.
    pub clock: u32,
    /// Clocks until its answer; 0 without one, and where it comes within the same clock.
    pub latency: u32,
}

/// An object with a window of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// Control-plane name; of objects that the program does not name, what they are.
    pub name: String,
    /// Bits of its widest row.
    pub row_bits: u32,
    /// What it is.
    pub kind: ObjectKind,
}

/// Kinds of objects. Rows are described from bit 0 upwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ObjectKind {
    /// Window 0: memory 0 has read-only counts of 64 bits. Rows: 0 packets received, 1 packets
    /// sent, 2 packets dropped by the program (of the shape `switch` those for a port that is not
    /// there, too), 3 digests lost, 4 packets lost for want of buffer. Of the shape `switch` three
    /// for each port follow, from row `PORT_ROWS + 3 * port` on: packets received, sent, and
    /// dropped since the queue of the output was full.
    Globals,
    /// A table. Rows as the implementation says; `{data}` of the default action in memory
    /// [`DEFAULT_MEMORY`].
    Table(TableObject),
    /// A register array: memory 0, row = index, `{value}`.
    Register {
        /// Bits of a value.
        width: u32,
        /// Number of values.
        size: u64,
    },
    /// A counter array: memory 0, row = index, `{packets[63:0], bytes[63:0]}`.
    Counter {
        /// Number of cells.
        size: u64,
        /// The table that it belongs to, for direct counters: row = the entry's number
        /// ([`TableObject::number_bits`]; of `direct` and `lpm` tables the `result_index`).
        table: Option<String>,
    },
    /// A meter array.
    Meter {
        /// Number of cells.
        size: u64,
        /// Whether it counts bytes rather than packets.
        bytes: bool,
        /// The table that it belongs to, for direct meters.
        table: Option<String>,
    },
    /// A value set of a parser: memory 0, row = member number, `{valid, mask, key}`; keys of a
    /// member one after the other, the first in the highest bits.
    ValueSet {
        /// Bits of each key.
        widths: Vec<u32>,
        /// Most members.
        size: u64,
    },
    /// Replication: memory 0, row = multicast group, `{count[15:0], first[15:0]}` into memory 1;
    /// memory 1, row = position, `{port[15:0], rid[15:0]}` of a replica; memory 2, row = mirror
    /// session, `{first[15:0], count[15:0], truncate[15:0]}` into memory 1; truncate 16'hffff for
    /// none.
    Replication {
        /// Most multicast groups.
        groups: u32,
        /// Most replicas of all groups and sessions together.
        replicas: u32,
        /// Most mirror sessions.
        sessions: u32,
    },
    /// Messages to the control plane: reading memory 0, row 0 takes out the oldest,
    /// `{valid, receiver[31:0], which[7:0], data}` with the data in the low bits.
    Digests {
        /// Layout of each kind of message, by `which`.
        layouts: Vec<DigestLayout>,
        /// Most messages that wait.
        depth: u32,
    },
}

/// How a digest's data are laid out: the first field in the lowest bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DigestLayout {
    /// Type of the message in the program.
    pub name: String,
    /// Names and bits.
    pub fields: Vec<(String, u32)>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableObject {
    /// How it is built: `direct`, `cam`, `hash`, `ternary` or `lpm`; `none` without keys and
    /// `constant` with entries that are logic, where only the default action can be written.
    pub implementation: String,
    /// Entries that certainly fit.
    pub entries: u64,
    /// Bits of the key.
    pub key_bits: u32,
    /// Bits of the action number and its data.
    pub data_bits: u32,
    /// Low bits of the data that hold the action's number.
    pub action_bits: u32,
    /// Keys, the first in the highest bits of the key.
    pub keys: Vec<KeyLayout>,
    /// Actions by number.
    pub actions: Vec<ActionLayout>,
    /// Number of copies that are written alike, since the program applies the table more than
    /// once on one path.
    pub copies: u32,
    /// Bits above the data that hold the entry's number, by which direct counters and meters are
    /// indexed: an entry keeps its number when it moves to another row. 0 without such objects.
    /// The `DATA_WIDTH` of the block is `data_bits + number_bits`.
    #[serde(default)]
    pub number_bits: u32,
    /// The parameters of a `hash`.
    #[serde(default)]
    pub hash: Option<HashParameters>,
    /// Bits of its memories.
    #[serde(default)]
    pub memory_bits: u64,
    /// Bits of entries in flip-flops, which each lookup is compared with.
    #[serde(default)]
    pub compared_bits: u64,
    /// The groups of the table's action selector. The data are then `{group, data}`: with the
    /// highest bit set the low bits are a group's number, otherwise action number and parameters.
    #[serde(default)]
    pub selector: Option<SelectorObject>,
}

impl TableObject {
    /// Whether software can write entries.
    pub fn has_entries(&self) -> bool {
        !matches!(self.implementation.as_str(), "none" | "constant")
    }
}

/// Memory of a table's action selector with a row for each group, in the table's window:
/// `{reciprocal, count, base}`. All zero is an empty group.
pub const GROUP_MEMORY: u32 = 13;
/// Memory of a table's action selector with a row for each member of each group: its action number
/// and parameters. Those of a group follow each other, from `base` on.
pub const MEMBER_MEMORY: u32 = 14;

/// The groups of an action selector, as `ww_table_selector` has them: its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectorObject {
    /// Groups: rows of [`GROUP_MEMORY`].
    pub groups: u32,
    /// Members of all groups together: rows of [`MEMBER_MEMORY`].
    pub members: u32,
    /// Most members of one group.
    pub group_members: u32,
    /// Bits of the hash.
    pub hash_bits: u32,
    /// Bits of a member's action number and parameters.
    pub member_bits: u32,
}

impl SelectorObject {
    /// Bits of the first member's row number.
    pub fn base_bits(&self) -> u32 {
        bits_of(self.members.saturating_sub(1))
    }

    /// Bits of a number of members.
    pub fn count_bits(&self) -> u32 {
        bits_of(self.group_members)
    }

    /// Bits of the reciprocal of a number of members.
    pub fn reciprocal_bits(&self) -> u32 {
        self.hash_bits + self.count_bits() + 1
    }

    /// Bits of a group's number.
    pub fn group_bits(&self) -> u32 {
        bits_of(self.groups.saturating_sub(1))
    }

    /// Bits of a group's row.
    pub fn group_row_bits(&self) -> u32 {
        self.base_bits() + self.count_bits() + self.reciprocal_bits()
    }

    /// Bits of the widest row.
    pub fn row_bits(&self) -> u32 {
        self.group_row_bits().max(self.member_bits)
    }

    /// Bits of an entry's data.
    pub fn data_bits(&self) -> u32 {
        1 + self.member_bits.max(self.group_bits())
    }

    /// The row of a group with `count` members from row `base` on. The reciprocal
    /// `floor(2^(hash_bits + count_bits) / count) + 1` is what the block divides by: its comment
    /// says why that is exact.
    pub fn group_row(&self, base: u32, count: u32) -> BigUint {
        if count == 0 {
            return BigUint::ZERO;
        }
        let power = BigUint::from(1u32) << (self.hash_bits + self.count_bits());
        let reciprocal = power / count + 1u32;
        let count = BigUint::from(count) << self.base_bits();
        BigUint::from(base) | count | reciprocal << (self.base_bits() + self.count_bits())
    }
}

/// Bits that hold the numbers up to `last`; at least one.
fn bits_of(last: u32) -> u32 {
    (u32::BITS - last.leading_zeros()).max(1)
}

/// What the driver must know of a `ww_table_hash`: its parameters of these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashParameters {
    /// Ways.
    pub ways: u32,
    /// Buckets of a way.
    pub buckets: u32,
    /// Places for entries that fit in no way.
    pub stash: u32,
    /// Of the hash functions.
    pub seed: u64,
}

/// A key of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyLayout {
    /// Control-plane name.
    pub name: String,
    /// `exact`, `lpm`, `ternary`, `range` or `optional`.
    pub match_kind: String,
    /// Bits.
    pub width: u32,
    /// Lowest bit within the table's key.
    pub offset: u32,
    /// Whether it is a range of signed numbers. Hardware compares bounds without sign: key and
    /// bounds have their highest bit inverted.
    #[serde(default)]
    pub is_signed_range: bool,
}

/// An action of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActionLayout {
    /// Control-plane name.
    pub name: String,
    /// Parameters.
    pub parameters: Vec<ParameterLayout>,
}

/// A parameter of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterLayout {
    /// Name.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// Lowest bit within the table's data.
    pub offset: u32,
}

impl Manifest {
    /// The number and the layout of the object with this name.
    pub fn object(&self, name: &str) -> Option<(u32, &Object)> {
        let position = self.objects.iter().position(|object| object.name == name)?;
        Some((position as u32, &self.objects[position]))
    }
}
