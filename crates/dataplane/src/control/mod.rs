//! Control of a dataplane: what a program offers ([`Schema`]) and what can be asked of a dataplane
//! while it runs ([`Control`]).

mod entry;
mod error;
mod forward;
mod names;
mod requests;
mod schema;

pub use entry::*;
pub use error::RuntimeError;
pub use names::find_by_suffix;
pub use num_bigint::BigUint;
pub use requests::Control;
pub use schema::*;
pub use ww_packet::crc::CrcParameters;
