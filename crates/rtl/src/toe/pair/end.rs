//! A host in hardware with the application of a pair, a clock at a time.
//!
//! The application is what hardware around the engine would be: it has one call under way, and its bytes go in and come
//! out beside it.

use super::super::exchange::{Call, Inputs};
use super::super::host::HardwareHost;
use crate::runner::Error;
use std::collections::{BTreeSet, VecDeque};
use std::net::SocketAddrV4;
use ww_phy::lbus::Beat;
use ww_tcp::engine::SessionId;
use ww_tcp::pair::{FIRST_PORT, IP, PORT, Plan, content, place};
use ww_tcp::settings::Nanoseconds;

/// Calls after which the application asks for news, while there is something else to do.
const MOST_WITHOUT_NEWS: u32 = 16;

/// Bytes of all connections that the application lets wait in front of the window. More of them than the chip keeps
/// would cross the memory twice: to it and back.
const MOST_UNSENT: u32 = 64 << 10;

/// Clocks after which it asks again how many there are.
const ASKS_AGAIN: u64 = 256;

/// Beats of writes that wait, beyond which nothing is written.
const MOST_WRITING: usize = 3;

#[derive(Clone, Debug, Default)]
struct Stream {
    id: Option<SessionId>,
    /// Bytes that were written or read.
    position: u64,
    /// Bytes that can be written, as was said last.
    room: u32,
    /// Bytes that were written and not sent, as was said last, and when it is to be asked again.
    unsent: u32,
    asks_at: Option<u64>,
    opened: bool,
    closed: bool,
    over: bool,
}

/// See the module.
pub(super) struct End {
    pub(super) host: HardwareHost,
    sends: bool,
    segment: u64,
    bytes: Option<u64>,
    streams: Vec<Stream>,
    content: Vec<u8>,
    /// What is to be called first.
    opening: VecDeque<Call>,
    /// The call under way, its connection, and whether it was taken.
    call: Option<(Call, usize, bool)>,
    /// Connections with bytes to be read, that ask for room, that are to be closed.
    readable: BTreeSet<usize>,
    asks: BTreeSet<usize>,
    closing: BTreeSet<usize>,
    /// Whose turn it is to write.
    turn: usize,
    /// Other calls since the last one for news.
    since_news: u32,
    writing: VecDeque<Beat>,
    /// Whose bytes come, and how many.
    reading: VecDeque<(usize, u64)>,
    pub(super) delivered: u64,
    pub(super) wrong: u64,
    /// The application has moved a beat, or heard something, in the last clock.
    pub(super) moved: bool,
}

impl End {
    pub(super) fn new(host: HardwareHost, plan: &Plan, end: usize, sends: bool) -> Self {
        let opening = if end == 0 {
            let peer = SocketAddrV4::new(IP[1], PORT);
            (0..plan.sessions).map(|n| Call::Connect(peer, FIRST_PORT + n as u16)).collect()
        } else {
            VecDeque::from([Call::Listen(PORT)])
        };
        Self {
            host,
            sends,
            segment: u64::from(plan.segment),
            bytes: plan.bytes,
            streams: vec![Stream::default(); plan.sessions],
            content: content(),
            opening,
            call: None,
            readable: BTreeSet::new(),
            asks: BTreeSet::new(),
            closing: BTreeSet::new(),
            turn: 0,
            since_news: 0,
            writing: VecDeque::new(),
            reading: VecDeque::new(),
            delivered: 0,
            wrong: 0,
            moved: false,
        }
    }

    /// Whether all streams are over, and what was read last has come.
    pub(super) fn is_done(&self) -> bool {
        self.reading.is_empty() && self.streams.iter().all(|stream| stream.over)
    }

    /// One clock: the beat that comes from the line, and the one that goes to it.
    pub(super) fn clock(
        &mut self,
        now: Nanoseconds,
        came: Option<&Beat>,
        line_is_ready: bool,
    ) -> Result<Option<Beat>, Error> {
        self.moved = self.host.has_news();
        if self.host.has_result() {
            self.answered();
        }
        let is_new = self.call.is_none();
        if is_new {
            self.call = self.choose().map(|(call, connection)| (call, connection, false));
        }
        let inputs = Inputs {
            now,
            came,
            line_is_ready,
            call: self.call.filter(|(_, _, taken)| !taken).map(|(call, ..)| (call, is_new)),
            write: self.writing.front(),
        };
        let seen = self.host.exchange(&inputs)?;
        if seen.call_taken {
            self.call = self.call.map(|(call, connection, _)| (call, connection, true));
        }
        self.moved |= seen.write_taken || seen.read.is_some() || !self.opening.is_empty();
        if seen.write_taken {
            self.writing.pop_front();
        }
        if let Some(beat) = &seen.read {
            self.take(beat);
        }
        Ok(seen.leaves)
    }

    /// What is called next, and of which connection.
    fn choose(&mut self) -> Option<(Call, usize)> {
        if let Some(call) = self.opening.pop_front() {
            let connection = match call {
                Call::Connect(_, port) => usize::from(port - FIRST_PORT),
                _ => 0,
            };
            return Some((call, connection));
        }
        let news = self.host.has_news();
        self.since_news += 1;
        if !(news && self.since_news > MOST_WITHOUT_NEWS)
            && let Some(other) = self.choose_other()
        {
            return Some(other);
        }
        self.since_news = 0;
        news.then_some((Call::News, 0))
    }

    fn choose_other(&mut self) -> Option<(Call, usize)> {
        let id = |streams: &[Stream], connection: usize| streams[connection].id;
        if let Some(connection) = self.readable.pop_first() {
            return id(&self.streams, connection).map(|id| (Call::Read(id), connection));
        }
        if let Some(connection) = self.asks.pop_first() {
            return id(&self.streams, connection).map(|id| (Call::Write(id, 0), connection));
        }
        if self.sends
            && let Some((id, count, connection)) = self.next_write()
        {
            return Some((Call::Write(id, count), connection));
        }
        let connection = self.closing.pop_first()?;
        id(&self.streams, connection).map(|id| (Call::ShutDown(id), connection))
    }

    /// The next whole segment that somebody may write. Bytes of the last write go in first.
    fn next_write(&mut self) -> Option<(SessionId, u32, usize)> {
        if self.writing.len() > MOST_WRITING {
            return None;
        }
        let count = self.streams.len();
        let most_unsent = (MOST_UNSENT / count as u32).max(2 * self.segment as u32);
        let clocks = self.host.clocks;
        for step in 0..count {
            let connection = (self.turn + step) % count;
            let stream = &mut self.streams[connection];
            let (Some(id), true, false) = (stream.id, stream.opened, stream.closed) else {
                continue;
            };
            let left = self.bytes.map_or(u64::MAX, |bytes| bytes - stream.position);
            let piece = left.min(self.segment);
            if piece == 0 {
                stream.closed = true;
                self.closing.insert(connection);
                continue;
            }
            if u64::from(stream.room) < piece {
                continue;
            }
            if stream.unsent >= most_unsent {
                let at = *stream.asks_at.get_or_insert(clocks + ASKS_AGAIN);
                if clocks >= at {
                    stream.asks_at = None;
                    self.asks.insert(connection);
                }
                continue;
            }
            self.turn = (connection + 1) % count;
            return Some((id, piece as u32, connection));
        }
        None
    }

    /// What came of the call.
    fn answered(&mut self) {
        let Some((call, connection, _)) = self.call.take() else { return };
        let Some(result) = self.host.result() else { return };
        let stream = &mut self.streams[connection];
        match call {
            Call::Listen(_) => {}
            Call::Connect(..) => stream.id = Some(result.session),
            Call::Write(_, asked) => {
                stream.room = result.standing.room;
                stream.unsent = result.standing.unsent;
                if asked > 0 {
                    self.write(connection, result.count as usize);
                }
            }
            Call::Read(_) => {
                if result.count > 0 {
                    self.reading.push_back((connection, u64::from(result.count)));
                }
                if result.standing.is_at_end() {
                    if !stream.closed {
                        stream.closed = true;
                        self.closing.insert(connection);
                    } else {
                        stream.over = true;
                    }
                }
            }
            Call::ShutDown(_) => {
                if result.standing.is_at_end() || !self.sends {
                    stream.over = true;
                }
            }
            Call::News => self.notice(),
        }
    }

    fn notice(&mut self) {
        let Some(news) = self.host.news() else { return };
        let port = if news.passive { news.peer.port() } else { news.own_port };
        let connection = usize::from(port.wrapping_sub(FIRST_PORT));
        let Some(stream) = self.streams.get_mut(connection) else { return };
        stream.id = Some(news.session);
        if news.events.opened {
            stream.opened = true;
        }
        // What room there is comes with each write.
        if news.events.opened || (news.events.writable && u64::from(stream.room) < self.segment) {
            self.asks.insert(connection);
        }
        if news.events.readable || news.events.peer_closed {
            self.readable.insert(connection);
        }
        stream.over |= news.events.ended.is_some();
    }

    /// The bytes of a write go in.
    fn write(&mut self, connection: usize, count: usize) {
        let stream = &mut self.streams[connection];
        let at = place(connection, stream.position);
        stream.position += count as u64;
        let bytes = &self.content[at..at + count];
        for piece in bytes.chunks(64) {
            let mut data = [0; 64];
            data[..piece.len()].copy_from_slice(piece);
            self.writing.push_back(Beat {
                data,
                bytes: piece.len() as u8,
                last: false,
                bad: false,
            });
        }
        if let Some(beat) = self.writing.back_mut() {
            beat.last = true;
        }
    }

    /// Bytes have come out.
    fn take(&mut self, beat: &Beat) {
        let Some((connection, left)) = self.reading.front_mut() else {
            self.wrong += u64::from(beat.bytes);
            return;
        };
        let stream = &mut self.streams[*connection];
        for byte in &beat.data[..usize::from(beat.bytes)] {
            let at = place(*connection, stream.position);
            self.wrong += u64::from(*byte != self.content[at] || self.sends);
            stream.position += 1;
        }
        self.delivered += u64::from(beat.bytes);
        *left = left.saturating_sub(u64::from(beat.bytes));
        if *left == 0 {
            self.reading.pop_front();
        }
    }
}
