//! Tables that are too large for the caches: packets wait for memory and take turns, and come out
//! as if they had not.

use super::variations::Arrival;
use super::{send, send_batch};
use num_bigint::BigUint;
use std::path::Path;
use std::sync::Arc;
use ww_dataplane::control::{ActionData, Control, KeyMatch, NewEntry, Target};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_p4::frontend::compile_file;

/// So many stations take more memory than a table that is taken to be near.
const STATIONS: u64 = 180_000;
const ROUTES: u64 = 60_000;

/// The finaliser of MurmurHash3: numbers that look random, and a bijection.
fn scatter(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0xff51_afd7_ed55_8ccd);
    z ^= z >> 33;
    z = z.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    z ^ z >> 33
}

fn address(n: u64) -> u64 {
    scatter(n) >> 16
}

fn fill(control: &mut dyn Control) {
    let number = |n: u64| BigUint::from(n);
    let stations = control.schema().table("stations").expect("declared");
    let sources = control.schema().table("sources").expect("declared");
    let routes = control.schema().table("routes").expect("declared");
    control.hold().expect("taken");
    for n in 0..STATIONS {
        let arguments = vec![number(scatter(!n) & 0xffff_ffff)];
        let target = Target::Action(ActionData { action: 0, arguments });
        let keys = vec![KeyMatch::Exact(number(address(n)))];
        // Two of the addresses may be one.
        let entry = NewEntry { keys, priority: 0, target };
        let _ = control.table_insert(stations, entry.clone());
        let _ = control.table_insert(sources, entry);
    }
    for n in 0..ROUTES {
        let prefix_len = 8 + (scatter(n ^ 1 << 40) % 17) as u32;
        let value = number(scatter(!(n % STATIONS)) & 0xffff_ffff);
        let arguments = vec![number(n % 7), number(n)];
        let target = Target::Action(ActionData { action: (n % 13 / 12) as usize, arguments });
        let target = match target {
            Target::Action(data) if data.action == 1 => {
                Target::Action(ActionData { arguments: Vec::new(), ..data })
            }
            other => other,
        };
        let keys = vec![KeyMatch::Lpm { value, prefix_len }];
        let _ = control.table_insert(routes, NewEntry { keys, priority: 0, target });
    }
    control.release().expect("taken");
}

#[test]
fn packets_that_wait_for_memory_come_out_alike_and_in_order() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/jit_equality/far.p4");
    let compilation = compile_file(&path, &Default::default());
    assert!(!compilation.diagnostics.has_errors());
    let program = Arc::new(compilation.program);
    let mut interp = Interp::new(program.clone(), Options::default()).expect("supported");
    let mut jit = Jit::new(program, Options::default()).expect("supported");
    fill(&mut interp);
    fill(&mut jit);
    let mut sent = 0;
    for round in 0..40 {
        let packets: Vec<Arrival> = (0..50u64)
            .map(|n| {
                let number = scatter(round * 50 + n);
                // One in eight has an address that no station has.
                let destination =
                    if n % 8 == 0 { number >> 16 } else { address(number % STATIONS) };
                let mut bytes = destination.to_be_bytes()[2..].to_vec();
                bytes.extend(&address(number / 3 % STATIONS).to_be_bytes()[2..]);
                bytes.extend([0, 0, 0, (n % 2) as u8]);
                bytes.extend((0..n).map(|n| n as u8));
                Arrival { port: (n % 4) as u32, bytes }
            })
            .collect();
        let expected = send(&mut interp, round, &packets);
        let found = send_batch(&mut jit, round, &packets);
        assert_eq!(expected, found, "round {round}");
        sent += expected.values().map(Vec::len).sum::<usize>();
    }
    assert!(sent > 1000, "only {sent} packets were sent");
}
