//! Queries over histories: a regular expression over the hops of a path, and a filter for the packet.
//!
//! ```text
//! ^ {switch=1} .* {switch=4, entry!=7, in-port=2..5} $ where -p udp -d 10.0.1.0/24
//! ```
//!
//! `.` is any hop, `{...}` one of which all conditions hold, a number a hop at the switch of that number; `*`, `+` and `?`
//! repeat what is before them, `|` chooses, `(...)` groups, `^` is the begin of the path and `$` its end; blanks do not
//! count. Without `^` and `$` some part of the path has to fit, and no expression fits every path. A condition on something
//! that was not collected does not hold. Behind `where` are the words of [`Filter`].

mod machine;
mod parse;

pub use parse::{MAX_DEPTH, MAX_QUERY};

use crate::histories::history::{History, Hop};
use crate::histories::values::Value;
use machine::Machine;
use std::fmt;
use std::ops::RangeInclusive;
use ww_host::filter::Filter;

/// What has to hold of a hop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Of this value.
    pub value: Value,
    /// Its range.
    pub range: RangeInclusive<u32>,
    /// Outside of it instead.
    pub is_outside: bool,
}

impl Condition {
    fn holds(&self, hop: &Hop) -> bool {
        hop.get(self.value).is_some_and(|number| self.range.contains(&number) != self.is_outside)
    }
}

/// A path expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// A hop of which all hold.
    Hop(Vec<Condition>),
    /// The begin of the path.
    Begin,
    /// Its end.
    End,
    /// One behind the other.
    Sequence(Vec<Path>),
    /// One of them.
    Choice(Vec<Path>),
    /// So often at least, and more than once if it may.
    Repeat {
        /// What.
        path: Box<Path>,
        /// It may be missing.
        is_optional: bool,
        /// It may be there more than once.
        is_many: bool,
    },
}

/// What is wrong with a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// From 1, in characters.
    pub column: usize,
    /// A sentence.
    pub message: String,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for QueryError {}

/// A query. See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    machine: Machine,
    filter: Filter,
}

impl Query {
    /// Reads one.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn new(text: &str) -> Result<Self, QueryError> {
        let (path, filter) = parse::parse(text)?;
        Ok(Self { machine: Machine::new(&path), filter })
    }

    /// Whether a history is one of those: in time that grows with the hops times the length of the query.
    pub fn fits(&self, history: &History) -> bool {
        self.filter.fits(&history.fields()) && self.machine.fits(&history.hops)
    }
}
