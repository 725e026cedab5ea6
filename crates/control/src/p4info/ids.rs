//! Ids: one number space, the most significant byte tells the kind.

use super::annotations::number_argument;
use super::proto::p4_ids::Prefix;
use std::collections::HashSet;
use ww_p4::ast::Annotation;
use ww_p4::diagnostic::{Diagnostic, Diagnostics};

/// Bits below the prefix.
const LOW: u32 = 0x00ff_ffff;

/// Gives out ids.
#[derive(Debug, Default)]
pub(super) struct Ids {
    taken: HashSet<u32>,
    /// Objects that wait for the second round: they have no `@id`.
    wanted: Vec<(Prefix, String)>,
}

/// An object that has or will have an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// From `@id`.
    Fixed(u32),
    /// To be made from the name.
    Named,
}

impl Ids {
    /// Looks for `@id`. All objects must have claimed before the first id is made from a name, so
    /// that names give way to `@id`.
    pub fn claim(
        &mut self,
        prefix: Prefix,
        name: &str,
        annotations: &[Annotation],
        diagnostics: &mut Diagnostics,
    ) -> Claim {
        let Some((annotation, number)) = number_argument(annotations, "id") else {
            self.wanted.push((prefix, name.to_owned()));
            return Claim::Named;
        };
        let id = match number {
            Some(number) if number >> 24 == u64::from(prefix as u32) && number & 0xff_ffff != 0 => {
                number as u32
            }
            Some(number) if number >> 24 == 0 && number != 0 => {
                (prefix as u32) << 24 | number as u32
            }
            _ => {
                let message = format!(
                    "`@id` of `{name}` must have {:#04x} or nothing in its most significant byte, and must not be 0",
                    prefix as u32
                );
                diagnostics.push(Diagnostic::error(annotation.span, message));
                return Claim::Named;
            }
        };
        if !self.taken.insert(id) {
            let message = format!("the id {id:#010x} of `{name}` is used by another object");
            diagnostics.push(Diagnostic::error(annotation.span, message));
        }
        Claim::Fixed(id)
    }

    /// The id of an object.
    pub fn resolve(&mut self, claim: &Claim, prefix: Prefix, name: &str) -> u32 {
        match claim {
            Claim::Fixed(id) => *id,
            Claim::Named => {
                let mut low = one_at_a_time(name) & LOW;
                // At most as many rounds as there are objects.
                loop {
                    let id = (prefix as u32) << 24 | low;
                    if low != 0 && self.taken.insert(id) {
                        return id;
                    }
                    low = (low + 1) & LOW;
                }
            }
        }
    }
}

/// Bob Jenkins' one-at-a-time hash.
fn one_at_a_time(text: &str) -> u32 {
    let mut hash = 0u32;
    for byte in text.bytes() {
        hash = hash.wrapping_add(u32::from(byte));
        hash = hash.wrapping_add(hash << 10);
        hash ^= hash >> 6;
    }
    hash = hash.wrapping_add(hash << 3);
    hash ^= hash >> 11;
    hash.wrapping_add(hash << 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_published_p4infos() {
        // Ids in P4Info files of the P4 tutorials.
        let mut ids = Ids::default();
        let mut id = |prefix, name| ids.resolve(&Claim::Named, prefix, name);
        assert_eq!(id(Prefix::Table, "MyIngress.ipv4_lpm"), 37_375_156);
        assert_eq!(id(Prefix::Action, "MyIngress.ipv4_forward"), 28_792_405);
        assert_eq!(id(Prefix::Action, "MyIngress.drop"), 25_652_968);
        assert_eq!(id(Prefix::Action, "NoAction"), 21_257_015);
        // A second object of the name counts up.
        assert_eq!(id(Prefix::Action, "NoAction"), 21_257_016);
    }
}
