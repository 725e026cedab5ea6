//! Declarations that nothing uses.

use super::survey::{Kind, Symbol};
use super::{Lint, Sink};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;

/// `own` is the file whose top level belongs to this program alone, if there is one.
pub(super) fn run(symbols: &[Symbol], own: Option<FileId>, sink: &mut Sink) {
    for s in symbols {
        if s.name.starts_with('_') || s.reads > 0 {
            continue;
        }
        let top = s.level == 0;
        let expected = match s.kind {
            Kind::Variable => s.writes > 0,
            Kind::Parameter if s.writes == 0 => false,
            Kind::Constant | Kind::ValueSet | Kind::Table if !top => false,
            Kind::Instance | Kind::Action if !top => false,
            Kind::Instance if &*s.name == "main" => continue,
            Kind::Instance | Kind::Action | Kind::Function | Kind::Parser | Kind::Control
                if own == Some(s.span.file) =>
            {
                false
            }
            _ => continue,
        };
        let what = s.kind.describe();
        let name = &s.name;
        if expected {
            let message = format!("{what} `{name}` is assigned but never read");
            sink.warn(Lint::Unused, Diagnostic::warning(s.span, message));
            continue;
        }
        let (fate, label) = match s.kind {
            Kind::Table => ("never applied", ""),
            Kind::Action => ("never used", "no table lists it and nothing calls it"),
            Kind::Function => ("never called", ""),
            Kind::Parser | Kind::Control => ("never instantiated", ""),
            _ => ("never used", ""),
        };
        let message = format!("{what} `{name}` is {fate}");
        let d = Diagnostic::warning(s.span, message).label(label);
        let d = match s.kind {
            Kind::Variable | Kind::Parameter => {
                d.help(format!("if this is intended, name it `_{name}`"))
            }
            _ => d,
        };
        sink.warn(Lint::Unused, d);
    }
}
