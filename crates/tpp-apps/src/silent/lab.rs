//! `kind = "silent"`: counts of packets by path, to find links that lose some while no switch counts a drop.

use super::agent::{Host, Spec};
use super::{COLLECT, COUNTED, Settings};
use crate::application::{
    Application, Context, Findings, Kind, Registration, Run, Set, settings, value,
};
use crate::keys::{hosts, share, stamped};
use crate::label;
use std::sync::Arc;
use ww_config::quantity::{Probability, Span};
use ww_config::reader::Reader;
use ww_host::shim::Rule;
use ww_sim::network::NodeId;

/// `kind = "silent"`.
pub const KIND: Kind = Kind {
    name: "silent",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Host::new(settings(own)?))),
};

/// Counts of packets by path.
#[derive(Clone, Debug, PartialEq)]
pub struct Silent {
    /// Hosts that count.
    pub hosts: Vec<NodeId>,
    /// Which packets are counted.
    pub rule: Rule,
    /// Bytes of an IP packet with its TPP, at most.
    pub mtu: usize,
    /// The length of a window, ps.
    pub window: u64,
    /// Of the verdicts.
    pub settings: Settings,
}

/// Utilisation 1.
const CAPACITY: f64 = 32_768.0;

impl Application for Silent {
    fn hosts(&self) -> Vec<NodeId> {
        self.hosts.clone()
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        value(&Spec {
            shim: run.shim(host, self.mtu, &self.rule),
            window: self.window,
            measured: run.measured(),
        })
    }

    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
        super::results::verdicts(self, findings, set)
    }
}

fn read(reader: &Reader<'_>, context: &Context<'_>, own: &mut Registration<'_>) -> Option<Silent> {
    // The key is known, whatever is wrong with others.
    reader.value("hosts");
    let usual = Settings::default();
    let window = reader.get_or("window", Span(10_000_000_000_000)).0;
    if window < 1_000_000_000
        && let Some(value) = reader.value("window")
    {
        reader.mistakes().add(&value.place, "'window': expected 1 ms or more");
    }
    let background = reader.get_or("background", Probability(usual.background)).0;
    if !(background > 0.0 && background < 0.5)
        && let Some(value) = reader.value("background")
    {
        let message =
            format!("'background': expected more than 0, less than 0.5; found {background}");
        reader.mistakes().add(&value.place, message);
    }
    let lead = reader.get_or("lead", usual.lead);
    if !(lead > 0.0 && lead.is_finite())
        && let Some(value) = reader.value("lead")
    {
        reader.mistakes().add(&value.place, format!("'lead': expected more than 0, found {lead}"));
    }
    let busy = share(reader, "busy", f64::from(usual.busy) / CAPACITY) * CAPACITY;
    let program = format!("{}{}{}", label::RESERVE, COLLECT, COUNTED);
    let (rule, mtu) = stamped(reader, context, own, &program)?;
    let settings = Settings { background, lead, busy: busy as u32 };
    let hosts = hosts(reader, context)?;
    Some(Silent { hosts, rule, mtu, window: window.max(1), settings })
}
