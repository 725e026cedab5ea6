//! The prototype of the fabric Shoal, `ww_shoal_prototype` of `rtl/shoal`, under Verilator: 8 hosts, 6 circuit switches
//! and what lies between them, slot after slot. [`ww_fabric::observed`] runs flows on it.

use crate::bench::{Bench, Top};
use crate::design::SourceFile;
use crate::runner::Error;
use crate::runner::model::Signal;
use std::collections::VecDeque;
use ww_fabric::observed::{Arrived, Events, Hardware, Left, Offer, Queued, Start};
use ww_fabric::offsets::{ClockCounts, Offsets};
use ww_fabric::prototype::{DELAY_SLOTS, GUARD_CLOCKS, HOSTS, SEQ_BITS, rows};
use ww_fabric::schedule::Schedule;

/// The module.
pub const MODULE: &str = "ww_shoal_prototype";
/// Clocks of a slot.
pub const SLOT_CLOCKS: u64 = 12;

/// Bits of a host's number.
const HOST_BITS: usize = 3;
/// Bits of a number of cells that are added.
const CELLS_BITS: usize = 32;
/// Bits of a header.
const HEADER_BITS: usize = 64;
const SEQ_MASK: u64 = (1 << SEQ_BITS) - 1;
/// Bits of a host's offset, and of the number of cells that were cut.
const OFFSET_BITS: usize = 8;
const CUT_BITS: usize = 32;
/// The most cells of a pair that are not yet in a queue: half of what its counter holds.
const MOST_CELLS: u64 = 1 << (CELLS_BITS - 1);
/// Clocks from reset to `ready`, or from `go` to the first slot, after which it does not start. It loads schedules of
/// some rows, and starts switches one after the other, by the delay between them.
const PATIENCE: u64 = 100_000;

/// The prototype in simulation.
pub struct SimulatedPrototype {
    bench: Bench,
    ports: Ports,
    /// By host: cells to add, one addition a clock.
    additions: Vec<VecDeque<(usize, u64)>>,
    /// By host: start signals, one a clock.
    starts: Vec<VecDeque<Start>>,
    /// Hosts that live in this slot, and in the one behind it.
    alive: [bool; HOSTS],
    alive_next: [bool; HOSTS],
    /// Rows of the switches of another schedule.
    rows: Vec<[u16; rows::SWITCHES]>,
    clocks: u64,
    /// Slots of its own, without those that were skipped.
    slots: u64,
    /// Of the slots whose cells have not arrived, oldest first: headers that were damaged.
    damaged: VecDeque<u32>,
    /// Headers that are damaged in the next slot.
    headers: u32,
    /// Damaged frames that have to arrive in this slot.
    bad_frames: u32,
    offsets: Offsets,
    /// What is counted if `offsets` are beyond the guard band.
    counts: ClockCounts,
}

struct Ports {
    ready: Signal,
    go: Signal,
    slot_begin: Signal,
    slot: Signal,
    add_valid: Signal,
    add_dst: Signal,
    add_cells: Signal,
    damage: Signal,
    deaths: Signal,
    lives: Signal,
    pause: Signal,
    repair: Signal,
    members: Signal,
    row_valid: Signal,
    row_switch: Signal,
    row_index: Signal,
    row_data: Signal,
    repaired_rows: Signal,
    begin_valid: Signal,
    begin_own: Signal,
    begin_peer: Signal,
    begin_missing: Signal,
    begin_next: Signal,
    begin_dead: Signal,
    queued_valid: Signal,
    queued_again: Signal,
    queued_via: Signal,
    queued_dst: Signal,
    queued_seq: Signal,
    sent_valid: Signal,
    sent_to: Signal,
    sent_src: Signal,
    sent_dst: Signal,
    sent_seq: Signal,
    received_valid: Signal,
    received_src: Signal,
    received_seq: Signal,
    payload_error: Signal,
    bad_frame: Signal,
    lost: Signal,
    overflow: Signal,
    searching: Signal,
    found: Signal,
    offset: Signal,
    lock: Signal,
    cut: Signal,
    cut_cells: Signal,
}

impl Ports {
    fn of(bench: &Bench) -> Result<Self, Error> {
        // An array has an entry for each host.
        let port = |name: &str, bits: usize| {
            let port = bench.port(name)?;
            match port.bits() as usize {
                found if found == bits => Ok(port),
                found => Err(Error::Model(format!(
                    "module {MODULE}: expected {bits} bits of port {name}, found {found}"
                ))),
            }
        };
        let (hosts, seqs) = (HOSTS * HOST_BITS, HOSTS * SEQ_BITS as usize);
        Ok(Self {
            ready: port("ready", 1)?,
            go: port("go", 1)?,
            slot_begin: port("slot_begin", 1)?,
            slot: port("slot", 32)?,
            add_valid: port("add_valid", HOSTS)?,
            add_dst: port("add_dst", hosts)?,
            add_cells: port("add_cells", HOSTS * CELLS_BITS)?,
            damage: port("damage", HOSTS * HEADER_BITS)?,
            deaths: port("deaths", 1)?,
            lives: port("lives", HOSTS)?,
            pause: port("pause", 1)?,
            repair: port("repair", 1)?,
            members: port("members", HOSTS)?,
            row_valid: port("row_valid", 1)?,
            row_switch: port("row_switch", 3)?,
            row_index: port("row_index", 3)?,
            row_data: port("row_data", 12)?,
            repaired_rows: port("repaired_rows", 3)?,
            begin_valid: port("begin_valid", HOSTS)?,
            begin_own: port("begin_own", HOSTS)?,
            begin_peer: port("begin_peer", hosts)?,
            begin_missing: port("begin_missing", seqs)?,
            begin_next: port("begin_next", seqs)?,
            begin_dead: port("begin_dead", HOSTS)?,
            queued_valid: port("queued_valid", HOSTS)?,
            queued_again: port("queued_again", HOSTS)?,
            queued_via: port("queued_via", hosts)?,
            queued_dst: port("queued_dst", hosts)?,
            queued_seq: port("queued_seq", seqs)?,
            sent_valid: port("sent_valid", HOSTS)?,
            sent_to: port("sent_to", hosts)?,
            sent_src: port("sent_src", hosts)?,
            sent_dst: port("sent_dst", hosts)?,
            sent_seq: port("sent_seq", seqs)?,
            received_valid: port("received_valid", HOSTS)?,
            received_src: port("received_src", hosts)?,
            received_seq: port("received_seq", seqs)?,
            payload_error: port("payload_error", HOSTS)?,
            bad_frame: port("event_bad_frame", HOSTS)?,
            lost: port("event_lost", HOSTS)?,
            overflow: port("event_overflow", HOSTS)?,
            searching: port("searching", HOSTS)?,
            found: port("event_found", HOSTS)?,
            offset: port("offset", HOSTS * OFFSET_BITS)?,
            lock: port("lock", 1)?,
            cut_cells: port("cut_cells", CUT_BITS)?,
            // One bit, or one for each input of a switch.
            cut: bench.port("event_cut")?,
        })
    }
}

impl SimulatedPrototype {
    /// Builds the model, or takes the one that is kept.
    ///
    /// # Errors
    /// The tools are missing, or the model does not work.
    pub fn new() -> Result<Self, Error> {
        Self::with_files(&[])
    }

    /// The same with files that stand for those of `rtl/` of the same name.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_files(files: &[SourceFile]) -> Result<Self, Error> {
        let mut top = Top::of(MODULE);
        for file in files {
            top = top.file(&file.name, file.text.as_str());
        }
        let bench = Bench::new(&top)?;
        let ports = Ports::of(&bench)?;
        let additions = vec![VecDeque::new(); HOSTS];
        let damaged = VecDeque::from(vec![0; DELAY_SLOTS as usize - 1]);
        Ok(Self {
            bench,
            ports,
            additions,
            starts: vec![VecDeque::new(); HOSTS],
            alive: [true; HOSTS],
            alive_next: [true; HOSTS],
            rows: Vec::new(),
            clocks: 0,
            slots: 0,
            damaged,
            headers: 0,
            bad_frames: 0,
            offsets: Offsets::default(),
            counts: ClockCounts::default(),
        })
    }

    /// Hosts whose slots begin late or early. Beyond the guard band cells get lost: [`ww_fabric::observed::late`] is for such runs.
    pub fn set_offsets(&mut self, offsets: &Offsets) {
        self.offsets = *offsets;
    }

    /// Clocks since reset.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    fn add(&mut self, offers: &[Offer]) {
        for &Offer { src, dst, cells } in offers {
            self.additions[src].push_back((dst, cells));
        }
    }

    /// One clock.
    fn clock(&mut self) -> Result<(), Error> {
        self.bench.set(self.ports.add_valid, 0);
        self.bench.set(self.ports.begin_valid, 0);
        self.pass_clock()
    }

    /// One clock, with an addition and a start signal at each host that has some.
    fn clock_with_additions(&mut self) -> Result<(), Error> {
        let mut valid = 0;
        for (host, additions) in self.additions.iter_mut().enumerate() {
            if let Some((dst, cells)) = additions.pop_front() {
                valid |= 1 << host;
                self.bench.set_field(self.ports.add_dst, field(host, HOST_BITS), dst as u64);
                self.bench.set_field(self.ports.add_cells, field(host, CELLS_BITS), cells);
            }
        }
        self.bench.set(self.ports.add_valid, valid);
        self.set_starts();
        self.pass_clock()
    }

    fn set_starts(&mut self) {
        let Self { bench, ports, starts, .. } = self;
        let (mut valid, mut own, mut dead) = (0, 0, 0);
        for (host, starts) in starts.iter_mut().enumerate() {
            let Some(start) = starts.pop_front() else { continue };
            let (next, is_dead) = start.own.unwrap_or_default();
            valid |= 1 << host;
            own |= u64::from(start.own.is_some()) << host;
            dead |= u64::from(is_dead) << host;
            let seq = field(host, SEQ_BITS as usize);
            bench.set_field(ports.begin_peer, field(host, HOST_BITS), start.peer as u64);
            bench.set_field(ports.begin_missing, seq.clone(), start.missing & SEQ_MASK);
            bench.set_field(ports.begin_next, seq, next & SEQ_MASK);
        }
        bench.set(ports.begin_valid, valid);
        bench.set(ports.begin_own, own);
        bench.set(ports.begin_dead, dead);
    }

    fn pass_clock(&mut self) -> Result<(), Error> {
        // No output follows an input at once: what the edge leaves there is what the next clock has.
        self.bench.settle()?;
        self.bench.edge()?;
        self.clocks += 1;
        Ok(())
    }

    /// Clocks until a port is 1.
    fn wait(&mut self, port: Signal, what: &str) -> Result<(), Error> {
        for _ in 0..PATIENCE {
            if self.bench.is(port) {
                return Ok(());
            }
            self.clock()?;
        }
        Err(Error::Stalled(format!(
            "{MODULE}: expected {what} within {PATIENCE} clocks, found none"
        )))
    }

    /// Writes the rows of another schedule into the switches, one a clock.
    fn write_rows(&mut self) -> Result<(), Error> {
        for (index, row) in std::mem::take(&mut self.rows).iter().enumerate() {
            for (switch, &data) in row.iter().enumerate() {
                self.bench.set(self.ports.row_valid, 1);
                self.bench.set(self.ports.row_index, index as u64);
                self.bench.set(self.ports.row_switch, switch as u64);
                self.bench.set(self.ports.row_data, data.into());
                self.clock()?;
            }
        }
        self.bench.set(self.ports.row_valid, 0);
        Ok(())
    }

    /// The hosts that live whose bits are set: what a dead one does before it is in reset has no meaning.
    fn hosts(&self, port: Signal) -> impl Iterator<Item = usize> + use<> {
        let bits = self.bench.get(port) & bits_of(&self.alive);
        (0..HOSTS).filter(move |host| bits >> host & 1 != 0)
    }

    fn host(&self, port: Signal, host: usize) -> usize {
        self.bench.field(port, field(host, HOST_BITS)) as usize
    }

    fn seq(&self, port: Signal, host: usize) -> u64 {
        self.bench.field(port, field(host, SEQ_BITS as usize))
    }

    /// What this clock tells.
    fn observe(&mut self, events: &mut Events) -> Result<(), Error> {
        let ports = &self.ports;
        for src in self.hosts(ports.queued_valid) {
            let via = self.host(ports.queued_via, src);
            let is_again = self.bench.get(ports.queued_again) >> src & 1 != 0;
            let again = is_again.then(|| self.seq(ports.queued_seq, src));
            events.queued.push(Queued { src, via, dst: self.host(ports.queued_dst, src), again });
        }
        for from in self.hosts(ports.sent_valid) {
            events.sent.push(Left {
                from,
                to: self.host(ports.sent_to, from),
                src: self.host(ports.sent_src, from),
                dst: self.host(ports.sent_dst, from),
                seq: self.seq(ports.sent_seq, from),
            });
        }
        for dst in self.hosts(ports.received_valid) {
            let src = self.host(ports.received_src, dst);
            events.received.push(Arrived { src, dst, seq: self.seq(ports.received_seq, dst) });
        }
        events.found += self.hosts(ports.found).count() as u64;
        let faults = [
            (
                ports.payload_error,
                "a cell whose payload is that of its source and number",
                "another",
            ),
            (
                ports.overflow,
                "room for all cells, as queues and numbers have it with errors in 3 of 10 headers",
                "a cell without; with more errors take the model",
            ),
        ];
        for (port, expected, found) in faults {
            // Cells for a host that nothing reaches may fill queues; they are asked for again.
            let is_judged = port != ports.overflow || self.offsets.are_in_guard();
            if let Some(host) = self.hosts(port).next().filter(|_| is_judged) {
                return Err(
                    self.fault(&format!("expected at host {host} {expected}, found {found}"))
                );
            }
        }
        if !self.offsets.are_in_guard() {
            let count = |port| u64::from(self.bench.get(port).count_ones());
            self.counts.bad_frames += count(ports.bad_frame);
            self.counts.missing_cells += count(ports.lost);
            self.counts.cut_cells = self.bench.get(ports.cut_cells);
            return Ok(());
        }
        let bad_frames = self.bench.get(ports.bad_frame);
        if let Some(left) = self.bad_frames.checked_sub(bad_frames.count_ones()) {
            self.bad_frames = left;
        } else {
            let host = bad_frames.trailing_zeros();
            return Err(self.fault(&format!(
                "expected at host {host} whole frames with their check sequence, found a damaged one"
            )));
        }
        if self.bench.bytes(ports.cut).iter().any(|&byte| byte != 0) {
            return Err(self.fault("expected whole cells at the switches, found one that was cut"));
        }
        Ok(())
    }

    fn fault(&self, what: &str) -> Error {
        Error::Model(format!("{MODULE}, slot {} of its own: {what}", self.slots))
    }
}

/// A bit for each host.
fn bits_of(hosts: &[bool; HOSTS]) -> u64 {
    hosts.iter().enumerate().fold(0, |bits, (host, &is_set)| bits | u64::from(is_set) << host)
}

/// The bits of a host in an array.
fn field(host: usize, bits: usize) -> std::ops::Range<usize> {
    host * bits..(host + 1) * bits
}

impl Hardware for SimulatedPrototype {
    type Error = Error;

    fn seq_bits(&self) -> u32 {
        SEQ_BITS
    }

    fn most_cells(&self) -> u64 {
        MOST_CELLS
    }

    fn may_die(&mut self, lives: &[bool]) {
        self.bench.set(self.ports.deaths, 1);
        self.lives(lives, &[]);
        self.alive = self.alive_next;
    }

    fn may_repair(&mut self, schedule: &Schedule, hosts: &[usize]) {
        self.rows = rows::rows(schedule, hosts);
        self.bench.set(self.ports.repaired_rows, self.rows.len() as u64);
        let members = hosts.iter().fold(0, |bits, host| bits | 1 << host);
        self.bench.set(self.ports.members, members);
    }

    fn repair(&mut self, pauses: bool, begins: bool) {
        self.bench.set(self.ports.pause, u64::from(pauses));
        self.bench.set(self.ports.repair, u64::from(begins));
    }

    fn lives(&mut self, lives: &[bool], starts: &[Start]) {
        self.alive_next.copy_from_slice(lives);
        for &start in starts {
            self.starts[start.host].push_back(start);
        }
    }

    fn start(&mut self, offers: &[Offer]) -> Result<(), Error> {
        self.bench.set(self.ports.lives, bits_of(&self.alive_next));
        self.bench.set(self.ports.lock, u64::from(self.offsets.locks()));
        self.bench.reset(4)?;
        self.wait(self.ports.ready, "ready after its reset")?;
        self.write_rows()?;
        self.add(offers);
        while self.additions.iter().any(|additions| !additions.is_empty()) {
            self.clock_with_additions()?;
        }
        for (host, &clocks) in self.offsets.clocks().iter().enumerate() {
            let bits = u64::from(clocks as u8);
            self.bench.set_field(self.ports.offset, field(host, OFFSET_BITS), bits);
        }
        self.bench.set(self.ports.go, 1);
        self.wait(self.ports.slot_begin, "a slot after go")?;
        self.bench.set(self.ports.go, 0);
        Ok(())
    }

    fn damage(&mut self, headers: &[u64]) {
        let mut damaged = 0;
        for (host, &header) in headers.iter().enumerate() {
            self.bench.set_field(self.ports.damage, field(host, HEADER_BITS), header);
            damaged += u32::from(header != 0);
        }
        self.headers = damaged;
    }

    fn clock_counts(&self) -> ClockCounts {
        self.counts
    }

    fn slot(&mut self, offers: &[Offer], events: &mut Events) -> Result<(), Error> {
        let number = self.bench.get(self.ports.slot);
        if number != self.slots & u64::from(u32::MAX) {
            return Err(self.fault(&format!("expected that number at port slot, found {number}")));
        }
        self.add(offers);
        self.damaged.push_back(std::mem::take(&mut self.headers));
        self.bad_frames = self.damaged.pop_front().unwrap_or(0);
        self.bench.set(self.ports.lives, bits_of(&self.alive_next));
        for clock in 0..SLOT_CLOCKS {
            self.observe(events)?;
            // What is added before a host's slot counts in it, and this slot of a late host has not begun at first.
            if clock > GUARD_CLOCKS as u64 {
                self.clock_with_additions()?;
            } else {
                self.clock()?;
            }
        }
        // A frame that comes to a dead host is seen by nobody.
        if self.bad_frames > 0 && self.alive.iter().all(|&is_alive| is_alive) {
            return Err(self.fault(&format!(
                "expected {} damaged frames more, as that many headers had errors, found none",
                self.bad_frames
            )));
        }
        events.is_searching = self.hosts(self.ports.searching).next().is_some();
        self.alive = self.alive_next;
        // An event of a host can be earlier in the slot than that of another.
        events.sent.sort_by_key(|left| left.from);
        self.slots += 1;
        if !self.bench.is(self.ports.slot_begin) {
            return Err(
                self.fault(&format!("expected it after {SLOT_CLOCKS} clocks, found no slot_begin"))
            );
        }
        Ok(())
    }
}
