//! Applications of tiny packet programs: what hosts compute from the values that their packets have read. They neither read
//! clocks nor send: hosts, simulated or real, drive them as agents ([`ww_host::agent`]).
//!
//! - any program: [`collect`]
//! - traffic: [`rcp`], [`conga`]
//! - measurement: [`sketch`], [`paths`], [`convergence`], [`silent`], [`drops`],
//!   [`vendors`]
//! - packet histories: [`histories`]
//! - routes: [`update`]
//! - a word that senders fill in: [`label`]
//! - what a host of a lab is told to be: [`spec`]

pub mod collect;
pub mod conga;
pub mod convergence;
pub mod drops;
pub mod histories;
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
