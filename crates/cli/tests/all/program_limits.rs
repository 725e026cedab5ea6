//! Programs beyond the limits of engines, and state at the limit.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn ww(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ww")).args(arguments).output().expect("ww runs")
}

#[test]
fn engines_refuse_with_the_place_and_check_warns() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/p4/warn/engine_limit");
    let out = tempfile::tempdir().expect("a folder");
    let out = out.path().join("design");
    for (name, place, expected) in [
        ("cells.p4", "cells.p4:12:5", "meter `I.all` has 4294967295 cells"),
        ("operations.p4", "operations.p4:30:6", "function `f20` has 2097150 operations"),
    ] {
        let program = folder.join(name).display().to_string();
        let mut sentences = Vec::new();
        for engine in ["interp", "jit", "build"] {
            let begin = Instant::now();
            let output = match engine {
                "build" => {
                    ww(&["build", "--target=rtl", "--out", &out.to_string_lossy(), &program])
                }
                _ => ww(&["run", "--port=0=mem:", "--engine", engine, &program]),
            };
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{engine}: {stderr}");
            assert!(begin.elapsed() < Duration::from_secs(10), "{engine}: {:?}", begin.elapsed());
            assert!(stderr.contains(place), "{engine}: {stderr}");
            // From the name on, as far as all engines print it the same way.
            let from = stderr.find(expected).unwrap_or_else(|| panic!("{engine}: {stderr}"));
            let (sentence, _) = stderr[from..].split_once("(2^").expect("the limit");
            sentences.push(sentence.to_owned());
        }
        assert!(sentences.iter().all(|sentence| *sentence == sentences[0]), "{sentences:?}");
        let output = ww(&["check", &program]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert!(stderr.contains("warning: ") && stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn a_run_lists_the_counters_in_use_of_a_large_array() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let cells = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/p4/warn/engine_limit/cells_at_the_limit.p4");
    let text = std::fs::read_to_string(cells).expect("a program");
    let text = text
        .replace("counter(1,", "counter(0x8000000,")
        .replace("one.count(0)", "one.count(h.h.a)")
        .replace("(0x3ffffff, MeterType", "(0, MeterType")
        .replace("(0x4000000)", "(0)");
    std::fs::write(file("large.p4"), text).expect("written");
    let mut frames = Vec::new();
    for word in [0xa1b2_c3d4u32, 0x0004_0002, 0, 0, 65535, 1] {
        frames.extend(word.to_le_bytes());
    }
    for index in [0x7ff_ffffu32, 9, 9] {
        [1u32, 0, 60, 60].iter().for_each(|word| frames.extend(word.to_le_bytes()));
        frames.extend(index.to_be_bytes());
        frames.extend([0; 56]);
    }
    std::fs::write(file("in.pcap"), frames).expect("written");
    let port = format!("--port=0={}:", file("in.pcap").display());
    for engine in ["interp", "jit"] {
        let begin = Instant::now();
        let output = ww(&["run", &port, "--engine", engine, &file("large.p4").to_string_lossy()]);
        let (stdout, stderr) = (output.stdout, String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{engine}: {stderr}");
        let stdout = String::from_utf8(stdout).expect("text");
        let counters: Vec<&str> = stdout.lines().filter(|l| l.starts_with("counter")).collect();
        let expected = ["counter I.one[9]: 2 packets", "counter I.one[134217727]: 1 packet"];
        assert_eq!(counters.len(), 2, "{stdout}");
        assert!(counters.iter().zip(expected).all(|(l, e)| l.starts_with(e)), "{stdout}");
        assert!(begin.elapsed() < Duration::from_secs(10), "{engine}: {:?}", begin.elapsed());
    }
}
