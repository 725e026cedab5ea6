//! Reports: what was measured beside what was published.
//!
//! A report has [`Section`]s; a section has [`Verdict`]s (published beside measured), tables, figures, and
//! all its numbers as JSON. [`Report`] writes them as one HTML file, as JSON and as text.

mod section;
mod text;

pub use section::{Outcome, Section, Table, Verdict};

use crate::page::{Cell, Mark, Page};
use serde_json::{Value, json};

/// Number of the form of `results.json`; it grows when a key changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// Sections under one title.
#[derive(Clone, Debug)]
pub struct Report {
    /// What is reported.
    pub title: String,
    /// What holds for all of it: machine, day, versions.
    pub notes: Vec<String>,
    /// In order.
    pub sections: Vec<Section>,
}

impl Report {
    /// The verdicts that must hold and do not.
    pub fn broken(&self) -> Vec<&Verdict> {
        let all = self.sections.iter().flat_map(|section| &section.verdicts);
        all.filter(|verdict| verdict.required && verdict.outcome == Outcome::Worse).collect()
    }

    /// `results.json`: `schema`, `title`, `notes`, and under `parts` for each section `verdicts` and
    /// `data`.
    pub fn json(&self) -> Value {
        let part = |section: &Section| {
            let verdicts: Vec<Value> = section.verdicts.iter().map(Verdict::json).collect();
            (section.name.to_owned(), json!({ "verdicts": verdicts, "data": section.data }))
        };
        let parts: serde_json::Map<String, Value> = self.sections.iter().map(part).collect();
        json!({ "schema": SCHEMA, "title": self.title, "notes": self.notes, "parts": parts })
    }

    /// Verdicts and tables for a terminal.
    pub fn text(&self) -> String {
        text::text(self)
    }

    /// One file that needs nothing else.
    pub fn html(&self) -> String {
        let mut page = Page::new(&self.title);
        for note in &self.notes {
            page.paragraph(note);
        }
        page.contents(self.sections.iter().map(|section| (section.name, section.title.as_str())));
        for section in &self.sections {
            page.heading(section.name, &section.title);
            for text in &section.about {
                page.paragraph(text);
            }
            if !section.verdicts.is_empty() {
                let head = ["what", "published or bound", "ours", "verdict", "why"];
                let rows: Vec<Vec<Cell>> = section.verdicts.iter().map(row).collect();
                page.table(&head.map(str::to_owned), &rows);
            }
            for figure in &section.figures {
                page.figure(figure);
            }
            for table in &section.tables {
                if !table.title.is_empty() {
                    page.paragraph(&table.title);
                }
                let rows: Vec<Vec<Cell>> = table
                    .rows
                    .iter()
                    .map(|row| row.iter().map(|text| Cell::from(text.as_str())).collect())
                    .collect();
                page.table(&table.head, &rows);
            }
        }
        page.html()
    }
}

fn row(verdict: &Verdict) -> Vec<Cell> {
    let mark = match verdict.outcome {
        Outcome::Holds => Mark::Good,
        Outcome::Worse => Mark::Bad,
        Outcome::Absent => Mark::Faint,
    };
    vec![
        verdict.what.as_str().into(),
        verdict.published.as_str().into(),
        verdict.measured.as_str().into(),
        Cell::marked(verdict.outcome.word(), mark),
        verdict.reason.as_str().into(),
    ]
}
