//! The end that gets data, and acknowledges it.

use super::ranges::Ranges;
use super::segment::{Block, Segment};
use super::settings::{Control, Settings};
use crate::pending::Time;

const NEVER: Time = Time::MAX;

/// Runs whose order of arrival is remembered for SACK.
const REMEMBERED: usize = 8;

/// The receiving end of a connection. Its buffer is unlimited.
///
/// With DCTCP a change of marking is acknowledged at once (RFC 8257 section 3.2): what arrived before, with
/// the old state, if something is not yet acknowledged, else the segment that brings the change. A
/// segment gives at most one acknowledgement; if it asks for one for another reason too (out of order,
/// the end), there is one of everything with the new state.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// Everything before has arrived (RCV.NXT).
    next: u64,
    /// What the last acknowledgement said (Last.ACK.sent).
    acknowledged: u64,
    /// What arrived beyond `next`.
    ahead: Ranges,
    /// A position in each of the runs of `ahead` that changed last, the last one first.
    recent: [u64; REMEMBERED],
    recent_count: usize,
    /// The position behind the FIN.
    end: Option<u64>,
    /// The time stamp to echo (TS.Recent).
    echo: Time,
    /// ECE of the next acknowledgement: DCTCP.CE, or that no CWR came since a mark.
    congested: bool,
    dctcp: bool,
    ecn: bool,
    sack: bool,
    every: u32,
    within: Time,
    /// Segments that were not yet acknowledged.
    pending: u32,
    deadline: Time,
}

impl Receiver {
    /// A receiver of a stream.
    pub fn new(settings: &Settings) -> Self {
        let settings = settings.in_range();
        Self {
            next: 0,
            acknowledged: 0,
            ahead: Ranges::default(),
            recent: [0; REMEMBERED],
            recent_count: 0,
            end: None,
            echo: 0,
            congested: false,
            dctcp: matches!(settings.control, Control::Dctcp { .. }),
            ecn: settings.ecn,
            sack: settings.sack,
            every: settings.acknowledge_every,
            within: settings.acknowledge_within,
            pending: 0,
            deadline: NEVER,
        }
    }

    /// Bytes of the stream that have arrived with everything before them.
    pub fn delivered(&self) -> u64 {
        self.next - u64::from(self.is_closed())
    }

    /// The whole stream and its end have arrived.
    pub fn is_closed(&self) -> bool {
        self.end == Some(self.next)
    }

    /// When [`Self::expire`] is to be called, for a delayed acknowledgement.
    #[inline]
    pub fn timer(&self) -> Option<Time> {
        Some(self.deadline).filter(|time| *time != NEVER)
    }

    /// Time has come to [`Self::timer`]; the acknowledgement to send. Nothing if it has not.
    pub fn expire(&mut self, now: Time) -> Option<Segment> {
        (now >= self.deadline).then(|| self.acknowledge(now))
    }

    /// A segment has arrived, in a packet that was marked (CE) on its way or not; the acknowledgement to
    /// send now, if one is due.
    #[inline]
    pub fn receive(&mut self, now: Time, segment: &Segment, ce_marked: bool) -> Option<Segment> {
        if segment.syn {
            let answer = self.acknowledge(now);
            return Some(Segment { syn: true, echo: segment.timestamp, ..answer });
        }
        let (start, end) = (segment.sequence, segment.end());
        if start == end {
            return None;
        }
        let mut answer = None;
        let mut immediate = false;
        if self.dctcp {
            if ce_marked != self.congested {
                if self.pending > 0 {
                    answer = Some(self.acknowledge(now));
                } else {
                    immediate = true;
                }
                self.congested = ce_marked;
            }
        } else if self.ecn {
            // RFC 3168 section 6.1.3: until CWR, which does not cancel a mark of the same packet.
            self.congested = ce_marked || (self.congested && !segment.cwr);
        }
        // RFC 7323 section 4.3: of delayed segments the first one is echoed.
        if start <= self.acknowledged && segment.timestamp > self.echo {
            self.echo = segment.timestamp;
        }
        if segment.fin {
            self.end = Some(end);
        }
        // RFC 5681 section 4.2: at once what is out of order, what was there already, and what fills a gap.
        if start > self.next {
            self.ahead.insert(start, end);
            self.remember(start);
            immediate = true;
        } else if end <= self.next {
            immediate = true;
        } else {
            self.next = end;
            self.pending += 1;
            if !self.ahead.is_empty() {
                immediate = true;
                while let Some(next) = self.ahead.take_from(self.next) {
                    self.next = next;
                }
            }
        }
        if immediate || segment.fin || self.pending >= self.every {
            return Some(self.acknowledge(now));
        }
        if self.pending == 1 {
            self.deadline = now.saturating_add(self.within);
        }
        answer
    }

    /// The run that contains `position` is the one that changed last.
    fn remember(&mut self, position: u64) {
        let Some(run) = self.ahead.containing(position) else { return };
        let mut kept = [position; REMEMBERED];
        let mut count = 1;
        for old in &self.recent[..self.recent_count] {
            if !(run.start..run.end).contains(old) && *old >= self.next && count < REMEMBERED {
                kept[count] = *old;
                count += 1;
            }
        }
        (self.recent, self.recent_count) = (kept, count);
    }

    /// An acknowledgement of everything.
    #[inline]
    fn acknowledge(&mut self, now: Time) -> Segment {
        self.pending = 0;
        self.deadline = NEVER;
        self.acknowledged = self.next;
        let mut sack = [Block::default(); 3];
        if self.sack && !self.ahead.is_empty() {
            self.report(&mut sack);
        }
        Segment {
            acknowledgement: self.next,
            timestamp: now,
            echo: self.echo,
            sack,
            ack: true,
            ece: self.ecn && self.congested,
            ..Segment::default()
        }
    }

    /// RFC 2018 section 4: the run that changed last comes first, then those that did before it.
    fn report(&self, sack: &mut [Block; 3]) {
        let recent = self.recent[..self.recent_count].iter();
        let runs = recent.filter_map(|position| self.ahead.containing(*position));
        for (block, run) in sack.iter_mut().zip(runs) {
            // The sender's window is below 2^32, so both fit.
            block.offset = u32::try_from(run.start - self.next).unwrap_or(u32::MAX);
            block.length = u32::try_from(run.end - run.start).unwrap_or(u32::MAX);
        }
    }
}
