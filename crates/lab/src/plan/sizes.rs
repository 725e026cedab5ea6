//! Distributions of sizes: `"web-search"`, `"10 KB"`, `{ pareto = { ... } }`, `{ points = [...] }`, `{ file = "sizes.txt" }`.

use super::Folder;
use std::sync::Arc;
use ww_config::mistakes::did_you_mean;
use ww_config::quantity::{Bytes, Probability};
use ww_config::reader::Reader;
use ww_config::tree::{Kind, Value};
use ww_config::units;
use ww_sim::workload::sizes::{Empirical, Pareto, Sizes};

const NAMED: [&str; 2] = ["web-search", "data-mining"];

/// Points that a distribution may have.
const MAX_POINTS: usize = 100_000;

/// The distribution that a key names. Mistakes are noted.
pub(super) fn sizes(
    reader: &Reader<'_>,
    key: &'static str,
    folder: &Folder<'_>,
) -> Option<Arc<Sizes>> {
    let value = reader.needed_value(key, "\"web-search\", or \"10 KB\"")?;
    read(reader, key, value, folder).map(Arc::new)
}

fn read(
    reader: &Reader<'_>,
    key: &'static str,
    value: &Value,
    folder: &Folder<'_>,
) -> Option<Sizes> {
    let mistakes = reader.mistakes();
    let text = match &value.kind {
        Kind::Table(table) => {
            let inner =
                Reader::new(table, format!("'{key}' of {}", reader.what()), &value.place, mistakes);
            return read_table(inner, folder);
        }
        Kind::Text(text) => text,
        _ => {
            let message = format!(
                "'{key}': expected a distribution (\"web-search\", \"data-mining\"), a size such as \"10 KB\", or a table; found {}",
                value.described()
            );
            mistakes.add(&value.place, message);
            return None;
        }
    };
    if let Some(sizes) = Sizes::named(text) {
        return Some(sizes);
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return fixed(reader.read::<Bytes>(key, value)?.0, value, reader);
    }
    let message = format!(
        "'{key}': expected a distribution ({}) or a size such as \"10 KB\", found {}",
        NAMED.join(", "),
        value.described()
    );
    mistakes.advise(&value.place, message, did_you_mean(text, NAMED));
    None
}

fn fixed(bytes: u64, value: &Value, reader: &Reader<'_>) -> Option<Sizes> {
    if bytes == 0 {
        reader.mistakes().add(&value.place, "expected a size of 1 B or more, found 0");
        return None;
    }
    Some(Sizes::Fixed(bytes))
}

fn read_table(reader: Reader<'_>, folder: &Folder<'_>) -> Option<Sizes> {
    let mistakes = reader.mistakes();
    let kinds = ["fixed", "exponential", "pareto", "points", "file"];
    let given: Vec<&'static str> =
        kinds.into_iter().filter(|key| reader.value(key).is_some()).collect();
    let sizes = match given[..] {
        ["fixed"] => reader
            .value("fixed")
            .and_then(|value| fixed(reader.read::<Bytes>("fixed", value)?.0, value, &reader)),
        ["exponential"] => reader.value("exponential").and_then(|value| {
            let mean = reader.read::<Bytes>("exponential", value)?.0;
            fixed(mean, value, &reader).map(|_| Sizes::Exponential { mean })
        }),
        ["pareto"] => reader.inner("pareto").and_then(pareto),
        ["points"] => reader.value("points").and_then(|value| points(&reader, value)),
        ["file"] => reader.value("file").and_then(|value| {
            let file = reader.read::<String>("file", value)?;
            let found = folder.text(&file).and_then(|text| {
                parse_points(&text)
                    .and_then(Empirical::new)
                    .map_err(|error| format!("{file}: {error}"))
            });
            found.map_err(|error| mistakes.add(&value.place, error)).ok().map(Sizes::Empirical)
        }),
        [] if kinds.iter().any(|key| reader.has_slip_of(key)) => None,
        _ => {
            let message = format!("{} needs one of {}", reader.what(), kinds.join(", "));
            mistakes.add(reader.place(), message);
            None
        }
    };
    reader.finish();
    sizes
}

fn pareto(reader: Reader<'_>) -> Option<Sizes> {
    let shape = reader.need::<f64>("shape", "1.05");
    let mean = reader.need::<Bytes>("mean", "\"100 KB\"");
    let largest = reader.need::<Bytes>("largest", "\"1 GB\"");
    let (mistakes, place) = (reader.mistakes(), reader.place());
    reader.finish();
    let made = Pareto::new(shape?, mean?.0 as f64, largest?.0 as f64);
    made.map_err(|error| mistakes.add(place, error)).ok().map(Sizes::Pareto)
}

/// `points = [["1 KB", 0.0], ["10 KB", 0.5], ["1 MB", 1.0]]`
fn points(reader: &Reader<'_>, value: &Value) -> Option<Sizes> {
    let mut points = Vec::new();
    for item in value.listed() {
        let pair = match item.listed() {
            [bytes, share] => {
                let bytes = reader.read::<Bytes>("points", bytes);
                bytes.zip(reader.read::<Probability>("points", share))
            }
            _ => {
                let message = "'points': expected pairs such as [\"10 KB\", 0.5]: a size, and the share of flows that have no more";
                reader.mistakes().add(&item.place, message);
                None
            }
        };
        let (bytes, share) = pair?;
        points.push((bytes.0, share.0));
    }
    let made = Empirical::new(points);
    made.map_err(|error| reader.mistakes().add(&value.place, error)).ok().map(Sizes::Empirical)
}

/// A line for each point: bytes (or a size such as `10KB`) and the share of flows that have no more, 0 to 1; `#` begins a
/// comment.
fn parse_points(text: &str) -> Result<Vec<(u64, f64)>, String> {
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> =
            line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
        let (size, share) = match words[..] {
            [] => continue,
            [size, share] => (size, share),
            _ => {
                return Err(format!(
                    "line {}: expected bytes and a share, found {line:?}",
                    number + 1
                ));
            }
        };
        let bytes = size.parse::<u64>().or_else(|_| units::bytes(size));
        let bytes = bytes.map_err(|error| format!("line {}: {error}", number + 1))?;
        let share = units::share(share).map_err(|error| format!("line {}: {error}", number + 1))?;
        if points.len() >= MAX_POINTS {
            return Err(format!("more than {MAX_POINTS} points"));
        }
        points.push((bytes, share));
    }
    Ok(points)
}
