//! The blocks of a switch beside its program: output queues with a scheduler, and a TCPU.

use crate::error::Error;
use parking_lot::Mutex;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use ww_dataplane::PortId;
use ww_dataplane::traffic::TrafficManager;
use ww_engine::arch::Unsupported;
use ww_engine::engine::{AnyEngine, Engine};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Worker;
use ww_engine::policy::PolicyCompiler;
use ww_sched::policy_file::Plan;
use ww_sched::traffic::report::PortReport;
use ww_sched::traffic::shared::Shared;
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

/// Makes the blocks of each program that runs, and tells what the last one's queues have seen. Clones are the same.
#[derive(Clone, Default)]
pub struct Blocks {
    queues: Option<Arc<Plan>>,
    last: Arc<Mutex<Option<Shared>>>,
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

    /// Blocks for a program that is to run from now on; what its queues see is reported.
    ///
    /// # Errors
    /// The engine has no place for a TCPU.
    pub fn equip(&self, switch: &mut impl Equipped) -> Result<(), String> {
        if let Some(plan) = &self.queues {
            let queues = Shared::new(plan.traffic_manager());
            *self.last.lock() = Some(queues.clone());
            switch.set_traffic_manager(Box::new(queues));
        }
        self.equip_tcpu(switch)
    }

    /// Blocks that nobody reports.
    ///
    /// # Errors
    /// The engine has no place for a TCPU.
    pub fn equip_aside(&self, switch: &mut impl Equipped) -> Result<(), String> {
        if let Some(plan) = &self.queues {
            switch.set_traffic_manager(Box::new(Shared::new(plan.traffic_manager())));
        }
        self.equip_tcpu(switch)
    }

    fn equip_tcpu(&self, switch: &mut impl Equipped) -> Result<(), String> {
        let Some(config) = &self.tcpu else { return Ok(()) };
        switch.set_tcpu((**config).clone()).map_err(|unsupported| unsupported.to_string())
    }

    /// What the queues have seen that were made last, and how many packets were for ports beyond those that can have queues.
    pub fn reports(&self) -> (Vec<(PortId, PortReport)>, u64) {
        let last = self.last.lock();
        last.as_ref().map_or_else(Default::default, |queues| {
            let queues = queues.lock();
            (queues.reports(), queues.beyond())
        })
    }
}
