//! Sketches of links as numbers.

use super::{bitmap, bitmaps};
use crate::application::{Findings, Set};
use crate::numbering::direction;
use std::collections::BTreeMap;

/// The bitmaps of the service by direction of a link.
///
/// # Errors
/// A report cannot be read.
pub(super) fn by_direction(findings: &Findings<'_>) -> Result<BTreeMap<u32, Vec<u64>>, String> {
    let reported = findings.reports.iter().map(|report| bitmaps(report));
    let all = reported.collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
    let known = all.filter_map(|(link, words)| {
        Some((direction(findings.network, link.switch.into(), link.port.into())?, words))
    });
    Ok(known.collect())
}

/// Adds the estimates of the service, and what pushes and TPPs cost.
///
/// # Errors
/// A report cannot be read, or lacks a figure.
pub(super) fn estimates(findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
    let (bitmaps, reports) = (by_direction(findings)?, &findings.reports);
    set(&["links"], bitmaps.len() as f64);
    for (direction, words) in &bitmaps {
        let name = &findings.directions[*direction as usize];
        set(&[name, "estimate"], bitmap::estimate(words).least());
    }
    let figure = |name: &str| -> Result<f64, String> {
        reports.iter().map(|report| report.figure(name)).sum()
    };
    let sent = figure("sent_bytes")?;
    set(&["push_share"], figure("push_bytes")? / sent);
    set(&["stamp_share"], figure("stamp_bytes")? / sent);
    set(&["bytes_per_host"], figure("host_bytes")? / reports.len() as f64);
    Ok(())
}
