//! Whether updates of links keep what the conditional store promises: an update that changes a link's register is
//! computed from what was read after the one before (spec 003, section 2.16, and its acceptance check 20).

use super::{Change, Sample};
use std::collections::BTreeMap;
use ww_host::record::Record;
use ww_tpp::header::{Mode, WordSize, flag};
use ww_tpp::instruction::{Instruction, Opcode};
use ww_tpp::map;
use ww_tpp::packet::Repr;

/// What is pushed at each hop behind [`super::COLLECT`].
pub const CLOCK: &str = "PUSH [Switch:Clock]\n";

/// Words of an update at each hop: what was found, the new value, the switch's clock when it was written, the clock when
/// it was read, what was read, and the link.
const WORDS: usize = 6;

/// The same update as [`super::update`], with a record of its outcome. `clocks` are those of the samples.
pub(super) fn update(changes: &[Change], clocks: &[u32], app_tag: u8) -> Option<Repr> {
    let [register, clock] =
        ["Link:AppSpecific_0", "Switch:Clock"].map(|name| map::lookup(name).ok());
    let hop = |(change, clock): (&Change, &u32)| {
        [change.old, change.new, 0, *clock, change.old, change.link]
    };
    let words = changes.iter().zip(clocks).flat_map(hop);
    let tpp = Repr {
        mode: Mode::Hop,
        word: WordSize::Four,
        hop_length: (4 * WORDS) as u8,
        marks: flag::REPORT_BACK,
        app_tag,
        instructions: vec![
            Instruction::new(Opcode::Cstore, register?, 0, 1),
            Instruction::new(Opcode::Load, clock?, 2, 0),
        ],
        memory: words.flat_map(u32::to_be_bytes).collect(),
        ..Repr::default()
    };
    tpp.check().is_ok().then_some(tpp)
}

/// Samples of a TPP that has collected at this many hops, and the clocks of the switches.
pub(super) fn samples(tpp: &Repr) -> (Vec<Sample>, Vec<u32>) {
    let words: Vec<u32> = tpp.words().collect();
    let hops = words.chunks_exact(super::WORDS + 1).take(tpp.hop.into());
    hops.map(|hop| (Sample::of(hop), hop[super::WORDS])).unzip()
}

/// What became of updates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Updates of single links that would change something.
    pub updates: u64,
    /// Of these those that found another value than was read: somebody else was quicker.
    pub failed: u64,
    /// Changes that were computed from what was read before the change in front of them.
    pub too_close: u64,
    /// Of these those that found what they had read because the change in front of them had brought that value back (ABA).
    pub same_again: u64,
}

/// Judges the returned updates of all hosts together. Switches are distinguished by the links.
pub fn audit(records: &[Record]) -> Audit {
    let mut audit = Audit::default();
    // By link and the time of writing: when it was read, old and new value.
    let mut changes: BTreeMap<u32, BTreeMap<u32, (u32, u32, u32)>> = BTreeMap::new();
    for record in records {
        for hop in record.hops(WORDS) {
            let &[found, new, written, read, old, link] = hop else { continue };
            if new == old {
                continue;
            }
            audit.updates += 1;
            match found == old {
                true => {
                    changes.entry(link).or_default().insert(written, (read, old, new));
                }
                false => audit.failed += 1,
            }
        }
    }
    for link in changes.values() {
        for ((before, (.., brought)), (_, (read, old, _))) in link.iter().zip(link.iter().skip(1)) {
            if read <= before {
                audit.too_close += 1;
                audit.same_again += u64::from(brought == old);
            }
        }
    }
    audit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(hops: &[[u32; 6]]) -> Record {
        Record {
            at: 0,
            app: 1,
            hops: hops.len() as u8,
            stack_pointer: 0,
            source: 0,
            destination: 0,
            protocol: 17,
            ports: [0; 2],
            length: 100,
            words: hops.concat(),
        }
    }

    /// Words: found, new, written, read, old, link.
    #[test]
    fn changes_are_compared_link_by_link() {
        let good = [
            record(&[[5, 6, 100, 90, 5, 1], [5, 7, 101, 91, 5, 2]]),
            record(&[[6, 8, 120, 110, 6, 1]]),
        ];
        assert_eq!(audit(&good), Audit { updates: 3, ..Audit::default() });
        let late = [record(&[[5, 6, 100, 90, 5, 1]]), record(&[[6, 8, 120, 95, 5, 1]])];
        assert_eq!(audit(&late), Audit { updates: 2, failed: 1, ..Audit::default() });
        // A store without a condition would do this: read at 95, before the write at 100, and still written.
        let broken = [record(&[[5, 6, 100, 90, 5, 1]]), record(&[[5, 8, 120, 95, 5, 1]])];
        assert_eq!(audit(&broken), Audit { updates: 2, too_close: 1, ..Audit::default() });
        // From 5 to 6 and back to 5: who had read the first 5 does not notice.
        let again = [
            record(&[[5, 6, 100, 90, 5, 1]]),
            record(&[[6, 5, 120, 110, 6, 1]]),
            record(&[[5, 9, 130, 92, 5, 1]]),
        ];
        let found = audit(&again);
        assert_eq!(found, Audit { updates: 3, failed: 0, too_close: 1, same_again: 1 });
    }
}
