//! The state of one block at work.

use super::loaded::Loaded;
use super::requests::Requests;
use super::state::State;
use super::values::Value;
use crate::bits::BitWriter;
use std::sync::Arc;
use ww_dataplane::DropReason;
use ww_dataplane::Picoseconds;
use ww_dataplane::control::TableIndex;
use ww_dataplane::trace::{Observer, PacketTag, TraceEvent};
use ww_p4::ir::{InstanceId, Program};

/// What ends a block before its last statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// `exit`
    Exit,
    /// The parser goes to `reject`; an error unless the program went there itself.
    Reject(Option<u32>),
    /// The packet is lost.
    Drop(DropReason),
}

/// The result of anything that an interrupt may end.
pub type Run<T> = Result<T, Interrupt>;

/// How a statement ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Flow {
    /// On to the next one.
    Next,
    /// `return`, with a value or [`Value::Absent`].
    Return(Value),
    /// `break`
    Break,
    /// `continue`
    Continue,
}

/// What belongs to the packet at work and is no variable of the program.
#[derive(Debug)]
pub struct PacketContext {
    /// Its name in traces.
    pub tag: PacketTag,
    /// The time.
    pub now: Picoseconds,
    /// The bytes that the parser reads.
    pub bytes: Arc<[u8]>,
    /// Bits of them that the parser has consumed; the payload follows.
    pub cursor: u64,
    /// Bytes that counters and meters take into account.
    pub length: u32,
    /// What the deparser has emitted.
    pub emitted: BitWriter,
    /// What the program asked the switch to do.
    pub requests: Requests,
    /// Whether a checksum did not hold.
    pub checksum_error: bool,
    /// Parser states entered.
    pub states: u64,
    /// Loop rounds begun.
    pub steps: u64,
    /// Whether ingress is done.
    pub behind_ingress: bool,
    /// How often each place ([`ww_dataplane::random::site`]) has drawn a random number.
    pub draws: Vec<(u64, u64)>,
    /// With a TCPU: the tables whose entries it has matched, with the last one's handle.
    pub matched: Vec<(TableIndex, u64)>,
}

impl PacketContext {
    /// The context of a packet at the start of its way.
    pub fn new(tag: PacketTag, now: Picoseconds, bytes: Arc<[u8]>) -> Self {
        Self {
            tag,
            now,
            length: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            bytes,
            cursor: 0,
            emitted: BitWriter::new(),
            requests: Requests::default(),
            checksum_error: false,
            states: 0,
            steps: 0,
            behind_ingress: false,
            draws: Vec::new(),
            matched: Vec::new(),
        }
    }

    /// No packet: for what is evaluated when a program is loaded.
    pub fn idle() -> Self {
        Self::new(PacketTag { packet: 0, copy: 0 }, 0, Arc::new([]))
    }
}

/// A block at work: the program, its state, and the packet.
pub struct Machine<'a> {
    /// The program.
    pub program: &'a Program,
    /// What was prepared when it was loaded.
    pub loaded: &'a Loaded,
    /// What outlives packets.
    pub state: &'a mut State,
    /// The variables, by [`ww_p4::ir::VarId`].
    pub slots: &'a mut [Value],
    /// The packet.
    pub packet: &'a mut PacketContext,
    /// Who listens.
    pub observer: Option<&'a mut (dyn Observer + 'static)>,
    /// The parser or control at work: whose tables and objects are meant.
    pub instance: InstanceId,
    /// The object whose abstract method is at work.
    pub this: Option<InstanceId>,
}

impl Machine<'_> {
    /// Tells the observer, if there is one.
    pub fn trace(&mut self, event: impl FnOnce(&Program) -> TraceEvent) {
        if let Some(observer) = &mut self.observer {
            observer.event(self.packet.tag, event(self.program));
        }
    }

    /// Whether somebody listens.
    pub fn is_traced(&self) -> bool {
        self.observer.is_some()
    }

    /// Counts a round of a loop.
    pub fn step(&mut self) -> Run<()> {
        self.packet.steps += 1;
        if self.packet.steps > self.loaded.options.max_steps {
            return Err(Interrupt::Drop(DropReason::TooManySteps));
        }
        Ok(())
    }
}
