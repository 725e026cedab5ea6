//! Names of the program as identifiers that C, C++ and Python take alike.

use crate::emit::verilog::names::letters_and_digits;
use std::collections::HashSet;

/// Words that one of the languages keeps for itself.
const RESERVED: &[&str] = &[
    "False",
    "None",
    "True",
    "alignas",
    "alignof",
    "and",
    "as",
    "asm",
    "assert",
    "async",
    "auto",
    "await",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "concept",
    "const",
    "continue",
    "decltype",
    "def",
    "default",
    "del",
    "delete",
    "do",
    "double",
    "elif",
    "else",
    "enum",
    "except",
    "explicit",
    "export",
    "extern",
    "false",
    "finally",
    "float",
    "for",
    "friend",
    "from",
    "global",
    "goto",
    "if",
    "import",
    "in",
    "inline",
    "int",
    "is",
    "lambda",
    "long",
    "main",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nonlocal",
    "not",
    "operator",
    "or",
    "pass",
    "private",
    "protected",
    "public",
    "raise",
    "register",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "with",
    "xor",
    "yield",
];

/// Arguments and variables of generated functions, besides keys and parameters.
pub const ARGUMENTS: &[&str] = &[
    "action", "bad", "bytes", "cls", "data", "device", "error", "key", "mask", "match", "number",
    "packed", "packets", "priority", "rates", "self",
];

/// What a table has in Python besides its actions.
pub const TABLE_MEMBERS: &[&str] = &[
    "action_bits",
    "actions",
    "clear",
    "counter",
    "counter_window",
    "data_bits",
    "delete",
    "entries",
    "group",
    "implementation",
    "info",
    "insert",
    "key_bits",
    "keys",
    "members",
    "meter_window",
    "modify",
    "name",
    "order",
    "own_default",
    "own_entries",
    "read",
    "reset_default",
    "selector",
    "set_counter",
    "set_default",
    "set_group",
    "set_meter",
    "window",
];

/// What a device has in Python besides its objects.
pub const DEVICE_MEMBERS: &[&str] =
    &["close", "counts", "digests", "globals", "multicast", "open", "reset"];

/// A name as an identifier: `hdr.ipv4.ttl` is `hdr_ipv4_ttl`.
pub fn identifier(name: &str) -> String {
    let text = letters_and_digits(name);
    match text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        // Names that begin so belong to the driver.
        true if text.starts_with("ww_") => format!("p4_{text}"),
        true if RESERVED.contains(&text.as_str()) => format!("{text}_"),
        true => text,
        false => format!("p4_{text}"),
    }
}

/// Identifiers for a list of names: the last part of each name (`hdr.ipv4.ttl`: `ttl`) where no
/// other name ends so, the whole name otherwise. No two are the same, and none is in `taken`.
pub fn short<'n>(names: impl IntoIterator<Item = &'n str>, taken: &[&str]) -> Vec<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let once = |name: &str| names.iter().filter(|other| last(other) == last(name)).count() == 1;
    let wanted = names.iter().map(|name| if once(name) { last(name) } else { name });
    distinct(wanted, taken)
}

/// The last part of a name.
fn last(name: &str) -> &str {
    name.rsplit('.').find(|part| !part.is_empty()).unwrap_or(name)
}

/// Identifiers for a list of names, with a number behind those that are taken.
pub fn distinct<'n>(names: impl IntoIterator<Item = &'n str>, taken: &[&str]) -> Vec<String> {
    let mut used: HashSet<String> = taken.iter().map(|&name| name.to_owned()).collect();
    let mut list = Vec::new();
    for name in names {
        let wanted = identifier(name);
        let mut chosen = wanted.clone();
        let mut count = 1;
        while !used.insert(chosen.clone()) {
            count += 1;
            chosen = format!("{wanted}_{count}");
        }
        list.push(chosen);
    }
    list
}

/// An identifier as the name of a Python class: `ingress_dmac` is `IngressDmac`.
pub fn class(identifier: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    identifier.split('_').map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        for (name, expected) in [
            ("hdr.ipv4.ttl", "hdr_ipv4_ttl"),
            ("hdr.stack[0].x", "hdr_stack_0_x"),
            ("register", "register_"),
            ("from", "from_"),
            ("0x", "p4_0x"),
            (".", "p4_"),
            ("ww_table", "p4_ww_table"),
        ] {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn the_last_part_where_it_is_enough() {
        let taken = ["port"];
        let names = ["hdr.a.x", "hdr.b.x", "meta.vid", "meta.port", "a_b", "a.b"];
        let expected = ["hdr_a_x", "hdr_b_x", "vid", "port_2", "a_b", "b"];
        assert_eq!(short(names, &taken), expected);
        assert_eq!(distinct(["a_b", "a.b"], &[]), ["a_b", "a_b_2"]);
    }

    #[test]
    fn classes() {
        assert_eq!(class("ingress_dmac"), "IngressDmac");
        assert_eq!(class("NoAction"), "NoAction");
    }
}
