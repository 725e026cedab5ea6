//! A host's stack, byte for byte: smoltcp with Ethernet, ARP, IPv4, ICMP, UDP and TCP, and small applications over it.
//!
//! A [`Stack`] does nothing by itself. It is given frames ([`Stack::receive`]) and the time ([`Stack::poll`]), gives
//! frames and [`Report`]s back, and says when it wants to be looked at again ([`Stack::wakes`]).
//!
//! smoltcp counts microseconds. The time it is given is the host's clock, rounded down; when it asks to be woken at a
//! microsecond, it is woken at the first picosecond of it. So what a frame brings about (an answer, the next segments)
//! happens at the picosecond of its arrival, and timers (retransmission, delayed acknowledgements) are up to 1 us early
//! or late, never so that they find themselves not yet due.

mod check;
mod device;
pub mod pattern;
mod sockets;

use crate::lookup::Lookup;
use crate::pending::Time;
pub use check::{Mistake, Setting, check};
use device::Device;
use smoltcp::iface::{Config, Interface, PollIngressSingleResult, PollResult, SocketSet};
use smoltcp::time::Instant;
use smoltcp::wire::{EthernetAddress, HardwareAddress, IpCidr, Ipv4Cidr};
pub use sockets::{Refused, STAMP};
use std::fmt;
use std::net::Ipv4Addr;

/// Picoseconds of a microsecond.
const MICROSECOND: Time = 1_000_000;
/// If the stack wants to go on at once and cannot: 1 ms.
const RETRY: Time = 1_000_000_000;
/// Addresses that stay known are told so often, in microseconds: smoltcp forgets after 60 s.
const REMEMBERED: i64 = 30_000_000;
/// The next hop of hosts that know only its address on the link, and their own beside it (RFC 3927: link-local).
const NEXT_HOP: [Ipv4Addr; 2] =
    [Ipv4Addr::new(169, 254, 255, 253), Ipv4Addr::new(169, 254, 255, 254)];

/// How a host with a stack is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Length of the network part of its address: who is in the same network is asked for by ARP. 0 to 32.
    pub prefix: u8,
    /// Where packets for other networks go, found by ARP. Without it, to the host's gateway on the link, if there
    /// is one.
    pub router: Option<Ipv4Addr>,
    /// Longest IP packet in bytes: 576 to 9,000.
    pub mtu: u16,
}

/// The law of a TCP sender's window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Congestion {
    /// The receiver's window alone.
    None,
    /// smoltcp's Reno.
    #[default]
    Reno,
    /// smoltcp's CUBIC.
    Cubic,
}

/// Settings of the TCP sockets of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The sender's.
    pub congestion: Congestion,
    /// Bytes that the sender keeps until they are acknowledged.
    pub send_buffer: u32,
    /// Bytes that the receiver takes in: the largest window that it announces.
    pub receive_buffer: u32,
    /// How long an acknowledgement may wait (rounded up to microseconds); `None`: none does.
    pub acknowledge_within: Option<Time>,
    /// Small segments wait for acknowledgements (RFC 896).
    pub nagle: bool,
}

impl Settings {
    /// Sizes that buffers may have.
    pub const BUFFERS: std::ops::RangeInclusive<u64> = 1_024..=(16 << 20);
}

impl Default for Settings {
    /// 64 KiB both ways, acknowledgements within 10 ms, which is smoltcp's default.
    fn default() -> Self {
        Self {
            congestion: Congestion::Reno,
            send_buffer: 64 << 10,
            receive_buffer: 64 << 10,
            acknowledge_within: Some(10_000_000_000),
            nagle: true,
        }
    }
}

/// A flow, for whoever uses the stack: place and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Place.
    pub place: u32,
    /// Number in the run. It decides the bytes that are sent ([`pattern`]).
    pub serial: u64,
}

/// What applications have to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Bytes of a TCP stream have arrived, so many as they were sent and so many others.
    Received(Flow, u64, u64),
    /// The same for the data of a UDP packet.
    Datagram(Flow, u64, u64),
    /// An echo has come back after so long, with so many wrong bytes.
    Echo(Flow, Time, u64),
    /// A TCP sender's connection is over.
    Ended(Flow),
}

/// See the module.
pub struct Stack {
    interface: Interface,
    sockets: SocketSet<'static>,
    device: Device,
    applications: Vec<sockets::Application>,
    /// Whose a connection or a UDP packet is that comes from this address and port to this port.
    expected: Lookup<(Ipv4Addr, u16, u16), Flow>,
    reports: Vec<Report>,
    mac: [u8; 6],
    /// A neighbour that need not be asked for.
    known: Option<[u8; 6]>,
    told: Option<i64>,
    /// Microseconds: time does not go back.
    last: i64,
    starved: bool,
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses = self.interface.ip_addrs();
        f.debug_struct("Stack").field("addresses", &addresses).finish_non_exhaustive()
    }
}

impl Stack {
    /// A host with these addresses. `gateway` is the address on the link of the next hop, which is not asked for if
    /// there is no [`Attachment::router`]. From `seed` come TCP's initial sequence numbers.
    ///
    /// # Errors
    /// A sentence: addresses that no host can have.
    pub fn new(
        ip: Ipv4Addr,
        mac: [u8; 6],
        gateway: Option<[u8; 6]>,
        attachment: Attachment,
        seed: u64,
    ) -> Result<Self, String> {
        let Attachment { prefix, router, mtu } = attachment;
        if prefix > 32 {
            return Err(format!("a prefix of {prefix} bits is longer than an address"));
        }
        if !(576..=9_000).contains(&mtu) {
            return Err(format!("an MTU of {mtu} is not within 576 and 9,000 bytes"));
        }
        let unicast = |ip: &Ipv4Addr| {
            !(ip.is_broadcast() || ip.is_multicast() || ip.is_unspecified() || ip.is_loopback())
        };
        if let Some(wrong) = [Some(ip), router].into_iter().flatten().find(|ip| !unicast(ip)) {
            return Err(format!("{wrong} is not the address of one host"));
        }
        if mac[0] & 1 != 0 || mac == [0; 6] {
            return Err("its address on the link is not that of one host".to_owned());
        }
        let mut device = Device::new(mtu);
        let mut config = Config::new(HardwareAddress::Ethernet(EthernetAddress(mac)));
        config.random_seed = seed;
        let mut interface = Interface::new(config, &mut device, Instant::ZERO);
        let own = Ipv4Cidr::new(ip, prefix);
        if router.is_some_and(|router| !own.contains_addr(&router) || router == ip) {
            return Err(format!("its gateway is not another host of its network {own}"));
        }
        let known = gateway.filter(|_| router.is_none());
        let beside = known.map(|_| Ipv4Cidr::new(NEXT_HOP[0], 30));
        let addresses = [Some(own), beside].into_iter().flatten();
        interface.update_ip_addrs(|list| list.extend(addresses.map(IpCidr::Ipv4)));
        if let Some(hop) = router.or(known.map(|_| NEXT_HOP[1])) {
            // The table has room for two, and is empty.
            let _ = interface.routes_mut().add_default_ipv4_route(hop);
        }
        Ok(Self {
            interface,
            sockets: SocketSet::new(Vec::new()),
            device,
            applications: Vec::new(),
            expected: Lookup::default(),
            reports: Vec::new(),
            mac,
            known,
            told: None,
            last: 0,
            starved: false,
        })
    }

    /// A frame has come; it is looked at with the next [`poll`](Self::poll).
    pub fn receive(&mut self, frame: Vec<u8>) {
        self.device.put(frame);
    }

    /// Lets the stack and its applications do what is to be done. `local` is the host's clock, `now` is true time,
    /// and the link takes `room` bytes of what sockets send: each sends a packet in turn until there is none left, so
    /// the last turn may be too much, and so may answers.
    pub fn poll(&mut self, now: Time, local: Time, room: u64) {
        let instant = self.instant(local);
        if let Some(mac) = self.known
            && self.told.is_none_or(|told| self.last - told >= REMEMBERED)
        {
            self.told = Some(self.last);
            self.device.put(self.reply(mac));
        }
        self.device.room = room;
        let Self { interface, device, sockets, .. } = self;
        interface.poll_maintenance(instant);
        while interface.poll_ingress_single(instant, device, sockets)
            != PollIngressSingleResult::None
        {}
        loop {
            self.starved = self.device.room == 0;
            let sent = !self.starved
                && self.interface.poll_egress(instant, &mut self.device, &mut self.sockets)
                    != PollResult::None;
            let worked = self.work(now);
            if !sent && !worked || self.starved {
                break;
            }
        }
    }

    /// Frames that leave now, in order, without FCS.
    pub fn frames(&mut self) -> Vec<Vec<u8>> {
        self.device.take()
    }

    /// What there is to tell since the last time.
    pub fn reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    /// Sockets have not been asked whether they have more to send, as the link had enough.
    pub fn starved(&self) -> bool {
        self.starved
    }

    /// By the host's clock, when it wants to be polled next; after `local`.
    pub fn wakes(&mut self, local: Time) -> Option<Time> {
        let instant = self.instant(local);
        let next = self.interface.poll_at(instant, &self.sockets)?;
        match next > instant {
            true => Some((next.total_micros() as Time).saturating_mul(MICROSECOND)),
            // It has just been polled: what it wants to do is not possible.
            false => Some(local.saturating_add(RETRY)),
        }
    }

    fn instant(&mut self, local: Time) -> Instant {
        self.last = self.last.max(i64::try_from(local / MICROSECOND).unwrap_or(i64::MAX));
        Instant::from_micros(self.last)
    }

    /// An ARP reply (RFC 826) that tells this stack the address of its next hop, as if it had asked.
    fn reply(&self, from: [u8; 6]) -> Vec<u8> {
        let mut frame = Vec::with_capacity(42);
        frame.extend(self.mac);
        frame.extend(from);
        frame.extend([0x08, 0x06, 0, 1, 0x08, 0, 6, 4, 0, 2]);
        frame.extend(from);
        frame.extend(NEXT_HOP[1].octets());
        frame.extend(self.mac);
        frame.extend(NEXT_HOP[0].octets());
        frame
    }
}
