//! A model with its objects: tables behind the driver, rows of all others.

use super::Error;
use super::bus::Door;
use super::driver::{Bus, Inserted, Match, RowPlace, Table};
use super::layout::{self, METER_ROW, bits, ones};
use super::testbench::Testbench;
use crate::manifest::{
    DEFAULT_MEMORY, DigestLayout, Manifest, ObjectKind, PORT_COUNTS, PORT_ROWS, TableObject,
};
use num_bigint::BigUint;
use ww_dataplane::control::{CounterValue, Digest, DigestField, MeterRates};

/// Rows of the first object.
const DROPPED_ROW: u32 = 2;
const DIGESTS_LOST_ROW: u32 = 3;
const LOST_ROW: u32 = 4;

/// What a port of the shape `switch` has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortCounts {
    /// Packets that came in.
    pub received: u64,
    /// Packets that left.
    pub sent: u64,
    /// Packets that were dropped since the queue of the output was full.
    pub lost: u64,
}

/// What is behind a window.
enum Part {
    /// A table with entries.
    Table(Table),
    /// Anything else: rows.
    Rows,
}

/// A model with its control plane.
pub struct Hardware {
    pub bench: Testbench,
    bus: Bus,
    manifest: Manifest,
    parts: Vec<Part>,
    /// Number and layouts of the digests' object.
    digests: Option<(u32, Vec<DigestLayout>)>,
}

impl Hardware {
    /// All tables must be empty.
    pub fn new(bench: Testbench, manifest: Manifest, door: Door) -> Result<Self, Error> {
        let mut parts = Vec::new();
        let mut digests = None;
        for (window, object) in (0..).zip(&manifest.objects) {
            parts.push(match &object.kind {
                ObjectKind::Table(table) if table.has_entries() => {
                    Part::Table(Table::open(&object.name, window, table, door)?)
                }
                _ => Part::Rows,
            });
            if let ObjectKind::Digests { layouts, .. } = &object.kind {
                digests = Some((window, layouts.clone()));
            }
        }
        Ok(Self { bench, bus: Bus::new(door), manifest, parts, digests })
    }

    /// What the design has.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Whether the design sends messages to the control plane.
    pub fn has_digests(&self) -> bool {
        self.digests.is_some()
    }

    fn row_bits(&self, window: u32) -> u32 {
        self.manifest.objects.get(window as usize).map_or(32, |object| object.row_bits)
    }

    /// A row of an object.
    pub fn read(&mut self, window: u32, memory: u32, index: u32) -> Result<Vec<u8>, Error> {
        let bits = self.row_bits(window);
        self.bus.read_row(&mut self.bench, RowPlace { window, memory, index }, bits)
    }

    /// Writes a row of an object.
    pub fn write(
        &mut self,
        window: u32,
        memory: u32,
        index: u32,
        value: &BigUint,
    ) -> Result<(), Error> {
        let bits = self.row_bits(window);
        let mut row = (value & ones(bits)).to_bytes_le();
        row.resize(bits.div_ceil(8) as usize, 0);
        self.bus.write_row(&mut self.bench, RowPlace { window, memory, index }, &row, bits)
    }

    /// The object of a table, and its layout.
    pub fn table(&self, window: u32) -> Option<&TableObject> {
        match &self.manifest.objects.get(window as usize)?.kind {
            ObjectKind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The driver of a table with entries.
    fn driver(&mut self, window: u32) -> Result<(&mut Table, &mut Testbench), Error> {
        match self.parts.get_mut(window as usize) {
            Some(Part::Table(table)) => Ok((table, &mut self.bench)),
            _ => Err(Error::Control(format!("object {window} is no table with entries"))),
        }
    }

    /// Adds an entry.
    pub fn insert(&mut self, window: u32, entry: &Match, data: &[u8]) -> Result<Inserted, Error> {
        let (table, bench) = self.driver(window)?;
        table.insert(bench, entry, data)
    }

    /// Gives an entry other data.
    pub fn modify(&mut self, window: u32, entry: &Match, data: &[u8]) -> Result<(), Error> {
        let (table, bench) = self.driver(window)?;
        table.modify(bench, entry, data)
    }

    /// Removes an entry.
    pub fn delete(&mut self, window: u32, entry: &Match) -> Result<(), Error> {
        let (table, bench) = self.driver(window)?;
        table.delete(bench, entry)
    }

    /// Removes all entries.
    pub fn clear(&mut self, window: u32) -> Result<(), Error> {
        match self.parts.get_mut(window as usize) {
            Some(Part::Table(table)) => table.clear(&mut self.bench),
            _ => Ok(()),
        }
    }

    /// The number of an entry.
    pub fn number(&mut self, window: u32, entry: &Match) -> Result<Option<u32>, Error> {
        Ok(self.driver(window)?.0.find(entry))
    }

    /// What a table does on a miss.
    pub fn set_default(&mut self, window: u32, data: &[u8]) -> Result<(), Error> {
        match self.parts.get_mut(window as usize) {
            Some(Part::Table(table)) => table.set_default(&mut self.bench, data),
            _ => self.write(window, DEFAULT_MEMORY, 0, &BigUint::from_bytes_le(data)),
        }
    }

    /// A counter.
    pub fn counter(&mut self, window: u32, index: u32) -> Result<CounterValue, Error> {
        let row = self.read(window, 0, index)?;
        let word = |offset| u64::try_from(bits(&row, offset, 64)).unwrap_or(u64::MAX);
        Ok(CounterValue { packets: word(0), bytes: word(64) })
    }

    /// Sets a counter.
    pub fn set_counter(&mut self, window: u32, index: u32, to: CounterValue) -> Result<(), Error> {
        let value = BigUint::from(to.packets) | BigUint::from(to.bytes) << 64;
        self.write(window, 0, index, &value)
    }

    /// Sets the rates of a meter, which is full then; without rates it is green for ever.
    pub fn set_meter(
        &mut self,
        window: u32,
        index: u32,
        rates: Option<MeterRates>,
    ) -> Result<(), Error> {
        if self.row_bits(window) != METER_ROW {
            let text = format!("object {window} has rows that are not those of ww_meter_array");
            return Err(Error::Control(text));
        }
        let row = rates.map_or(Some(BigUint::ZERO), layout::meter);
        let too_much = || Error::Control("the rates are beyond what the meter holds".to_owned());
        self.write(window, 0, index, &row.ok_or_else(too_much)?)
    }

    /// Packets that the program or a full queue dropped, and digests that were lost.
    pub fn losses(&mut self) -> Result<(u64, u64), Error> {
        let dropped = self.event_count(DROPPED_ROW)?.saturating_add(self.event_count(LOST_ROW)?);
        Ok((dropped, self.event_count(DIGESTS_LOST_ROW)?))
    }

    /// What a port has counted, in the shape `switch`.
    pub fn port_counts(&mut self, port: u32) -> Result<PortCounts, Error> {
        if self.manifest.ports < 2 || port >= self.manifest.ports {
            let text = format!("the design has no counts of a port {port}");
            return Err(Error::Control(text));
        }
        let first = PORT_ROWS + PORT_COUNTS * port;
        Ok(PortCounts {
            received: self.event_count(first)?,
            sent: self.event_count(first + 1)?,
            lost: self.event_count(first + 2)?,
        })
    }

    /// A row of the globals; 0 without these.
    fn event_count(&mut self, row: u32) -> Result<u64, Error> {
        let first = self.manifest.objects.first();
        if !first.is_some_and(|object| matches!(object.kind, ObjectKind::Globals)) {
            return Ok(0);
        }
        self.read(0, 0, row).map(|row| u64::try_from(bits(&row, 0, 64)).unwrap_or(u64::MAX))
    }

    /// Takes the oldest message out: `{valid, receiver[31:0], which[7:0], data}`.
    pub fn digest(&mut self, at: u64) -> Result<Option<Digest>, Error> {
        let Some((window, layouts)) = self.digests.take() else { return Ok(None) };
        let row = self.read(window, 0, 0);
        let width = self.row_bits(window).saturating_sub(1 + 32 + 8);
        let digest = row.and_then(|row| {
            if bits(&row, width + 40, 1) == BigUint::ZERO {
                return Ok(None);
            }
            let which = u32::try_from(bits(&row, width, 8)).unwrap_or(u32::MAX);
            let receiver = u32::try_from(bits(&row, width + 8, 32)).unwrap_or(u32::MAX);
            let unknown = || Error::Control(format!("the design sent a digest of kind {which}"));
            let layout = layouts.get(which as usize).ok_or_else(unknown)?;
            let mut offset = 0;
            let field = |(name, width): &(String, u32)| {
                let value = bits(&row, offset, *width);
                offset += width;
                DigestField { name: name.clone(), width: *width, value }
            };
            let fields = layout.fields.iter().map(field).collect();
            Ok(Some(Digest { receiver, name: layout.name.clone(), fields, at }))
        });
        self.digests = Some((window, layouts));
        digest
    }
}
