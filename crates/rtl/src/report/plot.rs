//! The report as a figure.

use super::Report;
use super::synthesis::{python, run};
use crate::runner::Error;
use std::path::Path;
use std::process::Command;

/// Draws clocks by stage and throughput over frame sizes; the file's name says the format: `.png`,
/// `.svg`, `.pdf`.
pub fn plot(report: &Report, file: &Path) -> Result<(), Error> {
    let temporary = std::env::temp_dir();
    let folder = tempfile::tempdir().map_err(Error::file(&temporary))?;
    let (script, data) = (folder.path().join("plot.py"), folder.path().join("report.json"));
    std::fs::write(&script, include_str!("plot.py")).map_err(Error::file(&script))?;
    let text = serde_json::to_vec(report)
        .map_err(|error| Error::Model(format!("the report cannot be written: {error}")))?;
    std::fs::write(&data, text).map_err(Error::file(&data))?;
    let mut command = Command::new(python());
    command.arg(&script).arg(&data).arg(file);
    run(command, "plot.py")
}
