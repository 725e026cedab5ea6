//! `ww phy` as scripts see it.
//!
//! spec: 000-p4fpga-sonic-dtp checks 2, 8 to 11

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("phy").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder for the test");
    path
}

/// Runs `ww phy` in a folder.
fn phy(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ww"))
        .current_dir(folder)
        .arg("phy")
        .args(arguments.split_whitespace())
        .output()
        .expect("ww runs")
}

/// What it prints as JSON.
fn figures(folder: &Path, arguments: &str) -> Value {
    let output = phy(folder, &format!("{arguments} --json"));
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

fn number(figures: &Value, name: &str) -> f64 {
    figures[name].as_f64().unwrap_or_else(|| panic!("no {name} in {figures}"))
}

/// Equal but for the last bits of a division.
fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < expected * 1e-9
}

/// Check 8 and Table 4.4, whose frames a second have no fraction.
#[test]
fn rates_are_exact() {
    let folder = folder("rates");
    for (len, ipg, ipd, rate) in [(64, 168, 192.0, 3.0), (64, 8, 64.0, 9.0)] {
        let found = figures(&folder, &format!("gen --len {len} --ipg {ipg} --count 10000"));
        assert!(close(number(&found, "ipd_ns"), ipd), "{found}");
        assert!(close(number(&found, "rate_gbps"), rate), "{found}");
    }
    for (len, ipg, pps) in [
        (64, 12, 14_880_952.0),
        (792, 7200, 156_250.0),
        (792, 1872, 467_814.0),
        (792, 536, 935_628.0),
        (792, 200, 1_250_000.0),
    ] {
        let found = figures(&folder, &format!("gen --len {len} --ipg {ipg} --count 2001"));
        assert_eq!(number(&found, "pps").floor(), pps, "{found}");
    }
}

/// Check 2: idle blocks of a frame.
#[test]
fn blocks_are_counted() {
    let folder = folder("blocks");
    for (ipg, idle, period) in [(200, 24, 125), (536, 66, 167), (1872, 233, 334), (7200, 899, 1000)]
    {
        let found = figures(&folder, &format!("gen --len 792 --ipg {ipg} --count 496"));
        let blocks = &found["blocks"];
        assert_eq!(blocks["S0"], 496);
        assert_eq!(blocks["T0"], 496);
        assert_eq!(blocks["D"], 496 * 99);
        // Behind the last frame the page is filled up.
        let fill = blocks["E"].as_u64().expect("a number") - 495 * idle;
        assert!(fill < 496, "{blocks}");
        assert_eq!(101 + idle, period);
    }
    // 9 Gb/s: whole blocks.
    let found = figures(&folder, "gen --len 1518 --ipg 169 --count 1001 --rounding block");
    assert!(close(number(&found, "ipd_ns"), 1356.8), "{found}");
}

/// Checks 9 to 11, for a hundredth of a second: what is sent is found, at its time.
#[test]
fn what_is_generated_is_captured() {
    let folder = folder("loop");
    for (len, ipg, count) in [(64, 12, 148_810), (1518, 12, 8_128), (792, 200, 12_500)] {
        let sent =
            figures(&folder, &format!("gen --len {len} --ipg {ipg} --count {count} -o line"));
        let found = figures(&folder, "cap line");
        assert_eq!(found["good"], count);
        assert_eq!(found["frames"], count);
        assert_eq!(found["bad_blocks"], 0);
        assert!(close(number(&found, "ipd_ns"), number(&sent, "ipd_ns")));
        // 64 bytes make 84 characters with the least gap: starts in lanes 0 and 4 in turn, exactly.
        if (8 + len + ipg) % 4 == 0 {
            assert_eq!(number(&found, "ipd_sigma_ns"), 0.0);
        }
        assert_eq!(found["record_bytes"], 60 * count);
    }
    // 9 Gb/s in whole blocks has no deviation.
    phy(&folder, "gen --len 1518 --ipg 169 --count 5000 --rounding block -o line");
    let found = figures(&folder, "cap line");
    assert!(close(number(&found, "ipd_ns"), 1356.8));
    assert_eq!(number(&found, "ipd_sigma_ns"), 0.0);
}

/// A capture with picoseconds, and a list, bring back the same line, byte for byte.
#[test]
fn captures_and_lists_bring_back_the_line() {
    let folder = folder("replay");
    for (name, options) in [("tight", "--len 64 --ipg 12"), ("odd", "--len 67 --ipg 1001")] {
        phy(&folder, &format!("gen {options} --count 1000 -o {name}"));
        let found = figures(&folder, &format!("cap {name} -o {name}.pcapng --list {name}.list"));
        assert_eq!(found["good"], 1000);
        let replayed = figures(&folder, &format!("replay {name}.pcapng -o again"));
        assert_eq!(replayed["frames"], 1000);
        let original = fs::read(folder.join(name)).expect("the bitstream");
        assert_eq!(original.len() % 4096, 64);
        assert!(fs::read(folder.join("again")).expect("the bitstream") == original, "{name}");
        // The list has no contents, but the same times.
        phy(&folder, &format!("replay {name}.list -o again"));
        phy(&folder, "cap again --list again.list");
        let list = |file: String| fs::read_to_string(folder.join(file)).expect("a list");
        assert_eq!(list(format!("{name}.list")), list("again.list".to_owned()));
    }
    // Frames that were cut when they were captured keep their length.
    phy(&folder, "cap odd -o cut.pcapng --snap 48");
    let replayed = figures(&folder, "replay cut.pcapng -o again");
    assert_eq!(replayed["bytes"], 67_000);
}

/// Nanoseconds are not characters of 0.8 ns: each start is rounded, and the mean stays exact.
#[test]
fn rounding_does_not_add_up() {
    let folder = folder("nanoseconds");
    phy(&folder, "gen --len 64 --ipg 169 --count 20001 --rounding mean -o line");
    let sent = figures(&folder, "cap line -o line.pcap");
    let replayed = figures(&folder, "replay line.pcap -o again");
    let off = (number(&sent, "ipd_ns") - number(&replayed, "ipd_ns")).abs() * 20_000.0;
    // In all less than five characters.
    assert!(off < 4.0, "{off} ns");
}

#[test]
fn encodes_and_shows_blocks() {
    let folder = folder("show");
    phy(&folder, "gen --len 64 --ipg 12 --count 2 -o line");
    let output = phy(&folder, "decode line --count 21");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 22);
    assert_eq!(lines[1], "       0       0.0 ns  S0    10      /S 55 55 55 55 55 55 d5");
    assert!(lines[2].starts_with("       1       6.4 ns  D     01      02 00 5e 00 53 02 02 00"));
    assert!(lines[10].ends_with("T0    10      /T /I /I /I /I /I /I /I"));
    assert!(lines[11].ends_with("S4    10      /I /I /I /I /S 55 55 55"));
    assert!(lines[21].starts_with("      20     128.0 ns  E  "), "{}", lines[21]);
    // The same blocks without a scrambler.
    phy(&folder, "cap line -o line.pcapng");
    phy(&folder, "encode line.pcapng --plain -o plain");
    let again = phy(&folder, "decode plain --count 21");
    assert_eq!(String::from_utf8_lossy(&again.stdout), text);
}

#[test]
fn refuses_what_it_cannot_read() {
    let folder = folder("refuse");
    let refused = |arguments: &str, expected: &str| {
        let output = phy(&folder, arguments);
        assert!(!output.status.success(), "{arguments}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(expected), "{arguments}: {message}");
        assert!(!folder.join("out").exists(), "{arguments} left a file");
    };
    phy(&folder, "gen --count 100 -o line");
    let line = fs::read(folder.join("line")).expect("the bitstream");
    fs::write(folder.join("cut"), &line[..line.len() - 1]).expect("a file");
    fs::write(folder.join("text"), "hello\n".repeat(20)).expect("a file");
    fs::write(folder.join("list"), "64 12\n64\n").expect("a file");
    fs::write(folder.join("short"), "# nothing\n63 12\n").expect("a file");
    refused("cap missing", "missing: cannot open");
    refused("cap cut", "the file is cut short: page");
    refused("cap text", "expected a bitstream, which begins with \"WWPHY66B\", found \"hello");
    refused("replay list -o out", "list: line 2: expected 'LENGTH GAP'");
    refused("replay short -o out", "short: line 2: expected 'LENGTH GAP'");
    refused("replay text.pcap -o out", "text.pcap");
    refused("gen --len 63", "63 is not in 64..=9018");
    refused("gen --ipg 4", "4 is not in 5..");
    refused("cap line -o nowhere/out.pcapng", "no such folder");
}

/// Bits wrong on the line: counted, and no frame of them is good.
#[test]
fn errors_are_counted() {
    let folder = folder("errors");
    phy(&folder, "gen --len 64 --ipg 12 --count 4000 -o line");
    let mut line = fs::read(folder.join("line")).expect("the bitstream");
    // A bit of a payload in every page.
    for page in (64..line.len()).step_by(4096) {
        line[page + 128 + 1000] ^= 4;
    }
    let pages = (line.len() - 64) / 4096;
    fs::write(folder.join("line"), line).expect("a file");
    let found = figures(&folder, "cap line");
    let (good, bad) = (number(&found, "good"), number(&found, "bad_fcs") + number(&found, "cut"));
    assert!(bad >= pages as f64 * 0.8 && good >= 4000.0 - 3.0 * pages as f64, "{found}");
    assert!(good + bad <= 4000.0);
}

/// Check 12: behind both devices the mean is the same, and the deviation tells which it was.
#[test]
fn devices_have_fingerprints() {
    let folder = folder("profile");
    phy(&folder, "gen --len 1518 --ipg 169 --count 50000 --rounding block -o line");
    let still = figures(&folder, "profile line");
    assert_eq!(number(&still, "sigma_ns"), 0.0);
    assert_eq!(still["intervals"], 49_999);
    let cut_through = figures(&folder, "profile line --through cut-through --cdf cdf");
    let store = figures(&folder, "profile line --through store-and-forward");
    for found in [&still, &cut_through, &store] {
        assert!((number(found, "mean_ns") - 1356.8).abs() < 0.1, "{found}");
    }
    let sigmas = [number(&cut_through, "sigma_ns"), number(&store, "sigma_ns")];
    assert!((sigmas[0] - 31.6).abs() < 1.0 && (sigmas[1] - 161.7).abs() < 4.0, "{sigmas:?}");
    let cdf = fs::read_to_string(folder.join("cdf")).expect("the distribution");
    assert!(cdf.lines().last().expect("lines").ends_with(" 1.000000"));
}

#[test]
fn a_message_between_frames() {
    let folder = folder("covert");
    let sent = figures(&folder, "covert send --message hello -o line");
    // 1696 characters a frame, two frames a bit.
    assert!(close(number(&sent, "bits_per_second"), 1.25e9 / 3392.0));
    let found = phy(&folder, "covert receive line");
    assert_eq!(String::from_utf8_lossy(&found.stdout), "hello\n");
    assert_eq!(figures(&folder, "covert detect line")["channel"], true);
    assert_eq!(figures(&folder, "covert detect line --stamp-error 500")["channel"], false);
    let found = phy(&folder, "covert receive line --through store-and-forward");
    assert_eq!(String::from_utf8_lossy(&found.stdout), "no message\n");
    phy(&folder, "gen --count 1000 -o line");
    assert_eq!(figures(&folder, "covert detect line")["channel"], false);
    let refused = phy(&folder, "covert send --message x --ipg 171 -o out");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("must be multiples of 4"));
    assert_eq!(refused.status.code(), Some(2));
}
