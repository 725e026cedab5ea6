//! State that packets change, shared by the workers and the control plane.

use super::counters::Cells as CounterCells;
use super::registers::Register;
use crate::arch::Unsupported;
use crate::bits::Bits;
use crate::jit::abi::CounterCell;
use crate::objects::{Cells, Meter};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};
use ww_dataplane::Picoseconds;
use ww_dataplane::control::{CounterIndex, Digest, MeterIndex, RegisterIndex, Schema};
use ww_p4::ir::{Program, Type};

/// More digests than these do not wait for the control plane.
pub(super) const DIGEST_LIMIT: usize = crate::interp::DIGEST_LIMIT;

/// Counters, one array of cells per worker, and what keeps an order among all packets.
#[derive(Debug)]
pub struct Objects {
    /// By counter, then by worker.
    counters: Vec<Vec<CounterCells>>,
    ordered: Mutex<Ordered>,
}

/// What packets read and write in turns: a worker takes the lock for a batch if the program has
/// such objects.
#[derive(Debug)]
pub struct Ordered {
    /// By [`RegisterIndex`].
    pub registers: Vec<Register>,
    /// By [`MeterIndex`]; direct ones are in the entries.
    pub(super) meters: Vec<Cells<Meter>>,
    /// What each direct meter said last.
    pub(super) colours: Vec<u8>,
    /// Whether a meter measures bytes.
    by_bytes: Vec<bool>,
    digests: VecDeque<Digest>,
    digests_lost: u64,
}

impl Objects {
    pub(super) fn new(
        program: &Program,
        schema: &Schema,
        workers: usize,
    ) -> Result<Self, Unsupported> {
        let array = |info| (0..workers).map(|_| CounterCells::new(info)).collect();
        Ok(Self {
            counters: schema.counters.iter().map(array).collect::<Result<_, _>>()?,
            ordered: Mutex::new(Ordered {
                registers: schema
                    .registers
                    .iter()
                    .map(|r| {
                        let ty = program.types.storage(crate::schema::cell_type(program, r));
                        // All types begin at zero, but for errors.
                        let initial = match ty {
                            Type::Error => program.error_code("NoError").unwrap_or(0),
                            _ => 0,
                        };
                        Register::new(r.size, &Bits::new(r.width, u128::from(initial)))
                    })
                    .collect(),
                meters: schema
                    .meters
                    .iter()
                    .map(|m| Cells::new(m.size, Meter::default()))
                    .collect(),
                colours: vec![0; schema.meters.len()],
                by_bytes: schema.meters.iter().map(|m| m.bytes).collect(),
                digests: VecDeque::new(),
                digests_lost: 0,
            }),
        })
    }

    /// The cells of a worker by [`CounterIndex`], for
    /// [`Context::counters`](crate::jit::abi::Context::counters); null for direct counters. A
    /// counter has as many cells as the schema says, and the addresses stay the same.
    pub fn counter_cells(&self, worker: usize) -> Vec<*mut CounterCell> {
        let cells = |counter: &Vec<CounterCells>| match counter.get(worker) {
            Some(cells) if cells.cell(0).is_some() => cells.as_ptr(),
            _ => std::ptr::null_mut(),
        };
        self.counters.iter().map(cells).collect()
    }

    /// All workers' cells of a counter.
    pub(super) fn cells(&self, counter: CounterIndex) -> &[CounterCells] {
        &self.counters[counter.index()]
    }

    /// Registers, meters and digests. Whoever has them keeps the others waiting.
    pub fn ordered(&self) -> MutexGuard<'_, Ordered> {
        // A worker that panicked leaves whole values behind.
        self.ordered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ordered {
    /// Reads a cell of a register into words, the lowest first; beyond the end it leaves them.
    pub fn register_read(&self, register: RegisterIndex, index: u64, out: &mut [u64]) {
        if let Some(cell) = self.registers.get(register.index()).and_then(|r| r.get(index)) {
            out.iter_mut().zip(cell).for_each(|(out, word)| *out = *word);
        }
    }

    /// Writes a cell of a register; nothing beyond the end. Bits above its width are zero.
    pub fn register_write(&mut self, register: RegisterIndex, index: u64, words: &[u64]) {
        let cells = self.registers.get_mut(register.index());
        if let Some(cell) = cells.and_then(|r| r.get_mut(index)) {
            cell.iter_mut().zip(words).for_each(|(cell, word)| *cell = *word);
        }
    }

    /// The colour that a meter gives to a packet of `length` bytes; green beyond the end.
    pub fn meter_execute(
        &mut self,
        meter: MeterIndex,
        index: u64,
        now: Picoseconds,
        length: u64,
    ) -> u8 {
        let units = self.units(meter, length);
        let meters = self.meters.get_mut(meter.index());
        meters.map_or(0, |meters| meters.execute(index, now, units) as u8)
    }

    /// Has the direct meter of an entry measure a packet of `length` bytes. The colour, or green
    /// if there was no entry and `cell` is null, is what [`Ordered::colour`] gives from now on.
    ///
    /// # Safety
    /// `cell` is null or the [`RecordHead::meter`](crate::jit::abi::RecordHead::meter) of a
    /// record in a pinned generation.
    pub unsafe fn direct_meter_execute(
        &mut self,
        meter: MeterIndex,
        cell: *mut c_void,
        now: Picoseconds,
        length: u64,
    ) {
        let units = self.units(meter, length);
        // SAFETY: the caller's promise; whoever touches a direct meter has the lock.
        let cell = unsafe { cell.cast::<Meter>().as_mut() };
        self.set_colour(meter, cell.map_or(0, |m| m.execute(now, units) as u8));
    }

    fn units(&self, meter: MeterIndex, length: u64) -> u64 {
        if self.by_bytes.get(meter.index()).copied().unwrap_or(false) { length } else { 1 }
    }

    /// What a direct meter said last.
    pub fn colour(&self, meter: MeterIndex) -> u8 {
        self.colours.get(meter.index()).copied().unwrap_or(0)
    }

    /// Has [`Ordered::colour`] give this colour.
    pub fn set_colour(&mut self, meter: MeterIndex, colour: u8) {
        if let Some(last) = self.colours.get_mut(meter.index()) {
            *last = colour;
        }
    }

    /// Puts a digest where the control plane fetches it.
    pub fn push_digest(&mut self, digest: Digest) {
        if self.digests.len() >= DIGEST_LIMIT {
            self.digests.pop_front();
            self.digests_lost += 1;
        }
        self.digests.push_back(digest);
    }

    /// Digests that nobody fetched in time.
    pub fn digests_lost(&self) -> u64 {
        self.digests_lost
    }

    pub(super) fn take_digests(&mut self) -> Vec<Digest> {
        self.digests.drain(..).collect()
    }

    /// Back to the state after loading.
    pub(super) fn reset(&mut self) {
        self.registers.iter_mut().for_each(Register::reset);
        self.meters.iter_mut().for_each(|meter| meter.fill(Meter::default()));
        self.colours.fill(0);
        self.digests.clear();
        self.digests_lost = 0;
    }
}
