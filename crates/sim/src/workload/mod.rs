//! How much is sent, and when.

pub mod sizes;
