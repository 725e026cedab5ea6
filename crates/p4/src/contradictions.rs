//! What the language allows and nothing can carry out: a table with two `lpm` keys, and a direct object of two tables.
//! `check` warns of it, because the program is legal P4_16; engines and the emitter refuse it in the same words.

use crate::architecture::{self, Architecture};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{ExprKind, Program, TableId, Type, VarId};
use std::collections::BTreeMap;

/// All of it in a program, each as an error.
pub fn contradictions(program: &Program) -> Vec<Diagnostic> {
    let mut found = several_prefixes(program);
    // Which objects are direct is for the architecture to say.
    if let Ok((architecture, _)) = architecture::bind(program) {
        found.extend(shared_objects(program, architecture));
    }
    found
}

/// The same as a refusal.
///
/// # Errors
/// All that is contradictory.
pub(crate) fn refuse(program: &Program) -> Result<(), Diagnostics> {
    let found = contradictions(program);
    if found.is_empty() {
        return Ok(());
    }
    let mut diagnostics = Diagnostics::new();
    found.into_iter().for_each(|d| diagnostics.push(d));
    Err(diagnostics)
}

/// Tables with more than one `lpm` key: an entry would have two prefix lengths, and no rule says which of two entries
/// has the longer prefix.
fn several_prefixes(program: &Program) -> Vec<Diagnostic> {
    let tables = program.tables.iter();
    let report = |table: &crate::ir::Table| {
        let mut keys = table.keys.iter().filter(|key| &*key.match_kind == "lpm");
        let (first, second) = (keys.next()?, keys.next()?);
        let message = format!("table `{}` has two `lpm` keys", table.name);
        Some(
            Diagnostic::error(second.value.span, message)
                .label("which of two prefixes is the longer one is not defined")
                .also(first.value.span, "the first")
                .help("make one of them `ternary` or `exact`"),
        )
    };
    tables.filter_map(report).collect()
}

/// The tables that each direct object belongs to, by the properties that name it.
pub(crate) fn attached(
    program: &Program,
    architecture: &Architecture,
) -> BTreeMap<VarId, Vec<(TableId, usize)>> {
    let mut tables: BTreeMap<VarId, Vec<(TableId, usize)>> = BTreeMap::new();
    for (n, table) in program.tables.iter().enumerate() {
        for (property, p) in table.properties.iter().enumerate() {
            if let ExprKind::Var(var) = p.value.kind
                && is_direct(program, architecture, &p.value.ty)
            {
                tables.entry(var).or_default().push((TableId(n as u32), property));
            }
        }
    }
    tables
}

/// Whether objects of a type have one cell per entry of their table.
pub(crate) fn is_direct(program: &Program, architecture: &Architecture, ty: &Type) -> bool {
    let Type::Extern(id, _) = ty else { return false };
    architecture.object(&program.types[*id].name).is_some_and(|object| object.is_direct)
}

fn shared_objects(program: &Program, architecture: &Architecture) -> Vec<Diagnostic> {
    let report = |(var, places): (VarId, Vec<(TableId, usize)>)| {
        let (first, other) = (places.first()?.0, places.iter().find(|p| p.0 != places[0].0)?);
        let object = &program[var].name;
        let (one, two) = (&program[first].name, &program[other.0].name);
        let message = format!("`{object}` is attached to two tables, `{one}` and `{two}`");
        let place = program[other.0].properties.get(other.1).map(|p| p.value.span)?;
        let before = program[first].properties.get(places[0].1).map(|p| p.value.span)?;
        Some(
            Diagnostic::error(place, message)
                .label("a direct object has one cell for each entry of one table")
                .also(before, "attached here first")
                .help("declare one object for each table"),
        )
    };
    attached(program, architecture).into_iter().filter_map(report).collect()
}

#[cfg(test)]
mod tests {
    use crate::frontend::compile_file;
    use std::path::Path;

    /// What `check` warns of is refused when the program is lowered, in the same words.
    #[test]
    fn contradictions_are_refused() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/p4/warn/unexecutable");
        let text = |name: &str| {
            let c = compile_file(&folder.join(name), &Default::default());
            assert!(!c.diagnostics.has_errors(), "{name}");
            let refused = crate::pipeline::lower_for_hardware(&c.program).map(drop);
            refused.map_err(|refusals| refusals.render(&c.sources, false))
        };
        let two = text("two_tables.p4").expect_err("refused");
        assert!(two.contains("error: `packets` is attached to two tables"), "{two}");
        let prefixes = text("two_prefixes.p4").expect_err("refused");
        assert!(prefixes.contains("error: table `t` has two `lpm` keys"), "{prefixes}");
        assert_eq!(text("two_instances_of_one_table.p4"), Ok(()));
    }
}
