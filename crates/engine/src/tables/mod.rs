//! Match tables, shared by all engines: what an entry matches, which entry wins, and how keys
//! of the control plane become keys of an entry.

mod key;
pub mod native;
mod table;

pub(crate) use key::full_range;
pub use key::{KeyField, fitting, key_fields, key_views};
pub use table::{Entry, InsertError, MatchTable, Precedence};
