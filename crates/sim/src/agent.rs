//! What may sit between a host's stack and its link: something that changes what goes out and takes what comes in,
//! as the shim of tiny packet programs does.

use crate::pending::Time;

/// What becomes of a frame that has come to a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// It is for the host's stack, as the agent has left it.
    Deliver,
    /// The agent has kept it.
    Taken,
    /// It goes out again, as the agent has left it.
    SendBack,
}

/// Sits between stack and link of one host. Times are those of the host's clock.
pub trait Agent: Send {
    /// A frame is about to join the queue of the link; the agent may change it. False drops it.
    fn transmit(&mut self, now: Time, frame: &mut Vec<u8>) -> bool;

    /// A frame has come.
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received;

    /// Puts frames that it wants to send by itself into `out`. It is asked at the start, when a frame has come, and
    /// at the time that it gives.
    fn poll(&mut self, _now: Time, _out: &mut Vec<Vec<u8>>) -> Option<Time> {
        None
    }
}
