//! Reads out of a program what it offers to the control plane, and finds in the program what a
//! schema's numbers stand for.

mod build;
mod hashes;

pub use build::of;

use ww_dataplane::control::{ActionInfo, RegisterInfo};
use ww_p4::ir::{ActionId, InstanceId, InstanceKind, Program, Type};

/// Types of the parameters that entries with this action supply.
pub(crate) fn parameter_types<'p>(
    program: &'p Program,
    info: &ActionInfo,
) -> impl Iterator<Item = &'p Type> {
    let all = &program[ActionId(info.action)].parameters;
    all[all.len() - info.parameters.len()..].iter().map(|parameter| &parameter.ty)
}

/// Type of a register's cells.
pub(crate) fn cell_type<'p>(program: &'p Program, info: &RegisterInfo) -> &'p Type {
    match &program[InstanceId(info.instance)].kind {
        InstanceKind::Extern(_, arguments) => arguments.first().unwrap_or(&Type::Void),
        _ => &Type::Void,
    }
}
