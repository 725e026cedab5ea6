//! Dataflow graphs: what a section of the pipeline computes for each packet.

pub mod exclusive;
pub mod graph;
pub mod schedule;
mod simplify;

pub use graph::{Graph, Operation, Unit, UnitId, UnitKind, Value, ValueId, ValueKind};
