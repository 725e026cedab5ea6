//! What the control plane has done: an engine's [`Control`] with transactions, with lists of what
//! engines do not list (members, groups, nodes, sessions), and with handles that stay when a
//! transaction is undone or another program is loaded.

mod books;
mod control;
mod handles;
mod inherit;
mod undo;

pub use books::{Multicast, MulticastNode, ProfileBook};
pub use inherit::{Inherited, Misfits};

use books::Books;
use std::fmt;
use undo::Undo;
use ww_dataplane::control::{
    Control, Digest, Error, MirrorSession, ProfileIndex, TableIndex, ValueSetIndex,
};

/// An engine's control side and the books about it.
pub struct Ledger<C> {
    control: C,
    books: Books,
    journal: Option<Journal>,
    /// How many requests or transactions have changed something.
    changes: u64,
    /// Digests of a program that was replaced before they were fetched.
    digests: Vec<Digest>,
}

/// What an open transaction has done so far.
#[derive(Default)]
struct Journal {
    undo: Vec<Undo>,
    /// Multicast groups and nodes before the first change to them.
    multicast: Option<Multicast>,
    /// The state of [`Ledger::changes`] before.
    changes: u64,
}

/// Why a transaction had no effect.
#[derive(Debug)]
pub enum Failed<E> {
    /// The work itself ended with an error.
    Work(E),
    /// The changes could not be undone: a fault of ours.
    Stuck(Error),
}

impl<E: fmt::Display> fmt::Display for Failed<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Work(error) => error.fmt(f),
            Self::Stuck(error) => {
                write!(f, "the transaction failed and could not be undone completely: {error}")
            }
        }
    }
}

impl<C: Control> Ledger<C> {
    /// Books about an engine in the state after loading.
    ///
    /// # Errors
    /// It does not tell its entries.
    pub fn new(mut control: C) -> Result<Self, Error> {
        let books = Books::new(&mut control)?;
        Ok(Self { control, books, journal: None, changes: 0, digests: Vec::new() })
    }

    /// The engine's control side. Changes made there are not in the books.
    pub fn engine(&self) -> &C {
        &self.control
    }

    /// Does `work`, all or nothing: packets see none of its changes until it has succeeded, and
    /// if it fails, all is as before (but numbers of handles that it took are not given out
    /// again, and what restored entries' direct counters would have counted meanwhile is lost).
    pub fn transaction<T, E>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, Failed<E>> {
        self.control.hold().map_err(Failed::Stuck)?;
        self.journal = Some(Journal { changes: self.changes, ..Journal::default() });
        let result = work(self);
        let journal = self.journal.take().unwrap_or_default();
        let failed = match result {
            Ok(value) => match self.finish_deletions() {
                Ok(()) => {
                    self.changes = journal.changes + u64::from(self.changes > journal.changes);
                    self.control.release().map_err(Failed::Stuck)?;
                    return Ok(value);
                }
                Err(error) => Failed::Stuck(error),
            },
            Err(error) => Failed::Work(error),
        };
        let undone = self.undo(journal.undo, journal.multicast);
        self.changes = journal.changes;
        let released = self.control.release();
        Err(undone.and(released).err().map_or(failed, Failed::Stuck))
    }

    /// How many requests and transactions have changed something since the program was loaded.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Members and groups of a profile.
    pub fn profile(&self, profile: ProfileIndex) -> Option<&ProfileBook> {
        self.books.profiles.get(profile.index())
    }

    /// Multicast groups and nodes.
    pub fn multicast(&self) -> &Multicast {
        &self.books.multicast
    }

    /// Mirroring sessions by number.
    pub fn mirrors(&self) -> impl Iterator<Item = (u32, MirrorSession)> {
        self.books.mirrors.iter().map(|(number, session)| (*number, *session))
    }

    /// Members of a value set in the order in which they were added.
    pub fn value_set(&self, set: ValueSetIndex) -> &[Vec<ww_dataplane::control::KeyMatch>] {
        self.books.value_sets.get(set.index()).map_or(&[], Vec::as_slice)
    }

    /// Adds to the journal, if a transaction is open, and counts the change.
    fn did(&mut self, undo: impl FnOnce() -> Undo) {
        self.changes += 1;
        if let Some(journal) = &mut self.journal {
            journal.undo.push(undo());
        }
    }

    /// The name of a table, for messages.
    fn table_name(&self, table: TableIndex) -> String {
        let schema = self.control.schema();
        schema.tables.get(table.index()).map_or("?", |info| info.name.as_str()).to_owned()
    }
}
