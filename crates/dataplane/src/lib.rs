//! The seam: types and traits at which engines, ports, schedulers, controllers and worlds meet. There
//! is no engine here, so nothing that only moves or schedules packets has to build one.
//!
//! [`Dataplane`] takes frames and time in and gives frames out; [`traffic`] is the seam between a
//! program's ingress and egress; [`control`] is what a control plane may ask; [`policy`] is
//! how a scheduler speaks with a policy that is a program; [`random`] is the one
//! source of random numbers in a dataplane.

pub mod control;
mod dataplane;
mod drops;
mod index;
pub mod policy;
pub mod queues;
pub mod random;
mod statistics;
pub mod trace;
pub mod traffic;

pub use dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
pub use drops::DropReason;
pub use statistics::Statistics;
