//! Ports and worlds: capture files, Linux interfaces and TAP devices, and the
//! loops that drive a [`Dataplane`](ww_dataplane::Dataplane) with them.
//!
//! - [`capture`] reads and writes pcap and pcapng files.
//! - [`spec`] reads the `N=SPEC` port arguments of the command line.
//! - [`live`] holds the ports that are no files: interfaces, TAP devices, memory, DPDK.
//! - [`world`] has the two loops: files in timestamp order, and live ports, with one or
//!   more workers.

pub mod capture;
#[cfg(feature = "dpdk")]
mod dpdk;
pub mod fingerprint;
pub mod flow;
pub mod live;
pub mod overwrite;
pub mod spec;
pub mod stop;
pub mod time;
pub mod world;
