//! Labs as text: what they become, and what is said of mistakes in them.

use ww_lab::lab::{Lab, Planned, Request};
use ww_sim::network::traffic::{Arrivals, Kind, Pairs, Pattern};
use ww_sim::network::{LinkChange, NodeKind};
use ww_sim::transport::tcp::Control;

const LEAF_SPINE: &str = r#"
title = "Web search"
worlds = ["sim"]
netns = "cannot: delays of 1 us"
[run]
duration = "100 ms"
warmup = "10 ms"
drain = "50 ms"
seed = 7
seeds = 3
[quick]
run.duration = "20 ms"
"traffic.search.load" = 0.3
[topology]
kind = "leaf-spine"
leaves = 4
spines = 2
hosts = 4
edge = { rate = "10 Gb/s", delay = "1 us", queue = "250 KB", mark = "65 KB" }
core = { rate = "40 Gb/s", length = "100 m" }
switch = { routes = true, latency = "500 ns" }
[[node]]
name = "h0..h3"
clock = { ppm = 12.5, offset = "-2 us", steps = [{ at = "1 ms", by = "3 us" }] }
[[link]]
ends = ["leaf0", "spine1"]
rate = "10 Gb/s"
reverse = { loss = "1 %" }
[[change]]
at = "5 ms"
link = "spine0-leaf2"
down = true
[routing]
reroute = "1 ms"
[transport.fast]
kind = "tcp"
congestion = "dctcp"
min_rto = "1 ms"
initial_rto = "2 ms"
rack = false
[[traffic]]
name = "search"
kind = "flows"
load = 0.6
sizes = "web-search"
transport = "fast"
[[traffic]]
name = "probe"
kind = "stream"
from = "h0"
to = "h15"
bytes = "100 B"
rate = "1 Mb/s"
pattern = "poisson"
class = 46
[measure]
queues = { every = "100 us", links = ["leaf0->spine0", "spine0->leaf0"] }
capture = ["h0-leaf0"]
[sweep]
"traffic.search.load" = [0.2, 0.4]
"#;

fn planned(text: &str, request: &Request) -> Planned {
    Lab::of_text("test", text).plan(request).unwrap_or_else(|report| panic!("{report}"))
}

fn mistakes(text: &str) -> String {
    let report = Lab::of_text("test", text).plan(&Request::default()).expect_err("mistakes");
    report.to_string()
}

/// All that the text says, in the units of the plan: ps, bytes, bits a second.
#[test]
fn a_lab_with_a_bit_of_everything() {
    let planned = planned(LEAF_SPINE, &Request::default());
    let plan = &planned.variants[0].plan;
    assert_eq!(
        (plan.run.duration, plan.run.warmup, plan.run.drain),
        (100_000_000_000, 10_000_000_000, 50_000_000_000)
    );
    assert_eq!((plan.run.seed, plan.run.seeds), (7, 3));
    assert_eq!(plan.worlds.netns, Err("delays of 1 us".to_owned()));
    let network = &plan.network;
    assert_eq!((network.nodes.len(), network.links.len(), network.hosts().count()), (22, 24, 16));
    let edge = network.links[0].directions[0];
    assert_eq!((edge.rate, edge.delay, edge.overhead), (10_000_000_000, 1_000_000, 24));
    assert_eq!((edge.limits.bytes, edge.limits.mark), (250_000, Some(65_000)));
    let NodeKind::Switch(switch) = network.nodes[0].kind else { panic!("leaf0 is a switch") };
    assert!(switch.routes && switch.latency == 500_000);
    // Links of leaf0 to the spines come after those of the 16 hosts; the second one was changed.
    let [forth, back] = network.links[17].directions;
    assert_eq!(network.direction_name(17, false), "leaf0->spine1");
    assert_eq!((forth.rate, forth.delay, forth.loss), (10_000_000_000, 500_000, 0.0));
    assert_eq!((back.rate, back.delay, back.loss), (10_000_000_000, 500_000, 0.01));
    assert_eq!(network.links[16].directions[0].rate, 40_000_000_000);
    // -2 us; after 0.5 ms at 12.5 ppm 6.25 ns more; then 3 us more.
    let h3 = network.nodes.iter().find(|node| node.name == "h3").expect("it is there");
    // Readings are rounded down.
    assert_eq!(h3.clock.read(500_000_000), 500_000_000 - 2_000_000 + 6_250 - 1);
    assert_eq!(h3.clock.read(1_000_000_000), 1_000_000_000 + 1_000_000 + 12_500 - 1);
    let change = network.changes[0];
    assert_eq!((change.at, change.what), (5_000_000_000, LinkChange::Down));
    assert_eq!(network.direction_name(change.link, false), "leaf2->spine0");
    assert!(network.routing.multipath && network.routing.reroute == 1_000_000_000);
    let Kind::Flows(flows) = &network.traffic[0].kind else { panic!("flows") };
    assert!(matches!(&flows.pairs, Pairs::AllToAll(hosts) if hosts.len() == 16));
    // 0.6 of 160 Gb/s, in flows of the distribution's mean.
    let Arrivals::Poisson { rate } = flows.arrivals else { panic!("Poisson") };
    assert!((rate * flows.sizes.mean() * 8.0 / 96e9 - 1.0).abs() < 1e-12);
    assert_eq!(plan.offered[0].capacity, Some(160e9));
    let ww_sim::network::traffic::Transport::Tcp(tcp) = flows.transport else { panic!("TCP") };
    assert!(tcp.ecn && matches!(tcp.control, Control::Dctcp { gain } if gain == 0.0625));
    assert_eq!((tcp.minimum_timeout, tcp.initial_timeout), (1_000_000_000, 2_000_000_000));
    assert!(tcp.sack && !tcp.rack && tcp.prr);
    let probe = &network.traffic[1];
    let Kind::Stream(stream) = probe.kind else { panic!("a stream") };
    assert_eq!((stream.bytes, stream.pattern), (100, Pattern::Poisson { rate: 1_000_000 }));
    assert_eq!((probe.class, probe.start, probe.stop), (46, 0, 100_000_000_000));
    assert_eq!(plan.measure.every, Some(100_000_000));
    assert_eq!(plan.measure.sampled, [32, 33]);
    assert_eq!(plan.measure.captures, [0, 1]);
}

#[test]
fn settings_from_elsewhere() {
    let set = ["traffic.search.load=0.9", "topology.edge.rate=25 Gb/s", "measure.packets=true"];
    let request = Request { quick: true, set: set.map(str::to_owned).to_vec(), seed: Some(42) };
    let plan = &planned(LEAF_SPINE, &request).variants[0].plan;
    assert_eq!(
        (plan.run.duration, plan.run.seed, plan.measure.packets),
        (20_000_000_000, 42, true)
    );
    assert_eq!((plan.offered[0].load, plan.offered[0].capacity), (Some(0.9), Some(400e9)));
    let quick = Request { quick: true, ..Request::default() };
    assert_eq!(planned(LEAF_SPINE, &quick).variants[0].plan.offered[0].load, Some(0.3));
    let lab = Lab::of_text("test", LEAF_SPINE);
    assert_eq!(
        lab.default_sweep(),
        [("traffic.search.load".to_owned(), vec!["0.2".to_owned(), "0.4".to_owned()])]
    );
    lab.check().unwrap_or_else(|report| panic!("{report}"));
    let wrong = Request {
        set: vec!["traffic.serch.load=1".into(), "topology.edge.rat=1".into()],
        ..Request::default()
    };
    let report = lab.plan(&wrong).expect_err("wrong").to_string();
    assert!(
        report.contains("--set traffic.serch.load=1: ")
            && report.contains("did you mean 'search'?"),
        "{report}"
    );
    assert!(
        report.contains("--set topology.edge.rat=1: unknown key 'rat'")
            && report.contains("'rate'"),
        "{report}"
    );
}

const EXPLICIT: &str = r#"
[run]
duration = "1 s"
[[node]]
name = "h1"
kind = "host"
ip = "10.0.0.1"
[[node]]
name = "h2"
kind = "host"
[[node]]
name = "s1"
kind = "switch"
[[link]]
ends = ["h1", "s1:2"]
rate = "1 Gb/s"
delay = "1 us"
[[link]]
ends = ["h2", "s1"]
rate = "1 Gb/s"
"#;

#[test]
fn explicit_nodes_and_links() {
    let network = planned(EXPLICIT, &Request::default()).variants.remove(0).plan.network;
    let ports: Vec<_> =
        network.links.iter().map(|link| (link.ends[0].port, link.ends[1].port)).collect();
    assert_eq!(ports, [(0, 2), (0, 0)]);
    // 10.0.0.1 is taken.
    let addresses: Vec<String> = network.hosts().map(|(_, host)| host.ip.to_string()).collect();
    assert_eq!(addresses, ["10.0.0.1", "10.0.0.2"]);
}

#[test]
fn variants() {
    let text = format!(
        "{EXPLICIT}\n[[traffic]]\nname = \"a\"\nkind = \"stream\"\nfrom = \"h1\"\nto = \"h2\"\nbytes = \"1514 B\"\nrate = \"1 Mb/s\"\n\
         [[variant]]\nname = \"slow\"\nset = {{ }}\n[[variant]]\nname = \"fast\"\nset = {{ \"traffic.a.rate\" = \"2 Mb/s\", link.0.rate = \"2 Gb/s\" }}\n"
    );
    let planned = planned(&text, &Request::default());
    let rates: Vec<_> = planned
        .variants
        .iter()
        .map(|variant| {
            (
                variant.name.as_str(),
                variant.plan.offered[0].rate,
                variant.plan.network.links[0].directions[0].rate,
            )
        })
        .collect();
    assert_eq!(rates, [("slow", Some(1e6), 1_000_000_000), ("fast", Some(2e6), 2_000_000_000)]);
}

/// Every mistake of a lab that has many, each at its line, in one go.
#[test]
fn all_mistakes_at_once() {
    let text = r#"titel = "x"
[run]
duration = 100
warmup = "1 min"
[[node]]
name = "h1"
kind = "host"
ip = "10.0.0.1"
[[node]]
name = "h2"
kind = "hots"
[[node]]
name = "h1"
kind = "host"
[[node]]
name = "s1"
kind = "switch"
latncy = "1 us"
[[link]]
ends = ["h1", "s2"]
rate = "10 Gb"
[[link]]
ends = ["h1", "s1:0"]
rate = "10 Gb/s"
loss = 1.5
[[link]]
ends = ["h2", "s1:0"]
delay = "1 us"
[transport.mine]
kind = "tcp"
congestion = "cubick"
[[traffic]]
name = "a"
kind = "flows"
pairs = [["h1", "h9"]]
sizes = { points = [["1 KB", 0.0], ["2 KB", 0.5]] }
load = 0.5
transport = "dctp"
[[traffic]]
name = "a"
kind = "stream"
from = "h1"
to = "h1"
bytes = "20 B"
[measure]
queues = { every = "1 us", links = ["h1>s1"] }
"#;
    let report = mistakes(text);
    for expected in [
        "lab.toml:1:1: unknown key 'titel' in the lab; did you mean 'title'?",
        "lab.toml:3:12: 'duration': expected a time such as \"100 us\" (ps, ns, us, ms, s), found 100, which has no unit",
        "lab.toml:4:10: 'warmup': expected a time such as \"100 us\" (ps, ns, us, ms, s), found \"1 min\"",
        "lab.toml:11:8: 'kind': expected host, switch, program, found \"hots\"; did you mean 'host'?",
        "lab.toml:13:8: two nodes are called 'h1'",
        "lab.toml:18:1: unknown key 'latncy' in [[node]]; did you mean 'latency'?",
        "lab.toml:20:15: there is no node 's2'; did you mean 'h2'?",
        "lab.toml:21:8: 'rate': expected a rate such as \"40 Gb/s\" (b/s, kb/s, Mb/s, Gb/s, Tb/s), found \"10 Gb\"",
        "lab.toml:25:8: 'loss': expected a probability from 0 to 1, found 1.5",
        "lab.toml:26:1: [[link]] needs 'rate'; such as rate = \"10 Gb/s\"",
        "lab.toml:26:1: port 0 of 's1' has two links",
        "lab.toml:31:14: 'congestion': expected newreno, cubic, dctcp, found \"cubick\"; did you mean 'cubic'?",
        "lab.toml:35:17: there is no host 'h9'; did you mean 'h1'?",
        "lab.toml:36:20: shares go from 0 to 1, found 0 to 0.5",
        "lab.toml:38:13: there is no transport 'dctp'; did you mean 'dctcp'?",
        "lab.toml:40:8: two pieces of traffic are called 'a'",
        "lab.toml:43:6: 'from' and 'to' are the same host",
        "lab.toml:44:9: 'bytes': expected a frame of 60 to 9014 bytes (without FCS), found 20",
        "lab.toml:39:1: [[traffic]] needs one of rate, load; such as rate = \"1 Gb/s\"",
        "lab.toml:46:37: expected the two ends of a link such as \"s0->s1\", found \"h1>s1\"",
    ] {
        assert!(report.lines().any(|line| line == expected), "missing: {expected}\n{report}");
    }
    assert_eq!(report.lines().count(), 20, "{report}");
}

/// One mistake each, in a lab that is otherwise right.
#[test]
fn single_mistakes() {
    let with = |text: &str| format!("{EXPLICIT}{text}\n");
    for (text, expected) in [
        (with("[[node]]\nname = \"h3\"\nkind = \"host\""), "21:1: 'h3' is not connected"),
        (
            with("[[link]]\nends = [\"h1\", \"s1\"]\nrate = \"1 Gb/s\""),
            "4:1: host 'h1' has 2 links; a host has one",
        ),
        (
            with("[[link]]\nends = [\"s1\", \"s1\"]\nrate = \"1 Gb/s\""),
            "22:8: both ends are at 's1'",
        ),
        (
            EXPLICIT.replace("name = \"h2\"\n", "name = \"h2\"\nip = \"10.0.0.1\"\n"),
            "8:1: 'h1' and 'h2' have the address 10.0.0.1",
        ),
        (
            with(
                "[topology]\nkind = \"ring\"\nedge = { rate = \"1 Gb/s\" }\ncore = { rate = \"1 Gb/s\" }",
            ),
            "'switches'; such as",
        ),
        (
            with("[[change]]\nat = \"1 ms\"\nlink = \"h1-h2\"\ndown = true"),
            "no link between 'h1' and 'h2'; at 'h1' there is s1",
        ),
        (with("[[change]]\nat = \"1 ms\"\nlink = \"h1-s1\""), "[[change]] needs what changes"),
        (
            with("[[traffic]]\nname = \"r\"\nkind = \"replay\"\nfrom = \"h1\"\nfile = \"x.pcap\""),
            "25:8: there is no folder",
        ),
        (
            with("[transport.x]\nkind = \"tcp\"\nmin_rto = \"2 s\"\nmax_rto = \"1 s\""),
            "'max_rto': expected at least min_rto",
        ),
        (
            with("[transport.x]\nkind = \"tcp\"\ngain = 0.5"),
            "'gain' belongs to congestion = \"dctcp\"",
        ),
        (
            with("[topologie]\nkind = \"star\""),
            "unknown key 'topologie' in the lab; did you mean 'topology'?",
        ),
        (EXPLICIT.replace("\"1 s\"", "1 s"), "quantities stand in quotes: \"1 s\""),
        (EXPLICIT.replace("[run]\nduration = \"1 s\"\n", ""), "the lab needs 'run'"),
        ("[run]\nduration = \"1 s\"".to_owned(), "the lab has no nodes"),
        (
            with("[[variant]]\nname = \"a\"\nset = { \"run.duraton\" = \"1 s\" }"),
            "unknown key 'duraton' in 'run' of the lab; did you mean 'duration'?",
        ),
        (
            with(
                "[[node]]\nname = \"p\"\nkind = \"program\"\n[[link]]\nends=[\"p\",\"s1\"]\nrate=\"1 Gb/s\"",
            ),
            "'p' is a program: it needs 'program'",
        ),
    ] {
        let report = mistakes(&text);
        assert!(
            report.lines().count() == 1 && report.contains(expected),
            "{expected}\n{report}\n{text}"
        );
    }
    // What is wrong inside is told though nobody knows which topology it is.
    let inside = mistakes(
        "[run]\nduration = \"1 s\"\n[topology]\nkind = \"sta\"\nhosts = 2\nedge = { rate = \"1 GB/s\" }\n",
    );
    assert!(inside.contains("4:8: 'kind'") && inside.contains("6:17: 'rate'"), "{inside}");
    assert_eq!(inside.lines().count(), 2, "{inside}");
    // Two links that make an island.
    let islands = with(
        "[[node]]\nname = \"h3\"\nkind = \"host\"\n[[node]]\nname = \"h4\"\nkind = \"host\"\n[[link]]\nends = [\"h3\", \"h4\"]\nrate = \"1 Gb/s\"",
    );
    assert!(mistakes(&islands).contains("there is no way between 'h1' and 'h3'"));
}

#[test]
fn large_ones_are_refused() {
    let text = |topology: &str| {
        let line = "edge = { rate = \"1 Gb/s\" }\ncore = { rate = \"1 Gb/s\" }";
        format!("[run]\nduration = \"1 s\"\n[topology]\n{topology}\n{line}\n")
    };
    for topology in [
        "kind = \"fat-tree\"\nk = 128",
        "kind = \"leaf-spine\"\nleaves = 60000\nspines = 60000\nhosts = 1",
        "kind = \"clos\"\nports = 65536\nleaves = 65535\nhosts = 32768",
        "kind = \"torus\"\nsizes = [60000, 60000, 60000, 60000, 60000]",
        "kind = \"ring\"\nswitches = 65536\nhosts = 65536",
    ] {
        let report = mistakes(&text(topology));
        assert!(report.contains("too many"), "{report}");
    }
    planned(&text("kind = \"fat-tree\"\nk = 8"), &Request::default());
}

/// Labs in which letters, words and lines were left out, doubled and exchanged: nothing panics, and what is wrong has a place.
#[test]
fn mutated_labs() {
    use ww_sim::random::Stream;
    let mut good = 0;
    for seed in 0..4000 {
        let mut stream = Stream::new(seed, 0, 0);
        let source = if seed % 2 == 0 { LEAF_SPINE } else { EXPLICIT };
        let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
        for _ in 0..=stream.below(3) {
            let place = stream.below(lines.len() as u64) as usize;
            let other = stream.below(lines.len() as u64) as usize;
            match stream.below(6) {
                0 => drop(lines.remove(place)),
                1 => lines.insert(other, lines[place].clone()),
                2 => lines.swap(place, other),
                3 => {
                    let words: Vec<&str> = lines[place].split(' ').collect();
                    let kept = stream.below(words.len() as u64 + 1) as usize;
                    lines[place] = words[..kept].join(" ");
                }
                4 => {
                    let letter = b"\"[]{}=.,-09 aZ#*:>%\\"[stream.below(20) as usize] as char;
                    let at = stream.below(lines[place].len() as u64 + 1) as usize;
                    lines[place].insert(at, letter);
                }
                _ => {
                    let end = |line: &str| line.split_once('=').map(|(_, value)| value.to_owned());
                    if let (Some(value), Some((key, _))) =
                        (end(&lines[other]), lines[place].clone().split_once('='))
                    {
                        lines[place] = format!("{key}={value}");
                    }
                }
            }
        }
        let text = lines.join("\n");
        match Lab::of_text("mutated", &text).check() {
            Ok(_) => good += 1,
            Err(report) => {
                for mistake in &report.mistakes {
                    let (line, column) =
                        mistake.position.unwrap_or_else(|| panic!("seed {seed}: {mistake}"));
                    assert!(
                        line >= 1 && line <= lines.len() + 1 && column >= 1,
                        "seed {seed}: {mistake}"
                    );
                }
            }
        }
    }
    assert!((100..3900).contains(&good), "{good} of 4000 were good");
}
