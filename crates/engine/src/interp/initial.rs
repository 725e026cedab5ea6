//! What a program's tables hold after loading, for engines that keep them in another form.

use super::Interp;
use crate::tables::KeyField;
use ww_dataplane::control::{ActionData, Target};

/// A table after loading.
#[derive(Clone, Debug)]
pub struct InitialTable {
    /// The program's entries in the order of their handles, which count from 0.
    pub entries: Vec<InitialEntry>,
    /// The default action.
    pub default: ActionData,
}

/// An entry of the program.
#[derive(Clone, Debug)]
pub struct InitialEntry {
    /// One per key. Other than those of the control plane, an exact key may match anything.
    pub keys: Vec<KeyField>,
    /// The higher number wins where priorities decide.
    pub priority: i64,
    /// Its action.
    pub action: ActionData,
    /// Whether the control plane may not change it.
    pub is_const: bool,
}

impl Interp {
    /// All tables after loading, in the order of the schema.
    pub(crate) fn initial_tables(&self) -> Vec<InitialTable> {
        let tables = self.loaded.schema.tables.iter().zip(&self.initial.tables);
        tables
            .map(|(info, state)| {
                let action = |target| match self.target_view(info, target) {
                    Target::Action(data) => data,
                    // Programs cannot name members and groups.
                    _ => ActionData { action: 0, arguments: Vec::new() },
                };
                InitialTable {
                    entries: state
                        .entries
                        .iter()
                        .map(|(_, entry)| InitialEntry {
                            keys: entry.keys.clone(),
                            priority: entry.priority,
                            action: action(&entry.payload.target),
                            is_const: entry.payload.is_const,
                        })
                        .collect(),
                    default: action(&state.default),
                }
            })
            .collect()
    }
}
