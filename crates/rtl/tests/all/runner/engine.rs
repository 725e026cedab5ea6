//! The engine `rtl` against the reference engine, on `echo.p4`.

use super::{echo, model};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use ww_dataplane::DropReason;
use ww_dataplane::control::{
    ActionData, BigUint, Control, CounterIndex, EntryHandle, Error, KeyMatch, NewEntry,
    RegisterIndex, TableIndex, Target,
};
use ww_dataplane::{Dataplane, Frame, Transmit};
use ww_engine::interp::{Interp, Options};
use ww_p4::frontend::compile_file;
use ww_p4::ir::Program;
use ww_rtl::runner::engine::{Rtl, Settings};
use ww_rtl::runner::pace::Pace;

const TABLE: TableIndex = TableIndex(0);
const SEEN: RegisterIndex = RegisterIndex(0);
const SEEDS: std::ops::Range<u64> = 1..4;

fn program() -> Arc<Program> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/runner/echo.p4");
    let compilation = compile_file(&path, &Default::default());
    assert!(!compilation.diagnostics.has_errors());
    Arc::new(compilation.program)
}

fn rtl(settings: Settings) -> Rtl {
    let manifest = echo::design().manifest;
    Rtl::new(program(), &manifest, &model(), None, settings).expect("it was built")
}

fn interp() -> Interp {
    Interp::new(program(), Options::default()).expect("it is supported")
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Keys come from few, so that there are hits.
fn key(n: u64) -> u64 {
    n.wrapping_mul(0x9e37_79b1) & 0xffff_ffff
}

fn forward(random: &mut Random) -> Target {
    let arguments = vec![random.below(500).into(), random.below(256).into()];
    Target::Action(ActionData { action: 1, arguments })
}

/// A request, the same for the same random numbers, and what was answered.
fn request(engine: &mut dyn Control, random: &mut Random) -> Result<u64, Error> {
    let keys = vec![KeyMatch::Exact(key(random.below(40)).into())];
    let target = forward(random);
    match random.below(6) {
        0..3 => engine.table_insert(TABLE, NewEntry { keys, priority: 0, target }).map(|h| h.0),
        3 => match engine.table_find(TABLE, keys.clone(), 0)? {
            Some(entry) => engine.table_modify(TABLE, entry, target).map(|()| entry.0),
            None => Ok(0),
        },
        4 => match engine.table_find(TABLE, keys.clone(), 0)? {
            Some(entry) => engine.table_delete(TABLE, entry).map(|()| entry.0),
            None => Ok(0),
        },
        _ if random.below(2) == 0 => engine.table_set_default(TABLE, target).map(|()| 1),
        _ => engine.table_reset_default(TABLE).map(|()| 2),
    }
}

fn frame(random: &mut Random) -> (u32, Vec<u8>) {
    let length = 5 + if random.below(4) == 0 { random.below(1500) } else { random.below(64) };
    let mut frame = (key(random.below(40)) as u32).to_be_bytes().to_vec();
    frame.extend((4..length).map(|_| random.below(256) as u8));
    (random.below(8) as u32, frame)
}

/// What left, by port.
fn by_port(out: &[Transmit]) -> BTreeMap<u32, Vec<&[u8]>> {
    let mut ports: BTreeMap<u32, Vec<&[u8]>> = BTreeMap::new();
    out.iter().for_each(|out| ports.entry(out.port).or_default().push(&out.frame));
    ports
}

/// Requests and batches of packets in turn; at the end registers and counters.
fn compare(settings: Settings, seed: u64) {
    let (mut rtl, mut interp) = (rtl(settings), interp());
    let mut random = Random(seed);
    for round in 0..20u64 {
        for _ in 0..10 {
            let seed = random.0;
            let answer = request(&mut rtl, &mut random);
            assert_eq!(answer, request(&mut interp, &mut Random(seed)), "seed {seed}");
        }
        let frames: Vec<_> = (0..25).map(|_| frame(&mut random)).collect();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let now = round * 10_000_000;
        let mut copies = frames.clone();
        let mut batch: Vec<_> =
            copies.iter_mut().map(|(port, bytes)| Frame { port: *port, bytes }).collect();
        rtl.receive_batch(now, &mut batch, &mut ours);
        for (port, bytes) in &frames {
            interp.receive(*port, now, bytes, &mut theirs);
        }
        assert_eq!(rtl.monitor().fault(), None);
        assert_eq!(by_port(&ours), by_port(&theirs), "round {round}, seed {seed}, {settings:?}");
    }
    let all = |engine: &mut dyn Control| engine.register_read_all(SEEN).expect("there are eight");
    assert_eq!(all(&mut rtl), all(&mut interp));
    let (ours, theirs) =
        (rtl.statistics().expect("statistics"), interp.statistics().expect("statistics"));
    assert_eq!((ours.received, ours.transmitted), (theirs.received, theirs.transmitted));
    assert!(ours.transmitted > 100);
    assert_eq!(ours.dropped[&DropReason::Hardware], theirs.dropped[&DropReason::Ingress]);
}

#[test]
fn the_same_packets_leave_at_any_pace() {
    for seed in SEEDS {
        let paces = [
            Pace::Serial,
            Pace::BackToBack,
            Pace::Gaps { seed },
            Pace::Pressure { seed },
            Pace::Both { seed },
        ];
        for pace in paces {
            compare(Settings { pace, ..Settings::default() }, seed);
        }
    }
}

#[test]
fn frames_that_are_gathered() {
    let settings = Settings { pace: Pace::BackToBack, gather: 4, ..Settings::default() };
    let mut engine = rtl(settings);
    let target =
        Target::Action(ActionData { action: 1, arguments: vec![7u32.into(), 0u32.into()] });
    engine.table_set_default(TABLE, target).expect("it may be changed");
    let mut out = Vec::new();
    for n in 0..10u64 {
        engine.receive(1, n * 1000, &[n as u8; 60], &mut out);
        assert_eq!(out.len() as u64, (n + 1) / 4 * 4);
    }
    assert!(engine.next_event().is_some_and(|due| due > 9000));
    // The control plane finds the state that all of them left.
    assert_eq!(engine.register_read(SEEN, 1), Ok(10u32.into()));
    assert_eq!(out.len(), 8);
    assert_eq!(engine.next_event(), Some(9000));
    engine.advance(9000, &mut out);
    assert_eq!((out.len(), engine.next_event()), (10, None));
    assert!(out.iter().enumerate().all(|(n, out)| out.port == 7 && out.frame == [n as u8; 60]));
    engine.receive(1, 20_000, &[1; 60], &mut out);
    let due = engine.next_event().expect("one waits");
    assert!(due > 20_000);
    engine.advance(due, &mut out);
    assert_eq!((out.len(), out[10].at), (11, due));
}

#[test]
fn frames_that_do_not_go_in() {
    let mut engine = rtl(Settings::default());
    let mut out = Vec::new();
    for frame in [&[][..], &[0; 20_000], &[0; 9000]] {
        engine.receive(0, 0, frame, &mut out);
    }
    // The default action drops what goes in.
    let counters = engine.statistics().expect("statistics");
    assert_eq!((counters.received, counters.dropped[&DropReason::Hardware]), (3, 3));
    assert_eq!(engine.register_read(SEEN, 0), Ok(1u32.into()));
}

#[test]
fn a_reset_brings_everything_back() {
    let mut engine = rtl(Settings::default());
    let mut random = Random(9);
    for _ in 0..50 {
        let _ = request(&mut engine, &mut random);
    }
    engine.register_write(SEEN, None, BigUint::from(3u32)).expect("it is there");
    engine.reset_state().expect("taken");
    let mut out = Vec::new();
    for n in 0..40 {
        let mut frame = (key(n) as u32).to_be_bytes().to_vec();
        frame.extend([0; 56]);
        engine.receive(2, 0, &frame, &mut out);
    }
    assert!(out.is_empty() && engine.monitor().fault().is_none());
    assert_eq!(engine.register_read(SEEN, 2), Ok(40u32.into()));
    assert_eq!(engine.register_read(SEEN, 3), Ok(0u32.into()));
    assert_eq!(engine.table_entries(TABLE), Ok(vec![]));
}

#[test]
fn requests_are_checked_as_by_any_engine() {
    let mut engine = rtl(Settings::default());
    let wide = vec![KeyMatch::Exact(BigUint::from(1u64 << 32))];
    let target = forward(&mut Random(1));
    let entry = NewEntry { keys: wide, priority: 0, target };
    assert!(matches!(engine.table_insert(TABLE, entry), Err(Error::TooWide { .. })));
    let missing = engine.table_delete(TABLE, EntryHandle(3));
    assert!(matches!(missing, Err(Error::NoSuch { .. })));
    assert!(matches!(engine.register_read(SEEN, 8), Err(Error::NoSuch { .. })));
    assert!(engine.schema().counters.get(CounterIndex(0).index()).is_none());
}

/// How long a frame takes is known to the clock: five clocks of lookup, one of the FIFO.
#[test]
fn latency() {
    let mut engine = rtl(Settings::default());
    engine.table_set_default(TABLE, forward(&mut Random(1))).expect("it may be changed");
    let mut out = Vec::new();
    for length in [60, 8, 64, 1500] {
        engine.receive(0, 0, &vec![0; length], &mut out);
        let beats = (length as u64).div_ceil(8);
        assert_eq!(engine.monitor().work().latency, Some((6, 6 + beats - 1)), "{length}");
    }
    // Back to back they leave without a clock between.
    engine.set_pace(Pace::BackToBack);
    let begin = engine.monitor().work();
    let mut bytes = [[0u8; 64]; 100];
    let mut frames: Vec<_> = bytes.iter_mut().map(|b| Frame { port: 0, bytes: b }).collect();
    engine.receive_batch(0, &mut frames, &mut out);
    let clocks = engine.monitor().work().packet_clocks - begin.packet_clocks;
    assert!((800..820).contains(&clocks), "{clocks}");
}
