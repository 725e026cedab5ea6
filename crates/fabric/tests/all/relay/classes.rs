//! Classes: a class goes before those behind it, and nothing that they do reaches it.

use super::traced;
use super::traffic::{ENDLESS, Random, all_to_all, bursts, incast, on_and_off, permutation};
use std::collections::{HashMap, HashSet, VecDeque};
use ww_fabric::flows::Flow;
use ww_fabric::outcome::Outcome;
use ww_fabric::relay::classes::{ClassOutcome, queue_cells, run};
use ww_fabric::relay::{Rules, Settings};
use ww_fabric::schedule::{Order, Schedule};
use ww_fabric::trace::SentCell;

/// Hosts, order, channels and delay: odd and even, short delays and such over P/2 and over P.
const FABRICS: [(usize, Order, usize, u64); 5] = [
    (8, Order::Reordered, 1, 3),
    (9, Order::Reordered, 1, 3),
    (8, Order::Plain, 1, 21),
    (9, Order::Reordered, 3, 2),
    (12, Order::Plain, 2, 20),
];

/// A run: its outcome and trace.
fn classed(
    schedule: &Schedule,
    settings: &Settings,
    (flows, classes): &(Vec<Flow>, Vec<u8>),
) -> (Outcome, Vec<[u64; 6]>) {
    let mut rows = Vec::new();
    let mut note = |cell: &SentCell| {
        let [from, to, src, dst] = [cell.from, cell.to, cell.src, cell.dst].map(|host| host as u64);
        rows.push([cell.slot, from, to, src, dst, cell.seq]);
    };
    let outcome = run(schedule, settings, flows, classes, Some(&mut note)).unwrap();
    (outcome, rows)
}

fn settings(schedule: &Schedule, delay: u64) -> Settings {
    Settings { delay, gate: schedule.slots() as u64, ..Settings::new(Rules::Shoal) }
}

fn traffic(hosts: u32, seed: u64, epoch_slots: u64, epochs: u64) -> Vec<Flow> {
    let slots = epochs * epoch_slots;
    match seed % 4 {
        0 => incast(hosts, seed, epoch_slots, slots),
        1 => all_to_all(hosts, seed, epoch_slots, slots),
        2 => on_and_off(hosts, seed, epoch_slots, slots),
        _ => bursts(hosts, seed, slots),
    }
}

/// Flows of several classes together.
fn together(of_class: Vec<(u8, Vec<Flow>)>) -> (Vec<Flow>, Vec<u8>) {
    let with = |(class, flows): (u8, Vec<Flow>)| flows.into_iter().map(move |flow| (flow, class));
    let mut all: Vec<(Flow, u8)> = of_class.into_iter().flat_map(with).collect();
    all.sort_by_key(|(flow, _)| flow.start);
    (0..).zip(&mut all).for_each(|(id, (flow, _))| flow.id = id);
    all.into_iter().unzip()
}

fn class(outcome: &Outcome, class: u8) -> &ClassOutcome {
    outcome.classes.iter().find(|of| of.class == class).unwrap()
}

#[test]
fn one_class_is_none() {
    for (hosts, order, channels, delay) in FABRICS {
        let schedule = Schedule::new(hosts, order, channels).unwrap();
        for seed in 0..8 {
            let flows = traffic(hosts as u32, seed, schedule.slots() as u64, 60);
            let fail = [0.0, 20.0][usize::from(seed == 5)];
            let settings = Settings { fail, ..settings(&schedule, delay) };
            let expected = traced(&schedule, &settings, &flows, 1);
            let number = seed as u8 % 8;
            let classes = vec![number; flows.len()];
            let (mut outcome, rows) = classed(&schedule, &settings, &(flows, classes));
            assert!(rows == expected.1, "{hosts} hosts, seed {seed}");
            let of: Vec<ClassOutcome> = outcome.classes.drain(..).collect();
            assert_eq!(outcome, expected.0);
            let same = ClassOutcome { class: number, dropped: 0, outcome };
            assert_eq!(of, [same]);
        }
    }
}

/// What is counted of classes 0 to 1 is the same with and without class 2, and of class 0 without both.
#[test]
fn classes_behind_change_nothing() {
    let mut dropped = 0;
    for (hosts, order, channels, delay) in FABRICS {
        let schedule = Schedule::new(hosts, order, channels).unwrap();
        for seed in 0..8 {
            let flows =
                |class: u64| traffic(hosts as u32, seed + class * 5, schedule.slots() as u64, 60);
            let mut of_class = vec![(0, flows(0)), (3, flows(1)), (7, flows(2))];
            let settings = settings(&schedule, delay);
            let (all, _) = classed(&schedule, &settings, &together(of_class.clone()));
            dropped += all.classes.iter().map(|of| of.dropped).sum::<u64>();
            assert_eq!(all.finished.len() as u64, all.flows);
            while of_class.len() > 1 {
                of_class.pop();
                let (fewer, _) = classed(&schedule, &settings, &together(of_class.clone()));
                for of in &fewer.classes {
                    // The run with more classes is a longer one, in which queues are empty for longer.
                    let counted = |of: &ClassOutcome| {
                        let ClassOutcome { dropped, outcome, .. } = of.clone();
                        let Outcome { queue_samples, finished, last_hop_cells, .. } = outcome;
                        let (reorder, over) = (outcome.reorder_cells, outcome.bound_violations);
                        let cells = (outcome.aggregate_cells_max, last_hop_cells);
                        (dropped, queue_samples[1..].to_vec(), finished, reorder, over, cells)
                    };
                    let same = class(&all, of.class);
                    assert_eq!(counted(of), counted(same), "{hosts} hosts, seed {seed}");
                }
            }
        }
    }
    // It was not easy for the classes behind.
    assert!(dropped > 100, "{dropped}");
}

/// Class 0 has the bound (3.5), the only one that has it; no queue has more cells than there is room for.
#[test]
fn the_first_class_keeps_the_bound() {
    let (mut longest, mut over) = (0, 0);
    for (hosts, order, channels, delay) in FABRICS {
        let schedule = Schedule::new(hosts, order, channels).unwrap();
        for seed in 0..8 {
            let epoch_slots = schedule.slots() as u64;
            let flows = |class: u64| traffic(hosts as u32, seed + class * 3, epoch_slots, 300);
            let settings = Settings { epochs: Some(400), ..settings(&schedule, delay) };
            let (outcome, _) =
                classed(&schedule, &settings, &together(vec![(1, flows(0)), (2, flows(1))]));
            let first = class(&outcome, 1);
            let which = format!("{hosts} hosts, seed {seed}");
            assert_eq!((first.outcome.bound_violations, first.dropped), (0, 0), "{which}");
            let most = |outcome: &Outcome| {
                outcome.queue_samples.iter().rposition(|&count| count > 0).unwrap()
            };
            longest = longest.max(most(&first.outcome));
            over += class(&outcome, 2).outcome.bound_violations;
            assert!(most(&outcome) <= queue_cells(hosts), "{which}");
        }
    }
    assert!(longest >= 3 && over > 0, "{longest} {over}");
}

/// A report counts what goes first: when all cells of class 0 are in their queues already, class 1 keeps the bound too.
#[test]
fn reports_count_the_classes_before() {
    let schedule = Schedule::new(8, Order::Reordered, 1).unwrap();
    let settings = Settings { gate: 0, ..settings(&schedule, 3) };
    let flow = |src, cells, start| Flow { id: 0, src, dst: 0, cells, start };
    // Each sends one cell over each other host in the first epoch; the last arrive two slots after it.
    let first = (2..8).map(|src| flow(src, 7, 0)).collect();
    let second = vec![flow(1, 300, 8 + 3)];
    let (outcome, _) = classed(&schedule, &settings, &together(vec![(0, first), (1, second)]));
    let most = class(&outcome, 0).outcome.queue_samples.iter().rposition(|&count| count > 0);
    assert!(most >= Some(4), "{most:?}");
    assert_eq!(class(&outcome, 1).outcome.bound_violations, 0);
    assert_eq!(outcome.finished.len(), 7);
}

/// Cells of the classes before count as ahead of a cell, so they close its gate. Six hosts send class 0 to host 0; each gives host 1 a
/// cell in the first epoch, so five or six are in the queue 1->0, which a gate that never doubles keeps closed above one cell. A flow of seven
/// cells of class 1 from host 1 then finds six of its seven queues open in an epoch. Without a gate it fills all seven.
#[test]
fn cells_of_classes_before_count_as_ahead() {
    let schedule = Schedule::new(8, Order::Reordered, 1).unwrap();
    let epoch = schedule.slots() as u64;
    let flow = |src, dst, cells, start| Flow { id: 0, src, dst, cells, start };
    let start = epoch + 3;
    let load = together(vec![
        (0, (2..8).map(|src| flow(src, 0, 7, 0)).collect()),
        (1, vec![flow(1, 5, 7, start)]),
    ]);
    let epochs_to_queue = |gate| {
        let settings = Settings { gate, ..settings(&schedule, 3) };
        let (outcome, _) = classed(&schedule, &settings, &load);
        let finished = outcome.finished.iter().find(|flow| flow.src == 1).unwrap();
        (finished.last_queued - start) / epoch
    };
    assert_eq!(epochs_to_queue(0), 0);
    assert!(epochs_to_queue(1_000_000) > 0);
}

/// Half of the capacity is that of a permutation: class 0 gets it while the others have endless flows too.
#[test]
fn the_first_class_has_its_throughput() {
    for (hosts, delay, epochs) in [(8, 3, 400), (9, 3, 400), (64, 25, 60)] {
        let schedule = Schedule::new(hosts, Order::Reordered, 1).unwrap();
        let epoch_slots = schedule.slots() as u64;
        let warmup = 20 * epoch_slots;
        let settings = Settings { epochs: Some(epochs), warmup, ..settings(&schedule, delay) };
        let flows = |seed| permutation(hosts as u32, seed, epoch_slots);
        let (outcome, _) =
            classed(&schedule, &settings, &together(vec![(0, flows(1)), (1, flows(2))]));
        let first = class(&outcome, 0);
        let counted = (outcome.slots - warmup) as f64 / epoch_slots as f64;
        let capacity = counted * (hosts * hosts) as f64 / 2.0;
        let share = first.outcome.last_hop_cells as f64 / capacity;
        assert!(share >= 0.98, "{hosts} hosts: {share}");
        assert_eq!((first.outcome.bound_violations, first.dropped), (0, 0));
    }
}

/// Cells that were dropped are sent again: each cell of each flow arrives once, whatever waits before it.
#[test]
fn each_cell_arrives_once() {
    let mut dropped = 0;
    for (hosts, order, channels, delay) in FABRICS {
        let schedule = Schedule::new(hosts, order, channels).unwrap();
        let settings = settings(&schedule, delay);
        let flow = |src, cells, start| Flow { id: 0, src, dst: 0, cells, start };
        // Class 0 takes all that goes to host 0, for long; class 1 wants to go there too, and class 2 anywhere.
        let sources = 1..hosts as u32;
        let first = sources.clone().map(|src| flow(src, 300, 20)).collect();
        let second = sources.map(|src| flow(src, 60, 0)).collect();
        let third = bursts(hosts as u32, 3, 300);
        let load = together(vec![(0, first), (1, second), (2, third)]);
        let (outcome, rows) = classed(&schedule, &settings, &load);
        assert_eq!(outcome.finished.len(), load.0.len());
        dropped += class(&outcome, 1).dropped;
        let mut cells: HashMap<(u64, u64), u64> = HashMap::new();
        for flow in &load.0 {
            *cells.entry((flow.src.into(), flow.dst.into())).or_default() += flow.cells;
        }
        let last_hops = rows.iter().filter(|[_, _, to, _, dst, _]| to == dst);
        let arrived: Vec<_> = last_hops.map(|&[_, _, _, src, dst, seq]| (src, dst, seq)).collect();
        let once: HashSet<_> = arrived.iter().copied().collect();
        assert_eq!(once.len(), arrived.len());
        assert_eq!(arrived.len() as u64, cells.values().sum::<u64>());
        assert!(once.iter().all(|(src, dst, seq)| *seq < cells[&(*src, *dst)]));
    }
    assert!(dropped > 0);
}

/// From the trace alone, with pairs of one class each: no cell leaves while one of a class before it is there, and cells
/// of a class leave a queue as they came.
#[test]
fn priority_is_strict() {
    let (mut overtaken, mut dropped) = (0, 0);
    for (hosts, order, channels, delay) in FABRICS {
        let schedule = Schedule::new(hosts, order, channels).unwrap();
        let of = |src: u64, dst: u64| ((src + dst) % 3) as u8;
        let flows = on_and_off(hosts as u32, 7, schedule.slots() as u64, 200);
        let classes =
            flows.iter().map(|flow| of(flow.src.into(), flow.dst.into())).collect::<Vec<_>>();
        let (outcome, rows) = classed(&schedule, &settings(&schedule, delay), &(flows, classes));
        // A cell that leaves its source again was dropped before.
        let at_source = rows.iter().filter(|[_, from, _, src, ..]| from == src);
        let last: HashMap<[u64; 3], u64> =
            at_source.map(|&[slot, _, _, src, dst, seq]| ([src, dst, seq], slot)).collect();
        dropped += outcome.classes.iter().map(|of| of.dropped).sum::<u64>();
        let mut queues: HashMap<(u64, u64, u8), VecDeque<[u64; 3]>> = HashMap::new();
        for [slot, from, to, src, dst, seq] in rows {
            let class = of(src, dst);
            for before in 0..class {
                let first = queues.get(&(from, to, before)).and_then(VecDeque::front);
                // A cell that arrived later is not there yet.
                assert!(first.is_none_or(|&[there, ..]| there > slot), "{slot}: {from}->{to}");
            }
            if from != src {
                let cell = queues.get_mut(&(from, to, class)).and_then(VecDeque::pop_front);
                let [there, source, number] = cell.unwrap();
                assert!(there <= slot && (source, number) == (src, seq), "{slot}: {from}->{to}");
                let waits = |class| queues.get(&(from, to, class)).is_some_and(|q| !q.is_empty());
                overtaken += u64::from((class + 1..3).any(waits));
            }
            if to != dst && last[&[src, dst, seq]] == slot {
                let arrival = [slot + delay, src, seq];
                queues.entry((to, dst, class)).or_default().push_back(arrival);
            }
        }
        assert!(queues.values().all(VecDeque::is_empty));
    }
    assert!(overtaken > 100 && dropped > 0, "{overtaken} {dropped}");
}

/// Endless flows of class 0 between all leave nothing for others; class 1 gets what class 0 does not use.
#[test]
fn a_class_gets_what_those_before_it_leave() {
    let schedule = Schedule::new(8, Order::Reordered, 1).unwrap();
    let settings = Settings { epochs: Some(600), warmup: 800, ..settings(&schedule, 3) };
    let mut random = Random::new(5);
    let mut pairs: Vec<(u32, u32)> =
        (0..8).flat_map(|src| (0..8).map(move |dst| (src, dst))).filter(|(a, b)| a != b).collect();
    for n in (1..pairs.len()).rev() {
        pairs.swap(n, random.below(n as u64 + 1) as usize);
    }
    let flow = |&(src, dst): &(u32, u32)| Flow { id: 0, src, dst, cells: ENDLESS, start: 0 };
    let all: Vec<Flow> = pairs.iter().map(flow).collect();
    let share = |first: usize| {
        let (first, second) = all.split_at(first);
        let load = together(vec![(0, first.to_vec()), (1, second.to_vec())]);
        let (outcome, _) = classed(&schedule, &settings, &load);
        [0, 1].map(|n| class(&outcome, n).outcome.last_hop_cells)
    };
    // The rarer class 0 is, the more is left.
    let [few, half, most] = [4, 28, 52].map(share);
    assert!(few[0] < half[0] && half[0] < most[0], "{few:?} {half:?} {most:?}");
    assert!(few[1] > half[1] && half[1] > most[1], "{few:?} {half:?} {most:?}");
}
