//! The file of a lab: TOML, read so that every mistake is found at once.

pub mod mistakes;
pub mod overrides;
pub mod quantity;
pub mod reader;
pub mod tree;
