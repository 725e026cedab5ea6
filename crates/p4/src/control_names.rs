//! Names that programs give to the control plane: `@name` and paths.

use crate::ast::{Annotation, AnnotationBody};
use crate::ir::visit;
use crate::ir::{Callee, Program};

/// The string argument of an annotation `@which("text")`.
pub fn annotation_text<'a>(annotations: &'a [Annotation], which: &str) -> Option<&'a str> {
    let annotation = annotations.iter().rev().find(|a| &*a.name.name == which)?;
    match &annotation.body {
        AnnotationBody::Unstructured(tokens) => {
            tokens.iter().find(|t| t.is_string).map(|t| &*t.text)
        }
        _ => None,
    }
}

/// The full name of `name` inside `prefix`: `@name` replaces it, and a leading dot in `@name`
/// also takes away the prefix (§20.3.3).
pub fn full_name(prefix: &str, name: &str, annotations: &[Annotation]) -> String {
    let name = annotation_text(annotations, "name").unwrap_or(name);
    match name.strip_prefix('.') {
        Some(absolute) => absolute.to_owned(),
        None if prefix.is_empty() => name.to_owned(),
        None => format!("{prefix}.{name}"),
    }
}

/// Names of the types given to `digest`, in the order of the calls.
pub fn digests(program: &Program) -> Vec<String> {
    let mut digests = Vec::new();
    visit::calls(program, |call| {
        if let Callee::ExternFunction(id) = call.callee
            && &*program[id].signature.name == "digest"
            && let Some(ty) = call.type_arguments.first()
        {
            let name = program.types.display(ty);
            if !digests.contains(&name) {
                digests.push(name);
            }
        }
    });
    digests
}
