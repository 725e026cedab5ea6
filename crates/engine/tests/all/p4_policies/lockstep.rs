//! Two policies side by side: every call goes to both, and their answers must be the same.

use std::sync::{Arc, Mutex};
use ww_sched::framework::{Head, Parameters, Policy, Sent, Stamp};

/// The first answer that differed, and how many were compared.
#[derive(Clone, Debug, Default)]
pub struct Verdict(Arc<Mutex<(Option<String>, u64)>>);

impl Verdict {
    pub fn difference(&self) -> Option<String> {
        self.0.lock().expect("nobody panicked").0.clone()
    }

    pub fn compared(&self) -> u64 {
        self.0.lock().expect("nobody panicked").1
    }

    fn compare<T: PartialEq + std::fmt::Debug>(&self, what: impl Fn() -> String, a: T, b: T) -> T {
        let mut state = self.0.lock().expect("nobody panicked");
        state.1 += 1;
        if a != b && state.0.is_none() {
            let number = state.1;
            state.0 = Some(format!("answer {number}, {}: {a:?} and {b:?}", what()));
        }
        a
    }
}

/// `twin` decides; `policy` must say the same.
#[derive(Debug)]
pub struct Lockstep {
    pub twin: Box<dyn Policy>,
    pub policy: Box<dyn Policy>,
    pub verdict: Verdict,
}

impl Policy for Lockstep {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        self.twin.configure(child, parameters);
        self.policy.configure(child, parameters);
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, now: u64) -> Stamp {
        let twin = self.twin.pre_enqueue(child, head, now);
        let policy = self.policy.pre_enqueue(child, head, now);
        let what = || format!("pre_enqueue of child {child} at {now} with {head:?}");
        self.verdict.compare(what, twin, policy)
    }

    fn post_dequeue(&mut self, child: usize, sent: &Sent, now: u64) {
        self.twin.post_dequeue(child, sent, now);
        self.policy.post_dequeue(child, sent, now);
    }

    fn withdraw(&mut self, child: usize, bytes: u32) {
        self.twin.withdraw(child, bytes);
        self.policy.withdraw(child, bytes);
    }

    fn clock(&mut self, now: u64, least: Option<u64>) -> u64 {
        let (twin, policy) = (self.twin.clock(now, least), self.policy.clock(now, least));
        self.verdict.compare(|| format!("clock at {now}, least {least:?}"), twin, policy)
    }

    fn is_virtual(&self) -> bool {
        let (twin, policy) = (self.twin.is_virtual(), self.policy.is_virtual());
        self.verdict.compare(|| "is_virtual".into(), twin, policy)
    }

    fn may_send(&mut self, child: usize, head: &Head) -> bool {
        let (twin, policy) = (self.twin.may_send(child, head), self.policy.may_send(child, head));
        self.verdict.compare(|| format!("may_send of child {child} with {head:?}"), twin, policy)
    }

    fn stays(&mut self, child: usize, head: &Head) -> bool {
        let (twin, policy) = (self.twin.stays(child, head), self.policy.stays(child, head));
        self.verdict.compare(|| format!("stays of child {child} with {head:?}"), twin, policy)
    }

    fn emptied(&mut self, child: usize) {
        self.twin.emptied(child);
        self.policy.emptied(child);
    }
}
