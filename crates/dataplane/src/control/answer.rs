//! What answers a request.

use super::{
    CounterValue, Digest, EntryHandle, EntryView, Error, MeterRates, MirrorSession, NodeHandle,
    ProfileView, Target,
};
use crate::Statistics;
use crate::queues::QueueStatistics;
use num_bigint::BigUint;

/// One line for each kind of answer; a type has one kind, so that it converts both ways.
macro_rules! answers {
    ($($(#[$doc:meta])* $variant:ident($type:ty);)*) => {
        /// What answers a request. [`Request`](super::Request) says which kind answers which
        /// request.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Answer {
            /// It is done.
            Done,
            $($(#[$doc])* $variant($type),)*
        }

        impl Answer {
            /// The kind, for messages.
            fn kind(&self) -> &'static str {
                match self {
                    Self::Done => "Done",
                    $(Self::$variant(_) => stringify!($variant),)*
                }
            }
        }

        impl From<()> for Answer {
            fn from((): ()) -> Self {
                Self::Done
            }
        }

        impl TryFrom<Answer> for () {
            type Error = Error;
            fn try_from(answer: Answer) -> Result<(), Error> {
                match answer {
                    Answer::Done => Ok(()),
                    other => Err(Error::WrongAnswer { expected: "Done", found: other.kind() }),
                }
            }
        }

        $(
            impl From<$type> for Answer {
                fn from(value: $type) -> Self {
                    Self::$variant(value)
                }
            }

            impl TryFrom<Answer> for $type {
                type Error = Error;
                fn try_from(answer: Answer) -> Result<Self, Error> {
                    let expected = stringify!($variant);
                    match answer {
                        Answer::$variant(value) => Ok(value),
                        other => Err(Error::WrongAnswer { expected, found: other.kind() }),
                    }
                }
            }
        )*
    };
}

answers! {
    /// The number of a member or group.
    Member(u32);
    /// A count.
    Count(u64);
    /// The handle of a new entry.
    Entry(EntryHandle);
    /// The handle of an entry that was looked for.
    Found(Option<EntryHandle>);
    /// An entry that was looked for.
    View(Option<EntryView>);
    /// Entries.
    Entries(Vec<EntryView>);
    /// A default action.
    Target(Target);
    /// Members and groups.
    Profile(ProfileView);
    /// A cell of a register.
    Cell(BigUint);
    /// Cells of a register.
    Cells(Vec<BigUint>);
    /// The next cells in use: the first, and the one behind the last.
    Used(Option<(u64, u64)>);
    /// A counter.
    Counter(CounterValue);
    /// A meter's rates.
    Rates(Option<MeterRates>);
    /// A mirroring session.
    Mirror(Option<MirrorSession>);
    /// The handle of a new multicast node.
    Node(NodeHandle);
    /// Digests.
    Digests(Vec<Digest>);
    /// What became of packets.
    Statistics(Statistics);
    /// What output queues have seen.
    Queues(QueueStatistics);
    /// Words of a TPP's address space.
    Words(Vec<u32>);
}
