//! Fabrics whose switches turn slowly.

mod closed_forms;
mod judge;
mod matchings;
mod traces;

use ww_fabric::flows::Flow;
use ww_fabric::rotors::{RotorOptions, Rules, Settings};

/// More cells than any run here sends.
const ENDLESS: u64 = 1 << 40;

/// Slices of `matching` slots with `reconfiguration` dark ones; slots are of a picosecond, so that times are slots.
fn settings(
    rules: Rules,
    hosts: usize,
    channels: usize,
    matching: u64,
    reconfiguration: u64,
) -> Settings {
    let options = RotorOptions {
        matching_ps: Some(matching),
        reconfiguration_ps: Some(reconfiguration),
        ..RotorOptions::default()
    };
    Settings::new(rules, hosts, channels, 1, &options).unwrap()
}

/// A flow each from host i to `to(i)`, where that is another.
fn permutation(hosts: usize, to: impl Fn(usize) -> usize) -> Vec<Flow> {
    flows((0..hosts).map(|src| (src, to(src), ENDLESS, 0)))
}

fn all_to_all(hosts: usize, cells: u64) -> Vec<Flow> {
    flows((0..hosts * hosts).map(|pair| (pair / hosts, pair % hosts, cells, 0)))
}

/// Numbered, without those from a host to itself.
fn flows(all: impl Iterator<Item = (usize, usize, u64, u64)>) -> Vec<Flow> {
    let flow = |(id, (src, dst, cells, start))| Flow {
        id,
        src: src as u32,
        dst: dst as u32,
        cells,
        start,
    };
    (0..).zip(all.filter(|&(src, dst, ..)| src != dst)).map(flow).collect()
}
