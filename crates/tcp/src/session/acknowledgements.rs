//! What an acknowledgement changes at the sender: what is on its way, the window, what is taken for lost.
//!
//! The order of the steps, and the states that they go through, are those of Linux (`tcp_ack`): scoreboard, round
//! trip, loss detection, congestion window, timers.

use super::congestion::Phase;
use super::timers::Awaits;
use super::{Segment, Session, State};
use crate::options::Block;
use crate::sequence::Sequence;
use crate::settings::Nanoseconds;
use ww_packet::tcp::flags::{ECE, SYN};

/// What an acknowledgement has brought.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct News {
    /// snd_una has advanced.
    pub advanced: bool,
    /// Bytes of the application are acknowledged.
    pub data_acknowledged: bool,
    /// SACK reports segments that it did not before.
    pub sacked: bool,
    /// Segments that were sent once are acknowledged or reported.
    pub original: bool,
    /// A duplicate is reported.
    pub duplicate: bool,
    /// The peer's window has changed.
    pub window: bool,
    /// The segment has data, SYN or FIN of its own.
    pub data: bool,
    /// A segment that was sent again is lost again.
    pub lost_again: bool,
    /// Segments newly known to have arrived.
    pub delivered: u32,
    /// Segments that snd_una has passed.
    pub passed: u32,
    /// Segments newly taken for lost.
    pub lost: u32,
    /// Segments are waited for that may only be late: the timer is theirs.
    pub waiting: bool,
    /// Send times of the first and the last segment that arrived, of those sent once.
    first_sent: Option<Nanoseconds>,
    last_sent: Option<Nanoseconds>,
    sacked_sent: Option<Nanoseconds>,
}

impl News {
    /// A segment that was sent once has arrived.
    fn note_original(&mut self, sent: Nanoseconds) {
        self.first_sent = Some(self.first_sent.map_or(sent, |first| first.min(sent)));
        self.last_sent = Some(self.last_sent.map_or(sent, |last| last.max(sent)));
    }
}

impl Session {
    /// Takes in a segment's acknowledgement. False: the segment makes no sense and is dropped.
    pub(super) fn acknowledge_sent(&mut self, segment: &Segment<'_>, now: Nanoseconds) -> bool {
        let number = segment.acknowledgement;
        self.last_echo = segment.options.timestamps.map(|timestamps| timestamps.echo);
        if number.before(self.acknowledged) {
            // RFC 5961 section 5.2: too old to be true.
            if number.before(self.acknowledged - self.largest_window) {
                self.challenge(now);
                return false;
            }
            self.take_timestamp(segment, now);
            if !segment.options.sack.is_empty() && self.sack {
                let mut news = News { data: true, ..News::default() };
                self.take_blocks(segment, now, &mut news);
                self.judge(segment, &mut news, now);
            }
            return true;
        }
        if number.after(self.next) {
            // RFC 9293 section 3.10.7.4: of what was not sent; the peer is told where we are.
            self.challenge(now);
            return false;
        }
        self.take_timestamp(segment, now);
        let was_idle = self.board.out() == 0;
        let mut news = News {
            advanced: number.after(self.acknowledged),
            data: segment.end() != segment.sequence,
            ..News::default()
        };
        if news.advanced {
            self.timeouts = 0;
            self.progress = now;
        }
        news.window = self.update_window(segment);
        self.prefer_new = false;
        let furthest = self.board.furthest;
        if self.sack && !segment.options.sack.is_empty() {
            self.take_blocks(segment, now, &mut news);
        }
        if was_idle {
            self.acknowledge_probe(now);
            return true;
        }
        self.pass(number, furthest, now, &mut news);
        self.sample(&news, now);
        if self.behaviour.published {
            self.judge_published(segment, &news, now);
        } else {
            self.judge_probe(number, &news);
            self.judge(segment, &mut news, now);
        }
        if (news.advanced || news.lost > 0) && !news.waiting && !self.arm_probe(now, true) {
            self.arm_timeout_anew(now, news.advanced);
        }
        if self.board.out() == 0 {
            self.timers.retransmit = None;
            self.acknowledge_probe(now);
        }
        true
    }

    /// After an acknowledgement the timeout begins anew.
    fn arm_timeout_anew(&mut self, now: Nanoseconds, advanced: bool) {
        if advanced {
            self.timers.retransmit = None;
        }
        self.arm_timeout(now);
    }

    /// The peer's clock, for our echo and for PAWS (RFC 7323 section 4.3).
    fn take_timestamp(&mut self, segment: &Segment<'_>, now: Nanoseconds) {
        if let Some(timestamps) = segment.options.timestamps.filter(|_| self.timestamps)
            && !segment.sequence.after(self.told)
            && (timestamps.value.wrapping_sub(self.recent_timestamp) as i32) >= 0
        {
            self.recent_timestamp = timestamps.value;
            self.recent_timestamp_at = now;
        }
    }

    /// The peer's window, unless an older segment tells it. Says whether it has changed.
    fn update_window(&mut self, segment: &Segment<'_>) -> bool {
        let window = self.scaled(segment.window);
        let newer = segment.acknowledgement.after(self.acknowledged)
            || segment.sequence.after(self.window_told)
            || (segment.sequence == self.window_told && (window > self.window || window == 0));
        if !newer {
            return false;
        }
        self.window_told = segment.sequence;
        let changed = self.window != window;
        self.window = window;
        self.largest_window = self.largest_window.max(window);
        changed
    }

    /// Nothing is on its way: a probe of the window was answered, or the window has opened.
    fn acknowledge_probe(&mut self, now: Nanoseconds) {
        if self.unsent() == 0 || self.board.out() > 0 {
            if matches!(self.timers.retransmit, Some((_, Awaits::Window))) && self.unsent() == 0 {
                self.timers.retransmit = None;
            }
            return;
        }
        let size = self.unsent().min(self.segment_size());
        if self.window >= size {
            self.probes = 0;
            self.window_doublings = 0;
            if matches!(self.timers.retransmit, Some((_, Awaits::Window))) {
                self.timers.retransmit = None;
            }
        } else {
            self.probes = 0;
            self.arm_window_probe(now);
        }
    }

    /// Moves snd_una.
    fn pass(
        &mut self,
        number: Sequence,
        furthest: Option<Sequence>,
        now: Nanoseconds,
        news: &mut News,
    ) {
        if !news.advanced {
            return;
        }
        let mut reordered = None;
        while let Some(record) = self.board.pop_acknowledged(number) {
            news.passed += 1;
            if record.flags & SYN == 0 {
                news.data_acknowledged = true;
            }
            if !record.sacked {
                news.delivered += 1;
                if !record.ever_resent {
                    news.note_original(record.sent);
                    news.original |= !record.end.after(self.congestion.high);
                    reordered = reordered.or(Some(record.start));
                }
                let least = self.round_trip.least();
                self.rack.arrived(now, record.sent, record.end, record.ever_resent, least);
            }
        }
        // A hole that was never filled again: what was beyond it had overtaken it.
        if let (Some(start), Some(furthest)) = (reordered, furthest)
            && self.sack
            && start.before(furthest)
        {
            self.note_reordered(start, furthest);
        }
        if self.board.furthest.is_some_and(|furthest| !furthest.after(number)) {
            self.board.furthest = None;
        }
        self.acknowledged = number;
        self.queue.acknowledge(number);
        self.events.writable = true;
        if !self.sack && !self.behaviour.published {
            self.board.acknowledge_duplicates(news.passed);
        }
    }

    /// What SACK reports.
    fn take_blocks(&mut self, segment: &Segment<'_>, now: Nanoseconds, news: &mut News) {
        let blocks = segment.options.sack.as_slice();
        let number = segment.acknowledgement;
        let mut rest = blocks;
        if let Some(duplicate) = self.duplicate(blocks, number) {
            rest = &blocks[1..];
            self.take_duplicate(duplicate, news);
        }
        let mut reordered: Option<Sequence> = None;
        for block in rest {
            // RFC 2018 leaves it to us what to make of nonsense: it is passed over.
            let sensible = block.start.before(block.end)
                && !block.end.after(self.next)
                && block.end.after(self.acknowledged)
                && !block.start.before(self.acknowledged);
            if !sensible {
                continue;
            }
            let first = self.board.place(block.start);
            for index in first..self.board.count() {
                let Some(&record) = self.board.get(index) else { break };
                if record.end.after(block.end) {
                    break;
                }
                if record.start.before(block.start) || record.sacked {
                    continue;
                }
                let hole_before = self.board.furthest;
                self.board.sack(index);
                news.sacked = true;
                news.delivered += 1;
                let least = self.round_trip.least();
                self.rack.arrived(now, record.sent, record.end, record.ever_resent, least);
                if !record.ever_resent {
                    news.original |= !record.end.after(self.congestion.high);
                    news.sacked_sent =
                        Some(news.sacked_sent.map_or(record.sent, |sent| sent.min(record.sent)));
                    if hole_before.is_some_and(|furthest| record.start.before(furthest)) {
                        reordered =
                            Some(reordered.map_or(record.start, |s| s.earliest(record.start)));
                    }
                }
            }
        }
        if let (Some(start), Some(furthest)) = (reordered, self.board.furthest) {
            self.note_reordered(start, furthest);
        }
    }

    /// The first block, if it reports a duplicate (RFC 2883 section 4).
    fn duplicate(&self, blocks: &[Block], number: Sequence) -> Option<Block> {
        let first = *blocks.first()?;
        let below = first.start.before(number) && !first.end.after(number);
        let inside = blocks.get(1).is_some_and(|second| {
            !first.start.before(second.start) && !first.end.after(second.end)
        });
        ((below || inside) && first.start.before(first.end)).then_some(first)
    }

    fn take_duplicate(&mut self, block: Block, news: &mut News) {
        // Too old to say anything of this connection's present.
        if block.start.before(self.acknowledged - self.largest_window.max(1 << 16)) {
            return;
        }
        news.duplicate = true;
        self.rack.note_duplicate();
        if let (Some(marker), Some(count)) =
            (self.congestion.undo_marker, self.congestion.undo_count)
            && count > 0
            && !block.end.after(self.next)
            && block.end.after(marker)
        {
            self.congestion.undo_count = Some(count - 1);
        }
        // A probe of the tail that was not needed is no sign of reordering.
        if self.probe.is_none() {
            self.rack.reordered |= self.congestion.undo_marker.is_some();
        }
    }

    /// Round trips of what has arrived (RFC 6298 section 3, Karn).
    fn sample(&mut self, news: &News, now: Nanoseconds) {
        if let Some(last) = news.last_sent.or(news.sacked_sent) {
            self.round_trip.note_least(now - last);
        }
        let first = if news.advanced { news.first_sent } else { None };
        let sample = first
            .or(news.sacked_sent)
            .map(|sent| now - sent)
            .or_else(|| self.echoed_round_trip(now).filter(|_| news.advanced));
        if let Some(sample) = sample {
            self.round_trip.measure(sample, self.acknowledged, self.next);
        }
    }

    /// What is known of a probe of the tail (RFC 8985 section 7.4).
    fn judge_probe(&mut self, number: Sequence, news: &News) {
        let Some((end, repeated)) = self.probe else { return };
        if number.before(end) {
            return;
        }
        if !repeated || news.duplicate {
            // New data, or it came twice: nothing was lost.
            self.probe = None;
        } else if number.after(end) {
            // The probe has repaired a loss.
            self.probe = None;
            if !self.congestion.reduces() {
                self.congestion.begin_reduction(self.next);
                self.congestion.phase = Phase::Reduction;
                self.congestion.end_reduction();
                self.reopen();
            }
        } else if !news.advanced && !news.data && !news.window && !news.sacked {
            self.probe = None;
        }
    }

    /// Whether segments are in doubt.
    fn left_out(&self) -> bool {
        self.board.sacked + self.board.lost > 0
    }

    /// Loss detection and the congestion window.
    fn judge(&mut self, segment: &Segment<'_>, news: &mut News, now: Nanoseconds) {
        let marked = self.ecn && segment.has(ECE) && !segment.has(SYN);
        let repeated = !news.advanced && !news.data && !news.window;
        let doubtful = news.sacked || repeated || marked || self.left_out();
        if doubtful || self.congestion.phase != Phase::Open {
            self.follow_phase(news, repeated, marked, now);
        }
        if self.congestion.reduces() {
            let in_flight = self.board.in_flight();
            self.congestion.reduce(in_flight, news.delivered, news.lost, news.advanced);
        } else if news.delivered > 0
            && (news.data_acknowledged || (self.rack.reordered && news.sacked))
        {
            self.congestion.grow(news.delivered);
        }
    }

    fn follow_phase(&mut self, news: &mut News, repeated: bool, marked: bool, now: Nanoseconds) {
        // The peer has dropped what it had reported (RFC 2018 section 8).
        if self.board.first().is_some_and(|first| first.sacked) && news.advanced && self.sack {
            self.board.forget_sacks();
            self.enter_loss(now);
            self.forced.first = true;
            return;
        }
        if self.congestion.phase == Phase::Open {
            self.congestion.resent_at = None;
        } else if !self.acknowledged.before(self.congestion.high) {
            match self.congestion.phase {
                Phase::Reduction if self.acknowledged != self.congestion.high => {
                    self.congestion.end_reduction();
                    self.congestion.phase = Phase::Open;
                }
                Phase::Recovery => {
                    if !self.sack {
                        self.board.forget_duplicates();
                    }
                    if self.try_undo_recovery() {
                        return;
                    }
                    self.congestion.end_reduction();
                }
                _ => {}
            }
        }
        match self.congestion.phase {
            Phase::Recovery => {
                if !news.advanced {
                    if !self.sack && repeated {
                        self.board.count_duplicate();
                    }
                } else if self.try_undo_partial() {
                    return;
                }
                if news.duplicate && self.try_undo_duplicates() {
                    self.try_open(marked);
                }
                self.detect(news, now);
                if self.congestion.phase < Phase::Recovery && self.board.lost > 0 {
                    self.enter_recovery();
                }
            }
            Phase::Loss => {
                self.follow_loss(news, repeated);
                self.detect(news, now);
                if self.congestion.phase != Phase::Open && !news.lost_again {
                    return;
                }
                if self.board.lost > 0 && self.congestion.phase != Phase::Loss {
                    self.enter_recovery();
                }
            }
            _ => {
                if !self.sack {
                    if news.advanced {
                        self.board.forget_duplicates();
                    }
                    if repeated {
                        self.board.count_duplicate();
                    }
                }
                if news.duplicate {
                    self.try_undo_duplicates();
                }
                self.detect(news, now);
                if self.board.lost == 0 {
                    self.try_open(marked);
                    return;
                }
                self.enter_recovery();
            }
        }
    }

    /// Takes segments for lost.
    fn detect(&mut self, news: &mut News, now: Nanoseconds) {
        let resent = self.board.resent;
        news.lost += if self.sack {
            let (lost, waiting) = self.find_lost(now);
            news.waiting = waiting;
            lost
        } else {
            self.find_first_lost(news.advanced)
        };
        news.lost_again |= self.board.resent < resent;
    }

    /// Nothing is lost: what the phase is.
    fn try_open(&mut self, marked: bool) {
        if marked && self.congestion.phase < Phase::Reduction {
            self.congestion.undo_marker = None;
            self.congestion.begin_reduction(self.next);
            self.congestion.phase = Phase::Reduction;
            self.tell_reduced = true;
        }
        if self.congestion.phase != Phase::Reduction {
            self.keep_open();
        }
    }

    fn keep_open(&mut self) {
        let doubtful = self.left_out() || self.board.any_resent();
        let phase = if doubtful { Phase::Disorder } else { Phase::Open };
        if self.congestion.phase != phase {
            self.congestion.phase = phase;
            self.congestion.high = self.next;
        }
    }

    /// Segments are lost: they are sent again while the window shrinks (RFC 6675, RFC 6937).
    pub(super) fn enter_recovery(&mut self) {
        self.begin_undo();
        if !self.congestion.reduces() {
            self.congestion.begin_reduction(self.next);
        }
        self.probe = None;
        if self.ecn {
            self.tell_reduced = true;
        }
        self.congestion.phase = Phase::Recovery;
    }

    /// A timeout has passed: what was sent long enough ago is lost (RFC 5681 section 3.1).
    pub(super) fn enter_loss(&mut self, now: Nanoseconds) {
        let new = self.congestion.phase < Phase::Recovery;
        if self.board.first().is_some_and(|first| first.sacked) {
            self.board.forget_sacks();
        }
        if !self.sack {
            self.board.forget_duplicates();
        }
        for index in 0..self.board.count() {
            let recent = index > 0
                && self.sack
                && self.board.get(index).is_some_and(|record| !self.rack.is_due(record.sent, now));
            if !recent {
                self.board.lose(index);
            }
        }
        let anew = self.congestion.phase <= Phase::Disorder
            || !self.congestion.high.after(self.acknowledged)
            || (self.congestion.phase == Phase::Loss && self.timeouts == 0);
        if anew {
            self.congestion.remember_for_timeout();
            self.begin_undo();
        }
        self.congestion.collapse(self.board.in_flight());
        self.congestion.phase = Phase::Loss;
        self.congestion.high = self.next;
        self.probe = None;
        self.congestion.forward = self.behaviour.forward_rto && (new || self.timeouts > 0);
        if self.ecn {
            self.tell_reduced = true;
        }
    }

    /// After a timeout (RFC 5682 section 3).
    fn follow_loss(&mut self, news: &News, repeated: bool) {
        let recovered = !self.acknowledged.before(self.congestion.high);
        if news.advanced && self.may_undo() {
            self.undo_loss();
            return;
        }
        if self.congestion.forward {
            // What was never sent again has arrived: nothing was lost but time.
            if news.original {
                self.undo_loss();
                return;
            }
            if self.next.after(self.congestion.high) {
                if news.sacked || repeated {
                    self.congestion.forward = false;
                }
            } else if news.advanced && !recovered {
                self.congestion.high = self.next;
                // New data shows whether the rest was lost.
                if self.unsent() > 0 && self.window_end().after(self.next) {
                    self.prefer_new = true;
                    return;
                }
                self.congestion.forward = false;
            }
        }
        if recovered {
            self.try_undo_recovery();
            return;
        }
        if !self.sack {
            if self.next.after(self.congestion.high) && repeated {
                self.board.count_duplicate();
            } else if news.advanced {
                self.board.forget_duplicates();
            }
        }
    }

    fn undo_loss(&mut self) {
        self.board.find_all();
        self.congestion.undo();
        self.congestion.forward = false;
        self.timeouts = 0;
        self.congestion.phase = Phase::Open;
    }

    /// The end of a recovery, which may not have been needed. True: without SACK it is held until more is
    /// acknowledged, so that late duplicates do not begin it anew (RFC 6582 section 4).
    fn try_undo_recovery(&mut self) -> bool {
        if self.may_undo() {
            self.congestion.undo();
        } else {
            self.rack.recovered();
        }
        if self.acknowledged == self.congestion.high && !self.sack {
            return true;
        }
        self.congestion.phase = Phase::Open;
        false
    }

    /// A part is acknowledged that was only late.
    fn try_undo_partial(&mut self) -> bool {
        if self.congestion.undo_marker.is_none() || !self.answer_is_to_first() {
            return false;
        }
        // More was sent again: it may still come.
        if self.board.resent > 0 {
            return true;
        }
        self.board.find_all();
        self.congestion.undo();
        self.reopen();
        true
    }

    /// From a reduction back to what the scoreboard says.
    fn reopen(&mut self) {
        self.congestion.phase = Phase::Disorder;
        self.keep_open();
    }

    /// Duplicates are reported of all that was sent again.
    fn try_undo_duplicates(&mut self) -> bool {
        if self.congestion.undo_marker.is_some() && self.congestion.undo_count == Some(0) {
            self.congestion.undo();
            if self.congestion.phase != Phase::Open {
                self.reopen();
            }
            return true;
        }
        false
    }

    /// Bytes that wait to be sent for the first time.
    pub fn unsent(&self) -> u32 {
        if self.state == State::SynSent || self.state == State::SynReceived {
            return self.queue.kept();
        }
        self.queue.end().beyond(self.next)
    }

    /// Behind the last byte that the peer takes.
    pub(super) fn window_end(&self) -> Sequence {
        self.acknowledged + self.window
    }
}
