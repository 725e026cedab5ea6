//! How fast: each port a beat every clock, as long as one packet a clock suffices.

use super::{BEAT, Random, TO_ALL, frame, switch, to};
use std::collections::BTreeMap;
use ww_dataplane::control::Control;
use ww_rtl::report::cycles::Meter;
use ww_rtl::report::frames::Template;
use ww_rtl::runner::engine::Rtl;
use ww_rtl::runner::pace::Pace;

const PORTS: usize = 4;
/// Frames of each port in a row.
const FRAMES: usize = 100;

/// The last clocks of the frames that left, by port.
fn ends(engine: &mut Rtl) -> BTreeMap<u32, Vec<u64>> {
    engine.bench().run().expect("it goes on");
    let mut ends = BTreeMap::<u32, Vec<u64>>::new();
    while let Some(frame) = engine.bench().pop() {
        ends.entry(frame.stream).or_default().push(frame.last);
    }
    ends
}

fn without_gaps(clocks: &[u64], beats: usize) -> bool {
    clocks.windows(2).all(|pair| pair[1] - pair[0] == beats as u64)
}

#[test]
fn all_ports_carry_a_beat_every_clock() {
    let (mut engine, _) = switch("steer.p4", &[], PORTS as u32);
    engine.bench().set_pace(Pace::BackToBack);
    let mut random = Random(1);
    for size in [64, 65, 129, 256, 1518] {
        for n in 0..FRAMES {
            for port in 0..PORTS {
                let bytes = frame(to((port + 1) % PORTS), size, || random.next() as u8);
                engine.bench().push(port, port as u32, n as u64, &bytes);
            }
        }
        let ends = ends(&mut engine);
        assert_eq!(ends.len(), PORTS);
        for (port, clocks) in &ends {
            assert_eq!(clocks.len(), FRAMES, "{size} bytes, port {port}");
            let beats = size.div_ceil(BEAT);
            assert!(without_gaps(clocks, beats), "{size} bytes, port {port}: {clocks:?}");
        }
    }
}

#[test]
fn copies_leave_at_the_same_time() {
    let (mut engine, _) = switch("steer.p4", &[("GROUPS", "1")], PORTS as u32);
    engine.multicast_group_create(1).expect("a group");
    let node = engine.multicast_node_create(0, vec![0, 1, 2, 3]).expect("a node");
    engine.multicast_node_associate(1, node).expect("both exist");
    engine.bench().set_pace(Pace::BackToBack);
    let mut random = Random(2);
    for size in [64, 65, 256] {
        for n in 0..FRAMES {
            let bytes = frame(TO_ALL, size, || random.next() as u8);
            engine.bench().push(0, 0, n as u64, &bytes);
        }
        let ends = ends(&mut engine);
        assert_eq!(ends.keys().collect::<Vec<_>>(), [&1, &2, &3]);
        for clocks in ends.values() {
            assert_eq!(clocks.len(), FRAMES);
            assert!(without_gaps(clocks, size.div_ceil(BEAT)), "{size} bytes: {clocks:?}");
        }
    }
}

/// Six generators of 10 Gbit/s, frames of 64 to 1516 bytes, the empty program at 250 MHz: the
/// published design reached 40 Gbit/s.
#[test]
fn empty_program_with_six_ports() {
    // What six generators send; published are 40.
    const GENERATORS_GIGABITS: f64 = 60.0;
    let (mut engine, design) = switch("empty.p4", &[("PORTS", "6")], 6);
    let templates = (0..6).map(|port| Template { port, bytes: vec![port as u8; 64] }).collect();
    let meter = Meter::new(&mut engine, &design.manifest, templates, None);
    let mut meter = meter.expect("it is measured");
    for bytes in [64, 65, 127, 128, 256, 512, 1024, 1516] {
        let size = meter.size(bytes).expect("it is measured").expect("there are frames");
        let all = size.together.expect("it is a switch");
        let gigabits = all.gigabits(bytes, 250.0);
        println!("{bytes} bytes: {gigabits:.1} Gbit/s, {all:?}");
        assert!(gigabits >= GENERATORS_GIGABITS, "{all:?}");
        assert_eq!(all.clocks_per_round, all.bound, "{bytes} bytes: {all:?}");
        assert_eq!(all.bound, bytes.div_ceil(8) as f64, "{bytes} bytes: {all:?}");
        assert_eq!(all.frames_out, 1.0);
    }
}
