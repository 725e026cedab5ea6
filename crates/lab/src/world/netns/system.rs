//! Namespaces and interfaces of a run.

use super::calibration;
use super::element;
use super::shim;
use super::switch;
use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Child, Command};
use ww_netns::{Namespaces, Owner, batch, ip, sysctl};
use ww_sim::network::{Network, NodeId, NodeKind};

/// The namespaces of labs.
const OWNER: Owner = Owner { prefix: "wwl-", folder: "/run/wirewright/labs" };
/// The end of the name of the namespace with all links.
const LINKS: &str = ".links";

/// How hosts reach others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostSettings {
    /// Segments that a connection may begin with.
    pub initial_window: Option<u32>,
    /// Least retransmission timeout, ms.
    pub minimum_timeout: Option<u64>,
    /// Explicit congestion notification.
    pub ecn: bool,
    /// Selective acknowledgements.
    pub no_sack: bool,
    /// Losses are found by counting duplicates only, and tails by the timer.
    pub no_rack: bool,
    /// A window stays what it was over an idle time.
    pub no_restart: bool,
    /// Bytes of an IP packet, at most.
    pub mtu: u32,
}

/// Namespaces and interfaces, removed when dropped.
#[derive(Debug)]
pub struct System(Namespaces);

/// Whether this world can run here; if not, why.
///
/// # Errors
/// A sentence.
pub fn available() -> Result<(), String> {
    ww_netns::available().map_err(|error| format!("world netns: {error}"))
}

/// Removes what runs have left behind whose processes are there no more. Returns the names of the namespaces.
///
/// # Errors
/// What could not be removed.
pub fn clean() -> Result<Vec<String>, String> {
    ww_netns::clean(&OWNER)
}

impl System {
    /// Makes what a network needs. Between the stacks of `shimmed` hosts and their links there is room for a shim.
    ///
    /// # Errors
    /// What cannot be made; nothing is left of it.
    pub fn make(
        network: &Network,
        settings: &HostSettings,
        shimmed: &BTreeSet<NodeId>,
    ) -> Result<Self, String> {
        available()?;
        let mut ends: Vec<_> = network.nodes.iter().map(|node| format!("-{}", node.name)).collect();
        ends.push(LINKS.to_owned());
        let system = Self(Namespaces::make(&OWNER, &ends)?);
        system.build(network, settings, shimmed)?;
        Ok(system)
    }

    /// The run's own folder, which goes with it.
    pub fn folder(&self) -> &Path {
        self.0.folder()
    }

    /// The namespace of a node.
    pub fn namespace(&self, node: NodeId) -> &str {
        &self.0.all()[node as usize]
    }

    /// The namespace of the element.
    pub fn links(&self) -> &str {
        self.0.name(LINKS)
    }

    /// What the run is called.
    pub fn id(&self) -> &str {
        self.0.id()
    }

    fn build(
        &self,
        network: &Network,
        settings: &HostSettings,
        shimmed: &BTreeSet<NodeId>,
    ) -> Result<(), String> {
        for (place, name) in self.0.all().iter().enumerate() {
            let host = network.host(place as NodeId).is_some();
            prepare(name, host.then_some(settings))?;
        }
        let links = self.links();
        let mut pairs = String::new();
        let mut ups = String::new();
        let mtu = settings.mtu;
        for (number, link) in (0u32..).zip(&network.links) {
            for (side, end) in (0..).zip(link.ends) {
                let own = element::interface(2 * number + side);
                let there = self.namespace(end.node);
                let (name, address) = match &network.nodes[end.node as usize].kind {
                    // Its address is another one than the host's, so that the kernel leaves frames to the shim.
                    NodeKind::Host(_) if shimmed.contains(&end.node) => {
                        (shim::WIRE_INTERFACE.to_owned(), String::new())
                    }
                    NodeKind::Host(host) => {
                        (shim::STACK_INTERFACE.to_owned(), format!(" address {}", mac(host.mac)))
                    }
                    _ => (switch::interface(end.port), String::new()),
                };
                pairs.push_str(&format!(
                    "link add name {own} netns {links} mtu {mtu} type veth peer name {name} netns {there} mtu {mtu}{address}\n"
                ));
                ups.push_str(&format!("link set dev {own} up\n"));
            }
        }
        let [first, second] = calibration::ENDS;
        pairs.push_str(&format!(
            "link add name {first} netns {links} type veth peer name {second} netns {links}\n"
        ));
        ups.push_str(&format!("link set dev {first} up\nlink set dev {second} up\n"));
        batch(&pairs)?;
        ip(links, &ups)?;
        let hosts: Vec<_> = network.hosts().collect();
        for (id, node) in (0..).zip(&network.nodes) {
            let mut lines = String::from("link set dev lo up\n");
            let ends = network.links.iter().flat_map(|link| link.ends).filter(|end| end.node == id);
            match &node.kind {
                NodeKind::Host(own) => {
                    if shimmed.contains(&id) {
                        let (wire, mac) = (shim::WIRE_INTERFACE, mac(own.mac));
                        lines.push_str(&format!(
                            "tuntap add dev eth0 mode tap vnet_hdr\nlink set dev eth0 mtu {mtu} address {mac}\n\
                             link set dev {wire} arp off up\n"
                        ));
                    }
                    lines.push_str("link set dev eth0 up\n");
                    lines.push_str(&format!("addr add {}/32 dev eth0\n", own.ip));
                    lines.push_str(&format!("route add default dev eth0 src {}", own.ip));
                    if let Some(window) = settings.initial_window {
                        lines.push_str(&format!(" initcwnd {window}"));
                    }
                    if let Some(timeout) = settings.minimum_timeout {
                        lines.push_str(&format!(" rto_min {timeout}ms"));
                    }
                    lines.push('\n');
                    for (_, other) in hosts.iter().filter(|(other, _)| *other != id) {
                        let address = mac(own.gateway.unwrap_or(other.mac));
                        let line = format!(
                            "neigh replace {} lladdr {address} dev eth0 nud permanent\n",
                            other.ip
                        );
                        lines.push_str(&line);
                    }
                }
                _ => ends.for_each(|end| {
                    lines.push_str(&format!("link set dev {} up\n", switch::interface(end.port)));
                }),
            }
            ip(self.namespace(id), &lines)?;
        }
        Ok(())
    }

    /// Starts a process in a namespace, in a group of its own: see [`ww_netns::spawn`].
    ///
    /// # Errors
    /// It cannot be started.
    pub fn spawn(
        &self,
        namespace: &str,
        priority: Option<i32>,
        command: &mut Command,
    ) -> Result<Child, String> {
        ww_netns::spawn(namespace, priority, command)
    }
}

fn mac(bytes: [u8; 6]) -> String {
    let words: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    words.join(":")
}

/// Settings of the kernel in a namespace: no IPv6, and TCP as the lab wants it.
fn prepare(namespace: &str, host: Option<&HostSettings>) -> Result<(), String> {
    // A kernel without IPv6 has no such settings.
    if Path::new("/proc/sys/net/ipv6").exists() {
        for which in ["all", "default"] {
            sysctl(namespace, &format!("net.ipv6.conf.{which}.disable_ipv6"), "1")?;
        }
    }
    let Some(host) = host else { return Ok(()) };
    let truth = |value: bool| if value { "1" } else { "0" };
    for (name, value) in [
        ("tcp_ecn", truth(host.ecn)),
        ("tcp_sack", truth(!host.no_sack)),
        // RACK as loss detection; tail loss probes (ip-sysctl of the kernel: 1 and 3 are what it has by itself).
        ("tcp_recovery", truth(!host.no_rack)),
        ("tcp_early_retrans", if host.no_rack { "0" } else { "3" }),
        ("tcp_slow_start_after_idle", truth(!host.no_restart)),
        // Each connection finds out for itself.
        ("tcp_no_metrics_save", "1"),
    ] {
        sysctl(namespace, &format!("net.ipv4.{name}"), value)?;
    }
    Ok(())
}

/// The address of a host by its name, for commands: `{h1.ip}`, `{h1.mac}`.
pub fn expand(word: &str, network: &Network) -> String {
    let mut text = word.to_owned();
    for (id, host) in network.hosts() {
        let name = &network.nodes[id as usize].name;
        for (field, value) in [("ip", Ipv4Addr::to_string(&host.ip)), ("mac", mac(host.mac))] {
            text = text.replace(&format!("{{{name}.{field}}}"), &value);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_commands() {
        let network = ww_sim::topology::star(
            2,
            Default::default(),
            ww_sim::network::Direction {
                rate: 1_000_000,
                delay: 0,
                jitter: 0,
                overhead: 24,
                limits: ww_sim::line::Limits { bytes: 1, mark: None },
                loss: 0.0,
                corruption: 0.0,
                phy: ww_sim::network::Phy::Bytes,
            },
        );
        assert_eq!(expand("tcp://{h1.ip}:80", &network), "tcp://10.0.0.2:80");
        assert_eq!(
            expand("{h0.mac} {h2.ip} {s0.ip}", &network),
            "02:00:0a:00:00:01 {h2.ip} {s0.ip}"
        );
    }
}
