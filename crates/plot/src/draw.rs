//! Figures to SVG.

use crate::scale::{Range, Scale};
use crate::style;
use crate::text::{coordinate as c, escaped, number, width};
use crate::{Bar, Figure, Kind, Panel, Series, Span};
use std::fmt::Write;

const TITLE: f64 = 30.0;
const LEGEND: f64 = 20.0;
const EDGE: f64 = 14.0;
/// More marks than this are a band, not points.
const MOST_MARKS: usize = 80;

/// A whole figure.
pub fn figure(figure: &Figure) -> String {
    let columns = figure.columns.min(figure.panels.len().max(1));
    let rows = figure.panels.len().div_ceil(columns);
    let (panel_width, panel_height) = figure.size;
    let all = columns as f64 * panel_width;
    let names = figure.names();
    let (legend, legend_height) = legend(&names, figure, all);
    let head = if figure.title.is_empty() { 6.0 } else { TITLE };
    let above = head + legend_height;
    let height = above + rows as f64 * panel_height;
    let (w, h) = (c(all), c(height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\">\n{}\n",
        style::sheet()
    );
    put(&mut out, format!("<title>{}</title>", escaped(&figure.title)));
    put(&mut out, format!("<rect class=\"p-bg\" width=\"{w}\" height=\"{h}\"/>"));
    if !figure.title.is_empty() {
        words(&mut out, "p-h", EDGE, 20.0, "start", &figure.title);
    }
    put(&mut out, format!("<g transform=\"translate(0 {})\">\n{legend}</g>", c(head)));
    let mut plots: Vec<Plot> = Vec::new();
    for (n, panel) in figure.panels.iter().enumerate() {
        let left = (n % columns) as f64 * panel_width;
        let top = above + (n / columns) as f64 * panel_height;
        plots.push(Plot::new(panel, &names, left, top, figure.size));
    }
    // Axes of one kind stand below each other.
    let before = plots.iter().map(|plot| plot.before).fold(0.0, f64::max);
    for mut plot in plots {
        plot.indent(before, panel_width);
        plot.frame();
        plot.rules();
        plot.series();
        out += &plot.out;
    }
    out + "</svg>\n"
}

/// A line of the file. (Writing to a string cannot fail.)
fn put(out: &mut String, line: impl AsRef<str>) {
    out.push_str(line.as_ref());
    out.push('\n');
}

fn words(out: &mut String, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
    let (x, y, text) = (c(x), c(y), escaped(text));
    put(
        out,
        format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
        ),
    );
}

/// Names with their colours, in as many rows as they need; and the height.
fn legend(names: &[&str], figure: &Figure, all: f64) -> (String, f64) {
    let mut out = String::new();
    // Names of spans say no more than their rows.
    let shown = |name: &&str| {
        let mut of = figure.panels.iter().flat_map(|panel| &panel.series);
        of.any(|series| series.name == **name && !matches!(series.kind, Kind::Spans(_)))
    };
    if names.iter().filter(|name| shown(name)).count() < 2 {
        return (out, 0.0);
    }
    let (mut x, mut y) = (EDGE, 12.0);
    for (n, name) in names.iter().enumerate().filter(|(_, name)| shown(name)) {
        let takes = 26.0 + width(name, 12.0);
        if x > EDGE && x + takes > all - EDGE {
            (x, y) = (EDGE, y + LEGEND);
        }
        let (from, at, colour) = (c(x), c(y - 9.0), n % style::COUNT);
        put(
            &mut out,
            format!(
                "<rect class=\"p-f{colour}\" x=\"{from}\" y=\"{at}\" width=\"14\" height=\"9\" rx=\"2\"/>"
            ),
        );
        words(&mut out, "p-t", x + 19.0, y, "start", name);
        x += takes + 8.0;
    }
    (out, y + 8.0)
}

/// A panel on its way to SVG.
struct Plot<'a> {
    panel: &'a Panel,
    names: &'a [&'a str],
    x: Range,
    y: Range,
    /// Width of what stands to the left of the axis.
    before: f64,
    left: f64,
    top: f64,
    wide: f64,
    high: f64,
    out: String,
}

impl<'a> Plot<'a> {
    fn new(
        panel: &'a Panel,
        names: &'a [&'a str],
        left: f64,
        top: f64,
        (panel_width, panel_height): (f64, f64),
    ) -> Self {
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        for series in &panel.series {
            match &series.kind {
                Kind::Line { points, .. } | Kind::Steps(points) => {
                    xs.extend(points.iter().map(|p| p.0));
                    ys.extend(points.iter().map(|p| p.1));
                }
                Kind::Bars(bars) => {
                    ys.push(0.0);
                    ys.extend(bars.iter().map(|bar| bar.value));
                    ys.extend(bars.iter().filter_map(|bar| bar.whisker).flat_map(|w| [w.0, w.1]));
                }
                Kind::Spans(spans) => xs.extend(spans.iter().flat_map(|s| [s.from, s.to])),
            }
        }
        ys.extend(panel.rules.iter().filter(|rule| rule.level).map(|rule| rule.at));
        let (x, y) = (panel.x.range(xs.into_iter()), panel.y.range(ys.into_iter()));
        let longest = y.ticks(8).iter().map(|(_, word)| width(word, 12.0)).fold(20.0, f64::max);
        let label = if panel.y.label.is_empty() { 8.0 } else { 24.0 };
        let before = label + longest.min(panel_width / 3.0) + 8.0;
        let (above, below) = (if panel.title.is_empty() { 10.0 } else { 28.0 }, 44.0);
        Self {
            panel,
            names,
            x,
            y,
            before,
            left,
            top: top + above,
            wide: panel_width,
            high: (panel_height - above - below).max(10.0),
            out: String::new(),
        }
    }

    /// Leaves so much room to the left of the axis.
    fn indent(&mut self, before: f64, panel_width: f64) {
        self.left += before;
        self.wide = (panel_width - before - EDGE).max(10.0);
    }

    fn at_x(&self, value: f64) -> Option<f64> {
        self.x.place(value).map(|place| self.left + place * self.wide)
    }

    /// Rows of categories go down, values go up.
    fn at_y(&self, value: f64) -> Option<f64> {
        let place = self.y.place(value)?;
        let down = matches!(self.panel.y.scale, Scale::Categories(_));
        Some(self.top + self.high * if down { place } else { 1.0 - place })
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (c(from.0), c(from.1), c(to.0), c(to.1));
        put(
            &mut self.out,
            format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"),
        );
    }

    /// Title, grid, ticks, labels.
    fn frame(&mut self) {
        let (left, top, right, bottom) =
            (self.left, self.top, self.left + self.wide, self.top + self.high);
        if !self.panel.title.is_empty() {
            words(&mut self.out, "p-p", left, top - 10.0, "start", &self.panel.title);
        }
        let down = matches!(self.panel.y.scale, Scale::Categories(_));
        for (place, word) in self.y.ticks((self.high / 26.0) as usize) {
            let y = top + self.high * if down { place } else { 1.0 - place };
            self.line("p-g", (left, y), (right, y));
            words(&mut self.out, "p-t", left - 7.0, y + 4.0, "end", &word);
        }
        let across = matches!(self.panel.x.scale, Scale::Categories(_));
        for (place, word) in self.x.ticks((self.wide / 52.0) as usize) {
            let x = left + self.wide * place;
            if !across {
                self.line("p-g", (x, top), (x, bottom));
            }
            words(&mut self.out, "p-t", x, bottom + 17.0, "middle", &word);
        }
        self.line("p-a", (left, top), (left, bottom));
        self.line("p-a", (left, bottom), (right, bottom));
        words(
            &mut self.out,
            "p-s",
            (left + right) / 2.0,
            bottom + 35.0,
            "middle",
            &self.panel.x.label,
        );
        if !self.panel.y.label.is_empty() {
            let longest = self.y.ticks(8).iter().map(|t| width(&t.1, 12.0)).fold(20.0, f64::max);
            let (x, y) = (c(left - longest - 17.0), c((top + bottom) / 2.0));
            let label = escaped(&self.panel.y.label);
            put(
                &mut self.out,
                format!(
                    "<text class=\"p-s\" transform=\"translate({x} {y}) rotate(-90)\" text-anchor=\"middle\">{label}</text>"
                ),
            );
        }
    }

    fn rules(&mut self) {
        let (right, bottom) = (self.left + self.wide, self.top + self.high);
        for rule in &self.panel.rules {
            if rule.level {
                let Some(y) = self.at_y(rule.at) else { continue };
                self.line("p-r", (self.left, y), (right, y));
                words(&mut self.out, "p-s", right - 3.0, y - 4.0, "end", &rule.label);
            } else {
                let Some(x) = self.at_x(rule.at) else { continue };
                self.line("p-r", (x, self.top), (x, bottom));
                words(&mut self.out, "p-s", x + 4.0, self.top + 10.0, "start", &rule.label);
            }
        }
    }

    fn series(&mut self) {
        let panel = self.panel;
        let beside = panel.series.iter().filter(|s| matches!(s.kind, Kind::Bars(_))).count();
        let mut bars_before = 0;
        for series in &panel.series {
            let number = self.names.iter().position(|name| *name == series.name);
            let colour = number.map_or("n".to_owned(), |n| (n % style::COUNT).to_string());
            match &series.kind {
                Kind::Line { points, marks } => self.curve(series, &colour, points, *marks),
                Kind::Steps(points) => self.steps(series, &colour, points),
                Kind::Bars(bars) => {
                    self.bars(series, &colour, bars, (bars_before, beside));
                    bars_before += 1;
                }
                Kind::Spans(spans) => self.spans(&colour, spans),
            }
        }
    }

    fn curve(&mut self, series: &Series, colour: &str, points: &[(f64, f64)], marks: bool) {
        let place = |&(x, y): &(f64, f64)| Some((self.at_x(x)?, self.at_y(y)?, x, y));
        let placed: Vec<_> = points.iter().filter_map(place).collect();
        let path: Vec<String> =
            placed.iter().map(|(x, y, ..)| format!("{},{}", c(*x), c(*y))).collect();
        let dashed = if series.dashed { " p-d" } else { "" };
        if path.len() > 1 {
            put(
                &mut self.out,
                format!(
                    "<polyline class=\"p-l p-s{colour}{dashed}\" points=\"{}\"/>",
                    path.join(" ")
                ),
            );
        }
        if marks && placed.len() <= MOST_MARKS {
            for (px, py, x, y) in placed {
                let (px, py) = (c(px), c(py));
                let title = escaped(&format!("{}: {}, {}", series.name, number(x), number(y)));
                put(
                    &mut self.out,
                    format!(
                        "<circle class=\"p-f{colour}\" cx=\"{px}\" cy=\"{py}\" r=\"3\"><title>{title}</title></circle>"
                    ),
                );
            }
        }
    }

    fn steps(&mut self, series: &Series, colour: &str, points: &[(f64, f64)]) {
        let mut path = String::new();
        for &(x, y) in points {
            let (Some(x), Some(y)) = (self.at_x(x), self.at_y(y)) else { continue };
            let _ = match path.is_empty() {
                true => write!(path, "M{} {}", c(x), c(y)),
                false => write!(path, "H{}V{}", c(x), c(y)),
            };
        }
        let dashed = if series.dashed { " p-d" } else { "" };
        let title = escaped(&series.name);
        put(
            &mut self.out,
            format!(
                "<path class=\"p-l p-s{colour}{dashed}\" d=\"{path}\"><title>{title}</title></path>"
            ),
        );
    }

    fn bars(&mut self, series: &Series, colour: &str, bars: &[Bar], (n, beside): (usize, usize)) {
        let slot = self.x.slot() * self.wide;
        let one = slot * 0.8 / beside as f64;
        let floor = self.top + self.high * (1.0 - self.y.floor());
        for bar in bars {
            let Some(middle) = self.at_x(bar.slot as f64) else { continue };
            // What a logarithmic axis cannot show has no height.
            let end = self.at_y(bar.value).unwrap_or(floor).clamp(self.top, self.top + self.high);
            let from = middle - slot * 0.4 + one * n as f64;
            let (x, y, w, h) =
                (c(from + one * 0.06), c(end.min(floor)), c(one * 0.88), c((end - floor).abs()));
            let title = escaped(&format!("{}: {}", series.name, number(bar.value)));
            put(
                &mut self.out,
                format!(
                    "<rect class=\"p-f{colour}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"><title>{title}</title></rect>"
                ),
            );
            if let Some((low, high)) = bar.whisker
                && let (Some(low), Some(high)) = (self.at_y(low), self.at_y(high))
            {
                let x = from + one / 2.0;
                self.line("p-w", (x, low), (x, high));
                self.line("p-w", (x - 4.0, low), (x + 4.0, low));
                self.line("p-w", (x - 4.0, high), (x + 4.0, high));
            }
        }
    }

    fn spans(&mut self, colour: &str, spans: &[Span]) {
        let row = self.y.slot() * self.high;
        for span in spans {
            let (Some(from), Some(to), Some(middle)) =
                (self.at_x(span.from), self.at_x(span.to), self.at_y(span.row as f64))
            else {
                continue;
            };
            let (x, y, w, h) =
                (c(from), c(middle - row * 0.36), c((to - from).max(0.8)), c(row * 0.72));
            let title = escaped(&span.label);
            put(
                &mut self.out,
                format!(
                    "<rect class=\"p-f{colour}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"><title>{title}</title></rect>"
                ),
            );
        }
    }
}
