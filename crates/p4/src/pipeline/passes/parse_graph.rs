//! Makes parse graphs smaller: states that follow each other become one, states that cannot be
//! reached go, offsets are worked out anew.

use super::liveness::can_fail;
use crate::pipeline::Pipeline;
use crate::pipeline::blocks::{Body, ParseGraph, Row, State, StateId, Target, Transition};
use crate::pipeline::operations::{Op, OpKind};
use num_traits::ToPrimitive;

/// States that a parser may enter beside one for each bit of the packet.
const SPARE_STATES: u64 = 4096;

/// Runs the pass; gives the number of states that are gone.
pub(super) fn run(pipeline: &mut Pipeline) -> u64 {
    let mut gone = 0;
    for block in &mut pipeline.blocks {
        if let Body::Parser(graph) = &mut block.body {
            gone += remove_unreachable(graph);
            let before = graph.states.len();
            merge(graph);
            remove_unreachable(graph);
            gone += (before - graph.states.len()) as u64;
        }
    }
    gone
}

/// Works out offsets and the bits that each state takes.
pub(super) fn fix_offsets(pipeline: &mut Pipeline) {
    for block in &mut pipeline.blocks {
        if let Body::Parser(graph) = &mut block.body {
            for state in &mut graph.states {
                state.fixed_bits = offsets(&mut state.ops);
            }
        }
    }
}

/// Notes where in the state each access to the packet begins; gives the bits of all.
fn offsets(ops: &mut [Op]) -> Option<u64> {
    let mut at = Some(0u64);
    for op in ops {
        let taken = match &mut op.kind {
            OpKind::Extract(extract) => {
                extract.offset = at;
                let variable = match &extract.varbit {
                    None => Some(0),
                    Some(length) => length.as_const().and_then(ToPrimitive::to_u64),
                };
                variable.map(|v| v.saturating_add(u64::from(extract.fixed_bits)))
            }
            OpKind::Lookahead { offset, .. } => {
                *offset = at;
                Some(0)
            }
            OpKind::Advance { bits, offset } => {
                *offset = at;
                bits.as_const().and_then(ToPrimitive::to_u64)
            }
            _ => Some(0),
        };
        at = at.zip(taken).map(|(at, taken)| at.saturating_add(taken));
    }
    at
}

/// For each state the bits in front of it in the packet, if they are the same on all ways to it;
/// `None` for those that come after an error, too.
pub fn start_offsets(graph: &ParseGraph) -> Vec<Option<u64>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Start {
        Unreached,
        At(u64),
        Varies,
    }
    let mut starts = vec![Start::Unreached; graph.states.len()];
    let mut pending = Vec::new();
    if let Some(first) = starts.first_mut() {
        *first = Start::At(0);
        pending.push(ParseGraph::START);
    }
    while let Some(id) = pending.pop() {
        let state = &graph.states[id.index()];
        let behind = match (starts[id.index()], state.fixed_bits) {
            (Start::At(start), Some(bits)) => Start::At(start.saturating_add(bits)),
            _ => Start::Varies,
        };
        // Each state changes twice at most.
        let mut reach = |target: Target, start: Start| {
            let Target::State(to) = target else { return };
            let old = starts[to.index()];
            let new = if old == Start::Unreached || old == start { start } else { Start::Varies };
            if new != old {
                starts[to.index()] = new;
                pending.push(to);
            }
        };
        state.transition.for_each_target(&mut |target| reach(target, behind));
        reach(state.on_error, Start::Varies);
    }
    let known = |start| match start {
        Start::At(bits) => Some(bits),
        _ => None,
    };
    starts.into_iter().map(known).collect()
}

/// The states that can be reached; each stands behind those that lead to it, but for loops.
pub(super) fn reverse_postorder(graph: &ParseGraph) -> Vec<StateId> {
    let successors = |id: StateId| {
        let state = &graph.states[id.index()];
        let mut list = Vec::new();
        let mut add = |target: Target| {
            if let Target::State(to) = target {
                list.push(to);
            }
        };
        add(state.on_error);
        state.transition.for_each_target(&mut add);
        list
    };
    let mut seen = vec![false; graph.states.len()];
    let mut order = Vec::new();
    if graph.states.is_empty() {
        return order;
    }
    seen[0] = true;
    let mut stack = vec![(ParseGraph::START, successors(ParseGraph::START))];
    while let Some((id, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push((next, successors(next)));
                }
            }
            None => {
                order.push(*id);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn for_each_target_mut(state: &mut State, visit: &mut dyn FnMut(&mut Target)) {
    visit(&mut state.on_error);
    match &mut state.transition {
        Transition::Goto(target) => visit(target),
        Transition::Select { rows, .. } => rows.iter_mut().for_each(|r| visit(&mut r.target)),
    }
}

/// Removes states that cannot be reached; gives their number. Loops keep what is left of them.
pub(super) fn remove_unreachable(graph: &mut ParseGraph) -> u64 {
    let mut kept = vec![false; graph.states.len()];
    reverse_postorder(graph).iter().for_each(|id| kept[id.index()] = true);
    let gone = kept.iter().filter(|k| !**k).count() as u64;
    if gone == 0 {
        return 0;
    }
    let mut ids = Vec::with_capacity(kept.len());
    let mut count = 0;
    for keep in &kept {
        ids.push(StateId(count));
        count += u32::from(*keep);
    }
    for found in &mut graph.loops {
        found.states.retain(|s| kept[s.index()]);
        found.states.iter_mut().for_each(|s| *s = ids[s.index()]);
    }
    graph.loops.retain(|found| !found.states.is_empty());
    let mut keep = kept.iter();
    graph.states.retain(|_| keep.next().copied().unwrap_or(false));
    for state in &mut graph.states {
        for_each_target_mut(state, &mut |target| {
            if let Target::State(id) = target {
                *id = ids[id.index()];
            }
        });
    }
    gone
}

/// Whether a parser could enter more states than a packet has bits and [`SPARE_STATES`]. Only
/// loops can lead there, and not those that take a bit for each of their states in every round.
pub fn can_time_out(graph: &ParseGraph) -> bool {
    let mut states = graph.states.len() as u64;
    let mut members = vec![false; graph.states.len()];
    for found in &graph.loops {
        let size = found.states.len() as u64;
        if found.states.iter().any(|s| std::mem::replace(&mut members[s.index()], true)) {
            return true;
        }
        match found.bound {
            _ if found.bits >= size => {}
            Some(bound) => states = states.saturating_add(size.saturating_mul(bound)),
            None => return true,
        }
    }
    states > SPARE_STATES
}

fn fails(state: &State) -> bool {
    let is_exhaustible = match &state.transition {
        Transition::Goto(_) => false,
        Transition::Select { rows, .. } => !rows.iter().any(Row::is_any),
    };
    is_exhaustible || state.ops.iter().any(|op| can_fail(&op.kind))
}

/// Joins states with the only ones that lead to them.
fn merge(graph: &mut ParseGraph) {
    let counts = can_time_out(graph);
    let mut uses = vec![0u32; graph.states.len()];
    if let Some(first) = uses.first_mut() {
        *first = 1;
    }
    for state in &mut graph.states {
        for_each_target_mut(state, &mut |target| {
            if let Target::State(id) = target {
                uses[id.index()] += 1;
            }
        });
    }
    let mut gone = vec![false; graph.states.len()];
    for n in 0..graph.states.len() {
        if gone[n] {
            continue;
        }
        while let Transition::Goto(Target::State(to)) = graph.states[n].transition {
            let to = to.index();
            if to == n || uses[to] != 1 || !may_join(&graph.states[n], &graph.states[to], counts) {
                break;
            }
            let end = Transition::Goto(Target::Reject);
            let next = &mut graph.states[to];
            let next_fails = fails(next);
            let mut ops = std::mem::take(&mut next.ops);
            let transition = std::mem::replace(&mut next.transition, end);
            let (on_error, is_entry) = (next.on_error, next.is_entry);
            next.on_error = Target::Reject;
            let state = &mut graph.states[n];
            let unused = match next_fails {
                true => std::mem::replace(&mut state.on_error, on_error),
                false => on_error,
            };
            if let Target::State(handler) = unused {
                uses[handler.index()] -= 1;
            }
            state.is_entry |= is_entry;
            state.ops.append(&mut ops);
            state.transition = transition;
            gone[to] = true;
        }
    }
}

/// Whether a state can take in the one behind it. Where `counts` says that entered states are
/// counted in earnest, the count, and where an overflow leads, must stay.
fn may_join(state: &State, next: &State, counts: bool) -> bool {
    let same_errors = state.on_error == next.on_error;
    if counts && next.is_entry {
        return false;
    }
    let counted = counts && state.is_entry;
    same_errors || !counted && !fails(state) || !fails(next)
}
