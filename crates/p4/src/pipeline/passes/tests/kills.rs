//! Values that must not be taken for known.

use super::{Sample, ingress};

const PASS: &[&str] = &["constants-and-copies"];

const SET: &str = "action set(bit<8> v) { meta.a = v; }
    table t { key = { hdr.h.x: exact; } actions = { set; NoAction; } default_action = NoAction(); }";

fn with_set(apply: &str) -> Sample<'_> {
    Sample { declarations: SET, apply, ..Sample::default() }
}

#[test]
fn each_application_has_an_outcome_of_its_own() {
    let apply = "if (t.apply().hit) { if (t.apply().hit) { meta.b = 1; } }";
    let text = with_set(apply).optimised(super::only(PASS)).0.text();
    assert_eq!(text.matches(": if I.t.$hit").count(), 2, "{text}");
}

#[test]
fn a_table_in_a_loop_writes_for_the_next_round() {
    with_set(
        "meta.a = 0; for (bit<8> i = 0; i < hdr.h.x; i = i + 1) { meta.c = meta.a; t.apply(); }",
    )
    .expect(PASS, &["    meta.c = meta.a\n"]);
}

#[test]
fn an_error_leaves_what_was_written_in_front_of_it() {
    // It was zero before and is zero behind, but one if the packet ends in between.
    let states = "
        state start { meta.a = 1; pkt.extract(hdr.h); meta.a = 0; transition accept; }";
    let apply = "meta.c = meta.a;";
    Sample { states, apply, ..Sample::default() }.expect(PASS, &["    meta.c = meta.a\n"]);
}

#[test]
fn the_switch_writes_in_front_of_the_parser() {
    let states = "
        state start { transition select(sm.ingress_port) { 0: more; default: accept; } }
        state more { pkt.extract(hdr.h); transition accept; }";
    Sample { states, ..Sample::default() }.expect(PASS, &["    select sm.ingress_port\n"]);
}

#[test]
fn copies_enter_egress_with_other_values() {
    let sample = Sample { apply: "meta.a = 1;", egress: "meta.b = meta.a;", ..Sample::default() };
    sample.expect(PASS, &["    meta.b = meta.a\n"]);
}

#[test]
fn an_action_knows_what_holds_wherever_it_runs() {
    let declarations = "action copy() { meta.c = meta.a + meta.b; }
        table t { key = { hdr.h.x: exact; } actions = { copy; } }";
    let apply = "meta.b = 4; meta.a = 1; t.apply(); meta.a = 2; t.apply();";
    Sample { declarations, apply, ..Sample::default() }
        .expect(PASS, &["    meta.c = meta.a + 8w0x4\n"]);
}

#[test]
fn arguments_of_a_table_that_is_code_are_no_others() {
    let declarations = "action set(bit<8> v) { meta.a = v; }
        table fixed { actions = { set; } const default_action = set(7); }
        table t { key = { hdr.h.x: exact; } actions = { set; } }";
    Sample { declarations, apply: "fixed.apply(); t.apply();", ..Sample::default() }.expect(
        &["tables-as-code", "constants-and-copies"],
        &["    meta.a = 8w0x7\n", "    meta.a = I.set.v\n"],
    );
}

#[test]
fn a_case_of_two_values_is_none_of_them() {
    ingress("switch (hdr.h.x) { 1: 2: { meta.a = hdr.h.x; } 3: { meta.a = hdr.h.x; } }")
        .expect(PASS, &["    meta.a = hdr.h.x\n", "    meta.a = 8w0x3\n"]);
}

#[test]
fn one_of_two_conditions_is_not_both() {
    ingress("if (hdr.h.x == 1 || hdr.h.y == 2) { meta.a = hdr.h.x; }")
        .expect(PASS, &["    meta.a = hdr.h.x\n"]);
}

#[test]
fn a_write_that_may_not_happen_leaves_nothing_known() {
    ingress("hdr.h.x = 1; meta.a = hdr.h.x;").expect(PASS, &["    meta.a = hdr.h.x\n"]);
    ingress("hdr.s[0].setValid(); hdr.s[0].x = 1; hdr.s[hdr.h.x].x = 2; meta.a = hdr.s[0].x;")
        .expect(PASS, &["    meta.a = hdr.s[0].x\n"]);
    let declarations = "register<bit<8>>(4) r;";
    let apply = "meta.a = 5; r.read(meta.a, 0); meta.b = meta.a;";
    let text =
        Sample { declarations, apply, ..Sample::default() }.optimised(super::only(PASS)).0.text();
    assert!(!text.contains("meta.b = 8w0x5"), "{text}");
    let states = "state start {
            meta.a = 5; meta.a = pkt.lookahead<bit<8>>(); meta.b = meta.a; transition accept;
        }";
    let text = Sample { states, ..Sample::default() }.optimised(super::only(PASS)).0.text();
    assert!(!text.contains("meta.b = 8w0x5"), "{text}");
}

#[test]
fn an_exit_is_an_end_too() {
    let egress = "if (hdr.h.x == 1) { exit; } hdr.h.setInvalid();";
    Sample { egress, ..Sample::default() }.expect(PASS, &["    emit hdr.h\n"]);
}

#[test]
fn known_values_decide_rows() {
    for (row, fits) in [
        ("(bit<8>)meta.b) { 0x02 &&& 0x02", true),
        ("(bit<8>)meta.b) { 0x05 &&& 0x07", false),
        ("(int<8>)meta.b) { -2 .. 1", true),
        ("(int<8>)meta.b) { 1 .. 100", false),
    ] {
        let states = format!(
            "state start {{ meta.b = 0xff; transition select({row}: more; default: accept; }} }}
             state more {{ pkt.extract(hdr.h); transition accept; }}"
        );
        let target = if fits { "more" } else { "accept" };
        Sample { states: &states, ..Sample::default() }
            .expect(PASS, &[&format!("  start:\n    meta.b = 8w0xff\n    goto {target}\n")]);
    }
}
