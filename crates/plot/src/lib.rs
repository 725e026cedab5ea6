//! Plots as SVG, and reports as one HTML file that needs nothing else.
//!
//! The same input gives the same bytes, so plots can be committed and compared. Colours are those of
//! Okabe and Ito, which colour-blind readers can tell apart; a dark page turns them around by a media query in
//! the SVG itself. Everything drawn has a tooltip with its numbers.
//!
//! ```
//! use ww_plot::{Axis, Figure, Panel, Series};
//! let squares = (1..10).map(|n| (f64::from(n), f64::from(n * n)));
//! let panel = Panel::new(Axis::linear("n"), Axis::log10("n²")).with(Series::line("squares", squares));
//! let svg = Figure::new("Growth").with(panel).svg();
//! assert!(svg.starts_with("<svg "));
//! ```

mod draw;
pub mod page;
pub mod report;
mod scale;
mod style;
mod text;

pub use scale::Axis;
pub use text::escaped;

/// A figure: panels in a grid, under one title and one legend.
#[derive(Clone, Debug)]
pub struct Figure {
    title: String,
    panels: Vec<Panel>,
    columns: usize,
    /// Width and height of a panel, in pixels.
    size: (f64, f64),
}

impl Figure {
    /// An empty figure; panels of 720 by 300 pixels, one in a row.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), panels: Vec::new(), columns: 1, size: (720.0, 300.0) }
    }

    /// Adds a panel behind (or below) the others.
    pub fn with(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// So many panels in a row, 1 or more.
    pub fn columns(mut self, columns: usize) -> Self {
        self.columns = columns.max(1);
        self
    }

    /// Width and height of each panel in pixels, axes and their labels included.
    pub fn panel_size(mut self, width: f64, height: f64) -> Self {
        self.size = (width, height);
        self
    }

    /// The figure as an `<svg>` element that can stand in a page or be a file.
    pub fn svg(&self) -> String {
        draw::figure(self)
    }

    /// Names of series in order of appearance: the legend. A name has one colour in all panels.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !series.name.is_empty() && !names.contains(&series.name.as_str()) {
                names.push(&series.name);
            }
        }
        names
    }
}

/// A pair of axes with what is drawn between them.
#[derive(Clone, Debug)]
pub struct Panel {
    title: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    rules: Vec<Rule>,
}

impl Panel {
    /// An empty panel.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { title: String::new(), x, y, series: Vec::new(), rules: Vec::new() }
    }

    /// A title above the panel.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Adds a series.
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Adds several series.
    pub fn with_all(mut self, series: impl IntoIterator<Item = Series>) -> Self {
        self.series.extend(series);
        self
    }

    /// A dotted line across the panel at a value of the y axis, with words at its right end: a
    /// published figure, a bound.
    pub fn level(mut self, at: f64, label: impl Into<String>) -> Self {
        self.rules.push(Rule { at, label: label.into(), level: true });
        self
    }

    /// A dotted line from top to bottom at a value of the x axis, with words at its upper end: an event.
    pub fn moment(mut self, at: f64, label: impl Into<String>) -> Self {
        self.rules.push(Rule { at, label: label.into(), level: false });
        self
    }
}

#[derive(Clone, Debug)]
struct Rule {
    at: f64,
    label: String,
    /// Across, at a y; otherwise from top to bottom, at an x.
    level: bool,
}

/// What is drawn in one colour and has a name in the legend. Without a name it is drawn in grey.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    kind: Kind,
    dashed: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Straight lines between points, with marks at the points.
    Line { points: Vec<(f64, f64)>, marks: bool },
    /// A value holds until the next one.
    Steps(Vec<(f64, f64)>),
    /// A bar for each category of the x axis: number of the category, value, and the ends of a
    /// whisker if there is one.
    Bars(Vec<Bar>),
    /// Pieces of time in rows: number of the category of the y axis, from, to, tooltip.
    Spans(Vec<Span>),
}

/// A bar of [`Series::bars`].
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// Number of the category, from 0.
    pub slot: usize,
    /// Its height, in units of the y axis.
    pub value: f64,
    /// The ends of a whisker: an interval of confidence, or least and largest.
    pub whisker: Option<(f64, f64)>,
}

/// A piece of time of [`Series::spans`].
#[derive(Clone, Debug)]
pub struct Span {
    /// Number of the row, from 0: the category of the y axis.
    pub row: usize,
    /// Where it begins, in units of the x axis.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// What it is.
    pub label: String,
}

impl Series {
    fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind, dashed: false }
    }

    /// Points with lines between them.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::new(name, Kind::Line { points: points.into_iter().collect(), marks: true })
    }

    /// A line without marks at its points: a curve, a bound.
    pub fn curve(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::new(name, Kind::Line { points: points.into_iter().collect(), marks: false })
    }

    /// Values that hold until the next one.
    pub fn steps(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::new(name, Kind::Steps(points.into_iter().collect()))
    }

    /// Bars; several series of bars in a panel stand side by side in each category of the x axis.
    pub fn bars(name: impl Into<String>, bars: impl IntoIterator<Item = Bar>) -> Self {
        Self::new(name, Kind::Bars(bars.into_iter().collect()))
    }

    /// Pieces of time in rows, the categories of the y axis: a Gantt chart.
    pub fn spans(name: impl Into<String>, spans: impl IntoIterator<Item = Span>) -> Self {
        Self::new(name, Kind::Spans(spans.into_iter().collect()))
    }

    /// Lines with gaps: not measured, but fitted or computed.
    pub fn dashed(mut self) -> Self {
        self.dashed = true;
        self
    }
}
