//! What a session makes of a segment (RFC 9293 section 3.10.7.4, RFC 5961, RFC 7323 section 5).

use super::reassembly::Piece;
use super::{End, Reset, Segment, Session, State};
use crate::options::Block;
use crate::sequence::Sequence;
use crate::settings::{MILLISECOND, Nanoseconds, SECOND};
use ww_packet::tcp::flags::{ACK, CWR, FIN, RST, SYN};

/// Segments outside the window are answered at most so often.
const OUTSIDE_INTERVAL: Nanoseconds = 500 * MILLISECOND;

/// A timestamp of the peer counts for so long (RFC 7323 section 5.5): 24 days.
const TIMESTAMP_LIFE: Nanoseconds = 24 * 86_400 * SECOND;

/// Acknowledgements that do not wait at the beginning, at most.
const MOST_QUICK: u32 = 16;

impl Session {
    /// Takes in a segment. Returns the reset that answers it, if one does.
    pub fn arrive(&mut self, segment: &Segment<'_>, now: Nanoseconds) -> Option<Reset> {
        match self.state {
            State::Closed => Reset::answering(segment),
            State::SynSent => self.arrive_at_opening(segment, now),
            _ => self.arrive_synchronised(segment, now),
        }
    }

    fn arrive_synchronised(&mut self, segment: &Segment<'_>, now: Nanoseconds) -> Option<Reset> {
        // The peer's SYN again: our answer was lost.
        if self.state == State::SynReceived
            && segment.has(SYN)
            && !segment.has(RST)
            && segment.sequence + 1 == self.reassembly.next()
        {
            if !segment.has(ACK) {
                self.forced.first = true;
                self.timers.retransmit = None;
                self.arm_timeout(now);
                return None;
            }
            // Both have opened at once, and this answers our SYN: the acknowledgement is what is news.
            let behind =
                Segment { sequence: segment.sequence + 1, flags: segment.flags & !SYN, ..*segment };
            let reset = self.take_in(&behind, now);
            if self.state.is_synchronised() {
                // The number of its SYN has come twice.
                self.report_duplicate(Block { start: segment.sequence, end: behind.sequence });
                self.acknowledge_now();
            }
            return reset;
        }
        if !self.is_acceptable(segment, now) {
            return None;
        }
        if segment.has(SYN) {
            self.challenge(now);
            return None;
        }
        self.take_in(segment, now)
    }

    fn take_in(&mut self, segment: &Segment<'_>, now: Nanoseconds) -> Option<Reset> {
        if !segment.has(ACK) {
            return None;
        }
        self.last_arrival = now;
        self.probes = if self.window > 0 { 0 } else { self.probes };
        if self.state == State::SynReceived {
            let acceptable = segment.acknowledgement.after(self.acknowledged)
                && !segment.acknowledgement.after(self.next);
            let by_cookie = self.acknowledged == self.next && segment.acknowledgement == self.next;
            if !acceptable && !by_cookie {
                return Reset::answering(segment);
            }
            self.last_echo = segment.options.timestamps.map(|timestamps| timestamps.echo);
            self.establish(segment, now);
            self.window = self.scaled(segment.window);
            self.window_told = segment.sequence;
            self.largest_window = self.largest_window.max(self.window);
            if self.closed {
                self.state = State::FinWait1;
            }
        }
        if !self.acknowledge_sent(segment, now) {
            return None;
        }
        self.follow_fin(now);
        if self.state == State::Closed {
            return None;
        }
        self.note_marks(segment);
        self.receive(segment, now)
    }

    /// A window as the peer means it, in bytes.
    pub(super) fn scaled(&self, window: u16) -> u32 {
        u32::from(window) << self.peer_scale
    }

    /// Whether the segment lies in the window and is not a late one; a reset is carried out here.
    fn is_acceptable(&mut self, segment: &Segment<'_>, now: Nanoseconds) -> bool {
        if self.is_stale(segment, now) {
            if !segment.has(RST) {
                self.answer_outside(segment, now);
            }
            return false;
        }
        let (next, edge) = (self.reassembly.next(), self.edge.latest(self.reassembly.next()));
        let end = segment.end();
        if end.before(self.told) || segment.sequence.after(edge) {
            if segment.has(RST) {
                return false;
            }
            self.answer_outside(segment, now);
            return false;
        }
        if segment.has(RST) {
            // RFC 5961 section 3.2; right behind what has arrived out of order counts too, as in Linux.
            let exact = segment.sequence == next
                || self.sack && Some(segment.sequence) == self.reassembly.furthest();
            if exact {
                let refused = self.state == State::SynReceived && !self.passive;
                self.end(if refused { End::Refused } else { End::Reset });
            } else {
                self.challenge(now);
            }
            return false;
        }
        true
    }

    /// PAWS (RFC 7323 section 5.3): the segment's timestamp is older than the last one in order.
    fn is_stale(&self, segment: &Segment<'_>, now: Nanoseconds) -> bool {
        let Some(timestamps) = segment.options.timestamps.filter(|_| self.timestamps) else {
            return false;
        };
        let older = (timestamps.value.wrapping_sub(self.recent_timestamp) as i32) < 0;
        let counts = now.saturating_sub(self.recent_timestamp_at) < TIMESTAMP_LIFE;
        // An acknowledgement that repeats the last one may have been overtaken by data.
        let repeated = segment.payload.is_empty()
            && segment.sequence == self.reassembly.next()
            && segment.acknowledgement == self.acknowledged
            && self.scaled(segment.window) == self.window
            && !segment.has(SYN | FIN | RST)
            && self.recent_timestamp.wrapping_sub(timestamps.value) < 200;
        older && counts && !repeated
    }

    /// Answers a segment outside the window: it may be our acknowledgement that was lost.
    fn answer_outside(&mut self, segment: &Segment<'_>, now: Nanoseconds) {
        let has_data = segment.end() != segment.sequence && !segment.has(SYN);
        if !has_data && !self.may_answer_outside(now) {
            return;
        }
        let next = self.reassembly.next();
        if has_data && segment.sequence.before(next) && !segment.payload.is_empty() {
            let end = segment.end().earliest(next);
            self.report_duplicate(Block { start: segment.sequence, end });
            self.enter_quick(MOST_QUICK);
        }
        self.acknowledge_now();
        if self.state == State::TimeWait {
            self.timers.linger = Some(now + self.behaviour.time_wait);
        }
    }

    /// A challenge ACK (RFC 5961): who is really there knows what to do.
    pub(super) fn challenge(&mut self, now: Nanoseconds) {
        if self.may_answer_outside(now) {
            self.acknowledge_now();
        }
    }

    fn may_answer_outside(&mut self, now: Nanoseconds) -> bool {
        let may =
            self.acknowledge.outside_answered.is_none_or(|last| now - last >= OUTSIDE_INTERVAL);
        if may {
            self.acknowledge.outside_answered = Some(now);
        }
        may
    }

    fn acknowledge_now(&mut self) {
        // With SACK one acknowledgement says all; without it each counts.
        let most = if self.sack { 1 } else { 64 };
        self.acknowledge.now = (self.acknowledge.now + 1).min(most);
    }

    fn report_duplicate(&mut self, block: Block) {
        if self.sack && block.start.before(block.end) {
            self.acknowledge.duplicate = Some(block);
        }
    }

    /// Marks of routers, and the peer's answer to our echoes (RFC 3168 section 6.1.3).
    fn note_marks(&mut self, segment: &Segment<'_>) {
        if !self.ecn {
            return;
        }
        if segment.has(CWR) && !segment.payload.is_empty() {
            self.echo_congestion = false;
        }
        if segment.marked {
            if !self.echo_congestion {
                self.enter_quick(2);
            }
            self.echo_congestion = true;
        }
    }

    /// Data and FIN.
    fn receive(&mut self, segment: &Segment<'_>, now: Nanoseconds) -> Option<Reset> {
        let has_fin = segment.has(FIN);
        if segment.payload.is_empty() && !has_fin {
            return None;
        }
        if !self.state.may_receive() {
            // The peer has closed: what comes is a repetition, or no sense.
            if self.peer_fin {
                self.acknowledge_now();
            }
            return None;
        }
        let next = self.reassembly.next();
        let data_end = segment.sequence + segment.payload.len() as u32;
        // Nobody reads any more, and there is news.
        if self.abandoned && data_end.after(next) {
            self.end(End::Aborted);
            return Reset::answering(segment);
        }
        let room = self.edge.beyond(segment.sequence).min(segment.payload.len() as u32);
        let payload = &segment.payload[..room as usize];
        let whole = room as usize == segment.payload.len();
        let piece = Piece { start: segment.sequence, bytes: payload, fin: has_fin && whole };
        let most = if self.behaviour.published { 0 } else { self.behaviour.most_ranges };
        let arrival = self.reassembly.insert(&piece, usize::from(most));
        if let Some(block) = arrival.duplicate {
            self.report_duplicate(block);
        }
        if !data_end.after(next) && !has_fin {
            // All of it had come before.
            self.enter_quick(MOST_QUICK);
            self.acknowledge_now();
            return None;
        }
        if room == 0 && !segment.payload.is_empty() {
            // The window is closed: a probe of it.
            self.acknowledge_now();
            return None;
        }
        if arrival.out_of_order {
            self.note_data(segment, now);
            self.acknowledge_now();
            return None;
        }
        if arrival.in_order > 0 {
            self.events.readable = true;
            self.note_data(segment, now);
        }
        if arrival.fin {
            self.receive_fin(now);
        }
        self.schedule_acknowledgement(arrival.filled, now);
        None
    }

    /// The peer's FIN has come in order.
    fn receive_fin(&mut self, now: Nanoseconds) {
        self.peer_fin = true;
        self.events.peer_closed = true;
        self.acknowledge.scheduled = true;
        match self.state {
            State::Established => {
                self.state = State::CloseWait;
                self.acknowledge.interactive = true;
            }
            State::FinWait1 => {
                self.state = State::Closing;
                self.acknowledge_now();
            }
            State::FinWait2 => {
                self.acknowledge_now();
                self.enter_time_wait(now);
            }
            _ => {}
        }
    }

    /// Our FIN may be acknowledged now.
    fn follow_fin(&mut self, now: Nanoseconds) {
        if !self.fin_sent || self.acknowledged != self.next {
            return;
        }
        match self.state {
            State::FinWait1 => {
                self.state = State::FinWait2;
                self.await_fin(now);
            }
            State::Closing => self.enter_time_wait(now),
            State::LastAck => self.end(End::Closed),
            _ => {}
        }
    }

    /// Data has come: how it comes decides how long acknowledgements may wait (Linux, `tcp_event_data_recv`).
    fn note_data(&mut self, segment: &Segment<'_>, now: Nanoseconds) {
        let length = segment.payload.len() as u32;
        if length >= self.acknowledge.peer_segment {
            self.acknowledge.peer_segment = length.min(u32::from(self.behaviour.mss));
        }
        self.acknowledge.scheduled = true;
        let delay = self.behaviour.delayed_ack;
        let since = now.saturating_sub(self.acknowledge.last_data);
        if self.acknowledge.wait == 0 {
            self.enter_quick(MOST_QUICK);
            self.acknowledge.wait = delay;
        } else if since <= delay / 2 {
            self.acknowledge.wait = self.acknowledge.wait / 2 + delay / 2;
        } else if since < self.acknowledge.wait {
            self.acknowledge.wait =
                (self.acknowledge.wait / 2 + since).min(self.round_trip.timeout());
        } else if since > self.round_trip.timeout() {
            self.enter_quick(MOST_QUICK);
        }
        self.acknowledge.last_data = now;
    }

    /// The next acknowledgements do not wait: enough of them for half the window.
    fn enter_quick(&mut self, most: u32) {
        let window = self.edge.beyond(self.reassembly.next());
        let enough = (window / (2 * self.acknowledge.peer_segment.max(1))).max(2).min(most);
        self.acknowledge.quick = self.acknowledge.quick.max(enough as u8);
        self.acknowledge.interactive &= most < MOST_QUICK;
    }

    /// Decides when what has come is acknowledged (RFC 5681 section 4.2, RFC 9293 section 3.8.6.3).
    fn schedule_acknowledgement(&mut self, filled: bool, now: Nanoseconds) {
        if self.acknowledge.now > 0 {
            return;
        }
        let pending = self.reassembly.next() - self.told;
        let quick = self.acknowledge.quick > 0 && !self.acknowledge.interactive;
        let at_once = filled
            || pending > self.acknowledge.peer_segment
            || quick
            || self.reassembly.has_hole();
        if at_once {
            self.acknowledge_now();
        } else if self.timers.acknowledge.is_none() {
            // Before the first data there is nothing to wait for.
            let wait = self.acknowledge.wait.min(self.behaviour.delayed_ack);
            self.timers.acknowledge = Some(now + wait);
        }
    }

    /// Where the peer's stream stands: rcv_nxt.
    pub fn expected(&self) -> Sequence {
        self.reassembly.next()
    }
}
