//! The TCPU of `rtl/tpp` under Verilator, clock by clock.

use crate::bench::{Bench, Top};
use crate::runner::Error;
use std::collections::VecDeque;

/// Words of metadata: the default of `ww_tpp`.
pub const METADATA_WORDS: usize = 24;

/// The addresses of the words of metadata, in the order in which `ww_tpp` has them.
pub const METADATA_ADDRESSES: [u16; METADATA_WORDS] = [
    0x0000, 0x0001, 0x0002, 0x0004, 0x0005, 0x0006, 0xc000, 0xc001, 0xc040, 0xc043, 0xc044, 0xb000,
    0xb001, 0x8000, 0x8002, 0x8004, 0x8005, 0x8006, 0x8008, 0x8009, 0x800a, 0x800b, 0x801a, 0x801b,
];

/// Bytes of `tuser` in this test bench.
const USER_BYTES: usize = 2;

/// Clocks without any movement after which it is taken to hang.
const PATIENCE: u64 = 5000;

/// Parameters of `ww_tpp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Ports, 1 to 8.
    pub ports: usize,
    /// Bits of a beat: 64, 128, 256 or 512.
    pub width: usize,
    /// Stages, 1 to 15.
    pub stages: usize,
    /// Clocks of a stage, 1 or 2.
    pub latency: usize,
    /// Registers of a stage, 1 to 63.
    pub registers: usize,
    /// Rows of 128 bits of a stage's memory.
    pub rows: usize,
    /// Beats that a port keeps.
    pub frame_beats: usize,
}

impl Shape {
    /// The published prototype, as many ports of 10 Gb/s at 160 MHz: 2 clocks a stage.
    pub fn published(ports: usize) -> Self {
        let (stages, registers, rows) = (4, 8, 512);
        Self { ports, width: 64, stages, latency: 2, registers, rows, frame_beats: 256 }
    }

    /// One port with a bus of 512 bits and a clock a stage.
    pub fn wide() -> Self {
        Self { width: 512, latency: 1, frame_beats: 128, ..Self::published(1) }
    }

    /// The module with these parameters.
    fn top(&self) -> Top {
        let Self { ports, width, stages, latency, registers, rows, frame_beats } = *self;
        let parameters = [
            ("PORTS", ports),
            ("WIDTH", width),
            ("USER_WIDTH", 8 * USER_BYTES),
            ("STAGES", stages),
            ("LATENCY", latency),
            ("REGISTERS", registers),
            ("ROWS", rows),
            ("FRAME_BEATS", frame_beats),
        ];
        parameters
            .iter()
            .fold(Top::of("ww_tpp"), |top, &(name, value)| top.with(name, value as u64))
    }
}

/// Settings of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Whether STORE, POP and CSTORE do anything.
    pub writes_enabled: bool,
    /// Whether the protection table is consulted.
    pub protection_enabled: bool,
    /// Whether a CEXEC that cannot be evaluated is skipped.
    pub absent_guard_skipped: bool,
}

/// A memory that software can access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The rules of the protection table.
    Protection,
    /// The registers of a stage, from 1; behind them the base of its window.
    Registers(usize),
    /// The memory of a stage, by words of 32 bits.
    Stage(usize),
}

impl Memory {
    fn number(self) -> u64 {
        match self {
            Self::Protection => 0,
            Self::Registers(stage) => 2 * stage as u64 - 1,
            Self::Stage(stage) => 2 * stage as u64,
        }
    }
}

/// A frame that has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The clock of its last beat.
    pub clock: u64,
}

/// What happens in a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// The port whose frame goes to the stages; frames without TPP go there, too.
    pub admitted: Option<usize>,
    /// Bit s: a frame enters stage s + 1.
    pub enters: u64,
    /// Bit s: a frame leaves stage s + 1.
    pub leaves: u64,
    /// Bit p: port p takes a beat.
    pub taken: u64,
    /// Bit p: port p was offered a beat and does not take it.
    pub refused: u64,
}

/// What it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Frames with a malformed TPP, for each port, in the order of `ww_tpp::packet::Malformed::ALL`.
    pub refused: Vec<[u32; 7]>,
    /// TPPs executed.
    pub executed: u32,
    /// Of these with a CEXEC that failed.
    pub guards_failed: u32,
    /// Instructions skipped: absent, denied, read only, writing off, outside of packet memory, reserved.
    pub skipped: [u32; 6],
}

struct Offer {
    bytes: Vec<u8>,
    metadata: [u32; METADATA_WORDS],
    user: u16,
}

#[derive(Default)]
struct Port {
    waiting: VecDeque<Offer>,
    /// Bytes of the first one that have been taken.
    at: usize,
    users: VecDeque<u16>,
    partial: Vec<u8>,
    left: VecDeque<Left>,
}

/// A TCPU in simulation.
pub struct SimulatedTpp {
    bench: Bench,
    shape: Shape,
    ports: Vec<Port>,
    clocks: u64,
    sent: u16,
}

impl SimulatedTpp {
    /// Builds the model, or takes the one that is kept, and resets it. Writing is on, protection off.
    ///
    /// # Errors
    /// The tools are missing, the module refuses the parameters, or the model does not work.
    pub fn new(shape: Shape) -> Result<Self, Error> {
        let bench = Bench::new(&shape.top())?;
        let ports = (0..shape.ports).map(|_| Port::default()).collect();
        let mut block = Self { bench, shape, ports, clocks: 0, sent: 0 };
        let all = Switches {
            writes_enabled: true,
            protection_enabled: false,
            absent_guard_skipped: false,
        };
        block.switch(all);
        block.bench.reset(2)?;
        // Its FIFOs take nothing in the first clock behind reset.
        block.bench.edge()?;
        Ok(block)
    }

    /// Sets the switches; a TPP that is on its way may see old or new ones.
    pub fn switch(&mut self, switches: Switches) {
        self.bench.set("writes_enabled", switches.writes_enabled.into());
        self.bench.set("protection_enabled", switches.protection_enabled.into());
        self.bench.set("absent_guard_skipped", switches.absent_guard_skipped.into());
    }

    /// Clocks since reset.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// Puts a frame, of at least one byte, behind those that wait for a port.
    pub fn send(&mut self, port: usize, bytes: Vec<u8>, metadata: [u32; METADATA_WORDS]) {
        assert!(!bytes.is_empty(), "a frame has a byte");
        self.sent = self.sent.wrapping_add(1);
        self.ports[port].users.push_back(self.sent);
        self.ports[port].waiting.push_back(Offer { bytes, metadata, user: self.sent });
    }

    /// Frames that wait for a port.
    pub fn waiting(&self, port: usize) -> usize {
        self.ports[port].waiting.len()
    }

    /// The next frame that has left a port.
    pub fn receive(&mut self, port: usize) -> Option<Left> {
        self.ports[port].left.pop_front()
    }

    /// Whether all frames have left.
    pub fn is_idle(&self) -> bool {
        self.ports.iter().all(|port| port.users.is_empty())
    }

    /// One clock: ports of the bits of `offer` are offered their next beat, outputs of `take` are ready.
    ///
    /// # Errors
    /// The model stopped, a frame came that was not sent, or its `tuser` changed.
    pub fn clock(&mut self, offer: u64, take: u64) -> Result<Events, Error> {
        let (beat, ports) = (self.shape.width / 8, self.shape.ports);
        let mut offered = 0;
        let mut last = 0;
        for p in 0..ports {
            let Some(frame) = self.ports[p].waiting.front() else { continue };
            if offer >> p & 1 == 0 {
                continue;
            }
            offered |= 1 << p;
            let rest = &frame.bytes[self.ports[p].at..];
            let length = rest.len().min(beat);
            // What is not kept must not matter.
            let mut lane = [0xa5; 64];
            lane[..length].copy_from_slice(&rest[..length]);
            self.bench.set_bytes("s_axis_tdata", p * beat, &lane[..beat]);
            let keep = if length < 64 { (1u64 << length) - 1 } else { u64::MAX };
            self.bench.set_bytes("s_axis_tkeep", p * beat / 8, &keep.to_le_bytes()[..beat / 8]);
            self.bench.set_bytes("s_axis_tuser", USER_BYTES * p, &frame.user.to_le_bytes());
            let words = frame.metadata.map(u32::to_le_bytes);
            self.bench.set_bytes("metadata", 4 * p * METADATA_WORDS, words.as_flattened());
            last |= u64::from(rest.len() <= beat) << p;
        }
        self.bench.set("s_axis_tvalid", offered);
        self.bench.set("s_axis_tlast", last);
        self.bench.set("m_axis_tready", take);
        self.bench.settle()?;
        let taken = offered & self.bench.get("s_axis_tready");
        let given = self.bench.get("m_axis_tvalid") & take;
        let ends = self.bench.get("m_axis_tlast");
        let admits = self.bench.get("admits") != 0;
        let events = Events {
            admitted: admits.then(|| self.bench.get("admitted") as usize),
            enters: self.bench.get("stage_enters"),
            leaves: self.bench.get("stage_leaves"),
            taken,
            refused: offered & !taken,
        };
        for p in 0..ports {
            if given >> p & 1 == 1 {
                self.collect(p, ends >> p & 1 == 1)?;
            }
            if taken >> p & 1 == 1 {
                let port = &mut self.ports[p];
                port.at += beat;
                if last >> p & 1 == 1 {
                    port.waiting.pop_front();
                    port.at = 0;
                }
            }
        }
        self.bench.edge()?;
        self.clocks += 1;
        Ok(events)
    }

    /// Takes a beat from an output.
    fn collect(&mut self, p: usize, ends: bool) -> Result<(), Error> {
        let beat = self.shape.width / 8;
        let keeps = &self.bench.bytes("m_axis_tkeep")[p * beat / 8..][..beat / 8];
        let length = keeps.iter().map(|bits| bits.count_ones() as usize).sum::<usize>();
        let data = &self.bench.bytes("m_axis_tdata")[p * beat..][..length];
        let user = &self.bench.bytes("m_axis_tuser")[USER_BYTES * p..][..USER_BYTES];
        let port = &mut self.ports[p];
        port.partial.extend_from_slice(data);
        let expected = port.users.front().map(|user| user.to_le_bytes());
        if expected.as_ref().map(|bytes| &bytes[..]) != Some(user) || (length < beat && !ends) {
            return Err(Error::Model(format!("port {p} gives a beat that nobody sent: {user:?}")));
        }
        if ends {
            port.users.pop_front();
            let bytes = std::mem::take(&mut port.partial);
            port.left.push_back(Left { bytes, clock: self.clocks });
        }
        Ok(())
    }

    /// Offers and takes everything until all frames have left; what happened in each clock goes to `see`.
    ///
    /// # Errors
    /// As of [`Self::clock`]; nothing moves any more.
    pub fn drain(&mut self, mut see: impl FnMut(u64, Events)) -> Result<(), Error> {
        let mut quiet = 0;
        while !self.is_idle() {
            let clock = self.clocks;
            let before: usize = self.ports.iter().map(|port| port.users.len()).sum();
            let events = self.clock(u64::MAX, u64::MAX)?;
            let after: usize = self.ports.iter().map(|port| port.users.len()).sum();
            quiet = if events.taken == 0 && before == after { quiet + 1 } else { 0 };
            if quiet > PATIENCE {
                return Err(Error::Stalled(format!("{after} frames do not leave")));
            }
            see(clock, events);
        }
        Ok(())
    }

    fn row(&mut self, memory: Memory, index: usize, write: Option<u64>) -> Result<u64, Error> {
        self.bench.set("row_valid", 1);
        self.bench.set("row_write", write.is_some().into());
        self.bench.set("row_memory", memory.number());
        self.bench.set("row_index", index as u64);
        self.bench.set("row_wdata", write.unwrap_or(0));
        for _ in 0..PATIENCE {
            self.bench.set("s_axis_tvalid", 0);
            self.bench.set("m_axis_tready", 0);
            self.bench.settle()?;
            let (done, word) = (self.bench.get("row_done") != 0, self.bench.get("row_rdata"));
            self.bench.edge()?;
            self.clocks += 1;
            if done {
                self.bench.set("row_valid", 0);
                return Ok(word);
            }
        }
        Err(Error::Stalled("a row is not answered".to_owned()))
    }

    /// A word that software reads; of the protection table {valid, is_write, tag, first, last}.
    ///
    /// # Errors
    /// The model stopped or does not answer.
    pub fn read(&mut self, memory: Memory, index: usize) -> Result<u64, Error> {
        self.row(memory, index, None)
    }

    /// A word that software writes.
    ///
    /// # Errors
    /// The model stopped or does not answer.
    pub fn write(&mut self, memory: Memory, index: usize, word: u64) -> Result<(), Error> {
        self.row(memory, index, Some(word)).map(|_| ())
    }

    /// What has been counted.
    pub fn counters(&self) -> Counters {
        let words = |name: &'static str| -> Vec<u32> {
            let bytes = self.bench.bytes(name).chunks_exact(4);
            bytes.map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
        };
        let refused = words("refused");
        let mut skipped = [0; 6];
        skipped.copy_from_slice(&words("skipped")[..6]);
        Counters {
            refused: refused
                .chunks_exact(7)
                .map(|port| std::array::from_fn(|fault| port[fault]))
                .collect(),
            executed: self.bench.get("executed") as u32,
            guards_failed: self.bench.get("guards_failed") as u32,
            skipped,
        }
    }
}
