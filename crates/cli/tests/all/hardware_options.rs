//! What may be asked of generated hardware: blocks for tables, designs without an optimiser. The
//! STF tests of the repository say what comes out of a program, with any of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn ww(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.args(arguments).output().expect("ww starts")
}

/// The program of a test below `tests/p4` or `p4/programs`, and the test.
fn files(test: &str) -> (PathBuf, PathBuf) {
    let test = root().join(test);
    let folder = test.parent().expect("it lies in a folder");
    let name = test.file_name().and_then(|name| name.to_str()).expect("a plain name");
    let stem = name.split('.').next().expect("it has one");
    (folder.join(format!("{stem}.p4")), test)
}

/// Runs a test on engine rtl with further options.
fn stf(test: &str, options: &[&str]) -> Output {
    let (program, test) = files(test);
    let path = |path: &Path| path.to_str().expect("a plain path").to_owned();
    let (program, test) = (path(&program), path(&test));
    let mut arguments = vec!["stf", &program, &test, "--engine", "rtl", "--width", "64"];
    arguments.extend(options);
    ww(&arguments)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn passes(test: &str, options: &[&str]) {
    let output = stf(test, options);
    assert!(output.status.success(), "{test} {options:?}: {}", said(&output));
}

/// Each block holds the tables that it can: the tests' expectations hold with all of them.
#[test]
fn tables_in_every_block_that_holds_them() {
    let pairs = [
        ("exact", "t", &["direct", "cam", "hash", "hash,ways=2", "hash,ways=8", "ternary"][..]),
        ("exact_two_keys", "t", &["direct", "cam", "hash", "ternary"]),
        ("lpm", "routes", &["lpm", "lpm,memory_latency=2", "ternary"]),
        ("lpm_and_exact", "routes", &["lpm", "ternary"]),
        ("ternary_priority", "t", &["ternary"]),
        ("range", "IngressImpl.t", &["ternary"]),
        ("mixed_keys", "acl", &["ternary"]),
        // Its default action is constant, or not: memories all the same.
        ("const_entries_order", "t", &["ternary"]),
    ];
    for (program, table, blocks) in pairs {
        for block in blocks {
            let table = format!("{table}={block}");
            passes(&format!("tests/p4/tables/{program}.stf"), &["--table", &table]);
        }
    }
}

/// What a block cannot hold is refused: with the table, its line, its keys and what would do.
#[test]
fn blocks_that_do_not_hold_a_table() {
    let refusals = [
        ("lpm", "routes=hash", "its key is lpm", "`lpm` or `ternary` can hold it"),
        ("lpm", "routes=cam", "its key is lpm", "`lpm` or `ternary` can hold it"),
        ("ternary_priority", "t=lpm", "its key is ternary", "`ternary` can hold it"),
        ("ternary_priority", "t=direct", "its key is ternary", "`ternary` can hold it"),
        ("range", "t=hash", "its key is range", "`ternary` can hold it"),
        ("mixed_keys", "acl=lpm", "its keys are exact, lpm, ternary", "`ternary` can hold it"),
        ("exact", "t=lpm", "its key is exact (16 bits)", "or `hash` or `ternary` can hold it"),
        ("key_widths", "exacts=direct", "its 4 keys are exact (186 bits)", "`hash`"),
        ("no_key", "t=hash", "it has no keys", ""),
    ];
    for (program, table, has, would_do) in refusals {
        let output = stf(&format!("tests/p4/tables/{program}.stf"), &["--table", table]);
        let said = said(&output);
        let (name, block) = table.split_once('=').expect("as written above");
        assert_eq!(output.status.code(), Some(3), "{program} {table}: {said}");
        let cannot = format!("{name}` cannot be built as `{block}`");
        for part in [cannot.as_str(), has, would_do] {
            assert!(said.contains(part), "{program} {table}: no {part:?} in {said}");
        }
        let (source, _) = files(&format!("tests/p4/tables/{program}.stf"));
        let source = std::fs::read_to_string(source).expect("it is there");
        let is_table = |line: &str| line.trim_start().starts_with(&format!("table {name} "));
        let line = source.lines().position(is_table).expect("it is declared") + 1;
        assert!(said.contains(&format!("(line {line})")), "{program} {table}: {said}");
    }
    let output = stf("tests/p4/tables/lpm.stf", &["--table", "nosuch=lpm"]);
    let said = said(&output);
    assert!(said.contains("there is no such table") && said.contains("routes"), "{said}");
    assert_eq!(ww(&["build", "--table", "t=tcam"]).status.code(), Some(2));
}

/// The annotation in the program chooses, and `--table` goes before it.
#[test]
fn annotations_choose_blocks() {
    let (program, _) = files("tests/p4/tables/block_annotations.stf");
    let folder = tempfile::tempdir().expect("a folder");
    let built = |options: &[&str]| {
        let out = folder.path().join("out");
        let (program, out) = (program.to_str().expect("plain"), out.to_str().expect("plain"));
        let mut arguments = vec!["build", "--target", "rtl", "--out", out, program];
        arguments.extend(options);
        let output = ww(&arguments);
        assert!(output.status.success(), "{}", said(&output));
        let text =
            std::fs::read_to_string(Path::new(out).join("manifest.json")).expect("it is there");
        let manifest: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let objects = manifest["objects"].as_array().expect("a list").clone();
        move |name: &str| {
            let found = objects.iter().find(|o| o["name"] == format!("IngressImpl.{name}"));
            let object = found.unwrap_or_else(|| panic!("{name} is an object"));
            object["kind"]["implementation"].as_str().expect("a text").to_owned()
        }
    };
    let implementation = built(&[]);
    for (table, block) in [
        ("by_hash", "hash"),
        ("by_cam", "cam"),
        ("by_trie", "lpm"),
        ("by_masks", "ternary"),
        ("by_index", "direct"),
    ] {
        assert_eq!(implementation(table), block, "{table}");
    }
    let implementation = built(&["--table", "by_cam=hash", "--table", "by_index=cam"]);
    assert_eq!(
        (implementation("by_cam"), implementation("by_index")),
        ("hash".into(), "cam".into())
    );
    passes("tests/p4/tables/block_annotations.stf", &["--table", "by_trie=ternary"]);
}

/// A design without an optimiser does the same as with it.
#[test]
fn designs_without_an_optimiser() {
    let tests = [
        "tests/p4/tables/const_entries_kinds.stf",
        "tests/p4/tables/const_entries_lpm.stf",
        "tests/p4/tables/hit_miss.stf",
        "tests/p4/statements/if_else.stf",
        "tests/p4/tables/switch_action_run.stf",
        "p4/programs/paxos/paxos.acceptor.stf",
    ];
    let optimisers = [
        "dead-fields",
        "action-merging",
        "table-memory",
        "if-conversion",
        "constant-entries",
        "keep-unchanged",
        "all",
    ];
    for test in tests {
        for optimiser in optimisers {
            passes(test, &["--no-optimise", optimiser]);
        }
    }
    passes("p4/programs/l2l3/l2l3.ipv4.stf", &["--no-optimise", "all"]);
    // 29 entries in a deparser are more than a design may have.
    let output = stf("p4/programs/mdp/mdp.entries.stf", &["--no-optimise", "keep-unchanged"]);
    assert!(said(&output).contains("too large"), "{}", said(&output));
}

/// Each optimiser gains something on a program that has what it is for.
#[test]
fn optimisers_gain_something() {
    let cost = |program: &str, without: &str, of: &str| {
        let path = root().join(program);
        let path = path.to_str().expect("a plain path");
        let output = ww(&["report", "--optimisers", "--json", path]);
        assert!(output.status.success(), "{}", said(&output));
        let costs: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let found = costs.as_array().expect("a list").iter().find(|c| c["without"] == without);
        found.unwrap_or_else(|| panic!("{without} is compared"))[of].as_u64().expect("a number")
    };
    for (program, without, of) in [
        ("p4/programs/l2l3/l2l3.p4", "dead-fields", "register_bits"),
        ("p4/programs/l2l3/l2l3.p4", "action-merging", "clocks"),
        ("p4/programs/l2l3/l2l3.p4", "if-conversion", "clocks"),
        ("p4/programs/l2l3/l2l3.p4", "keep-unchanged", "register_bits"),
        ("tests/p4/tables/const_entries_kinds.p4", "constant-entries", "memory_bits"),
        ("tests/p4/tables/const_entries_kinds.p4", "constant-entries", "clocks"),
        ("p4/programs/l2l3/l2l3.p4", "table-memory", "compared_bits"),
    ] {
        let (with, less) = (cost(program, "all", of), cost(program, without, of));
        assert!(less > with, "{program} without {without}: {of} {less}, with it {with}");
    }
}
