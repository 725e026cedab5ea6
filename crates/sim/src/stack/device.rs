//! The card between a stack and its link: frames in, frames out, in memory.

use crate::frame::SHORTEST;
use smoltcp::phy::{self, DeviceCapabilities, Medium};
use smoltcp::time::Instant;
use std::collections::VecDeque;

/// Frames that have come and that shall leave.
#[derive(Debug)]
pub(super) struct Device {
    /// Longest frame without FCS.
    longest: usize,
    incoming: VecDeque<Vec<u8>>,
    outgoing: Vec<Vec<u8>>,
    /// Bytes that the link still takes from sockets.
    pub room: u64,
}

impl Device {
    /// For IP packets of so many bytes.
    pub fn new(mtu: u16) -> Self {
        let longest = usize::from(mtu) + 14;
        let (incoming, outgoing) = (VecDeque::new(), Vec::new());
        Self { longest, incoming, outgoing, room: 0 }
    }

    /// A frame has come. One that is too long for the card is not taken in.
    pub fn put(&mut self, frame: Vec<u8>) {
        if frame.len() <= self.longest.max(SHORTEST as usize) {
            self.incoming.push_back(frame);
        }
    }

    /// What shall leave, in order.
    pub fn take(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.outgoing)
    }
}

/// A frame that has come.
pub(super) struct Incoming(Vec<u8>);

impl phy::RxToken for Incoming {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(&self.0)
    }
}

/// Where a frame goes that leaves.
pub(super) struct Outgoing<'d> {
    frames: &'d mut Vec<Vec<u8>>,
    room: &'d mut u64,
}

impl phy::TxToken for Outgoing<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, f: F) -> R {
        let mut frame = vec![0; length];
        let result = f(&mut frame);
        // Cards fill short frames up with zeros (IEEE 802.3, clause 4.2.3.3).
        frame.resize(length.max(SHORTEST as usize), 0);
        *self.room = self.room.saturating_sub(frame.len() as u64);
        self.frames.push(frame);
        result
    }
}

impl phy::Device for Device {
    type RxToken<'a> = Incoming;
    type TxToken<'a> = Outgoing<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Incoming, Outgoing<'_>)> {
        let frame = self.incoming.pop_front()?;
        Some((Incoming(frame), Outgoing { frames: &mut self.outgoing, room: &mut self.room }))
    }

    /// There is always room, as smoltcp forgets a fast retransmission that a device does not take: sockets are not asked
    /// at all while the link has enough.
    fn transmit(&mut self, _: Instant) -> Option<Outgoing<'_>> {
        Some(Outgoing { frames: &mut self.outgoing, room: &mut self.room })
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = self.longest;
        capabilities
    }
}
