//! Sources of traffic while they run.

use super::flow::Role;
use super::sending::Start;
use super::{Hosts, SOURCE};
use crate::frame;
use crate::network::NodeId;
use crate::network::traffic::{Arrivals, Flows, Kind, Pairs, Pattern, Transport};
use crate::packet::Packet;
use crate::pending::Time;
use crate::random::{Stream, kind};
use crate::simulation::{BuildError, Context, Timer};
use crate::stack::check;
use ww_sched::framework::fixed::Pace;

/// A piece of traffic.
#[derive(Debug)]
pub(super) struct Source {
    stream: Stream,
    state: State,
}

#[derive(Debug)]
enum State {
    Stream {
        /// Its flow's place and number.
        flow: (u32, u64),
        /// 2^-16 ps a byte, and what is left of a picosecond.
        multiplier: u64,
        fraction: u64,
        burst_end: Time,
    },
    Flows {
        /// Of hosts, by their numbers; all pairs if there are none.
        pairs: Vec<(u32, u32)>,
        next: usize,
    },
    Requests,
    Incast,
    Replay {
        next: usize,
    },
    Ping {
        /// Its flow's place and number.
        flow: (u32, u64),
    },
}

/// The gap after a packet of this length.
fn gap(bytes: u32, multiplier: u64, fraction: &mut u64) -> Time {
    let takes = u128::from(bytes) * u128::from(multiplier) + u128::from(*fraction);
    *fraction = (takes & 0xffff) as u64;
    (takes >> 16) as Time
}

/// Mean time from one packet of this length to the next at this rate, ps.
fn mean_gap(bytes: u32, rate: u64) -> f64 {
    f64::from(bytes) * 8e12 / rate as f64
}

impl Hosts {
    /// The number of a host among hosts.
    fn host_number(&self, node: NodeId, ctx: &Context<'_>) -> Result<u32, BuildError> {
        let name = |node: NodeId| &ctx.network().nodes[node as usize].name;
        match ctx.host_number(node) {
            Some(number) if self.served[number as usize] => Ok(number),
            Some(_) => Err(BuildError(format!(
                "{} is a node of another kind, so it is neither source nor destination of traffic",
                name(node)
            ))),
            None if (node as usize) < ctx.network().nodes.len() => Err(BuildError(format!(
                "{} is not a host, so it cannot send or receive",
                name(node)
            ))),
            None => Err(BuildError(format!("traffic is of unknown node {node}"))),
        }
    }

    fn host_numbers(&self, nodes: &[NodeId], ctx: &Context<'_>) -> Result<Vec<u32>, BuildError> {
        nodes.iter().map(|node| self.host_number(*node, ctx)).collect()
    }

    /// Sets up all sources.
    pub(super) fn begin_sources(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        let traffic = ctx.network().traffic.clone();
        if traffic.len() >= usize::from(u16::MAX) {
            return Err(BuildError(format!("{} traffic entries are too many", traffic.len())));
        }
        for (number, traffic) in (0u32..).zip(&traffic) {
            let mut stream = Stream::new(ctx.seed(), kind::SOURCE, number);
            let wrong = |text: &str| BuildError(format!("traffic {}: {text}", traffic.name));
            let mut events = vec![(traffic.start, 0)];
            check(ctx.network(), traffic).map_err(|error| wrong(&error.to_string()))?;
            let state = match &traffic.kind {
                Kind::Stream(settings) => {
                    let (from, to) = (
                        self.host_number(settings.from, ctx)?,
                        self.host_number(settings.to, ctx)?,
                    );
                    let rate = match settings.pattern {
                        Pattern::Constant { rate }
                        | Pattern::Poisson { rate }
                        | Pattern::Exponential { rate }
                        | Pattern::OnOff { rate, .. } => rate,
                    };
                    let pace =
                        Pace::of_rate(rate).ok_or_else(|| wrong("its rate is not possible"))?;
                    if !(frame::SHORTEST..=9_014).contains(&settings.bytes) {
                        return Err(wrong("frames have 60 to 9,014 bytes"));
                    }
                    let transport = Transport::Udp { rate, bytes: settings.bytes };
                    let role = Role::Stream;
                    let start =
                        Start { traffic: number, from, to, bytes: 0, role, transport: &transport };
                    let flow = self.start(start, ctx);
                    if let Pattern::Poisson { rate } | Pattern::Exponential { rate } =
                        settings.pattern
                    {
                        events[0].0 += stream.exponential(mean_gap(settings.bytes, rate));
                    }
                    let burst_end = match settings.pattern {
                        Pattern::OnOff { on, .. } => traffic.start + stream.exponential(on as f64),
                        _ => Time::MAX,
                    };
                    State::Stream { flow, multiplier: pace.multiplier(), fraction: 0, burst_end }
                }
                Kind::Flows(flows) => {
                    let pairs = self.pairs(flows, &mut stream, ctx)?;
                    if pairs.is_empty() && matches!(flows.arrivals, Arrivals::Once) {
                        return Err(wrong(
                            "flows that start once are between listed pairs or a permutation",
                        ));
                    }
                    match &flows.arrivals {
                        Arrivals::Poisson { rate } if rate.is_nan() || *rate <= 0.0 => {
                            return Err(wrong("flows a second are more than 0"));
                        }
                        Arrivals::Poisson { rate } => {
                            events[0].0 += stream.exponential(1e12 / rate)
                        }
                        Arrivals::Once => {}
                        Arrivals::At(times) => match times.first() {
                            Some(first) => events[0].0 += first,
                            None => events.clear(),
                        },
                    }
                    State::Flows { pairs, next: 0 }
                }
                Kind::Requests(requests) => {
                    let clients = self.host_numbers(&requests.clients, ctx)?;
                    if self.host_numbers(&requests.servers, ctx)?.is_empty() {
                        return Err(wrong("there is no server"));
                    }
                    let slots = clients.len() as u32 * requests.outstanding;
                    events = (0..slots)
                        .map(|slot| {
                            (traffic.start + stream.exponential(requests.think as f64), slot)
                        })
                        .collect();
                    State::Requests
                }
                Kind::Incast(incast) => {
                    self.host_numbers(&incast.from, ctx)?;
                    self.host_number(incast.to, ctx)?;
                    if incast.period == 0 {
                        return Err(wrong("the period is more than 0"));
                    }
                    State::Incast
                }
                Kind::Replay(replay) => {
                    self.host_number(replay.from, ctx)?;
                    match replay.frames.first() {
                        Some((at, _)) => events[0].0 += at,
                        None => events.clear(),
                    }
                    State::Replay { next: 0 }
                }
                Kind::Ping(ping) => {
                    let (from, to) =
                        (self.host_number(ping.from, ctx)?, self.host_number(ping.to, ctx)?);
                    State::Ping { flow: self.start_ping(number, from, to, ctx) }
                }
            };
            self.sources.push(Source { stream, state });
            for (at, part) in events {
                ctx.schedule(at, Timer { kind: SOURCE, about: number, tag: part });
            }
        }
        Ok(())
    }

    /// The pairs of hosts that flows are between, where these are fixed.
    fn pairs(
        &self,
        flows: &Flows,
        stream: &mut Stream,
        ctx: &Context<'_>,
    ) -> Result<Vec<(u32, u32)>, BuildError> {
        match &flows.pairs {
            Pairs::Listed(pairs) => pairs
                .iter()
                .map(|(from, to)| Ok((self.host_number(*from, ctx)?, self.host_number(*to, ctx)?)))
                .collect(),
            Pairs::Permutation(hosts) => {
                let hosts = self.host_numbers(hosts, ctx)?;
                // A random cycle through all of them (Sattolo's shuffle): no fixed points.
                let mut order: Vec<usize> = (0..hosts.len()).collect();
                for last in (1..order.len()).rev() {
                    order.swap(last, stream.below(last as u64) as usize);
                }
                let pairs = order.iter().enumerate().map(|(from, to)| (hosts[from], hosts[*to]));
                Ok(pairs.filter(|(from, to)| from != to).collect())
            }
            Pairs::AllToAll(hosts) => {
                let mut hosts = self.host_numbers(hosts, ctx)?;
                hosts.sort_unstable();
                let listed = hosts.len();
                hosts.dedup();
                if hosts.len() < 2 || hosts.len() < listed {
                    return Err(BuildError(
                        "all-to-all flows need two or more different hosts".to_owned(),
                    ));
                }
                Ok(Vec::new())
            }
            Pairs::Between(from, to) => {
                let (from, to) = (self.host_numbers(from, ctx)?, self.host_numbers(to, ctx)?);
                let possible = |from: &u32| to.iter().any(|to| to != from);
                if from.is_empty() || !from.iter().all(possible) {
                    return Err(BuildError(
                        "flows between two groups of hosts need a host in each, and not the same one".to_owned(),
                    ));
                }
                Ok(Vec::new())
            }
        }
    }

    /// A source goes on.
    pub(super) fn go_on(&mut self, number: u32, part: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let traffic = &ctx.network().traffic[number as usize];
        if now >= traffic.stop {
            return;
        }
        match &traffic.kind {
            Kind::Stream(_) => self.stream(number, ctx),
            Kind::Flows(_) => self.next_flow(number, ctx),
            Kind::Requests(_) => self.ask(number, part, ctx),
            Kind::Incast(_) => self.incast(number, part, ctx),
            Kind::Replay(_) => self.replay(number, ctx),
            Kind::Ping(_) => self.ask_for_echo(number, ctx),
        }
    }

    fn stream(&mut self, number: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Kind::Stream(settings) = ctx.network().traffic[number as usize].kind else { return };
        let Source { stream, state } = &mut self.sources[number as usize];
        let State::Stream { flow, multiplier, fraction, burst_end } = state else { return };
        let next = match settings.pattern {
            Pattern::Constant { .. } => now + gap(settings.bytes, *multiplier, fraction),
            Pattern::Poisson { rate } | Pattern::Exponential { rate } => {
                now + stream.exponential(mean_gap(settings.bytes, rate))
            }
            Pattern::OnOff { on, off, .. } => {
                let mut next = now + gap(settings.bytes, *multiplier, fraction);
                if next >= *burst_end {
                    next = *burst_end + stream.exponential(off as f64);
                    *burst_end = next + stream.exponential(on as f64);
                }
                next
            }
        };
        let bytes = match settings.pattern {
            Pattern::Exponential { .. } => {
                let drawn = stream.exponential(f64::from(settings.bytes));
                drawn.clamp(frame::SHORTEST.into(), 9_014) as u32
            }
            _ => settings.bytes,
        };
        let (place, serial) = *flow;
        ctx.schedule(next, Timer { kind: SOURCE, about: number, tag: 0 });
        self.send_datagram(place, serial, bytes, ctx);
    }

    fn next_flow(&mut self, number: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let traffic = &ctx.network().traffic[number as usize];
        let (begin, Kind::Flows(flows)) = (traffic.start, &traffic.kind) else { return };
        let flows = flows.clone();
        let mut at_once = 1;
        let next = {
            let Source { stream, state } = &mut self.sources[number as usize];
            let State::Flows { pairs, next } = state else { return };
            *next += 1;
            match &flows.arrivals {
                Arrivals::Poisson { rate } => Some(now + stream.exponential(1e12 / rate)),
                Arrivals::Once => {
                    at_once = pairs.len();
                    None
                }
                Arrivals::At(times) => times.get(*next).map(|time| (begin + time).max(now)),
            }
        };
        if let Some(next) = next {
            ctx.schedule(next, Timer { kind: SOURCE, about: number, tag: 0 });
        }
        for turn in 0..at_once {
            let Source { stream, state } = &mut self.sources[number as usize];
            let State::Flows { pairs, .. } = state else { return };
            let pair = match &flows.pairs {
                _ if matches!(flows.arrivals, Arrivals::Once) => pairs[turn],
                Pairs::Listed(_) | Pairs::Permutation(_) => {
                    pairs[stream.below(pairs.len() as u64) as usize]
                }
                Pairs::AllToAll(hosts) => {
                    let from = stream.below(hosts.len() as u64);
                    let to = stream.below(hosts.len() as u64 - 1);
                    let to = to + u64::from(to >= from);
                    let host = |place: u64| ctx.host_number(hosts[place as usize]);
                    match (host(from), host(to)) {
                        (Some(from), Some(to)) => (from, to),
                        _ => return,
                    }
                }
                Pairs::Between(from, to) => {
                    let mut draw =
                        |hosts: &[NodeId]| hosts[stream.below(hosts.len() as u64) as usize];
                    let from = draw(from);
                    let mut other = draw(to);
                    while other == from {
                        other = draw(to);
                    }
                    match (ctx.host_number(from), ctx.host_number(other)) {
                        (Some(from), Some(to)) => (from, to),
                        _ => return,
                    }
                }
            };
            let bytes = flows.sizes.draw(stream);
            let (from, to) = pair;
            let (role, transport) = (Role::Plain, &flows.transport);
            self.start(Start { traffic: number, from, to, bytes, role, transport }, ctx);
        }
    }

    /// A client sends a request. `part` is the client's index times its outstanding requests, plus which of these.
    fn ask(&mut self, number: u32, part: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Kind::Requests(requests) = &ctx.network().traffic[number as usize].kind else { return };
        let stream = &mut self.sources[number as usize].stream;
        let client = requests.clients[(part / requests.outstanding) as usize];
        let server = requests.servers[stream.below(requests.servers.len() as u64) as usize];
        let (Some(from), Some(to)) = (ctx.host_number(client), ctx.host_number(server)) else {
            return;
        };
        let role = Role::Request { source: number, client: part, asked: now };
        let (bytes, transport) = (requests.request, requests.transport.clone());
        self.start(Start { traffic: number, from, to, bytes, role, transport: &transport }, ctx);
    }

    /// A server sends a response.
    pub(super) fn answer(
        &mut self,
        number: u32,
        client: u32,
        asked: Time,
        (from, to): (u32, u32),
        ctx: &mut Context<'_>,
    ) {
        let Kind::Requests(requests) = &ctx.network().traffic[number as usize].kind else { return };
        let bytes = requests.response.draw(&mut self.sources[number as usize].stream);
        let role = Role::Response { source: number, client, asked };
        let transport = requests.transport.clone();
        self.start(Start { traffic: number, from, to, bytes, role, transport: &transport }, ctx);
    }

    /// A client has its response, and sends its next request after its think time.
    pub(super) fn think(&mut self, number: u32, part: u32, ctx: &mut Context<'_>) {
        let Kind::Requests(requests) = &ctx.network().traffic[number as usize].kind else { return };
        let wait = self.sources[number as usize].stream.exponential(requests.think as f64);
        let next = ctx.now().saturating_add(wait);
        ctx.schedule(next, Timer { kind: SOURCE, about: number, tag: part });
    }

    /// A round of an incast begins (part 0), or one of its senders.
    fn incast(&mut self, number: u32, part: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Kind::Incast(incast) = &ctx.network().traffic[number as usize].kind else { return };
        let stream = &mut self.sources[number as usize].stream;
        if part == 0 {
            let (senders, jitter) = (incast.from.len() as u32, incast.jitter);
            let next = now.saturating_add(incast.period);
            for sender in 1..=senders {
                let at = now + stream.below(jitter.saturating_add(1));
                ctx.schedule(at, Timer { kind: SOURCE, about: number, tag: sender });
            }
            ctx.schedule(next, Timer { kind: SOURCE, about: number, tag: 0 });
            return;
        }
        let (from, to) = (incast.from[part as usize - 1], incast.to);
        let (Some(from), Some(to)) = (ctx.host_number(from), ctx.host_number(to)) else {
            return;
        };
        let (bytes, transport) = (incast.bytes, incast.transport.clone());
        let role = Role::Plain;
        self.start(Start { traffic: number, from, to, bytes, role, transport: &transport }, ctx);
    }

    /// A host sends the next echo request.
    fn ask_for_echo(&mut self, number: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Kind::Ping(ping) = ctx.network().traffic[number as usize].kind else { return };
        let State::Ping { flow } = self.sources[number as usize].state else { return };
        let next = now.saturating_add(ping.period);
        ctx.schedule(next, Timer { kind: SOURCE, about: number, tag: 0 });
        self.ping(flow, ping.bytes, ctx);
    }

    /// The next frame of a capture.
    fn replay(&mut self, number: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let traffic = &ctx.network().traffic[number as usize];
        let Kind::Replay(replay) = &traffic.kind else { return };
        let State::Replay { next } = &mut self.sources[number as usize].state else { return };
        let Some((_, bytes)) = replay.frames.get(*next) else { return };
        let (bytes, from) = (bytes.clone(), replay.from);
        *next += 1;
        if let Some((at, _)) = replay.frames.get(*next) {
            let at = traffic.start.saturating_add(*at);
            ctx.schedule(at, Timer { kind: SOURCE, about: number, tag: 0 });
        }
        let Some(host) = ctx.host_number(from) else { return };
        let known = Packet { sent: now, traffic: number as u16, ..Packet::default() };
        let id = ctx.insert_frame(bytes, Some(&known));
        if now >= ctx.wishes().warmup
            && let Some(sums) = ctx.sums(number)
        {
            sums.sent += 1;
        }
        self.give(id, host, ctx);
    }
}
