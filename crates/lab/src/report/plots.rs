//! The plots of a variant: slowdown by size, depths of queues and use of lines over time.

use super::{class_words, variant_title};
use crate::results::Results;
use crate::results::collect::CLASSES;
use crate::results::curve::Curve;
use crate::results::statistics;
use std::collections::BTreeMap;
use ww_plot::{Axis, Bar, Figure, Panel, Series};

/// Lines in one plot.
const LINES: usize = 6;

/// All plots that there is something for.
pub(super) fn figures(results: &Results<'_>, variant: usize) -> Vec<Figure> {
    let mut figures = Vec::new();
    figures.extend(by_size(results, variant));
    let Some(first) = results.outcomes[variant].first() else { return figures };
    let title = variant_title(&results.planned.variants[variant]);
    let depths = over_time(results, variant, &first.curves.depths, "queue, KB", 1e3);
    figures.extend(
        depths.map(|panel| Figure::new(format!("{title}queues over time, first seed")).with(panel)),
    );
    let uses = over_time(results, variant, &first.curves.uses, "share of the rate", 1.0);
    figures.extend(uses.map(|panel| {
        Figure::new(format!("{title}use of lines over time, first seed")).with(panel)
    }));
    figures.extend(latencies(results, variant));
    figures
}

/// A bar for a figure that is never negative.
fn bar_of(slot: usize, figure: &statistics::Figure) -> Bar {
    let whisker = figure.interval().map(|(low, high)| (low.max(0.0), high));
    Bar { slot, value: figure.mean(), whisker }
}

/// Slowdown of flows by their sizes: median and p99.
fn by_size(results: &Results<'_>, variant: usize) -> Option<Figure> {
    let chosen = &results.planned.variants[variant];
    let figures = &results.figures[variant];
    let mut figure = Figure::new(format!("{}slowdown by size of flows", variant_title(chosen)))
        .columns(2)
        .panel_size(480.0, 280.0);
    let mut some = false;
    for (key, words) in [("p50", "median"), ("p99", "p99")] {
        let axis = Axis::categories("bytes of a flow", class_words());
        let mut panel = Panel::new(axis, Axis::linear("slowdown").from(0.0)).title(words);
        for traffic in &chosen.plan.network.traffic {
            let bar = |(slot, (_, class)): (usize, &(u64, &str))| {
                let path = ["traffic", &traffic.name, "by_size", class, "slowdown", key];
                let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
                let found = figures.list.get(&path)?;
                Some(bar_of(slot, found))
            };
            let bars: Vec<Bar> = CLASSES.iter().enumerate().filter_map(bar).collect();
            if !bars.is_empty() {
                some = true;
                panel = panel.with(Series::bars(&traffic.name, bars));
            }
        }
        figure = figure.with(panel);
    }
    some.then_some(figure)
}

fn over_time(
    results: &Results<'_>,
    variant: usize,
    curves: &BTreeMap<u32, Curve>,
    label: &str,
    unit: f64,
) -> Option<Panel> {
    let plan = &results.planned.variants[variant].plan;
    let mut panel = Panel::new(Axis::linear("time, ms").from(0.0), Axis::linear(label).from(0.0));
    let mut some = false;
    for (direction, curve) in curves.iter().take(LINES) {
        let points: Vec<(f64, f64)> =
            curve.points().into_iter().map(|(at, value)| (at, value / unit)).collect();
        if points.iter().any(|(_, value)| *value > 0.0) {
            some = true;
            panel = panel.with(Series::curve(&plan.directions[*direction as usize], points));
        }
    }
    if plan.run.warmup > 0 {
        panel = panel.moment(plan.run.warmup as f64 / 1e9, "end of warm-up");
    }
    for change in plan.network.changes.iter().take(8) {
        let name = plan.directions[2 * change.link as usize].replace("->", "-");
        panel = panel.moment(change.at as f64 / 1e9, format!("{name} changes"));
    }
    some.then_some(panel)
}

/// Latency of packets: bars for the mean and quantiles.
fn latencies(results: &Results<'_>, variant: usize) -> Option<Figure> {
    const KEYS: [(&str, &str); 5] =
        [("mean", "mean"), ("p50", "p50"), ("p95", "p95"), ("p99", "p99"), ("p99_9", "p99.9")];
    let chosen = &results.planned.variants[variant];
    let axis = Axis::categories("", KEYS.map(|(_, word)| word));
    let mut panel = Panel::new(axis, Axis::linear("latency, us").from(0.0));
    let mut some = false;
    for traffic in chosen.plan.network.traffic.iter().take(LINES) {
        let bar = |(slot, (key, _)): (usize, &(&str, &str))| {
            let path = ["traffic", &traffic.name, "latency_us", key].map(str::to_owned).to_vec();
            let found = results.figures[variant].list.get(&path)?;
            Some(bar_of(slot, found))
        };
        let bars: Vec<Bar> = KEYS.iter().enumerate().filter_map(bar).collect();
        if !bars.is_empty() {
            some = true;
            panel = panel.with(Series::bars(&traffic.name, bars));
        }
    }
    let title = format!(
        "{}latency of packets, from the host's queue to the other host",
        variant_title(chosen)
    );
    some.then(|| Figure::new(title).with(panel))
}
