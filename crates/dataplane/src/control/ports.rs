//! The port numbers that a program can name.

use super::{Error, Request};
use std::fmt;

/// The port numbers that a program can name: those for which its architecture's fields have room, without the one that
/// means drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    /// The architecture's name.
    pub architecture: &'static str,
    /// The largest number for which the fields have room.
    pub largest: u64,
    /// The number that means drop.
    pub drop: Option<u64>,
}

impl Ports {
    /// Whether there is a port with this number.
    pub fn has(&self, port: u64) -> bool {
        port <= self.largest && self.drop != Some(port)
    }

    /// Refuses a request that sends copies to a port that does not exist.
    ///
    /// # Errors
    /// The first such port.
    pub fn check(&self, request: &Request) -> Result<(), Error> {
        let ports = match request {
            Request::MirrorSet { to, .. } => to.port.as_slice(),
            Request::MulticastNodeCreate { ports, .. }
            | Request::MulticastNodeUpdate { ports, .. } => ports,
            _ => &[],
        };
        match ports.iter().find(|port| !self.has(u64::from(**port))) {
            None => Ok(()),
            Some(port) => {
                Err(Error::Invalid { message: format!("there is no port {port}: {self}") })
            }
        }
    }
}

/// `v1model has the ports 0 to 510; 511 means drop`.
impl fmt::Display for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { architecture, largest, drop } = self;
        let last = largest - u64::from(*drop == Some(*largest));
        write!(f, "{architecture} has the ports 0 to {last}")?;
        drop.map_or(Ok(()), |drop| write!(f, "; {drop} means drop"))
    }
}
