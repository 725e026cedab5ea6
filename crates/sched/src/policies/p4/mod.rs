//! Policies written in P4 ([`ww_p4::policy`]): each call of the framework is a request to an engine
//! that runs the policy's program.

pub mod program;
mod request;

use super::{Weights, slot};
use crate::framework::fixed::Pace;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};
use program::P4Program;
use request::{Answer, Request};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use ww_engine::engine::AnyEngine;
use ww_p4::architecture::scheduler::{CONTROLS, Kind};
use ww_p4::policy::Size;

/// How often in a row a policy may refuse to send; then the packet is sent anyway. It keeps a policy that always
/// refuses from holding up everything for ever.
const MAX_REFUSALS: u32 = 1 << 22;

/// An engine with a policy's program in it: the states of all nodes and children that share it.
#[derive(Clone)]
pub struct Runner {
    engine: Arc<Mutex<AnyEngine>>,
    carried: Option<Arc<Mutex<Carried>>>,
    has: [bool; CONTROLS.len()],
    name: Arc<str>,
    size: Size,
}

/// The states of nodes and children, for a program that is given them with each request.
struct Carried {
    /// Bytes of a node's and of a child's.
    each: [usize; 2],
    nodes: Vec<u8>,
    children: Vec<u8>,
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("name", &self.name).field("size", &self.size).finish()
    }
}

impl Runner {
    /// An engine that has loaded `program.lowered(size, Layout::Fields)`.
    pub fn new(program: &P4Program, size: Size, engine: AnyEngine) -> Self {
        let has = CONTROLS.iter().map(|control| program.policy().has(control.kind));
        let mut controls = [false; CONTROLS.len()];
        for (slot, has) in controls.iter_mut().zip(has) {
            *slot = has;
        }
        let engine = Arc::new(Mutex::new(engine));
        Self { engine, carried: None, has: controls, name: program.name().into(), size }
    }

    /// The same for `Layout::Carried`: the states are kept here.
    pub fn carrying(program: &P4Program, size: Size, engine: AnyEngine) -> Self {
        let each = [&program.policy().node, &program.policy().child].map(|state| state.bytes());
        let carried = Carried {
            each,
            nodes: vec![0; each[0] * size.nodes as usize],
            children: vec![0; each[1] * size.children as usize],
        };
        let carried = Some(Arc::new(Mutex::new(carried)));
        Self { carried, ..Self::new(program, size, engine) }
    }

    /// The policy of node number `node`, whose children's states begin at number `first`; the node is
    /// served at this pace. Numbers beyond [`Size`] have no state.
    pub fn node(&self, node: u32, first: u32, pace: Pace) -> P4Policy {
        P4Policy {
            runner: self.clone(),
            node,
            first,
            pace,
            weights: Weights::default(),
            parameters: Vec::new(),
            shares: Vec::new(),
            refusals: 0,
        }
    }

    /// The engine, to read states: registers `node.FIELD` and `child.FIELD`.
    pub fn engine(&self) -> MutexGuard<'_, AnyEngine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has(&self, kind: Kind) -> bool {
        self.has[kind as usize]
    }

    fn ask(&self, request: &Request) -> Answer {
        let Some(carried) = &self.carried else { return request.send(&mut *self.engine()) };
        let mut carried = carried.lock().unwrap_or_else(PoisonError::into_inner);
        let Carried { each: [of_node, of_child], nodes, children } = &mut *carried;
        let place = |each: usize, name| {
            let number = request.get(name) as usize;
            each * number..each * (number + 1)
        };
        let (node, child) = (place(*of_node, "node"), place(*of_child, "child"));
        // Numbers beyond the size have no state: they get zeros.
        let mut states = vec![0; *of_node + *of_child];
        let (at_node, at_child) = states.split_at_mut(*of_node);
        at_node.copy_from_slice(nodes.get(node.clone()).unwrap_or(&vec![0; *of_node]));
        at_child.copy_from_slice(children.get(child.clone()).unwrap_or(&vec![0; *of_child]));
        let answer = request.send_with(&mut *self.engine(), &mut states);
        let (from_node, from_child) = states.split_at(*of_node);
        if let Some(state) = nodes.get_mut(node) {
            state.copy_from_slice(from_node);
        }
        if let Some(state) = children.get_mut(child) {
            state.copy_from_slice(from_child);
        }
        answer
    }
}

/// A node with a policy in P4.
#[derive(Debug)]
pub struct P4Policy {
    runner: Runner,
    node: u32,
    first: u32,
    pace: Pace,
    weights: Weights,
    parameters: Vec<Option<Parameters>>,
    /// Pace of each child's share; made anew when a weight has changed.
    shares: Vec<Pace>,
    refusals: u32,
}

impl P4Policy {
    /// A request about a child, with what the control plane has said of it.
    fn request(&mut self, kind: Kind, child: usize) -> Request {
        if self.shares.is_empty() {
            let Weights { each, sum } = &self.weights;
            self.shares = each.iter().map(|&weight| self.pace.share(weight, *sum)).collect();
        }
        let mut request = Request::new(kind, self.node);
        request.set("child", u64::from(self.first) + child as u64);
        if let (Some(Some(parameters)), Some(share)) =
            (self.parameters.get(child), self.shares.get(child))
        {
            request.set("weight", parameters.weight);
            request.set("priority", parameters.priority);
            request.set("pace", parameters.pace.multiplier());
            request.set("share", share.multiplier());
            request.set("node_pace", self.pace.multiplier());
            request.set("burst", parameters.burst);
            request.set("quantum", parameters.quantum);
        }
        request
    }

    fn with_head(&mut self, kind: Kind, child: usize, head: &Head, now: u64) -> Request {
        let mut request = self.request(kind, child);
        let packet = &head.packet;
        request.set("now", now);
        request.set("bytes", u64::from(packet.bytes));
        request.set("fresh", u64::from(head.fresh));
        request.set("arrival", packet.arrival);
        request.set("size", packet.meta.size);
        request.set("remaining", packet.meta.remaining);
        request.set("slack", packet.meta.slack);
        request.set("deadline", packet.meta.deadline);
        request.set("release", packet.meta.release);
        request
    }
}

impl Policy for P4Policy {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        self.weights.set(child, parameters);
        *slot(&mut self.parameters, child) = Some(*parameters);
        self.shares.clear();
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, now: u64) -> Stamp {
        let request = self.with_head(Kind::PreEnqueue, child, head, now);
        let Answer { rank, eligible, .. } = self.runner.ask(&request);
        Stamp { rank, eligible }
    }

    fn post_dequeue(&mut self, child: usize, sent: &Sent, now: u64) {
        if self.runner.has(Kind::PostDequeue) {
            let mut request = self.request(Kind::PostDequeue, child);
            request.set("now", now);
            request.set("bytes", u64::from(sent.bytes));
            request.set("stamped", u64::from(sent.stamped));
            self.runner.ask(&request);
        }
    }

    fn withdraw(&mut self, child: usize, bytes: u32) {
        if self.runner.has(Kind::Withdraw) {
            let mut request = self.request(Kind::Withdraw, child);
            request.set("bytes", u64::from(bytes));
            self.runner.ask(&request);
        }
    }

    /// With a control `Clock` what it says, but never behind `least`: the passing of time alone makes no child eligible
    /// in a virtual clock, and the node would stand still for ever.
    fn clock(&mut self, now: u64, least: Option<u64>) -> u64 {
        if !self.runner.has(Kind::Clock) {
            return now;
        }
        let mut request = Request::new(Kind::Clock, self.node);
        // The program has the state of a child at hand in any case: one of this node's.
        request.set("child", u64::from(self.first));
        request.set("now", now);
        request.set("any", u64::from(least.is_some()));
        request.set("least", least.unwrap_or(0));
        self.runner.ask(&request).clock.max(least.unwrap_or(0))
    }

    fn is_virtual(&self) -> bool {
        self.runner.has(Kind::Clock)
    }

    fn may_send(&mut self, child: usize, head: &Head) -> bool {
        if !self.runner.has(Kind::MaySend) {
            return true;
        }
        let request = self.with_head(Kind::MaySend, child, head, 0);
        if self.runner.ask(&request).yes || self.refusals >= MAX_REFUSALS {
            self.refusals = 0;
            return true;
        }
        self.refusals += 1;
        false
    }

    fn stays(&mut self, child: usize, head: &Head) -> bool {
        if !self.runner.has(Kind::Stays) {
            return false;
        }
        let request = self.with_head(Kind::Stays, child, head, 0);
        self.runner.ask(&request).yes
    }

    fn emptied(&mut self, child: usize) {
        if self.runner.has(Kind::Emptied) {
            let request = self.request(Kind::Emptied, child);
            self.runner.ask(&request);
        }
    }
}
