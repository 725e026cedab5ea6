//! Engines that execute P4 programs on packets.

pub mod dataplane;
