//! Dead operations, and fields that need no storage.

use super::{Passes, Sample, ingress};
use crate::pipeline::passes::live_fields;

const PASS: &[&str] = &["dead-code"];

#[test]
fn what_nobody_reads_is_not_written() {
    let report = ingress(
        "meta.a = hdr.h.x; meta.b = hdr.h.y; meta.c = meta.b;
         sm.egress_spec = (bit<9>)meta.a; sm.egress_port = 3; sm.priority = 1; sm.mcast_grp = 0;",
    )
    .expect(
        PASS,
        &["control ig = I {
  0:
    meta.a = hdr.h.x
    sm.egress_spec = zext<9>(meta.a)
    sm.priority = 3w0x1
    sm.mcast_grp = 16w0x0
  1: end
}
"],
    );
    assert_eq!(report.dead, 3);
}

#[test]
fn headers_live_as_long_as_they_are_emitted() {
    // Only `h` is emitted.
    ingress("hdr.h.x = 1; hdr.g.x = 2; hdr.g.setInvalid();").expect(
        PASS,
        &["control ig = I {\n  0:\n    hdr.h.x = 8w0x1 if hdr.h.$valid\n  1: end\n}\n"],
    );
    let live = |sample: &Sample| {
        let pipeline = sample.optimised(Passes::all()).0;
        let live = live_fields(&pipeline);
        let named = pipeline.fields.iter().zip(live).filter(|(_, live)| *live);
        named.map(|(f, _)| f.name.to_string()).filter(|n| n.starts_with("hdr.")).collect::<Vec<_>>()
    };
    let mut names = live(&ingress(""));
    names.sort();
    assert_eq!(names, ["hdr.h.$valid", "hdr.h.x", "hdr.h.y"]);
    let mut names = live(&ingress("sm.egress_spec = (bit<9>)hdr.g.y;"));
    names.sort();
    assert_eq!(names, ["hdr.g.y", "hdr.h.$valid", "hdr.h.x", "hdr.h.y"]);
}

#[test]
fn a_write_in_front_of_another_is_dead() {
    ingress("hdr.h.setValid(); hdr.h.x = 1; hdr.h.x = 2; meta.a = 1;").expect(
        &["constants-and-copies", "dead-code"],
        &["  0:\n    hdr.h.$valid = 1w0x1\n    hdr.h.x = 8w0x2\n  1: end\n"],
    );
    // With a condition the first one may be what stays.
    ingress("hdr.h.x = 1; if (meta.kept == 1) { hdr.h.x = 2; }").expect(
        PASS,
        &["    hdr.h.x = 8w0x1 if hdr.h.$valid\n", "    hdr.h.x = 8w0x2 if hdr.h.$valid\n"],
    );
}

#[test]
fn kept_fields_live_on_with_a_copy() {
    let apply = "meta.kept = hdr.h.x; meta.a = hdr.h.y;
        recirculate_preserving_field_list(1);";
    let (pipeline, _) = ingress(apply).optimised(Passes::all());
    let text = pipeline.text();
    assert!(text.contains("meta.kept = hdr.h.x") && !text.contains("meta.a ="), "{text}");
    let (pipeline, _) = ingress("meta.kept = hdr.h.x;").optimised(Passes::all());
    assert!(!pipeline.text().contains("meta.kept ="));
    let live = live_fields(&pipeline);
    let is_live =
        |name: &str| pipeline.fields.iter().zip(&live).any(|(f, live)| &*f.name == name && *live);
    assert!(is_live("sm.egress_spec") && is_live("sm.mcast_grp") && !is_live("sm.enq_qdepth"));
}

#[test]
fn results_of_tables_and_pure_functions() {
    let declarations = "
        register<bit<8>>(4) r;
        action set(bit<8> v) { meta.a = v; meta.b = v; }
        table t { key = { hdr.h.x: exact; } actions = { set; } }";
    let apply = "bit<8> old; r.read(old, 0); r.write(1, meta.a);
        bool found = t.apply().hit; random(meta.c, 0, 9); sm.egress_spec = (bit<9>)meta.b;";
    let (pipeline, _) =
        Sample { declarations, apply, ..Sample::default() }.optimised(super::only(PASS));
    let text = pipeline.text();
    assert!(!text.contains("I.r.read(") && text.contains("I.r.write("), "{text}");
    assert!(text.contains(": apply I.t\n") || text.contains(": apply I.t on"), "{text}");
    // How many numbers were drawn can be seen by the next call.
    assert!(text.contains("random"), "{text}");
    assert!(text.contains("meta.b = I.set.v") && !text.contains("meta.a = I.set.v"), "{text}");
}

#[test]
fn sums_that_only_feed_themselves_are_dead() {
    let (pipeline, _) = ingress(
        "for (bit<8> i = 0; i < hdr.h.x; i = i + 1) { meta.a = meta.a + 1; hdr.h.y = hdr.h.y + 1; }",
    )
    .optimised(super::only(PASS));
    let text = pipeline.text();
    assert!(!text.contains("meta.a =") && text.contains("hdr.h.y = hdr.h.y + 8w0x1"), "{text}");
    // A value of one round is read in the next one.
    let (pipeline, _) = ingress(
        "for (bit<8> i = 0; i < hdr.h.x; i = i + 1) { hdr.h.y = meta.a; meta.a = hdr.g.x; }",
    )
    .optimised(super::only(PASS));
    assert!(pipeline.text().contains("meta.a = hdr.g.x"));
}

#[test]
fn actions_keep_what_any_application_needs() {
    let declarations = "
        action set(bit<8> v) { meta.a = v; meta.b = v; meta.c = v; }
        table t { key = { hdr.h.x: exact; } actions = { set; } }";
    let apply =
        "t.apply(); if (meta.a == 1) { hdr.h.y = 7; } else { t.apply(); hdr.h.y = meta.b; }";
    let (pipeline, _) =
        Sample { declarations, apply, ..Sample::default() }.optimised(super::only(PASS));
    let text = pipeline.text();
    for (name, stays) in [("a", true), ("b", true), ("c", false)] {
        assert_eq!(text.contains(&format!("meta.{name} = I.set.v")), stays, "{name} in\n{text}");
    }
}
