//! What TPPs can read and write of match-action tables. The engine that executes the tables implements it.

/// Packets and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Packets.
    pub packets: u64,
    /// Bytes without FCS.
    pub bytes: u64,
}

/// A table: `Stage$i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// One more with each change of the table.
    pub version: u32,
    /// Entries in it.
    pub entries: u32,
    /// Packets that were looked up in it.
    pub lookups: Count,
    /// Packets that matched an entry.
    pub matches: Count,
}

/// An entry: `FlowEntry$i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its handle, low 32 bits.
    pub id: u32,
    /// Packets that matched it, this one included.
    pub matches: Count,
}

/// The tables of a switch as one packet has met them. Stages count from 1.
pub trait Tables {
    /// The generation of the forwarding state: another one whenever a table changes.
    fn generation(&self) -> u32;
    /// Tables.
    fn count(&self) -> u16;
    /// The table of a stage; `None` if there is none.
    fn table(&self, stage: u16) -> Option<Table>;
    /// The entry of the stage's table that the packet matched; `None` if it matched none.
    fn matched(&self, stage: u16) -> Option<Entry>;
}

/// A switch without tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTables;

impl Tables for NoTables {
    fn generation(&self) -> u32 {
        0
    }
    fn count(&self) -> u16 {
        0
    }
    fn table(&self, _: u16) -> Option<Table> {
        None
    }
    fn matched(&self, _: u16) -> Option<Entry> {
        None
    }
}
