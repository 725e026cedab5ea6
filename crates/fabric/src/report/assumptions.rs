//! What a report assumes, by names that can be set.

use crate::schedule::BadFabric;
use serde_json::{Map, Value};

/// What was published, unless set otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumptions {
    /// Hosts.
    pub hosts: f64,
    /// Ports of a switch of either kind, at the speed of a host.
    pub switch_ports: f64,
    /// Tiers of switches.
    pub tiers: f64,
    /// Power of a packet switch, W.
    pub packet_switch_w: f64,
    /// Power of its hosts' NICs, W each.
    pub packet_nic_w: f64,
    /// Power of a circuit switch, W: no memory, no lookup.
    pub circuit_switch_w: f64,
    /// Power of a NIC of Shoal, W: it holds the queues.
    pub circuit_nic_w: f64,
    /// Bandwidth of Shoal in that of the packet network: 2 makes up for cells that take a detour.
    pub bandwidth_factor: f64,
    /// Price of an ordinary NIC, in packet switches.
    pub packet_nic_price: f64,
    /// Hosts of the Fattrees.
    pub tree_hosts: f64,
    /// Hosts on an edge of the 3D torus.
    pub torus_side: f64,
}

impl Default for Assumptions {
    fn default() -> Self {
        Self {
            hosts: 512.0,
            switch_ports: 64.0,
            tiers: 2.0,
            packet_switch_w: 350.0,
            packet_nic_w: 0.62,
            circuit_switch_w: 38.5,
            circuit_nic_w: 1.37,
            bandwidth_factor: 2.0,
            packet_nic_price: 1.0 / 128.0,
            tree_hosts: 8192.0,
            torus_side: 8.0,
        }
    }
}

impl Assumptions {
    /// Names, and what they stand for.
    fn fields(&mut self) -> [(&'static str, &mut f64); 11] {
        [
            ("hosts", &mut self.hosts),
            ("switch_ports", &mut self.switch_ports),
            ("tiers", &mut self.tiers),
            ("packet_switch_w", &mut self.packet_switch_w),
            ("packet_nic_w", &mut self.packet_nic_w),
            ("circuit_switch_w", &mut self.circuit_switch_w),
            ("circuit_nic_w", &mut self.circuit_nic_w),
            ("bandwidth_factor", &mut self.bandwidth_factor),
            ("packet_nic_price", &mut self.packet_nic_price),
            ("tree_hosts", &mut self.tree_hosts),
            ("torus_side", &mut self.torus_side),
        ]
    }

    /// Sets one by `NAME=VALUE`.
    ///
    /// # Errors
    /// No such name, or no positive number.
    pub fn set(&mut self, setting: &str) -> Result<(), BadFabric> {
        let bad = |text: String| Err(BadFabric(text));
        let Some((name, value)) = setting.split_once('=') else {
            return bad(format!("'{setting}': expected NAME=VALUE, such as hosts=1024"));
        };
        let mut fields = self.fields();
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        let Some((_, field)) = fields.iter_mut().find(|(known, _)| *known == name) else {
            return bad(format!(
                "no assumption has the name '{name}'; there are {}",
                names.join(", ")
            ));
        };
        match value.parse::<f64>() {
            Ok(number) if number > 0.0 && number.is_finite() => **field = number,
            _ => return bad(format!("{name}: expected a number above 0, found '{value}'")),
        }
        Ok(())
    }

    /// All of them by their names.
    pub fn to_json(&self) -> Value {
        let mut copy = self.clone();
        let fields = copy.fields().map(|(name, value)| (name.to_owned(), Value::from(*value)));
        Value::Object(Map::from_iter(fields))
    }
}
