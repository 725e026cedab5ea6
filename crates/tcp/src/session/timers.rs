//! A session's timers (spec S44, extended): one for what is not acknowledged, one for acknowledgements, one for the
//! end, one for idle connections.

use super::congestion::Phase;
use super::round_trip::LONGEST;
use super::{End, Session, State};
use crate::settings::{Behaviour, MILLISECOND, Nanoseconds, SECOND};
use ww_packet::tcp::flags;

/// How long `retries` timeouts and the one behind them take that begin with `first` and double up to [`LONGEST`].
fn doubling(first: Nanoseconds, retries: u8) -> Nanoseconds {
    (0..=u32::from(retries)).map(|n| (first << n.min(40)).min(LONGEST)).sum()
}

impl Behaviour {
    /// How long a SYN of ours is sent again before the connection is given up.
    pub fn syn_patience(&self) -> Nanoseconds {
        doubling(SECOND, self.syn_retries)
    }

    /// How long data is sent again before the connection is given up.
    pub fn patience(&self) -> Nanoseconds {
        doubling(self.rto_min, self.retries)
    }
}

/// What the retransmission timer waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Awaits {
    /// An acknowledgement: then all is taken for lost.
    Timeout,
    /// An acknowledgement of the tail: then it is probed.
    Tail,
    /// A segment that may only be late: then it is taken for lost.
    Reordered,
    /// The peer's window: then it is probed.
    Window,
}

/// Deadlines in nanoseconds since the run's start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timers {
    pub retransmit: Option<(Nanoseconds, Awaits)>,
    pub acknowledge: Option<Nanoseconds>,
    pub linger: Option<Nanoseconds>,
    pub keep_alive: Option<Nanoseconds>,
}

impl Timers {
    pub(super) fn await_reordered(&mut self, at: Nanoseconds) {
        self.retransmit = Some((at, Awaits::Reordered));
    }

    fn earliest(&self) -> Option<Nanoseconds> {
        let retransmit = self.retransmit.map(|(at, _)| at);
        [retransmit, self.acknowledge, self.linger, self.keep_alive].into_iter().flatten().min()
    }
}

impl Session {
    /// When [`Self::expire`] is due.
    pub fn wakes(&self) -> Option<Nanoseconds> {
        self.timers.earliest()
    }

    /// The time from now until the first segment's timeout; 1 ns if that has passed.
    fn left_of_timeout(&self, now: Nanoseconds) -> Nanoseconds {
        let sent = self.board.first().map_or(now, |first| first.sent);
        (sent + self.round_trip.timeout()).saturating_sub(now).max(1)
    }

    /// Arms the timeout, from now or, if it takes a probe's place, from the sending of the first segment; without
    /// anything on its way the timer rests.
    pub(super) fn arm_timeout(&mut self, now: Nanoseconds) {
        if self.board.out() == 0 {
            self.timers.retransmit = None;
            return;
        }
        let wait = match self.timers.retransmit {
            Some((_, Awaits::Tail | Awaits::Reordered)) => self.left_of_timeout(now),
            _ => self.round_trip.timeout(),
        };
        self.timers.retransmit = Some((now + wait, Awaits::Timeout));
    }

    /// Arms the probe of the tail, if there is one to be probed (RFC 8985 section 7.2). `advancing` is whether the
    /// timeout would begin anew.
    pub(super) fn arm_probe(&mut self, now: Nanoseconds, advancing: bool) -> bool {
        let calm = matches!(self.congestion.phase, Phase::Open | Phase::Reduction);
        let possible = self.behaviour.tail_loss_probe
            && self.sack
            && self.board.out() > 0
            && self.state.is_synchronised()
            && calm;
        if !possible {
            return false;
        }
        let wait = match self.round_trip.smoothed() {
            None => SECOND,
            // The peer may hold the acknowledgement of a single segment back.
            Some(mean) if self.board.out() == 1 => 2 * mean + self.behaviour.rto_min,
            // With two or more the peer acknowledges at once.
            Some(mean) => 2 * mean + self.probe_slack(),
        };
        let timeout = if advancing { self.round_trip.timeout() } else { self.left_of_timeout(now) };
        self.timers.retransmit = Some((now + wait.min(timeout), Awaits::Tail));
        true
    }

    /// What a probe waits beyond two round trips: 2 ms as Linux's clock does, on short paths no more than a mean.
    fn probe_slack(&self) -> Nanoseconds {
        self.round_trip.smoothed().unwrap_or(0).min(2 * MILLISECOND)
    }

    /// Arms the probe of a closed window.
    pub(super) fn arm_window_probe(&mut self, now: Nanoseconds) {
        if !matches!(self.timers.retransmit, Some((_, Awaits::Window))) {
            self.timers.retransmit = Some((now + self.window_wait(), Awaits::Window));
        }
    }

    /// How long the next probe of a closed window is away.
    fn window_wait(&self) -> Nanoseconds {
        let first = self.round_trip.timeout().max(self.behaviour.rto_min);
        (first << self.window_doublings.min(16)).min(LONGEST)
    }

    /// Lets time pass up to `now`: what is due becomes due to be sent ([`Self::depart`]).
    pub fn expire(&mut self, now: Nanoseconds) {
        if let Some((at, awaits)) = self.timers.retransmit
            && at <= now
        {
            self.timers.retransmit = None;
            match awaits {
                Awaits::Timeout => self.time_out(now),
                Awaits::Tail => self.probe_tail(now),
                Awaits::Reordered => self.late(now),
                Awaits::Window => self.probe_window(now),
            }
        }
        if self.timers.acknowledge.is_some_and(|at| at <= now) {
            self.timers.acknowledge = None;
            if self.acknowledge.scheduled {
                self.acknowledge.now = self.acknowledge.now.max(1);
                // The peer waits: acknowledgements were held back for nothing (Linux, `tcp_delack_timer_handler`).
                if self.acknowledge.interactive {
                    self.acknowledge.interactive = false;
                    self.acknowledge.wait = self.behaviour.delayed_ack;
                } else {
                    let timeout = self.round_trip.timeout();
                    self.acknowledge.wait = (self.acknowledge.wait * 2).min(timeout);
                }
            }
        }
        if self.timers.linger.is_some_and(|at| at <= now) {
            self.end(End::Closed);
        }
        if self.timers.keep_alive.is_some_and(|at| at <= now) {
            self.keep_alive(now);
        }
    }

    /// A timeout has passed (RFC 6298 section 5, RFC 5681 section 3.1).
    fn time_out(&mut self, now: Nanoseconds) {
        let Some(&first) = self.board.first() else { return };
        let impatient = self.user_timeout.is_some_and(|most| now - self.progress >= most);
        if impatient || self.is_given_up(now) {
            self.end(End::TimedOut);
            return;
        }
        if self.timeouts == 0 {
            // A SYN's time counts from the first one, data's from the first time that it is sent again.
            self.timeouts_began = if self.state.is_synchronised() { now } else { first.sent };
        }
        if self.state.is_synchronised() {
            self.enter_loss(now);
        }
        self.timeouts += 1;
        self.all_timeouts += 1;
        debug_assert!(first.flags & flags::SYN == 0 || self.board.out() == 1);
        self.forced.first = true;
        // The first SYNs are sent at the same pace, as Linux does since 6.5.
        if self.state != State::SynSent || self.timeouts > self.behaviour.syn_linear {
            self.round_trip.double();
        }
        self.timers.retransmit = Some((now + self.round_trip.timeout(), Awaits::Timeout));
    }

    /// Whether enough timeouts have passed: as long as so many take that double, from the least one on (Linux,
    /// `retransmits_timed_out`).
    fn is_given_up(&self, now: Nanoseconds) -> bool {
        if self.timeouts == 0 {
            return false;
        }
        match self.state {
            State::SynReceived => self.timeouts >= self.behaviour.syn_retries,
            State::SynSent => now - self.timeouts_began >= self.behaviour.syn_patience(),
            _ => now - self.timeouts_began >= self.behaviour.patience(),
        }
    }

    /// What was waited for is taken for lost (RFC 8985 section 6.3).
    fn late(&mut self, now: Nanoseconds) {
        let before = self.board.in_flight();
        let (lost, _) = self.find_lost(now);
        if before != self.board.in_flight() && self.congestion.phase != Phase::Recovery {
            self.enter_recovery();
            self.congestion.reduce(self.board.in_flight(), 1, lost, false);
        }
        if self.timers.retransmit.is_none() {
            self.timers.retransmit = Some((now + self.left_of_timeout(now), Awaits::Timeout));
        }
    }

    /// The tail is not acknowledged (RFC 8985 section 7.3).
    fn probe_tail(&mut self, now: Nanoseconds) {
        if self.probe.is_none() && self.board.out() > 0 {
            self.forced.tail = true;
        }
        self.timers.retransmit = Some((now + self.left_of_timeout(now), Awaits::Timeout));
    }

    /// The peer's window is closed, or too small for what is left (RFC 9293 section 3.8.6.1).
    fn probe_window(&mut self, now: Nanoseconds) {
        if self.probes >= self.behaviour.retries {
            self.end(End::TimedOut);
            return;
        }
        self.probes += 1;
        self.window_doublings = self.window_doublings.saturating_add(1);
        self.forced.window = true;
        self.timers.retransmit = Some((now + self.window_wait(), Awaits::Window));
    }

    /// The connection is idle (RFC 9293 section 3.8.4).
    fn keep_alive(&mut self, now: Nanoseconds) {
        let Some(keep_alive) = self.behaviour.keep_alive else {
            self.timers.keep_alive = None;
            return;
        };
        let idle = now.saturating_sub(self.last_arrival);
        if idle < keep_alive.idle || self.board.out() > 0 {
            let wait = keep_alive.idle.saturating_sub(idle).max(MILLISECOND);
            self.timers.keep_alive = Some(now + wait);
            return;
        }
        if self.probes >= keep_alive.probes {
            self.forced.reset = true;
            self.end(End::TimedOut);
            return;
        }
        self.probes += 1;
        self.forced.keep_alive = true;
        self.timers.keep_alive = Some(now + keep_alive.interval);
    }

    /// The connection lives: it is probed when it has been idle.
    pub(super) fn begin_keep_alive(&mut self, now: Nanoseconds) {
        if let Some(keep_alive) = self.behaviour.keep_alive
            && self.state.is_synchronised()
        {
            self.timers.keep_alive = Some(now + keep_alive.idle);
        }
    }

    /// Waits for late segments, then ends.
    pub(super) fn enter_time_wait(&mut self, now: Nanoseconds) {
        self.state = State::TimeWait;
        self.timers.retransmit = None;
        self.timers.keep_alive = None;
        self.timers.linger = Some(now + self.behaviour.time_wait);
    }

    /// After our FIN is acknowledged and nobody reads, the peer has so long to close.
    pub(super) fn await_fin(&mut self, now: Nanoseconds) {
        if self.abandoned {
            self.timers.linger = Some(now + self.behaviour.time_wait);
        }
    }
}
