//! Scheduling policies written in P4, compiled, and engines that run them: what
//! [`ww_sched::policies::program`] asks for.

use crate::engine::AnyEngine;
use crate::interp::{Interp, Options};
use crate::jit::Jit;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use ww_dataplane::policy::Kind;
use ww_p4::diagnostic::{Diagnostics, Severity};
use ww_p4::frontend::{Compilation, compile_file, compile_text};
use ww_p4::ir;
use ww_p4::policy::{self, Layout, Policy, Size};
use ww_p4::preprocess;
use ww_sched::policies::program::{Compiler, EngineName, Machine, PolicyProgram, Runner};

/// Compiles policies, and runs them in the engines of this crate.
#[derive(Clone, Copy, Debug, Default)]
pub struct PolicyCompiler;

impl Compiler for PolicyCompiler {
    fn load(&self, file: &Path) -> Result<Arc<dyn PolicyProgram>, String> {
        Ok(Arc::new(P4Program::load(file)?))
    }
}

/// A policy in P4 that has been checked.
pub struct P4Program {
    name: String,
    policy: Policy,
    state: Mutex<State>,
}

struct State {
    compilation: Compilation,
    lowered: BTreeMap<(Size, Layout), Arc<ir::Program>>,
}

impl fmt::Debug for P4Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("P4Program").field("name", &self.name).finish_non_exhaustive()
    }
}

impl P4Program {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// All that is wrong with it, with places: several lines.
    pub fn load(path: &Path) -> Result<Self, String> {
        Self::with_options(path, &preprocess::Options::default())
    }

    /// The same with folders for includes, and macros.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn with_options(path: &Path, options: &preprocess::Options) -> Result<Self, String> {
        Self::of(path, compile_file(path, options))
    }

    /// The same for a text that stands for a file, which need not exist.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn of_text(path: &Path, text: &str) -> Result<Self, String> {
        Self::of(path, compile_text(path, text.into(), &preprocess::Options::default()))
    }

    fn of(path: &Path, mut compilation: Compilation) -> Result<Self, String> {
        let name = path.display().to_string();
        let diagnostics = &mut compilation.diagnostics;
        let policy = match diagnostics.has_errors() {
            true => None,
            false => policy::judge(&compilation.ast, &compilation.program, diagnostics),
        };
        let Some(policy) = policy else {
            diagnostics.retain(|d| d.severity == Severity::Error);
            let text = diagnostics.render(&compilation.sources, false);
            return Err(format!("{text}{name} is no scheduling policy that can be run"));
        };
        let state = Mutex::new(State { compilation, lowered: BTreeMap::new() });
        Ok(Self { name, policy, state })
    }

    /// What the policy consists of.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The v1model program for this many nodes and children.
    ///
    /// # Errors
    /// Several lines; see [`policy::program`].
    pub fn lowered(&self, size: Size, layout: Layout) -> Result<Arc<ir::Program>, String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { compilation, lowered } = &mut *state;
        if let Some(program) = lowered.get(&(size, layout)) {
            return Ok(Arc::clone(program));
        }
        let program = policy::program(compilation, &self.policy, size, layout).map_err(
            |diagnostics: Diagnostics| {
                format!("{}{}", diagnostics.render(&compilation.sources, false), self.name)
            },
        )?;
        let program = Arc::new(program);
        lowered.insert((size, layout), Arc::clone(&program));
        Ok(program)
    }

    /// A runner for an engine that has loaded `lowered(size, Layout::Carried)`: it keeps the states.
    pub fn carrying(&self, size: Size, engine: AnyEngine) -> Runner {
        let bytes = [&self.policy.node, &self.policy.child].map(|state| state.bytes());
        Runner::carrying(self, size, bytes, Box::new(engine))
    }
}

impl PolicyProgram for P4Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn has(&self, kind: Kind) -> bool {
        self.policy.has(kind)
    }

    fn engine(&self, size: Size, engine: Option<EngineName>) -> Result<Box<dyn Machine>, String> {
        let program = self.lowered(size, Layout::Fields)?;
        let options = Options::default();
        let interp = |program| {
            let engine = Interp::new(program, options).map(AnyEngine::new);
            engine.map_err(|error| format!("{}: engine interp: {error}", self.name))
        };
        let jit = |program| {
            let engine = Jit::new(program, options).map(AnyEngine::new);
            engine.map_err(|error| format!("{}: engine jit: {error}", self.name))
        };
        let engine = match engine {
            Some(EngineName::Interp) => interp(program),
            Some(EngineName::Jit) => jit(program),
            None => jit(Arc::clone(&program)).or_else(|_| interp(program)),
        };
        Ok(Box::new(engine?))
    }
}
