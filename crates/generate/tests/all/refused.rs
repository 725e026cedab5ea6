//! What the emitter refuses is known by name, with reasons from the closed list of `ww_rtl::emit::Reason`: a program that it newly
//! refuses, or newly takes, changes a list.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use ww_generate::case::Case;
use ww_generate::listed;
use ww_generate::profile::Profile;
use ww_p4::frontend::compile_file;
use ww_p4::ir::Program;
use ww_rtl::emit::Reason;
use ww_rtl::runner::load::{Failure, Wanted, design};

/// Seeds from 0 whose refused programs are listed.
const SEEDS: u64 = 200;

fn here(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all").join(file)
}

/// The line of a list for a program, if hardware refuses it.
fn refusal(name: &str, program: &Program) -> Option<String> {
    let mut reasons: Vec<String> = match design(program, &Wanted::quick("listed")) {
        Ok(_) => return None,
        // How large a design is changes with each change of the emitter; that it is too large does not.
        Err(Failure::Refused(refusals)) => refusals
            .iter()
            .map(|r| if r.reason == Reason::Size { r.reason.text().into() } else { r.to_string() })
            .collect(),
        Err(Failure::Lowering(text)) => vec![text],
        Err(Failure::Failed(text)) => panic!("{name}: {text}"),
    };
    reasons.dedup();
    Some(format!("{name}: {}", reasons.join("; ")))
}

/// All files below a folder whose names end so.
fn files(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the tree has it").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, end, found);
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
}

#[test]
fn refused_generated_programs_are_listed() {
    let of_seed = |seed: u64| {
        let (_, source) = Case::generate(seed, &Profile::hardware()).expect("it is accepted");
        refusal(&format!("seed {seed:03}"), &source.program)
    };
    let found = (0..SEEDS).filter_map(of_seed).collect();
    listed::compare(&here("refused_generated.txt"), &found)
        .unwrap_or_else(|message| panic!("{message}"));
}

/// The programs of all STF tests.
#[test]
fn refused_programs_of_tests_are_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut tests = Vec::new();
    files(&root.join("tests/p4"), ".stf", &mut tests);
    files(&root.join("p4/programs"), ".stf", &mut tests);
    assert!(tests.len() > 400, "{} tests", tests.len());
    // `a.p4` is the program of `a.stf` and of `a.case.stf`.
    let mut programs: Vec<PathBuf> = Vec::new();
    for test in tests {
        let name = test.file_name().expect("a file").to_string_lossy().into_owned();
        let stem = name.trim_end_matches(".stf");
        let ends = stem.match_indices('.').map(|(at, _)| at).chain([stem.len()]);
        let mut candidates = ends.map(|at| test.with_file_name(format!("{}.p4", &stem[..at])));
        programs.extend(candidates.find(|path| path.exists()));
    }
    programs.sort();
    programs.dedup();
    let of_file = |path: &PathBuf| {
        let name = path.strip_prefix(&root).expect("it is below").display().to_string();
        let compilation = compile_file(path, &Default::default());
        let told = || compilation.diagnostics.render(&compilation.sources, false);
        assert!(!compilation.diagnostics.has_errors(), "{name}: {}", told());
        refusal(&name, &Arc::new(compilation.program))
    };
    let found = programs.iter().filter_map(of_file).collect();
    listed::compare(&here("refused_tests.txt"), &found)
        .unwrap_or_else(|message| panic!("{message}"));
}
