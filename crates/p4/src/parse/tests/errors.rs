//! Messages, their places, and that one error hides no other.

use super::{error, errors, in_apply, parse};

#[test]
fn a_missing_semicolon_is_reported_where_it_is_missing() {
    let text = in_apply("a = b\nb = a;\nf()\na = 1");
    let found = errors(&text);
    assert_eq!(
        found,
        [
            "3:6: expected ';' behind the assignment, found 'b'",
            "5:4: expected ';' behind the call, found 'a'",
            "6:6: expected ';' behind the assignment, found '}'",
        ]
    );
}

#[test]
fn a_missing_semicolon_on_the_same_line_is_reported_at_the_next_token() {
    assert_eq!(
        errors("const bit<8> a = 1 2;"),
        ["1:20: expected ';' behind the declaration of a constant, found number 2"]
    );
}

#[test]
fn reserved_words_are_no_names() {
    assert_eq!(
        error("const bit<8> table = 1;"),
        "expected the name of a constant, found reserved word 'table'"
    );
    assert_eq!(
        error("control c(in bit<8> in) { apply { } }"),
        "expected the name of a parameter, found reserved word 'in'"
    );
    assert_eq!(
        error("struct S { bit<8> header; bit<8> x; }"),
        "expected the name of a field, found reserved word 'header'"
    );
    assert_eq!(error("const bit<8> _ = 1;"), "expected the name of a constant, found '_'");
}

#[test]
fn all_errors_are_found() {
    let text = "struct S { bit<8> a }
control c(inout bit<8> x) {
    action a( { }
    table t { key = { x; } actions = { a } }
    apply {
        x = ;
        if (x = 1) { }
        x = (1 + 2;
        switch (x) { 1 { } }
        y();
    }
}
const bit<8> k 5;
parser p() { state start { transition select(1) { 1 accept; } } state { } }
header { }
extern { }
const bit<8> last = ;
";
    let lines: Vec<usize> =
        errors(text).iter().filter_map(|e| e.split(':').next()?.parse().ok()).collect();
    for line in [1, 3, 4, 6, 7, 8, 9, 13, 14, 15, 16, 17] {
        assert!(lines.contains(&line), "no error in line {line}: {:?}", errors(text));
    }
    assert!(!lines.contains(&10), "{:?}", errors(text));
    assert!(!lines.contains(&2) && !lines.contains(&5), "{:?}", errors(text));
}

#[test]
fn what_follows_an_error_is_read() {
    let (program, found) = parse(
        "struct S { bit<8> a b; }\nstruct T { bit<8> a; }\nstrcut U { }\nconst bit<8> x = 1;",
    );
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(program.declarations.len() >= 2);
}

#[test]
fn misspelled_words() {
    assert_eq!(error("strcut S { }"), "expected a declaration, found 'strcut'");
    assert_eq!(error("Const bit<8> a = 1;"), "expected a declaration, found 'Const'");
}

#[test]
fn unclosed_and_surplus_brackets() {
    assert!(error("struct S {").contains("'}'"));
    assert!(error("control c() { apply {").contains("'}'"));
    assert!(error("struct S { } }").contains("'}'"));
    assert!(error("const bit<8> a = (1").contains("')'"));
    assert!(!errors("control c() { apply { f(; } }").is_empty());
    assert!(!errors("const bit<8> a = {1;").is_empty());
}

#[test]
fn one_token_one_message() {
    assert_eq!(errors("const bit<8> 2fast = 1;").len(), 1);
    assert_eq!(errors("const bit<8> a = 0x;").len(), 1);
}

#[test]
fn two_closing_angles_with_a_space_are_no_shift() {
    assert!(!errors(&in_apply("a = a > > 1;")).is_empty());
}
