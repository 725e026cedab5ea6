//! Plots of the hardware.

use super::data::{Kind, Points};
use ww_plot::{Axis, Figure, Panel, Series};

/// Logic; memory and depth; rates.
pub fn figures(points: &Points) -> Vec<Figure> {
    let logic = Figure::new("Logic against the number of elements")
        .columns(2)
        .panel_size(480.0, 330.0)
        .with(panel(points, Kind::Cells, "gates", "gates, no device"))
        .with(panel(points, Kind::Luts, "luts", "LUTs, 7-series"))
        .with(panel(points, Kind::Cells, "flipflops", "flip-flops"))
        .with(plain(points, Kind::Luts, "depth", "LUTs on the longest path"));
    let memory = Figure::new("Memory")
        .columns(2)
        .panel_size(480.0, 330.0)
        .with(
            panel(points, Kind::Cells, "ram_bits", "bits of RAM")
                .level(3.81e6, "3.81 Mbit, published for 30,000"),
        )
        .with(plain(points, Kind::Luts, "ramb36", "block RAMs of 36 Kbit"));
    let rates = Figure::new("Clock and operations a second, Lattice ECP5-85, placed and routed")
        .columns(2)
        .panel_size(480.0, 330.0)
        .with(plain(points, Kind::Clock, "mhz", "MHz").level(80.0, "80 MHz, published, Stratix V"))
        .with(
            plain(points, Kind::Clock, "mops", "million operations/s")
                .level(20.0, "20: published, 50 ns, Stratix V"),
        );
    vec![logic, memory, rates]
}

/// Measured points, and dashed what they grow to.
fn panel(points: &Points, kind: Kind, key: &str, label: &str) -> Panel {
    let mut panel =
        Panel::new(Axis::log2("elements N").from(16.0).to(65_536.0), Axis::log10(label));
    for module in points.modules() {
        let series = points.series(kind, module, key);
        let series: Vec<_> = series.into_iter().filter(|(_, value)| *value > 0.0).collect();
        if let (Some((exponent, factor)), Some(&(last, _))) =
            (points.growth(kind, module, key, 64.0), series.last())
        {
            let sizes = super::SIZES.iter().map(|&n| n as f64).filter(|&n| n >= last);
            panel = panel.with(
                Series::curve(module, sizes.map(|n| (n, factor * n.powf(exponent)))).dashed(),
            );
        }
        panel = panel.with(Series::line(module, series));
    }
    panel
}

/// Measured points alone.
fn plain(points: &Points, kind: Kind, key: &str, label: &str) -> Panel {
    let series = points
        .modules()
        .into_iter()
        .map(|module| Series::line(module, points.series(kind, module, key)));
    Panel::new(Axis::log2("elements N").from(16.0), Axis::linear(label).from(0.0)).with_all(series)
}
