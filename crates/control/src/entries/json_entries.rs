//! The P4Runtime entries of the public P4 exercises: one JSON object with `table_entries`,
//! `multicast_group_entries` and `clone_session_entries`.
//!
//! As in P4Runtime the higher priority wins, and a key that is not given matches everything.

use super::json_syntax::{Kind, Value};
use super::session::{Result, Session, at, fail};
use super::tables::{LARGEST_PRIORITY, direct};
use super::values::parse_value;
use crate::number;
use crate::word::{Word, shorten};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use ww_dataplane::control::{
    ActionData, ActionInfo, KeyInfo, KeyMatch, MatchKind, MirrorSession, NewEntry, TableInfo,
    Target,
};
use ww_p4::diagnostic::{Diagnostic, Diagnostics};
use ww_p4::source::Span;
use ww_spelling::suggestion;

/// One entry, its fields known and of the right kind; what they name is not looked up.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// Of `table_entries`.
    Table(TableEntry),
    /// Of `multicast_group_entries`.
    Group { group: (u16, Span), replicas: Vec<Replica> },
    /// Of `clone_session_entries`.
    Clone { session: (u32, Span), replicas: Vec<Replica>, truncate: Option<u32> },
}

/// An entry, or the default action, of a table.
#[derive(Clone, Debug)]
pub(super) struct TableEntry {
    span: Span,
    table: Word,
    action: Word,
    keys: Vec<(Word, Value)>,
    parameters: Vec<(Word, Value)>,
    priority: Option<(u32, Span)>,
    is_default: bool,
}

/// A copy to a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Replica {
    port: u32,
    instance: u16,
    span: Span,
}

/// Reads the entries of a file. All mistakes go to `diagnostics`; the entries without one are in
/// the result.
pub(super) fn read(value: Value, diagnostics: &mut Diagnostics) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut tell = |result: Result<()>| {
        if let Err(diagnostic) = result {
            diagnostics.push(*diagnostic);
        }
    };
    // What older tools need to load the program beside its entries is not used.
    let known = [
        "target",
        "p4info",
        "bmv2_json",
        "table_entries",
        "multicast_group_entries",
        "clone_session_entries",
    ];
    let mut fields = match Fields::new(value, "the file", &known) {
        Ok(fields) => fields,
        Err(diagnostic) => {
            tell(Err(diagnostic));
            return entries;
        }
    };
    for name in ["target", "p4info", "bmv2_json"] {
        tell(fields.text(name).map(drop));
    }
    type Reader = fn(Value) -> Result<Entry>;
    for (name, reader) in [
        ("table_entries", table_entry as Reader),
        ("multicast_group_entries", group_entry),
        ("clone_session_entries", clone_entry),
    ] {
        match fields.list(name) {
            Ok(list) => list.into_iter().for_each(|value| {
                tell(reader(value).map(|entry| entries.push(entry)));
            }),
            Err(diagnostic) => tell(Err(diagnostic)),
        }
    }
    entries
}

/// An object on the way to an entry.
struct Fields {
    what: &'static str,
    span: Span,
    fields: BTreeMap<String, Value>,
}

impl Fields {
    /// Takes an object whose names are all among the known ones.
    fn new(value: Value, what: &'static str, known: &[&str]) -> Result<Self> {
        let span = value.span;
        let Kind::Object(all) = value.kind else {
            return fail(span, format!("expected an object, found {}", value.kind.described()));
        };
        let mut fields = BTreeMap::new();
        for (name, value) in all {
            if !known.contains(&name.text.as_str()) {
                let found = shorten(&name.text);
                let message =
                    format!("unknown key `{found}` of {what}; there are {}", known.join(", "));
                let diagnostic = Diagnostic::error(name.span, message);
                return Err(Box::new(match suggestion(&name.text, known.iter().copied()) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic,
                }));
            }
            fields.insert(name.text, value);
        }
        Ok(Self { what, span, fields })
    }

    fn missing<T>(&self, name: &str, wanted: &str) -> Result<T> {
        // The opening brace stands for the whole, which may have many lines.
        let span = Span { hi: self.span.lo + 1, ..self.span };
        fail(span, format!("{} needs `{name}`: {wanted}", self.what))
    }

    fn text(&mut self, name: &str) -> Result<Option<Word>> {
        match self.fields.remove(name) {
            None => Ok(None),
            Some(Value { span, kind: Kind::Text(text) }) => Ok(Some(Word { text, span })),
            Some(other) => wrong(name, "a string", &other),
        }
    }

    fn needed_text(&mut self, name: &str, wanted: &str) -> Result<Word> {
        match self.text(name)? {
            Some(word) => Ok(word),
            None => self.missing(name, wanted),
        }
    }

    fn list(&mut self, name: &str) -> Result<Vec<Value>> {
        match self.fields.remove(name) {
            None => Ok(Vec::new()),
            Some(Value { kind: Kind::List(list), .. }) => Ok(list),
            Some(other) => wrong(name, "a list", &other),
        }
    }

    fn object(&mut self, name: &str) -> Result<Vec<(Word, Value)>> {
        match self.fields.remove(name) {
            None => Ok(Vec::new()),
            Some(Value { kind: Kind::Object(fields), .. }) => Ok(fields),
            Some(other) => wrong(name, "an object", &other),
        }
    }

    fn number<T: TryFrom<BigUint>>(
        &mut self,
        name: &str,
        wanted: &str,
    ) -> Result<Option<(T, Span)>> {
        let Some(value) = self.fields.remove(name) else { return Ok(None) };
        let number = match &value.kind {
            Kind::Number(digits) => number::small(digits),
            _ => None,
        };
        match number {
            Some(number) => Ok(Some((number, value.span))),
            None => wrong(name, wanted, &value),
        }
    }

    fn needed<T: TryFrom<BigUint>>(&mut self, name: &str, wanted: &str) -> Result<(T, Span)> {
        match self.number(name, wanted)? {
            Some(number) => Ok(number),
            None => self.missing(name, wanted),
        }
    }
}

fn wrong<T>(name: &str, wanted: &str, found: &Value) -> Result<T> {
    fail(found.span, format!("`{name}`: expected {wanted}, found {}", found.kind.described()))
}

fn table_entry(value: Value) -> Result<Entry> {
    let known = ["table", "match", "action_name", "action_params", "priority", "default_action"];
    let mut fields = Fields::new(value, "an entry of a table", &known)?;
    let table = fields.needed_text("table", "the table's name")?;
    let action = fields.needed_text("action_name", "the action's name")?;
    let is_default = match fields.fields.remove("default_action") {
        None => false,
        Some(Value { kind: Kind::Truth(truth), .. }) => truth,
        Some(other) => return wrong("default_action", "true or false", &other),
    };
    let keys = fields.object("match")?;
    if let Some((key, _)) = keys.first().filter(|_| is_default) {
        return fail(key.span, "a default action matches nothing: leave out `match`");
    }
    let priority = fields.number("priority", "a priority (0 to 2147483647)")?;
    if let Some((priority, span)) = priority.filter(|(number, _)| *number > LARGEST_PRIORITY) {
        let message = format!("`priority`: expected 0 to {LARGEST_PRIORITY}, found {priority}");
        return fail(span, message);
    }
    let parameters = fields.object("action_params")?;
    let span = fields.span;
    Ok(Entry::Table(TableEntry { span, table, action, keys, parameters, priority, is_default }))
}

fn replicas(fields: &mut Fields) -> Result<Vec<Replica>> {
    let list = match fields.fields.contains_key("replicas") {
        true => fields.list("replicas")?,
        false => return fields.missing("replicas", "a list of {\"egress_port\", \"instance\"}"),
    };
    let one = |value| {
        let mut fields = Fields::new(value, "a replica", &["egress_port", "instance"])?;
        let (port, span) = fields.needed("egress_port", "a port number")?;
        let instance = fields.number("instance", "a number (0 to 65535)")?;
        Ok(Replica { port, instance: instance.map_or(0, |(number, _)| number), span })
    };
    list.into_iter().map(one).collect()
}

fn group_entry(value: Value) -> Result<Entry> {
    let known = ["multicast_group_id", "replicas"];
    let mut fields = Fields::new(value, "a multicast group", &known)?;
    let group = fields.needed("multicast_group_id", "a multicast group (1 to 65535)")?;
    Ok(Entry::Group { group, replicas: replicas(&mut fields)? })
}

fn clone_entry(value: Value) -> Result<Entry> {
    let known = ["clone_session_id", "replicas", "packet_length_bytes"];
    let mut fields = Fields::new(value, "a clone session", &known)?;
    let session = fields.needed("clone_session_id", "the number of a clone session")?;
    let truncate = fields.number("packet_length_bytes", "a number of bytes (0: whole packets)")?;
    let truncate = truncate.map(|(bytes, _)| bytes).filter(|bytes| *bytes > 0);
    Ok(Entry::Clone { session, replicas: replicas(&mut fields)?, truncate })
}

impl Entry {
    /// Where it is.
    pub fn span(&self) -> Span {
        match self {
            Self::Table(entry) => entry.span,
            Self::Group { group: (_, span), .. } | Self::Clone { session: (_, span), .. } => *span,
        }
    }

    /// Carries it out.
    pub fn run(&self, session: &mut Session, diagnostics: &mut Diagnostics) -> Result<()> {
        match self {
            Self::Table(entry) => entry.run(session, diagnostics),
            Self::Group { group: (group, span), replicas } => {
                make_group(session, *group, *span, replicas)
            }
            Self::Clone { session: (number, span), replicas, truncate } => {
                let to = match &replicas[..] {
                    // A copy with the id 0 needs no group.
                    [Replica { port, instance: 0, .. }] => {
                        MirrorSession { port: Some(*port), group: None, truncate: *truncate }
                    }
                    _ => {
                        let group = free_group(session, *span)?;
                        make_group(session, group, *span, replicas)?;
                        MirrorSession { port: None, group: Some(group), truncate: *truncate }
                    }
                };
                let span = replicas.first().map_or(*span, |replica| replica.span);
                let answer = session.control.mirror_set(*number, to);
                session.done(span, answer)
            }
        }
    }
}

impl TableEntry {
    fn run(&self, session: &mut Session, diagnostics: &mut Diagnostics) -> Result<()> {
        let index = session.table(&self.table)?;
        let schema = session.schema();
        let info = &schema[index];
        direct(info, &self.table)?;
        let action = info.action(&self.action.text).map_err(|e| at(self.action.span, e))?;
        let arguments = self.arguments(&info.actions[action])?;
        let target = Target::Action(ActionData { action, arguments });
        let span = self.table.span;
        if self.is_default {
            let answer = session.control.table_set_default(index, target);
            return session.done(span, answer);
        }
        let keys = self.keys(info)?;
        let priority = match (self.priority, info.has_priorities()) {
            (Some((priority @ 1.., _)), true) => i64::from(priority),
            (found, true) => {
                let place = found.map_or(span, |(_, span)| span);
                let message = format!(
                    "table `{}` has ternary, range or optional keys: an entry needs a `priority` \
                     of 1 or more (the higher number wins)",
                    info.name
                );
                return fail(place, message);
            }
            (found, false) => {
                if let Some((_, span)) = found.filter(|(priority, _)| *priority > 0) {
                    let message = format!(
                        "table `{}` has exact and lpm keys only, so that `priority` decides nothing",
                        info.name
                    );
                    diagnostics.push(Diagnostic::warning(span, message));
                }
                0
            }
        };
        let answer = session.control.table_insert(index, NewEntry { keys, priority, target });
        session.accept(span, answer).map(|_| ())
    }

    fn keys(&self, info: &TableInfo) -> Result<Vec<KeyMatch>> {
        let names: Vec<&str> = info.keys.iter().map(|key| key.name.as_str()).collect();
        if let Some((name, _)) = self.keys.iter().find(|(name, _)| !names.contains(&&*name.text)) {
            return unknown(name, &format!("key of table `{}`", info.name), &names);
        }
        let one = |key: &KeyInfo| match self.keys.iter().find(|(name, _)| name.text == key.name) {
            Some((_, value)) => key_match(key, value),
            None => match anything(key) {
                Some(all) => Ok(all),
                None => fail(
                    self.table.span,
                    format!(
                        "`match` of an entry of table `{}` needs `{}` (exact)",
                        info.name, key.name
                    ),
                ),
            },
        };
        info.keys.iter().map(one).collect()
    }

    fn arguments(&self, action: &ActionInfo) -> Result<Vec<BigUint>> {
        let names: Vec<&str> = action.parameters.iter().map(|p| p.name.as_str()).collect();
        let is_other = |(name, _): &&(Word, Value)| !names.contains(&&*name.text);
        if let Some((name, _)) = self.parameters.iter().find(is_other) {
            return unknown(name, &format!("parameter of action `{}`", action.name), &names);
        }
        let one = |parameter: &ww_dataplane::control::ParameterInfo| {
            let found = self.parameters.iter().find(|(name, _)| name.text == parameter.name);
            let what = format!("parameter `{}` of action `{}`", parameter.name, action.name);
            match found {
                Some((_, value)) => read_value(value, parameter.width, &what),
                None => fail(
                    self.action.span,
                    format!("`action_params` needs {what} ({} bits)", parameter.width),
                ),
            }
        };
        action.parameters.iter().map(one).collect()
    }
}

fn unknown<T>(name: &Word, what: &str, known: &[&str]) -> Result<T> {
    let there = match known {
        [] => "it has none".to_owned(),
        known => format!("there are {}", known.join(", ")),
    };
    let message = format!("`{}` is no {what}: {there}", shorten(&name.text));
    let diagnostic = Diagnostic::error(name.span, message);
    Err(Box::new(match suggestion(&name.text, known.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }))
}

/// A number, or a string with a number or an address.
fn read_value(value: &Value, width: u32, what: &str) -> Result<BigUint> {
    let text = match &value.kind {
        Kind::Number(digits) => digits.clone(),
        Kind::Text(text) => text.clone(),
        Kind::Truth(truth) => truth.to_string(),
        other => {
            let found = other.described();
            return fail(
                value.span,
                format!("{what}: expected a number or a string, found {found}"),
            );
        }
    };
    parse_value(&text, width)
        .map_err(|problem| Box::new(Diagnostic::error(value.span, format!("{what} {problem}"))))
}

/// What a key that is not given matches; `None` for one that must be given.
fn anything(key: &KeyInfo) -> Option<KeyMatch> {
    let all = (BigUint::from(1u8) << key.width) - 1u8;
    Some(match key.kind {
        MatchKind::Exact | MatchKind::Selector => return None,
        MatchKind::Lpm => KeyMatch::Lpm { value: BigUint::ZERO, prefix_len: 0 },
        MatchKind::Ternary => KeyMatch::Ternary { value: BigUint::ZERO, mask: BigUint::ZERO },
        MatchKind::Range if key.signed => {
            let half = BigUint::from(1u8) << key.width.saturating_sub(1);
            KeyMatch::Range { low: half.clone(), high: half - 1u8 }
        }
        MatchKind::Range => KeyMatch::Range { low: BigUint::ZERO, high: all },
        MatchKind::Optional => KeyMatch::Optional(None),
    })
}

fn key_match(key: &KeyInfo, value: &Value) -> Result<KeyMatch> {
    let what = format!("key `{}` ({})", key.name, key.kind.name());
    let read = |value: &Value| read_value(value, key.width, &what);
    let pair = |form: &str| match &value.kind {
        Kind::List(list) if list.len() == 2 => Ok((&list[0], &list[1])),
        other => {
            fail(value.span, format!("{what} is written [{form}], found {}", other.described()))
        }
    };
    Ok(match key.kind {
        MatchKind::Exact | MatchKind::Selector => KeyMatch::Exact(read(value)?),
        MatchKind::Optional => KeyMatch::Optional(Some(read(value)?)),
        MatchKind::Lpm => {
            let (value, length) = pair("value, prefix length")?;
            let bits = match &length.kind {
                Kind::Number(digits) => number::small(digits),
                _ => None,
            };
            let Some(prefix_len) = bits.filter(|bits| *bits <= key.width) else {
                let found = length.kind.described();
                return fail(
                    length.span,
                    format!(
                        "{what}: expected a prefix length of 0 to {}, found {found}",
                        key.width
                    ),
                );
            };
            KeyMatch::Lpm { value: read(value)?, prefix_len }
        }
        MatchKind::Ternary => {
            let (value, mask) = pair("value, mask")?;
            KeyMatch::Ternary { value: read(value)?, mask: read(mask)? }
        }
        MatchKind::Range => {
            let (low, high) = pair("low, high")?;
            KeyMatch::Range { low: read(low)?, high: read(high)? }
        }
    })
}

/// The first multicast group that is not in use.
fn free_group(session: &mut Session, span: Span) -> Result<u16> {
    let groups = session.control.multicast().map_err(|e| at(span, e))?.groups;
    match (1..=u16::MAX).find(|group| !groups.contains_key(group)) {
        Some(group) => Ok(group),
        None => fail(span, "all 65535 multicast groups are in use"),
    }
}

/// Makes a group with a node for each instance, or nothing.
fn make_group(session: &mut Session, group: u16, span: Span, replicas: &[Replica]) -> Result<()> {
    let mut nodes: Vec<(u16, Span, Vec<u32>)> = Vec::new();
    for replica in replicas {
        match nodes.iter_mut().find(|(instance, ..)| *instance == replica.instance) {
            Some((.., ports)) => ports.push(replica.port),
            None => nodes.push((replica.instance, replica.span, vec![replica.port])),
        }
    }
    session.control.multicast_group_create(group).map_err(|e| at(span, e))?;
    let mut made = Vec::new();
    for (instance, span, ports) in nodes {
        let node = session.control.multicast_node_create(instance, ports);
        let added = node.and_then(|node| {
            made.push(node);
            session.control.multicast_node_associate(group, node)
        });
        if let Err(error) = added {
            for node in made {
                let _ = session.control.multicast_node_destroy(node);
            }
            let _ = session.control.multicast_group_destroy(group);
            return Err(at(span, error));
        }
    }
    Ok(())
}
