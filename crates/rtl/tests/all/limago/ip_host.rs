//! `ww_ip_host` beside the model's host: the same frames in, the same frames out, the same datagrams for who listens.

use super::frames::{OWN_IP, OWN_MAC, any, arp, ethernet, good};
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::checksum::update_u32;
use ww_packet::ethernet::MacAddress;
use ww_rtl::bench::{Bench, Top};
use ww_tcp::engine::Engine;
use ww_tcp::engine::inbound::{Inbound, classify};
use ww_tcp::random::Random;
use ww_tcp::settings::{Behaviour, Settings};

const LISTENING: u16 = 7;
const GATEWAY: Ipv4Addr = Ipv4Addr::new(10, 1, 2, 1);

/// The host twice, at one time.
struct Twin {
    bench: Bench,
    model: Engine,
    now: u64,
    counts: [u64; 4],
    dropped: [u64; 14],
    unresolved: u64,
    /// What has left: frames, and messages for who serves them, and what has come of the next ones.
    frames: Vec<Vec<u8>>,
    messages: Vec<Vec<u8>>,
    partial: [Vec<u8>; 2],
    silent: usize,
}

impl Twin {
    fn new(gateway: bool) -> Self {
        let mut bench = Bench::new(&Top::of("ww_ip_host")).expect("Verilator is there");
        let mac = OWN_MAC.0.iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
        bench.set("own_mac", mac);
        bench.set("own_ip", u64::from(OWN_IP.to_bits()));
        bench.set("prefix", 24);
        bench.set("gateway_on", u64::from(gateway));
        bench.set("gateway", u64::from(GATEWAY.to_bits()));
        bench.set_field("udp_ports", 16..32, u64::from(LISTENING));
        bench.set("tx_axis_tready", 1);
        bench.set("m_axis_tready", 1);
        bench.reset(2).unwrap();
        let mut model = Engine::new(Settings {
            mac: OWN_MAC,
            ip: OWN_IP,
            prefix: 24,
            gateway: gateway.then_some(GATEWAY),
            sessions: 1,
            backlog: 1,
            seed: 1,
            scan: false,
            tcp: Behaviour::default(),
        });
        model.bind_datagrams(LISTENING);
        Self {
            bench,
            model,
            now: 0,
            counts: [0; 4],
            dropped: [0; 14],
            unresolved: 0,
            frames: Vec::new(),
            messages: Vec::new(),
            partial: Default::default(),
            silent: 0,
        }
    }

    /// Runs until it is silent, for longer than `beats` take; frames that leave, and messages for who serves them.
    fn settle(&mut self, beats: usize, random: &mut Random) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let stops = random.once_in(2);
        self.silent = 0;
        while self.silent < 20 + 2 * beats {
            self.bench.set("tx_axis_tready", u64::from(!(stops && random.once_in(3))));
            self.bench.settle().unwrap();
            self.edge();
        }
        self.bench.set("tx_axis_tready", 1);
        self.bench.settle().unwrap();
        assert!(self.partial.iter().all(Vec::is_empty));
        (std::mem::take(&mut self.frames), std::mem::take(&mut self.messages))
    }

    /// Takes the beat that leaves in this clock, if one does; a whole packet, if it was the last one.
    fn collect(&mut self, port: &str, which: usize) -> Option<Vec<u8>> {
        if !self.bench.is(format!("{port}_tvalid")) || !self.bench.is(format!("{port}_tready")) {
            return None;
        }
        self.silent = 0;
        let keep = self.bench.get(format!("{port}_tkeep"));
        let count = keep.trailing_ones() as usize;
        let last = self.bench.is(format!("{port}_tlast"));
        assert!(count == 64 || last, "only the last beat is partial");
        self.partial[which].extend(&self.bench.bytes(format!("{port}_tdata"))[..count]);
        last.then(|| std::mem::take(&mut self.partial[which]))
    }

    fn edge(&mut self) {
        self.silent += 1;
        let frame = self.collect("tx_axis", 0);
        self.frames.extend(frame);
        let message = self.collect("m_axis", 1);
        self.messages.extend(message);
        self.bench.edge().unwrap();
        self.bench.settle().unwrap();
        if self.bench.is("event_accepted") {
            self.counts[self.bench.get("event_kind") as usize] += 1;
        }
        if self.bench.is("event_dropped") {
            self.dropped[self.bench.get("event_reason") as usize] += 1;
        }
        self.unresolved += self.bench.get("event_unresolved");
    }

    fn put(&mut self, port: &str, bytes: &[u8]) {
        let count = bytes.len().div_ceil(64);
        for (place, beat) in bytes.chunks(64).enumerate() {
            self.bench.set_bytes(format!("{port}_tdata"), 0, beat);
            let keep = if beat.len() == 64 { u64::MAX } else { (1 << beat.len()) - 1 };
            self.bench.set(format!("{port}_tkeep"), keep);
            self.bench.set(format!("{port}_tlast"), u64::from(place + 1 == count));
            self.bench.set(format!("{port}_tvalid"), 1);
            self.bench.settle().unwrap();
            while port == "s_axis" && !self.bench.is("s_axis_tready") {
                self.edge();
            }
            self.edge();
        }
        self.bench.set(format!("{port}_tvalid"), 0);
        self.bench.settle().unwrap();
    }

    /// Frames that the model sends now.
    fn expected(&mut self) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        let mut frame = Vec::new();
        while self.model.transmit(&mut frame, self.now) {
            frames.push(frame.clone());
        }
        frames
    }

    fn compare_counters(&self) {
        let counters = self.model.counters();
        assert_eq!(self.counts, counters.accepted);
        assert_eq!(self.dropped, counters.dropped);
        assert_eq!(self.unresolved, counters.unresolved);
    }

    fn frame(&mut self, frame: &[u8], random: &mut Random) -> usize {
        self.bench.set("now", self.now);
        self.put("rx_axis", frame);
        let (frames, messages) = self.settle(frame.len() / 64, random);
        self.model.receive(frame, self.now);
        let expected = self.expected();
        assert_eq!(parted(frames), parted(expected.clone()), "to {frame:02x?}");
        let datagrams: Vec<Vec<u8>> =
            std::iter::from_fn(|| self.model.datagram()).map(|datagram| datagram.data).collect();
        let got: Vec<Vec<u8>> = messages.iter().map(|message| message[8..].to_vec()).collect();
        assert_eq!(got, datagrams);
        expected.len()
    }
}

/// ARP's frames and the others: each in its order. In hardware a question overtakes the packet that is waiting.
fn parted(frames: Vec<Vec<u8>>) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    frames.into_iter().partition(|frame| frame[12..14] == [8, 6])
}

#[test]
fn frames_are_answered_as_the_model_does() {
    let (mut answers, mut sent) = (0, 0);
    for seed in 0..12 {
        let mut random = Random(seed);
        let mut twin = Twin::new(random.once_in(2));
        for number in 0..250 {
            twin.now += random.pick(&[0, 1_000, 1_000_000_000, 30_000_000_000]);
            // Some peers are known.
            if random.once_in(3) {
                let ip = Ipv4Addr::new(10, 1, 2, random.bits() as u8 & 63);
                let mac = MacAddress([2, 0, 0, 0, 1, random.bits() as u8]);
                let message = arp(1 + random.below(2) as u16, (mac, ip), OWN_IP);
                let frame = ethernet(&mut random, OWN_MAC, 0x0806, &message);
                twin.frame(&frame, &mut random);
            }
            let mut frame = if random.once_in(3) { any(&mut random) } else { good(&mut random) };
            if frame.len() > 40 && frame[12..14] == [8, 0] {
                // Few peers, so that some are known; sometimes one in another network.
                let host = if random.once_in(6) {
                    [10, 9, 9, 9]
                } else {
                    [10, 1, 2, random.bits() as u8 & 63]
                };
                readdress(&mut frame, host);
            }
            if matches!(classify(&frame, OWN_MAC, OWN_IP), Ok(Inbound::Tcp(..))) {
                continue;
            }
            answers += twin.frame(&frame, &mut random);
            if number % 10 == 0 {
                twin.compare_counters();
            }
            if random.once_in(4) {
                sent += send(&mut twin, &mut random);
            }
        }
        twin.compare_counters();
    }
    assert!(answers > 300 && sent > 50, "{answers} answers, {sent} sent");
}

/// Another source; the checksums of the header and of UDP follow.
fn readdress(frame: &mut [u8], source: [u8; 4]) {
    let old = u32::from_be_bytes([frame[26], frame[27], frame[28], frame[29]]);
    let new = u32::from_be_bytes(source);
    let (header, length) = (usize::from(frame[14] & 15) * 4, frame.len());
    let message = match frame[23] {
        6 => Some(14 + header + 16),
        17 => Some(14 + header + 6),
        _ => None,
    };
    for at in [Some(24), message].into_iter().flatten().filter(|at| at + 2 <= length) {
        let checksum = u16::from_be_bytes([frame[at], frame[at + 1]]);
        // UDP without a checksum stays without one.
        if checksum != 0 {
            let fixed = update_u32(checksum, old, new);
            frame[at..at + 2].copy_from_slice(&fixed.to_be_bytes());
        }
    }
    frame[26..30].copy_from_slice(&source);
}

/// A datagram leaves: the packet goes through, in the frame that the model makes of it.
fn send(twin: &mut Twin, random: &mut Random) -> usize {
    // Not our own address.
    let host = 4 + (random.bits() as u8 & 31);
    let ip =
        if random.once_in(5) { Ipv4Addr::new(10, 9, 9, 9) } else { Ipv4Addr::new(10, 1, 2, host) };
    let peer = SocketAddrV4::new(ip, 9);
    let count = random.pick(&[0, 1, 17, 22, 23, 30, 100, 1_400, 8_900]);
    let data = random.bytes(count);
    twin.model.send_datagram(LISTENING, peer, &data);
    let expected = twin.expected();
    // The packet alone, from a host that knows the way.
    let message = {
        let mut scratch = Engine::new(Settings { prefix: 0, ..*twin.model.settings() });
        scratch.learn(ip, MacAddress([2; 6]), 0);
        scratch.send_datagram(LISTENING, peer, &data);
        let mut frame = Vec::new();
        assert!(scratch.transmit(&mut frame, 0));
        let total = usize::from(u16::from_be_bytes([frame[16], frame[17]]));
        frame[14..14 + total].to_vec()
    };
    twin.bench.set("now", twin.now);
    twin.put("s_axis", &message);
    let (frames, _) = twin.settle(message.len() / 64, random);
    assert_eq!(parted(frames), parted(expected.clone()));
    expected.len()
}

/// Sizes at which the header fits in the last beat, or not, and below which there is padding; each frame begins right
/// behind the one in front of it.
#[test]
fn frames_leave_without_a_gap() {
    let mut random = Random(5);
    let mut twin = Twin::new(false);
    let peer = (MacAddress([2, 0, 0, 0, 0, 9]), Ipv4Addr::new(10, 1, 2, 9));
    let frame = ethernet(&mut random, OWN_MAC, 0x0806, &arp(2, peer, OWN_IP));
    twin.frame(&frame, &mut random);
    twin.bench.set("tx_axis_tready", 1);
    for length in [28, 46, 50, 51, 64, 100, 114, 115, 1_500] {
        let mut packet = vec![0x45; length];
        packet[16..20].copy_from_slice(&peer.1.octets());
        let packets = 20;
        let beats = (length + 14).max(60).div_ceil(64);
        let (mut offered, mut at) = (0, 0);
        let (mut first, mut last, mut count) = (None, 0, 0);
        for clock in 0..10_000 {
            let begin = at * 64;
            let offers = offered < packets;
            if offers {
                let beat = &packet[begin..length.min(begin + 64)];
                twin.bench.set_bytes("s_axis_tdata", 0, beat);
                let keep = if beat.len() == 64 { u64::MAX } else { (1 << beat.len()) - 1 };
                twin.bench.set("s_axis_tkeep", keep);
                twin.bench.set("s_axis_tlast", u64::from(begin + 64 >= length));
            }
            twin.bench.set("s_axis_tvalid", u64::from(offers));
            twin.bench.settle().unwrap();
            if offers && twin.bench.is("s_axis_tready") {
                at += 1;
                if begin + 64 >= length {
                    (offered, at) = (offered + 1, 0);
                }
            }
            if twin.bench.is("tx_axis_tvalid") {
                first.get_or_insert(clock);
                (last, count) = (clock, count + 1);
            }
            twin.edge();
            if count == packets * beats {
                break;
            }
        }
        let clocks = last - first.expect("frames leave") + 1;
        assert_eq!(clocks, packets * beats, "packets of {length} bytes");
    }
}
