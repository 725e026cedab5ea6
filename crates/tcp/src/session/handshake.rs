//! The beginning of a connection: SYNs, and what both sides agree on.

use super::{
    AcknowledgementDue, Congestion, End, Events, Forced, Rack, Reassembly, Reset, RoundTrip,
    Scoreboard, Segment, SendQueue, Session, State, Timers,
};
use crate::options::{Options, Timestamps};
use crate::sequence::Sequence;
use crate::settings::{Behaviour, Ecn, Nanoseconds};
use std::net::SocketAddrV4;
use ww_packet::tcp::flags::{ACK, CWR, ECE, RST, SYN};

/// Segments that a peer takes which does not say (RFC 9293 section 3.7.1).
const DEFAULT_MSS: u16 = 536;

/// Bytes that the timestamps option takes in each segment.
const TIMESTAMPS_LENGTH: u32 = 12;

/// A connection that is to be.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// Our port.
    pub own_port: u16,
    /// The peer.
    pub peer: SocketAddrV4,
    /// Our initial sequence number (RFC 6528).
    pub first: Sequence,
    /// What is added to the clock of timestamps.
    pub timestamp_offset: u32,
}

impl Session {
    fn new(behaviour: Behaviour, opening: &Opening, state: State) -> Self {
        let Opening { own_port, peer, first, timestamp_offset } = *opening;
        Self {
            own_port,
            peer,
            state,
            behaviour,
            events: Events::default(),
            passive: state == State::SynReceived,
            was_open: false,
            mss: u32::from(behaviour.mss),
            own_scale: behaviour.window_scale.unwrap_or(0),
            peer_scale: 0,
            peer_scales: false,
            timestamps: behaviour.timestamps,
            sack: behaviour.sack,
            ecn: false,
            first,
            acknowledged: first,
            next: first,
            queue: SendQueue::new(first + 1),
            board: Scoreboard::default(),
            closed: false,
            fin_sent: false,
            abandoned: false,
            corked: false,
            send_limit: u32::MAX,
            user_timeout: None,
            progress: 0,
            window: 0,
            window_told: Sequence(0),
            largest_window: 0,
            small_end: first,
            last_departure: 0,
            congestion: Congestion::new(behaviour.initial_window, first),
            rack: Rack::new(),
            round_trip: RoundTrip::new(behaviour.rto_min),
            probe: None,
            forced: Forced::default(),
            prefer_new: false,
            duplicates: 0,
            timeouts: 0,
            timeouts_began: 0,
            probes: 0,
            window_doublings: 0,
            resent_segments: 0,
            all_timeouts: 0,
            reassembly: Reassembly::default(),
            edge: Sequence(0),
            told: Sequence(0),
            peer_fin: false,
            acknowledge: AcknowledgementDue {
                peer_segment: u32::from(DEFAULT_MSS.min(behaviour.mss)),
                ..AcknowledgementDue::default()
            },
            recent_timestamp: 0,
            recent_timestamp_at: 0,
            timestamp_offset,
            last_echo: None,
            echo_congestion: false,
            tell_reduced: false,
            last_arrival: 0,
            timers: Timers::default(),
        }
    }

    /// Opens a connection: a SYN is due.
    pub fn connect(behaviour: Behaviour, opening: &Opening) -> Self {
        Self::new(behaviour, opening, State::SynSent)
    }

    /// Answers the SYN of a peer: a SYN-ACK is due.
    pub fn accept(
        behaviour: Behaviour,
        opening: &Opening,
        syn: &Segment<'_>,
        now: Nanoseconds,
    ) -> Self {
        let mut session = Self::new(behaviour, opening, State::SynReceived);
        session.agree(syn, now);
        let asks = syn.has(ECE) && syn.has(CWR);
        session.ecn = asks && behaviour.ecn != Ecn::Off;
        session
    }

    /// A connection whose SYN was answered with a cookie, from the segment that brings it back: `syn` is what the
    /// cookie says of the SYN.
    pub fn from_cookie(
        behaviour: Behaviour,
        opening: &Opening,
        syn: &Segment<'_>,
        now: Nanoseconds,
    ) -> Self {
        let behaviour = Behaviour { timestamps: false, ecn: Ecn::Off, ..behaviour };
        let mut session = Self::accept(behaviour, opening, syn, now);
        session.next = session.first + 1;
        session.acknowledged = session.next;
        session.edge = session.reassembly.next() + session.behaviour.buffer().min(0xffff);
        session
    }

    /// Takes over what the peer's SYN says. What it does not have is left out from now on.
    fn agree(&mut self, syn: &Segment<'_>, now: Nanoseconds) {
        let options = &syn.options;
        self.peer_scales = options.window_scale.is_some();
        match (self.behaviour.window_scale, options.window_scale) {
            (Some(own), Some(peer)) => {
                let least = own.min(peer);
                let published = self.behaviour.published;
                self.own_scale = if published { least } else { own };
                self.peer_scale = if published { least } else { peer };
            }
            _ => (self.own_scale, self.peer_scale) = (0, 0),
        }
        self.sack &= options.sack_permitted;
        self.timestamps &= options.timestamps.is_some();
        if let (true, Some(timestamps)) = (self.timestamps, options.timestamps) {
            self.recent_timestamp = timestamps.value;
            self.recent_timestamp_at = now;
        }
        let mss = options.mss.unwrap_or(DEFAULT_MSS).min(self.behaviour.mss);
        self.mss = u32::from(mss);
        if self.timestamps {
            self.mss = self.mss.saturating_sub(TIMESTAMPS_LENGTH).max(1);
        }
        self.acknowledge.peer_segment = self.acknowledge.peer_segment.min(self.mss).max(1);
        let first = syn.sequence + 1;
        self.reassembly = Reassembly::new(first);
        (self.edge, self.told) = (first, first);
        // The window of a SYN is never scaled (RFC 7323 section 2.2).
        self.window = u32::from(syn.window);
        self.window_told = syn.sequence;
        self.largest_window = self.window;
        self.last_arrival = now;
    }

    /// The options of our SYN or SYN-ACK.
    pub(super) fn syn_options(&self, now: Nanoseconds) -> Options {
        let answering = self.state == State::SynReceived;
        let peer_scales = !answering || self.peer_scales;
        Options {
            mss: Some(self.behaviour.mss),
            window_scale: self.behaviour.window_scale.filter(|_| peer_scales),
            sack_permitted: self.sack,
            timestamps: self.timestamps.then(|| Timestamps {
                value: self.timestamp(now),
                echo: if answering { self.recent_timestamp } else { 0 },
            }),
            ..Options::default()
        }
    }

    /// Control bits of our SYN or SYN-ACK.
    pub(super) fn syn_flags(&self, again: bool) -> u8 {
        match (self.state, self.behaviour.ecn) {
            (State::SynReceived, _) if self.ecn => SYN | ACK | ECE,
            (State::SynReceived, _) => SYN | ACK,
            // Asked once: who does not understand it may drop it (RFC 3168 section 6.1.1.1).
            (_, Ecn::Request) if !again => SYN | ECE | CWR,
            _ => SYN,
        }
    }

    /// A segment for a connection that we are opening (RFC 9293 section 3.10.7.3).
    pub(super) fn arrive_at_opening(
        &mut self,
        segment: &Segment<'_>,
        now: Nanoseconds,
    ) -> Option<Reset> {
        if segment.has(ACK) {
            let acceptable = segment.acknowledgement.after(self.first)
                && !segment.acknowledgement.after(self.next);
            if !acceptable {
                return Reset::answering(segment);
            }
            if segment.has(RST) {
                self.end(End::Refused);
                return None;
            }
        }
        if segment.has(RST) || !segment.has(SYN) {
            return None;
        }
        self.agree(segment, now);
        if !segment.has(ACK) {
            // Both have opened at once.
            self.state = State::SynReceived;
            self.ecn = segment.has(ECE) && segment.has(CWR) && self.behaviour.ecn != Ecn::Off;
            self.forced.first = true;
            return None;
        }
        self.ecn = self.behaviour.ecn == Ecn::Request && segment.has(ECE) && !segment.has(CWR);
        self.last_echo = segment.options.timestamps.map(|timestamps| timestamps.echo);
        self.establish(segment, now);
        self.acknowledge.now = 1;
        self.acknowledge.quick = 16;
        self.acknowledge.wait = self.behaviour.delayed_ack;
        None
    }

    /// Our SYN is acknowledged.
    pub(super) fn establish(&mut self, segment: &Segment<'_>, now: Nanoseconds) {
        self.state = State::Established;
        self.events.opened = true;
        self.events.writable = true;
        self.forced.first = false;
        self.acknowledged = segment.acknowledgement;
        if let Some(record) = self.board.pop_acknowledged(self.acknowledged) {
            let echoed = self.echoed_round_trip(now);
            let sample = if record.ever_resent { echoed } else { Some(now - record.sent) };
            if let Some(sample) = sample {
                self.round_trip.note_least(sample);
                self.round_trip.measure(sample, self.acknowledged, self.next);
            }
            self.round_trip.answered();
            // After more than one timeout the path is not to be trusted (RFC 5681 section 3.1).
            if self.timeouts > 1 || (self.timeouts > 0 && echoed.is_none()) {
                self.congestion.window = 1;
            }
        }
        self.timeouts = 0;
        self.timers.retransmit = None;
        self.begin_keep_alive(now);
    }

    /// A round trip by the peer's echo of our clock, in steps of a millisecond.
    pub(super) fn echoed_round_trip(&self, now: Nanoseconds) -> Option<Nanoseconds> {
        let echo = self.last_echo.filter(|&echo| echo != 0)?;
        let milliseconds = self.timestamp(now).wrapping_sub(echo);
        ((milliseconds as i32) >= 0)
            .then(|| u64::from(milliseconds.max(1)) * crate::settings::MILLISECOND)
    }
}
