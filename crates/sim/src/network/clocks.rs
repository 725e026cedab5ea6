//! Clocks of a network: how far off they are, and what keeps them together.

use super::NodeId;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clocks {
    /// Nodes whose clock is exact get one that is off by up to so many billionths, drawn for each.
    pub spread: u32,
    /// Clock synchronisation in the physical layer, between all nodes with links of 10GBASE-R.
    pub dtp: Option<Dtp>,
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
