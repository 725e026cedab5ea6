//! What the command line says of generated hardware, for all commands that make some.

use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use ww_io::overwrite::Files;
use ww_rtl::design::SourceFile;
use ww_rtl::emit::implementation::request::TableRequest;
use ww_rtl::emit::{EmitOptions, MOST_PORTS, Optimiser, Optimisers, Shape};

/// Ports of the shape `switch` if the command line does not say.
const DEFAULT_PORTS: u32 = 4;

/// What a design looks like.
#[derive(Args, Clone, Debug)]
pub struct DesignArguments {
    /// Hardware: bits of a bus beat
    #[arg(long, value_name = "BITS", default_value = "512", value_parser = width)]
    pub width: u32,
    /// Hardware: more registers, for a clock of so many megahertz on an ECP5 (speed grade 8), as
    /// estimated; they cost latency, not throughput
    #[arg(long, value_name = "MHZ", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub target_clock: Option<u32>,
    /// Hardware: wire: one stream in and one out; switch: a pair of streams for each port
    #[arg(long, value_name = "SHAPE", default_value = "wire")]
    pub shape: ShapeName,
    /// Hardware: ports of the shape switch, 2 to 32 (4 if not said)
    #[arg(long = "ports", value_name = "N",
          value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_PORTS)))]
    pub switch_ports: Option<u32>,
    /// Hardware: hold the table NAME in direct, cam, hash[,ways=2..8], lpm[,memory_latency=1..2]
    /// or ternary; goes before @ww_table in the program
    #[arg(long = "table", value_name = "NAME=BLOCK", value_parser = table)]
    pub tables: Vec<(String, TableRequest)>,
    /// Hardware: leave out optimisers: dead-fields, action-merging, table-memory, if-conversion,
    /// constant-entries, keep-unchanged, all
    #[arg(long, value_name = "NAME,NAME...", value_delimiter = ',', value_parser = left_out)]
    pub no_optimise: Vec<LeftOut>,
    /// Hardware: SystemVerilog with modules that the program names by @ww_module
    #[arg(long = "module", value_name = "FILE.sv")]
    pub modules: Vec<PathBuf>,
}

/// Shapes of designs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShapeName {
    /// One stream in and one out
    Wire,
    /// A pair of streams for each port
    Switch,
}

/// An optimiser that is left out; `None` for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut(Option<Optimiser>);

impl DesignArguments {
    /// Whether one is given beside the width.
    pub fn is_used(&self) -> bool {
        self.target_clock.is_some()
            || !self.tables.is_empty()
            || !self.no_optimise.is_empty()
            || !self.modules.is_empty()
            || self.shape != ShapeName::Wire
            || self.switch_ports.is_some()
    }

    /// The shape that they ask for. The error is that they contradict each other.
    fn shape(&self) -> Result<Shape, String> {
        match (self.shape, self.switch_ports) {
            (ShapeName::Wire, None) => Ok(Shape::Wire),
            (ShapeName::Wire, Some(_)) => Err("--ports is for `--shape switch`".to_owned()),
            (ShapeName::Switch, ports) => {
                Ok(Shape::Switch { ports: ports.unwrap_or(DEFAULT_PORTS) })
            }
        }
    }

    /// Adds the files that are read.
    pub fn add_files(&self, files: &mut Files) {
        self.modules.iter().for_each(|path| _ = files.reads("a file of --module", path));
    }

    /// What the emitter is to do.
    ///
    /// # Errors
    /// The options contradict each other, or a file of a module cannot be read.
    pub fn emit(&self) -> Result<EmitOptions, String> {
        let without = |set: Optimisers, left_out: &LeftOut| match left_out.0 {
            Some(optimiser) => set.without(optimiser),
            None => Optimisers::none(),
        };
        let options = EmitOptions {
            width: self.width,
            shape: self.shape()?,
            tables: self.tables.clone(),
            optimisers: self.no_optimise.iter().fold(Optimisers::all(), without),
            modules: self.modules.iter().map(|path| module(path)).collect::<Result<_, _>>()?,
            ..EmitOptions::default()
        };
        Ok(match self.target_clock {
            Some(mhz) => options.with_clock(mhz),
            None => options,
        })
    }
}

/// A file of the user's modules.
fn module(path: &Path) -> Result<SourceFile, String> {
    let cannot = |error: &dyn std::fmt::Display| format!("--module '{}': {error}", path.display());
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| cannot(&"expected the name of a file"))?.to_owned();
    let text = std::fs::read_to_string(path).map_err(|error| cannot(&error))?;
    Ok(SourceFile { name, text })
}

/// A width of the bus.
fn width(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(width @ (64 | 128 | 256 | 512)) => Ok(width),
        _ => Err("expected 64, 128, 256 or 512".to_owned()),
    }
}

/// `NAME=BLOCK`.
fn table(text: &str) -> Result<(String, TableRequest), String> {
    let (name, block) = text.split_once('=').ok_or("expected NAME=BLOCK, as ipv4_lpm=ternary")?;
    Ok((name.to_owned(), block.parse()?))
}

fn left_out(text: &str) -> Result<LeftOut, String> {
    match text {
        "all" => Ok(LeftOut(None)),
        name => name.parse().map(Some).map(LeftOut),
    }
}
