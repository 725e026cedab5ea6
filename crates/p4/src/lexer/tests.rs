//! Expected tokens follow §6.4 of the specification.

use super::*;
use crate::diagnostic::Diagnostics;
use crate::preprocess::{Options, preprocess_text};
use crate::source::SourceMap;
use num_bigint::BigInt;
use std::path::Path;

/// Tokens without the final end, and the messages.
fn lex(text: &str) -> (Vec<TokenKind>, Vec<String>) {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let path = Path::new("test.p4");
    let tokens = preprocess_text(path, text, &Options::default(), &mut sources, &mut diagnostics);
    let messages = diagnostics.iter().map(|d| d.message.clone()).collect();
    let mut kinds: Vec<TokenKind> = tokens.into_iter().map(|t| t.kind).collect();
    assert_eq!(kinds.pop(), Some(TokenKind::End));
    (kinds, messages)
}

fn puncts(text: &str) -> String {
    let (kinds, messages) = lex(text);
    assert_eq!(messages, Vec::<String>::new());
    let words = kinds.iter().map(|kind| match kind {
        TokenKind::Punct(punct) => punct.text(),
        other => panic!("{other:?} in {text}"),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Value, width in bits and signedness of one literal.
fn number(text: &str) -> (BigInt, Option<(u32, bool)>) {
    match lex(text) {
        (kinds, messages) if messages.is_empty() => match kinds.as_slice() {
            [TokenKind::Number(n)] => (n.value.clone(), n.width.map(|w| (w.bits, w.signed))),
            other => panic!("{other:?}"),
        },
        (_, messages) => panic!("{messages:?}"),
    }
}

#[test]
fn examples_of_integer_literals() {
    // The list in §6.4.3.2.
    let unsigned = |bits| Some((bits, false));
    let signed = |bits| Some((bits, true));
    assert_eq!(number("32w255"), (255.into(), unsigned(32)));
    assert_eq!(number("32w0d255"), (255.into(), unsigned(32)));
    assert_eq!(number("32w0xFF"), (255.into(), unsigned(32)));
    assert_eq!(number("32s0xFF"), (255.into(), signed(32)));
    assert_eq!(number("8w0b10101010"), (0xaa.into(), unsigned(8)));
    assert_eq!(number("8w0b_1010_1010"), (0xaa.into(), unsigned(8)));
    assert_eq!(number("8w170"), (170.into(), unsigned(8)));
    assert_eq!(number("8s0b1010_1010"), (0xaa.into(), signed(8)));
    assert_eq!(number("16w0377"), (377.into(), unsigned(16)));
    assert_eq!(number("16w0o377"), (255.into(), unsigned(16)));
}

#[test]
fn other_integer_literals() {
    assert_eq!(number("0"), (0.into(), None));
    assert_eq!(number("1_000_"), (1000.into(), None));
    assert_eq!(number("0XfF"), (255.into(), None));
    assert_eq!(number("0B11"), (3.into(), None));
    assert_eq!(number("0O17"), (15.into(), None));
    assert_eq!(number("0D19"), (19.into(), None));
    assert_eq!(number("0w0"), (0.into(), Some((0, false))));
    let wide = number("128w0x1_0000_0000_0000_0000_0000_0000_0000_0000");
    assert_eq!(wide, (BigInt::from(1) << 128, Some((128, false))));
    assert_eq!(number("0x10"), (16.into(), None), "hexadecimal digits are no width prefix");
}

#[test]
fn wrong_integer_literals() {
    let long = "9".repeat(5000);
    for text in [
        "0x",
        "0b",
        "8w",
        "8w0x_",
        "1_6w5",
        "0b012",
        "0o8",
        "0d1a",
        "12ab",
        "8wn",
        "0x8w5",
        "99999999999w1",
        long.as_str(),
    ] {
        let (kinds, messages) = lex(text);
        assert_eq!(messages.len(), 1, "{text}: {messages:?}");
        assert_eq!(kinds.len(), 1, "{text}");
    }
    // A minus sign is an operator, so a prefix alone is left.
    assert_eq!(lex("4s-1").1.len(), 1);
}

#[test]
fn strings() {
    let string = |text: &str| match lex(text) {
        (kinds, messages) if messages.is_empty() => match kinds.as_slice() {
            [TokenKind::String(text)] => text.to_string(),
            other => panic!("{other:?}"),
        },
        (_, messages) => panic!("{messages:?}"),
    };
    assert_eq!(string(r#""simple string""#), "simple string");
    assert_eq!(string(r#""string \" with \" quotes""#), "string \" with \" quotes");
    assert_eq!(string("\"two\nlines\""), "two\nlines");
    assert_eq!(string(r#""a\\""#), "a\\");
    assert_eq!(string(r#""\n\r\t\q""#), "\n\r\t\\q");
    assert_eq!(string("\"größe // no comment /* here */\""), "größe // no comment /* here */");
    assert_eq!(lex("\"open").1, ["string literal is never closed"]);
    assert_eq!(lex("\"open\\\"").1, ["string literal is never closed"]);
}

#[test]
fn encoding_a_string_undoes_decoding() {
    for text in ["", "a\"b", "\\", "\\n", "a\nb\t\r", "é\u{0}"] {
        assert_eq!(decode_string(&encode_string(text)), text);
    }
}

#[test]
fn operators_are_as_long_as_possible() {
    assert_eq!(puncts("&&&&&"), "&&& &&");
    assert_eq!(puncts(".....:.."), "... .. : ..");
    assert_eq!(puncts("|+||-|=|+|=||=|"), "|+| |-|= |+|= || = |");
    assert_eq!(puncts("+++=-=*=/=%=^=&=|="), "++ += -= *= /= %= ^= &= |=");
    assert_eq!(puncts("<<=>>=<=>===!=!<>"), "<<= >>= <= >= == != ! < >");
    assert_eq!(puncts("{#}{ #} _"), "{#} { # } _");
    assert_eq!(puncts("|+ |- ~?@;:,"), "| + | - ~ ? @ ; : ,");
}

#[test]
fn words() {
    use TokenKind::{Identifier, Keyword as Word};
    let (kinds, _) = lex("bit _x __ x1 Bit value_set pragma apply");
    assert_eq!(
        kinds,
        [
            Word(Keyword::Bit),
            Identifier("_x".into()),
            Identifier("__".into()),
            Identifier("x1".into()),
            Identifier("Bit".into()),
            Word(Keyword::ValueSet),
            Identifier("pragma".into()),
            Word(Keyword::Apply),
        ]
    );
    assert!(Keyword::Apply.is_name() && !Keyword::Bit.is_name());
    assert_eq!(Keyword::from_text("header_union"), Some(Keyword::HeaderUnion));
}

#[test]
fn comments_separate_tokens() {
    let (kinds, messages) = lex("bi/**/t // x\n/* a // b */ 1 /* * / ** */ 2");
    assert_eq!(kinds.len(), 4);
    assert_eq!(messages, Vec::<String>::new());
    assert_eq!(lex("a /* b").1, ["comment is never closed"]);
    assert_eq!(lex("a /*/").1, ["comment is never closed"]);
    // They do not nest.
    assert_eq!(lex("/* /* */ x */").0.len(), 3);
}

#[test]
fn spliced_lines() {
    let (kinds, messages) = lex("ab\\\ncd 1\\\r\n2 &\\\n& \"x\\\ny\" // c \\\n still a comment\nz");
    assert_eq!(messages, Vec::<String>::new());
    let shown: Vec<String> = kinds.iter().map(TokenKind::describe).collect();
    assert_eq!(shown, ["'abcd'", "number 12", "'&&'", "string \"xy\"", "'z'"]);
}

#[test]
fn byte_order_mark_and_line_ends() {
    assert_eq!(lex("\u{feff}a\r\nb\rc\x0c").0.len(), 3);
    assert_eq!(lex("").0.len(), 0);
}

#[test]
fn unknown_characters() {
    assert_eq!(lex("a $ b ` \u{0} \u{2192}").1.len(), 4);
    assert_eq!(lex("größe").1, ["name 'größe' contains characters beyond ASCII"]);
    assert_eq!(lex("größe").0.len(), 1);
    assert_eq!(lex("ß").0.len(), 1);
    assert_eq!(lex("\u{fffd}\u{fffd}").1.len(), 2);
}

#[test]
fn positions_count_bytes_of_the_file() {
    let mut interner = Interner::default();
    let mut scanner = Scanner::new("é ab\n c".into(), FileId(0));
    let spans: Vec<(u32, u32, bool)> = std::iter::from_fn(|| {
        let token = scanner.next(&mut interner);
        (token.kind != RawKind::End).then_some((token.span.lo, token.span.hi, token.line_start))
    })
    .collect();
    assert_eq!(spans, [(0, 2, true), (3, 5, false), (5, 6, false), (7, 8, true)]);
}

#[test]
fn header_names_are_no_tokens() {
    let mut scanner = Scanner::new(" <a//b.p4> x".into(), FileId(0));
    let (name, quoted, _) = scanner.header_name().expect("it is a header name");
    assert_eq!((name.as_str(), quoted), ("a//b.p4", false));
    assert!(Scanner::new("<a\n>".into(), FileId(0)).header_name().is_none());
    assert!(Scanner::new("NAME".into(), FileId(0)).header_name().is_none());
}
