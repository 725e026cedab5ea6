//! Arbitrary frames, calls and times for a TCP/IP host with an open connection: it counts each frame once, stops
//! sending at some time, and keeps snd_una <= snd_nxt <= written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::checksum::{internet_checksum, pseudo_header_v4};
use ww_packet::ethernet::MacAddress;
use ww_tcp::engine::Engine;
use ww_tcp::settings::{Behaviour, Ecn, KeepAlive, Settings};

const OURS: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const PEER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const MAC: MacAddress = MacAddress([2, 0, 0, 0, 0, 2]);

/// Makes the checksums of an IPv4 packet right, so that what is behind them is reached.
fn repair(frame: &mut [u8], port: u16, numbers: [u32; 2]) {
    if frame.len() < 54 {
        return;
    }
    frame[..6].copy_from_slice(&MAC.0);
    frame[12..14].copy_from_slice(&[8, 0]);
    frame[14] = 0x45;
    let total = (frame.len() - 14) as u16;
    frame[16..18].copy_from_slice(&total.to_be_bytes());
    frame[20..22].fill(0);
    frame[23] = 6;
    frame[24..26].fill(0);
    frame[26..30].copy_from_slice(&PEER.octets());
    frame[30..34].copy_from_slice(&OURS.octets());
    let checksum = internet_checksum(&frame[14..34]);
    frame[24..26].copy_from_slice(&checksum.to_be_bytes());
    frame[34..36].copy_from_slice(&80u16.to_be_bytes());
    frame[36..38].copy_from_slice(&port.to_be_bytes());
    // Numbers are taken as distances from the true ones.
    for (at, truth) in [(38, numbers[0]), (42, numbers[1])] {
        let offset = i32::from(i16::from_be_bytes([frame[at], frame[at + 1]]));
        let number = truth.wrapping_add(offset as u32);
        frame[at..at + 4].copy_from_slice(&number.to_be_bytes());
    }
    frame[50..52].fill(0);
    let mut sum = pseudo_header_v4(PEER, OURS, 6, total - 20);
    let checksum = sum.add(&frame[34..]).checksum();
    frame[50..52].copy_from_slice(&checksum.to_be_bytes());
}

fuzz_target!(|data: &[u8]| {
    let Some((&mode, mut data)) = data.split_first() else { return };
    let tcp = Behaviour {
        window_scale: (mode & 1 != 0).then_some(mode >> 4 & 3),
        timestamps: mode & 2 != 0,
        sack: mode & 4 != 0,
        ecn: if mode & 8 != 0 { Ecn::Request } else { Ecn::Off },
        keep_alive: (mode & 64 != 0).then(KeepAlive::default),
        ..Behaviour::default()
    };
    let tcp = if mode & 128 != 0 { tcp.published() } else { tcp };
    let mut engine = Engine::new(Settings {
        mac: MAC,
        ip: OURS,
        prefix: 24,
        gateway: None,
        sessions: 4,
        backlog: 2,
        seed: 1,
        scan: false,
        tcp,
    });
    engine.learn(PEER, MacAddress([2, 0, 0, 0, 0, 1]), 0);
    engine.listen(81);
    let Ok(id) = engine.connect(SocketAddrV4::new(PEER, 80), Some(1_000), 0) else { return };
    let (mut now, mut frame) = (0u64, Vec::new());
    while let Some((&act, rest)) = data.split_first() {
        let length = usize::from(act >> 2).min(rest.len());
        let (mine, rest) = rest.split_at(length);
        data = rest;
        match act & 3 {
            0 => engine.receive(mine, now),
            1 => {
                let numbers = engine.session(id).map_or([0, 0], |session| {
                    [session.expected().0, session.send_positions()[1].0]
                });
                let mut bytes = mine.to_vec();
                repair(&mut bytes, 1_000, numbers);
                engine.receive(&bytes, now);
            }
            2 => {
                now += mine.iter().fold(1, |time, byte| (time << 3) | u64::from(*byte)) & 0xff_ffff_ffff;
                engine.tick(now);
            }
            _ => {
                engine.write(id, mine, now);
                engine.with(id, now, |session| session.consume(session.readable()));
                if length == 1 {
                    engine.close(id, now);
                }
            }
        }
        let mut sent = 0;
        while engine.transmit(&mut frame, now) {
            sent += 1;
            assert!(sent < 10_000, "it never stops sending");
        }
        while engine.notification().is_some() {}
        for (_, session) in engine.sessions() {
            let [acknowledged, next, written] = session.send_positions();
            assert!(!acknowledged.after(next) && !next.after(written));
        }
    }
    let counters = engine.counters();
    let counted = counters.accepted.iter().sum::<u64>() + counters.dropped.iter().sum::<u64>();
    assert_eq!(counters.frames_in, counted);
});
