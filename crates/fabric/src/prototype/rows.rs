//! Rows of the prototype's switches for a schedule of some of its hosts.
//!
//! All cells of a slot cross the two spines: those of one leaf take different ones, and so do those to one leaf. A leaf has two hosts, so there
//! always are such ways (König: the edges of a bipartite graph with two at each node have two colours).

use super::{HOSTS, LEAVES};
use crate::schedule::Schedule;

/// Hosts of a leaf, and spines.
const LOCAL: usize = HOSTS / LEAVES;
/// Bits of an output in a row: connected, and the input.
const CHOICE_BITS: usize = 3;
/// Switches: leaves, then spines.
pub const SWITCHES: usize = LEAVES + LOCAL;
/// Slots from a cell's passage through its leaf to that through the leaf of its receiver.
const LATE: usize = 9;

/// A circuit of a slot, with its spine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    from: usize,
    to: usize,
    spine: usize,
}

/// Spines for circuits: the first of all assignments that has no two at one port. `ways` has those of the circuits before.
fn route(circuits: &[(usize, usize)], ways: &mut Vec<Way>) -> bool {
    let Some(&(from, to)) = circuits.get(ways.len()) else { return true };
    for spine in 0..LOCAL {
        let meets = |way: &Way| {
            way.spine == spine && (way.from / LOCAL == from / LOCAL || way.to / LOCAL == to / LOCAL)
        };
        if !ways.iter().any(meets) {
            ways.push(Way { from, to, spine });
            if route(circuits, ways) {
                return true;
            }
            ways.pop();
        }
    }
    false
}

/// `[slot][switch]`: the rows of a schedule, whose hosts are `members` of the prototype, as its switches have them: output n has bits 3n and up, connected
/// and the input. Rows of a leaf's outputs to hosts are [`LATE`] slots late.
pub fn rows(schedule: &Schedule, members: &[usize]) -> Vec<[u16; SWITCHES]> {
    let slots = schedule.slots();
    let ways: Vec<Vec<Way>> = (0..slots)
        .map(|slot| {
            let peer = |member| Some((members[member], members[schedule.peer(0, slot, member)?]));
            let circuits: Vec<_> = (0..schedule.hosts()).filter_map(peer).collect();
            let mut ways = Vec::new();
            let _always = route(&circuits, &mut ways);
            ways
        })
        .collect();
    let connected = |output: usize, input: usize| {
        (1 << (CHOICE_BITS - 1) | input as u16) << (CHOICE_BITS * output)
    };
    (0..slots)
        .map(|slot| {
            let mut row = [0; SWITCHES];
            for &Way { from, to, spine } in &ways[slot] {
                row[from / LOCAL] |= connected(LOCAL + spine, from % LOCAL);
                row[LEAVES + spine] |= connected(to / LOCAL, from / LOCAL);
            }
            for &Way { to, spine, .. } in &ways[(slot + slots * LATE - LATE) % slots] {
                row[to / LOCAL] |= connected(to % LOCAL, LOCAL + spine);
            }
            row
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Order;

    /// Each cell is followed from its host through leaf, spine and leaf, for each set of three hosts or more.
    #[test]
    fn each_cell_comes_to_its_peer() {
        let input = |row: &[u16; SWITCHES], switch: usize, output: usize| {
            let choice = row[switch] >> (CHOICE_BITS * output) & 7;
            (choice >= 4).then_some(usize::from(choice & 3))
        };
        let sets = (0_u32..256).filter(|set| set.count_ones() >= 3);
        for set in sets {
            let members: Vec<usize> = (0..HOSTS).filter(|host| set >> host & 1 == 1).collect();
            let schedule = Schedule::new(members.len(), Order::Plain, 1).unwrap();
            let rows = rows(&schedule, &members);
            let slots = rows.len();
            assert_eq!(slots, members.len() - 1);
            for slot in 0..slots {
                let (now, later) = (&rows[slot], &rows[(slot + LATE) % slots]);
                for (member, &to) in members.iter().enumerate() {
                    let spine = input(later, to / LOCAL, to % LOCAL).unwrap() - LOCAL;
                    let leaf = input(now, LEAVES + spine, to / LOCAL).unwrap();
                    let from = leaf * LOCAL + input(now, leaf, LOCAL + spine).unwrap();
                    let sender = (member + slots - slot) % members.len();
                    assert_eq!(from, members[sender], "hosts {members:?}, slot {slot}, to {to}");
                }
            }
        }
    }
}
