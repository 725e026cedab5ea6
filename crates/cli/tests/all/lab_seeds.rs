//! `ww lab seeds`: its rows, its exit status, and known failures.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const LAB: &str = r#"
title = "Poisson arrivals"
[run]
duration = "1 ms"
seeds = 2
[topology]
kind = "star"
hosts = 2
edge = { rate = "1 Gb/s", delay = "1 us" }
[[traffic]]
name = "arrivals"
kind = "stream"
from = "h0"
to = "h1"
bytes = "1000 B"
pattern = "poisson"
load = 0.5
"#;

/// An expectation that holds if at least so many packets are sent.
fn expectation(name: &str, least: u32) -> String {
    format!(
        "[[expect]]\nname = '{name}'\nmeasure = 'traffic.arrivals.packets.sent'\npublished = {least}\nsource = 's'\ntolerance = 'least'\n"
    )
}

fn known(name: &str) -> String {
    format!(
        "[[known]]\nlab = 'arrivals'\nexpectation = '{name}'\nquick = false\nholds = 2\nseeds = 4\nwhy = 'noise'\n"
    )
}

/// A folder whose `labs` has one lab with these expectations, and a list of known failures.
fn folder(name: &str, expected: &str, known: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab_seeds").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let lab = folder.join("labs/arrivals");
    std::fs::create_dir_all(&lab).expect("a folder");
    std::fs::write(lab.join("lab.toml"), LAB).expect("a file");
    std::fs::write(lab.join("expected.toml"), expected).expect("a file");
    std::fs::write(folder.join("labs/known_seed_failures.toml"), known).expect("a file");
    folder
}

fn seeds(here: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.args(["lab", "seeds", "arrivals", "--count", "6"]).args(arguments);
    command.current_dir(here).output().expect("ww runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_expectation_that_fails_on_some_seeds_is_status_1_unless_it_is_known() {
    let expected = [expectation("always", 0), expectation("sometimes", 62)].concat();
    let here = folder("fails", &expected, "");
    let output = seeds(&here, &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).expect("an array");
    let keys = "expectation holds known lab margin max median min seeds";
    for row in &rows {
        let mut found: Vec<&str> =
            row.as_object().expect("an object").keys().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found.join(" "), keys);
        assert_eq!((&row["lab"], &row["known"]), (&"arrivals".into(), &false.into()));
    }
    assert_eq!((&rows[0]["holds"], &rows[0]["seeds"]), (&6.into(), &6.into()));
    assert!(rows[1]["holds"].as_u64() < Some(6) && rows[1]["margin"].as_f64() < Some(0.0));

    let here = folder("known", &expected, &known("sometimes"));
    let output = seeds(&here, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.starts_with("tries: 6, first seed: 1000003, world: sim\n"), "{shown}");
    assert!(shown.contains("fails, known"), "{shown}");
}

#[test]
fn a_known_failure_that_holds_again_is_status_1() {
    let here = folder("again", &expectation("always", 0), &known("always"));
    let output = seeds(&here, &[]);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    assert!(shown.contains("HOLDS AGAIN") && shown.contains("known_seed_failures.toml"), "{shown}");
}

#[test]
fn a_lab_that_is_not_for_the_world_is_refused() {
    let here = folder("world", &expectation("always", 0), "");
    let output = seeds(&here, &["--world", "netns"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("not for world netns"), "{}", text(&output.stderr));
}
