//! Packets on links: into a queue, out of it at the other end, dropped on the way; links that change.

use super::forwarding::Forwarding;
use super::output::OnWay;
use super::{Event, Place, Simulation};
use crate::line::Fate;
use crate::measure::{Cause, Drop, Observer};
use crate::network::{LinkChange, NodeId};
use crate::packet::{PacketId, ecn};
use ww_sched::framework::fixed::Pace;

impl Simulation {
    /// Puts a packet into the queue of an output.
    #[inline]
    pub(super) fn offer<O: Observer>(&mut self, id: PacketId, output: u32, observer: &mut O) {
        let now = self.pending.now();
        let out = &mut self.outputs[output as usize];
        let packet = self.packets.packet_mut(id);
        if !out.up {
            return self.drop(id, self.from(output), Cause::Down, observer);
        }
        let Fate::Leaves { begins, at, marked } = out.line.offer(now, packet.bytes) else {
            return self.drop(id, self.from(output), Cause::Queue, observer);
        };
        let mut arrives = at.saturating_add(out.delay + out.latency);
        if out.jitter > 0 {
            arrives = arrives.saturating_add(out.stream.below(out.jitter.saturating_add(1)));
        }
        arrives = arrives.max(out.last_arrival);
        out.last_arrival = arrives;
        let (epoch, captured) = (out.epoch, out.captured);
        let number = self.pending.reserve();
        let is_first = out.on_way.is_empty();
        out.on_way.push_back(OnWay { arrives, number, packet: id });
        if is_first {
            self.pending.schedule_as(arrives, number, Event::Arrive { output, epoch });
        }
        if marked && packet.ecn != ecn::NONE {
            self.mark(id);
        }
        if self.keepers.is_some() {
            self.leaves(id, output, begins);
        }
        if captured {
            self.pending.schedule(begins, Event::Capture { packet: id, output, epoch });
        }
    }

    /// A packet meets congestion.
    pub(super) fn mark(&mut self, id: PacketId) {
        self.packets.packet_mut(id).ecn = ecn::CONGESTION;
        let frame = self.packets.frame_mut(id);
        if let Some(packet) = ww_tpp::frame::network_layer(frame) {
            ww_packet::ecn::mark_at(frame, packet);
        }
    }

    /// The node that an output belongs to.
    pub(super) fn from(&self, output: u32) -> NodeId {
        self.network.links[output as usize / 2].ends[output as usize % 2].node
    }

    /// A packet reaches the other end of an output.
    #[inline]
    pub(super) fn arrive<O: Observer>(&mut self, output: u32, epoch: u16, observer: &mut O) {
        let out = &mut self.outputs[output as usize];
        let (node, port) = (out.node, out.port);
        if out.epoch != epoch {
            return;
        }
        let Some(OnWay { packet: id, .. }) = out.on_way.pop_front() else { return };
        if let Some(next) = out.on_way.front() {
            self.pending.schedule_as(next.arrives, next.number, Event::Arrive { output, epoch });
        }
        self.hops += 1;
        if out.loss > 0.0 && out.stream.happens(out.loss) {
            return self.drop(id, node, Cause::Loss, observer);
        }
        if out.corruption > 0.0 && out.stream.happens(out.corruption) {
            return self.drop(id, node, Cause::Corruption, observer);
        }
        match self.places[node as usize] {
            Place::Switch { routes, latency, managed } => {
                if self.keepers.is_some() {
                    self.passes(id, output, node);
                }
                if routes && !self.age(id) {
                    return self.drop(id, node, Cause::Ttl, observer);
                }
                if latency == 0 && !managed {
                    return self.forward(id, node, observer);
                }
                let ready = self.pending.now().saturating_add(latency);
                self.pending.schedule(ready, Event::Join { packet: id, node });
            }
            Place::Host(host) => self.deliver(id, host, node, observer),
            Place::Program => self.process(id, node, port, observer),
        }
    }

    /// Drops a packet.
    #[cold]
    pub(super) fn drop<O: Observer>(
        &mut self,
        id: PacketId,
        node: NodeId,
        cause: Cause,
        observer: &mut O,
    ) {
        let packet = *self.packets.packet(id);
        if let Some(keepers) = &mut self.keepers {
            keepers.forget(id);
        }
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

    /// One of the network's changes.
    pub(super) fn change<O: Observer>(&mut self, index: u32, observer: &mut O) {
        let now = self.pending.now();
        let change = self.network.changes[index as usize];
        self.change_of_dtp(change);
        for place in [change.link as usize * 2, change.link as usize * 2 + 1] {
            let output = &mut self.outputs[place];
            match change.what {
                LinkChange::Down => {
                    let (lost, node) = (output.cut(now), output.node);
                    for OnWay { packet, .. } in lost {
                        self.drop(packet, node, Cause::Down, observer);
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

    /// Plain switches find their ways again.
    pub(super) fn reroute(&mut self) {
        let (ports, outputs) = (&self.ports, &self.outputs);
        let port_output = |node: NodeId, port: u32| ports[node as usize][port as usize];
        let is_up = |link: u32| outputs[link as usize * 2].up;
        self.forwarding = Forwarding::new(&self.network, self.seed, is_up, port_output);
    }
}
