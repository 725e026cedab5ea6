//! `ww_inbound` beside `classify`: every frame is counted once and for the same reason, and what is kept is the same.

use super::frames::{OWN_IP, OWN_MAC, any, good};
use std::collections::{BTreeMap, VecDeque};
use ww_rtl::bench::{Bench, Top};
use ww_rtl::layout::Layouts;
use ww_rtl::library;
use ww_tcp::engine::counters::Drop;
use ww_tcp::engine::inbound::{Inbound, classify};
use ww_tcp::random::Random;

/// A message that has left, with its kind.
#[derive(Debug, PartialEq)]
struct Message {
    kind: u64,
    source: u32,
    marked: bool,
    header: Vec<u8>,
    bytes: Vec<u8>,
}

struct Device {
    bench: Bench,
    layouts: Layouts,
    /// What has happened to frames: the kind of an accepted one, or the reason why it was dropped.
    events: Vec<Result<u64, u64>>,
    messages: Vec<Message>,
    heads: VecDeque<Message>,
    partial: Vec<u8>,
}

impl Device {
    fn new(depth: u64) -> Self {
        let mut bench =
            Bench::new(&Top::of("ww_inbound").with("DEPTH", depth)).expect("Verilator is there");
        let types = library::block("ww_inbound_types").expect("the package is in rtl/");
        let layouts = Layouts::read(types.text).unwrap();
        let mac = OWN_MAC.0.iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
        bench.set("own_mac", mac);
        bench.set("own_ip", u64::from(OWN_IP.to_bits()));
        bench.reset(2).unwrap();
        let (events, messages) = (Vec::new(), Vec::new());
        Self { bench, layouts, events, messages, heads: VecDeque::new(), partial: Vec::new() }
    }

    /// One clock; takes what leaves if `takes`.
    fn clock(&mut self, takes: bool) {
        self.bench.set("m_head_ready", u64::from(takes));
        self.bench.settle().unwrap();
        if takes && self.bench.is("m_head_valid") {
            let field = |path: &str| self.layouts.field("head_t", path).unwrap();
            let get = |path: &str| self.bench.field("m_head", field(path));
            let bytes = (0..64).map(|at| self.bench.field("m_head", 8 * at..8 * at + 8) as u8);
            let header = if get("kind") == 0 { 28 } else { 4 * get("words") as usize };
            let message = Message {
                kind: get("kind"),
                source: get("source") as u32,
                marked: get("marked") != 0,
                header: bytes.take(header).collect(),
                bytes: vec![0; get("length") as usize],
            };
            self.heads.push_back(message);
        }
        // A message is taken behind its head.
        self.take_arp();
        let takes = takes && !self.heads.is_empty();
        self.bench.set("m_axis_tready", u64::from(takes));
        self.bench.settle().unwrap();
        if takes && self.bench.is("m_axis_tvalid") {
            let keep = self.bench.get("m_axis_tkeep");
            let count = keep.trailing_ones() as usize;
            assert_eq!(u128::from(keep), (1u128 << count) - 1, "tkeep has no holes");
            let beat = self.bench.bytes("m_axis_tdata")[..count].to_vec();
            self.partial.extend(beat);
            if self.bench.is("m_axis_tlast") {
                let mut message = self.heads.pop_front().expect("a head comes before its message");
                assert_eq!(message.bytes.len(), self.partial.len(), "the head's length");
                message.bytes = std::mem::take(&mut self.partial);
                self.messages.push(message);
            }
        }
        self.bench.edge().unwrap();
        self.bench.settle().unwrap();
        if self.bench.is("event_accepted") {
            self.events.push(Ok(self.bench.get("event_kind")));
        }
        if self.bench.is("event_dropped") {
            self.events.push(Err(self.bench.get("event_reason")));
        }
    }

    /// Sends a frame, with gaps once in `gaps` clocks.
    fn send(&mut self, frame: &[u8], bad: bool, gaps: u64, takes: u64, random: &mut Random) {
        let count = frame.len().div_ceil(64);
        for (place, beat) in frame.chunks(64).enumerate() {
            while gaps > 0 && random.once_in(gaps) {
                self.bench.set("s_axis_tvalid", 0);
                self.clock(takes > 0 && !random.once_in(takes));
            }
            let last = place + 1 == count;
            let mut data = [0xa5; 64];
            data[..beat.len()].copy_from_slice(beat);
            self.bench.set_bytes("s_axis_tdata", 0, &data);
            let keep = if beat.len() == 64 { u64::MAX } else { (1 << beat.len()) - 1 };
            self.bench.set("s_axis_tkeep", keep);
            self.bench.set("s_axis_tlast", u64::from(last));
            self.bench.set("s_axis_tuser", u64::from(bad && last));
            self.bench.set("s_axis_tvalid", 1);
            self.clock(takes > 0 && !random.once_in(takes));
        }
        self.bench.set("s_axis_tvalid", 0);
    }

    /// ARP has a head and no message.
    fn take_arp(&mut self) {
        while self.heads.front().is_some_and(|head| head.kind == 0) {
            self.messages.extend(self.heads.pop_front());
        }
    }

    fn drain(&mut self) {
        (0..1_100).for_each(|_| self.clock(true));
        self.take_arp();
    }
}

/// What the model makes of a frame.
fn expected(frame: &[u8], bad: bool) -> (Result<u64, u64>, Option<Message>) {
    if bad {
        return (Err(Drop::Frame as u64), None);
    }
    let header = || {
        let end = (14 + usize::from(frame[14] & 15) * 4).min(frame.len());
        frame[14..end].to_vec()
    };
    let source = || u32::from_be_bytes(frame[26..30].try_into().unwrap());
    let marked = || frame[15] & 3 == 3;
    let length = || {
        let total = usize::from(u16::from_be_bytes([frame[16], frame[17]]));
        frame[14 + usize::from(frame[14] & 15) * 4..14 + total].to_vec()
    };
    match classify(frame, OWN_MAC, OWN_IP) {
        Err(reason) => (Err(reason as u64), None),
        Ok(Inbound::Arp(_)) => {
            let header = frame[14..42].to_vec();
            (Ok(0), Some(Message { kind: 0, source: 0, marked: false, header, bytes: Vec::new() }))
        }
        Ok(other) => {
            let (kind, bytes) = match other {
                Inbound::Echo(_, message) => (1, message.to_vec()),
                Inbound::Udp(datagram) => (2, length()[..8 + datagram.data.len()].to_vec()),
                _ => (3, length()),
            };
            let message =
                Message { kind, source: source(), marked: marked(), header: header(), bytes };
            (Ok(kind), Some(message))
        }
    }
}

fn compare(device: &mut Device, frames: &[(Vec<u8>, bool)]) -> BTreeMap<Result<u64, u64>, u32> {
    let mut seen = BTreeMap::new();
    let mut messages = Vec::new();
    for (place, (frame, bad)) in frames.iter().enumerate() {
        let (event, message) = expected(frame, *bad);
        assert_eq!(device.events.get(place), Some(&event), "frame {place}: {frame:02x?}");
        *seen.entry(event).or_default() += 1;
        messages.extend(message);
    }
    assert_eq!(device.events.len(), frames.len());
    let got: Vec<Message> = std::mem::take(&mut device.messages);
    assert_eq!(got.len(), messages.len());
    for (place, (mut got, expected)) in got.into_iter().zip(&messages).enumerate() {
        if got.kind == 0 {
            // ARP's message is all that there is of it.
            (got.source, got.marked, got.bytes) = (0, false, Vec::new());
        }
        assert_eq!(got, *expected, "message {place}");
    }
    assert!(device.heads.is_empty() && device.partial.is_empty());
    device.events.clear();
    seen
}

fn run(first: u64, seeds: u64, count: usize) {
    let mut device = Device::new(1024);
    let mut seen: BTreeMap<Result<u64, u64>, u32> = BTreeMap::new();
    for seed in first..first + seeds {
        let mut random = Random(seed);
        let (gaps, takes) = (random.pick(&[0, 3, 10]), random.pick(&[4, 1_000_000]));
        let mut frames = Vec::new();
        for _ in 0..count {
            let frame = any(&mut random);
            let bad = random.once_in(30);
            device.send(&frame, bad, gaps, takes, &mut random);
            if random.once_in(4) {
                device.drain();
            }
            frames.push((frame, bad));
        }
        device.drain();
        for (event, times) in compare(&mut device, &frames) {
            *seen.entry(event).or_default() += times;
        }
    }
    // Four kinds, and all reasons but that there is no room.
    assert_eq!(seen.len(), 4 + 13, "{seen:?}");
}

#[test]
fn frames_are_what_the_model_takes_them_for() {
    run(0, 20, 150);
}

#[test]
#[ignore = "long: fresh seeds"]
fn many_frames_are_what_the_model_takes_them_for() {
    run(crate::fresh::first_seed(), 300, 150);
}

#[test]
fn lengths_of_options_and_data_leave_the_message_whole() {
    use super::frames::{ethernet, ipv4, tcp};
    let mut device = Device::new(1024);
    let mut random = Random(7);
    let peer = std::net::SocketAddrV4::new(std::net::Ipv4Addr::new(10, 1, 2, 9), 5);
    for options in 0..=10 {
        let mut frames = Vec::new();
        for length in (0..200).chain([1_460, 8_960]) {
            let data = random.bytes(length);
            let message = tcp(peer, 80, 16, &[], &data);
            let packet = ipv4(*peer.ip(), 6, options, 0, &message);
            if packet.len() <= 9_000 {
                frames.push((ethernet(&mut random, OWN_MAC, 0x0800, &packet), false));
            }
        }
        for (frame, bad) in &frames {
            device.send(frame, *bad, 0, 1_000_000, &mut random);
        }
        device.drain();
        compare(&mut device, &frames);
    }
}

/// Frames follow each other without a gap, and none is lost while somebody takes what leaves; their events come two
/// clocks after their last beats.
#[test]
fn a_beat_a_clock() {
    let mut device = Device::new(1024);
    let mut random = Random(3);
    let frames: Vec<(Vec<u8>, bool)> = (0..200).map(|_| (good(&mut random), false)).collect();
    let beats: usize = frames.iter().map(|(frame, _)| frame.len().div_ceil(64)).sum();
    let mut clocks = 0;
    for (frame, bad) in &frames {
        device.send(frame, *bad, 0, u64::MAX, &mut random);
        clocks += frame.len().div_ceil(64);
    }
    assert_eq!(clocks, beats);
    (0..3).for_each(|_| device.clock(true));
    assert_eq!(device.events.len(), frames.len(), "three clocks after the last beat all is known");
    device.drain();
    compare(&mut device, &frames);
}

/// Nobody takes what leaves: frames are dropped whole and counted, and the rest is as it was sent.
#[test]
fn what_finds_no_room_is_dropped_whole() {
    let mut device = Device::new(256);
    let mut random = Random(11);
    let frames: Vec<Vec<u8>> = (0..120).map(|_| good(&mut random)).collect();
    for frame in &frames {
        device.send(frame, false, 0, 0, &mut random);
    }
    device.drain();
    let no_room = Err(Drop::NoRoom as u64);
    let dropped = device.events.iter().filter(|event| **event == no_room).count();
    assert!(dropped > 20 && dropped < 119, "{dropped} of 120 found no room");
    let kept: Vec<(Vec<u8>, bool)> = frames
        .iter()
        .zip(&device.events)
        .filter(|(_, event)| **event != no_room)
        .map(|(frame, _)| (frame.clone(), false))
        .collect();
    device.events.retain(|event| *event != no_room);
    compare(&mut device, &kept);
}
