//! `kind = "paths"`: packets that say how long each part of their path took.

use super::DISCOVER;
use crate::application::{
    Application, Context, Findings, Kind, Registration, Run, Set, settings, value,
};
use crate::collect::agent::Collector;
use crate::collect::lab::Collect;
use crate::keys::{hosts, stamped};
use std::sync::Arc;
use ww_config::reader::Reader;
use ww_sim::network::NodeId;

/// `kind = "paths"`.
pub const KIND: Kind = Kind {
    name: "paths",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Collector::new(settings(own)?))),
};

/// Packets that carry [`DISCOVER`]; receivers keep what it has read.
#[derive(Clone, Debug, PartialEq)]
pub struct Paths(Collect);

impl Application for Paths {
    fn hosts(&self) -> Vec<NodeId> {
        self.0.hosts.clone()
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        value(&self.0.spec(host, run))
    }

    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
        super::results::delays(findings, set);
        Ok(())
    }
}

fn read(reader: &Reader<'_>, context: &Context<'_>, own: &mut Registration<'_>) -> Option<Paths> {
    // The key is known, whatever is wrong with others.
    reader.value("hosts");
    let (rule, mtu) = stamped(reader, context, own, DISCOVER)?;
    let hosts = hosts(reader, context)?;
    Some(Paths(Collect { hosts, rule, mtu, values: Vec::new(), others: 0 }))
}
