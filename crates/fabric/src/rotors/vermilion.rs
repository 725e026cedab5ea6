//! Vermilion (Addanki et al., 2025): a periodic schedule for a known demand, with direct circuits only.
//!
//! With factor k a cycle has k (N - 1) matchings. N - 1 of them are the shifts, so that every host meets every other one
//! whatever the demand; the others follow the demand. Its matrix is divided by its largest row or column sum, times
//! (k - 1) (N - 1), and rounded so that no sum grows. What rows and columns then lack is filled with circuits that are
//! spread over all pairs, and the sum is decomposed into matchings.

use super::decomposition::decompose;
use super::matchings::{Matching, Switches};
use super::rounding::round;
use crate::flows::Flow;

/// Hosts that a schedule is computed for at most: memory and time grow with k times their square.
pub const MAX_HOSTS: usize = 1024;

/// The largest factor.
pub const MAX_FACTOR: u64 = 64;

/// How many circuits each pair has in the part of a cycle that follows the demand, row by row: `degree` in each row and
/// column. A host may have circuits to itself, which carry nothing, if its row and its column alone lack some.
pub fn circuits(demand: &[u128], hosts: usize, degree: u64) -> Vec<u64> {
    let row = |n: usize| demand[n * hosts..(n + 1) * hosts].iter().sum::<u128>();
    let column = |n: usize| demand[n..].iter().step_by(hosts).sum::<u128>();
    let largest = (0..hosts).map(|n| row(n).max(column(n))).max().unwrap_or(0).max(1);
    // A row and a column more, with what others lack of the largest sum.
    let all = hosts + 1;
    let mut numerators = vec![0; all * all];
    let degree_of = |cells: u128| cells * u128::from(degree);
    for n in 0..hosts {
        for (place, &cells) in demand[n * hosts..(n + 1) * hosts].iter().enumerate() {
            numerators[n * all + place] = degree_of(cells);
        }
        numerators[n * all + hosts] = degree_of(largest - row(n));
        numerators[hosts * all + n] = degree_of(largest - column(n));
    }
    numerators[all * all - 1] = degree_of(demand.iter().sum());
    let rounded = round(&numerators, largest, all);
    let mut made = Vec::with_capacity(hosts * hosts);
    for n in 0..hosts {
        made.extend(&rounded[n * all..n * all + hosts]);
    }
    let rows = (0..hosts).map(|n| rounded[n * all + hosts]).collect();
    let columns = rounded[hosts * all..all * all - 1].to_vec();
    fill(&mut made, hosts, rows, columns);
    made
}

/// Adds circuits until no row and no column lacks any, as evenly over pairs as a few rounds make them.
fn fill(made: &mut [u64], hosts: usize, mut rows: Vec<u64>, mut columns: Vec<u64>) {
    loop {
        let shares: Vec<u64> = rows.iter().map(|&lacks| lacks.div_ceil(hosts as u64 - 1)).collect();
        let mut added = 0;
        for shift in 1..hosts {
            for from in 0..hosts {
                let to = (from + shift) % hosts;
                let circuits = shares[from].min(rows[from]).min(columns[to]);
                made[from * hosts + to] += circuits;
                rows[from] -= circuits;
                columns[to] -= circuits;
                added += circuits;
            }
        }
        if added == 0 {
            break;
        }
    }
    // If two hosts lacked some, one would have been given a circuit to the other: at most one is left, with itself.
    for (host, lacks) in rows.into_iter().enumerate() {
        made[host * hosts + host] += lacks;
    }
}

/// The cells that flows have for each pair, row by row.
pub fn demand(flows: &[Flow], hosts: usize) -> Vec<u128> {
    let mut demand = vec![0; hosts * hosts];
    for flow in flows {
        demand[flow.src as usize * hosts + flow.dst as usize] += u128::from(flow.cells);
    }
    demand
}

/// The schedule for the demand of all `flows`, with the factor k of the module's description, 2 to [`MAX_FACTOR`].
pub fn network(hosts: usize, switches: usize, factor: u64, flows: &[Flow]) -> Switches {
    let shifts = hosts as u64 - 1;
    let degree = (factor - 1) * shifts;
    let circuits = circuits(&demand(flows, hosts), hosts, degree);
    let mut aware = decompose(&circuits, hosts, degree).into_iter().map(Matching::Table);
    // A shift, then k - 1 of the others.
    let mut all = Vec::new();
    for shift in 1..hosts {
        all.push(Matching::Shift(shift));
        all.extend(aware.by_ref().take(factor as usize - 1));
    }
    Switches::deal(hosts, switches, all)
}
