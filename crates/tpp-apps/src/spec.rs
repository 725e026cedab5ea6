//! What a host is told to be.

use super::{collect, conga, convergence, drops, rcp, silent, sketch, update, vendors};
use serde::{Deserialize, Serialize};
use ww_host::agent::Agent;

/// An application at one host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Spec {
    /// Packets that carry a program.
    Collect(collect::Spec),
    /// Flows under RCP*.
    Rcp(rcp::agent::Spec),
    /// Flows under CONGA*.
    Conga(conga::agent::Spec),
    /// Counts of packets by path.
    Silent(silent::agent::Spec),
    /// Packets that carry their path.
    Convergence(convergence::agent::Spec),
    /// A collector of reports of drops.
    Drops(drops::Spec),
    /// Sketches of links.
    Sketch(sketch::agent::Spec),
    /// Routes for the switches of a path.
    Update(update::agent::Spec),
    /// A statistic of switches of several vendors.
    Vendors(vendors::agent::Spec),
}

impl Spec {
    /// The application, at the start. `None` if a TPP in it is none, or bitmaps have another
    /// number of bits than they can.
    pub fn agent(self) -> Option<Box<dyn Agent>> {
        Some(match self {
            Self::Collect(spec) => Box::new(collect::Collector::new(spec)),
            Self::Rcp(spec) => Box::new(rcp::agent::Host::new(spec)?),
            Self::Conga(spec) => Box::new(conga::agent::Host::new(spec)),
            Self::Drops(spec) => Box::new(drops::Collector::new(spec)),
            Self::Convergence(spec) => Box::new(convergence::agent::Host::new(spec)),
            Self::Silent(spec) => Box::new(silent::agent::Host::new(spec)),
            Self::Sketch(spec) => Box::new(sketch::agent::Host::new(spec)?),
            Self::Update(spec) => Box::new(update::agent::Host::new(spec)),
            Self::Vendors(spec) => Box::new(vendors::agent::Host::new(spec)),
        })
    }
}
