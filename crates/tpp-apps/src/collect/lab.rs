//! `kind = "collect"`: packets that carry a program of the lab's author.

use super::agent::{Collector, Spec};
use super::values::{self, Value};
use crate::application::{
    Application, Context, Findings, Kind, Registration, Run, Set, settings, value,
};
use crate::histories::values::{Value as HistoryValue, Values};
use crate::keys::{authorised, every, filter, hosts, longest, mtu};
use std::sync::Arc;
use ww_config::reader::Reader;
use ww_config::tree;
use ww_host::record::Record;
use ww_host::shim::Rule;
use ww_sim::network::NodeId;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::header::{Mode, WordSize};
use ww_tpp::map;

/// `kind = "collect"`.
pub const KIND: Kind = Kind {
    name: "collect",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Collector::new(settings(own)?))),
};

/// Packets that carry a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Collect {
    /// Hosts that send and receive them.
    pub hosts: Vec<NodeId>,
    /// Which packets carry which TPP.
    pub rule: Rule,
    /// Bytes of an IP packet with its TPP, at most.
    pub mtu: usize,
    /// What it collects at each hop.
    pub values: Vec<Value>,
    /// Words of packet memory in front of that: what the program has there from the start.
    pub others: usize,
}

const WORDS: [(&str, WordSize); 2] = [("16", WordSize::Two), ("32", WordSize::Four)];

impl Collect {
    /// What it has collected, hop by hop.
    pub fn hops<'r>(&self, record: &'r Record) -> impl Iterator<Item = &'r [u32]> + use<'r> {
        record.hops_behind(self.others, self.values.len())
    }

    /// The settings of a host's agent.
    pub fn spec(&self, host: NodeId, run: &Run<'_>) -> Spec {
        Spec { shim: run.shim(host, self.mtu, &self.rule), measured: run.measured() }
    }
}

impl Application for Collect {
    fn hosts(&self) -> Vec<NodeId> {
        self.hosts.clone()
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        value(&self.spec(host, run))
    }

    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
        super::results::readings(self, findings, set);
        Ok(())
    }

    fn rows<'r>(&self, record: &'r Record) -> Option<Vec<&'r [u32]>> {
        Some(self.hops(record).collect())
    }

    /// A program that pushes values of histories and nothing else, the switch among them.
    fn histories(&self) -> Option<Values> {
        let known = |address: Option<u16>| {
            let of = |value: &HistoryValue| map::lookup(value.address()).ok();
            HistoryValue::ALL.into_iter().find(|value| address.is_some() && of(value) == address)
        };
        let all: Option<Vec<HistoryValue>> =
            self.values.iter().map(|one| known(one.address)).collect();
        let all = all.filter(|all| self.others == 0 && all.contains(&HistoryValue::Switch))?;
        Values::new(all).ok()
    }
}

/// A program of the lab's author.
fn read(reader: &Reader<'_>, context: &Context<'_>, own: &mut Registration<'_>) -> Option<Collect> {
    // The key is known, whatever is wrong with others.
    reader.value("hosts");
    let hops = reader.within("hops", 0..=255u32);
    let word = reader.choice("word", &WORDS);
    let (every, mtu) = (every(reader), mtu(reader));
    let filter = filter(reader);
    let writable = reader.value("write").map_or(&[][..], tree::Value::listed).iter();
    let mut writes = Vec::new();
    for item in writable {
        let Some(name) = reader.read::<String>("write", item) else { continue };
        match map::lookup(&name) {
            Ok(address) => writes.push(address),
            Err(_) => {
                let message = format!("'write': there is no address '{name}'");
                let advice = Some("ww tpp map --names has all".to_owned());
                reader.mistakes().advise(&item.place, message, advice);
            }
        }
    }
    let value = reader.needed_value("program", "\"queues.tpp\", or the program itself")?;
    let text = reader.read::<String>("program", value)?;
    let (name, program) = match text.contains(['\n', '[']) {
        true => (String::from("'program'"), text),
        false => match (context.files)(&text) {
            Ok(program) => (text, program),
            Err(error) => {
                reader.mistakes().add(&value.place, format!("'program': {error}"));
                return None;
            }
        },
    };
    let says = program.contains(".hops").then_some(None);
    let hops =
        hops.map(|hops| Some(hops as u16)).or(says).unwrap_or_else(|| Some(longest(context)));
    let options = Options { hops, word, ..Options::default() };
    let tpp = match assemble(&program, &options) {
        Ok(tpp) => tpp,
        Err(all) => {
            for mistake in all {
                let place = format!("{name}:{}:{}", mistake.span.line, mistake.span.column);
                let message = format!("{place}: {}", mistake.message);
                reader.mistakes().advise(&value.place, message, mistake.help);
            }
            return None;
        }
    };
    let values = values::of(&tpp);
    let grants = [(false, 0, u16::MAX)].into_iter().chain(writes.iter().map(|at| (true, *at, *at)));
    let others = match tpp.mode {
        Mode::Stack => usize::from(tpp.stack_pointer) / tpp.word.bytes(),
        Mode::Hop => 0,
    };
    let tpp = authorised(reader, &value.place, own, grants, tpp.emit())?;
    let rule = Rule { filter: filter?, tpp, every, priority: 0 };
    Some(Collect { hosts: hosts(reader, context)?, rule, mtu, values, others })
}
