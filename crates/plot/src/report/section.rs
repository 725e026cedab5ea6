//! The parts of a report.

use crate::Figure;
use serde_json::{Value, json};

/// A part of a report.
#[derive(Clone, Debug)]
pub struct Section {
    /// A word, as `--only` takes it and `results.json` names it.
    pub name: &'static str,
    /// The heading.
    pub title: String,
    /// Paragraphs: what was measured, and how.
    pub about: Vec<String>,
    /// Published figures and bounds beside ours.
    pub verdicts: Vec<Verdict>,
    /// All that was measured, for readers.
    pub tables: Vec<Table>,
    /// And to look at.
    pub figures: Vec<Figure>,
    /// All that was measured, for programs.
    pub data: Value,
}

impl Section {
    /// A section with nothing in it.
    pub fn new(name: &'static str, title: &str) -> Self {
        Self {
            name,
            title: title.to_owned(),
            about: Vec::new(),
            verdicts: Vec::new(),
            tables: Vec::new(),
            figures: Vec::new(),
            data: Value::Null,
        }
    }
}

/// A table of text.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// A line above it.
    pub title: String,
    /// Headings of the columns.
    pub head: Vec<String>,
    /// Each as long as the head.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<const N: usize>(title: &str, head: [&str; N]) -> Self {
        let head = head.map(str::to_owned).to_vec();
        Self { title: title.to_owned(), head, rows: Vec::new() }
    }
}

/// What came out of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As good as what was published, or better; a bound holds.
    Holds,
    /// Not as good.
    Worse,
    /// There is no figure to compare.
    Absent,
}

impl Outcome {
    /// One word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Worse => "worse",
            Self::Absent => "not measured",
        }
    }

    /// [`Outcome::Holds`] if it is true.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Worse }
    }
}

/// A published figure, or a bound, beside ours.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What is compared.
    pub what: String,
    /// What was published, with its tolerance, and where.
    pub published: String,
    /// What we have.
    pub measured: String,
    /// What came out.
    pub outcome: Outcome,
    /// Why it is worse or absent; or empty.
    pub reason: String,
    /// Whether the whole report fails if it is worse.
    pub required: bool,
}

impl Verdict {
    /// A verdict without a reason that is not required.
    pub fn new(
        what: impl Into<String>,
        published: impl Into<String>,
        measured: impl Into<String>,
        outcome: Outcome,
    ) -> Self {
        Self {
            what: what.into(),
            published: published.into(),
            measured: measured.into(),
            outcome,
            reason: String::new(),
            required: false,
        }
    }

    /// With a reason.
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }

    /// The report fails if it is worse.
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "what": self.what,
            "published": self.published,
            "measured": self.measured,
            "outcome": self.outcome.word(),
            "reason": self.reason,
            "required": self.required,
        })
    }
}
