//! The control plane of the native engine.
//!
//! [`JitControl`] carries out requests; packets see their result as a [`Generation`]. There are
//! two generations in memory: packets use one while the other is brought up to date, then they
//! change places ([`swap`]). A request that changes what packets see ends with such a change of
//! places, unless the control plane holds its changes together
//! ([`hold`](ww_dataplane::control::Control::hold)). What was taken out of both generations is freed
//! with the next change, or by [`JitControl::settle`].
//!
//! What packets change themselves is in [`Objects`]: counters, which every worker has for itself,
//! and registers, meters and digests behind one lock, for their users must see them in one order.

mod batch;
mod counters;
mod generation;
mod initial;
mod load;
mod objects;
mod records;
mod registers;
mod requests;
mod swap;
mod targets;
#[cfg(test)]
mod tests;
mod touched;
mod value_sets;

pub use generation::{Generation, Resolved, Told};
pub use initial::initial_tables;
pub use objects::{Objects, Ordered};
pub use records::{NO_ACTION, argument_words};
pub use registers::Register;

pub use crate::interp::{InitialEntry, InitialTable};
use crate::objects::{Profile, Replication, ValueSet};
use crate::tables::native::EntryStore;
use batch::Batch;
use counters::Bases;
use records::{Heap, Record, Records};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use swap::Writer;
use ww_dataplane::control::Schema;

/// A worker's access to what packets see. [`Reader::pin`] gives the generation for a batch.
///
/// The thread that makes requests may have a reader too, but must not make a request while it
/// has a generation pinned: the request may wait for the generation to be released.
pub type Reader = swap::Reader<Generation>;

/// A pinned generation.
pub type Pinned<'r> = swap::Pinned<'r, Generation>;

/// Carries out requests of the control plane for the native engine.
pub struct JitControl {
    schema: Arc<Schema>,
    objects: Arc<Objects>,
    writer: Writer<Generation>,
    /// Goes to the readers in the end.
    memory: ManuallyDrop<Memory>,
    /// By [`ww_dataplane::control::TableIndex`].
    stores: Vec<EntryStore>,
    /// By [`ww_dataplane::control::ValueSetIndex`].
    value_sets: Vec<ValueSet>,
    replication: Replication,
    /// By [`ww_dataplane::control::CounterIndex`].
    bases: Vec<Bases>,
    /// The program's entries and defaults.
    initial: Vec<InitialTable>,
    /// Changes that packets do not see yet.
    pending: Batch,
    /// Changes that packets see, but that the copy they do not use lacks.
    lagging: Batch,
    number: u64,
    is_held: bool,
    /// With a TCPU: what it is told of tables, by [`ww_dataplane::control::TableIndex`]; empty without.
    told: Vec<Told>,
}

/// A member of a profile: one record per table that uses the profile.
type Member = Box<[Record]>;

/// Records and what else generations point to.
#[derive(Debug)]
struct Memory {
    heap: Heap,
    /// By [`ww_dataplane::control::TableIndex`].
    records: Vec<Records>,
    /// The default actions of the program, by [`ww_dataplane::control::TableIndex`].
    initial: Vec<Record>,
    /// By [`ww_dataplane::control::ProfileIndex`].
    profiles: Vec<Profile<Member>>,
    /// The tables of each profile.
    profile_tables: Vec<Vec<usize>>,
}

impl Memory {
    /// Frees the records of a member when no packet can see them.
    fn retire_member(&mut self, profile: usize, member: &Member) {
        for (&table, &record) in self.profile_tables[profile].iter().zip(member) {
            self.records[table].retire(&mut self.heap, record);
        }
    }

    /// Retires all members of a profile.
    fn retire_members(&mut self, profile: usize) {
        let members: Vec<Member> =
            self.profiles[profile].members().map(|(_, member)| member.clone()).collect();
        members.iter().for_each(|member| self.retire_member(profile, member));
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        (0..self.profiles.len()).for_each(|n| self.retire_members(n));
        for (records, initial) in self.records.iter_mut().zip(&self.initial) {
            records.retire(&mut self.heap, *initial);
            records.retire_all(&mut self.heap);
        }
        self.heap.published();
        // SAFETY: the memory outlives writer and readers: see `JitControl::drop`.
        unsafe { self.heap.free() };
    }
}

impl Drop for JitControl {
    fn drop(&mut self) {
        // SAFETY: the field is not used any more.
        let memory = unsafe { ManuallyDrop::take(&mut self.memory) };
        self.writer.leave_behind(Box::new(memory));
    }
}

impl JitControl {
    /// State shared with the workers.
    pub fn objects(&self) -> &Arc<Objects> {
        &self.objects
    }

    /// Records in memory: a measure for tests that memory returns.
    pub fn live_records(&self) -> usize {
        self.memory.heap.live()
    }

    /// Bytes of the entries' and indices' heap memory: what the control plane knows, and both
    /// copies of what packets look keys up in.
    pub fn table_memory(&self) -> usize {
        let indices = self.writer.front().tables.iter().flat_map(|t| &t.index);
        let indices: usize = indices.map(|index| index.memory_bytes()).sum();
        self.stores.iter().map(EntryStore::memory_bytes).sum::<usize>() + 2 * indices
    }

    /// Ends a request that packets have to see.
    fn changed(&mut self) {
        if !self.is_held {
            self.publish();
        }
    }

    /// Brings the copy that packets do not use up to date with the last published changes and
    /// frees what they took out. Waits until the last worker has left that copy.
    pub fn settle(&mut self) {
        let back = self.writer.back();
        self.lagging.apply(back, &self.stores);
        self.lagging.clear();
        // SAFETY: no reader is in this copy, and it has all published changes now, as the
        // current one has; what those took out is in neither.
        unsafe { self.memory.heap.free() };
    }

    /// Lets packets see all changes so far.
    fn publish(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        self.settle();
        self.pending.close(&self.memory.profiles);
        let back = self.writer.back();
        self.pending.apply(back, &self.stores);
        self.number += 1;
        back.number = self.number;
        self.writer.swap();
        self.memory.heap.published();
        std::mem::swap(&mut self.pending, &mut self.lagging);
    }
}
