//! The application's side of a session.

use super::{End, Session, State};
use crate::settings::{KeepAlive, Nanoseconds};

impl Session {
    /// Appends bytes to what is to be sent: as many as there is room for, and says how many. `ends` is whether the
    /// application's write ends with the last of `bytes`.
    pub fn write(&mut self, bytes: &[u8], ends: bool) -> usize {
        if self.closed || matches!(self.state, State::Closed | State::TimeWait) {
            return 0;
        }
        let room = self.room().min(bytes.len());
        self.queue.write(&bytes[..room], ends && room == bytes.len());
        room
    }

    /// Bytes that [`Self::write`] takes.
    pub fn room(&self) -> usize {
        self.behaviour.buffer().min(self.send_limit).saturating_sub(self.queue.kept()) as usize
    }

    /// Bytes that can be read, in two pieces.
    pub fn peek(&self) -> (&[u8], &[u8]) {
        self.reassembly.peek()
    }

    /// Bytes that can be read. The peer's FIN is none.
    pub fn readable(&self) -> usize {
        self.reassembly.readable() as usize
    }

    /// The application has taken `count` bytes. If the window has been small, the peer learns that it is not.
    pub fn consume(&mut self, count: usize) {
        self.reassembly.consume(count as u32);
        if !self.state.may_receive() || count == 0 {
            return;
        }
        let next = self.reassembly.next();
        let current = self.edge.beyond(next);
        let size = self.behaviour.buffer();
        let free = size - self.reassembly.readable().min(size);
        let told_half = current.saturating_mul(2) <= size.min(0xffff << self.own_scale);
        if told_half && free >= current.saturating_mul(2).max(self.mss.min(size / 2)) {
            self.acknowledge.now = self.acknowledge.now.max(1);
        }
    }

    /// Whether the peer has closed and all that it sent has been read.
    pub fn is_at_end(&self) -> bool {
        self.peer_fin && self.reassembly.readable() == 0
    }

    /// Whether the peer has closed.
    pub fn peer_has_closed(&self) -> bool {
        self.peer_fin
    }

    /// Bytes that were written and are not acknowledged.
    pub fn unacknowledged(&self) -> u32 {
        self.queue.kept()
    }

    /// Bytes that were written and not sent.
    pub fn not_sent(&self) -> u32 {
        self.unsent()
    }

    /// The application sends no more: FIN follows what was written.
    pub fn shut_down(&mut self) {
        if self.closed {
            return;
        }
        match self.state {
            State::SynSent => {
                self.closed = true;
                self.end(End::Aborted);
            }
            State::SynReceived => self.closed = true,
            State::Established => {
                self.closed = true;
                self.state = State::FinWait1;
            }
            State::CloseWait => {
                self.closed = true;
                self.state = State::LastAck;
            }
            _ => {}
        }
    }

    /// The application wants to hear no more of the connection: FIN follows what was written. If bytes were not
    /// read, the peer is told by a reset (RFC 2525 section 2.17).
    pub fn close(&mut self, now: Nanoseconds) {
        self.abandoned = true;
        if self.readable() > 0 && self.state.is_synchronised() && self.state != State::TimeWait {
            self.abort();
            return;
        }
        self.shut_down();
        if self.state == State::FinWait2 {
            self.await_fin(now);
        }
    }

    /// Ends the connection at once with a reset.
    pub fn abort(&mut self) {
        let tells = !matches!(self.state, State::Closed | State::TimeWait | State::SynSent);
        self.end(End::Aborted);
        self.forced.reset = tells;
    }

    /// Small segments wait for acknowledgements, or do not (`TCP_NODELAY`).
    pub fn set_nagle(&mut self, on: bool) {
        self.behaviour.nagle = on;
    }

    /// Acknowledgements do not wait, or may (`TCP_QUICKACK`).
    pub fn set_quick(&mut self, on: bool) {
        self.acknowledge.interactive = !on;
        if on {
            self.acknowledge.quick = self.acknowledge.quick.max(16);
            if self.acknowledge.scheduled {
                self.acknowledge.now = self.acknowledge.now.max(1);
            }
        }
    }

    /// Segments that are not full wait until they are, or for one timeout (`TCP_CORK`).
    pub fn set_cork(&mut self, on: bool) {
        self.corked = on;
    }

    /// How often a SYN is sent again.
    pub fn set_syn_retries(&mut self, retries: u8) {
        self.behaviour.syn_retries = retries;
    }

    /// Bytes that are kept for sending at most; the buffer's size is the bound in any case.
    pub fn set_send_limit(&mut self, bytes: u32) {
        self.send_limit = bytes;
    }

    /// The connection is given up when nothing was acknowledged for so long (RFC 5482).
    pub fn set_user_timeout(&mut self, timeout: Nanoseconds) {
        self.user_timeout = (timeout > 0).then_some(timeout);
    }

    /// Idle connections are probed from now on, or not.
    pub fn set_keep_alive(&mut self, keep_alive: Option<KeepAlive>, now: Nanoseconds) {
        if self.behaviour.keep_alive != keep_alive {
            self.behaviour.keep_alive = keep_alive;
            self.timers.keep_alive = None;
            self.begin_keep_alive(now);
        }
    }

    /// Longest payload of our segments.
    pub fn mss(&self) -> u32 {
        self.mss
    }
}
