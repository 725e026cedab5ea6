//! What l2l3 does with IPv4: ports, VLANs, access list, stations, routing, bridging.
//!
//! Frames that take other ways (IPv6, ARP, flooding, reserved addresses, IP options) are counted
//! as `others` and go nowhere; the workloads have none of them.

use crate::tables::{
    ACL_KEY, AccessList, NO_ROUTE, NO_RULE, NOWHERE, Routes, Stations, station_key,
};

const PORTS: usize = 512;
const VLANS: usize = 4096;
const NO_VLAN: u16 = u16::MAX;

/// Where a frame begins in its buffer: room for a tag in front of it.
pub const HEADROOM: usize = 64;

/// How frames of a VLAN leave a port.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    /// Not at all.
    NotMember,
    /// Without a tag.
    Untagged,
    /// With a tag.
    Tagged,
}

/// Where routed packets go.
#[derive(Clone, Copy)]
pub struct NextHop {
    /// Port.
    pub port: u16,
    /// VLAN.
    pub vid: u16,
    /// Destination and source address.
    pub macs: [u8; 12],
}

/// Packets and bytes.
#[derive(Clone, Copy, Default)]
pub struct Counter {
    /// Packets.
    pub packets: u64,
    /// Bytes as received.
    pub bytes: u64,
}

/// All tables and counters.
pub struct Switch {
    /// VLAN of untagged frames by port.
    pub port_vlan: Vec<u16>,
    members: Vec<bool>,
    egress: Vec<Tag>,
    /// By number.
    pub next_hops: Vec<Option<NextHop>>,
    /// Whether a rule denies.
    pub denies: Vec<bool>,
    stations: Stations,
    routes: Routes,
    acl: AccessList,
    /// Hits by rule.
    pub acl_hits: Vec<Counter>,
    /// Frames by port of departure.
    pub port_out: Vec<Counter>,
    /// Dropped: port or VLAN unknown, denied, malformed, TTL, no route or next hop, same port,
    /// not a member at departure.
    pub drops: [u64; 16],
    /// Frames that this program has no way for.
    pub others: u64,
    /// Sources that would be learnt.
    pub learn: u64,
}

impl Default for Switch {
    fn default() -> Self {
        Self {
            port_vlan: vec![NO_VLAN; PORTS],
            members: vec![false; PORTS * VLANS],
            egress: vec![Tag::NotMember; PORTS * VLANS],
            next_hops: vec![None; 1024],
            denies: Vec::new(),
            stations: Stations::new(&std::collections::HashMap::new()),
            routes: Routes::new(Vec::new()),
            acl: AccessList::new(&[]),
            acl_hits: vec![Counter::default(); NO_RULE + 1],
            port_out: vec![Counter::default(); PORTS],
            drops: [0; 16],
            others: 0,
            learn: 0,
        }
    }
}

/// Reasons, numbered as in l2l3.
mod drop {
    pub const PORT_UNKNOWN: usize = 0;
    pub const VLAN_INGRESS: usize = 1;
    pub const ACL: usize = 4;
    pub const IP_MALFORMED: usize = 6;
    pub const TTL: usize = 8;
    pub const NO_ROUTE: usize = 9;
    pub const NO_NEXTHOP: usize = 10;
    pub const SAME_PORT: usize = 11;
    pub const VLAN_EGRESS: usize = 13;
}

/// What the first half of the work found out about a frame.
#[derive(Clone, Copy)]
pub struct Verdict {
    way: Way,
    /// Port of departure, if it is bridged.
    port: u16,
    vid: u16,
    /// Where its EtherType is, after a tag.
    ethertype: u16,
    /// Priority and drop eligibility, as in a tag.
    pcp: u16,
    destination: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Dropped,
    Bridged,
    Routed,
}

impl Verdict {
    /// For frames that end here.
    pub const DROPPED: Self =
        Self { way: Way::Dropped, port: 0, vid: 0, ethertype: 0, pcp: 0, destination: 0 };
}

#[inline]
fn half(frame: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([frame[at], frame[at + 1]])
}

#[inline]
fn mac(frame: &[u8], at: usize) -> u64 {
    u64::from(half(frame, at)) << 32
        | u64::from(u32::from_be_bytes(frame[at + 2..at + 6].try_into().expect("four bytes")))
}

/// Whether an IPv4 header without options has the right checksum.
#[inline]
fn checksum_fits(header: &[u8; 20]) -> bool {
    let (words, _) = header.as_chunks::<4>();
    let sum = words.iter().fold(0u64, |sum, word| sum + u64::from(u32::from_be_bytes(*word)));
    let sum = (sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32);
    let sum = (sum & 0xffff) + (sum >> 16);
    let sum = (sum & 0xffff) + (sum >> 16);
    sum == 0xffff
}

impl Switch {
    /// Puts in the structures that are made of all entries.
    pub fn load(&mut self, stations: Stations, routes: Routes, acl: AccessList) {
        (self.stations, self.routes, self.acl) = (stations, routes, acl);
    }

    /// Makes a port a member of a VLAN for frames that arrive.
    pub fn admit(&mut self, port: u64, vid: u64) {
        self.members[port as usize * VLANS + vid as usize] = true;
    }

    /// Makes a port a member of a VLAN for frames that leave.
    pub fn release(&mut self, port: u64, vid: u64, tag: Tag) {
        self.egress[port as usize * VLANS + vid as usize] = tag;
    }

    /// Bytes of the routes.
    pub fn route_bytes(&self) -> usize {
        self.routes.bytes()
    }

    fn dropped(&mut self, reason: usize) -> Verdict {
        self.drops[reason] += 1;
        Verdict::DROPPED
    }

    fn other(&mut self) -> Verdict {
        self.others += 1;
        Verdict::DROPPED
    }

    /// The first half: everything up to the route, which is being fetched afterwards.
    #[inline]
    pub fn classify(&mut self, port: u16, frame: &[u8]) -> Verdict {
        if frame.len() < 38 {
            return self.other();
        }
        let mut vid = self.port_vlan[usize::from(port) & (PORTS - 1)];
        if vid == NO_VLAN {
            return self.dropped(drop::PORT_UNKNOWN);
        }
        let (mut ethertype, mut pcp) = (12, 0);
        if half(frame, 12) == 0x8100 {
            let tag = half(frame, 14);
            (ethertype, pcp) = (16, tag & 0xf000);
            if tag & 0xfff != 0 {
                vid = tag & 0xfff;
            }
        }
        if !self.members[(usize::from(port) & (PORTS - 1)) * VLANS + usize::from(vid & 0xfff)] {
            return self.dropped(drop::VLAN_INGRESS);
        }
        let (target, source) = (mac(frame, 0), mac(frame, 6));
        let l3 = ethertype + 2;
        let Some(header) = frame[l3..].first_chunk::<20>() else { return self.other() };
        let multicast = 1 << 40;
        if half(frame, ethertype) != 0x0800
            || (target | source) & multicast != 0
            || header[0] != 0x45
        {
            return self.other();
        }

        let mut key = [0; ACL_KEY];
        key[..2].copy_from_slice(&port.to_be_bytes());
        key[2..10].copy_from_slice(&header[12..20]);
        key[10] = header[9];
        if matches!(header[9], 6 | 17) && half(header, 6) & 0x1fff == 0 {
            let Some(ports) = frame[l3 + 20..].first_chunk::<4>() else { return self.other() };
            key[11..15].copy_from_slice(ports);
        }
        let rule = self.acl.get(&key);
        let hits = &mut self.acl_hits[rule];
        *hits = Counter { packets: hits.packets + 1, bytes: hits.bytes + frame.len() as u64 };
        if self.denies.get(rule).is_some_and(|denies| *denies) {
            return self.dropped(drop::ACL);
        }

        self.learn += u64::from(self.stations.get(station_key(vid, source)).source != port);
        let station = self.stations.get(station_key(vid, target));
        if !station.router {
            return match station.destination {
                NOWHERE => self.other(),
                out if out == port => self.dropped(drop::SAME_PORT),
                out => {
                    let ethertype = ethertype as u16;
                    Verdict { way: Way::Bridged, port: out, vid, ethertype, pcp, destination: 0 }
                }
            };
        }
        if !checksum_fits(header) {
            return self.dropped(drop::IP_MALFORMED);
        }
        if header[8] <= 1 {
            return self.dropped(drop::TTL);
        }
        let destination = u32::from_be_bytes([header[16], header[17], header[18], header[19]]);
        self.routes.prefetch(destination);
        let ethertype = ethertype as u16;
        Verdict { way: Way::Routed, port: 0, vid, ethertype, pcp, destination }
    }

    /// The second half: the route and the rewriting, in place. The frame begins at `HEADROOM` in
    /// `buffer` and has `length` bytes; the result is port, begin and end in `buffer`.
    #[inline]
    pub fn forward(
        &mut self,
        verdict: Verdict,
        buffer: &mut [u8],
        length: usize,
    ) -> Option<(u16, usize, usize)> {
        let (mut port, mut vid) = (verdict.port, verdict.vid);
        let ethertype = HEADROOM + usize::from(verdict.ethertype);
        let mut macs: [u8; 12] = *buffer[HEADROOM..].first_chunk()?;
        match verdict.way {
            Way::Dropped => return None,
            Way::Bridged => {}
            Way::Routed => {
                let hop = self.routes.get(verdict.destination);
                if hop == NO_ROUTE {
                    self.drops[drop::NO_ROUTE] += 1;
                    return None;
                }
                let Some(Some(hop)) = self.next_hops.get(usize::from(hop)) else {
                    self.drops[drop::NO_NEXTHOP] += 1;
                    return None;
                };
                (port, vid, macs) = (hop.port, hop.vid, hop.macs);
                // The checksum follows the TTL (RFC 1624).
                let ttl = ethertype + 2 + 8;
                buffer[ttl] -= 1;
                let sum = u32::from(!half(buffer, ttl + 2)) + 0xfeff;
                let sum = !((sum + (sum >> 16)) as u16);
                buffer[ttl + 2..ttl + 4].copy_from_slice(&sum.to_be_bytes());
            }
        }
        let tag = self.egress[(usize::from(port) & (PORTS - 1)) * VLANS + usize::from(vid & 0xfff)];
        let begin = match tag {
            Tag::NotMember => {
                self.drops[drop::VLAN_EGRESS] += 1;
                return None;
            }
            Tag::Untagged => ethertype - 12,
            Tag::Tagged => {
                let tag = u32::from(0x8100u16) << 16 | u32::from(verdict.pcp | vid);
                buffer[ethertype - 4..ethertype].copy_from_slice(&tag.to_be_bytes());
                ethertype - 16
            }
        };
        buffer[begin..begin + 12].copy_from_slice(&macs);
        let out = &mut self.port_out[usize::from(port) & (PORTS - 1)];
        *out = Counter { packets: out.packets + 1, bytes: out.bytes + length as u64 };
        Some((port, begin, HEADROOM + length))
    }
}
