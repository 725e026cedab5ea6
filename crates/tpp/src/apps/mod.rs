//! Applications of TPPs: what hosts compute of what their packets have read. Like [`crate::host`] they neither read
//! clocks nor send: hosts drive them as agents ([`crate::host::agent`]).
//!
//! - any program: [`collect`]
//! - traffic: [`rcp`], [`conga`]
//! - measurement: [`sketch`], [`paths`], [`convergence`], [`silent`], [`drops`],
//!   [`vendors`]
//! - routes: [`update`]
//! - a word that senders fill in: [`label`]
//! - what a host of a lab is told to be: [`spec`]

pub mod collect;
pub mod conga;
pub mod convergence;
pub mod drops;
pub mod label;
pub mod pace;
pub mod paths;
pub mod rcp;
pub mod silent;
pub mod sketch;
pub mod spec;
pub mod station;
pub mod update;
pub mod vendors;
