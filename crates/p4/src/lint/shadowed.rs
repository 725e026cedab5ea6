//! Declarations that hide another one further out.

use super::survey::{Kind, Symbol};
use super::{Lint, Sink};
use crate::diagnostic::Diagnostic;

pub(super) fn run(symbols: &[Symbol], sink: &mut Sink) {
    for s in symbols {
        let Some(outer) = s.hides.map(|id| &symbols[id]) else { continue };
        // Names of the architecture are too many to keep clear of, and types and states are
        // written where nothing else can stand.
        if sink.is_system(outer.span.file)
            || matches!(outer.kind, Kind::Type | Kind::State | Kind::Parser | Kind::Control)
            || matches!(s.kind, Kind::Type | Kind::State)
        {
            continue;
        }
        let (inner, kind) = (s.kind.describe(), outer.kind.describe());
        let name = &s.name;
        let message = if inner == kind {
            format!("{inner} `{name}` hides another {kind} of that name")
        } else {
            format!("{inner} `{name}` hides the {kind} of that name")
        };
        let d = Diagnostic::warning(s.span, message)
            .label("this one is meant from here on")
            .also(outer.span, "hidden");
        sink.warn(Lint::Shadow, d);
    }
}
