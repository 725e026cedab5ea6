//! What a TPP sees of a switch: the trait that every switch implements, and a plain memory for tests.

use crate::map;
use std::collections::BTreeMap;

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The 32 bits at the address.
    pub word: u32,
    /// Of the low word of a 64-bit counter: the high word at the same moment.
    pub high: Option<u32>,
}

impl From<u32> for Value {
    fn from(word: u32) -> Self {
        Self { word, high: None }
    }
}

/// Why an access did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is nothing at the address.
    Absent,
    /// It can be read only.
    ReadOnly,
}

/// The memory of a switch in the context of the packet that carries the TPP: 65,536 word addresses of
/// 32 bits, of which few exist.
///
/// Each call is one access and atomic for itself; between two calls others may access the memory.
pub trait SwitchMemory {
    /// Reads.
    fn read(&mut self, address: u16) -> Option<Value>;

    /// Writes all 32 bits.
    ///
    /// # Errors
    /// Nothing was written.
    fn write(&mut self, address: u16, value: u32) -> Result<(), Refusal>;

    /// Compares and stores in one step. Gives what was found.
    ///
    /// # Errors
    /// Nothing was compared or written. A location that can be read only refuses even if `old` differs.
    fn compare_and_store(&mut self, address: u16, swap: Swap) -> Result<u32, Refusal>;
}

/// What CSTORE asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swap {
    /// The bits that are compared.
    pub mask: u32,
    /// What they must be.
    pub old: u32,
    /// What is stored then.
    pub new: u32,
}

impl Swap {
    /// Whether a value is one that is replaced.
    #[inline]
    pub fn replaces(self, found: u32) -> bool {
        found & self.mask == self.old
    }

    /// On a word in memory; gives what was found.
    #[inline]
    pub fn apply(self, word: &mut u32) -> u32 {
        let found = *word;
        if self.replaces(found) {
            *word = self.new;
        }
        found
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    value: u32,
    writable: bool,
}

/// Locations in a map: what tests and tools use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainMemory(BTreeMap<u16, Cell>);

impl PlainMemory {
    /// No location.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a location, or changes it, whether TPPs may write it or not.
    pub fn set(&mut self, address: u16, value: u32, writable: bool) {
        self.0.insert(address, Cell { value, writable });
    }

    /// Adds a location with the access that the map states.
    ///
    /// # Panics
    /// If the map does not have the name.
    pub fn with(mut self, name: &str, value: u32) -> Self {
        let address = map::lookup(name).unwrap_or_else(|error| panic!("{}", error.message));
        self.set(address, value, map::is_writable(address));
        self
    }

    /// What is at the address.
    pub fn get(&self, address: u16) -> Option<u32> {
        self.0.get(&address).map(|cell| cell.value)
    }

    fn writable(&mut self, address: u16) -> Result<&mut u32, Refusal> {
        match self.0.get_mut(&address) {
            None => Err(Refusal::Absent),
            Some(Cell { writable: false, .. }) => Err(Refusal::ReadOnly),
            Some(Cell { value, .. }) => Ok(value),
        }
    }
}

impl SwitchMemory for PlainMemory {
    fn read(&mut self, address: u16) -> Option<Value> {
        let word = self.get(address)?;
        let high = match map::is_wide(address) {
            true => self.get(address + 1),
            false => None,
        };
        Some(Value { word, high })
    }

    fn write(&mut self, address: u16, value: u32) -> Result<(), Refusal> {
        *self.writable(address)? = value;
        Ok(())
    }

    fn compare_and_store(&mut self, address: u16, swap: Swap) -> Result<u32, Refusal> {
        Ok(swap.apply(self.writable(address)?))
    }
}
