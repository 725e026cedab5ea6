//! `expected.toml`: what a lab should measure, by a publication, a theory or a count, and how near it must come.

pub mod expression;
pub mod names;

use crate::plan::written;
use expression::Expression;
use std::path::Path;
use ww_config::mistakes::{Mistakes, Place, Report, Sources};
use ww_config::quantity::Share;
use ww_config::reader::Reader;
use ww_config::tree::{self, Kind, Value};

/// The file beside a lab.
pub const FILE: &str = "expected.toml";

/// A figure that is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// What it is, in words.
    pub name: String,
    /// What is measured, as written.
    pub measure: String,
    /// What is measured.
    pub expression: Expression,
    /// What it should be.
    pub published: f64,
    /// As it is written.
    pub published_as: String,
    /// Who says so, or why.
    pub source: String,
    /// How near the measured figure must come.
    pub tolerance: Tolerance,
    /// The same for quick runs; `None`: they are not judged.
    pub quick: Option<Tolerance>,
    /// The same for world netns.
    pub netns: Option<Tolerance>,
}

/// From where to where.
pub type Interval = (f64, f64);

/// How near a measured figure must come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// By this share of the published figure.
    Relative(f64),
    /// By so much.
    Absolute(f64),
    /// It must be so large at least.
    Least,
    /// It must be so large at most.
    Most,
}

impl Tolerance {
    /// Whether a figure is good.
    pub fn holds(self, measured: f64, published: f64) -> bool {
        match self {
            Self::Relative(share) => (measured - published).abs() <= share * published.abs(),
            Self::Absolute(by) => (measured - published).abs() <= by,
            Self::Least => measured >= published,
            Self::Most => measured <= published,
        }
    }

    /// How far a measured figure is from failure, in its unit; below 0 it has failed by so much.
    pub fn margin(self, measured: f64, published: f64) -> f64 {
        match self {
            Self::Relative(share) => share * published.abs() - (measured - published).abs(),
            Self::Absolute(by) => by - (measured - published).abs(),
            Self::Least => measured - published,
            Self::Most => published - measured,
        }
    }

    /// In words.
    pub fn words(self) -> String {
        match self {
            Self::Relative(share) => format!("within {} %", rounded(share * 100.0)),
            Self::Absolute(by) => format!("within {by}"),
            Self::Least => "at least".to_owned(),
            Self::Most => "at most".to_owned(),
        }
    }
}

/// Without what binary fractions add.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

/// What became of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// What was expected.
    pub expectation: Expectation,
    /// How near it had to come; `None`: it is not judged.
    pub tolerance: Option<Tolerance>,
    /// What was measured, or why there is nothing.
    pub measured: Result<f64, String>,
    /// The interval of confidence, if one figure was measured in several runs.
    pub interval: Option<(f64, f64)>,
}

impl Verdict {
    /// Whether it is met; `None`: not judged.
    pub fn is_met(&self) -> Option<bool> {
        let tolerance = self.tolerance?;
        let published = self.expectation.published;
        Some(self.measured.as_ref().is_ok_and(|measured| tolerance.holds(*measured, published)))
    }

    /// How far it is from failure, in the unit of what is measured; below 0 it has failed. `None`: it is not judged, or
    /// nothing was measured.
    pub fn margin(&self) -> Option<f64> {
        let measured = self.measured.as_ref().ok()?;
        Some(self.tolerance?.margin(*measured, self.expectation.published))
    }

    /// `met`, `missed` or `not judged`.
    pub fn word(&self) -> &'static str {
        match self.is_met() {
            Some(true) => "met",
            Some(false) => "missed",
            None => "not judged",
        }
    }
}

/// The text of the file beside a lab, if it is there; and what it is called in messages.
///
/// # Errors
/// It cannot be read.
pub fn text(folder: &Path) -> Result<Option<(String, String)>, Report> {
    let file = folder.join(FILE);
    let shown = file.display().to_string();
    match ww_config::text(&file) {
        Ok(text) => Ok(Some((text, shown))),
        Err(_) if matches!(file.try_exists(), Ok(false)) => Ok(None),
        Err(report) => Err(report),
    }
}

/// Reads the file beside a lab, if it is there.
///
/// # Errors
/// All that is wrong with it.
pub fn open(folder: &Path) -> Result<Vec<Expectation>, Report> {
    match text(folder)? {
        Some((text, shown)) => parse(&text, &shown),
        None => Ok(Vec::new()),
    }
}

/// Reads a text.
///
/// # Errors
/// All that is wrong with it.
pub fn parse(text: &str, name: &str) -> Result<Vec<Expectation>, Report> {
    let (mut sources, mistakes) = (Sources::default(), Mistakes::default());
    let source = sources.file(name, text);
    let expected = read(text, source, &mistakes);
    mistakes.report(&sources).map_or(Ok(expected.list), Err)
}

/// What a text says, as far as it could be read.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// Expectations without a mistake.
    pub list: Vec<Expectation>,
    /// What is measured, with its place, also where other keys have mistakes.
    pub measures: Vec<(Expression, Place)>,
}

/// Reads a text, one of the sources. What is wrong is told.
pub fn read(text: &str, source: usize, mistakes: &Mistakes) -> Expected {
    let table = tree::parse(text, source, mistakes);
    let start = Place::new(source, 0..0);
    let reader = Reader::new(&table, "the file", &start, mistakes);
    let mut expected = Expected::default();
    for reader in reader.tables("expect") {
        expected.list.extend(expectation(reader, &mut expected.measures));
    }
    reader.finish();
    expected
}

fn expectation(reader: Reader<'_>, measures: &mut Vec<(Expression, Place)>) -> Option<Expectation> {
    let name = reader.need::<String>("name", "\"Mean waiting time\"");
    let measure = reader.needed_value("measure", "\"traffic.web.fct_us.p99\"");
    let expression = measure.and_then(|value| {
        let text = reader.read::<String>("measure", value)?;
        let expression = parsed(&reader, "measure", value, &text)?;
        measures.push((expression.clone(), value.place.clone()));
        Some((text, expression))
    });
    let published =
        reader.needed_value("published", "1.5").and_then(|value| published(&reader, value));
    let source = reader.need::<String>("source", "\"Pollaczek and Khinchine\"");
    let own = reader.needed_value("tolerance", "\"5 %\", or 0.1, or \"least\", or \"most\"");
    let own = own.and_then(|value| tolerance(&reader, "tolerance", value));
    let other = |key| match reader.value(key) {
        None => Some(own),
        Some(value) if matches!(value.kind, Kind::Truth(false)) => None,
        Some(value) => Some(tolerance(&reader, key, value)),
    };
    let (quick, netns) = (other("quick_tolerance"), other("netns_tolerance"));
    reader.finish();
    let (measure, expression) = expression?;
    let (published, published_as) = published?;
    // One that is written must be good.
    let good = |other: Option<Option<Tolerance>>| match other {
        None => Some(None),
        Some(tolerance) => tolerance.map(Some),
    };
    let (quick, netns) = (good(quick)?, good(netns)?);
    Some(Expectation {
        name: name?,
        measure,
        expression,
        published,
        published_as,
        source: source?,
        tolerance: own?,
        quick,
        netns,
    })
}

fn parsed(reader: &Reader<'_>, key: &str, value: &Value, text: &str) -> Option<Expression> {
    let wrong = |error| reader.mistakes().add(&value.place, format!("'{key}': {error}"));
    Expression::parse(text).map_err(wrong).ok()
}

/// A number, or an expression without figures.
fn published(reader: &Reader<'_>, value: &Value) -> Option<(f64, String)> {
    let Some(text) = value.text() else {
        return reader.read::<f64>("published", value).map(|number| (number, written(value)));
    };
    let value_of = parsed(reader, "published", value, text)?.value(&|_| None);
    let wrong = |error| reader.mistakes().add(&value.place, format!("'published': {error}"));
    value_of.map_err(wrong).ok().map(|number| (number, text.to_owned()))
}

fn tolerance(reader: &Reader<'_>, key: &str, value: &Value) -> Option<Tolerance> {
    match &value.kind {
        Kind::Text(text) if text == "least" => Some(Tolerance::Least),
        Kind::Text(text) if text == "most" => Some(Tolerance::Most),
        Kind::Text(text) if text.ends_with('%') => {
            reader.read::<Share>(key, value).map(|share| Tolerance::Relative(share.0))
        }
        Kind::Integer(_) | Kind::Float(_) => {
            reader.read::<f64>(key, value).map(|by| Tolerance::Absolute(by.abs()))
        }
        _ => {
            let found = value.described();
            let message = format!(
                "'{key}': expected \"5 %\", a number, \"least\" or \"most\", found {found}"
            );
            reader.mistakes().add(&value.place, message);
            None
        }
    }
}

/// Judges: `figure` gives means, `interval` their intervals.
pub fn judge(
    expectations: &[Expectation],
    quick: bool,
    figure: &dyn Fn(&[String]) -> Option<f64>,
    interval: &dyn Fn(&[String]) -> Option<Interval>,
) -> Vec<Verdict> {
    let judge = |expectation: &Expectation| Verdict {
        tolerance: if quick { expectation.quick } else { Some(expectation.tolerance) },
        measured: expectation.expression.value(figure).map_err(|error| error.0),
        interval: expectation.expression.path().and_then(interval),
        expectation: expectation.clone(),
    };
    expectations.iter().map(judge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
[[expect]]
name = "waiting"
measure = "rho_80.wait_us / 2"
published = "0.8 / (2 * (1 - 0.8))"
source = "theory"
tolerance = "5 %"
quick_tolerance = "50 %"
netns_tolerance = 3
[[expect]]
name = "losses"
measure = "lost"
published = 3
source = "a count"
tolerance = "most"
quick_tolerance = false
"#;

    #[test]
    fn verdicts() {
        let list = parse(TEXT, FILE).expect("good");
        assert!((list[0].published - 2.0).abs() < 1e-12);
        let figure = |path: &[String]| match path.join(".").as_str() {
            "rho_80.wait_us" => Some(4.4),
            "lost" => Some(4.0),
            _ => None,
        };
        let interval = |path: &[String]| (path[0] == "lost").then_some((3.0, 5.0));
        let words = |quick| {
            judge(&list, quick, &figure, &interval).iter().map(Verdict::word).collect::<Vec<_>>()
        };
        assert_eq!(words(false), ["missed", "missed"]);
        assert_eq!(words(true), ["met", "not judged"]);
        let verdicts = judge(&list, false, &|_| None, &interval);
        assert_eq!(verdicts[0].measured, Err("there is no figure 'rho_80.wait_us'".to_owned()));
        assert_eq!(
            [list[0].netns, list[1].netns],
            [Some(Tolerance::Absolute(3.0)), Some(Tolerance::Most)],
            "what is not written is as elsewhere"
        );
        assert_eq!((verdicts[0].interval, verdicts[1].interval), (None, Some((3.0, 5.0))));
        assert_eq!(verdicts[1].word(), "missed");
    }

    #[test]
    fn tolerances() {
        for (tolerance, good, bad) in [
            (Tolerance::Relative(0.1), 109.0, 111.0),
            (Tolerance::Absolute(5.0), 95.0, 94.0),
            (Tolerance::Least, 100.0, 99.0),
            (Tolerance::Most, 100.0, 101.0),
        ] {
            assert!(tolerance.holds(good, 100.0) && !tolerance.holds(bad, 100.0), "{tolerance:?}");
        }
        assert!(!Tolerance::Absolute(1.0).holds(f64::NAN, 0.0));
        assert_eq!(Tolerance::Relative(0.07).words(), "within 7 %");
    }

    #[test]
    fn all_mistakes_at_once() {
        let text = TEXT
            .replace("\"5 %\"", "\"five\"")
            .replace("published = 3", "publisht = 3")
            .replace("rho_80.wait_us / 2", "a b");
        let report = parse(&text, FILE).expect_err("wrong").to_string();
        for expected in [
            "expected.toml:4:11: 'measure': expected an operator",
            "expected.toml:7:13: 'tolerance': expected \"5 %\"",
            "expected.toml:13:1: unknown key 'publisht' in [[expect]]; did you mean 'published'?",
        ] {
            assert!(report.contains(expected), "{expected}\n{report}");
        }
        assert_eq!(report.lines().count(), 3, "{report}");
    }
}
