//! The integration tests of this crate, in one binary: one link instead of many.

mod constant_limits;
mod parse_corpus;
mod pipeline_corpus;
mod pipeline_text;
mod warnings;
mod wide;
