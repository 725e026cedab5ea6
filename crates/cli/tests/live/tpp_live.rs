//! TPPs between real hosts over real switches: two network namespaces with a path of two `ww run --tpp` between them.
//!
//! Needs root, network namespaces and iproute2; where these are missing it says so and passes.

use crate::namespaces;

use namespaces::{Namespaces, Process};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A bridge: the host whose MAC address ends with 1 is behind port 0, the other one behind port 1. LOSS of ten packets
/// are lost.
const BRIDGE: &str = "
#include <core.p4>
#include <v1model.p4>
header ethernet_t { bit<40> destination; bit<8> host; bit<48> source; bit<16> kind; }
struct headers { ethernet_t ethernet; }
struct metadata { }
parser P(packet_in p, out headers hdr, inout metadata m, inout standard_metadata_t sm) { state start { p.extract(hdr.ethernet); transition accept; } }
control V(inout headers hdr, inout metadata m) { apply { } }
control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) {
    apply {
        bit<16> draw;
        random(draw, 0, 9);
        if (draw < LOSS) { mark_to_drop(sm); } else if (hdr.ethernet.host == 1) { sm.egress_spec = 0; } else { sm.egress_spec = 1; }
    }
}
control E(inout headers hdr, inout metadata m, inout standard_metadata_t sm) { apply { } }
control C(inout headers hdr, inout metadata m) { apply { } }
control D(packet_out p, in headers hdr) { apply { p.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";

const HOST: &str = "10.0.7.2";

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

struct Line {
    names: Namespaces,
    folder: PathBuf,
    switches: Vec<Process>,
}

impl Line {
    /// Switches 1 and 2, which run and lose so many of ten packets; `None` where that cannot be.
    fn new(test: &str, loss: [u32; 2]) -> Option<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/tpp_live/path.sh");
        let names = Namespaces::new(test, &script.display().to_string())?;
        let mut path = Self { names, folder: folder(test), switches: Vec::new() };
        path.file("read.tpp", "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\n");
        for (id, loss) in (1..).zip(loss) {
            path.file(&format!("s{id}.p4"), &BRIDGE.replace("LOSS", &loss.to_string()));
            path.file(&format!("s{id}.toml"), &format!("switch_id = {id}\nrate = 1_000_000_000\n"));
            let run = format!("run s{id}.p4 --port 0=a0 --port 1=b0 --tpp s{id}.toml");
            let mut command = path.ww(&format!("s{id}"), &run);
            path.switches.push(path.names.spawn(command.stdout(Stdio::piped())));
        }
        Some(path)
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("a file");
    }

    fn ww(&self, place: &str, arguments: &str) -> Command {
        let mut command = self.names.command(place, env!("CARGO_BIN_EXE_ww"));
        command.current_dir(&self.folder).args(arguments.split_whitespace());
        command
    }

    fn run(&self, place: &str, arguments: &str) -> Output {
        self.ww(place, arguments).output().expect("ww runs")
    }

    fn json(&self, arguments: &str) -> Value {
        let output = self.run("h1", arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "ww {arguments}: {said}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Waits until a command in the first host succeeds.
    fn wait_for(&self, arguments: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let output = self.run("h1", arguments);
            if output.status.success() {
                return;
            }
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(Instant::now() < deadline, "ww {arguments}: {said}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn tpps_over_two_switches() {
    let Some(path) = Line::new("tpps_over_two_switches", [0, 0]) else { return };
    let echo = path.names.spawn(path.ww("h2", "tpp echo").stderr(Stdio::piped()));
    let send = format!("tpp send read.tpp --to {HOST} --json --tries 5");
    path.wait_for(&send);

    let one = &path.json(&send)["sent"][0];
    assert_eq!(one["rows"], json!([[1, 1], [2, 1]]), "{one}");
    assert_eq!(one["names"], json!(["Switch:SwitchID", "PacketMetadata:OutputPort"]));
    let targeted = &path.json(&format!("{send} --switch 2"))["sent"][0];
    assert_eq!(targeted["rows"], json!([[2, 1]]));
    let scattered = path.json(&format!("{send} --scatter 1,2,9={HOST}"));
    assert_eq!(scattered["sent"][0]["rows"], json!([[1, 1]]));
    assert_eq!(scattered["sent"][1]["rows"], json!([[2, 1]]));
    let said = scattered["sent"][2]["error"].as_str().expect("an error");
    assert!(said.contains("switch 9 was not on its way"), "{said}");
    let large = &path.json(&format!("{send} --large"))["sent"][0];
    assert_eq!((&large["rows"], &large["tpps"]), (&json!([[1, 1], [2, 1]]), &json!(1)));
    // The first switch executes it as it leaves by port 1, and sends it back.
    let reflected = &path.json(&format!("{send} --reflect"))["sent"][0];
    assert_eq!((&reflected["hops"], &reflected["rows"]), (&json!(1), &json!([[1, 1]])));

    let trace = path.json(&format!("tpp trace {HOST} --rounds 3 --interval 5ms --json"));
    assert_eq!(trace["returned"], 3, "{trace}");
    let ways: Vec<[u64; 4]> = trace["hops"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|hop| {
            ["hop", "switch", "input_port", "output_port"].map(|key| hop[key].as_u64().expect(key))
        })
        .collect();
    assert_eq!(ways, [[1, 1, 0, 1], [2, 2, 0, 1]], "{trace}");
    for hop in trace["hops"].as_array().expect("a list") {
        assert_eq!((&hop["rounds"], &hop["capacity_kbps"]), (&json!(3), &json!(1_000_000)));
        assert!(hop["clock"].as_u64() > Some(0), "{hop}");
    }
    let text = path.run("h1", &format!("tpp trace {HOST} --rounds 1"));
    assert_eq!(String::from_utf8_lossy(&text.stdout).lines().count(), 4, "a line a hop");

    let output = echo.interrupt();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.contains(" 0 datagrams ignored"), "{said}");
    let refused = path.run("h1", &send);
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stdout).into_owned();
    assert!(said.contains("nobody answers TPPs there"), "{said}");
}

/// Acceptance check 29 of spec 003 with real sockets: the second switch loses 30 % of packets each way, so that four tries
/// succeed with 1 - 0.51^4 = 0.932; 4 standard deviations of 200 calls are 0.071.
#[test]
fn retries_over_a_switch_that_loses() {
    let Some(path) = Line::new("retries_over_a_switch_that_loses", [0, 3]) else { return };
    let _echo = path.names.spawn(path.ww("h2", "tpp echo").stderr(Stdio::null()));
    path.wait_for(&format!("tpp send read.tpp --to {HOST} --json --tries 20 --timeout 100ms"));
    let send = format!(
        "tpp send read.tpp --to {HOST} --json --count 200 --interval 1ms --tries 4 --timeout 40ms"
    );
    let sent = path.json(&send)["sent"].clone();
    let all = sent.as_array().expect("a list");
    let good = all.iter().filter(|one| one["error"].is_null()).count();
    assert_eq!(all.len(), 200);
    assert!((good as f64 / 200.0 - 0.932).abs() < 0.071, "{good} of 200");
    for one in all.iter().filter(|one| one["error"].is_null()) {
        assert_eq!(one["rows"], json!([[1, 1], [2, 1]]));
    }
}

/// A shim at each end, under control: acceptance check 25 of spec 003, and `kill -9` in the middle.
#[test]
fn shims_that_are_told_while_they_run() {
    let Some(path) = Line::new("shims_that_are_told_while_they_run", [0, 0]) else { return };
    let shim = |host: &str, name: &str| {
        let arguments = format!(
            "tpp shim --control {name} --state {host}.toml --stack tap:tpp0 --wire eth0 --collect {host}.json --json"
        );
        path.names.spawn(path.ww(host, &arguments).stdout(Stdio::piped()).stderr(Stdio::null()))
    };
    let ask =
        |name: &str, request: &str| path.run("h1", &format!("tpp {request} --control {name}"));
    let ready = |host: &str, name: &str| {
        path.wait_for(&format!("tpp stats --control {name}"));
        let number = host.trim_start_matches('h');
        for arguments in [
            // The kernel takes no frame that comes to eth0 for its own.
            format!("link set eth0 arp off address 02:00:00:00:08:0{number}"),
            "addr flush dev eth0".to_owned(),
            "link set tpp0 addrgenmode none".to_owned(),
            format!("link set tpp0 address 02:00:00:00:07:0{number} mtu 1400 up"),
            format!("addr replace 10.0.7.{number}/24 dev tpp0"),
            format!(
                "neigh replace 10.0.7.{0} lladdr 02:00:00:00:07:0{0} dev tpp0",
                if number == "1" { 2 } else { 1 }
            ),
        ] {
            let mut ip = path.names.command(host, "ip");
            let output = ip.args(arguments.split_whitespace()).output().expect("ip runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "ip {arguments}: {said}");
        }
    };
    let good = |output: Output| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (first, second) = (shim("h1", "c1"), shim("h2", "c2"));
    ready("h1", "c1");
    ready("h2", "c2");
    assert!(path.names.ping("h1", HOST, &["-c", "3", "-i", "0.1"]), "without any rule");

    let made = good(ask("c1", "register queues --read Switch:* --allocate link=1"));
    assert!(made.contains("tag 1") && made.contains("0xd000 Link:AppSpecific_0"), "{made}");
    let refused = ask("c1", "add read.tpp --hops 2 --name queues --filter=-p=icmp");
    assert_eq!(refused.status.code(), Some(1));
    let refused = ask("c1", "add read.tpp --hops 2 --name queues");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("instruction 2"), "{said}");
    assert_eq!(good(ask("c1", "rules")), "", "nothing is installed");
    assert!(good(ask("c1", "stats")).contains("stamped 0\n"));
    path.file("id.tpp", "PUSH [Switch:SwitchID]\n");
    assert_eq!(good(ask("c1", "add id.tpp --hops 2 --name queues")), "rule 0\n");
    assert!(path.names.ping("h1", HOST, &["-c", "3", "-i", "0.1"]));
    // The executor's TPPs pass the shims: the other one sends them back, this one lets them through.
    path.file("h.tpp", ".hops 2\n.app 1\nPUSH [Switch:SwitchID]\n");
    let sent = &path.json(&format!("tpp send h.tpp --to {HOST} --json"))["sent"][0];
    assert_eq!(sent["rows"], json!([[1], [2]]));
    let not_allowed =
        path.run("h1", &format!("tpp send read.tpp --app 1 --to {HOST} --tries 1 --timeout 200ms"));
    assert_eq!(not_allowed.status.code(), Some(1), "the shim lets it not out");

    let applications = good(ask("c1", "apps --json"));
    let rules = good(ask("c1", "rules --json"));
    // SIGKILL.
    drop(first);
    let again = shim("h1", "c1");
    ready("h1", "c1");
    assert_eq!(good(ask("c1", "apps --json")), applications);
    assert_eq!(good(ask("c1", "rules --json")), rules);
    assert!(path.names.ping("h1", HOST, &["-c", "3", "-i", "0.1"]));
    let report: Value = serde_json::from_slice(&again.interrupt().stdout).expect("JSON");
    assert_eq!(report["stamped"], 3, "{report}");
    let report: Value = serde_json::from_slice(&second.interrupt().stdout).expect("JSON");
    assert_eq!((&report["stripped"], &report["echoed"]), (&json!(6), &json!(1)), "{report}");
    let collected = std::fs::read_to_string(path.folder.join("h2.json")).expect("collected");
    assert_eq!(collected.lines().count(), 6);
    for line in collected.lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((&record["words"], &record["app"]), (&json!([1, 2]), &json!(1)), "{record}");
    }
}
