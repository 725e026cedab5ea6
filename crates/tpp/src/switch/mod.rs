//! The TCPU of a switch: finds TPPs in frames that come in, executes them when it is known how their packets go on,
//! and keeps the statistics that they read.
//!
//! It is a block of the switch, not of a program: what the pipeline sees of a packet with a transparent TPP is the
//! packet without it, so that any P4 program forwards packets with TPPs. The switch calls [`Tcpu::arrive`] in front
//! of the parser, [`Tcpu::execute`] for each copy between ingress and queue (where a central TCPU has access to
//! everything, spec 003 section 2.6), and puts the TPP back behind the deparser ([`Carried::put_back`]). In between
//! it reports to [`Ports`] which packets join, are dropped, leave and are sent.

mod counters;
pub mod drops;
mod fields;
mod memory;
pub mod meter;
pub mod ports;
pub mod routes;
pub mod settings_file;
mod stages;
pub mod tables;

use crate::execute::{AbsentGuard, Settings, execute};
use crate::frame::{self, Carriage, Place};
use crate::header::flag;
use crate::packet::Tpp;
use crate::protection::Protection;
use crate::switch_memory::{Refusal, SwitchMemory};
pub use counters::Counters;
use drops::Reporter;
use memory::Memory;
use meter::Picoseconds;
use ports::{PortConfig, Ports};
use serde::{Deserialize, Serialize};
use stages::Stage;
use std::collections::BTreeMap;
use std::fmt;
use tables::Tables;

/// `Switch:Clock` counts nanoseconds.
const CLOCK_FREQUENCY: u32 = 1_000_000_000;
const PICOSECONDS_PER_CYCLE: u64 = 1000;

/// Stages that have registers and memory even if the program has fewer tables: those of the paper's prototype.
pub const LEAST_STAGES: u16 = 4;

/// Stages that the memory map has room for.
pub const MOST_STAGES: u16 = 47;

/// Who a switch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// `Switch:SwitchID`
    pub switch_id: u32,
    /// `Switch:VendorID`
    pub vendor_id: u32,
}

/// The settings of a TCPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Who the switch is.
    pub identity: Identity,
    /// Whether STORE, POP and CSTORE do anything.
    pub writes_enabled: bool,
    /// What a CEXEC does that cannot be evaluated.
    pub absent_guard: AbsentGuard,
    /// Which application may access what; `None` for all everything.
    pub protection: Option<Protection>,
    /// Ports that have something of their own.
    pub ports: BTreeMap<u32, PortConfig>,
    /// All others; their numbers are added to the link's ID.
    pub other_ports: PortConfig,
    /// How long utilisation and rates are averaged, more than 0.
    pub window: Picoseconds,
    /// Bytes that a frame takes on the line besides its own.
    pub overhead: u32,
    /// What platform-specific addresses, from 0xf000 on, show: another address. Rules are asked for the former.
    pub platform: BTreeMap<u16, u16>,
    /// The stage, counted from 1, whose registers are [`routes`] that go before the switch's own.
    pub routes: Option<u16>,
    /// Whom drops of packets with TPPs are reported to.
    pub drops: Option<drops::Settings>,
}

/// Preamble and start, frame check sequence and the least gap (IEEE 802.3 clauses 3 and 4).
const ETHERNET_OVERHEAD: u32 = 24;

impl Config {
    /// Of a switch with this number: links have the IDs `switch_id * 256 + port`, all ports 10 Gb/s, utilisation is
    /// that of the last millisecond, and everybody may do everything.
    pub fn new(switch_id: u32) -> Self {
        Self {
            identity: Identity { switch_id, vendor_id: 0 },
            writes_enabled: true,
            absent_guard: AbsentGuard::default(),
            protection: None,
            ports: BTreeMap::new(),
            other_ports: PortConfig {
                link_id: switch_id << 8,
                rate: 10_000_000_000,
                outside: false,
            },
            window: 1_000_000_000,
            overhead: ETHERNET_OVERHEAD,
            platform: BTreeMap::new(),
            routes: None,
            drops: None,
        }
    }
}

/// A TPP on its way through a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    bytes: Vec<u8>,
    /// Where it is in the frame, if it stays there.
    at: Option<usize>,
    executed: bool,
}

impl Carried {
    /// Bytes that the packet is longer on the wire than what the pipeline sees.
    pub fn extra(&self) -> u32 {
        if self.at.is_some() { 0 } else { self.bytes.len() as u32 }
    }

    /// Writes a TPP that stays where it is into the packet, which the pipeline has as it came in. Call this behind
    /// [`Tcpu::execute`].
    pub fn write_into(&self, frame: &mut [u8]) {
        if let Some(at) = self.at
            && let Some(place) = frame.get_mut(at..at + self.bytes.len())
        {
            place.copy_from_slice(&self.bytes);
        }
    }

    /// Appends the frame that leaves to `out`, with a transparent TPP in front of its payload, whatever that has
    /// become. A frame that is no Ethernet frame any more stays as it is.
    pub fn put_back(&self, frame: &[u8], out: &mut Vec<u8>) {
        match self.at {
            Some(_) => out.extend_from_slice(frame),
            None => frame::attach(frame, &self.bytes, out),
        }
    }
}

/// What comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// A frame without TPP: the pipeline sees it as it is.
    Plain,
    /// A TPP comes from outside: drop it.
    Outside,
    /// A frame with a TPP. The pipeline sees what is in its place from here on.
    Carries {
        /// Bytes in front of that.
        begin: usize,
    },
}

/// A packet when its way is known.
#[derive(Debug)]
pub struct Packet<'p> {
    /// Now, at the switch.
    pub now: Picoseconds,
    /// Where it came in.
    pub input_port: u32,
    /// Where it goes; a TPP may change it.
    pub output_port: u32,
    /// Its queue there; a TPP may change it.
    pub queue: u32,
    /// Bytes as it came in, without FCS.
    pub length: u32,
    /// The frame as it came in, with or without the TPP.
    pub frame: &'p [u8],
    /// Ports that a TPP has chosen instead, if they are not one.
    bitmap: Option<u64>,
}

impl<'p> Packet<'p> {
    /// A packet that came in as `frame`, `length` bytes long, and goes to a queue of a port.
    pub fn new(
        now: Picoseconds,
        (input_port, frame, length): (u32, &'p [u8], u32),
        (output_port, queue): (u32, u32),
    ) -> Self {
        Self { now, input_port, output_port, queue, length, frame, bitmap: None }
    }

    /// Where it goes now, if that is one port.
    pub fn output(&self) -> Option<u32> {
        self.bitmap.is_none().then_some(self.output_port)
    }

    /// Where it goes now, as bits; none for ports from 64 on.
    pub fn ports(&self) -> u64 {
        self.bitmap.unwrap_or_else(|| 1u64.checked_shl(self.output_port).unwrap_or(0))
    }

    fn send_to(&mut self, port: u32) {
        (self.output_port, self.bitmap) = (port, None);
    }

    fn set_ports(&mut self, bits: u64) {
        match bits.count_ones() {
            1 => self.send_to(bits.trailing_zeros()),
            _ => self.bitmap = Some(bits),
        }
    }
}

/// How a packet goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// To [`Packet::output`], or to all of [`Packet::ports`].
    Forward,
    /// Back where it came from: [`Tcpu::reflect`].
    Reflect,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Tcpu {
    config: Config,
    ports: Ports,
    stages: Vec<Stage>,
    counters: Counters,
    reporter: Option<Reporter>,
    /// When a frame arrived last: the control plane's requests have no time of their own.
    last_arrival: Picoseconds,
}

/// Why the control plane cannot read or write an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWord {
    /// There is nothing.
    Absent {
        /// Where.
        address: u16,
    },
    /// It can be read only.
    ReadOnly {
        /// Where.
        address: u16,
    },
    /// Each packet has a value of its own there.
    OfPacket {
        /// Where.
        address: u16,
    },
}

impl fmt::Display for NoWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { address } => {
                write!(f, "there is nothing at the TPP address 0x{address:04x}")
            }
            Self::ReadOnly { address } => {
                write!(f, "the TPP address 0x{address:04x} can be read only")
            }
            Self::OfPacket { address } => {
                write!(
                    f,
                    "the TPP address 0x{address:04x} depends on a packet: only TPPs can use it"
                )
            }
        }
    }
}

impl std::error::Error for NoWord {}

impl Tcpu {
    /// Of a switch that has seen no packet, with `tables` tables.
    pub fn new(config: Config, tables: u16) -> Self {
        let Config { window, overhead, other_ports, .. } = config;
        let ports = Ports::new(config.ports.clone(), other_ports, window.max(1), overhead);
        let stages = tables.clamp(LEAST_STAGES, MOST_STAGES);
        let stages = vec![Stage::default(); stages.into()];
        let reporter = config.drops.map(Reporter::new);
        let counters = Counters::default();
        Self { config, ports, stages, counters, reporter, last_arrival: 0 }
    }

    /// The port that a route written by TPPs leads the frame to, which the pipeline sees; `None` if there is no such route.
    pub fn route(&self, frame: &[u8]) -> Option<u32> {
        let stage = usize::from(self.config.routes?).checked_sub(1)?;
        routes::lookup(self.stages.get(stage)?, fields::ipv4_destination(frame)?)
    }

    /// A frame is dropped, with its TPP in it if it had one. Gives a frame for the collector, if the drop is reported, for
    /// the switch to send as its own.
    pub fn dropped(
        &mut self,
        now: Picoseconds,
        why: (drops::Reason, Option<u32>),
        frame: &[u8],
    ) -> Option<Vec<u8>> {
        self.reporter.as_mut()?.report(now, self.config.identity.switch_id, why, frame)
    }

    /// Reads words of the address space for the control plane, as of the time of the last packet.
    ///
    /// # Errors
    /// The first address that has no value there.
    pub fn read<T: Tables>(&mut self, addresses: &[u16], tables: &T) -> Result<Vec<u32>, NoWord> {
        let mut read = |address: u16| {
            self.without_packet(address, tables, |memory| {
                memory.read(address).map(|value| value.word).ok_or(NoWord::Absent { address })
            })
        };
        addresses.iter().map(|address| read(*address)).collect()
    }

    /// Writes a word of the address space for the control plane, whatever the rules for TPPs say.
    ///
    /// # Errors
    /// Why nothing was written.
    pub fn write<T: Tables>(&mut self, address: u16, value: u32, tables: &T) -> Result<(), NoWord> {
        self.without_packet(address, tables, |memory| {
            memory.write(address, value).map_err(|refusal| match refusal {
                Refusal::Absent => NoWord::Absent { address },
                Refusal::ReadOnly => NoWord::ReadOnly { address },
            })
        })
    }

    fn without_packet<T: Tables, R>(
        &mut self,
        address: u16,
        tables: &T,
        access: impl FnOnce(&mut Memory<'_, '_, T>) -> Result<R, NoWord>,
    ) -> Result<R, NoWord> {
        let Self { config, ports, stages, last_arrival, .. } = self;
        let (identity, platform) = (&config.identity, &config.platform);
        if memory::depends_on_packet(*platform.get(&address).unwrap_or(&address)) {
            return Err(NoWord::OfPacket { address });
        }
        let packet = &mut Packet::new(*last_arrival, (0, &[], 0), (0, 0));
        access(&mut Memory { identity, platform, ports, stages, packet, tables })
    }

    /// What became of TPPs so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The statistics of ports, which the switch updates.
    pub fn ports(&mut self) -> &mut Ports {
        &mut self.ports
    }

    /// A frame has arrived. If it has a TPP, that is put into `carried`.
    #[inline]
    pub fn arrive(
        &mut self,
        port: u32,
        now: Picoseconds,
        frame: &mut [u8],
        carried: &mut Carried,
    ) -> Arrival {
        self.last_arrival = now;
        self.ports.received(port, now, frame.len() as u32);
        match frame::may_carry(frame) {
            true => self.look(port, frame, carried),
            false => Arrival::Plain,
        }
    }

    fn look(&mut self, port: u32, frame: &mut [u8], carried: &mut Carried) -> Arrival {
        let Some(place) = frame::find(frame) else { return Arrival::Plain };
        if self.ports.get(port).is_some_and(|port| port.config.outside) {
            self.counters.outside += 1;
            return Arrival::Outside;
        }
        self.take(frame, place, carried)
    }

    /// Takes the TPP of a frame that has one.
    fn take(&mut self, frame: &mut [u8], place: Place, carried: &mut Carried) -> Arrival {
        (carried.at, carried.executed) = (None, false);
        match place.carriage {
            Carriage::Echo => Arrival::Plain,
            Carriage::Standalone => self.in_place(frame, place, carried),
            Carriage::Transparent => match frame::detach(frame, &place, &mut carried.bytes) {
                Some(begin) => Arrival::Carries { begin },
                None => self.in_place(frame, place, carried),
            },
        }
    }

    /// A TPP that stays where it is; a malformed one is counted, and nobody's concern any more.
    fn in_place(&mut self, frame: &[u8], place: Place, carried: &mut Carried) -> Arrival {
        let at = place.bytes.start;
        match Tpp::new(&frame[place.bytes]) {
            Ok(tpp) => {
                carried.bytes.clear();
                carried.bytes.extend_from_slice(tpp.as_bytes());
                carried.at = Some(at);
                Arrival::Carries { begin: 0 }
            }
            Err(fault) => {
                self.counters.malformed[fault as usize] += 1;
                Arrival::Plain
            }
        }
    }

    /// Executes the TPP of a packet that is about to join its queue. One that has been executed, in an earlier pass
    /// through this switch, stays as it is.
    pub fn execute<T: Tables>(
        &mut self,
        carried: &mut Carried,
        packet: &mut Packet<'_>,
        tables: &T,
    ) -> Verdict {
        if std::mem::replace(&mut carried.executed, true) {
            return Verdict::Forward;
        }
        let Self { config, ports, stages, counters, .. } = self;
        let mut tpp = match Tpp::new(carried.bytes.as_mut_slice()) {
            Ok(tpp) => tpp,
            Err(fault) => {
                counters.malformed[fault as usize] += 1;
                return Verdict::Forward;
            }
        };
        let settings = Settings {
            writes_enabled: config.writes_enabled,
            absent_guard: config.absent_guard,
            protection: config.protection.as_ref(),
        };
        let reflects = tpp.flags() & (flag::REFLECT | flag::DONE) == flag::REFLECT;
        let (identity, platform) = (&config.identity, &config.platform);
        let mut memory = Memory { identity, platform, ports, stages, packet, tables };
        let report = execute(&mut tpp, &mut memory, &settings);
        counters.note(&report);
        match reflects {
            true => {
                counters.reflected += 1;
                Verdict::Reflect
            }
            false => Verdict::Forward,
        }
    }

    /// Sends a packet back where it came from, given what the pipeline saw when it came in. It is marked done, and
    /// comes in once more, so that the pipeline finds its way. Gives what the pipeline sees of it, and the TPP.
    pub fn reflect(&mut self, frame: &[u8], carried: &Carried) -> (Vec<u8>, Option<Carried>) {
        let mut seen = frame.to_vec();
        carried.write_into(&mut seen);
        let mut frame = Vec::new();
        carried.put_back(&seen, &mut frame);
        frame::send_back(&mut frame);
        let mut back = Carried::default();
        let arrival = match frame::find(&frame) {
            Some(place) => self.take(&mut frame, place, &mut back),
            None => Arrival::Plain,
        };
        match arrival {
            Arrival::Carries { begin } => (frame.split_off(begin), Some(back)),
            Arrival::Plain | Arrival::Outside => (frame, None),
        }
    }
}
