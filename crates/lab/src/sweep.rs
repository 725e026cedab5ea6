//! Many runs of a lab: a point for each combination of values of some keys. Each point has a folder of its own with
//! its `results.json`, which appears when the point is finished, so that a sweep that was interrupted goes on.

use crate::expect::Expectation;
use crate::lab::{Lab, Request};
use crate::results::{Results, digest, write};
use crate::world::{Programs, Watch, sim};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use ww_plot::page::{Cell, Mark, Page};
use ww_plot::{Axis, Figure, Panel, Series};

/// Points of a sweep.
pub const MAX_POINTS: usize = 100_000;

/// A key and the values that it takes, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// A dotted path.
    pub key: String,
    /// One or more.
    pub values: Vec<String>,
}

impl Over {
    /// `key=a,b,c`; commas in quotes or brackets do not separate.
    ///
    /// # Errors
    /// A sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some((key, values)) = text.split_once('=') else {
            return Err(format!("expected KEY=VALUE,VALUE,..., found {text:?}"));
        };
        let (mut list, mut value) = (Vec::new(), String::new());
        let (mut quoted, mut depth) = (false, 0i32);
        for letter in values.chars() {
            match letter {
                '"' => quoted = !quoted,
                '[' | '{' if !quoted => depth += 1,
                ']' | '}' if !quoted => depth -= 1,
                _ => {}
            }
            match letter {
                ',' if !quoted && depth == 0 => list.push(std::mem::take(&mut value)),
                _ => value.push(letter),
            }
        }
        list.push(value);
        let values: Vec<String> = list.into_iter().map(|value| value.trim().to_owned()).collect();
        if key.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(format!("expected KEY=VALUE,VALUE,..., found {text:?}"));
        }
        Ok(Self { key: key.trim().to_owned(), values })
    }
}

/// A point of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `key=value` of each key.
    pub set: Vec<String>,
    /// The name of its folder.
    pub folder: String,
}

/// All combinations; the last key runs fastest.
///
/// # Errors
/// There are too many.
pub fn points(over: &[Over]) -> Result<Vec<Point>, String> {
    let count = over.iter().try_fold(1usize, |count, over| count.checked_mul(over.values.len()));
    let Some(count) = count.filter(|count| *count <= MAX_POINTS) else {
        return Err(format!("the sweep has more than {MAX_POINTS} points"));
    };
    let point = |number: usize| {
        let mut rest = number;
        let mut set: Vec<String> = over
            .iter()
            .rev()
            .map(|over| {
                let value = &over.values[rest % over.values.len()];
                rest /= over.values.len();
                format!("{}={value}", over.key)
            })
            .collect();
        set.reverse();
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._=-".contains(c) { c } else { '_' };
        let words: String = set.join("+").chars().take(120).map(plain).collect();
        Point { set, folder: format!("{number:04}-{words}") }
    };
    Ok((0..count).map(point).collect())
}

/// What a sweep has come to.
#[derive(Debug)]
pub struct Done {
    /// Points with their results, in order.
    pub points: Vec<(Point, Value)>,
    /// Points whose results were there already.
    pub found: usize,
    /// Points that were not run, because the sweep was stopped.
    pub missing: usize,
}

/// Runs the points that have no results yet, on so many threads.
///
/// # Errors
/// A point cannot be planned or run; the others' results stay.
pub fn run(
    lab: &Lab,
    request: &Request,
    over: &[Over],
    expectations: &[Expectation],
    (out, workers): (&Path, usize),
    programs: &dyn Programs,
    watch: &dyn Watch,
) -> Result<Done, String> {
    let points = points(over)?;
    // Mistakes are told before anything runs.
    for point in &points {
        lab.plan(&point_request(request, point)).map_err(|report| report.to_string())?;
    }
    let folder = out.join("points");
    fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make '{}': {error}", folder.display()))?;
    let next = AtomicUsize::new(0);
    let found = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<Result<Value, String>>>> =
        points.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(point) = points.get(place) else { break };
            if watch.stopped() {
                break;
            }
            let request = point_request(request, point);
            let job = Job {
                lab,
                request: &request,
                expectations,
                folder: folder.join(&point.folder),
                place,
            };
            let result = job.run(programs, watch, &found);
            if result.is_err() {
                next.store(points.len(), Ordering::Relaxed);
            }
            if let Ok(mut slot) = done[place].lock() {
                *slot = result.transpose();
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers.clamp(1, points.len().max(1)) {
            // Without another thread this one does all.
            let _ = std::thread::Builder::new().stack_size(sim::STACK).spawn_scoped(scope, work);
        }
        work();
    });
    let mut finished = Vec::new();
    for (point, slot) in points.iter().zip(done) {
        if let Some(result) = slot.into_inner().unwrap_or_default() {
            finished.push((point.clone(), result?));
        }
    }
    let missing = points.len() - finished.len();
    Ok(Done { points: finished, found: found.into_inner(), missing })
}

fn point_request(request: &Request, point: &Point) -> Request {
    let mut request = request.clone();
    request.set.extend(point.set.iter().cloned());
    request
}

/// A point that is to be run.
struct Job<'j> {
    lab: &'j Lab,
    request: &'j Request,
    expectations: &'j [Expectation],
    folder: PathBuf,
    place: usize,
}

/// A point's progress in the sweep's.
struct PointWatch<'w> {
    place: usize,
    jobs: f64,
    watch: &'w dyn Watch,
}

impl Watch for PointWatch<'_> {
    fn progress(&self, run: usize, share: f64) {
        self.watch.progress(self.place, (run as f64 + share) / self.jobs);
    }

    fn stopped(&self) -> bool {
        self.watch.stopped()
    }
}

impl Job<'_> {
    /// Results of the point: those that are there, or new ones. `None`: it was stopped.
    fn run(
        &self,
        programs: &dyn Programs,
        watch: &dyn Watch,
        found: &AtomicUsize,
    ) -> Result<Option<Value>, String> {
        let planned = self.lab.plan(self.request).map_err(|report| report.to_string())?;
        let file = self.folder.join("results.json");
        let wanted = digest(self.lab, self.request, &planned);
        if let Some(value) = finished(&file, &wanted) {
            found.fetch_add(1, Ordering::Relaxed);
            watch.progress(self.place, 1.0);
            return Ok(Some(value));
        }
        let jobs = planned.variants.iter().map(|variant| variant.plan.run.seeds).sum::<u32>();
        let inner = PointWatch { place: self.place, jobs: jobs.into(), watch };
        let outcomes = sim::run_all(&planned, programs, Some(&self.folder), 1, &inner)?;
        let results = Results::new(self.lab, self.request, &planned, outcomes, self.expectations);
        if !results.stopped().is_empty() {
            return Ok(None);
        }
        write(&file, &results.text())?;
        Ok(Some(results.json()))
    }
}

/// Results that are there and belong to the lab as it is now.
fn finished(file: &Path, digest: &str) -> Option<Value> {
    let value: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    (value.get("digest")?.as_str()? == digest).then_some(value)
}

/// All points in one file.
pub fn json(lab: &Lab, request: &Request, over: &[Over], done: &Done) -> Value {
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
const SHOWN: [(&str, &[&str], f64); 6] = [
    ("goodput, Gb/s", &["goodput_bps"], 1e9),
    ("FCT mean, us", &["fct_us", "mean"], 1.0),
    ("FCT p99, us", &["fct_us", "p99"], 1.0),
    ("slowdown mean", &["slowdown", "mean"], 1.0),
    ("slowdown p99", &["slowdown", "p99"], 1.0),
    ("packet latency mean, us", &["latency_us", "mean"], 1.0),
];

/// A page with a table of all points, and plots over the first key.
pub fn html(lab: &Lab, over: &[Over], done: &Done) -> String {
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
                cells.push(
                    found.map_or("-".to_owned(), |value| format!("{:.4}", value / unit)).into(),
                );
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
        let expectations = value.get("expectations").and_then(Value::as_array);
        let is_missed =
            |line: &&Value| line.get("verdict").and_then(Value::as_str) == Some("missed");
        let missed = expectations.into_iter().flatten().filter(is_missed).count();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations() {
        let over = ["a.b=1,2", "c=\"x,y\",[1,2],z"].map(|text| Over::parse(text).expect("good"));
        assert_eq!(over[1].values, ["\"x,y\"", "[1,2]", "z"]);
        let points = points(&over).expect("six");
        assert_eq!(points.len(), 6);
        assert_eq!(points[1].set, ["a.b=1", "c=[1,2]"]);
        assert_eq!(points[1].folder, "0001-a.b=1_c=_1_2_");
        assert_eq!(points[5].set, ["a.b=2", "c=z"]);
        for wrong in ["a", "=1", "a=", "a=1,,2"] {
            assert!(Over::parse(wrong).is_err(), "{wrong}");
        }
        let large = Over { key: "k".into(), values: vec!["1".into(); 400] };
        assert!(super::points(&[large.clone(), large]).is_err());
    }
}
