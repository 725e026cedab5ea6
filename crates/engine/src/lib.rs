//! Engines that execute P4 programs on packets.
//!
//! [`interp`](crate::interp) is the reference: it executes the typed IR as it is. What every
//! engine shares stands beside it: bit strings, tables, stateful objects, the description of
//! architectures, and what a program offers to the control plane.

pub mod arch;
pub mod bits;
pub mod engine;
pub mod interp;
pub mod jit;
pub mod objects;
pub mod policy;
pub mod schema;
pub mod tables;
pub mod tcpu;
pub mod validation;
