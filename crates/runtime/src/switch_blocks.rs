//! The blocks of a switch beside its program: output queues with a scheduler, and a TCPU.

use crate::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use ww_dataplane::traffic::TrafficManager;
use ww_engine::arch::Unsupported;
use ww_engine::engine::{AnyEngine, Engine};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Worker;
use ww_engine::policy::PolicyCompiler;
use ww_sched::policy_file::Plan;
use ww_tpp::switch::{Config, settings_file};

/// Bytes of the largest policy file.
const MAX_POLICY: u64 = 1 << 20;

/// Reads a policy file, or a policy in P4.
///
/// # Errors
/// It cannot be read, or what is wrong with it.
pub fn plan(file: &Path) -> Result<Plan, Error> {
    if file.extension().is_some_and(|extension| extension == "p4") {
        return Plan::of_policy(file, &PolicyCompiler).map_err(Error::Failed);
    }
    let path = file.display();
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|file| file.take(MAX_POLICY + 1).read_to_end(&mut bytes))
        .map_err(|error| Error::Failed(format!("cannot read '{path}': {error}")))?;
    if bytes.len() as u64 > MAX_POLICY {
        return Err(Error::Failed(format!("'{path}' has more than {MAX_POLICY} bytes")));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| Error::Failed(format!("'{path}' is not UTF-8: {error}")))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    Plan::parse_in(&path.to_string(), &text, folder, &PolicyCompiler)
        .map_err(|report| Error::Failed(report.to_string()))
}

/// Makes the blocks of each program that runs.
#[derive(Clone, Default)]
pub struct Blocks {
    queues: Option<Arc<Plan>>,
    tcpu: Option<Arc<Config>>,
}

/// What blocks can be put into.
pub trait Equipped {
    /// See [`Engine::set_traffic_manager`].
    fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>);
    /// See [`Engine::set_tcpu`].
    fn set_tcpu(&mut self, config: Config) -> Result<(), Unsupported>;
}

macro_rules! equipped {
    ($($type:ty),*) => {$(
        impl Equipped for $type {
            fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
                Self::set_traffic_manager(self, traffic);
            }
            fn set_tcpu(&mut self, config: Config) -> Result<(), Unsupported> {
                Self::set_tcpu(self, config)
            }
        }
    )*};
}

equipped!(Interp, Worker);

impl Equipped for AnyEngine {
    fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        Engine::set_traffic_manager(self, traffic);
    }
    fn set_tcpu(&mut self, config: Config) -> Result<(), Unsupported> {
        Engine::set_tcpu(self, config)
    }
}

impl Blocks {
    /// With queues as a policy file says.
    pub fn with_queues(self, plan: Plan) -> Self {
        Self { queues: Some(Arc::new(plan)), ..self }
    }

    /// With a TCPU as a file says.
    ///
    /// # Errors
    /// The file cannot be read, or what is wrong with it.
    pub fn with_tcpu(self, file: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| Error::Failed(format!("{}: {error}", file.display())))?;
        let config = settings_file::parse(&file.display().to_string(), &text)
            .map_err(|report| Error::Failed(report.to_string()))?;
        Ok(Self { tcpu: Some(Arc::new(config)), ..self })
    }

    /// How engines are to be loaded.
    pub fn options(&self) -> Options {
        Options { tcpu: self.tcpu.is_some(), ..Options::default() }
    }

    /// Puts the blocks into a switch, before its first packet.
    ///
    /// # Errors
    /// The engine has no place for a TCPU.
    pub fn equip(&self, switch: &mut impl Equipped) -> Result<(), String> {
        if let Some(plan) = &self.queues {
            switch.set_traffic_manager(Box::new(plan.traffic_manager()));
        }
        let Some(config) = &self.tcpu else { return Ok(()) };
        switch.set_tcpu((**config).clone()).map_err(|unsupported| unsupported.to_string())
    }

    /// Whether there are queues with a scheduler.
    pub fn has_queues(&self) -> bool {
        self.queues.is_some()
    }
}
