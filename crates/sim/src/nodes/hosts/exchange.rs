//! Both ends of a flow whose packets have numbers: what NDP and DCQCN have in common.

use crate::frame::{SHORTEST, UDP_HEADERS};
use crate::pending::Time;

/// See the module.
#[derive(Debug)]
pub(super) struct Exchange<Sender, Receiver> {
    /// Length of a full frame.
    pub frame: u32,
    pub sender: Sender,
    pub receiver: Receiver,
    /// Bytes that have arrived.
    pub received: u64,
    /// When the sender's next timer expires; others that come are stale.
    pub sender_wakes: Option<Time>,
    /// It waits for its host's link.
    pub blocked: bool,
}

impl<Sender, Receiver> Exchange<Sender, Receiver> {
    /// Nothing was sent.
    pub fn new(frame: u32, sender: Sender, receiver: Receiver) -> Self {
        Self { frame, sender, receiver, received: 0, sender_wakes: None, blocked: false }
    }

    /// Bytes of an application in a packet of a flow of `bytes`.
    pub fn data(&self, number: u32, bytes: u64) -> u64 {
        let data = u64::from(self.frame - UDP_HEADERS);
        bytes.saturating_sub(u64::from(number) * data).min(data)
    }

    /// Length of that packet's frame.
    pub fn bytes(&self, number: u32, bytes: u64) -> u32 {
        (self.data(number, bytes) as u32 + UDP_HEADERS).max(SHORTEST)
    }
}

/// Packets of a flow of so many bytes, 1 at least, in frames of this length.
pub(super) fn packets(frame: u32, bytes: u64) -> u32 {
    let data = u64::from(frame - UDP_HEADERS);
    u32::try_from(bytes.div_ceil(data).max(1)).unwrap_or(u32::MAX)
}
