//! The P4Runtime entries of the public exercises.

use std::path::Path;
use std::sync::Arc;
use ww_control::entries;
use ww_dataplane::Dataplane;
use ww_dataplane::control::{Control, MirrorSession};
use ww_engine::interp::{Interp, Options};
use ww_p4::diagnostic::Diagnostics;
use ww_p4::frontend::compile_text;
use ww_p4::source::SourceMap;

const PROGRAM: &str = "
#include <core.p4>
#include <v1model.p4>
header h_t { bit<32> a; bit<48> m; bit<8> k; bit<8> r; }
struct headers_t { h_t h; }
struct metadata_t { }
parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start { pkt.extract(hdr.h); transition accept; }
}
control V(inout headers_t hdr, inout metadata_t meta) { apply { } }
control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set(bit<48> m, bit<9> port) { hdr.h.m = m; sm.egress_spec = port; }
    action mark(bit<8> r) { hdr.h.r = r; }
    action drop() { mark_to_drop(sm); }
    table routes { key = { hdr.h.a : lpm; } actions = { set; drop; } default_action = drop(); }
    table acl {
        key = { hdr.h.k : ternary; hdr.h.r : range; hdr.h.m : optional; }
        actions = { mark; NoAction; }
    }
    table hosts { key = { hdr.h.m : exact; } actions = { mark; NoAction; } }
    apply { acl.apply(); hosts.apply(); routes.apply(); }
}
control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";

fn load() -> Interp {
    let compilation = compile_text(Path::new("t.p4"), PROGRAM.into(), &Default::default());
    let problems = compilation.diagnostics.render(&compilation.sources, false);
    assert!(!compilation.diagnostics.has_errors(), "{problems}");
    Interp::new(Arc::new(compilation.program), Options::default()).expect("supported")
}

/// All that is said, each with line and column; `Ok` if no error is among it.
fn apply(switch: &mut Interp, text: &str) -> Result<Vec<String>, Vec<String>> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("s1.json", text.to_owned(), false);
    let script = entries::parse(file, &sources, &mut diagnostics);
    script.load(switch, &mut diagnostics);
    let one = |d: &ww_p4::diagnostic::Diagnostic| {
        let at = sources.position(d.span).expect("a place");
        format!("{}:{}: {}", at.line, at.column, d.message)
    };
    let said = diagnostics.iter().map(one).collect();
    if diagnostics.has_errors() { Err(said) } else { Ok(said) }
}

fn packet(address: [u8; 4], mac: u8, k: u8, r: u8) -> Vec<u8> {
    [&address[..], &[0, 0, 0, 0, 0, mac, k, r]].concat()
}

/// What leaves: the port, the MAC address's last byte, and the mark.
fn sent(switch: &mut Interp, packet: &[u8]) -> Option<(u32, u8, u8)> {
    let mut out = Vec::new();
    switch.receive(0, 0, packet, &mut out);
    out.first().map(|transmit| (transmit.port, transmit.frame[9], transmit.frame[11]))
}

#[test]
fn an_exercise_is_loaded() {
    let mut switch = load();
    let text = r#"
{
  "target": "bmv2",
  "p4info": "build/basic.p4.p4info.txt",
  "bmv2_json": "build/basic.json",
  "table_entries": [
    { "table": "I.routes", "default_action": true, "action_name": "I.drop", "action_params": { } },
    { "table": "I.routes", "match": { "hdr.h.a": ["10.0.1.0", 24] },
      "action_name": "I.set", "action_params": { "m": "08:00:00:00:01:11", "port": 1 } },
    { "table": "routes", "match": { "hdr.h.a": [167772672, 32] },
      "action_name": "set", "action_params": { "port": "0x2", "m": "0x22" } },
    { "table": "acl", "priority": 1, "match": { "hdr.h.k": ["0x10", "0xf0"] },
      "action_name": "mark", "action_params": { "r": 1 } },
    { "table": "acl", "priority": 2, "match": { "hdr.h.k": [17, 255], "hdr.h.r": [5, 9] },
      "action_name": "mark", "action_params": { "r": 2 } },
    { "table": "acl", "priority": 3, "match": { "hdr.h.m": "00:00:00:00:00:07" },
      "action_name": "mark", "action_params": { "r": 3 } },
    { "table": "hosts", "match": { "hdr.h.m": "00:00:00:00:00:09" },
      "action_name": "mark", "action_params": { "r": "4" } }
  ],
  "multicast_group_entries": [
    { "multicast_group_id": 1, "replicas": [
      { "egress_port": 1, "instance": 1 }, { "egress_port": 2, "instance": 1 },
      { "egress_port": 3 } ] }
  ],
  "clone_session_entries": [
    { "clone_session_id": 5, "replicas": [ { "egress_port": 4, "instance": 0 } ] },
    { "clone_session_id": 6, "packet_length_bytes": 64,
      "replicas": [ { "egress_port": 4, "instance": 9 }, { "egress_port": 5, "instance": 8 } ] }
  ]
}
"#;
    assert_eq!(apply(&mut switch, text), Ok(vec![]));
    assert_eq!(sent(&mut switch, &packet([10, 0, 1, 9], 0, 0, 0)), Some((1, 0x11, 0)));
    assert_eq!(sent(&mut switch, &packet([10, 0, 2, 0], 0, 0, 0)), Some((2, 0x22, 0)));
    assert_eq!(sent(&mut switch, &packet([10, 0, 3, 0], 0, 0, 0)), None);
    let mark = |switch: &mut Interp, mac, k, r| {
        sent(switch, &packet([10, 0, 1, 1], mac, k, r)).map(|(.., mark)| mark)
    };
    // The higher priority wins; keys that are not given match everything.
    assert_eq!(mark(&mut switch, 0, 0x12, 5), Some(1));
    assert_eq!(mark(&mut switch, 0, 0x11, 5), Some(2));
    assert_eq!(mark(&mut switch, 0, 0x11, 4), Some(1));
    assert_eq!(mark(&mut switch, 7, 0x11, 5), Some(3));
    assert_eq!(mark(&mut switch, 9, 0, 0), Some(4));
    let view = switch.multicast().expect("a view");
    let nodes = |group: u16| -> Vec<(u16, Vec<u32>)> {
        let nodes = view.groups[&group].iter().map(|handle| &view.nodes[handle]);
        nodes.map(|node| (node.replication_id, node.ports.clone())).collect()
    };
    assert_eq!(nodes(1), [(1, vec![1, 2]), (0, vec![3])]);
    let to = |switch: &mut Interp, session| switch.mirror(session).expect("it answers");
    let plain = MirrorSession { port: Some(4), ..Default::default() };
    assert_eq!(to(&mut switch, 5), Some(plain));
    let grouped = MirrorSession { port: None, group: Some(2), truncate: Some(64) };
    assert_eq!(to(&mut switch, 6), Some(grouped));
    assert_eq!(nodes(2), [(9, vec![4]), (8, vec![5])]);
}

/// One wrong entry beside a good one.
fn with(entry: &str) -> String {
    format!(
        "{{\"table_entries\": [\n{{\"table\": \"hosts\", \"match\": {{\"hdr.h.m\": 1}}, \
         \"action_name\": \"NoAction\"}},\n{entry}\n]}}"
    )
}

#[test]
fn mistakes_say_where_and_leave_nothing_behind() {
    let set = r#""action_name": "set", "action_params": {"m": 1, "port": 1}"#;
    for (entry, wanted) in [
        (
            format!(r#"{{"table": "route", {set}}}"#),
            "3:11: there is no table named `route`",
        ),
        (format!(r#"{{"tables": "routes", {set}}}"#), "3:2: unknown key `tables` of an entry of a table"),
        (format!("{{{set}}}"), "3:1: an entry of a table needs `table`"),
        (r#"{"table": "routes"}"#.to_owned(), "3:1: an entry of a table needs `action_name`"),
        (
            format!(r#"{{"table": "routes", "match": {{"hdr.h.b": ["10.0.0.0", 8]}}, {set}}}"#),
            "3:31: `hdr.h.b` is no key of table `I.routes`: there are hdr.h.a",
        ),
        (
            format!(r#"{{"table": "routes", "match": {{"hdr.h.a": "10.0.0.0"}}, {set}}}"#),
            "3:42: key `hdr.h.a` (lpm) is written [value, prefix length], found \"10.0.0.0\"",
        ),
        (
            format!(r#"{{"table": "routes", "match": {{"hdr.h.a": ["10.0.0.0", 33]}}, {set}}}"#),
            "3:55: key `hdr.h.a` (lpm): expected a prefix length of 0 to 32, found 33",
        ),
        (
            format!(r#"{{"table": "routes", "match": {{"hdr.h.a": ["10.0.0", 8]}}, {set}}}"#),
            "3:43: key `hdr.h.a` (lpm) expected a number or an address of 32 bits, found `10.0.0`",
        ),
        (
            r#"{"table": "hosts", "action_name": "NoAction"}"#.to_owned(),
            "3:11: `match` of an entry of table `I.hosts` needs `hdr.h.m` (exact)",
        ),
        (
            r#"{"table": "hosts", "match": {"hdr.h.m": 2}, "action_name": "mark"}"#.to_owned(),
            "3:60: `action_params` needs parameter `r` of action `I.mark` (8 bits)",
        ),
        (
            r#"{"table": "hosts", "match": {"hdr.h.m": 2}, "action_name": "mark", "action_params": {"r": 256}}"#
                .to_owned(),
            "3:91: parameter `r` of action `I.mark` has 8 bit(s), which `256` does not fit",
        ),
        (
            r#"{"table": "hosts", "match": {"hdr.h.m": 2}, "action_name": "mark", "action_params": {"q": 1}}"#
                .to_owned(),
            "3:86: `q` is no parameter of action `I.mark`: there are r",
        ),
        (
            r#"{"table": "acl", "match": {"hdr.h.k": [1, 1]}, "action_name": "NoAction"}"#.to_owned(),
            "3:11: table `I.acl` has ternary, range or optional keys: an entry needs a `priority`",
        ),
        (
            r#"{"table": "acl", "priority": -1, "action_name": "NoAction"}"#.to_owned(),
            "3:30: `priority`: expected a priority (0 to 2147483647), found -1",
        ),
        (
            format!(r#"{{"table": "routes", "default_action": true, "match": {{"hdr.h.a": [1, 8]}}, {set}}}"#),
            "3:55: a default action matches nothing",
        ),
        ("7".to_owned(), "3:1: expected an object, found 7"),
        ("{\"table\" \"x\"}".to_owned(), "3:10: expected `:`, found `\"`"),
    ] {
        let mut switch = load();
        let errors = apply(&mut switch, &with(&entry)).expect_err(&entry);
        assert_eq!(errors.len(), 1, "{entry}: {errors:?}");
        assert!(errors[0].starts_with(wanted), "{entry}:\n {}\nnot\n {wanted}", errors[0]);
        let hosts = switch.schema().table("hosts").expect("a table");
        assert_eq!(switch.table_entries(hosts).map(|e| e.len()), Ok(0), "{entry}");
    }
}

#[test]
fn groups_and_sessions_have_ports_that_exist() {
    for (text, wanted) in [
        (
            r#"{"multicast_group_entries": [{"multicast_group_id": 1, "replicas": [{"egress_port": 600}]}]}"#,
            "1:85: there is no port 600: v1model has the ports 0 to 510",
        ),
        (
            r#"{"clone_session_entries": [{"clone_session_id": 1, "replicas": [{"egress_port": 600}]}]}"#,
            "1:81: there is no port 600",
        ),
        (
            r#"{"clone_session_entries": [{"clone_session_id": 1}]}"#,
            "1:28: a clone session needs `replicas`",
        ),
        (
            r#"{"multicast_group_entries": [{"multicast_group_id": 0, "replicas": []}]}"#,
            "1:53: multicast group 0 stands for no group",
        ),
        (r#"{"table_entry": []}"#, "1:2: unknown key `table_entry` of the file"),
    ] {
        let mut switch = load();
        let errors = apply(&mut switch, text).expect_err(text);
        assert!(errors[0].starts_with(wanted), "{text}: {errors:?}");
        let view = switch.multicast().expect("a view");
        assert!(view.groups.is_empty() && view.nodes.is_empty(), "{text}");
    }
}

#[test]
fn a_priority_that_decides_nothing_is_a_warning() {
    let text = r#"{"table_entries": [{"table": "hosts", "match": {"hdr.h.m": 1}, "priority": 3, "action_name": "NoAction"}]}"#;
    let said = apply(&mut load(), text).expect("accepted");
    assert!(said.len() == 1 && said[0].contains("decides nothing"), "{said:?}");
}
