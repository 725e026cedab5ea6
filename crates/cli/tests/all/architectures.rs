//! `--arch`: descriptions of architectures that a file gives.

use crate::corpus;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tiny(file: &str) -> PathBuf {
    corpus::root().join("tests/arch/tiny").join(file)
}

fn ww(command: &str, description: Option<&Path>, rest: &[&Path]) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_ww"));
    run.arg(command).args(rest);
    if let Some(description) = description {
        run.arg("--arch").arg(description);
    }
    run.output().expect("ww runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_described_architecture_passes_its_tests() {
    for engine in ["interp", "jit"] {
        for name in ["reflect", "forward"] {
            let (program, test) = (tiny(&format!("{name}.p4")), tiny(&format!("{name}.stf")));
            let rest = [&program, &test, Path::new("--engine"), Path::new(engine)];
            let output = ww("stf", Some(&tiny("tiny.arch.toml")), &rest);
            let said = text(&output.stdout) + &text(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{name} on {engine}: {said}");
        }
    }
}

/// The description knows the width of ports and which one means drop.
#[test]
fn ports_are_those_of_the_architecture() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let capture = folder.join("architectures-ports.pcap");
    // The header of a capture file without packets.
    let header = [0xa1b2_c3d4u32, 4 << 16 | 2, 0, 0, 65_535, 1].map(u32::to_le_bytes).concat();
    std::fs::write(&capture, [&header[..4], &[2, 0, 4, 0], &header[8..]].concat()).expect("a file");
    let trace = |port: u32| {
        let port = format!("{port}={}", capture.display());
        let output = ww(
            "trace",
            Some(&tiny("tiny.arch.toml")),
            &[&tiny("reflect.p4"), Path::new("--port"), Path::new(&port)],
        );
        (output.status.code(), text(&output.stderr))
    };
    for port in [0, 511, 65_534] {
        assert_eq!(trace(port), (Some(0), String::new()));
    }
    for port in [65_535, 65_536] {
        let (code, said) = trace(port);
        assert_eq!(code, Some(1), "{said}");
        let wanted = format!("port {port}: tiny has the ports 0 to 65534; 65535 means drop");
        assert!(said.contains(&wanted), "{said}");
    }
}

#[test]
fn without_the_description_no_engine_runs_the_program() {
    let folder = tiny("");
    let rest = [Path::new("-I"), &folder, &tiny("reflect.p4"), &tiny("reflect.stf")];
    let output = ww("stf", None, &rest);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("package `Tiny` belongs to no known architecture"), "{said}");
    assert!(said.contains("--arch"), "{said}");
    // The language itself has no objection.
    let output = ww("check", None, &rest[..3]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn mistakes_of_a_description_have_places_and_come_together() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("architectures");
    std::fs::create_dir_all(&folder).expect("a folder");
    let good = std::fs::read_to_string(tiny("tiny.arch.toml")).expect("the description");
    let bad =
        good.replacen("\"parser\"", "\"parse\"", 1).replacen("= \"drop\"\n\n", "= \"drip\"\n\n", 1);
    let description = folder.join("bad.arch.toml");
    std::fs::write(&description, &bad).expect("a file");
    let place = |word: &str| {
        let line = bad.lines().position(|line| line.contains(word)).expect("the word") + 1;
        format!("bad.arch.toml:{line}:")
    };
    let output =
        ww("check", Some(&description), &[Path::new("-I"), &tiny(""), &tiny("reflect.p4")]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for (word, wanted) in
        [("kind = \"parse\"", "expected parser, control"), ("\"drip\"", "did you mean")]
    {
        assert!(said.contains(&place(word)) && said.contains(wanted), "{said}");
    }
}

#[test]
fn a_description_that_cannot_be_read_is_named() {
    let output = ww("check", Some(Path::new("nowhere.arch.toml")), &[&tiny("reflect.p4")]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("nowhere.arch.toml"), "{said}");
}
