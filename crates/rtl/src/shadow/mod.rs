//! The shadow state of a design: what the control plane has asked for and hardware does not tell.
//!
//! Hardware does not remember what an entry looked like to the control plane, which handle it has,
//! or that a second one with the same key waits behind it. Requests are checked here by the rules
//! that all engines share. Entries and defaults are kept by code that no other engine uses, so that
//! a mistake shows when engines are compared; members, groups and value sets are `engine::objects`, as
//! in the others, and the program's own entries are read by engine jit's reader.

mod objects;
mod profiles;
mod table;
mod value_sets;

use num_bigint::BigUint;
use objects::PerCell;
use std::sync::Arc;
use table::Table;
use ww_dataplane::control::{ActionData, CounterValue, Error, MeterRates, Schema};
use ww_engine::arch::Unsupported;
use ww_engine::jit::control::initial_tables;
use ww_engine::objects::{Cells, Profile, ValueSet};
use ww_p4::ir::Program;

type Result<T> = std::result::Result<T, Error>;

/// The shadow state of a design.
pub struct Shadow {
    schema: Arc<Schema>,
    /// By [`ww_dataplane::control::TableIndex`].
    tables: Vec<Table>,
    /// By [`ww_dataplane::control::ProfileIndex`].
    profiles: Vec<Profile<ActionData>>,
    /// By [`ww_dataplane::control::ValueSetIndex`].
    value_sets: Vec<ValueSet>,
    /// By [`ww_dataplane::control::CounterIndex`].
    counters: Vec<PerCell<CounterValue>>,
    /// By [`ww_dataplane::control::MeterIndex`].
    meters: Vec<PerCell<Option<MeterRates>>>,
    /// What registers hold that are not in hardware, by [`ww_dataplane::control::RegisterIndex`].
    registers: Vec<Cells<BigUint>>,
}

impl Shadow {
    /// The shadow state of a program after loading.
    ///
    /// # Errors
    /// The program has what no engine takes.
    pub fn new(program: &Arc<Program>) -> std::result::Result<Self, Unsupported> {
        let schema = ww_engine::schema::of(program)?;
        let initial = initial_tables(program, &schema)?;
        let tables = schema.tables.iter().zip(initial);
        Ok(Self {
            tables: tables.map(|(info, initial)| Table::new(info, initial)).collect(),
            profiles: ww_engine::objects::profiles(&schema),
            value_sets: vec![ValueSet::default(); schema.value_sets.len()],
            counters: objects::counters(&schema),
            meters: objects::meters(&schema),
            registers: objects::registers(&schema),
            schema: Arc::new(schema),
        })
    }

    /// What the program offers.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Back to the state after loading.
    pub fn reset(&mut self) {
        self.tables.iter_mut().for_each(Table::reset);
        self.profiles = ww_engine::objects::profiles(&self.schema);
        self.value_sets.iter_mut().for_each(ValueSet::clear);
        self.counters = objects::counters(&self.schema);
        self.meters = objects::meters(&self.schema);
        self.registers = objects::registers(&self.schema);
    }
}

fn no_such(what: String) -> Error {
    Error::NoSuch { what }
}
