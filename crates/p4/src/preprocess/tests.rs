//! Expected results follow the C standard's clause on preprocessing (ISO/IEC 9899, 6.10), which
//! §6.2 of the P4 specification refers to.

use super::*;
use crate::diagnostic::Severity;
use std::fmt::Write;

struct Run {
    /// Tokens as words with a blank between them.
    text: String,
    errors: Vec<String>,
    warnings: Vec<String>,
    tokens: Vec<Token>,
    sources: SourceMap,
}

fn run_with(text: &str, options: &Options) -> Run {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let path = Path::new("main.p4");
    let tokens = preprocess_text(path, text, options, &mut sources, &mut diagnostics);
    let mut shown = String::new();
    for token in &tokens {
        let blank = if shown.is_empty() { "" } else { " " };
        let _ = match &token.kind {
            TokenKind::Identifier(name) => write!(shown, "{blank}{name}"),
            TokenKind::Keyword(word) => write!(shown, "{blank}{}", word.text()),
            TokenKind::Number(number) => write!(shown, "{blank}{}", number.text),
            TokenKind::String(text) => write!(shown, "{blank}{text:?}"),
            TokenKind::Punct(punct) => write!(shown, "{blank}{}", punct.text()),
            TokenKind::Unknown(text) => write!(shown, "{blank}?{text}?"),
            TokenKind::EndPragma => write!(shown, "{blank}<eol>"),
            TokenKind::End => Ok(()),
        };
    }
    let of = |severity| {
        let chosen = diagnostics.iter().filter(|d| d.severity == severity);
        chosen.map(|d| d.message.clone()).collect()
    };
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    Run { text: shown, errors, warnings, tokens, sources }
}

fn run(text: &str) -> Run {
    run_with(text, &Options::default())
}

/// The resulting tokens of a text without errors.
fn ok(text: &str) -> String {
    let run = run(text);
    assert_eq!(run.errors, Vec::<String>::new(), "{text}");
    run.text
}

/// The single error of a text.
fn error(text: &str) -> String {
    let run = run(text);
    assert_eq!(run.errors.len(), 1, "{text}: {:?}", run.errors);
    run.errors[0].clone()
}

#[test]
fn object_macros() {
    assert_eq!(ok("#define A 1 + B\n#define B 2\nA A"), "1 + 2 1 + 2");
    assert_eq!(ok("#define A\nx A y"), "x y");
    assert_eq!(ok("#define A 1\n#undef A\nA"), "A");
    assert_eq!(ok("#define A \\\n 1 \\\n 2\nA"), "1 2");
    assert_eq!(ok("#define A 1 // one\n#define B /* two\n lines */ 2\nA B"), "1 2");
    assert_eq!(ok("#define bit int\nbit"), "int");
    assert_eq!(ok("  #  define A 3\nA"), "3");
    assert_eq!(ok("#define A (1)\nA"), "( 1 )");
}

#[test]
fn a_macro_is_not_expanded_in_itself() {
    assert_eq!(ok("#define A A B\n#define B A\nA"), "A A");
    assert_eq!(ok("#define f(x) x + f(x)\nf(f(1))"), "1 + f ( 1 ) + f ( 1 + f ( 1 ) )");
}

#[test]
fn function_macros() {
    assert_eq!(ok("#define F(a, b) b a\nF(1, 2)"), "2 1");
    assert_eq!(ok("#define F(a) [a]\nF((1, 2))"), "[ ( 1 , 2 ) ]");
    assert_eq!(ok("#define F() 7\nF() F( )"), "7 7");
    assert_eq!(ok("#define F(a) [a]\nF()"), "[ ]");
    assert_eq!(ok("#define F(a) a\nF F\n(\n3\n)"), "F 3");
    assert_eq!(ok("#define F(a) a\n#define G F\nG(4)"), "4");
    assert_eq!(ok("#define F(a) a\nF"), "F");
    assert_eq!(ok("#define F(a) a\nF\nx"), "F x");
    assert_eq!(ok("#define T(x) ((x) + (x))\nT(T(1))").matches('1').count(), 4);
}

#[test]
fn wrong_uses_of_function_macros() {
    assert_eq!(error("#define F(a) a\nF(1, 2)"), "macro 'F' takes 1 argument, but 2 are given");
    assert_eq!(error("#define F(a, b) a\nF(1)"), "macro 'F' takes 2 arguments, but 1 is given");
    assert_eq!(error("#define F(a) a\nF(1"), "the arguments of macro 'F' never end");
    assert!(error("#define F(a, a) a").contains("appears twice"));
    assert!(error("#define F(a b) a").contains("expected a parameter name"));
    assert!(error("#define F(a").contains("expected a parameter name"));
}

#[test]
fn rescanning_reads_on_behind_the_result() {
    // The result ends in the name, or in the first half, of a use that the text completes.
    assert_eq!(ok("#define f(a) [a]\n#define open f(\nopen 1)"), "[ 1 ]");
    assert_eq!(ok("#define f(a) [a]\n#define pick(x) f\npick(0)(2)"), "[ 2 ]");
    assert_eq!(ok("#define f(a) a(4)\nf(f)(5)"), "f ( 4 ) ( 5 )");
    // What stood in `f`'s own result stays; what the text completes later does not.
    assert_eq!(
        ok("#define n 7\n#define f(a) f(n * (a))\nf(f(1))"),
        "f ( 7 * ( f ( 7 * ( 1 ) ) ) )"
    );
    assert_eq!(ok("#define two 1,2\n#define first(a, b) a\n#define f(x) first(x)\nf(two)"), "1");
    assert_eq!(ok("#define id(a) a\nid(\n#define k 9\nk)"), "9", "directives within arguments");
}

#[test]
fn strings_and_pasting() {
    assert_eq!(ok("#define S(a) #a\nS( x  +  \"q\\n\" )"), r#""x + \"q\\n\"""#);
    assert_eq!(ok("#define S(a) #a\n#define V 1\nS(V)"), "\"V\"");
    assert_eq!(
        ok("#define J(a, b) a ## b\n#define ab 9\nJ(a, b) J(8w, 0xF) J(&, &)"),
        "9 8w0xF &&"
    );
    assert_eq!(ok("#define J(a, b) a ## b\nJ(x,) J(,y) J(,)"), "x y");
    assert_eq!(ok("#define J(a) x_ ## a ## _y\nJ(1)"), "x_1_y");
    assert_eq!(ok("#define J(a, b) a ## b\nJ(+, x)"), "+ x");
    assert!(error("#define J ## a").contains("'##'"));
    assert!(error("#define J a ##").contains("'##'"));
    assert_eq!(ok("#define I {#}\nI"), "{#}");
}

#[test]
fn variadic_macros() {
    assert_eq!(ok("#define F(...) f(__VA_ARGS__)\nF(1, 2) F()"), "f ( 1 , 2 ) f ( )");
    assert_eq!(ok("#define F(a, ...) a [__VA_ARGS__]\nF(1, 2, 3) F(1)"), "1 [ 2 , 3 ] 1 [ ]");
    assert_eq!(ok("#define F(a, b...) f(a, ## b)\nF(1) F(1, 2)"), "f ( 1 ) f ( 1 , 2 )");
}

#[test]
fn predefined_macros() {
    assert_eq!(ok("\n__LINE__\n__FILE__"), "2 \"main.p4\"");
    assert_eq!(ok("#define L __LINE__\n\nL"), "3");
    assert_eq!(ok("#ifdef __LINE__\n1\n#endif"), "1");
}

#[test]
fn conditionals() {
    assert_eq!(ok("#if 1\na\n#else\nb\n#endif\nc"), "a c");
    assert_eq!(ok("#if 0\na\n#elif 0\nb\n#elif 1\nc\n#elif 1\nd\n#else\ne\n#endif"), "c");
    assert_eq!(ok("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif"), "c");
    assert_eq!(ok("#ifdef X\na\n#else\nb\n#endif\n#define X\n#ifdef X\nc\n#endif"), "b c");
    assert_eq!(ok("#ifndef X\na\n#elifdef X\nb\n#endif"), "a");
    assert_eq!(ok("#if 0\n#error no\n#include \"none\"\n#nonsense\n'\"#\n#endif\nx"), "x");
    assert_eq!(ok("#if 1 // yes\n#endif /* done */ X\n#\nx"), "x");
    // A condition that cannot matter is not evaluated.
    assert_eq!(ok("#if 1\na\n#elif 1 / 0\nb\n#endif"), "a");
}

#[test]
fn conditionals_choose_the_lines_of_a_string() {
    let text = "\"a\n#if 0\n\"\n#else\nb\n # endif\n#x\nc\" d";
    assert_eq!(ok(text), r##""a\nb\n#x\nc" d"##);
    assert_eq!(error("\"a\n#if 1\nb\n#endif\n"), "string literal is never closed");
    let open = run("\"a\n#if 0\nb");
    let expected = ["string literal is never closed", "conditional directive without '#endif'"];
    assert!(open.errors.len() == 2 && expected.iter().all(|e| open.errors.iter().any(|f| f == e)));
}

#[test]
fn unbalanced_conditionals() {
    assert_eq!(error("#if 1\na"), "conditional directive without '#endif'");
    assert_eq!(error("#endif"), "'#endif' without '#if'");
    assert_eq!(error("#else"), "'#else' without '#if'");
    assert_eq!(error("#elif 1"), "'#elif' without '#if'");
    assert_eq!(error("#if 1\n#else\n#else\n#endif"), "'#else' behind '#else'");
    assert_eq!(error("#if 1\n#else\n#elif 1\n#endif"), "'#elif' behind '#else'");
}

/// Whether `#if` takes the expression as true.
fn holds(condition: &str) -> bool {
    ok(&format!("#if {condition}\nyes\n#endif")) == "yes"
}

#[test]
fn conditions() {
    for condition in [
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "7 / 2 == 3 && 7 % 4 == 3",
        "-7 / 2 == -3",
        "1 << 4 == 16 && -8 >> 1 == -4",
        "(5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6",
        "~0 == -1 && !0 && +1",
        "1 ? 2 : 0",
        "0 ? 0 : 1 ? 1 : 0",
        "0x10 == 16 && 010 == 8 && 0b11 == 3 && 10ul == 10",
        "-1 > 0u",
        "undefined == 0 && !true",
        "1 || 1 / 0",
        "!(0 && 1 % 0)",
        "1 ? 1 : 1 / 0",
        "2 > 1 && 2 >= 2 && 1 < 2 && 1 <= 1 && 1 != 2",
        "(0, 1)",
        "!defined X && !defined(X)",
        "1 == 1 \\\n && 2 == 2",
        "9223372036854775807 + 1 < 0",
        "-9223372036854775807 - 1 == (-9223372036854775807 - 1) / -1",
    ] {
        assert!(holds(condition), "{condition}");
    }
    assert!(!holds("0") && !holds("1 == 2") && !holds("-1 < 0u"));
    assert_eq!(ok("#define V 20200408\n#if V >= 20200408 && defined(V)\nx\n#endif"), "x");
    assert_eq!(ok("#define F(a) a > 1\n#if F(2)\nx\n#endif"), "x");
}

#[test]
fn wrong_conditions() {
    for condition in
        ["", "1 +", "(1", "1 2", "1 / 0", "1 % 0", "\"a\"", "1 ? 2", "defined", "f(1)", "8w5", "*"]
    {
        assert_eq!(run(&format!("#if {condition}\n#endif")).errors.len(), 1, "{condition}");
    }
    let deep = format!("#if {}1{}\n#endif", "(".repeat(5000), ")".repeat(5000));
    assert!(error(&deep).contains("too deeply"));
    let deep = format!("#if {}1\n#endif", "!".repeat(5000));
    assert!(error(&deep).contains("too deeply"));
}

#[test]
fn messages_and_other_directives() {
    assert_eq!(error("#error no such width // comment"), "#error: no such width");
    assert_eq!(error("#error don't"), "#error: don't");
    assert_eq!(run("#warning old").warnings, ["#warning: old"]);
    assert_eq!(ok("#pragma whatever\n#line 5 \"x.p4\"\n# 12 \"y.p4\" 2\nx"), "x");
    assert_eq!(error("#inclde <core.p4>"), "unknown directive '#inclde'");
    assert!(error("#define").contains("expected a name"));
    assert!(error("#ifdef\n#endif").contains("expected a name"));
    assert!(error("#undef 3").contains("expected a name"));
    assert!(error("#define defined 1").contains("'defined'"));
    assert!(error("# \"x\"").contains("directive"));
    assert_eq!(ok("a # b"), "a # b", "only the first token of a line begins a directive");
}

#[test]
fn redefinition_warns_unless_equal() {
    assert_eq!(run("#define A 1\n#define A 1").warnings.len(), 0);
    assert_eq!(run("#define A 1\n#define A 2").warnings.len(), 1);
    assert_eq!(run("#define F(a) a\n#define F(b) b").warnings.len(), 1);
}

#[test]
fn definitions_of_the_command_line() {
    let define = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let options = Options {
        defines: vec![define("A", "1"), define("F(x)", "x x"), define("E", "")],
        ..Options::default()
    };
    assert_eq!(run_with("A F(2) E", &options).text, "1 2 2");
    let options = Options { defines: vec![define("1x", "1")], ..Options::default() };
    assert_eq!(run_with("x", &options).errors.len(), 1);
}

#[test]
fn pragma_annotations_end_with_their_line() {
    assert_eq!(ok("@pragma name a b\nx"), "@ pragma name a b <eol> x");
    assert_eq!(ok("@pragma p"), "@ pragma p <eol>");
    assert_eq!(ok("@name(\"a\")\nx"), "@ name ( \"a\" ) x");
}

#[test]
fn annotations_may_hold_what_is_no_token() {
    // Appendix H: `annotationToken` includes UNEXPECTED_TOKEN.
    assert_eq!(ok("@a($ (1x) ') x"), "@ a ( ?$? ( ?1x? ) ?'? ) x");
    assert_eq!(ok("@pragma a $\nx"), "@ pragma a ?$? <eol> x");
    assert_eq!(run("@a($) $").errors.len(), 1);
    assert_eq!(run("@a[$]").errors.len(), 1);
    assert_eq!(run("a($)").errors.len(), 1);
}

#[test]
fn results_of_macros_carry_the_span_of_the_use() {
    let run = run("#define A 1 + B\n#define B 2\nx A;");
    let spans: Vec<&str> = run.tokens.iter().map(|t| run.sources.snippet(t.span)).collect();
    assert_eq!(spans, ["x", "A", "A", "A", ";", ""]);
    let run = self::run("#define F(a) a + 1\nF(y)");
    let spans: Vec<&str> = run.tokens.iter().map(|t| run.sources.snippet(t.span)).collect();
    assert_eq!(spans, ["y", "F(y)", "F(y)", ""]);
}

#[test]
fn our_own_includes() {
    let run = run("#include <core.p4>\n#include \"core.p4\"\nend");
    assert_eq!(run.errors, Vec::<String>::new());
    assert_eq!(run.text.matches("extern packet_in ").count(), 1);
    assert!(run.sources.files().any(|f| f.is_system && f.path == Path::new("<core.p4>")));
    assert!(system_includes().iter().any(|(name, _)| *name == "v1model.p4"));
    assert_eq!(ok("#define W <core.p4>\n#include W").matches("extern packet_in ").count(), 1);
}

#[test]
fn missing_includes_are_suggested() {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let text = "#include <v1modle.p4>";
    let path = Path::new("main.p4");
    preprocess_text(path, text, &Options::default(), &mut sources, &mut diagnostics);
    let found = diagnostics.iter().next().expect("an error");
    assert_eq!(found.message, "cannot find 'v1modle.p4'");
    assert_eq!(found.help.as_deref(), Some("did you mean 'v1model.p4'?"));
    assert_eq!(sources.snippet(found.span), "<v1modle.p4>");
    assert!(error("#include core").contains("expected"));
    assert!(error("#include \"\"").contains("empty"));
    assert!(error("#include <core.p4").contains("expected"));
}

/// A folder below the system's temporary one, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let root = std::env::temp_dir().join(format!("ww-p4-{}-{name}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("it lies in the folder"))
                .expect("the temporary folder is writable");
            std::fs::write(path, text).expect("the temporary folder is writable");
        }
        Self(root)
    }

    fn preprocess(&self, main: &str, dirs: &[&str]) -> Run {
        let include_dirs = dirs.iter().map(|d| self.0.join(d)).collect();
        let text = std::fs::read_to_string(self.0.join(main)).expect("the file was written");
        let options = Options { include_dirs, ..Options::default() };
        let mut sources = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let path = self.0.join(main);
        let tokens = preprocess(&path, &options, &mut sources, &mut diagnostics);
        assert!(!text.is_empty());
        let words = tokens.iter().filter_map(|t| match &t.kind {
            TokenKind::Identifier(name) => Some(name.to_string()),
            _ => None,
        });
        let text = words.collect::<Vec<_>>().join(" ");
        let errors = diagnostics.iter().map(|d| d.message.clone()).collect();
        Run { text, errors, warnings: Vec::new(), tokens, sources }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn search_order_of_includes() {
    let folder = Folder::new(
        "order",
        &[
            (
                "main.p4",
                "#include \"a.p4\"\n#include <a.p4>\n#include <b.p4>\n#include \"sub/c.p4\"",
            ),
            ("a.p4", "beside"),
            ("one/a.p4", "one"),
            ("two/a.p4", "two"),
            ("two/b.p4", "b"),
            ("one/core.p4", "mycore"),
            ("sub/c.p4", "#include \"d.p4\"\n#include <core.p4>"),
            ("sub/d.p4", "d"),
        ],
    );
    let run = folder.preprocess("main.p4", &["one", "two"]);
    assert_eq!(run.errors, Vec::<String>::new());
    assert_eq!(run.text, "beside one b d mycore");
}

#[test]
fn guards_and_once() {
    let folder = Folder::new(
        "guards",
        &[
            (
                "main.p4",
                "#include \"g.p4\"\n#include \"g.p4\"\n#include \"o.p4\"\n#include \"./o.p4\"",
            ),
            ("g.p4", "#ifndef G\n#define G\ng\n#endif"),
            ("o.p4", "#pragma once\no"),
        ],
    );
    let run = folder.preprocess("main.p4", &[]);
    assert_eq!((run.text.as_str(), run.errors.len()), ("g o", 0));
}

#[test]
fn endless_includes_end() {
    let folder = Folder::new(
        "endless",
        &[("main.p4", "#include \"main.p4\"\n#include \"main.p4\"\nx"), ("bytes.p4", "a \u{0} b")],
    );
    let run = folder.preprocess("main.p4", &[]);
    assert_eq!(run.errors.len(), 1);
    assert!(run.errors[0].contains("nested more than 200 deep"));
    assert_eq!(run.tokens.len(), 1, "nothing sensible is left to parse");
    let run = folder.preprocess("bytes.p4", &[]);
    assert_eq!(run.errors.len(), 1);
}

#[test]
fn files_that_include_two_each() {
    // 2^40 inclusions if nothing stopped them.
    let mut files: Vec<(String, String)> = (0..40)
        .map(|i| {
            let next = i + 1;
            (format!("f{i}.p4"), format!("#include \"f{next}.p4\"\n#include \"f{next}.p4\"\n"))
        })
        .collect();
    files.push(("f40.p4".into(), "x".into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let run = Folder::new("fan", &files).preprocess("f0.p4", &[]);
    assert_eq!(run.errors, ["macros and includes expand to too much text"]);
}

#[test]
fn macro_bombs_end() {
    let mut text = String::from("#define A0 x x\n");
    for i in 0..60 {
        text.push_str(&format!("#define A{} A{i} A{i}\n", i + 1));
    }
    text.push_str("A60");
    assert_eq!(run(&text).errors.len(), 1);
    let nested = format!("#define F(a) a\n{}1{}", "F(".repeat(5000), ")".repeat(5000));
    assert!(error(&nested).contains("nested more than"));
}

#[test]
fn unreadable_files() {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    for path in ["/no/such/file.p4", "/"] {
        let options = Options::default();
        let tokens = preprocess(Path::new(path), &options, &mut sources, &mut diagnostics);
        assert_eq!(tokens.len(), 1);
    }
    let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages.len(), 2);
    assert!(messages[0].starts_with("cannot read '/no/such/file.p4': no such file"));
}
