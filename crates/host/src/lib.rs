//! Tiny packet programs at hosts.
//!
//! Without sockets and clocks (frames come in as arguments and leave as values, so that the same code serves simulated hosts
//! and real ones; spec 003, sections 2.12 and 2.14):
//! - which applications there are and what they may do: [`registry`], and [`rules_file`], which lists them
//! - which packets carry their TPPs: [`filter`], [`classifier`]; the [`shim`] between network stack and wire puts TPPs in
//!   and takes them out
//! - standalone TPPs, sent again until an answer arrives: [`executor`]; for some switches or for many hops: [`guard`]
//! - results: [`record`], [`reading`]
//! - what an application is for a host: [`agent`]
//!
//! On a real host:
//! - [`udp_executor`] sends standalone TPPs and waits for them; [`patterns`]: to one switch, to many, along long paths;
//!   [`trace`]: path discovery
//! - [`echo`] answers where no shim does
//! - [`control`]: the control plane of a running shim
//! - an [`aggregator`] passes what a shim has collected on to a [`collector`]

pub mod agent;
pub mod aggregator;
pub mod classifier;
pub mod collector;
pub mod control;
pub mod echo;
pub mod executor;
pub mod filter;
pub mod guard;
pub mod hex;
pub mod patterns;
pub mod reading;
pub mod record;
pub mod registry;
pub mod rules_file;
pub mod shim;
pub mod trace;
pub mod udp_executor;
