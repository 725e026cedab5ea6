//! P4Info: what a controller that speaks P4Runtime must know of a program.
//!
//! Built from the checked program for v1model, PSA and PNA alike: the objects are recognised by
//! the names of their externs. Ids follow P4Runtime (§6.3): the most significant byte tells the
//! kind, `@id` is honoured, and everything else gets the low 24 bits of the one-at-a-time hash of
//! its full name, counted up past ids that are taken; published controllers' constants fit.

mod annotations;
mod collect;
mod format;
mod ids;
mod objects;
pub mod proto;
mod tables;
mod types;

pub use collect::p4info;
pub use format::{Format, encode};
