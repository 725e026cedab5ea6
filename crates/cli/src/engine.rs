//! The choice of an engine.

use crate::args::EngineName;
use std::path::Path;
use std::sync::Arc;
use ww_engine::engine::AnyEngine;
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::control::JitControl;
use ww_engine::jit::{Jit, LoadError, Worker};
use ww_p4::ir::Program;

/// Loads a program into an engine. The error is what is not supported.
pub fn load(name: EngineName, path: &Path, program: Arc<Program>) -> Result<AnyEngine, String> {
    let options = Options::default();
    match name {
        EngineName::Interp => interp(path, program).map(AnyEngine::new),
        EngineName::Jit => {
            let engine = Jit::new(program.clone(), options);
            engine.map(AnyEngine::new).map_err(|error| refused(path, program, &error))
        }
        EngineName::Rtl => {
            Err("engine rtl is not part of this build; `interp` and `jit` are".to_owned())
        }
    }
}

/// Loads a program into the native engine for several workers.
pub fn workers(
    path: &Path,
    program: Arc<Program>,
    workers: usize,
) -> Result<(JitControl, Vec<Worker>), String> {
    Jit::with_workers(program.clone(), Options::default(), workers)
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
pub fn interp(path: &Path, program: Arc<Program>) -> Result<Interp, String> {
    Interp::new(program, Options::default())
        .map_err(|unsupported| format!("{}: engine interp: {unsupported}", path.display()))
}
