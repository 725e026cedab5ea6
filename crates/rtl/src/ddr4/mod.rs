//! A DDR4 memory and its controller beside a module in simulation (spec S49).
//!
//! The module has the user's ports of such a controller (MIG: `app_addr`, `app_cmd` and so on, 512 bits), as
//! `rtl/ddr4/ww_ddr4.sv` drives them. A row is 64 bytes: one burst of eight of a DIMM of 64 bits. The module's clock is
//! that of the 100G MAC, 322.265625 MHz; the controller's is 300 MHz, 256 of it to 275 of the module's.

mod bus;
mod rows;

use crate::bench::Bench;
use crate::runner::Error;
use crate::runner::model::Signal;
pub use bus::{AddressMap, Bus, Kind, Timing};
use rows::Rows;
use std::collections::VecDeque;

/// Clocks of the controller to clocks of the module.
const CLOCKS: (u32, u32) = (256, 275);

/// Commands and rows of data that the controller takes in before they are carried out.
const QUEUE: usize = 16;

/// Clocks of memory in the chip from a command to its data.
const CHIP_LATENCY: u64 = 4;

/// What the controller has been asked.
#[derive(Clone, Copy, Debug)]
struct Command {
    kind: Kind,
    row: u32,
}

/// Where the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technology {
    /// DDR4 with the timing of [`Timing::DDR4_2400`] and this map.
    Ddr4(AddressMap),
    /// Memory in the chip: a row a clock of the module, whatever the order.
    Chip,
}

/// See the module.
pub struct Memory {
    technology: Technology,
    bus: Bus,
    rows: Rows,
    ports: Ports,
    commands: VecDeque<Command>,
    data: VecDeque<([u8; 64], u64)>,
    /// Rows that were read, and the clock in which they come.
    coming: VecDeque<(u64, [u8; 64])>,
    /// Clocks of the controller.
    now: u64,
    phase: u32,
    drives_valid: bool,
    counts: Counts,
}

/// Rows that have crossed the memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows written, whole or in part.
    pub written: u64,
    /// Rows read.
    pub read: u64,
}

#[derive(Clone, Copy)]
struct Ports {
    address: Signal,
    command: Signal,
    enable: Signal,
    ready: Signal,
    data: Signal,
    mask: Signal,
    write: Signal,
    write_ready: Signal,
    read_data: Signal,
    read_valid: Signal,
}

impl Memory {
    /// A memory of zeros at the module's ports.
    ///
    /// # Errors
    /// The module has not the ports.
    pub fn new(bench: &mut Bench, technology: Technology) -> Result<Self, Error> {
        let [address, command, enable, ready, data] =
            bench.ports(["app_addr", "app_cmd", "app_en", "app_rdy", "app_wdf_data"])?;
        let [mask, write, write_ready, read_data, read_valid] = bench.ports([
            "app_wdf_mask",
            "app_wdf_wren",
            "app_wdf_rdy",
            "app_rd_data",
            "app_rd_data_valid",
        ])?;
        let ports = Ports {
            address,
            command,
            enable,
            ready,
            data,
            mask,
            write,
            write_ready,
            read_data,
            read_valid,
        };
        let map = match technology {
            Technology::Ddr4(map) => map,
            Technology::Chip => AddressMap::default(),
        };
        let mut memory = Self {
            technology,
            bus: Bus::new(Timing::DDR4_2400, map),
            rows: Rows::default(),
            ports,
            commands: VecDeque::new(),
            data: VecDeque::new(),
            coming: VecDeque::new(),
            now: 0,
            phase: 0,
            drives_valid: false,
            counts: Counts::default(),
        };
        memory.drive(bench, true);
        Ok(memory)
    }

    /// Rows that have crossed it.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Bytes of the machine that simulates it: those of pages that were written.
    pub fn resident(&self) -> usize {
        self.rows.resident()
    }

    /// A clock of the module, before it rises: inputs have settled. What is to be driven behind it is for
    /// [`Self::after_edge`].
    pub fn before_edge(&mut self, bench: &Bench) {
        let ports = &self.ports;
        if bench.is(ports.enable) && bench.is(ports.ready) {
            let kind = if bench.get(ports.command) & 1 == 0 { Kind::Write } else { Kind::Read };
            self.commands.push_back(Command { kind, row: (bench.get(ports.address) >> 3) as u32 });
        }
        if bench.is(ports.write) && bench.is(ports.write_ready) {
            let mut data = [0; 64];
            data.copy_from_slice(&bench.bytes(ports.data)[..64]);
            self.data.push_back((data, !bench.get(ports.mask)));
        }
    }

    /// The same clock, after it has risen: the controller's outputs change.
    pub fn after_edge(&mut self, bench: &mut Bench) {
        let ticks = match self.technology {
            Technology::Chip => true,
            Technology::Ddr4(_) => {
                self.phase += CLOCKS.0;
                let ticks = self.phase >= CLOCKS.1;
                if ticks {
                    self.phase -= CLOCKS.1;
                }
                ticks
            }
        };
        if ticks {
            self.now += 1;
            self.carry_out();
        }
        self.drive(bench, ticks);
    }

    /// A command in its order, if the bus and its data are there.
    fn carry_out(&mut self) {
        let Some(&Command { kind, row }) = self.commands.front() else { return };
        if kind == Kind::Write && self.data.is_empty() {
            return;
        }
        let latency = match self.technology {
            Technology::Chip => CHIP_LATENCY,
            Technology::Ddr4(_) => {
                // What stands in the queue has its bank opened in time.
                self.bus.prepare(self.commands.iter().map(|command| command.row), self.now);
                if !self.bus.takes(kind, row, self.now) {
                    return;
                }
                self.bus.read_latency()
            }
        };
        self.commands.pop_front();
        match kind {
            Kind::Write => {
                let (data, mask) = self.data.pop_front().expect("looked at above");
                self.rows.write(row, &data, mask);
                self.counts.written += 1;
            }
            Kind::Read => {
                self.coming.push_back((self.now + latency, self.rows.read(row)));
                self.counts.read += 1;
            }
        }
    }

    fn drive(&mut self, bench: &mut Bench, ticks: bool) {
        let ready = ticks && self.commands.len() < QUEUE && self.data.len() < QUEUE;
        bench.set(self.ports.ready, u64::from(ready));
        bench.set(self.ports.write_ready, u64::from(ready));
        let comes = ticks && self.coming.front().is_some_and(|(at, _)| *at <= self.now);
        if comes && let Some((_, row)) = self.coming.pop_front() {
            bench.set_bytes(self.ports.read_data, 0, &row);
        }
        if comes != self.drives_valid {
            bench.set(self.ports.read_valid, u64::from(comes));
            self.drives_valid = comes;
        }
    }
}
