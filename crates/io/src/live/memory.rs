//! Ports in memory: the frames of a capture, loaded before the run and taken as fast
//! as the dataplane can; what leaves is counted and fingerprinted. With them a run
//! measures the dataplane and nothing else.
//!
//! Each worker has the flows that [`crate::flow`] gives it, in the order of the
//! capture. Every pass copies the frames anew, because dataplanes write to them.

use super::device::{BATCH, Deliver, Opened, Receiver, Transmitter};
use super::intake::empty_batch;
use crate::capture::{CaptureError, CaptureReader, LINKTYPE_ETHERNET};
use crate::fingerprint::Fingerprint;
use crate::flow;
use crate::frame_memory::FrameMemory;
use crate::spec::Replay;
use crate::world::PortCounters;
use std::os::fd::RawFd;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use ww_dataplane::{Picoseconds, PortId};

/// Frames side by side.
#[derive(Default)]
struct Share {
    bytes: Vec<u8>,
    /// Where each frame ends, and whether it had lost bytes to a snapshot length.
    ends: Vec<(usize, bool)>,
}

/// The frames of a memory port, divided among the workers.
pub(super) struct Memory {
    shares: Vec<Arc<Share>>,
    replay: Replay,
}

impl Memory {
    /// Loads a capture for so many workers, as far as `memory` goes.
    pub fn load(
        input: Option<&Path>,
        replay: Replay,
        workers: usize,
        memory: &mut FrameMemory,
    ) -> Result<Self, CaptureError> {
        let mut shares: Vec<Share> = (0..workers).map(|_| Share::default()).collect();
        if let Some(path) = input {
            let mut reader = CaptureReader::open(path)?;
            let mut frame = Vec::new();
            while let Some(info) = reader.next_frame(&mut frame)? {
                if info.link_type != LINKTYPE_ETHERNET {
                    let problem = format!(
                        "has link type {}, expected {LINKTYPE_ETHERNET} (Ethernet)",
                        info.link_type
                    );
                    return Err(reader.packet_error(info.number, problem));
                }
                let share = &mut shares[flow::worker(&frame, workers)];
                let Share { bytes, ends } = share;
                memory.take(bytes, ends, frame.len(), (path, info.number))?;
                share.bytes.extend_from_slice(&frame);
                let truncated = (frame.len() as u64) < u64::from(info.original_length);
                share.ends.push((share.bytes.len(), truncated));
            }
        }
        Ok(Self { shares: shares.into_iter().map(Arc::new).collect(), replay })
    }

    /// One worker's part of the port.
    pub fn open(&self, port: PortId, worker: usize, counters: Arc<PortCounters>) -> Opened {
        let share = Arc::clone(&self.shares[worker]);
        let passes = match self.replay {
            _ if share.ends.is_empty() => 0,
            Replay::Times(times) => times,
            Replay::For(_) => u64::MAX,
        };
        let receiver = MemoryReceiver {
            port,
            share,
            passes,
            replay: self.replay,
            deadline: None,
            next: 0,
            batch: Vec::new(),
            counters: Arc::clone(&counters),
        };
        let transmitter = MemoryTransmitter::new(counters);
        Opened { receiver: Box::new(receiver), transmitter: Box::new(transmitter) }
    }
}

/// Gives a share's frames, pass by pass.
struct MemoryReceiver {
    port: PortId,
    share: Arc<Share>,
    /// Passes left, with the present one.
    passes: u64,
    replay: Replay,
    /// When no further batch begins; counted from the first one.
    deadline: Option<Instant>,
    /// The next frame of this pass.
    next: usize,
    /// The copy that the dataplane gets.
    batch: Vec<u8>,
    counters: Arc<PortCounters>,
}

impl Receiver for MemoryReceiver {
    fn descriptor(&self) -> Option<RawFd> {
        None
    }

    fn receive(&mut self, deliver: &mut Deliver<'_>) -> usize {
        if self.passes == 0 {
            return 0;
        }
        if let Replay::For(time) = self.replay {
            let now = Instant::now();
            // A time beyond the clock's end is as good as none.
            let deadline = self.deadline.or_else(|| now.checked_add(time));
            self.deadline = deadline;
            if deadline.is_some_and(|deadline| now >= deadline) {
                self.passes = 0;
                return 0;
            }
        }
        let Share { bytes, ends } = &*self.share;
        let last = (self.next + BATCH).min(ends.len());
        let start = self.next.checked_sub(1).map_or(0, |before| ends[before].0);
        self.batch.clear();
        self.batch.extend_from_slice(&bytes[start..ends[last - 1].0]);
        let mut frames = empty_batch(self.port);
        let (mut rest, mut from, mut truncated) = (&mut self.batch[..], start, 0);
        for (frame, (end, cut)) in frames.iter_mut().zip(&ends[self.next..last]) {
            (frame.bytes, rest) = rest.split_at_mut(end - from);
            from = *end;
            truncated += u64::from(*cut);
        }
        let count = last - self.next;
        self.counters.received(&frames[..count]);
        self.counters.rx_truncated.add(truncated);
        deliver(None, &mut frames[..count]);
        self.next = last;
        if last == ends.len() {
            self.next = 0;
            self.passes -= 1;
        }
        count
    }

    fn is_finished(&self) -> bool {
        self.passes == 0
    }
}

/// Counts what leaves.
pub(super) struct MemoryTransmitter {
    packets: u64,
    bytes: u64,
    fingerprint: Fingerprint,
    counters: Arc<PortCounters>,
}

impl MemoryTransmitter {
    fn new(counters: Arc<PortCounters>) -> Self {
        let fingerprint = Fingerprint::default();
        counters.show(&fingerprint);
        Self { packets: 0, bytes: 0, fingerprint, counters }
    }
}

impl Transmitter for MemoryTransmitter {
    fn send(&mut self, _: Picoseconds, frame: &[u8]) {
        self.packets += 1;
        self.bytes += frame.len() as u64;
        self.fingerprint.add(frame);
    }

    fn flush(&mut self) {
        if self.packets > 0 {
            self.counters.sent(self.packets, self.bytes);
            self.counters.show(&self.fingerprint);
            (self.packets, self.bytes) = (0, 0);
        }
    }
}
