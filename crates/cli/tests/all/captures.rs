//! The captures of `p4/programs` through generated hardware at every pace: packets one directly
//! behind the other, with random gaps, with outputs that are not always taken, and with both. What
//! leaves, and what registers and counters hold in the end, is what the reference engine has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ww_control::{Switch, entries};
use ww_dataplane::control::{CounterIndex, RegisterIndex};
use ww_dataplane::{Frame, Transmit};
use ww_engine::interp::{Interp, Options};
use ww_io::capture::OrderedReader;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::frontend::compile_file;
use ww_p4::ir::Program;
use ww_p4::source::SourceMap;
use ww_rtl::runner::load::{Wanted, load};
use ww_rtl::runner::pace::Pace;

/// Frames that go in together.
const BATCH: usize = 64;
const SEEDS: std::ops::Range<u64> = 1..4;

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/programs")
}

fn program(path: &Path) -> Arc<Program> {
    let compilation = compile_file(path, &Default::default());
    assert!(!compilation.diagnostics.has_errors(), "{}", path.display());
    Arc::new(compilation.program)
}

/// Carries out the commands of `entries.txt`.
fn configure(folder: &Path, engine: &mut dyn Switch) {
    let path = folder.join("entries.txt");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add(&path, text, false);
    entries::parse(file, &sources, &mut diagnostics).load(engine, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&sources, false));
}

/// The frames of `in.N.pcap`, by time, then by port.
fn frames(folder: &Path) -> Vec<(u32, Vec<u8>)> {
    let mut list = Vec::new();
    for port in 0..16 {
        let path = folder.join(format!("in.{port}.pcap"));
        if !path.exists() {
            continue;
        }
        let mut reader = OrderedReader::open(&path).expect("a capture");
        while let Some(time) = reader.peek().expect("a capture") {
            let taken = reader.next_frame().expect("a capture").expect("it was there");
            list.push((time, port, taken.frame));
        }
    }
    list.sort_by_key(|(time, port, _)| (*time, *port));
    assert!(!list.is_empty(), "{}: no captures", folder.display());
    list.into_iter().map(|(_, port, frame)| (port, frame)).collect()
}

type Ports = BTreeMap<u32, Vec<Vec<u8>>>;

/// What leaves by port, and what registers and counters hold then.
fn pass(engine: &mut dyn Switch, frames: &[(u32, Vec<u8>)]) -> (Ports, Vec<String>) {
    let mut ports = Ports::new();
    for (n, batch) in frames.chunks(BATCH).enumerate() {
        let now = n as u64 * 1_000_000_000;
        let mut batch = batch.to_vec();
        let mut batch: Vec<Frame<'_>> =
            batch.iter_mut().map(|(port, bytes)| Frame { port: *port, bytes }).collect();
        let mut out: Vec<Transmit> = Vec::new();
        engine.receive_batch(now, &mut batch, &mut out);
        engine.advance(now, &mut out);
        out.into_iter().for_each(|sent| ports.entry(sent.port).or_default().push(sent.frame));
    }
    let mut state = Vec::new();
    for n in 0..engine.schema().registers.len() as u32 {
        state.push(format!("register {n}: {:?}", engine.register_read_all(RegisterIndex(n))));
    }
    let schema = engine.schema();
    let counters = schema.counters.iter().enumerate();
    let sizes: Vec<_> =
        counters.filter(|(_, c)| !c.is_direct).map(|(n, c)| (n as u32, c.size)).collect();
    for (n, size) in sizes {
        let cells: Vec<_> = (0..size).map(|at| engine.counter_read(CounterIndex(n), at)).collect();
        state.push(format!("counter {n}: {cells:?}"));
    }
    (ports, state)
}

/// Demands that two runs are the same; says where they are not.
fn same(what: &str, found: &(Ports, Vec<String>), expected: &(Ports, Vec<String>)) {
    for (port, frames) in &expected.0 {
        let sent = found.0.get(port).map_or(&[][..], Vec::as_slice);
        let differs = sent.iter().zip(frames).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{what}: a frame of port {port} is another one");
        assert_eq!(sent.len(), frames.len(), "{what}: number of frames at port {port}");
    }
    assert!(found.0.keys().all(|port| expected.0.contains_key(port)), "{what}: another port");
    for (a, b) in found.1.iter().zip(&expected.1) {
        assert_eq!(a, b, "{what}");
    }
}

/// The captures of a folder at all paces.
fn at_all_paces(program_file: &str, folder: &str) {
    let (path, folder) = (programs().join(program_file), programs().join(folder));
    let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
    let (program, frames) = (program(&path), frames(&folder));
    let mut interp = Interp::new(Arc::clone(&program), Options::default()).expect("it runs");
    configure(&folder, &mut interp);
    let expected = pass(&mut interp, &frames);
    assert!(expected.0.values().map(Vec::len).sum::<usize>() > 0, "{name}: nothing leaves");
    let mut paces = vec![Pace::BackToBack];
    for seed in SEEDS {
        paces.extend([Pace::Gaps { seed }, Pace::Pressure { seed }, Pace::Both { seed }]);
    }
    for pace in paces {
        let mut wanted = Wanted::quick(&name);
        wanted.settings.pace = pace;
        let mut rtl = load(Arc::clone(&program), &wanted).expect("hardware holds it");
        configure(&folder, &mut rtl);
        let found = pass(&mut rtl, &frames);
        assert_eq!(rtl.monitor().fault(), None, "{name}, {pace:?}");
        same(&format!("{name}, {pace:?}"), &found, &expected);
    }
}

#[test]
fn udp_count() {
    at_all_paces("udp_count/udp_count.p4", "udp_count");
}

#[test]
fn l2l3() {
    at_all_paces("l2l3/l2l3.p4", "l2l3");
}

#[test]
fn mdp() {
    at_all_paces("mdp/mdp.p4", "mdp");
}

#[test]
fn paxos() {
    at_all_paces("paxos/paxos.p4", "paxos");
    at_all_paces("paxos/paxos.p4", "paxos/coordinator");
}
