//! Applications of TPPs: what hosts compute of what their packets have read. Like [`crate::host`] they neither read
//! clocks nor send.

pub mod conga;
pub mod rcp;
