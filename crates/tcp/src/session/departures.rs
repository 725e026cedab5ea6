//! What a session sends next.

use super::congestion::Phase;
use super::scoreboard::Record;
use super::timers::Awaits;
use super::{Session, State};
use crate::options::{Options, Timestamps};
use crate::sequence::Sequence;
use crate::settings::Nanoseconds;
use ww_packet::tcp::flags::{ACK, CWR, ECE, FIN, PSH, RST, SYN};

/// A segment that is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Its number.
    pub sequence: Sequence,
    /// What it acknowledges, if it carries ACK.
    pub acknowledgement: Sequence,
    /// Control bits.
    pub flags: u8,
    /// The window as it stands in the header.
    pub window: u16,
    /// Options.
    pub options: Options,
    /// Its data: from the first byte to behind the last.
    pub data: (Sequence, Sequence),
    /// The packet says that its sender understands marks (RFC 3168).
    pub markable: bool,
}

impl Session {
    /// The next segment, if one is due at `now`. The caller asks again until there is none.
    pub fn depart(&mut self, now: Nanoseconds) -> Option<Departure> {
        if std::mem::take(&mut self.forced.reset) {
            return Some(self.reset());
        }
        match self.state {
            State::Closed => None,
            State::SynSent | State::SynReceived => self.depart_syn(now),
            _ => self
                .depart_again(now)
                .or_else(|| self.depart_new(now))
                .or_else(|| self.depart_probe(now))
                .or_else(|| self.depart_acknowledgement(now)),
        }
    }

    /// Appends a segment's data to `out`.
    pub fn copy_data(&self, data: (Sequence, Sequence), out: &mut Vec<u8>) {
        if data.0 != data.1 {
            self.queue.copy(data.0, data.1, out);
        }
    }

    fn reset(&self) -> Departure {
        Departure {
            sequence: self.next,
            acknowledgement: self.reassembly.next(),
            flags: RST | ACK,
            window: 0,
            options: Options::default(),
            data: (self.next, self.next),
            markable: false,
        }
    }

    /// Our SYN or SYN-ACK.
    fn depart_syn(&mut self, now: Nanoseconds) -> Option<Departure> {
        let again = self.board.out() > 0;
        if again && !self.forced.first {
            return None;
        }
        // A cookie has been the answer.
        if !again && self.next != self.first {
            return None;
        }
        self.forced.first = false;
        if again {
            self.board.resend(0, now);
            self.resent_segments += 1;
        } else {
            self.next = self.first + 1;
            self.board.push(Record {
                start: self.first,
                end: self.next,
                flags: SYN,
                sent: now,
                sacked: false,
                lost: false,
                resent: false,
                ever_resent: false,
            });
            self.arm_timeout(now);
        }
        let answering = self.state == State::SynReceived;
        let window = self.behaviour.buffer().min(0xffff);
        if answering {
            self.edge = self.reassembly.next() + window;
            self.told = self.reassembly.next();
        }
        Some(Departure {
            sequence: self.first,
            acknowledgement: if answering { self.reassembly.next() } else { Sequence(0) },
            flags: self.syn_flags(again),
            window: window as u16,
            options: self.syn_options(now),
            data: (self.first, self.first),
            markable: false,
        })
    }

    /// What was sent and is sent again.
    fn depart_again(&mut self, now: Nanoseconds) -> Option<Departure> {
        if std::mem::take(&mut self.forced.first) && self.board.out() > 0 {
            return Some(self.resend(0, now));
        }
        if self.forced.tail {
            return self.depart_tail(now);
        }
        if self.board.lost == 0 || self.prefer_new {
            return None;
        }
        if self.board.in_flight() >= self.congestion.window {
            return None;
        }
        let index = self.board.next_lost()?;
        let record = *self.board.get(index)?;
        // The peer's window has shrunk: only the first segment is tried.
        if index > 0 && record.end.after(self.window_end()) {
            return None;
        }
        let departure = self.resend(index, now);
        if index == 0 {
            let timeout = self.round_trip.timeout();
            self.timers.retransmit = Some((now + timeout, Awaits::Timeout));
        }
        Some(departure)
    }

    /// Probes the tail: with new data if the window has room, else with the last segment.
    fn depart_tail(&mut self, now: Nanoseconds) -> Option<Departure> {
        self.forced.tail = false;
        if self.board.out() == 0 {
            return None;
        }
        let size = self.unsent().min(self.segment_size());
        let room = size > 0 && self.may_record() && !(self.next + size).after(self.window_end());
        let departure = if room {
            let departure = self.send_new(size, now);
            self.probe = Some((self.next, false));
            departure
        } else {
            let departure = self.resend(self.board.count() - 1, now);
            self.probe = Some((self.next, true));
            departure
        };
        self.timers.retransmit = Some((now + self.round_trip.timeout(), Awaits::Timeout));
        Some(departure)
    }

    fn resend(&mut self, index: usize, now: Nanoseconds) -> Departure {
        let before = self.board.get(index).copied();
        self.board.resend(index, now);
        self.resent_segments += 1;
        self.congestion.undo_count = Some(self.congestion.undo_count.unwrap_or(0) + 1);
        let stamp = self.timestamp(now);
        self.congestion.resent_at.get_or_insert(stamp);
        if self.congestion.reduces() {
            self.congestion.departed += 1;
        }
        let record = before.unwrap_or(Record {
            start: self.acknowledged,
            end: self.acknowledged,
            flags: 0,
            sent: now,
            sacked: false,
            lost: false,
            resent: false,
            ever_resent: true,
        });
        let fin = u32::from(record.flags & FIN != 0);
        self.segment(record.start, record.end - fin, record.flags & (FIN | PSH), now)
    }

    /// The most payload that a segment has now: never more than half of the largest window that the peer has had.
    pub(super) fn segment_size(&self) -> u32 {
        let window = self.largest_window;
        let most = if window > 536 { window >> 1 } else { window };
        self.mss.min(most.max(28))
    }

    /// Whether there is a record for one more segment on its way.
    fn may_record(&self) -> bool {
        self.board.out() < self.behaviour.most_records
    }

    /// Whether our FIN waits to be sent.
    fn fin_due(&self) -> bool {
        self.closed && !self.fin_sent && self.state.may_send()
    }

    /// New data, FIN included.
    fn depart_new(&mut self, now: Nanoseconds) -> Option<Departure> {
        let unsent = self.unsent();
        if (unsent == 0 && !self.fin_due()) || !self.state.may_send() {
            return None;
        }
        let congested = self.board.in_flight() >= self.congestion.window;
        if (congested && unsent > 0) || !self.may_record() {
            return None;
        }
        let size = unsent.min(self.segment_size());
        if (self.next + size).after(self.window_end()) {
            if self.board.out() == 0 {
                self.arm_window_probe(now);
            }
            return None;
        }
        let last = size == unsent;
        if size < self.segment_size() && last && !self.closed {
            if self.corked {
                if self.board.out() == 0 {
                    self.arm_window_probe(now);
                }
                return None;
            }
            if self.holds_small() {
                return None;
            }
        }
        self.restart_after_idle(now);
        Some(self.send_new(size, now))
    }

    /// A small segment waits while another one is on its way (RFC 896, as Minshall has it).
    fn holds_small(&self) -> bool {
        self.behaviour.nagle
            && self.board.out() > 0
            && self.small_end.after(self.acknowledged)
            && !self.small_end.after(self.next)
    }

    fn restart_after_idle(&mut self, now: Nanoseconds) {
        let idle = now.saturating_sub(self.last_departure);
        let timeout = self.round_trip.timeout();
        if self.behaviour.slow_start_after_idle
            && self.board.out() == 0
            && self.last_departure > 0
            && idle > timeout
        {
            self.congestion.restart(self.behaviour.initial_window, idle, timeout);
        }
    }

    fn send_new(&mut self, size: u32, now: Nanoseconds) -> Departure {
        let start = self.next;
        let end = start + size;
        let mut flags = 0;
        if size > 0 && self.queue.pass(end) {
            flags |= PSH;
        }
        let unsent = self.unsent() - size;
        let fin = unsent == 0 && self.fin_due();
        if fin {
            flags |= FIN;
            self.fin_sent = true;
        }
        if self.tell_reduced && size > 0 {
            flags |= CWR;
            self.tell_reduced = false;
        }
        self.next = end + u32::from(fin);
        if size < self.segment_size() && size > 0 {
            self.small_end = end;
        }
        let was_idle = self.board.out() == 0;
        if was_idle {
            self.progress = now;
        }
        self.board.push(Record {
            start,
            end: self.next,
            flags,
            sent: now,
            sacked: false,
            lost: false,
            resent: false,
            ever_resent: false,
        });
        if self.congestion.reduces() {
            self.congestion.departed += 1;
        }
        self.congestion.note_usage(
            self.board.in_flight(),
            self.board.out(),
            self.acknowledged,
            self.next,
        );
        if self.prefer_new && self.next.after(self.congestion.high) {
            self.prefer_new = self.board.in_flight() < self.congestion.window;
        }
        // A reply: acknowledgements ride on data from now on.
        if size > 0 && now.saturating_sub(self.acknowledge.last_data) < self.acknowledge.wait {
            self.acknowledge.interactive = true;
        }
        self.last_departure = now;
        let rests = match self.timers.retransmit {
            None | Some((_, Awaits::Window)) => true,
            Some((_, Awaits::Tail)) => true,
            _ => was_idle,
        };
        if !self.arm_probe_after_data(now, rests) && rests {
            self.arm_timeout(now);
        }
        self.segment(start, end, flags, now)
    }

    /// After new data the tail is another one.
    fn arm_probe_after_data(&mut self, now: Nanoseconds, rests: bool) -> bool {
        if !rests {
            return false;
        }
        if matches!(self.timers.retransmit, Some((_, Awaits::Window))) {
            self.timers.retransmit = None;
        }
        self.arm_probe(now, false)
    }

    /// A segment of a synchronised connection: it acknowledges all that has come.
    fn segment(
        &mut self,
        start: Sequence,
        end: Sequence,
        control: u8,
        now: Nanoseconds,
    ) -> Departure {
        let duplicate = self.acknowledge.duplicate.take();
        let mut options = Options {
            timestamps: self
                .timestamps
                .then(|| Timestamps { value: self.timestamp(now), echo: self.recent_timestamp }),
            ..Options::default()
        };
        if self.sack && (duplicate.is_some() || self.reassembly.has_hole()) && start == end {
            options.sack = self.reassembly.blocks(duplicate);
        }
        let mut flags = ACK | control;
        if self.echo_congestion {
            flags |= ECE;
        }
        let window = self.tell_window();
        self.acknowledge.now = 0;
        self.acknowledge.scheduled = false;
        self.acknowledge.quick = self.acknowledge.quick.saturating_sub(1);
        self.timers.acknowledge = None;
        let new = end.after(start) && end == self.next - u32::from(control & FIN != 0);
        Departure {
            sequence: start,
            acknowledgement: self.reassembly.next(),
            flags,
            window,
            options,
            data: (start, end),
            markable: self.ecn && new,
        }
    }

    /// The window that a segment tells now; the edge moves with it, never back (RFC 9293 section 3.8.6.2.2).
    fn tell_window(&mut self) -> u16 {
        let next = self.reassembly.next();
        self.told = next;
        let size = self.behaviour_buffer();
        let free = size - self.reassembly.readable().min(size);
        let current = self.edge.beyond(next);
        let step = u32::from(self.behaviour.mss).min(size / 2);
        let scale = self.own_scale;
        let most = 0xffffu32 << scale;
        let window =
            if free >= current.saturating_add(step) || free == size { free } else { current };
        // A window that does not fit the steps of the scale is told smaller, unless that would take it back.
        let units = if window <= current { window.div_ceil(1 << scale) } else { window >> scale };
        let units = units.min(most >> scale);
        let edge = next + (units << scale);
        self.edge = self.edge.latest(edge);
        units as u16
    }

    /// Bytes of the receive buffer.
    fn behaviour_buffer(&self) -> u32 {
        if self.behaviour.published {
            1 << (16 + u32::from(self.own_scale))
        } else {
            self.behaviour.buffer()
        }
    }

    /// A probe of a closed window, or of an idle connection.
    fn depart_probe(&mut self, now: Nanoseconds) -> Option<Departure> {
        if std::mem::take(&mut self.forced.window) {
            let room =
                self.window_end().beyond(self.next).min(self.unsent()).min(self.segment_size());
            if room > 0 && self.may_record() {
                // A part of what waits: the window is not closed, only too small. The peer is to make room.
                let departure = self.send_new(room, now);
                self.board.push_last();
                return Some(Departure { flags: departure.flags | PSH, ..departure });
            }
            return Some(self.segment(self.acknowledged - 1, self.acknowledged - 1, 0, now));
        }
        if std::mem::take(&mut self.forced.keep_alive) {
            return Some(self.segment(self.acknowledged - 1, self.acknowledged - 1, 0, now));
        }
        None
    }

    fn depart_acknowledgement(&mut self, now: Nanoseconds) -> Option<Departure> {
        let due = self.acknowledge.now;
        if due == 0 {
            return None;
        }
        let departure = self.segment(self.next, self.next, 0, now);
        // Without SACK each one counts.
        self.acknowledge.now = due - 1;
        Some(departure)
    }

    /// Whether something may be due.
    pub fn is_due(&self) -> bool {
        if self.state == State::Closed {
            // Also if it was reset before its first segment left.
            return self.forced.reset;
        }
        self.forced.reset
            || self.forced.first
            || self.forced.tail
            || self.forced.window
            || self.forced.keep_alive
            || self.acknowledge.now > 0
            || (self.board.out() == 0 && self.next == self.first)
            || self.unsent() > 0
            || self.fin_due()
            || (self.board.lost > self.board.resent && self.congestion.phase >= Phase::Recovery)
    }
}
