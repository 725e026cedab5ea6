//! Switches that tell a host of packets with TPPs that they drop.

use super::{Context, Setting};
use crate::file::quantity::Frequency;
use crate::file::reader::Reader;
use crate::plan::tpp::ways::station;
use ww_packet::udp_frame::End;
use ww_sim::network::{Network, NodeId, NodeKind};
use ww_tpp::apps::drops;
use ww_tpp::host::agent::Measured;
use ww_tpp::switch::drops::Settings;

/// Who is told, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drops {
    /// Who collects reports.
    pub collector: NodeId,
    /// Reports of a switch, a second in the long run.
    pub rate: u32,
    /// Reports of a switch that may follow each other at once.
    pub burst: u32,
}

impl Drops {
    /// What the collector is told. What is dropped while traffic ends is told after it.
    pub(super) fn spec(&self, setting: &Setting<'_>) -> drops::Spec {
        let Measured { from, .. } = setting.measured();
        drops::Spec { measured: Measured { from, until: u64::MAX } }
    }

    /// What a switch is told. It has an address of its own to send from, of those that nobody routes (RFC 3927), and a
    /// locally administered one for the link.
    pub fn settings(&self, network: &Network, switch: NodeId) -> Settings {
        let [high, low] = (switch as u16).to_be_bytes();
        let own = End {
            mac: [2, 1, 0, 0, high, low],
            ip: [169, 254, high, low].into(),
            port: drops::PORT,
        };
        let to = station(network, self.collector);
        let collector = End { mac: to.mac, ip: to.ip, port: drops::PORT };
        Settings { own, collector, rate: self.rate, burst: self.burst }
    }
}

pub(super) fn read(reader: &Reader<'_>, context: &Context<'_>) -> Option<Drops> {
    let rate = reader.get_or("rate", Frequency(1_000.0)).0;
    if !(1.0..=1e9).contains(&rate)
        && let Some(value) = reader.value("rate")
    {
        reader.mistakes().add(&value.place, "'rate': expected \"1 /s\" to \"1000 M/s\"");
    }
    let burst = reader.within("burst", 1..=1_000_000_000u32).unwrap_or(100);
    let collector =
        reader.needed_value("collector", "\"h0\"").and_then(|value| context.names.host(value));
    Some(Drops { collector: collector?, rate: rate as u32, burst })
}

/// Says which of these switches are programs: those do not report.
pub(in crate::plan::tpp) fn check(
    reader: &Reader<'_>,
    network: &Network,
    switches: impl Iterator<Item = NodeId>,
) {
    let is_program =
        |node: &NodeId| matches!(network.nodes[*node as usize].kind, NodeKind::Program);
    for node in switches.filter(is_program) {
        let name = &network.nodes[node as usize].name;
        let message = format!("'{name}' is a program: it executes TPPs, but does not report drops");
        let advice = Some("leave it out of 'switches' of [tpp], or make it a plain switch".into());
        reader.mistakes().advise(reader.place(), message, advice);
    }
}
