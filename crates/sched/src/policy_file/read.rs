//! TOML to a [`Plan`], and all checks.

use super::program::{Loader, PolicyPlan, PolicyWord, Runners};
use super::quantity::{duration, rate};
use super::{
    ChildPlan, FileError, MAX_CHILDREN, MAX_DEPTH, NodePlan, Plan, PolicyName, build, traffic,
};
use crate::framework::Trigger;
use crate::framework::fixed::Pace;
use crate::policies::program::EngineName;
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rate: Spanned<String>,
    root: Root,
    #[serde(default)]
    traffic: traffic::Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Root {
    policy: Spanned<PolicyWord>,
    engine: Option<Spanned<EngineName>>,
    trigger: Option<Spanned<TriggerName>>,
    threshold: Option<Spanned<String>>,
    literal: Option<Spanned<bool>>,
    queues: Option<Spanned<u32>>,
    #[serde(default)]
    children: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Spanned<String>,
    count: Option<Spanned<u32>>,
    weight: Option<Spanned<u64>>,
    priority: Option<Spanned<u64>>,
    rate: Option<Spanned<String>>,
    burst: Option<Spanned<u64>>,
    quantum: Option<Spanned<u64>>,
    policy: Option<Spanned<PolicyWord>>,
    engine: Option<Spanned<EngineName>>,
    trigger: Option<Spanned<TriggerName>>,
    threshold: Option<Spanned<String>>,
    literal: Option<Spanned<bool>>,
    queues: Option<Spanned<u32>>,
    children: Option<Vec<Entry>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TriggerName {
    Input,
    Output,
}

/// A sentence, and where in the text.
pub(super) type Complaint = (Range<usize>, String);

pub fn parse(text: &str, loader: &mut Loader<'_>) -> Result<Plan, FileError> {
    let file: File = toml::from_str(text).map_err(|error| {
        let message = error.message().trim_end().replace('\n', "; ");
        located(text, (error.span().unwrap_or(0..0), message))
    })?;
    plan(file, loader).map_err(|complaint| located(text, complaint))
}

fn located(text: &str, (span, message): Complaint) -> FileError {
    let before = text.get(..span.start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    FileError { line, column, message }
}

fn plan(file: File, loader: &mut Loader<'_>) -> Result<Plan, Complaint> {
    let (rate, pace) = read_rate(&file.rate)?;
    let Root { policy, engine, trigger, threshold, literal, queues, children } = file.root;
    let at = policy.span();
    let parts = NodeParts { policy, engine, trigger, threshold, literal, queues, children };
    let root = node(parts, 1, 1, &mut Reading { count: 0, loader })?;
    // Whoever builds a scheduler later relies on it.
    Runners::of(&root).map_err(|message| (at, message))?;
    let mut flows = Vec::new();
    build::names(&root, "", &mut flows);
    let traffic = traffic::plan(file.traffic, &flows)?;
    Ok(Plan { rate, pace, root, traffic })
}

pub(super) fn read_rate(text: &Spanned<String>) -> Result<(u64, Pace), Complaint> {
    let rate = rate(text.as_ref()).map_err(|message| (text.span(), message))?;
    let pace = Pace::of_rate(rate).ok_or_else(|| {
        (text.span(), format!("a rate must be 466 b/s to 1000 Tb/s, not {}", text.as_ref()))
    })?;
    Ok((rate, pace))
}

/// What makes a node, at the root or below.
struct NodeParts {
    policy: Spanned<PolicyWord>,
    engine: Option<Spanned<EngineName>>,
    trigger: Option<Spanned<TriggerName>>,
    threshold: Option<Spanned<String>>,
    literal: Option<Spanned<bool>>,
    queues: Option<Spanned<u32>>,
    children: Vec<Entry>,
}

/// What goes through all nodes.
struct Reading<'l, 'c> {
    /// Children so far.
    count: u64,
    loader: &'l mut Loader<'c>,
}

/// `times` nodes like this one are at this depth.
fn node(
    parts: NodeParts,
    depth: usize,
    times: u64,
    reading: &mut Reading<'_, '_>,
) -> Result<NodePlan, Complaint> {
    let NodeParts { policy, engine, trigger, threshold, literal, queues, children } = parts;
    let (at, written) = (policy.span(), policy.into_inner());
    let policy = reading.loader.policy(&at, written, engine)?;
    let (word, name) = (policy.word(), policy.name());
    if depth > MAX_DEPTH {
        return Err((at, format!("more than {MAX_DEPTH} levels")));
    }
    let foreign =
        |span, key, owner| Err((span, format!("'{key}' belongs to '{owner}', not to '{word}'")));
    let threshold = match (name, threshold) {
        (Some(PolicyName::Aging), Some(text)) => {
            let time = duration(text.as_ref()).map_err(|message| (text.span(), message))?;
            if time == 0 {
                return Err((text.span(), "'threshold' must be more than 0".into()));
            }
            time
        }
        (Some(PolicyName::Aging), None) => {
            return Err((at, "'aging' needs 'threshold', such as \"100 us\"".into()));
        }
        (_, Some(text)) => return foreign(text.span(), "threshold", "aging"),
        (_, None) => 0,
    };
    if let Some(literal) = &literal
        && name != Some(PolicyName::Wfq)
    {
        return foreign(literal.span(), "literal", "wfq");
    }
    let children = match (name, queues) {
        (Some(PolicyName::Sfq), Some(queues)) => {
            if let Some(child) = children.first() {
                let message = "'sfq' makes its own queues: it has no children".into();
                return Err((child.name.span(), message));
            }
            vec![stochastic(&queues)?]
        }
        (Some(PolicyName::Sfq), None) => {
            return Err((at, "'sfq' needs 'queues', such as 64".into()));
        }
        (_, Some(queues)) => return foreign(queues.span(), "queues", "sfq"),
        (_, None) => {
            let mut plans: Vec<ChildPlan> = Vec::new();
            let mut names = std::collections::HashSet::new();
            for entry in children {
                let span = entry.name.span();
                let plan = child(entry, &policy, depth, times, reading)?;
                if !names.insert(plan.name.clone()) {
                    return Err((span, format!("two children are called '{}'", plan.name)));
                }
                plans.push(plan);
            }
            plans
        }
    };
    if children.is_empty() {
        return Err((at, format!("a node with policy '{word}' needs children")));
    }
    if name == Some(PolicyName::Sfq) {
        add(&mut reading.count, times, children[0].count, &at)?;
    }
    let trigger = match trigger.map(Spanned::into_inner) {
        Some(TriggerName::Input) => Trigger::Input,
        Some(TriggerName::Output) | None => Trigger::Output,
    };
    let literal = literal.is_some_and(Spanned::into_inner);
    Ok(NodePlan { policy, trigger, threshold, literal, children })
}

fn add(count: &mut u64, times: u64, more: u32, at: &Range<usize>) -> Result<u64, Complaint> {
    let all = times.saturating_mul(u64::from(more));
    *count = count.saturating_add(all);
    match *count > MAX_CHILDREN {
        true => Err((at.clone(), format!("more than {MAX_CHILDREN} flows and classes in all"))),
        false => Ok(all),
    }
}

/// The queues of a node with stochastic fair queueing.
fn stochastic(queues: &Spanned<u32>) -> Result<ChildPlan, Complaint> {
    let count = *queues.as_ref();
    if !(1..=65_536).contains(&count) {
        return Err((queues.span(), format!("'queues' must be 1 to 65536, not {count}")));
    }
    Ok(ChildPlan { name: "queue".into(), count, ..bare() })
}

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
    entry: Entry,
    above: &PolicyPlan,
    depth: usize,
    times: u64,
    reading: &mut Reading<'_, '_>,
) -> Result<ChildPlan, Complaint> {
    let at = entry.name.span();
    let name = entry.name.into_inner();
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > 64 || !name.chars().all(legal) {
        let message = format!(
            "a name has 1 to 64 letters, digits, '-' and '_', not {:?}",
            name.chars().take(80).collect::<String>()
        );
        return Err((at, message));
    }
    let reads = |key: &str, span: Option<Range<usize>>| match span {
        Some(span) if !above.reads().contains(&key) => {
            let message =
                format!("policy '{}', which orders '{name}', has no '{key}'", above.word());
            Err((span, message))
        }
        _ => Ok(()),
    };
    // A class may say its rate for its own children's sake.
    if entry.policy.is_none() {
        reads("rate", entry.rate.as_ref().map(Spanned::span))?;
    }
    reads("burst", entry.burst.as_ref().map(Spanned::span))?;
    reads("weight", entry.weight.as_ref().map(Spanned::span))?;
    reads("priority", entry.priority.as_ref().map(Spanned::span))?;
    reads("quantum", entry.quantum.as_ref().map(Spanned::span))?;
    let number = |key: &str, value: Option<Spanned<u64>>, range: Range<u64>, default: u64| {
        let Some(value) = value else { return Ok(default) };
        match range.contains(value.as_ref()) {
            true => Ok(*value.as_ref()),
            false => {
                let (least, most) = (range.start, range.end - 1);
                let message = format!("'{key}' must be {least} to {most}, not {}", value.as_ref());
                Err((value.span(), message))
            }
        }
    };
    let defaults = bare();
    let times_here = match &entry.count {
        None => 1,
        Some(value) if (1..=65_536).contains(value.as_ref()) => *value.as_ref(),
        Some(value) => {
            let message = format!("'count' must be 1 to 65536, not {}", value.as_ref());
            return Err((value.span(), message));
        }
    };
    let all = add(&mut reading.count, times, times_here, &at)?;
    let rate = match &entry.rate {
        Some(text) => Some(read_rate(text)?.0),
        None if above.is(PolicyName::TokenBucket) => {
            return Err((at, format!("'token-bucket' needs the 'rate' of '{name}'")));
        }
        None => None,
    };
    let below = match (entry.policy, entry.children) {
        (Some(policy), children) => {
            let parts = NodeParts {
                policy,
                engine: entry.engine,
                trigger: entry.trigger,
                threshold: entry.threshold,
                literal: entry.literal,
                queues: entry.queues,
                children: children.unwrap_or_default(),
            };
            Some(node(parts, depth + 1, all, reading)?)
        }
        (None, Some(_)) => return Err((at, format!("'{name}' has children but no 'policy'"))),
        (None, None) => {
            let spans = [
                ("engine", entry.engine.map(|value| value.span())),
                ("trigger", entry.trigger.map(|value| value.span())),
                ("threshold", entry.threshold.map(|value| value.span())),
                ("literal", entry.literal.map(|value| value.span())),
                ("queues", entry.queues.map(|value| value.span())),
            ];
            if let Some((key, Some(span))) = spans.into_iter().find(|(_, span)| span.is_some()) {
                return Err((span, format!("'{name}' has '{key}' but no 'policy'")));
            }
            None
        }
    };
    Ok(ChildPlan {
        count: times_here,
        weight: number("weight", entry.weight, 1..1_000_001, defaults.weight)?,
        priority: number("priority", entry.priority, 0..1 << 32, defaults.priority)?,
        burst: number("burst", entry.burst, 1..(1 << 30) + 1, defaults.burst)?,
        quantum: number("quantum", entry.quantum, 1..(1 << 30) + 1, defaults.quantum)?,
        rate,
        name,
        node: below,
    })
}
