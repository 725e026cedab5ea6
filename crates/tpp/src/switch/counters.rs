//! What a switch counts of TPPs.

use crate::execute::Report;
use crate::packet::Malformed;

/// What became of TPPs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Executed.
    pub executed: u64,
    /// Marked done already: passed on.
    pub done: u64,
    /// Sent back after they were executed.
    pub reflected: u64,
    /// Passed on unexecuted, by [`Malformed::ALL`].
    pub malformed: [u64; Malformed::ALL.len()],
    /// Dropped, with their packets, as they came from outside.
    pub outside: u64,
    /// Executed as far as a CEXEC that failed.
    pub guards_failed: u64,
    /// Instructions skipped: nothing at the address.
    pub absent: u64,
    /// The application may not.
    pub denied: u64,
    /// The address cannot be written.
    pub read_only: u64,
    /// Writing is off.
    pub disabled: u64,
    /// An operand is outside of packet memory.
    pub out_of_memory: u64,
    /// The opcode is reserved.
    pub reserved: u64,
}

impl Counters {
    /// All by name, those of malformed TPPs by what is wrong with them.
    pub fn named(mut self) -> impl Iterator<Item = (&'static str, u64)> {
        let malformed = Malformed::ALL.map(Malformed::word).into_iter().zip(self.malformed);
        let others = self.others().map(|(name, count)| (name, *count));
        others.into_iter().chain(malformed)
    }

    /// Adds those of another switch.
    pub fn add(&mut self, mut other: Self) {
        for (sum, number) in self.malformed.iter_mut().zip(other.malformed) {
            *sum += number;
        }
        for ((_, sum), (_, number)) in self.others().into_iter().zip(other.others()) {
            *sum += *number;
        }
    }

    /// All but those of malformed TPPs.
    fn others(&mut self) -> [(&'static str, &mut u64); 11] {
        [
            ("executed", &mut self.executed),
            ("done", &mut self.done),
            ("reflected", &mut self.reflected),
            ("outside", &mut self.outside),
            ("guards_failed", &mut self.guards_failed),
            ("absent", &mut self.absent),
            ("denied", &mut self.denied),
            ("read_only", &mut self.read_only),
            ("disabled", &mut self.disabled),
            ("out_of_memory", &mut self.out_of_memory),
            ("reserved", &mut self.reserved),
        ]
    }

    pub(super) fn note(&mut self, report: &Report) {
        self.executed += u64::from(report.executed);
        self.done += u64::from(!report.executed);
        self.guards_failed += u64::from(report.guard_failed);
        self.absent += u64::from(report.absent);
        self.denied += u64::from(report.denied);
        self.read_only += u64::from(report.read_only);
        self.disabled += u64::from(report.disabled);
        self.out_of_memory += u64::from(report.out_of_memory);
        self.reserved += u64::from(report.reserved);
    }
}
