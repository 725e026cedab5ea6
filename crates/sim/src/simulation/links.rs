//! Packets on links: into a queue, out of it at the other end, dropped on the way; links that change.

use super::kernel::{Event, Kernel};
use super::node::Ingress;
use super::paths::Paths;
use crate::line::Fate;
use crate::measure::{Cause, Drop, Observer, Sample};
use crate::network::{Change, LinkChange, NodeId};
use crate::packet::{NO_PACKET, OnWay, Packet, PacketId, ecn};
use crate::pending::Time;
use ww_sched::framework::fixed::Pace;

impl Kernel {
    /// Puts a packet into the queue of a direction: when it begins to leave. `None` if it was dropped.
    #[inline]
    pub fn offer(
        &mut self,
        id: PacketId,
        direction: u32,
        observer: &mut dyn Observer,
    ) -> Option<Time> {
        let now = self.pending.now();
        let out = &mut self.outputs[direction as usize];
        if !out.up {
            self.drop(id, self.sender(direction), Cause::Down, observer);
            return None;
        }
        if out.egress.is_some() {
            return self.enqueue(id, direction, observer).then_some(now);
        }
        let Some((begins, _)) = self.transmit(id, direction) else {
            self.drop(id, self.sender(direction), Cause::Queue, observer);
            return None;
        };
        Some(begins)
    }

    /// A packet joins the line of a direction: when it begins to leave and when it has left. `None` if there is no room.
    #[inline]
    pub(super) fn transmit(&mut self, id: PacketId, direction: u32) -> Option<(Time, Time)> {
        let now = self.pending.now();
        let out = &mut self.outputs[direction as usize];
        let Packet { bytes, ecn, .. } = *self.packets.packet(id);
        let Fate::Leaves { begins, at, marked } = out.line.offer(now, bytes) else { return None };
        let mut arrives = at.saturating_add(out.delay + out.latency);
        if out.jitter > 0 {
            arrives = arrives.saturating_add(out.stream.below(out.jitter.saturating_add(1)));
        }
        arrives = arrives.max(out.last_arrival);
        out.last_arrival = arrives;
        let (epoch, captured) = (out.epoch, out.captured);
        let number = self.pending.reserve();
        let before = std::mem::replace(&mut out.last, id);
        *self.packets.on_way_mut(id) = OnWay { arrives, number, next: NO_PACKET };
        if before == NO_PACKET {
            out.first = id;
            self.pending.schedule_as(arrives, number, Event::Arrive { direction, epoch });
        } else {
            self.packets.on_way_mut(before).next = id;
        }
        if marked && ecn != ecn::NONE {
            self.packets.mark(id);
        }
        if captured {
            self.pending.schedule(begins, Event::Capture { packet: id, direction, epoch });
        }
        Some((begins, at))
    }

    /// The node that a direction begins at.
    pub fn sender(&self, direction: u32) -> NodeId {
        self.network.links[direction as usize / 2].ends[direction as usize % 2].node
    }

    /// A packet reaches the other end of a direction: which one, and where, unless it is lost there.
    #[inline]
    pub fn arrive(
        &mut self,
        direction: u32,
        epoch: u16,
        observer: &mut dyn Observer,
    ) -> Option<(PacketId, Ingress)> {
        let out = &mut self.outputs[direction as usize];
        let (node, port) = (out.node, out.port);
        if out.epoch != epoch {
            return None;
        }
        let id = out.first;
        out.first = self.packets.on_way(id).next;
        if out.first == NO_PACKET {
            out.last = NO_PACKET;
        } else {
            let OnWay { arrives, number, .. } = *self.packets.on_way(out.first);
            self.pending.schedule_as(arrives, number, Event::Arrive { direction, epoch });
        }
        self.hops += 1;
        if let Some(pauses) = &mut self.pauses {
            pauses.comes_by(id, direction);
        }
        if out.loss > 0.0 && out.stream.happens(out.loss) {
            self.drop(id, node, Cause::Loss, observer);
            return None;
        }
        if out.corruption > 0.0 && out.stream.happens(out.corruption) {
            self.drop(id, node, Cause::Corruption, observer);
            return None;
        }
        Some((id, Ingress { node, port, direction }))
    }

    /// Drops a packet.
    #[cold]
    pub fn drop(&mut self, id: PacketId, node: NodeId, cause: Cause, observer: &mut dyn Observer) {
        let packet = *self.packets.packet(id);
        self.packets.remove(id);
        self.drops[cause as usize] += 1;
        let Some(sums) = self.sums.get_mut(usize::from(packet.traffic)) else { return };
        if packet.sent >= self.wishes.warmup {
            sums.drops[cause as usize] += 1;
        }
        if self.wishes.drops {
            let (at, traffic) = (self.pending.now(), u32::from(packet.traffic));
            observer.dropped(&Drop { at, node, traffic, bytes: packet.bytes, cause });
        }
    }

    /// Changes a link.
    pub fn change(&mut self, change: Change, observer: &mut dyn Observer) {
        let now = self.pending.now();
        for place in [change.link as usize * 2, change.link as usize * 2 + 1] {
            let output = &mut self.outputs[place];
            match change.what {
                LinkChange::Down => {
                    let (mut lost, node) = (output.cut(now), output.node);
                    let waiting = output.egress.as_mut().map(|egress| egress.clear(now));
                    if let Some(pauses) = &mut self.pauses {
                        pauses.forget(place as u32);
                    }
                    for id in waiting.unwrap_or_default() {
                        self.leaves_buffer(id, place as u32);
                        self.drop(id, node, Cause::Down, observer);
                    }
                    while lost != NO_PACKET {
                        let next = self.packets.on_way(lost).next;
                        self.drop(lost, node, Cause::Down, observer);
                        lost = next;
                    }
                }
                LinkChange::Up => output.up = true,
                LinkChange::Loss(loss) => output.loss = loss,
                LinkChange::Delay(delay) => output.delay = delay,
                LinkChange::Rate(rate) => {
                    if let Some(pace) = Pace::of_rate(rate) {
                        output.line.set_pace(pace);
                    }
                }
            }
        }
        if matches!(change.what, LinkChange::Down | LinkChange::Up) {
            let notice = now.saturating_add(self.network.routing.reroute);
            self.pending.schedule(notice, Event::Reroute);
        }
    }

    /// Computes paths anew over the links that are up.
    pub fn reroute(&mut self) {
        let (ports, outputs) = (&self.ports, &self.outputs);
        let port_direction = |node: NodeId, port: u32| ports[node as usize][port as usize];
        let is_up = |link: u32| outputs[link as usize * 2].up;
        self.paths = Paths::new(&self.network, self.seed, is_up, port_direction);
    }

    /// A direction now.
    pub fn direction(&mut self, direction: u32) -> Sample {
        let at = self.pending.now();
        let (counts, queued) = self.outputs[direction as usize].state(at);
        let sent = counts.bytes.saturating_sub(queued);
        Sample { at, direction, queued, sent, dropped: counts.dropped, marked: counts.marked }
    }

    /// Tells what the sampled directions have done.
    pub fn sample(&mut self, observer: &mut dyn Observer) {
        for place in 0..self.wishes.sampled.len() {
            let sample = self.direction(self.wishes.sampled[place]);
            observer.sample(&sample);
        }
        if let Some(every) = self.wishes.sample_every {
            self.pending.schedule(self.pending.now().saturating_add(every), Event::Sample);
        }
    }
}
