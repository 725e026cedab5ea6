use super::print;
use crate::frontend::compile_text;
use std::path::Path;

fn ir_of(text: &str) -> String {
    let compilation = compile_text(Path::new("t.p4"), text.to_owned(), &Default::default());
    let problems = compilation.diagnostics.render(&compilation.sources, false);
    assert!(!compilation.diagnostics.has_errors(), "{problems}");
    print(&compilation.program)
}

#[test]
fn bodies_with_types_resolved() {
    let text = ir_of(
        "match_kind { exact, ternary }
         action NoAction() { }
         header h_t { bit<8> a; int<16> b; }
         enum bit<4> E { A = 1, B = 2 }
         T twice<T>(in T x) { return x; }
         control C(inout h_t h, in E e)(bit<8> step) {
             bit<8> x = 1;
             action go(bit<8> p) { h.a = p + step; }
             table t {
                 key = { h.a : exact; h.b[3:0] : ternary @name(\"low\"); }
                 actions = { go; @defaultonly NoAction; }
                 default_action = NoAction();
                 size = 16;
                 entries = { (5, 1 &&& 3) : go(7); }
             }
             apply {
                 if (e == E.B && h.isValid()) { h.b = (int<16>) twice(h.b) + 1; } else { x = 9; }
                 switch (t.apply().action_run) { go: { exit; } default: { } }
                 for (bit<8> i in 1 .. 3) { x = x |+| i; }
                 { bit<8> x = x; h.a = x; }
             }
         }",
    );
    for line in [
        "header h_t {",
        "    int<16> b;",
        "enum bit<4> E {",
        "function int<16> twice(in int<16> x) {",
        "control C(inout h_t h, in E e)(bit<8> step) {",
        "        h.a = p + step;",
        "            h.a : exact @name(\"h.a\");",
        "            h.b[3:0] : ternary @name(\"low\");",
        "            @defaultonly NoAction();",
        "        default_action = NoAction();",
        "        size = 16;",
        "go(8w7);",
        "        if ((e == E.B) && h.isValid()) {",
        "            h.b = ((int<16>) twice<int<16>>(in h.b)) + 16s1;",
        "        switch (t.apply().action_run) {",
        "        for (bit<8> i in 8w1 .. 8w3) {",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    // The two variables named x are told apart.
    assert!(!text.contains("bit<8> x ="), "{text}");
    assert!(text.contains("bit<8> x#"), "{text}");
}

#[test]
fn parsers_and_instances() {
    let text = ir_of(
        "extern pin { void extract<T>(out T h); }
         extern box<T> { box(bit<8> n); void put(in T x); }
         header h_t { bit<8> a; }
         parser P(pin p, out h_t h) {
             value_set<bit<8>>(4) vs;
             box<bit<8>>(3) b;
             state start {
                 p.extract(h);
                 transition select(h.a) { 1: more; 2 &&& 6: accept; 8 .. 9: reject; vs: more; _: accept; }
             }
             state more { b.put(h.a); transition accept; }
         }
         parser PT(pin p, out h_t h);
         package Pack(PT p);
         Pack(P()) main;",
    );
    for line in [
        "    value_set<bit<8>>(4) vs;",
        "    instance b = box<bit<8>>(8w3);",
        "    state start { // first",
        "        p.extract<h_t>(out h);",
        "        transition select(h.a) {",
        "            8w1: more;",
        "            8w2 &&& 8w6: accept;",
        "            8w8 .. 8w9: reject;",
        "            vs: more;",
        "            _: accept;",
        "        b.put(in h.a);",
        "    main: package Pack(P); // main",
        "    P.b: box<bit<8>>(3);",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}
