//! Times: token buckets, RCSP, aging, pause, and orders by what packets say.

use crate::driver;

use driver::{GIGABIT, MILLISECOND, Random, backlogged, flat, node, pace, packet, plain, serve};
use ww_sched::framework::scheduler::Scheduler;
use ww_sched::framework::{ChildSpec, Head, Meta, Packet, Parameters, Policy, Sent};
use ww_sched::policies::aging::Aging;
use ww_sched::policies::fair_shaper::FairShaper;
use ww_sched::policies::fifo::Fifo;
use ww_sched::policies::rcsp::Rcsp;
use ww_sched::policies::strict::StrictPriority;
use ww_sched::policies::token_bucket::TokenBucket;
use ww_sched::policies::urgency::Urgency;
use ww_sched::policies::wf2q::Wf2q;

const MTU: u32 = 1500;

/// Check 13: never more than rate, burst and a packet; within 0.1% of the rate in the long run.
#[test]
fn token_buckets_keep_their_rate() {
    for rate in [1, 3, 7, 10, 25, 40] {
        let burst = 15_000;
        let parameters = Parameters { pace: pace(rate * GIGABIT), burst, ..plain() };
        let mut scheduler = flat(TokenBucket::default(), [parameters]);
        scheduler.enqueue(0, packet(MTU), 0);
        scheduler.enqueue(0, packet(MTU), 0);
        let (mut sent, time) = (0u64, 10 * MILLISECOND);
        serve(&mut scheduler, pace(100 * GIGABIT), 0, time, |scheduler, _, packet, now| {
            sent += u64::from(packet.bytes);
            // rate · 10^9 / 8 bytes in 10^12 ps.
            let allowed = (u128::from(now) * u128::from(rate) / 8000) as u64;
            assert!(sent <= allowed + burst + u64::from(MTU), "{sent} at {now}");
            scheduler.enqueue(0, Packet { ..packet }, now);
        });
        let expected = rate * 125_000 * 10;
        let deviation = (sent - burst).abs_diff(expected) as f64 / expected as f64;
        assert!(deviation < 0.001, "{rate} Gb/s: {sent} bytes, {deviation}");
    }
}

/// Tokens do not gather beyond the burst: after ten silent milliseconds a packet of 1,500 bytes leaves at once, and
/// the others every 12 us, which is 1 Gb/s, on a link of 10.
#[test]
fn a_bucket_is_no_larger_than_its_burst() {
    let mut scheduler = flat(TokenBucket::default(), [plain()]);
    scheduler.enqueue(0, packet(1500), 0);
    let link = pace(10 * GIGABIT);
    serve(&mut scheduler, link, 0, MILLISECOND, |_, _, _, _| ());
    let begin = 10 * MILLISECOND;
    for _ in 0..5 {
        scheduler.enqueue(0, packet(1500), begin);
    }
    let mut times = Vec::new();
    serve(&mut scheduler, link, begin, 2 * begin, |_, _, _, now| times.push(now - begin));
    assert_eq!(times, [0, 12_000_000, 24_000_000, 36_000_000, 48_000_000]);
}

/// Rates below the link's share it; the limit of one is the gain of the others.
#[test]
fn shaping_and_fairness_in_one_list() {
    let link = pace(10 * GIGABIT);
    let limited = |gigabits| Parameters { pace: pace(gigabits * GIGABIT), burst: 3000, ..plain() };
    let mut scheduler = flat(FairShaper::new(link), [limited(1), limited(10), limited(10)]);
    let bytes = backlogged(&mut scheduler, link, 10 * MILLISECOND, &[0, 1, 2], |_| MTU);
    // 1, 4.5 and 4.5 Gb/s for 10 ms.
    for (flow, expected) in [1_250_000.0, 5_625_000.0, 5_625_000.0].into_iter().enumerate() {
        assert!((bytes[flow] as f64 / expected - 1.0).abs() < 0.005, "{bytes:?}");
    }
}

/// Start-time fair queueing: who was held back by its limit starts at virtual time, which is the start of the last
/// packet in service, and not where its own last packet ended.
#[test]
fn rate_limit_earns_no_credit() {
    let mut policy = FairShaper::new(pace(10 * GIGABIT));
    for child in 0..2 {
        policy.configure(child, &plain());
    }
    let mut send = |child: usize, fresh| {
        let head = Head { packet: packet(MTU), fresh };
        let stamp = policy.pre_enqueue(child, &head, 0);
        policy.post_dequeue(child, &Sent { bytes: MTU, stamped: MTU }, 0);
        stamp
    };
    let first = send(0, true);
    assert_eq!((first.rank, first.eligible), (0, 0));
    let mut last = send(1, true);
    for _ in 0..9 {
        last = send(1, false);
    }
    // Each has half of 10 Gb/s: a packet is 2,400 ns in tags of 2^-8 ps.
    assert_eq!(last.rank, (9 * 2_400_000) << 8);
    let held = send(0, false);
    assert_eq!(held.eligible, 12_000_000, "no tokens are left");
    assert_eq!(held.rank, last.rank);
}

/// Check 16: never before the release; among those released always the best priority.
#[test]
fn rcsp_keeps_releases_and_priorities() {
    let priorities: Vec<u64> = (0..8).map(|flow| flow / 2).collect();
    let children = priorities.iter().map(|&priority| Parameters { priority, ..plain() });
    let mut scheduler = flat(Rcsp::default(), children);
    let mut random = Random(11);
    // Our own account of the queues: releases in order of arrival.
    let mut queues = vec![std::collections::VecDeque::new(); 8];
    for n in 0..4000u64 {
        let flow = random.below(8) as usize;
        let release = n * 1_000_000 + random.below(40_000_000);
        let meta = Meta { release, ..Meta::default() };
        scheduler.enqueue(flow, Packet { meta, ..packet(100) }, 0);
        queues[flow].push_back(release);
    }
    let (mut count, mut waits) = (0, 0);
    let mut busy_until = 0;
    serve(&mut scheduler, pace(GIGABIT), 0, u64::MAX, |_, flow, sent, now| {
        assert!(sent.meta.release <= now, "too early");
        assert_eq!(queues[flow].pop_front(), Some(sent.meta.release));
        let released = |queue: &&std::collections::VecDeque<u64>| queue.front() <= Some(&now);
        let better = queues.iter().enumerate().filter(|(_, queue)| !queue.is_empty());
        let better =
            better.filter(|(_, queue)| released(queue)).map(|(other, _)| priorities[other]);
        assert!(better.min().is_none_or(|best| priorities[flow] <= best), "at {now}");
        waits += u64::from(now > busy_until);
        busy_until = now + 800_000;
        count += 1;
    });
    assert_eq!(count, 4000);
    assert!(waits > 10, "the link was idle {waits} times");
}

/// Check 17: with a top class that is always busy, a low flow is served after at most the threshold times
/// its distance, and then in turn with the top.
#[test]
fn aging_bounds_the_wait() {
    let threshold = MILLISECOND / 10;
    for distance in 1..5 {
        let children = [0, distance].map(|priority| Parameters { priority, ..plain() });
        let served =
            |scheduler: &mut Scheduler| {
                let mut times = Vec::new();
                scheduler.enqueue(1, packet(MTU), 0);
                scheduler.enqueue(1, packet(MTU), 0);
                scheduler.enqueue(0, packet(MTU), 0);
                scheduler.enqueue(0, packet(MTU), 0);
                serve(scheduler, pace(GIGABIT), 0, 2 * MILLISECOND, |scheduler, flow, _, now| {
                    match flow {
                        0 => drop(scheduler.enqueue(0, packet(MTU), now)),
                        _ => times.push(now),
                    }
                });
                times
            };
        let times = served(&mut flat(Aging::new(threshold), children));
        // The alarm is seen when the link is free, then one packet of the top is in front: 12 µs each.
        let (limit, packet_time) = (threshold * distance, 12_000_000);
        assert_eq!(times.len(), 2, "distance {distance}");
        assert!((limit..=limit + 2 * packet_time).contains(&times[0]), "{distance}: {times:?}");
        // Service brings the own priority back.
        let second = times[1] - times[0];
        assert!((limit..=limit + 2 * packet_time).contains(&second), "{distance}: {times:?}");
        assert!(served(&mut flat(StrictPriority::default(), children)).is_empty());
    }
}

/// Check 18: nothing of a paused flow leaves, arrivals do not bring it back, others keep the link busy;
/// doing it twice, or for an empty flow, changes nothing.
#[test]
fn pause_and_resume() {
    let link = pace(GIGABIT);
    let flows = || (0..3).map(|_| plain());
    let inner = node(Wf2q::new(link), flows().map(|p| (p, ChildSpec::Flow)).collect());
    let class = node(StrictPriority::default(), vec![(plain(), ChildSpec::Node(inner))]);
    let hierarchy = Scheduler::new(class).expect("a tree");
    for mut scheduler in [flat(Wf2q::new(link), flows()), hierarchy] {
        assert!(!scheduler.pause(3) && !scheduler.resume(3, 0));
        for flow in [0, 0, 1, 1, 2, 2] {
            scheduler.enqueue(flow, packet(MTU), 0);
        }
        let (mut bytes, mut phases) = ([0u64; 3], Vec::new());
        let run = |scheduler: &mut Scheduler, now, until, bytes: &mut [u64; 3]| {
            serve(scheduler, link, now, until, |scheduler, flow, sent, now| {
                bytes[flow] += u64::from(sent.bytes);
                scheduler.enqueue(flow, packet(MTU), now);
            })
        };
        let now = run(&mut scheduler, 0, MILLISECOND, &mut bytes);
        phases.push(bytes);
        assert!(scheduler.pause(1) && scheduler.pause(1));
        scheduler.enqueue(1, packet(MTU), now);
        let now = run(&mut scheduler, now, 2 * MILLISECOND, &mut bytes);
        phases.push(bytes);
        // Everybody paused: nothing leaves, nothing is due.
        assert!(scheduler.pause(0) && scheduler.pause(2));
        assert_eq!((scheduler.dequeue(now), scheduler.next_event(now)), (None, None));
        for flow in [0, 1, 2, 1] {
            assert!(scheduler.resume(flow, now));
        }
        let now = run(&mut scheduler, now, 3 * MILLISECOND, &mut bytes);
        phases.push(bytes);
        assert_eq!(phases[1][1], phases[0][1], "paused");
        let passed: u64 = phases[1].iter().sum::<u64>() - phases[0].iter().sum::<u64>();
        // A millisecond at 1 Gb/s is 125,000 bytes.
        assert!(passed.abs_diff(125_000) <= u64::from(MTU), "{passed}");
        let last: Vec<u64> = (0..3).map(|flow| phases[2][flow] - phases[1][flow]).collect();
        let most = last.iter().max().expect("three") - last.iter().min().expect("three");
        assert!(most <= 2 * u64::from(MTU), "{last:?}");
        // Paused and empty, then resumed: nothing appears.
        let mut rest = 0;
        serve(&mut scheduler, link, now, u64::MAX, |_, _, _, _| rest += 1);
        assert!(rest > 0 && scheduler.is_empty());
        let later = u64::MAX / 2;
        assert!(scheduler.pause(0) && scheduler.resume(0, later));
        assert_eq!(scheduler.dequeue(later), None);
        // A packet for a paused flow without packets waits for the resume.
        assert!(scheduler.pause(0) && scheduler.enqueue(0, packet(MTU), later));
        assert_eq!(scheduler.dequeue(later), None);
        assert!(scheduler.resume(0, later));
        assert_eq!(scheduler.dequeue(later).map(|(flow, _)| flow), Some(0));
    }
}

/// A batch leaves in the order of the word that the policy goes by.
#[test]
fn order_follows_packet_fields() {
    let mut random = Random(8);
    let metas: Vec<Meta> = (0..50)
        .map(|_| Meta {
            size: random.below(1000),
            remaining: random.below(1000),
            slack: random.below(1000),
            deadline: random.below(1000),
            release: 0,
        })
        .collect();
    type Word = fn(&Meta) -> u64;
    let words: [(Urgency, Word); 4] = [
        (Urgency::ShortestJob, |meta| meta.size),
        (Urgency::ShortestRemaining, |meta| meta.remaining),
        (Urgency::LeastSlack, |meta| meta.slack),
        (Urgency::EarliestDeadline, |meta| meta.deadline),
    ];
    for (policy, word) in words {
        let mut scheduler = flat(policy, (0..50).map(|_| plain()));
        for (flow, &meta) in metas.iter().enumerate() {
            scheduler.enqueue(flow, Packet { meta, ..packet(100) }, 0);
        }
        let mut order = Vec::new();
        serve(&mut scheduler, pace(GIGABIT), 0, u64::MAX, |_, flow, _, _| order.push(flow));
        let mut expected: Vec<usize> = (0..50).collect();
        expected.sort_by_key(|&flow| word(&metas[flow]));
        assert_eq!(order, expected, "{policy:?}");
    }
    // Slack counts from arrival: 500 that came at 100 is due after 550 that came at 0.
    let mut scheduler = flat(Urgency::LeastSlack, [plain(), plain()]);
    for (flow, slack, now) in [(0, 550, 0), (1, 500, 100)] {
        let meta = Meta { slack, ..Meta::default() };
        scheduler.enqueue(flow, Packet { meta, ..packet(100) }, now);
    }
    assert_eq!(scheduler.dequeue(100).map(|(flow, _)| flow), Some(0));
}

/// FIFO over flows is the order of arrival; strict priority the best class, in turn within it.
#[test]
fn fifo_and_strict_priority() {
    let mut random = Random(1);
    let mut scheduler = flat(Fifo, (0..5).map(|_| plain()));
    for handle in 0..200 {
        let packet = Packet { handle, ..packet(100) };
        scheduler.enqueue(random.below(5) as usize, packet, handle);
    }
    let mut handles = Vec::new();
    serve(&mut scheduler, pace(GIGABIT), 200, u64::MAX, |_, _, p, _| handles.push(p.handle));
    assert_eq!(handles, (0..200).collect::<Vec<_>>());

    let children = [2, 1, 1, 0].map(|priority| Parameters { priority, ..plain() });
    let mut scheduler = flat(StrictPriority::default(), children);
    for flow in [0, 0, 1, 1, 2, 2, 3, 3] {
        scheduler.enqueue(flow, packet(100), 0);
    }
    let mut order = Vec::new();
    serve(&mut scheduler, pace(GIGABIT), 0, u64::MAX, |_, flow, _, _| order.push(flow));
    assert_eq!(order, [3, 3, 1, 2, 1, 2, 0, 0]);
}

/// Classes whose flows are not eligible yet do not hold up the others, and come back in time.
#[test]
fn class_without_eligible_flows_is_skipped() {
    let limited = Parameters { pace: pace(GIGABIT), burst: 1500, ..plain() };
    let shaped = node(TokenBucket::default(), vec![(limited, ChildSpec::Flow)]);
    let free = node(Wf2q::new(pace(10 * GIGABIT)), vec![(plain(), ChildSpec::Flow)]);
    let best = Parameters { priority: 0, ..plain() };
    let second = Parameters { priority: 1, ..plain() };
    let children = vec![(best, ChildSpec::Node(shaped)), (second, ChildSpec::Node(free))];
    let mut scheduler = Scheduler::new(node(StrictPriority::default(), children)).expect("a tree");
    let link = pace(10 * GIGABIT);
    let bytes = backlogged(&mut scheduler, link, 10 * MILLISECOND, &[0, 1], |_| MTU);
    // The first has its 1 Gb/s and burst, the second the other 9.
    assert!(bytes[0].abs_diff(1_250_000 + 1500) <= 3000, "{bytes:?}");
    assert!(bytes[1].abs_diff(11_250_000) <= 6000, "{bytes:?}");
    let (mut alone, mut now) = (0, 10 * MILLISECOND);
    scheduler.pause(1);
    now = serve(&mut scheduler, link, now, 11 * MILLISECOND, |scheduler, flow, sent, now| {
        assert_eq!(flow, 0);
        alone += u64::from(sent.bytes);
        scheduler.enqueue(0, packet(MTU), now);
    });
    assert!(alone.abs_diff(125_000) <= 3000 && now >= 11 * MILLISECOND, "{alone}");
}
