//! P4 pipelines as hardware.
//!
//! - [`design`] is a program as SystemVerilog.
//! - [`manifest`] is what software must know of it.
//! - [`library`] has the blocks that it is made of.
//! - [`runner`] makes a model of it with Verilator, and of the model an engine.

pub mod design;
pub mod library;
pub mod manifest;
pub mod runner;
