//! Two hosts in hardware and the line between them, clock by clock; and one beside a peer, with frames that are impaired.

use ww_rtl::toe::pair::run;
use ww_tcp::pair::{Impairments, Memory, Outcome, Peer, Plan, Scheme};
use ww_tcp::settings::Behaviour;

/// Sessions of the build, which `ww tcp host` has too.
const BUILT: u32 = 64;

fn plan(scheme: Scheme, segment: u16) -> Plan {
    Plan {
        peer: Peer::Rtl,
        scheme,
        memory: Memory::Ddr4,
        segment,
        sessions: 1,
        bytes: None,
        cycles: 5_000,
        rtt: 0,
        impairments: Impairments::default(),
        seed: 1,
        receive: false,
        tcp: Behaviour { window_scale: Some(8), ..Behaviour::default() },
    }
}

fn figures(plan: &Plan) -> Outcome {
    let outcome = run(plan, BUILT).expect("Verilator is there");
    assert!(outcome.whole, "{}", outcome.figures);
    outcome
}

/// Of 100(s + 54)/(s + 78) Gb/s, which the wire carries, the share that leaves.
fn share(segment: u16) -> f64 {
    let figures = figures(&plan(Scheme::Wire, segment)).figures;
    let s = f64::from(segment);
    figures["frame_gbps"].as_f64().expect("it sends") / (100.0 * (s + 54.0) / (s + 78.0))
}

/// Check 31: published with MACs are 391 and 459 clocks.
#[test]
fn a_handshake_and_a_segment_take_so_many_clocks() {
    for (scheme, setup, segment) in [(Scheme::Wire, 80, 72), (Scheme::Stream, 66, 43)] {
        let figures = figures(&plan(scheme, 1_460)).figures;
        assert_eq!(
            (figures["setup_cycles"].as_u64(), figures["segment_cycles"].as_u64()),
            (Some(setup), Some(segment))
        );
    }
}

/// The shortest ones come every 3.92 clocks, and each is a write, a departure and half of an acknowledgement.
#[test]
fn segments_fill_the_wire() {
    for segment in [74, 1_460, 8_960] {
        let share = share(segment);
        assert!((0.999..=1.0005).contains(&share), "{segment}: {share}");
    }
    for segment in [1_024, 1_460, 8_960] {
        for (memory, least) in [(Memory::Ddr4, 120.0), (Memory::Uram, 160.0)] {
            let figures = figures(&Plan { memory, ..plan(Scheme::Stream, segment) }).figures;
            assert!(figures["frame_gbps"].as_f64() > Some(least), "{figures}");
        }
    }
}

/// The memory has 125 Gb/s: what is sent goes there once, for retransmission, and what comes in order not at all.
#[test]
fn a_byte_crosses_the_memory_once() {
    for (segment, rtt) in [(1_460, 0), (8_960, 0), (1_460, 50_000)] {
        let figures = figures(&Plan { rtt, ..plan(Scheme::Wire, segment) }).figures;
        let rows = |end: &str, what: &str| figures["memory_rows"][end][what].as_u64();
        assert_eq!(rows("sender", "read"), Some(0), "{figures}");
        assert_eq!(rows("receiver", "read"), Some(0), "{figures}");
        assert_eq!(rows("receiver", "written"), Some(0), "{figures}");
        let delivered = figures["delivered_bytes"].as_u64().expect("it sends");
        let written = rows("sender", "written").expect("it is there") * 64;
        assert!(written > 100_000, "{figures}");
        // What is under way was written too.
        let under_way = rtt * 100 / 8 + 300_000;
        assert!(written < delivered + delivered / 10 + under_way, "{figures}");
    }
}

#[test]
#[ignore = "long: all sizes up to 140, then each 64th and its neighbours"]
fn segments_of_all_sizes_fill_the_wire() {
    let sizes = (192..=8_960).step_by(64).flat_map(|size| [size - 1, size, size + 1]);
    for segment in (74..=140).chain(sizes).filter(|size| *size <= 8_960) {
        let share = share(segment);
        assert!((0.999..=1.0005).contains(&share), "{segment}: {share}");
    }
}

/// Several connections, both directions: what comes is what was sent, and they close.
#[test]
fn streams_come_whole() {
    for (receive, rtt) in [(false, 0), (true, 20_000)] {
        let plan =
            Plan { sessions: 3, bytes: Some(50_001), receive, rtt, ..plan(Scheme::Wire, 1_460) };
        let figures = figures(&plan).figures;
        assert_eq!(figures["delivered_bytes"].as_u64(), Some(150_003));
        assert_eq!(figures["wrong_bytes"].as_u64(), Some(0));
    }
}

/// A line on which a frame takes longer than a test may: time in which nothing happens is not simulated.
#[test]
fn idle_time_is_passed_over() {
    let plan = Plan { bytes: Some(20_000), rtt: 200_000_000, ..plan(Scheme::Wire, 1_460) };
    let figures = figures(&plan).figures;
    assert_eq!(figures["delivered_bytes"].as_u64(), Some(20_000));
    assert!(figures["seconds"].as_f64() > Some(0.6), "{figures}");
    // The handshake goes there and back, and ten segments are the first window.
    // 100 ms each way are 32,226,562 whole clocks.
    assert_eq!(figures["setup_cycles"].as_u64(), Some(80 + 2 * 32_226_562));
    assert_eq!(figures["retransmitted"].as_u64(), Some(0));
}

/// Each of many sessions opens, delivers and closes, although more comes at a time than the receiver has room for.
fn many_sessions(built: u32, bytes: u64) {
    let tcp = Behaviour { window_scale: Some(1), ..Behaviour::default() };
    let sessions = built as usize;
    let plan = Plan { sessions, bytes: Some(bytes), tcp, ..plan(Scheme::Wire, 1_460) };
    let outcome = run(&plan, built).expect("Verilator is there");
    assert!(outcome.whole, "{}", outcome.figures);
    assert_eq!(outcome.figures["delivered_bytes"].as_u64(), Some(bytes * u64::from(built)));
    assert_eq!(outcome.figures["wrong_bytes"].as_u64(), Some(0));
}

#[test]
#[ignore = "long: another build"]
fn a_thousand_sessions_deliver() {
    many_sessions(1_024, 3_000);
}

#[test]
#[ignore = "long: another build"]
fn ten_thousand_sessions_deliver() {
    many_sessions(10_000, 1_460);
}

/// Check 32: thirty connections, all four impairments, both directions.
fn streams_are_whole(peer: Peer, bytes: u64, seed: u64) {
    let impairments = "loss=1%,reorder=1%,duplicate=1%,damage=0.5%".parse().expect("a list");
    for receive in [false, true] {
        let plan = Plan {
            peer,
            receive,
            sessions: 30,
            bytes: Some(bytes),
            impairments,
            seed,
            ..plan(Scheme::Wire, 1_460)
        };
        let outcome = run(&plan, BUILT).expect("Verilator is there");
        assert!(outcome.whole, "{peer:?}, receive {receive}, seed {seed}: {}", outcome.figures);
    }
}

#[test]
fn impaired_streams_come_whole_to_software_and_to_hardware() {
    streams_are_whole(Peer::Smoltcp, 20_000, 1);
    streams_are_whole(Peer::Model, 20_000, 2);
    streams_are_whole(Peer::Rtl, 20_000, 3);
}

#[test]
#[ignore = "long: 32 fresh seeds"]
fn impaired_streams_come_whole_for_32_fresh_seeds() {
    let first = crate::fresh::first_seed();
    (first..first + 32).for_each(|seed| streams_are_whole(Peer::Smoltcp, 50_000, seed));
}
