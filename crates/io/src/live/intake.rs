//! From what the kernel hands over to batches of frames as they were on the wire.

use super::device::{BATCH, Deliver};
use super::queue::FrameQueue;
use super::vnet::{Offload, Restorer};
use crate::time::UtcTime;
use crate::world::PortCounters;
use std::sync::Arc;
use ww_dataplane::{Frame, PortId};

/// A batch without frames, to be filled from the front.
pub(crate) fn empty_batch<'a>(port: PortId) -> [Frame<'a>; BATCH] {
    std::array::from_fn(|_| Frame { port, bytes: &mut [] })
}

/// The part of a receiver that Linux ports have in common.
pub(super) struct Intake {
    pub port: PortId,
    pub counters: Arc<PortCounters>,
    restorer: Restorer,
    queue: FrameQueue,
}

impl Intake {
    pub fn new(port: PortId, counters: Arc<PortCounters>) -> Self {
        Self { port, counters, restorer: Restorer::default(), queue: FrameQueue::default() }
    }

    /// Counts and delivers a batch, unless it is empty.
    pub fn deliver(
        &self,
        time: Option<UtcTime>,
        frames: &mut [Frame<'_>],
        deliver: &mut Deliver<'_>,
    ) {
        if !frames.is_empty() {
            self.counters.received(frames);
            deliver(time, frames);
        }
    }

    /// The slow path: takes copies of a frame that is to be cut up, or that is too
    /// long for the place where ordinary ones are mended.
    pub fn restore(
        &mut self,
        time: Option<UtcTime>,
        offload: &Offload,
        data: &[u8],
        deliver: &mut Deliver<'_>,
    ) {
        let Self { port, counters, restorer, queue } = self;
        counters.rx_segmented.add(u64::from(offload.is_large()));
        let mut pass_on = |queue: &mut FrameQueue| {
            let mut frames = empty_batch(*port);
            let count = queue.len();
            for (frame, bytes) in frames.iter_mut().zip(queue.frames_mut()) {
                frame.bytes = bytes;
            }
            counters.received(&frames[..count]);
            deliver(time, &mut frames[..count]);
            queue.clear();
        };
        let result = restorer.restore(offload, data, &mut |frame| {
            if queue.push(frame) {
                pass_on(queue);
            }
        });
        if queue.len() > 0 {
            pass_on(queue);
        }
        counters.rx_errors.add(u64::from(result.is_err()));
    }
}
