//! What a server controls: one dataplane, and how it is exchanged for another.

use super::Replaceable;
use super::ledger::{Inherited, Ledger};
use super::protocol::LoadRequest;
use crate::entries::Surroundings;
use parking_lot::{Mutex, MutexGuard, RwLock};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use ww_dataplane::PortId;
use ww_dataplane::control::{Control, Schema};

/// The counters of one port.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PortCounters {
    /// Its number.
    pub port: PortId,
    /// What it is attached to.
    pub spec: String,
    /// Frames given to the dataplane.
    pub rx_packets: u64,
    /// Their bytes, without FCS.
    pub rx_bytes: u64,
    /// Frames that left.
    pub tx_packets: u64,
    /// Their bytes, without FCS.
    pub tx_bytes: u64,
    /// Frames lost on the way in or out, where that is known while the dataplane runs.
    pub drops: Option<u64>,
}

/// Knows the ports of a running dataplane.
pub trait Ports: Send + Sync {
    /// The counters now, by port number.
    fn counters(&self) -> Vec<PortCounters>;
}

/// A program that is ready to take over.
pub struct Loaded<C> {
    /// Its control side, in the state after loading.
    pub control: C,
    /// How it is called.
    pub program: String,
}

/// Makes an engine of a program; the error is the message for whoever asked.
type Factory<C> = Box<dyn FnMut(&LoadRequest) -> Result<Loaded<C>, String> + Send>;

/// The program at one time.
pub(super) struct Current {
    pub schema: Arc<Schema>,
    pub program: String,
    /// How many programs there were before.
    pub epoch: u64,
}

/// A dataplane under control.
pub struct Plane<C> {
    ledger: Arc<Mutex<Ledger<C>>>,
    current: RwLock<Arc<Current>>,
    factory: Option<Mutex<Factory<C>>>,
    ports: Option<Arc<dyn Ports>>,
    /// When it was made, about when its run begins.
    start: Instant,
    stop: Option<Box<dyn Fn() + Send + Sync>>,
    log: Box<dyn Fn(&str) + Send + Sync>,
}

impl<C: Replaceable> Plane<C> {
    /// The dataplane of a ledger, which runs `program`.
    pub fn new(ledger: Arc<Mutex<Ledger<C>>>, program: &str) -> Self {
        let schema = ledger.lock().schema();
        let current = Current { schema, program: program.to_owned(), epoch: 0 };
        Self {
            ledger,
            current: RwLock::new(Arc::new(current)),
            factory: None,
            ports: None,
            start: Instant::now(),
            stop: None,
            log: Box::new(|_| ()),
        }
    }

    /// Lets clients load other programs, which `factory` makes.
    pub fn loading(
        mut self,
        factory: impl FnMut(&LoadRequest) -> Result<Loaded<C>, String> + Send + 'static,
    ) -> Self {
        self.factory = Some(Mutex::new(Box::new(factory)));
        self
    }

    /// Lets clients read the counters of ports.
    pub fn with_ports(mut self, ports: Arc<dyn Ports>) -> Self {
        self.ports = Some(ports);
        self
    }

    /// Lets clients stop the dataplane.
    pub fn stopping(mut self, stop: impl Fn() + Send + Sync + 'static) -> Self {
        self.stop = Some(Box::new(stop));
        self
    }

    /// Has messages about clients given to `log`.
    pub fn logging(mut self, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.log = Box::new(log);
        self
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger<C>> {
        self.ledger.lock()
    }

    /// The ledger, if the program is still the one that names were resolved for.
    pub(super) fn ledger_of(&self, current: &Current) -> Result<MutexGuard<'_, Ledger<C>>, String> {
        let ledger = self.ledger.lock();
        match self.current.read().epoch == current.epoch {
            true => Ok(ledger),
            false => Err("another program was loaded meanwhile".to_owned()),
        }
    }

    pub(super) fn current(&self) -> Arc<Current> {
        Arc::clone(&self.current.read())
    }

    pub(super) fn log(&self, message: &str) {
        (self.log)(message);
    }

    /// What commands may ask of the run.
    pub(super) fn surroundings(&self) -> Surroundings {
        let named = |port: PortCounters| (port.port, port.spec);
        Surroundings {
            ports: self.ports().map(|ports| ports.into_iter().map(named).collect()),
            elapsed: self.start.elapsed(),
            since_epoch: SystemTime::now().duration_since(UNIX_EPOCH).ok(),
        }
    }

    pub(super) fn ports(&self) -> Option<Vec<PortCounters>> {
        self.ports.as_ref().map(|ports| ports.counters())
    }

    pub(super) fn stop(&self) -> Result<(), String> {
        match &self.stop {
            Some(stop) => {
                stop();
                Ok(())
            }
            None => Err("this dataplane cannot be stopped by request".to_owned()),
        }
    }

    /// Compiles another program and has it take over; on any error all goes on as before.
    pub(super) fn load(&self, request: &LoadRequest) -> Result<(String, Inherited), String> {
        let Some(factory) = &self.factory else {
            return Err("this dataplane does not take other programs".to_owned());
        };
        // Held to the end: programs are loaded one after the other.
        let mut factory = factory.lock();
        let Loaded { control, program } = factory(request)?;
        let mut new = Ledger::new(control).map_err(|error| error.to_string())?;
        let schema = new.schema();
        let mut ledger = self.ledger();
        let inherited = new.inherit(&mut ledger, request.drop_misfits).map_err(|misfits| {
            format!("{program} does not fit what is installed, and is not loaded: {misfits}")
        })?;
        ledger.replace_by(new).map_err(|error| {
            format!("{program} cannot take over the state of the running program: {error}")
        })?;
        let mut current = self.current.write();
        let epoch = current.epoch + 1;
        *current = Arc::new(Current { schema, program: program.clone(), epoch });
        Ok((program, inherited))
    }
}
