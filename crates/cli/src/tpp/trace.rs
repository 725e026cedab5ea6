//! `ww tpp trace`: the switches of a path.

use crate::Failure;
use crate::output::print;
use crate::tpp_args::TppTraceArguments;
use serde_json::{Value, json};
use std::fmt::Write as _;
use ww_host::trace::{Line, Round, Span, lines, round};
use ww_host::udp_executor::Executor;

/// Looks as often as the arguments say, and prints all together. Fails if no round has come back.
pub fn trace(arguments: &TppTraceArguments) -> Result<(), Failure> {
    let mut executor = Executor::new(arguments.patience.tries, arguments.patience.timeout);
    let (mut rounds, mut problem) = (Vec::new(), None);
    for number in 0..arguments.rounds {
        if number > 0 {
            std::thread::sleep(arguments.interval);
        }
        match round(&mut executor, arguments.to, arguments.app) {
            Ok(round) => rounds.push(round),
            Err(error) => problem = Some(error.to_string()),
        }
    }
    let trips = rounds.iter().map(|round: &Round| round.round_trip.as_secs_f64() * 1e3);
    let Some(trip) = Span::of(trips) else {
        return Err(Failure::Rejected(problem.unwrap_or_default()));
    };
    let lines = lines(&rounds);
    if arguments.json {
        let hops: Vec<Value> = lines.iter().map(value).collect();
        let report = json!({
            "to": arguments.to.to_string(),
            "rounds": arguments.rounds,
            "returned": rounds.len(),
            "round_trip_ms": span(&trip),
            "hops": hops,
        });
        return print(&format!("{report:#}\n"));
    }
    let mut text = format!(
        "to {}: {} of {} rounds, back after {} ms\n",
        arguments.to,
        rounds.len(),
        arguments.rounds,
        shown(&trip, 3)
    );
    if let Some(problem) = problem {
        let _ = writeln!(text, "the last that was lost: {problem}");
    }
    if lines.is_empty() {
        text += "no switch on the way executes TPPs\n";
        return print(&text);
    }
    let head = ["hop", "switch", "in", "out", "rounds", "queue B", "used %", "Mb/s", "clock"];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(lines.iter().map(|line| {
        let used = line.utilisation.map(|Span { min, mean, max }| Span {
            min: 100.0 * min,
            mean: 100.0 * mean,
            max: 100.0 * max,
        });
        [
            line.hop.to_string(),
            line.switch.to_string(),
            line.input.to_string(),
            line.output.to_string(),
            line.rounds.to_string(),
            shown(&line.queue, 0),
            used.map_or_else(|| "-".to_owned(), |used| shown(&used, 1)),
            line.capacity.map_or_else(|| "-".to_owned(), |kb| (f64::from(kb) / 1e3).to_string()),
            line.clock.map_or_else(|| "-".to_owned(), |clock| clock.to_string()),
        ]
    }));
    let widths: Vec<usize> = (0..head.len())
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  "));
    }
    print(&text)
}

/// The least, the mean and the greatest; one number if they are the same.
fn shown(span: &Span, digits: usize) -> String {
    let Span { min, mean, max } = *span;
    match min == max {
        true => format!("{min:.digits$}"),
        false => format!("{min:.digits$}/{mean:.digits$}/{max:.digits$}"),
    }
}

fn span(span: &Span) -> Value {
    json!({ "min": span.min, "mean": span.mean, "max": span.max })
}

fn value(line: &Line) -> Value {
    json!({
        "hop": line.hop,
        "switch": line.switch,
        "input_port": line.input,
        "output_port": line.output,
        "rounds": line.rounds,
        "queue_bytes": span(&line.queue),
        "utilisation": line.utilisation.as_ref().map(span),
        "capacity_kbps": line.capacity,
        "clock": line.clock,
    })
}
