//! TOML to a [`Plan`], and all checks.

use super::program::{Loader, PolicyPlan, Runners};
use super::{ChildPlan, MAX_CHILDREN, MAX_DEPTH, NodePlan, Plan, PolicyName, build, traffic};
use crate::framework::Trigger;
use crate::framework::fixed::Pace;
use crate::policies::program::EngineName;
use std::collections::HashSet;
use ww_config::quantity::{Quantity, Rate, Span};
use ww_config::{Kind, Place, Reader, Report, Value};

/// The same children that one entry of a file may stand for; the queues of a node with `sfq`.
const COUNTS: std::ops::RangeInclusive<u32> = 1..=65_536;
/// Keys of nodes: a child that has one of them, but no policy, is wrong.
const NODE_KEYS: [&str; 5] = ["engine", "trigger", "threshold", "literal", "queues"];

pub(super) fn parse(name: &str, text: &str, loader: &mut Loader<'_>) -> Result<Plan, Report> {
    ww_config::parse(name, text, |file| {
        let rate: Option<Rate> = file.need("rate", "\"10 Gb/s\"");
        let mut reading = Reading { count: 0, loader };
        let example = "{ policy = \"fifo\", children = [{ name = \"a\" }] }";
        let root = file.needed_value("root", example).and_then(|value| {
            let reader = file.as_table(value, "[root]".to_owned())?;
            let root = node(&reader, 1, 1, &mut reading);
            let at = reader.value("policy").map_or(&value.place, |policy| &policy.place);
            reader.finish();
            Some((root?, at))
        });
        let flows = root.as_ref().map(|(root, _)| {
            let mut flows = Vec::new();
            build::names(root, "", &mut flows);
            flows
        });
        let traffic = traffic::plan(file, flows.as_deref());
        let (root, at) = root?;
        // Whoever builds a scheduler later relies on it.
        if file.mistakes().count() == 0
            && let Err(message) = Runners::of(&root)
        {
            file.mistakes().add(at, message);
        }
        let Rate(rate) = rate?;
        Some(Plan { rate, pace: Pace::of_rate(rate)?, root, traffic: traffic? })
    })
}

/// What goes through all nodes.
struct Reading<'l, 'c> {
    /// Children so far.
    count: u64,
    loader: &'l mut Loader<'c>,
}

/// `times` nodes like this one are at this depth. `None` if something is wrong with it or below.
fn node(
    reader: &Reader<'_>,
    depth: usize,
    times: u64,
    reading: &mut Reading<'_, '_>,
) -> Option<NodePlan> {
    let mistakes = reader.mistakes();
    let before = mistakes.told();
    let written = reader.needed_value("policy", "\"fifo\"");
    let at = written.map_or(reader.place(), |value| &value.place);
    if depth > MAX_DEPTH {
        mistakes.add(at, format!("more than {MAX_DEPTH} levels"));
        // What is below is not read, and so no other mistake is known.
        reader.skip_rest();
        return None;
    }
    let engines = [("jit", EngineName::Jit), ("interp", EngineName::Interp)];
    let engine = reader.choice("engine", &engines);
    let policy = written.and_then(|value| policy(reader, value, engine, reading.loader));
    let name = policy.as_ref().and_then(PolicyPlan::name);
    let word = policy.as_ref().map_or("", PolicyPlan::word);
    let foreign = |key: &'static str, owner: PolicyName| {
        if policy.is_some() && name != Some(owner) && reader.value(key).is_some() {
            let owner = owner.word();
            reader.wrong(key, format!("'{key}' belongs to '{owner}', not to '{word}'"));
        }
    };
    let triggers = [("input", Trigger::Input), ("output", Trigger::Output)];
    let trigger = reader.choice("trigger", &triggers).unwrap_or(Trigger::Output);
    let threshold = match (name, reader.get::<Span>("threshold")) {
        (Some(PolicyName::Aging), None) => {
            if reader.value("threshold").is_none() && !reader.has_slip_of("threshold") {
                mistakes.add(at, "'aging' needs 'threshold', such as \"100 us\"");
            }
            0
        }
        (_, Some(Span(0))) => {
            reader.wrong("threshold", "'threshold' must be more than 0");
            0
        }
        (_, threshold) => threshold.map_or(0, |Span(time)| time),
    };
    foreign("threshold", PolicyName::Aging);
    let literal = reader.get_or("literal", false);
    foreign("literal", PolicyName::Wfq);
    let queues = reader.within("queues", COUNTS);
    foreign("queues", PolicyName::Sfq);
    let entries = reader.tables("children");
    let children = match (name, entries.first()) {
        (Some(PolicyName::Sfq), Some(child)) => {
            mistakes.add(child.place(), "'sfq' makes its own queues: it has no children");
            return None;
        }
        (Some(PolicyName::Sfq), None) => {
            if reader.value("queues").is_none() && !reader.has_slip_of("queues") {
                mistakes.add(at, "'sfq' needs 'queues', such as 64");
            }
            let count = queues?;
            add(&mut reading.count, times, count, at, reader)?;
            vec![ChildPlan { name: "queue".into(), count, ..bare() }]
        }
        _ => children(entries, policy.as_ref(), depth, times, reading),
    };
    if children.is_empty() && mistakes.told() == before && !reader.may_lack("children") {
        mistakes.add(at, format!("a node with policy '{word}' needs children"));
    }
    let policy = policy?;
    (mistakes.told() == before).then_some(NodePlan {
        policy,
        trigger,
        threshold,
        literal,
        children,
    })
}

/// The policy that a node names.
fn policy(
    reader: &Reader<'_>,
    value: &Value,
    engine: Option<EngineName>,
    loader: &mut Loader<'_>,
) -> Option<PolicyPlan> {
    if let Some(path) = value.text().filter(|text| text.ends_with(".p4")) {
        return match loader.policy(path, engine) {
            Ok(plan) => Some(PolicyPlan::P4(plan)),
            Err(message) => {
                reader.mistakes().add(&value.place, message);
                None
            }
        };
    }
    let name = reader.choice("policy", &PolicyName::ALL.map(|name| (name.word(), name)))?;
    if reader.value("engine").is_some() {
        let message = format!("'engine' belongs to policies in P4, not to '{}'", name.word());
        reader.wrong("engine", message);
    }
    Some(PolicyPlan::Named(name))
}

/// The children of a node; those with mistakes are skipped.
fn children(
    readers: Vec<Reader<'_>>,
    above: Option<&PolicyPlan>,
    depth: usize,
    times: u64,
    reading: &mut Reading<'_, '_>,
) -> Vec<ChildPlan> {
    let mut plans = Vec::new();
    let mut names = HashSet::new();
    for reader in readers {
        let name = reader.need::<ChildName>("name", "\"web\"");
        if let Some(ChildName(name)) = &name
            && !names.insert(name.clone())
        {
            reader.wrong("name", format!("two children are called '{name}'"));
        }
        let name = name.map_or(String::new(), |ChildName(name)| name);
        plans.extend(child(&reader, name, above, depth, times, reading));
        reader.finish();
    }
    plans
}

/// What a child is called: in the names of flows it stands between slashes, and before a dot.
struct ChildName(String);

impl Quantity for ChildName {
    fn read(value: &Value) -> Result<Self, String> {
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        match &value.kind {
            Kind::Text(text) if !text.is_empty() && text.len() <= 64 && text.chars().all(legal) => {
                Ok(Self(text.clone()))
            }
            _ => Err(format!(
                "a name has 1 to 64 letters, digits, '-' and '_', found {}",
                value.described()
            )),
        }
    }
}

/// Counts `times` nodes with so many more children each; how many that are, if there are not too many in all.
fn add(count: &mut u64, times: u64, more: u32, at: &Place, reader: &Reader<'_>) -> Option<u64> {
    let all = times.saturating_mul(u64::from(more));
    *count = count.saturating_add(all);
    if *count > MAX_CHILDREN {
        let message = format!("more than {MAX_CHILDREN} flows and classes in all");
        reader.mistakes().add(at, message);
        return None;
    }
    Some(all)
}

/// A child of which the file says nothing.
fn bare() -> ChildPlan {
    ChildPlan {
        name: String::new(),
        count: 1,
        weight: 1,
        priority: 0,
        rate: None,
        burst: 3000,
        quantum: 1500,
        node: None,
    }
}

fn child(
    reader: &Reader<'_>,
    name: String,
    above: Option<&PolicyPlan>,
    depth: usize,
    times: u64,
    reading: &mut Reading<'_, '_>,
) -> Option<ChildPlan> {
    let mistakes = reader.mistakes();
    let before = mistakes.told();
    let at = reader.value("name").map_or(reader.place(), |value| &value.place);
    let default = bare();
    let count = reader.within("count", COUNTS).unwrap_or(1);
    let bytes = 1..=1 << 30;
    let plan = ChildPlan {
        count,
        weight: reader.within("weight", 1..=1_000_000).unwrap_or(default.weight),
        priority: reader.within("priority", 0..=u64::from(u32::MAX)).unwrap_or(default.priority),
        burst: reader.within("burst", bytes.clone()).unwrap_or(default.burst),
        quantum: reader.within("quantum", bytes).unwrap_or(default.quantum),
        rate: reader.get::<Rate>("rate").map(|Rate(rate)| rate),
        name,
        node: None,
    };
    let has_policy = reader.has("policy");
    if let Some(above) = above {
        for key in ["rate", "burst", "weight", "priority", "quantum"] {
            // A class may give its rate for its own children.
            let for_children = key == "rate" && has_policy;
            if reader.has(key) && !for_children && !above.reads().contains(&key) {
                let (word, name) = (above.word(), &plan.name);
                let message = format!("policy '{word}', which orders '{name}', has no '{key}'");
                reader.wrong(key, message);
            }
        }
        let needs_rate = above.is(PolicyName::TokenBucket);
        if needs_rate && !reader.has("rate") && !reader.has_slip_of("rate") {
            mistakes.add(at, format!("'token-bucket' needs the 'rate' of '{}'", plan.name));
        }
    }
    let all = add(&mut reading.count, times, count, at, reader)?;
    if has_policy {
        let node = Some(node(reader, depth + 1, all, reading)?);
        return (mistakes.told() == before).then_some(ChildPlan { node, ..plan });
    }
    for key in NODE_KEYS {
        if reader.value(key).is_some() {
            reader.wrong(key, format!("'{}' has '{key}' but no 'policy'", plan.name));
        }
    }
    if reader.value("children").is_some() {
        mistakes.add(at, format!("'{}' has children but no 'policy'", plan.name));
    }
    reader.value("policy");
    (mistakes.told() == before).then_some(plan)
}
