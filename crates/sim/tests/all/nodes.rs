//! Kinds of nodes that the simulation does not know: an echo server and a tap, made of what any crate can use.

use crate::common::{MICROSECOND, MILLISECOND, line, run, traffic};
use ww_packet::udp_frame::{End, datagram};
use ww_sim::measure::Wishes;
use ww_sim::network::traffic::{Kind, Pattern, Replay, Stream};
use ww_sim::network::{Change, Host, LinkChange, Network, Switch};
use ww_sim::packet::PacketId;
use ww_sim::pending::Time;
use ww_sim::simulation::{Context, Ingress, Layer, Node, Parts, Reports, Simulation, Timer};
use ww_sim::topology;

const GIGABIT: u64 = 1_000_000_000;

/// Sends each frame back to where it came from, some time later.
struct Echo {
    later: Time,
    report: Echoed,
}

#[derive(Debug, Default, PartialEq)]
struct Echoed {
    frames: u32,
    link_changes: u32,
    finished: bool,
}

impl Node for Echo {
    fn receive(&mut self, id: PacketId, ingress: Ingress, ctx: &mut Context<'_>) {
        let frame = ctx.frame_mut(id);
        let (to, from) = frame[..12].split_at_mut(6);
        to.swap_with_slice(from);
        // The IPv4 header's checksum does not depend on the order of its addresses.
        let (from, to) = frame[26..34].split_at_mut(4);
        from.swap_with_slice(to);
        // A switch without a program forwards by the packet's destination, not by its bytes.
        let packet = ctx.packet_mut(id);
        std::mem::swap(&mut packet.source, &mut packet.destination);
        ctx.schedule(
            ctx.now() + self.later,
            Timer { kind: 7, about: id, tag: ingress.direction ^ 1 },
        );
    }

    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>) {
        assert_eq!(timer.kind, 7);
        self.report.frames += 1;
        ctx.offer(timer.about, timer.tag);
    }

    fn link_changes(&mut self, _change: Change, _ctx: &mut Context<'_>) {
        self.report.link_changes += 1;
    }

    fn finish(&mut self, _ctx: &mut Context<'_>) {
        self.report.finished = true;
    }

    fn inspect(&mut self, _ctx: &mut Context<'_>, reports: &mut Reports) {
        reports.add(std::mem::take(&mut self.report));
    }
}

/// Counts packets on their way into one host and out of it, and ticks each 100 us.
#[derive(Default)]
struct Tap {
    host: u32,
    report: Tapped,
}

#[derive(Debug, Default, PartialEq)]
struct Tapped {
    sent: u32,
    received: u32,
    ticks: u32,
}

impl Layer for Tap {
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), ww_sim::simulation::BuildError> {
        ctx.schedule(0, Timer::default());
        Ok(())
    }

    fn transmit(&mut self, _id: PacketId, host: u32, _ctx: &mut Context<'_>) -> bool {
        self.report.sent += u32::from(host == self.host);
        true
    }

    fn receive(&mut self, _id: PacketId, host: u32, _ctx: &mut Context<'_>) -> bool {
        self.report.received += u32::from(host == self.host);
        true
    }

    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>) {
        self.report.ticks += 1;
        ctx.schedule(ctx.now() + 100 * MICROSECOND, timer);
    }

    fn inspect(&mut self, _ctx: &mut Context<'_>, reports: &mut Reports) {
        reports.add(std::mem::take(&mut self.report));
    }
}

/// Host 0 (node 1) and host 1 (node 2) at a switch (node 0).
fn star() -> Network {
    topology::star(2, Switch::default(), line(GIGABIT))
}

/// Two hops of 96 us there, 50 us in the server, one hop back to the switch: the first bit of what comes back leaves the
/// server when the frame has been in it for 50 us.
#[test]
fn a_node_of_another_kind_echoes() {
    let mut network = star();
    let [source, destination] = [0, 1].map(topology::host);
    let end = |host: Host, port| End { mac: host.mac, ip: host.ip, port };
    let frame = datagram(end(source, 5), end(destination, 6), &[0x55; 58]);
    assert_eq!(frame.len(), 100);
    let replay = Replay { from: 1, frames: vec![(0, frame.clone()), (MICROSECOND, frame)].into() };
    network.traffic.push(traffic("replay", Kind::Replay(replay), MILLISECOND));
    network.changes.push(Change { at: 500 * MICROSECOND, link: 1, what: LinkChange::Down });
    let mut parts = Parts::default();
    let later = 50 * MICROSECOND;
    parts.nodes.insert(2, Box::new(Echo { later, report: Echoed::default() }));
    // From the switch to the server is link 1 or its way back; both are captured.
    let wishes = Wishes { captures: vec![2, 3], ..Wishes::default() };
    let (mut simulation, kept) = run(network, parts, 1, wishes, MILLISECOND);
    assert_eq!(kept.frames.len(), 4);
    let [there, again] = [0, 1].map(|place| &kept.frames[place]);
    let back = &kept.frames[2];
    assert_eq!(there.0 ^ 1, back.0);
    // 124 bytes are 992 ns at 1 Gb/s, and the link is 1 us long.
    assert_eq!(back.1 - there.1, 992_000 + MICROSECOND + later);
    assert_eq!(again.1 - there.1, MICROSECOND);
    assert_eq!((&back.2[..6], &back.2[6..12]), (&there.2[6..12], &there.2[..6]));
    let mut reports = simulation.inspect();
    let expected = Echoed { frames: 2, link_changes: 1, finished: true };
    assert_eq!(reports.take::<Echoed>(), [expected]);
    assert_eq!(reports.take::<Echoed>(), []);
}

#[test]
fn a_layer_sees_what_a_host_sends_and_receives() {
    let mut network = star();
    let pattern = Pattern::Constant { rate: 10_000_000 };
    let stream = Stream { from: 1, to: 2, bytes: 1250, pattern };
    network.traffic.push(traffic("stream", Kind::Stream(stream), MILLISECOND * 9 + MICROSECOND));
    let mut parts = Parts::default();
    for host in [0, 1] {
        parts.layers.push(Box::new(Tap { host, ..Tap::default() }));
    }
    let wishes = Wishes::default();
    let (mut simulation, _) = run(network, parts, 1, wishes, 20 * MILLISECOND);
    // A packet each millisecond, from 0 to 9; a tick each 100 us, from 0 to 20 ms.
    let taps = [(10, 0), (0, 10)].map(|(sent, received)| Tapped { sent, received, ticks: 201 });
    assert_eq!(simulation.inspect().take::<Tapped>(), taps);
    assert_eq!(simulation.sums()[0].delivered, 10);
}

#[test]
fn a_node_of_another_kind_takes_no_part_in_traffic() {
    let mut network = star();
    let pattern = Pattern::Constant { rate: GIGABIT };
    let stream = Stream { from: 1, to: 2, bytes: 1250, pattern };
    network.traffic.push(traffic("stream", Kind::Stream(stream), MILLISECOND));
    let mut parts = Parts::default();
    parts.nodes.insert(2, Box::new(Echo { later: 0, report: Echoed::default() }));
    let error = Simulation::new(network, parts, 1, Wishes::default()).expect_err("refused");
    assert!(error.0.starts_with("h1 is a node of another kind"), "{error}");
}
