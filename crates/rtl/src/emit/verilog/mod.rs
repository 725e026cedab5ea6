//! Writing a design as SystemVerilog.

pub mod expression;
pub mod names;
pub mod objects;
pub mod pipeline;
pub mod top;
