//! All points of a sweep: as JSON, and as a page.

use super::{Done, Over};
use crate::lab::{Lab, Request};
use crate::report::shown;
use crate::results;
use serde_json::{Map, Value, json};
use std::path::Path;
use ww_plot::page::{Cell, Mark, Page};
use ww_plot::{Axis, Figure, Panel, Series};

/// The file of all points.
pub const FILE: &str = "sweep.json";

/// Writes sweep.json and report.html into the folder of a sweep.
///
/// # Errors
/// They cannot be written.
pub fn write(
    lab: &Lab,
    request: &Request,
    over: &[Over],
    done: &Done,
    out: &Path,
) -> Result<(), String> {
    let all = format!("{:#}\n", json(lab, request, over, done));
    results::write(&out.join(FILE), &all)?;
    results::write(&out.join("report.html"), &html(lab, over, done))
}

/// The lab whose sweep is in a folder, if there is one.
pub fn lab_in(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
    let value: Value = serde_json::from_str(&text).ok()?;
    value.get("lab")?.as_str().map(str::to_owned)
}

/// All points in one file.
fn json(lab: &Lab, request: &Request, over: &[Over], done: &Done) -> Value {
    let keys: Vec<Value> =
        over.iter().map(|over| json!({ "key": over.key, "values": over.values })).collect();
    let points: Vec<Value> = done
        .points
        .iter()
        .map(|(point, value)| {
            let mut line = Map::new();
            line.insert("set".into(), json!(point.set));
            line.insert("folder".into(), json!(format!("points/{}", point.folder)));
            for key in ["digest", "results", "expectations"] {
                line.insert(key.into(), value.get(key).cloned().unwrap_or(Value::Null));
            }
            Value::Object(line)
        })
        .collect();
    json!({
        "format": 1,
        "lab": lab.name,
        "version": env!("CARGO_PKG_VERSION"),
        "quick": request.quick,
        "set": request.set,
        "over": keys,
        "missing": done.missing,
        "points": points,
    })
}

/// Figures of each piece of traffic that a sweep shows.
const SHOWN: [(&str, &[&str], f64); 7] = [
    ("goodput, Mb/s", &["goodput_bps"], 1e6),
    ("FCT mean, us", &["fct_us", "mean"], 1.0),
    ("FCT p99, us", &["fct_us", "p99"], 1.0),
    ("slowdown mean", &["slowdown", "mean"], 1.0),
    ("slowdown p99", &["slowdown", "p99"], 1.0),
    ("packet latency mean, us", &["latency_us", "mean"], 1.0),
    ("dropped, %", &["packets", "dropped_share"], 0.01),
];

/// A page with a table of all points, and plots over the first key.
fn html(lab: &Lab, over: &[Over], done: &Done) -> String {
    let mut page =
        Page::new(format!("Sweep of {}", lab.title().unwrap_or_else(|| lab.name.clone())));
    let lines = lines(done);
    if done.missing > 0 {
        page.paragraph(&format!("{} points are missing: the sweep was stopped.", done.missing));
    }
    let mut figure = Figure::new("Over the first key").columns(2).panel_size(480.0, 300.0);
    let mut drawn = false;
    for (name, path, unit) in SHOWN {
        if let Some(panel) = panel(name, path, unit, over, &lines) {
            figure = figure.with(panel);
            drawn = true;
        }
    }
    if drawn {
        page.heading("plots", "Plots");
        page.figure(&figure);
    }
    page.heading("points", "Points");
    let mut head: Vec<String> = over.iter().map(|over| over.key.clone()).collect();
    head.push("traffic".into());
    head.extend(SHOWN.map(|(name, ..)| name.to_owned()));
    head.push("expectations".into());
    let rows: Vec<Vec<Cell>> = lines
        .iter()
        .map(|line| {
            let mut cells: Vec<Cell> =
                line.values.iter().map(|value| value.as_str().into()).collect();
            cells.push(line.traffic.as_str().into());
            for (_, path, unit) in SHOWN {
                let found = figure_at(line.figures, path);
                cells.push(found.map_or("-".to_owned(), |value| shown(value / unit)).into());
            }
            cells.push(match line.missed {
                0 => Cell::marked("met", Mark::Good),
                count => Cell::marked(format!("{count} missed"), Mark::Bad),
            });
            cells
        })
        .collect();
    page.table(&head, &rows);
    page.heading("lab", "The lab");
    page.listing(&lab.text);
    page.html()
}

/// A piece of traffic of a variant at a point.
struct Line<'v> {
    /// Of the keys.
    values: Vec<String>,
    /// With the variant in front.
    traffic: String,
    figures: &'v Value,
    missed: usize,
}

fn lines(done: &Done) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for (point, value) in &done.points {
        let after =
            |set: &String| set.split_once('=').map_or(String::new(), |(_, value)| value.to_owned());
        let values: Vec<String> = point.set.iter().map(after).collect();
        let missed = super::missed(value);
        let Some(Value::Object(results)) = value.get("results") else { continue };
        let own = results.get("traffic").map(|traffic| (String::new(), traffic));
        let variants = results
            .iter()
            .filter(|_| own.is_none())
            .filter_map(|(name, results)| Some((format!("{name}: "), results.get("traffic")?)));
        for (variant, traffic) in variants.chain(own.clone()) {
            for (name, figures) in traffic.as_object().into_iter().flatten() {
                let traffic = format!("{variant}{name}");
                lines.push(Line { values: values.clone(), traffic, figures, missed });
            }
        }
    }
    lines
}

fn figure_at(figures: &Value, path: &[&str]) -> Option<f64> {
    let found = path.iter().try_fold(figures, |at, name| at.get(name))?;
    found.get("value")?.as_f64()
}

/// One figure over the first key, if its values are numbers; a line for each piece of traffic and each combination of
/// the other keys.
fn panel(name: &str, path: &[&str], unit: f64, over: &[Over], lines: &[Line<'_>]) -> Option<Panel> {
    let first = over.first()?;
    let number = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        text[..end].parse::<f64>().ok()
    };
    let mut series: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for line in lines {
        let at = number(line.values.first()?)?;
        let Some(value) = figure_at(line.figures, path) else { continue };
        let rest = line.values[1..].join(", ");
        let words = if rest.is_empty() {
            line.traffic.clone()
        } else {
            format!("{} ({rest})", line.traffic)
        };
        match series.iter_mut().find(|(name, _)| *name == words) {
            Some((_, points)) => points.push((at, value / unit)),
            None => series.push((words, vec![(at, value / unit)])),
        }
    }
    if series.is_empty() {
        return None;
    }
    let mut panel = Panel::new(Axis::linear(&first.key), Axis::linear(name).from(0.0));
    for (words, points) in series.into_iter().take(8) {
        panel = panel.with(Series::line(words, points));
    }
    Some(panel)
}
