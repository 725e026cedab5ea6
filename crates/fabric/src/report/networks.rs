//! How many chips, transceivers and fibres networks of packet switches need, and how far their hosts are from each other
//! (spec 004, 2.18, and the designs that the document weighs before its own).

use super::assumptions::Assumptions;
use serde_json::{Value, json};

/// A folded Clos network with full bisection bandwidth, with a chip in each box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clos {
    /// Hosts.
    pub hosts: f64,
    /// Ports of a switch, each at the speed of a host.
    pub ports: f64,
    /// Tiers.
    pub tiers: f64,
}

impl Clos {
    /// Switches: each tier but the last has as many ports down as up.
    pub fn switches(&self) -> f64 {
        (2.0 * self.tiers - 1.0) * self.hosts / self.ports
    }

    /// Hosts at most.
    pub fn most_hosts(&self) -> f64 {
        2.0 * (self.ports / 2.0).powf(self.tiers)
    }

    /// Links, those to hosts included.
    pub fn links(&self) -> f64 {
        self.tiers * self.hosts
    }
}

/// A network beside others.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// What it is.
    pub name: String,
    /// Switching chips outside hosts.
    pub chips: f64,
    /// Optical transceivers in switches, as the document counts them.
    pub transceivers: f64,
    /// Half as many: the document's count of fibres.
    pub fibres: f64,
    /// Transceivers with those of hosts.
    pub transceivers_with_hosts: f64,
    /// A fibre for each link.
    pub fibres_with_hosts: f64,
    /// Links on the longest of the shortest ways between hosts; of copper or fibre.
    pub hops: f64,
    /// Links of a host that its own traffic can fill, of those that it has, if all hosts send to all.
    pub share_for_own_traffic: f64,
}

impl Network {
    /// By its names.
    pub fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "chips": self.chips,
            "transceivers": self.transceivers,
            "fibres": self.fibres,
            "transceivers_with_hosts": self.transceivers_with_hosts,
            "fibres_with_hosts": self.fibres_with_hosts,
            "hops": self.hops,
            "share_for_own_traffic": self.share_for_own_traffic,
        })
    }
}

/// A chip in each box.
fn boxes(hosts: f64, ports: f64, tiers: f64) -> Network {
    let clos = Clos { hosts, ports, tiers };
    let transceivers = clos.switches() * ports;
    Network {
        name: format!("{tiers} tiers of switches with {ports} ports"),
        chips: clos.switches(),
        transceivers,
        fibres: transceivers / 2.0,
        transceivers_with_hosts: transceivers + hosts,
        fibres_with_hosts: clos.links(),
        hops: 2.0 * tiers,
        share_for_own_traffic: 1.0,
    }
}

/// Boxes with `ports` ports to the outside, each a folded Clos network of two tiers of chips with `chip_ports`, joined by
/// copper.
fn chassis(hosts: f64, ports: f64, tiers: f64, chip_ports: f64) -> Network {
    let inside = Clos { hosts: ports, ports: chip_ports, tiers: 2.0 };
    let outside = boxes(hosts, ports, tiers);
    // Each box on the way adds the way through it: up to its second tier of chips and down again.
    let on_the_way = 2.0 * tiers - 1.0;
    Network {
        name: format!("{tiers} tiers of chassis with {ports} ports, of chips with {chip_ports}"),
        chips: outside.chips * inside.switches(),
        hops: outside.hops + on_the_way * 2.0,
        ..outside
    }
}

/// Hosts in a 3D torus, with a small switch in each.
fn torus(side: f64) -> Network {
    let hosts = side.powi(3);
    // The distances in a ring of n: 0, 1, 1, 2, 2 ... n/2; their sum is floor(n^2/4). A host does not send to itself.
    let sum = (side * side / 4.0).floor();
    let mean = 3.0 * sum * side * side / (hosts - 1.0);
    Network {
        name: format!("3D torus of {side} x {side} x {side} hosts"),
        chips: 0.0,
        transceivers: 0.0,
        fibres: 0.0,
        transceivers_with_hosts: 6.0 * hosts,
        fibres_with_hosts: 3.0 * hosts,
        hops: 3.0 * (side / 2.0).floor(),
        share_for_own_traffic: 1.0 / mean,
    }
}

/// Fattrees of large and of small switches for the same hosts, the same of chassis, and a direct network.
pub fn networks(a: &Assumptions) -> Vec<Network> {
    vec![
        boxes(a.tree_hosts, 128.0, 2.0),
        boxes(a.tree_hosts, 32.0, 3.0),
        chassis(a.tree_hosts, 128.0, 2.0, 32.0),
        boxes(a.hosts, a.switch_ports, a.tiers),
        torus(a.torus_side),
    ]
}
