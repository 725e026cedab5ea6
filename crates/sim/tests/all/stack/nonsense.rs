//! Frames that nobody would send.

use crate::common::{MICROSECOND, MILLISECOND, run, traffic};
use crate::stack::{ATTACHED, Wire, across, capturing, pair, transfer};
use ww_sim::random::Stream;
use ww_sim::stack::{Flow, Settings, Stack};
use ww_sim::topology::host;

/// Puts right the sums of an IPv4 packet with TCP, UDP or ICMP, as far as its lengths allow: behind wrong ones nothing
/// would be looked at. Straight from RFC 1071.
fn repair(frame: &mut [u8]) {
    fn sum(words: &[u8], seed: u32) -> [u8; 2] {
        let mut total = seed;
        for word in words.chunks(2) {
            total += u32::from(word[0]) << 8 | u32::from(*word.get(1).unwrap_or(&0));
        }
        while total >> 16 != 0 {
            total = (total & 0xffff) + (total >> 16);
        }
        (!(total as u16)).to_be_bytes()
    }
    if frame.len() < 34 || frame[12..14] != [8, 0] {
        return;
    }
    let header = usize::from(frame[14] & 15) * 4;
    let end = 14 + usize::from(u16::from_be_bytes([frame[16], frame[17]]));
    if header < 20 || end > frame.len() || 14 + header > end {
        return;
    }
    frame[24..26].fill(0);
    let right = sum(&frame[14..14 + header], 0);
    frame[24..26].copy_from_slice(&right);
    let at = 14 + header;
    let place = match frame[23] {
        6 => 16,
        17 => 6,
        1 => 2,
        _ => return,
    };
    if at + place + 2 > end {
        return;
    }
    frame[at + place..at + place + 2].fill(0);
    let addresses: u32 =
        frame[26..34].chunks(2).map(|word| u32::from(word[0]) << 8 | u32::from(word[1])).sum();
    let pseudo = addresses + u32::from(frame[23]) + (end - at) as u32;
    let right = sum(&frame[at..end], if frame[23] == 1 { 0 } else { pseudo });
    frame[at + place..at + place + 2].copy_from_slice(&right);
}

/// Frames of a transfer with some bytes changed, cut or made longer, most of them with sums that are right; and pure
/// noise. The stack has sockets of all kinds, in all states that come of it.
#[test]
fn stack_survives_arbitrary_frames() {
    let mut network = pair(MICROSECOND);
    network.traffic.push(traffic("file", transfer(0, 1, 20_000, Settings::default()), MILLISECOND));
    let (_, kept) =
        run(network, ww_sim::simulation::Parts::default(), 1, capturing(&[0, 1]), 50 * MILLISECOND);
    let frames: Vec<Vec<u8>> = kept.frames.into_iter().map(|(.., frame)| frame).collect();
    let (own, other) = (host(1), host(0));
    for seed in 0..30 {
        let mut random = Stream::new(seed, 0, 0);
        let gateway = (seed % 2 == 0).then_some(other.mac);
        let mut stack =
            Stack::new(own.ip, own.mac, gateway, ATTACHED, random.bits()).expect("a stack");
        let flow = |serial| Flow { place: 0, serial };
        let settings = Settings::default();
        for port in 0..4 {
            stack.listen(flow(1), (other.ip, 10_001), 5_001 + port, &settings).expect("a socket");
        }
        stack.connect(flow(2), 5_000, (other.ip, 10_001), 5_009, &settings).expect("a socket");
        stack.bind(flow(3), 20_000).expect("a socket");
        stack.expect(flow(3), (other.ip, 10_001), 5_001).expect("a socket");
        stack.open_ping(flow(4), 77).expect("a socket");
        let mut now = 0;
        for number in 0..3_000 {
            let mut frame = frames[random.below(frames.len() as u64) as usize].clone();
            match random.below(8) {
                0 => frame = (0..random.below(100)).map(|_| random.bits() as u8).collect(),
                1 => frame.truncate(random.below(frame.len() as u64 + 1) as usize),
                2 => frame.resize(frame.len() + random.below(100) as usize, 7),
                _ => {}
            }
            for _ in 0..random.below(4) {
                let places = frame.len().min(80) as u64;
                if places > 0 {
                    frame[random.below(places) as usize] = random.bits() as u8;
                }
            }
            if frame.len() >= 24 && random.below(3) == 0 {
                frame[23] = [1, 6, 17, 2][random.below(4) as usize];
            }
            if random.below(8) != 0 && frame.len() >= 6 {
                frame[..6].copy_from_slice(&own.mac);
                repair(&mut frame);
            }
            stack.receive(frame);
            let _ = stack.send(flow(3), number, now, 100, (other.ip, 5_000));
            let _ = stack.ping(flow(4), now, 56, other.ip);
            stack.poll(now, now, 16_000);
            let sent: usize = stack.frames().iter().map(Vec::len).sum();
            assert!(sent < 1 << 20, "{sent}");
            stack.reports();
            let next = stack.wakes(now).unwrap_or(now + MILLISECOND);
            assert!(next > now);
            now = if random.below(4) == 0 { next } else { now + random.below(MICROSECOND * 100) };
        }
    }
}

/// A node between two hosts that breaks every third frame, in all ways: no panic, and what arrives is right.
#[test]
fn corrupted_frames_are_rejected() {
    for seed in 0..10 {
        let mut random = Stream::new(seed, 9, 9);
        let wire = Wire(move |_, frame: &mut Vec<u8>| {
            if random.below(3) == 0 {
                for _ in 0..=random.below(3) {
                    let place = random.below(frame.len() as u64) as usize;
                    frame[place] = random.bits() as u8;
                }
                if random.below(10) == 0 {
                    frame.truncate(random.below(60) as usize);
                }
            }
            true
        });
        let (mut network, parts) = across(MICROSECOND, wire);
        let kind = transfer(1, 2, 20_000, Settings::default());
        network.traffic.push(traffic("file", kind, MILLISECOND));
        let (simulation, _) =
            run(network, parts, seed, ww_sim::measure::Wishes::default(), 100_000 * MILLISECOND);
        assert_eq!(simulation.sums()[0].wrong, 0, "checksums keep it out");
        assert!(simulation.events() < 100_000, "{}", simulation.events());
    }
}
