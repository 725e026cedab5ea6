//! The engines, and programs in them.

use crate::error::Error;
use crate::hardware::{RtlSettings, design, simulation};
use crate::program::{Program, at};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use ww_engine::engine::AnyEngine;
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::control::JitControl;
use ww_engine::jit::{Jit, Worker};
use ww_rtl::runner::monitor::Monitor;

/// The engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineName {
    /// Native code.
    #[default]
    Jit,
    /// The reference.
    Interp,
    /// The generated SystemVerilog.
    Rtl,
}

impl EngineName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Jit, Self::Interp, Self::Rtl];

    /// The word that `--engine` takes.
    pub fn word(self) -> &'static str {
        match self {
            Self::Jit => "jit",
            Self::Interp => "interp",
            Self::Rtl => "rtl",
        }
    }

    /// What it is, for the help.
    pub fn description(self) -> &'static str {
        match self {
            Self::Jit => "Native code",
            Self::Interp => "The reference",
            Self::Rtl => "The generated SystemVerilog",
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for EngineName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|engine| engine.word() == text);
        found.ok_or_else(|| format!("expected an engine (jit, interp or rtl), found '{text}'"))
    }
}

/// Why an engine has not loaded a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotLoaded {
    /// The reason, with the program's file and the engine.
    pub reason: String,
    /// The engine cannot hold the program: other than when tools are not installed, or a model cannot be built.
    pub unsupported: bool,
    /// The reference engine runs it.
    pub interp_runs_it: bool,
}

impl fmt::Display for NotLoaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        if self.interp_runs_it {
            f.write_str("; `--engine interp` runs it")?;
        }
        Ok(())
    }
}

impl std::error::Error for NotLoaded {}

impl From<NotLoaded> for Error {
    fn from(error: NotLoaded) -> Self {
        match error.unsupported {
            true => Self::Unsupported(error.to_string()),
            false => Self::Failed(error.to_string()),
        }
    }
}

/// Loads a program into an engine; of engine rtl with what tells of its model. `rtl` is for that engine alone, `options` for
/// the others.
///
/// # Errors
/// The engine does not run it.
pub fn load(
    name: EngineName,
    program: &Program,
    options: Options,
    rtl: &RtlSettings,
) -> Result<(AnyEngine, Option<Monitor>), NotLoaded> {
    match name {
        EngineName::Interp => interp(program, options).map(|engine| (AnyEngine::new(engine), None)),
        EngineName::Jit => jit(program, options, 1).map(|jit| (AnyEngine::new(jit), None)),
        EngineName::Rtl => {
            let not = |unsupported| {
                move |reason| NotLoaded { reason, unsupported, interp_runs_it: false }
            };
            let Program { path, sources, ir } = program;
            let design = design(path, ir, Some(sources), &rtl.design).map_err(not(true))?;
            let waveform = rtl.waveform.as_deref();
            let engine =
                simulation(path, Arc::clone(ir), &design, rtl.effort, waveform, rtl.drive());
            let engine = engine.map_err(not(false))?;
            let monitor = engine.monitor();
            Ok((AnyEngine::new(engine), Some(monitor)))
        }
    }
}

/// Loads a program into the reference engine, which tells every step.
///
/// # Errors
/// The engine does not run it.
pub fn interp(program: &Program, options: Options) -> Result<Interp, NotLoaded> {
    Interp::new(Arc::clone(&program.ir), options).map_err(|unsupported| NotLoaded {
        reason: format!(
            "{}: engine interp: {unsupported}{}",
            program.path.display(),
            at(&program.sources, unsupported.span)
        ),
        unsupported: true,
        interp_runs_it: false,
    })
}

/// Loads a program into the native engine.
fn jit(program: &Program, options: Options, workers: usize) -> Result<Jit, NotLoaded> {
    let loaded = Jit::with_workers(Arc::clone(&program.ir), options, workers);
    loaded.map_err(|error| NotLoaded {
        reason: format!(
            "{}: engine jit: {error}{}",
            program.path.display(),
            at(&program.sources, error.span())
        ),
        unsupported: true,
        interp_runs_it: interp(program, Options::default()).is_ok(),
    })
}

/// Loads a program into the native engine for several workers: its control plane, on which they lean, and the workers.
///
/// # Errors
/// The engine does not run it.
pub fn workers(
    program: &Program,
    options: Options,
    workers: usize,
) -> Result<(JitControl, Vec<Worker>), NotLoaded> {
    jit(program, options, workers).map(Jit::split)
}
