//! On a real cable between two namespaces: frames at their times, and linuxptp as a master.
//!
//! Where namespaces cannot be made, the tests say so and do nothing. linuxptp is there once `make setup` ran.

use crate::namespaces;

use namespaces::Namespaces;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

const WW: &str = env!("CARGO_BIN_EXE_ww");

fn pair(test: &str) -> Option<Namespaces> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/wire/pair.sh");
    Namespaces::new(test, &script.display().to_string())
}

fn figures(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn number(value: &Value, path: &str) -> f64 {
    value.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path} in {value}"))
}

/// The mean is exact, however busy the machine is, for each frame has a time of its own; none is lost.
#[test]
fn frames_leave_at_their_times() {
    let Some(names) = pair("frames_leave_at_their_times") else { return };
    // Both ends in one namespace, so that one process has them.
    let mut link = names.command("h1", "ip");
    link.args("link add p0 type veth peer name p1".split(' '));
    assert!(link.status().expect("ip runs").success());
    for end in ["p0", "p1"] {
        let mut up = names.command("h1", "ip");
        assert!(up.args(["link", "set", end, "up"]).status().expect("ip runs").success());
    }
    let mut pace = names.command("h1", WW);
    pace.args("phy pace p0 --listen p1 --len 128 --ipg 250000 --count 2000 --json".split(' '));
    let told = figures(&pace.output().expect("ww runs"));
    let period = (8.0 + 128.0 + 250_000.0) * 0.8;
    assert_eq!(number(&told, "/ipd_ns"), period);
    assert_eq!((number(&told, "/sent"), number(&told, "/heard")), (2000.0, 2000.0));
    let mean = number(&told, "/kernel_ipd_ns/mean");
    // First and last frame may be late by milliseconds on a machine that does much else.
    assert!((mean - period).abs() < 0.05 * period, "{mean} ns, {period} were asked for");
    let median = number(&told, "/kernel_ipd_ns/p50");
    assert!((median - period).abs() < 0.05 * period, "{median} ns, {period} were asked for");
    assert!(number(&told, "/late_ns/p1") >= 0.0);
    let user = number(&told, "/user_ipd_ns/mean");
    assert!((user - period).abs() < 0.05 * period, "{user} ns, {period} were asked for");

    let mut wrong = names.command("h1", WW);
    let output = wrong.args(["phy", "pace", "p7"]).output().expect("ww runs");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("interface 'p7': there is none"));
}

/// Both namespaces have one clock, so that the truth is known: 0.
#[test]
fn linuxptp_as_a_master() {
    let Some(names) = pair("linuxptp_as_a_master") else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linuxptp");
    fs::create_dir_all(&folder).expect("a folder");
    let settings = folder.join("master.cfg");
    let address = folder.join("uds");
    let text = format!(
        "[global]\ntime_stamping software\nfree_running 1\nuds_address {}\nlogAnnounceInterval -2\n\
         announceReceiptTimeout 2\nlogSyncInterval -3\nlogMinDelayReqInterval -4\n",
        address.display()
    );
    fs::write(&settings, text).expect("a file");
    let mut master = names.command("h1", "ptp4l");
    let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
    master.env("PATH", path).arg("-f").arg(&settings).args(["-i", "eth0", "-4", "-E"]);
    let _master = names.spawn(master.stdout(Stdio::null()).stderr(Stdio::null()));
    let mut slave = names.command("h2", WW);
    slave.args("clock ptp 10.0.9.2 --seconds 6 --delay 0.1 --json".split(' '));
    let told = figures(&slave.output().expect("ww runs"));
    assert!(number(&told, "/samples") >= 10.0, "{told}");
    // What stamps of software are off, and a process that was not running while one was taken.
    let offset = number(&told, "/offset_ns/p50");
    assert!(offset.abs() < 20_000.0, "{told}");
    let delay = number(&told, "/delay_ns");
    assert!((0.0..100_000.0).contains(&delay), "{told}");

    // Nobody has this domain.
    let mut alone = names.command("h2", WW);
    alone.args("clock ptp 10.0.9.2 --seconds 1 --domain 9".split(' '));
    let output = alone.output().expect("ww runs");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no Sync came in 1 s"));
}
