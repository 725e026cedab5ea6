//! Policies that are programs: each call of the framework is a request to whatever runs the policy's
//! program ([`ww_dataplane::policy`]). Languages and engines are above this crate: they implement
//! [`Compiler`] and [`PolicyProgram`].

mod request;

use super::{Weights, slot};
use crate::framework::fixed::Pace;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};
use request::{Answer, Request};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use ww_dataplane::Dataplane;
use ww_dataplane::control::Control;
use ww_dataplane::policy::{KINDS, Kind, Size};

/// How often in a row a policy may refuse to send; then the packet is sent anyway. It keeps a policy that always
/// refuses from holding up everything for ever.
const MAX_REFUSALS: u32 = 1 << 22;

/// What runs a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineName {
    /// The native engine.
    #[default]
    Jit,
    /// The reference engine.
    Interp,
}

/// Finds policies that are programs.
pub trait Compiler {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// All that is wrong with it, with places: several lines.
    fn load(&self, file: &Path) -> Result<Arc<dyn PolicyProgram>, String>;
}

/// A policy that is a program and has been checked.
pub trait PolicyProgram: fmt::Debug + Send + Sync {
    /// The file's name, as it was given.
    fn name(&self) -> &str;

    /// Whether the policy answers requests of this kind.
    fn has(&self, kind: Kind) -> bool;

    /// The program in an engine, with states for so many nodes and children. Without a wish it is the
    /// native engine, or the reference engine where the native one does not run it.
    ///
    /// # Errors
    /// Several lines: what in the policy the engine does not run.
    fn engine(&self, size: Size, engine: Option<EngineName>) -> Result<Box<dyn Machine>, String>;
}

/// What runs a policy's program: frames are requests and answers, and states can be read as registers.
pub trait Machine: Dataplane + Control + Send {}

impl<M: Dataplane + Control + Send> Machine for M {}

/// An engine with a policy's program in it: the states of all nodes and children that share it.
#[derive(Clone)]
pub struct Runner {
    engine: Arc<Mutex<Box<dyn Machine>>>,
    carried: Option<Arc<Mutex<Carried>>>,
    has: [bool; KINDS.len()],
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
    /// The program in an engine of its own.
    ///
    /// # Errors
    /// As [`PolicyProgram::engine`].
    pub fn new(
        program: &dyn PolicyProgram,
        size: Size,
        engine: Option<EngineName>,
    ) -> Result<Self, String> {
        Ok(Self::with(program, size, program.engine(size, engine)?))
    }

    fn with(program: &dyn PolicyProgram, size: Size, engine: Box<dyn Machine>) -> Self {
        let has = KINDS.map(|kind| program.has(kind));
        let engine = Arc::new(Mutex::new(engine));
        Self { engine, carried: None, has, name: program.name().into(), size }
    }

    /// An engine whose program is given the states of its node and its child, of so many bytes each,
    /// with each request: they are kept here.
    pub fn carrying(
        program: &dyn PolicyProgram,
        size: Size,
        each: [usize; 2],
        engine: Box<dyn Machine>,
    ) -> Self {
        let carried = Carried {
            each,
            nodes: vec![0; each[0] * size.nodes as usize],
            children: vec![0; each[1] * size.children as usize],
        };
        let carried = Some(Arc::new(Mutex::new(carried)));
        Self { carried, ..Self::with(program, size, engine) }
    }

    /// The policy of node number `node`, whose children's states begin at number `first`; the node is
    /// served at this pace. Numbers beyond [`Size`] have no state.
    pub fn node(&self, node: u32, first: u32, pace: Pace) -> ProgramPolicy {
        ProgramPolicy {
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
    pub fn engine(&self) -> MutexGuard<'_, Box<dyn Machine>> {
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

/// A node with a policy that is a program.
#[derive(Debug)]
pub struct ProgramPolicy {
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

impl ProgramPolicy {
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

impl Policy for ProgramPolicy {
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
