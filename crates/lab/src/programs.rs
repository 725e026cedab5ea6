//! Programs of labs in the engines.

use crate::plan::{Origin, Program};
use crate::world::Programs;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use ww_config::mistakes::{Mistakes, Place, Sources};
use ww_dataplane::Dataplane;
use ww_p4::diagnostic::{Diagnostic, Diagnostics, Severity};
use ww_p4::preprocess;
use ww_p4::source::SourceMap;
use ww_runtime::engine::EngineName;
use ww_runtime::error::Mistakes as Rejection;
use ww_runtime::switch::ProgramSwitch;
use ww_runtime::{entries, program};

/// Loads programs; each file is checked once.
#[derive(Default)]
pub struct Engines {
    checked: Mutex<BTreeMap<PathBuf, program::Program>>,
}

impl Engines {
    /// A program that is accepted, or all about one that is not.
    fn program(&self, file: &Path) -> Result<program::Program, Rejection> {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = checked.get(file) {
            return Ok(program.clone());
        }
        let program = program::Program::open(file, &preprocess::Options::default())?;
        checked.insert(file.to_owned(), program.clone());
        Ok(program)
    }

    /// Says what is wrong with a program and with its entries: in the program's file, in the file of its entries, or where the
    /// lab's file has them.
    pub fn inspect(&self, program: &Program, sources: &mut Sources, mistakes: &Mistakes) {
        let switch = match self.program(&program.file) {
            Ok(loaded) => {
                if has_foreign_scheduler(program) {
                    mistakes.add(&program.place, FOREIGN_SCHEDULER);
                }
                if program.engine == EngineName::Rtl && program.tcpu.is_some() {
                    mistakes.add(&program.place, NO_TCPU);
                }
                // Hardware is built when it is run; what its tables take is known without.
                let name = if program.engine == EngineName::Rtl {
                    EngineName::Interp
                } else {
                    program.engine
                };
                let switch = load(name, program, &loaded);
                switch
                    .map_err(|error| {
                        if program.engine == name {
                            mistakes.add(&program.place, error);
                        }
                    })
                    .ok()
            }
            Err(rejection) => {
                for diagnostic in rejection.diagnostics.iter() {
                    let span = diagnostic.span;
                    let place = match rejection.sources.file(span.file) {
                        Some(file) => {
                            let source =
                                sources.file_once(&file.path.display().to_string(), &file.text);
                            Place::new(source, span.lo as usize..span.hi as usize)
                        }
                        None => program.place.clone(),
                    };
                    mistakes.advise(&place, said(diagnostic), diagnostic.help.clone());
                }
                None
            }
        };
        let (_, diagnostics) = match switch {
            Some(mut switch) => entered(program, Some(&mut switch)),
            // What a command is can be said without the program.
            None => entered(program, None),
        };
        let mut routes = HashSet::new();
        for diagnostic in diagnostics.iter().filter(|one| one.severity == Severity::Error) {
            let span = diagnostic.span.lo as usize..diagnostic.span.hi as usize;
            let behind = program.sections.partition_point(|section| section.start <= span.start);
            let Some(section) = behind.checked_sub(1).and_then(|at| program.sections.get(at))
            else {
                mistakes.advise(&program.place, said(diagnostic), diagnostic.help.clone());
                continue;
            };
            let (place, message) = match &section.origin {
                Origin::File(path) => {
                    let end = program.sections.get(behind).map(|section| section.start);
                    let text =
                        &program.entries[section.start..end.unwrap_or(program.entries.len())];
                    let source = sources.file_once(&path.display().to_string(), text);
                    let span = span.start - section.start..span.end - section.start;
                    (Place::new(source, span), said(diagnostic))
                }
                Origin::Line(place) => (place.clone(), format!("'entries': {}", said(diagnostic))),
                // One command for many hosts is wrong once.
                Origin::Route(place, _) if !routes.insert(place) => continue,
                Origin::Route(place, host) => {
                    let whose =
                        if host.is_empty() { String::new() } else { format!(" for '{host}'") };
                    (place.clone(), format!("'routes'{whose}: {}", said(diagnostic)))
                }
            };
            mistakes.advise(&place, message, diagnostic.help.clone());
        }
    }
}

/// Loads a program of a lab.
fn load(
    name: EngineName,
    program: &Program,
    loaded: &program::Program,
) -> Result<ProgramSwitch, String> {
    match ProgramSwitch::load(name, loaded, program.tcpu.is_some()) {
        Ok(switch) => Ok(switch),
        Err(error) if error.interp_runs_it => {
            Err(format!("{}; engine = \"interp\" runs it", error.reason))
        }
        Err(error) => Err(error.reason),
    }
}

impl Programs for Engines {
    fn load(&self, program: &Program) -> Result<Box<dyn Dataplane>, String> {
        let loaded = self.program(&program.file).map_err(|rejection| rejection.to_string())?;
        if has_foreign_scheduler(program) {
            return Err(format!("'{}': {FOREIGN_SCHEDULER}", program.name));
        }
        if program.engine == EngineName::Rtl && program.tcpu.is_some() {
            return Err(format!("'{}': {NO_TCPU}", program.name));
        }
        let mut switch = load(program.engine, program, &loaded)?;
        if let Some(config) = &program.tcpu {
            let set = switch.set_tcpu(config.clone());
            set.map_err(|error| format!("'{}': {error}", program.name))?;
        }
        enter(program, &mut switch)?;
        if let Some(policy) = &program.scheduler {
            let manager = policy.traffic_manager_at(&program.rates);
            switch.set_traffic_manager(Box::new(manager));
        }
        Ok(switch.into_dataplane())
    }
}

/// What is said of a scheduler that an engine does not take.
const FOREIGN_SCHEDULER: &str = "engine rtl has the output queues of its design, so no scheduler";

/// What is said of an engine that executes no TPPs.
const NO_TCPU: &str = "engine rtl executes no TPPs: leave it out of 'switches' of [tpp]";

fn has_foreign_scheduler(program: &Program) -> bool {
    program.engine == EngineName::Rtl && program.scheduler.is_some()
}

/// A message with what stands beside its caret.
fn said(diagnostic: &Diagnostic) -> String {
    match diagnostic.label.is_empty() {
        true => diagnostic.message.clone(),
        false => format!("{} ({})", diagnostic.message, diagnostic.label),
    }
}

/// Carries out the commands that make a program's entries; without a switch they are only read. Returns what is wrong with them.
fn entered(program: &Program, switch: Option<&mut ProgramSwitch>) -> (SourceMap, Diagnostics) {
    let (name, text) = (Path::new(&program.entries_name), program.entries.clone());
    let control = switch.map(ProgramSwitch::control);
    let (_, diagnostics, sources) = entries::carry_out(name, text, control);
    (sources, diagnostics)
}

/// Carries out the commands that make a program's entries.
fn enter(program: &Program, switch: &mut ProgramSwitch) -> Result<(), String> {
    let (sources, diagnostics) = entered(program, Some(switch));
    match diagnostics.has_errors() {
        true => {
            let text = diagnostics.render(&sources, false);
            Err(format!("{}\nthe entries of '{}' are rejected", text.trim_end(), program.name))
        }
        false => Ok(()),
    }
}
