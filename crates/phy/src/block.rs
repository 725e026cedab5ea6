//! Blocks of 66 bits (IEEE 802.3 figure 49-7): which word is which block.
//!
//! Bit 0 is first on the line everywhere. A block is a sync header of two bits and a payload of 64; the low byte
//! of a control block's payload is its type.

use crate::character::{ERROR, START, TERMINATE, code, of_code, of_ordered_code, ordered_code};
use crate::xgmii::Word;

/// The sync header of a block of data: the line sees 0, then 1.
pub const DATA: u8 = 0b10;
/// The sync header of a control block: the line sees 1, then 0.
pub const CONTROL: u8 = 0b01;

/// Type of a block of eight control characters.
pub const TYPE_CONTROL: u8 = 0x1e;
/// Type of a block with a start in lane 0.
pub const TYPE_START_0: u8 = 0x78;
/// Type of a block with four control characters and a start in lane 4.
pub const TYPE_START_4: u8 = 0x33;
/// Type of a block with four control characters and an ordered set.
pub const TYPE_CONTROL_ORDERED: u8 = 0x2d;
/// Type of a block with an ordered set and four control characters.
pub const TYPE_ORDERED_CONTROL: u8 = 0x4b;
/// Type of a block with two ordered sets.
pub const TYPE_ORDERED_ORDERED: u8 = 0x55;
/// Type of a block with an ordered set and a start in lane 4.
pub const TYPE_ORDERED_START: u8 = 0x66;
/// Types of blocks with 0 to 7 bytes of data in front of a terminate.
pub const TYPES_TERMINATE: [u8; 8] = [0x87, 0x99, 0xaa, 0xb4, 0xcc, 0xd2, 0xe1, 0xff];

/// How many bytes are in front of the terminate in a block of each type.
pub(crate) const ENDS: [Option<u8>; 256] = {
    let mut ends = [None; 256];
    let mut end = 0;
    while end < 8 {
        ends[TYPES_TERMINATE[end] as usize] = Some(end as u8);
        end += 1;
    }
    ends
};

/// A block that is not scrambled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block {
    /// Two bits, the first on the line in bit 0: [`DATA`] or [`CONTROL`]; others are faults.
    pub header: u8,
    /// The other 64 bits.
    pub payload: u64,
}

/// What a word or a block is to the state machines: T_TYPE and R_TYPE of clause 49.2.13.2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Control characters and ordered sets.
    Control,
    /// A start, with what is in front of it and behind it.
    Start,
    /// Eight octets of data.
    Data,
    /// A terminate, with what is in front of it and behind it.
    Terminate,
    /// None of these.
    Error,
}

/// What four lanes may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Data,
    Control,
    Ordered,
    Start,
}

impl Half {
    fn of(lanes: &[(bool, u8)]) -> Option<Self> {
        let control = |n: usize| lanes[n].0;
        if (0..4).all(|n| !control(n)) {
            return Some(Self::Data);
        }
        if control(0) && (1..4).all(|n| !control(n)) {
            if lanes[0].1 == START {
                return Some(Self::Start);
            }
            if ordered_code(lanes[0].1).is_some() {
                return Some(Self::Ordered);
            }
        }
        (0..4).all(|n| control(n) && code(lanes[n].1).is_some()).then_some(Self::Control)
    }
}

/// What a word is.
fn classify(word: Word) -> Result<(Kind, u8), Kind> {
    let lanes = word.lanes();
    match (Half::of(&lanes[..4]), Half::of(&lanes[4..])) {
        (Some(Half::Data), Some(Half::Data)) => return Ok((Kind::Data, 0)),
        (Some(Half::Start), Some(Half::Data)) => return Ok((Kind::Start, TYPE_START_0)),
        (Some(Half::Control), Some(Half::Start)) => return Ok((Kind::Start, TYPE_START_4)),
        (Some(Half::Ordered), Some(Half::Start)) => return Ok((Kind::Start, TYPE_ORDERED_START)),
        (Some(Half::Control), Some(Half::Ordered)) => {
            return Ok((Kind::Control, TYPE_CONTROL_ORDERED));
        }
        (Some(Half::Ordered), Some(Half::Control)) => {
            return Ok((Kind::Control, TYPE_ORDERED_CONTROL));
        }
        (Some(Half::Ordered), Some(Half::Ordered)) => {
            return Ok((Kind::Control, TYPE_ORDERED_ORDERED));
        }
        (Some(Half::Control), Some(Half::Control)) => {
            let fine = lanes.iter().all(|lane| lane.1 != ERROR);
            return if fine { Ok((Kind::Control, TYPE_CONTROL)) } else { Err(Kind::Error) };
        }
        _ => {}
    }
    let end = lanes.iter().position(|lane| lane.0).ok_or(Kind::Error)?;
    let behind = lanes[end + 1..].iter().all(|lane| lane.0 && code(lane.1).is_some());
    if lanes[end].1 == TERMINATE && behind {
        Ok((Kind::Terminate, TYPES_TERMINATE[end]))
    } else {
        Err(Kind::Error)
    }
}

impl Block {
    /// Eight idle characters.
    pub const IDLE: Self = Self { header: CONTROL, payload: TYPE_CONTROL as u64 };
    /// Eight error characters.
    pub const ERROR: Self = Self { header: CONTROL, payload: errors() };
    /// Local fault, twice.
    pub const LOCAL_FAULT: Self =
        Self { header: CONTROL, payload: 0x0100_0000_0100_0000 | TYPE_ORDERED_ORDERED as u64 };

    /// A block of data.
    pub const fn data(octets: u64) -> Self {
        Self { header: DATA, payload: octets }
    }

    /// The type of a control block; `None` for data and for illegal headers.
    pub const fn block_type(self) -> Option<u8> {
        if self.header == CONTROL { Some(self.payload as u8) } else { None }
    }

    /// All 66 bits.
    pub const fn to_bits(self) -> u128 {
        (self.payload as u128) << 2 | self.header as u128
    }

    /// The block of the low 66 bits.
    pub const fn of_bits(bits: u128) -> Self {
        Self { header: (bits & 3) as u8, payload: (bits >> 2) as u64 }
    }

    /// What a word is, and its block; errors for a word that is of no kind.
    pub fn of_word(word: Word) -> (Kind, Self) {
        if word.control == 0 {
            return (Kind::Data, Self::data(word.data));
        }
        if word == Word::IDLE {
            return (Kind::Control, Self::IDLE);
        }
        let Ok((kind, block_type)) = classify(word) else {
            return (Kind::Error, Self::ERROR);
        };
        let lanes = word.lanes();
        let mut payload = u64::from(block_type);
        for (lane, (control, octet)) in lanes.iter().enumerate() {
            let (bits, place) = match control {
                // Data behind the first lane of an ordered set or a start is where data of the lane always is; data
                // in front of a terminate is one byte further, for the type is in front of it.
                false if kind == Kind::Terminate => (*octet, 8 * (lane + 1)),
                false => (*octet, 8 * lane),
                true => match (code(*octet), ordered_code(*octet)) {
                    (Some(code), _) => (code, 8 + 7 * lane),
                    (None, Some(code)) => (code, 32 + lane),
                    // A start and a terminate are in the type.
                    (None, None) => continue,
                },
            };
            payload |= u64::from(bits) << place;
        }
        (kind, Self { header: CONTROL, payload })
    }

    /// What a block is, and its word; errors for a block that is of no kind.
    #[inline]
    pub fn to_word(self) -> (Kind, Word) {
        match self.header {
            DATA => return (Kind::Data, Word { data: self.payload, control: 0 }),
            CONTROL if self.payload == Self::IDLE.payload => return (Kind::Control, Word::IDLE),
            CONTROL => {}
            _ => return (Kind::Error, Word::ERROR),
        }
        self.between_frames().or_else(|| self.control_word()).unwrap_or((Kind::Error, Word::ERROR))
    }

    /// The usual blocks at the ends of a frame: with nothing but idle beside it.
    #[inline]
    fn between_frames(self) -> Option<(Kind, Word)> {
        let octets = self.payload >> 8;
        let octet = |octet: u8, lane: usize| u64::from(octet) << (8 * lane);
        match self.payload as u8 {
            TYPE_START_0 => {
                Some((Kind::Start, Word { data: octets << 8 | u64::from(START), control: 0x01 }))
            }
            TYPE_START_4 if octets << 36 == 0 => {
                let data = self.payload >> 40 << 40 | octet(START, 4) | Word::IDLE.data >> 32;
                Some((Kind::Start, Word { data, control: 0x1f }))
            }
            block_type => {
                let end = usize::from(ENDS[block_type as usize]?);
                if octets >> (8 * end) != 0 {
                    return None;
                }
                let idle = if end == 7 { 0 } else { Word::IDLE.data << (8 * end + 8) };
                let data = octets | octet(TERMINATE, end) | idle;
                Some((Kind::Terminate, Word { data, control: 0xff << end }))
            }
        }
    }

    fn control_word(self) -> Option<(Kind, Word)> {
        let octets = self.payload.to_le_bytes();
        let character =
            |lane: usize| of_code((self.payload >> (8 + 7 * lane)) as u8 & 0x7f).map(|c| (true, c));
        // The first character of an ordered set: of lane 0 or of lane 4.
        let ordered = |lane: usize| {
            of_ordered_code((self.payload >> (32 + lane)) as u8 & 0xf).map(|c| (true, c))
        };
        let data = |lane: usize| Some((false, octets[lane]));
        let start = Some((true, START));
        if let Some(end) = ENDS[octets[0] as usize].map(usize::from) {
            let lanes = collect(|lane| match lane {
                _ if lane < end => Some((false, octets[lane + 1])),
                _ if lane == end => Some((true, TERMINATE)),
                _ => character(lane),
            })?;
            return Some((Kind::Terminate, Word::of_lanes(lanes)));
        }
        let (kind, lanes) = match octets[0] {
            TYPE_CONTROL => {
                let lanes = collect(character)?;
                if lanes.iter().any(|lane| lane.1 == ERROR) {
                    return None;
                }
                (Kind::Control, lanes)
            }
            TYPE_CONTROL_ORDERED => (
                Kind::Control,
                collect(|lane| match lane {
                    0..4 => character(lane),
                    4 => ordered(4),
                    _ => data(lane),
                })?,
            ),
            TYPE_ORDERED_CONTROL => (
                Kind::Control,
                collect(|lane| match lane {
                    0 => ordered(0),
                    1..4 => data(lane),
                    _ => character(lane),
                })?,
            ),
            TYPE_ORDERED_ORDERED => (
                Kind::Control,
                collect(|lane| if lane % 4 == 0 { ordered(lane) } else { data(lane) })?,
            ),
            TYPE_START_4 => (
                Kind::Start,
                collect(|lane| match lane {
                    0..4 => character(lane),
                    4 => start,
                    _ => data(lane),
                })?,
            ),
            TYPE_ORDERED_START => (
                Kind::Start,
                collect(|lane| match lane {
                    0 => ordered(0),
                    4 => start,
                    _ => data(lane),
                })?,
            ),
            TYPE_START_0 => {
                (Kind::Start, collect(|lane| if lane == 0 { start } else { data(lane) })?)
            }
            _ => return None,
        };
        Some((kind, Word::of_lanes(lanes)))
    }
}

const fn errors() -> u64 {
    let mut payload = TYPE_CONTROL as u64;
    let mut lane = 0;
    while lane < 8 {
        payload |= 0x1e << (8 + 7 * lane);
        lane += 1;
    }
    payload
}

fn collect(lane: impl Fn(usize) -> Option<(bool, u8)>) -> Option<[(bool, u8); 8]> {
    let mut lanes = [(false, 0); 8];
    for (n, place) in lanes.iter_mut().enumerate() {
        *place = lane(n)?;
    }
    Some(lanes)
}
