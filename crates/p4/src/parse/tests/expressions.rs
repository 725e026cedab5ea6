//! Precedence, casts, type arguments, brace expressions.

use super::{NAMES, error, expression, ok};
use crate::ast::{Expression, ExpressionKind};
use crate::print_ast::print;

/// An expression with every operation in parentheses.
fn shape(e: &Expression) -> String {
    use ExpressionKind::*;
    let list = |items: &[Expression]| items.iter().map(shape).collect::<Vec<_>>().join(" ");
    match &e.kind {
        Bool(value) => value.to_string(),
        Number { value, .. } => value.to_string(),
        String(text) => format!("{text:?}"),
        Name(path) => format!("{}{}", if path.absolute { "." } else { "" }, path.name.name),
        This => "this".into(),
        Type(_) => "type".into(),
        Member(base, name) => format!("({}).{}", shape(base), name.name),
        Index(base, index) => format!("({})[{}]", shape(base), shape(index)),
        Slice(base, high, low) => format!("({})[{}:{}]", shape(base), shape(high), shape(low)),
        Call { callee, type_arguments, arguments } => {
            let arguments: Vec<_> = arguments
                .iter()
                .map(|a| match &a.name {
                    Some(name) => format!("{}={}", name.name, shape(&a.value)),
                    None => shape(&a.value),
                })
                .collect();
            let types = "T".repeat(type_arguments.len());
            format!("{}<{types}>({})", shape(callee), arguments.join(" "))
        }
        Unary(op, operand) => format!("({}{})", op.symbol(), shape(operand)),
        Binary(op, a, b) => format!("({} {} {})", shape(a), op.symbol(), shape(b)),
        Conditional(c, a, b) => format!("({} ? {} : {})", shape(c), shape(a), shape(b)),
        Cast(_, operand) => format!("(cast {})", shape(operand)),
        List { elements, defaults } => {
            format!("{{{}{}}}", list(elements), if *defaults { " ..." } else { "" })
        }
        Record { fields, defaults } => {
            let fields: Vec<_> =
                fields.iter().map(|(n, v)| format!("{}={}", n.name, shape(v))).collect();
            format!("{{{}{}}}", fields.join(" "), if *defaults { " ..." } else { "" })
        }
        Invalid => "invalid".into(),
        Defaults => "...".into(),
        other => panic!("{other:?}"),
    }
}

fn shaped(text: &str) -> String {
    shape(&expression(text))
}

#[test]
fn operators_from_loose_to_tight() {
    // The %left lines of the grammar, loosest first; each binds less tightly than the next.
    let levels = ["||", "&&", "==", "<", "|", "^", "&", "<<", "+", "*"];
    for pair in levels.windows(2) {
        let (loose, tight) = (pair[0], pair[1]);
        assert_eq!(shaped(&format!("a {loose} b {tight} d")), format!("(a {loose} (b {tight} d))"));
        assert_eq!(shaped(&format!("a {tight} b {loose} d")), format!("((a {tight} b) {loose} d)"));
    }
}

#[test]
fn operators_of_one_level_associate_to_the_left() {
    let levels: [&[&str]; 5] = [
        &["==", "!="],
        &["<", ">", "<=", ">="],
        &["<<", ">>"],
        &["++", "+", "-", "|+|", "|-|"],
        &["*", "/", "%"],
    ];
    for level in levels {
        for first in level {
            for second in level {
                let text = format!("a {first} b {second} d");
                assert_eq!(shaped(&text), format!("((a {first} b) {second} d)"));
            }
        }
    }
    assert_eq!(shaped("a - (b - d)"), "(a - (b - d))");
}

#[test]
fn prefix_and_postfix() {
    assert_eq!(shaped("-a * b"), "((-a) * b)");
    assert_eq!(shaped("!a == b"), "((!a) == b)");
    assert_eq!(shaped("~-+!a"), "(~(-(+(!a))))");
    assert_eq!(shaped("+ +a"), "(+(+a))");
    assert_eq!(shaped("-a.b[1].d[7:0]"), "(-((((a).b)[1]).d)[7:0])");
    assert_eq!(shaped("a.f().g(b)"), "((a).f<>()).g<>(b)");
    assert_eq!(shaped("(a + b).d"), "((a + b)).d");
    assert_eq!(shaped("a[b ? 1 : 2 : 0]"), "(a)[(b ? 1 : 2):0]");
}

#[test]
fn conditional() {
    assert_eq!(shaped("a ? b : d"), "(a ? b : d)");
    assert_eq!(shaped("a || b ? 1 + 2 : 3"), "((a || b) ? (1 + 2) : 3)");
    // As in C (§8.6.1).
    assert_eq!(shaped("a ? b : d ? 1 : 2"), "(a ? b : (d ? 1 : 2))");
    assert_eq!(shaped("a ? b ? 1 : 2 : 3"), "(a ? (b ? 1 : 2) : 3)");
    assert_eq!(shaped("(a ? b : d) ? 1 : 2"), "((a ? b : d) ? 1 : 2)");
}

#[test]
fn slices_with_a_width() {
    // §8.7: `[L+:W]` is the slice of W bits from bit L.
    assert_eq!(shaped("a[4+:4]"), "(a)[7:4]");
    assert_eq!(shaped("a[n+:4]"), "(a)[(((cast n) + 4) - 1):n]");
    assert_eq!(shaped("a[1 + 2+:4]"), "(a)[(((cast (1 + 2)) + 4) - 1):(1 + 2)]");
}

#[test]
fn casts_need_a_type() {
    assert_eq!(shaped("(T) - a"), "(cast (-a))");
    assert_eq!(shaped("(b) - a"), "(b - a)");
    assert_eq!(shaped("(T)a + b"), "((cast a) + b)");
    assert_eq!(shaped("(bit<8>)a.b"), "(cast (a).b)");
    assert_eq!(shaped("(bit<(4 + 4)>)(int<8>)-1"), "(cast (cast (-1)))");
    assert_eq!(shaped("(.T)a"), "(cast a)");
    assert_eq!(shaped("(G<T>){ a = 1 }"), "(cast {a=1})");
    assert_eq!(shaped("(T[2]){ 1, 2 }"), "(cast {1 2})");
    assert_eq!(shaped("(tuple<T, bool>){ 1, true }"), "(cast {1 true})");
    assert_eq!(shaped("(T.a)"), "(T).a");
    assert_eq!(shaped("(X<T>()).get()"), "(X<T>()).get<>()");
    assert_eq!(shaped("(error)e"), "(cast e)");
    assert_eq!(shaped("(error.NoError)"), "(type).NoError");
    // A name that nobody declared, where only a cast makes sense: the checker knows better words.
    assert_eq!(shaped("(Unknown) a"), "(cast a)");
}

#[test]
fn type_arguments_need_a_type() {
    assert_eq!(shaped("f<T>(a)"), "f<T>(a)");
    assert_eq!(shaped("f<bit<8>>(a)"), "f<T>(a)");
    assert_eq!(shaped("f<tuple<bit<8>, G<T>>, _>(a)"), "f<TT>(a)");
    assert_eq!(shaped("f<void>()"), "f<T>()");
    assert_eq!(shaped("a.f<T>(b)"), "(a).f<T>(b)");
    assert_eq!(shaped("a < b"), "(a < b)");
    assert_eq!(shaped("a < b > (d)"), "((a < b) > d)");
    assert_eq!(shaped("a < T.b"), "(a < (T).b)");
    assert_eq!(shaped("a < (T)b"), "(a < (cast b))");
    assert_eq!(shaped("a < error.X"), "(a < (type).X)");
    assert_eq!(shaped("f<error>(a)"), "f<T>(a)");
    assert_eq!(shaped("1 << 2 >> 1"), "((1 << 2) >> 1)");
}

#[test]
fn calls_and_names() {
    assert_eq!(shaped("f(a, x = b, _ , y = _)".replace("_", "1").as_str()), "f<>(a x=b 1 y=1)");
    assert_eq!(shaped(".f(.a)"), ".f<>(.a)");
    assert_eq!(shaped("X<T>()"), "X<T>()");
    assert_eq!(shaped("X<T>().get()"), "(X<T>()).get<>()");
    assert_eq!(shaped("this.f()"), "(this).f<>()");
    assert_eq!(shaped("key + state + actions"), "((key + state) + actions)");
    assert_eq!(shaped("a.apply().hit"), "((a).apply<>()).hit");
    assert_eq!(shaped("f(list = 1)"), "f<>(list=1)");
}

#[test]
fn brace_expressions() {
    assert_eq!(shaped("{}"), "{}");
    assert_eq!(shaped("{ 1, 2, }"), "{1 2}");
    assert_eq!(shaped("{ 1, ... }"), "{1 ...}");
    assert_eq!(shaped("{ ... }"), "{ ...}");
    assert_eq!(shaped("{ ..., }"), "{ ...}");
    assert_eq!(shaped("{ a = 1, b = { 2 } , }"), "{a=1 b={2}}");
    assert_eq!(shaped("{ a = 1, ... }"), "{a=1 ...}");
    assert_eq!(shaped("{ a == 1 }"), "{(a == 1)}");
    assert_eq!(shaped("..."), "...");
    assert_eq!(shaped("{#}"), "invalid");
    let text = format!("{NAMES}const G<T> c = {{ ..., a = 1 }};");
    assert!(!super::errors(&text).is_empty());
    assert_eq!(
        error(&format!("{NAMES}const G<T> c = {{ a = 1, ..., b = 2 }};")),
        "'...' has to be the last element"
    );
}

#[test]
fn a_name_is_what_it_was_declared_last() {
    // `T` is a type outside and a variable inside the function.
    let text =
        "typedef bit<8> T; bit<8> f(bit<8> T, bit<8> x) { return (T) - x; } const T c = (T) -1;";
    let printed = print(&ok(text));
    assert!(printed.contains("return T - x;"), "{printed}");
    assert!(printed.contains("c = (T)-1;"), "{printed}");
    // A type parameter is a type within its declaration only.
    let text = "void f<A>(in A a) { g<A>(a); (A)a == a ? g(a) : g(a); }";
    assert!(!super::errors(text).is_empty(), "a conditional is no statement");
    ok("bit<8> f<A>(in A a) { return (A)a < a ? 1 : 2; }");
}
