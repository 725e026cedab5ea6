//! The integration tests of this crate, in one binary: one link instead of many.

mod captures;
mod dpdk;
mod memory_world;
mod netns;
mod pcap_world;
