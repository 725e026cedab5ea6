//! What a pair asks of a host's stack.

use crate::settings::Nanoseconds;

/// What has happened to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Something can be read or written, or the other side has closed: look at it.
    Look(usize),
    /// It is gone.
    Gone(usize),
}

/// A host's stack. Connections have numbers from 0, the same at both ends.
pub trait Stack {
    /// Takes connections.
    fn listen(&mut self);
    /// Opens a connection.
    fn connect(&mut self, connection: usize, now: Nanoseconds);
    /// Takes a frame in, without FCS.
    fn receive(&mut self, frame: &[u8], now: Nanoseconds);
    /// The next frame to leave. False: there is none.
    fn transmit(&mut self, frame: &mut Vec<u8>, now: Nanoseconds) -> bool;
    /// Lets time pass.
    fn advance(&mut self, now: Nanoseconds);
    /// When [`Self::advance`] is due.
    fn wakes(&mut self, now: Nanoseconds) -> Option<Nanoseconds>;
    /// The next news.
    fn news(&mut self, now: Nanoseconds) -> Option<News>;
    /// Bytes that a connection takes now; 0 before it is open.
    fn room(&mut self, connection: usize, now: Nanoseconds) -> usize;
    /// Writes bytes, at most [`Self::room`].
    fn write(&mut self, connection: usize, bytes: &[u8], now: Nanoseconds);
    /// Reads all that can be read, in pieces.
    fn read(&mut self, connection: usize, now: Nanoseconds, take: &mut dyn FnMut(&[u8]));
    /// Whether the other side has closed and all is read.
    fn is_at_end(&mut self, connection: usize, now: Nanoseconds) -> bool;
    /// Sends no more.
    fn close(&mut self, connection: usize, now: Nanoseconds);
    /// Segments that were sent again.
    fn resent(&self) -> u64;
    /// Timeouts.
    fn timeouts(&self) -> u64;
    /// What has stopped it, if it is hardware in simulation.
    fn failure(&self) -> Option<String> {
        None
    }
}
