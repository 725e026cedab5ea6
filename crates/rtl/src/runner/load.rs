//! From a program to an engine in one step.

use super::Error;
use super::cache::Cache;
use super::compile::{self, Effort, build};
use super::engine::{LoadError, Rtl, Settings};
use super::shim::Waveform;
use super::tools::Tools;
use crate::design::Design;
use crate::emit::{EmitOptions, Refusal, emit};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use ww_p4::ir::Program;
use ww_p4::pipeline::passes::optimise;
use ww_p4::source::SourceMap;

/// How a program becomes an engine.
#[derive(Clone, Debug)]
pub struct Wanted<'w> {
    /// Name of the program, and of the design.
    pub name: &'w str,
    /// Where spans of the program are, if it is known.
    pub sources: Option<&'w SourceMap>,
    /// What the design looks like.
    pub emit: EmitOptions,
    /// How its model is built.
    pub effort: Effort,
    /// A file for a waveform.
    pub waveform: Option<&'w Path>,
    /// How packets and requests go in.
    pub settings: Settings,
}

impl<'w> Wanted<'w> {
    /// A model that is built quickly, with a bus of 64 bits.
    pub fn quick(name: &'w str) -> Self {
        Self {
            name,
            sources: None,
            emit: EmitOptions { width: 64, ..EmitOptions::default() },
            effort: Effort::Fast,
            waveform: None,
            settings: Settings::default(),
        }
    }
}

/// Why a program is no engine.
#[derive(Debug)]
pub enum Failure {
    /// It has no pipeline form.
    Lowering(String),
    /// Hardware cannot hold it.
    Refused(Vec<Refusal>),
    /// A tool failed, or the model.
    Failed(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lowering(text) => write!(f, "not supported: {text}"),
            Self::Refused(refusals) => {
                let list: Vec<String> = refusals.iter().map(Refusal::to_string).collect();
                write!(f, "not supported: {}", list.join("; "))
            }
            Self::Failed(text) => f.write_str(text),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// The design of a program.
///
/// # Errors
/// If it has no pipeline form or hardware cannot hold it.
pub fn design(program: &Program, wanted: &Wanted<'_>) -> Result<Design, Failure> {
    let mut pipeline = ww_p4::pipeline::lower_for_hardware(program).map_err(|diagnostics| {
        let first = diagnostics.iter().next();
        Failure::Lowering(first.map_or("it cannot be lowered".into(), |d| d.message.clone()))
    })?;
    optimise(&mut pipeline, wanted.emit.passes());
    emit(&pipeline, wanted.name, wanted.sources, &wanted.emit).map_err(Failure::Refused)
}

/// A program on a model of its hardware.
///
/// # Errors
/// As [`design`], and if a tool is missing or fails.
pub fn load(program: Arc<Program>, wanted: &Wanted<'_>) -> Result<Rtl, Failure> {
    let design = design(&program, wanted)?;
    let (tools, cache) = (Tools::find()?, Cache::open()?);
    let options =
        compile::Options { effort: wanted.effort, waveform: wanted.waveform.map(Waveform::of) };
    let model = build(&design, options, &tools, &cache)?;
    Ok(Rtl::new(program, &design.manifest, &model, wanted.waveform, wanted.settings)?)
}
