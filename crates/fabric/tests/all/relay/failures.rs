//! Failures: what destinations hand to their users is judged by FLOWS, deaths and deliveries alone.

use super::traced;
use super::traffic::{Random, all_to_all, bursts, incast, on_and_off, permutation};
use std::collections::HashMap;
use ww_fabric::flows::Flow;
use ww_fabric::outcome::Outcome;
use ww_fabric::relay::failures::{Delivery, FailureCounts, Failures, HostAt, Recovery, run};
use ww_fabric::relay::{Rules, Settings};
use ww_fabric::schedule::{Order, Schedule};
use ww_fabric::trace::SentCell;

/// A run: its outcome, deliveries and trace.
fn failing(
    schedule: &Schedule,
    settings: &Settings,
    failures: &Failures,
    flows: &[Flow],
) -> (Outcome, Vec<Delivery>, Vec<[u64; 6]>) {
    let (mut deliveries, mut rows) = (Vec::new(), Vec::new());
    let mut note = |cell: &SentCell| {
        let [from, to, src, dst] = [cell.from, cell.to, cell.src, cell.dst].map(|host| host as u64);
        rows.push([cell.slot, from, to, src, dst, cell.seq]);
    };
    let mut deliver = |delivery: &Delivery| deliveries.push(*delivery);
    let outcome = run(schedule, settings, failures, flows, &mut deliver, Some(&mut note)).unwrap();
    (outcome, deliveries, rows)
}

/// Whether deliveries are those that `flows` ask for: of each pair each number once and in order. While its hosts live, all.
/// What is lost with a host is a gap before cells of flows that start after its return.
fn judge(flows: &[Flow], failures: &Failures, deliveries: &[Delivery]) -> Result<(), String> {
    // Of a pair: the cells that must arrive, by spans of life.
    let deaths = |host: u32| {
        let of = move |all: &[HostAt]| -> Vec<u64> {
            all.iter().filter(|at| at.host == host as usize).map(|at| at.slot).collect()
        };
        (of(&failures.kills), of(&failures.revivals))
    };
    let mut pairs: HashMap<(u32, u32), Vec<&Flow>> = HashMap::new();
    for flow in flows {
        pairs.entry((flow.src, flow.dst)).or_default().push(flow);
    }
    let mut delivered: HashMap<(u32, u32), Vec<&Delivery>> = HashMap::new();
    for delivery in deliveries {
        delivered.entry((delivery.src as u32, delivery.dst as u32)).or_default().push(delivery);
    }
    for (&(src, dst), flows) in &pairs {
        let found = delivered.remove(&(src, dst)).unwrap_or_default();
        let ((mut kills, mut revivals), (more_kills, more_revivals)) = (deaths(src), deaths(dst));
        kills.extend(more_kills);
        revivals.extend(more_revivals);
        if found.windows(2).any(|two| two[1].seq <= two[0].seq) {
            return Err(format!("{src}->{dst}: expected rising numbers, found {found:?}"));
        }
        let last_kill = kills.iter().max().copied();
        let last_return = revivals.iter().max().copied().unwrap_or(u64::MAX);
        let Some(last_kill) = last_kill else {
            let cells: u64 = flows.iter().map(|flow| flow.cells).sum();
            if found.len() as u64 != cells || found.last().is_some_and(|d| d.seq + 1 != cells) {
                return Err(format!("{src}->{dst}: expected {cells} cells, found {}", found.len()));
            }
            continue;
        };
        // A host may die before all deaths are over; only the end is judged.
        let after: u64 =
            flows.iter().filter(|f| f.start >= last_return).map(|flow| flow.cells).sum();
        let late: Vec<_> = found.iter().filter(|d| d.slot >= last_kill).collect();
        let is_whole = late.windows(2).all(|two| two[1].seq == two[0].seq + 1);
        if last_return > last_kill && (late.len() as u64 != after || !is_whole) {
            return Err(format!("{src}->{dst}: expected {after} cells at the end, found {late:?}"));
        }
    }
    if let Some((pair, _)) = delivered.iter().next() {
        return Err(format!("expected no cells of {pair:?}"));
    }
    Ok(())
}

/// Rows are those of the schedule, of hosts that live, and of cells that flows have.
fn judge_trace(rows: &[[u64; 6]], failures: &Failures, epoch_slots: u64) {
    let mut phases = HashMap::new();
    for &[slot, from, to, src, dst, _] in rows {
        assert_eq!(*phases.entry((from, to)).or_insert(slot % epoch_slots), slot % epoch_slots);
        assert!(from == src || to == dst, "a second detour");
        let at = |all: &[HostAt]| {
            let host = |at: &&HostAt| at.host as u64 == from && at.slot <= slot;
            all.iter().filter(host).count()
        };
        assert_eq!(at(&failures.kills), at(&failures.revivals), "{from} is dead in slot {slot}");
    }
}

fn fabrics() -> Vec<(Schedule, u64)> {
    let fabric = |hosts, order, channels| Schedule::new(hosts, order, channels).unwrap();
    vec![
        (fabric(8, Order::Plain, 1), 21),
        (fabric(8, Order::Reordered, 1), 3),
        (fabric(9, Order::Reordered, 2), 2),
        (fabric(5, Order::Plain, 1), 1),
    ]
}

fn settings(schedule: &Schedule, delay: u64) -> Settings {
    Settings { delay, gate: schedule.slots() as u64, ..Settings::new(Rules::Shoal) }
}

fn traffic(hosts: u32, seed: u64, epoch_slots: u64) -> Vec<Flow> {
    let slots = 60 * epoch_slots;
    match seed % 4 {
        0 => incast(hosts, seed, epoch_slots, slots),
        1 => all_to_all(hosts, seed, epoch_slots, slots),
        2 => on_and_off(hosts, seed, epoch_slots, slots),
        _ => bursts(hosts, seed, slots),
    }
}

/// Deaths of some hosts, each with its return.
fn deaths(schedule: &Schedule, delay: u64, random: &mut Random) -> (Vec<HostAt>, Vec<HostAt>) {
    let epoch_slots = schedule.slots() as u64;
    let count = 1 + random.below(schedule.hosts() as u64 - 2) as usize;
    let kill = |host| HostAt { host, slot: random.below(30 * epoch_slots) };
    let kills: Vec<_> = (0..count).map(kill).collect();
    let absence = Failures::least_absence(schedule, delay);
    let back = |kill: &HostAt| HostAt {
        host: kill.host,
        slot: kill.slot + absence + kill.slot % (7 * epoch_slots),
    };
    (kills.clone(), kills.iter().map(back).collect())
}

#[test]
fn without_failures_the_same_cells_are_sent() {
    for (schedule, delay) in fabrics() {
        for seed in 0..8 {
            let flows = traffic(schedule.hosts() as u32, seed, schedule.slots() as u64);
            let settings = settings(&schedule, delay);
            let (mut outcome, _, rows) =
                failing(&schedule, &settings, &Failures::default(), &flows);
            let (expected, expected_rows) = traced(&schedule, &settings, &flows, 1);
            assert!(rows == expected_rows, "{} hosts, seed {seed}", schedule.hosts());
            assert_eq!(outcome.failures.take(), Some(Default::default()));
            assert_eq!(outcome, expected);
        }
    }
}

#[test]
fn bit_errors_lose_nothing() {
    for (schedule, delay) in fabrics() {
        for (seed, flip) in (0..).zip([0.001, 0.01, 0.1, 0.3, 0.05, 0.2, 0.02, 0.5]) {
            let flows = traffic(schedule.hosts() as u32, seed, schedule.slots() as u64);
            let failures = Failures { flip, seed, ..Failures::default() };
            let (outcome, deliveries, rows) =
                failing(&schedule, &settings(&schedule, delay), &failures, &flows);
            judge(&flows, &failures, &deliveries).unwrap();
            judge_trace(&rows, &failures, schedule.slots() as u64);
            assert_eq!(outcome.finished.len(), flows.len());
        }
    }
}

/// Judges the runs of some seeds: up to all but two hosts die and come back, with few errors in headers, many or none.
fn deaths_and_returns(seeds: std::ops::Range<u64>) {
    let mut least = u64::MAX;
    for (schedule, delay) in fabrics() {
        let mut sum = [0; 5];
        for seed in seeds.clone() {
            let flows = traffic(schedule.hosts() as u32, seed, schedule.slots() as u64);
            let (kills, revivals) = deaths(&schedule, delay, &mut Random::new(seed));
            let flip = [0.0, 0.02, 0.2][seed as usize % 3];
            let failures = Failures { flip, seed, kills, revivals, ..Failures::default() };
            // A bound for a run that would never end.
            let epochs = Some(20_000);
            let settings = Settings { epochs, ..settings(&schedule, delay) };
            let (outcome, deliveries, rows) = failing(&schedule, &settings, &failures, &flows);
            let hosts = schedule.hosts();
            judge(&flows, &failures, &deliveries)
                .unwrap_or_else(|error| panic!("{hosts} hosts, seed {seed}, flip {flip}: {error}"));
            judge_trace(&rows, &failures, schedule.slots() as u64);
            let counts = outcome.failures.unwrap();
            assert_eq!(outcome.finished.len() as u64 + counts.dead_flows, flows.len() as u64);
            let FailureCounts { dropped, retransmitted, rerouted, duplicates, dead_flows } = counts;
            let counts = [dropped, retransmitted, rerouted, duplicates, dead_flows];
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        least = least.min(sum.into_iter().min().unwrap());
    }
    // Every part of the recovery was needed.
    assert!(least > 0);
}

#[test]
fn deaths_and_returns_lose_nothing_else() {
    deaths_and_returns(0..60);
}

#[test]
#[ignore = "longer"]
fn deaths_and_returns_lose_nothing_else_in_thousands_of_runs() {
    deaths_and_returns(60..3_000);
}

#[test]
fn bad_failures_are_refused() {
    let schedule = Schedule::new(8, Order::Plain, 1).unwrap();
    let at = |host, slot| HostAt { host, slot };
    let check = |failures: Failures, rules, fail| {
        let settings = Settings { delay: 3, fail, ..Settings::new(rules) };
        failures.check(&schedule, &settings).map_err(|bad| bad.to_string())
    };
    let flip = |flip| Failures { flip, ..Failures::default() };
    let with = |kills, revivals| Failures { kills, revivals, ..Failures::default() };
    let good = with(vec![at(7, 5), at(7, 45)], vec![at(7, 25)]);
    assert_eq!(check(good.clone(), Rules::Shoal, 0.0), Ok(()));
    let mistakes = [
        (flip(1.0), "--flip"),
        (flip(-0.1), "--flip"),
        (flip(f64::NAN), "--flip"),
        (with(vec![at(8, 0)], vec![]), "--kill"),
        (with(vec![at(1, 0), at(1, 9)], vec![]), "--kill"),
        (with(vec![], vec![at(1, 9)]), "--revive"),
        (with(vec![at(1, 0)], vec![at(1, 19)]), "expected 20 slots or more between death"),
        (
            with(vec![at(1, 0), at(1, 49)], vec![at(1, 30)]),
            "expected 20 slots or more between return",
        ),
    ];
    for (failures, word) in mistakes {
        let message = check(failures, Rules::Shoal, 0.0).unwrap_err();
        assert!(message.contains(word), "{message}: no {word}");
    }
    let repair = |failures| Failures { repair: true, ..failures };
    for (failures, word) in [
        (repair(flip(0.1)), "--kill"),
        (repair(good.clone()), "--revive"),
        (repair(with((0..7).map(|host| at(host, 0)).collect(), vec![])), "--repair"),
    ] {
        let message = check(failures, Rules::Shoal, 0.0).unwrap_err();
        assert!(message.contains(word), "{message}: no {word}");
    }
    assert!(check(good.clone(), Rules::Basic, 0.0).unwrap_err().contains("--rules"));
    assert!(check(good, Rules::Shoal, 1.0).unwrap_err().contains("--fail"));
    for text in ["", "1", "1@", "@1", "+1@2", "1@2@3", "1@-2", "1@99999999999999999999999"] {
        assert!(text.parse::<HostAt>().is_err(), "{text}");
    }
    assert_eq!("3@1000".parse(), Ok(at(3, 1000)));
}

#[test]
fn a_missing_part_of_the_recovery_is_found() {
    let schedule = Schedule::new(8, Order::Reordered, 1).unwrap();
    let flows = traffic(8, 2, schedule.slots() as u64);
    let settings = Settings { epochs: Some(2_000), ..settings(&schedule, 3) };
    let whole = Failures::default().recovery;
    let kills = vec![HostAt { host: 3, slot: 200 }, HostAt { host: 5, slot: 300 }];
    let failures = Failures { flip: 0.02, kills, ..Failures::default() };
    let (_, deliveries, _) = failing(&schedule, &settings, &failures, &flows);
    judge(&flows, &failures, &deliveries).unwrap();
    for recovery in [
        Recovery { retransmits: false, ..whole },
        Recovery { reroutes: false, ..whole },
        Recovery { discards_duplicates: false, ..whole },
    ] {
        let failures = Failures { recovery, ..failures.clone() };
        let (_, deliveries, _) = failing(&schedule, &settings, &failures, &flows);
        judge(&flows, &failures, &deliveries).unwrap_err();
    }
}

#[test]
fn a_repaired_fabric_is_as_fast_as_a_smaller_one() {
    for (hosts, kills, flip) in [(10, vec![4], 0.0), (10, vec![0, 9], 0.0), (8, vec![2], 0.05)] {
        let schedule = Schedule::new(hosts, Order::Reordered, 1).unwrap();
        let left: Vec<usize> = (0..hosts).filter(|host| !kills.contains(host)).collect();
        let smaller = Schedule::new(left.len(), Order::Reordered, 1).unwrap();
        let kills = kills.into_iter().map(|host| HostAt { host, slot: 300 }).collect();
        let small = permutation(left.len() as u32, 3, 1);
        let host = |number: u32| left[number as usize] as u32;
        let flow = |flow: &Flow| Flow { src: host(flow.src), dst: host(flow.dst), ..*flow };
        let flows: Vec<Flow> = small.iter().map(flow).collect();
        let whole = Failures { flip, ..Failures::default() };
        let failures = Failures { kills, repair: true, ..whole.clone() };
        // The same number of slots, those after the warm-up.
        let run = |schedule: &Schedule, failures: &Failures, flows: &[Flow]| {
            let epochs = Some(20_000 / schedule.slots() as u64);
            let settings = Settings { epochs, warmup: 1_000, ..settings(schedule, 2) };
            let (outcome, deliveries, rows) = failing(schedule, &settings, failures, flows);
            for &[slot, from, to, ..] in &rows {
                let is_dead = |host| failures.kills.iter().any(|at| at.host as u64 == host);
                assert!(slot < 1_000 || !is_dead(from) && !is_dead(to));
            }
            let mut next = HashMap::new();
            for Delivery { src, dst, seq, .. } in deliveries {
                let next = next.entry((src, dst)).or_insert(0);
                assert_eq!(*next, seq, "{src}->{dst}");
                *next += 1;
            }
            outcome.last_hop_cells as f64 / (outcome.slots - 1_000) as f64
        };
        let repaired = run(&schedule, &failures, &flows);
        let expected = run(&smaller, &whole, &small);
        let unrepaired = run(&schedule, &Failures { repair: false, ..failures }, &flows);
        let share = repaired / expected;
        assert!((0.97..1.03).contains(&share), "{hosts} hosts: {repaired} of {expected}");
        assert!(unrepaired < repaired, "{hosts} hosts: {unrepaired}, {repaired}");
    }
}

/// Cells for a dead host that reach a host between after it has noticed stay there. Their queues are over the bound, of one cell, for as long.
#[test]
fn slots_in_which_nothing_is_sent_count_queues_over_the_bound() {
    let schedule = Schedule::new(8, Order::Plain, 1).unwrap();
    let settings = settings(&schedule, 21);
    let failures = Failures { kills: vec![HostAt { host: 7, slot: 100 }], ..Failures::default() };
    let run = |last: u64| {
        let flow = |src, dst, cells, start| Flow { id: 0, src, dst, cells, start };
        let mut flows: Vec<Flow> = (0..7).map(|src| flow(src, 7, 60, 0)).collect();
        flows.push(flow(0, 1, 1, last));
        let (outcome, _, _) = failing(&schedule, &settings, &failures, &flows);
        let over: u64 = outcome.queue_samples.iter().skip(2).sum();
        (over, outcome.bound_violations)
    };
    let ((over, violations), (later_over, later_violations)) = (run(20_000), run(40_000));
    assert!(later_over > over, "no queue is over the bound in the end");
    assert_eq!(later_over - over, later_violations - violations);
}
