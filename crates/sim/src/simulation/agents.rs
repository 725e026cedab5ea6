//! Agents of hosts: frames on their way out and in.

use super::{Event, Simulation};
use crate::frame;
use crate::measure::{Cause, Observer};
use crate::network::NodeId;
use crate::packet::{Packet, PacketId};
use crate::pending::Time;
use ww_host::agent::Received;

impl Simulation {
    /// A host gives a packet to its link.
    #[inline]
    pub(super) fn give<O: Observer>(&mut self, id: PacketId, host: u32, observer: &mut O) {
        if !self.agents.is_empty() && !self.through_agent(id, host, observer) {
            return;
        }
        self.offer(id, self.host_outputs[host as usize], observer);
    }

    /// False if the packet goes nowhere.
    fn through_agent<O: Observer>(&mut self, id: PacketId, host: u32, observer: &mut O) -> bool {
        let now = self.local(host, self.pending.now());
        let Some(agent) = self.agents.get_mut(&host) else { return true };
        let frame = self.packets.frame_mut(id);
        let passes = agent.transmit(now, frame);
        let bytes = frame.len() as u32;
        match passes {
            true => self.packets.packet_mut(id).bytes = bytes,
            false => self.drop(id, self.hosts[host as usize], Cause::Host, observer),
        }
        passes
    }

    /// A packet has come to a host. False if its agent has taken it.
    pub(super) fn agent_receives<O: Observer>(
        &mut self,
        id: PacketId,
        host: u32,
        observer: &mut O,
    ) -> bool {
        let now = self.local(host, self.pending.now());
        let Some(agent) = self.agents.get_mut(&host) else { return true };
        let received = agent.receive(now, self.packets.frame_mut(id));
        match received {
            Received::Deliver => {
                self.packets.packet_mut(id).bytes = self.packets.frame(id).len() as u32;
            }
            Received::Taken => self.packets.remove(id),
            Received::SendBack => {
                let now = self.pending.now();
                let packet = frame::read(self.packets.frame(id), &self.addresses, None, now);
                *self.packets.packet_mut(id) = packet;
                self.offer(id, self.host_outputs[host as usize], observer);
            }
        }
        self.poll_agent(host, observer);
        received == Received::Deliver
    }

    /// Sends what an agent wants to send by itself.
    pub(super) fn poll_agent<O: Observer>(&mut self, host: u32, observer: &mut O) {
        let local = self.local(host, self.pending.now());
        let Some(agent) = self.agents.get_mut(&host) else { return };
        let mut out = Vec::new();
        let next = agent.poll(local, &mut out);
        let now = self.pending.now();
        for bytes in out {
            let packet: Packet = frame::read(&bytes, &self.addresses, None, now);
            let id = self.packets.insert(packet);
            *self.packets.frame_mut(id) = bytes;
            self.offer(id, self.host_outputs[host as usize], observer);
        }
        let Some(next) = next.map(|next| next.max(local + 1)) else { return };
        let node: NodeId = self.hosts[host as usize];
        let at = self.network.nodes[node as usize].clock.when(next).max(now);
        // It is asked now and then without need: an earlier wish stays an event.
        let wakes = self.wakes.entry(host).or_insert(Time::MAX);
        if *wakes <= now || at < *wakes {
            *wakes = at;
            self.pending.schedule(at, Event::Agent { host });
        }
    }
}
