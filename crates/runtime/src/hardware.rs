//! Programs as hardware: designs, and designs under Verilator as an engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use ww_engine::arch::Unsupported;
use ww_p4::ir::Program;
use ww_p4::pipeline::passes::optimise;
use ww_p4::source::SourceMap;
use ww_rtl::design::Design;
use ww_rtl::emit::{EmitOptions, Refusal, emit};
use ww_rtl::runner::cache::Cache;
use ww_rtl::runner::compile::{self, Effort, build};
use ww_rtl::runner::engine::{Rtl, Settings};
use ww_rtl::runner::monitor::Monitor;
use ww_rtl::runner::pace::Pace;
use ww_rtl::runner::shim::Waveform;
use ww_rtl::runner::tools::Tools;

/// How engine rtl makes hardware of a program and drives it.
#[derive(Clone, Debug, Default)]
pub struct RtlSettings {
    /// What the design looks like.
    pub design: EmitOptions,
    /// How packets go in and out.
    pub pace: Pace,
    /// How many frames are gathered at another pace than serial, so that they go in together; 0 counts as 1.
    pub gather: usize,
    /// How the model is built.
    pub effort: Effort,
    /// All signals go to this file, FILE.fst or FILE.vcd.
    pub waveform: Option<PathBuf>,
}

impl RtlSettings {
    /// How the model is driven.
    pub fn drive(&self) -> Settings {
        let gather = if self.pace.is_serial() { 1 } else { self.gather.max(1) };
        Settings { pace: self.pace, gather, ..Settings::default() }
    }
}

/// A program as hardware.
///
/// # Errors
/// All that hardware cannot hold.
pub fn design(
    path: &Path,
    program: &Program,
    sources: Option<&SourceMap>,
    options: &EmitOptions,
) -> Result<Design, String> {
    let not = |what: &str| format!("{}: engine rtl: not supported: {what}", path.display());
    let mut pipeline = ww_p4::pipeline::lower_for_hardware(program).map_err(|diagnostics| {
        let Some(first) = diagnostics.iter().next().cloned() else {
            return not("it cannot be lowered");
        };
        let Unsupported { message, span } = first.into();
        let at = sources.map_or_else(String::new, |sources| crate::program::at(sources, span));
        not(&format!("{message}{at}"))
    })?;
    optimise(&mut pipeline, options.passes());
    emit(&pipeline, &module_name(path), sources, options).map_err(|refusals| {
        let line = |refusal: &Refusal| {
            let at = refusal.span.zip(sources).and_then(|(span, sources)| {
                Some(format!(" (line {})", sources.position(span)?.line))
            });
            format!("{refusal}{}", at.unwrap_or_default())
        };
        not(&refusals.iter().map(line).collect::<Vec<_>>().join("\n"))
    })
}

/// The name that SystemVerilog has for a program's file.
pub fn module_name(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = stem.chars().map(plain).collect();
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("p_{name}"),
    }
}

/// A design under Verilator.
///
/// # Errors
/// Tools that are not installed, or a model that cannot be built: all of it, with the program's file.
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

/// A fault of a model while it ran.
///
/// # Errors
/// The fault.
pub fn fault(monitor: Option<&Monitor>) -> Result<(), crate::error::Error> {
    match monitor.and_then(Monitor::fault) {
        None => Ok(()),
        Some(fault) => Err(crate::error::Error::Failed(format!("engine rtl: {fault}"))),
    }
}
