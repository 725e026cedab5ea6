//! Action selectors: what the program says of one, and the memories that it gets.

use super::lower::object_of;
use crate::manifest::SelectorObject;
use ww_p4::pipeline::{Pipeline, PropertyValue, Table};
use ww_packet::hash::Hash;

/// Members of a selector for which the program gives no number.
const DEFAULT_SIZE: u64 = 1024;
/// Members at most, whatever the program says.
const MAX_SIZE: u64 = 1 << 16;
/// A small selector has that many groups, and places for that many members at least: groups can
/// share members, and each has its own copy.
const MIN_GROUPS: u64 = 16;
const MIN_ROWS: u64 = 64;

/// The action selector of a table, as the program declares it.
#[derive(Clone, Copy, Debug)]
pub struct Selector<'p> {
    /// Hash algorithm.
    pub algorithm: &'p str,
    /// Members; 0 for no limit.
    pub size: u64,
    /// Low bits of the hash that count: at most 64.
    pub output_width: u32,
}

impl<'p> Selector<'p> {
    /// The selector of a table, if it has one.
    pub fn of(pipeline: &'p Pipeline, table: &Table) -> Option<Self> {
        let object = object_of(table, "implementation")?;
        let instance = &pipeline[object];
        if &*instance.type_name != "action_selector" {
            return None;
        }
        let number = |n: usize| match instance.arguments.get(n).map(|argument| &argument.value) {
            Some(PropertyValue::Number(value)) => u64::try_from(value).unwrap_or(u64::MAX),
            _ => 0,
        };
        let algorithm = match instance.arguments.first().map(|argument| &argument.value) {
            Some(PropertyValue::Member(name)) => name,
            _ => "",
        };
        Some(Self { algorithm, size: number(1), output_width: number(2).min(64) as u32 })
    }

    /// Bits of the hash that can be other than zero, of keys with so many bits; at least one.
    pub fn hash_bits(&self, key_bits: u32) -> u32 {
        let hash = Hash::by_name(self.algorithm);
        let width = match hash {
            Some(Hash::Identity) => key_bits.next_multiple_of(8).min(64),
            Some(hash) => hash.width(),
            None => 1,
        };
        width.min(self.output_width).max(1)
    }

    /// Its memories, for members with so many bits. A group that changes gets new rows before its
    /// old ones are free: there are twice as many rows as members.
    pub fn object(&self, key_bits: u32, member_bits: u32) -> SelectorObject {
        let size = if self.size == 0 { DEFAULT_SIZE } else { self.size.min(MAX_SIZE) };
        SelectorObject {
            groups: size.max(MIN_GROUPS).next_power_of_two() as u32,
            members: (2 * size).max(MIN_ROWS).next_power_of_two() as u32,
            group_members: size as u32,
            hash_bits: self.hash_bits(key_bits),
            member_bits,
        }
    }
}

/// Bits of a table's `selector` keys.
pub fn key_bits(table: &Table) -> u32 {
    let keys = table.keys.iter().filter(|key| &*key.match_kind == "selector");
    keys.map(|key| key.width).sum()
}
