//! Which application may access which addresses: rules, and the table that a switch consults before each
//! access.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Reading or writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Operation {
    /// LOAD, PUSH, CSTORE, CEXEC, LOADI.
    Read,
    /// STORE, POP, CSTORE.
    Write,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}

/// An application may do this with these addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rule {
    /// The application's tag.
    pub app_tag: u8,
    /// What it may do.
    pub operation: Operation,
    /// The first address.
    pub first: u16,
    /// The last address.
    pub last: u16,
}

/// Rules in the form that a switch looks them up in. What no rule permits is denied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Rule>", into = "Vec<Rule>")]
pub struct Protection {
    rules: Vec<Rule>,
    /// For each tag and operation where its rules begin; one more at the end.
    starts: Vec<u32>,
}

impl From<Vec<Rule>> for Protection {
    fn from(rules: Vec<Rule>) -> Self {
        Self::new(&rules)
    }
}

impl From<Protection> for Vec<Rule> {
    fn from(protection: Protection) -> Self {
        protection.rules
    }
}

impl Protection {
    /// From rules in any order.
    pub fn new(rules: &[Rule]) -> Self {
        let mut rules = rules.to_vec();
        rules.sort_unstable();
        let slots = 0..=2 * 256;
        let starts = slots
            .map(|slot| rules.partition_point(|r| slot_of(r.app_tag, r.operation) < slot) as u32);
        Self { starts: starts.collect(), rules }
    }

    /// All rules, by application.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether the application may do it.
    #[inline]
    pub fn allows(&self, app_tag: u8, operation: Operation, address: u16) -> bool {
        self.of(app_tag, operation).iter().any(|r| r.first <= address && address <= r.last)
    }

    /// Whether the application may do it with all addresses from `first` to `last`.
    pub fn allows_all(&self, app_tag: u8, operation: Operation, first: u16, last: u16) -> bool {
        // Rules are sorted by their first address: they cover the range if each begins where the ones
        // before it end, or earlier.
        let mut next = u32::from(first);
        for rule in self.of(app_tag, operation) {
            if u32::from(rule.first) > next {
                break;
            }
            next = next.max(u32::from(rule.last) + 1);
        }
        next > u32::from(last)
    }

    #[inline]
    fn of(&self, app_tag: u8, operation: Operation) -> &[Rule] {
        let slot = slot_of(app_tag, operation);
        &self.rules[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

#[inline]
fn slot_of(app_tag: u8, operation: Operation) -> usize {
    2 * usize::from(app_tag) + usize::from(operation == Operation::Write)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rules_permit() {
        use Operation::{Read, Write};
        let rule = |app_tag, operation, first, last| Rule { app_tag, operation, first, last };
        let table = Protection::new(&[
            rule(255, Write, 0xd000, 0xd000),
            rule(7, Read, 0x2000, 0x2fff),
            rule(7, Read, 0x1000, 0x1fff),
            rule(7, Read, 0x4000, 0xffff),
            rule(0, Read, 0, 0),
        ]);
        assert!(table.allows(7, Read, 0x1000) && table.allows(7, Read, 0x2fff));
        assert!(!table.allows(7, Read, 0x0fff) && !table.allows(7, Read, 0x3000));
        assert!(!table.allows(7, Write, 0x1000) && !table.allows(6, Read, 0x1000));
        assert!(table.allows(255, Write, 0xd000) && !table.allows(255, Read, 0xd000));
        assert!(table.allows(0, Read, 0) && !table.allows(0, Read, 1));
        assert!(table.allows_all(7, Read, 0x1800, 0x2800), "two rules side by side");
        assert!(!table.allows_all(7, Read, 0x2800, 0x4000), "a gap");
        assert!(table.allows_all(7, Read, 0x8000, 0xffff));
        assert!(!Protection::new(&[]).allows(0, Read, 0));
    }
}
