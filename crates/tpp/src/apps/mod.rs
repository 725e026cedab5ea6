//! Applications of TPPs: what hosts compute of what their packets have read. Like [`crate::host`] they neither read
//! clocks nor send: hosts drive them as agents ([`crate::host::agent`]).

pub mod collect;
pub mod conga;
mod pace;
pub mod rcp;
pub mod spec;
pub mod station;
