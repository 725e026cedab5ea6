//! Reports of switches about packets that they dropped, counted.

use super::Place;
use crate::application::{Findings, Set};
use std::collections::BTreeMap;
use ww_tpp::switch::drops::Reason;

/// What results call a reason.
fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::NoRoute => "no_route",
        Reason::TimeToLive => "ttl",
        Reason::Policy => "policy",
        Reason::QueueFull => "queue",
    }
}

/// Adds how many reports there are by reason, and by direction of a link where one was chosen.
pub(super) fn reports(findings: &Findings<'_>, set: &mut Set<'_>) {
    let mut reasons: BTreeMap<&str, u64> = Reason::ALL.map(|reason| (word(reason), 0)).into();
    let mut directions: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for place in findings.records().into_iter().filter_map(Place::of) {
        let reason = word(place.reason);
        *reasons.entry(reason).or_default() += 1;
        let port = place.output_port;
        let direction = port.and_then(|port| findings.direction(place.switch, port));
        if let Some(direction) = direction {
            *directions.entry((direction, reason)).or_default() += 1;
        }
    }
    for (reason, count) in reasons {
        set(&["reasons", reason], count as f64);
    }
    for ((direction, reason), count) in directions {
        set(&[direction, reason], count as f64);
    }
}
