//! The choice of an engine.

use crate::Failure;
use crate::args::{EngineName, RtlArguments};
use std::path::Path;
use std::sync::Arc;
use ww_engine::engine::AnyEngine;
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::control::JitControl;
use ww_engine::jit::{Jit, LoadError, Worker};
use ww_p4::ir::Program;
use ww_p4::pipeline::passes::optimise;
use ww_p4::source::SourceMap;
use ww_rtl::design::Design;
use ww_rtl::emit::{EmitOptions, emit};
use ww_rtl::runner::cache::Cache;
use ww_rtl::runner::compile::{self, Effort, build};
use ww_rtl::runner::engine::{Rtl, Settings};
use ww_rtl::runner::monitor::Monitor;
use ww_rtl::runner::pace::Pace;
use ww_rtl::runner::shim::Waveform;
use ww_rtl::runner::tools::Tools;

/// Frames that `--pace` gathers from capture files, other than serial.
pub const GATHERED: usize = 64;

/// Why an engine has not loaded a program.
pub enum NotLoaded {
    /// It cannot hold the program.
    Unsupported(String),
    /// Anything else: tools that are not installed, a model that cannot be built.
    Failed(String),
}

impl NotLoaded {
    /// What to say.
    pub fn message(self) -> String {
        match self {
            Self::Unsupported(message) | Self::Failed(message) => message,
        }
    }
}

/// Loads a program into an engine.
pub fn load(
    name: EngineName,
    path: &Path,
    program: Arc<Program>,
    options: Options,
) -> Result<AnyEngine, NotLoaded> {
    match name {
        EngineName::Interp => {
            interp(path, program, options).map(AnyEngine::new).map_err(NotLoaded::Unsupported)
        }
        EngineName::Jit => {
            let engine = Jit::new(program.clone(), options);
            let engine = engine.map(AnyEngine::new);
            engine.map_err(|error| NotLoaded::Unsupported(refused(path, program, &error)))
        }
        EngineName::Rtl => {
            let design = design(path, &program, None, &EmitOptions::default());
            let (design, settings) = (design.map_err(NotLoaded::Unsupported)?, Settings::default());
            simulation(path, program, &design, Effort::Fast, None, settings)
                .map(AnyEngine::new)
                .map_err(NotLoaded::Failed)
        }
    }
}

/// How the engine of a command is loaded.
pub struct Request<'r> {
    /// Which.
    pub name: EngineName,
    /// The program's file.
    pub path: &'r Path,
    /// Where spans of the program are, if it is known.
    pub sources: Option<&'r SourceMap>,
    /// What engine rtl takes.
    pub rtl: &'r RtlArguments,
    /// The pace of engine rtl if the command line names none.
    pub pace: Pace,
    /// How many frames engine rtl gathers at another pace than serial.
    pub gather: usize,
    /// How engine rtl builds its model.
    pub effort: Effort,
    /// How the other engines are loaded.
    pub options: Options,
}

impl Request<'_> {
    /// Loads it; of engine rtl with what tells of its model.
    pub fn load(&self, program: Arc<Program>) -> Result<(AnyEngine, Option<Monitor>), NotLoaded> {
        if self.name != EngineName::Rtl {
            return load(self.name, self.path, program, self.options).map(|engine| (engine, None));
        }
        let RtlArguments { pace, seed, design: wanted, waveform } = self.rtl;
        let pace = pace.unwrap_or(self.pace).with_seed(*seed);
        let gather = if pace.is_serial() { 1 } else { self.gather };
        let settings = Settings { pace, gather, ..Settings::default() };
        let options = wanted.emit().map_err(NotLoaded::Failed)?;
        let design =
            design(self.path, &program, self.sources, &options).map_err(NotLoaded::Unsupported)?;
        let waveform = waveform.as_deref();
        let engine = simulation(self.path, program, &design, self.effort, waveform, settings)
            .map_err(NotLoaded::Failed)?;
        let monitor = engine.monitor();
        Ok((AnyEngine::new(engine), Some(monitor)))
    }

    /// Refuses options of engine rtl for another.
    pub fn check(&self) -> Result<(), Failure> {
        self.rtl.design.emit().map_err(Failure::Usage)?;
        match self.name == EngineName::Rtl || !self.rtl.is_used() {
            true => Ok(()),
            false => {
                let message =
                    "--pace, --waveform, --target-clock, --shape, --ports, --table, --no-optimise and \
                     --module are for `--engine rtl`"
                        .to_owned();
                Err(Failure::Usage(message))
            }
        }
    }
}

/// A fault of a model while it ran, as the end of a command.
pub fn fault(monitor: Option<&Monitor>) -> Result<(), Failure> {
    match monitor.and_then(Monitor::fault) {
        None => Ok(()),
        Some(fault) => Err(Failure::Rejected(format!("engine rtl: {fault}"))),
    }
}

/// A program as hardware. The error has all that hardware cannot hold.
pub fn design(
    path: &Path,
    program: &Program,
    sources: Option<&SourceMap>,
    options: &EmitOptions,
) -> Result<Design, String> {
    let not = |what: &str| format!("{}: engine rtl: not supported: {what}", path.display());
    let mut pipeline = ww_p4::pipeline::lower_for_hardware(program).map_err(|diagnostics| {
        let first = diagnostics.iter().next();
        not(first.map_or("it cannot be lowered", |diagnostic| &diagnostic.message))
    })?;
    optimise(&mut pipeline, options.passes());
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    emit(&pipeline, &identifier(&stem), sources, options).map_err(|refusals| {
        let line = |refusal: &ww_rtl::emit::Refusal| {
            let at = refusal.span.zip(sources).and_then(|(span, sources)| {
                Some(format!(" (line {})", sources.position(span)?.line))
            });
            format!("{refusal}{}", at.unwrap_or_default())
        };
        not(&refusals.iter().map(line).collect::<Vec<_>>().join("\n"))
    })
}

/// A name that SystemVerilog takes for a module.
pub fn identifier(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = text.chars().map(plain).collect();
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("p_{name}"),
    }
}

/// A design under Verilator.
pub fn simulation(
    path: &Path,
    program: Arc<Program>,
    design: &Design,
    effort: Effort,
    waveform: Option<&Path>,
    settings: Settings,
) -> Result<Rtl, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{}: engine rtl: {error}", path.display());
    let (tools, cache) =
        (Tools::find().map_err(|e| wrong(&e))?, Cache::open().map_err(|e| wrong(&e))?);
    let options = compile::Options { effort, waveform: waveform.map(Waveform::of) };
    let model = build(design, options, &tools, &cache).map_err(|e| wrong(&e))?;
    Rtl::new(program, &design.manifest, &model, waveform, settings).map_err(|e| wrong(&e))
}

/// Loads a program into the native engine for several workers.
pub fn workers(
    path: &Path,
    program: Arc<Program>,
    workers: usize,
    options: Options,
) -> Result<(JitControl, Vec<Worker>), String> {
    Jit::with_workers(program.clone(), options, workers)
        .map(Jit::split)
        .map_err(|error| refused(path, program, &error))
}

/// Why the native engine does not run a program, and whether the other one does.
fn refused(path: &Path, program: Arc<Program>, error: &LoadError) -> String {
    let other = match Interp::new(program, Options::default()) {
        Ok(_) => "; `--engine interp` runs it",
        Err(_) => "",
    };
    format!("{}: engine jit: {error}{other}", path.display())
}

/// The name of an engine, as on the command line.
pub fn name(engine: EngineName) -> &'static str {
    match engine {
        EngineName::Interp => "interp",
        EngineName::Jit => "jit",
        EngineName::Rtl => "rtl",
    }
}

/// Loads a program into the reference engine, which tells every step.
pub fn interp(path: &Path, program: Arc<Program>, options: Options) -> Result<Interp, String> {
    Interp::new(program, options)
        .map_err(|unsupported| format!("{}: engine interp: {unsupported}", path.display()))
}
