//! What is wrong with a lab: all of it, each with its place and what to do.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use ww_near::nearest;

/// Mistakes that are kept; more are only counted.
const MOST: usize = 200;

/// Where something was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which of [`Sources`].
    pub source: usize,
    /// From byte to byte.
    pub start: usize,
    /// The end of the range.
    pub end: usize,
}

impl Place {
    /// A range of bytes in a source.
    pub fn new(source: usize, span: Range<usize>) -> Self {
        Self { source, start: span.start, end: span.end }
    }
}

/// The texts that places are in: files, and arguments of a command.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
}

#[derive(Clone, Debug)]
struct Source {
    name: String,
    text: String,
    /// Lines and columns are told.
    is_file: bool,
}

impl Sources {
    /// Adds a file, by the name that messages call it.
    pub fn file(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        self.add(Source { name: name.into(), text: text.into(), is_file: true })
    }

    /// Adds an argument of a command, such as `--set run.seed=2`.
    pub fn argument(&mut self, text: impl Into<String>) -> usize {
        let text = text.into();
        self.add(Source { name: text.clone(), text, is_file: false })
    }

    fn add(&mut self, source: Source) -> usize {
        self.list.push(source);
        self.list.len() - 1
    }

    /// The text of a source.
    pub fn text(&self, source: usize) -> &str {
        self.list.get(source).map_or("", |source| &source.text)
    }
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file, or the argument of the command.
    pub source: String,
    /// Line and column (in characters), from 1. `None` in arguments.
    pub position: Option<(usize, usize)>,
    /// What was expected and what was found.
    pub message: String,
    /// What to do, if that is known.
    pub advice: Option<String>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        if let Some((line, column)) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)?;
        match &self.advice {
            Some(advice) => write!(f, "; {advice}"),
            None => Ok(()),
        }
    }
}

/// All that is wrong with a lab, in the order of places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The first 200.
    pub mistakes: Vec<Mistake>,
    /// How many more there are.
    pub more: usize,
}

impl Report {
    /// A single one, in a file as a whole.
    pub fn of_file(source: impl Into<String>, message: impl Into<String>) -> Self {
        let (source, message) = (source.into(), message.into());
        Self { mistakes: vec![Mistake { source, position: None, message, advice: None }], more: 0 }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, mistake) in self.mistakes.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{mistake}")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

/// Collects what is wrong while a lab is read.
#[derive(Debug, Default)]
pub struct Mistakes {
    list: RefCell<Vec<(Place, String, Option<String>)>>,
    count: RefCell<usize>,
}

impl Mistakes {
    /// Adds one.
    pub fn add(&self, place: &Place, message: impl Into<String>) {
        self.advise(place, message, None);
    }

    /// Adds one, with what to do.
    pub fn advise(&self, place: &Place, message: impl Into<String>, advice: Option<String>) {
        let mut list = self.list.borrow_mut();
        let entry = (place.clone(), message.into(), advice);
        // A pattern or a table that many things share is wrong once.
        if list.contains(&entry) {
            return;
        }
        *self.count.borrow_mut() += 1;
        if list.len() < MOST {
            list.push(entry);
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        *self.count.borrow()
    }

    /// What to print; `None` if nothing is wrong.
    pub fn report(self, sources: &Sources) -> Option<Report> {
        let mut list = self.list.into_inner();
        let count = self.count.into_inner();
        if list.is_empty() {
            return None;
        }
        list.sort();
        let more = count - list.len();
        let mistakes = list.into_iter().map(|entry| mistake(entry, sources)).collect();
        Some(Report { mistakes, more })
    }
}

fn mistake(
    (place, message, advice): (Place, String, Option<String>),
    sources: &Sources,
) -> Mistake {
    let Some(source) = sources.list.get(place.source) else {
        return Mistake { source: String::new(), position: None, message, advice };
    };
    let position = source.is_file.then(|| {
        let before = source.text.get(..place.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    });
    Mistake { source: source.name.clone(), position, message, advice }
}

/// "did you mean ...", if one of the words is near.
pub fn suggestion<'w>(found: &str, known: impl IntoIterator<Item = &'w str>) -> Option<String> {
    nearest(found, known).map(|word| format!("did you mean '{word}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_places() {
        let mut sources = Sources::default();
        let file = sources.file("lab.toml", "a = 1\nbé = 2\n");
        let argument = sources.argument("--set a=2");
        let mistakes = Mistakes::default();
        mistakes.add(&Place::new(argument, 6..7), "wrong");
        mistakes.advise(&Place::new(file, 10..11), "second", Some("do this".into()));
        mistakes.add(&Place::new(file, 0..1), "first");
        mistakes.add(&Place::new(file, 0..1), "first");
        assert_eq!(mistakes.count(), 3);
        let report = mistakes.report(&sources).expect("three");
        let lines = "lab.toml:1:1: first\nlab.toml:2:4: second; do this\n--set a=2: wrong";
        assert_eq!(report.to_string(), lines);
        assert_eq!(Mistakes::default().report(&sources), None);
    }
}
