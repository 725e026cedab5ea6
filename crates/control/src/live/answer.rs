//! Answers to requests that only read.

use super::ledger::Ledger;
use super::plane::{Current, Plane};
use super::protocol::{Handle, Keys, Request, VERSION};
use super::queues::port_queues;
use super::{Replaceable, resolve, values};
use serde_json::{Map, Value, json};
use ww_dataplane::control::{
    ActionInfo, Control, CounterValue, EntryHandle, EntryView, Error, Schema, TableIndex,
    TableInfo, Target,
};

/// Entries (and cells) in one line of an answer; longer ones come in several.
const PER_LINE: usize = 500;

/// Takes the lines of an answer; the flag says whether more follow.
pub(super) type Emit<'a> = &'a mut dyn FnMut(Value, bool) -> Result<()>;

type Result<T> = std::result::Result<T, String>;

fn words(error: Error) -> String {
    error.to_string()
}

fn key_list(keys: &[ww_dataplane::control::KeyInfo]) -> Value {
    let one = |k: &ww_dataplane::control::KeyInfo| json!({ "name": k.name, "match": k.kind.name(), "width": k.width });
    keys.iter().map(one).collect()
}

fn action_list(actions: &[ActionInfo]) -> Value {
    let one = |a: &ActionInfo| {
        let parameter =
            |p: &ww_dataplane::control::ParameterInfo| json!({ "name": p.name, "width": p.width });
        let parameters: Vec<Value> = a.parameters.iter().map(parameter).collect();
        json!({
            "name": a.name,
            "parameters": parameters,
            "default_only": a.default_only,
            "table_only": a.table_only,
        })
    };
    actions.iter().map(one).collect()
}

/// Everything that the program offers.
fn schema(schema: &Schema) -> Value {
    let table = |t: &TableInfo| {
        json!({
            "name": t.name,
            "keys": key_list(&t.keys),
            "actions": action_list(&t.actions),
            "size": t.size,
            "priorities": t.has_priorities(),
            "const_entries": t.const_entries,
            "const_default": t.const_default,
            "profile": t.profile.map(|p| schema[p].name.as_str()),
            "counter": t.counter.map(|c| schema[c].name.as_str()),
            "meter": t.meter.map(|m| schema[m].name.as_str()),
        })
    };
    let table_name = |t: Option<TableIndex>| t.map(|t| schema[t].name.clone());
    let tables: Vec<Value> = schema.tables.iter().map(table).collect();
    let profiles: Vec<Value> = schema
        .profiles
        .iter()
        .map(|p| {
            let actions = action_list(&p.actions);
            json!({ "name": p.name, "size": p.size, "selector": p.selector.is_some(), "actions": actions })
        })
        .collect();
    let counters: Vec<Value> = schema
        .counters
        .iter()
        .map(|c| json!({ "name": c.name, "size": c.size, "direct": c.is_direct, "table": table_name(c.table) }))
        .collect();
    let meters: Vec<Value> = schema
        .meters
        .iter()
        .map(|m| {
            let unit = if m.bytes { "bytes" } else { "packets" };
            json!({
                "name": m.name,
                "size": m.size,
                "unit": unit,
                "direct": m.is_direct,
                "table": table_name(m.table),
            })
        })
        .collect();
    let registers: Vec<Value> = schema
        .registers
        .iter()
        .map(|r| json!({ "name": r.name, "size": r.size, "width": r.width }))
        .collect();
    let value_sets: Vec<Value> = schema
        .value_sets
        .iter()
        .map(|v| json!({ "name": v.name, "size": v.size, "keys": key_list(&v.keys) }))
        .collect();
    json!({
        "tables": tables,
        "profiles": profiles,
        "counters": counters,
        "meters": meters,
        "registers": registers,
        "value_sets": value_sets,
        "digests": schema.digests,
    })
}

fn entry_json(info: &TableInfo, view: &EntryView, counted: Option<&CounterValue>) -> Value {
    let mut object = Map::from_iter([
        ("handle".to_owned(), view.handle.0.into()),
        ("keys".to_owned(), values::keys_json(&info.keys, &view.entry.keys)),
    ]);
    if info.has_priorities() {
        object.insert("priority".to_owned(), view.entry.priority.into());
    }
    object.extend(values::target_json(&info.actions, &view.entry.target));
    object.insert("const".to_owned(), view.is_const.into());
    if let Some(CounterValue { packets, bytes }) = counted {
        object.insert("packets".to_owned(), (*packets).into());
        object.insert("bytes".to_owned(), (*bytes).into());
    }
    Value::Object(object)
}

fn default_json(info: &TableInfo, target: &Target) -> Value {
    Value::Object(values::target_json(&info.actions, target))
}

/// All entries as of one moment, then the default action.
fn entries<C: Replaceable>(
    plane: &Plane<C>,
    current: &Current,
    name: &str,
    counters: bool,
    emit: Emit<'_>,
) -> Result<()> {
    let table = current.schema.table(name).map_err(words)?;
    let info = &current.schema[table];
    let (views, counted, default) = {
        let mut ledger = plane.ledger_of(current)?;
        let views = ledger.table_entries(table).map_err(words)?;
        let mut counted = Vec::new();
        if let Some(counter) = info.counter.filter(|_| counters) {
            for view in &views {
                counted.push(ledger.counter_read(counter, view.handle.0).map_err(words)?);
            }
        }
        let default = ledger.table_default(table).map_err(words)?;
        (views, counted, default)
    };
    let count = views.len();
    for (n, chunk) in views.chunks(PER_LINE).enumerate() {
        let one = |(k, view)| entry_json(info, view, counted.get(n * PER_LINE + k));
        let list: Vec<Value> = chunk.iter().enumerate().map(one).collect();
        emit(json!({ "entries": list }), true)?;
    }
    let default = default_json(info, &default);
    emit(
        json!({ "table": info.name, "count": count, "size": info.size, "default": default }),
        false,
    )
}

fn one_entry<C: Replaceable>(
    plane: &Plane<C>,
    current: &Current,
    name: &str,
    handle: Option<u64>,
    keys: Option<&Keys>,
    priority: Option<i64>,
) -> Result<Value> {
    let table = current.schema.table(name).map_err(words)?;
    let info = &current.schema[table];
    let entry = resolve::entry(info, handle.map(Handle::Number), keys, priority)?;
    let mut ledger = plane.ledger_of(current)?;
    let handle: EntryHandle = entry.find(&mut *ledger, table, &[])?;
    let view = ledger.table_entry(table, handle).map_err(words)?;
    let view =
        view.ok_or_else(|| format!("there is no entry {} of table `{}`", handle.0, info.name))?;
    let counter = info.counter.map(|counter| ledger.counter_read(counter, handle.0));
    Ok(entry_json(info, &view, counter.transpose().map_err(words)?.as_ref()))
}

/// The cells `index`, or all: handles of entries for direct objects.
fn cells<C: Control>(
    ledger: &mut Ledger<C>,
    index: Option<u64>,
    table: Option<TableIndex>,
    size: u64,
) -> Result<Box<dyn Iterator<Item = u64>>> {
    match (index, table) {
        (Some(index), _) => Ok(Box::new(std::iter::once(index))),
        (None, Some(table)) => {
            let entries = ledger.table_entries(table).map_err(words)?;
            Ok(Box::new(entries.into_iter().map(|view| view.handle.0)))
        }
        (None, None) if size > MOST_CELLS => {
            Err(format!("{size} cells are too many for one answer; ask for single ones by `index`"))
        }
        (None, None) => Ok(Box::new(0..size)),
    }
}

/// Sends what `read` has of each cell, line by line: cells are read while the lines before are on
/// their way, so that a long list takes no more memory than a line.
fn emit_cells<C: Replaceable>(
    plane: &Plane<C>,
    current: &Current,
    (cells, is_list): (Box<dyn Iterator<Item = u64>>, bool),
    read: impl Fn(&mut Ledger<C>, u64) -> std::result::Result<Value, Error>,
    emit: Emit<'_>,
) -> Result<()> {
    let mut cells = cells.peekable();
    loop {
        let chunk = {
            let mut ledger = plane.ledger_of(current)?;
            let read = |cell| match read(&mut ledger, cell) {
                // An entry that was removed since the list began.
                Err(Error::NoSuch { .. }) if is_list => None,
                found => Some(found.map_err(words)),
            };
            cells.by_ref().take(PER_LINE).filter_map(read).collect::<Result<Vec<Value>>>()?
        };
        let more = cells.peek().is_some();
        emit(json!({ "cells": chunk }), more)?;
        if !more {
            return Ok(());
        }
    }
}

/// Most cells in one answer.
const MOST_CELLS: u64 = 1 << 20;

/// Sends a list in lines of bearable length.
fn emit_list(name: &str, list: impl IntoIterator<Item = Value>, emit: Emit<'_>) -> Result<()> {
    let mut list = list.into_iter().peekable();
    loop {
        let chunk: Vec<Value> = list.by_ref().take(PER_LINE).collect();
        let more = list.peek().is_some();
        emit(json!({ name: chunk }), more)?;
        if !more {
            return Ok(());
        }
    }
}

/// Answers a request that only reads.
pub(super) fn answer<C: Replaceable>(
    plane: &Plane<C>,
    request: Request,
    emit: Emit<'_>,
) -> Result<()> {
    let current = plane.current();
    let current = &*current;
    match request {
        Request::Hello { version } => {
            if let Some(version) = version.filter(|version| *version != VERSION) {
                return Err(format!("this is version {VERSION} of the protocol, not {version}"));
            }
            let name = concat!("wirewright ", env!("CARGO_PKG_VERSION"));
            emit(json!({ "server": name, "version": VERSION, "program": current.program }), false)
        }
        Request::Schema {} => emit(schema(&current.schema), false),
        Request::Generation {} => {
            let (generation, changes) = {
                let mut ledger = plane.ledger_of(current)?;
                (ledger.generation().map_err(words)?, ledger.changes())
            };
            let answer = json!({
                "generation": generation,
                "changes": changes,
                "loads": current.epoch,
                "program": current.program,
            });
            emit(answer, false)
        }
        Request::Ports {} => match plane.ports() {
            Some(ports) => emit(json!({ "ports": ports }), false),
            None => Err("the ports of this dataplane have no counters to read".to_owned()),
        },
        Request::Queues {} => {
            let queues = plane.ledger_of(current)?.queue_statistics().map_err(words)?;
            let ports: Vec<Value> = queues.ports.iter().map(port_queues).collect();
            emit(json!({ "queues": ports, "queues_beyond": queues.beyond }), false)
        }
        Request::TppRead { addresses } => {
            let values = plane.ledger_of(current)?.tpp_read(addresses).map_err(words)?;
            emit(json!({ "values": values }), false)
        }
        Request::TppWrite { address, value } => {
            plane.ledger_of(current)?.tpp_write(address, value).map_err(words)?;
            emit(json!({}), false)
        }
        Request::TableEntries { table, counters } => {
            entries(plane, current, &table, counters, emit)
        }
        Request::TableEntry { table, handle, keys, priority } => {
            emit(one_entry(plane, current, &table, handle, keys.as_ref(), priority)?, false)
        }
        Request::TableDefault { table } => {
            let index = current.schema.table(&table).map_err(words)?;
            let default = plane.ledger_of(current)?.table_default(index).map_err(words)?;
            emit(default_json(&current.schema[index], &default), false)
        }
        Request::Members { profile } => {
            let index = current.schema.profile(&profile).map_err(words)?;
            let actions = &current.schema[index].actions;
            let list = {
                let ledger = plane.ledger_of(current)?;
                let members = ledger.profile(index).map(|book| book.members.clone());
                members.unwrap_or_default()
            };
            let one = |(handle, data): (u32, ww_dataplane::control::ActionData)| {
                let mut object = Map::from_iter([("handle".to_owned(), handle.into())]);
                object.extend(values::target_json(actions, &Target::Action(data)));
                Value::Object(object)
            };
            emit_list("members", list.into_iter().map(one), emit)
        }
        Request::Groups { profile } => {
            let index = current.schema.profile(&profile).map_err(words)?;
            let ledger = plane.ledger_of(current)?;
            let groups = ledger.profile(index).map(|book| book.groups.clone()).unwrap_or_default();
            drop(ledger);
            let one = |(handle, members)| json!({ "handle": handle, "members": members });
            emit_list("groups", groups.into_iter().map(one), emit)
        }
        Request::RegisterRead { register, index } => {
            let id = current.schema.register(&register).map_err(words)?;
            let info = &current.schema[id];
            let mut ledger = plane.ledger_of(current)?;
            let list = match index {
                Some(index) => vec![(index, ledger.register_read(id, index).map_err(words)?)],
                None => (0..).zip(ledger.register_read_all(id).map_err(words)?).collect(),
            };
            drop(ledger);
            let one = |(index, value): (u64, num_bigint::BigUint)| json!({ "register": info.name, "index": index, "value": values::hex(&value) });
            emit_list("cells", list.into_iter().map(one), emit)
        }
        Request::CounterRead { counter, index } => {
            let id = current.schema.counter(&counter).map_err(words)?;
            let info = &current.schema[id];
            let table = info.table.filter(|_| info.is_direct);
            let list = cells(&mut *plane.ledger_of(current)?, index, table, info.size)?;
            let read = |ledger: &mut Ledger<C>, cell| {
                let CounterValue { packets, bytes } = ledger.counter_read(id, cell)?;
                Ok(json!({
                    "counter": info.name, "index": cell, "packets": packets, "bytes": bytes,
                }))
            };
            emit_cells(plane, current, (list, index.is_none()), read, emit)
        }
        Request::MeterRead { meter, index } => {
            let id = current.schema.meter(&meter).map_err(words)?;
            let info = &current.schema[id];
            let table = info.table.filter(|_| info.is_direct);
            let list = cells(&mut *plane.ledger_of(current)?, index, table, info.size)?;
            let read = |ledger: &mut Ledger<C>, cell| {
                let rates = ledger.meter_rates(id, cell)?;
                Ok(json!({
                    "meter": info.name, "index": cell, "rates": values::rates_json(rates),
                }))
            };
            emit_cells(plane, current, (list, index.is_none()), read, emit)
        }
        Request::ValueSetMembers { value_set } => {
            let id = current.schema.value_set(&value_set).map_err(words)?;
            let members = plane.ledger_of(current)?.value_set(id).to_vec();
            let keys = &current.schema[id].keys;
            let list = members.iter().map(|member| values::keys_json(keys, member));
            emit_list("members", list, emit)
        }
        Request::Mirrors {} => {
            let list: Vec<_> = plane.ledger_of(current)?.mirrors().collect();
            let one = |(session, to): (u32, ww_dataplane::control::MirrorSession)| {
                json!({
                    "session": session, "port": to.port, "group": to.group, "truncate": to.truncate,
                })
            };
            emit_list("mirrors", list.into_iter().map(one), emit)
        }
        Request::MulticastGroups {} => {
            let groups = plane.ledger_of(current)?.multicast().groups.clone();
            let one = |(group, nodes)| json!({ "group": group, "nodes": nodes });
            emit_list("groups", groups.into_iter().map(one), emit)
        }
        Request::MulticastNodes {} => {
            let nodes = plane.ledger_of(current)?.multicast().nodes.clone();
            let one = |(handle, node): (u32, super::MulticastNode)| {
                json!({
                    "handle": handle,
                    "replication_id": node.replication_id,
                    "ports": node.ports,
                    "group": node.group,
                })
            };
            emit_list("nodes", nodes.into_iter().map(one), emit)
        }
        // The connection answers these, which need its state.
        Request::Stop {}
        | Request::Transaction { .. }
        | Request::Begin {}
        | Request::Commit {}
        | Request::Abort {}
        | Request::Script { .. }
        | Request::Digests { .. }
        | Request::Load(_) => Err("this request has no answer of its own".to_owned()),
    }
}
