//! Switches that tell a host of packets with TPPs that they drop.

use super::{Context, Setting};
use crate::file::quantity::Frequency;
use crate::file::reader::Reader;
use crate::plan::tpp::ways::station;
use ww_host::agent::Measured;
use ww_packet::udp_frame::End;
use ww_sim::network::{Network, NodeId};
use ww_tpp::switch::drops::Settings;
use ww_tpp_apps::drops;

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
