//! `[topology] kind = "clos"` as text: the network that it gives, and what is said of shapes that do not exist.

use ww_lab::lab::{Lab, Planned, Request};
use ww_lab::world::netns;
use ww_sim::network::NodeKind;

/// Eight leaves with four hosts each at four spines.
const LAB: &str = r#"
[run]
duration = "100 us"
drain = "1 ms"
[topology]
kind = "clos"
ports = 8
leaves = 8
hosts = 4
edge = { rate = "50 Gb/s", delay = "500 ns" }
core = { rate = "50 Gb/s", delay = "500 ns" }
[routing]
spray = true
"#;

fn planned(text: &str) -> Planned {
    Lab::of_text("clos", text).plan(&Request::default()).unwrap_or_else(|report| panic!("{report}"))
}

fn mistakes(text: &str) -> String {
    let report = Lab::of_text("clos", text).plan(&Request::default()).expect_err("a mistake");
    report.mistakes.iter().map(|mistake| format!("{mistake}\n")).collect()
}

/// As many switches and links as the shape has by its definition: 512 hosts at switches of 64 ports are 24 switches, and
/// each leaf has 32 links up, 4 to each spine.
#[test]
fn clos_has_the_switches_of_its_ports() {
    let text = LAB
        .replace("ports = 8", "ports = 64")
        .replace("leaves = 8", "leaves = 16")
        .replace("hosts = 4", "hosts = 32");
    let planned = planned(&text);
    let network = &planned.variants[0].plan.network;
    let count = |prefix: &str| {
        let is_switch = |kind: &NodeKind| matches!(kind, NodeKind::Switch(_));
        let named = network.nodes.iter().filter(|node| node.name.starts_with(prefix));
        named.filter(|node| is_switch(&node.kind)).count()
    };
    assert_eq!((network.hosts().count(), count("leaf"), count("spine")), (512, 16, 8));
    assert_eq!(network.links.len(), 512 + 512);
    assert!(network.routing.spray);
}

#[test]
fn bad_clos_shapes_are_refused() {
    for (old, new, expected) in [
        ("ports = 8\n", "", "needs 'ports'; such as ports = 8"),
        ("ports = 8", "ports = 4", "a leaf of 4 ports with 4 hosts has no port for a spine"),
        (
            "leaves = 8",
            "leaves = 6",
            "6 leaves with 4 uplinks each need 3 spines of 8 ports, and 4 uplinks do not divide evenly among 3: take 4 or 7 leaves",
        ),
        ("leaves = 8", "leaves = 9", "take 8 leaves"),
        ("leaves = 8", "leafs = 8", "did you mean 'leaves'?"),
        ("hosts = 4", "hosts = 4\nspines = 4", "unknown key 'spines'"),
    ] {
        let report = mistakes(&LAB.replace(old, new));
        assert!(
            report.lines().count() == 1 && report.contains(expected),
            "{expected}\nfound\n{report}"
        );
    }
}

/// World netns has no switch that chooses a path for each packet, and says so once.
#[test]
fn spraying_is_refused_in_netns() {
    let refused = |text: &str| netns::refused(&planned(text).variants[0].plan);
    // Nothing else is too much for a machine.
    let slow = LAB.replace("50 Gb/s", "10 Mb/s").replace("500 ns", "2 ms");
    let problems = refused(&slow);
    assert!(
        problems.len() == 1
            && problems[0].contains("spray = true")
            && problems[0].contains("world sim"),
        "{problems:?}"
    );
    assert_eq!(refused(&slow.replace("spray = true", "")), Vec::<String>::new());
}
