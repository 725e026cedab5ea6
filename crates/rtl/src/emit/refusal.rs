//! What hardware cannot hold.

use std::fmt;
use ww_p4::source::Span;

/// Why a program does not become hardware. The list is closed: docs/p4-to-rtl.md explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The head that a parser reaches has no bound, or one beyond what is gathered.
    LongHead,
    /// A parser goes in circles without taking anything from the packet.
    ParserLoop,
    /// A loop of a control has no bound that is known.
    UnboundedLoop,
    /// A register array is accessed at several places by one packet.
    RegisterPorts,
    /// State depends on itself through a table or another array in a way that no pipeline holds.
    StateCycle,
    /// Headers that are no whole bytes before a payload.
    PartialByte,
    /// Random numbers of packets that are not numbered as in the other engines.
    Random,
    /// A hash whose data have very many lengths.
    VariableHash,
    /// A hash with an algorithm or a range that is no constant.
    HashRange,
    /// A checksum over the payload that is more than a sum of its words.
    PayloadChecksum,
    /// A parser's value set with many members.
    ValueSet,
    /// A copy whose fields to keep are chosen while packets flow.
    FieldList,
    /// Meters that one packet executes twice.
    MeterPorts,
    /// Growth beyond what the emitter is ready to write.
    Size,
    /// Match kinds, or a size, that no table implementation has.
    MatchKind,
    /// A block that was asked for cannot hold the table.
    Implementation,
    /// A module of the user that is called twice, or has no source.
    Module,
    /// Resubmission, recirculation or a clone, in a shape that has no way back.
    Copies,
    /// An architecture whose packet path hardware does not have.
    Architecture,
}

impl Reason {
    /// What hardware would need.
    pub fn text(self) -> &'static str {
        match self {
            Self::LongHead => "the parser can reach further into the packet than 2048 bytes",
            Self::ParserLoop => "the parser can go in circles without taking bits from the packet",
            Self::UnboundedLoop => "the loop has no bound that is known when the program is built",
            Self::RegisterPorts => {
                "one packet accesses the register array at several indices, and it is too large \
                 for flip-flops"
            }
            Self::StateCycle => "the array's next value depends on itself through a lookup",
            Self::PartialByte => "the headers in front of the payload may be no whole bytes",
            Self::Random => {
                "random numbers for copies of packets, or for packets that come back to the \
                 parser: hardware does not number these"
            }
            Self::VariableHash => {
                "the data of the hash have more than 256 lengths, or change it by less than bytes"
            }
            Self::HashRange => "the hash's algorithm or its range is not made for hardware",
            Self::PayloadChecksum => {
                "a checksum over the payload that is not csum16, or whose other data need not be \
                 whole bytes"
            }
            Self::ValueSet => "a parser value set of more than 256 members",
            Self::FieldList => "the list of fields to keep is not known when the program is built",
            Self::MeterPorts => "one packet executes the meter array more than once",
            Self::Size => "the pipeline would be too large",
            Self::MatchKind => "no table implementation has these match kinds at this size",
            Self::Implementation => "the block that was asked for does not hold the table",
            Self::Module => "a module of the user",
            Self::Copies => "clones, resubmission and recirculation",
            Self::Architecture => "the packet path of the architecture",
        }
    }
}

/// A place of the program that hardware cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// Which object or construct.
    pub what: String,
    /// Where.
    pub span: Option<Span>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.what.is_empty() {
            f.write_str(self.reason.text())
        } else if matches!(
            self.reason,
            Reason::Implementation | Reason::Module | Reason::Architecture
        ) {
            // It says which table or module, what is the matter and what would do.
            f.write_str(&self.what)
        } else if self.reason == Reason::Size {
            write!(f, "{}: {}", self.reason.text(), self.what)
        } else {
            write!(f, "`{}`: {}", self.what, self.reason.text())
        }
    }
}
