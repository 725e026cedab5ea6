//! `kind = "convergence"`: packets that carry their path, to see what becomes of flows when routes change.

use super::COLLECT;
use super::agent::{Host, Spec};
use crate::application::{
    Application, Context, Findings, Kind, Registration, Run, Set, settings, value,
};
use crate::keys::{hosts, stamped};
use crate::label;
use std::sync::Arc;
use ww_config::reader::Reader;
use ww_host::shim::Rule;
use ww_sim::network::NodeId;

/// `kind = "convergence"`.
pub const KIND: Kind = Kind {
    name: "convergence",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Host::new(settings(own)?))),
};

/// Packets that carry their path.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// Hosts that send and receive them.
    pub hosts: Vec<NodeId>,
    /// Which packets.
    pub rule: Rule,
    /// Bytes of an IP packet with its TPP, at most.
    pub mtu: usize,
}

impl Application for Convergence {
    fn hosts(&self) -> Vec<NodeId> {
        self.hosts.clone()
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        value(&Spec { shim: run.shim(host, self.mtu, &self.rule), measured: run.measured() })
    }

    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
        super::results::changes(findings, set);
        Ok(())
    }
}

fn read(
    reader: &Reader<'_>,
    context: &Context<'_>,
    own: &mut Registration<'_>,
) -> Option<Convergence> {
    // The key is known, whatever is wrong with others.
    reader.value("hosts");
    let program = format!("{}{}", label::RESERVE, COLLECT);
    let (rule, mtu) = stamped(reader, context, own, &program)?;
    Some(Convergence { hosts: hosts(reader, context)?, rule, mtu })
}
