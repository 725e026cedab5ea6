//! `ww run --scheduler`: the queues of the program that runs.

use parking_lot::Mutex;
use std::sync::Arc;
use ww_engine::dataplane::PortId;
use ww_engine::traffic::TrafficManager;
use ww_sched::policy_file::Plan;
use ww_sched::traffic::report::PortReport;
use ww_sched::traffic::shared::Shared;

/// Makes queues as a policy file says, and tells what the last ones have seen. Clones are the same.
#[derive(Clone)]
pub struct Queues {
    plan: Arc<Plan>,
    last: Arc<Mutex<Option<Shared>>>,
}

impl Queues {
    /// Of this file.
    pub fn new(plan: Plan) -> Self {
        Self { plan: Arc::new(plan), last: Arc::default() }
    }

    /// Empty queues for a program that is to run from now on; what they see is reported.
    pub fn next(&self) -> Box<dyn TrafficManager> {
        let queues = Shared::new(self.plan.traffic_manager());
        *self.last.lock() = Some(queues.clone());
        Box::new(queues)
    }

    /// Empty queues that nobody reports.
    pub fn aside(&self) -> Box<dyn TrafficManager> {
        Box::new(Shared::new(self.plan.traffic_manager()))
    }

    /// What the queues have seen that were made last, and how many packets were for ports beyond those that can have queues.
    pub fn reports(&self) -> (Vec<(PortId, PortReport)>, u64) {
        let last = self.last.lock();
        last.as_ref().map_or_else(Default::default, |queues| {
            let queues = queues.lock();
            (queues.reports(), queues.beyond())
        })
    }
}
