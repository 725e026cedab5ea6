//! Figures 2.11 and 2.12: ten nodes with rate limits on a link of 40 Gb/s, ten flows with WF2Q+ in each: in software,
//! and beside that in hardware.

use super::link::serve;
use crate::framework::Packet;
use crate::framework::fixed::Pace;
use crate::policy_file::Plan;
use crate::report::statistics::jain;
use serde_json::{Value, json};
use std::fmt::Write;
use ww_plot::report::{Outcome, Section, Table, Verdict};
use ww_plot::{Axis, Figure, Panel, Series};

const NODES: usize = 10;
const FLOWS: usize = 10;
const MTU: u32 = 1500;
/// Bytes. While a packet waits for one of each other node its bucket must not run over, at any rate: ten
/// packets, and as many for luck.
const BURST: u64 = 30_000;
/// The traffic manager's default: two packets.
const SMALL_BURST: u64 = 3000;
/// Milliseconds until the bursts of the beginning have passed: what they are more than rates times time, the
/// unallocated 2 Gb/s send in 1.2 ms.
const SETTLING: u64 = 3;
/// In picoseconds.
const MILLISECOND: u64 = 1_000_000_000;

/// Ten nodes of different rates; the link has room for all.
const MIXED: [u64; NODES] = [1000, 2000, 3000, 4000, 5000, 6000, 7000, 4000, 3000, 2000];
/// Rates of the first node while the others share the rest, in megabits a second.
const SWEEP: [u64; 8] = [1000, 2000, 5000, 10_000, 15_000, 20_000, 30_000, 35_000];
/// What all nodes together may have, Mb/s.
const TOTAL: u64 = 38_000;

/// The hierarchy as a policy file; rates in megabits a second.
fn policy(rates: &[u64], burst: u64) -> String {
    let mut text = String::from("rate = \"40 Gb/s\"\n\n[root]\npolicy = \"token-bucket\"\n");
    for (node, rate) in rates.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n[[root.children]]\nname = \"node-{node}\"\nrate = \"{rate} Mb/s\"\nburst = {burst}\npolicy = \"wf2q+\"\n\
             [[root.children.children]]\nname = \"flow\"\ncount = {FLOWS}\n"
        );
    }
    text
}

/// What the same experiment gave in hardware.
#[derive(Clone, Debug, Default)]
pub struct Hardware {
    /// Published figures and bounds beside it.
    pub verdicts: Vec<Verdict>,
    /// A row for each node, if it ran.
    pub table: Option<Table>,
    /// Set and measured rates of nodes, Gb/s.
    pub points: Vec<(f64, f64)>,
    /// All of it; nothing if it did not run.
    pub data: Value,
}

/// What came of one run.
struct Run {
    /// Set rates, Mb/s.
    rates: Vec<u64>,
    /// Flows that have packets in the last node.
    busy_in_last: usize,
    /// Bytes of each flow, from when the bursts are over.
    bytes: Vec<[u64; FLOWS]>,
    /// Mb/s of each node: bytes between its first and its last packet after the bursts, over the time
    /// between these.
    measured: Vec<f64>,
    /// Bytes beyond rate times time, the most when any packet begins, for each node.
    excess: Vec<f64>,
}

impl Run {
    /// The largest difference from a set rate, as a part of it.
    fn deviation(&self) -> f64 {
        let each = self.measured.iter().zip(&self.rates);
        each.map(|(found, set)| (found / *set as f64 - 1.0).abs()).fold(0.0, f64::max)
    }

    /// Jain's index of the flows of each node that have packets.
    fn jain(&self) -> Vec<f64> {
        let flows = |(node, bytes): (usize, &[u64; FLOWS])| {
            let busy = if node == NODES - 1 { self.busy_in_last } else { FLOWS };
            jain(&bytes[..busy].iter().map(|&b| b as f64).collect::<Vec<_>>())
        };
        self.bytes.iter().enumerate().map(flows).collect()
    }
}

/// Runs the software scheduler with flows that always have packets.
fn run(rates: &[u64], burst: u64, busy_in_last: usize, time: u64) -> Result<Run, String> {
    let plan = Plan::parse(&policy(rates, burst)).map_err(|error| error.to_string())?;
    let link = Pace::of_rate(plan.rate).ok_or("the link's rate is out of range")?;
    let mut scheduler = plan.scheduler();
    let packet = Packet { bytes: MTU, ..Packet::default() };
    let busy = (NODES - 1) * FLOWS + busy_in_last;
    for flow in (0..busy).flat_map(|flow| [flow, flow]) {
        scheduler.enqueue(flow, packet, 0);
    }
    let mut bytes = vec![[0; FLOWS]; NODES];
    let mut all = [0u64; NODES];
    let mut excess = vec![f64::MIN; NODES];
    // First packet after the bursts, and the last: when it began, bytes before it.
    let mut ends: [[Option<(u64, u64)>; 2]; NODES] = [[None; 2]; NODES];
    serve(&mut scheduler, link, &[], &[], time, |scheduler, sent| {
        let node = sent.flow / FLOWS;
        if sent.begin >= SETTLING * MILLISECOND {
            bytes[node][sent.flow % FLOWS] += u64::from(sent.packet.bytes);
            let seen = Some((sent.begin, all[node]));
            ends[node] = [ends[node][0].or(seen), seen];
        }
        all[node] += u64::from(sent.packet.bytes);
        // Mb/s and ps: 8 * 10^6 bits make 10^12 ps.
        let allowed = rates[node] as f64 * sent.begin as f64 / 8e6;
        excess[node] = excess[node].max(all[node] as f64 - allowed);
        scheduler.enqueue(sent.flow, packet, sent.begin);
    })?;
    let rate = |ends: &[Option<(u64, u64)>; 2]| match ends {
        [Some((from, before)), Some((to, after))] if to > from => {
            (after - before) as f64 * 8e6 / (to - from) as f64
        }
        _ => 0.0,
    };
    let measured = ends.iter().map(rate).collect();
    Ok(Run { rates: rates.to_vec(), busy_in_last, bytes, measured, excess })
}

/// Rate limits and fair shares.
///
/// # Errors
/// The scheduler does not go on.
pub fn section(quick: bool, hardware: Hardware) -> Result<Section, String> {
    let time = (SETTLING + if quick { 10 } else { 20 }) * MILLISECOND;
    let mixed = run(&MIXED, BURST, FLOWS / 2, time)?;
    let swept = |burst| {
        let rates = |rate: u64| {
            let others = (TOTAL - rate) / (NODES as u64 - 1);
            (0..NODES).map(|n| if n == 0 { rate } else { others }).collect::<Vec<_>>()
        };
        SWEEP
            .iter()
            .map(|&rate| run(&rates(rate), burst, FLOWS, time))
            .collect::<Result<Vec<_>, _>>()
    };
    let (sweep, small) = (swept(BURST)?, swept(SMALL_BURST)?);
    let mut section =
        Section::new("limits", "Rate limits of ten nodes, fair shares of ten flows in each");
    section.about = vec![format!(
        "Ten nodes with token buckets (burst {BURST} bytes) on a link of 40 Gb/s, ten flows with WF2Q+ in each, packets of \
         {MTU} bytes, all flows always backlogged, {} ms simulated, the first {SETTLING} not counted. Once ten different \
         rates, where the last node has packets in five flows only; then a sweep of the first node's rate while the others \
         share the rest of {} Gb/s, and the same with a burst of {SMALL_BURST} bytes. In software (`ww_sched`), from a policy file.",
        time / MILLISECOND,
        TOTAL as f64 / 1000.0
    )];
    let runs = || std::iter::once(&mixed).chain(&sweep);
    let deviation = runs().map(Run::deviation).fold(0.0, f64::max);
    let excess = runs().flat_map(|run| &run.excess).fold(f64::MIN, |a, &b| a.max(b));
    let fairness = runs().flat_map(Run::jain).fold(1.0, f64::min);
    let allowed = BURST as f64 + f64::from(MTU);
    let share = |run: &Run, node: usize, busy: usize| {
        let sum: u64 = run.bytes[node].iter().sum();
        let each = run.bytes[node][..busy].iter();
        each.map(|&b| (b as f64 * busy as f64 / sum as f64 - 1.0).abs()).fold(0.0, f64::max)
    };
    let tenth = sweep.iter().map(|run| share(run, 0, FLOWS)).fold(0.0, f64::max);
    let fifth = share(&mixed, NODES - 1, FLOWS / 2);
    let in_last: u64 = mixed.bytes[NODES - 1][FLOWS / 2..].iter().sum();
    section.verdicts = vec![
        Verdict::new(
            "rate of each node, software",
            "\"follows the set rate closely\" (figure 2.11, no values); here: within 0.1 %",
            format!("within {:.4} %", deviation * 100.0),
            Outcome::of(deviation < 0.001),
        )
        .required(),
        Verdict::new(
            "bytes beyond rate times time, at any time",
            format!("burst and one packet: {allowed} bytes"),
            format!("at most {excess:.0} bytes"),
            Outcome::of(excess <= allowed + 1.0),
        )
        .required(),
        Verdict::new(
            "Jain's index of the flows of a node, least of all runs",
            "equal split (figure 2.12, no values); here: at least 0.999",
            format!("{fairness:.6}"),
            Outcome::of(fairness >= 0.999),
        )
        .required(),
        Verdict::new(
            "a flow's part of the first node beside a tenth, all rates",
            "a tenth (figure 2.12); here: within one packet and 0.1 %",
            format!("within {:.3} %", tenth * 100.0),
            Outcome::of(sweep.iter().all(|run| {
                let sum: u64 = run.bytes[0].iter().sum();
                let tenth = sum as f64 / FLOWS as f64;
                let room = f64::from(MTU) + tenth * 0.001;
                run.bytes[0].iter().all(|&b| (b as f64 - tenth).abs() <= room)
            })),
        )
        .required(),
        Verdict::new(
            "five of ten flows busy: a flow's part beside a fifth",
            "the share of idle flows goes to their siblings; here: within one packet and 0.1 %",
            format!("within {:.3} %", fifth * 100.0),
            Outcome::of(
                in_last == 0 && {
                    let sum: u64 = mixed.bytes[NODES - 1].iter().sum();
                    fifth * sum as f64 / 5.0 <= f64::from(MTU) + sum as f64 * 0.0002
                },
            ),
        )
        .required(),
        small_burst(&small),
    ];
    section.tables =
        vec![nodes(&mixed), swept_table(&sweep, BURST), swept_table(&small, SMALL_BURST)];
    section.verdicts.extend(hardware.verdicts);
    section.tables.extend(hardware.table);
    section.figures = vec![figure(&mixed, &sweep, &small, hardware.points)];
    let run_data = |run: &Run| {
        json!({ "set_mbps": run.rates, "measured_mbps": run.measured, "jain": run.jain(), "bytes": run.bytes,
                "excess_bytes": run.excess })
    };
    section.data = json!({
        "simulated_ms": time / MILLISECOND,
        "mixed": run_data(&mixed),
        "sweep": sweep.iter().map(run_data).collect::<Vec<_>>(),
        "sweep_small_burst": small.iter().map(run_data).collect::<Vec<_>>(),
        "rtl": hardware.data,
        "policy": policy(&MIXED, BURST),
    });
    Ok(section)
}

/// On a link that is nearly full a small bucket runs over while its packet waits for the others'.
fn small_burst(small: &[Run]) -> Verdict {
    let deviation = small.iter().map(Run::deviation).fold(0.0, f64::max);
    let verdict = Verdict::new(
        format!("the same with a burst of {SMALL_BURST} bytes"),
        "figure 2.11 gives no burst; here: within 0.1 %",
        format!("within {:.1} %", deviation * 100.0),
        Outcome::of(deviation < 0.001),
    );
    verdict.because(
        "the link is 95 % full: while a packet of a fast node waits for one of each of the other nodes, a bucket of two packets \
         is full, and the tokens that come then are lost. That is the meaning of a burst, not a fault of the order",
    )
}

fn nodes(mixed: &Run) -> Table {
    let mut table = Table::new(
        "Ten different rates:",
        ["node", "set Mb/s", "measured Mb/s", "busy flows", "Jain"],
    );
    for (node, jain) in mixed.jain().into_iter().enumerate() {
        let busy = if node == NODES - 1 { mixed.busy_in_last } else { FLOWS };
        let cells = [
            node.to_string(),
            mixed.rates[node].to_string(),
            format!("{:.2}", mixed.measured[node]),
        ];
        table.rows.push([cells.to_vec(), vec![busy.to_string(), format!("{jain:.6}")]].concat());
    }
    table
}

fn swept_table(sweep: &[Run], burst: u64) -> Table {
    let head = ["set Mb/s", "measured Mb/s", "least flow Mb/s", "largest flow Mb/s", "Jain"];
    let mut table = Table::new(&format!("The first node's rate swept, burst {burst} bytes:"), head);
    for run in sweep {
        let sum: u64 = run.bytes[0].iter().sum();
        let rate = |bytes: Option<&u64>| {
            format!("{:.2}", run.measured[0] * *bytes.unwrap_or(&0) as f64 / sum as f64)
        };
        let flows = &run.bytes[0];
        table.rows.push(vec![
            run.rates[0].to_string(),
            format!("{:.2}", run.measured[0]),
            rate(flows.iter().min()),
            rate(flows.iter().max()),
            format!("{:.6}", run.jain()[0]),
        ]);
    }
    table
}

fn figure(mixed: &Run, sweep: &[Run], small: &[Run], hardware: Vec<(f64, f64)>) -> Figure {
    let gigabits = |rate: f64| rate / 1000.0;
    let axis = |label: &str| Axis::linear(label).from(0.0).to(40.0);
    let both = || {
        let nodes = mixed.rates.iter().zip(&mixed.measured);
        let mut points: Vec<(f64, f64)> =
            nodes.map(|(&set, &found)| (gigabits(set as f64), gigabits(found))).collect();
        points.extend(sweep.iter().map(|r| (gigabits(r.rates[0] as f64), gigabits(r.measured[0]))));
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let limits = Panel::new(axis("set rate of the node, Gb/s"), axis("measured, Gb/s"))
        .title("Nodes: set and measured rate")
        .with(Series::curve("equal", [(0.0, 0.0), (40.0, 40.0)]).dashed())
        .with(Series::line("software", both()))
        .with(Series::line(
            format!("software, burst {SMALL_BURST} bytes"),
            small.iter().map(|r| (gigabits(r.rates[0] as f64), gigabits(r.measured[0]))),
        ))
        .with(Series::line("RTL", hardware));
    let flows = (0..FLOWS).map(|flow| {
        let points = sweep.iter().map(|run| {
            let sum: u64 = run.bytes[0].iter().sum();
            let rate = run.measured[0] * run.bytes[0][flow] as f64 / sum as f64;
            (gigabits(run.rates[0] as f64), gigabits(rate))
        });
        Series::line(format!("flow {flow}"), points.collect::<Vec<_>>())
    });
    let shares =
        Panel::new(axis("set rate of the node, Gb/s"), Axis::linear("flow, Gb/s").from(0.0))
            .title("The ten flows of the first node")
            .with_all(flows);
    Figure::new("Rate limits and fair shares")
        .columns(2)
        .panel_size(480.0, 340.0)
        .with(limits)
        .with(shares)
}
