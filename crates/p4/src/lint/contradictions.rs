//! What the language allows and nothing can carry out: a warning here, a refusal in the engines.

use super::{Lint, Sink};
use crate::contradictions::contradictions;
use crate::diagnostic::Severity;
use crate::ir::Program;

pub(super) fn run(program: &Program, sink: &mut Sink) {
    for mut diagnostic in contradictions(program) {
        diagnostic.severity = Severity::Warning;
        sink.warn(Lint::Unexecutable, diagnostic);
    }
}
