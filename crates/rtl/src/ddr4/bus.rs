//! When a controller can carry out a command: banks, turns of the bus, refresh.
//!
//! Times are in clocks of the controller, 300 MHz: four clocks of the memory, or one burst of eight.

/// A clock of the controller in the unit of [`Timing`].
const CLOCK: u64 = 100;

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A row is written.
    Write,
    /// A row is read.
    Read,
}

/// Which bits of a row's number say where it is. A page of a bank has 128 rows; there are four groups of four banks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressMap {
    /// Row of the DRAM, column, bank: neighbours are in different groups. The best one that was measured (spec S49).
    #[default]
    RowColumnBank,
    /// Row, bank, column: neighbours are in the same bank.
    RowBankColumn,
}

impl AddressMap {
    /// The bank, 0 to 15 (its group in the low two bits), and the DRAM's row.
    fn place(self, row: u32) -> (usize, u32) {
        match self {
            Self::RowColumnBank => ((row & 15) as usize, row >> 11),
            Self::RowBankColumn => ((row >> 7 & 15) as usize, row >> 11),
        }
    }
}

/// Times of a memory, in hundredths of a clock of the controller (33 ps).
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// A burst.
    pub burst: u64,
    /// From a burst to one in the same group of banks (tCCD_L).
    pub same_group: u64,
    /// From the last write to a read, and from the last read to a write.
    pub write_to_read: u64,
    /// See [`Self::write_to_read`].
    pub read_to_write: u64,
    /// To close a page and open another one (tRP and tRCD).
    pub open: u64,
    /// From one opening of a page to the next one (a quarter of tFAW).
    pub openings: u64,
    /// A refresh, and from one to the next (tRFC, tREFI).
    pub refresh: u64,
    /// See [`Self::refresh`].
    pub refresh_each: u64,
    /// From a read command to its data: controller and memory.
    pub read_latency: u64,
    /// What the controller needs for a burst beside the bus: with it whole rows are written at the 125 Gb/s that were
    /// measured. It is the one figure here that was fitted, and no data sheet has it.
    pub controller: u64,
}

impl Timing {
    /// DDR4-2400 with chips of 8 Gbit (JESD79-4: tCCD_L 6, CWL 12, CL 17, tWTR_L 9, tRP and tRCD 17 clocks of 833 ps, tFAW
    /// 21 ns, tRFC 350 ns, tREFI 7.8 us).
    pub const DDR4_2400: Self = Self {
        burst: 100,
        same_group: 150,
        // CWL + 4 + tWTR_L = 25 clocks; CL + 4 + 2 - CWL = 11 clocks.
        write_to_read: 625,
        read_to_write: 275,
        open: 850,
        openings: 158,
        refresh: 10_500,
        refresh_each: 234_000,
        read_latency: 2_600,
        controller: 116,
    };
}

/// The bus and the banks.
#[derive(Debug)]
pub struct Bus {
    timing: Timing,
    map: AddressMap,
    /// Of each bank: the page that is open or is being opened, and from when on.
    pages: [(Option<u32>, u64); 16],
    /// The last burst: when it began, what it was, its group.
    last: Option<(u64, Kind, usize)>,
    opened_at: u64,
    refreshed_at: u64,
}

impl Bus {
    /// A bus that has been silent.
    pub fn new(timing: Timing, map: AddressMap) -> Self {
        Self { timing, map, pages: [(None, 0); 16], last: None, opened_at: 0, refreshed_at: 0 }
    }

    /// Clocks from a read to its data.
    pub fn read_latency(&self) -> u64 {
        self.timing.read_latency / CLOCK
    }

    /// Opens pages of rows that are wanted soon, the first one first, in clock `now`.
    pub fn prepare(&mut self, rows: impl Iterator<Item = u32>, now: u64) {
        let now = now * CLOCK;
        let mut claimed = 0u16;
        for row in rows {
            let (bank, page) = self.map.place(row);
            let is_first = claimed >> bank & 1 == 0;
            claimed |= 1 << bank;
            let (open, from) = self.pages[bank];
            let is_busy = self.last.is_some_and(|(began, ..)| now < began + self.timing.burst);
            if !is_first || open == Some(page) || now < from || is_busy {
                continue;
            }
            let at = now.max(self.opened_at + self.timing.openings);
            self.opened_at = at;
            self.pages[bank] = (Some(page), at + self.timing.open);
        }
    }

    /// Whether a command is carried out in clock `now`; if so, it is.
    pub fn takes(&mut self, kind: Kind, row: u32, now: u64) -> bool {
        let timing = self.timing;
        let now = now * CLOCK;
        if now >= self.refreshed_at + timing.refresh_each {
            self.refreshed_at = now;
            // All pages are closed, and none is opened until it is over.
            self.pages = [(None, now + timing.refresh); 16];
        }
        let (bank, page) = self.map.place(row);
        let (open, from) = self.pages[bank];
        if open != Some(page) || now < from {
            return false;
        }
        if let Some((began, before, group)) = self.last {
            let apart = match (before, kind) {
                (Kind::Write, Kind::Read) => timing.write_to_read,
                (Kind::Read, Kind::Write) => timing.read_to_write,
                _ if group == bank & 3 => timing.same_group,
                _ => timing.burst,
            };
            // A burst may begin within the clock.
            let from = began + apart.max(timing.controller);
            if from >= now + CLOCK {
                return false;
            }
            self.last = Some((from.max(now), kind, bank & 3));
        } else {
            self.last = Some((now, kind, bank & 3));
        }
        true
    }
}
