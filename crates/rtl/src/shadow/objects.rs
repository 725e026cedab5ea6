//! Counters, meters and registers: which cells there are, what hardware does not tell of them
//! (rates), and what those hold that no packet meets and that are not in hardware.

use super::table::Table;
use super::{Result, Shadow, no_such};
use num_bigint::BigUint;
use std::collections::HashMap;
use ww_dataplane::control::{
    CounterIndex, CounterValue, MeterIndex, MeterRates, RegisterIndex, Schema, TableIndex,
};
use ww_engine::objects::Cells;
use ww_engine::tables::fitting;
use ww_engine::validation;

/// One `T` for each cell of an array, or for each entry of a table by handle.
pub(super) struct PerCell<T> {
    name: String,
    cells: Storage<T>,
}

enum Storage<T> {
    Array(Cells<T>),
    Direct(TableIndex, HashMap<u64, T>),
    /// Direct, and no table has it.
    Nowhere,
}

impl<T: Clone + Default> PerCell<T> {
    fn new(name: &str, is_direct: bool, table: Option<TableIndex>, size: u64) -> Self {
        let cells = match (is_direct, table) {
            (false, _) => Storage::Array(Cells::new(size, T::default())),
            (true, Some(table)) => Storage::Direct(table, HashMap::new()),
            (true, None) => Storage::Nowhere,
        };
        Self { name: name.to_owned(), cells }
    }

    /// A cell of a `what`: `counter` or `meter`.
    fn get(&self, what: &str, index: u64, shadow: &Shadow) -> Result<T> {
        let missing = || no_such(format!("{what} {index} of `{}`", self.name));
        match &self.cells {
            Storage::Array(cells) => cells.get(index).cloned().ok_or_else(missing),
            Storage::Direct(table, cells) => {
                shadow.has_entry(*table, index)?;
                Ok(cells.get(&index).cloned().unwrap_or_default())
            }
            Storage::Nowhere => Err(missing()),
        }
    }

    /// Sets a cell that there is, or with `None` all.
    fn set(&mut self, index: Option<u64>, value: T, tables: &[Table]) {
        match (&mut self.cells, index) {
            (Storage::Array(cells), None) => cells.fill(value),
            (Storage::Array(cells), Some(index)) => {
                if let Some(cell) = cells.get_mut(index) {
                    *cell = value;
                }
            }
            (Storage::Direct(table, cells), None) => {
                let handles = tables[table.index()].entries.keys();
                cells.extend(handles.map(|handle| (*handle, value.clone())));
            }
            (Storage::Direct(_, cells), Some(index)) => {
                cells.insert(index, value);
            }
            (Storage::Nowhere, _) => {}
        }
    }
}

pub(super) fn counters(schema: &Schema) -> Vec<PerCell<CounterValue>> {
    let infos = schema.counters.iter();
    infos.map(|info| PerCell::new(&info.name, info.is_direct, info.table, info.size)).collect()
}

pub(super) fn meters(schema: &Schema) -> Vec<PerCell<Option<MeterRates>>> {
    let infos = schema.meters.iter();
    infos.map(|info| PerCell::new(&info.name, info.is_direct, info.table, info.size)).collect()
}

pub(super) fn registers(schema: &Schema) -> Vec<Cells<BigUint>> {
    schema.registers.iter().map(|info| Cells::new(info.size, BigUint::ZERO)).collect()
}

impl Shadow {
    pub fn register_read(&self, register: RegisterIndex, index: u64) -> Result<BigUint> {
        let name = &self.schema[register].name;
        let missing = || no_such(format!("cell {index} of register `{name}`"));
        self.registers[register.index()].get(index).cloned().ok_or_else(missing)
    }

    /// The number of cells, if they may be read at once.
    pub fn register_size(&self, register: RegisterIndex) -> Result<u64> {
        let info = &self.schema[register];
        validation::readable_at_once(&info.name, info.size)?;
        Ok(info.size)
    }

    pub fn register_write(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
        value: &BigUint,
    ) -> Result<()> {
        let info = &self.schema[register];
        fitting(value, info.width, || format!("register `{}`", info.name))?;
        let cells = &mut self.registers[register.index()];
        match index {
            None => cells.fill(value.clone()),
            Some(index) => {
                let missing = || no_such(format!("cell {index} of register `{}`", info.name));
                *cells.get_mut(index).ok_or_else(missing)? = value.clone();
            }
        }
        Ok(())
    }

    /// What a counter holds that is not in hardware; an error if there is none.
    pub fn counter_read(&self, counter: CounterIndex, index: u64) -> Result<CounterValue> {
        self.counters[counter.index()].get("counter", index, self)
    }

    pub fn counter_write(
        &mut self,
        counter: CounterIndex,
        index: Option<u64>,
        value: CounterValue,
    ) -> Result<()> {
        index.map(|index| self.counter_read(counter, index)).transpose()?;
        self.counters[counter.index()].set(index, value, &self.tables);
        Ok(())
    }

    pub fn meter_set_rates(
        &mut self,
        meter: MeterIndex,
        index: Option<u64>,
        rates: Option<MeterRates>,
    ) -> Result<()> {
        validation::meter_rates(rates)?;
        index.map(|index| self.meter_rates(meter, index)).transpose()?;
        self.meters[meter.index()].set(index, rates, &self.tables);
        Ok(())
    }

    pub fn meter_rates(&self, meter: MeterIndex, index: u64) -> Result<Option<MeterRates>> {
        self.meters[meter.index()].get("meter", index, self)
    }
}
