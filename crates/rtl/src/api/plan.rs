//! What the control API of a design offers: its objects with identifiers, and what the program
//! says of its tables.

use super::Error;
use super::names;
use crate::manifest::{DigestLayout, Manifest, ObjectKind, TableObject};
use crate::runner::layout;
use crate::shadow::Shadow;
use std::sync::Arc;
use ww_dataplane::control::{TableIndex, TableInfo, Target};
use ww_p4::ir::Program;

/// Bits up to which a value is an integer in C; longer ones are bytes in network order.
pub const INTEGER_BITS: u32 = 32;

/// The API of a design.
pub struct Plan<'m> {
    /// The design.
    pub manifest: &'m Manifest,
    /// Identifier of the program: prefix of all names in C.
    pub program: String,
    /// Tables.
    pub tables: Vec<TablePlan<'m>>,
    /// Counter arrays that belong to no table.
    pub counters: Vec<Array>,
    /// Meter arrays that belong to no table.
    pub meters: Vec<Array>,
    /// Register arrays.
    pub registers: Vec<Array>,
    /// Multicast groups and mirror sessions.
    pub replication: Option<Replication>,
    /// Messages to the control plane.
    pub digests: Option<Digests<'m>>,
}

/// A table.
pub struct TablePlan<'m> {
    /// Identifier.
    pub id: String,
    /// Control-plane name.
    pub name: &'m str,
    /// Number of its window.
    pub window: u32,
    /// Its layout.
    pub object: &'m TableObject,
    /// Identifiers of its keys.
    pub keys: Vec<String>,
    /// Its actions.
    pub actions: Vec<ActionPlan>,
    /// What decides between entries.
    pub order: Order,
    /// Whether the program alone says what is in it.
    pub const_entries: bool,
    /// Whether the program alone says what its default action is.
    pub const_default: bool,
    /// The program's own entries, in order.
    pub entries: Vec<Entry>,
    /// The program's default action, as data of the table.
    pub default: Vec<u8>,
    /// Window of the counters of its entries.
    pub counter: Option<u32>,
    /// Window of the meters of its entries.
    pub meter: Option<u32>,
}

impl TablePlan<'_> {
    /// Whether all keys are exact.
    pub fn is_exact(&self) -> bool {
        self.object.keys.iter().all(|key| key.match_kind == "exact")
    }

    /// Whether it has entries at all.
    pub fn has_keys(&self) -> bool {
        self.object.has_entries()
    }

    /// Whether entries have a priority.
    pub fn has_priority(&self) -> bool {
        matches!(self.order, Order::Priority | Order::PriorityThenPrefixes)
    }
}

/// An action.
pub struct ActionPlan {
    /// Identifier.
    pub id: String,
    /// Control-plane name.
    pub name: String,
    /// Identifiers of its parameters.
    pub parameters: Vec<String>,
    /// Not in entries.
    pub default_only: bool,
    /// Not as default action.
    pub table_only: bool,
}

/// What decides between two entries that match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Nothing: only one can match, or the block finds the longest prefix.
    None,
    /// The priority: the higher number wins.
    Priority,
    /// The length of the prefix.
    Prefixes,
    /// The priority, then the bits of all prefixes.
    PriorityThenPrefixes,
}

/// An entry in the layout of the table.
pub struct Entry {
    /// As the driver takes it.
    pub matched: crate::runner::driver::Match,
    /// Action number and parameters.
    pub data: Vec<u8>,
}

/// An array with one row for each index.
pub struct Array {
    /// Identifier.
    pub id: String,
    /// Control-plane name.
    pub name: String,
    /// Number of its window.
    pub window: u32,
    /// Number of rows.
    pub size: u64,
    /// Bits of a value of a register.
    pub width: u32,
    /// Whether a meter counts bytes.
    pub bytes: bool,
}

/// Replication.
pub struct Replication {
    /// Number of its window.
    pub window: u32,
    /// Most multicast groups.
    pub groups: u32,
    /// Most replicas.
    pub replicas: u32,
    /// Most mirror sessions.
    pub sessions: u32,
}

/// Messages to the control plane.
pub struct Digests<'m> {
    /// Number of their window.
    pub window: u32,
    /// Bits of the row.
    pub row_bits: u32,
    /// Kinds with their identifiers.
    pub kinds: Vec<(String, &'m DigestLayout)>,
}

impl<'m> Plan<'m> {
    /// Makes the plan of a design that was made of `program`.
    ///
    /// # Errors
    /// The design and the program do not belong together.
    pub fn new(manifest: &'m Manifest, program: &Arc<Program>) -> Result<Self, Error> {
        let shadow =
            Shadow::new(program).map_err(|unsupported| Error::Program(unsupported.to_string()))?;
        let names = manifest.objects.iter().map(|object| object.name.as_str());
        let ids = names::distinct(names, names::DEVICE_MEMBERS);
        let mut plan = Self {
            manifest,
            program: names::identifier(&manifest.program),
            tables: Vec::new(),
            counters: Vec::new(),
            meters: Vec::new(),
            registers: Vec::new(),
            replication: None,
            digests: None,
        };
        let objects = (0..).zip(manifest.objects.iter().zip(&ids));
        for (window, (object, id)) in objects {
            let array = |size: u64, width: u32, bytes: bool| Array {
                id: id.clone(),
                name: object.name.clone(),
                window,
                size,
                width,
                bytes,
            };
            match &object.kind {
                ObjectKind::Globals | ObjectKind::ValueSet { .. } => {}
                ObjectKind::Table(table) => {
                    plan.tables.push(TablePlan::new(&shadow, window, id, &object.name, table)?);
                }
                ObjectKind::Register { width, size } => {
                    plan.registers.push(array(*size, *width, false));
                }
                ObjectKind::Counter { size, table: None } => {
                    plan.counters.push(array(*size, 0, false));
                }
                ObjectKind::Meter { size, bytes, table: None } => {
                    plan.meters.push(array(*size, 0, *bytes));
                }
                // With the table, below.
                ObjectKind::Counter { .. } | ObjectKind::Meter { .. } => {}
                &ObjectKind::Replication { groups, replicas, sessions } => {
                    plan.replication = Some(Replication { window, groups, replicas, sessions });
                }
                ObjectKind::Digests { layouts, .. } => {
                    let ids = names::distinct(layouts.iter().map(|l| l.name.as_str()), &[]);
                    let kinds = ids.into_iter().zip(layouts).collect();
                    plan.digests = Some(Digests { window, row_bits: object.row_bits, kinds });
                }
            }
        }
        for (window, object) in (0..).zip(&manifest.objects) {
            let (owner, is_counter) = match &object.kind {
                ObjectKind::Counter { table: Some(owner), .. } => (owner, true),
                ObjectKind::Meter { table: Some(owner), .. } => (owner, false),
                _ => continue,
            };
            let found = plan.tables.iter_mut().find(|table| table.name == owner);
            let table = found.ok_or_else(|| Error::missing(owner))?;
            *(if is_counter { &mut table.counter } else { &mut table.meter }) = Some(window);
        }
        Ok(plan)
    }
}

impl<'m> TablePlan<'m> {
    fn new(
        shadow: &Shadow,
        window: u32,
        id: &str,
        name: &'m str,
        object: &'m TableObject,
    ) -> Result<Self, Error> {
        let schema = shadow.schema();
        let position = schema.tables.iter().position(|table| table.name == name);
        let index = TableIndex(position.ok_or_else(|| Error::missing(name))? as u32);
        let info = &schema[index];
        let keys = object.keys.iter().map(|key| key.name.as_str());
        let keys = names::short(keys, names::ARGUMENTS);
        let actions = object.actions.iter().map(|action| action.name.as_str());
        let ids = names::short(actions, names::TABLE_MEMBERS);
        let taken: Vec<&str> =
            names::ARGUMENTS.iter().copied().chain(keys.iter().map(String::as_str)).collect();
        let action = |(id, layout): (String, &crate::manifest::ActionLayout)| {
            let names = layout.parameters.iter().map(|parameter| parameter.name.as_str());
            let found = info.actions.iter().find(|action| action.name == layout.name);
            ActionPlan {
                id,
                name: layout.name.clone(),
                parameters: names::distinct(names, &taken),
                default_only: found.is_some_and(|action| action.default_only),
                table_only: found.is_some_and(|action| action.table_only),
            }
        };
        let wrong = |error: &dyn std::fmt::Display| Error::Program(error.to_string());
        let data = |target: &Target| match target {
            Target::Action(data) => layout::data(object, info, data).map_err(|e| wrong(&e)),
            _ => Err(Error::Program(format!("table `{name}` begins with a member or a group"))),
        };
        let mut entries = Vec::new();
        let views = shadow.table_entries(index).map_err(|e| wrong(&e))?;
        // Constant entries that are logic are not software's business.
        for view in views.iter().filter(|_| object.has_entries()) {
            let (keys, priority) = (&view.entry.keys, view.entry.priority);
            let matched = layout::entry(object, info, keys, priority).map_err(|e| wrong(&e))?;
            entries.push(Entry { matched, data: data(&view.entry.target)? });
        }
        Ok(Self {
            id: id.to_owned(),
            name,
            window,
            object,
            actions: ids.into_iter().zip(&object.actions).map(action).collect(),
            keys: keys.clone(),
            order: order(object, info),
            const_entries: info.const_entries,
            const_default: info.const_default,
            entries,
            default: data(&shadow.table_default(index).map_err(|e| wrong(&e))?)?,
            counter: None,
            meter: None,
        })
    }
}

/// As the runner ranks entries of a table.
fn order(object: &TableObject, info: &TableInfo) -> Order {
    let prefixes = object.keys.iter().filter(|key| key.match_kind == "lpm").count();
    match object.implementation.as_str() {
        "ternary" if info.has_priorities() => Order::Priority,
        "ternary" if prefixes > 1 => Order::PriorityThenPrefixes,
        "ternary" => Order::Prefixes,
        _ => Order::None,
    }
}
