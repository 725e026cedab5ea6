//! The programs of `tests/p4/warn`: each line marked `//~ WARN text` has a warning with that text,
//! and there are no others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use ww_p4::diagnostic::Severity;
use ww_p4::frontend::compile_file;
use ww_p4::lint::Lint;
use ww_p4::preprocess::Options;

const MARK: &str = "//~ WARN ";

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|e| e == "p4") {
            found.push(path);
        }
    }
}

/// Lines (from 1) with the text that their warning must contain.
fn expected(text: &str) -> Vec<(usize, &str)> {
    text.lines()
        .enumerate()
        .filter_map(|(n, line)| Some((n + 1, line.split_once(MARK)?.1.trim())))
        .collect()
}

/// What is wrong with a program's warnings.
fn judge(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a program");
    let c = compile_file(path, &Options::default());
    let mut wrong = Vec::new();
    if c.diagnostics.has_errors() {
        wrong.push(format!("rejected:\n{}", c.diagnostics.render(&c.sources, false)));
        return wrong;
    }
    let mut found: Vec<(usize, String)> = c
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Warning)
        .map(|d| (c.sources.position(d.span).map_or(0, |at| at.line), d.message.clone()))
        .collect();
    let marks = expected(&text);
    if text.starts_with("// no warnings") != marks.is_empty() {
        wrong.push("a program has marks or begins with `// no warnings`".into());
    }
    for (line, wanted) in marks {
        match found.iter().position(|(at, message)| *at == line && message.contains(wanted)) {
            Some(n) => drop(found.swap_remove(n)),
            None => wrong.push(format!("line {line}: no warning with `{wanted}`")),
        }
    }
    wrong.extend(found.into_iter().map(|(line, m)| format!("line {line}: unexpected: {m}")));
    wrong
}

#[test]
fn marked_lines_have_warnings_and_no_others() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/p4/warn");
    let mut list = Vec::new();
    programs(&folder, &mut list);
    assert!(list.len() >= 50, "only {} programs in {}", list.len(), folder.display());
    let report: Vec<String> = list
        .iter()
        .map(|path| (path, judge(path)))
        .filter(|(_, wrong)| !wrong.is_empty())
        .map(|(path, wrong)| format!("{}\n    {}", path.display(), wrong.join("\n    ")))
        .collect();
    assert!(report.is_empty(), "\n{}", report.join("\n"));
}

#[test]
fn names_of_lints_differ_and_each_ends_its_warning() {
    let names: BTreeSet<&str> = Lint::ALL.iter().map(|l| l.name()).collect();
    assert_eq!(names.len(), Lint::ALL.len());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/p4/warn");
    let mut list = Vec::new();
    programs(&folder, &mut list);
    let mut seen = BTreeSet::new();
    for path in &list {
        let c = compile_file(path, &Options::default());
        for d in c.diagnostics.iter() {
            if let Some(name) = names.iter().find(|n| d.message.ends_with(&format!(" [{n}]"))) {
                seen.insert(*name);
            }
        }
    }
    assert_eq!(seen, names, "a lint without a program that shows it");
}

#[test]
fn our_own_programs_are_clean() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/programs");
    let mut list = Vec::new();
    programs(&folder, &mut list);
    // Parts that another file includes are no programs.
    list.retain(|path| path.file_stem() == path.parent().and_then(Path::file_name));
    assert!(list.len() >= 4, "only {} programs", list.len());
    for path in list {
        let c = compile_file(&path, &Options::default());
        let text = c.diagnostics.render(&c.sources, false);
        assert!(text.is_empty(), "{}:\n{text}", path.display());
    }
}
