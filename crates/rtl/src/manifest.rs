//! What software must know of an emitted design: its ports, and every object that the control
//! plane reaches, with the layout of its rows.
//!
//! `ww build` writes it as `manifest.json`; the register map, the C header, the Python module
//! and the runner are made from it, so that no address exists twice.

use serde::{Deserialize, Serialize};

/// Bytes of an object's window in the AXI4-Lite address space: object `n` begins at `n << 12`.
pub const WINDOW_BYTES: u32 = 1 << 12;
/// Memory of a table that holds its default action, as row 0.
pub const DEFAULT_MEMORY: u32 = 15;

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
    /// `lookup`, `read`, `write`, `count`, `meter` or `digest`.
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
    /// sent, 2 packets dropped by the program, 3 digests lost, 4 packets lost for want of
    /// buffer.
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
}

impl TableObject {
    /// Whether software can write entries.
    pub fn has_entries(&self) -> bool {
        !matches!(self.implementation.as_str(), "none" | "constant")
    }
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
