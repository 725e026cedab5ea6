//! P4 pipelines as hardware.
//!
//! - [`design`] is a program as SystemVerilog.
//! - [`manifest`] is what software must know of it.

pub mod design;
pub mod manifest;
