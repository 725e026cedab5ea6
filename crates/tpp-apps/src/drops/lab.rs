//! `kind = "drops"`: switches report packets with TPPs that they drop.

use super::PORT;
use super::agent::{Collector, Spec};
use crate::application::{Application, Context, Findings, Kind, Run, Set, settings, value};
use crate::ways::station;
use std::sync::Arc;
use ww_config::quantity::Frequency;
use ww_config::reader::Reader;
use ww_host::agent::Measured;
use ww_packet::udp_frame::End;
use ww_sim::network::{Network, NodeId};
use ww_tpp::switch::Config;
use ww_tpp::switch::drops::Settings;

/// `kind = "drops"`.
pub const KIND: Kind = Kind {
    name: "drops",
    read: |reader, context, _| Some(Arc::new(read(reader, context)?)),
    agent: |own| Some(Box::new(Collector::new(settings(own)?))),
};

/// Who collects reports, and how many there may be.
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
    /// The settings of a switch. It has an address of its own to send from, of those that nobody routes (RFC 3927), and a
    /// locally administered one for the link.
    pub fn switch_settings(&self, network: &Network, switch: NodeId) -> Settings {
        let [high, low] = (switch as u16).to_be_bytes();
        let own =
            End { mac: [2, 1, 0, 0, high, low], ip: [169, 254, high, low].into(), port: PORT };
        let to = station(network, self.collector);
        let collector = End { mac: to.mac, ip: to.ip, port: PORT };
        Settings { own, collector, rate: self.rate, burst: self.burst }
    }
}

impl Application for Drops {
    fn hosts(&self) -> Vec<NodeId> {
        vec![self.collector]
    }

    /// Packets that are dropped while traffic ends are reported after it.
    fn settings(&self, _host: NodeId, run: &Run<'_>) -> serde_json::Value {
        let measured = Measured { from: run.warmup, until: u64::MAX };
        value(&Spec { measured })
    }

    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
        super::results::reports(findings, set);
        Ok(())
    }

    fn needs_plain_switches(&self) -> Option<&'static str> {
        Some("does not report drops")
    }

    fn configure(&self, network: &Network, switch: NodeId, config: &mut Config) {
        config.drops = Some(self.switch_settings(network, switch));
    }
}

fn read(reader: &Reader<'_>, context: &Context<'_>) -> Option<Drops> {
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
