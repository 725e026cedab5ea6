//! The rules `published`.

/// The length of a slot in nanoseconds, 1.1 times 5.12 in binary32: 5.632 but for the rounding.
pub const SLOT_NS: f32 = 1.1 * 5.12;

/// What a run is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Hosts, N.
    pub hosts: usize,
    /// Slots of a step of age by which sources hold back cells of young flows, G; 0: they do not.
    pub gate: u64,
    /// The run ends after so many epochs of N - 1 slots.
    pub epochs: Option<u64>,
    /// The run ends in the slot after that in which so many flows have finished.
    pub finish: Option<u64>,
    /// Per cent of the hosts that have failed, those with the least numbers.
    pub fail: f64,
    /// The slots before this one do not count for the throughput.
    pub warmup: u64,
}

impl Settings {
    /// No gate, nothing failed, until nothing is left to send.
    pub fn new(hosts: usize) -> Self {
        Self { hosts, gate: 0, epochs: None, finish: None, fail: 0.0, warmup: 0 }
    }
}
