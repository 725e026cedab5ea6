//! What a fabric of circuit switches costs beside a network of packet switches: power, money, and how many chips,
//! transceivers and fibres (spec 004, 2.16 and 2.18).
//!
//! The formulas are ours where the document gives results alone; its figures are the defaults, and each can be set.

mod assumptions;
mod networks;

pub use assumptions::Assumptions;
pub use networks::{Clos, Network, networks};

use serde_json::{Value, json};
use std::fmt::Write;

/// Two networks with the same hosts: one of packet switches, and Shoal.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Packet switches of a folded Clos network for the hosts.
    pub packet_switches: f64,
    /// Circuit switches of Shoal.
    pub circuit_switches: f64,
    /// Power of the network of packet switches with its NICs, kW.
    pub psn_kw: f64,
    /// Power of Shoal with its NICs, kW.
    pub shoal_kw: f64,
    /// The part of the power that Shoal saves.
    pub saving: f64,
    /// Price of a circuit switch, in packet switches, at which both networks cost the same: with a NIC of Shoal at
    /// three and at two times the price of an ordinary one.
    pub cost_parity: [f64; 2],
    /// The same, at which Shoal costs 40 % less.
    pub cost_minus_40: [f64; 2],
    /// Networks that could stand in for Shoal.
    pub networks: Vec<Network>,
}

impl Report {
    /// Computes all of it.
    pub fn new(a: &Assumptions) -> Self {
        let clos = Clos { hosts: a.hosts, ports: a.switch_ports, tiers: a.tiers };
        let packet_switches = clos.switches();
        let circuit_switches = a.bandwidth_factor * packet_switches;
        let watts = |switches: f64, switch: f64, nic: f64| switches * switch + a.hosts * nic;
        let psn_kw = watts(packet_switches, a.packet_switch_w, a.packet_nic_w) / 1000.0;
        let shoal_kw = watts(circuit_switches, a.circuit_switch_w, a.circuit_nic_w) / 1000.0;
        // Prices in packet switches: (circuit * price + factor * nics) / (packet + nics) = share.
        let nics = a.hosts * a.packet_nic_price;
        let price = |share: f64, factor: f64| {
            (share * (packet_switches + nics) - factor * nics) / circuit_switches
        };
        Self {
            packet_switches,
            circuit_switches,
            psn_kw,
            shoal_kw,
            saving: 1.0 - shoal_kw / psn_kw,
            cost_parity: [price(1.0, 3.0), price(1.0, 2.0)],
            cost_minus_40: [price(0.6, 3.0), price(0.6, 2.0)],
            networks: networks(a),
        }
    }

    /// All of it for people.
    pub fn table(&self) -> String {
        let per_cent = |share: f64| 100.0 * share;
        let mut text = format!(
            "power: packet switches {:.3} kW, Shoal {:.3} kW, {:.1} % less\n\
             a circuit switch may cost, in packet switches, with NICs at 3 and at 2 times the price:\n\
             \x20 for the same cost    {:>5.1} %  {:>5.1} %\n\
             \x20 for 40 % less cost   {:>5.1} %  {:>5.1} %\n\
             {:<54} {:>6} {:>12} {:>8} {:>5} {:>6}\n",
            self.psn_kw,
            self.shoal_kw,
            per_cent(self.saving),
            per_cent(self.cost_parity[0]),
            per_cent(self.cost_parity[1]),
            per_cent(self.cost_minus_40[0]),
            per_cent(self.cost_minus_40[1]),
            "network",
            "chips",
            "transceivers",
            "fibres",
            "hops",
            "share",
        );
        for network in &self.networks {
            // Writing to a string never fails.
            let _ = writeln!(
                text,
                "{:<54} {:>6.0} {:>12.0} {:>8.0} {:>5.0} {:>6.2}",
                network.name,
                network.chips,
                network.transceivers_with_hosts,
                network.fibres_with_hosts,
                network.hops,
                network.share_for_own_traffic,
            );
        }
        text
    }

    /// All of it, with what was assumed.
    pub fn to_json(&self, assumptions: &Assumptions) -> Value {
        json!({
            "assumptions": assumptions.to_json(),
            "packet_switches": self.packet_switches,
            "circuit_switches": self.circuit_switches,
            "psn_kw": self.psn_kw,
            "shoal_kw": self.shoal_kw,
            "saving": self.saving,
            "cost_parity": self.cost_parity,
            "cost_minus_40": self.cost_minus_40,
            "networks": self.networks.iter().map(Network::to_json).collect::<Vec<_>>(),
        })
    }
}
