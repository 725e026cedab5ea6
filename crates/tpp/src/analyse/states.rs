//! The states in which a TPP can come to a switch.

use super::footprint::{Bytes, Footprint};
use crate::header::{Mode, flag};
use crate::instruction::Opcode;
use crate::packet::Repr;
use std::collections::BTreeMap;

/// A TPP as it comes to a switch.
pub struct State {
    /// Packet memory that an earlier hop may have written.
    pub written: Bytes,
    /// What each instruction touches; `None` of one that is skipped whatever the switch has.
    pub footprints: Vec<Option<Footprint>>,
}

/// Visits every state that the TPP can be in, at its hop number and later: stack pointers differ with the
/// CEXEC that ended a hop. A state may come several times, with more written each time.
pub fn visit(tpp: &Repr, mut see: impl FnMut(&State)) {
    if tpp.marks & flag::DONE != 0 {
        return;
    }
    let report_back = tpp.marks & flag::REPORT_BACK != 0;
    let step = if tpp.mode == Mode::Hop { usize::from(tpp.hop_length) } else { 0 };
    // Behind packet memory all bases are alike, which bounds the number of states.
    let bound = tpp.memory.len();
    let start = (usize::from(tpp.hop) * step).min(bound);
    let mut known: BTreeMap<(usize, isize), Bytes> = BTreeMap::new();
    let inside = |stack_pointer: isize| stack_pointer.clamp(0, bound as isize);
    let mut waiting = vec![((start, isize::from(tpp.stack_pointer)), Bytes::default())];
    while let Some((key, written)) = waiting.pop() {
        let mut all = written;
        if let Some(before) = known.get(&key) {
            all.add(before);
            if all == *before {
                continue;
            }
        }
        known.insert(key, all);
        let (base, mut stack_pointer) = key;
        let next = (base + step).min(bound);
        let mut footprints = Vec::with_capacity(tpp.instructions.len());
        let mut behind = all;
        for instruction in &tpp.instructions {
            let (footprint, after) =
                Footprint::of(*instruction, tpp, report_back, base, stack_pointer);
            if instruction.opcode() == Some(Opcode::Cexec) {
                waiting.push(((next, inside(stack_pointer)), behind));
            }
            if let Some(footprint) = &footprint {
                behind.add(&footprint.writes);
            }
            stack_pointer = after;
            footprints.push(footprint);
        }
        see(&State { written: all, footprints });
        waiting.push(((next, inside(stack_pointer)), behind));
    }
}
