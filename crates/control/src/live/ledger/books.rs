//! The books themselves.

use super::handles::Handles;
use std::collections::{BTreeMap, BTreeSet};
use ww_dataplane::control::{ActionData, Control, Error, KeyMatch, MirrorSession, TableIndex};
use ww_packet::crc::CrcParameters;

/// What was done to a program's objects, as far as engines do not tell.
#[derive(Clone, Debug)]
pub(super) struct Books {
    pub tables: Vec<TableBook>,
    pub profiles: Vec<ProfileBook>,
    pub value_sets: Vec<Vec<Vec<KeyMatch>>>,
    pub multicast: Multicast,
    pub mirrors: BTreeMap<u32, MirrorSession>,
    /// 16 and 32 bits, if set.
    pub crc: [Option<CrcParameters>; 2],
}

/// About a table.
#[derive(Clone, Debug, Default)]
pub(super) struct TableBook {
    pub handles: Handles,
    /// Whether entries were added, changed or removed.
    pub entries_changed: bool,
    /// Whether the default action is not the program's.
    pub default_changed: bool,
}

/// Members and groups of an action profile or selector.
#[derive(Clone, Debug, Default)]
pub struct ProfileBook {
    /// Members by handle.
    pub members: BTreeMap<u32, ActionData>,
    /// Groups by handle, with the handles of their members.
    pub groups: BTreeMap<u32, BTreeSet<u32>>,
    pub(super) member_handles: Handles,
    pub(super) group_handles: Handles,
    /// Members that the open transaction has deleted. The engine deletes them at the end, since a
    /// member that is made anew stands elsewhere in the order by which groups choose.
    pub(super) doomed: BTreeMap<u32, ActionData>,
}

/// Multicast groups and nodes.
#[derive(Clone, Debug, Default)]
pub struct Multicast {
    /// Groups with the handles of their nodes in the order in which they joined.
    pub groups: BTreeMap<u16, Vec<u32>>,
    /// Nodes by handle.
    pub nodes: BTreeMap<u32, MulticastNode>,
    pub(super) handles: Handles,
}

/// A node: replicas with one id to some ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MulticastNode {
    /// Becomes `egress_rid`.
    pub replication_id: u16,
    /// Where replicas go.
    pub ports: Vec<u32>,
    /// The group it is in.
    pub group: Option<u16>,
}

impl Books {
    /// About an engine in the state after loading.
    pub fn new(control: &mut dyn Control) -> Result<Self, Error> {
        let schema = control.schema();
        let mut table = |n: usize| {
            let entries = control.table_entries(TableIndex(n as u32))?;
            let count = entries.last().map_or(0, |view| view.handle.0 + 1);
            Ok(TableBook { handles: Handles::starting_with(count), ..TableBook::default() })
        };
        Ok(Self {
            tables: (0..schema.tables.len()).map(&mut table).collect::<Result<_, _>>()?,
            profiles: vec![ProfileBook::default(); schema.profiles.len()],
            value_sets: vec![Vec::new(); schema.value_sets.len()],
            multicast: Multicast::default(),
            mirrors: BTreeMap::new(),
            crc: [None; 2],
        })
    }
}
