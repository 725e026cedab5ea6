//! The control plane: random requests, alone and in transactions, at a steady rate.

use crate::random::Random;
use crate::requests::{Outcome, Request, Source};
use crate::run::Problems;
use crate::traffic::UNSTAMPED;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};
use ww_dataplane::control::Control;
use ww_engine::jit::control::JitControl;

/// Accepted requests in a second.
pub const RATE: u64 = 10_000;

/// What is planted to see whether it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Packets see half of a transaction.
    TornTransaction,
    /// The reference engine is not told of the last request of a transaction.
    LostRequest,
}

/// Requests, and the number of the generation in which packets see them.
pub struct Logged {
    pub generation: u64,
    pub requests: Vec<(Request, Outcome)>,
}

/// Shared with the thread that watches the run.
#[derive(Default)]
pub struct Progress {
    pub accepted: AtomicU64,
    pub refused: AtomicU64,
}

pub struct Updates<'r> {
    pub control: JitControl,
    pub source: Source,
    pub random: Random,
    pub log: SyncSender<Logged>,
    pub progress: &'r Progress,
    pub fault: Option<Fault>,
}

impl Updates<'_> {
    fn request(&mut self, request: Request, done: &mut Vec<(Request, Outcome)>) -> u64 {
        let outcome = self.source.carry_out(&mut self.control, &request);
        let count = if outcome.is_ok() { &self.progress.accepted } else { &self.progress.refused };
        count.fetch_add(1, Relaxed);
        let handle = outcome.as_ref().map_or(0, |handle| *handle);
        done.push((request, outcome));
        handle
    }

    /// Passes a group of requests on to the reference engine; `false` if that has ended.
    fn log(&mut self, mut requests: Vec<(Request, Outcome)>) -> bool {
        let lost = self.fault == Some(Fault::LostRequest)
            && matches!(requests.last(), Some((Request::Default(..), _)));
        if lost {
            requests.pop();
        }
        let generation = self.control.generation().expect("a number");
        self.log.send(Logged { generation, requests }).is_ok()
    }

    /// Both stamps, an entry of both tables that go together, and so many others, at once.
    fn transaction(&mut self, others: usize, extra: Vec<Request>) -> bool {
        let mut done = Vec::new();
        self.control.hold().expect("taken");
        let value = self.control.generation().expect("a number") + 1;
        let (key, pair) = self.source.pair(value);
        let [first, second] = self.source.stamps(value);
        self.request(first, &mut done);
        let left = self.request(pair[0].clone(), &mut done);
        for request in extra {
            self.request(request, &mut done);
        }
        if self.fault == Some(Fault::TornTransaction) {
            self.control.release().expect("taken");
            std::thread::sleep(Duration::from_micros(50));
            self.control.hold().expect("taken");
        }
        for _ in 0..others {
            let request = self.source.request();
            self.request(request, &mut done);
        }
        let right = self.request(pair[1].clone(), &mut done);
        self.source.paired(key, &pair, [left, right]);
        self.request(second, &mut done);
        self.control.release().expect("taken");
        self.log(done)
    }

    /// Fills the tables, in one transaction.
    pub fn fill(&mut self) {
        let counted = self.source.counted_entries();
        self.transaction(4000, counted);
    }

    /// Makes requests until `stop`, or until nobody reads the log any more.
    pub fn run(mut self, stop: &AtomicBool, problems: &Problems) -> Self {
        let begin = Instant::now();
        let before = self.progress.accepted.load(Relaxed);
        let mut unstamped = 0;
        while !stop.load(Relaxed) && problems.is_empty() {
            let accepted = self.progress.accepted.load(Relaxed) - before;
            let due = begin + Duration::from_nanos(accepted * (1_000_000_000 / RATE));
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let goes_on = if unstamped == UNSTAMPED || self.random.below(6) == 0 {
                unstamped = 0;
                let others = match self.random.below(200) {
                    0 => 500,
                    n => n % 9,
                };
                self.transaction(others, Vec::new())
            } else {
                unstamped += 1;
                let mut done = Vec::new();
                let request = self.source.request();
                self.request(request, &mut done);
                self.log(done)
            };
            if !goes_on {
                break;
            }
        }
        self
    }
}
