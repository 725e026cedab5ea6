//! What the shim costs a packet. Ratios of one run count; times are this machine's. The printed table is that of
//! `cargo test --release -p wirewright-tpp --test all shim_cost:: -- --ignored --nocapture`.

use std::time::Instant;
use ww_host::registry::Registry;
use ww_host::shim::{Rule, Shim};
use ww_tpp::assemble::{Options, assemble};

/// A TCP segment in a frame of 1,254 bytes, to a port.
fn segment(port: u16) -> Vec<u8> {
    let mut frame = vec![
        2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0, 0x45, 0, 4, 0xd8, 0, 0, 0x40, 0, 64, 6, 0, 0,
    ];
    frame.extend([10, 0, 0, 1, 10, 0, 0, 2]);
    frame.extend([1000u16.to_be_bytes(), port.to_be_bytes()].concat());
    frame.resize(14 + 1240, 0x5a);
    frame
}

/// The paper's TPP of 260 bytes: five instructions and 228 bytes of memory.
fn tpp() -> Vec<u8> {
    let text = format!("{}\n.length 228\n.hops 1", "PUSH [Switch:SwitchID]\n".repeat(5));
    let tpp = assemble(&text, &Options::default()).expect("a good program").emit();
    assert_eq!(tpp.len(), 260);
    tpp
}

fn shim(rules: u16, every: u32) -> Shim {
    let mut registry = Registry::new();
    let id = registry.register("all").expect("registered");
    registry.grant(id, false, 0, 0xffff).expect("granted");
    let mut shim = Shim::new(9000, registry.protection(), 1);
    let rule = |n: u16| {
        let filter = format!("-p tcp --dport {}", 5000 + n).parse().expect("a good filter");
        Rule { filter, tpp: tpp(), every, priority: 0 }
    };
    shim.add_all((0..rules).map(rule).collect());
    shim
}

/// Nanoseconds a packet on its way out, of packets to these ports in turn: the best of five runs.
fn cost(shim: &mut Shim, ports: &[u16]) -> f64 {
    let frames: Vec<Vec<u8>> = ports.iter().map(|port| segment(*port)).collect();
    let (mut frame, mut best) = (Vec::with_capacity(2000), f64::MAX);
    const PACKETS: usize = 200_000;
    for _ in 0..5 {
        let begin = Instant::now();
        for n in 0..PACKETS {
            frame.clear();
            frame.extend_from_slice(&frames[n % frames.len()]);
            shim.transmit(&mut frame);
        }
        best = best.min(begin.elapsed().as_nanos() as f64 / PACKETS as f64);
    }
    best
}

/// Acceptance check 27 of spec 003: what of the network's bytes applications get, with 1,240 bytes of packet and 260 of
/// TPP on one in N: 82.7 % and 97.9 % for N = 1 and 10.
#[test]
fn the_share_of_applications() {
    for (every, share) in
        [(1u32, 0.827), (2, 0.905), (5, 0.960), (10, 0.979), (20, 0.990), (0, 1.0)]
    {
        let (mut shim, mut network) = (shim(1, every), 0u64);
        let (plain, mut frame) = (segment(5000), Vec::new());
        const PACKETS: u64 = 100_000;
        for _ in 0..PACKETS {
            frame.clone_from(&plain);
            shim.transmit(&mut frame);
            network += frame.len() as u64 - 14;
        }
        let found = (PACKETS * 1240) as f64 / network as f64;
        assert!((found - share).abs() < 0.002, "N = {every}: {found}");
    }
}

/// Acceptance check 28: first, last and all of 1, 10, 100 and 1,000 rules.
#[test]
#[ignore = "measures time"]
fn cost_of_many_rules() {
    let none = cost(&mut shim(0, 0), &[5000]);
    println!("rules  first  last  all: nanoseconds a packet; without rules {none:.0}");
    for rules in [1u16, 10, 100, 1000] {
        let last = 5000 + rules - 1;
        let all: Vec<u16> = (5000..5000 + rules.max(10)).collect();
        let [first, last, all] =
            [&[5000][..], &[last], &all].map(|ports| cost(&mut shim(rules, 0), ports));
        println!("{rules:>5}  {first:>5.0}  {last:>4.0}  {all:>3.0}");
    }
    let [none, all] = [0, 1].map(|every| cost(&mut shim(1, every), &[5000]));
    println!("a TPP on none {none:.0}, on each {all:.0}");
}
