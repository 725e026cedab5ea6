//! What belongs to one packet.

use super::expressions::Fields;
use std::cell::Cell;
use std::rc::Rc;
use ww_dataplane::trace::PacketTag;
use ww_dataplane::{Picoseconds, PortId};
use ww_engine::bits::{BitWriter, Bits};
use ww_p4::pipeline::FieldId;

/// Fields that a copy keeps.
pub type Kept = Vec<(FieldId, Bits)>;

/// What the program asked of the switch.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Mirroring session and fields to keep.
    pub clone: Option<(u32, Vec<FieldId>)>,
    pub resubmit: Option<Vec<FieldId>>,
    pub recirculate: Option<Vec<FieldId>>,
    pub truncate: Option<u32>,
}

/// A packet in one pass through blocks.
#[derive(Debug)]
pub struct Context {
    pub tag: PacketTag,
    pub now: Picoseconds,
    pub bytes: Rc<[u8]>,
    /// Bits that the parser consumed.
    pub cursor: u64,
    pub emitted: BitWriter,
    pub requests: Requests,
    pub checksum_error: bool,
    /// The parser's error, if it had one.
    pub error: Option<u32>,
    pub states: u64,
    pub steps: u64,
    /// How often each call site has drawn a random number.
    pub draws: Vec<(u64, u64)>,
    /// Ingress is over.
    pub behind_ingress: bool,
}

impl Context {
    pub fn new(tag: PacketTag, now: Picoseconds, bytes: Rc<[u8]>) -> Self {
        Self {
            tag,
            now,
            bytes,
            cursor: 0,
            emitted: BitWriter::new(),
            requests: Requests::default(),
            checksum_error: false,
            error: None,
            states: 0,
            steps: 0,
            draws: Vec::new(),
            behind_ingress: false,
        }
    }
}

/// Counts over all packets from one frame.
#[derive(Debug, Default)]
pub struct Family {
    pub copies: Cell<u32>,
    pub passes: Cell<u32>,
}

/// A packet in front of the parser.
#[derive(Clone, Debug)]
pub struct Arriving {
    pub tag: PacketTag,
    pub family: Rc<Family>,
    pub at: Picoseconds,
    pub port: PortId,
    pub instance_type: u32,
    pub bytes: Rc<[u8]>,
    pub kept: Kept,
}

/// A packet between ingress and egress.
#[derive(Clone, Debug)]
pub struct Leaving {
    pub tag: PacketTag,
    pub family: Rc<Family>,
    pub fields: Fields,
    pub bytes: Rc<[u8]>,
    pub cursor: u64,
    pub truncate: Option<u32>,
    pub recirculate: Option<Vec<FieldId>>,
}
