//! Clocks: arbitrary datagrams for keepers of PTP and NTP, and arbitrary messages for devices of DTP. What is read is written again as it was;
//! a counter only grows, by no more than beacons may move it unless two JOINs agree.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::net::Ipv4Addr;
use ww_clocks::keeper::{Incoming, Keeper};
use ww_clocks::ntp::client::Client;
use ww_clocks::ntp::server::Server;
use ww_clocks::ptp::master::Master;
use ww_clocks::ptp::message::{self, Body, Message};
use ww_clocks::ptp::slave::{Settings, Slave};
use ww_clocks::servo::Stamps;
use ww_clocks::time::Time;
use ww_dtp::device::Device;
use ww_dtp::message::Message as Told;
use ww_dtp::port::Config;

const PEER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);

fuzz_target!(|data: &[u8]| {
    packets(data);
    blocks(data);
});

fn packets(data: &[u8]) {
    let settings = Settings {
        clock: [1; 8],
        domain: 0,
        master: PEER,
        sync_interval: 0.125,
        delay_interval: 0.01,
        stamps: Stamps::Hardware,
        free_running: false,
    };
    let mut keepers: [Box<dyn Keeper>; 4] = [
        Box::new(Slave::new(settings)),
        Box::new(Master::new([2; 8], 0, vec![PEER], 0.125)),
        Box::new(Client::new(PEER, 0.5, Stamps::Software)),
        Box::new(Server::default()),
    ];
    let mut stamp = Time(0);
    let mut rest = data;
    // A datagram: which port, how much later, its length, its bytes.
    while let [port, later, length, behind @ ..] = rest {
        let (payload, behind) = behind.split_at(behind.len().min(usize::from(*length)));
        rest = behind;
        stamp = stamp + Time::of_nanoseconds(i128::from(*later) << (port >> 2));
        let port = [319, 320, 123][usize::from(port % 3)];
        if let Some(found) = Message::parse(payload)
            && !matches!(found.body, Body::Announce | Body::DelayRequest)
        {
            assert_eq!(Message::parse(&found.emit()), Some(found));
        }
        let mut corrected = payload.to_vec();
        message::add_correction(&mut corrected, Time(i128::from(*later) << 60));
        for keeper in &mut keepers {
            let mut out = Vec::new();
            keeper.receive(Incoming { from: PEER, port, payload, stamp });
            keeper.poll(stamp, &mut out);
            for tag in out.iter().filter_map(|outgoing| outgoing.tag) {
                keeper.departed(tag, stamp);
            }
            if let Some(told) = keeper.adjustment() {
                assert!(told.frequency.abs() <= 900_000.0);
            }
        }
    }
}

fn blocks(data: &[u8]) {
    let mut device = Device::new(2, Config::new(200));
    let mut tick = 0u64;
    device.link_up(0);
    device.link_up(1);
    for eight in data.as_chunks::<8>().0 {
        let word = u64::from_le_bytes(*eight);
        let (port, later) = (usize::from(eight[7] >> 7), u64::from(eight[7] & 0x7f));
        tick += 1 + later * later;
        for port in [0, 1] {
            if device.wants(port, tick).is_some_and(|wanted| wanted <= tick) {
                device.slot(port, tick);
            }
        }
        let before = device.counter(tick);
        let message = Told::of_bits(word & ((1 << 56) - 1));
        if let Some(message) = message {
            device.receive(port, message, tick);
        }
        let moved = device.counter(tick).ahead_of(before);
        let most = if matches!(message, Some(Told::Join(_))) { i128::MAX } else { 8 };
        assert!((0..=most).contains(&moved), "{message:?} moved the counter by {moved}");
    }
}
