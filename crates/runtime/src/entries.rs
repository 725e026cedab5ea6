//! Runtime commands of a file, carried out before the first packet.

use crate::error::{Error, Mistakes};
use crate::program::text;
use crate::watcher::Watcher;
use std::path::Path;
use std::sync::Arc;
use ww_control::entries;
use ww_dataplane::control::Control;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;

/// Carries out the commands of a file, all or none; without a file there is nothing to do. Returns what they print.
///
/// # Errors
/// The file cannot be read, or all that is wrong with it.
pub fn load(
    path: Option<&Path>,
    control: &mut dyn Control,
    watcher: &dyn Watcher,
) -> Result<Vec<String>, Error> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let (output, diagnostics, sources) = carry_out(path, text(path)?, Some(control));
    if diagnostics.has_errors() {
        return Err(Mistakes::new(path, diagnostics, Arc::new(sources)).into());
    }
    watcher.warn(&diagnostics, &sources);
    Ok(output)
}

/// Carries out the commands of a text, all or none. Without a control plane they are only read. Gives what they print, and what
/// is wrong with them.
pub fn carry_out(
    name: &Path,
    text: String,
    control: Option<&mut dyn Control>,
) -> (Vec<String>, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add(name, text, false);
    let script = entries::parse(file, &sources, &mut diagnostics);
    let output = control.map_or_else(Vec::new, |control| script.load(control, &mut diagnostics));
    (output, diagnostics, sources)
}
