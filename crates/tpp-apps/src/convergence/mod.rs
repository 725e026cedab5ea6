//! What happens to flows when routes change (spec 003, section 2.20): packets carry their path, so that one sees when each
//! flow left its old path, how long it had none, and what packets met on the way, even if every host could be reached all
//! the time.

pub mod agent;
pub mod lab;
mod results;

use std::collections::BTreeSet;

/// Time in picoseconds.
pub type Time = u64;

/// What packets collect at each hop, for the assembler: 2 bytes.
pub const COLLECT: &str = ".word 16\nPUSH [Switch:SwitchID]\n";

/// A packet of a flow that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Its number among those that the flow has sent.
    pub sequence: u64,
    /// When it came.
    pub at: Time,
    /// The switches that it has crossed.
    pub path: Vec<u32>,
}

/// The longest run of packets of a flow that did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The number of the first packet.
    pub first: u64,
    /// Packets.
    pub packets: u64,
    /// When the packet before came.
    pub from: Time,
    /// When the packet behind came.
    pub until: Time,
}

/// How a flow has changed its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Of the first packet.
    pub old: Vec<u32>,
    /// Of the last packet.
    pub new: Vec<u32>,
    /// When the first packet came that did not take the old path.
    pub left: Time,
    /// When the first packet came from which on all took the new path.
    pub settled: Time,
    /// Packets that did not arrive.
    pub missing: u64,
    /// The longest run of these.
    pub outage: Option<Outage>,
    /// Packets that came by a switch twice.
    pub loops: Vec<u64>,
    /// Packets that took neither the old path nor the new one, without a loop.
    pub mixed: Vec<u64>,
}

/// Whether a path comes by a switch twice.
pub fn is_loop(path: &[u32]) -> bool {
    let mut met = BTreeSet::new();
    path.iter().any(|switch| !met.insert(switch))
}

/// What a flow's packets, in any order, say of its path. `None` if all have taken the same one.
pub fn change(arrivals: &[Arrival]) -> Option<Change> {
    let mut arrivals: Vec<&Arrival> = arrivals.iter().collect();
    arrivals.sort_by_key(|arrival| arrival.sequence);
    arrivals.dedup_by_key(|arrival| arrival.sequence);
    let (old, new) = (&arrivals.first()?.path, &arrivals.last()?.path);
    let left = arrivals.iter().find(|arrival| arrival.path != *old)?.at;
    let before = arrivals.iter().rposition(|arrival| arrival.path != *new);
    // A flow that is back on its old path settled there.
    let settled = arrivals.get(before.map_or(0, |place| place + 1))?.at;
    let gaps = arrivals.windows(2).map(|pair| Outage {
        first: pair[0].sequence + 1,
        packets: pair[1].sequence - pair[0].sequence - 1,
        from: pair[0].at,
        until: pair[1].at,
    });
    let missing = gaps.clone().map(|gap| gap.packets).sum();
    // Of equal ones the first.
    let outage = gaps.filter(|gap| gap.packets > 0).max_by_key(|gap| (gap.packets, !gap.first));
    let strange = arrivals.iter().filter(|arrival| arrival.path != *old && arrival.path != *new);
    let (loops, mixed): (Vec<&Arrival>, Vec<&Arrival>) =
        strange.partition(|arrival| is_loop(&arrival.path));
    let numbers = |arrivals: Vec<&Arrival>| arrivals.iter().map(|a| a.sequence).collect();
    Some(Change {
        old: old.clone(),
        new: new.clone(),
        left,
        settled,
        missing,
        outage,
        loops: numbers(loops),
        mixed: numbers(mixed),
    })
}

/// The links of a path, each from a switch to the next.
pub fn links(path: &[u32]) -> BTreeSet<(u32, u32)> {
    path.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Where the fault may be: links that all broken paths have and no working one, each from a switch to the next.
pub fn suspects(broken: &[Vec<u32>], working: &[Vec<u32>]) -> BTreeSet<(u32, u32)> {
    common(broken, working, links)
}

/// The same of a fault that both directions of a link have, as of one that is cut: packets may have crossed it either way.
/// The switch with the lower number stands first.
pub fn suspected_links(broken: &[Vec<u32>], working: &[Vec<u32>]) -> BTreeSet<(u32, u32)> {
    let either =
        |path: &[u32]| links(path).into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
    common(broken, working, either)
}

fn common(
    broken: &[Vec<u32>],
    working: &[Vec<u32>],
    links: impl Fn(&[u32]) -> BTreeSet<(u32, u32)>,
) -> BTreeSet<(u32, u32)> {
    let mut shared = broken.iter().map(|path| links(path));
    let Some(first) = shared.next() else { return BTreeSet::new() };
    let common = shared.fold(first, |common, path| &common & &path);
    working.iter().fold(common, |left, path| &left - &links(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(sequence: u64, path: &[u32]) -> Arrival {
        Arrival { sequence, at: sequence * 10 + 5, path: path.to_vec() }
    }

    /// Packets 0 to 9, each 10 ps after the other, in another order: 3 and 4 are lost, 5 comes in a loop, 6 on a path that
    /// is neither, 7 on the old one again.
    #[test]
    fn a_change_by_hand() {
        let (old, new) = ([1, 2, 4], [1, 3, 4]);
        let mut arrivals = vec![arrival(9, &new), arrival(8, &new), arrival(7, &old)];
        arrivals.extend([arrival(5, &[1, 3, 1, 2, 4]), arrival(6, &[1, 5, 4])]);
        arrivals.extend([0, 1, 2, 1].map(|n| arrival(n, &old)));
        let wanted = Change {
            old: old.to_vec(),
            new: new.to_vec(),
            left: 55,
            settled: 85,
            missing: 2,
            outage: Some(Outage { first: 3, packets: 2, from: 25, until: 55 }),
            loops: vec![5],
            mixed: vec![6],
        };
        assert_eq!(change(&arrivals), Some(wanted));
        assert_eq!(change(&[arrival(0, &old), arrival(5, &old)]), None);
        assert_eq!(change(&[]), None);
        // Away and back.
        let back =
            change(&[arrival(0, &old), arrival(1, &new), arrival(2, &old)]).expect("a change");
        assert_eq!((back.left, back.settled, back.mixed), (15, 25, vec![1]));
    }

    /// Leaves 1 and 2, spines 11 and 12: what goes over 11 to 2 does not come, what goes over 11 to 1 does.
    #[test]
    fn the_fault_is_where_broken_paths_meet() {
        let broken = [vec![1, 11, 2], vec![3, 11, 2]];
        assert_eq!(suspects(&broken, &[vec![1, 12, 2], vec![2, 11, 1]]), [(11, 2)].into());
        assert_eq!(suspects(&broken[..1], &[]), [(1, 11), (11, 2)].into(), "not told apart");
        assert!(suspects(&broken, &[vec![4, 11, 2]]).is_empty());
        assert!(suspects(&[], &[vec![1, 2]]).is_empty());
        // Both directions of the link of 11 and 2 are gone.
        let both = [vec![1, 11, 2], vec![2, 11, 3]];
        assert!(suspects(&both, &[]).is_empty());
        assert_eq!(suspected_links(&both, &[vec![1, 11, 3]]), [(2, 11)].into());
    }
}
