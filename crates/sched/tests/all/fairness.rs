//! Shares of bandwidth: DRR, WFQ, WF2Q+, STFQ, hierarchies, against byte counts and a fluid model.

use crate::driver;

use driver::{GIGABIT, MILLISECOND, Random, backlogged, flat, node, pace, packet, plain, serve};
use ww_sched::framework::scheduler::Scheduler;
use ww_sched::framework::{ChildSpec, NodeSpec, Parameters, Trigger};
use ww_sched::policies::drr::DeficitRoundRobin;
use ww_sched::policies::sfq::StochasticQueues;
use ww_sched::policies::stfq::StartTime;
use ww_sched::policies::token_bucket::TokenBucket;
use ww_sched::policies::wf2q::Wf2q;
use ww_sched::policies::wfq::Wfq;

const MTU: u32 = 1500;

fn weights(weights: &[u64]) -> Vec<Parameters> {
    weights.iter().map(|&weight| Parameters { weight, ..plain() }).collect()
}

/// Check 12: after every round each flow has sent its quanta but for less than one packet, whatever
/// the sizes.
#[test]
fn drr_shares_bytes_by_quantum() {
    let quanta = [1500, 3000];
    let children = quanta.map(|quantum| Parameters { quantum, ..plain() });
    let mut scheduler = flat(DeficitRoundRobin::default(), children);
    let mut random = Random(3);
    let mut bytes = [0u64; 2];
    let (mut visits, mut last) = ([0u64; 2], usize::MAX);
    for flow in [0, 1, 0, 1] {
        scheduler.enqueue(flow, packet(64 + random.below(1437) as u32), 0);
    }
    serve(&mut scheduler, pace(GIGABIT), 0, 20 * MILLISECOND, |scheduler, flow, sent, now| {
        if flow != last {
            // The visit of `last` is over.
            if last < 2 {
                let owed = visits[last] * quanta[last] - bytes[last];
                assert!(owed < u64::from(MTU), "{owed} bytes after {} visits", visits[last]);
            }
            visits[flow] += 1;
            last = flow;
        }
        bytes[flow] += u64::from(sent.bytes);
        scheduler.enqueue(flow, packet(64 + random.below(1437) as u32), now);
    });
    assert!(visits[0] > 300, "{visits:?}");
    let ratio = bytes[1] as f64 / bytes[0] as f64;
    assert!((ratio - 2.0).abs() < 2.0 * f64::from(MTU) * 2.0 / bytes[0] as f64 + 0.01, "{ratio}");
}

/// What each flow has been given by an ideal fluid server at given times. Flows: weight, bytes, all there
/// at time 0. Times in units of a byte on the link.
fn fluid(flows: &[(f64, f64)], times: &[f64]) -> Vec<Vec<f64>> {
    let mut left: Vec<f64> = flows.iter().map(|flow| flow.1).collect();
    let (mut now, mut given) = (0.0, vec![0.0; flows.len()]);
    let mut answers = Vec::new();
    for &time in times {
        while now < time {
            let busy: f64 = (0..flows.len()).filter(|&i| left[i] > 1e-9).map(|i| flows[i].0).sum();
            if busy == 0.0 {
                now = time;
                break;
            }
            // Until the next flow is done.
            let ends = (0..flows.len()).filter(|&i| left[i] > 1e-9);
            let end = ends.map(|i| left[i] * busy / flows[i].0).fold(time - now, f64::min);
            for i in 0..flows.len() {
                if left[i] > 1e-9 {
                    let part = end * flows[i].0 / busy;
                    (left[i], given[i]) = (left[i] - part, given[i] + part);
                }
            }
            now += end;
        }
        answers.push(given.clone());
    }
    answers
}

/// The most that any flow is ahead of the fluid server, in bytes, over the whole run.
fn most_ahead(mut scheduler: Scheduler, weights: &[u64], sizes: &[Vec<u32>]) -> f64 {
    let link = pace(GIGABIT);
    for (flow, sizes) in sizes.iter().enumerate() {
        for &bytes in sizes {
            scheduler.enqueue(flow, packet(bytes), 0);
        }
    }
    let mut ends = Vec::new();
    serve(&mut scheduler, link, 0, u64::MAX, |_, flow, sent, now| {
        ends.push((flow, f64::from(sent.bytes), (now / link.picoseconds(1)) as f64));
    });
    let total = |sizes: &Vec<u32>| sizes.iter().map(|&bytes| f64::from(bytes)).sum();
    let flows: Vec<(f64, f64)> =
        weights.iter().zip(sizes).map(|(&w, sizes)| (w as f64, total(sizes))).collect();
    let times: Vec<f64> = ends.iter().map(|(_, bytes, begin)| begin + bytes).collect();
    let mut given = vec![0.0; flows.len()];
    let mut ahead: f64 = 0.0;
    for ((flow, bytes, _), ideal) in ends.iter().zip(fluid(&flows, &times)) {
        given[*flow] += bytes;
        ahead = ahead.max(given[*flow] - ideal[*flow]);
    }
    let sums: Vec<f64> = flows.iter().map(|flow| flow.1).collect();
    assert_eq!(given, sums, "everything was sent");
    ahead
}

/// Check 15, the classical burst: one flow with half of the link and eleven packets, ten flows with a
/// twentieth and one packet each.
#[test]
fn wf2q_is_never_a_packet_ahead_of_fluid_and_wfq_is() {
    let weights_of = [&[10u64][..], &[1; 10]].concat();
    let sizes: Vec<Vec<u32>> =
        (0..11).map(|flow| vec![MTU; if flow == 0 { 11 } else { 1 }]).collect();
    let link = pace(GIGABIT);
    let ahead = |scheduler| most_ahead(scheduler, &weights_of, &sizes);
    let wf2q = ahead(flat(Wf2q::new(link), weights(&weights_of)));
    assert!(wf2q <= f64::from(MTU) + 0.01, "WF2Q+ is {wf2q} bytes ahead");
    let wfq = ahead(flat(Wfq::new(link), weights(&weights_of)));
    assert!(wfq > 4.0 * f64::from(MTU), "WFQ is {wfq} bytes ahead");
}

/// Check 15 with random weights and sizes, while all are backlogged.
#[test]
fn wf2q_stays_with_fluid_on_random_loads() {
    for seed in 0..20 {
        let mut random = Random(seed);
        let count = 2 + random.below(8) as usize;
        let weights_of: Vec<u64> = (0..count).map(|_| 1 + random.below(9)).collect();
        // Bytes in proportion to weights, so that all end at about the same time.
        let mut sizes: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (flow, sizes) in sizes.iter_mut().enumerate() {
            let mut left = weights_of[flow] * 40_000;
            while left > 0 {
                let bytes = (64 + random.below(1437)).min(left);
                sizes.push(bytes as u32);
                left -= bytes;
            }
        }
        let scheduler = flat(Wf2q::new(pace(GIGABIT)), weights(&weights_of));
        let ahead = most_ahead(scheduler, &weights_of, &sizes);
        assert!(ahead <= f64::from(MTU) + 1.0, "seed {seed}: {ahead} bytes ahead");
    }
}

/// Shares by weight over ten milliseconds.
#[test]
fn fair_queues_share_by_weight() {
    let link = pace(10 * GIGABIT);
    let of = [1, 2, 3, 4];
    let schedulers = [
        flat(Wfq::new(link), weights(&of)),
        flat(Wf2q::new(link), weights(&of)),
        flat(StartTime::new(link), weights(&of)),
    ];
    for mut scheduler in schedulers {
        let mut random = Random(9);
        let sizes = |_| 64 + random.below(1437) as u32;
        let bytes = backlogged(&mut scheduler, link, 10 * MILLISECOND, &[0, 1, 2, 3], sizes);
        let total: u64 = bytes.iter().sum();
        for (flow, &weight) in of.iter().enumerate() {
            let share = bytes[flow] as f64 * 10.0 / total as f64;
            assert!((share - weight as f64).abs() < 0.01 * weight as f64, "{flow}: {bytes:?}");
        }
    }
}

/// A flow that was silent while another one sent a hundred packets may not send a hundred in a row for it. In
/// STFQ and WF2Q+ it begins where the other one is. Virtual time of WFQ is the service of the link: the
/// other one, alone, had twice its share, and pays back half of what it had.
#[test]
fn idle_time_earns_no_credit() {
    let link = pace(GIGABIT);
    let both = [1, 1];
    for (mut scheduler, wanted) in [
        (flat(StartTime::new(link), weights(&both)), 0..=2),
        (flat(Wf2q::new(link), weights(&both)), 0..=2),
        (flat(Wfq::new(link), weights(&both)), 49..=51),
    ] {
        for _ in 0..101 {
            scheduler.enqueue(0, packet(MTU), 0);
        }
        let mut now = 0;
        for _ in 0..100 {
            let (flow, sent) = scheduler.dequeue(now).expect("a packet");
            assert_eq!(flow, 0);
            now += link.picoseconds(u64::from(sent.bytes));
        }
        for _ in 0..200 {
            scheduler.enqueue(1, packet(MTU), now);
        }
        let mut row = 0;
        while let Some((1, sent)) = scheduler.dequeue(now) {
            row += 1;
            now += link.picoseconds(u64::from(sent.bytes));
        }
        assert!(wanted.contains(&row), "{row} packets in a row, not {wanted:?}");
    }
}

/// As printed, a weight is a divisor of the link's rate: twice the weight, half the share. (2 and 4: the
/// rates' sum must not be more than the link's, or virtual time overtakes all finish times.)
#[test]
fn literal_wfq_divides_by_weight() {
    let link = pace(10 * GIGABIT);
    let mut scheduler = flat(Wfq::literal(link), weights(&[2, 4]));
    let bytes = backlogged(&mut scheduler, link, MILLISECOND, &[0, 1], |_| MTU);
    let ratio = bytes[0] as f64 / bytes[1] as f64;
    assert!((ratio - 2.0).abs() < 0.02, "{bytes:?}");
}

fn jain(values: &[u64]) -> f64 {
    let sum: f64 = values.iter().map(|&v| v as f64).sum();
    let squares: f64 = values.iter().map(|&v| (v as f64).powi(2)).sum();
    sum * sum / (values.len() as f64 * squares)
}

/// Ten nodes with token buckets, ten flows with WF2Q+ in each.
fn two_level(rates: &[u64]) -> Scheduler {
    let child = |&rate: &u64| {
        let flows = (0..10).map(|_| (plain(), ChildSpec::Flow)).collect();
        let parameters = Parameters { pace: pace(rate * GIGABIT), burst: 3000, ..plain() };
        (parameters, ChildSpec::Node(node(Wf2q::new(pace(rate * GIGABIT)), flows)))
    };
    Scheduler::new(node(TokenBucket::default(), rates.iter().map(child).collect())).expect("a tree")
}

/// Check 14: each node at its limit, each flow a tenth of it; the share of flows without packets goes
/// to their siblings.
#[test]
fn two_levels_limit_nodes_and_share_inside() {
    let rates = [1, 2, 3, 4, 5, 6, 7, 4, 3, 2];
    let link = pace(40 * GIGABIT);
    let mut scheduler = two_level(&rates);
    // In the last node only five flows have packets.
    let busy: Vec<usize> = (0..95).collect();
    let time = 20 * MILLISECOND;
    let bytes = backlogged(&mut scheduler, link, time, &busy, |_| MTU);
    for (node, rate) in rates.iter().enumerate() {
        let flows = &bytes[node * 10..node * 10 + 10];
        let sent: u64 = flows.iter().sum();
        // A gigabit a second is 125,000 bytes a millisecond; the burst on top.
        let limit = rate * 125_000 * 20;
        assert!(sent <= limit + 3000 + 1500, "node {node}: {sent} of {limit}");
        assert!(sent as f64 >= 0.999 * limit as f64, "node {node}: {sent} of {limit}");
        let busy = &flows[..if node == 9 { 5 } else { 10 }];
        assert!(jain(busy) >= 0.999, "node {node}: {busy:?}");
    }
}

/// Three levels of WF2Q+: shares multiply.
#[test]
fn hierarchies_of_any_depth() {
    let link = pace(10 * GIGABIT);
    let weighted = |weight| Parameters { weight, ..plain() };
    let leaf = |a, b| {
        let flows = vec![(weighted(a), ChildSpec::Flow), (weighted(b), ChildSpec::Flow)];
        ChildSpec::Node(node(Wf2q::new(link), flows))
    };
    let inner = ChildSpec::Node(node(
        Wf2q::new(link),
        vec![(weighted(1), leaf(1, 3)), (weighted(4), leaf(1, 1))],
    ));
    let root = node(Wf2q::new(link), vec![(weighted(2), inner), (weighted(3), leaf(2, 1))]);
    let mut scheduler = Scheduler::new(root).expect("a tree");
    // By hand: 2/5 · 1/5 · 1/4 and so on.
    let shares = [0.02, 0.06, 0.16, 0.16, 0.4, 0.2];
    let mut random = Random(4);
    let sizes = |_| 200 + random.below(1301) as u32;
    let bytes = backlogged(&mut scheduler, link, 40 * MILLISECOND, &[0, 1, 2, 3, 4, 5], sizes);
    let total: u64 = bytes.iter().sum();
    for (flow, share) in shares.iter().enumerate() {
        let measured = bytes[flow] as f64 / total as f64;
        assert!((measured / share - 1.0).abs() < 0.02, "flow {flow}: {measured} of {share}");
    }
}

/// Stamps made on arrival and stamps made at the head are equal when nothing arrives later.
#[test]
fn input_triggered_is_the_same_for_a_batch() {
    let order = |trigger| {
        let children = weights(&[3, 1, 2]).into_iter().map(|p| (p, ChildSpec::Flow)).collect();
        let policy = Box::new(Wf2q::new(pace(GIGABIT)));
        let mut scheduler = Scheduler::new(NodeSpec { policy, trigger, children }).expect("a tree");
        let mut random = Random(2);
        for n in 0..300 {
            scheduler.enqueue(n % 3, packet(64 + random.below(1437) as u32), 0);
        }
        let mut order = Vec::new();
        serve(&mut scheduler, pace(GIGABIT), 0, u64::MAX, |_, flow, _, _| order.push(flow));
        order
    };
    let output = order(Trigger::Output);
    assert_eq!(output.len(), 300);
    assert_eq!(order(Trigger::Input), output);
}

/// Flows spread evenly over few queues, and a heavy one does not take the others' share.
#[test]
fn stochastic_queues() {
    let queues = StochasticQueues { queues: 16, seed: 7 };
    let mut counts = [0u32; 16];
    for key in 0..16_000 {
        counts[queues.queue(key) as usize] += 1;
    }
    // 1,000 each are expected, with a standard deviation of 31.
    assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    let other = StochasticQueues { seed: 8, ..queues };
    assert!((0..100).any(|key| other.queue(key) != queues.queue(key)));
    let heavy = queues.queue(1) as usize;
    let light = queues.queue((2..).find(|&key| queues.queue(key) as usize != heavy).expect("one"));
    let mut scheduler = flat(DeficitRoundRobin::default(), (0..16).map(|_| plain()));
    let link = pace(GIGABIT);
    let bytes = backlogged(&mut scheduler, link, MILLISECOND, &[heavy, light as usize], |flow| {
        if flow == heavy { MTU } else { 100 }
    });
    assert!(bytes[heavy].abs_diff(bytes[light as usize]) <= 3000, "{bytes:?}");
}
