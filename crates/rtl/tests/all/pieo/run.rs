//! Runs random operations on a module with the interface of `rtl/pieo`, back to back or with gaps, and compares every
//! result with the sorted list of crate `sched`.

use crate::pieo::source::{Mix, Operation, Source};
use crate::two_level::equality::Random;
use std::collections::VecDeque;
use ww_blocks::facts::pieo::{
    DEQUEUE, DEQUEUE_RANGE, ENQUEUE, ERROR_DUPLICATE, ERROR_FULL, ERROR_ID, ERROR_NONE, ERROR_RANGE,
};
use ww_rtl::bench::{Bench, Top};
use ww_rtl::runner::model::Signal;
use ww_sched::list::reference::ReferenceList;
use ww_sched::list::{Element, Limits, OrderedList, Refusal};

/// Clocks without a result after which the module is stuck.
const PATIENCE: u64 = 100_000;

/// A module with its parameters; those that are not set here are at their defaults.
#[derive(Clone, Debug)]
pub struct Module {
    pub name: &'static str,
    pub n: u64,
    pub parameters: Vec<(&'static str, u64)>,
    /// Files in place of those of `rtl/`.
    pub files: Vec<(String, String)>,
}

impl Module {
    pub fn new(name: &'static str, n: u64, parameters: &[(&'static str, u64)]) -> Self {
        Self { name, n, parameters: parameters.to_vec(), files: Vec::new() }
    }

    /// The value of a parameter that is set.
    pub fn parameter(&self, name: &str) -> Option<u64> {
        self.parameters.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    fn limits(&self) -> Limits {
        let bits = |name| self.parameter(name).unwrap_or(16) as u32;
        Limits::new(self.n as u32, bits("RANK_BITS"), bits("TIME_BITS")).expect("legal sizes")
    }

    fn top(&self) -> Top {
        let mut top = Top::of(self.name).with("N", self.n);
        for (name, value) in &self.parameters {
            top = top.with(name, *value);
        }
        self.files.iter().fold(top, |top, (name, text)| top.file(name, text.as_str()))
    }
}

/// The least and the most of what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub least: u64,
    pub most: u64,
}

impl Span {
    const EMPTY: Self = Self { least: u64::MAX, most: 0 };

    fn add(&mut self, value: u64) {
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    /// Only this value was seen.
    pub fn is(self, value: u64) -> bool {
        self == Self { least: value, most: value }
    }
}

/// What a run saw.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// From the first operation to the last result.
    pub clocks: u64,
    /// From an operation to its result: of those without a range, with that of a parent, and with another.
    pub latency: Span,
    pub parent_latency: Span,
    pub range_latency: Span,
    pub occupancy: Span,
    pub found: u64,
    pub duplicates: u64,
    /// The most sublists in use, where the module says.
    pub sublists: u64,
}

/// A result: an element, or nobody and why.
type Answer = (Option<Element>, u64);

fn expected(list: &mut ReferenceList, operation: &Operation, mix: &Mix) -> Answer {
    let Operation { code, id, rank, time, now, lo, hi } = *operation;
    let limits = list.limits();
    let now = if mix.everything_eligible { limits.max_time() } else { now };
    let is_flow = id < u64::from(limits.ids);
    match code {
        ENQUEUE => match list.enqueue(Element { id: id as u32, rank, eligible: time }) {
            Ok(()) => (None, ERROR_NONE),
            Err(Refusal::Id) => (None, ERROR_ID),
            Err(Refusal::Duplicate) => (None, ERROR_DUPLICATE),
            Err(Refusal::Full) => (None, ERROR_FULL),
            Err(Refusal::Range) => (None, ERROR_RANGE),
        },
        DEQUEUE => (list.dequeue(now), ERROR_NONE),
        DEQUEUE_RANGE => (list.dequeue_range(now, lo as u32..=hi as u32), ERROR_NONE),
        _ if is_flow => (list.dequeue_id(id as u32), ERROR_NONE),
        _ => (None, ERROR_ID),
    }
}

struct Ports {
    valid: Signal,
    ready: Signal,
    operands: [Signal; 7],
    result_valid: Signal,
    result_found: Signal,
    result: [Signal; 3],
    result_error: Signal,
    sublists: Option<Signal>,
}

impl Ports {
    fn of(bench: &Bench) -> Self {
        let of = |name: &str| bench.port(name).unwrap_or_else(|error| panic!("{error}"));
        let operands = ["code", "id", "rank", "time", "now", "lo", "hi"];
        Self {
            valid: of("op_valid"),
            ready: of("op_ready"),
            operands: operands.map(|name| of(&format!("op_{name}"))),
            result_valid: of("result_valid"),
            result_found: of("result_found"),
            result: ["result_id", "result_rank", "result_time"].map(of),
            result_error: of("result_error"),
            sublists: bench.port("sublists").ok(),
        }
    }

    fn offer(&self, bench: &mut Bench, operation: &Operation) {
        let Operation { code, id, rank, time, now, lo, hi } = *operation;
        for (port, value) in self.operands.iter().zip([code, id, rank, time, now, lo, hi]) {
            bench.set(*port, value);
        }
    }

    fn answer(&self, bench: &Bench) -> Answer {
        let [id, rank, eligible] = self.result.map(|port| bench.get(port));
        let found = bench.is(self.result_found);
        (found.then_some(Element { id: id as u32, rank, eligible }), bench.get(self.result_error))
    }
}

struct Waiting {
    operation: Operation,
    answer: Answer,
    clock: u64,
}

/// Runs so many operations.
///
/// # Errors
/// The first difference, a module that is stuck, or an assertion that stopped it.
pub fn run(module: &Module, operations: u64, seed: u64, mix: Mix) -> Result<Seen, String> {
    let mut bench = Bench::new(&module.top()).unwrap_or_else(|error| panic!("{error}"));
    drive(&mut bench, module, operations, seed, mix)
        .map_err(|told| format!("{} N={}, seed {seed}, {mix:?}: {told}", module.name, module.n))
}

fn drive(
    bench: &mut Bench,
    module: &Module,
    operations: u64,
    seed: u64,
    mix: Mix,
) -> Result<Seen, String> {
    let stopped = |error: ww_rtl::runner::Error| error.to_string();
    let limits = module.limits();
    let ports = Ports::of(bench);
    let mut list = ReferenceList::new(limits);
    let mut source = Source::new(seed, mix, limits);
    let mut pause = Random(seed + 1);
    bench.reset(2).map_err(stopped)?;
    // It may clear memories.
    for _ in 0..4 * module.n + 100 {
        if bench.is(ports.ready) {
            break;
        }
        bench.cycle().map_err(stopped)?;
    }
    let mut seen = Seen {
        clocks: 0,
        latency: Span::EMPTY,
        parent_latency: Span::EMPTY,
        range_latency: Span::EMPTY,
        occupancy: Span::EMPTY,
        found: 0,
        duplicates: 0,
        sublists: 0,
    };
    let mut waiting: VecDeque<Waiting> = VecDeque::new();
    let (mut clock, mut issued, mut answered, mut quiet) = (0, 0, 0, 0);
    let (mut first, mut offered) = (0, None);
    while answered < operations {
        if offered.is_none() && issued < operations && pause.below(100) >= mix.gaps {
            let operation = source.next(&list);
            ports.offer(bench, &operation);
            offered = Some(operation);
        }
        let accepted =
            bench.accepts(ports.valid, ports.ready, offered.is_some()).map_err(stopped)?;
        // The state before the edge: results of earlier operations.
        if bench.is(ports.result_valid) {
            let Some(done) = waiting.pop_front() else {
                return Err(format!("clock {clock}: a result without an operation"));
            };
            let found = ports.answer(bench);
            if found != done.answer {
                let (operation, answer) = (done.operation, done.answer);
                return Err(format!(
                    "operation {answered}, {operation:x?}: {found:x?}, expected {answer:x?}"
                ));
            }
            let Operation { code, lo, hi, .. } = done.operation;
            let of_parent = mix.parent != 0 && lo % mix.parent == 0 && hi == lo + mix.parent - 1;
            let span = match (code == DEQUEUE_RANGE, of_parent) {
                (false, _) => &mut seen.latency,
                (true, true) => &mut seen.parent_latency,
                (true, false) => &mut seen.range_latency,
            };
            span.add(clock - done.clock);
            if let Some(element) = found.0 {
                seen.found += 1;
                source.left(element.id.into());
            }
            seen.duplicates += u64::from(found.1 == ERROR_DUPLICATE);
            seen.clocks = clock - first;
            answered += 1;
            quiet = 0;
        }
        if let Some(sublists) = ports.sublists {
            seen.sublists = seen.sublists.max(bench.get(sublists));
        }
        if accepted && let Some(operation) = offered.take() {
            if issued == 0 {
                first = clock;
            }
            let answer = expected(&mut list, &operation, &mix);
            waiting.push_back(Waiting { operation, answer, clock });
            seen.occupancy.add(list.len() as u64);
            issued += 1;
        }
        bench.edge().map_err(stopped)?;
        clock += 1;
        quiet += 1;
        if quiet > PATIENCE {
            return Err(format!("no result for {PATIENCE} clocks after {answered} operations"));
        }
    }
    Ok(seen)
}
