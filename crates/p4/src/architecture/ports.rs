//! The port numbers that a program can name.

use super::{Meaning, Role, bind};
use crate::ir::{Program, Type};
use std::fmt;

/// The port numbers that a program can name: those for which its architecture's fields have room, without the one that
/// means drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    architecture: &'static str,
    largest: u64,
    drop: Option<u64>,
}

impl Ports {
    /// Those of a program. `None`: it is written for no known architecture, so that no engine runs it.
    pub fn of(program: &Program) -> Option<Self> {
        let (architecture, blocks) = bind(program).ok()?;
        let ports =
            [Meaning::IngressPort, Meaning::OutputPort].map(|port| architecture.named(port));
        let mut largest = u64::MAX;
        for block in blocks {
            let parameters = super::bind_parameters(program, block.instance).iter();
            let roles = parameters.zip(block.description.roles);
            for (parameter, _) in roles.filter(|(_, role)| **role == Role::Intrinsic) {
                let fields = program.types.as_struct(&parameter.ty).map(|def| &def.fields);
                for field in fields.into_iter().flatten() {
                    if let Type::Bit(width @ 1..64) = field.ty
                        && ports.contains(&Some(&*field.name))
                    {
                        largest = largest.min(u64::MAX >> (64 - width));
                    }
                }
            }
        }
        Some(Self { architecture: architecture.name, largest, drop: architecture.drop_port() })
    }

    /// Whether there is a port with this number.
    pub fn has(&self, port: u64) -> bool {
        port <= self.largest && self.drop != Some(port)
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
