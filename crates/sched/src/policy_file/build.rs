//! A plan to a scheduler, to names, to text.

use super::program::{PolicyPlan, Runners};
use super::{ChildPlan, NodePlan, PolicyName};
use crate::framework::fixed::Pace;
use crate::framework::scheduler::Scheduler;
use crate::framework::{ChildSpec, NodeSpec, Parameters, Policy, Trigger};
use crate::policies::aging::Aging;
use crate::policies::drr::DeficitRoundRobin;
use crate::policies::fair_shaper::FairShaper;
use crate::policies::fifo::Fifo;
use crate::policies::rcsp::Rcsp;
use crate::policies::stfq::StartTime;
use crate::policies::strict::StrictPriority;
use crate::policies::token_bucket::TokenBucket;
use crate::policies::urgency::Urgency;
use crate::policies::wf2q::Wf2q;
use crate::policies::wfq::Wfq;
use std::fmt::Write;

/// A scheduler of a plan that has been checked, on a link with this pace.
pub fn scheduler(root: &NodePlan, link: Pace) -> Scheduler {
    let mut runners = Runners::of(root).expect("engines have been made for this plan before");
    Scheduler::new(node(root, link, link, &mut runners))
        .expect("a checked file has children in all nodes, and not too many")
}

/// A node that is served at this pace, on a link with that pace.
fn node(plan: &NodePlan, pace: Pace, link: Pace, runners: &mut Runners) -> NodeSpec {
    let policy: Box<dyn Policy> = match &plan.policy {
        PolicyPlan::P4(policy) => Box::new(runners.node(policy, plan.children(), pace)),
        PolicyPlan::Named(name) => match name {
            PolicyName::Fifo => Box::new(Fifo),
            PolicyName::Strict => Box::new(StrictPriority::default()),
            PolicyName::Aging => Box::new(Aging::new(plan.threshold)),
            PolicyName::Drr | PolicyName::Sfq => Box::new(DeficitRoundRobin::default()),
            PolicyName::Stfq => Box::new(StartTime::new(pace)),
            PolicyName::Wfq if plan.literal => Box::new(Wfq::literal(pace)),
            PolicyName::Wfq => Box::new(Wfq::new(pace)),
            PolicyName::Wf2q => Box::new(Wf2q::new(pace)),
            PolicyName::TokenBucket => Box::new(TokenBucket::default()),
            PolicyName::FairShaper => Box::new(FairShaper::new(pace)),
            PolicyName::Rcsp => Box::new(Rcsp::default()),
            PolicyName::Sjf => Box::new(Urgency::ShortestJob),
            PolicyName::Srtf => Box::new(Urgency::ShortestRemaining),
            PolicyName::Lstf => Box::new(Urgency::LeastSlack),
            PolicyName::Edf => Box::new(Urgency::EarliestDeadline),
        },
    };
    let mut children = Vec::new();
    for child in &plan.children {
        // Rates have been checked.
        let limit = child.rate.and_then(Pace::of_rate);
        let parameters = Parameters {
            weight: child.weight,
            priority: child.priority,
            pace: limit.unwrap_or(link),
            burst: child.burst,
            quantum: child.quantum,
        };
        for _ in 0..child.count {
            let below = match &child.node {
                Some(plan) => ChildSpec::Node(node(plan, limit.unwrap_or(pace), link, runners)),
                None => ChildSpec::Flow,
            };
            children.push((parameters, below));
        }
    }
    NodeSpec { policy, trigger: plan.trigger, children }
}

/// The names of the flows below a node.
pub fn names(plan: &NodePlan, above: &str, names: &mut Vec<String>) {
    for child in &plan.children {
        for number in 0..child.count {
            let name = match child.count {
                1 => format!("{above}{}", child.name),
                _ => format!("{above}{}.{number}", child.name),
            };
            match &child.node {
                Some(plan) => self::names(plan, &format!("{name}/"), names),
                None => names.push(name),
            }
        }
    }
}

/// The policy of a node, with what belongs to the node itself.
pub fn description(plan: &NodePlan) -> String {
    let mut text = plan.policy.word().to_owned();
    if plan.policy.is(PolicyName::Aging) {
        // Writing to a string cannot fail.
        let _ = write!(text, ", threshold {} ps", plan.threshold);
    }
    if plan.literal {
        text += ", literal";
    }
    if plan.trigger == Trigger::Input {
        text += ", input-triggered";
    }
    text
}

/// The children of a node, two blanks further in for each level.
pub fn outline(plan: &NodePlan, depth: usize, text: &mut String) {
    for child in &plan.children {
        let _ = writeln!(text, "{:indent$}{}", "", line(child, &plan.policy), indent = 2 * depth);
        if let Some(node) = &child.node {
            outline(node, depth + 1, text);
        }
    }
}

fn line(child: &ChildPlan, above: &PolicyPlan) -> String {
    let mut text = match child.count {
        1 => child.name.clone(),
        count => format!("{}.0 to {}.{}", child.name, child.name, count - 1),
    };
    for key in above.reads() {
        let _ = match *key {
            "weight" => write!(text, ", weight {}", child.weight),
            "priority" => write!(text, ", priority {}", child.priority),
            "burst" => write!(text, ", burst {} bytes", child.burst),
            "quantum" => write!(text, ", quantum {} bytes", child.quantum),
            _ => match child.rate {
                Some(rate) => write!(text, ", rate {rate} b/s"),
                None => write!(text, ", rate of the link"),
            },
        };
    }
    if let Some(node) = &child.node {
        let _ = write!(text, ": {}", description(node));
    }
    text
}
