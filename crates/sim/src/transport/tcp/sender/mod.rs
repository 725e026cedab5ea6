//! The end that has data.

mod arrivals;
mod departures;
mod probe;
mod reduction;

use crate::pending::Time;
use crate::transport::tcp::congestion::Congestion;
use crate::transport::tcp::rack::Rack;
use crate::transport::tcp::rtt::RoundTrip;
use crate::transport::tcp::scoreboard::Scoreboard;
use crate::transport::tcp::segment::Segment;
use crate::transport::tcp::settings::{Pacing, Settings};

use probe::Probe;
use reduction::Reduction;

const NEVER: Time = Time::MAX;

/// What has happened to a sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Segments that were handed out, all kinds.
    pub segments: u64,
    /// Of these, segments with data that was sent before, and repeated SYNs.
    pub retransmitted: u64,
    /// Expirations of the retransmission timer.
    pub timeouts: u64,
    /// Recoveries begun by duplicate acknowledgements, or by RACK.
    pub fast_recoveries: u64,
    /// Tail loss probes.
    pub probes: u64,
    /// Reductions of the window by ECN-Echo.
    pub ece_reductions: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Before the SYN was sent, and then before its answer came.
    Closed,
    SynSent,
    /// Nothing is known to be lost.
    Open,
    /// Repairs what duplicate acknowledgements, or RACK, showed to be lost.
    Recovery,
    /// Repairs after a timeout: all that is outstanding is taken for lost, and sent again in order.
    Loss,
}

/// The sending end of a connection.
///
/// Positions are those of the stream; `acknowledged <= next <= sent <= written`, and one more for a FIN.
/// `next` is `sent` except while a timeout is repaired without RACK.
#[derive(Clone, Debug)]
pub struct Sender {
    phase: Phase,
    /// Everything before is acknowledged (SND.UNA).
    unacknowledged: u64,
    /// What is sent next (SND.NXT).
    next: u64,
    /// Everything before was sent at least once.
    sent: u64,
    written: u64,
    finished: bool,
    congestion: Congestion,
    round_trip: RoundTrip,
    scoreboard: Scoreboard,
    /// Losses are found by time.
    rack: Option<Rack>,
    probe: Option<Probe>,
    /// A probe is to be sent.
    probe_due: bool,
    /// A round trip was measured since the last probe.
    measured: bool,
    /// The most by which the receiver delays an acknowledgement.
    acknowledgement_delay: Time,
    prr: bool,
    reduction: Reduction,
    /// Below it all that is missing was lost when last looked at, without RACK.
    lost_before: u64,
    /// What had been sent when the window last held a segment back.
    window_full_at: u64,
    duplicates: u32,
    /// Bytes that were sent because of duplicate acknowledgements (RFC 3042).
    limited_transmit: u64,
    /// What had been sent when the last recovery, or repair, began.
    recovery_point: Option<u64>,
    /// What had been sent when ECN last had the window reduced.
    reduced_until: u64,
    /// The first outstanding segment is to be sent again, whatever the window says.
    resend_first: bool,
    partial_seen: bool,
    reduced: bool,
    sack: bool,
    ecn: bool,
    restart_after_idle: bool,
    waits_for_pace: bool,
    pacing: Option<Pacing>,
    segment: u64,
    maximum_window: u64,
    /// When the retransmission timer expires.
    deadline: Time,
    /// The next segment may leave then.
    release: Time,
    last_sent: Time,
    /// When something new was last acknowledged, or a probe was: the next probe waits from then on.
    quiet_since: Time,
    /// What was outstanding first when the timer last expired.
    timed_out_at: Option<u64>,
    counters: Counters,
}

impl Sender {
    /// A sender with nothing to send.
    pub fn new(settings: &Settings) -> Self {
        let settings = settings.in_range();
        let segment = u64::from(settings.segment);
        Self {
            phase: if settings.handshake { Phase::Closed } else { Phase::Open },
            unacknowledged: 0,
            next: 0,
            sent: 0,
            written: 0,
            finished: false,
            congestion: Congestion::new(&settings),
            round_trip: RoundTrip::new(&settings),
            scoreboard: Scoreboard::new(segment),
            rack: (settings.sack && settings.rack).then(Rack::new),
            probe: None,
            probe_due: false,
            measured: true,
            acknowledgement_delay: match settings.acknowledge_every {
                1 => 0,
                _ => settings.acknowledge_within,
            },
            prr: settings.sack && settings.prr,
            reduction: Reduction::default(),
            lost_before: 0,
            window_full_at: 0,
            duplicates: 0,
            limited_transmit: 0,
            recovery_point: None,
            reduced_until: 0,
            resend_first: false,
            partial_seen: false,
            reduced: false,
            sack: settings.sack,
            ecn: settings.ecn,
            restart_after_idle: settings.restart_after_idle,
            waits_for_pace: false,
            pacing: settings.pacing,
            segment,
            maximum_window: settings.maximum_window,
            deadline: NEVER,
            release: 0,
            last_sent: 0,
            quiet_since: 0,
            timed_out_at: None,
            counters: Counters::default(),
        }
    }

    /// The application has so many bytes more. Ignored after [`Self::finish`].
    pub fn write(&mut self, bytes: u64) {
        if !self.finished {
            // One place stays for the FIN.
            self.written = self.written.saturating_add(bytes).min(u64::MAX / 2);
        }
    }

    /// The application will not write any more.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// Bytes of the stream that were acknowledged.
    pub fn acknowledged(&self) -> u64 {
        self.unacknowledged.min(self.written)
    }

    /// Everything that was written, and its end, has been acknowledged.
    pub fn is_done(&self) -> bool {
        self.finished && self.unacknowledged > self.written
    }

    /// The congestion window, bytes; during a recovery without SACK with what RFC 6582 adds to it, with PRR what is in the
    /// network and what may be sent now.
    pub fn window(&self) -> u64 {
        self.congestion.window()
    }

    /// The slow start threshold, bytes; at first 2^64 - 1.
    pub fn threshold(&self) -> u64 {
        self.congestion.threshold()
    }

    /// Bytes that were sent and not yet acknowledged.
    pub fn outstanding(&self) -> u64 {
        self.sent - self.unacknowledged
    }

    /// DCTCP's estimate of the share of bytes that are marked (Alpha); none for the other laws.
    pub fn marked_share(&self) -> Option<f64> {
        self.congestion.marked_share()
    }

    /// What has happened.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// When [`Self::expire`] is to be called: for the retransmission timer, a tail loss probe, to find out whether
    /// something is lost, or because pacing holds a segment back.
    #[inline]
    pub fn timer(&self) -> Option<Time> {
        let pace = if self.waits_for_pace { self.release } else { NEVER };
        let check = self.rack.as_ref().map_or(NEVER, Rack::deadline);
        let first = self.deadline.min(pace).min(check).min(self.probe_time());
        Some(first).filter(|time| *time != NEVER)
    }

    /// The next segment to send. Called until there is none.
    #[inline]
    pub fn poll(&mut self, now: Time) -> Option<Segment> {
        if matches!(self.phase, Phase::Closed | Phase::SynSent) {
            return self.poll_syn(now);
        }
        self.waits_for_pace = false;
        if self.sent == self.unacknowledged && self.sent < self.stream_end() {
            self.leave_idle(now);
        }
        let (start, end, choice) = self.choose()?;
        if self.pacing.is_some() && now < self.release {
            self.waits_for_pace = true;
            return None;
        }
        Some(self.emit(now, start, end, choice))
    }

    /// A segment from the receiver has arrived.
    #[inline]
    pub fn receive(&mut self, now: Time, segment: &Segment) {
        if segment.syn {
            self.receive_syn(now, segment);
            return;
        }
        let acknowledgement = segment.acknowledgement;
        let valid = self.unacknowledged..=self.sent;
        if !segment.ack || !valid.contains(&acknowledgement) || self.phase == Phase::SynSent {
            return;
        }
        let (before, known) = (self.unacknowledged, self.scoreboard.total());
        if let Some(rack) = &mut self.rack {
            if acknowledgement > before {
                rack.acknowledge(now, before, acknowledgement, segment.echo, &self.scoreboard);
            }
            for (start, end) in segment.blocks() {
                rack.report(now, start.max(acknowledgement), end.min(self.sent), &self.scoreboard);
            }
        }
        let found = if self.sack && segment.sack[0].length > 0 {
            self.scoreboard.update(segment, acknowledgement, self.sent)
        } else {
            0
        };
        let bytes = acknowledgement - self.unacknowledged;
        let marked = self.ecn && segment.ece;
        if bytes > 0 {
            self.advance(now, segment, bytes, marked);
        }
        // Once in a window of data (RFC 3168 section 6.1.2).
        if marked && self.phase == Phase::Open && acknowledgement > self.reduced_until {
            self.congestion.mark();
            self.counters.ece_reductions += 1;
            self.reduced_until = self.sent;
            self.reduced = true;
        }
        let duplicate =
            if self.sack { found > 0 } else { bytes == 0 && self.sent > acknowledgement };
        if self.probe.is_some() {
            self.check_probe(now, acknowledgement, bytes == 0 && segment.sack[0].length == 0);
        }
        let more_lost = self.judge(now);
        if duplicate || more_lost || !self.scoreboard.is_empty() {
            self.look_for_loss(now, duplicate, bytes + self.scoreboard.total() - known);
        }
        if self.phase == Phase::Recovery && self.prr {
            self.reduce(bytes + self.scoreboard.total() - known, bytes > 0 && !more_lost);
        }
    }

    /// Looks for what is lost; whether there is more than before.
    #[inline]
    fn judge(&mut self, now: Time) -> bool {
        let Some(rack) = &mut self.rack else {
            let before = std::mem::replace(&mut self.lost_before, self.scoreboard.lost_below());
            return self.lost_before > before.max(self.unacknowledged);
        };
        let repairing = self.phase != Phase::Open;
        let smoothed = self.round_trip.smoothed();
        rack.judge(now, self.unacknowledged, smoothed, repairing, &self.scoreboard) > 0
    }

    /// Time has come to [`Self::timer`]. Does nothing if it has not.
    pub fn expire(&mut self, now: Time) {
        if self.rack.as_ref().is_some_and(|rack| now >= rack.deadline()) {
            self.check_lateness(now);
        }
        if now >= self.probe_time() {
            self.probe_due = true;
            // The timer waits for the probe (RFC 8985 section 7.3).
            self.deadline = now.saturating_add(self.round_trip.timeout());
            self.quiet_since = now;
            return;
        }
        if now < self.deadline {
            return;
        }
        self.counters.timeouts += 1;
        self.round_trip.back_off();
        self.deadline = now.saturating_add(self.round_trip.timeout());
        if self.phase == Phase::SynSent {
            self.phase = Phase::Closed;
            return;
        }
        let again = self.timed_out_at == Some(self.unacknowledged);
        self.congestion.time_out(self.sent - self.unacknowledged - self.limited_transmit, again);
        self.timed_out_at = Some(self.unacknowledged);
        self.reduced = true;
        self.phase = Phase::Loss;
        self.recovery_point = Some(self.sent);
        self.reduced_until = self.sent;
        match &mut self.rack {
            Some(rack) => rack.lose_all(self.unacknowledged, self.sent, &self.scoreboard),
            None => self.next = self.unacknowledged,
        }
        (self.probe, self.probe_due) = (None, false);
        (self.duplicates, self.limited_transmit, self.resend_first) = (0, 0, false);
        self.release = now;
    }

    /// Something that RACK waits for has not arrived in time.
    fn check_lateness(&mut self, now: Time) {
        let before = self.pipe();
        if !self.judge(now) {
            return;
        }
        match self.phase {
            Phase::Open => {
                self.recover(now, 0);
                if self.prr {
                    self.reduce(0, false);
                }
            }
            // What is lost makes no room in a reduction, except for the segment that keeps it going.
            Phase::Recovery if self.prr => {
                let pipe = self.pipe();
                let room = self.congestion.window().saturating_sub(before).max(self.segment);
                self.congestion.allow(pipe + room);
            }
            Phase::Closed | Phase::SynSent | Phase::Recovery | Phase::Loss => {}
        }
    }

    /// Bytes that are thought to be in the network, with SACK.
    pub(super) fn pipe(&self) -> u64 {
        match &self.rack {
            Some(rack) => self.sent - self.unacknowledged - self.scoreboard.total() - rack.lost(),
            None => self.scoreboard.pipe(self.unacknowledged, self.sent),
        }
    }

    fn poll_syn(&mut self, now: Time) -> Option<Segment> {
        if self.phase == Phase::SynSent || (self.written == 0 && !self.finished) {
            return None;
        }
        self.phase = Phase::SynSent;
        if self.deadline == NEVER {
            self.deadline = now.saturating_add(self.round_trip.timeout());
        }
        self.counters.segments += 1;
        self.counters.retransmitted += u64::from(self.counters.timeouts > 0);
        self.last_sent = now;
        Some(Segment { timestamp: now, syn: true, ..Segment::default() })
    }

    fn receive_syn(&mut self, now: Time, segment: &Segment) {
        if self.phase != Phase::SynSent || !segment.ack {
            return;
        }
        self.phase = Phase::Open;
        self.deadline = NEVER;
        self.round_trip.measure(now.saturating_sub(segment.echo), 0, 0);
        if self.counters.timeouts > 0 {
            self.congestion.open_with_one_segment();
        }
    }
}
