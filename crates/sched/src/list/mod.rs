//! Ordered lists whose elements leave in order of rank, and only when they are eligible.
//!
//! The primitive is PIEO (push in, extract out) of "Towards High-Speed Networking in the
//! Post-Moore Era" (V. Shrivastav, 2020), chapter 2: an element leaves if it has the smallest rank
//! of those that are eligible now. Equal ranks leave in the order in which they came. An element is
//! eligible from a time on that is known when it enters; the clock may be a wall clock or a virtual
//! one, and it may go backwards.
//!
//! # Values
//!
//! **Every rank and every time of the configured width is legal, all-ones included.** Lists count
//! their elements or mark valid ones; no value stands for "empty". An eligible time of all-ones means
//! "never" only as long as the clock has not reached it; 0 means "always".

pub mod fast;
pub mod fifo;
pub mod pifo;
pub mod reference;

use std::fmt;
use std::ops::RangeInclusive;

/// An element of a list: a flow, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    /// Who it is: 0 to [`Limits::ids`] - 1, at most once in a list.
    pub id: u32,
    /// Smaller leaves first.
    pub rank: u64,
    /// It may leave when the time is this or later.
    pub eligible: u64,
}

/// Why an operation was refused. The list is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// No element can have this id: it is [`Limits::ids`] or more.
    Id,
    /// An element with this id is in the list.
    Duplicate,
    /// A rank or a time has more bits than the list was made for.
    Range,
    /// The list holds [`Limits::capacity`] elements.
    Full,
}

impl Refusal {
    /// One word, as `ww sched exec` prints it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Duplicate => "duplicate",
            Self::Range => "range",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Id => "there is no such id",
            Self::Duplicate => "an element with this id is in the list",
            Self::Range => "a rank or time has too many bits",
            Self::Full => "the list is full",
        })
    }
}

impl std::error::Error for Refusal {}

/// The largest [`Limits::capacity`] and [`Limits::ids`].
pub const MAX_ELEMENTS: u32 = 1 << 24;

/// What a list is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Elements at a time: 1 to [`MAX_ELEMENTS`].
    pub capacity: u32,
    /// Ids are 0 to this minus 1: `capacity` to [`MAX_ELEMENTS`]. If it equals `capacity`, a full list
    /// has every id, so that [`Refusal::Duplicate`] always comes before [`Refusal::Full`].
    pub ids: u32,
    /// Bits of a rank, 1 to 64.
    pub rank_bits: u32,
    /// Bits of a time, 1 to 64.
    pub time_bits: u32,
}

impl Limits {
    /// Lists of `capacity` elements with as many ids and ranks and times of these widths.
    ///
    /// # Errors
    /// A sentence that names the value that is out of its range.
    pub fn new(capacity: u32, rank_bits: u32, time_bits: u32) -> Result<Self, String> {
        if !(1..=MAX_ELEMENTS).contains(&capacity) {
            return Err(format!("the capacity must be 1 to {MAX_ELEMENTS}, not {capacity}"));
        }
        for (bits, what) in [(rank_bits, "ranks"), (time_bits, "times")] {
            if !(1..=64).contains(&bits) {
                return Err(format!("{what} must have 1 to 64 bits, not {bits}"));
            }
        }
        Ok(Self { capacity, ids: capacity, rank_bits, time_bits })
    }

    /// The largest rank.
    pub fn max_rank(&self) -> u64 {
        u64::MAX >> (64 - self.rank_bits)
    }

    /// The largest time.
    pub fn max_time(&self) -> u64 {
        u64::MAX >> (64 - self.time_bits)
    }

    /// Whether `element` may enter a list that holds `len` elements and has one with this id if
    /// `present`. The first reason against it in the order of [`Refusal`].
    pub fn admit(&self, element: &Element, present: bool, len: usize) -> Result<(), Refusal> {
        if element.id >= self.ids {
            Err(Refusal::Id)
        } else if present {
            Err(Refusal::Duplicate)
        } else if element.rank > self.max_rank() || element.eligible > self.max_time() {
            Err(Refusal::Range)
        } else if len >= self.capacity as usize {
            Err(Refusal::Full)
        } else {
            Ok(())
        }
    }
}

impl Default for Limits {
    /// 1,024 elements, ranks and times of 16 bits.
    fn default() -> Self {
        Self { capacity: 1024, ids: 1024, rank_bits: 16, time_bits: 16 }
    }
}

/// A list of elements. What "first" means is the list's own: PIEO goes by rank and eligibility, PIFO
/// by rank alone, a FIFO by arrival.
pub trait OrderedList {
    /// What the list is made for.
    fn limits(&self) -> Limits;

    /// How many elements are in the list.
    fn len(&self) -> usize;

    /// Whether the list has no element.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an element with this id is in the list.
    fn contains(&self, id: u32) -> bool;

    /// Puts an element in, behind all of the same rank.
    fn enqueue(&mut self, element: Element) -> Result<(), Refusal>;

    /// Takes out the first of the elements that are eligible at `now`.
    fn dequeue(&mut self, now: u64) -> Option<Element>;

    /// Takes out the element with this id, eligible or not. `None` if it is not there.
    fn dequeue_id(&mut self, id: u32) -> Option<Element>;

    /// Takes out the first of the elements that are eligible at `now` and have an id in `ids`. A range
    /// may be empty or name ids that cannot be.
    fn dequeue_range(&mut self, now: u64, ids: RangeInclusive<u32>) -> Option<Element>;

    /// The least eligible time of all elements; `None` if there are none. WF2Q+ needs it.
    fn least_eligible(&self) -> Option<u64>;

    /// The least eligible time of the elements whose id is in `ids`; `None` if there are none. With a
    /// virtual clock for each parent, WF2Q+ in a hierarchy needs it.
    fn least_eligible_in(&mut self, ids: RangeInclusive<u32>) -> Option<u64>;
}
