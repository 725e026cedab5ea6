//! What the live world asks of a port.

use crate::time::UtcTime;
use std::os::fd::RawFd;
use std::time::Duration;
use ww_dataplane::{Frame, Picoseconds};

/// Frames in a batch at most.
pub(crate) const BATCH: usize = 64;

/// Takes in a batch of frames that arrived: when the last of them did (by the
/// system's clock, if the kernel noted it), and the frames. Their memory is the
/// callee's to write to during the call.
pub(crate) type Deliver<'a> = dyn FnMut(Option<UtcTime>, &mut [Frame<'_>]) + 'a;

/// Where one worker's frames of a port come from. What arrives and what goes wrong is
/// counted in the counters that the receiver was opened with.
pub(crate) trait Receiver: Send {
    /// What to wait on for frames; `None` if there is nothing to wait on.
    fn descriptor(&self) -> Option<RawFd>;

    /// Takes in what has arrived, about [`BATCH`] of the kernel's frames at most (each
    /// may stand for several on the wire), a batch at a time. Never waits. Says how many
    /// of the kernel's frames it took.
    fn receive(&mut self, deliver: &mut Deliver<'_>) -> usize;

    /// Whether nothing will ever come again.
    fn is_finished(&self) -> bool {
        false
    }

    /// How long the receiver may be left alone when there is no descriptor.
    fn patience(&self) -> Duration {
        Duration::MAX
    }

    /// Clears an error condition that the wait reported.
    fn clear_error(&mut self) {}

    /// Asked a few times a second: whether the port still exists.
    fn is_alive(&mut self) -> bool {
        true
    }

    /// Brings counters up to date that somebody else keeps.
    fn count(&mut self) {}
}

/// Where one worker's frames to a port go. What leaves and what does not is counted
/// in the counters that the transmitter was opened with.
pub(crate) trait Transmitter: Send {
    /// Takes a copy of a frame that is due, and was at `at`. It leaves with the next
    /// [`flush`](Self::flush) or before.
    fn send(&mut self, at: Picoseconds, frame: &[u8]);

    /// Sends what was queued. Frames that find no room in time are dropped.
    fn flush(&mut self);
}

/// Both directions of a port, for one worker.
pub(crate) struct Opened {
    pub receiver: Box<dyn Receiver>,
    pub transmitter: Box<dyn Transmitter>,
}
