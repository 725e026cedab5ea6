//! Parser states that are never reached, and loops of states that never end.

use super::{Lint, Sink};
use crate::diagnostic::Diagnostic;
use crate::ir::visit::{self, Visitor};
use crate::ir::{
    Call, Callee, Expr, ExprKind, KeySet, Parser, Program, State, Stmt, StmtKind, Target,
    Transition,
};

pub(super) fn run(program: &Program, sink: &mut Sink) {
    for parser in &program.parsers {
        let reached = reachable(parser);
        for (state, _) in parser.states.iter().zip(&reached).filter(|(_, r)| !**r) {
            if !state.name.starts_with('_') {
                let message = format!("state `{}` is never reached", state.name);
                sink.warn(Lint::Unreachable, Diagnostic::warning(state.span, message));
            }
        }
        endless(program, parser, &reached, sink);
    }
}

/// Where a state may go.
fn targets(state: &State) -> Vec<Target> {
    match &state.transition {
        Transition::Direct(target) => vec![*target],
        Transition::Select { cases, .. } => {
            let mut targets: Vec<Target> = cases.iter().map(|c| c.target).collect();
            let catch_all = cases.iter().any(|c| c.sets.iter().all(|s| matches!(s, KeySet::Any)));
            if !catch_all {
                targets.push(Target::Reject);
            }
            targets
        }
    }
}

/// The states that a state may go to, each once.
pub(super) fn successors(parser: &Parser, state: usize) -> std::vec::IntoIter<usize> {
    let count = parser.states.len();
    let mut states: Vec<usize> = targets(&parser.states[state])
        .into_iter()
        .filter_map(|t| match t {
            Target::State(n) if (n as usize) < count => Some(n as usize),
            _ => None,
        })
        .collect();
    states.sort_unstable();
    states.dedup();
    states.into_iter()
}

fn reachable(parser: &Parser) -> Vec<bool> {
    let mut reached = vec![false; parser.states.len()];
    let mut open = vec![parser.start as usize];
    while let Some(n) = open.pop() {
        if n < reached.len() && !std::mem::replace(&mut reached[n], true) {
            open.extend(successors(parser, n));
        }
    }
    reached
}

/// What a state does that may end a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Activity {
    /// Nothing: the next round is like this one.
    Idle,
    /// It changes variables.
    Computes,
    /// It consumes packet, or may fail, or does what only the architecture knows.
    Proceeds,
}

struct Effects<'a> {
    program: &'a Program,
    activity: Activity,
}

impl Effects<'_> {
    fn at_least(&mut self, activity: Activity) {
        if self.activity < activity {
            self.activity = activity;
        }
    }
}

impl Visitor for Effects<'_> {
    fn statement(&mut self, s: &Stmt) {
        if matches!(s.kind, StmtKind::Assign { .. }) {
            self.at_least(Activity::Computes);
        }
    }

    fn call(&mut self, c: &Call) {
        match &c.callee {
            Callee::IsValid(_) => {}
            Callee::Function(_)
            | Callee::Action(_)
            | Callee::SetValid(_)
            | Callee::SetInvalid(_)
            | Callee::PushFront(..)
            | Callee::PopFront(..) => self.at_least(Activity::Computes),
            Callee::Method { extern_id, method, .. } => {
                let def = &self.program.types[*extern_id];
                let name = def.methods.get(*method as usize).map(|m| &*m.signature.name);
                let looks =
                    &*def.name == "packet_in" && matches!(name, Some("lookahead" | "length"));
                if !looks {
                    self.at_least(Activity::Proceeds);
                }
            }
            _ => self.at_least(Activity::Proceeds),
        }
    }

    fn expression(&mut self, e: &Expr) {
        // Moving through a stack ends with `error.StackOutOfBounds`.
        if matches!(e.kind, ExprKind::Next(_)) {
            self.at_least(Activity::Proceeds);
        }
    }
}

fn activity(program: &Program, state: &State) -> Activity {
    let mut effects = Effects { program, activity: Activity::Idle };
    visit::statements(&mut effects, &state.body);
    visit::transition(&mut effects, &state.transition);
    effects.activity
}

fn endless(program: &Program, parser: &Parser, reached: &[bool], sink: &mut Sink) {
    let activities: Vec<Activity> = parser.states.iter().map(|s| activity(program, s)).collect();
    let idle: Vec<bool> =
        activities.iter().zip(reached).map(|(a, r)| *r && *a == Activity::Idle).collect();
    for group in circles(parser, &idle) {
        let d = report(parser, &group, "nothing in it consumes packet or changes anything");
        sink.warn(Lint::ParserLoop, d);
    }
    let lasting: Vec<bool> =
        activities.iter().zip(reached).map(|(a, r)| *r && *a < Activity::Proceeds).collect();
    for group in circles(parser, &lasting) {
        let leaves = |&n: &usize| {
            targets(&parser.states[n]).iter().any(|t| match t {
                Target::State(n) => !group.contains(&(*n as usize)),
                Target::Accept | Target::Reject => true,
            })
        };
        let changes = group.iter().any(|&n| activities[n] != Activity::Idle);
        if changes && !group.iter().any(leaves) {
            let d = report(parser, &group, "no way leads out and nothing in it consumes packet");
            sink.warn(Lint::ParserLoop, d);
        }
    }
}

fn report(parser: &Parser, group: &[usize], why: &str) -> Diagnostic {
    let first = &parser.states[group[0]];
    let message = match group.len() {
        1 => format!("state `{}` goes to itself without end", first.name),
        n => format!("state `{}` and {} more go round without end", first.name, n - 1),
    };
    let d = Diagnostic::warning(first.span, message).label(why);
    group[1..].iter().take(4).fold(d, |d, &n| d.also(parser.states[n].span, "part of the loop"))
}

/// Groups of states, among those marked, that can reach each other: the strongly connected
/// components with a cycle, by Tarjan's algorithm. Members in the order of the source.
fn circles(parser: &Parser, among: &[bool]) -> Vec<Vec<usize>> {
    let count = among.len();
    let mut search = Search {
        parser,
        among,
        number: vec![None; count],
        low: vec![0; count],
        on_stack: vec![false; count],
        stack: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for (n, &marked) in among.iter().enumerate() {
        if marked && search.number[n].is_none() {
            search.visit(n);
        }
    }
    search.found
}

struct Search<'a> {
    parser: &'a Parser,
    among: &'a [bool],
    number: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// The stack is a list on the heap: a chain of states may be as long as the program.
    fn visit(&mut self, root: usize) {
        let mut path: Vec<(usize, Vec<usize>)> = vec![(root, self.enter(root))];
        while let Some((n, open)) = path.last_mut() {
            let n = *n;
            match open.pop() {
                Some(next) => match self.number[next] {
                    None => {
                        let follow = self.enter(next);
                        path.push((next, follow));
                    }
                    Some(number) if self.on_stack[next] => {
                        self.low[n] = self.low[n].min(number);
                    }
                    Some(_) => {}
                },
                None => {
                    path.pop();
                    if let Some((before, _)) = path.last() {
                        self.low[*before] = self.low[*before].min(self.low[n]);
                    }
                    self.leave(n);
                }
            }
        }
    }

    fn enter(&mut self, n: usize) -> Vec<usize> {
        self.number[n] = Some(self.next);
        self.low[n] = self.next;
        self.next += 1;
        self.on_stack[n] = true;
        self.stack.push(n);
        successors(self.parser, n).filter(|&m| self.among[m]).collect()
    }

    fn leave(&mut self, n: usize) {
        if Some(self.low[n]) != self.number[n] {
            return;
        }
        let mut group = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member] = false;
            group.push(member);
            if member == n {
                break;
            }
        }
        let circle = group.len() > 1 || successors(self.parser, n).any(|m| m == n);
        if circle {
            group.sort_unstable();
            self.found.push(group);
        }
    }
}
