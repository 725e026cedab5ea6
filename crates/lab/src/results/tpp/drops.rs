//! What switches have told of packets that they dropped.

use crate::plan::Plan;
use crate::plan::tpp::Tpps;
use std::collections::BTreeMap;
use ww_host::record::Record;
use ww_tpp::switch::drops::Reason;
use ww_tpp_apps::drops::Place;

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
pub(super) fn findings(plan: &Plan, records: &[&Record], set: &mut impl FnMut(&[&str], f64)) {
    let mut reasons: BTreeMap<&str, u64> = Reason::ALL.map(|reason| (word(reason), 0)).into();
    let mut directions: BTreeMap<(u32, &str), u64> = BTreeMap::new();
    for place in records.iter().filter_map(|record| Place::of(record)) {
        let reason = word(place.reason);
        *reasons.entry(reason).or_default() += 1;
        let port = place.output_port;
        let direction = port.and_then(|port| Tpps::direction(&plan.network, place.switch, port));
        if let Some(direction) = direction {
            *directions.entry((direction, reason)).or_default() += 1;
        }
    }
    for (reason, count) in reasons {
        set(&["reasons", reason], count as f64);
    }
    for ((direction, reason), count) in directions {
        if let Some(name) = plan.directions.get(direction as usize) {
            set(&[name, reason], count as f64);
        }
    }
}
