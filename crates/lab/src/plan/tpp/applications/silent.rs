//! Counts of packets by path, to find links that lose some while no switch counts a drop.

use super::keys::{share, stamped};
use super::{Context, Setting};
use crate::file::quantity::{Probability, Span};
use crate::file::reader::Reader;
use ww_host::registry::Registry;
use ww_host::shim::Rule;
use ww_sim::network::NodeId;
use ww_tpp_apps::{label, silent};

/// Counts of packets by path.
#[derive(Clone, Debug, PartialEq)]
pub struct Silent {
    /// Which packets are counted.
    pub rule: Rule,
    /// Bytes of an IP packet with its TPP, at most.
    pub mtu: usize,
    /// The length of a window, ps.
    pub window: u64,
    /// Of the verdicts.
    pub settings: silent::Settings,
}

/// Utilisation 1.
const CAPACITY: f64 = 32_768.0;

impl Silent {
    /// What a host is told.
    pub(super) fn spec(&self, node: NodeId, setting: &Setting<'_>) -> silent::agent::Spec {
        silent::agent::Spec {
            mtu: self.mtu,
            seed: setting.seed ^ u64::from(node) << 32,
            protection: setting.protection.clone(),
            rule: self.rule.clone(),
            window: self.window,
            measured: setting.measured(),
        }
    }
}

pub(super) fn read(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Silent> {
    // Whether something is wrong is found out of all keys.
    reader.value("hosts");
    let usual = silent::Settings::default();
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
    let program = format!("{}{}{}", label::RESERVE, silent::COLLECT, silent::COUNTED);
    let (rule, mtu) = stamped(reader, context, registry, id, &program)?;
    let settings = silent::Settings { background, lead, busy: busy as u32 };
    Some(Silent { rule, mtu, window: window.max(1), settings })
}
