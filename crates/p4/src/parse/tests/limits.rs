//! Deep and long programs: read if anybody could have meant them, refused with one message else.

use super::{error, in_apply, ok, parse};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Runs with the stack that the front end has for its recursive passes.
fn with_stack(test: impl FnOnce() + Send + 'static) {
    let builder = std::thread::Builder::new().stack_size(64 << 20);
    let thread = builder.spawn(test).expect("a thread can be started");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn chain(operator: &str, terms: usize) -> String {
    vec!["a"; terms].join(operator)
}

#[test]
fn long_sums_work() {
    with_stack(|| {
        ok(&format!("const bit<8> c = {};", chain(" + ", 2000)));
        ok(&format!("const bit<8> c = {};", chain(" ++ ", 2000)));
        ok(&format!("const bit<8> c = a{};", ".a".repeat(2000)));
        let list = vec!["1"; 20_000].join(", ");
        ok(&format!("const bit<8> c = {{ {list} }};"));
    });
}

#[test]
fn endless_chains_are_refused() {
    with_stack(|| {
        for text in [
            chain(" + ", 100_000),
            chain(" && ", 100_000),
            format!("a{}", ".a".repeat(100_000)),
            format!("a{}", "[0]".repeat(100_000)),
            format!("a{}", "()".repeat(100_000)),
            // Depth on the left of each of several levels adds up.
            format!("{}a{}", "(".repeat(100), format!("{})", " + a".repeat(1000)).repeat(100)),
            // So does depth within the types of casts and within type arguments.
            format!("{}1{}", "(bit<(".repeat(50), format!("{})>)1", " + a".repeat(100)).repeat(50)),
            format!(
                "{}1{}",
                "f<bit<(".repeat(50),
                format!("{})>>()", " + a".repeat(100)).repeat(50)
            ),
        ] {
            assert!(error(&format!("const bit<8> c = {text};")).contains("in a row"));
        }
    });
}

#[test]
fn moderate_nesting_works() {
    ok(&format!("const bit<8> c = {}1{};", "(".repeat(200), ")".repeat(200)));
    ok(&format!("const bit<8> c = {}1;", "-".repeat(200)));
    ok(&format!("const bit<8> c = {}1{};", "{".repeat(100), "}".repeat(100)));
    ok(&format!("struct S {{ {}bit<8>{} f; }}", "tuple<".repeat(200), ">".repeat(200)));
    ok(&in_apply(&format!("{}{}", "{".repeat(80), "}".repeat(80))));
    ok(&format!("const bit<8> c = {}1{};", "a ? ".repeat(100), " : 2".repeat(100)));
    ok(&format!("const bit<8> c = {}3;", "a ? 1 : ".repeat(100)));
}

#[test]
fn deep_nesting_is_refused_with_one_message() {
    // On a test's usual stack of 2 MiB.
    let deep = 100_000;
    let expression = |text: String| format!("const bit<8> c = {text};");
    for text in [
        expression("(".repeat(deep)),
        expression("-".repeat(deep)),
        expression("(bit<8>)".repeat(deep)),
        expression("{".repeat(deep)),
        expression("f(".repeat(deep)),
        expression("a[".repeat(deep)),
        expression("a ? ".repeat(deep)),
        expression("a ? 1 : ".repeat(deep)),
        expression("f<tuple<".repeat(deep)),
        expression("(bit<(".repeat(deep)),
        format!("struct S {{ {}", "tuple<".repeat(deep)),
        in_apply(&"{".repeat(deep)),
        in_apply(&"if (true) ".repeat(deep)),
        in_apply(&"for (;true;) ".repeat(deep)),
        in_apply(&"switch (1) { 1: {".repeat(deep)),
        in_apply(&"(".repeat(deep)),
        format!("extern E {{ E(); }} {}", "E() e = { ".repeat(deep)),
        format!("parser p() {{ state s {{ transition select(1) {{ {}", "(".repeat(deep)),
    ] {
        let (_, errors) = parse(&text);
        let start: String = text.chars().take(60).collect();
        assert_eq!(errors.len(), 1, "{start}: {errors:?}");
        assert!(errors[0].contains("nested more than 256 deep"), "{start}: {errors:?}");
    }
}

#[test]
fn long_else_ifs_work() {
    with_stack(|| {
        ok(&in_apply(&format!("if (true) a = 1; {}", "else if (false) a = 2; ".repeat(1500))));
        let text = in_apply(&format!("if (true) a = 1; {}", "else if (true) a = 2; ".repeat(9000)));
        assert!(error(&text).contains("'else if' in a row"));
        // Rows within the last branch of rows add up.
        let row = format!("if (true) ; {} else {{", "else if (true) ; ".repeat(100));
        let text = in_apply(&format!("{}{}", row.repeat(50), "}".repeat(50)));
        assert!(error(&text).contains("'else if' in a row"));
    });
}

#[test]
fn time_grows_with_the_length_of_the_text() {
    // Each of these would take hours if time grew with the square of the length; the bound is
    // generous, so that a busy machine does not fail the test.
    let started = Instant::now();
    let mut functions = String::new();
    for i in 0..20_000 {
        let _ = writeln!(functions, "bit<8> f{i}(in bit<8> x) {{ return x + 1; }}");
    }
    ok(&functions);
    parse(&"a(\nconst ".repeat(100_000));
    parse(&in_apply(&"a(b, c\n".repeat(100_000)));
    parse(&in_apply(&"a<b<".repeat(100_000)));
    parse(&"@a(".repeat(100_000));
    parse(&"/*".repeat(500_000));
    parse(&"\"\n".repeat(100_001));
    parse(&"{".repeat(500_000));
    parse(&"}".repeat(500_000));
    parse(&"#if 1\n".repeat(100_000));
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}
