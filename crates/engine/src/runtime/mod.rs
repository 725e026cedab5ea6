//! The control-plane API: what a program offers ([`Schema`]) and what can be asked of a running
//! dataplane ([`Control`]).

mod control;
mod entry;
mod error;
mod forward;
mod hashes;
mod names;
mod schema;
mod schema_build;
pub(crate) mod validation;

pub use control::Control;
pub use entry::*;
pub use error::RuntimeError;
pub use names::{annotation_text, find_by_suffix, full_name};
pub use num_bigint::BigUint;
pub use schema::*;
pub use ww_packet::crc::CrcParameters;
