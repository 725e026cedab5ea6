//! The scheduler: packets in, packets out, at times that the caller says.

use super::tree::{Below, Child, Node, State, Tree};
use super::{Head, NodeSpec, Packet, Parameters, Sent, Stamp, Trigger};
use crate::list::Element;
use crate::list::fast::tree::Forest;
use std::collections::{BTreeSet, VecDeque};

/// A hierarchy of policies over flow queues. Times are picoseconds and do not go back.
#[derive(Debug)]
pub struct Scheduler {
    nodes: Vec<Node>,
    flows: Vec<Flow>,
    /// For each level of the hierarchy a list for each node; an element is a child.
    levels: Vec<Forest>,
    /// Nodes that are aside until a time.
    aside: BTreeSet<(u64, usize)>,
    /// Nodes whose policy has alarms.
    alarms: Vec<usize>,
    packets: usize,
}

#[derive(Debug)]
struct Flow {
    node: usize,
    child: usize,
    /// Each with the stamp that it got on arrival, if the trigger is the input.
    queue: VecDeque<(Packet, Option<Stamp>)>,
    paused: bool,
}

impl Flow {
    fn is_ready(&self) -> bool {
        !self.paused && !self.queue.is_empty()
    }
}

impl Scheduler {
    /// A scheduler with empty queues.
    ///
    /// # Errors
    /// A sentence, if a node has no children or a level more than [`crate::list::MAX_ELEMENTS`].
    pub fn new(root: NodeSpec) -> Result<Self, String> {
        let Tree { nodes, flows, levels } = Tree::new(root)?;
        let flow = |(node, child)| Flow { node, child, queue: VecDeque::new(), paused: false };
        let flows = flows.into_iter().map(flow).collect();
        let alarms = (0..nodes.len()).filter(|&n| nodes[n].policy.has_alarms()).collect();
        Ok(Self { nodes, flows, levels, aside: BTreeSet::new(), alarms, packets: 0 })
    }

    /// How many flows there are.
    pub fn flows(&self) -> usize {
        self.flows.len()
    }

    /// Packets in all queues.
    pub fn len(&self) -> usize {
        self.packets
    }

    /// Whether no packet waits.
    pub fn is_empty(&self) -> bool {
        self.packets == 0
    }

    /// Packets in the queue of a flow; 0 for a flow that does not exist.
    pub fn queued(&self, flow: usize) -> usize {
        self.flows.get(flow).map_or(0, |flow| flow.queue.len())
    }

    /// Sets the parameters of a flow; they hold for what enters the list from now on. False if there is
    /// no such flow.
    pub fn configure(&mut self, flow: usize, parameters: &Parameters) -> bool {
        let Some(Flow { node, child, .. }) = self.flows.get(flow) else { return false };
        self.nodes[*node].policy.configure(*child, parameters);
        true
    }

    /// A packet arrives for a flow. False, and nothing happens, if there is no such flow.
    pub fn enqueue(&mut self, flow: usize, packet: Packet, now: u64) -> bool {
        let Some(Flow { node, child, queue, paused }) = self.flows.get_mut(flow) else {
            return false;
        };
        let packet = Packet { arrival: now, ..packet };
        let (fresh, bytes) = (queue.is_empty(), packet.bytes);
        let stamp = match self.nodes[*node].trigger {
            Trigger::Output => None,
            Trigger::Input => {
                let head = Head { packet, fresh };
                Some(self.nodes[*node].policy.pre_enqueue(*child, &head, now))
            }
        };
        queue.push_back((packet, stamp));
        self.packets += 1;
        if fresh && !*paused {
            let (node, child) = (*node, *child);
            self.activate(node, child, bytes, now);
        }
        true
    }

    /// No packet of the flow leaves until [`resume`](Self::resume). Packets may still arrive. A second
    /// pause changes nothing. False if there is no such flow.
    pub fn pause(&mut self, flow: usize) -> bool {
        let Some(Flow { node, child, paused, .. }) = self.flows.get_mut(flow) else { return false };
        let (node, child, was_paused) = (*node, *child, std::mem::replace(paused, true));
        if !was_paused && self.nodes[node].children[child].state != State::Idle {
            self.deactivate(node, child);
        }
        true
    }

    /// Ends a pause; without one nothing changes. False if there is no such flow.
    pub fn resume(&mut self, flow: usize, now: u64) -> bool {
        let Some(flow) = self.flows.get_mut(flow) else { return false };
        if std::mem::replace(&mut flow.paused, false)
            && let Some((packet, _)) = flow.queue.front()
        {
            let (node, child, bytes) = (flow.node, flow.child, packet.bytes);
            self.activate(node, child, bytes, now);
        }
        true
    }

    /// The packet that leaves now, with its flow.
    pub fn dequeue(&mut self, now: u64) -> Option<(usize, Packet)> {
        self.wake(now);
        for index in 0..self.alarms.len() {
            let node = self.alarms[index];
            while self.nodes[node].policy.next_alarm().is_some_and(|time| time <= now) {
                let Some(child) = self.nodes[node].policy.alarm(now) else { break };
                self.alarmed(node, child, now);
            }
        }
        self.serve(0, now).ok()
    }

    /// When [`dequeue`](Self::dequeue) may have a packet if nothing else happens: `now`, a later time, or
    /// never. It may turn out that there is still none; then this gives a later time.
    pub fn next_event(&mut self, now: u64) -> Option<u64> {
        let aside = self.aside.first().map(|&(time, _)| time);
        let alarms = self.alarms.iter().filter_map(|&n| self.nodes[n].policy.next_alarm()).min();
        let root = self.ready_at(0, now);
        [aside, alarms, root].into_iter().flatten().min().map(|time| time.max(now))
    }

    /// When a child of the node may be chosen.
    fn ready_at(&mut self, node: usize, now: u64) -> Option<u64> {
        let Node { policy, serving, level, list, .. } = &self.nodes[node];
        if serving.is_some() {
            return Some(now);
        }
        let least = self.levels[*level].least(*list)?;
        Some(if policy.is_virtual() { now } else { least })
    }

    /// Dequeues a packet from the subtree of a node. If none is eligible, the time at which one may be.
    fn serve(&mut self, node: usize, now: u64) -> Result<(usize, Packet), Option<u64>> {
        loop {
            let Some(child) = self.choose(node, now) else {
                let later = self.ready_at(node, now);
                let children = self.nodes[node].children.iter();
                let aside = children.filter_map(|child| match child.state {
                    State::Aside(time, _) => time,
                    _ => None,
                });
                return Err(aside.chain(later).min());
            };
            let head = self.head(node, child, false, now);
            if !self.nodes[node].policy.may_send(child, &head) {
                self.list(node, child, false, now);
                continue;
            }
            let (flow, packet) = match self.nodes[node].children[child].below {
                Below::Flow(flow) => {
                    let front = self.flows[flow].queue.pop_front();
                    let (packet, _) = front.expect("a flow in the list has a packet");
                    self.packets -= 1;
                    (flow, packet)
                }
                Below::Node(below) => match self.serve(below, now) {
                    Ok(sent) => sent,
                    Err(until) => {
                        self.put_aside(node, child, &head, until, now);
                        continue;
                    }
                },
            };
            self.sent(node, child, &packet, now);
            return Ok((flow, packet));
        }
    }

    /// The child that is next; it is out of the list.
    fn choose(&mut self, node: usize, now: u64) -> Option<usize> {
        if let Some(child) = self.nodes[node].serving.take() {
            return Some(child);
        }
        let clock = self.clock(node, now);
        let Node { level, list, .. } = self.nodes[node];
        let element = self.levels[level].dequeue(list, clock)?;
        let child = (element.id - self.nodes[node].first) as usize;
        let Element { rank, eligible, .. } = element;
        // Kept, in case that nobody below is eligible.
        self.nodes[node].children[child].state = State::Aside(None, Stamp { rank, eligible });
        Some(child)
    }

    fn clock(&mut self, node: usize, now: u64) -> u64 {
        let Node { level, list, .. } = self.nodes[node];
        let least = match self.nodes[node].policy.is_virtual() {
            true => self.levels[level].least(list),
            false => None,
        };
        self.nodes[node].policy.clock(now, least)
    }

    /// A class has no eligible child. It keeps the stamp that it had; one that was to stay gets a new one.
    fn put_aside(&mut self, node: usize, child: usize, head: &Head, until: Option<u64>, now: u64) {
        let owner = &mut self.nodes[node];
        let slot = &mut owner.children[child];
        let stamp = match slot.state {
            State::Aside(_, stamp) => stamp,
            _ => owner.policy.pre_enqueue(child, head, now),
        };
        slot.state = State::Aside(until, stamp);
        if let (Some(time), Below::Node(below)) = (until, slot.below) {
            self.aside.insert((time, below));
        }
    }

    /// Puts back in the list who was aside until now.
    fn wake(&mut self, now: u64) {
        while let Some(&(time, below)) = self.aside.first() {
            if time > now {
                break;
            }
            self.aside.pop_first();
            self.put_back(below);
        }
    }

    /// Puts a class that is aside back in the list, with the stamp that it had.
    fn put_back(&mut self, below: usize) {
        let Some((node, child)) = self.nodes[below].parent else { return };
        if let State::Aside(until, stamp) = self.nodes[node].children[child].state {
            if let Some(time) = until {
                self.aside.remove(&(time, below));
            }
            self.insert(node, child, stamp);
        }
    }

    fn insert(&mut self, node: usize, child: usize, stamp: Stamp) {
        let Node { level, list, .. } = self.nodes[node];
        let id = self.nodes[node].id(child);
        let Stamp { rank, eligible } = stamp;
        debug_assert!(!self.levels[level].contains(id), "a child is in its list once");
        self.levels[level].enqueue(list, Element { id, rank, eligible });
        self.nodes[node].children[child].state = State::Listed;
    }

    /// The packet for which a child is in the list.
    fn head(&self, node: usize, child: usize, fresh: bool, now: u64) -> Head {
        let child = &self.nodes[node].children[child];
        let packet = match child.below {
            Below::Flow(flow) => self.flows[flow].queue.front().map(|(packet, _)| *packet),
            Below::Node(_) => Some(Packet { bytes: child.last, arrival: now, ..Packet::default() }),
        };
        Head { packet: packet.unwrap_or_default(), fresh }
    }

    /// Puts a child in the list through Pre-Enqueue.
    fn list(&mut self, node: usize, child: usize, fresh: bool, now: u64) {
        let head = self.head(node, child, fresh, now);
        let stored = match self.nodes[node].children[child].below {
            Below::Flow(flow) => self.flows[flow].queue.front().and_then(|(_, stamp)| *stamp),
            Below::Node(_) => None,
        };
        let stamp =
            stored.unwrap_or_else(|| self.nodes[node].policy.pre_enqueue(child, &head, now));
        self.nodes[node].children[child].stamped = head.packet.bytes;
        self.insert(node, child, stamp);
    }

    /// A child becomes backlogged with a packet of this length, and so do its ancestors.
    fn activate(&mut self, node: usize, child: usize, bytes: u32, now: u64) {
        self.nodes[node].active += 1;
        let slot = &mut self.nodes[node].children[child];
        slot.state = State::Served;
        // A class that has not sent yet counts with the packet that made it busy.
        if slot.last == 0 {
            slot.last = bytes;
        }
        self.list(node, child, true, now);
        if self.nodes[node].active > 1 {
            // It may be eligible although its siblings are not.
            let mut below = node;
            while let Some((parent, _)) = self.nodes[below].parent {
                self.put_back(below);
                below = parent;
            }
        } else if let Some((parent, place)) = self.nodes[node].parent {
            self.activate(parent, place, bytes, now);
        }
    }

    /// A child has nothing to send any more.
    fn deactivate(&mut self, node: usize, child: usize) {
        let id = self.nodes[node].id(child);
        let Node { level, list, .. } = self.nodes[node];
        self.levels[level].dequeue_id(list, id);
        self.withdraw(node, child);
        let slot = &mut self.nodes[node].children[child];
        if let (State::Aside(Some(time), _), Below::Node(below)) = (slot.state, slot.below) {
            self.aside.remove(&(time, below));
        }
        slot.state = State::Idle;
        let owner = &mut self.nodes[node];
        if owner.serving == Some(child) {
            owner.serving = None;
        }
        owner.policy.emptied(child);
        owner.active -= 1;
        if owner.active == 0
            && let Some((parent, place)) = owner.parent
        {
            self.deactivate(parent, place);
        }
    }

    /// A child leaves the list without sending: the policy takes back what Pre-Enqueue charged. A stamp
    /// that waits with its packet stays good.
    fn withdraw(&mut self, node: usize, child: usize) {
        let Node { children, trigger, policy, .. } = &mut self.nodes[node];
        let Child { below, state, stamped, .. } = children[child];
        let kept = matches!(below, Below::Flow(_)) && *trigger == Trigger::Input;
        if !kept && matches!(state, State::Listed | State::Aside(..)) {
            policy.withdraw(child, stamped);
        }
    }

    /// A packet of the child has left.
    fn sent(&mut self, node: usize, child: usize, packet: &Packet, now: u64) {
        let owner = &mut self.nodes[node];
        let slot = &mut owner.children[child];
        slot.state = State::Served;
        slot.last = packet.bytes;
        let sent = Sent { bytes: packet.bytes, stamped: slot.stamped };
        owner.policy.post_dequeue(child, &sent, now);
        let more = match slot.below {
            Below::Flow(flow) => self.flows[flow].is_ready(),
            Below::Node(below) => self.nodes[below].active > 0,
        };
        let owner = &mut self.nodes[node];
        if !more {
            owner.children[child].state = State::Idle;
            owner.active -= 1;
            owner.policy.emptied(child);
        } else {
            let head = self.head(node, child, false, now);
            if self.nodes[node].policy.stays(child, &head) {
                self.nodes[node].children[child].stamped = head.packet.bytes;
                self.nodes[node].serving = Some(child);
            } else {
                self.list(node, child, false, now);
            }
        }
        self.clock(node, now);
    }

    /// The alarm of a node has named a child.
    fn alarmed(&mut self, node: usize, child: usize, now: u64) {
        let id = self.nodes[node].id(child);
        let Node { level, list, .. } = self.nodes[node];
        let listed = self.levels[level].dequeue_id(list, id).is_some();
        if listed {
            self.withdraw(node, child);
        }
        self.nodes[node].policy.handle(child, now);
        if listed {
            self.list(node, child, false, now);
        }
    }
}
