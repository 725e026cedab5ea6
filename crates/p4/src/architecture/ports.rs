//! The port numbers that a program can name.

use super::{Meaning, Role, bind};
use crate::ir::{Program, Type};
use ww_dataplane::control::Ports;

/// Those of a program. `None`: it is written for no known architecture, so that no engine runs it.
pub fn ports_of(program: &Program) -> Option<Ports> {
    let (architecture, blocks) = bind(program).ok()?;
    let ports = [Meaning::IngressPort, Meaning::OutputPort].map(|port| architecture.named(port));
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
    Some(Ports { architecture: architecture.name, largest, drop: architecture.drop_port() })
}
