//! Decomposition of a matrix with equal row and column sums into matchings.

use ww_sim::random::{Stream, kind};

/// Random numbers here are not those of flows.
const COMPONENT: u32 = 2;

/// A sender and a receiver.
type Edge = (u16, u16);

/// The matchings, as tables of receivers by sender, whose sum is the `size` by `size` matrix of `counts`; all of its rows
/// and columns have the sum `degree`. Copies of an entry lie far apart in the order of matchings.
///
/// A bipartite graph in which all have an even degree falls into two with half of it each, by walks that put their edges
/// into one and the other in turn; one of an odd degree has a perfect matching, which a random walk finds in the mean in
/// n log n steps (Goel, Kapralov and Khanna, STOC 2010).
pub fn decompose(counts: &[u64], size: usize, degree: u64) -> Vec<Box<[u16]>> {
    let mut edges = Vec::new();
    for (place, &count) in counts.iter().enumerate() {
        let edge = ((place / size) as u16, (place % size) as u16);
        edges.extend((0..count).map(|_| edge));
    }
    let mut random = Stream::new(0, kind::FLOWS, COMPONENT);
    let mut made = Vec::new();
    split(edges, size, degree, &mut random, &mut made);
    made
}

fn split(
    edges: Vec<Edge>,
    size: usize,
    degree: u64,
    random: &mut Stream,
    made: &mut Vec<Box<[u16]>>,
) {
    debug_assert_eq!(edges.len() as u64, size as u64 * degree);
    match degree {
        0 => {}
        1 => {
            let mut table = vec![0; size].into_boxed_slice();
            for (from, to) in edges {
                table[usize::from(from)] = to;
            }
            made.push(table);
        }
        _ if degree.is_multiple_of(2) => {
            let [one, other] = halves(&edges, size);
            drop(edges);
            split(one, size, degree / 2, random, made);
            split(other, size, degree / 2, random, made);
        }
        _ => {
            let (matching, rest) = matching(edges, size, random);
            let [one, other] = halves(&rest, size);
            drop(rest);
            split(one, size, degree / 2, random, made);
            made.push(matching);
            split(other, size, degree / 2, random, made);
        }
    }
}

/// Edges by one of their ends.
struct Ends {
    /// `edges[begins[n]..begins[n + 1]]` are those of n.
    begins: Vec<usize>,
    edges: Vec<u32>,
}

impl Ends {
    fn new(edges: &[Edge], size: usize, end: impl Fn(&Edge) -> u16) -> Self {
        let mut begins = vec![0; size + 1];
        for edge in edges {
            begins[usize::from(end(edge)) + 1] += 1;
        }
        for n in 0..size {
            begins[n + 1] += begins[n];
        }
        let mut next = begins.clone();
        let mut sorted = vec![0; edges.len()];
        for (number, edge) in (0..).zip(edges) {
            let place = &mut next[usize::from(end(edge))];
            sorted[*place] = number;
            *place += 1;
        }
        Self { begins, edges: sorted }
    }

    fn of(&self, n: usize) -> &[u32] {
        &self.edges[self.begins[n]..self.begins[n + 1]]
    }
}

/// Takes the next edge of an end that was not taken.
fn take(ends: &mut Ends, next: &mut [usize], n: usize, taken: &mut [bool]) -> Option<u32> {
    while next[n] < ends.begins[n + 1] {
        let edge = ends.edges[next[n]];
        next[n] += 1;
        if !std::mem::replace(&mut taken[edge as usize], true) {
            return Some(edge);
        }
    }
    None
}

/// Two halves of a graph in which all degrees are even.
fn halves(edges: &[Edge], size: usize) -> [Vec<Edge>; 2] {
    let mut senders = Ends::new(edges, size, |edge| edge.0);
    let mut receivers = Ends::new(edges, size, |edge| edge.1);
    let mut next_of_sender = senders.begins.clone();
    let mut next_of_receiver = receivers.begins.clone();
    let mut taken = vec![false; edges.len()];
    let mut made = [Vec::with_capacity(edges.len() / 2), Vec::with_capacity(edges.len() / 2)];
    for start in 0..size {
        // A walk ends where it began, as it leaves by another edge wherever else it comes.
        let mut sender = start;
        while let Some(there) = take(&mut senders, &mut next_of_sender, sender, &mut taken) {
            let there = edges[there as usize];
            made[0].push(there);
            let receiver = usize::from(there.1);
            let Some(back) = take(&mut receivers, &mut next_of_receiver, receiver, &mut taken)
            else {
                break;
            };
            let back = edges[back as usize];
            made[1].push(back);
            sender = usize::from(back.0);
        }
    }
    made
}

/// A perfect matching of a graph in which all degrees are equal and above 0, and the other edges.
fn matching(edges: Vec<Edge>, size: usize, random: &mut Stream) -> (Box<[u16]>, Vec<Edge>) {
    const NONE: u32 = u32::MAX;
    let senders = Ends::new(&edges, size, |edge| edge.0);
    let mut of_sender = vec![NONE; size];
    let mut of_receiver = vec![NONE; size];
    let mut way = vec![NONE; size];
    for start in 0..size {
        // Until the walk is at a receiver without a partner. The last edge by which it left a sender is on a way
        // without loops.
        let mut sender = start;
        loop {
            let of = senders.of(sender);
            let edge = of[random.below(of.len() as u64) as usize];
            if edge == of_sender[sender] {
                continue;
            }
            way[sender] = edge;
            match of_receiver[usize::from(edges[edge as usize].1)] {
                NONE => break,
                partner => sender = usize::from(edges[partner as usize].0),
            }
        }
        let mut sender = start;
        loop {
            let edge = way[sender];
            of_sender[sender] = edge;
            let receiver = usize::from(edges[edge as usize].1);
            match std::mem::replace(&mut of_receiver[receiver], edge) {
                NONE => break,
                partner => sender = usize::from(edges[partner as usize].0),
            }
        }
    }
    let table = of_sender.iter().map(|&edge| edges[edge as usize].1).collect();
    let mut chosen = vec![false; edges.len()];
    of_sender.iter().for_each(|&edge| chosen[edge as usize] = true);
    let rest = edges.into_iter().zip(chosen).filter(|(_, chosen)| !chosen).map(|(edge, _)| edge);
    (table, rest.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A sum of random permutations falls into as many matchings with the same sum.
        #[test]
        fn matchings_add_up_to_the_matrix(size in 1..12usize, degree in 1..20u64, seed in any::<u64>()) {
            let mut random = Stream::new(seed, kind::FLOWS, 9);
            let mut counts = vec![0u64; size * size];
            for _ in 0..degree {
                let mut to: Vec<usize> = (0..size).collect();
                (1..size).rev().for_each(|last| to.swap(last, random.below(last as u64 + 1) as usize));
                (0..size).for_each(|from| counts[from * size + to[from]] += 1);
            }
            let made = decompose(&counts, size, degree);
            prop_assert_eq!(made.len() as u64, degree);
            for table in made {
                let mut receivers: Vec<u16> = table.to_vec();
                receivers.sort_unstable();
                prop_assert!(receivers.into_iter().eq(0..size as u16));
                table.iter().enumerate().for_each(|(from, &to)| counts[from * size + usize::from(to)] -= 1);
            }
            prop_assert!(counts.iter().all(|&count| count == 0));
        }
    }
}
