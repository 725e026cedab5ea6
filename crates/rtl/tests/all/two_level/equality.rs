//! Every choice of the hardware against that of `ww_sched::framework::scheduler::Scheduler`, which gets the same calls
//! at the same wall clock: an arrival when the hardware takes it, a choice when one begins.
//!
//! spec: 004-pieo-shoal 2.4, 2.6

use crate::two_level::reference::{Policies, Setup, names_in_p4};
use std::collections::VecDeque;
use ww_rtl::design::SourceFile;
use ww_rtl::library;
use ww_rtl::two_level::{Arrival, Departure, Shape};
use ww_sched::framework::fixed::Pace;
use ww_sched::framework::{Meta, Packet};

/// Numbers that look random (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}

/// Arrivals in phases: each has some flows, lengths, and a pace.
struct Source {
    random: Random,
    shape: Shape,
    left: u64,
    /// Clocks between arrivals, at most.
    gap: u64,
    wait: u64,
    lengths: u64,
    nodes: u64,
    handle: u16,
}

impl Source {
    fn new(seed: u64, shape: Shape) -> Self {
        let random = Random(seed);
        Self { random, shape, left: 0, gap: 0, wait: 0, lengths: 0, nodes: 0, handle: 0 }
    }

    fn next(&mut self) -> Option<Arrival> {
        if self.left == 0 {
            self.left = 50 + self.random.below(3000);
            // Everything full, about what the link carries, little, nothing.
            self.gap = [8, 60, 120, 250, 1000, 20_000][self.random.below(6) as usize];
            self.lengths = self.random.below(5);
            self.nodes = 1 + self.random.below(u64::from(self.shape.nodes));
            self.wait = 0;
        }
        self.left -= 1;
        if self.wait > 0 {
            self.wait -= 1;
            return None;
        }
        self.wait = self.random.below(self.gap);
        self.handle = self.handle.wrapping_add(1);
        let bytes = match self.lengths {
            0 => 64,
            1 => 1500,
            2 => [64, 576, 1500][self.random.below(3) as usize],
            3 => 1 + self.random.below(9000),
            _ => [0, 1, 2, 255, 256, 4000][self.random.below(6) as usize],
        };
        let bytes = if self.random.below(500) == 0 { 65_535 } else { bytes };
        // Now and then an unknown flow, as far as the width of the port allows one.
        let flows = match self.random.below(20) {
            0 => self.shape.flows.next_power_of_two(),
            _ => self.shape.flows,
        };
        Some(Arrival {
            node: self.random.below(self.nodes) as u32,
            flow: self.random.below(u64::from(flows)) as u32,
            bytes: bytes as u32,
            handle: self.handle,
        })
    }
}

impl Source {
    /// What policies that order by jobs know of a packet.
    fn job(&mut self, now: u64) -> Meta {
        let mut below = |limit| self.random.below(limit);
        let size = 1 + below(100_000);
        Meta {
            size,
            remaining: 1 + below(size),
            slack: below(20_000_000),
            deadline: now + below(50_000_000),
            release: now + below(3_000_000),
        }
    }
}

/// What was seen.
#[derive(Debug, Default)]
pub struct Seen {
    pub departures: u64,
    pub dropped: u64,
    pub invalid: u64,
    /// Choices that found nobody.
    pub vain: u64,
    /// The most clocks for which the link was ready and the reference had a packet, but no choice began.
    pub late: u64,
    /// The most clocks from the beginning of a choice to its packet.
    pub latency: u64,
}

/// The most clocks for which a choice may be late: an arrival and the end of a departure are in front.
pub const LATEST: u64 = 64;

/// The same where each request goes through an emitted pipeline.
const LATEST_IN_P4: u64 = 400;

/// The same where a policy works in rounds: a child is asked once for each quantum of a packet, and put back.
const LATEST_IN_ROUNDS: u64 = 10_000;

/// Runs so many clocks; a sentence if a choice differs.
pub fn compare(
    setup: &Setup,
    files: &[SourceFile],
    seed: u64,
    clocks: u64,
) -> Result<Seen, String> {
    let Setup { shape, .. } = *setup;
    let mut scheduler = setup.hardware(files);
    let mut reference = setup.reference();
    let mut source = Source::new(seed, shape);
    let mut random = Random(!seed);
    let mut offered = None;
    let mut expected: VecDeque<(usize, Packet, u64, u64)> = VecDeque::new();
    let mut job = Meta::default();
    let Policies { root, leaf } = setup.policies;
    let latest = match setup.p4 {
        true if [root, leaf].iter().any(|name| ["drr", "sfq"].contains(name)) => LATEST_IN_ROUNDS,
        true => LATEST_IN_P4,
        false => LATEST,
    };
    let link = Pace::of_rate(40_000_000_000).expect("in range");
    let (mut free, mut chosen, mut late) = (0, false, 0);
    let mut seen = Seen::default();
    let begin = scheduler.clocks();
    // What is under way at the end is finished.
    while scheduler.clocks() < begin + clocks || !scheduler.is_idle() {
        if scheduler.clocks() > begin + clocks + 200_000 {
            return Err(format!("{setup:?}, seed {seed}: it does not come to rest"));
        }
        let (now, clock) = (scheduler.now(), scheduler.clocks());
        if offered.is_none() {
            offered = source.next();
            job = source.job(now);
            scheduler.set_job(&job);
        }
        let ready = now >= free;
        let events = scheduler.clock(offered.as_ref(), ready).map_err(|error| error.to_string())?;
        let context = format!("{setup:?}, seed {seed}, clock {clock}");
        if events.accepted {
            let Arrival { node, flow, bytes, handle } = offered.take().expect("it was offered");
            let number = (node * shape.flows + flow) as usize;
            if node >= shape.nodes || flow >= shape.flows || bytes == 0 {
                seen.invalid += 1;
            } else if reference.queued(number) == shape.depth as usize {
                seen.dropped += 1;
            } else {
                let packet =
                    Packet { handle: u64::from(handle), bytes, meta: job, ..Packet::default() };
                assert!(reference.enqueue(number, packet, now));
            }
        }
        if let Some(Departure { packet, time }) = events.departure {
            let Some((number, wanted, began, begun)) = expected.pop_front() else {
                return Err(format!("{context}: {packet:?} leaves, nobody was expected"));
            };
            let (node, flow) = (number as u32 / shape.flows, number as u32 % shape.flows);
            let same = Arrival { node, flow, bytes: wanted.bytes, handle: wanted.handle as u16 };
            if packet != same || time != began {
                return Err(format!(
                    "{context}: {packet:?} of {time} leaves, expected {same:?} of {began}"
                ));
            }
            seen.departures += 1;
            seen.latency = seen.latency.max(clock - begun);
            let pause = if random.below(50) == 0 { random.below(4_000_000) } else { 0 };
            free = now + link.picoseconds(u64::from(packet.bytes)) + pause;
            chosen = false;
        }
        if events.attempt {
            if let Some((flow, packet, ..)) = expected.front() {
                return Err(format!("{context}: flow {flow} did not leave: {packet:?}"));
            }
            late = 0;
            match reference.dequeue(now) {
                Some((flow, packet)) => {
                    expected.push_back((flow, packet, now, clock));
                    chosen = true;
                }
                None => seen.vain += 1,
            }
        } else if ready && !chosen {
            let is_due = reference.next_event(now).is_some_and(|time| time <= now);
            late = if is_due { late + 1 } else { 0 };
            seen.late = seen.late.max(late);
            if late > latest {
                return Err(format!("{context}: no choice begins"));
            }
        }
    }
    if (seen.dropped, seen.invalid) != scheduler.dropped() {
        return Err(format!("{:?} dropped, expected {seen:?}", scheduler.dropped()));
    }
    Ok(seen)
}

const SMALL: Shape = Shape { nodes: 3, flows: 3, depth: 4 };

fn clean(policies: Policies, shape: Shape, seeds: std::ops::Range<u64>, clocks: u64) {
    let mut total = Seen::default();
    for seed in seeds {
        let seen = compare(&Setup::random(policies, shape, seed), &[], seed, clocks);
        let seen = seen.unwrap_or_else(|error| panic!("{error}"));
        total.departures += seen.departures;
        total.dropped += seen.dropped;
        total.invalid += seen.invalid;
        total.vain += seen.vain;
        total.late = total.late.max(seen.late);
        total.latency = total.latency.max(seen.latency);
    }
    println!("{policies:?} {shape:?}: {total:?}");
    assert!(total.departures > 1500 && total.dropped > 100 && total.invalid > 100, "{total:?}");
}

#[test]
fn limits_of_nodes_shares_of_flows() {
    clean(Policies { root: "token_bucket", leaf: "wf2q" }, SMALL, 0..8, 60_000);
}

#[test]
fn shares_of_nodes_limits_of_flows() {
    clean(Policies { root: "wf2q", leaf: "token_bucket" }, SMALL, 0..8, 60_000);
}

#[test]
fn limits_of_nodes_and_flows() {
    clean(Policies { root: "token_bucket", leaf: "token_bucket" }, SMALL, 0..8, 60_000);
}

#[test]
fn shares_of_nodes_and_flows() {
    clean(Policies { root: "wf2q", leaf: "wf2q" }, SMALL, 0..8, 60_000);
}

#[test]
fn ten_nodes_of_ten_flows() {
    clean(Policies { root: "token_bucket", leaf: "wf2q" }, Shape::published(), 100..104, 80_000);
}

/// Each policy of `p4/schedulers` as hardware, in a level around the same lists: the decisions of Rust.
#[test]
fn policies_in_p4() {
    let mut all = names_in_p4();
    for (root, leaf) in [
        ("token_bucket", "wf2q"),
        ("drr", "stfq"),
        ("wf2q", "drr"),
        ("strict", "fair_shaper"),
        ("stfq", "edf"),
        ("fifo", "srtf"),
        ("sfq", "rcsp"),
        ("fair_shaper", "lstf"),
        ("wfq", "sjf"),
        ("rcsp", "fifo"),
    ] {
        let mut total = Seen::default();
        for seed in 20..24 {
            let policies = Policies { root, leaf };
            let setup = Setup { p4: true, ..Setup::random(policies, SMALL, seed) };
            let seen = compare(&setup, &[], seed, 40_000);
            let seen = seen.unwrap_or_else(|error| panic!("{error}"));
            total.departures += seen.departures;
            total.dropped += seen.dropped;
            total.vain += seen.vain;
            total.late = total.late.max(seen.late);
            total.latency = total.latency.max(seen.latency);
        }
        println!("{root} over {leaf} in P4: {total:?}");
        assert!(total.departures > 300 && total.dropped > 50, "{root} over {leaf}: {total:?}");
        all.retain(|name| name != root && name != leaf);
    }
    assert_eq!(all, [""; 0], "policies that were not tried");
}

/// Whatever is wrong in the hardware, the comparison must find it.
#[test]
#[ignore = "builds a model for each fault; make test-all runs it"]
fn faults_are_found() {
    let faults = [
        // A node that comes back is given the rank of a new one.
        ("ww_scheduler_two_level", "active[node] == '0 ? LIST : RESTORE;", "LIST;"),
        // The first packet of a class counts with no length.
        ("ww_scheduler_two_level", "last[node] == '0 ? length : last[node]", "last[node]"),
        // Of nodes that may come back only one does.
        (
            "ww_scheduler_two_level",
            "WAKING: if (root_ready) state <= WAKE;",
            "WAKING: if (root_ready) state <= AGAIN;",
        ),
        // The difference of a class's lengths is not put right.
        (
            "ww_policy_token_bucket",
            "step[4] && bucket.limited && bucket.used && kind == POST_DEQUEUE",
            "1'b0 && kind == POST_DEQUEUE",
        ),
        // Virtual time does not follow the starts.
        (
            "ww_policy_wf2q",
            "any && least > virtual_time ? least : virtual_time",
            "any && 1'b0 ? least : virtual_time",
        ),
        // A flow that was away keeps its finish time.
        ("ww_policy_wf2q", "fresh && virtual_time > finish", "1'b0 && fresh"),
        // The least time is that of the last node.
        (
            "ww_pieo_parents",
            "if (least_parent == PARENT_WIDTH'(p)) {",
            "if (least_parent <= PARENT_WIDTH'(p)) {",
        ),
        // A full queue takes one more.
        (
            "ww_scheduler_queues",
            "queue.count == (PLACE_WIDTH + 1)'(DEPTH)",
            "queue.count > (PLACE_WIDTH + 1)'(DEPTH)",
        ),
    ];
    for (module, find, replace) in faults {
        let found = is_found(module, find, replace, |files| {
            [("token_bucket", "wf2q"), ("wf2q", "token_bucket")].into_iter().any(|(root, leaf)| {
                let policies = Policies { root, leaf };
                (0..8).any(|seed| {
                    compare(&Setup::random(policies, SMALL, seed), files, seed, 60_000).is_err()
                })
            })
        });
        println!("{module}, {replace}: {found}");
        assert!(found, "nobody notices: {module}, {replace}");
    }
}

/// The same for what rounds and jobs need.
#[test]
#[ignore = "builds a model for each fault; make test-all runs it"]
fn faults_in_rounds_are_found() {
    let faults = [
        // Who may not send does.
        ("ww_scheduler_level", "state <= ans_yes ? IDLE : PRE;", "state <= IDLE;"),
        // Nobody goes on.
        ("ww_scheduler_level", "state <= !ans_yes ? PRE :", "state <= 1'b1 ? PRE :"),
        // Who goes on does so for ever.
        (
            "ww_scheduler_level",
            "goes_on[cmd_parent] <= 1'b0;",
            "goes_on[cmd_parent] <= goes_on[cmd_parent];",
        ),
        // Who has nothing left keeps its deficit.
        ("ww_scheduler_level", "ASKS[EMPTIED] ? EMPTY :", "1'b0 ? EMPTY :"),
        // Who may not send is judged by another length.
        ("ww_scheduler_level", "bytes <= peek_bytes;", "bytes <= peek_bytes + 32'd1;"),
        // A node that was to go on and steps aside keeps an old rank.
        (
            "ww_scheduler_two_level",
            "leaf_found ? POP : root_stays ? STAMPED : AGAIN",
            "leaf_found ? POP : AGAIN",
        ),
        // It comes back too late.
        (
            "ww_scheduler_two_level",
            "state == LEAF ? until_time : kept_until",
            "state == LEAF ? until_time : kept_until + 64'd100000",
        ),
        // A node that has not sent yet counts with no length.
        (
            "ww_scheduler_two_level",
            "last[node] == '0) last[node] <= length;",
            "1'b0) last[node] <= length;",
        ),
        // The next packet brings the words of the one that left.
        ("ww_scheduler_queues", "pop_next_head   <= packet.head;", "pop_next_head   <= pop_head;"),
        // A packet comes with another job.
        ("ww_scheduler_two_level", ".cmd_head({job, began})", ".cmd_head({~job, began})"),
    ];
    for (module, find, replace) in faults {
        let found = is_found(module, find, replace, |files| {
            [("sfq", "rcsp"), ("fifo", "drr"), ("drr", "srtf")].into_iter().any(|(root, leaf)| {
                let policies = Policies { root, leaf };
                (0..8).any(|seed| {
                    let setup = Setup { p4: true, ..Setup::random(policies, SMALL, seed) };
                    compare(&setup, files, seed, 60_000).is_err()
                })
            })
        });
        println!("{module}, {replace}: {found}");
        assert!(found, "nobody notices: {module}, {replace}");
    }
}

/// What a judgement says of a module with this in place of that.
fn is_found(
    module: &str,
    find: &str,
    replace: &str,
    judge: impl Fn(&[SourceFile]) -> bool,
) -> bool {
    let text = library::block(module).expect("it exists").text;
    assert_eq!(text.matches(find).count(), 1, "{find}");
    judge(&[SourceFile { name: format!("{module}.sv"), text: text.replace(find, replace) }])
}
