//! Packets that carry a program of the user's, and receivers that keep what it has read.

pub mod agent;
pub mod lab;
mod results;
pub mod values;
