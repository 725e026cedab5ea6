//! The choice of an engine.

use crate::args::EngineName;
use std::path::Path;
use std::sync::Arc;
use ww_engine::interp::{Interp, Options};
use ww_p4::ir::Program;

/// Loads a program into an engine. The error is what is not supported.
pub fn load(name: EngineName, path: &Path, program: Arc<Program>) -> Result<Interp, String> {
    let word = match name {
        EngineName::Interp => {
            return Interp::new(program, Options::default()).map_err(|unsupported| {
                format!("{}: engine interp: {unsupported}", path.display())
            });
        }
        EngineName::Jit => "jit",
        EngineName::Rtl => "rtl",
    };
    Err(format!("engine {word} is not part of this build; `--engine interp` is"))
}
