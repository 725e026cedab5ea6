//! Constants and copies.

use super::{Sample, ingress};

const PASS: &[&str] = &["constants-and-copies"];

#[test]
fn constants_decide_branches() {
    let report = ingress(
        "meta.a = 5; meta.b = meta.a + 1;
         if (meta.b == 6) { meta.c = hdr.h.y; } else { meta.c = 1; }
         hdr.h.x = meta.c;",
    )
    .expect(
        PASS,
        &["control ig = I {
  0:
    meta.a = 8w0x5
    meta.b = 8w0x6
    meta.c = hdr.h.y
    hdr.h.x = hdr.h.y if hdr.h.$valid
  1: end
}
"],
    );
    assert!(report.simplified >= 3 && report.dead == 0, "{report:?}");
}

#[test]
fn a_table_may_write_what_its_actions_write() {
    let declarations = "action set(bit<8> v) { meta.a = v; }
        table t { key = { hdr.h.x: exact; } actions = { set; NoAction; } default_action = NoAction(); }";
    let apply = "meta.a = 5; meta.b = 6; t.apply(); meta.c = meta.a; hdr.h.y = meta.b;";
    Sample { declarations, apply, ..Sample::default() }.expect(
        PASS,
        &["  1: apply I.t
  2:
    meta.c = meta.a
    hdr.h.y = 8w0x6 if hdr.h.$valid
"],
    );
}

#[test]
fn a_copy_ends_when_its_source_changes() {
    // The value of the last two is known to be what `hdr.h.x` was, and that is gone.
    ingress("meta.a = hdr.h.x; hdr.h.x = 1; meta.b = meta.a; meta.c = meta.b;").expect(
        PASS,
        &["  0:
    meta.a = hdr.h.x
    hdr.h.x = 8w0x1 if hdr.h.$valid
    meta.b = meta.a
    meta.c = meta.b
"],
    );
}

#[test]
fn ways_that_differ_leave_nothing_known() {
    ingress(
        "meta.a = 1; meta.b = 7;
         if (hdr.h.x == 3) { meta.a = 2; hdr.h.y = hdr.h.x; }
         meta.c = meta.a + meta.b;",
    )
    .expect(
        PASS,
        &[
            // On this way the field is known to be three.
            "    hdr.h.y = 8w0x3 if hdr.h.$valid\n",
            "    meta.c = meta.a + 8w0x7\n",
        ],
    );
}

#[test]
fn validity_is_known_behind_its_test() {
    ingress("if (hdr.g.isValid()) { hdr.g.x = 1; } else { meta.a = hdr.g.x + 3; }").expect(
        PASS,
        &["  0: if hdr.g.$valid goto 1 else 2
  1: goto 3
    hdr.g.x = 8w0x1
  2:
    meta.a = 8w0x3
  3: end
"],
    );
}

#[test]
fn an_invalid_header_loses_its_fields() {
    ingress("hdr.g.setValid(); hdr.g.x = 4; hdr.g.setInvalid(); meta.a = hdr.g.x + 9;").expect(
        PASS,
        &["  0:
    hdr.g.$valid = 1w0x1
    hdr.g.x = 8w0x4
    invalidate hdr.g
    meta.a = 8w0x9
"],
    );
}

#[test]
fn what_a_loop_writes_is_not_known_in_it() {
    ingress(
        "meta.a = 0; meta.b = 2;
         for (bit<8> i = 0; i < hdr.h.x; i = i + 1) { meta.c = meta.a; meta.a = meta.a + meta.b; }",
    )
    .expect(PASS, &["    meta.c = meta.a\n    meta.a = meta.a + 8w0x2\n"]);
}

#[test]
fn metadata_starts_with_zero_unless_it_may_have_been_kept() {
    let states = "
        state start {
            pkt.extract(hdr.h);
            transition select(meta.a, meta.kept) { (0, 1): more; (1, 0): other; default: accept; }
        }
        state more { pkt.extract(hdr.g); transition accept; }
        state other { transition reject; }";
    Sample { states, ..Sample::default() }.expect(
        PASS,
        &["  start:
    extract hdr.h @ 0
    select 8w0x0, meta.kept
      0x0, 0x1 -> more
      _ -> accept
  more:
    extract hdr.g @ 0
    goto accept
}
"],
    );
}

#[test]
fn an_extracted_header_is_valid_and_unknown() {
    let states = "
        state start {
            pkt.extract(hdr.h);
            hdr.h.y = 1;
            meta.a = hdr.g.x + 1;
            pkt.extract(hdr.g);
            meta.b = hdr.g.x;
            transition accept;
        }";
    Sample { states, ..Sample::default() }.expect(
        PASS,
        &["    extract hdr.h @ 0
    hdr.h.y = 8w0x1
    meta.a = 8w0x1
    extract hdr.g @ 16
    meta.b = hdr.g.x
"],
    );
}

#[test]
fn a_loop_of_states_forgets_what_it_writes() {
    let states = "
        state start { meta.a = 1; meta.b = 5; transition next; }
        state next {
            pkt.extract(hdr.h);
            meta.c = meta.a + meta.b;
            meta.a = hdr.h.x;
            transition select(hdr.h.y) { 0: next; default: accept; }
        }";
    Sample { states, ..Sample::default() }
        .expect(PASS, &["    meta.c = meta.a + 8w0x5\n    meta.a = hdr.h.x\n"]);
}

#[test]
fn what_an_error_leaves_is_not_known() {
    // The second extraction may fail: then meta.a is 1, else 2.
    let states = "
        state start {
            meta.a = 1;
            pkt.extract(hdr.h);
            pkt.extract(hdr.g);
            meta.a = 2;
            meta.b = 3;
            transition accept;
        }";
    let apply = "meta.c = meta.a; hdr.h.x = meta.c;";
    Sample { states, apply, ..Sample::default() }
        .expect(PASS, &["  0:\n    meta.c = meta.a\n    hdr.h.x = meta.a if hdr.h.$valid\n"]);
}

#[test]
fn data_that_names_fields_stays() {
    let apply = "meta.b = hdr.h.x; clone3(CloneType.I2E, 5, { meta.b });";
    let (pipeline, _) =
        ingress(apply).optimised(super::only(&["constants-and-copies", "dead-code"]));
    let text = pipeline.text();
    let call = text.lines().find(|l| l.contains("clone3")).expect("the call stays");
    assert!(call.contains("meta.b") && text.contains("    meta.b = hdr.h.x\n"), "{text}");
}

#[test]
fn no_block_reads_a_local_field_of_the_one_before() {
    // In egress `meta.a` is a copy of `t`, and behind it `t` is no more.
    let egress = "bit<8> t = hdr.h.x + 1; meta.a = t;";
    let compute = "meta.b = meta.a;";
    Sample { egress, compute, ..Sample::default() }.expect(PASS, &["    meta.b = meta.a\n"]);
}
