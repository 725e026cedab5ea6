//! Who has which Ethernet address: the ARP table and its questions (spec S35).
//!
//! 256 entries, the last octet of an address is the place, the whole address is compared, and the newest wins.

use crate::settings::{MICROSECOND, Nanoseconds, SECOND};
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use ww_packet::ethernet::MacAddress;

/// An entry is asked for again when it is older, and used until it is twice as old.
pub const FRESH: Nanoseconds = 60 * SECOND;

/// One question at most in this time for one entry that is known.
const REFRESH_INTERVAL: Nanoseconds = SECOND;

/// Time between two questions of the scan.
const SCAN_INTERVAL: Nanoseconds = 50 * MICROSECOND;

#[derive(Clone, Copy, Debug)]
struct Neighbour {
    ip: Ipv4Addr,
    mac: MacAddress,
    heard: Nanoseconds,
    asked: Nanoseconds,
}

/// The table, and the addresses that are to be asked for.
#[derive(Clone, Debug)]
pub struct Neighbours {
    entries: Vec<Option<Neighbour>>,
    questions: VecDeque<Ipv4Addr>,
    /// What is left of the scan, and when the next question is due.
    scan: std::ops::Range<u32>,
    own: Ipv4Addr,
    next_scan: Nanoseconds,
}

/// Questions that wait at most; one more is not asked, its packet will come again.
const MOST_QUESTIONS: usize = 256;

impl Neighbours {
    /// An empty table of a host in a network, which asks for all its addresses: of a network of up to 256 addresses
    /// for each but the first, the last and its own, of a larger one for those of the /24 around it. With 31 or 32
    /// bits all addresses are hosts' (RFC 3021).
    pub fn new(own: Ipv4Addr, prefix: u8, scan: bool) -> Self {
        let bits = u32::from(prefix.clamp(24, 32));
        let size = 1u64 << (32 - bits);
        let first = u64::from(own.to_bits()) & !(size - 1);
        let (from, to) =
            if size > 2 { (first + 1, first + size - 1) } else { (first, first + size) };
        // An address may end the space: 255.255.255.255 is left out.
        let end = to.min(u64::from(u32::MAX)) as u32;
        let scan = if scan { from as u32..end } else { 0..0 };
        Self { entries: vec![None; 256], questions: VecDeque::new(), scan, own, next_scan: 0 }
    }

    /// Whether the scan still has questions.
    pub fn scans(&self) -> bool {
        !self.scan.is_empty()
    }

    /// Somebody has told that an address is his.
    pub fn learn(&mut self, ip: Ipv4Addr, mac: MacAddress, now: Nanoseconds) {
        if ip.is_unspecified() || ip == self.own || mac.0[0] & 1 == 1 {
            return;
        }
        self.entries[usize::from(ip.octets()[3])] =
            Some(Neighbour { ip, mac, heard: now, asked: now });
    }

    /// The Ethernet address of a neighbour. If it is not known, it is asked for.
    pub fn resolve(&mut self, ip: Ipv4Addr, now: Nanoseconds) -> Option<MacAddress> {
        let entry = &mut self.entries[usize::from(ip.octets()[3])];
        if let Some(entry) = entry.as_mut().filter(|entry| entry.ip == ip) {
            let age = now.saturating_sub(entry.heard);
            if age < 2 * FRESH {
                if age >= FRESH && now.saturating_sub(entry.asked) >= REFRESH_INTERVAL {
                    entry.asked = now;
                    let mac = entry.mac;
                    self.ask(ip);
                    return Some(mac);
                }
                return Some(entry.mac);
            }
        }
        self.ask(ip);
        None
    }

    /// Whether an address is known, without a question.
    pub fn knows(&self, ip: Ipv4Addr, now: Nanoseconds) -> bool {
        self.entries[usize::from(ip.octets()[3])]
            .is_some_and(|entry| entry.ip == ip && now.saturating_sub(entry.heard) < 2 * FRESH)
    }

    fn ask(&mut self, ip: Ipv4Addr) {
        if self.questions.len() < MOST_QUESTIONS {
            self.questions.push_back(ip);
        }
    }

    /// The next address to ask for.
    pub fn next_question(&mut self, now: Nanoseconds) -> Option<Ipv4Addr> {
        if let Some(ip) = self.questions.pop_front() {
            return Some(ip);
        }
        while now >= self.next_scan {
            let ip = Ipv4Addr::from_bits(self.scan.next()?);
            if ip != self.own {
                self.next_scan = now + SCAN_INTERVAL;
                return Some(ip);
            }
        }
        None
    }

    /// When the scan goes on.
    pub fn wakes(&self) -> Option<Nanoseconds> {
        self.scans().then_some(self.next_scan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAC: MacAddress = MacAddress([2, 0, 0, 0, 0, 9]);

    fn scanned(own: [u8; 4], prefix: u8) -> Vec<Ipv4Addr> {
        let mut table = Neighbours::new(own.into(), prefix, true);
        let mut all = Vec::new();
        let mut now = 0;
        while let Some(wakes) = table.wakes() {
            now = now.max(wakes);
            all.extend(table.next_question(now));
        }
        all
    }

    #[test]
    fn the_scan_asks_once_for_each_address() {
        let asked = scanned([10, 0, 0, 7], 24);
        let expected: Vec<Ipv4Addr> =
            (1..255).filter(|&n| n != 7).map(|n| Ipv4Addr::new(10, 0, 0, n)).collect();
        assert_eq!(asked, expected);
        assert_eq!(scanned([10, 1, 2, 7], 8).len(), 253);
        assert_eq!(
            scanned([10, 1, 2, 7], 30),
            [Ipv4Addr::new(10, 1, 2, 5), Ipv4Addr::new(10, 1, 2, 6)]
                .into_iter()
                .filter(|ip| ip.octets()[3] != 7)
                .collect::<Vec<_>>()
        );
        assert_eq!(scanned([10, 1, 2, 6], 31), [Ipv4Addr::new(10, 1, 2, 7)]);
        assert!(scanned([10, 1, 2, 6], 32).is_empty());
        assert_eq!(scanned([255, 255, 255, 1], 24).len(), 253);
    }

    #[test]
    fn a_miss_asks_once() {
        let mut table = Neighbours::new([10, 0, 0, 1].into(), 24, false);
        let ip = Ipv4Addr::new(10, 0, 0, 2);
        assert_eq!(table.resolve(ip, 0), None);
        assert_eq!(table.next_question(0), Some(ip));
        assert_eq!(table.next_question(0), None);
        table.learn(ip, MAC, 5);
        assert_eq!(table.resolve(ip, 5), Some(MAC));
        assert_eq!(table.next_question(5), None);
    }

    #[test]
    fn the_newest_wins_a_place_and_the_whole_address_counts() {
        let mut table = Neighbours::new([10, 0, 0, 1].into(), 8, false);
        let (old, new) = (Ipv4Addr::new(10, 0, 0, 2), Ipv4Addr::new(10, 0, 1, 2));
        table.learn(old, MAC, 0);
        table.learn(new, MacAddress([2, 0, 0, 0, 0, 8]), 0);
        assert_eq!(table.resolve(old, 0), None);
        assert_eq!(table.resolve(new, 0), Some(MacAddress([2, 0, 0, 0, 0, 8])));
    }

    #[test]
    fn entries_age() {
        let mut table = Neighbours::new([10, 0, 0, 1].into(), 24, false);
        let ip = Ipv4Addr::new(10, 0, 0, 2);
        table.learn(ip, MAC, 0);
        assert_eq!(table.resolve(ip, FRESH), Some(MAC));
        assert_eq!(table.next_question(FRESH), Some(ip));
        assert_eq!(table.resolve(ip, FRESH + 1), Some(MAC));
        assert_eq!(table.next_question(FRESH + 1), None);
        assert_eq!(table.resolve(ip, 2 * FRESH), None);
    }
}
