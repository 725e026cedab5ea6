//! The experiment with the two-level scheduler of rtl/scheduler, clock by clock.

use crate::runner::Error;
use crate::two_level::experiment::{Experiment, Measured, run};
use serde_json::{Value, json};
use ww_plot::report::{Outcome, Section, Table, Verdict};
use ww_sched::report::limits;

/// In picoseconds.
const MILLISECOND: u64 = 1_000_000_000;

/// What came of it.
enum Hardware {
    /// It ran.
    Ran(Experiment, Measured),
    /// The model does not work: a sentence.
    Wrong(String),
    /// It could not be tried: why.
    Absent(String),
}

/// Rate limits and fair shares, in software and with `rtl` in the block.
///
/// # Errors
/// The scheduler in software does not go on.
pub fn section(quick: bool, rtl: bool) -> Result<Section, String> {
    let hardware = Hardware::measured(quick, rtl);
    let hardware = limits::Hardware {
        verdicts: hardware.verdicts(),
        table: hardware.table(),
        points: hardware.points(),
        data: hardware.data(),
    };
    limits::section(quick, hardware)
}

impl Hardware {
    /// Simulates, if it is wanted and there are tools.
    fn measured(quick: bool, wanted: bool) -> Self {
        if !wanted {
            return Self::Absent("simulation was not asked for".into());
        }
        let published = Experiment::published();
        let duration = if quick { MILLISECOND } else { published.duration };
        let experiment = Experiment { duration, ..published };
        match run(&experiment) {
            Ok(measured) => Self::Ran(experiment, measured),
            Err(Error::Tools(reason)) => Self::Absent(reason),
            Err(error) => Self::Wrong(error.to_string()),
        }
    }

    /// Rates and shares.
    fn verdicts(&self) -> Vec<Verdict> {
        let what = "rate of each node, RTL";
        let published = "\"follows the set rate closely\" (figure 2.11, no values); here: within 0.1 % over 10 ms";
        let (experiment, measured) = match self {
            Self::Ran(experiment, measured) => (experiment, measured),
            Self::Wrong(reason) => {
                let verdict = Verdict::new(what, published, "", Outcome::Worse).because(reason);
                return vec![verdict.required()];
            }
            Self::Absent(reason) => {
                return vec![Verdict::new(what, published, "", Outcome::Absent).because(reason)];
            }
        };
        let deviation = measured.worst_deviation(&experiment.limits);
        // The rates of a short run are known to a packet of the slowest node.
        let slowest = experiment.limits.iter().copied().min().unwrap_or(0) as f64;
        let packets =
            slowest * experiment.duration as f64 / 1e12 / 8.0 / f64::from(experiment.packet_bytes);
        let whole = experiment.duration >= 10 * MILLISECOND;
        let room = if whole { 0.001 } else { 1.0 / packets };
        let jain = (0..experiment.limits.len()).map(|node| measured.jain(node)).fold(1.0, f64::min);
        let rates = Verdict::new(
            what,
            published,
            format!("within {:.4} %, {} ms", deviation * 100.0, experiment.duration / MILLISECOND),
            Outcome::of(deviation < room),
        );
        let short =
            format!("judged by one packet of the slowest node, {:.1} %: a short run", room * 100.0);
        vec![
            rates.because(if whole { String::new() } else { short }).required(),
            Verdict::new(
                "Jain's index of the flows of a node, RTL, least of all nodes",
                "equal split (figure 2.12, no values); here: at least 0.999",
                format!("{jain:.6}"),
                Outcome::of(jain >= 0.999),
            )
            .required(),
        ]
    }

    /// Set and measured rates, Gb/s.
    fn points(&self) -> Vec<(f64, f64)> {
        let Self::Ran(experiment, measured) = self else { return Vec::new() };
        let nodes = experiment.limits.iter().zip(&measured.nodes);
        nodes.map(|(&set, found)| (set as f64 / 1e9, found / 1e9)).collect()
    }

    /// A row for each node.
    fn table(&self) -> Option<Table> {
        let Self::Ran(experiment, measured) = self else { return None };
        let head =
            ["node", "set Mb/s", "measured Mb/s", "least flow Mb/s", "largest flow Mb/s", "Jain"];
        let title = format!(
            "The same in RTL: ww_scheduler_two_level with token bucket and WF2Q+ at {} MHz, burst {} bytes, {} clocks simulated:",
            1_000_000 / experiment.period,
            experiment.burst_bytes,
            measured.clocks
        );
        let mut table = Table::new(&title, head);
        let megabits = |rate: f64| format!("{:.2}", rate / 1e6);
        for (node, flows) in measured.flows.iter().enumerate() {
            table.rows.push(vec![
                node.to_string(),
                megabits(experiment.limits[node] as f64),
                megabits(measured.nodes[node]),
                megabits(flows.iter().copied().fold(f64::INFINITY, f64::min)),
                megabits(flows.iter().copied().fold(0.0, f64::max)),
                format!("{:.6}", measured.jain(node)),
            ]);
        }
        Some(table)
    }

    /// All of it; nothing if it did not run.
    fn data(&self) -> Value {
        let Self::Ran(experiment, measured) = self else { return Value::Null };
        json!({
            "set_bps": experiment.limits, "measured_bps": measured.nodes, "flows_bps": measured.flows,
            "packets": measured.packets, "clocks": measured.clocks,
            "measured_ms": experiment.duration / MILLISECOND, "burst_bytes": experiment.burst_bytes,
        })
    }
}
