//! Programs of labs in the engines.

use crate::plan::{Engine as Name, Program};
use crate::world::Programs;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use ww_control::entries;
use ww_engine::dataplane::Dataplane;
use ww_engine::engine::{AnyEngine, Engine};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_p4::diagnostic::{Diagnostics, Severity};
use ww_p4::frontend::{Compilation, compile_file};
use ww_p4::ir;
use ww_p4::preprocess;
use ww_p4::source::SourceMap;
use ww_sched::traffic::shared::Shared;

/// Loads a program's file into engine rtl.
pub type LoadRtl = fn(&Path, Arc<ir::Program>) -> Result<AnyEngine, String>;

/// Loads programs; each file is checked once.
pub struct Engines {
    /// Engine rtl builds a model, which is for a layer above this one.
    rtl: Option<LoadRtl>,
    checked: Mutex<BTreeMap<PathBuf, Arc<ir::Program>>>,
}

impl Engines {
    /// Engines interp and jit, and rtl if there is somebody who loads it.
    pub fn new(rtl: Option<LoadRtl>) -> Self {
        Self { rtl, checked: Mutex::default() }
    }

    fn program(&self, file: &Path) -> Result<Arc<ir::Program>, String> {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = checked.get(file) {
            return Ok(Arc::clone(program));
        }
        let mut compilation = compile_file(file, &preprocess::Options::default());
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

    fn engine(&self, name: Name, file: &Path, ir: Arc<ir::Program>) -> Result<AnyEngine, String> {
        let said = |engine: &str, what: &dyn std::fmt::Display| {
            format!("{}: engine {engine}: {what}", file.display())
        };
        match name {
            Name::Interp => Interp::new(ir, Options::default())
                .map(AnyEngine::new)
                .map_err(|unsupported| said("interp", &unsupported)),
            Name::Jit => {
                Jit::new(Arc::clone(&ir), Options::default()).map(AnyEngine::new).map_err(|error| {
                    match Interp::new(ir, Options::default()) {
                        Ok(_) => said("jit", &format!("{error}; engine = \"interp\" runs it")),
                        Err(_) => said("jit", &error),
                    }
                })
            }
            Name::Rtl => match self.rtl {
                Some(load) => load(file, ir),
                None => Err(said("rtl", &"`ww lab run` has it, but not what runs the lab here")),
            },
        }
    }
}

impl Programs for Engines {
    fn load(&self, program: &Program) -> Result<Box<dyn Dataplane>, String> {
        let ir = self.program(&program.file)?;
        if program.engine == Name::Rtl && program.scheduler.is_some() {
            let node = &program.name;
            return Err(format!(
                "'{node}': engine rtl has the output queues of its design, so no scheduler"
            ));
        }
        let mut engine = self.engine(program.engine, &program.file, ir)?;
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
