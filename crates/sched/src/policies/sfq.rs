//! Stochastic fair queueing (McKenney 1990): many flows, few queues.

/// Chooses the queue of a flow: a hash of its key among `queues`. The queues are flows of a node with
/// [`super::drr::DeficitRoundRobin`] and equal quanta; another `seed` from time to time parts flows that
/// happen to share a queue.
#[derive(Clone, Copy, Debug)]
pub struct StochasticQueues {
    /// How many queues there are, at least 1.
    pub queues: u32,
    /// Changes which flows share a queue.
    pub seed: u64,
}

impl StochasticQueues {
    /// The queue of a flow, 0 to `queues` - 1. `key` names the flow: a hash of its addresses and ports, or
    /// its number.
    pub fn queue(&self, key: u64) -> u32 {
        // A bijection that spreads all bits (the finaliser of splitmix64), then the high bits.
        let a = key ^ self.seed;
        let a = (a ^ (a >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let a = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let spread = (a ^ (a >> 31)) >> 32;
        ((spread * u64::from(self.queues.max(1))) >> 32) as u32
    }
}
