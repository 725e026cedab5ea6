//! The orders of each host.

use super::agent::HEAD;
use super::schedule::Schedule;
use super::spec::{Carrier, ClientSpec, FlowSpec, HostSpec, ListenSpec, StreamSpec, TcpSpec};
use super::system::HostSettings;
use crate::plan::Plan;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use ww_sim::network::clocks::Clocks;
use ww_sim::network::queueing::Queueing;
use ww_sim::network::traffic::{Kind, Requests, Transport};
use ww_sim::network::{NodeId, Phy};
use ww_sim::random::Stream;
use ww_sim::transport::tcp::{Control, Settings};

/// Answers whose sizes are drawn beforehand.
const ANSWERS: usize = 1_024;
/// The kind of component that draws sizes of answers; world sim has others.
const ANSWER: u32 = 63;
/// Bytes of headers in front of a TCP segment's data: Ethernet, IPv4, TCP with time stamps.
const IP_HEADERS: u32 = 20 + 32;
/// Milliseconds in picoseconds.
const MILLISECOND: u64 = 1_000_000_000;

/// The transports of the kernel's that a plan uses.
fn transports(plan: &Plan) -> Vec<Settings> {
    let settings = plan.network.traffic.iter().filter_map(|traffic| match &traffic.kind {
        Kind::Flows(flows) => kernel(&flows.transport),
        Kind::Requests(requests) => kernel(&requests.transport),
        Kind::Incast(incast) => kernel(&incast.transport),
        Kind::Stream(_) | Kind::Replay(_) | Kind::Ping(_) => None,
    });
    settings.collect()
}

/// TCP of the kernel's.
fn kernel(transport: &Transport) -> Option<Settings> {
    match transport {
        Transport::Tcp(settings) => Some(*settings),
        Transport::Udp { .. }
        | Transport::R2c2(_)
        | Transport::Ndp(_)
        | Transport::Dcqcn(_)
        | Transport::Stack(_) => None,
    }
}

/// The kernel's name of a law of the window.
fn congestion(settings: &Settings) -> &'static str {
    match settings.control {
        Control::NewReno => "reno",
        Control::Cubic { .. } => "cubic",
        Control::Dctcp { .. } => "dctcp",
    }
}

fn tcp(transport: &Transport) -> Option<TcpSpec> {
    let settings = kernel(transport)?;
    Some(TcpSpec {
        congestion: congestion(&settings).into(),
        segment: settings.segment,
        pacing: settings.pacing.is_some(),
        window: u32::try_from(settings.maximum_window)
            .ok()
            .filter(|_| settings.maximum_window != Settings::default().maximum_window),
    })
}

/// What of a plan no machine does in world netns: sentences.
pub fn refused(plan: &Plan) -> Vec<String> {
    let mut problems = Vec::new();
    let lines = plan.network.links.iter().flat_map(|link| link.directions);
    if lines.into_iter().any(|line| line.phy != Phy::Bytes) {
        problems.push(
            "there are links with a 'phy': world netns has no characters; take world sim, or leave it out"
                .to_owned(),
        );
    }
    if plan.network.clocks != Clocks::default() {
        problems.push(
            "there are [clocks]: in world netns all hosts have this machine's; take world sim"
                .to_owned(),
        );
    }
    if plan.network.routing.spray {
        problems.push(
            "[routing] has spray = true: the switches of world netns choose a path by the flow; take world sim, or leave it out"
                .to_owned(),
        );
    }
    for node in plan.circuits.keys() {
        let name = &plan.network.nodes[*node as usize].name;
        problems.push(format!(
            "'{name}' is a fabric of circuit switches: world netns has none; take world sim"
        ));
    }
    for node in plan.schedulers.keys() {
        let name = &plan.network.nodes[*node as usize].name;
        problems.push(format!(
            "'{name}' is a plain switch with a scheduler: in world netns its queues are those of its links; take world sim"
        ));
    }
    for program in plan.programs.iter().filter(|program| program.scheduler.is_some()) {
        problems.push(format!(
            "'{}' is a program with a scheduler: in world netns its queues are those of its links; take world sim",
            program.name
        ));
    }
    for (id, host) in plan.network.hosts() {
        if host.stack.is_some() {
            problems.push(format!(
                "'{}' has stack = \"smoltcp\": in world netns hosts have Linux's; take world sim, or leave it out",
                plan.network.nodes[id as usize].name
            ));
        }
    }
    if plan.network.queueing != Queueing::DropTail {
        problems.push(
            "[queueing]: in world netns queues are those of Linux, which neither trim nor pause; take world sim, or leave it out"
                .into(),
        );
    }
    for traffic in &plan.network.traffic {
        let foreign = match traffic.kind.transport() {
            Some(Transport::R2c2(_)) => Some("R2C2"),
            Some(Transport::Ndp(_)) => Some("NDP"),
            Some(Transport::Dcqcn(_)) => Some("DCQCN"),
            _ => None,
        };
        if let Some(foreign) = foreign {
            problems.push(format!(
                "traffic '{}': hosts of world netns do not speak {foreign}; take world sim",
                traffic.name
            ));
        }
        if matches!(traffic.kind, Kind::Ping(_)) {
            problems.push(format!(
                "traffic '{}': in world netns ping is a command: kind = \"command\", run = [\"ping\", ...]",
                traffic.name
            ));
        }
        if matches!(traffic.kind, Kind::Replay(_)) {
            problems.push(format!(
                "traffic '{}': world netns does not replay captures; take world sim",
                traffic.name
            ));
        }
        if let Kind::Requests(requests) = &traffic.kind
            && requests.request >> 32 != 0
        {
            problems.push(format!(
                "traffic '{}': a request has less than 4 GB in world netns",
                traffic.name
            ));
        }
    }
    problems
}

/// What of a plan world netns cannot do here: sentences. `available` are the names of the kernel's laws of the window.
pub fn impossible(plan: &Plan, available: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if let Err(reason) = &plan.worlds.netns {
        let why = if reason.is_empty() { "'worlds' does not name it" } else { reason };
        problems.push(format!("the lab is not for world netns: {why}"));
    }
    problems.extend(refused(plan));
    let mut missing: Vec<&str> = transports(plan)
        .iter()
        .map(congestion)
        .filter(|name| !available.split_whitespace().any(|word| word == *name))
        .collect();
    missing.sort_unstable();
    missing.dedup();
    for name in missing {
        problems.push(format!(
            "this kernel has no TCP congestion control '{name}', it has {}: load it (modprobe tcp_{name}), or say another \
             'congestion' in the transport",
            available.trim()
        ));
    }
    problems
}

/// How the kernels of all hosts are set.
pub fn settings(plan: &Plan, schedule: &Schedule) -> HostSettings {
    let all = transports(plan);
    let standard = Settings::default();
    let frames = schedule.streams.iter().flatten().map(|(_, bytes)| bytes - 14);
    let segments = all.iter().map(|settings| u32::from(settings.segment) + IP_HEADERS);
    let datagrams = plan.network.traffic.iter().filter_map(|traffic| match &traffic.kind {
        Kind::Flows(flows) => match flows.transport {
            Transport::Udp { bytes, .. } => Some(bytes - 14),
            _ => None,
        },
        _ => None,
    });
    let tpps = plan.tpps.as_ref().and_then(|tpps| tpps.longest_frame()).map(|bytes| bytes - 14);
    let least = all.iter().map(|settings| settings.minimum_timeout).min();
    HostSettings {
        initial_window: all
            .iter()
            .map(|settings| settings.initial_window)
            .find(|window| *window != standard.initial_window),
        minimum_timeout: least
            .filter(|timeout| *timeout != standard.minimum_timeout)
            .map(|timeout| timeout.div_ceil(MILLISECOND)),
        ecn: all.iter().any(|settings| settings.ecn),
        no_sack: all.iter().any(|settings| !settings.sack),
        no_rack: all.iter().any(|settings| !settings.rack),
        no_restart: all.iter().any(|settings| !settings.restart_after_idle),
        mtu: frames.chain(segments).chain(datagrams).chain(tpps).max().unwrap_or(0).max(1_500),
    }
}

/// What all hosts have of the kernel's, although only some transports of the plan ask for it, a sentence each.
pub fn shared(plan: &Plan) -> Vec<String> {
    let all = transports(plan);
    let mut notes = Vec::new();
    let mut differs = |what: &str, of: &dyn Fn(&Settings) -> u64| {
        if all.windows(2).any(|pair| of(&pair[0]) != of(&pair[1])) {
            notes.push(format!(
                "transports of this lab differ in {what}, which the kernel has for a host and not for a connection"
            ));
        }
    };
    differs("ECN (all connections have it here)", &|settings| settings.ecn.into());
    differs("SACK (no connection has it here)", &|settings| settings.sack.into());
    differs("RACK (no connection has it here)", &|settings| settings.rack.into());
    differs("the least timeout (all have the smallest here)", &|settings| settings.minimum_timeout);
    differs("the initial window", &|settings| settings.initial_window.into());
    notes
}

/// What each host does, by node.
pub fn specs(plan: &Plan, schedule: &Schedule, seed: u64) -> BTreeMap<NodeId, HostSpec> {
    let network = &plan.network;
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let ip = |node: NodeId| network.host(node).map_or(Ipv4Addr::UNSPECIFIED, |host| host.ip);
    let (warmup, duration) = (plan.run.warmup, plan.run.duration);
    let empty = HostSpec { warmup, duration, ..HostSpec::default() };
    let mut specs: BTreeMap<NodeId, HostSpec> =
        hosts.iter().map(|node| (*node, empty.clone())).collect();
    let mut listen = |node: NodeId, spec: ListenSpec| {
        if let Some(host) = specs.get_mut(&node)
            && !host.listen.contains(&spec)
        {
            host.listen.push(spec);
        }
    };
    for (number, traffic) in (0u32..).zip(&network.traffic) {
        let own = |tcp: Option<TcpSpec>| ListenSpec { traffic: number, tcp, class: traffic.class };
        match &traffic.kind {
            Kind::Stream(stream) => listen(stream.to, own(None)),
            Kind::Flows(flows) => {
                let tcp = tcp(&flows.transport);
                let receivers = schedule.flows.iter().filter(|flow| flow.traffic == number);
                receivers.for_each(|flow| listen(hosts[flow.to as usize], own(tcp.clone())));
            }
            Kind::Incast(incast) => listen(incast.to, own(tcp(&incast.transport))),
            Kind::Requests(requests) => {
                for node in requests.clients.iter().chain(&requests.servers) {
                    listen(*node, own(tcp(&requests.transport)));
                }
            }
            Kind::Replay(_) | Kind::Ping(_) => {}
        }
    }
    for (number, traffic) in (0u32..).zip(&network.traffic) {
        match &traffic.kind {
            Kind::Stream(stream) => {
                let sends = &schedule.streams[number as usize];
                let Some(host) = specs.get_mut(&stream.from) else { continue };
                host.streams.push(stream_spec(number, ip(stream.to), traffic.class, sends));
            }
            Kind::Requests(requests) => {
                let Some(tcp) = tcp(&requests.transport) else { continue };
                for (client, node) in (0u32..).zip(&requests.clients) {
                    let spec = ClientSpec {
                        traffic: number,
                        client,
                        // Nobody asks itself.
                        servers: requests
                            .servers
                            .iter()
                            .filter(|server| *server != node)
                            .map(|node| ip(*node))
                            .collect(),
                        class: traffic.class,
                        request: requests.request.max(HEAD),
                        responses: answers(requests, seed, number),
                        outstanding: requests.outstanding,
                        think: requests.think,
                        start: traffic.start,
                        stop: traffic.stop,
                        seed,
                        tcp: tcp.clone(),
                    };
                    if let Some(host) = specs.get_mut(node) {
                        host.clients.push(spec);
                    }
                }
            }
            Kind::Flows(_) | Kind::Incast(_) | Kind::Replay(_) | Kind::Ping(_) => {}
        }
    }
    for flow in &schedule.flows {
        let traffic = &network.traffic[flow.traffic as usize];
        let transport = match &traffic.kind {
            Kind::Flows(flows) => &flows.transport,
            Kind::Incast(incast) => &incast.transport,
            _ => continue,
        };
        let carrier = match (transport, tcp(transport)) {
            (Transport::Udp { rate, bytes }, _) => Carrier::Udp { frame: *bytes, rate: *rate },
            (_, Some(tcp)) => Carrier::Tcp(tcp),
            _ => continue,
        };
        let spec = FlowSpec {
            serial: flow.serial,
            traffic: flow.traffic,
            to: ip(hosts[flow.to as usize]),
            class: traffic.class,
            bytes: flow.bytes,
            start: flow.start,
            carrier,
        };
        if let Some(host) = specs.get_mut(&hosts[flow.from as usize]) {
            host.flows.push(spec);
        }
    }
    specs
}

fn answers(requests: &Requests, seed: u64, traffic: u32) -> Vec<u64> {
    let mut stream = Stream::new(seed, ANSWER, traffic);
    // The head of a request has room for 4 GB.
    (0..ANSWERS).map(|_| requests.response.draw(&mut stream).clamp(1, u32::MAX.into())).collect()
}

fn stream_spec(traffic: u32, to: Ipv4Addr, class: u8, sends: &[(u64, u32)]) -> StreamSpec {
    let mut before = 0;
    let gaps = sends.iter().map(|(at, _)| at - std::mem::replace(&mut before, *at)).collect();
    let bytes: Vec<u32> = sends.iter().map(|(_, bytes)| *bytes).collect();
    let alike = bytes.windows(2).all(|pair| pair[0] == pair[1]);
    let bytes = if alike { bytes.into_iter().take(1).collect() } else { bytes };
    StreamSpec { traffic, to: Some(to), class, gaps, bytes }
}
