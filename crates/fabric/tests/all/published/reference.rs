//! The rules `published`, word for word and without a thought of speed: the oracle of the simulator. Faults can be planted.

use std::collections::{BTreeSet, HashMap, VecDeque};
use ww_fabric::flows::Flow;
use ww_fabric::outcome::{FinishedFlow, Outcome};
use ww_fabric::published::{SLOT_NS, Settings};

/// A mistake in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The cursor stays at the chosen entry.
    CursorStays,
    /// The cursor follows an entry that is removed before it.
    CursorFollowsRemoval,
    /// d is always 0.
    NoCredit,
    /// d is 1 for values above 0.
    AlwaysCredit,
    /// d is 1 although the cell that v sent in this slot is its own and for f.
    CreditForOwnCell,
    /// d is 0 if both slots are the same.
    NoCreditForEqualSlots,
    /// Waits drop before entries are looked at.
    DropBeforeLook,
    /// What was sent last is noted before feedback is taken.
    SentNotedFirst,
    /// The chosen entry counts as ready, too.
    ReadyCountsChosen,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::CursorStays,
        Self::CursorFollowsRemoval,
        Self::NoCredit,
        Self::AlwaysCredit,
        Self::CreditForOwnCell,
        Self::NoCreditForEqualSlots,
        Self::DropBeforeLook,
        Self::SentNotedFirst,
        Self::ReadyCountsChosen,
    ];
}

#[derive(Clone, Copy, PartialEq)]
enum Wait {
    Blocked,
    Epochs(u64),
}

impl Wait {
    fn drop_one(&mut self) {
        if let Self::Epochs(wait) = self {
            *wait = wait.saturating_sub(1);
        }
    }
}

struct Entry {
    f: usize,
    wait: Wait,
    since: u64,
}

#[derive(Clone, Copy)]
struct Cell {
    flow: usize,
    src: usize,
    dst: usize,
    seq: u64,
}

struct Host {
    queue: Vec<VecDeque<Cell>>,
    list: Vec<Vec<Entry>>,
    cursor: Vec<usize>,
    ready: Vec<u64>,
    saved: Vec<Vec<Wait>>,
    sent: Vec<[Option<usize>; 2]>,
    received: Vec<[Option<usize>; 2]>,
    /// Of each destination, the flows and how many cells each has left.
    ring: Vec<VecDeque<(usize, u64)>>,
    next_seq: Vec<u64>,
}

struct Progress {
    queued: Vec<u64>,
    received: Vec<u64>,
}

/// Runs `flows`; `trace` gets slot, from, to, src, dst, seq of each cell that is sent.
pub fn run(
    settings: &Settings,
    flows: &[Flow],
    fault: Option<Fault>,
    trace: &mut Vec<[u64; 6]>,
) -> Outcome {
    let n = settings.hosts;
    let p = n - 1;
    let is = |what| fault == Some(what);
    let failed = |host: usize| (host as f64) < settings.fail / 100.0 * n as f64;
    let mut hosts: Vec<Host> = (0..n)
        .map(|_| Host {
            queue: vec![VecDeque::new(); n],
            list: (0..n).map(|_| Vec::new()).collect(),
            cursor: vec![0; n],
            ready: vec![0; n],
            saved: vec![vec![Wait::Epochs(0); n]; n],
            sent: vec![[None; 2]; n],
            received: vec![[None; 2]; n],
            ring: vec![VecDeque::new(); n],
            next_seq: vec![0; n],
        })
        .collect();
    let live = |flow: &Flow| !failed(flow.src as usize) && !failed(flow.dst as usize);
    let live_flows = flows.iter().filter(|flow| live(flow)).count() as u64;
    let mut progress: Vec<Progress> =
        flows.iter().map(|_| Progress { queued: vec![], received: vec![] }).collect();
    let mut early: HashMap<(usize, usize), BTreeSet<u64>> = HashMap::new();
    let mut expected = vec![vec![0; n]; n];
    let mut finished = vec![false; flows.len()];
    let mut outcome = Outcome {
        warmup: settings.warmup,
        flows: live_flows,
        ..Outcome::new("published", n, 1, SLOT_NS.into())
    };
    for t in 0.. {
        let c = (t % p as u64) as usize;
        // Steps 1 to 6.
        let mut sent: Vec<(Option<Cell>, [u64; 2])> = Vec::new();
        for (i, host) in hosts.iter_mut().enumerate() {
            let m = (i + c + 1) % n;
            for (number, flow) in flows.iter().enumerate() {
                if flow.src as usize != i || flow.start != t || !live(flow) {
                    continue;
                }
                let f = flow.dst as usize;
                if host.ring[f].is_empty() {
                    for x in (0..n).filter(|&x| x != i) {
                        host.list[x].push(Entry { f, wait: host.saved[x][f], since: t });
                    }
                }
                host.ring[f].push_back((number, flow.cells));
            }
            let len = host.queue[m].len() as u64;
            if outcome.queue_samples.len() <= len as usize {
                outcome.queue_samples.resize(len as usize + 1, 0);
            }
            outcome.queue_samples[len as usize] += 1;
            let total = host.queue.iter().map(|queue| queue.len() as u64).sum();
            outcome.aggregate_cells_max = outcome.aggregate_cells_max.max(total);
            let mut chosen = None;
            if !failed(i) && !failed(m) {
                host.ready[m] = 0;
                let size = host.list[m].len();
                let first = if host.cursor[m] >= size { 0 } else { host.cursor[m] };
                let own_waits = host.queue[m].iter().any(|cell| cell.src == i);
                for index in (first..size).chain(0..first) {
                    let entry = &mut host.list[m][index];
                    if is(Fault::DropBeforeLook) {
                        entry.wait.drop_one();
                    }
                    if matches!(entry.wait, Wait::Epochs(wait) if len >= wait) {
                        let age = (t - entry.since).checked_div(settings.gate);
                        let open = age.is_none_or(|age| {
                            age as f64 >= (n as f64).log2() || len <= 1 << age.min(63)
                        });
                        if open && !own_waits && chosen.is_none() {
                            chosen = Some(index);
                            host.cursor[m] = (index + 1) % size;
                            if is(Fault::CursorStays) {
                                host.cursor[m] = index;
                            }
                            host.ready[m] += u64::from(is(Fault::ReadyCountsChosen));
                        } else {
                            host.ready[m] += 1;
                        }
                    }
                    if !is(Fault::DropBeforeLook) {
                        entry.wait.drop_one();
                    }
                }
            }
            if let Some(index) = chosen {
                host.list[m][index].wait = Wait::Blocked;
                let f = host.list[m][index].f;
                let (flow, left) = host.ring[f].pop_front().expect("a flow");
                let seq = host.next_seq[f];
                host.next_seq[f] += 1;
                host.queue[m].push_back(Cell { flow, src: i, dst: f, seq });
                progress[flow].queued.push(t);
                if left > 1 {
                    host.ring[f].push_back((flow, left - 1));
                }
                if host.ring[f].is_empty() {
                    for x in (0..n).filter(|&x| x != i) {
                        let place = host.list[x].iter().position(|entry| entry.f == f).unwrap();
                        host.saved[x][f] = host.list[x].remove(place).wait;
                        if is(Fault::CursorFollowsRemoval) && place < host.cursor[x] {
                            host.cursor[x] -= 1;
                        }
                    }
                }
            }
            for f in 0..n {
                if host.ring[f].is_empty() {
                    host.saved[m][f].drop_one();
                }
            }
            let cell = host.queue[m].pop_front();
            if let Some(cell) = cell {
                let row = [i, m, cell.src, cell.dst].map(|host| host as u64);
                trace.push([t, row[0], row[1], row[2], row[3], cell.seq]);
                outcome.last_hop_cells += u64::from(cell.dst == m && t >= settings.warmup);
            }
            let values = host.received[m]
                .map(|y| y.map_or(0, |y| host.queue[y].len() as u64 + host.ready[y]));
            sent.push((cell, values));
        }
        outcome.slots = t + 1;
        let done = finished.iter().filter(|&&finished| finished).count() as u64;
        let ends = settings.epochs.is_some_and(|epochs| t + 1 == epochs * p as u64)
            || settings.finish.is_some_and(|finish| done >= finish)
            || done == live_flows;
        if !ends {
            // Steps 7 and 8.
            if is(Fault::SentNotedFirst) {
                note_sent(&mut hosts, &sent, c);
            }
            for (u, &(cell, values)) in sent.iter().enumerate() {
                let v = (u + c + 1) % n;
                let own = sent[v].0.filter(|cell| cell.src == v);
                let host = &mut hosts[v];
                // If both values are for the same f they are the same, so that their order changes nothing.
                for which in [1, 0] {
                    let Some(f) = host.sent[u][which] else { continue };
                    if host.queue[u].iter().any(|cell| cell.src == v && cell.dst == f) {
                        continue;
                    }
                    let value = values[which];
                    let a = (u + n - v - 1) % n;
                    let b = (f + n - u - 1) % n;
                    let from_now = |slot: usize| (slot + p - c) % p;
                    let mut d = value > 0
                        && f != u
                        && if a == c {
                            own.is_none_or(|cell| cell.dst != f) || is(Fault::CreditForOwnCell)
                        } else {
                            from_now(b) < from_now(a)
                                || a == b && c < a && !is(Fault::NoCreditForEqualSlots)
                        };
                    if is(Fault::NoCredit) {
                        d = false;
                    }
                    if is(Fault::AlwaysCredit) {
                        d = value > 0;
                    }
                    let wait = Wait::Epochs(value - u64::from(d));
                    match host.list[u].iter_mut().find(|entry| entry.f == f) {
                        Some(entry) => entry.wait = wait,
                        None => host.saved[u][f] = wait,
                    }
                }
                host.received[u] = [cell.map(|cell| cell.dst), host.received[u][0]];
                let Some(cell) = cell else { continue };
                if cell.dst != v {
                    host.queue[cell.dst].push_back(cell);
                    continue;
                }
                let flow = &mut progress[cell.flow];
                flow.received.push(t);
                finished[cell.flow] = flow.received.len() as u64 == flows[cell.flow].cells;
                let early = early.entry((cell.src, v)).or_default();
                let expected = &mut expected[cell.src][v];
                early.insert(cell.seq);
                while early.remove(expected) {
                    *expected += 1;
                }
                outcome.reorder_cells = outcome.reorder_cells.max(early.len() as u64);
            }
            if !is(Fault::SentNotedFirst) {
                note_sent(&mut hosts, &sent, c);
            }
        }
        for k in 0..n {
            let sources: BTreeSet<u32> = (flows.iter().zip(&finished))
                .filter(|(flow, finished)| {
                    flow.dst as usize == k && flow.start <= t && live(flow) && !**finished
                })
                .map(|(flow, _)| flow.src)
                .collect();
            let over = hosts.iter().filter(|host| host.queue[k].len() > 1 + sources.len());
            outcome.bound_violations += over.count() as u64;
        }
        if ends {
            break;
        }
    }
    for (flow, progress) in flows.iter().zip(progress) {
        if progress.received.len() as u64 == flow.cells {
            outcome.finished.push(FinishedFlow {
                src: flow.src,
                dst: flow.dst,
                cells: flow.cells,
                start: flow.start,
                first_queued: progress.queued[0],
                last_queued: *progress.queued.last().unwrap(),
                first_received: progress.received[0],
                last_received: *progress.received.last().unwrap(),
            });
        }
    }
    outcome
}

/// Step 9.
fn note_sent(hosts: &mut [Host], sent: &[(Option<Cell>, [u64; 2])], c: usize) {
    let n = hosts.len();
    for (i, host) in hosts.iter_mut().enumerate() {
        let own = sent[i].0.filter(|cell| cell.src == i).map(|cell| cell.dst);
        let slots = &mut host.sent[(i + c + 1) % n];
        *slots = [own, slots[0]];
    }
}
