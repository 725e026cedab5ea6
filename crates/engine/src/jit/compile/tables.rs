//! The application of tables.

use super::control::{Endings, arrive};
use super::emitter::{Emitter, Known, Memory, Words};
use super::plan::{Data, Site};
use crate::jit::abi::{Context, CounterCell, RECORD_ARGUMENTS, RecordHead, TableView, flag};
use crate::jit::layout::{WORD, words};
use crate::jit::packet::{PacketHead, status};
use crate::jit::runtime::tables::{execute_direct_meter, resolve};
use crate::tables::native::KeyLayout;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use std::mem::offset_of;
use ww_dataplane::DropReason;
use ww_dataplane::control::{KeyInfo, Schema, TableIndex};
use ww_p4::pipeline::passes::lookup_groups;
use ww_p4::pipeline::{ControlGraph, FieldId, NodeKind, Table, TableId};

/// A table that is declared for fewer entries than these fits into the caches.
const FAR_ENTRIES: u64 = 4096;

/// Keys of up to so many bits may be positions in an array.
const ARRAY_BITS: u32 = 16;

/// Up to so many actions of a table are found by comparing, more by a table of jumps.
const COMPARED_ACTIONS: usize = 4;

/// What an application does about memory that is far.
pub enum Turn {
    /// It waits for its own.
    Alone,
    /// It waits, and has the memory of these tables brought near too.
    With(Vec<TableId>),
    /// Another one has waited for it.
    Taken,
}

/// The application of a table.
pub struct Application<'g> {
    /// The table.
    pub table: TableId,
    /// Takes whether an entry matched.
    pub hit: Option<FieldId>,
    /// Takes the position of the action.
    pub action_run: Option<FieldId>,
    /// What it does about memory that is far.
    pub turn: &'g Turn,
    /// Then.
    pub next: Block,
    /// Then, if the action ended with `exit`.
    pub exit: Block,
}

impl Emitter<'_, '_> {
    /// For each node of a graph what its application, if it is one, does about memory that is
    /// far. Tables whose keys are all there at one time share a turn.
    pub fn turns(&self, graph: &ControlGraph, schema: &Schema) -> Vec<Turn> {
        let mut turns: Vec<Turn> = graph.nodes.iter().map(|_| Turn::Alone).collect();
        if self.resumes.is_none() {
            return turns;
        }
        for group in lookup_groups(self.pipeline, graph) {
            let large = group.into_iter().filter_map(|node| {
                let NodeKind::Apply { table, .. } = graph.nodes[node.index()].kind else {
                    return None;
                };
                self.is_large(table, schema).then_some((node, table))
            });
            let large: Vec<_> = large.collect();
            let Some(((first, _), others)) = large.split_first() else { continue };
            turns[first.index()] = Turn::With(others.iter().map(|(_, table)| *table).collect());
            others.iter().for_each(|(node, _)| turns[node.index()] = Turn::Taken);
        }
        turns
    }

    /// Whether a table can be so large that its memory is far.
    fn is_large(&self, id: TableId, schema: &Schema) -> bool {
        let bits = self.plan.table(id).map_or(0, |n| KeyLayout::of(&schema[n].keys).bits);
        bits > ARRAY_BITS && self.pipeline[id].size.is_some_and(|size| size >= FAR_ENTRIES)
    }

    /// Applies a table and ends the block; gives what is known on the ways behind it.
    pub fn apply(&mut self, schema: &Schema, application: &Application<'_>) -> Endings {
        let Application { table: id, hit, action_run, turn, next, exit } = *application;
        let mut endings = Endings::default();
        let pipeline = self.pipeline;
        let table = &pipeline[id];
        let Some(info) = self.plan.table(id).map(|index| &schema[index]) else {
            self.jump(next);
            endings.end = Some(std::mem::take(&mut self.known));
            return endings;
        };
        let record = self.look_up(id, schema, &info.keys, turn);
        let found = record;
        let (record, is_hit) = match info.profile {
            None => {
                let flags =
                    self.load_sized(Memory::Tables, record, offset_of!(RecordHead, flags), 4);
                (record, self.b.ins().band_imm_u(flags, i64::from(flag::HIT)))
            }
            Some(_) => {
                let resolved = self.resolve(id, table, record, schema);
                let is_hit = self.b.ins().band_imm_u(resolved, 1);
                (self.b.ins().bxor(resolved, is_hit), is_hit)
            }
        };
        if info.counter.is_some() || self.plan.tcpu {
            self.count_entry(found, is_hit, info.profile.is_some());
        }
        if let Some(index) = self.plan.table(id)
            && self.plan.tcpu
        {
            self.note(index, found, is_hit);
        }
        if let Some(meter) = info.meter {
            self.plan.ordered = true;
            let zero = self.word(0);
            let entry = self.b.ins().select(is_hit, found, zero);
            let meter = self.word(u64::from(meter.0));
            self.run(execute_direct_meter as *const u8, &[self.context, self.memory, meter, entry]);
        }
        let action = self.load_sized(Memory::Tables, record, offset_of!(RecordHead, action), 4);
        if let Some(hit) = hit {
            self.set_field(hit, &[is_hit]);
        }
        if let Some(run) = action_run {
            self.set_field(run, &[action]);
        }
        if table.actions.is_empty() {
            self.jump(next);
            endings.end = Some(std::mem::take(&mut self.known));
            return endings;
        }
        let before = self.known.clone();
        let (targets, beyond) = self.dispatch_action(action, table.actions.len());
        for (listed, target) in table.actions.iter().zip(targets) {
            self.enter(target, before.clone());
            if self.is_full() {
                self.give(status::DONE);
                continue;
            }
            self.action_data(record, &pipeline[listed.action].parameters);
            let ways = self.graph(&pipeline[listed.action].body, schema, next, exit);
            arrive(&mut endings.end, ways.end);
            arrive(&mut endings.exit, ways.exit);
        }
        self.b.switch_to_block(beyond);
        let fault = self.lost(DropReason::Fault);
        self.jump(fault);
        endings
    }

    /// Goes to one of `count` new blocks by the number of an action. Most packets of a table run
    /// one of its first actions.
    fn dispatch_action(&mut self, action: Value, count: usize) -> (Vec<Block>, Block) {
        if count > COMPARED_ACTIONS {
            return self.dispatch_word(action, count);
        }
        let targets: Vec<Block> = (0..count).map(|_| self.b.create_block()).collect();
        for (n, target) in targets.iter().enumerate() {
            let next = self.b.create_block();
            let number = self.word(n as u64);
            let here = self.b.ins().icmp(IntCC::Equal, action, number);
            self.b.ins().brif(here, *target, &[], next, &[]);
            self.b.switch_to_block(next);
        }
        let beyond = self.b.create_block();
        self.jump(beyond);
        (targets, beyond)
    }

    /// The address of the record that a packet gets.
    fn look_up(&mut self, id: TableId, schema: &Schema, keys: &[KeyInfo], turn: &Turn) -> Value {
        let tables = self.tables;
        let view = id.index() * size_of::<TableView>();
        if keys.is_empty() {
            let records = self.load(Memory::Tables, tables, view + offset_of!(TableView, records));
            return self.load(Memory::Tables, records, 0);
        }
        let layout = KeyLayout::of(keys);
        let key = self.store_key(id, &layout, 0);
        if self.is_large(id, schema) {
            match turn {
                Turn::Alone => self.wait(id, &[], schema),
                Turn::With(others) => self.wait(id, others, schema),
                Turn::Taken => {}
            }
        }
        let number = match layout.bits {
            0..=ARRAY_BITS => self.look_up_array(view, key[0]),
            _ => self.call_lookup(view),
        };
        let records = self.load(Memory::Tables, tables, view + offset_of!(TableView, records));
        let offset = self.b.ins().ishl_imm_u(number, 3);
        let at = self.b.ins().iadd(records, offset);
        self.load(Memory::Tables, at, 0)
    }

    /// Finds the number of the target in an array; tables with few bits of key are one, unless
    /// the program has entries that match anything.
    fn look_up_array(&mut self, view: usize, key: Value) -> Value {
        let array = self.load(Memory::Tables, self.tables, view + offset_of!(TableView, array));
        let (inline, called, after) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let number = self.b.append_block_param(after, types::I64);
        self.b.ins().brif(array, inline, &[], called, &[]);
        self.b.switch_to_block(called);
        self.b.set_cold_block(called);
        let slow = self.call_lookup(view);
        self.b.ins().jump(after, &[slow.into()]);
        self.b.switch_to_block(inline);
        let offset = self.b.ins().ishl_imm_u(key, 2);
        let at = self.b.ins().iadd(array, offset);
        let fast = self.load_sized(Memory::Tables, at, 0, 4);
        self.b.ins().jump(after, &[fast.into()]);
        self.b.switch_to_block(after);
        number
    }

    /// Calls the table's function with the key in the scratch area.
    fn call_lookup(&mut self, view: usize) -> Value {
        let index = self.load(Memory::Tables, self.tables, view + offset_of!(TableView, index));
        let function = self.load(Memory::Tables, self.tables, view + offset_of!(TableView, lookup));
        let row = self.scratch(0);
        let signature = self.signature(2, Some(types::I32));
        let call = self.b.ins().call_indirect(signature, function, &[index, row]);
        let number = self.b.inst_results(call)[0];
        self.b.ins().uextend(types::I64, number)
    }

    /// If a table is large, has the memory that the lookup of the key in the scratch area needs
    /// brought near, and leaves the function so that other packets can use the time; with it the
    /// memory of other tables whose keys are there already.
    fn wait(&mut self, id: TableId, others: &[TableId], schema: &Schema) {
        let Some(number) = self.resumes.as_ref().map(Vec::len) else { return };
        let (leave, go) = (self.b.create_block(), self.b.create_block());
        let all: Vec<TableId> = std::iter::once(id).chain(others.iter().copied()).collect();
        let far: Vec<Value> =
            all.iter().map(|id| self.view_word(*id, offset_of!(TableView, far))).collect();
        let any = self.any(&far);
        self.b.ins().brif(any, leave, &[], go, &[]);
        self.b.switch_to_block(leave);
        let mut row = 0;
        for (id, far) in all.into_iter().zip(far) {
            let layout = self.plan.table(id).map(|n| KeyLayout::of(&schema[n].keys));
            let Some(layout) = layout else { continue };
            if row > 0 {
                self.store_key(id, &layout, row);
            }
            self.when(far, |e| {
                let function = e.view_word(id, offset_of!(TableView, prefetch));
                let index = e.view_word(id, offset_of!(TableView, index));
                let key = e.scratch(row);
                let signature = e.signature(2, None);
                e.b.ins().call_indirect(signature, function, &[index, key]);
            });
            row += words(layout.bits.into());
        }
        let number = self.word(number as u64 + 1);
        self.set_head(offset_of!(PacketHead, resume), 4, number);
        self.give(status::WAIT);
        if let Some(resumes) = &mut self.resumes {
            resumes.push(go);
        }
        // Packets that come back have nothing in registers.
        self.enter(go, Known::new());
    }

    /// Loads a word of a table's view.
    fn view_word(&mut self, id: TableId, offset: usize) -> Value {
        self.load(Memory::Tables, self.tables, id.index() * size_of::<TableView>() + offset)
    }

    /// Puts the key of a table into the scratch area.
    fn store_key(&mut self, id: TableId, layout: &KeyLayout, row: usize) -> Words {
        let key = self.key(&self.pipeline[id], &layout.order);
        self.plan.need_scratch(row + words(key.1.into()));
        self.set_scratch(row, &key.0);
        key.0
    }

    /// The keys in the order of the layout as one row of words, and its bits.
    fn key(&mut self, table: &Table, order: &[usize]) -> (Words, u32) {
        let matched: Vec<_> =
            table.keys.iter().filter(|key| &*key.match_kind != "selector").collect();
        let mut row = Vec::new();
        let mut bits = 0;
        for key in order.iter().filter_map(|n| matched.get(*n)) {
            let value = self.field(key.field);
            let width = self.pipeline[key.field].width;
            let of = width.max(key.width);
            let wide = self.extend(&value, width, of, false);
            let value = self.slice(&wide, of, 0, key.width);
            row.push((value, key.width));
            bits += key.width;
        }
        // Of the words of a row the lowest comes first; the highest may have fewer bits.
        let words = (0..words(bits.into()) as u32)
            .map(|n| {
                let end = bits.saturating_sub(n * WORD);
                let width = end.min(WORD);
                self.row_part(&row, u64::from(end - width), width)
            })
            .collect();
        (words, bits)
    }

    /// The address of the record of the member that an entry refers to, or that the selector
    /// chooses; plus one if the entry hits.
    fn resolve(&mut self, id: TableId, table: &Table, record: Value, schema: &Schema) -> Value {
        let info = self.plan.table(id).map(|index| &schema[index]);
        let profile = info.and_then(|info| info.profile).map(|p| &schema[p]);
        let algorithm = profile.and_then(|p| p.selector.as_ref());
        let algorithm = algorithm.map_or_else(String::new, |(name, _)| name.clone());
        self.plan.draws |= algorithm == "random";
        let row: Vec<_> = table
            .keys
            .iter()
            .filter(|key| &*key.match_kind == "selector")
            .map(|key| (self.field(key.field), key.width))
            .collect();
        let bits: u64 = row.iter().map(|(_, width)| u64::from(*width)).sum();
        let count = words(bits);
        self.plan.need_scratch(count);
        let bytes: Vec<Value> =
            (0..count as u64).map(|n| self.row_part(&row, n * 64, 64)).collect();
        for (n, chunk) in bytes.into_iter().enumerate() {
            let swapped = self.b.ins().bswap(chunk);
            self.set_scratch(n, &[swapped]);
        }
        let site = Site {
            span: table.span,
            behind_ingress: self.behind_ingress,
            algorithm,
            data: Data::default(),
            with_payload: false,
            widths: Vec::new(),
        };
        let site = self.plan.site(site);
        let (site, table) = (self.word(site), self.word(u64::from(id.0)));
        let (row, length) = (self.scratch(0), self.word(bits.div_ceil(8)));
        self.call(
            resolve as *const u8,
            &[self.context, self.memory, site, table, record, row, length],
        )
    }

    /// Notes for the TCPU what a table did with the packet.
    fn note(&mut self, table: TableIndex, entry: Value, is_hit: Value) {
        let seen = self.load(Memory::Tables, self.context, offset_of!(Context, seen));
        let place = table.index() * size_of::<[CounterCell; 2]>();
        let cell = self.b.ins().iadd_imm_u(seen, place as i64);
        self.count_packet(cell);
        let offset = self.layout.matched.start + table.index() * 8;
        self.when(is_hit, |e| {
            let cell = e.b.ins().iadd_imm_u(cell, size_of::<CounterCell>() as i64);
            e.count_packet(cell);
            e.set_head(offset, 8, entry);
        });
    }

    /// Adds the packet to the counter of the entry.
    fn count_entry(&mut self, entry: Value, is_hit: Value, resolved: bool) {
        let cells = self.load(Memory::Tables, entry, offset_of!(RecordHead, counter));
        let cells = if resolved {
            let zero = self.word(0);
            self.b.ins().select(is_hit, cells, zero)
        } else {
            cells
        };
        self.when(cells, |e| {
            let offset = e.load(Memory::Tables, e.context, offset_of!(Context, own_cell));
            let cell = e.b.ins().iadd(cells, offset);
            e.count_packet(cell);
        });
    }

    /// Adds the packet to a counter.
    pub fn count_packet(&mut self, cell: Value) {
        let length = self.length;
        let one = self.word(1);
        for (offset, amount) in
            [(offset_of!(CounterCell, packets), one), (offset_of!(CounterCell, bytes), length)]
        {
            let old = self.load(Memory::Counters, cell, offset);
            let new = self.b.ins().iadd(old, amount);
            self.store_sized(Memory::Counters, cell, offset, 8, new);
        }
    }

    /// Copies a record's arguments into the fields of an action's parameters.
    fn action_data(&mut self, record: Value, parameters: &[ww_p4::pipeline::ActionParameter]) {
        let mut word = 0;
        for parameter in parameters {
            let count = words(u64::from(parameter.width));
            let value: Words = (0..count)
                .map(|n| self.load(Memory::Tables, record, RECORD_ARGUMENTS + (word + n) * 8))
                .collect();
            word += count;
            let mut low = 0;
            for field in parameter.fields.iter().rev() {
                let width = self.pipeline[*field].width;
                let part = self.slice(&value, parameter.width, low, width);
                self.set_field(*field, &part);
                low += width;
            }
        }
    }
}
