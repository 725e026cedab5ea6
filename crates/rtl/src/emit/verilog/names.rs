//! Names in SystemVerilog.

use std::collections::HashMap;

/// Words that SystemVerilog keeps for itself, as far as a P4 program is likely to use them.
const KEYWORDS: &[&str] = &[
    "accept_on",
    "alias",
    "always",
    "and",
    "assert",
    "assign",
    "assume",
    "automatic",
    "before",
    "begin",
    "bind",
    "bins",
    "bit",
    "break",
    "buf",
    "byte",
    "case",
    "cell",
    "chandle",
    "checker",
    "class",
    "clocking",
    "cmos",
    "config",
    "const",
    "constraint",
    "context",
    "continue",
    "cover",
    "cross",
    "deassign",
    "default",
    "defparam",
    "design",
    "disable",
    "dist",
    "do",
    "edge",
    "else",
    "end",
    "endcase",
    "enum",
    "event",
    "expect",
    "export",
    "extends",
    "extern",
    "final",
    "first_match",
    "for",
    "force",
    "foreach",
    "forever",
    "fork",
    "function",
    "generate",
    "genvar",
    "global",
    "if",
    "iff",
    "ignore_bins",
    "illegal_bins",
    "implements",
    "implies",
    "import",
    "include",
    "initial",
    "inout",
    "input",
    "inside",
    "instance",
    "int",
    "integer",
    "interconnect",
    "interface",
    "intersect",
    "join",
    "large",
    "let",
    "liblist",
    "library",
    "local",
    "localparam",
    "logic",
    "longint",
    "macromodule",
    "matches",
    "medium",
    "modport",
    "module",
    "nand",
    "negedge",
    "nettype",
    "new",
    "nexttime",
    "nmos",
    "nor",
    "not",
    "notif0",
    "notif1",
    "null",
    "or",
    "output",
    "package",
    "packed",
    "parameter",
    "pmos",
    "posedge",
    "primitive",
    "priority",
    "program",
    "property",
    "protected",
    "pull0",
    "pull1",
    "pure",
    "rand",
    "randc",
    "randcase",
    "real",
    "realtime",
    "ref",
    "reg",
    "reject_on",
    "release",
    "repeat",
    "restrict",
    "return",
    "scalared",
    "sequence",
    "shortint",
    "shortreal",
    "signed",
    "small",
    "soft",
    "solve",
    "specify",
    "static",
    "string",
    "strong",
    "struct",
    "super",
    "supply0",
    "supply1",
    "table",
    "tagged",
    "task",
    "this",
    "throughout",
    "time",
    "timeprecision",
    "timeunit",
    "tran",
    "tri",
    "tri0",
    "tri1",
    "triand",
    "trior",
    "trireg",
    "type",
    "typedef",
    "union",
    "unique",
    "unique0",
    "unsigned",
    "until",
    "untyped",
    "use",
    "uwire",
    "var",
    "vectored",
    "virtual",
    "void",
    "wait",
    "wand",
    "weak",
    "while",
    "wildcard",
    "wire",
    "with",
    "within",
    "wor",
    "xnor",
    "xor",
];

/// The letters and digits of a name, one underscore between for whatever else there is:
/// `hdr.stack[0].$valid` is `hdr_stack_0_valid`.
pub fn letters_and_digits(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c != '_' || !text.ends_with('_') {
            text.push(c);
        }
    }
    text.trim_matches('_').to_owned()
}

/// A name of the program as an identifier: `hdr.ipv4.ttl` is `hdr_ipv4_ttl`.
pub fn identifier(name: &str) -> String {
    let text = letters_and_digits(name);
    let starts_well = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    let text = if starts_well { text } else { format!("p4_{text}") };
    if KEYWORDS.contains(&text.as_str()) { format!("{text}_") } else { text }
}

/// Identifiers of one module.
#[derive(Debug, Default)]
pub struct Names {
    used: HashMap<String, u32>,
}

impl Names {
    /// Keeps a name from being given away.
    pub fn reserve(&mut self, name: &str) {
        self.used.insert(name.to_owned(), 1);
    }

    /// An identifier that nobody has: the wanted one, or with a number behind it.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let wanted = identifier(wanted);
        let count = self.used.entry(wanted.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return wanted;
        }
        let mut n = *count;
        loop {
            let name = format!("{wanted}_{n}");
            if !self.used.contains_key(&name) {
                self.used.insert(name.clone(), 1);
                return name;
            }
            n += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_program_stay_readable() {
        assert_eq!(identifier("hdr.ipv4.ttl"), "hdr_ipv4_ttl");
        assert_eq!(identifier("hdr.stack[0].$valid"), "hdr_stack_0_valid");
        assert_eq!(identifier("7"), "p4_7");
        assert_eq!(identifier("table"), "table_");
        let mut names = Names::default();
        assert_eq!(names.fresh("a.b"), "a_b");
        assert_eq!(names.fresh("a_b"), "a_b_2");
        assert_eq!(names.fresh("a_b_2"), "a_b_2_2");
    }
}
