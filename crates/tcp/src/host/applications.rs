//! The applications of a host: echo, discard, character generator, and both sides of iperf.

use super::Load;
use crate::engine::SessionId;
use crate::engine::endpoint::Endpoint;
use crate::settings::Nanoseconds;
use std::fmt;
use std::str::FromStr;

/// Bytes that an application writes at once.
const PIECE: usize = 64 << 10;

/// What serves a port, or uses a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Application {
    /// Sends back what comes, and closes after the peer (RFC 862).
    Echo,
    /// Reads and forgets, and closes after the peer (RFC 863).
    Discard,
    /// Sends lines of printable characters until the peer closes (RFC 864).
    Chargen,
    /// As a server reads what iperf (version 2) sends; as a client sends for a time (spec S51).
    Iperf,
}

impl Application {
    /// All.
    pub const ALL: [Self; 4] = [Self::Echo, Self::Discard, Self::Chargen, Self::Iperf];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Echo => "echo",
            Self::Discard => "discard",
            Self::Chargen => "chargen",
            Self::Iperf => "iperf",
        }
    }
}

impl fmt::Display for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Application {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|application| application.name() == text).ok_or(())
    }
}

/// What carries an application's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    /// A stream.
    Tcp,
    /// Datagrams.
    Udp,
}

/// Characters of a line of the character generator, without its end.
const LINE: usize = 72;

/// The byte at a position of the character generator's stream: lines of 72 of the 95 printable characters, each
/// begun one further on.
pub fn generated(position: u64) -> u8 {
    let (line, column) = (position / (LINE as u64 + 2), (position % (LINE as u64 + 2)) as usize);
    match column {
        LINE => b'\r',
        73 => b'\n',
        _ => b' ' + ((line + column as u64) % 95) as u8,
    }
}

/// An application that uses one session.
#[derive(Clone, Debug)]
pub(super) struct Service {
    application: Application,
    /// It has opened the connection.
    client: bool,
    /// Bytes that it has made.
    made: u64,
    load: Load,
    /// A client of iperf stops here.
    ends: Option<Nanoseconds>,
    closed: bool,
}

impl Service {
    pub(super) fn server(application: Application) -> Self {
        Self {
            application,
            client: false,
            made: 0,
            load: Load::default(),
            ends: None,
            closed: false,
        }
    }

    pub(super) fn client(application: Application, load: Load) -> Self {
        Self { client: true, load, ..Self::server(application) }
    }

    /// The connection is open.
    pub(super) fn opened(&mut self, now: Nanoseconds) {
        if self.client && self.application == Application::Iperf {
            self.ends = Some(now + self.load.duration);
        }
    }

    /// When it wants to be looked at again.
    pub(super) fn wakes(&self) -> Option<Nanoseconds> {
        self.ends.filter(|_| !self.closed)
    }

    /// Reads and writes what there is to be. True: it is done with the session.
    pub(super) fn work(
        &mut self,
        engine: &mut impl Endpoint,
        id: SessionId,
        now: Nanoseconds,
    ) -> bool {
        let makes = match self.application {
            Application::Chargen => true,
            Application::Iperf => self.client,
            _ => false,
        };
        match self.application {
            Application::Echo => echo(engine, id, now),
            _ => engine.skip(id, now),
        }
        if makes && !self.closed {
            if self.ends.is_some_and(|ends| ends <= now) {
                return self.close(engine, id, now);
            }
            self.generate(engine, id, now);
        }
        let Some(standing) = engine.standing(id, now) else { return true };
        if standing.is_at_end() && !self.closed {
            return self.close(engine, id, now);
        }
        false
    }

    fn close(&mut self, engine: &mut impl Endpoint, id: SessionId, now: Nanoseconds) -> bool {
        self.closed = true;
        // What the peer still sends is read until it closes too.
        engine.shut_down(id, now);
        if engine.standing(id, now).is_some_and(|standing| standing.is_at_end()) {
            engine.close(id, now);
            return true;
        }
        false
    }

    /// The host stops.
    pub(super) fn finish(&mut self, engine: &mut impl Endpoint, id: SessionId, now: Nanoseconds) {
        engine.skip(id, now);
        self.closed = true;
        engine.shut_down(id, now);
    }

    fn generate(&mut self, engine: &mut impl Endpoint, id: SessionId, now: Nanoseconds) {
        loop {
            let Some(standing) = engine.standing(id, now) else { return };
            // No more than what is soon sent: a reader may stop us at any time.
            if !standing.state.may_send() || standing.unsent as usize >= PIECE {
                return;
            }
            let room = (standing.room as usize).min(PIECE);
            if room == 0 {
                return;
            }
            let made = self.made;
            let bytes: Vec<u8> = match self.application {
                Application::Chargen => (made..made + room as u64).map(generated).collect(),
                _ => (made..made + room as u64).map(super::iperf::sent).collect(),
            };
            let count = engine.write(id, &bytes, now);
            self.made += count as u64;
            if count < room {
                return;
            }
        }
    }
}

/// Sends back what can be read, as far as there is room.
fn echo(engine: &mut impl Endpoint, id: SessionId, now: Nanoseconds) {
    while let Some(standing) = engine.standing(id, now) {
        let count = standing.readable.min(standing.room).min(PIECE as u32);
        if count == 0 {
            return;
        }
        let bytes = engine.read(id, count, now);
        if engine.write(id, &bytes, now) < bytes.len() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::generated;

    #[test]
    fn lines_of_the_character_generator_are_those_of_rfc_864() {
        let text: Vec<u8> = (0..148).map(generated).collect();
        assert_eq!(&text[..6], b" !\"#$%");
        assert_eq!(&text[70..80], b"fg\r\n!\"#$%&");
        assert_eq!(text[73 + 74], b'\n');
    }
}
