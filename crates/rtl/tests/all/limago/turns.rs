//! Turns of the engine that follow each other without a pause.

use super::frames::{OWN_IP, OWN_MAC, ethernet, ipv4, tcp_from};
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::ethernet::MacAddress;
use ww_packet::protocol::ip;
use ww_phy::lbus::Beat;
use ww_rtl::toe::HardwareHost;
use ww_rtl::toe::equal::SHAPE;
use ww_rtl::toe::exchange::{Call, Inputs};
use ww_tcp::engine::SessionId;
use ww_tcp::random::Random;
use ww_tcp::settings::{Behaviour, SECOND, Settings};

const PEER: Ipv4Addr = Ipv4Addr::new(10, 1, 2, 9);

fn host() -> HardwareHost {
    let settings = Settings {
        mac: OWN_MAC,
        ip: OWN_IP,
        prefix: 24,
        gateway: None,
        sessions: 8,
        backlog: 8,
        seed: 1,
        scan: false,
        tcp: Behaviour { window_scale: Some(3), ..Behaviour::default() },
    };
    let mut host = HardwareHost::new(SHAPE, settings).expect("Verilator is there");
    host.learn(PEER, MacAddress([2, 0, 0, 0, 0, 9]), 0).unwrap();
    host
}

fn open(host: &mut HardwareHost, port: u16) -> SessionId {
    host.connect(SocketAddrV4::new(PEER, port), None, 0).unwrap().unwrap()
}

/// A SYN goes out again when its time has come, although the application calls without a pause.
#[test]
fn timers_are_served_while_calls_never_cease() {
    let mut host = host();
    let (first, second) = (open(&mut host, 7), open(&mut host, 8));
    let mut frame = Vec::new();
    while host.transmit(&mut frame) {}
    let mut again = 0;
    for clock in 0..400 {
        // Sessions are asked in turn, one right behind the other.
        let id = if clock / 16 % 2 == 0 { first } else { second };
        let inputs = Inputs {
            now: SECOND + 1_000 + clock,
            came: None,
            line_is_ready: true,
            call: Some((Call::Write(id, 0), clock % 16 == 0)),
            write: None,
        };
        let leaves = host.exchange(&inputs).unwrap().leaves;
        again += u32::from(leaves.is_some_and(|beat| beat.last));
    }
    assert_eq!(again, 2, "both SYNs go out again");
}

/// A connection that is reset before its SYN-ACK leaves still stands in the queue of those that send. Its place is given
/// away once.
#[test]
fn a_place_that_is_released_is_not_used_by_the_next_turn() {
    let mut host = host();
    host.listen(80, None).unwrap();
    let peer = SocketAddrV4::new(PEER, 5);
    let mut random = Random(1);
    let mut frames: Vec<Beat> = [(256, 2), (257, 4)]
        .map(|(number, flags)| {
            let message = tcp_from(number, peer, 80, flags, &[], &[]);
            let frame =
                ethernet(&mut random, OWN_MAC, 0x0800, &ipv4(PEER, ip::TCP, 0, 0, &message));
            let mut data = [0; 64];
            data[..frame.len()].copy_from_slice(&frame);
            Beat { data, bytes: frame.len() as u8, last: true, bad: false }
        })
        .to_vec();
    frames.reverse();
    for _ in 0..400 {
        let came = frames.pop();
        let inputs = Inputs {
            now: 1_000,
            came: came.as_ref(),
            line_is_ready: true,
            call: None,
            write: None,
        };
        host.exchange(&inputs).unwrap();
    }
    assert_eq!(host.counters().accepted.iter().sum::<u64>(), 2);
    assert_eq!(host.open_sessions(), 0);
}

/// Rings that share rows of the memory would be wrong without a word.
#[test]
fn buffers_that_the_memory_has_no_room_for_are_refused() {
    let settings = Settings {
        mac: OWN_MAC,
        ip: OWN_IP,
        prefix: 24,
        gateway: None,
        sessions: 8,
        backlog: 8,
        seed: 1,
        scan: false,
        tcp: Behaviour { window_scale: Some(13), ..Behaviour::default() },
    };
    let error = HardwareHost::new(SHAPE, settings).err().expect("8 GiB are too much");
    assert!(error.to_string().contains("64 KiB << 13 for each of 8 sessions"), "{error}");
}
