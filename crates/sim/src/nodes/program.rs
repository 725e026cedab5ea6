//! Switches that run a program: a dataplane of any engine.

use crate::measure::Cause;
use crate::network::NodeId;
use crate::packet::{Packet, PacketId};
use crate::pending::Time;
use crate::simulation::{BuildError, Context, Ingress, Node, Timer};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Transmit};

/// See the module.
pub(crate) struct Program {
    node: NodeId,
    dataplane: Box<dyn Dataplane>,
    /// When its next timer expires; others are stale.
    wakes: Option<Time>,
    out: Leaving,
    /// Packets refused by its queues that have been counted.
    refused: u64,
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

impl Program {
    /// A node that runs this.
    pub fn new(node: NodeId, dataplane: Box<dyn Dataplane>) -> Self {
        Self { node, dataplane, wakes: None, out: Leaving::default(), refused: 0 }
    }

    /// Packets refused by its queues since the last call, of `all` so far.
    fn newly_refused(&mut self, all: u64) -> u64 {
        all - std::mem::replace(&mut self.refused, all)
    }

    /// Schedules the timer for the program's next event.
    fn schedule(&mut self, ctx: &mut Context<'_>) {
        let Some(next) = self.dataplane.next_event() else { return };
        let next = ctx.clock(self.node).when(next).max(ctx.now());
        if self.wakes.is_none_or(|wakes| wakes > next) {
            self.wakes = Some(next);
            ctx.schedule(next, Timer::default());
        }
    }

    /// A frame leaves. `known` is the packet that it may still be. Returns a buffer to be used again.
    fn release(
        &mut self,
        transmit: Transmit,
        known: Option<&Packet>,
        ctx: &mut Context<'_>,
    ) -> Vec<u8> {
        let Transmit { port, at, frame } = transmit;
        let packet = crate::frame::read(&frame, ctx.addresses(), known, ctx.now());
        let id = ctx.insert(packet);
        let spare = std::mem::replace(ctx.frame_mut(id), frame);
        let Some(direction) = ctx.direction_at(self.node, port) else {
            ctx.drop(id, self.node, Cause::Route);
            return spare;
        };
        let at = ctx.clock(self.node).when(at);
        match at > ctx.now() {
            true => ctx.offer_at(at, id, direction),
            false => {
                ctx.offer(id, direction);
            }
        }
        spare
    }

    /// Lets frames leave. Those from number `before` on may still be the packet `known`.
    fn release_all(
        &mut self,
        mut out: Leaving,
        known: Option<(usize, &Packet)>,
        ctx: &mut Context<'_>,
    ) {
        let mut frames = std::mem::take(&mut out.frames);
        for (number, transmit) in frames.drain(..).enumerate() {
            let known = known.and_then(|(before, packet)| (number >= before).then_some(packet));
            out.reuse(self.release(transmit, known, ctx));
        }
        out.frames = frames;
        self.out = out;
        self.schedule(ctx);
    }
}

impl Node for Program {
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        self.schedule(ctx);
        Ok(())
    }

    /// The program's time is the node's own.
    fn receive(&mut self, id: PacketId, ingress: Ingress, ctx: &mut Context<'_>) {
        let local = ctx.clock(self.node).read(ctx.now());
        let mut out = std::mem::take(&mut self.out);
        let mut status = self.dataplane.status();
        if status.next_event.is_some_and(|next| next <= local) {
            self.dataplane.advance(local, &mut out.frames);
            status = self.dataplane.status();
        }
        // Those that were queued inside.
        let mut refused = self.newly_refused(status.refused);
        let before = out.frames.len();
        let frame = Frame { port: ingress.port, bytes: ctx.frame_mut(id) };
        self.dataplane.receive_batch(local, &mut [frame], &mut out);
        let status = self.dataplane.status();
        let own = self.newly_refused(status.refused);
        refused += own.saturating_sub(1);
        let dropped = out.frames.len() == before && status.next_event.is_none();
        let packet = *ctx.packet(id);
        ctx.count_drops(Cause::Queue, refused);
        match dropped {
            _ if own > 0 => ctx.drop(id, self.node, Cause::Queue),
            true => ctx.drop(id, self.node, Cause::Program),
            false => ctx.remove(id),
        }
        self.release_all(out, Some((before, &packet)), ctx);
    }

    fn timer(&mut self, _timer: Timer, ctx: &mut Context<'_>) {
        let now = ctx.now();
        if self.wakes != Some(now) {
            return;
        }
        self.wakes = None;
        let mut out = std::mem::take(&mut self.out);
        self.dataplane.advance(ctx.clock(self.node).read(now), &mut out.frames);
        let refused = self.dataplane.status().refused;
        let refused = self.newly_refused(refused);
        ctx.count_drops(Cause::Queue, refused);
        self.release_all(out, None, ctx);
    }
}
