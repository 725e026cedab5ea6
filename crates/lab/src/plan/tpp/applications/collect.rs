//! Packets that carry a program of the lab's author.

use super::keys::{authorised, every, filter, longest, mtu};
use super::{Context, Setting};
use crate::file::reader::Reader;
use crate::file::tree;
use crate::plan::tpp::values::{self, Value};
use ww_host::record::Record;
use ww_host::registry::Registry;
use ww_host::shim::Rule;
use ww_sim::network::NodeId;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::header::{Mode, WordSize};
use ww_tpp::map;
use ww_tpp_apps::collect;

/// Packets that carry a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Collect {
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

    /// What a host is told.
    pub(super) fn spec(&self, node: NodeId, setting: &Setting<'_>) -> collect::Spec {
        collect::Spec {
            mtu: self.mtu,
            seed: setting.seed ^ u64::from(node) << 32,
            protection: setting.protection.clone(),
            rules: vec![self.rule.clone()],
            measured: setting.measured(),
        }
    }
}

/// A program of the lab's author.
pub(super) fn read(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Collect> {
    // Whether something is wrong is found out of all keys.
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
        false => match context.folder.text(&text) {
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
    let tpp = authorised(reader, &value.place, registry, (id?, grants), tpp.emit())?;
    let rule = Rule { filter: filter?, tpp, every, priority: 0 };
    Some(Collect { rule, mtu, values, others })
}
