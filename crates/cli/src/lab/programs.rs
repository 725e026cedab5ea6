//! Programs of labs in the engines.

use crate::args::EngineName;
use crate::engine;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use ww_control::entries;
use ww_engine::dataplane::Dataplane;
use ww_engine::engine::{AnyEngine, Engine};
use ww_lab::plan::{self, Program};
use ww_lab::world;
use ww_p4::diagnostic::{Diagnostics, Severity};
use ww_p4::frontend::{Compilation, compile_file};
use ww_p4::ir;
use ww_p4::preprocess::Options;
use ww_p4::source::SourceMap;
use ww_sched::traffic::shared::Shared;

/// Loads programs; each file is checked once.
#[derive(Default)]
pub struct Programs {
    checked: Mutex<BTreeMap<PathBuf, Arc<ir::Program>>>,
}

impl Programs {
    fn program(&self, file: &Path) -> Result<Arc<ir::Program>, String> {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = checked.get(file) {
            return Ok(Arc::clone(program));
        }
        let mut compilation = compile_file(file, &Options::default());
        if compilation.diagnostics.has_errors() {
            compilation.diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
            let text = compilation.diagnostics.render(&compilation.sources, false);
            return Err(format!("{}\n{} is rejected", text.trim_end(), file.display()));
        }
        let Compilation { program, .. } = compilation;
        let program = Arc::new(program);
        checked.insert(file.to_owned(), Arc::clone(&program));
        Ok(program)
    }
}

impl world::Programs for Programs {
    fn load(&self, program: &Program) -> Result<Box<dyn Dataplane>, String> {
        let ir = self.program(&program.file)?;
        let name = match program.engine {
            plan::Engine::Jit => EngineName::Jit,
            plan::Engine::Interp => EngineName::Interp,
            plan::Engine::Rtl => EngineName::Rtl,
        };
        if name == EngineName::Rtl && program.scheduler.is_some() {
            let node = &program.name;
            return Err(format!(
                "'{node}': engine rtl has the output queues of its design, so no scheduler"
            ));
        }
        let mut engine =
            engine::load(name, &program.file, ir).map_err(engine::NotLoaded::message)?;
        enter(program, &mut engine)?;
        if let Some(policy) = &program.scheduler {
            let manager = policy.traffic_manager_at(&program.rates);
            engine.set_traffic_manager(Box::new(Shared::new(manager)));
        }
        Ok(Box::new(engine))
    }
}

/// Carries out the commands that make a program's entries.
fn enter(program: &Program, engine: &mut AnyEngine) -> Result<(), String> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add(Path::new(&program.entries_name), program.entries.clone(), false);
    let script = entries::parse(file, &sources, &mut diagnostics);
    script.load(engine, &mut diagnostics);
    match diagnostics.has_errors() {
        true => {
            let text = diagnostics.render(&sources, false);
            Err(format!("{}\nthe entries of '{}' are rejected", text.trim_end(), program.name))
        }
        false => Ok(()),
    }
}
