//! Hosts with a stack of their own: `stack`, `prefix`, `mtu`, and a `gateway` that is found by ARP.

use super::nodes::Extras;
use std::net::Ipv4Addr;
use ww_config::mistakes::{Mistakes, Place};
use ww_config::reader::Reader;
use ww_sim::network::{Network, NodeKind};
use ww_sim::stack::{Attachment, Stack};

/// What tables say of a host's stack, with where they do.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// Whether it has one.
    pub stack: Option<(bool, Place)>,
    /// Length of the network part of its address.
    pub prefix: Option<(u8, Place)>,
    /// Longest IP packet.
    pub mtu: Option<(u16, Place)>,
    /// The gateway's IP address.
    pub router: Option<(Ipv4Addr, Place)>,
}

/// Ethernet's.
const MTU: u16 = 1_500;

impl Wanted {
    /// Reads a node's keys. `router` is its gateway, if that is an IP address.
    pub fn read(reader: &Reader<'_>, router: Option<(Ipv4Addr, Place)>) -> Self {
        let place = |key| reader.value(key).map(|value| value.place.clone());
        let stack = reader.choice("stack", &[("smoltcp", true), ("none", false)]);
        let prefix = reader.within("prefix", 0..=32u32).map(|bits| bits as u8);
        let mtu = reader.within("mtu", 576..=9_000u32).map(|bytes| bytes as u16);
        Self {
            stack: stack.zip(place("stack")),
            prefix: prefix.zip(place("prefix")),
            mtu: mtu.zip(place("mtu")),
            router,
        }
    }

    /// Takes over what another table says.
    pub fn take(&mut self, other: &Self) {
        self.stack = other.stack.clone().or(self.stack.take());
        self.prefix = other.prefix.clone().or(self.prefix.take());
        self.mtu = other.mtu.clone().or(self.mtu.take());
        self.router = other.router.clone().or(self.router.take());
    }
}

/// Gives hosts their stacks. Gateways are known by now.
///
/// With a gateway's IP address, the host's network has 24 bits, if nothing else is said. With a gateway's address on
/// the link alone, all goes there (32 bits); without a gateway, all are on the link (0 bits).
pub(super) fn stacks(network: &mut Network, extras: &Extras, mistakes: &Mistakes) {
    for (id, wanted) in &extras.stacks {
        let node = &mut network.nodes[*id as usize];
        let NodeKind::Host(host) = &mut node.kind else { continue };
        let Some((true, place)) = &wanted.stack else {
            let gateway = wanted.router.as_ref().map(|(_, place)| ("gateway", place));
            let prefix = wanted.prefix.as_ref().map(|(_, place)| ("prefix", place));
            let mtu = wanted.mtu.as_ref().map(|(_, place)| ("mtu", place));
            for (key, place) in [gateway, prefix, mtu].into_iter().flatten() {
                let what = match key {
                    "gateway" => "an IP address as its 'gateway' is asked for by ARP".to_owned(),
                    _ => format!("'{key}' is a setting of one"),
                };
                let advice = match key {
                    "gateway" => "say stack = \"smoltcp\", or give the gateway's MAC address",
                    _ => "say stack = \"smoltcp\", or leave it out",
                };
                let message = format!("'{}' has no stack: {what}", node.name);
                mistakes.advise(place, message, Some(advice.to_owned()));
            }
            continue;
        };
        let router = wanted.router.as_ref().map(|(ip, _)| *ip);
        let usual = match (router, host.gateway) {
            (Some(_), _) => 24,
            (None, Some(_)) => 32,
            (None, None) => 0,
        };
        let attachment = Attachment {
            prefix: wanted.prefix.as_ref().map_or(usual, |(bits, _)| *bits),
            router,
            mtu: wanted.mtu.as_ref().map_or(MTU, |(bytes, _)| *bytes),
        };
        // Also if it cannot: what is said of its traffic is right, then.
        host.stack = Some(attachment);
        if let Err(text) = Stack::new(host.ip, host.mac, host.gateway, attachment, 0) {
            let place = wanted.router.as_ref().map_or(place, |(_, place)| place);
            mistakes.add(place, format!("'{}' cannot have a stack: {text}", node.name));
        }
    }
}
