//! TPPs at the host: which applications there are and what they may do ([`registry`]), which packets carry their
//! TPPs ([`filter`], [`classifier`]), and the shim between network stack and wire that puts TPPs in and takes them
//! out ([`shim`]); TPPs that are sent for themselves ([`executor`]), to some switches or for many hops ([`guard`]); what
//! comes of them ([`record`], [`reading`], [`tally`]), and what an application is for a host ([`agent`]).
//!
//! Nothing here reads a clock or a socket: frames come in as arguments and leave as values, so that the same shim
//! serves simulated hosts and real ones (spec 003, sections 2.12 and 2.14).

pub mod agent;
pub mod classifier;
pub mod executor;
pub mod filter;
pub mod guard;
pub mod reading;
pub mod record;
pub mod registry;
pub mod rules_file;
pub mod shim;
pub mod tally;
