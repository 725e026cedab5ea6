//! The text form, stages and loop bounds of a small program, worked out by hand.

use std::path::Path;
use ww_p4::frontend::compile_text;
use ww_p4::pipeline::{self, Body, Pipeline};

const PROGRAM: &str = "
#include <core.p4>
#include <v1model.p4>
extern void unknown();
header label_t { bit<7> id; bit<1> bottom; }
struct headers_t { label_t[3] labels; label_t first; }
struct meta_t { bit<7> a; bit<7> b; bit<8> c; }
parser P(packet_in pkt, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.first);
        transition labels;
    }
    state labels {
        pkt.extract(hdr.labels.next);
        transition select(hdr.labels.last.bottom) {
            0: labels;
            1: accept;
        }
    }
}
control V(inout headers_t hdr, inout meta_t meta) { apply { } }
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    action set(bit<7> id) { hdr.first.id = id; }
    action stop() { mark_to_drop(sm); exit; }
    table t {
        key = { meta.b: exact; }
        actions = { set; stop; }
        const default_action = stop();
        const entries = { 5: set(6); }
    }
    apply {
        meta.a = hdr.first.id;
        meta.b = meta.a + 1;
        t.apply();
        meta.c = (bit<8>)hdr.first.id;
        if (hdr.labels[2].isValid()) { sm.egress_spec = 3; }
    }
}
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout meta_t meta) { apply { } }
control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";

const TABLE: &str = "table I.t {
  key meta.b : bit<7> exact
  action 0 I.set(id : 7) {
    0:
      hdr.first.id = I.set.id if hdr.first.$valid
    1: end
  }
  action 1 I.stop() {
    0: goto 2
      sm.egress_spec = 9w0x1ff
      sm.mcast_grp = 16w0x0
    1: end
    2: exit
  }
  const default I.stop()
  const entry (0x5) -> I.set(0x6)
}
";

const PARSER: &str = "parser p = P {
  loop {labels} at most 4 times, 8 bits
  start:
    extract hdr.first @ 0
    goto labels
  labels:
    verify hdr.labels.$next < 32w0x3, error.StackOutOfBounds
    extract [hdr.labels[0], hdr.labels[1], hdr.labels[2]][hdr.labels.$next] @ 0
    hdr.labels.$next = hdr.labels.$next + 32w0x1
    verify (hdr.labels.$next - 32w0x1) < 32w0x3, error.StackOutOfBounds
    select [hdr.labels[0].bottom, hdr.labels[1].bottom, hdr.labels[2].bottom][hdr.labels.$next - 32w0x1]
      0x0 -> labels
      0x1 -> accept
}
";

const INGRESS: &str = "control ig = I {
  0:
    meta.a = hdr.first.id
    meta.b = meta.a + 7w0x1
  1: apply I.t on exit 5
  2:
    meta.c = zext<8>(hdr.first.id)
  3: if hdr.labels[2].$valid goto 4 else 5
  4:
    sm.egress_spec = 9w0x3
  5: end
}
";

const DEPARSER: &str = "deparser dep = D {
  0:
    emit hdr.labels[0]
    emit hdr.labels[1]
    emit hdr.labels[2]
    emit hdr.first
  1: end
}
";

fn lowered() -> Pipeline {
    let compilation = compile_text(Path::new("t.p4"), PROGRAM.into(), &Default::default());
    let problems = compilation.diagnostics.render(&compilation.sources, false);
    assert!(!compilation.diagnostics.has_errors(), "{problems}");
    let pipeline = pipeline::lower(&compilation.program).expect("can be lowered");
    assert_eq!(pipeline::verify(&pipeline), Ok(()));
    pipeline
}

#[test]
fn text_of_each_part() {
    let text = lowered().text();
    for part in [TABLE, PARSER, INGRESS, DEPARSER] {
        assert!(text.contains(part), "expected\n{part}\nin\n{text}");
    }
}

#[test]
fn a_true_dependency_costs_one_stage() {
    let pipeline = lowered();
    let Some(Body::Control(graph)) = pipeline.block("ig").map(|b| &b.body) else {
        panic!("ingress is a control")
    };
    let stages = pipeline::stages(&pipeline, graph);
    // meta.a is only moved, so the sum can be made at once, and the table looks it up one stage
    // later. What the table writes is there another stage later. The condition on labels depends
    // on nothing but on whether the table's action exits.
    assert_eq!(stages.nodes[0].ops, [0, 0]);
    assert_eq!(stages.nodes[1].stage, 1);
    assert_eq!(stages.nodes[2].ops, [2]);
    assert_eq!(stages.nodes[3].stage, 1);
    assert_eq!(stages.nodes[4].ops, [1]);
    assert_eq!(stages.count, 3);
}

#[test]
fn a_deparser_without_branches_is_a_list_of_headers() {
    let pipeline = lowered();
    let Some(Body::Control(graph)) = pipeline.block("dep").map(|b| &b.body) else {
        panic!("the deparser is a control")
    };
    let names: Vec<_> =
        graph.emits().into_iter().flatten().map(|h| pipeline[h].name.to_string()).collect();
    assert_eq!(names, ["hdr.labels[0]", "hdr.labels[1]", "hdr.labels[2]", "hdr.first"]);
}

#[test]
fn what_cannot_be_lowered_is_a_diagnostic() {
    let refuse = |text: &str| {
        let compilation = compile_text(Path::new("t.p4"), text.into(), &Default::default());
        let problems = compilation.diagnostics.render(&compilation.sources, false);
        assert!(!compilation.diagnostics.has_errors(), "{problems}");
        let diagnostics = pipeline::lower(&compilation.program).expect_err("refused");
        diagnostics.render(&compilation.sources, false)
    };
    let apply = "    apply {\n        meta.a";
    let unknown =
        refuse(&PROGRAM.replace(apply, "    apply {\n        unknown();\n        meta.a"));
    assert!(unknown.contains("architecture v1model has no function `unknown`"), "{unknown}");
    assert!(unknown.contains("t.p4:32:9"), "{unknown}");

    // Each function calls the one before twice: 2^40 calls in all.
    let mut functions = "void f0() { }\n".to_owned();
    for n in 1..=40 {
        functions += &format!("void f{n}() {{ f{}(); f{}(); }}\n", n - 1, n - 1);
    }
    let call = "    apply {\n        f40();\n        meta.a";
    let text = PROGRAM.replace("control V(", &format!("{functions}control V("));
    let grows = refuse(&text.replace("    apply {\n        meta.a", call));
    assert!(grows.contains("at most 1048576 (2^20) operations"), "{grows}");
}
