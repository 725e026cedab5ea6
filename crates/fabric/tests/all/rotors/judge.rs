//! A judge of traces: what a run must hold, from its flows, its matchings and the cells that it sent.

use std::collections::{BTreeMap, HashMap};
use ww_fabric::flows::Flow;
use ww_fabric::outcome::Outcome;
use ww_fabric::rotors::{Rules, Settings};
use ww_fabric::trace::SentCell;

/// The place that a switch shows and whether it is up, by counting its turns.
fn shows(settings: &Settings, places: usize, switch: usize, slot: u64) -> (usize, bool) {
    let slice = slot / settings.matching;
    let turns_at_end =
        |slice: u64| settings.rules != Rules::Opera || slice as usize % settings.channels == switch;
    let turns = (0..slice).filter(|&slice| turns_at_end(slice)).count();
    let is_dark = slot % settings.matching >= settings.matching - settings.reconfiguration;
    (turns % places, !(is_dark && turns_at_end(slice)))
}

/// A cell on its way.
struct Way {
    at: usize,
    /// The first slot in which it may leave.
    ready: u64,
    hops: u64,
}

/// Judges a run that has gone on until all flows had finished. Returns the most hops of a cell.
pub fn judge(settings: &Settings, flows: &[Flow], cells: &[SentCell], outcome: &Outcome) -> u64 {
    let hosts = settings.hosts;
    let (switches, timing) = settings.network(flows).unwrap();
    let mut by_slot: BTreeMap<u64, Vec<SentCell>> = BTreeMap::new();
    cells.iter().for_each(|cell| by_slot.entry(cell.slot).or_default().push(*cell));
    let mut ways: HashMap<(usize, usize, u64), Way> = HashMap::new();
    // (queue, slot, change): the length changes at the end of the slot.
    let mut changes: Vec<(usize, u64, i64)> = Vec::new();
    // By pair and slot: cells of the pair that arrive at its end.
    let mut arrivals: HashMap<(usize, usize), BTreeMap<u64, u64>> = HashMap::new();
    let (mut most_hops, mut last_hops) = (0, 0);
    let mut first = Vec::new();
    for (&slot, sent) in &by_slot {
        let mut circuits: HashMap<(usize, usize), usize> = HashMap::new();
        for switch in 0..settings.channels {
            let (place, is_up) = shows(settings, timing.places, switch, slot);
            for host in (0..hosts).filter(|_| is_up) {
                if let Some(peer) = switches.peer(switch, place, host) {
                    *circuits.entry((host, peer)).or_default() += 1;
                }
            }
        }
        for &SentCell { from, to, src, dst, seq, .. } in sent {
            let left = circuits.get_mut(&(from, to)).filter(|left| **left > 0);
            *left.unwrap_or_else(|| panic!("slot {slot}: no circuit {from}->{to} is free")) -= 1;
            let way = ways.entry((src, dst, seq)).or_insert(Way { at: src, ready: 0, hops: 0 });
            assert_eq!(way.at, from, "slot {slot}: cell {src}->{dst} {seq} leaves where it is");
            assert_ne!(way.at, dst);
            assert!(
                slot >= way.ready,
                "slot {slot}: cell {src}->{dst} {seq} may leave in {}",
                way.ready
            );
            // A cell that comes back to its source waits there like any other.
            if way.hops > 0 {
                changes.push((from * hosts + dst, slot, -1));
            }
            if way.hops == 0 {
                first.push(SentCell { slot, from, to, src, dst, seq });
            }
            *way = Way { at: to, ready: slot + settings.delay, hops: way.hops + 1 };
            most_hops = most_hops.max(way.hops);
            if to == dst {
                last_hops += 1;
                *arrivals
                    .entry((src, dst))
                    .or_default()
                    .entry(slot + settings.delay - 1)
                    .or_default() += 1;
            } else {
                changes.push((to * hosts + dst, slot + settings.delay - 1, 1));
            }
        }
    }
    assert_eq!(last_hops, outcome.last_hop_cells);
    // Of each pair, as many cells as its flows have, numbered from 0, each once at its destination.
    let mut total: HashMap<(usize, usize), u64> = HashMap::new();
    for flow in flows {
        *total.entry((flow.src as usize, flow.dst as usize)).or_default() += flow.cells;
    }
    assert_eq!(ways.len() as u64, total.values().sum::<u64>());
    for (&(src, dst, seq), way) in &ways {
        assert_eq!(way.at, dst);
        assert!(seq < total[&(src, dst)]);
    }
    assert_eq!(outcome.finished.len(), flows.len());
    check_starts(flows, &first);
    check_queues(hosts, &changes, outcome);
    let last = arrivals.values().filter_map(|of| of.keys().last()).max();
    assert_eq!(outcome.slots, last.unwrap() + 1);
    most_hops
}

/// At no time has a pair sent more than its flows had started with. `first` are cells on their first hops.
fn check_starts(flows: &[Flow], first: &[SentCell]) {
    let mut sent: HashMap<(usize, usize), Vec<u64>> = HashMap::new();
    for cell in first {
        sent.entry((cell.src, cell.dst)).or_default().push(cell.slot);
    }
    for ((src, dst), slots) in sent {
        let of_pair = || flows.iter().filter(|f| (f.src as usize, f.dst as usize) == (src, dst));
        for (before, slot) in (0..).zip(slots) {
            let started: u64 = of_pair().filter(|f| f.start <= slot).map(|f| f.cells).sum();
            assert!(before < started, "slot {slot}: {src}->{dst} sends a cell of a later flow");
        }
    }
}

/// The samples of all queues of others' cells, from when cells come and go.
fn check_queues(hosts: usize, changes: &[(usize, u64, i64)], outcome: &Outcome) {
    let mut by_queue: HashMap<usize, BTreeMap<u64, i64>> = HashMap::new();
    for &(queue, slot, change) in changes {
        *by_queue.entry(queue).or_default().entry(slot).or_default() += change;
    }
    let queues = (hosts * (hosts - 1)) as u64;
    let mut samples = vec![(queues - by_queue.len() as u64) * outcome.slots];
    for changes in by_queue.values() {
        let (mut length, mut since) = (0, 0);
        for (&slot, change) in changes.iter().chain([(&outcome.slots, &0)]) {
            let place = usize::try_from(length).expect("no negative length");
            samples.resize(samples.len().max(place + 1), 0);
            samples[place] += slot - since;
            (length, since) = (length + change, slot);
        }
        assert_eq!(length, 0);
    }
    let trimmed = |mut samples: Vec<u64>| {
        while samples.last() == Some(&0) {
            samples.pop();
        }
        samples
    };
    assert_eq!(trimmed(samples), trimmed(outcome.queue_samples.clone()));
}
