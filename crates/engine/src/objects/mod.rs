//! Stateful objects of an architecture, shared by all engines.

mod cells;
mod meter;
mod profile;
mod replication;

pub use cells::Cells;
pub use meter::{Colour, Meter};
pub use profile::{Profile, ProfileError};
pub use replication::{Replica, Replication};
