//! Every STF test of the repository, on each of the engines.

mod corpus;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use ww_control::{Switch, stf};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::frontend::compile_file;
use ww_p4::ir::Program;
use ww_p4::source::SourceMap;
use ww_rtl::runner::load::{Failure, Wanted, load};

/// The program of a test: `a.p4` for `a.stf` and for `a.case.stf`.
fn program_of(test: &Path) -> Option<PathBuf> {
    let name = test.file_name()?.to_str()?.strip_suffix(".stf")?;
    let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
    let mut candidates: Vec<_> =
        ends.map(|at| test.with_file_name(format!("{}.p4", &name[..at]))).collect();
    candidates.reverse();
    candidates.into_iter().find(|path| path.exists())
}

/// Tests whose programs hardware may refuse at most, of a hundred.
const MAX_REFUSED: usize = 8;

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

fn run(test: &Path, load: Load) -> Result<(), String> {
    run_with(test, load)
}

fn run_with(
    test: &Path,
    load: impl FnOnce(Arc<Program>) -> Result<Box<dyn Switch>, String>,
) -> Result<(), String> {
    let program = program_of(test).ok_or("there is no program for this test")?;
    let compilation = compile_file(&program, &Default::default());
    if compilation.diagnostics.has_errors() {
        return Err(compilation.diagnostics.render(&compilation.sources, false));
    }
    let mut engine = load(Arc::new(compilation.program))?;
    let text = std::fs::read_to_string(test).map_err(|e| e.to_string())?;
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add(test, text, false);
    let test = stf::parse(file, &sources, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics.render(&sources, false));
    }
    match stf::run(&test, &mut *engine).failure {
        None => Ok(()),
        Some(failure) => {
            let line = sources.position(failure.span).map_or(0, |at| at.line);
            Err(format!("line {line}: {}", failure.message))
        }
    }
}

fn all_tests_pass(engine: &str, load: Load) {
    let root = corpus::root();
    let mut tests = corpus::files(&root.join("tests/p4"), ".stf");
    tests.extend(corpus::files(&root.join("p4/programs"), ".stf"));
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

/// Hardware runs every test whose program it can hold; what it refuses is on the closed list of
/// `ww_rtl::emit::Reason`, and little.
#[test]
fn hardware() {
    let refused = Mutex::new(Vec::new());
    let root = corpus::root();
    let mut tests = corpus::files(&root.join("tests/p4"), ".stf");
    tests.extend(corpus::files(&root.join("p4/programs"), ".stf"));
    let complaints = corpus::complaints(&tests, |test| {
        let name = program_of(test).and_then(|path| Some(path.file_stem()?.to_str()?.to_owned()));
        let name = name.ok_or("there is no program for this test")?;
        let mut reasons = None;
        let outcome = run_with(test, |program| match load(program, &Wanted::quick(&name)) {
            Ok(engine) => Ok(Box::new(engine) as Box<dyn Switch>),
            Err(failure) => {
                if let Failure::Refused(list) = &failure {
                    reasons =
                        Some(list.iter().map(|r| r.to_string()).collect::<Vec<_>>().join("; "));
                }
                Err(failure.to_string())
            }
        });
        match reasons {
            Some(reasons) => {
                refused.lock().expect("a list").push(format!("{}: {reasons}", test.display()));
                Ok(())
            }
            None => outcome,
        }
    });
    let mut refused = refused.into_inner().expect("a list");
    refused.sort();
    println!("hardware: {} of {} tests refused", refused.len(), tests.len());
    refused.iter().for_each(|line| println!("    {line}"));
    corpus::report("STF tests on rtl", tests.len(), &complaints);
    assert!(refused.len() * 100 <= tests.len() * MAX_REFUSED, "{} refused", refused.len());
}
