//! What an engine tells about the way of a packet through a program.

use crate::{DropReason, PortId};
use serde::Serialize;

/// A place in the program's source; the front end's source map turns it into file and line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Number of the file in the source map.
    pub file: u32,
    /// Offset of the first byte.
    pub lo: u32,
    /// Offset behind the last byte.
    pub hi: u32,
}

/// A name with a value, both as text: numbers in hexadecimal as wide as their type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedValue {
    /// Name as in the source.
    pub name: String,
    /// Value.
    pub value: String,
}

/// Which packet an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PacketTag {
    /// Number of the received frame, from 1.
    pub packet: u64,
    /// 0 for the frame itself, then counting its copies and returns in order.
    pub copy: u32,
}

/// One step of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TraceEvent {
    /// A frame came in.
    Receive {
        /// Port.
        port: PortId,
        /// Bytes.
        length: usize,
    },
    /// A parser or control of the package begins.
    Block {
        /// Its control-plane name.
        name: String,
        /// Where it is declared.
        at: Place,
    },
    /// A parser state begins.
    State {
        /// Control-plane name of the parser.
        parser: String,
        /// Name of the state.
        state: String,
        /// Where it is declared.
        at: Place,
    },
    /// A header was extracted.
    Extract {
        /// The header as written.
        header: String,
        /// Bits of the packet in front of it.
        offset: u64,
        /// Its size in bits.
        bits: u64,
        /// Its fields.
        fields: Vec<NamedValue>,
        /// The call.
        at: Place,
    },
    /// A `select` was decided.
    Select {
        /// What was compared.
        values: Vec<String>,
        /// The state to go to.
        target: String,
        /// The case taken; `None` if none fits.
        at: Option<Place>,
    },
    /// The parser ended in `reject`.
    ParserError {
        /// `error.X`
        error: String,
    },
    /// A table was applied.
    Table {
        /// Full name.
        table: String,
        /// Its keys.
        keys: Vec<NamedValue>,
        /// Whether an entry matched.
        hit: bool,
        /// The handle of that entry.
        entry: Option<u64>,
        /// The keys of that entry, as an author would write them.
        matched: Vec<String>,
        /// Full name of the action that runs.
        action: String,
        /// The control plane's arguments.
        arguments: Vec<NamedValue>,
        /// The table.
        at: Place,
    },
    /// A field or variable changed.
    Assign {
        /// Its name as written.
        name: String,
        /// Value before.
        old: String,
        /// Value after.
        new: String,
        /// The statement.
        at: Place,
    },
    /// A function or method of the architecture was called.
    Extern {
        /// Its name, with the object: `MyIngress.counter.count`.
        name: String,
        /// Arguments, results included.
        arguments: Vec<NamedValue>,
        /// The call.
        at: Place,
    },
    /// `log_msg`, or a failed `assert`.
    Log {
        /// Text.
        message: String,
        /// The call.
        at: Place,
    },
    /// A copy is made by `clone`.
    Clone {
        /// `I2E` or `E2E`.
        kind: String,
        /// Mirroring session.
        session: u32,
        /// Whether the session exists; without it no copy is made.
        configured: bool,
    },
    /// The packet goes back to the parser as it came.
    Resubmit,
    /// The packet goes back to the parser as it is now.
    Recirculate {
        /// Bytes.
        length: usize,
    },
    /// Replicas are made.
    Multicast {
        /// Group.
        group: u32,
        /// Replication id and port of each.
        replicas: Vec<(u32, PortId)>,
    },
    /// The packet joins an output queue.
    Enqueue {
        /// Port.
        port: PortId,
    },
    /// A header was emitted by the deparser.
    Emit {
        /// The header as written.
        header: String,
        /// Its fields.
        fields: Vec<NamedValue>,
        /// The call.
        at: Place,
    },
    /// The packet is gone.
    Drop {
        /// Why.
        reason: DropReason,
        /// Where `mark_to_drop` or the like was called last.
        at: Option<Place>,
    },
    /// The packet leaves.
    Transmit {
        /// Port.
        port: PortId,
        /// Bytes.
        length: usize,
    },
}

/// Listens to an engine at work.
pub trait Observer: Send {
    /// Called at each step, in order.
    fn event(&mut self, packet: PacketTag, event: TraceEvent);
}

impl<F: FnMut(PacketTag, TraceEvent) + Send> Observer for F {
    fn event(&mut self, packet: PacketTag, event: TraceEvent) {
        self(packet, event);
    }
}
