//! Extern functions that are modules of SystemVerilog: `@ww_module`, `@ww_model`, `--module`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A module with a model, which all engines run.
const EXAMPLE: &str = "../../examples/module";
/// A module with a state.
const OWN: &str = "tests/all/modules";

fn file(folder: &str, name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name);
    path.to_str().expect("a plain path").to_owned()
}

fn ww(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.args(arguments).output().expect("ww starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn passes(arguments: &[&str]) {
    let output = ww(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
}

fn refuses(arguments: &[&str], why: &str) {
    let output = ww(arguments);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
    assert!(said.contains(why), "{arguments:?}: no {why:?} in {said}");
}

/// The example: the expected packets are those of its formula on all engines, at each pace.
#[test]
fn a_module_does_as_its_model() {
    let (program, test) = (file(EXAMPLE, "spread.p4"), file(EXAMPLE, "spread.stf"));
    let module = file(EXAMPLE, "flow_hash.sv");
    passes(&["stf", &program, &test]);
    passes(&["stf", &program, &test, "--engine", "jit"]);
    let rtl = ["stf", &program, &test, "--engine", "rtl", "--width", "64", "--module", &module];
    passes(&rtl);
    for pace in ["back-to-back", "both"] {
        passes(&[&rtl[..], &["--pace", pace]].concat());
    }
    refuses(&rtl[..7], "module `flow_hash` has no source");
}

/// A module with a state is called once for each packet that comes to the call, in their order.
#[test]
fn a_module_with_a_state() {
    let (program, test) = (file(OWN, "numbered.p4"), file(OWN, "numbered.stf"));
    let module = file(OWN, "packet_number.sv");
    let rtl = ["stf", &program, &test, "--engine", "rtl", "--width", "64", "--module", &module];
    passes(&rtl);
    for pace in ["back-to-back", "both"] {
        passes(&[&rtl[..], &["--pace", pace]].concat());
    }
    passes(&[&rtl[..], &["--no-optimise", "all"]].concat());
    for engine in ["interp", "jit"] {
        refuses(&["stf", &program, &test, "--engine", engine], "`@ww_model`");
    }
}

/// Two calls by one packet need two instances, which a module with a state cannot have.
#[test]
fn two_calls_of_one_packet() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(file(OWN, "numbered.p4")).expect("it is there");
    let twice = text.replace("} else if (hdr.h.kind == 2) {", "}\n        if (hdr.h.kind != 7) {");
    assert_ne!(text, twice);
    let write = |name: &str, text: &str| -> String {
        let path: PathBuf = folder.path().join(name);
        std::fs::write(&path, text).expect("writable");
        path.to_str().expect("a plain path").to_owned()
    };
    let (test, module) = (file(OWN, "numbered.stf"), file(OWN, "packet_number.sv"));
    let refused = write("refused.p4", &twice);
    let arguments = ["stf", &refused, &test, "--engine", "rtl", "--module", &module];
    refuses(&arguments, "one packet can call module `packet_number` more than once");

    // Without a state there are two: each counts its own calls here, which shows that.
    let two = write("two.p4", &twice.replace("latency = 3", "latency = 3, stateless"));
    let calls = "packet 0 01 ffffffff ff\nexpect 1 01 00000000 00$\n\
                 packet 0 05 ffffffff ff\nexpect 1 05 00000005 01$\n\
                 packet 0 07 ffffffff ff\nexpect 1 07 ffffffff 00$\n\
                 packet 0 01 ffffffff ff\nexpect 1 01 0000000a 00$\n";
    let test = write("two.stf", calls);
    passes(&["stf", &two, &test, "--engine", "rtl", "--width", "64", "--module", &module]);
}

/// The files of modules are part of what `ww build` writes.
#[test]
fn modules_are_built_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let (program, module) = (file(EXAMPLE, "spread.p4"), file(EXAMPLE, "flow_hash.sv"));
    let place = out.to_str().expect("a plain path");
    passes(&["build", "--target", "rtl", "--out", place, "--module", &module, &program]);
    let written = std::fs::read_to_string(out.join("rtl/flow_hash.sv")).expect("it is there");
    assert_eq!(written, std::fs::read_to_string(&module).expect("it is there"));
}
