//! Writes that look dead and are not.

use super::{Passes, Sample, ingress};
use crate::pipeline::passes::live_fields;

const PASS: &[&str] = &["dead-code"];

/// Reads `meta.a` in ingress.
const READ: &str = "sm.egress_spec = (bit<9>)meta.a;";

#[test]
fn guards_are_read() {
    let sample = ingress("hdr.g.setValid(); hdr.g.x = hdr.h.x; sm.egress_spec = (bit<9>)hdr.g.x;");
    sample.expect(PASS, &["    hdr.g.$valid = 1w0x1\n"]);
    let pipeline = sample.optimised(Passes::none()).0;
    let live = live_fields(&pipeline);
    let is_live =
        |name: &str| pipeline.fields.iter().zip(&live).any(|(f, live)| &*f.name == name && *live);
    assert!(is_live("hdr.g.$valid"));
}

#[test]
fn keys_and_selected_values_are_read() {
    let declarations = "action set() { sm.mcast_grp = 1; }
        table t { key = { meta.a: exact; } actions = { set; } }";
    let states = "
        state start { pkt.extract(hdr.h); pkt.extract(hdr.g); transition select(hdr.g.y) { 1: accept; } }";
    let sample =
        Sample { states, declarations, apply: "meta.a = hdr.h.x; t.apply();", ..Sample::default() };
    sample.expect(PASS, &["    meta.a = hdr.h.x\n"]);
    let pipeline = sample.optimised(Passes::none()).0;
    let live = live_fields(&pipeline);
    let is_live =
        |name: &str| pipeline.fields.iter().zip(&live).any(|(f, live)| &*f.name == name && *live);
    assert!(is_live("meta.a") && is_live("hdr.g.y") && !is_live("hdr.g.x"));
}

#[test]
fn what_an_error_leaves_is_read() {
    // The packet may be too short.
    let states = "
        state start { meta.a = 1; pkt.extract(hdr.h); meta.a = 2; transition accept; }";
    Sample { states, apply: READ, ..Sample::default() }.expect(PASS, &["    meta.a = 8w0x1\n"]);
    // No row may fit.
    let states = "
        state start { meta.a = 1; transition select(sm.ingress_port) { 1: more; } }
        state more { meta.a = 2; transition accept; }";
    Sample { states, apply: READ, ..Sample::default() }.expect(PASS, &["    meta.a = 8w0x1\n"]);
}

#[test]
fn the_next_round_of_states_reads() {
    let states = "
        state start {
            pkt.extract(hdr.h);
            meta.a = meta.b;
            meta.b = hdr.h.x;
            transition select(hdr.h.y) { 0: start; default: accept; }
        }";
    Sample { states, apply: READ, ..Sample::default() }.expect(PASS, &["    meta.b = hdr.h.x\n"]);
}

#[test]
fn all_applications_of_a_table_read() {
    let declarations = "
        action set(bit<8> v) { meta.a = v; meta.b = v; }
        table t { key = { hdr.h.x: exact; } actions = { set; } }";
    let apply =
        "if (hdr.h.x == 1) { t.apply(); hdr.h.y = meta.b; } else { t.apply(); hdr.h.y = meta.a; }";
    Sample { declarations, apply, ..Sample::default() }
        .expect(PASS, &["    meta.a = I.set.v\n      meta.b = I.set.v\n"]);
}

#[test]
fn what_is_behind_an_exit_reads() {
    let declarations = "
        action set(bit<16> v) { sm.mcast_grp = v; exit; }
        table t { key = { hdr.h.x: exact; } actions = { set; } }";
    let apply = "t.apply(); sm.mcast_grp = 0;";
    Sample { declarations, apply, ..Sample::default() }
        .expect(PASS, &["    sm.mcast_grp = I.set.v\n"]);
}

#[test]
fn an_element_that_may_be_another_does_not_kill() {
    ingress("hdr.s[0].x = 1; hdr.s[hdr.h.x].x = 2; sm.egress_spec = (bit<9>)hdr.s[0].x;")
        .expect(PASS, &["    hdr.s[0].x = 8w0x1 if hdr.s[0].$valid\n"]);
}

#[test]
fn copies_have_the_headers_of_the_parser() {
    let states = "state start { pkt.extract(hdr.g); hdr.g.x = 9; transition accept; }";
    let egress = "hdr.h.setValid(); hdr.h.x = hdr.g.x;";
    let apply = "clone(CloneType.I2E, 5); hdr.g.setInvalid();";
    Sample { states, apply, egress, ..Sample::default() }.expect(PASS, &["    hdr.g.x = 8w0x9"]);
    // No copy is made: nobody reads what the parser left.
    let apply = "hdr.g.setInvalid();";
    let (pipeline, _) =
        Sample { states, apply, egress, ..Sample::default() }.optimised(super::only(PASS));
    assert!(!pipeline.text().contains("hdr.g.x = 8w0x9"), "{}", pipeline.text());
}

#[test]
fn a_field_that_goes_with_a_copy_is_read_at_the_end() {
    let apply = "clone3(CloneType.I2E, 5, { meta.b }); meta.b = hdr.h.y;";
    ingress(apply).expect(PASS, &["    meta.b = hdr.h.y\n"]);
}
