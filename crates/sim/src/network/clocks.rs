//! Clocks of a network: how far off they are, and what keeps them together.

use super::NodeId;
use crate::pending::Time;
use ww_clocks::servo::Stamps;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clocks {
    /// Nodes whose clock is exact get one that is off by up to so many billionths, drawn for each.
    pub spread: u32,
    /// Clock synchronisation in the physical layer, between all nodes with links of 10GBASE-R.
    pub dtp: Option<Dtp>,
    /// What packets do to clocks of hosts.
    pub kept: Option<Kept>,
}

/// How hosts with a keeper ([`crate::simulation::Parts::keepers`]) see time, and whether switches help.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kept {
    /// Who is compared with.
    pub reference: NodeId,
    /// Where hosts take stamps.
    pub stamps: Stamps,
    /// Stamps of hardware are multiples of so many picoseconds.
    pub resolution: Time,
    /// With stamps of software: from a frame's last bit to its stamp, in the mean (exponentially distributed).
    pub interrupt: Time,
    /// Plain switches add to PTP's event messages how long these were in them, by their own clocks.
    pub transparent: bool,
    /// Each second the frequency of hosts' clocks changes by so many billionths, in the mean of squares.
    pub wander: f64,
    /// Clocks are compared so often.
    pub every: Time,
}

/// Clock synchronisation in the physical layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Dtp {
    /// How ports behave.
    pub config: ww_dtp::port::Config,
    /// Nodes whose counters are compared.
    pub pairs: Vec<[NodeId; 2]>,
    /// Of so many messages one has a wrong bit; 0 for none.
    pub errors_one_in: u64,
}
