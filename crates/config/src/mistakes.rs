//! Everything that is wrong with a file: each mistake with its place and what to do.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use ww_spelling::suggestion;

/// Mistakes that are reported, the first ones of the files; more are only counted.
const MOST: usize = 200;
/// Mistakes that are kept until then.
const MOST_KEPT: usize = 10_000;

/// Where something was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// A file that may have been added before.
    pub fn file_once(&mut self, name: &str, text: &str) -> usize {
        let known = |source: &Source| source.is_file && source.name == name;
        self.list.iter().position(known).unwrap_or_else(|| self.file(name, text))
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
        // A text without a name has only lines.
        f.write_str(&self.source)?;
        match self.position {
            Some((line, column)) if self.source.is_empty() => write!(f, "{line}:{column}: ")?,
            Some((line, column)) => write!(f, ":{line}:{column}: ")?,
            None if self.source.is_empty() => {}
            None => f.write_str(": ")?,
        }
        f.write_str(&self.message)?;
        match &self.advice {
            Some(advice) => write!(f, "; {advice}"),
            None => Ok(()),
        }
    }
}

/// All mistakes of a file, or of several that are read together, in the order of places.
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

    /// Line and column of the first one, if it has a place in a file.
    pub fn first_position(&self) -> Option<(usize, usize)> {
        self.mistakes.first()?.position
    }

    /// The lines of those that have one, in order.
    pub fn lines(&self) -> Vec<usize> {
        self.mistakes.iter().filter_map(|mistake| Some(mistake.position?.0)).collect()
    }

    /// How many there are in all.
    pub fn count(&self) -> usize {
        self.mistakes.len() + self.more
    }

    /// This one, and then what another one has besides.
    pub fn and(mut self, other: Self) -> Self {
        self.more += other.more;
        for mistake in other.mistakes {
            match self.mistakes.contains(&mistake) {
                true => {}
                false if self.mistakes.len() < MOST => self.mistakes.push(mistake),
                false => self.more += 1,
            }
        }
        self
    }
}

impl Error for Report {}

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

/// Collects what is wrong while a file is read.
#[derive(Debug, Default)]
pub struct Mistakes {
    list: RefCell<Vec<(Place, String, Option<String>)>>,
    /// Of all of them, by which one that is met again is known.
    met: RefCell<HashSet<u64>>,
    hasher: RandomState,
    told: Cell<usize>,
    /// Stands in front of messages.
    context: RefCell<String>,
    /// Parts of texts that are not what they should be at all: what else is said of them is no news.
    unreadable: RefCell<Vec<Unreadable>>,
}

/// A part of a text that is not TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unreadable {
    /// The line, or all up to the next table if it is the head of one.
    place: Place,
    /// Where the table begins that it is in. `None`: it may be that of any.
    table: Option<usize>,
}

impl Mistakes {
    /// Adds one.
    pub fn add(&self, place: &Place, message: impl Into<String>) {
        self.advise(place, message, None);
    }

    /// Adds one, with what to do.
    pub fn advise(&self, place: &Place, message: impl Into<String>, advice: Option<String>) {
        self.told.set(self.told.get() + 1);
        let within = |part: &Unreadable| {
            let range = part.place.start..part.place.end;
            part.place.source == place.source && range.contains(&place.start)
        };
        if self.unreadable.borrow().iter().any(within) {
            return;
        }
        let (place, message) = (place.clone(), message.into());
        // A pattern or a table that many things share is wrong once, and so is what is read in several ways.
        if !self.met.borrow_mut().insert(self.hasher.hash_one((&place, &message))) {
            return;
        }
        let mut list = self.list.borrow_mut();
        if list.len() < MOST_KEPT {
            list.push((place, format!("{}{message}", self.context.borrow()), advice));
        }
    }

    /// What could not be read in a text is told; now it is known which part that is. `table` is where the table begins that it
    /// is in, if it is a line in one.
    pub fn unreadable(&self, place: Place, table: Option<usize>) {
        let part = Unreadable { place, table };
        let mut list = self.unreadable.borrow_mut();
        if list.len() < MOST && !list.contains(&part) {
            list.push(part);
        }
    }

    /// Whether there may be more in the table that begins there than could be read.
    pub fn may_have_more(&self, table: &Place) -> bool {
        self.unreadable.borrow().iter().any(|part| {
            part.place.source == table.source && part.table.is_none_or(|start| start == table.start)
        })
    }

    /// Says how the file is read from now on (as which variant): mistakes that have not been met yet begin with it.
    pub fn read_as(&self, context: &str) {
        context.clone_into(&mut self.context.borrow_mut());
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.met.borrow().len()
    }

    /// How often one was added, those that have been met before included: whether what lies between two calls is good.
    pub fn told(&self) -> usize {
        self.told.get()
    }

    /// What to print; `None` if nothing is wrong.
    pub fn report(self, sources: &Sources) -> Option<Report> {
        let count = self.count();
        let mut list = self.list.into_inner();
        if list.is_empty() {
            return None;
        }
        list.sort();
        list.truncate(MOST);
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

/// "did you mean ...", if one of the words is close.
pub fn did_you_mean<'w>(found: &str, known: impl IntoIterator<Item = &'w str>) -> Option<String> {
    suggestion(found, known).map(|word| format!("did you mean '{word}'?"))
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

    /// 250 lines with a mistake each, met from the last to the first and all of them twice.
    #[test]
    fn the_first_ones_of_many() {
        let mut sources = Sources::default();
        let file = sources.file("lab.toml", "x\n".repeat(250));
        let mistakes = Mistakes::default();
        for context in ["", "again: "] {
            mistakes.read_as(context);
            for line in (0..250).rev() {
                mistakes.add(&Place::new(file, 2 * line..2 * line + 1), "wrong");
            }
        }
        mistakes.add(&Place::new(file, 0..1), "worse");
        let report = mistakes.report(&sources).expect("many");
        assert_eq!((report.mistakes.len(), report.more, report.count()), (200, 51, 251));
        let text = report.to_string();
        assert!(text.starts_with("lab.toml:1:1: again: worse\nlab.toml:1:1: wrong\n"), "{text}");
        assert!(text.ends_with("lab.toml:199:1: wrong\nand 51 more"), "{text}");
    }
}
