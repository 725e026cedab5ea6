//! The native engine is the reference engine, only faster: it passes all STF tests of the
//! repository, and on variations of their packets, with the entries that the tests leave, both
//! engines put out the same frames and keep the same state.

mod far;
mod state;
use crate::stf_files;
mod variations;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use stf_files::{program_of, tests};
use variations::Arrival;
use ww_control::stf;
use ww_dataplane::control::Control;
use ww_dataplane::{Dataplane, Frame, PortId, Transmit};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::{Effort, Jit};
use ww_p4::diagnostic::Diagnostics;
use ww_p4::frontend::compile_file;
use ww_p4::pipeline::passes::Passes;
use ww_p4::source::SourceMap;

/// Frames by port, in order.
type Output = BTreeMap<PortId, Vec<(u64, Vec<u8>)>>;

fn by_port(frames: Vec<Transmit>) -> Output {
    let mut output = Output::new();
    for Transmit { port, at, frame } in frames {
        output.entry(port).or_default().push((at, frame));
    }
    output
}

/// Sends packets one by one.
fn send(engine: &mut dyn Dataplane, now: u64, packets: &[Arrival]) -> Output {
    let mut out = Vec::new();
    for packet in packets {
        engine.receive(packet.port, now, &packet.bytes, &mut out);
    }
    engine.advance(now, &mut out);
    by_port(out)
}

/// Sends packets as one batch.
fn send_batch(engine: &mut dyn Dataplane, now: u64, packets: &[Arrival]) -> Output {
    let mut copies: Vec<_> = packets.iter().map(|p| p.bytes.clone()).collect();
    let mut frames: Vec<_> = packets
        .iter()
        .zip(&mut copies)
        .map(|(packet, bytes)| Frame { port: packet.port, bytes })
        .collect();
    let mut out: Vec<Transmit> = Vec::new();
    engine.receive_batch(now, &mut frames, &mut out);
    by_port(out)
}

fn check(test: &Path, effort: Effort) -> Option<Vec<String>> {
    let compilation = compile_file(&program_of(test)?, &Default::default());
    if compilation.diagnostics.has_errors() {
        return None;
    }
    let program = Arc::new(compilation.program);
    let mut interp = Interp::new(program.clone(), Options::default()).ok()?;
    let mut jit = match Jit::with_effort(program, Options::default(), 1, Passes::all(), effort) {
        Ok(jit) => jit,
        Err(error) => return Some(vec![error.to_string()]),
    };
    let text = std::fs::read_to_string(test).ok()?;
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add(test, text, false);
    let script = stf::parse(file, &sources, &mut diagnostics);
    let expected = stf::run(&script, &mut interp).failure.map(|f| f.message);
    let found = stf::run(&script, &mut jit).failure.map(|f| f.message);
    let mut problems = Vec::new();
    if expected != found {
        problems.push(format!("interp: {expected:?}\njit: {found:?}"));
    }
    let packets = variations::of(&script);
    for (n, group) in packets.chunks(24).enumerate() {
        let now = (1 << 40) + (n as u64) * 1_000_000;
        let expected = send(&mut interp, now, group);
        let send = if n % 2 == 0 { send_batch } else { send };
        let found = send(&mut jit, now, group);
        if expected != found {
            problems.push(format!("group {n}:\ninterp {expected:x?}\njit    {found:x?}"));
        }
    }
    if interp.statistics().expect("statistics") != jit.statistics().expect("statistics") {
        let (expected, found) =
            (interp.statistics().expect("statistics"), jit.statistics().expect("statistics"));
        problems.push(format!("interp {expected:?}\njit    {found:?}"));
    }
    problems.extend(state::differences(&mut interp, &mut jit));
    Some(problems)
}

#[test]
fn both_engines_agree_on_all_tests() {
    all_tests(Effort::Full);
}

#[test]
fn the_code_of_large_programs_agrees_on_all_tests() {
    all_tests(Effort::Linear);
}

fn all_tests(effort: Effort) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    tests(&root.join("tests/p4"), &mut paths);
    tests(&root.join("p4/programs"), &mut paths);
    tests(&root.join("crates/engine/tests/all/pipeline_equality/programs"), &mut paths);
    paths.sort();
    let only = std::env::var("STF").unwrap_or_default();
    let (mut compared, mut failures) = (0, Vec::new());
    for path in paths.iter().filter(|p| p.to_string_lossy().contains(&only)) {
        let Some(problems) = check(path, effort) else { continue };
        compared += 1;
        if !problems.is_empty() {
            let name = path.strip_prefix(&root).unwrap_or(path).display();
            failures.push(format!("{name}: {}", problems.join("\n")));
        }
    }
    println!("{compared} tests compared");
    assert!(failures.is_empty(), "{} of {compared}:\n{}", failures.len(), failures.join("\n"));
    assert!(compared > 200 || !only.is_empty(), "only {compared} tests were compared");
}
