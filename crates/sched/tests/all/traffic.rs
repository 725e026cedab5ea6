//! The traffic manager on its own: exact times, shares, limits, marks.

use std::collections::BTreeMap;
use ww_dataplane::queues::Refused;
use ww_dataplane::traffic::{Arrival, Departure, TrafficManager};
use ww_dataplane::{Picoseconds, PortId};
use ww_sched::policy_file::Plan;
use ww_sched::traffic::Manager;

/// A UDP datagram of so many bytes to a port, with the field of differentiated services.
fn frame(bytes: usize, to: u16, field: u8) -> Vec<u8> {
    let mut frame = [&[2; 12][..], &[8, 0, 0x45, field, 0, 28, 0, 1, 0, 0, 64, 17, 0, 0]].concat();
    frame.extend([10, 0, 0, 1, 10, 0, 0, 2, 3, 232]);
    frame.extend(to.to_be_bytes());
    frame.extend([0, 8, 0, 0]);
    frame.resize(bytes, 0);
    frame
}

fn manager(text: &str) -> Manager {
    Plan::parse(text).unwrap_or_else(|error| panic!("{error}")).traffic_manager()
}

fn join(manager: &mut Manager, now: Picoseconds, packet: u64, port: PortId, frame: &[u8]) -> bool {
    manager.enqueue(now, Arrival { packet, port, queue: 0, frame, extra: 0 }).is_ok()
}

/// All that leave by `until`, each with the length of its frame.
fn drain(manager: &mut Manager, until: Picoseconds, length: u32) -> Vec<Departure> {
    let mut list = Vec::new();
    while let Some(departure) = manager.dequeue(until) {
        manager.sent(&departure, length);
        list.push(departure);
    }
    list
}

const ONE: &str =
    "rate = \"1 Gb/s\"\n[root]\npolicy = \"fifo\"\n[[root.children]]\nname = \"all\"\n";

/// 1 Gb/s is 8 ns a byte; with 24 bytes on the line, 1,000 bytes take 8,192 ns.
#[test]
fn departures_have_exact_times() {
    let mut manager = manager(ONE);
    let mut list = Vec::new();
    for (n, at) in [0, 1_000_000, 2_000_000, 100_000_000].into_iter().enumerate() {
        // Whoever drives it lets everything leave that is due before a packet comes.
        list.extend(drain(&mut manager, at, 1000));
        assert!(join(&mut manager, at, n as u64, 5, &frame(1000, 7, 0)));
    }
    assert_eq!(manager.next_event(), Some(100_000_000));
    list.extend(drain(&mut manager, 200_000_000, 1000));
    let times: Vec<_> = list.iter().map(|d| (d.packet, d.enqueued_at, d.dequeued_at)).collect();
    let wanted = [
        (0, 0, 0),
        (1, 1_000_000, 8_192_000),
        (2, 2_000_000, 16_384_000),
        (3, 100_000_000, 100_000_000),
    ];
    assert_eq!(times, wanted);
    let depths: Vec<_> = list.iter().map(|d| (d.depth_at_enqueue, d.depth_at_dequeue)).collect();
    assert_eq!(depths, [(0, 0), (0, 1), (1, 0), (0, 0)]);
    assert_eq!(manager.next_event(), None);
}

/// The line is taken by what egress makes of a packet, and not at all by one that it drops.
#[test]
fn the_line_carries_what_leaves() {
    let mut manager = manager(ONE);
    for n in 0..3 {
        assert!(join(&mut manager, 0, n, 1, &frame(1000, 7, 0)));
    }
    let first = manager.dequeue(0).expect("one waits");
    manager.sent(&first, 226);
    assert_eq!(manager.next_event(), Some(2_000_000), "250 bytes of 8 ns");
    let second = manager.dequeue(2_000_000).expect("the line is free");
    manager.sent(&second, 0);
    assert_eq!(manager.next_event(), Some(2_000_000));
    assert!(manager.dequeue(1_999_999).is_none());
    assert_eq!(manager.dequeue(9_000_000).map(|d| d.dequeued_at), Some(2_000_000));
}

#[test]
fn ports_have_rates_and_lines_of_their_own() {
    let mut manager =
        manager(&format!("{ONE}[traffic]\noverhead = 0\n[traffic.ports]\n2 = \"2 Gb/s\"\n"));
    for n in 0..4 {
        assert!(join(&mut manager, 0, n, 1 + n as PortId % 2, &frame(125, 7, 0)));
    }
    let list = drain(&mut manager, 10_000_000, 125);
    let times: Vec<_> = list.iter().map(|d| (d.port, d.dequeued_at)).collect();
    assert_eq!(times, [(1, 0), (2, 0), (2, 500_000), (1, 1_000_000)]);
}

const CLASSES: &str = r#"
    rate = "1 Gb/s"
    [root]
    policy = "strict"
    [[root.children]]
    name = "voice"
    priority = 0
    [[root.children]]
    name = "data"
    priority = 1
    policy = "drr"
    [[root.children.children]]
    name = "web"
    quantum = 3000
    [[root.children.children]]
    name = "rest"
    quantum = 1500
    [traffic]
    default = "data/rest"
    [[traffic.classes]]
    flow = "voice"
    dscp = 46
    [[traffic.classes]]
    flow = "data/web"
    protocol = "udp"
    destination_port = "80-81"
"#;

/// Voice waits for at most one packet that is on the line; web gets twice what the rest gets.
#[test]
fn classes_and_a_hierarchy() {
    let mut manager = manager(CLASSES);
    let line = 8_192_000;
    let mut kinds = BTreeMap::new();
    for n in 0..900u64 {
        let (to, kind) = if n % 2 == 0 { (80, "web") } else { (9, "rest") };
        kinds.insert(n, kind);
        assert!(join(&mut manager, 0, n, 0, &frame(1000, to, 0)));
    }
    let mut sent: BTreeMap<&str, u32> = BTreeMap::new();
    let mut next_voice = 10_000_000;
    let mut voice = Vec::new();
    for step in 0..600u64 {
        if step * line > next_voice {
            let name = 10_000 + step;
            assert!(join(&mut manager, next_voice, name, 0, &frame(1000, 80, 46 << 2)));
            voice.push(next_voice);
            next_voice += 100_000_000;
        }
        let departure = manager.dequeue(step * line).expect("the line never rests");
        manager.sent(&departure, 1000);
        if departure.packet >= 10_000 {
            let waited = departure.dequeued_at - voice.remove(0);
            assert!(waited <= line, "{waited}");
        } else {
            *sent.entry(kinds[&departure.packet]).or_default() += 1;
        }
    }
    let (web, rest) = (f64::from(sent["web"]), f64::from(sent["rest"]));
    assert!((web / rest - 2.0).abs() < 0.05, "{sent:?}");
}

/// With alpha 1, a queue alone gets half of the buffer, and a second one half of what it leaves.
#[test]
fn a_shared_buffer_with_dynamic_thresholds() {
    let mut manager = manager(&format!("{ONE}[traffic.buffer]\nbytes = 100_000\nalpha = 1.0\n"));
    let fill = |manager: &mut Manager, port, first| {
        (0..200u64).filter(|n| join(manager, 0, first + n, port, &frame(1000, 7, 0))).count()
    };
    assert_eq!(fill(&mut manager, 1, 0), 50);
    assert_eq!(fill(&mut manager, 2, 1000), 25);
    assert_eq!(fill(&mut manager, 1, 2000), 0, "its threshold has sunk below its length");
    let reports = manager.statistics().ports;
    let dropped = |n: usize| reports[n].1.flows[0].1.dropped[&Refused::Buffer];
    assert_eq!((dropped(0), dropped(1)), (350, 175));
    // Memory comes back.
    assert_eq!(drain(&mut manager, u64::MAX, 1000).len(), 75);
    assert_eq!(fill(&mut manager, 3, 3000), 50);
}

/// What has left makes room: the limit is of what waits.
#[test]
fn a_limit_of_bytes_is_of_what_waits() {
    let mut manager = manager(&format!("{ONE}[traffic.queue]\nbytes = 3000\n"));
    for round in 0..3 {
        let at = round * 1_000_000_000;
        let joined =
            (0..5).filter(|n| join(&mut manager, at, 5 * round + n, 0, &frame(1000, 7, 0)));
        assert_eq!(joined.count(), 3, "round {round}");
        assert_eq!(drain(&mut manager, at + 900_000_000, 1000).len(), 3);
    }
}

/// A port has limits of its own, and the others those of all.
#[test]
fn a_port_may_have_other_limits() {
    let text =
        "[traffic.queue]\nbytes = 3000\n[traffic.port_queue.2]\nbytes = 5000\nmark_above = 2500\n";
    let mut manager = manager(&format!("{ONE}{text}"));
    for (port, room) in [(1, 3), (2, 5), (3, 3)] {
        let name = u64::from(port) * 100;
        let joined = (0..8).filter(|n| join(&mut manager, 0, name + n, port, &frame(1000, 7, 1)));
        assert_eq!(joined.count(), room, "port {port}");
    }
    let marked = drain(&mut manager, u64::MAX, 1000).into_iter().filter(|d| d.congestion);
    // The third makes 3,000 bytes.
    assert_eq!(marked.map(|d| d.packet).collect::<Vec<_>>(), [202, 203, 204]);
}

/// The average of RED falls with the time in which the queue is empty, not with the time of day. With a weight of
/// 1/2, queues of 0 to 5 packets of 1,000 bytes make averages of 0, 500, 1,250, 2,125, 3,062 and 4,031; a packet
/// right behind them finds 2,015.
#[test]
fn red_average_decays() {
    let red = "red = { minimum = 1000, maximum = 2000, probability = 1.0, weight = 1, ecn = true }";
    let mut manager = manager(&format!("{ONE}[traffic.queue]\n{red}\n"));
    let second = 1_000_000_000_000;
    let joined: Vec<bool> =
        (0..6).map(|n| join(&mut manager, second, n, 0, &frame(1000, 7, 1))).collect();
    assert_eq!(joined, [true, true, true, true, true, false]);
    // Five packets of 8.192 us begin within 32.768 us.
    let now = second + 33_000_000;
    let marked: Vec<bool> = drain(&mut manager, now, 1000).iter().map(|d| d.congestion).collect();
    assert_eq!((marked[0], marked[1], marked[3], marked[4]), (false, false, true, true));
    for (packet, now, wanted) in [(6, now, true), (7, 2 * second, false)] {
        assert!(join(&mut manager, now, packet, 0, &frame(1000, 7, 1)));
        let left = drain(&mut manager, now + 100_000_000, 1000);
        assert_eq!((left.len(), left[0].congestion), (1, wanted), "packet {packet}");
    }
}

#[test]
fn marks_above_a_step() {
    let mut manager = manager(&format!("{ONE}[traffic.queue]\npackets = 6\nmark_above = 2999\n"));
    let joined: Vec<bool> =
        (0..8).map(|n| join(&mut manager, 0, n, 0, &frame(1000, 7, u8::from(n != 3)))).collect();
    assert_eq!(joined, [true, true, true, true, true, true, false, false]);
    let marked: Vec<bool> =
        drain(&mut manager, u64::MAX, 1000).iter().map(|d| d.congestion).collect();
    // The third makes 3,000 bytes; the fourth does not understand ECN.
    assert_eq!(marked, [false, false, true, false, true, true]);
}

/// A flow's packets stay in one of the queues of a fair node, and flows get equal shares.
#[test]
fn flows_are_spread_by_their_hash() {
    let text = r#"
        rate = "1 Gb/s"
        [root]
        policy = "drr"
        [[root.children]]
        name = "flow"
        count = 64
        [traffic]
        default = "flow"
    "#;
    let mut manager = manager(text);
    for n in 0..1000u64 {
        // One flow sends nine of ten packets.
        let to = if n % 10 == 0 { 2000 } else { 1000 };
        assert!(join(&mut manager, 0, n, 0, &frame(1000, to, 0)));
    }
    let first: Vec<u64> = drain(&mut manager, 200 * 8_192_000 - 1, 1000)
        .iter()
        .map(|departure| departure.packet % 10)
        .collect();
    let light = first.iter().filter(|n| **n == 0).count();
    assert_eq!((first.len(), light), (200, 100), "all of the light flow are through");
}

#[test]
fn invalid_traffic_settings_are_refused() {
    let error = |extra: &str| match Plan::parse(&format!("{ONE}{extra}")) {
        Ok(_) => panic!("{extra} was taken"),
        Err(error) => error.to_string(),
    };
    for (extra, words) in [
        ("[traffic]\ndefault = \"al\"\n", "there is no flow \"al\"; did you mean 'all'?"),
        ("[traffic]\nspeed = 3\n", "unknown key 'speed'"),
        ("[traffic.ports]\nx = \"1 Gb/s\"\n", "7:1: expected the number of a port, found \"x\""),
        (
            "[traffic.port_queue.x]\nbytes = 1000\n",
            "6:21: expected the number of a port, found \"x\"",
        ),
        ("[traffic.ports]\n1 = \"1 Gx/s\"\n", "expected a rate"),
        (
            "[[traffic.classes]]\nflow = \"all\"\ndscp = 64\n",
            "8:8: 'dscp': expected 0 to 63, found 64",
        ),
        (
            "[[traffic.classes]]\nflow = \"all\"\nsource = \"10.0.0.0/33\"\n",
            "expected an address or a prefix",
        ),
        ("[[traffic.classes]]\nflow = \"all\"\nprotocol = \"tpc\"\n", "not \"tpc\""),
        (
            "[[traffic.classes]]\nflow = \"all\"\nsource_port = \"9-3\"\n",
            "expected a port or ports",
        ),
        (
            "[traffic.queue]\nmark_above = 1\nred = { minimum = 1, maximum = 2, probability = 0.1 }\n",
            "not both",
        ),
        (
            "[traffic.queue]\nred = { minimum = 2, maximum = 2, probability = 0.1 }\n",
            "'maximum' must be more",
        ),
        (
            "[traffic.queue]\nred = { minimum = 1, maximum = 2, probability = 1.1 }\n",
            "'probability' must be",
        ),
        ("[traffic.buffer]\nbytes = 1\nalpha = 0.001\n", "'alpha' must be 1/256 to 256"),
    ] {
        let found = error(extra);
        assert!(found.contains(words), "{extra}: {found}");
    }
}
