//! Reports of dropped packets that carried TPPs (spec 003, section 2.20): a truncated copy goes to a collector, in a UDP
//! datagram. Not more of them than a rate permits; the next report says how many were left out.
//!
//! | bytes | field |
//! |---|---|
//! | 0 | version, 1 |
//! | 1 | [`Reason`] |
//! | 2–3 | output port, 0xffff if it was not known |
//! | 4–7 | `Switch:SwitchID` |
//! | 8–15 | the switch's clock, ns |
//! | 16–19 | bytes of the frame |
//! | 20–23 | drops since the last report that were not reported |
//! | 24– | the frame as it was: all headers as far as the TPP, the TPP, and 64 bytes behind it |

use super::meter::Picoseconds;
use crate::frame;
use crate::packet::Tpp;
use serde::{Deserialize, Serialize};
use ww_packet::udp_frame::{End, datagram};

const VERSION: u8 = 1;
const HEADER: usize = 24;
/// Bytes behind the TPP that a report has.
pub const BEHIND: usize = 64;
const UNKNOWN_PORT: u16 = 0xffff;
const SECOND: u128 = 1_000_000_000_000;

/// Why a packet was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// No way to its destination.
    NoRoute = 1,
    /// Its time to live was over.
    TimeToLive = 2,
    /// A rule of the switch.
    Policy = 3,
    /// Its queue had no room.
    QueueFull = 4,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::NoRoute, Self::TimeToLive, Self::Policy, Self::QueueFull];
}

/// Where reports go, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Whom they come from.
    pub own: End,
    /// Who collects them.
    pub collector: End,
    /// Reports a second in the long run.
    pub rate: u32,
    /// Reports that may follow each other at once.
    pub burst: u32,
}

/// A token bucket, and what it has not let pass.
#[derive(Clone, Debug)]
pub(super) struct Reporter {
    settings: Settings,
    /// Tokens times a second in ps, so that nothing is lost to rounding.
    credit: u128,
    last: Picoseconds,
    missed: u32,
}

/// What a collector learns of a drop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drop {
    /// Why.
    pub reason: Reason,
    /// The port that it would have left by, if it was known.
    pub output_port: Option<u16>,
    /// `Switch:SwitchID`.
    pub switch: u32,
    /// The switch's clock, ns.
    pub clock: u64,
    /// Bytes of the frame.
    pub length: u32,
    /// Drops since the last report that were not reported.
    pub missed: u32,
    /// The beginning of the frame, with its TPP.
    pub copy: Vec<u8>,
}

impl Reporter {
    pub fn new(settings: Settings) -> Self {
        let credit = u128::from(settings.burst) * SECOND;
        Self { settings, credit, last: 0, missed: 0 }
    }

    /// The report of a frame that is dropped; `None` if it has no TPP, or there are too many.
    pub fn report(
        &mut self,
        now: Picoseconds,
        switch: u32,
        (reason, output_port): (Reason, Option<u32>),
        frame: &[u8],
    ) -> Option<Vec<u8>> {
        let place = frame::find(frame)?;
        let begin = place.bytes.start;
        let end = begin + Tpp::new(&frame[place.bytes]).ok()?.length();
        let Settings { own, collector, rate, burst } = self.settings;
        let gained = u128::from(now.saturating_sub(self.last)) * u128::from(rate);
        self.credit = (self.credit + gained).min(u128::from(burst) * SECOND);
        self.last = self.last.max(now);
        let Some(left) = self.credit.checked_sub(SECOND) else {
            self.missed = self.missed.saturating_add(1);
            return None;
        };
        self.credit = left;
        let copy = &frame[..frame.len().min(end + BEHIND)];
        let port = output_port.and_then(|port| u16::try_from(port).ok()).unwrap_or(UNKNOWN_PORT);
        let mut report = Vec::with_capacity(HEADER + copy.len());
        report.extend([VERSION, reason as u8]);
        report.extend(port.to_be_bytes());
        report.extend(switch.to_be_bytes());
        report.extend((now / super::PICOSECONDS_PER_CYCLE).to_be_bytes());
        report.extend((frame.len() as u32).to_be_bytes());
        report.extend(std::mem::take(&mut self.missed).to_be_bytes());
        report.extend(copy);
        Some(datagram(own, collector, &report))
    }
}

impl Drop {
    /// Reads the data of a report's datagram. `None` if it is not a report.
    pub fn parse(report: &[u8]) -> Option<Self> {
        let (header, copy) = report.split_first_chunk::<HEADER>()?;
        let word = |at: usize| {
            u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let reason = Reason::ALL.into_iter().find(|reason| *reason as u8 == header[1])?;
        let port = u16::from_be_bytes([header[2], header[3]]);
        let is_whole = header[0] == VERSION && copy.len() <= word(16) as usize;
        is_whole.then(|| Self {
            reason,
            output_port: Some(port).filter(|port| *port != UNKNOWN_PORT),
            switch: word(4),
            clock: u64::from(word(8)) << 32 | u64::from(word(12)),
            length: word(16),
            missed: word(20),
            copy: copy.to_vec(),
        })
    }

    /// The TPP as it was when the packet was dropped.
    pub fn tpp(&self) -> Option<crate::packet::Repr> {
        let place = frame::find(&self.copy)?;
        Tpp::new(&self.copy[place.bytes]).ok().map(|tpp| crate::packet::Repr::parse(&tpp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::Repr;
    use std::net::Ipv4Addr;
    use ww_packet::udp_frame::data;

    fn end(n: u8, port: u16) -> End {
        End { mac: [n; 6], ip: Ipv4Addr::new(10, 0, 0, n), port }
    }

    fn reporter(rate: u32, burst: u32) -> Reporter {
        Reporter::new(Settings { own: end(9, 7000), collector: end(8, 7001), rate, burst })
    }

    /// A frame of 1,000 bytes and a TPP of 16.
    fn frame() -> (Vec<u8>, Repr) {
        let tpp = Repr { memory: vec![1, 2, 3, 4], stack_pointer: 4, hop: 1, ..Repr::default() };
        let mut frame = datagram(end(1, 1), end(2, 2), &[0x5a; 958]);
        frame::insert(&mut frame, &tpp.emit()).expect("it fits");
        (frame, Repr { protocol: 0x0800, ..tpp })
    }

    /// By hand, from the table: 14 + 16 + 64 bytes of 1,016; 5 us are 5,000 ns.
    #[test]
    fn bytes_by_hand() {
        let (frame, tpp) = frame();
        let sent = reporter(1, 1)
            .report(5_000_000, 0x0102, (Reason::QueueFull, Some(3)), &frame)
            .expect("a report");
        let report = data(&sent, 7001).expect("a datagram to the collector");
        let header =
            [1, 4, 0, 3, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0x13, 0x88, 0, 0, 3, 0xf8, 0, 0, 0, 0];
        assert_eq!(report[..24], header);
        assert_eq!(report[24..], frame[..14 + 16 + 64]);
        let drop = Drop::parse(report).expect("a report");
        assert_eq!(
            (drop.reason, drop.output_port, drop.length),
            (Reason::QueueFull, Some(3), 1016)
        );
        assert_eq!((drop.clock, drop.tpp()), (5000, Some(tpp)));
        assert!((0..24).all(|length| Drop::parse(&report[..length]).is_none()));
        let mut other = report.to_vec();
        other[1] = 9;
        assert_eq!(Drop::parse(&other), None);
    }

    /// Ten a second, two at once: of 100 drops in a second 2 and 9 are reported, and the next report counts the others.
    #[test]
    fn reports_are_few() {
        let (frame, _) = frame();
        let mut reporter = reporter(10, 2);
        let mut told = Vec::new();
        for n in 0..100 {
            let sent = reporter.report(n * 10_000_000_000, 1, (Reason::NoRoute, None), &frame);
            let report = sent.as_deref().and_then(|sent| data(sent, 7001)).and_then(Drop::parse);
            told.extend(report.map(|drop| (n, drop.missed, drop.output_port)));
        }
        assert_eq!(told.len(), 11);
        assert_eq!(told[..3], [(0, 0, None), (1, 0, None), (10, 8, None)]);
        assert!(told[3..].iter().all(|(_, missed, _)| *missed == 9));
        let mut plain = frame.clone();
        frame::strip(&mut plain);
        assert_eq!(reporter.report(u64::MAX, 1, (Reason::NoRoute, None), &plain), None);
    }
}
