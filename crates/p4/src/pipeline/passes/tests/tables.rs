//! Tables as code, and groups of lookups.

use super::{Sample, control};
use crate::pipeline::passes::lookup_groups;

const PASS: &[&str] = &["tables-as-code"];

const ACTIONS: &str = "
    action set(bit<8> v) { meta.a = v; }
    action stop() { sm.mcast_grp = 3; exit; }";

fn table(key: &str, properties: &str) -> String {
    format!("{ACTIONS} table t {{ {key} actions = {{ set; stop; NoAction; }} {properties} }}")
}

fn with_table(key: &str, properties: &str, apply: &str) -> (String, u64) {
    let declarations = table(key, properties);
    let sample = Sample { declarations: &declarations, apply, ..Sample::default() };
    let (pipeline, report) = sample.optimised(super::only(PASS));
    let text = pipeline.text();
    let at = text.find("control ig").expect("there is an ingress");
    let end = text[at..].find("\n}\n").expect("it ends") + 3;
    (text[at..at + end].to_owned(), report.tables_as_code)
}

#[test]
fn a_table_without_keys() {
    let (text, count) = with_table(
        "",
        "const default_action = set(7);",
        "t.apply(); sm.egress_spec = (bit<9>)meta.a;",
    );
    let expected = "control ig = I {
  0:
    I.set.v = 8w0x7
    meta.a = I.set.v
    sm.egress_spec = zext<9>(meta.a)
  1: end
}
";
    assert_eq!((text.as_str(), count), (expected, 1));
    let (text, count) = with_table("", "default_action = set(7);", "t.apply();");
    assert!(text.contains("apply I.t") && count == 0, "the default can change: {text}");
}

#[test]
fn one_exact_key_is_a_switch_and_exit_leaves() {
    let (text, _) = with_table(
        "key = { hdr.h.x: exact; }",
        "const default_action = NoAction();
         const entries = { 1: set(4); 9: stop(); }",
        "if (t.apply().hit) { meta.b = 1; } meta.c = 2;",
    );
    let expected = "control ig = I {
  0: switch hdr.h.x default 3
    0x1 goto 1
    0x9 goto 2
  1: goto 4
    I.set.v = 8w0x4
    meta.a = I.set.v
    I.t.$hit = 1w0x1
  2: goto 7
    sm.mcast_grp = 16w0x3
    I.t.$hit = 1w0x1
  3:
    I.t.$hit = 1w0x0
  4: if I.t.$hit goto 5 else 6
  5:
    meta.b = 8w0x1
  6:
    meta.c = 8w0x2
  7: end
}
";
    assert_eq!(text, expected);
}

/// The conditions of a graph in order.
fn conditions(text: &str) -> Vec<&str> {
    let condition =
        |l: &'_ str| -> Option<(usize, usize)> { Some((l.find(": if ")? + 5, l.find(" goto ")?)) };
    text.lines().filter_map(|l| condition(l).map(|(from, to)| &l[from..to])).collect()
}

#[test]
fn the_longest_prefix_is_tried_first() {
    let (text, count) = with_table(
        "key = { hdr.h.x: lpm; }",
        "const default_action = NoAction();
         const entries = { 0x80 &&& 0x80: set(1); 0xf0 &&& 0xf0: set(2); _: set(3); 0xc0 &&& 0xc0: set(4); }",
        "t.apply();",
    );
    let expected = [
        "(hdr.h.x & 8w0xf0) == 8w0xf0",
        "(hdr.h.x & 8w0xc0) == 8w0xc0",
        "(hdr.h.x & 8w0x80) == 8w0x80",
    ];
    // The prefix of no bits is no condition: behind it comes nothing.
    assert_eq!((conditions(&text)[..3].to_vec(), count), (expected.to_vec(), 1), "{text}");
    assert!(text.contains("I.set.v = 8w0x3"), "{text}");
}

#[test]
fn ternary_entries_go_by_order() {
    let (text, _) = with_table(
        "key = { hdr.h.x: ternary; hdr.h.y: range; }",
        "const default_action = NoAction();
         const entries = { (0x01 &&& 0x01, _): set(1); (_, 3..9): set(2); (7, _): set(3); }",
        "if (t.apply().hit) { meta.b = 1; }",
    );
    let expected = [
        "(hdr.h.x & 8w0x1) == 8w0x1",
        "(8w0x3 <= hdr.h.y) & (hdr.h.y <= 8w0x9)",
        "hdr.h.x == 8w0x7",
    ];
    assert_eq!(conditions(&text)[..3], expected, "{text}");
    let count = |line: &str| text.matches(line).count();
    assert_eq!((count("I.t.$hit = 1w0x1"), count("I.t.$hit = 1w0x0")), (3, 1), "{text}");
}

#[test]
fn what_the_control_plane_can_change_stays_a_table() {
    let key = "key = { hdr.h.x: exact; }";
    for properties in [
        "const default_action = NoAction();",
        "default_action = NoAction(); const entries = { 1: set(2); }",
        "const default_action = NoAction(); entries = { 1: set(2); }",
        "const default_action = NoAction(); counters = c; const entries = { 1: set(2); }",
    ] {
        let counter = "direct_counter(CounterType.packets) c;";
        let declarations = format!("{counter} {}", table(key, properties));
        let sample =
            Sample { declarations: &declarations, apply: "t.apply();", ..Sample::default() };
        assert_eq!(sample.optimised(super::only(PASS)).1.tables_as_code, 0, "{properties}");
    }
}

fn groups(apply: &str) -> Vec<Vec<String>> {
    let declarations = "
        action a_set(bit<8> v) { meta.a = v; }
        action b_set(bit<8> v) { meta.b = v; }
        action stop() { exit; }
        table of_x { key = { hdr.h.x: exact; } actions = { a_set; } }
        table of_y { key = { hdr.h.y: exact; } actions = { b_set; } }
        table of_a { key = { meta.a: exact; } actions = { b_set; } }
        table of_c { key = { meta.c: exact; } actions = { stop; } }";
    let pipeline = Sample { declarations, apply, ..Sample::default() }.lowered();
    let graph = control(&pipeline, "ig");
    let name = |id: &crate::pipeline::NodeId| match graph.nodes[id.index()].kind {
        crate::pipeline::NodeKind::Apply { table, .. } => pipeline[table].name.to_string(),
        _ => panic!("a group is of applications"),
    };
    let mut found: Vec<Vec<String>> = lookup_groups(&pipeline, graph)
        .iter()
        .map(|group| group.iter().map(name).collect())
        .collect();
    found.iter_mut().flatten().for_each(|n| *n = n.replace("I.", ""));
    found
}

#[test]
fn lookups_that_wait_for_nothing_are_grouped() {
    assert_eq!(groups("of_x.apply(); of_y.apply();"), [["of_x", "of_y"]]);
    // The first one's action writes the second one's key; the third needs neither.
    assert_eq!(groups("of_x.apply(); of_a.apply(); of_y.apply();"), [["of_x", "of_y"]]);
    assert_eq!(groups("of_x.apply(); hdr.h.y = 1; of_y.apply();"), [[""; 0]; 0]);
    // Not certain to run.
    assert_eq!(groups("of_x.apply(); if (meta.b == 1) { of_y.apply(); }"), [[""; 0]; 0]);
    assert_eq!(groups("of_c.apply(); of_y.apply();"), [[""; 0]; 0]);
    // Both ways lead to the second one.
    assert_eq!(
        groups("of_x.apply(); if (meta.b == 1) { meta.c = 1; } else { meta.c = 2; } of_y.apply();"),
        [["of_x", "of_y"]]
    );
    assert_eq!(
        groups("of_x.apply(); if (meta.b == 1) { hdr.h.y = 1; } of_y.apply();"),
        [[""; 0]; 0]
    );
}
