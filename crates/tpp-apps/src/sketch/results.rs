//! Sketches of links as numbers.

use super::{bitmap, bitmaps};
use crate::application::{Findings, Set};
use crate::numbering::direction;
use std::collections::BTreeMap;

/// The bitmaps of the service by direction of a link.
pub(super) fn by_direction(findings: &Findings<'_>) -> BTreeMap<u32, Vec<u64>> {
    let all = findings.reports.iter().flat_map(|report| bitmaps(report));
    all.filter_map(|(link, words)| {
        Some((direction(findings.network, link.switch.into(), link.port.into())?, words))
    })
    .collect()
}

/// Adds the estimates of the service, and what pushes and TPPs cost.
pub(super) fn estimates(findings: &Findings<'_>, set: &mut Set<'_>) {
    let (bitmaps, reports) = (by_direction(findings), &findings.reports);
    set(&["links"], bitmaps.len() as f64);
    for (direction, words) in &bitmaps {
        let name = &findings.directions[*direction as usize];
        set(&[name, "estimate"], bitmap::estimate(words).least());
    }
    let figure = |name: &str| -> f64 {
        let all = reports.iter().flat_map(|report| &report.figures);
        all.filter(|(found, _)| found == name).map(|(_, value)| value).sum()
    };
    set(&["push_share"], figure("push_bytes") / figure("sent_bytes"));
    set(&["stamp_share"], figure("stamp_bytes") / figure("sent_bytes"));
    set(&["bytes_per_host"], figure("host_bytes") / reports.len() as f64);
}
