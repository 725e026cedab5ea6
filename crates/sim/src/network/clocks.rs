//! Clocks of a network: their errors, and what synchronises them.

use super::NodeId;
use crate::pending::Time;
use ww_clocks::servo::Stamps;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clocks {
    /// Nodes with an exact clock get a frequency error of up to this many billionths instead, drawn for each.
    pub spread: u32,
    /// Clock synchronisation in the physical layer, between all nodes with links of 10GBASE-R.
    pub dtp: Option<Dtp>,
    /// Clock synchronisation of hosts by packets (PTP, NTP).
    pub kept: Option<Kept>,
}

/// Time stamps of hosts with a keeper ([`crate::simulation::Parts::keepers`]), and whether switches are transparent clocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kept {
    /// The node whose clock is the reference.
    pub reference: NodeId,
    /// Where hosts take time stamps.
    pub stamps: Stamps,
    /// Resolution of hardware time stamps, ps.
    pub resolution: Time,
    /// Mean interrupt latency (exponentially distributed): from a frame's last bit to its software time stamp.
    pub interrupt: Time,
    /// Plain switches are transparent clocks: they add their residence time to PTP event messages.
    pub transparent: bool,
    /// Oscillator wander: RMS change of a host clock's frequency in a second, billionths.
    pub wander: f64,
    /// Interval between comparisons of clocks.
    pub every: Time,
}

/// Clock synchronisation in the physical layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Dtp {
    /// Parameters of ports.
    pub config: ww_dtp::port::Config,
    /// Nodes whose counters are compared.
    pub pairs: Vec<[NodeId; 2]>,
    /// One message in this many has a bit error; 0 for none.
    pub errors_one_in: u64,
}
