//! Hosts with a stack in labs: what files become, and what is said of mistakes.

use ww_lab::lab::{Lab, Planned, Request};
use ww_sim::network::traffic::{Kind, Ping, Transport};
use ww_sim::stack::{Attachment, Congestion, Settings};

const TWO: &str = r#"title = "Two"
[run]
duration = "10 ms"
[[node]]
name = "h0"
kind = "host"
stack = "smoltcp"
[[node]]
name = "h1"
kind = "host"
stack = "smoltcp"
mtu = 9000
[[link]]
ends = ["h0", "h1"]
rate = "1 Gb/s"
"#;

fn plan(text: &str) -> Planned {
    let lab = Lab::of_text("test", text);
    lab.plan(&Request::default()).unwrap_or_else(|report| panic!("{report}"))
}

fn mistakes(text: &str) -> String {
    let lab = Lab::of_text("test", text);
    lab.plan(&Request::default()).expect_err("mistakes").to_string()
}

fn attachments(planned: &Planned) -> Vec<Option<Attachment>> {
    planned.variants[0].plan.network.hosts().map(|(_, host)| host.stack).collect()
}

/// Without a gateway all are in the host's network; with a gateway's address on the link none are; with its IP address
/// those with the same 24 bits are, unless the file says otherwise.
#[test]
fn networks_of_hosts() {
    let known = |prefix, router: Option<[u8; 4]>, mtu| {
        Some(Attachment { prefix, router: router.map(Into::into), mtu })
    };
    assert_eq!(attachments(&plan(TWO)), [known(0, None, 1_500), known(0, None, 9_000)]);
    let mac = TWO.replace("mtu = 9000", "gateway = \"02:00:00:00:00:fe\"");
    assert_eq!(attachments(&plan(&mac))[1], known(32, None, 1_500));
    let ip = TWO.replace("mtu = 9000", "gateway = \"10.0.0.254\"");
    assert_eq!(attachments(&plan(&ip))[1], known(24, Some([10, 0, 0, 254]), 1_500));
    let prefix = TWO.replace("mtu = 9000", "gateway = \"10.0.1.254\"\nprefix = 16");
    assert_eq!(attachments(&plan(&prefix))[1], known(16, Some([10, 0, 1, 254]), 1_500));
    // A pattern gives one to all; one host is left without.
    let star = "[run]\nduration = \"1 ms\"\n[topology]\nkind = \"star\"\nhosts = 3\nedge = { rate = \"1 Gb/s\" }\n[[node]]\nname = \"h*\"\nstack = \"smoltcp\"\n[[node]]\nname = \"h1\"\nstack = \"none\"\n";
    let all = attachments(&plan(star));
    assert_eq!(all, [known(0, None, 1_500), None, known(0, None, 1_500)]);
}

/// Ping has ping's own defaults; a transport has what it says.
#[test]
fn traffic_of_stacks() {
    let text = format!(
        r#"{TWO}
[transport.real]
kind = "smoltcp"
congestion = "cubic"
send_buffer = "128 KiB"
receive_buffer = "1 MiB"
ack_within = "0 ms"
nagle = false
[[traffic]]
name = "ping"
kind = "ping"
from = "h0"
to = "h1"
[[traffic]]
name = "file"
kind = "flows"
pairs = [["h0", "h1"]]
once = true
sizes = "1 MB"
transport = "real"
[[traffic]]
name = "ask"
kind = "requests"
clients = "h0"
servers = "h1"
request = "100 B"
response = "10 KB"
transport = "smoltcp"
"#
    );
    let planned = plan(&text);
    let traffic = &planned.variants[0].plan.network.traffic;
    let Kind::Ping(ping) = traffic[0].kind else { panic!("a ping") };
    assert_eq!(ping, Ping { from: 0, to: 1, bytes: 56, period: 1_000_000_000_000 });
    let Kind::Flows(flows) = &traffic[1].kind else { panic!("flows") };
    let Transport::Stack(settings) = flows.transport else { panic!("a stack's TCP") };
    let expected = Settings {
        congestion: Congestion::Cubic,
        send_buffer: 131_072,
        receive_buffer: 1_048_576,
        acknowledge_within: None,
        nagle: false,
    };
    assert_eq!(settings, expected);
    let Kind::Requests(requests) = &traffic[2].kind else { panic!("requests") };
    assert!(matches!(requests.transport, Transport::Stack(_)));
}

/// All at once, each at its line, with what to do.
#[test]
fn mistakes_of_stacks() {
    let text = r#"title = "x"
[run]
duration = "10 ms"
[[node]]
name = "h0"
kind = "host"
stack = "smoltpc"
[[node]]
name = "h1"
kind = "host"
gateway = "10.0.0.254"
mtu = 1500
[[node]]
name = "h2"
kind = "host"
stack = "smoltcp"
gateway = "10.9.9.9"
prefix = 40
[[node]]
name = "h3"
kind = "host"
stack = "smoltcp"
gateway = "10.0.0.300"
[[node]]
name = "s0"
kind = "switch"
stack = "smoltcp"
[[link]]
ends = ["h0", "s0"]
rate = "1 Gb/s"
[[link]]
ends = ["h1", "s0"]
rate = "1 Gb/s"
[[link]]
ends = ["h2", "s0"]
rate = "1 Gb/s"
[[link]]
ends = ["h3", "s0"]
rate = "1 Gb/s"
[transport.small]
kind = "smoltcp"
send_buffer = "10 B"
segment = "1 KB"
"#;
    let told = mistakes(text);
    for (line, words) in [
        (7, "'stack': expected smoltcp, none, found \"smoltpc\"; did you mean 'smoltcp'?"),
        (11, "'h1' has no stack: an IP address as its 'gateway'"),
        (12, "'mtu' is a setting of one; say stack = \"smoltcp\""),
        (17, "'h2' cannot have a stack: its gateway is not another host of its network"),
        (18, "'prefix': expected 0 to 32, found 40"),
        (23, "'gateway': expected an IPv4 address"),
        (24, "'s0' is a switch: 'stack' has no meaning there"),
        (42, "'send_buffer': expected 1024 to 16777216 bytes, found 10"),
        (43, "unknown key 'segment'"),
    ] {
        let found = told
            .lines()
            .any(|own| own.starts_with(&format!("lab.toml:{line}:")) && own.contains(words));
        assert!(found, "{line}: {words}\n{told}");
    }
}

/// Hosts that do not understand each other: at the line that says who, or how.
#[test]
fn mixtures() {
    let flow = |transport: &str, more: &str| {
        format!(
            "[[traffic]]\nname = \"file\"\nkind = \"flows\"\npairs = [[\"h0\", \"h1\"]]\nonce = true\nsizes = \"1 MB\"\ntransport = {transport}\n{more}"
        )
    };
    let ping = |more: &str| {
        format!("[[traffic]]\nname = \"p\"\nkind = \"ping\"\nfrom = \"h0\"\nto = \"h1\"\n{more}")
    };
    let half = TWO.replace("stack = \"smoltcp\"\nmtu = 9000", "mac = \"02:00:00:00:00:07\"");
    let none = half.replace("stack = \"smoltcp\"\n", "");
    for (text, line, words) in [
        (half.clone() + &flow("\"cubic\"", ""), 18, "'h0' has a stack and 'h1' has none"),
        (half + &flow("\"smoltcp\"", ""), 18, "give 'h1' stack = \"smoltcp\" too"),
        (none.clone() + &flow("\"smoltcp\"", ""), 20, "'h0' has no stack"),
        (none + &ping(""), 18, "no echoes"),
        (TWO.to_owned() + &flow("\"cubic\"", ""), 22, "say transport = \"smoltcp\""),
        (TWO.to_owned() + &flow("\"smoltcp\"", "class = 10\n"), 23, "leave 'class' out"),
        (
            TWO.to_owned() + &flow("{ kind = \"udp\", rate = \"1 Mb/s\", bytes = \"2000 B\" }", ""),
            22,
            "1986 bytes",
        ),
        (TWO.to_owned() + &ping("bytes = \"1473 B\"\n"), 21, "1501 bytes"),
        (TWO.to_owned() + &ping("bytes = \"11 B\"\n"), 21, "expected 12 to 8972"),
        (TWO.to_owned() + &ping("period = \"0 s\"\n"), 21, "more than 0"),
        (TWO.to_owned() + &ping("").replace("h1", "h0"), 20, "the same host"),
    ] {
        let told = mistakes(&text);
        let found = told
            .lines()
            .any(|own| own.starts_with(&format!("lab.toml:{line}:")) && own.contains(words));
        assert!(found, "{line}: {words}\n{told}");
    }
}
