//! Every STF test of the repository, on each of the engines.

use crate::corpus;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use ww_control::{Switch, stf};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::frontend::compile_file;
use ww_p4::ir::Program;
use ww_p4::source::SourceMap;
use ww_rtl::runner::load::{Failure, Wanted, design, load};
use ww_rtl::runner::pace::Pace;

/// The program of a test: `a.p4` for `a.stf` and for `a.case.stf`.
fn program_of(test: &Path) -> Option<PathBuf> {
    let name = test.file_name()?.to_str()?.strip_suffix(".stf")?;
    let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
    let mut candidates: Vec<_> =
        ends.map(|at| test.with_file_name(format!("{}.p4", &name[..at]))).collect();
    candidates.reverse();
    candidates.into_iter().find(|path| path.exists())
}

/// The tests of the language, of our programs, and of architectures that a file beside the
/// programs describes.
fn tests() -> Vec<PathBuf> {
    let root = corpus::root();
    let folders = ["tests/p4", "tests/arch", "p4/programs"];
    folders.iter().flat_map(|folder| corpus::files(&root.join(folder), ".stf")).collect()
}

/// Makes an engine with a program. The error is why it does not run there.
type Load = fn(Arc<Program>) -> Result<Box<dyn Switch>, String>;

fn interp(program: Arc<Program>) -> Result<Box<dyn Switch>, String> {
    let engine = Interp::new(program, Options::default());
    Ok(Box::new(engine.map_err(|unsupported| unsupported.to_string())?))
}

fn jit(program: Arc<Program>) -> Result<Box<dyn Switch>, String> {
    let engine = Jit::new(program, Options::default());
    Ok(Box::new(engine.map_err(|error| error.to_string())?))
}

/// The descriptions of architectures in a folder.
fn architectures(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    files.filter(|path| path.to_string_lossy().ends_with(".arch.toml")).collect()
}

/// The program of a test, checked.
fn program(test: &Path) -> Result<Arc<Program>, String> {
    let program = program_of(test).ok_or("there is no program for this test")?;
    let folder = program.parent().ok_or("a program is in a folder")?;
    let options =
        ww_p4::preprocess::Options { architectures: architectures(folder), ..Default::default() };
    let compilation = compile_file(&program, &options);
    match compilation.diagnostics.has_errors() {
        true => Err(compilation.diagnostics.render(&compilation.sources, false)),
        false => Ok(Arc::new(compilation.program)),
    }
}

fn run(test: &Path, load: Load) -> Result<(), String> {
    judge(test, &mut *load(program(test)?)?, false)
}

/// Whether a test passes on an engine, with packets one by one or together.
fn judge(test: &Path, engine: &mut dyn Switch, together: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(test).map_err(|e| e.to_string())?;
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add(test, text, false);
    let test = stf::parse(file, &sources, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics.render(&sources, false));
    }
    let run = if together { stf::run_together } else { stf::run };
    match run(&test, engine).failure {
        None => Ok(()),
        Some(failure) => {
            let line = sources.position(failure.span).map_or(0, |at| at.line);
            Err(format!("line {line}: {}", failure.message))
        }
    }
}

fn all_tests_pass(engine: &str, load: Load) {
    let tests = tests();
    let complaints = corpus::complaints(&tests, |test| run(test, load));
    corpus::report(&format!("STF tests on {engine}"), tests.len(), &complaints);
}

#[test]
fn reference_engine() {
    all_tests_pass("interp", interp);
}

#[test]
fn native_engine() {
    all_tests_pass("jit", jit);
}

/// Runs a test on hardware, packet by packet, and then with the packets that have no request
/// between them one directly behind the other. The latter not if packets can come back to the
/// parser: those behind them may overtake them. The result is why hardware refuses the program.
fn on_hardware(test: &Path) -> Result<Option<String>, String> {
    let name = program_of(test).and_then(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    let name = name.ok_or("there is no program for this test")?;
    let program = program(test)?;
    let mut wanted = Wanted::quick(&name);
    let reenters = match design(&program, &wanted) {
        Ok(design) => design.manifest.reenters,
        Err(Failure::Refused(list)) => {
            let reasons: Vec<_> = list.iter().map(|reason| reason.to_string()).collect();
            return Ok(Some(reasons.join("; ")));
        }
        Err(failure) => return Err(failure.to_string()),
    };
    // The random numbers are others for each test, and always the same for one.
    let letters = test.file_name().map_or(&[][..], |name| name.as_encoded_bytes());
    let seed =
        letters.iter().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    let paces = match reenters {
        true => &[Pace::Serial][..],
        false => &[Pace::Serial, Pace::BackToBack, Pace::Both { seed }],
    };
    for pace in paces {
        wanted.settings.pace = *pace;
        let mut engine = load(Arc::clone(&program), &wanted).map_err(|error| error.to_string())?;
        let outcome = judge(test, &mut engine, !pace.is_serial());
        outcome.map_err(|message| format!("{pace:?}: {message}"))?;
        if let Some(fault) = engine.monitor().fault() {
            return Err(format!("{pace:?}: {fault}"));
        }
    }
    Ok(None)
}

/// Hardware passes every test whose program it does not refuse. Which ones it refuses is tested by
/// `crates/generate/tests/all/refused.rs`, against a list.
#[test]
fn hardware() {
    let refused = AtomicUsize::new(0);
    let tests = tests();
    let complaints = corpus::complaints(&tests, |test| {
        refused.fetch_add(usize::from(on_hardware(test)?.is_some()), Ordering::Relaxed);
        Ok(())
    });
    let refused = refused.into_inner();
    println!("hardware: {refused} of {} tests refused", tests.len());
    corpus::report("STF tests on rtl", tests.len() - refused, &complaints);
}
