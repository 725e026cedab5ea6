//! One clock of the host in hardware, for who drives it clock by clock.

use super::host::{HardwareHost, Outcome};
use crate::runner::Error;
use std::net::SocketAddrV4;
use ww_phy::lbus::Beat;
use ww_tcp::engine::SessionId;
use ww_tcp::settings::Nanoseconds;

/// A call of the application.
#[derive(Clone, Copy, Debug)]
pub enum Call {
    /// Takes connections.
    Listen(u16),
    /// Opens the connection from this port.
    Connect(SocketAddrV4, u16),
    /// The next news.
    News,
    /// Writes so many bytes; 0 asks how much room there is.
    Write(SessionId, u32),
    /// Reads all.
    Read(SessionId),
    /// Sends no more.
    ShutDown(SessionId),
}

/// What goes in.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The time.
    pub now: Nanoseconds,
    /// A beat of the line.
    pub came: Option<&'a Beat>,
    /// The line takes a beat.
    pub line_is_ready: bool,
    /// A call, and whether it is offered for the first time.
    pub call: Option<(Call, bool)>,
    /// A beat of a write.
    pub write: Option<&'a Beat>,
}

/// What happens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exchanged {
    /// The call was taken.
    pub call_taken: bool,
    /// The beat of a write was taken.
    pub write_taken: bool,
    /// A beat that leaves.
    pub leaves: Option<Beat>,
    /// A beat that was asked for.
    pub read: Option<Beat>,
}

impl HardwareHost {
    /// Whether a call's result is there in this clock.
    pub(super) fn has_result(&self) -> bool {
        self.bench.is(self.ports.result_valid)
    }

    /// The result; none if the call came to nothing.
    pub(super) fn result(&mut self) -> Option<Outcome> {
        let outcome = self.outcome();
        outcome.is_done().then_some(outcome)
    }

    /// Whether nothing is to be done before a timer is due.
    pub(super) fn is_quiet(&self) -> bool {
        self.bench.is(self.ports.quiet)
    }

    /// Whether there may be news.
    pub(super) fn has_news(&self) -> bool {
        self.bench.is(self.ports.news_waits)
    }

    /// One clock.
    ///
    /// # Errors
    /// An assertion of the module stopped it.
    pub fn exchange(&mut self, inputs: &Inputs<'_>) -> Result<Exchanged, Error> {
        self.set_time(inputs.now);
        match inputs.came {
            Some(beat) => {
                self.rx.offer(&mut self.bench, &beat.data[..usize::from(beat.bytes)], beat.last);
            }
            None => self.bench.set(self.rx.valid, 0),
        }
        match inputs.write {
            Some(beat) => {
                self.write.offer(&mut self.bench, &beat.data[..usize::from(beat.bytes)], beat.last);
            }
            None => self.bench.set(self.write.valid, 0),
        }
        if let Some((call, true)) = inputs.call {
            self.fill(call);
        }
        self.bench.set(self.ports.call_valid, u64::from(inputs.call.is_some()));
        self.bench.set(self.ports.tx_ready, u64::from(inputs.line_is_ready));
        self.bench.settle()?;
        let exchanged = Exchanged {
            call_taken: inputs.call.is_some() && self.bench.is(self.ports.call_ready),
            write_taken: inputs.write.is_some()
                && self.write.ready.is_some_and(|ready| self.bench.is(ready)),
            leaves: if inputs.line_is_ready { self.tx.beat(&self.bench) } else { None },
            read: self.read.beat(&self.bench),
        };
        self.edge()?;
        self.count();
        Ok(exchanged)
    }

    fn fill(&mut self, call: Call) {
        let request = |host: &mut Self, id: SessionId, operation: &str, count: u32| {
            host.prepare("CALL_REQUEST", operation);
            host.put("session", u64::from(id.index));
            host.put("generation", u64::from(id.generation));
            host.put("count", u64::from(count));
            host.put("ends", 1);
        };
        match call {
            Call::Listen(port) => {
                self.prepare("CALL_LISTEN", "WRITE");
                self.put("connection.own_port", u64::from(port));
                self.put("count", 0);
            }
            Call::Connect(peer, port) => {
                self.prepare("CALL_CONNECT", "CONNECT");
                self.put("connection.peer_ip", u64::from(peer.ip().to_bits()));
                self.put("connection.peer_port", u64::from(peer.port()));
                self.put("connection.own_port", u64::from(port));
            }
            Call::News => self.prepare("CALL_NEWS", "WRITE"),
            Call::Write(id, count) => request(self, id, "WRITE", count),
            Call::Read(id) => request(self, id, "CONSUME", u32::MAX),
            Call::ShutDown(id) => request(self, id, "SHUT_DOWN", 0),
        }
    }
}
