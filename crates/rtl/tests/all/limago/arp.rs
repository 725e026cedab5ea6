//! `ww_arp` beside the table of the model: the same answers, questions and replies, at the same times.

use super::frames::{OWN_IP, OWN_MAC, arp};
use std::net::Ipv4Addr;
use ww_packet::arp::{Operation, Repr};
use ww_packet::ethernet::MacAddress;
use ww_rtl::bench::{Bench, Top};
use ww_tcp::engine::neighbours::{FRESH, Neighbours};
use ww_tcp::engine::outbound::arp_frame;
use ww_tcp::random::Random;

/// Both, at one time.
struct Twin {
    bench: Bench,
    model: Neighbours,
    now: u64,
    /// Frames that the model would send.
    expected: Vec<Vec<u8>>,
}

fn question(target: Ipv4Addr) -> Vec<u8> {
    let repr = Repr {
        operation: Operation::Request,
        sender_mac: OWN_MAC,
        sender_ip: OWN_IP,
        target_mac: MacAddress([0; 6]),
        target_ip: target,
    };
    let mut frame = Vec::new();
    arp_frame(&repr, &mut frame);
    frame
}

fn number(mac: MacAddress) -> u64 {
    mac.0.iter().fold(0, |all, &byte| all << 8 | u64::from(byte))
}

impl Twin {
    fn new(prefix: u8, scan: bool) -> Self {
        let mut bench = Bench::new(&Top::of("ww_arp")).expect("Verilator is there");
        bench.set("own_mac", number(OWN_MAC));
        bench.set("own_ip", u64::from(OWN_IP.to_bits()));
        bench.set("prefix", u64::from(prefix));
        bench.set("scan", u64::from(scan));
        bench.set("m_axis_tready", 1);
        bench.reset(2).unwrap();
        let expected = if scan { vec![question(OWN_IP)] } else { Vec::new() };
        let model = Neighbours::new(OWN_IP, prefix, scan);
        Self { bench, model, now: 0, expected }
    }

    /// Runs the hardware until it is silent, and compares what it sends.
    fn settle(&mut self) {
        self.settle_but(None);
    }

    /// The same, with the frame of a reply that comes after the questions.
    fn settle_but(&mut self, reply: Option<Vec<u8>>) {
        while let Some(target) = self.model.next_question(self.now) {
            self.expected.push(question(target));
        }
        self.expected.extend(reply);
        let mut frames = Vec::new();
        let mut silent = 0;
        self.bench.set("now", self.now);
        while silent < 6 {
            self.bench.settle().unwrap();
            silent += 1;
            if self.bench.is("m_axis_tvalid") {
                assert_eq!(self.bench.get("m_axis_tkeep"), (1 << 60) - 1);
                frames.push(self.bench.bytes("m_axis_tdata")[..60].to_vec());
                silent = 0;
            }
            self.bench.edge().unwrap();
            self.bench.set("message_valid", 0);
            self.bench.set("learn_valid", 0);
            self.bench.set("lookup_valid", 0);
        }
        assert_eq!(frames, self.expected, "at {}", self.now);
        self.expected.clear();
    }

    fn tell(&mut self, operation: u16, sender: (MacAddress, Ipv4Addr), target: Ipv4Addr) {
        let message = arp(operation, sender, target);
        self.bench.set_bytes("message", 0, &message);
        self.bench.set("message_valid", 1);
        let (mac, ip) = sender;
        // The rules of `Engine::receive_arp`, once more.
        let mut reply = None;
        if operation == 2 {
            self.model.learn(ip, mac, self.now);
        } else if target == OWN_IP {
            self.model.learn(ip, mac, self.now);
            let repr = Repr {
                operation: Operation::Reply,
                sender_mac: OWN_MAC,
                sender_ip: OWN_IP,
                target_mac: mac,
                target_ip: ip,
            };
            let mut frame = Vec::new();
            arp_frame(&repr, &mut frame);
            reply = Some(frame);
        } else if ip == target && self.model.knows(ip, self.now) {
            self.model.learn(ip, mac, self.now);
        }
        self.settle_but(reply);
    }

    fn look_up(&mut self, ip: Ipv4Addr) -> Option<MacAddress> {
        let expected = self.model.resolve(ip, self.now);
        self.bench.set("now", self.now);
        self.bench.set("lookup_ip", u64::from(ip.to_bits()));
        self.bench.set("lookup_valid", 1);
        self.bench.cycle().unwrap();
        self.bench.set("lookup_valid", 0);
        self.bench.cycle().unwrap();
        assert!(self.bench.is("result_valid"), "two clocks later");
        let got = self.bench.is("result_hit").then(|| self.bench.get("result_mac"));
        assert_eq!(got, expected.map(number), "{ip} at {}", self.now);
        self.settle();
        expected
    }
}

#[test]
fn answers_questions_and_replies_are_those_of_the_model() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..20 {
        let mut random = Random(seed);
        let mut twin = Twin::new(random.pick(&[8, 16, 24, 24]), random.once_in(3));
        twin.settle();
        for _ in 0..400 {
            let last = random.pick(&[1, 2, 3, 7, 255]);
            let ip = Ipv4Addr::new(10, 1, random.pick(&[2, 2, 3]), last);
            let ip =
                if random.once_in(30) { random.pick(&[OWN_IP, Ipv4Addr::UNSPECIFIED]) } else { ip };
            let mac = MacAddress([random.pick(&[2, 2, 2, 3]), 0, 0, 0, 1, random.bits() as u8]);
            let target = random.pick(&[OWN_IP, OWN_IP, ip, Ipv4Addr::new(10, 1, 2, 77)]);
            match random.below(8) {
                0..3 => twin.tell(1 + random.below(2) as u16, (mac, ip), target),
                3 => {
                    twin.now += random.pick(&[1, 1_000, 1_000_000_000, FRESH / 2, FRESH, 2 * FRESH])
                }
                _ => match twin.look_up(ip) {
                    Some(_) => hits += 1,
                    None => misses += 1,
                },
            }
            twin.settle();
        }
    }
    assert!(hits > 500 && misses > 500, "{hits} hits, {misses} misses");
}

#[test]
fn the_scan_asks_for_every_address_once() {
    for prefix in [8, 23, 24, 25, 30, 31, 32] {
        let mut twin = Twin::new(prefix, true);
        let mut asked = 0;
        loop {
            twin.settle();
            asked += 1;
            assert_eq!(twin.bench.is("scans"), twin.model.scans(), "/{prefix}");
            let Some(wakes) = twin.model.wakes() else { break };
            assert_eq!(twin.bench.get("scan_at"), wakes);
            twin.now = twin.now.max(wakes);
        }
        assert!(asked >= 1);
    }
}

#[test]
fn a_lookup_a_clock() {
    let mut twin = Twin::new(24, false);
    let macs = [MacAddress([2, 0, 0, 0, 0, 7]), MacAddress([2, 0, 0, 0, 0, 8])];
    for (last, mac) in [(7, macs[0]), (8, macs[1])] {
        twin.tell(2, (mac, Ipv4Addr::new(10, 1, 2, last)), OWN_IP);
    }
    let mut got = Vec::new();
    for clock in 0..20u32 {
        let ip = Ipv4Addr::new(10, 1, 2, 7 + (clock % 2) as u8);
        twin.bench.set("lookup_ip", u64::from(ip.to_bits()));
        twin.bench.set("lookup_valid", 1);
        twin.bench.cycle().unwrap();
        if twin.bench.is("result_valid") {
            got.push(twin.bench.get("result_mac"));
        }
    }
    assert_eq!(got.len(), 19);
    assert!(got.iter().zip([7, 8].iter().cycle()).all(|(mac, last)| mac & 0xff == *last));
}
