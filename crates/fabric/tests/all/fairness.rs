//! Cells of pairs beside their fair rates.

use ww_fabric::fairness::Shares;
use ww_fabric::flows::Flow;
use ww_fabric::relay::{Rules, Settings, run};
use ww_fabric::schedule::{Order, Schedule};
use ww_fabric::trace::SentCell;

fn flow(id: u64, src: u32, dst: u32) -> Flow {
    Flow { id, src, dst, cells: 1 << 40, start: 0 }
}

/// Three hosts meet each other in two slots, so a host's capacity is half of 3 / 2 cells a slot, and two flows from one
/// host have 3 / 8 each.
#[test]
fn last_hops_count_from_the_first_slot_on() {
    let schedule = Schedule::new(3, Order::Plain, 1).unwrap();
    let mut shares = Shares::new(&[flow(0, 0, 1), flow(1, 0, 2)], 10);
    let sent = |slot, from, to, dst| SentCell { slot, from, to, src: 0, dst, seq: 0 };
    // Too early; a detour's first link; three last ones; one of the other pair.
    for (slot, from, to, dst) in
        [(9, 0, 1, 1), (10, 0, 2, 1), (10, 0, 1, 1), (14, 2, 1, 1), (19, 0, 1, 1), (12, 0, 2, 2)]
    {
        shares.count(&sent(slot, from, to, dst));
    }
    let found = shares.fractions(&schedule, 20).unwrap();
    assert_eq!(found, [0.3 / 0.375, 0.1 / 0.375]);
}

/// Each host sends to the next but two: all have the same fair rate, half of what a host's slots carry, and get it.
#[test]
fn a_permutation_is_fair() {
    let schedule = Schedule::new(32, Order::Reordered, 1).unwrap();
    let flows: Vec<Flow> = (0..32).map(|src| flow(src.into(), src, (src + 3) % 32)).collect();
    let mut shares = Shares::new(&flows, 320);
    let settings = Settings { delay: 8, epochs: Some(60), ..Settings::new(Rules::Shoal) };
    let outcome =
        run(&schedule, &settings, &flows, 1, Some(&mut |cell| shares.count(cell))).unwrap();
    let found = shares.fractions(&schedule, outcome.slots).unwrap();
    assert!(found.iter().all(|fraction| (0.97..1.05).contains(fraction)), "{found:?}");
}
