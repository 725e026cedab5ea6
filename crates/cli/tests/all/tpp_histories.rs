//! `ww tpp netshark | ndb | netwatch | profile` on what shims have collected: three packets over two switches or three.

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

fn ww(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    // Queries have blanks: arguments are between bars.
    let words = arguments.split('|').map(str::trim).filter(|word| !word.is_empty());
    command.current_dir(folder).arg("tpp").args(words).output().expect("ww runs")
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A record as a shim writes it: of each hop switch, entry, in-port and out-port.
fn record(at: u64, to: &str, length: u32, hops: &[[u32; 4]]) -> String {
    let mut words = hops.concat();
    words.resize(16, 0);
    let record = json!({
        "at": at, "app": 1, "hops": hops.len(), "stack_pointer": 8 * hops.len(), "source": "10.0.0.1",
        "destination": to, "protocol": 17, "ports": [4000, 80], "length": length, "words": words,
        "how": "stripped",
    });
    format!("{record}\n")
}

const VALUES: &str = "--values | switch,entry,in-port,out-port";

fn collected() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let text = [
        record(1_000_000, "10.0.0.2", 100, &[[1, 5, 0, 2], [4, 6, 1, 3]]),
        record(2_000_000, "10.0.0.3", 1000, &[[1, 7, 0, 1], [2, 6, 0, 1], [4, 8, 0, 3]]),
        record(3_000_000, "10.0.0.2", 300, &[[1, 5, 0, 2], [4, 6, 1, 3]]),
    ];
    std::fs::write(folder.path().join("tpps.json"), text.concat()).expect("a file");
    folder
}

#[test]
fn a_store_and_queries() {
    let folder = collected();
    let ww = |arguments: &str| said(&ww(folder.path(), arguments));
    assert_eq!(ww(&format!("netshark|-o|h.parquet|tpps.json|{VALUES}")), "3 histories\n");
    // The store says which values it has.
    let found = ww("ndb|{switch=1, out-port=2} 4 $|h.parquet");
    assert_eq!(
        found,
        "1 us 10.0.0.1:4000 to 10.0.0.2:80, 100 bytes: 1 {entry=5, in-port=0, out-port=2} 4 {entry=6, in-port=1, out-port=3}\n\
         3 us 10.0.0.1:4000 to 10.0.0.2:80, 300 bytes: 1 {entry=5, in-port=0, out-port=2} 4 {entry=6, in-port=1, out-port=3}\n\
         2 of 3 histories\n"
    );
    assert_eq!(ww("ndb|2 where -d 10.0.0.2|h.parquet"), "0 of 3 histories\n");
    let line: Value =
        serde_json::from_str(ww("ndb|2|h.parquet|--json").trim()).expect("a line of JSON");
    assert_eq!(line["hops"][1], json!({ "switch": 2, "entry": 6, "in_port": 0, "out_port": 1 }));
    // The same from what was collected.
    assert_eq!(ww(&format!("ndb|2|tpps.json|--json|{VALUES}")), ww("ndb|2|h.parquet|--json"));
}

#[test]
fn rules_and_profiles() {
    let folder = collected();
    let rules = "loops = true\n[[waypoint]]\nname = 'w'\nswitch = 2\nfilter = '-d 10.0.0.2'\n";
    std::fs::write(folder.path().join("rules.toml"), rules).expect("a file");
    let output = ww(folder.path(), &format!("netwatch|rules.toml|tpps.json|{VALUES}"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("waypoint 'w': expected switch 2 on the way, found 1 4").count(), 2);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 violations in 3 histories"));
    let profile = said(&ww(folder.path(), &format!("profile|tpps.json|--json|{VALUES}")));
    let profile: Value = serde_json::from_str(&profile).expect("JSON");
    assert_eq!(profile["all"], json!({ "packets": 3, "bytes": 1400 }));
    assert_eq!(
        profile["outputs"][0],
        json!({ "switch": 4, "out_port": 3, "packets": 3, "bytes": 1400 })
    );
    assert_eq!(profile["flows"][0]["bytes"], 1000);
}

#[test]
fn mistakes() {
    let folder = collected();
    for (arguments, expected) in [
        ("ndb|1 (2|tpps.json", "column 5: expected ')', found the end"),
        ("ndb|1|none.json", "cannot read 'none.json'"),
        ("ndb|1|tpps.json|--values|swich", "expected one of switch, entry"),
        ("netshark|-o|none/h.parquet|tpps.json", "cannot write 'none/h.parquet'"),
    ] {
        let output = ww(folder.path(), arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(expected), "{arguments}: {text}");
    }
    std::fs::write(folder.path().join("bad.json"), "{}\n").expect("a file");
    let output = ww(folder.path(), "ndb|1|bad.json");
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1"));
}
