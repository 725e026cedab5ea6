//! Every legal program of the repository parses, and its print parses to the same print. What the
//! tests mark as an error of syntax is refused in the marked line.

use std::path::{Path, PathBuf};
use ww_p4::ast::Program;
use ww_p4::diagnostic::{Diagnostics, Severity};
use ww_p4::parse::parse;
use ww_p4::preprocess::{Options, preprocess, preprocess_text};
use ww_p4::print_ast::print;
use ww_p4::source::SourceMap;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All `.p4` files below a folder of the repository, in order.
fn programs(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is readable").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "p4") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Parses and prints with the stack that the front end uses.
fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(64 << 20);
        let thread = builder.spawn_scoped(scope, work).expect("a thread can be started");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn read(path: &Path) -> (Program, SourceMap, Diagnostics) {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let tokens = preprocess(path, &Options::default(), &mut sources, &mut diagnostics);
    let program = parse(&tokens, &mut diagnostics);
    (program, sources, diagnostics)
}

#[test]
fn legal_programs_parse_and_print() {
    let files: Vec<PathBuf> = ["tests/p4", "p4"].into_iter().flat_map(programs).collect();
    let legal = files.iter().filter(|p| !p.components().any(|c| c.as_os_str() == "reject"));
    let mut count = 0;
    let mut failures = String::new();
    for path in legal {
        count += 1;
        let (program, sources, diagnostics) = deep(|| read(path));
        if diagnostics.has_errors() {
            failures.push_str(&diagnostics.render(&sources, false));
            continue;
        }
        let printed = deep(|| print(&program));
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let options = Options::default();
        let shown = format!("{} (printed)", path.display());
        let tokens = preprocess_text(
            Path::new(&shown),
            printed.as_str(),
            &options,
            &mut sources,
            &mut diagnostics,
        );
        let again = deep(|| parse(&tokens, &mut diagnostics));
        if diagnostics.has_errors() {
            failures.push_str(&diagnostics.render(&sources, false));
        } else if deep(|| print(&again)) != printed {
            failures.push_str(&format!("{shown} prints differently the second time\n"));
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(count > 100, "only {count} programs were found");
}

#[test]
fn illegal_programs_never_confuse_the_parser() {
    // In these folders every fault is one of syntax, and the marker says where.
    let syntactic = ["syntax", "lexical", "preprocessor"];
    let mut failures = String::new();
    for path in programs("tests/p4/reject") {
        let (program, sources, diagnostics) = deep(|| read(&path));
        deep(|| print(&program));
        let topic = path.parent().and_then(Path::file_name).and_then(|n| n.to_str());
        let is_syntactic = topic.is_some_and(|t| syntactic.contains(&t));
        if !is_syntactic || !diagnostics.has_errors() {
            // Some faults, such as a name that a dead branch would have declared, only the
            // checker sees; the tests of the checker count them.
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for (index, line) in text.lines().enumerate() {
            let here = diagnostics.iter().any(|d| {
                d.severity == Severity::Error
                    && sources.position(d.span).is_some_and(|p| p.line == index + 1)
            });
            if line.contains("//~ ERROR") && !here {
                let place = format!("{}:{}", path.display(), index + 1);
                failures.push_str(&format!("{place}: no error starts here\n"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
