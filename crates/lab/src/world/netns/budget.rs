//! Whether this machine can be the network that a lab describes.

use super::calibration::Calibration;
use crate::plan::{Plan, UNKNOWN_RATE};
use std::fmt::Write;

/// A delay is at least this many times the lateness of the element.
const LATENESS: u64 = 5;
/// Full frames without FCS.
const FRAME: u64 = 1_514;
/// Links that messages name.
const TOLD: usize = 5;

/// What a lab asks of the element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Frames that pass a link in a second, as world sim counts them, at the busiest time.
    pub frames: f64,
    /// Hosts' own links of commands, at their full rates: frames a second.
    pub commands: f64,
}

/// What commands may send that nobody knows: each a full line of its host, both ways, over as many links as there are
/// on the longest way.
pub fn commands(plan: &Plan) -> f64 {
    let network = &plan.network;
    let switches = network.nodes.len() - network.hosts().count();
    let links = network.links.len().min(switches + 1) as f64;
    let mut nodes: Vec<_> = plan.commands.iter().map(|command| command.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let both = |node| {
        let own =
            network.links.iter().filter(move |link| link.ends.iter().any(|end| end.node == node));
        own.flat_map(|link| link.directions)
            .map(|line| frames(line.rate, line.overhead))
            .sum::<f64>()
    };
    // A frame from one such host to another is counted once.
    nodes.iter().map(|node| both(*node)).fold(0.0, f64::max) * links
}

/// Full frames a second on a line.
fn frames(rate: u64, overhead: u32) -> f64 {
    rate as f64 / (8 * (FRAME + u64::from(overhead))) as f64
}

/// What no machine is better than: to wake the element takes 1 us, and the kernel's copies of a full frame, two for each
/// link, 0.25 us. Those that were measured hand frames on within 20 us and carry less than a million.
const BEST: Calibration =
    Calibration { median: 0, p99: 1_000_000, rate: 4_000_000, realtime: true };

/// Which lines no machine can be, in words.
pub fn beyond_all(plan: &Plan) -> Vec<String> {
    let Lines { slow, mut fast } = lines(plan, &BEST);
    // Of a rate that could not be read nothing is known.
    fast.retain(|(_, rate)| *rate != UNKNOWN_RATE);
    let mut problems = Vec::new();
    if !slow.is_empty() {
        problems.push(format!(
            "delays are too short: {}; there is no machine where less than {} is true to a fifth, and delays from 1 ms are on most",
            told(&slow, |delay| span(*delay)),
            span(BEST.p99 * LATENESS)
        ));
    }
    if !fast.is_empty() {
        problems.push(format!(
            "rates are too high: {}; there is no machine that carries {:.0} Mb/s in all, and rates up to 100 Mb/s are well within \
             what most do",
            told(&fast, |rate| format!("{} Mb/s", *rate as f64 / 1e6)),
            BEST.rate as f64 / 2.0 * 8.0 * (FRAME + 24) as f64 / 1e6
        ));
    }
    problems
}

/// Directions that a machine cannot be, with their delays and rates.
struct Lines<'p> {
    slow: Vec<(&'p String, u64)>,
    fast: Vec<(&'p String, u64)>,
}

fn lines<'p>(plan: &'p Plan, machine: &Calibration) -> Lines<'p> {
    let least = machine.p99.saturating_mul(LATENESS);
    let mut lines = Lines { slow: Vec::new(), fast: Vec::new() };
    for (direction, name) in plan.directions.iter().enumerate() {
        let line = &plan.network.links[direction / 2].directions[direction % 2];
        if line.delay < least {
            lines.slow.push((name, line.delay));
        }
        if frames(line.rate, line.overhead) > machine.rate as f64 / 2.0 {
            lines.fast.push((name, line.rate));
        }
    }
    lines
}

/// Whether the machine can carry the lab.
///
/// # Errors
/// What it cannot, in words: which link, what was asked, what this machine achieves, what to change.
pub fn check(plan: &Plan, demand: &Demand, machine: &Calibration) -> Result<(), String> {
    let mut problems = Vec::new();
    let budget = machine.rate as f64 / 2.0;
    let least = machine.p99.saturating_mul(LATENESS);
    let Lines { slow, fast } = lines(plan, machine);
    if !slow.is_empty() {
        let told = told(&slow, |delay| span(*delay));
        problems.push(format!(
            "delays are too short: {told}. The p99 of the forwarding error here is {}, so delays from {} on are accurate \
             to a fifth; change them, for instance with --set topology.edge.delay=\"{}\" or --set link.*.delay=\"{}\"",
            span(machine.p99),
            span(least),
            rounded(least),
            rounded(least),
        ));
    }
    if !fast.is_empty() {
        let told = told(&fast, |rate| format!("{} Mb/s", *rate as f64 / 1e6));
        let best = budget * 8.0 * (FRAME + 24) as f64;
        problems.push(format!(
            "rates are too high: {told}. Here {} full frames a second can be carried, of which a run may use half: {:.0} \
             Mb/s in all; change them, for instance with --set topology.edge.rate=\"{:.0} Mb/s\" or --set link.*.rate=\"{:.0} Mb/s\"",
            machine.rate,
            best / 1e6,
            (best / 8e6).floor().max(1.0),
            (best / 8e6).floor().max(1.0),
        ));
    }
    let asked = demand.frames + demand.commands;
    if asked > budget {
        let mut text =
            format!("there is too much traffic: {asked:.0} frames pass a link in a second");
        if demand.commands > 0.0 {
            let _ = write!(
                text,
                " ({:.0} of them if commands fill the lines of their hosts)",
                demand.commands
            );
        }
        let _ = write!(
            text,
            ". Here {} full frames a second can be carried, of which a run may use half; take lower rates or less traffic",
            machine.rate
        );
        problems.push(text);
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "world netns would give wrong results here:\n- {}\nThe machine was measured just now; with less beside the run it \
             may do better. World sim has no such bounds",
            problems.join("\n- ")
        )),
    }
}

fn told<T>(list: &[(&String, T)], value: impl Fn(&T) -> String) -> String {
    let some: Vec<String> = list
        .iter()
        .take(TOLD)
        .map(|(name, found)| format!("{name} has {}", value(found)))
        .collect();
    let more = list.len().saturating_sub(TOLD);
    match more {
        0 => some.join(", "),
        _ => format!("{} and {more} more", some.join(", ")),
    }
}

/// Picoseconds in words.
pub fn span(time: u64) -> String {
    match time {
        0 => "0".into(),
        1..1_000_000 => format!("{} ns", time as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} us", time as f64 / 1e6),
        _ => format!("{:.2} ms", time as f64 / 1e9),
    }
}

/// Whole milliseconds, upwards.
fn rounded(time: u64) -> String {
    format!("{} ms", time.div_ceil(1_000_000_000).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Lab, Request};

    const LAB: &str = "
title = \"Budget\"
worlds = [\"sim\", \"netns\"]
[run]
duration = \"100 ms\"
[topology]
kind = \"star\"
hosts = 2
edge = { rate = \"50 Mb/s\", delay = \"2 ms\" }
";

    fn plan(set: &[&str]) -> Plan {
        let set = set.iter().map(|text| (*text).to_owned()).collect();
        let planned = Lab::of_text("budget", LAB).plan(&Request { set, ..Request::default() });
        planned.expect("a plan").variants.remove(0).plan
    }

    /// A line of 50 Mb/s carries 50e6 / (8 x 1,538) = 4,064 full frames a second; four directions are four lines.
    const MACHINE: Calibration =
        Calibration { median: 50_000_000, p99: 300_000_000, rate: 20_000, realtime: true };

    #[test]
    fn what_fits() {
        let demand = Demand { frames: 9_000.0, commands: 0.0 };
        assert_eq!(check(&plan(&[]), &demand, &MACHINE), Ok(()));
        assert!((frames(50_000_000, 24) - 4063.7).abs() < 0.1);
    }

    #[test]
    fn what_does_not() {
        let cases: [(&[&str], f64, u64, &str); 4] = [
            (&["topology.edge.delay=1 ms"], 0.0, 20_000, "h0->s0 has 1.00 ms"),
            (&["topology.edge.rate=1 Gb/s"], 0.0, 20_000, "h0->s0 has 1000 Mb/s"),
            (&[], 9_000.0, 17_000, "9000 frames pass a link in a second"),
            (&["topology.edge.delay=10 us"], 0.0, 20_000, "--set topology.edge.delay=\"2 ms\""),
        ];
        for (set, asked, rate, words) in cases {
            let machine = Calibration { rate, ..MACHINE };
            let demand = Demand { frames: asked, commands: 0.0 };
            let error = check(&plan(set), &demand, &machine).expect_err(words);
            assert!(error.contains(words), "{error}");
        }
    }

    /// Half of four million full frames of 1,538 bytes are 24,608 Mb/s.
    #[test]
    fn what_no_machine_does() {
        assert_eq!(
            beyond_all(&plan(&["topology.edge.rate=24 Gb/s", "topology.edge.delay=5 us"])),
            [""; 0]
        );
        let [slow, fast] =
            &beyond_all(&plan(&["topology.edge.rate=25 Gb/s", "topology.edge.delay=4.9 us"]))[..]
        else {
            panic!("both")
        };
        assert!(slow.contains("h0->s0 has 5 us") && slow.contains("less than 5 us"), "{slow}");
        assert!(fast.contains("h0->s0 has 25000 Mb/s") && fast.contains("24608 Mb/s"), "{fast}");
    }
}
