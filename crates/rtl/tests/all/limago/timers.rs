//! Timers of a host that is busy.

use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::ethernet::MacAddress;
use ww_rtl::toe::HardwareHost;
use ww_rtl::toe::equal::SHAPE;
use ww_rtl::toe::exchange::{Call, Inputs};
use ww_tcp::settings::{Behaviour, SECOND, Settings};

/// A SYN goes out again when its time has come, although the application calls without a pause.
#[test]
fn timers_are_served_while_calls_never_cease() {
    let mac = MacAddress([2, 0, 0, 0, 0, 1]);
    let peer = Ipv4Addr::new(10, 0, 0, 2);
    let settings = Settings {
        mac,
        ip: Ipv4Addr::new(10, 0, 0, 1),
        prefix: 24,
        gateway: None,
        sessions: 8,
        backlog: 8,
        seed: 1,
        scan: false,
        tcp: Behaviour { window_scale: Some(3), ..Behaviour::default() },
    };
    let mut host = HardwareHost::new(SHAPE, settings).expect("Verilator is there");
    host.learn(peer, MacAddress([2, 0, 0, 0, 0, 2]), 0).unwrap();
    let open = |host: &mut HardwareHost, port| {
        host.connect(SocketAddrV4::new(peer, port), None, 0).unwrap().unwrap()
    };
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
