//! A program as a switch of a network that somebody else runs, in virtual time or on interfaces.

use crate::engine::{self, EngineName, NotLoaded};
use crate::hardware::RtlSettings;
use crate::program::Program;
use ww_dataplane::Dataplane;
use ww_dataplane::control::Control;
use ww_dataplane::traffic::TrafficManager;
use ww_engine::engine::{AnyEngine, Engine};
use ww_engine::interp::Options;
use ww_engine::policy::PolicyCompiler;
use ww_sched::policies::program::Compiler;
use ww_tpp::switch::Config;

/// A program in an engine. It is set up before the first packet, and then a dataplane like others.
pub struct ProgramSwitch(AnyEngine);

impl ProgramSwitch {
    /// Loads a program into an engine with its default options; `has_tcpu` makes room for a TCPU.
    ///
    /// # Errors
    /// The engine does not run it.
    pub fn load(name: EngineName, program: &Program, has_tcpu: bool) -> Result<Self, NotLoaded> {
        let options = Options { tcpu: has_tcpu, ..Options::default() };
        engine::load(name, program, options, &RtlSettings::default())
            .map(|(engine, _)| Self(engine))
    }

    /// Gives it a TCPU. It must have been loaded with room for one.
    ///
    /// # Errors
    /// The engine has no place for one.
    pub fn set_tcpu(&mut self, config: Config) -> Result<(), String> {
        self.0.set_tcpu(config).map_err(|error| error.to_string())
    }

    /// Replaces its output queues.
    pub fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        self.0.set_traffic_manager(traffic);
    }

    /// Its control plane.
    pub fn control(&mut self) -> &mut dyn Control {
        &mut self.0
    }

    /// As a dataplane.
    pub fn into_dataplane(self) -> Box<dyn Dataplane> {
        Box::new(self.0)
    }
}

/// What compiles scheduling policies that are P4 programs.
pub fn policy_compiler() -> impl Compiler {
    PolicyCompiler
}
