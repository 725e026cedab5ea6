//! The session processor of `rtl/toe` beside the sessions of `tcp`: the same requests at the same times, and each answer
//! compared whole.

mod connections;
mod network;
mod twin;

use connections::Connections;
use std::net::{Ipv4Addr, SocketAddrV4};
use twin::Seen;
use ww_rtl::toe::{Request, SessionProcessor, Shape};
use ww_tcp::options::Options;
use ww_tcp::sequence::Sequence;
use ww_tcp::session::Segment;
use ww_tcp::session::handshake::Opening;
use ww_tcp::settings::Behaviour;

/// Small, so that records and ranges run out.
const SHAPE: Shape = Shape { sessions: 4, records: 64, ranges: 16, marks: 64 };

/// Runs `count` seeds of `requests` requests each.
fn run(first: u64, count: u64, requests: u32, hostile: bool) {
    let mut seen = Seen::new();
    for seed in first..first + count {
        let mut connections = Connections::new(SHAPE, seed, hostile);
        while connections.requests() < requests {
            connections.step();
        }
        for (what, times) in connections.seen() {
            *seen.entry(what.clone()).or_default() += times;
        }
    }
    let unseen: Vec<&str> = EXPECTED.into_iter().filter(|&what| !seen.contains_key(what)).collect();
    assert!(unseen.is_empty(), "these did not happen: {unseen:?}; these did: {seen:?}");
}

/// What must have happened, or else the seeds say nothing: states, ends, kinds of segments.
const EXPECTED: [&str; 22] = [
    "Closed",
    "SynSent",
    "SynReceived",
    "Established",
    "FinWait1",
    "FinWait2",
    "Closing",
    "TimeWait",
    "CloseWait",
    "LastAck",
    "Reset",
    "TimedOut",
    "Aborted",
    "reset",
    "data",
    "again",
    "blocks",
    "push",
    "congestion echoed",
    "window reduced",
    "probe",
    "window closed",
];

#[test]
fn sessions_answer_as_the_model_does() {
    run(0, 40, 15_000, false);
}

#[test]
fn hostile_segments_are_answered_as_the_model_does() {
    run(100, 40, 15_000, true);
}

#[test]
#[ignore = "long: fresh seeds"]
fn many_seeds_are_answered_as_the_model_does() {
    let first = crate::fresh::first_seed();
    run(first, 150, 20_000, false);
    run(first + 10_000, 150, 20_000, true);
}

/// Clocks are exact: one for what needs no loop, one more for each segment that an acknowledgement passes, three more
/// if another session was in place.
#[test]
fn requests_take_so_many_clocks() {
    let behaviour = Behaviour { delayed_ack: 0, nagle: false, ..Behaviour::default() };
    let mut processor = SessionProcessor::new(SHAPE, &behaviour).expect("Verilator is there");
    let opening = Opening {
        own_port: 80,
        peer: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 5_000),
        first: Sequence(100),
        timestamp_offset: 0,
    };
    let options = Options {
        mss: Some(1_460),
        window_scale: Some(8),
        sack_permitted: true,
        ..Options::default()
    };
    let bytes = [0; 1_460];
    let segment =
        |sequence: u32, acknowledgement: u32, flags: u8, length: usize, options: Options| Segment {
            sequence: Sequence(sequence),
            acknowledgement: Sequence(acknowledgement),
            flags,
            window: 0xffff,
            options,
            payload: &bytes[..length],
            marked: false,
        };
    let none = Options::default();
    let mut clocks = |session: u32, request: Request<'_>| {
        processor.ask(session, request, 1_000).expect("it answers").clocks
    };
    for session in 0..2 {
        let syn = segment(1_000, 0, 2, 0, options);
        assert_eq!(clocks(session, Request::Accept(opening, &syn)), 1, "a new session");
        assert_eq!(clocks(session, Request::Depart), 1, "SYN-ACK");
        assert_eq!(
            clocks(session, Request::Arrive(&segment(1_001, 101, 16, 0, none))),
            1,
            "it opens"
        );
    }
    let mut next = 1_001;
    for _ in 0..8 {
        let data = segment(next, 101, 24, 74, none);
        assert_eq!(clocks(1, Request::Arrive(&data)), 1, "data in order");
        assert_eq!(clocks(1, Request::Depart), 1, "its acknowledgement");
        assert_eq!(clocks(1, Request::Consume(74)), 1, "it is read");
        next += 74;
    }
    for _ in 0..8 {
        assert_eq!(clocks(1, Request::Write(74, true)), 1, "a write");
        assert_eq!(clocks(1, Request::Depart), 1, "new data");
    }
    for passed in [1, 2, 5] {
        let number = 101 + 74 * [1, 3, 8][[1, 2, 5].iter().position(|&n| n == passed).unwrap_or(0)];
        let acknowledgement = segment(next, number, 16, 0, none);
        assert_eq!(clocks(1, Request::Arrive(&acknowledgement)), 1 + passed, "{passed} are passed");
    }
    assert_eq!(clocks(0, Request::Depart), 4, "another session");
    assert_eq!(clocks(0, Request::Depart), 1, "the same one again");
}
