//! What is known at a place of the program: the value of each field, and what the packet asked
//! of the architecture so far.

use super::super::dataflow::ValueId;
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use ww_p4::pipeline::{ExternInstanceId, FieldId};

/// What has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// A field of the pipeline IR.
    Field(FieldId),
    /// 1: the packet is gone, and with it all further effects.
    Lost,
    /// Something that the program asks of the architecture.
    Request(Request),
    /// The colour that a direct meter gave last, 2 bits.
    Colour(ExternInstanceId),
    /// The byte of the packet from which on headers stay where they are, 16 bits; all ones
    /// before the first of them.
    Kept,
    /// How many random numbers the packet drew at this place (`ww_dataplane::random::site`), 16 bits.
    Draws(u64),
}

/// Requests: bits that say whether, and what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Request {
    /// 1: a clone.
    Clone,
    /// Its session, 32 bits.
    CloneSession,
    /// Which fields it keeps: a position in a list of the lowering, 8 bits.
    CloneKeep,
    /// 1: back to the parser as received.
    Resubmit,
    /// Which fields it keeps.
    ResubmitKeep,
    /// 1: back to the parser as deparsed.
    Recirculate,
    /// Which fields it keeps.
    RecirculateKeep,
    /// 1: cut to a length.
    Truncate,
    /// Which, 32 bits.
    TruncateLength,
}

impl Request {
    /// Bits.
    pub fn width(self) -> u32 {
        match self {
            Self::Clone | Self::Resubmit | Self::Recirculate | Self::Truncate => 1,
            Self::CloneSession | Self::TruncateLength => 32,
            Self::CloneKeep | Self::ResubmitKeep | Self::RecirculateKeep => 8,
        }
    }
}

/// Values by slot. Slots without one have their initial value. Copies share what they have in common.
#[derive(Clone, Debug, Default)]
pub struct Environment(OrdMap<Slot, ValueId>);

impl Environment {
    /// The value of a slot, if it was ever set.
    pub fn get(&self, slot: Slot) -> Option<ValueId> {
        self.0.get(&slot).copied()
    }

    /// Sets a slot.
    pub fn set(&mut self, slot: Slot, value: ValueId) {
        if self.get(slot) != Some(value) {
            self.0.insert(slot, value);
        }
    }

    /// Slots that were ever set.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.0.keys().copied()
    }

    /// Slots that another environment sets otherwise, does not set, or sets beside those of this one; in order. What
    /// copies still share is not looked at.
    pub fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Slot> + 'a {
        self.0.diff(&other.0).map(|item| match item {
            DiffItem::Add(slot, _) | DiffItem::Remove(slot, _) => *slot,
            DiffItem::Update { old: (slot, _), .. } => *slot,
        })
    }

    /// Forgets what does not satisfy the condition.
    pub fn retain(&mut self, mut keep: impl FnMut(Slot) -> bool) {
        self.0 = self.0.iter().filter(|(slot, _)| keep(**slot)).map(|(s, v)| (*s, *v)).collect();
    }
}
