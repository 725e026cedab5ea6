//! Runs a dataplane for real: [`run`] loads a program into an engine and drives it on ports, with workers, output queues,
//! a TCPU and a control socket, until its capture files end or somebody stops it. [`shim`] does it for the TPP shim of a host,
//! [`bench`] measures engines in memory, [`pace`] and [`ptp`] measure interfaces and clocks.
//!
//! Nothing here prints: what there is to tell while something runs goes to a [`Watcher`](watcher::Watcher), and what came of it
//! is returned.

pub mod background;
pub mod bench;
pub mod comparison;
mod control;
pub mod deep_stack;
pub mod engine;
pub mod entries;
pub mod error;
pub mod hardware;
pub mod pace;
mod past;
pub mod program;
pub mod ptp;
pub mod run;
pub mod shim;
pub mod signals;
pub mod summary;
pub mod switch;
pub mod switch_blocks;
pub mod tcp_host;
pub mod watcher;
