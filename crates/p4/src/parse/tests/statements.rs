//! Statements, and declarations among them.

use super::{error, errors, in_apply, in_state, ok};
use crate::ast::*;

/// The statements of an `apply` block.
fn statements(text: &str) -> Vec<StatementKind> {
    let program = ok(&in_apply(text));
    match program.declarations.into_iter().next_back().map(|d| d.kind) {
        Some(DeclarationKind::Control(c)) => {
            c.body.statements.into_iter().map(|s| s.kind).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn statement(text: &str) -> StatementKind {
    let mut all = statements(text);
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0)
}

fn declared(text: &str) -> DeclarationKind {
    match statement(text) {
        StatementKind::Declaration(d) => d.kind,
        other => panic!("{other:?}"),
    }
}

#[test]
fn assignments() {
    for (text, wanted) in [
        ("a = b;", None),
        ("a += b;", Some(BinaryOp::Add)),
        ("a -= b;", Some(BinaryOp::Sub)),
        ("a *= b;", Some(BinaryOp::Mul)),
        ("a /= b;", Some(BinaryOp::Div)),
        ("a %= b;", Some(BinaryOp::Mod)),
        ("a <<= b;", Some(BinaryOp::Shl)),
        ("a >>= b;", Some(BinaryOp::Shr)),
        ("a &= b;", Some(BinaryOp::And)),
        ("a |= b;", Some(BinaryOp::Or)),
        ("a ^= b;", Some(BinaryOp::Xor)),
        ("a |+|= b;", Some(BinaryOp::SatAdd)),
        ("a |-|= b;", Some(BinaryOp::SatSub)),
        ("a.b[1].c[3:0] = 1;", None),
        ("(a) = 1;", None),
        ("((a).b) = 1;", None),
        (".a = 1;", None),
        ("key = 1;", None),
    ] {
        let StatementKind::Assignment { op, .. } = statement(text) else { panic!("{text}") };
        assert_eq!(op, wanted, "{text}");
    }
    assert!(error(&in_apply("a + b;")).contains("expected an assignment or a call"));
    assert!(error(&in_apply("a == b;")).contains("expected an assignment or a call"));
    assert!(error(&in_apply("f() = b;")).contains("call"));
    assert!(!errors(&in_apply("a = b = 1;")).is_empty());
    assert!(!errors(&in_apply("5;")).is_empty());
    assert!(!errors(&in_apply("a++;")).is_empty());
}

#[test]
fn calls() {
    for text in [
        "f();",
        "a.f(b);",
        "f<T>(a);",
        "f<bit<8>>(a);",
        "f<Unknown>(a);",
        "a.b.f<G<T>, _>(a);",
        "T.apply(a);",
        "G<T>.apply(a);",
        "this.f();",
        "f(_);",
        "f(x = _, y = 1);",
        "f(...);",
        "X<T>().get();",
        ".f();",
    ] {
        assert!(matches!(statement(text), StatementKind::Call(_)), "{text}");
    }
    assert!(!errors(&in_apply("f(1,);")).is_empty());
}

#[test]
fn variables_constants_and_instances() {
    for text in [
        "T x;",
        "T x = 1;",
        "bit<8> x;",
        "G<T> x;",
        "G<G<T>> x = { { 1 } };",
        "T[2] x;",
        "@a T x;",
        ".T x;",
        "Unknown x;",
        "Unknown<T> x;",
        "error x;",
        "tuple<T> x;",
        "int x = 1;",
        "T key;",
        "T list;",
    ] {
        assert!(matches!(declared(text), DeclarationKind::Variable(_)), "{text}");
    }
    for text in ["X<T>() x;", "Unknown(1) x;", "@a X<T>() x;", "Unknown<T>(f(1)) x;"] {
        assert!(matches!(declared(text), DeclarationKind::Instantiation(_)), "{text}");
    }
    assert!(matches!(declared("const T x = 1;"), DeclarationKind::Constant { .. }));
    assert!(!errors(&in_apply("const T x;")).is_empty());
    assert!(!errors(&in_apply("T x, y;")).is_empty());
    assert!(!errors(&in_apply("void x;")).is_empty());
    ok(&in_state(
        "T x = 1; const T y = 2; x = y; ; { T z; } if (x == y) f(); else x = 1; transition accept;",
    ));
}

#[test]
fn conditionals() {
    let StatementKind::If { otherwise, then, .. } = statement("if (a == b) if (true) ; else f();")
    else {
        panic!()
    };
    assert!(otherwise.is_none(), "'else' belongs to the inner 'if'");
    assert!(matches!(then.kind, StatementKind::If { otherwise: Some(_), .. }));
    let mut kind = statement("if (true) {} else if (false) {} else if (true) f(); else { }");
    for _ in 0..2 {
        let StatementKind::If { otherwise: Some(next), .. } = kind else { panic!() };
        kind = next.kind;
    }
    assert!(matches!(kind, StatementKind::If { otherwise: Some(_), .. }));
    statement("if (a == b) @likely { } else @unlikely { }");
    assert!(error(&in_apply("if (true) T x;")).contains("declaration"));
    assert!(error(&in_apply("else { }")).contains("'else' without 'if'"));
    assert!(!errors(&in_apply("if a == b { }")).is_empty());
}

#[test]
fn switches() {
    let StatementKind::Switch { cases, .. } =
        statement("switch (a) { 1: 2: { } (3): @likely { } E.x: { } default: { f(); } -1: }")
    else {
        panic!()
    };
    let bodies: Vec<bool> = cases.iter().map(|c| c.body.is_some()).collect();
    assert_eq!(bodies, [false, true, true, true, true, false]);
    assert!(matches!(cases[4].label.kind, ExpressionKind::Default));
    statement("switch (t.apply().action_run) { x: { } }");
    statement("switch (a) { }");
    assert!(!errors(&in_apply("switch (a) { 1: f(); }")).is_empty());
    assert!(!errors(&in_apply("switch (a) { {1}: { } }")).is_empty());
    assert!(!errors(&in_apply("switch (a) { _: { } }")).is_empty());
}

#[test]
fn loops() {
    for (text, init, update) in [
        ("for (bit<8> i = 0; i < 3; i = i + 1) { }", 1, 1),
        ("for (;true;) break;", 0, 0),
        ("for (bit<8> i = 0, T j = 1, a = 2, f(); i < 3; i += 1, f(), a = 1) continue;", 4, 3),
        ("@unroll for (a = 0; a < 3; a += 1) { }", 1, 1),
    ] {
        let StatementKind::For { init: i, update: u, .. } = statement(text) else { panic!() };
        assert_eq!((i.len(), u.len()), (init, update), "{text}");
    }
    for text in [
        "for (bit<8> i in 0 .. 3) { }",
        "for (T i in { 1, 2 }) f();",
        "for (@a T i in a.b) f();",
        "for (Unknown i in a) f();",
        "@unroll for (bit<8> i in a) { }",
    ] {
        let StatementKind::ForIn { variable, .. } = statement(text) else { panic!("{text}") };
        assert!(matches!(variable, ForVariable::Declared { .. }));
    }
    let StatementKind::ForIn { variable, .. } = statement("for (a in 1 .. 2) { }") else {
        panic!()
    };
    assert!(matches!(variable, ForVariable::Existing(_)));
    for text in [
        "for () { }",
        "for (true) { }",
        "for (;;) { }",
        "for (a = 1; true) { }",
        "for (T i in 1 .. 2, T j in 3 .. 4) { }",
        "for (T i = 1 in a) { }",
        "for (T i in) { }",
        "for (const T i = 1; true;) { }",
        "for (a = 1; true; T j) { }",
    ] {
        assert!(!errors(&in_apply(text)).is_empty(), "{text}");
    }
}

#[test]
fn other_statements() {
    assert_eq!(statements("return; exit; ; { } @a { } break; continue; return a + 1;").len(), 8);
    assert!(error(&in_apply("@a return;")).contains("annotation"));
    assert!(error(&in_apply("action x() { }")).contains("'action'"));
    assert!(error(&in_apply("transition accept;")).contains("'transition'"));
}
