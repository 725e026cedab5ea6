//! What the switches of a network do, as JSON.

use super::expander::diameter;
use super::matchings::Circuits;
use super::{Rules, Settings};
use crate::flows::Flow;
use crate::schedule::BadFabric;
use serde_json::{Value, json};

/// The network of `settings`, for the demand of `flows` with Vermilion: its clock, its matchings
/// `switches[switch][place][host]` (the peer, or null), and with Opera for each slice of a cycle the switch that turns and the
/// longest shortest way over the others.
pub fn report(settings: &Settings, flows: &[Flow]) -> Result<Value, BadFabric> {
    let (switches, timing) = settings.network(flows)?;
    let table = |switch: usize, place: usize| -> Vec<Option<usize>> {
        (0..switches.hosts()).map(|host| switches.peer(switch, place, host)).collect()
    };
    let held: Vec<Vec<_>> = (0..switches.switches())
        .map(|switch| (0..switches.places()).map(|place| table(switch, place)).collect())
        .collect();
    let mut shown = Circuits::new(&switches);
    let slices: Option<Vec<Value>> = (settings.rules == Rules::Opera).then(|| {
        (0..timing.cycle_slices())
            .map(|slice| {
                shown.show(&switches, &timing, slice);
                let turns = shown.turning.iter().position(|&turning| turning);
                json!({ "turns": turns, "diameter": diameter(&shown) })
            })
            .collect()
    });
    Ok(json!({
        "rules": settings.rules.name(),
        "hosts": settings.hosts,
        "matching_slots": timing.matching,
        "reconfiguration_slots": timing.reconfiguration,
        "staggered": timing.staggered,
        "cycle_slots": timing.cycle_slots(),
        "duty_cycle": timing.duty_cycle(),
        "switches": held,
        "slices": slices,
    }))
}
