//! Programs with very many things of one kind: time grows with their number, not with its square. Each of these took
//! minutes when a search went through all that came before; the limit leaves a loaded machine room.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use ww_p4::diagnostic::Severity;
use ww_p4::frontend::{Compilation, compile_text};
use ww_p4::preprocess::Options;

const LIMIT: Duration = Duration::from_secs(60);

fn compile(text: String) -> Compilation {
    compile_text(Path::new("wide.p4"), text, &Options::default())
}

fn accepted(what: &str, text: String) {
    let start = Instant::now();
    let c = compile(text);
    assert!(!c.diagnostics.has_errors(), "{what}: {}", c.diagnostics.render(&c.sources, false));
    assert!(start.elapsed() < LIMIT, "{what}: {:?}", start.elapsed());
}

/// `count` pieces of text, each made of its number.
fn each(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, n| {
        let _ = write!(text, "{}", piece(n));
        text
    })
}

#[test]
fn members_of_enums_and_errors() {
    let many = 400_000;
    accepted("an enum", format!("enum E {{ {} }}", each(many, |n| format!("m{n}, "))));
    let values = each(many, |n| format!("m{n} = {n}, "));
    accepted("an enum with values", format!("enum bit<32> E {{ {values} }}"));
    let errors = each(many, |n| format!("{}m{n}", if n == 0 { "" } else { ", " }));
    accepted("errors", format!("error {{ {errors} }}"));
}

#[test]
fn many_in_one_control() {
    let many = 100_000;
    let fields = each(many, |n| format!("bit<8> f{n};\n"));
    let writes = each(many, |n| format!("s.f{n} = 1;\n"));
    accepted(
        "uses of fields",
        format!("struct S {{ {fields} }} control C(inout S s) {{ apply {{ {writes} }} }}"),
    );
    let labels = each(many, |n| format!("{n}: {{ x = 1; }}\n"));
    accepted(
        "labels of a switch",
        format!("control C(inout bit<32> x) {{ apply {{ switch (x) {{ {labels} }} }} }}"),
    );
    let kinds = each(many, |n| format!("k{n}, "));
    accepted("match kinds", format!("match_kind {{ {kinds} }}"));
    let methods = each(many, |n| format!("void m{n}();\n"));
    accepted("methods", format!("extern X {{ {methods} }}"));
}

#[test]
fn actions_of_one_table() {
    let many = 100_000;
    let actions = each(many, |n| format!("action a{n}() {{ }}\n"));
    let listed = each(many, |n| format!("a{n}; "));
    accepted(
        "actions",
        format!(
            "control C() {{ {actions} table t {{ actions = {{ {listed} }} default_action = a0(); }} \
             apply {{ t.apply(); }} }}"
        ),
    );
}

/// The first thousand errors are kept, the rest is counted, whether the parser finds them or the checker.
#[test]
fn errors_past_a_thousand_are_counted() {
    for (what, statement) in
        [("syntax", "x = ;\n"), ("types", "x = true;\n"), ("names", "yy = 1;\n")]
    {
        let start = Instant::now();
        let text = statement.repeat(100_000);
        let c = compile(format!("control C(inout bit<8> x) {{ apply {{\n{text} }} }}"));
        assert_eq!(c.diagnostics.error_count(), 100_000, "{what}");
        let kept = c.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        assert_eq!(kept, 1000, "{what}");
        let shown = c.diagnostics.render(&c.sources, false);
        assert!(shown.ends_with("... and 99000 more errors\n"), "{what}");
        assert!(start.elapsed() < LIMIT, "{what}: {:?}", start.elapsed());
    }
}

/// A spelling suggestion is looked for among all names, but not for ever.
#[test]
fn suggestions_among_many_names() {
    let start = Instant::now();
    let names = each(50_000, |n| format!("const bit<8> name{n} = 1;\n"));
    let uses = each(2000, |n| format!("nome{n} = 1;\n"));
    let c = compile(format!("{names} control C() {{ apply {{ {uses} }} }}"));
    assert_eq!(c.diagnostics.error_count(), 2000);
    let first = c.diagnostics.iter().next().and_then(|d| d.help.as_deref());
    assert_eq!(first, Some("did you mean `name0`?"));
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}
