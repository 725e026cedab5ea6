//! Lowering and the passes on its result keep the meaning: on the packets and entries of all STF
//! tests of the repository, a small executor of the pipeline IR puts out what the reference engine
//! puts out from the typed IR, leaves the same state behind, and passes the tests. Each program
//! runs as it is lowered and after all passes, some after one of them.

mod executor;
mod expressions;
mod externs;
mod packet;
mod requests;
mod run;
use crate::stf_files;
mod switch;
mod tables;

use executor::Executor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use stf_files::{program_of, tests};
use ww_control::stf;
use ww_dataplane::Dataplane;
use ww_engine::interp::{Interp, Options};
use ww_p4::diagnostic::Diagnostics;
use ww_p4::frontend::compile_file;
use ww_p4::pipeline;
use ww_p4::pipeline::passes::{Passes, optimise};
use ww_p4::source::SourceMap;

/// Packets made from those of each test, after all passes; and for the other variants.
const VARIATIONS: usize = 40;
const FEW_VARIATIONS: usize = 12;
/// Steps of a packet: a loop without an end must not take the time of all other tests.
const MAX_STEPS: u64 = 1 << 14;
/// Tests that run at the same time.
const WORKERS: usize = 4;

/// What is wrong with a test on the executor; `None` if it does not apply.
fn check(test: &Path) -> Option<Vec<String>> {
    let program = program_of(test)?;
    let compilation = compile_file(&program, &Default::default());
    if compilation.diagnostics.has_errors() {
        return None;
    }
    let lowered = match pipeline::lower(&compilation.program) {
        Ok(lowered) => lowered,
        Err(diagnostics) => {
            return Some(vec![diagnostics.render(&compilation.sources, false)]);
        }
    };
    let program = Arc::new(compilation.program);
    let options = Options { max_steps: MAX_STEPS, ..Options::default() };
    let mut reference = Interp::new(program.clone(), options).ok()?;
    let text = std::fs::read_to_string(test).ok()?;
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add(test, text, false);
    let script = stf::parse(file, &sources, &mut diagnostics);
    let expected = stf::run(&script, &mut reference).failure;

    let mut problems = Vec::new();
    for (name, passes) in variants(test) {
        let mut pipeline = lowered.clone();
        optimise(&mut pipeline, passes);
        let mut found = Vec::new();
        if let Err(errors) = pipeline::verify(&pipeline) {
            found = errors;
        } else {
            let mut executor = Executor::new(program.clone(), pipeline, options);
            let failure = stf::run(&script, &mut executor).failure;
            let all = passes == Passes::all();
            vary(&script, if all { VARIATIONS } else { FEW_VARIATIONS }, &mut executor);
            executor.compare_state();
            found.append(&mut executor.differences);
            if expected.is_none() {
                found.extend(failure.map(|f| f.message));
            }
        }
        problems.extend(found.into_iter().map(|problem| format!("passes: {name}\n{problem}")));
    }
    Some(problems)
}

/// The sets of passes that a test runs with: none, all, and for every third test one alone, which
/// differs from test to test. `PASS` names one for all tests, or is `each`.
fn variants(test: &Path) -> Vec<(&'static str, Passes)> {
    let mut variants = vec![("none", Passes::none()), ("all", Passes::all())];
    // The name without its folder: the order of tests does not matter.
    let name = test.file_name().unwrap_or_default().as_encoded_bytes();
    let sum = name.iter().fold(0u32, |sum, b| sum.wrapping_mul(31).wrapping_add(u32::from(*b)));
    let (third, rest) = (sum as usize / 3, sum % 3);
    let turn = third % Passes::NAMES.len();
    let wanted = std::env::var("PASS").ok();
    for (n, (name, _)) in Passes::NAMES.iter().enumerate() {
        if wanted
            .as_ref()
            .map_or(rest == 0 && n == turn, |wanted| wanted == name || wanted == "each")
        {
            variants.push((name, Passes::none().with(name, true).expect("its name is listed")));
        }
    }
    variants
}

/// Sends variations of a test's packets, with the entries that it left: cut, lengthened, with
/// other bits, on other ports. The seed is fixed, so that every run is the same.
fn vary(script: &stf::syntax::Test, count: usize, executor: &mut Executor) {
    let packets: Vec<(u32, &[u8])> = script
        .statements
        .iter()
        .filter_map(|s| match &s.kind {
            stf::syntax::StatementKind::Packet { port, bytes } => Some((*port, &bytes[..])),
            _ => None,
        })
        .collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % below.max(1)
    };
    for round in 0..count {
        let Some((port, bytes)) = packets.get(random(packets.len())) else { return };
        let mut bytes = bytes.to_vec();
        match round % 4 {
            0 => bytes.truncate(random(bytes.len() + 1)),
            1 => bytes.extend((0..random(9)).map(|n| n as u8)),
            _ => {}
        }
        for _ in 0..=random(3) {
            let at = random(bytes.len().min(40));
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= [0xff, 1, 2, 0x10, 0x80][random(5)];
            }
        }
        let port = if random(4) == 0 { random(8) as u32 } else { *port };
        let now = (1 << 40) + round as u64;
        executor.receive(port, now, &bytes, &mut Vec::new());
        executor.advance(now, &mut Vec::new());
    }
}

#[test]
fn executor_and_reference_agree_on_all_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    tests(&root.join("tests/p4"), &mut paths);
    tests(&root.join("p4/programs"), &mut paths);
    tests(&root.join("crates/engine/tests/all/pipeline_equality/programs"), &mut paths);
    paths.sort();
    let only = std::env::var("STF").unwrap_or_default();
    paths.retain(|p| p.to_string_lossy().contains(&only));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut results = Vec::new();
        while let Some(path) = paths.get(next.fetch_add(1, Relaxed)) {
            results.extend(check(path).map(|problems| (path, problems)));
        }
        results
    };
    let mut results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no check panics")).collect()
    });
    results.sort();
    let compared = results.len();
    results.retain(|(_, problems)| !problems.is_empty());
    let describe = |(path, problems): &(&PathBuf, Vec<String>)| {
        let name = path.strip_prefix(&root).unwrap_or(path).display();
        format!("{name}: {}", problems.join("\n"))
    };
    let failures: Vec<String> = results.iter().map(describe).collect();
    println!("{compared} tests compared");
    assert!(failures.is_empty(), "{} of {compared}:\n{}", failures.len(), failures.join("\n"));
    assert!(compared > 200 || !only.is_empty(), "only {compared} tests were compared");
}
