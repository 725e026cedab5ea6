//! What hosts with a stack can send to each other, and what not.

use crate::network::traffic::{Kind, Pairs, Pattern, Traffic, Transport};
use crate::network::{Network, NodeId};
use std::fmt;

/// Bytes of an Ethernet header.
const ETHERNET: u32 = 14;
/// Bytes in front of an echo's data: IPv4 and ICMP.
const ECHO_HEADERS: u32 = 20 + 8;

/// Which setting of a piece of traffic is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Who sends and receives.
    Hosts,
    /// What carries flows.
    Transport,
    /// The length of packets.
    Bytes,
    /// The DSCP.
    Class,
}

/// Traffic that hosts with a stack, or without one, cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What of it is wrong.
    pub setting: Setting,
    /// A sentence.
    pub message: String,
    /// What to do.
    pub advice: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.advice)
    }
}

/// The hosts that a piece of traffic is between.
fn hosts(kind: &Kind) -> Vec<NodeId> {
    match kind {
        Kind::Stream(stream) => vec![stream.from, stream.to],
        Kind::Ping(ping) => vec![ping.from, ping.to],
        Kind::Replay(_) => Vec::new(),
        Kind::Requests(requests) => [&requests.clients[..], &requests.servers].concat(),
        Kind::Incast(incast) => [&incast.from[..], &[incast.to]].concat(),
        Kind::Flows(flows) => match &flows.pairs {
            Pairs::Listed(pairs) => pairs.iter().flat_map(|(from, to)| [*from, *to]).collect(),
            Pairs::AllToAll(hosts) | Pairs::Permutation(hosts) => hosts.clone(),
            Pairs::Between(from, to) => [&from[..], to].concat(),
        },
    }
}

/// Whether all that a piece of traffic is between can speak with each other like this. Captures may be replayed from
/// anywhere to anywhere.
///
/// # Errors
/// The first mistake.
pub fn check(network: &Network, traffic: &Traffic) -> Result<(), Mistake> {
    let wrong =
        |setting, message: String, advice: String| Err(Mistake { setting, message, advice });
    let name = |id: NodeId| network.nodes[id as usize].name.as_str();
    let hosts = hosts(&traffic.kind);
    let (mut with, mut without) = (None, None);
    let mut mtu = u16::MAX;
    for id in hosts {
        match network.host(id).map(|host| host.stack) {
            Some(Some(attachment)) => {
                with = with.or(Some(id));
                mtu = mtu.min(attachment.mtu);
            }
            Some(None) => without = without.or(Some(id)),
            None => {}
        }
    }
    let transport = traffic.kind.transport();
    if let (Some(with), Some(without)) = (with, without) {
        let (with, without) = (name(with), name(without));
        return wrong(
            Setting::Hosts,
            format!(
                "'{with}' has a stack and '{without}' has none: they do not understand each other"
            ),
            format!("give '{without}' stack = \"smoltcp\" too, or '{with}' none"),
        );
    }
    if let Some(without) = without {
        let advice = format!("give '{}' and the others stack = \"smoltcp\"", name(without));
        if matches!(traffic.kind, Kind::Ping(_)) {
            let message = format!("'{}' has no stack, so there are no echoes", name(without));
            return wrong(Setting::Hosts, message, advice);
        }
        if matches!(transport, Some(Transport::Stack(_))) {
            let message = format!("'{}' has no stack: it has no TCP of that kind", name(without));
            return wrong(Setting::Transport, message, advice);
        }
        return Ok(());
    }
    let Some(with) = with.map(name) else { return Ok(()) };
    if matches!(transport, Some(Transport::Tcp(_))) {
        let message = format!("'{with}' has a stack, and with it a TCP of its own");
        return wrong(Setting::Transport, message, "say transport = \"smoltcp\"".to_owned());
    }
    if traffic.class != 0 {
        let message = format!("'{with}' has a stack, which sends all packets with DSCP 0");
        return wrong(Setting::Class, message, "leave 'class' out".to_owned());
    }
    let longest = match (&traffic.kind, transport) {
        (Kind::Stream(stream), _) => match stream.pattern {
            Pattern::Exponential { .. } => 9_000,
            _ => stream.bytes.saturating_sub(ETHERNET),
        },
        (Kind::Ping(ping), _) => ping.bytes.saturating_add(ECHO_HEADERS),
        (_, Some(Transport::Udp { bytes, .. })) => bytes.saturating_sub(ETHERNET),
        _ => 0,
    };
    if longest > u32::from(mtu) {
        let message = format!(
            "IP packets would have up to {longest} bytes; these hosts have an MTU of {mtu}, and their stack sends no fragments"
        );
        return wrong(Setting::Bytes, message, "make packets shorter, or 'mtu' larger".to_owned());
    }
    Ok(())
}
