//! Writing a design as SystemVerilog.

pub mod design;
pub mod expression;
pub mod module;
pub mod names;
pub mod objects;
pub mod pipeline;
pub mod tables;
mod timing;
