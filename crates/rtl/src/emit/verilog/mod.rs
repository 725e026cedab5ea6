//! Writing a design as SystemVerilog.

pub mod design;
pub mod expression;
pub mod module;
pub mod names;
pub mod objects;
pub mod pipeline;
mod switch;
pub mod tables;
mod timing;
mod value_set;
