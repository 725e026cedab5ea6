//! Random programs: nothing panics, and what is accepted prints and parses back.

use super::parse;
use crate::print_ast::print;

/// A small generator of numbers (xorshift64*), so that a seed says everything.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let value = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        value as usize % bound.max(1)
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const WORDS: &[&str] = &[
    "abstract",
    "action",
    "actions",
    "apply",
    "bit",
    "bool",
    "break",
    "const",
    "continue",
    "control",
    "default",
    "else",
    "entries",
    "enum",
    "error",
    "exit",
    "extern",
    "false",
    "for",
    "header",
    "header_union",
    "if",
    "in",
    "inout",
    "int",
    "key",
    "list",
    "match_kind",
    "out",
    "package",
    "parser",
    "priority",
    "return",
    "select",
    "state",
    "string",
    "struct",
    "switch",
    "table",
    "this",
    "transition",
    "true",
    "tuple",
    "type",
    "typedef",
    "value_set",
    "varbit",
    "void",
    "a",
    "b",
    "T",
    "8w5",
    "1",
    "\"s\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{#}",
    ";",
    ":",
    ",",
    ".",
    "..",
    "...",
    "?",
    "@",
    "_",
    "=",
    "==",
    "<",
    ">",
    "<<",
    ">>",
    "+",
    "-",
    "*",
    "!",
    "~",
    "&&&",
    "+=",
    "|+|",
    "++",
    "#",
    "##",
    "\n",
    "\n#define M(x) x\n",
    "M",
    "\n#if 1\n",
    "\n#endif\n",
    "@pragma",
    "é",
    "\u{0}",
    "'",
    "\"",
    "/*",
    "*/",
    "//",
    "\\\n",
];

const PROGRAM: &str = "@a(x) header H { bit<8> a; bit<8> b; } struct S { H[2] h; H g; }
typedef bit<8> T; enum bit<8> E { A = 1, B = 2 } error { Bad } match_kind { exact }
extern X<A> { X(); A get(in A a); } extern void f<A>(in A a);
parser p(inout S s) { value_set<T>(2) v; state start { s.g.a = (T)1;
  transition select(s.g.a, s.g.b) { (1, _): accept; (v, 1 &&& 2): next; default: reject; } }
  state next { if (s.g.a == 1) f<T>(s.g.a); transition accept; } }
control c(inout S s) { X<T>() x; action n() { } action m(bit<8> q) { s.g.a = q ++ 0; }
  table t { key = { s.g.a: exact @name(\"k\"); } actions = { n; @tableonly m; }
    const entries = { 1: m(2); priority = 3: _: n(); } default_action = n(); size = 4; }
  apply { switch (t.apply().action_run) { n: { } m: default: { exit; } }
    for (T i in 1 .. 3) { s.h[i] = { ... }; } for (T i = 0; i < 2; i += 1) continue;
    s.g = { a = 1, ... }; s.g.a = s.g.a < 3 ? x.get(1) : s.g.b[7:4] ++ 4w0; } }
";

/// Parses, and if that went well also prints and parses again.
fn check(text: &str, seed: u64) {
    let (program, errors) = parse(text);
    if errors.is_empty() {
        let printed = print(&program);
        let (again, errors) = parse(&printed);
        assert_eq!(errors, Vec::<String>::new(), "seed {seed}\n{text}\n----\n{printed}");
        assert_eq!(print(&again), printed, "seed {seed}\n{text}");
    }
}

#[test]
fn words_in_any_order() {
    for seed in 1u64..=3000 {
        let mut random = Random(seed);
        let mut text = String::new();
        for _ in 0..random.below(60) {
            text.push_str(random.pick(WORDS));
            text.push(' ');
        }
        check(&text, seed);
    }
}

#[test]
fn a_program_with_words_changed() {
    let (_, errors) = parse(PROGRAM);
    assert_eq!(errors, Vec::<String>::new());
    check(PROGRAM, 0);
    let words: Vec<&str> =
        PROGRAM.split_inclusive([' ', ';', '(', ')', ',', '{', '}', '.']).collect();
    for seed in 1u64..=3000 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut changed = words.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(changed.len());
            match random.below(4) {
                0 => {
                    changed.remove(at);
                }
                1 => changed.insert(at, random.pick(WORDS)),
                2 => changed[at] = random.pick(WORDS),
                _ => {
                    let other = random.below(changed.len());
                    changed.swap(at, other);
                }
            }
        }
        check(&changed.join(" "), seed);
    }
}

#[test]
fn a_program_with_characters_changed() {
    let characters: Vec<char> = PROGRAM.chars().collect();
    for seed in 1u64..=3000 {
        let mut random = Random(seed.wrapping_mul(0xd134_2543_de82_ef95));
        let mut changed = characters.clone();
        for _ in 0..=random.below(6) {
            if changed.is_empty() {
                break;
            }
            let at = random.below(changed.len());
            match random.below(3) {
                0 => {
                    changed.truncate(at.max(1));
                }
                1 => changed.insert(at, char::from(random.below(256) as u8)),
                _ => {
                    changed.remove(at);
                }
            }
        }
        check(&changed.into_iter().collect::<String>(), seed);
    }
}
