//! Declarations at the top level, in parsers and controls, and annotations.

use super::{declaration, error, errors, in_table, ok};
use crate::ast::*;
use crate::print_ast::print;

#[test]
fn derived_types() {
    let d = declaration("header H<A, B> { @x bit<8> a; A b; varbit<(8 * 4)> c; B[4] d; }");
    let DeclarationKind::Struct(s) = d.kind else { panic!() };
    assert_eq!((s.kind, s.type_parameters.len(), s.fields.len()), (StructKind::Header, 2, 4));
    assert_eq!(s.fields[0].annotations.len(), 1);
    assert!(matches!(s.fields[3].ty.kind, TypeExprKind::Stack { .. }));
    ok("struct S { } header_union U { } struct apply { bit<8> key; bit list; }");
    let d = declaration("enum bit<8> E { A = 1, B = 2, }");
    let DeclarationKind::Enum(e) = d.kind else { panic!() };
    assert!(e.underlying.is_some() && e.members.iter().all(|(_, v)| v.is_some()));
    ok("typedef bit<8> T; enum T E { A = 1 } enum F { A, B, } enum .T H { A = 1 }");
    ok("error { A, B } match_kind { a, b, } error { C }");
}

#[test]
fn what_derived_types_may_not_be() {
    assert_eq!(error("enum E { A = 1 }"), "member 'A' has a value, but the enum has no type");
    assert_eq!(error("enum bit<8> E { A }"), "member 'A' needs a value");
    assert_eq!(error("error { A, }"), "an error declaration may not end in a comma");
    assert!(!errors("enum E { }").is_empty());
    assert!(!errors("error { }").is_empty());
    assert!(!errors("struct S<> { }").is_empty());
    assert!(!errors("@a error { A }").is_empty());
    assert!(!errors("struct S { bit<8> a, bit<8> b }").is_empty());
}

#[test]
fn typedefs() {
    let program = ok(
        "typedef struct S { bit<8> a; } T; typedef enum E { A } F; type T N; T f(N n) { return (T)n; }",
    );
    let kinds: Vec<bool> = program
        .declarations
        .iter()
        .map(|d| matches!(d.kind, DeclarationKind::Typedef { .. }))
        .collect();
    assert_eq!(kinds, [false, true, false, true, false, false]);
    ok(
        "typedef tuple<bit<8>, list<bit>> T; typedef string S; typedef match_kind M; typedef int I;",
    );
}

#[test]
fn types() {
    for ty in [
        "bool",
        "error",
        "match_kind",
        "string",
        "int",
        "bit",
        "bit<8>",
        "bit<8w5>",
        "int<(1 + 2)>",
        "varbit<320>",
        "tuple<>",
        "tuple<bit<8>>",
        "list<tuple<bit<8>, bool>>",
        "T",
        ".T",
        "G<bit<8>>",
        "G<G<bit<8>>>",
        "G<tuple<bit<8>>>[2]",
        "T[3][4]",
        "G<_>",
    ] {
        ok(&format!("typedef bit<8> T; struct G<A> {{ A a; }} struct S {{ {ty} f; }}"));
    }
    for ty in [
        "bit<>",
        "bit<W>",
        "bit<4 + 4>",
        "bit<(4) + 4>",
        "varbit",
        "varbit<>",
        "int<-1>",
        "void",
        "tuple",
        "list",
        "list<>",
        "list<bit, bit>",
        "T[]",
        "_",
        "bool<8>",
        "header",
    ] {
        assert!(!errors(&format!("typedef bit<8> T; struct S {{ {ty} f; }}")).is_empty(), "{ty}");
    }
}

#[test]
fn externs() {
    let d = declaration(
        "extern E<A> { E(bit<8> n); E(); @pure abstract bit<8> f<B>(in A a, out B b = 3); void g(); A h(); }",
    );
    let DeclarationKind::Extern(e) = d.kind else { panic!() };
    assert_eq!((e.constructors.len(), e.methods.len()), (2, 3));
    assert!(e.methods[0].is_abstract && !e.methods[1].is_abstract);
    assert!(e.constructors.iter().all(|c| c.return_type.is_none()));
    let d = declaration("@deprecated(\"x\") extern A f<A>(in A a, @optional in bit<8> b);");
    assert!(matches!(d.kind, DeclarationKind::ExternFunction(_)));
    ok("extern G<A> { } extern G<bit<8>> make<A>(); extern tuple<bit<8>> t(); extern void v();");
    ok("extern E { void apply(); void key(in bit<8> priority); }");
    assert!(!errors("extern void f() { }").is_empty());
    assert!(!errors("extern E { F(); }").is_empty());
    assert!(!errors("extern E;").is_empty());
}

#[test]
fn functions_and_instances() {
    ok("void f() { } bit<8> g<A>(in A a, bit<8> x = 3) { return x; } A h<A>(A a) { return a; }");
    ok("extern E { E(bit<8> n); } E(1) e; @name(\"x\") E(n = 2) f; .E(3) g;");
    ok("package P<A>(A a); extern E<A> { E(); } P<bit<8>>(1) main; E<bit<8>>() e;");
    let program = ok("extern E { E(); abstract bit<8> f(in bit<8> a); }
        E() e = { bit<8> f(in bit<8> a) { return a; } E() inner; };");
    let Some(DeclarationKind::Instantiation(i)) = program.declarations.last().map(|d| &d.kind)
    else {
        panic!()
    };
    assert_eq!(i.initializer.as_ref().map(Vec::len), Some(2));
    assert!(error("bit<8> x = 1;").contains("top level"));
    assert!(!errors("bit<8>(1) x;").is_empty());
}

#[test]
fn parsers() {
    let program = ok("parser P<A>(in A a); package K(P<bit<8>> p);
        parser p(inout bit<8> a)(bit<8> n) {
            const bit<8> c = 1; bit<8> v = 2; value_set<bit<8>>(4) s;
            value_set<tuple<bit<8>, bit<8>>>(4) w;
            @x state start { a = 1; transition select(a, v) {
                (1, _): accept; (c, 1 &&& 2): next; (0 .. 5, default): next; s: next;
                (1 &&& 3): next; (_): next; (1 + 2) * 3: next; (bit<8>)5: next; (a): next;
                (a, { 1 }): next; default: reject; } }
            state next { { a = 2; } if (a == 1) return; transition accept; }
            state last { }
        }");
    let Some(DeclarationKind::Parser(p)) = program.declarations.last().map(|d| &d.kind) else {
        panic!()
    };
    assert_eq!((p.locals.len(), p.states.len(), p.constructor_parameters.len()), (4, 3, 1));
    let Some(Transition::Select { cases, .. }) = &p.states[0].transition else { panic!() };
    let lengths: Vec<usize> = cases.iter().map(|c| c.keyset.len()).collect();
    assert_eq!(lengths, [2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1]);
    assert!(p.states[2].transition.is_none());
}

#[test]
fn what_parsers_may_not_hold() {
    assert!(error("parser p() { }").contains("no states"));
    assert!(error("parser p() { action a() {} state start {} }").contains("'action'"));
    assert!(error("parser p() { state start {} bit<8> x; }").contains("before its states"));
    let state = |text: &str| error(&format!("parser p() {{ state start {{ {text} }} }}"));
    assert!(state("return;").contains("'return'"));
    assert!(state("{ exit; }").contains("'exit'"));
    assert!(state("switch (1) {}").contains("'switch'"));
    assert!(state("for (;true;) {}").contains("'for'"));
    assert!(state("transition accept; transition accept;").contains("second transition"));
    assert!(state("transition accept; bit<8> x;").contains("last statement"));
    assert!(state("transition select(1,) { }").contains("comma"));
}

#[test]
fn controls() {
    let program = ok("control T<A>(inout A a);
        control d(inout bit<8> a) { apply { } }
        control c(inout bit<8> a)(bit<8> n) {
            const bit<8> k = 1; bit<8> v; d() i;
            action x(in bit<8> p, bit<8> q) @atomic { a = p; }
            table t { actions = { x(1); } }
            apply @atomic { i.apply(a); d.apply(a); t.apply(); }
        }");
    let Some(DeclarationKind::Control(c)) = program.declarations.last().map(|d| &d.kind) else {
        panic!()
    };
    assert_eq!((c.locals.len(), c.body.statements.len(), c.body.annotations.len()), (5, 3, 1));
    assert!(error("control c() { bit<8> x; }").contains("no 'apply'"));
    assert!(error("control c() { apply {} apply {} }").contains("second 'apply'"));
    assert!(error("control c() { apply {} bit<8> x; }").contains("before its 'apply'"));
    assert!(error("control c() { void f() {} apply {} }").contains("functions"));
    assert!(error("control c() { bit<8> x; x = 1; apply {} }").contains("statements"));
    assert!(error("table t { }").contains("top level"));
}

#[test]
fn tables() {
    let text = in_table(
        "key = { a: exact @name(\"n\") @x; a & 1: ternary; a[3:0] : lpm; }
         actions = { x; @tableonly .x; x(); x(1, q = 2); }
         @a const entries = { 1: x; (2, 3): x() @b; const _: x; const priority = 5: 1 .. 2: x;
             priority = (1 + 1): (_, default): x; }
         entries = { }
         const default_action = x(1);
         size = 1024;
         @b priority = 3; state = 1; apply = 2; type = 3;
         counters = c();",
    );
    let program = ok(&text);
    let Some(DeclarationKind::Control(c)) = program.declarations.last().map(|d| &d.kind) else {
        panic!()
    };
    let Some(DeclarationKind::Table(t)) = c.locals.last().map(|d| &d.kind) else { panic!() };
    assert_eq!(t.properties.len(), 11);
    let TablePropertyKind::Entries(entries) = &t.properties[2].kind else { panic!() };
    let shapes: Vec<_> =
        entries.iter().map(|e| (e.is_const, e.priority.is_some(), e.keyset.len())).collect();
    assert_eq!(
        shapes,
        [(false, false, 1), (false, false, 2), (true, false, 1), (true, true, 1), (false, true, 2)]
    );
    assert!(t.properties[2].is_const && !t.properties[3].is_const);
}

#[test]
fn what_tables_may_not_hold() {
    let table = |text: &str| error(&in_table(text));
    assert!(table("").contains("no properties"));
    assert!(table("actions = { x, x; }").contains("';'"));
    assert!(table("const key = { a: exact; } actions = { x; }").contains("'key'"));
    assert!(table("keys = { a: exact; } actions = { x; }").contains("'keys'"));
    assert!(table("key = { a; } actions = { x; }").contains("match kind"));
    assert!(table("actions = { x; } entries = { priority = n: 1: x; }").contains("parenthesised"));
    assert!(table("actions = { x; } entries = { @a 1: x; }").contains("behind its action"));
    assert!(table("actions { x; }").contains("'='"));
    assert!(table("actions = { x; } size = 1").contains("';'"));
}

#[test]
fn annotations() {
    let d = declaration(
        "@a @b() @c(x \"y\\n\" (1, {#}) ) @d[] @e[1, \"x\",] @f[k = 1, l = {2}] struct S { }",
    );
    let bodies: Vec<String> = d
        .annotations
        .iter()
        .map(|a| match &a.body {
            AnnotationBody::Empty => "empty".to_owned(),
            AnnotationBody::Unstructured(tokens) => {
                tokens.iter().map(|t| format!("<{}>", t.text)).collect()
            }
            AnnotationBody::Expressions(e) => format!("{} expressions", e.len()),
            AnnotationBody::KeyValues(k) => format!("{} pairs", k.len()),
        })
        .collect();
    assert_eq!(
        bodies,
        ["empty", "", "<x><y\n><(><1><,><{#}><)>", "0 expressions", "2 expressions", "2 pairs"]
    );
    assert!(error("@a[1, k = 2] struct S { }").contains("mix"));
    assert!(error("@a[k = 2, 1] struct S { }").contains("mix"));
    assert!(error("@a(( struct S { }").contains("never closed"));
    ok("@table @const(const) @c($x ') struct S { }");
}

#[test]
fn pragmas() {
    let d = declaration("@pragma foo a ) 1 \"x\"\n@pragma bar\nstruct S { }");
    assert_eq!(d.annotations.len(), 2);
    let AnnotationBody::Unstructured(tokens) = &d.annotations[0].body else { panic!() };
    assert_eq!(tokens.len(), 4);
    assert!(matches!(d.annotations[1].body, AnnotationBody::Empty));
    ok(
        "control c(inout bit<8> a) { action x() {} table t { @pragma foo (\n size = 1; actions = { @pragma p )\n x; } } apply { } }",
    );
}

#[test]
fn empty_declarations_and_programs() {
    assert_eq!(ok("").declarations.len(), 0);
    assert_eq!(ok(";;struct S { };").declarations.len(), 1);
}

#[test]
fn printing_is_readable() {
    let text = "header h { bit < 8 > a ; }\ncontrol c(in h x)(bit<8> n){bit<8> v=(x.a+1)*2;apply{if(v==1){return;}else if(v==2)exit;else{v=n;}}}";
    let expected = "header h {
    bit<8> a;
}

control c(in h x)(bit<8> n) {
    bit<8> v = (x.a + 1) * 2;
    apply {
        if (v == 1) {
            return;
        } else if (v == 2) exit; else {
            v = n;
        }
    }
}
";
    assert_eq!(print(&ok(text)), expected);
}
