//! What can go wrong in a request of the control plane.

use std::fmt;
use ww_spelling::suggestions;

/// Why a request was refused. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Nobody handles such requests: the component that was asked last does not know them.
    Refused {
        /// The request's name: `set_custom_crc`.
        request: &'static str,
        /// Who was asked: `engine rtl`.
        component: String,
    },
    /// The answer is not of the kind that belongs to the request: a fault of the component.
    WrongAnswer {
        /// The kind that belongs to the request.
        expected: &'static str,
        /// The kind that came.
        found: &'static str,
    },
    /// Nothing of this kind has the name.
    UnknownName {
        /// `table`, `action`, `register`, ...
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// Full names that exist.
        known: Vec<String>,
    },
    /// Several things end in the name.
    AmbiguousName {
        /// `table`, `action`, `register`, ...
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// The full names that fit.
        candidates: Vec<String>,
    },
    /// The number of keys differs from the table's.
    KeyCount {
        /// Full name of the table or value set.
        table: String,
        /// How many it has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// A key of a kind that does not fit the table's.
    KeyKind {
        /// Full name of the table or value set.
        table: String,
        /// The key.
        key: String,
        /// Its match kind.
        expected: &'static str,
        /// What was given.
        found: &'static str,
    },
    /// A number with too many bits.
    TooWide {
        /// What the number is for: `key hdr.ipv4.dst of table ingress.route`.
        what: String,
        /// Bits there are.
        width: u32,
        /// The number, in hexadecimal.
        value: String,
    },
    /// A range whose end lies before its start.
    EmptyRange {
        /// What the range is for.
        what: String,
    },
    /// The number of action arguments differs from the action's parameters.
    ArgumentCount {
        /// The action.
        action: String,
        /// How many it takes.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// The action may not be used in this place (`@defaultonly`, `@tableonly`).
    ActionNotAllowed {
        /// The action.
        action: String,
        /// Where not: `an entry` or `the default action`.
        place: &'static str,
    },
    /// The table takes members or groups, not actions, or the other way round.
    WrongTarget {
        /// The table.
        table: String,
        /// What it takes.
        expected: &'static str,
    },
    /// The program made it `const`.
    Constant {
        /// What: `entries of table ingress.t`.
        what: String,
    },
    /// The same keys (and priority) are there already.
    Duplicate {
        /// The table.
        table: String,
    },
    /// All places are taken.
    Full {
        /// What is full: `table ingress.t`.
        what: String,
        /// How many places it has.
        size: u64,
    },
    /// No such entry, member, group, node, session or index.
    NoSuch {
        /// What was looked for: `entry 7 of table ingress.t`.
        what: String,
    },
    /// Still referred to.
    InUse {
        /// What: `member 3 of action profile ingress.ap`.
        what: String,
        /// By what: `an entry`, `a group`.
        by: &'static str,
    },
    /// Anything else about an argument.
    Invalid {
        /// The whole message.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Error::*;
        match self {
            Refused { request, component } => {
                write!(f, "{component} does not handle the request `{request}`")
            }
            WrongAnswer { expected, found } => {
                write!(f, "a fault in the dataplane: it answered with {found}, not {expected}")
            }
            UnknownName { kind, name, known } => {
                write!(f, "there is no {kind} named `{name}`")?;
                // A name is often written without the control it is in, or with a wrong one.
                let wanted = last_word(name);
                let close = suggestions(wanted, known.iter().map(|known| last_word(known)));
                let is_close = |known: &&String| {
                    let word = last_word(known);
                    word == wanted || close.contains(&word)
                };
                let meant: Vec<_> =
                    known.iter().filter(is_close).map(|known| format!("`{known}`")).collect();
                if !meant.is_empty() {
                    write!(f, "; did you mean {}?", meant.join(" or "))
                } else if known.is_empty() {
                    write!(f, "; the program has none")
                } else {
                    let shown: Vec<_> = known.iter().take(8).map(|k| format!("`{k}`")).collect();
                    let dots = if known.len() > 8 { ", ..." } else { "" };
                    write!(f, "; there are {}{dots}", shown.join(", "))
                }
            }
            AmbiguousName { kind, name, candidates } => {
                let candidates: Vec<_> = candidates.iter().map(|c| format!("`{c}`")).collect();
                write!(f, "`{name}` is not the name of one {kind}: {}", candidates.join(", "))
            }
            KeyCount { table, expected, found } => {
                write!(f, "`{table}` has {expected} key(s), found {found}")
            }
            KeyKind { table, key, expected, found } => {
                write!(f, "key `{key}` of `{table}` is {expected}, found {found}")
            }
            TooWide { what, width, value } => {
                write!(f, "{value} does not fit into the {width} bit(s) of {what}")
            }
            EmptyRange { what } => write!(f, "the range for {what} ends before it starts"),
            ArgumentCount { action, expected, found } => {
                write!(f, "action `{action}` takes {expected} argument(s), found {found}")
            }
            ActionNotAllowed { action, place } => {
                write!(f, "action `{action}` may not be used in {place}")
            }
            WrongTarget { table, expected } => {
                write!(f, "entries of table `{table}` refer to {expected}")
            }
            Constant { what } => write!(f, "{what}: constant in the program, cannot be changed"),
            Duplicate { table } => {
                write!(f, "table `{table}` has an entry with the same key already")
            }
            Full { what, size } => write!(f, "{what} is full: its size is {size}"),
            NoSuch { what } => write!(f, "there is no {what}"),
            InUse { what, by } => write!(f, "{what} is still used by {by}"),
            Invalid { message } => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

/// `t` of `ingress.t`.
fn last_word(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
