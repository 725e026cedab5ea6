//! Applications of tiny packet programs: what hosts compute from the values that their packets have read. They neither read
//! clocks nor send: hosts, simulated or real, drive them as agents ([`ww_host::agent`]).
//!
//! - any program: [`collect`]
//! - traffic: [`rcp`], [`conga`]
//! - measurement: [`sketch`], [`paths`], [`convergence`], [`silent`], [`drops`],
//!   [`vendors`]
//! - packet histories: [`histories`]
//! - routes: [`update`]
//!
//! Each has a folder of its own: what it computes (`mod.rs` and others), `agent.rs` (a host's part, the same in simulations
//! and in namespaces), `lab.rs` (its keys in lab files) and `results.rs` (what it adds to the results of a lab). [`application`]
//! says what labs know of it.
//!
//! Shared: a word that senders fill in ([`label`]), sending at a changing rate ([`pace`]), hosts that send by themselves
//! ([`station`]), numbers of switches and links ([`numbering`]).

pub mod application;
pub mod collect;
pub mod conga;
pub mod convergence;
pub mod drops;
pub mod histories;
mod keys;
pub mod label;
pub mod numbering;
pub mod pace;
pub mod paths;
pub mod rcp;
pub mod silent;
pub mod sketch;
pub mod station;
pub mod update;
pub mod vendors;
mod ways;

use application::Kind;

/// All kinds of applications, in the order in which messages list them.
pub const KINDS: &[&Kind] = &[
    &collect::lab::KIND,
    &rcp::lab::KIND,
    &conga::lab::KIND,
    &silent::lab::KIND,
    &convergence::lab::KIND,
    &paths::lab::KIND,
    &histories::lab::KIND,
    &drops::lab::KIND,
    &sketch::lab::KIND,
    &update::lab::KIND,
    &vendors::lab::KIND,
];
