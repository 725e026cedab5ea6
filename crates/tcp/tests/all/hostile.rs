//! Whatever comes, no panic, the counts add up, and snd_una <= snd_nxt <= written (spec 2.18, S43).

use crate::sessions::{exchange, hosts};
use proptest::prelude::*;
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::tcp::flags::{ACK, FIN, PSH, RST, SYN};
use ww_tcp::engine::Engine;
use ww_tcp::engine::outbound::{Ends, Header, finish, segment};
use ww_tcp::options::{Block, Options, Timestamps};
use ww_tcp::sequence::Sequence;
use ww_tcp::settings::MICROSECOND;

/// What is done to a host with one open session.
#[derive(Clone, Debug)]
enum Act {
    /// A segment of the peer: offsets of its number and acknowledgement from the true ones, flags, window, data, a
    /// SACK block's offset and length, a timestamp.
    Segment(i32, i32, u8, u16, usize, Option<(i32, u16)>, Option<u32>),
    /// Bytes that are no frame of ours.
    Bytes(Vec<u8>),
    Write(usize),
    Read,
    Close,
    /// Time passes, in microseconds.
    Wait(u32),
}

fn flags() -> impl Strategy<Value = u8> {
    prop_oneof![
        6 => Just(ACK),
        3 => Just(ACK | PSH),
        1 => Just(ACK | FIN),
        1 => Just(RST),
        1 => Just(SYN),
        1 => Just(SYN | ACK),
        1 => any::<u8>(),
    ]
}

/// Mostly near the true number, sometimes anywhere.
fn offset() -> impl Strategy<Value = i32> {
    prop_oneof![6 => Just(0), 4 => -3_000..3_000i32, 1 => any::<i32>()]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => (
            offset(),
            prop_oneof![4 => 0..20_000i32, 1 => any::<i32>()],
            flags(),
            prop_oneof![2 => Just(0xffffu16), 1 => Just(0), 1 => any::<u16>()],
            0..1_460usize,
            prop::option::of((0..20_000i32, any::<u16>())),
            prop::option::of(any::<u32>()),
        )
            .prop_map(|(a, b, c, d, e, f, g)| Act::Segment(a, b, c, d, e, f, g)),
        1 => prop::collection::vec(any::<u8>(), 0..200).prop_map(Act::Bytes),
        3 => (1..20_000usize).prop_map(Act::Write),
        2 => Just(Act::Read),
        1 => Just(Act::Close),
        3 => (1..2_000_000u32).prop_map(Act::Wait),
    ]
}

fn check(host: &Engine) {
    for (_, session) in host.sessions() {
        let [acknowledged, next, written] = session.send_positions();
        assert!(
            !acknowledged.after(next) && !next.after(written),
            "{acknowledged} {next} {written}"
        );
    }
    let counters = host.counters();
    let sum = counters.accepted.iter().sum::<u64>() + counters.dropped.iter().sum::<u64>();
    assert_eq!(counters.frames_in, sum);
    assert!(counters.closed <= counters.opened);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_segment_does_harm(acts in prop::collection::vec(act(), 1..80)) {
        let mut hosts = hosts(4, 2);
        hosts[0].listen(80);
        let server = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 80);
        let id = hosts[1].connect(server, None, 0).unwrap();
        exchange(&mut hosts, 0);
        // The client's session is attacked; what it sends goes nowhere.
        let (port, truth) = {
            let session = hosts[1].session(id).unwrap();
            (session.own_port, (session.expected(), session.send_positions()[0]))
        };
        let host = &mut hosts[1];
        let (mut now, mut frame, mut received) = (1_000, Vec::new(), 0u32);
        for act in acts {
            match act {
                Act::Segment(sequence, acknowledgement, flags, window, length, sack, stamp) => {
                    let mut options = Options::default();
                    let at = |offset: i32| Sequence(truth.1.0.wrapping_add(offset as u32));
                    if let Some((start, length)) = sack {
                        let block = Block { start: at(start), end: at(start) + u32::from(length) };
                        options.sack.push(block);
                    }
                    options.timestamps = stamp.map(|value| Timestamps { value, echo: 0 });
                    let header = Header {
                        ports: (80, port),
                        sequence: Sequence((truth.0 + received).0.wrapping_add(sequence as u32)),
                        acknowledgement: at(acknowledgement),
                        flags,
                        window,
                        options,
                        ecn: 0,
                    };
                    let ends = Ends {
                        source: Ipv4Addr::new(10, 0, 0, 1),
                        destination: Ipv4Addr::new(10, 0, 0, 2),
                    };
                    let mut bytes = Vec::new();
                    segment(ends, &header, length, |out| out.resize(out.len() + length, 1), &mut bytes);
                    let macs = [1, 2].map(|last| ww_packet::ethernet::MacAddress([2, 0, 0, 0, 0, last]));
                    finish(&mut bytes, macs[0], macs[1]);
                    host.receive(&bytes, now);
                    if let Some(session) = host.session(id) {
                        received = session.expected() - truth.0;
                    }
                }
                Act::Bytes(bytes) => host.receive(&bytes, now),
                Act::Write(length) => {
                    host.write(id, &vec![0; length], now);
                }
                Act::Read => {
                    host.with(id, now, |session| session.consume(session.readable()));
                }
                Act::Close => host.close(id, now),
                Act::Wait(time) => {
                    now += u64::from(time) * MICROSECOND;
                    host.tick(now);
                }
            }
            let mut sent = 0;
            while host.transmit(&mut frame, now) {
                sent += 1;
                prop_assert!(sent < 1_000, "it never stops sending");
            }
            while host.notification().is_some() {}
            check(host);
        }
    }
}
