//! A table: entries by handle, and the rule that says which one a packet gets.

use super::KeyField;
use crate::bits::Bits;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use ww_dataplane::control::{KeyInfo, MatchKind};

/// Which of several fitting entries wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// At most one exact match per prefix length: the longest prefix wins.
    LongestPrefix,
    /// The highest priority wins, then the one inserted first.
    Priority,
}

/// Why an entry was not inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertError {
    /// All places are taken.
    Full,
    /// Such an entry is there. Where priorities decide there may be equal entries: the first
    /// inserted wins.
    Duplicate,
}

/// Entries with payloads of type `T`.
#[derive(Clone, Debug)]
pub struct MatchTable<T> {
    size: u64,
    next_handle: u64,
    entries: BTreeMap<u64, Entry<T>>,
    index: Index,
}

/// An entry of a [`MatchTable`].
#[derive(Clone, Debug)]
pub struct Entry<T> {
    /// One per key.
    pub keys: Vec<KeyField>,
    /// The higher number wins where [`Precedence::Priority`] holds.
    pub priority: i64,
    /// What the entry is for.
    pub payload: T,
}

#[derive(Clone, Debug)]
enum Index {
    /// One hash map per prefix length in use, the longest first.
    Hashed { prefix_key: Option<usize>, groups: BTreeMap<Reverse<u32>, PrefixGroup> },
    /// All entries, the winner first.
    Ordered {
        /// Whether the sum of prefix lengths decides among equal priorities: for tables whose
        /// keys can only overlap by prefix.
        by_prefix: bool,
        ranked: Vec<Ranked>,
    },
}

#[derive(Clone, Debug)]
struct PrefixGroup {
    mask: Option<Bits>,
    handles: HashMap<Vec<Bits>, u64>,
}

#[derive(Clone, Debug)]
struct Ranked {
    priority: i64,
    /// Bits in all prefixes together, if they count.
    prefix: u32,
    handle: u64,
    keys: Vec<KeyField>,
}

impl<T> MatchTable<T> {
    /// An empty table for entries with such keys.
    pub fn new(keys: &[KeyInfo], size: u64) -> Self {
        let exact = keys.iter().filter(|k| k.kind == MatchKind::Exact).count();
        let prefix_key = keys.iter().position(|k| k.kind == MatchKind::Lpm);
        let hashed = exact + usize::from(prefix_key.is_some()) == keys.len();
        let index = if hashed {
            Index::Hashed { prefix_key, groups: BTreeMap::new() }
        } else {
            use MatchKind::{Optional, Range, Ternary};
            let by_prefix = !keys.iter().any(|k| matches!(k.kind, Ternary | Range | Optional));
            Index::Ordered { by_prefix, ranked: Vec::new() }
        };
        Self { size, next_handle: 0, entries: BTreeMap::new(), index }
    }

    /// Which entry wins.
    pub fn precedence(&self) -> Precedence {
        match self.index {
            Index::Hashed { .. } => Precedence::LongestPrefix,
            Index::Ordered { .. } => Precedence::Priority,
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds an entry and returns its handle.
    pub fn insert(
        &mut self,
        keys: Vec<KeyField>,
        priority: i64,
        payload: T,
    ) -> Result<u64, InsertError> {
        if matches!(self.index, Index::Hashed { .. }) && self.find(&keys, priority).is_some() {
            return Err(InsertError::Duplicate);
        }
        if self.entries.len() as u64 >= self.size {
            return Err(InsertError::Full);
        }
        Ok(self.insert_unchecked(keys, priority, payload))
    }

    /// Adds an entry of the program: the first of two equal ones counts, and all have a place.
    pub fn insert_initial(&mut self, keys: Vec<KeyField>, priority: i64, payload: T) {
        if self.find(&keys, priority).is_none() {
            self.insert_unchecked(keys, priority, payload);
        }
    }

    fn insert_unchecked(&mut self, keys: Vec<KeyField>, priority: i64, payload: T) -> u64 {
        // An exact key that matches anything (only programs can write that) needs a scan.
        if let Index::Hashed { prefix_key, .. } = &self.index
            && hash_key(*prefix_key, &keys).is_none()
        {
            let mut ranked: Vec<Ranked> = self
                .entries
                .iter()
                .map(|(&handle, e)| Ranked::new(handle, e.priority, &e.keys, true))
                .collect();
            ranked.sort_by_key(Ranked::rank);
            self.index = Index::Ordered { by_prefix: true, ranked };
        }
        let handle = self.next_handle;
        self.next_handle += 1;
        match &mut self.index {
            Index::Hashed { prefix_key, groups } => {
                if let Some((length, values)) = hash_key(*prefix_key, &keys) {
                    let mask = prefix_key.and_then(|n| match keys.get(n) {
                        Some(KeyField::Masked { mask, .. }) => Some(mask.clone()),
                        _ => None,
                    });
                    groups
                        .entry(Reverse(length))
                        .or_insert_with(|| PrefixGroup { mask, handles: HashMap::new() })
                        .handles
                        .insert(values, handle);
                }
            }
            Index::Ordered { by_prefix, ranked } => {
                let new = Ranked::new(handle, priority, &keys, *by_prefix);
                let position = ranked.partition_point(|r| r.rank() <= new.rank());
                ranked.insert(position, new);
            }
        }
        self.entries.insert(handle, Entry { keys, priority, payload });
        handle
    }

    /// The entry with exactly these keys; `priority` counts where it decides matches.
    pub fn find(&self, keys: &[KeyField], priority: i64) -> Option<u64> {
        match &self.index {
            Index::Hashed { prefix_key, groups } => {
                let (length, values) = hash_key(*prefix_key, keys)?;
                groups.get(&Reverse(length))?.handles.get(&values).copied()
            }
            Index::Ordered { ranked, .. } => {
                ranked.iter().find(|r| r.priority == priority && r.keys == keys).map(|r| r.handle)
            }
        }
    }

    /// The handle of the entry that a packet with these key values gets.
    pub fn lookup(&self, values: &[Bits]) -> Option<u64> {
        match &self.index {
            Index::Hashed { prefix_key: None, groups } => {
                groups.values().next()?.handles.get(values).copied()
            }
            Index::Hashed { prefix_key: Some(n), groups } => {
                let mut masked = values.to_vec();
                groups.values().find_map(|group| {
                    if let (Some(slot), Some(value), Some(mask)) =
                        (masked.get_mut(*n), values.get(*n), &group.mask)
                    {
                        *slot = value.and(mask);
                    }
                    group.handles.get(&masked).copied()
                })
            }
            Index::Ordered { ranked, .. } => ranked
                .iter()
                .find(|r| r.keys.iter().zip(values).all(|(key, value)| key.matches(value)))
                .map(|r| r.handle),
        }
    }

    /// An entry.
    pub fn get(&self, handle: u64) -> Option<&Entry<T>> {
        self.entries.get(&handle)
    }

    /// An entry whose payload may change.
    pub fn payload_mut(&mut self, handle: u64) -> Option<&mut T> {
        self.entries.get_mut(&handle).map(|e| &mut e.payload)
    }

    /// Removes an entry.
    pub fn remove(&mut self, handle: u64) -> Option<Entry<T>> {
        let entry = self.entries.remove(&handle)?;
        match &mut self.index {
            Index::Hashed { prefix_key, groups } => {
                if let Some((length, values)) = hash_key(*prefix_key, &entry.keys)
                    && let Some(group) = groups.get_mut(&Reverse(length))
                {
                    group.handles.remove(&values);
                    if group.handles.is_empty() {
                        groups.remove(&Reverse(length));
                    }
                }
            }
            Index::Ordered { ranked, .. } => ranked.retain(|r| r.handle != handle),
        }
        Some(entry)
    }

    /// All entries in the order of their handles.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Entry<T>)> {
        self.entries.iter().map(|(&handle, entry)| (handle, entry))
    }

    /// The payloads of all entries.
    pub fn payloads_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.values_mut().map(|e| &mut e.payload)
    }
}

impl Ranked {
    fn new(handle: u64, priority: i64, keys: &[KeyField], by_prefix: bool) -> Self {
        let prefixes = keys.iter().filter_map(KeyField::prefix_length);
        let prefix = if by_prefix { prefixes.sum() } else { 0 };
        Self { priority, prefix, handle, keys: keys.to_vec() }
    }

    fn rank(&self) -> (Reverse<i64>, Reverse<u32>, u64) {
        (Reverse(self.priority), Reverse(self.prefix), self.handle)
    }
}

/// The prefix length and values of an entry for a hash map; `None` if it does not fit there.
fn hash_key(prefix_key: Option<usize>, keys: &[KeyField]) -> Option<(u32, Vec<Bits>)> {
    let mut length = 0;
    let mut values = Vec::with_capacity(keys.len());
    for (position, key) in keys.iter().enumerate() {
        let KeyField::Masked { value, mask } = key else { return None };
        let prefix = mask.prefix_length()?;
        if prefix_key == Some(position) {
            length = prefix;
        } else if prefix != mask.width() {
            return None;
        }
        values.push(value.clone());
    }
    Some((length, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(kinds: &[MatchKind]) -> Vec<KeyInfo> {
        let key = |&kind| KeyInfo { name: "k".to_owned(), kind, width: 8, signed: false };
        kinds.iter().map(key).collect()
    }

    fn exact(value: u128) -> KeyField {
        KeyField::exact(Bits::new(8, value))
    }

    fn prefix(value: u128, length: u32) -> KeyField {
        KeyField::masked(&Bits::new(8, value), Bits::prefix_mask(8, length))
    }

    fn winner(table: &MatchTable<&'static str>, values: &[u128]) -> Option<&'static str> {
        let values: Vec<_> = values.iter().map(|&v| Bits::new(8, v)).collect();
        table.lookup(&values).and_then(|h| table.get(h)).map(|e| e.payload)
    }

    #[test]
    fn longest_prefix_wins_in_any_order_of_insertion() {
        let mut table = MatchTable::new(&keys(&[MatchKind::Exact, MatchKind::Lpm]), 8);
        table.insert(vec![exact(1), prefix(0, 0)], 0, "default").expect("room");
        table.insert(vec![exact(1), prefix(0xa0, 4)], 9, "a/4").expect("room");
        let long = table.insert(vec![exact(1), prefix(0xaf, 8)], 0, "af/8").expect("room");
        assert_eq!(winner(&table, &[1, 0xaf]), Some("af/8"));
        assert_eq!(winner(&table, &[1, 0xae]), Some("a/4"));
        assert_eq!(winner(&table, &[1, 0x10]), Some("default"));
        assert_eq!(winner(&table, &[2, 0xaf]), None);
        table.remove(long);
        assert_eq!(winner(&table, &[1, 0xaf]), Some("a/4"));
    }

    #[test]
    fn priority_then_age() {
        let mut table = MatchTable::new(&keys(&[MatchKind::Ternary]), 8);
        let mask = |m| KeyField::masked(&Bits::new(8, 0xff), Bits::new(8, m));
        table.insert(vec![mask(0x01)], 5, "first").expect("room");
        table.insert(vec![mask(0x02)], 5, "second").expect("room");
        assert_eq!(winner(&table, &[3]), Some("first"));
        assert_eq!(winner(&table, &[2]), Some("second"));
        table.insert(vec![mask(0x00)], 6, "high").expect("room");
        assert_eq!(winner(&table, &[3]), Some("high"));
        table.insert(vec![exact(3)], -1, "low").expect("room");
        assert_eq!(winner(&table, &[3]), Some("high"));
    }

    #[test]
    fn size_and_duplicates() {
        let mut table = MatchTable::new(&keys(&[MatchKind::Exact]), 2);
        table.insert(vec![exact(1)], 0, "a").expect("room");
        assert_eq!(table.insert(vec![exact(1)], 7, "b"), Err(InsertError::Duplicate));
        table.insert(vec![exact(2)], 0, "b").expect("room");
        assert_eq!(table.insert(vec![exact(3)], 0, "c"), Err(InsertError::Full));
        table.remove(0);
        assert_eq!(table.insert(vec![exact(3)], 0, "c"), Ok(2));
    }

    #[test]
    fn two_prefix_keys_rank_by_all_bits() {
        let mut table = MatchTable::new(&keys(&[MatchKind::Lpm, MatchKind::Lpm]), 8);
        table.insert(vec![prefix(0x10, 4), prefix(0, 0)], 0, "4").expect("room");
        table.insert(vec![prefix(0x10, 4), prefix(0x20, 3)], 0, "7").expect("room");
        assert_eq!(winner(&table, &[0x11, 0x21]), Some("7"));
        assert_eq!(winner(&table, &[0x11, 0x41]), Some("4"));
    }

    #[test]
    fn exact_key_that_matches_anything() {
        let mut table = MatchTable::new(&keys(&[MatchKind::Exact]), 8);
        table.insert_initial(vec![exact(1)], 0, "one");
        table.insert_initial(vec![KeyField::any(8)], 0, "any");
        assert_eq!(winner(&table, &[1]), Some("one"));
        assert_eq!(winner(&table, &[2]), Some("any"));
    }
}
