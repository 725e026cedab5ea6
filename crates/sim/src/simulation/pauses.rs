//! Priority flow control: what switches have buffered of each neighbour, and whom they have paused.
//!
//! A packet of data counts for the direction by which it came from when it joins a queue of a switch until it begins to leave. Above a
//! threshold the sender of that direction is told to pause, below another one to go on. The message goes before all that waits in front of the
//! way back, behind the packet that is being sent there, and takes the time of a frame of 64 bytes; it takes no room from others.

use super::kernel::{Event, Kernel};
use crate::measure::{Cause, Observer};
use crate::network::queueing::{Pause, Queueing};
use crate::packet::{DATA, PacketId};

/// No direction: a packet has not come by one.
const NONE: u32 = u32::MAX;

/// Bytes of a message, with FCS.
const MESSAGE: u64 = 64;

/// What came by a direction.
#[derive(Clone, Copy, Debug, Default)]
struct Buffer {
    bytes: u64,
    is_paused: bool,
    pauses: u64,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Pauses {
    limits: Pause,
    /// By packet: the direction by which it came.
    ways: Vec<u32>,
    /// By direction.
    buffers: Vec<Buffer>,
}

impl Pauses {
    /// Of so many directions; `None` if queues do not pause.
    pub fn new(queueing: &Queueing, directions: usize) -> Option<Box<Self>> {
        let Queueing::Pause(limits) = *queueing else { return None };
        Some(Box::new(Self {
            limits,
            ways: Vec::new(),
            buffers: vec![Buffer::default(); directions],
        }))
    }

    /// A packet has come by a direction.
    pub fn comes_by(&mut self, id: PacketId, direction: u32) {
        let place = id as usize;
        if self.ways.len() <= place {
            self.ways.resize(place + 1, NONE);
        }
        self.ways[place] = direction;
    }

    /// A direction has gone down: its sender will have to be told again.
    pub fn forget(&mut self, direction: u32) {
        self.buffers[direction as usize].is_paused = false;
    }

    /// How often the sender of a direction was paused.
    pub fn count(&self, direction: u32) -> u64 {
        self.buffers.get(direction as usize).map_or(0, |buffer| buffer.pauses)
    }

    fn buffer(&mut self, id: PacketId) -> Option<(u32, &mut Buffer, &Pause)> {
        let way = *self.ways.get(id as usize)?;
        Some((way, self.buffers.get_mut(way as usize)?, &self.limits))
    }
}

impl Kernel {
    /// A packet joins the queue in front of a direction. False if it, but not another, was dropped.
    pub(super) fn enqueue(
        &mut self,
        id: PacketId,
        direction: u32,
        observer: &mut dyn Observer,
    ) -> bool {
        let node = self.sender(direction);
        if !self.enters_buffer(id, direction) {
            if let Some(egress) = &mut self.outputs[direction as usize].egress {
                egress.dropped += 1;
            }
            self.drop(id, node, Cause::Queue, observer);
            return false;
        }
        let now = self.pending.now();
        let Self { outputs, packets, .. } = self;
        let output = &mut outputs[direction as usize];
        let Some(egress) = &mut output.egress else { return false };
        let dropped = egress.join(id, now, packets, &mut output.stream);
        if let Some(dropped) = dropped {
            self.drop(dropped, node, Cause::Queue, observer);
        }
        self.send_waiting(direction);
        dropped != Some(id)
    }

    /// The line of a direction is free.
    pub(super) fn depart(&mut self, direction: u32, epoch: u16) {
        let output = &mut self.outputs[direction as usize];
        if let Some(egress) = &mut output.egress
            && output.epoch == epoch
        {
            egress.is_asked();
            self.send_waiting(direction);
        }
    }

    /// Sends what may leave now, and comes back when the next may.
    fn send_waiting(&mut self, direction: u32) {
        let now = self.pending.now();
        while let Some(egress) = &mut self.outputs[direction as usize].egress {
            let Some(id) = egress.take(now) else { break };
            self.leaves_buffer(id, direction);
            let Some((_, at)) = self.transmit(id, direction) else { break };
            if let Some(egress) = &mut self.outputs[direction as usize].egress {
                egress.sends_until(at);
            }
        }
        let output = &mut self.outputs[direction as usize];
        let epoch = output.epoch;
        if let Some(at) = output.egress.as_mut().and_then(|egress| egress.next()) {
            self.pending.schedule(at, Event::Depart { direction, epoch });
        }
    }

    /// The sender of a direction may send data, or not.
    pub(super) fn pause(&mut self, direction: u32, epoch: u16, is_paused: bool) {
        let output = &mut self.outputs[direction as usize];
        if let Some(egress) = &mut output.egress
            && output.epoch == epoch
        {
            egress.pause(is_paused);
            self.send_waiting(direction);
        }
    }

    /// A packet of data joins a queue of a switch. False if there is no room.
    fn enters_buffer(&mut self, id: PacketId, direction: u32) -> bool {
        if !self.is_buffered(id, direction) {
            return true;
        }
        let bytes = u64::from(self.packets.packet(id).bytes);
        let Some((way, buffer, limits)) = self.pauses.as_mut().and_then(|all| all.buffer(id))
        else {
            return true;
        };
        if buffer.bytes + bytes > limits.pause_above.saturating_add(limits.headroom) {
            return false;
        }
        buffer.bytes += bytes;
        if buffer.bytes > limits.pause_above && !buffer.is_paused {
            buffer.is_paused = true;
            buffer.pauses += 1;
            self.tell(way, true);
        }
        true
    }

    /// A packet begins to leave a queue, or is dropped from it.
    pub(super) fn leaves_buffer(&mut self, id: PacketId, direction: u32) {
        if !self.is_buffered(id, direction) {
            return;
        }
        let bytes = u64::from(self.packets.packet(id).bytes);
        let Some((way, buffer, limits)) = self.pauses.as_mut().and_then(|all| all.buffer(id))
        else {
            return;
        };
        buffer.bytes = buffer.bytes.saturating_sub(bytes);
        if buffer.is_paused && buffer.bytes <= limits.resume_below {
            buffer.is_paused = false;
            self.tell(way, false);
        }
    }

    /// Whether a packet in front of a direction is of the class that is paused, and came from a neighbour.
    fn is_buffered(&self, id: PacketId, direction: u32) -> bool {
        // Hosts make their packets, but ids are used again.
        let is_host = self.host_numbers[self.sender(direction) as usize] != super::kernel::NO_HOST;
        self.pauses.is_some() && !is_host && self.packets.packet(id).message == DATA
    }

    /// A message to the sender of a direction, by the way back.
    fn tell(&mut self, direction: u32, is_paused: bool) {
        let now = self.pending.now();
        let back = &self.outputs[direction as usize ^ 1];
        let free = back.egress.as_ref().map_or(now, |egress| egress.free_at().max(now));
        let overhead = u64::from(
            self.network.links[direction as usize / 2].directions[1 - direction as usize % 2]
                .overhead,
        );
        // FCS is part of the overhead of a line.
        let takes = back.line.time_of(MESSAGE - 4 + overhead);
        let at = free.saturating_add(takes).saturating_add(back.delay);
        let epoch = self.outputs[direction as usize].epoch;
        self.pending.schedule(at, Event::Pause { direction, epoch, is_paused });
    }
}
