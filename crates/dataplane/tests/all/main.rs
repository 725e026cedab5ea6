//! The seam by itself, without an engine.

mod requests;
mod wrapper;
