//! The native engine: the pipeline IR compiled to machine code.

pub mod abi;
pub mod control;
