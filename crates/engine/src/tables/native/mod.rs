//! Match tables for native code: one [`EntryStore`] that the control plane changes, and any
//! number of [`TableIndex`]es, brought up to date with [`Change`]s, that packets look keys up in.

mod index;
mod layout;
mod store;
#[cfg(test)]
mod tests;

pub use index::{LookupFn, PrefetchFn, TableIndex};
pub use layout::KeyLayout;
pub use store::{Change, EntryStore, StoredEntry};
