//! Operations on a list as text, one a line, and their answers, one line each.
//!
//! ```text
//! enq ID RANK ELIGIBLE     ok                  or  id, duplicate, range, full
//! deq NOW                  ID RANK ELIGIBLE    or  none, range
//! deqid ID                 ID RANK ELIGIBLE    or  none, id
//! deqrange NOW LO HI       ID RANK ELIGIBLE    or  none, range
//! len                      a number
//! ```
//!
//! Numbers are decimal, or hexadecimal behind `0x`, of any size: one that is too large is an operand
//! out of range, not a mistake in the text. LO and HI are inclusive bounds on the id, not ids: they may
//! be anything, and an empty range answers `none`. Errors are checked in the order id,
//! duplicate, range, full, and leave the list as it was. Blank lines, and `#` with what follows it on
//! a line, are no operations and get no answer.

use crate::list::{Element, Limits, OrderedList, Refusal};
use std::fmt;

/// Bytes that a line may have at most, its end included.
pub const MAX_LINE: usize = 4096;

/// An operation. Operands that do not fit `u64` are `u64::MAX` with [`Operand::overflow`] set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `enq ID RANK ELIGIBLE`
    Enqueue {
        /// Who.
        id: Operand,
        /// Smaller leaves first.
        rank: Operand,
        /// From when on it may leave.
        eligible: Operand,
    },
    /// `deq NOW`
    Dequeue {
        /// The time.
        now: Operand,
    },
    /// `deqid ID`
    DequeueId {
        /// Who.
        id: Operand,
    },
    /// `deqrange NOW LO HI`
    DequeueRange {
        /// The time.
        now: Operand,
        /// The least id.
        lo: Operand,
        /// The greatest id.
        hi: Operand,
    },
    /// `len`
    Len,
}

/// A number of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The number; `u64::MAX` if it is larger than that.
    pub value: u64,
    /// The number does not fit 64 bits.
    pub overflow: bool,
}

impl Operand {
    /// Whether the number is `max` or less.
    pub fn at_most(self, max: u64) -> bool {
        !self.overflow && self.value <= max
    }

    /// The number as a bound on ids: what is larger than any id stays larger than any id.
    pub fn bound(self) -> u32 {
        u32::try_from(self.value).unwrap_or(u32::MAX)
    }

    fn parse(word: &str) -> Option<Self> {
        let (digits, radix) = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            Some(digits) => (digits, 16),
            None => (word, 10),
        };
        if digits.is_empty() {
            return None;
        }
        let mut value: Option<u64> = Some(0);
        for digit in digits.chars() {
            let digit = u64::from(digit.to_digit(radix)?);
            let shifted = value.and_then(|v| v.checked_mul(u64::from(radix)));
            value = shifted.and_then(|v| v.checked_add(digit));
        }
        Some(Self { value: value.unwrap_or(u64::MAX), overflow: value.is_none() })
    }
}

impl From<u64> for Operand {
    fn from(value: u64) -> Self {
        Self { value, overflow: false }
    }
}

const FORMS: [&str; 5] =
    ["enq ID RANK ELIGIBLE", "deq NOW", "deqid ID", "deqrange NOW LO HI", "len"];

impl Operation {
    /// Reads a line. `None` for a line without an operation.
    ///
    /// # Errors
    /// A sentence: what was expected and what was found.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let text = line.split('#').next().unwrap_or_default();
        let mut words = text.split_ascii_whitespace();
        let Some(name) = words.next() else { return Ok(None) };
        let form = FORMS.iter().find(|form| form.split(' ').next() == Some(name));
        let Some(form) = form else {
            return Err(format!("expected '{}', found '{}'", FORMS.join("', '"), shortened(name)));
        };
        let mut operands = [Operand::from(0); 3];
        let names: Vec<&str> = form.split(' ').skip(1).collect();
        for (operand, name) in operands.iter_mut().zip(&names) {
            let Some(word) = words.next() else {
                return Err(format!("expected '{form}', found no {name}"));
            };
            *operand = Operand::parse(word).ok_or_else(|| {
                format!("expected '{form}', found '{}' instead of a number", shortened(word))
            })?;
        }
        if let Some(word) = words.next() {
            return Err(format!("expected '{form}', found '{}' behind it", shortened(word)));
        }
        let [a, b, c] = operands;
        Ok(Some(match name {
            "enq" => Self::Enqueue { id: a, rank: b, eligible: c },
            "deq" => Self::Dequeue { now: a },
            "deqid" => Self::DequeueId { id: a },
            "deqrange" => Self::DequeueRange { now: a, lo: b, hi: c },
            _ => Self::Len,
        }))
    }
}

/// The beginning of a word, for a message.
fn shortened(word: &str) -> String {
    word.chars().flat_map(char::escape_debug).take(40).collect()
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.overflow {
            // 2^64, the least that does not fit.
            true => f.write_str("0x10000000000000000"),
            false => self.value.fmt(f),
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enqueue { id, rank, eligible } => write!(f, "enq {id} {rank} {eligible}"),
            Self::Dequeue { now } => write!(f, "deq {now}"),
            Self::DequeueId { id } => write!(f, "deqid {id}"),
            Self::DequeueRange { now, lo, hi } => write!(f, "deqrange {now} {lo} {hi}"),
            Self::Len => f.write_str("len"),
        }
    }
}

/// The answer to an operation; as text, its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `ok`: the element is in.
    Done,
    /// `ID RANK ELIGIBLE`: the element is out.
    Element(Element),
    /// `none`: no element matches.
    Nobody,
    /// The number of elements.
    Length(u64),
    /// The word of the reason; the list is as it was.
    Refused(Refusal),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("ok"),
            Self::Element(e) => write!(f, "{} {} {}", e.id, e.rank, e.eligible),
            Self::Nobody => f.write_str("none"),
            Self::Length(length) => length.fmt(f),
            Self::Refused(refusal) => f.write_str(refusal.word()),
        }
    }
}

/// What executes operations: a list in software, or a model of hardware.
pub trait Implementation {
    /// Executes an operation.
    ///
    /// # Errors
    /// A sentence, when the implementation itself failed; a refusal is an [`Answer`].
    fn execute(&mut self, operation: &Operation) -> Result<Answer, String>;
}

impl<L: OrderedList + ?Sized> Implementation for Box<L> {
    fn execute(&mut self, operation: &Operation) -> Result<Answer, String> {
        let limits = self.limits();
        Ok(match execute(self.as_mut(), &limits, operation) {
            Ok(answer) => answer,
            Err(refusal) => Answer::Refused(refusal),
        })
    }
}

fn execute<L: OrderedList + ?Sized>(
    list: &mut L,
    limits: &Limits,
    operation: &Operation,
) -> Result<Answer, Refusal> {
    let known = |id: Operand| match id.at_most(u64::from(limits.ids) - 1) {
        true => Ok(id.bound()),
        false => Err(Refusal::Id),
    };
    let clock = |now: Operand| match now.at_most(limits.max_time()) {
        true => Ok(now.value),
        false => Err(Refusal::Range),
    };
    let found = |element: Option<Element>| element.map_or(Answer::Nobody, Answer::Element);
    match *operation {
        Operation::Enqueue { id, rank, eligible } => {
            let id = known(id)?;
            if list.contains(id) {
                return Err(Refusal::Duplicate);
            }
            if rank.overflow || eligible.overflow {
                return Err(Refusal::Range);
            }
            list.enqueue(Element { id, rank: rank.value, eligible: eligible.value })?;
            Ok(Answer::Done)
        }
        Operation::Dequeue { now } => Ok(found(list.dequeue(clock(now)?))),
        Operation::DequeueId { id } => Ok(found(list.dequeue_id(known(id)?))),
        Operation::DequeueRange { now, lo, hi } => {
            Ok(found(list.dequeue_range(clock(now)?, lo.bound()..=hi.bound())))
        }
        Operation::Len => Ok(Answer::Length(list.len() as u64)),
    }
}
