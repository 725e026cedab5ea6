//! What labs know of applications. An application is a [`Kind`] in the list [`crate::KINDS`]: the word by which lab files
//! name it, how its keys are read, and how the agent of a host is made. Keys that were read are an [`Application`], which
//! says what each host does and what results mean.

use crate::histories::values::Values;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use ww_config::reader::Reader;
use ww_config::tree;
use ww_host::agent::{Agent, Measured, Report};
use ww_host::record::Record;
use ww_host::registry::Registry;
use ww_host::shim::{Rule, Shim};
use ww_sim::network::{Network, NodeId};
use ww_tpp::protection::Protection;
use ww_tpp::switch::Config;

/// A kind of application, in [`crate::KINDS`].
pub struct Kind {
    /// The value of `kind` in `[[tpp.app]]`.
    pub name: &'static str,
    /// Reads the keys of `[[tpp.app]]`. `None` if they have mistakes, which the reader has noted.
    pub read: fn(&Reader<'_>, &Context<'_>, &mut Registration<'_>) -> Option<Arc<dyn Application>>,
    /// Makes the agent of a host from [`Application::settings`]. `None` if these are not settings of this kind.
    pub agent: fn(Value) -> Option<Box<dyn Agent>>,
}

impl Kind {
    /// The kind with a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        crate::KINDS.iter().copied().find(|kind| kind.name == name)
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The rest of the lab, for [`Kind::read`].
pub struct Context<'c> {
    /// Finds hosts by their names.
    pub names: &'c dyn HostNames,
    /// Nodes and links.
    pub network: &'c Network,
    /// The text of a file beside the lab file; the error is a sentence.
    pub files: &'c dyn Fn(&str) -> Result<String, String>,
    /// `[[tpp.vendor]]`.
    pub vendors: &'c [Vendor],
    /// From the end of traffic to the end of the run, ps; `None` if that could not be read.
    pub drain: Option<u64>,
}

/// Hosts by name. What is wrong with a name is noted, and `None` returned.
pub trait HostNames {
    /// The host that a value names.
    fn host(&self, value: &tree::Value) -> Option<NodeId>;
    /// The hosts that a list of names, patterns (`h*`) and ranges (`h0..h7`) names, in the order of nodes.
    fn hosts(&self, value: &tree::Value) -> Option<Vec<NodeId>>;
}

/// `[[tpp.vendor]]`: switches of one vendor, and the address at which they have a statistic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vendor {
    /// `Switch:VendorID`.
    pub id: u32,
    /// Its switches.
    pub switches: std::collections::BTreeSet<NodeId>,
    /// A platform-specific address.
    pub address: u16,
    /// The address of the same statistic on other switches.
    pub shows: u16,
}

/// An application's entry in the registry, which says what its TPPs may access.
pub struct Registration<'r> {
    /// All applications of the lab.
    pub registry: &'r mut Registry,
    /// This one; `None` if it could not be registered.
    pub id: Option<u64>,
}

/// One run of a lab.
pub struct Run<'p> {
    /// Nodes and links.
    pub network: &'p Network,
    /// The seed of the run.
    pub seed: u64,
    /// The start of measurement, ps.
    pub warmup: u64,
    /// The end of traffic and measurement, ps.
    pub duration: u64,
    /// From the end of traffic to the end of the run, ps.
    pub drain: u64,
    /// What applications may access.
    pub protection: &'p Protection,
    /// Switches that execute TPPs.
    pub switches: &'p BTreeMap<NodeId, Config>,
}

impl Run<'_> {
    /// The time that counts.
    pub fn measured(&self) -> Measured {
        Measured { from: self.warmup, until: self.duration }
    }

    /// What the shim of a host has, with a rule.
    pub fn shim(&self, host: NodeId, mtu: usize, rule: &Rule) -> ShimSpec {
        let (seed, protection) = (self.host_seed(host), self.protection.clone());
        ShimSpec { mtu, seed, protection, rules: vec![rule.clone()] }
    }

    /// A seed for one host.
    pub fn host_seed(&self, host: NodeId) -> u64 {
        self.seed ^ u64::from(host) << 32
    }
}

/// What the shim of a host has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShimSpec {
    /// Bytes of an IP packet on the wire, with its TPP.
    pub mtu: usize,
    /// Of sampling.
    pub seed: u64,
    /// What applications of this host may do.
    pub protection: Protection,
    /// Which packets carry which TPPs.
    pub rules: Vec<Rule>,
}

impl ShimSpec {
    /// The shim.
    pub fn shim(self) -> Shim {
        let mut shim = Shim::new(self.mtu, self.protection, self.seed);
        shim.add_all(self.rules);
        shim
    }
}

/// What hosts have reported at the end of a run.
pub struct Findings<'f> {
    /// Nodes and links.
    pub network: &'f Network,
    /// Names of the directions of links, two for each link: `s0->h1`.
    pub directions: &'f [String],
    /// The start of measurement, ps.
    pub warmup: u64,
    /// The end of traffic and measurement, ps.
    pub duration: u64,
    /// Of the application's hosts, in the order of nodes.
    pub reports: Vec<&'f Report>,
}

impl<'f> Findings<'f> {
    /// TPPs that hosts have kept.
    pub fn records(&self) -> Vec<&'f Record> {
        self.reports.iter().flat_map(|report| &report.records).collect()
    }

    /// The name of a direction that leaves a switch, by what TPPs read: `Switch:SwitchID` and the output port.
    pub fn direction(&self, switch_id: u32, port: u32) -> Option<&'f str> {
        let direction = crate::numbering::direction(self.network, switch_id, port)?;
        self.directions.get(direction as usize).map(String::as_str)
    }

    /// The name of a link, such as `s0-h1`.
    pub fn link(&self, link: usize) -> Option<String> {
        self.directions.get(2 * link).map(|direction| direction.replace("->", "-"))
    }
}

/// Adds a number to the results of an application, under a path of names.
pub type Set<'s> = dyn FnMut(&[&str], f64) + 's;

/// An application in a lab.
pub trait Application: fmt::Debug + Send + Sync {
    /// Hosts that have an agent of it.
    fn hosts(&self) -> Vec<NodeId>;

    /// The settings of a host's agent in a run, for [`Kind::agent`].
    fn settings(&self, host: NodeId, run: &Run<'_>) -> Value;

    /// Adds to the results what hosts have found. The figures of their reports, added up, are there already.
    ///
    /// # Errors
    /// A host's report lacks something, or cannot be read.
    fn results(&self, _findings: &Findings<'_>, _set: &mut Set<'_>) -> Result<(), String> {
        Ok(())
    }

    /// Bytes of the longest frame that it sends by itself, without FCS and with the longest TPP.
    fn longest_frame(&self) -> Option<u64> {
        None
    }

    /// If switches have to be configured for it: what a P4 program as a switch lacks, such as `does not report drops`.
    /// A lab can have only one such application of a kind.
    fn needs_plain_switches(&self) -> Option<&'static str> {
        None
    }

    /// Configures a switch for it.
    fn configure(&self, _network: &Network, _switch: NodeId, _config: &mut Config) {}

    /// Rows of `tpps.parquet`, if it has such: the values that each hop has added to a TPP.
    fn rows<'r>(&self, _record: &'r Record) -> Option<Vec<&'r [u32]>> {
        None
    }

    /// The values of each hop, if the records are packet histories and nothing else.
    fn histories(&self) -> Option<Values> {
        None
    }

    /// What has to watch links in order to judge the results. Asked in simulations only.
    fn witness(
        &self,
        _network: &Network,
        _switches: &BTreeMap<NodeId, Config>,
    ) -> Option<Box<dyn Witness>> {
        None
    }
}

/// Watches the frames of links, to compare them with the results.
pub trait Witness: Send {
    /// The directions whose frames it wants.
    fn directions(&self) -> Vec<u32>;
    /// A frame is sent on one of these.
    fn frame(&mut self, direction: u32, frame: &[u8]);
    /// Adds the comparison to the results.
    ///
    /// # Errors
    /// Those of [`Application::results`].
    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String>;
}

/// The agent of a host as text that another process can read: a kind with settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// [`Kind::name`].
    pub kind: String,
    /// [`Application::settings`].
    pub settings: Value,
}

impl Assignment {
    /// The agent, before the run.
    ///
    /// # Errors
    /// A sentence: there is no such kind, or these are not its settings.
    pub fn agent(self) -> Result<Box<dyn Agent>, String> {
        let Self { kind, settings } = self;
        let known = Kind::named(&kind).ok_or_else(|| format!("unknown application '{kind}'"))?;
        (known.agent)(settings).ok_or_else(|| format!("invalid settings of application '{kind}'"))
    }
}

/// The settings of an agent from a value. `None` if they are not an `S`: for [`Kind::agent`].
pub(crate) fn settings<S: DeserializeOwned>(value: Value) -> Option<S> {
    serde_json::from_value(value).ok()
}

/// The settings of an agent as a value.
pub(crate) fn value(settings: &impl Serialize) -> Value {
    serde_json::to_value(settings).expect("settings have names and numbers that JSON has")
}
