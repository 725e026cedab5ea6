//! Stateful objects of an architecture, shared by all engines.

mod cells;
mod meter;
mod profile;
mod replication;
mod value_set;

pub use cells::Cells;
pub use meter::{Colour, Meter, next_meter};
pub use profile::{Profile, profile, profiles};
pub use replication::{Replica, Replication};
pub use value_set::ValueSet;
