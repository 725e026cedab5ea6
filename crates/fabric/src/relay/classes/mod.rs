//! The rules `shoal` with classes of flows (spec 004, S33).
//!
//! A host has a queue for each class and destination, and serves classes in strict priority: 0 first. What a host does in
//! a class depends on that class and on those that go before it, and on nothing else. So it sends their cells in the same
//! slots whatever is in the classes behind them.
//!
//! All is as without classes, but that
//!
//! - queues, their local cells, subflows and flows that take turns are those of a class;
//! - **ahead** of a cell are the cells of its link's queues of classes before its own, and those before it in its queue;
//! - a report says how many cells are ahead of a cell. A cell of a class before its own that comes later delays it, so
//!   the report is exact for class 0, and too early for others: only class 0 keeps the bound (3.5);
//! - a cell from another host that finds [`queue_cells`] cells in its queue is dropped. The next cell to that host says
//!   so ("last cell dropped"), with the number of cells that are ahead of the queue. The cell is then the next one of its
//!   subflow, which waits as if it were to join the head of that queue.
//!
//! Classes are a model of their own, so that the simulator without classes has nothing to do for them; if all flows have
//! one class both send the same cells. docs/fabric.md, "Classes", is for users.

mod host;
mod run;

use crate::outcome::Outcome;
pub use run::run;
use serde_json::{Value, json};
use std::fmt;

/// Cells of a class that a host stores for one destination, at most: what (3.5) allows. Class 0 never needs more.
pub const fn queue_cells(hosts: usize) -> usize {
    hosts
}

/// What a run has counted of one class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassOutcome {
    /// The class.
    pub class: u8,
    /// Cells that found their queue full, each time they did.
    pub dropped: u64,
    /// All else: of its flows, queues and cells alone.
    pub outcome: Outcome,
}

impl ClassOutcome {
    /// The figures as a JSON object.
    pub fn json(&self) -> Value {
        let mut object = json!({ "class": self.class, "dropped": self.dropped });
        let figures = self.outcome.figures();
        const KEYS: [&str; 8] = [
            "flows",
            "finished",
            "queue_cells",
            "reorder_cells",
            "throughput",
            "bound_violations",
            "fct_us",
            "goodput_gbps",
        ];
        for key in KEYS {
            object[key] = figures[key].clone();
        }
        object
    }
}

/// A line for people.
impl fmt::Display for ClassOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = self.json();
        let number = |pointer: &str| match figures.pointer(pointer).and_then(Value::as_f64) {
            Some(number) => format!("{number:.3}"),
            None => "none".into(),
        };
        writeln!(
            f,
            "class {}: flows {}, finished {}; most in a queue {}, over the bound {} times, dropped {}; throughput {}; \
             short flows, us: mean {}, p99.9 {}; long flows, Gb/s: {}",
            self.class,
            self.outcome.flows,
            self.outcome.finished.len(),
            figures["queue_cells"]["max"],
            self.outcome.bound_violations,
            self.dropped,
            number("/throughput"),
            number("/fct_us/short_mean"),
            number("/fct_us/short_p999"),
            number("/goodput_gbps"),
        )
    }
}
