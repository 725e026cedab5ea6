//! Operations a second, logic and memory of the blocks of rtl/pieo and rtl/pifo against the number of elements.
//!
//! The figures are measured by scripts/pieo_figures.py, which takes long; here they are read, fitted, and
//! put beside what was published.

mod data;
mod figures;
mod verdicts;

pub use data::{HardwareError, parse};

use data::{Kind, Points};
use serde_json::json;
use ww_plot::report::{Section, Table};

/// The figures that come with the program.
pub const DATA: &str = include_str!("../../data/pieo.json");

/// Numbers of elements that the report is about.
pub const SIZES: [u64; 13] =
    [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];

/// Modules in the order in which they are reported, and what they are.
const KNOWN: [(&str, &str); 5] = [
    ("ww_pieo", "the published architecture, 4 clocks an operation"),
    ("ww_pieo_fast", "ours, 2 clocks an operation"),
    ("ww_pieo_pipelined", "ours, an operation each clock"),
    ("ww_pifo", "flip-flops, with eligibility, an operation each clock"),
    ("ww_pifo:0", "flip-flops, rank alone (PIFO), an operation each clock"),
];

/// From a file of scripts/pieo_figures.py.
///
/// # Errors
/// It is no such file.
pub fn section(file: &str) -> Result<Section, HardwareError> {
    let points = parse(file)?;
    let mut section = Section::new(
        "hardware",
        "Operations a second, logic and memory against the number of elements",
    );
    let words = KNOWN.iter().filter(|(name, _)| points.modules().contains(name));
    let words: Vec<String> = words.map(|(name, what)| format!("{name}: {what}")).collect();
    section.about = vec![
        format!("{}.", words.join("; ")),
        "gates: Yosys without a device, gates of two inputs, a multiplexer counts as one, RAM apart. LUTs: Yosys for Xilinx \
         7-series, with the LUTs on the longest path (\"depth\"). MHz: placed and routed by nextpnr on a Lattice ECP5-85, and \
         operations a second: the clock over the clocks of an operation. None of them is the published Stratix V: growth \
         and ratios compare, absolute clocks and areas do not."
            .into(),
        format!(
            "Measured by scripts/pieo_figures.py, {}. Dashed lines are fitted, not measured.",
            points.provenance()
        ),
    ];
    section.verdicts = verdicts::verdicts(&points);
    section.tables = vec![measured(&points), verdicts::accounting(&points), missing(&points)];
    section.figures = figures::figures(&points);
    section.data = json!({
        "points": points.json(),
        "exponents": verdicts::exponents(&points),
    });
    Ok(section)
}

fn measured(points: &Points) -> Table {
    let head = [
        "module",
        "N",
        "gates",
        "flip-flops",
        "RAM bits",
        "LUTs (7-series)",
        "depth",
        "RAMB36",
        "MHz (ECP5)",
        "Mops/s",
    ];
    let mut table = Table::new("Measured:", head);
    for module in points.modules() {
        for n in points.sizes(module) {
            let cell = |kind, key| {
                points.value(kind, module, n, key).map_or(String::new(), |v| format!("{v}"))
            };
            table.rows.push(vec![
                module.to_owned(),
                n.to_string(),
                cell(Kind::Cells, "gates"),
                cell(Kind::Cells, "flipflops"),
                cell(Kind::Cells, "ram_bits"),
                cell(Kind::Luts, "luts"),
                cell(Kind::Luts, "depth"),
                cell(Kind::Luts, "ramb36"),
                cell(Kind::Clock, "mhz"),
                cell(Kind::Clock, "mops"),
            ]);
        }
    }
    table
}

/// Which points are not there, and why.
fn missing(points: &Points) -> Table {
    let mut table = Table::new("Not measured:", ["module", "what", "N", "why"]);
    for module in points.modules() {
        for kind in Kind::ALL {
            let mut never = Vec::new();
            for n in SIZES {
                match points.failure(kind, module, n) {
                    Some(why) => table.rows.push(vec![
                        module.into(),
                        kind.what().into(),
                        n.to_string(),
                        why.into(),
                    ]),
                    None if points.has(kind, module, n) => {}
                    None => never.push(n.to_string()),
                }
            }
            if !never.is_empty() {
                let why =
                    "not tried: ww sched report --measure --sizes N does, in minutes to hours";
                table.rows.push(vec![
                    module.into(),
                    kind.what().into(),
                    never.join(", "),
                    why.into(),
                ]);
            }
        }
    }
    table
}
