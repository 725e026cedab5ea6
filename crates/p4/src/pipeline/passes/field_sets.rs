//! What analyses know about each field, at each point of a program: arrays in chunks that copies
//! share until one of them changes. A copy costs one step per chunk, and so does joining two
//! copies that differ in few places.

use crate::pipeline::fields::FieldId;
use std::rc::Rc;

/// An array whose elements are `T::default()` until they are set.
#[derive(Clone, Debug)]
struct Chunked<T, const N: usize> {
    chunks: Vec<Option<Rc<[T; N]>>>,
}

impl<T, const N: usize> Default for Chunked<T, N> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> Chunked<T, N> {
    fn get(&self, n: usize) -> T {
        match self.chunks.get(n / N) {
            Some(Some(chunk)) => chunk[n % N],
            _ => T::default(),
        }
    }

    fn set(&mut self, n: usize, value: T) {
        if self.get(n) == value {
            return;
        }
        if self.chunks.len() <= n / N {
            self.chunks.resize(n / N + 1, None);
        }
        let chunk = self.chunks[n / N].get_or_insert_with(|| Rc::new([T::default(); N]));
        Rc::make_mut(chunk)[n % N] = value;
    }
}

/// A set of fields.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldSet(Chunked<u64, 32>);

impl FieldSet {
    pub fn contains(&self, field: FieldId) -> bool {
        self.0.get(field.index() / 64) >> (field.index() % 64) & 1 == 1
    }

    pub fn insert(&mut self, field: FieldId) {
        let word = field.index() / 64;
        self.0.set(word, self.0.get(word) | 1 << (field.index() % 64));
    }

    pub fn remove(&mut self, field: FieldId) {
        let word = field.index() / 64;
        self.0.set(word, self.0.get(word) & !(1 << (field.index() % 64)));
    }

    /// Adds the members of another set; whether there were new ones.
    pub fn union(&mut self, other: &Self) -> bool {
        let (own, others) = (&mut self.0.chunks, &other.0.chunks);
        if own.len() < others.len() {
            own.resize(others.len(), None);
        }
        let mut grew = false;
        for (mine, theirs) in own.iter_mut().zip(others) {
            let Some(theirs) = theirs else { continue };
            match mine {
                None => {
                    grew |= theirs.iter().any(|word| *word != 0);
                    *mine = Some(theirs.clone());
                }
                Some(chunk) if Rc::ptr_eq(chunk, theirs) => {}
                Some(chunk) => {
                    if chunk.iter().zip(theirs.iter()).any(|(a, b)| b & !a != 0) {
                        grew = true;
                        let words = Rc::make_mut(chunk).iter_mut().zip(theirs.iter());
                        words.for_each(|(a, b)| *a |= b);
                    }
                }
            }
        }
        grew
    }
}

impl Extend<FieldId> for FieldSet {
    fn extend<I: IntoIterator<Item = FieldId>>(&mut self, fields: I) {
        fields.into_iter().for_each(|f| self.insert(f));
    }
}

/// A number for each field that says which value it holds; 0 if that is not known.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts(Chunked<u32, 512>);

impl Facts {
    pub fn get(&self, field: FieldId) -> u32 {
        self.0.get(field.index())
    }

    pub fn set(&mut self, field: FieldId, value: u32) {
        self.0.set(field.index(), value);
    }

    /// Keeps what holds in both.
    pub fn meet(&mut self, other: &Self) {
        for (n, mine) in self.0.chunks.iter_mut().enumerate() {
            let Some(chunk) = mine else { continue };
            match other.0.chunks.get(n) {
                Some(Some(theirs)) if Rc::ptr_eq(chunk, theirs) => {}
                Some(Some(theirs)) => {
                    if chunk[..] != theirs[..] {
                        for (a, b) in Rc::make_mut(chunk).iter_mut().zip(theirs.iter()) {
                            *a = if a == b { *a } else { 0 };
                        }
                    }
                }
                _ => *mine = None,
            }
        }
    }

    /// Meets what flows along another edge into the same place.
    pub fn join(slot: &mut Option<Self>, other: &Self) {
        match slot {
            Some(facts) => facts.meet(other),
            None => *slot = Some(other.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_sets_are_independent() {
        let mut a = FieldSet::default();
        a.extend([FieldId(3), FieldId(5000)]);
        let mut b = a.clone();
        b.remove(FieldId(3));
        assert!(a.contains(FieldId(3)) && !b.contains(FieldId(3)));
        assert!(!a.union(&b));
        b.insert(FieldId(9000));
        assert!(a.union(&b) && a.contains(FieldId(9000)) && a.contains(FieldId(5000)));
        assert!(!a.contains(FieldId(5001)));
    }

    #[test]
    fn facts_that_differ_are_dropped() {
        let mut a = Facts::default();
        a.set(FieldId(1), 7);
        a.set(FieldId(2000), 8);
        let mut b = a.clone();
        b.set(FieldId(1), 9);
        b.set(FieldId(600), 4);
        a.meet(&b);
        assert_eq!([1, 600, 2000].map(|f| a.get(FieldId(f))), [0, 0, 8]);
    }
}
