//! The way of a packet through a program, as text for people and as JSON.

mod json;
mod text;

pub use json::JsonTrace;
pub use text::TextTrace;
