//! Control of a dataplane: what a program offers ([`Schema`]) and what can be asked of a dataplane
//! while it runs: [`Request`]s, which a [`Control`] answers with an [`Answer`] or an [`Error`].

mod answer;
mod entry;
mod error;
mod names;
mod ports;
mod request;
mod schema;

pub use answer::Answer;
pub use entry::*;
pub use error::Error;
pub use names::find_by_suffix;
pub use num_bigint::BigUint;
pub use ports::Ports;
pub use request::{Control, Request, Subject};
pub use schema::*;
pub use ww_packet::crc::CrcParameters;

/// For components that carry out requests. Apart from what callers need: a component's methods and
/// those by which it is called have the same names.
pub mod handler {
    pub use super::request::{Handler, InTurns};
}
