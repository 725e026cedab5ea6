//! Switches that run a program.

use super::{Event, NO_OUTPUT, Simulation};
use crate::frame;
use crate::measure::{Cause, Observer};
use crate::network::NodeId;
use crate::packet::{Packet, PacketId};
use crate::pending::Time;
use std::fmt;
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Transmit};

/// A program while it runs.
pub(super) struct Program {
    dataplane: Box<dyn Dataplane>,
    /// When the event is that lets it go on.
    wakes: Option<Time>,
    out: Leaving,
    /// Frames for ports without a link.
    pub astray: u64,
    /// What its queues had no room for, of what has been counted.
    refused: u64,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("astray", &self.astray).finish_non_exhaustive()
    }
}

impl Program {
    /// Packets that its queues had no room for since this was asked last.
    fn newly_refused(&mut self) -> u64 {
        let all = self.dataplane.refused();
        all - std::mem::replace(&mut self.refused, all)
    }

    pub fn new(dataplane: Box<dyn Dataplane>) -> Self {
        Self { dataplane, wakes: None, out: Leaving::default(), astray: 0, refused: 0 }
    }
}

/// Buffers that wait to be used again, at most.
const SPARE: usize = 16;

/// Frames that leave a program, in buffers that are used again.
#[derive(Default)]
struct Leaving {
    frames: Vec<Transmit>,
    spare: Vec<Vec<u8>>,
}

impl Sink for Leaving {
    fn transmit(&mut self, port: PortId, at: Picoseconds, frame: &[u8]) {
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.clear();
        buffer.extend_from_slice(frame);
        self.frames.push(Transmit { port, at, frame: buffer });
    }
}

impl Leaving {
    fn reuse(&mut self, buffer: Vec<u8>) {
        if self.spare.len() < SPARE {
            self.spare.push(buffer);
        }
    }
}

impl Simulation {
    fn program(&mut self, node: NodeId) -> Option<&mut Program> {
        self.programs[node as usize].as_deref_mut()
    }

    /// A program has a packet to look at. Its time is the node's own.
    pub(super) fn process<O: Observer>(
        &mut self,
        id: PacketId,
        node: NodeId,
        port: u32,
        observer: &mut O,
    ) {
        let now = self.pending.now();
        let local = self.network.nodes[node as usize].clock.read(now);
        let Some(program) = &mut self.programs[node as usize] else { return };
        let mut out = std::mem::take(&mut program.out);
        if program.dataplane.next_event().is_some_and(|next| next <= local) {
            program.dataplane.advance(local, &mut out.frames);
        }
        // Those that have waited inside.
        let mut refused = program.newly_refused();
        let before = out.frames.len();
        let frame = Frame { port, bytes: self.packets.frame_mut(id) };
        program.dataplane.receive_batch(local, &mut [frame], &mut out);
        let own = program.newly_refused();
        refused += own.saturating_sub(1);
        let dropped = out.frames.len() == before && program.dataplane.next_event().is_none();
        let packet = *self.packets.packet(id);
        self.drops[Cause::Queue as usize] += refused;
        match dropped {
            _ if own > 0 => self.drop(id, node, Cause::Queue, observer),
            true => self.drop(id, node, Cause::Program, observer),
            false => self.packets.remove(id),
        }
        let mut frames = std::mem::take(&mut out.frames);
        for (number, transmit) in frames.drain(..).enumerate() {
            let known = (number >= before).then_some(&packet);
            out.reuse(self.release(node, transmit, known, observer));
        }
        out.frames = frames;
        if let Some(program) = self.program(node) {
            program.out = out;
        }
        self.schedule_program(node);
    }

    /// A dataplane or a traffic manager has something to do.
    pub(super) fn advance<O: Observer>(&mut self, node: NodeId, observer: &mut O) {
        let now = self.pending.now();
        let local = self.network.nodes[node as usize].clock.read(now);
        let Some(program) = &mut self.programs[node as usize] else {
            return self.advance_queues(node, observer);
        };
        if program.wakes != Some(now) {
            return;
        }
        program.wakes = None;
        let mut out = std::mem::take(&mut program.out);
        program.dataplane.advance(local, &mut out.frames);
        self.drops[Cause::Queue as usize] += program.newly_refused();
        let mut frames = std::mem::take(&mut out.frames);
        for transmit in frames.drain(..) {
            out.reuse(self.release(node, transmit, None, observer));
        }
        out.frames = frames;
        if let Some(program) = self.program(node) {
            program.out = out;
        }
        self.schedule_program(node);
    }

    /// Notes when a program wants to go on.
    pub(super) fn schedule_program(&mut self, node: NodeId) {
        let now = self.pending.now();
        let Some(program) = &mut self.programs[node as usize] else { return };
        let Some(next) = program.dataplane.next_event() else { return };
        let next = self.network.nodes[node as usize].clock.when(next).max(now);
        if program.wakes.is_none_or(|wakes| wakes > next) {
            program.wakes = Some(next);
            self.pending.schedule(next, Event::Advance { node });
        }
    }

    /// A frame leaves a program. `known` is the packet that it may still be. Returns a buffer that nobody needs.
    fn release<O: Observer>(
        &mut self,
        node: NodeId,
        transmit: Transmit,
        known: Option<&Packet>,
        observer: &mut O,
    ) -> Vec<u8> {
        let now = self.pending.now();
        let Transmit { port, at, frame } = transmit;
        let ports = &self.ports[node as usize];
        let output = ports.get(port as usize).copied().unwrap_or(NO_OUTPUT);
        let packet = frame::read(&frame, &self.addresses, known, now);
        let id = self.packets.insert(packet);
        let spare = std::mem::replace(self.packets.frame_mut(id), frame);
        if output == NO_OUTPUT {
            if let Some(program) = self.program(node) {
                program.astray += 1;
            }
            self.drop(id, node, Cause::Route, observer);
            return spare;
        }
        let at = self.network.nodes[node as usize].clock.when(at);
        match at > now {
            true => self.pending.schedule(at, Event::Release { packet: id, output }),
            false => self.offer(id, output, observer),
        }
        spare
    }
}
