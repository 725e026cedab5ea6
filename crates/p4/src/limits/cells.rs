//! Cells of counters, meters and registers.

use crate::architecture::OBJECTS;
use crate::diagnostic::Diagnostic;
use crate::ir::{Const, ConstructorValue, InstanceKind, Program};
use num_traits::ToPrimitive;

/// The most cells that the counters, meters and registers of a program have together: 2^27. A
/// worker that uses each of so many counters takes 2 GiB (16 bytes a cell), and the control bus of
/// generated hardware, which addresses 2^28 cells, reaches every one.
pub const MOST_CELLS: u64 = 1 << 27;

/// The object with which a program has more than [`MOST_CELLS`] cells, as an error.
pub fn cells(program: &Program) -> Option<Diagnostic> {
    let mut before = 0u64;
    for instance in &program.instances {
        let InstanceKind::Extern(id, _) = &instance.kind else { continue };
        let kind = &*program.types[*id].name;
        // Of the objects that are not attached to tables, those with methods to call have cells.
        let has_cells = |(name, methods, is_direct): &(_, &[_], bool)| {
            *name == kind && !is_direct && !methods.is_empty()
        };
        if kind == "Checksum16" || !OBJECTS.iter().any(has_cells) {
            continue;
        }
        let Some(ConstructorValue::Const(Const::Int(size))) = instance.arguments.first() else {
            continue;
        };
        let sum = before.saturating_add(size.to_u64().unwrap_or(u64::MAX));
        if sum > MOST_CELLS {
            let name = &instance.name;
            let mut message = format!("{kind} `{name}` has {size} cells");
            if before > 0 {
                message += &format!(", with those declared before it {sum}");
            }
            let limit = format!(
                "engines hold at most {MOST_CELLS} (2^27) cells in all counters, meters and registers of a program"
            );
            return Some(
                Diagnostic::error(instance.span, format!("{message}; {limit}"))
                    .label("too many cells")
                    .help(
                        "make the arrays smaller, for example with a hash of fewer bits as index",
                    ),
            );
        }
        before = sum;
    }
    None
}
