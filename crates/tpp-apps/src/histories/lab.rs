//! `kind = "histories"`: histories of packets, judged by rules and counted by queries.

use super::ndb::Query;
use super::netwatch::Watch;
use super::values::{Value, Values};
use crate::application::{
    Application, Context, Findings, Kind, Registration, Run, Set, settings, value,
};
use crate::collect::agent::Collector;
use crate::collect::lab::Collect;
use crate::collect::values;
use crate::keys::{hosts, stamped};
use std::sync::Arc;
use ww_config::mistakes::Mistake;
use ww_config::reader::Reader;
use ww_config::tree;
use ww_host::record::Record;
use ww_sim::network::NodeId;
use ww_tpp::assemble::{Options, assemble};

/// `kind = "histories"`.
pub const KIND: Kind = Kind {
    name: "histories",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Collector::new(settings(own)?))),
};

/// Packets that bring their history with them, and what is asked of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Histories {
    /// Which packets carry what.
    pub collect: Collect,
    /// What each switch says.
    pub values: Values,
    /// What has to hold of each history.
    pub rules: Watch,
    /// Which histories are counted under which name.
    pub queries: Vec<(String, Query)>,
}

impl Application for Histories {
    fn hosts(&self) -> Vec<NodeId> {
        self.collect.hosts.clone()
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        value(&self.collect.spec(host, run))
    }

    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
        super::results::verdicts(self, findings, set);
        Ok(())
    }

    fn rows<'r>(&self, record: &'r Record) -> Option<Vec<&'r [u32]>> {
        self.collect.rows(record)
    }

    fn histories(&self) -> Option<Values> {
        Some(self.values.clone())
    }
}

fn read(
    reader: &Reader<'_>,
    context: &Context<'_>,
    own: &mut Registration<'_>,
) -> Option<Histories> {
    // The key is known, whatever is wrong with others.
    reader.value("hosts");
    let values = collected(reader);
    let rules = rules(reader, context);
    let queries = queries(reader);
    let program = values.as_ref().map_or_else(String::new, Values::program);
    let (rule, mtu) = stamped(reader, context, own, &program)?;
    let values = values?;
    let one_hop = Options { hops: Some(1), ..Options::default() };
    let pushed = assemble(&program, &one_hop).expect("five values of a hop have room in a TPP");
    let collect = Collect {
        hosts: hosts(reader, context)?,
        rule,
        mtu,
        values: values::of(&pushed),
        others: 0,
    };
    Some(Histories { collect, values, rules: rules?, queries: queries? })
}

/// `values = ["switch", "entry", "in-port"]`.
fn collected(reader: &Reader<'_>) -> Option<Values> {
    let Some(list) = reader.value("values") else { return Some(Values::default()) };
    let value = |item: &tree::Value| {
        let word = reader.read::<String>("values", item)?;
        let value = Value::of(&word);
        if value.is_none() {
            let known = Value::ALL.map(Value::word).join(", ");
            let message = format!("'values': expected some of {known}; found '{word}'");
            reader.mistakes().add(&item.place, message);
        }
        value
    };
    let read: Vec<Option<Value>> = list.listed().iter().map(value).collect();
    let values = Values::new(read.into_iter().collect::<Option<_>>()?);
    values.map_err(|error| reader.mistakes().add(&list.place, format!("'values': {error}"))).ok()
}

/// `rules = "rules.toml"`: a file as `ww tpp netwatch` takes it.
fn rules(reader: &Reader<'_>, context: &Context<'_>) -> Option<Watch> {
    let Some(value) = reader.value("rules") else { return Some(Watch::default()) };
    let name = reader.read::<String>("rules", value)?;
    let text = match (context.files)(&name) {
        Ok(text) => text,
        Err(error) => {
            reader.mistakes().add(&value.place, format!("'rules': {error}"));
            return None;
        }
    };
    let tell = |mistake: Mistake| reader.mistakes().add(&value.place, mistake.to_string());
    let watch = Watch::parse(&name, &text);
    watch.map_err(|report| report.mistakes.into_iter().for_each(tell)).ok()
}

/// `queries = { NAME = "QUERY" }`: as `ww tpp ndb` takes them.
fn queries(reader: &Reader<'_>) -> Option<Vec<(String, Query)>> {
    let Some(value) = reader.value("queries") else { return Some(Vec::new()) };
    let table = reader.as_table(value, "'queries'".to_owned())?;
    let query = |entry: &tree::Entry| {
        let text = reader.read::<String>(&entry.key, &entry.value)?;
        let query = Query::new(&text);
        let tell = |error| {
            reader.mistakes().add(&entry.value.place, format!("query '{}': {error}", entry.key));
        };
        Some((entry.key.clone(), query.map_err(tell).ok()?))
    };
    let read: Vec<_> = table.entries().iter().map(query).collect();
    read.into_iter().collect()
}
