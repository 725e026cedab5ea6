//! What a port is attached to, and how each worker opens its part of it.

use super::PortError;
use super::device::Opened;
use super::interface::{self, Fanout};
use super::memory::Memory;
use super::socket::interface_index;
use super::{tap, xdp};
use crate::frame_memory::FrameMemory;
use crate::spec::{Access, PortAssignment, PortSpec};
use crate::world::{PortCounters, RunError};
use std::sync::Arc;
use ww_dataplane::PortId;

/// A live port, shared by all workers.
pub(crate) struct Attachment {
    port: PortId,
    name: String,
    workers: usize,
    kind: Kind,
}

enum Kind {
    Packet(Fanout),
    Xdp(xdp::Shared),
    Tap,
    Memory(Memory),
    #[cfg(feature = "dpdk")]
    Dpdk(Arc<crate::dpdk::Device>),
}

impl Attachment {
    /// Prepares a port for so many workers; the frames of a memory port count in `memory`. `None` when it is made of files. What the
    /// user should know is told to `notice`.
    pub fn new(
        assignment: &PortAssignment,
        workers: usize,
        memory: &mut FrameMemory,
        notice: &dyn Fn(&str),
    ) -> Result<Option<Self>, RunError> {
        let port = assignment.port;
        let (name, kind) = match &assignment.spec {
            PortSpec::Files { .. } => return Ok(None),
            PortSpec::Interface(name, access) => {
                let xdp = match access {
                    Access::Packet => false,
                    Access::Xdp => true,
                    Access::Any => {
                        let (xdp, why) = xdp::suits(name, workers);
                        let way = if xdp { "AF_XDP" } else { "AF_PACKET" };
                        if interface_index(name).is_some() {
                            notice(&format!(
                                "port {port}: interface `{name}` through {way}: {why}"
                            ));
                        }
                        xdp
                    }
                };
                let kind = match xdp {
                    true => Kind::Xdp(xdp::Shared::default()),
                    false => Kind::Packet(Fanout::default()),
                };
                (name.clone(), kind)
            }
            PortSpec::Tap(name) => (name.clone(), Kind::Tap),
            PortSpec::Memory { input, replay } => {
                let memory = Memory::load(input.as_deref(), *replay, workers, memory)?;
                (assignment.spec.to_string(), Kind::Memory(memory))
            }
            #[cfg(feature = "dpdk")]
            PortSpec::Dpdk(name) => {
                let device = crate::dpdk::Device::open(name, workers)
                    .map_err(|problem| absent(port, name, &problem))?;
                (name.clone(), Kind::Dpdk(Arc::new(device)))
            }
            #[cfg(not(feature = "dpdk"))]
            PortSpec::Dpdk(name) => {
                let problem = "DPDK ports are not part of this build; `cargo build --features \
                               dpdk` makes one that has them (it needs libdpdk-dev)";
                return Err(absent(port, name, problem));
            }
        };
        Ok(Some(Self { port, name, workers, kind }))
    }

    /// The port's number.
    pub fn port(&self) -> PortId {
        self.port
    }

    /// The name of what stands behind the port.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Opens the part of a worker.
    pub fn open(&self, worker: usize, counters: Arc<PortCounters>) -> Result<Opened, PortError> {
        let shared = self.workers > 1;
        match &self.kind {
            Kind::Packet(fanout) => {
                interface::open(&self.name, self.port, shared.then_some(fanout), counters)
            }
            Kind::Xdp(program) => {
                let place = (worker, self.workers);
                xdp::open(&self.name, self.port, place, program, counters)
            }
            Kind::Tap => tap::open(&self.name, self.port, shared, counters),
            Kind::Memory(memory) => Ok(memory.open(self.port, worker, counters)),
            #[cfg(feature = "dpdk")]
            Kind::Dpdk(device) => Ok(device.attach(self.port, worker, counters)),
        }
        .map_err(|problem| PortError {
            port: self.port,
            interface: self.name.clone(),
            problem,
        })
    }

    /// Whether it is worth trying to open a port that vanished.
    pub fn may_be_back(&self) -> bool {
        match &self.kind {
            Kind::Packet(_) | Kind::Xdp(_) => interface_index(&self.name).is_some(),
            Kind::Tap => true,
            Kind::Memory(_) => false,
            #[cfg(feature = "dpdk")]
            Kind::Dpdk(_) => false,
        }
    }
}

/// The error for a port that cannot be had.
fn absent(port: PortId, name: &str, problem: &str) -> RunError {
    PortError { port, interface: name.to_owned(), problem: problem.to_owned() }.into()
}
