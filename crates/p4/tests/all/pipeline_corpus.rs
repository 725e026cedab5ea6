//! Every program of the repository that is written for a known architecture can be lowered, and
//! what comes out passes the verifier.

use std::path::{Path, PathBuf};
use ww_p4::frontend::compile_file;
use ww_p4::pipeline;
use ww_p4::preprocess::Options;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn programs(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            programs(&path, out);
        } else if path.extension().is_some_and(|e| e == "p4") {
            out.push(path);
        }
    }
}

#[test]
fn all_programs_are_lowered() {
    let mut paths = Vec::new();
    // Programs that must be rejected never get that far, and `accept` is about the language alone.
    for folder in [
        "actions",
        "controls",
        "expressions",
        "functions",
        "headers",
        "parsers",
        "preprocessor",
        "statements",
        "tables",
        "types",
        "v1model",
        "accept",
    ] {
        programs(&root().join("tests/p4").join(folder), &mut paths);
    }
    programs(&root().join("p4/programs"), &mut paths);
    paths.sort();
    assert!(paths.len() > 200, "found only {} programs", paths.len());
    let (mut lowered, mut failures) = (0, Vec::new());
    for path in &paths {
        let compilation = compile_file(path, &Options::default());
        if compilation.diagnostics.has_errors() {
            // The front end's own tests say so.
            continue;
        }
        let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
        match pipeline::lower(&compilation.program) {
            Ok(pipeline) => {
                lowered += 1;
                if let Err(errors) = pipeline::verify(&pipeline) {
                    failures.push(format!("{name}: {}", errors.join("\n    ")));
                }
                assert!(!pipeline.text().is_empty());
                for block in &pipeline.blocks {
                    if let pipeline::Body::Control(graph) = &block.body {
                        let stages = pipeline::stages(&pipeline, graph);
                        assert_eq!(stages.nodes.len(), graph.nodes.len());
                    }
                }
            }
            Err(diagnostics) => {
                let text = diagnostics.render(&compilation.sources, false);
                // Parts of programs, and programs about the language alone, have no `main` or one
                // of their own making.
                let is_about_the_language = name.contains("tests/p4/accept/");
                let is_part = text.contains("has no `main`");
                let has_own = is_about_the_language && text.contains("no known architecture");
                if !is_part && !has_own {
                    failures.push(format!("{name}: {text}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {lowered}:\n{}", failures.len(), failures.join("\n"));
    assert!(lowered > 200, "only {lowered} programs were lowered");
}
