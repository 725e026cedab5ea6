//! The fabric as a network of the event simulator `ww_sim`, in which each cell is a packet and each hop an event: what the
//! simulator of slots is measured against. `cell_events FLOWS` runs FLOWS for 512 hosts and prints what it counted
//! as JSON (`sh bench/run.sh fabric`).
//!
//! Slots and schedule are those of the rules `published`. A host sends whatever it has to whoever it is connected with, and
//! lets one cell of its own into each queue: that is the detour of the fabric without its congestion control, so this
//! simulation does less for a cell. A host without cells has no events.

use std::collections::VecDeque;
use ww_fabric::flows::{self, Flow};
use ww_sim::line::Limits;
use ww_sim::measure::Wishes;
use ww_sim::network::{Direction, NodeId, Phy, Switch};
use ww_sim::packet::{Packet, PacketId};
use ww_sim::pending::Time;
use ww_sim::simulation::{BuildError, Context, Ingress, Node, Parts, Reports, Simulation, Timer};
use ww_sim::topology;

const HOSTS: usize = 512;
const SLOT: Time = 5_632;
const CELL_BYTES: u32 = 64;
/// A link's half of a cell's 5.12 ns, so that a cell is over two links before the slot ends.
const RATE: u64 = 200_000_000_000;

/// To whom a host sends in a slot.
fn peer(host: usize, slot: u64) -> usize {
    (host + (slot % (HOSTS as u64 - 1)) as usize + 1) % HOSTS
}

/// A circuit switch for all hosts: node 0, with host i at port i.
struct Circuits;

impl Node for Circuits {
    fn receive(&mut self, cell: PacketId, ingress: Ingress, ctx: &mut Context<'_>) {
        let to = peer(ingress.port as usize, ctx.now() / SLOT);
        if let Some(direction) = ctx.direction_at(ingress.node, to as u32) {
            ctx.offer(cell, direction);
        }
    }

    fn timer(&mut self, _timer: Timer, _ctx: &mut Context<'_>) {}
}

/// A host: node 1 + its number.
struct Host {
    number: usize,
    /// Its own flows that have not started, in order.
    later: VecDeque<Flow>,
    /// Destinations and cells of those that have, in turns.
    active: VecDeque<(u32, u64)>,
    /// What waits for each peer, and whether a cell of the host's own is among it.
    queues: Vec<(VecDeque<PacketId>, bool)>,
    waiting: usize,
    /// A timer is pending for a slot before the next flow's.
    awake: bool,
    received: Received,
}

/// What a host has received.
#[derive(Clone, Copy, Default)]
struct Received {
    cells: u64,
    last_slot: u64,
}

impl Host {
    /// Lets the host send in the next slot from now on.
    fn wake(&mut self, ctx: &mut Context<'_>) {
        if !self.awake {
            self.awake = true;
            ctx.schedule(ctx.now().next_multiple_of(SLOT), Timer::default());
        }
    }

    fn send(&mut self, slot: u64, ctx: &mut Context<'_>) {
        let to = peer(self.number, slot);
        let (queue, own) = &mut self.queues[to];
        if !*own && let Some((dst, cells)) = self.active.pop_front() {
            let source = self.number as u32;
            let cell = Packet { source, destination: dst, bytes: CELL_BYTES, ..Packet::default() };
            queue.push_back(ctx.insert(cell));
            *own = true;
            self.waiting += 1;
            if cells > 1 {
                self.active.push_back((dst, cells - 1));
            }
        }
        if let Some(cell) = queue.pop_front() {
            if ctx.packet(cell).source == self.number as u32 {
                *own = false;
            }
            self.waiting -= 1;
            if let Some(direction) = ctx.direction_at(1 + self.number as NodeId, 0) {
                ctx.offer(cell, direction);
            }
        }
    }
}

impl Node for Host {
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        if let Some(first) = self.later.front() {
            ctx.schedule(first.start * SLOT, Timer { kind: 1, ..Timer::default() });
        }
        Ok(())
    }

    fn receive(&mut self, cell: PacketId, _ingress: Ingress, ctx: &mut Context<'_>) {
        let to = ctx.packet(cell).destination as usize;
        if to == self.number {
            self.received.cells += 1;
            self.received.last_slot = ctx.now() / SLOT;
            ctx.remove(cell);
        } else {
            self.queues[to].0.push_back(cell);
            self.waiting += 1;
            self.wake(ctx);
        }
    }

    /// Kind 0: a slot begins. Kind 1: flows start.
    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>) {
        let slot = ctx.now() / SLOT;
        if timer.kind == 1 {
            while let Some(flow) = self.later.pop_front_if(|flow| flow.start <= slot) {
                self.active.push_back((flow.dst, flow.cells));
            }
            if let Some(next) = self.later.front() {
                ctx.schedule(next.start * SLOT, timer);
            }
            self.wake(ctx);
            return;
        }
        self.send(slot, ctx);
        self.awake = false;
        if self.waiting > 0 || !self.active.is_empty() {
            self.awake = true;
            ctx.schedule((slot + 1) * SLOT, timer);
        }
    }

    fn inspect(&mut self, _ctx: &mut Context<'_>, reports: &mut Reports) {
        reports.add(self.received);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("expected FLOWS")?;
    let flows = flows::read(&std::fs::read(file)?, HOSTS)?.without_classes("cells as events")?;
    let direction = Direction {
        rate: RATE,
        delay: 0,
        jitter: 0,
        overhead: 0,
        limits: Limits { bytes: 1 << 16, mark: None },
        loss: 0.0,
        corruption: 0.0,
        phy: Phy::Bytes,
    };
    let network = topology::star(HOSTS as u32, Switch::default(), direction);
    let mut parts = Parts::default();
    parts.nodes.insert(0, Box::new(Circuits));
    for number in 0..HOSTS {
        let host = Host {
            number,
            later: flows.iter().filter(|flow| flow.src == number as u32).copied().collect(),
            active: VecDeque::new(),
            queues: vec![(VecDeque::new(), false); HOSTS],
            waiting: 0,
            awake: false,
            received: Received::default(),
        };
        parts.nodes.insert(1 + number as NodeId, Box::new(host));
    }
    let mut simulation = Simulation::new(network, parts, 1, Wishes::default())?;
    simulation.run(Time::MAX, &mut ());
    let hosts = simulation.inspect().take::<Received>();
    let slots = hosts.iter().map(|host| host.last_slot + 1).max().unwrap_or(0);
    let cell_slots = slots * HOSTS as u64;
    let events = simulation.events();
    let received: u64 = hosts.iter().map(|host| host.cells).sum();
    let cells: u64 = flows.iter().map(|flow| flow.cells).sum();
    assert_eq!(received, cells, "cells that were lost or doubled");
    println!(
        "{}",
        serde_json::json!({ "slots": slots, "cell_slots": cell_slots, "cells": cells, "events": events })
    );
    Ok(())
}
