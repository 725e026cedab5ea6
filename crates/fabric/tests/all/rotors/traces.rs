//! Random networks, whose traces are judged.

use super::judge::judge;
use super::settings;
use crate::networks::networks;
use proptest::prelude::*;
use ww_fabric::flows::Flow;
use ww_fabric::rotors::{Rules, Settings, run};
use ww_fabric::trace::SentCell;

fn judged(settings: &Settings, flows: &[Flow]) -> u64 {
    let mut cells = Vec::new();
    let outcome = run(settings, flows, Some(&mut |cell| cells.push(*cell))).unwrap();
    let slots: Vec<u64> = cells.iter().map(|cell| cell.slot).collect();
    assert!(slots.is_sorted());
    // The trace changes nothing.
    assert_eq!(outcome, run(settings, flows, None).unwrap());
    judge(settings, flows, &cells, &outcome)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn rotornets_keep_their_rules(
        (hosts, flows) in networks(),
        channels in 1..4usize,
        matching in 2..40u64,
        dark in 0..39u64,
        delay in 1..6u64,
        two_hops in any::<bool>(),
    ) {
        let channels = channels.min(hosts - 1);
        let settings = settings(Rules::RotorNet, hosts, channels, matching, dark.min(matching - 1));
        let settings = Settings { delay, two_hops, ..settings };
        let most = judged(&settings, &flows);
        prop_assert!(most <= 1 + u64::from(two_hops));
        // A host accepts for a third one what a circuit takes while it is up, less what it has already; it does not know of
        // cells that are still underway to it.
        let lit = settings.matching - settings.reconfiguration;
        let underway = (delay - 1) * channels as u64;
        let longest = run(&settings, &flows, None).unwrap().queue_samples.len() as u64 - 1;
        prop_assert!(longest <= lit + underway, "{longest} cells, {lit} slots");
    }

    #[test]
    fn vermilions_keep_their_rules(
        (hosts, flows) in networks(),
        channels in 1..4usize,
        matching in 2..40u64,
        dark in 0..39u64,
        delay in 1..6u64,
        factor in 2..6u64,
    ) {
        let channels = channels.min(hosts - 1);
        let settings = settings(Rules::Vermilion, hosts, channels, matching, dark.min(matching - 1));
        prop_assert_eq!(judged(&Settings { delay, factor, ..settings }, &flows), 1);
    }

    #[test]
    fn operas_keep_their_rules(
        (hosts, flows) in networks(),
        channels in 3..6usize,
        matching in 40..90u64,
        dark in 0..40u64,
        delay in 1..4u64,
        bulk_cells in 1..40u64,
    ) {
        prop_assume!(hosts > 5);
        let settings = settings(Rules::Opera, hosts, channels, matching, dark.min(matching - 1));
        let settings = Settings { delay, bulk_cells, ..settings };
        prop_assume!(settings.network(&flows).is_ok());
        let most = judged(&settings, &flows);
        if bulk_cells == 1 {
            prop_assert_eq!(most, 1);
        }
    }
}

/// Hosts relay whatever has been offered, even if the direct circuit comes before the relay's: nobody can know then how much
/// it will have to carry.
#[test]
fn offers_are_made_when_a_matching_begins() {
    // Shift 1 is up in slots 0 to 17, shift 2 in 20 to 37, shift 3 in 40 to 57.
    let two = settings(Rules::RotorNet, 4, 1, 20, 2);
    let flow = super::flows([(0, 3, 1, 0)].into_iter());
    let one = Settings { two_hops: false, ..two };
    assert_eq!(run(&one, &flow, None).unwrap().slots, 41);
    // The flow is first offered to host 2, in slot 20. Its cell leaves after offer and answer, and host 2 meets host 3 with
    // shift 1, in slot 60.
    let mut cells = Vec::new();
    let mut trace = |cell: &SentCell| cells.push((cell.slot, cell.from, cell.to));
    let outcome = run(&two, &flow, Some(&mut trace)).unwrap();
    assert_eq!((cells, outcome.slots), (vec![(22, 0, 2), (60, 2, 3)], 61));
}
