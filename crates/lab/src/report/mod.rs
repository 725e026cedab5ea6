//! `report.html`: topology, plots, expectations with verdicts, the lab's file; one file that needs nothing else.

mod drawing;
mod plots;

use crate::expect::Verdict;
use crate::lab::Variant;
use crate::plan::World;
use crate::results::Results;
use crate::results::collect::CLASSES;
use ww_plot::page::{Cell, Mark, Page};

/// Variants of which plots are drawn.
const VARIANTS: usize = 12;

/// The report as HTML. It is a function of the results alone.
pub fn html(results: &Results<'_>) -> String {
    let plan = &results.planned.variants[0].plan;
    let title = match plan.title.is_empty() {
        true => results.lab.name.clone(),
        false => plan.title.clone(),
    };
    let mut page = Page::new(title);
    for paragraph in plan.description.split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
        page.paragraph(&paragraph.replace('\n', " "));
    }
    page.paragraph(&how(results));
    for (variant, seed, at) in results.stopped() {
        let name =
            if variant.name.is_empty() { String::new() } else { format!("{}, ", variant.name) };
        page.paragraph(&format!("Stopped before the end: {name}seed {seed}, at {}.", time(at)));
    }
    for (variant, seed, note) in results.notes() {
        let name =
            if variant.name.is_empty() { String::new() } else { format!("{}, ", variant.name) };
        page.paragraph(&format!("Mind, of {name}seed {seed}: {note}."));
    }
    if !results.verdicts.is_empty() {
        page.heading("expectations", "Expected and measured");
        expectations(&mut page, &results.verdicts);
    }
    page.heading("topology", "Topology");
    match drawing::topology(plan) {
        Some(svg) => page.drawing(&svg),
        None => {
            let (nodes, links) = (plan.network.nodes.len(), plan.network.links.len());
            page.paragraph(&format!("{nodes} nodes and {links} links: too many to draw."));
        }
    }
    page.heading("traffic", "Traffic");
    traffic(&mut page, results);
    for (number, variant) in results.planned.variants.iter().enumerate().take(VARIANTS) {
        let figures = plots::figures(results, number);
        if figures.is_empty() {
            continue;
        }
        let words = if variant.name.is_empty() { "Plots" } else { &variant.name };
        page.heading(&format!("plots-{number}"), words);
        for figure in &figures {
            page.figure(figure);
        }
    }
    if results.planned.variants.len() > VARIANTS {
        page.paragraph(&format!("Plots of the first {VARIANTS} variants; results.json has all."));
    }
    page.heading("lab", "The lab");
    page.listing(&results.lab.text);
    page.heading("versions", "What made this report");
    let mut rows = vec![
        row("Wirewright", env!("CARGO_PKG_VERSION")),
        row("digest of the lab", &results.digest),
        row(
            "world",
            match results.world {
                World::Sim => "sim: virtual time, integer picoseconds",
                World::Netns => "netns: Linux namespaces, real time, the kernel's TCP and UDP",
            },
        ),
        row("quick", if results.request.quick { "yes" } else { "no" }),
    ];
    rows.extend(results.request.set.iter().map(|text| row("--set", text)));
    rows.extend(results.request.seed.map(|seed| row("--seed", &seed.to_string())));
    page.table(&["".to_owned(), "".to_owned()], &rows);
    page.html()
}

fn row(name: &str, value: &str) -> Vec<Cell> {
    vec![name.into(), value.into()]
}

/// Duration, warm-up, seeds: in a sentence.
fn how(results: &Results<'_>) -> String {
    let run = &results.planned.variants[0].plan.run;
    let seeds = match run.seeds {
        1 => {
            format!("one run, with seed {}, so that there are no intervals of confidence", run.seed)
        }
        count => format!(
            "{count} runs, with seeds {} to {}; intervals hold the true mean with a probability of 95 %",
            run.seed,
            run.seed.wrapping_add(u64::from(count) - 1)
        ),
    };
    let warmup = match run.warmup {
        0 => "there is no warm-up".to_owned(),
        time => format!("what starts in the first {} is not counted", self::time(time)),
    };
    let drain = match run.drain {
        0 => String::new(),
        time => format!(", and flows have {} more to finish", self::time(time)),
    };
    let quick = if results.request.quick { " This is a quick run." } else { "" };
    format!("Traffic for {}; {warmup}{drain}; {seeds}.{quick}", time(run.duration))
}

/// A time in the unit that fits.
fn time(ps: u64) -> String {
    let units = [(1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns")];
    let ps = ps as f64;
    match units.iter().find(|(unit, _)| ps >= *unit) {
        Some((unit, word)) => format!("{} {word}", ps / unit),
        None => format!("{ps} ps"),
    }
}

/// Four digits that count.
pub(crate) fn shown(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let digits = 3 - libm::floor(libm::log10(value.abs())) as i32;
    match digits {
        ..=0 => format!("{value:.0}"),
        1..=9 => format!("{value:.*}", digits as usize),
        _ => format!("{value:.3e}"),
    }
}

fn expectations(page: &mut Page, verdicts: &[Verdict]) {
    let head =
        ["", "expected", "measured", "95 %", "must be", "verdict", "source"].map(str::to_owned);
    let rows: Vec<Vec<Cell>> = verdicts
        .iter()
        .map(|verdict| {
            let expectation = &verdict.expectation;
            let measured = match &verdict.measured {
                Ok(value) => shown(*value),
                Err(error) => error.clone(),
            };
            let interval = verdict
                .interval
                .map_or(String::new(), |(low, high)| format!("{} to {}", shown(low), shown(high)));
            let mark = match verdict.is_met() {
                Some(true) => Mark::Good,
                Some(false) => Mark::Bad,
                None => Mark::Faint,
            };
            vec![
                expectation.name.as_str().into(),
                shown(expectation.published).into(),
                measured.into(),
                Cell::marked(interval, Mark::Faint),
                verdict.tolerance.map_or(String::new(), crate::expect::Tolerance::words).into(),
                Cell::marked(verdict.word(), mark),
                expectation.source.as_str().into(),
            ]
        })
        .collect();
    page.table(&head, &rows);
}

/// A row for each variant and piece of traffic.
fn traffic(page: &mut Page, results: &Results<'_>) {
    let named = results.planned.variants.iter().any(|variant| !variant.name.is_empty());
    let mut head = vec!["traffic".to_owned()];
    if named {
        head.insert(0, "variant".to_owned());
    }
    let columns: [(&str, &[&str], f64); 10] = [
        ("goodput, Gb/s", &["goodput_bps"], 1e9),
        ("flows", &["flows", "started"], 1.0),
        ("unfinished", &["flows", "unfinished"], 1.0),
        ("FCT mean, us", &["fct_us", "mean"], 1.0),
        ("p99, us", &["fct_us", "p99"], 1.0),
        ("slowdown p50", &["slowdown", "p50"], 1.0),
        ("p99", &["slowdown", "p99"], 1.0),
        ("packet latency, us", &["latency_us", "mean"], 1.0),
        ("dropped", &["packets", "dropped_share"], 0.01),
        ("marked", &["packets", "marked_share"], 0.01),
    ];
    head.extend(columns.iter().map(|(name, ..)| (*name).to_owned()));
    let mut rows = Vec::new();
    for (variant, figures) in results.planned.variants.iter().zip(&results.figures) {
        for traffic in &variant.plan.network.traffic {
            let mut cells: Vec<Cell> = Vec::new();
            if named {
                cells.push(variant.name.as_str().into());
            }
            cells.push(traffic.name.as_str().into());
            for (_, path, unit) in columns {
                let path: Vec<&str> =
                    ["traffic", &traffic.name].iter().chain(path).copied().collect();
                let text = figures.mean(&path).map(|value| {
                    let percent = if unit == 0.01 { " %" } else { "" };
                    format!("{}{percent}", shown(value / unit))
                });
                cells.push(text.unwrap_or_else(|| "-".to_owned()).into());
            }
            rows.push(cells);
        }
    }
    page.table(&head, &rows);
}

/// What a variant is called in a plot.
fn variant_title(variant: &Variant) -> String {
    match variant.name.is_empty() {
        true => String::new(),
        false => format!("{}: ", variant.name),
    }
}

/// Words for classes of sizes.
fn class_words() -> Vec<String> {
    let words = CLASSES.iter().map(|(_, word)| match word.strip_prefix("to_") {
        Some(size) => format!("to {}", size.replace("KB", " KB").replace("MB", " MB")),
        None => word.replace("above_", "above ").replace("MB", " MB"),
    });
    words.collect()
}
