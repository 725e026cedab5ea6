//! Constants that double from one to the next: one message each, in little time and memory.

use std::path::Path;
use ww_p4::frontend::compile_text;
use ww_p4::preprocess::Options;

/// `first`, then 60 declarations made by `next` from their own number and the one before.
fn chain(first: &str, next: impl Fn(u32, u32) -> String) -> String {
    let rest: String = (1..=60).map(|n| next(n, n - 1) + "\n").collect();
    format!("{first}\n{rest}")
}

/// The only error of a program.
fn only_error(text: String) -> String {
    let c = compile_text(Path::new("chain.p4"), text, &Options::default());
    let rendered = c.diagnostics.render(&c.sources, false);
    assert_eq!(c.diagnostics.error_count(), 1, "{rendered}");
    rendered
}

#[test]
fn products_of_int() {
    let text = chain("const int a0 = 3;", |n, m| format!("const int a{n} = a{m} * a{m};"));
    // 3^(2^19) has 830,973 bits (2^19 * log2 3); the next square has more than 2^20.
    assert!(only_error(text).contains("const int a20 ="));
}

#[test]
fn uses_of_a_constant_without_value() {
    let text = chain("const int a0 = 1 / 0;", |n, m| format!("const int a{n} = a{m} * a{m};"));
    assert!(only_error(text).contains("division by zero"));
}

#[test]
fn strings() {
    let text =
        chain("const string a0 = \"x\";", |n, m| format!("const string a{n} = a{m} ++ a{m};"));
    // a20 has exactly 2^20 bytes.
    assert!(only_error(text).contains("const string a21 ="));
}

#[test]
fn constants_over_constructor_parameters() {
    let declarations =
        chain("const bit<8> a0 = p;", |n, m| format!("const bit<8> a{n} = a{m} + a{m};"));
    let text = format!("control c()(bit<8> p) {{ {declarations} apply {{ }} }}");
    // a0 counts 1, each sum twice the one before and 1: a12 counts 8191, a13 16383.
    assert!(only_error(text).contains("const bit<8> a13 ="));
}
