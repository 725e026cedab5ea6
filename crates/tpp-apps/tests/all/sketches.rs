//! Sketches of links against what was counted, and against sketches in the switches themselves.

use std::collections::HashSet;
use ww_tpp_apps::sketch::bitmap::{self, relative_error};
use ww_tpp_apps::sketch::links::LinkSketches;
use ww_tpp_apps::sketch::push::messages;
use ww_tpp_apps::sketch::service::{Service, instance_of};
use ww_tpp_apps::sketch::{Link, hash};

const BITS: usize = 1024;

/// An endless stream of addresses.
fn stream(zipf: bool, seed: u64) -> impl Iterator<Item = u32> {
    let mut draws = fastrand::Rng::with_seed(seed);
    // Zipf(1.0) over 20,000 addresses: the k-th with a weight of 1/k.
    let weights = (1..=20_000).map(|k| 1.0 / f64::from(k));
    let sums: Vec<f64> = weights
        .scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        })
        .collect();
    let all = sums[sums.len() - 1];
    let first = draws.u32(..);
    std::iter::repeat_with(move || match zipf {
        true => {
            let drawn = draws.f64() * all;
            first.wrapping_add(sums.partition_point(|sum| *sum < drawn) as u32)
        }
        false => draws.u32(..),
    })
}

/// Acceptance check 22 of spec 003: within three standard deviations of the truth, 500 and 2,000 addresses, uniform and
/// Zipf(1.0), twenty seeds each. One of 80 may lie outside: three in a thousand do.
#[test]
fn estimates_are_near_the_truth() {
    let (mut outside, mut squares) = (0, 0.0);
    for (number, zipf) in [(500, false), (500, true), (2000, false), (2000, true)] {
        let sigma = relative_error(BITS, f64::from(number));
        for seed in 0..20 {
            let mut sketch = [0; BITS / 64];
            let mut met = HashSet::new();
            for address in stream(zipf, seed) {
                met.insert(address);
                bitmap::set(&mut sketch, hash(address.into()));
                if met.len() == number as usize {
                    break;
                }
            }
            let error = bitmap::estimate(&sketch).least() / f64::from(number) - 1.0;
            outside += u32::from(error.abs() > 3.0 * sigma);
            squares += (error / sigma).powi(2) / 80.0;
        }
    }
    assert!(outside <= 1, "{outside} of 80");
    // The mean of 80 squares of standard normals: 1, with a standard deviation of sqrt(2 / 80).
    assert!((squares - 1.0).abs() < 3.0 * 0.158, "{squares}");
}

/// Packets of 200 flows cross links of a small network and are received at eight hosts; each host has a part of what a
/// link has seen. What two instances of the service make of it is what the link's switch would have.
#[test]
fn the_union_of_hosts_is_the_sketch_of_the_switch() {
    let mut draws = fastrand::Rng::with_seed(3);
    let links: Vec<Link> = (0..12).map(|n| Link { switch: n / 4, port: n % 4 }).collect();
    // Independent of the crate's: a flag for each bit and link.
    let mut switches = vec![[false; BITS]; links.len()];
    let new = || LinkSketches::new(BITS, 64).expect("a good size");
    let mut hosts: Vec<LinkSketches> = (0..8).map(|_| new()).collect();
    let mut services: Vec<Service> =
        (0..2).map(|n| Service::new(BITS, 64, (n, 2)).expect("a good size")).collect();
    for (n, address) in (0..30_000).zip(stream(true, 9)) {
        let host = draws.usize(..8);
        for link in [draws.usize(..12), draws.usize(..12)] {
            switches[link][hash(address.into()) as usize % BITS] = true;
            hosts[host].add(links[link], hash(address.into()));
        }
        if n % 5000 != 4999 {
            continue;
        }
        for host in &mut hosts {
            let changed = host.take_changed();
            for (number, service) in (0..2).zip(&mut services) {
                let its = changed.iter().filter(|(link, _)| instance_of(*link, 2) == number);
                for message in messages(0, its.copied(), 1400) {
                    assert_eq!(service.take(&message), Ok(()));
                }
            }
        }
    }
    for (link, bits) in links.iter().zip(&switches) {
        let service = &services[instance_of(*link, 2) as usize];
        let merged = service.epoch(0).and_then(|all| all.bitmap(*link)).expect("a bitmap");
        let found = (0..BITS).map(|bit| merged[bit / 64] >> (bit % 64) & 1 == 1);
        assert!(found.eq(bits.iter().copied()), "{link:?}");
    }
}
