//! Runs a case on two engines and says where they differ first.

use crate::case::{Case, Source, Step};
use std::collections::BTreeMap;
use std::fmt;
use ww_control::Switch;
use ww_dataplane::control::{CounterIndex, MeterIndex, ProfileIndex, RegisterIndex, TableIndex};
use ww_dataplane::{Frame, Transmit};

/// Makes an engine with a program. The error is a message; two engines that both refuse a program
/// do not differ.
pub type Make<'a> = dyn Fn(&Source) -> Result<Box<dyn Switch>, String> + 'a;

/// Where two engines differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Position of the step; `None` for the state after the last one or for loading.
    pub step: Option<usize>,
    /// What was compared.
    pub what: String,
    /// What the first engine has.
    pub expected: String,
    /// What the second engine has.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.step {
            Some(step) => format!("step {step}, "),
            None => String::new(),
        };
        write!(f, "{place}{}:\n  expected {}\n  found    {}", self.what, self.expected, self.found)
    }
}

/// Runs a case on a reference engine and on another one. `source` is the case's program.
///
/// Compared are: answers to requests; after each packet the frames that left, port by port in
/// their order with their times, and the digests; at the end registers, counters, rates of meters,
/// members and groups, entries and default actions. The first difference is the result.
pub fn compare(
    case: &Case,
    source: &Source,
    reference: &Make<'_>,
    other: &Make<'_>,
) -> Option<Difference> {
    let (mut a, mut b) = match (reference(source), other(source)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(_), Err(_)) => return None,
        (a, b) => {
            let text = |engine: Result<_, String>| engine.map_or_else(|e| e, |_| "loads".into());
            return differ(None, "loading the program", text(a), text(b));
        }
    };
    for (n, step) in case.steps.iter().enumerate() {
        let difference = match step {
            Step::Request(request) => {
                let (a, b) = (request.perform(&mut *a), request.perform(&mut *b));
                differ(Some(n), "answer to a request", a, b)
            }
            Step::Packet { port, at, bytes } => {
                let run = |switch: &mut dyn Switch| {
                    let mut out = Vec::new();
                    switch.receive(*port, *at, bytes, &mut out);
                    switch.advance(*at, &mut out);
                    (by_port(&out), format!("{:?}", switch.take_digests()))
                };
                let (a, b) = (run(&mut *a), run(&mut *b));
                differ(Some(n), "frames", a.0, b.0).or_else(|| differ(Some(n), "digests", a.1, b.1))
            }
        };
        if difference.is_some() {
            return difference;
        }
    }
    let (a, b) = (state(&mut *a), state(&mut *b));
    a.into_iter().zip(b).find_map(|((what, a), (_, b))| differ(None, &what, a, b))
}

/// As [`compare`], but all packets between two requests go in together, at the time of the first
/// of them: in hardware one directly behind the other. Not for programs whose packets come back to
/// the parser, which packets behind them may overtake. With `any_order` frames of a port may leave in
/// any order: for programs that clone in egress, of which the same holds for clones.
pub fn compare_together(
    case: &Case,
    source: &Source,
    any_order: bool,
    reference: &Make<'_>,
    other: &Make<'_>,
) -> Option<Difference> {
    let (Ok(mut a), Ok(mut b)) = (reference(source), other(source)) else { return None };
    let mut waiting: Vec<(u32, Vec<u8>)> = Vec::new();
    let mut now = 0;
    let last = case.steps.len();
    for (n, step) in case.steps.iter().map(Some).chain([None]).enumerate() {
        if let Some(Step::Packet { port, at, bytes }) = step {
            now = if waiting.is_empty() { *at } else { now };
            waiting.push((*port, bytes.clone()));
            continue;
        }
        let run = |switch: &mut dyn Switch| {
            let (mut bytes, mut out) = (waiting.clone(), Vec::new());
            let mut frames: Vec<Frame<'_>> =
                bytes.iter_mut().map(|(port, bytes)| Frame { port: *port, bytes }).collect();
            switch.receive_batch(now, &mut frames, &mut out);
            switch.advance(now, &mut out);
            if any_order {
                out.sort_by(|a, b| (a.port, &a.frame).cmp(&(b.port, &b.frame)));
            }
            (by_port(&out), format!("{:?}", switch.take_digests()))
        };
        let at = Some(n.min(last).saturating_sub(1));
        let (x, y) = (run(&mut *a), run(&mut *b));
        let difference = differ(at, "frames up to this step, together", x.0, y.0)
            .or_else(|| differ(at, "digests up to this step, together", x.1, y.1));
        waiting.clear();
        let difference = difference.or_else(|| match step {
            Some(Step::Request(request)) => {
                let (x, y) = (request.perform(&mut *a), request.perform(&mut *b));
                differ(Some(n), "answer to a request", x, y)
            }
            _ => None,
        });
        if difference.is_some() {
            return difference;
        }
    }
    let (a, b) = (state(&mut *a), state(&mut *b));
    a.into_iter().zip(b).find_map(|((what, a), (_, b))| differ(None, &what, a, b))
}

fn differ(step: Option<usize>, what: &str, expected: String, found: String) -> Option<Difference> {
    (expected != found).then(|| Difference { step, what: what.to_owned(), expected, found })
}

/// Engines are compared port by port: which of two ports sends first is open.
fn by_port(frames: &[Transmit]) -> String {
    let mut ports: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for frame in frames {
        let hex: String = frame.frame.iter().map(|b| format!("{b:02x}")).collect();
        ports.entry(frame.port).or_default().push(format!("{hex} at {}", frame.at));
    }
    let ports: Vec<_> =
        ports.iter().map(|(port, list)| format!("port {port}: {}", list.join(", "))).collect();
    if ports.is_empty() { "none".into() } else { ports.join("; ") }
}

/// Everything that a control plane can read, by what it is.
fn state(switch: &mut dyn Switch) -> Vec<(String, String)> {
    let schema = switch.schema();
    let mut out = Vec::new();
    for (n, register) in schema.registers.iter().enumerate() {
        let cells = switch.register_read_all(RegisterIndex(n as u32));
        out.push((format!("register {}", register.name), format!("{cells:?}")));
    }
    for (n, counter) in schema.counters.iter().enumerate().filter(|(_, c)| !c.is_direct) {
        let values: Vec<_> =
            (0..counter.size).map(|i| switch.counter_read(CounterIndex(n as u32), i)).collect();
        out.push((format!("counter {}", counter.name), format!("{values:?}")));
    }
    for (n, meter) in schema.meters.iter().enumerate().filter(|(_, m)| !m.is_direct) {
        let rates: Vec<_> =
            (0..meter.size).map(|i| switch.meter_rates(MeterIndex(n as u32), i)).collect();
        out.push((format!("meter {}", meter.name), format!("{rates:?}")));
    }
    for (n, profile) in schema.profiles.iter().enumerate() {
        let view = switch.profile(ProfileIndex(n as u32));
        out.push((format!("members and groups of {}", profile.name), format!("{view:?}")));
    }
    for (n, table) in schema.tables.iter().enumerate() {
        let index = TableIndex(n as u32);
        let entries = switch.table_entries(index);
        out.push((format!("entries of {}", table.name), format!("{entries:?}")));
        let default = switch.table_default(index);
        out.push((format!("default action of {}", table.name), format!("{default:?}")));
        let handles: Vec<u64> = entries.iter().flatten().map(|entry| entry.handle.0).collect();
        if let Some(counter) = table.counter {
            let values: Vec<_> =
                handles.iter().map(|&handle| switch.counter_read(counter, handle)).collect();
            out.push((format!("direct counter of {}", table.name), format!("{values:?}")));
        }
        if let Some(meter) = table.meter {
            let rates: Vec<_> =
                handles.iter().map(|&handle| switch.meter_rates(meter, handle)).collect();
            out.push((format!("direct meter of {}", table.name), format!("{rates:?}")));
        }
    }
    out
}
