//! Packets that carry their path, to see what becomes of flows when routes change.

use super::keys::stamped;
use super::{Context, Setting};
use crate::file::reader::Reader;
use ww_host::registry::Registry;
use ww_host::shim::Rule;
use ww_sim::network::NodeId;
use ww_tpp_apps::{convergence, label};

/// Packets that carry their path.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// Which packets.
    pub rule: Rule,
    /// Bytes of an IP packet with its TPP, at most.
    pub mtu: usize,
}

impl Convergence {
    /// What a host is told.
    pub(super) fn spec(&self, node: NodeId, setting: &Setting<'_>) -> convergence::agent::Spec {
        convergence::agent::Spec {
            mtu: self.mtu,
            seed: setting.seed ^ u64::from(node) << 32,
            protection: setting.protection.clone(),
            rule: self.rule.clone(),
            measured: setting.measured(),
        }
    }
}

pub(super) fn read(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Convergence> {
    // Whether something is wrong is found out of all keys.
    reader.value("hosts");
    let program = format!("{}{}", label::RESERVE, convergence::COLLECT);
    let (rule, mtu) = stamped(reader, context, registry, id, &program)?;
    Some(Convergence { rule, mtu })
}
