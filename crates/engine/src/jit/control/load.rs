//! The state after loading.

use super::batch::{Batch, Other};
use super::counters::Bases;
use super::generation::{Generation, Profile as SeenProfile, Table, Told};
use super::records::{Content, Heap, Records, argument_words};
use super::targets::initial_content;
use super::{JitControl, Memory, Objects, Reader, swap};
use crate::arch::Unsupported;
use crate::objects::{Replication, ValueSet, profiles};
use crate::tables::native::{EntryStore, TableIndex as Index};
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use ww_dataplane::control::{MatchKind, ProfileIndex, Schema, TableIndex, TableInfo};
use ww_p4::ir::Program;
use ww_p4::pipeline::{Pipeline, Table as PipelineTable};
use ww_packet::hash::Hash;

impl JitControl {
    /// The state of a program after loading, and a reader for each of so many workers.
    ///
    /// `schema` is the program's, and `pipeline` was lowered from it. An error names what needs
    /// more memory than there is.
    pub fn new(
        program: &Arc<Program>,
        pipeline: &Arc<Pipeline>,
        schema: Schema,
        workers: usize,
        tcpu: bool,
    ) -> Result<(JitControl, Vec<Reader>, Arc<Objects>), Unsupported> {
        let ids = by_id(pipeline, &schema)?;
        let initial = super::initial::tables(program, pipeline, &schema, &ids)?;
        let objects = Arc::new(Objects::new(program, &schema, workers)?);
        let bases = schema.counters.iter().map(Bases::new).collect();

        let mut heap = Heap::new(workers);
        let null = std::ptr::null_mut();
        let (mut records, mut defaults) = (Vec::new(), Vec::new());
        for (info, table) in schema.tables.iter().zip(&initial) {
            let default: Content = initial_content(info, &table.default);
            let words = info
                .actions
                .iter()
                .map(|a| a.parameters.iter().map(|p| argument_words(p.width)).sum());
            let (counts, meters) = (tcpu || info.counter.is_some(), info.meter.is_some());
            defaults.push(heap.record(&default, null, null.cast()));
            records.push(Records::new(&mut heap, words.collect(), &default, counts, meters));
        }
        let tables =
            |p: &ww_dataplane::control::ProfileInfo| p.tables.iter().map(|t| t.index()).collect();
        let memory = Memory {
            heap,
            records,
            initial: defaults,
            profiles: profiles(&schema),
            profile_tables: schema.profiles.iter().map(tables).collect(),
        };
        let stores: Vec<EntryStore> =
            schema.tables.iter().map(|info| EntryStore::new(&info.keys, info.size)).collect();
        let generation = || first_generation(&schema, &ids, &memory, &stores);
        let (writer, readers) = swap::new(generation(), generation(), workers);
        let count = schema.tables.len();
        let mut control = JitControl {
            value_sets: vec![ValueSet::default(); schema.value_sets.len()],
            schema: Arc::new(schema),
            objects: objects.clone(),
            writer,
            memory: ManuallyDrop::new(memory),
            stores,
            replication: Replication::default(),
            bases,
            initial,
            pending: Batch::new(count),
            lagging: Batch::new(count),
            number: 0,
            is_held: false,
            told: Vec::new(),
        };
        (0..count).for_each(|table| control.fill_table(table));
        if tcpu {
            control.tell_all();
        }
        control.publish();
        control.settle();
        Ok((control, readers, objects))
    }

    /// Has a TCPU know all tables from now on.
    fn tell_all(&mut self) {
        for (table, store) in self.stores.iter().enumerate() {
            let told = Told { version: 0, entries: store.len() as u32 };
            self.told.push(told);
            self.pending.other(Other::Told { table, told });
        }
    }
}

/// Positions in the schema of what the pipeline numbers in its own way.
pub(super) struct Ids {
    /// By table of the pipeline.
    pub tables: Vec<usize>,
    value_sets: Vec<usize>,
}

pub(super) fn by_id(pipeline: &Pipeline, schema: &Schema) -> Result<Ids, Unsupported> {
    let other = |name: &str| {
        Unsupported::new(format!("`{name}`: the pipeline and the schema are of different programs"))
    };
    let table = |table: &PipelineTable| {
        let (instance, id) = table.source;
        let found = schema.tables.iter().position(|t| t.instance == instance.0 && t.table == id.0);
        let found = found.filter(|&n| is_same(pipeline, table, &schema.tables[n]));
        found.ok_or_else(|| other(&table.name))
    };
    let set = |set: &ww_p4::pipeline::ValueSet| {
        let (instance, var) = set.source;
        let sets = &schema.value_sets;
        let found = sets.iter().position(|s| s.instance == instance.0 && s.variable == var.0);
        found.ok_or_else(|| other(&set.name))
    };
    Ok(Ids {
        tables: pipeline.tables.iter().map(table).collect::<Result<_, _>>()?,
        value_sets: pipeline.value_sets.iter().map(set).collect::<Result<_, _>>()?,
    })
}

/// Whether keys and the actions' parameters are the same ones on both sides.
fn is_same(pipeline: &Pipeline, table: &PipelineTable, info: &TableInfo) -> bool {
    let selector = MatchKind::Selector.name();
    let keys = table.keys.iter().filter(|k| &*k.match_kind != selector).map(|k| k.width);
    let actions = table.actions.iter().map(|a| &pipeline[a.action].parameters);
    keys.eq(info.keys.iter().map(|k| k.width))
        && table.actions.len() == info.actions.len()
        && actions.zip(&info.actions).all(|(parameters, action)| {
            parameters.iter().map(|p| p.width).eq(action.parameters.iter().map(|p| p.width))
        })
}

/// A generation with empty tables.
fn first_generation(
    schema: &Schema,
    ids: &Ids,
    memory: &Memory,
    stores: &[EntryStore],
) -> Generation {
    let place = |table: usize, profile: ProfileIndex| {
        let tables = &schema[profile].tables;
        tables.iter().position(|t| *t == TableIndex(table as u32)).map(|n| (profile, n))
    };
    let tables: Vec<Table> = schema
        .tables
        .iter()
        .enumerate()
        .map(|(n, info)| Table {
            index: (!info.keys.is_empty()).then(|| Index::new(&stores[n])),
            records: vec![memory.initial[n]],
            initial: memory.initial[n],
            profile: info.profile.and_then(|profile| place(n, profile)),
        })
        .collect();
    let mut view_of = vec![None; tables.len()];
    for (view, &table) in ids.tables.iter().enumerate() {
        view_of[table] = Some(view);
    }
    let profile = |info: &ww_dataplane::control::ProfileInfo| SeenProfile {
        members: HashMap::new(),
        groups: HashMap::new(),
        width: info.selector.as_ref().map_or(0, |(_, width)| *width),
    };
    Generation {
        number: 0,
        views: ids.tables.iter().map(|&table| tables[table].view()).collect(),
        replication: Replication::default(),
        crc16_custom: Hash::crc16_custom(),
        crc32_custom: Hash::crc32_custom(),
        by_id: ids.tables.clone(),
        view_of,
        tables,
        told: vec![Told::default(); schema.tables.len()],
        profiles: schema.profiles.iter().map(profile).collect(),
        value_sets: vec![Vec::new(); schema.value_sets.len()],
        set_by_id: ids.value_sets.clone(),
    }
}
