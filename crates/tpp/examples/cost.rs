//! What executing a TPP costs a switch: `cargo run --release -p wirewright-tpp --example cost`.
//!
//! Nanoseconds for one hop on one core, check of lengths and checksum included, the best of many short rounds. The
//! switch has a word for each of the 65,536 addresses. The TPP has room for 10 hops; before each hop its
//! header is set back, so that all of them do the same work.

use std::hint::black_box;
use std::time::Instant;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::execute::{Settings, execute};
use ww_tpp::packet::Tpp;
use ww_tpp::protection::{Operation, Protection, Rule};
use ww_tpp::switch_memory::{Refusal, Swap, SwitchMemory, Value};

struct Flat(Vec<u32>);

impl SwitchMemory for Flat {
    #[inline]
    fn read(&mut self, address: u16) -> Option<Value> {
        Some(self.0[usize::from(address)].into())
    }

    #[inline]
    fn write(&mut self, address: u16, value: u32) -> Result<(), Refusal> {
        self.0[usize::from(address)] = value;
        Ok(())
    }

    #[inline]
    fn compare_and_store(&mut self, address: u16, swap: Swap) -> Result<u32, Refusal> {
        Ok(swap.apply(&mut self.0[usize::from(address)]))
    }
}

const ROUNDS: usize = 300;
const HOPS: u32 = 10_000;

fn main() {
    let rule = |operation| Rule { app_tag: 0, operation, first: 0, last: 0xffff };
    let table = Protection::new(&[rule(Operation::Read), rule(Operation::Write)]);
    let programs = [
        ("5 PUSH, 32 bits", "PUSH [Switch:SwitchID]\n".repeat(5)),
        ("5 PUSH, 16 bits", format!(".word 16\n{}", "PUSH [Switch:SwitchID]\n".repeat(5))),
        ("3 PUSH, 16 bits", format!(".word 16\n{}", "PUSH [Switch:SwitchID]\n".repeat(3))),
        ("5 LOAD, hop mode", "LOAD [Switch:SwitchID], [Packet:Hop[4]]\n".repeat(5)),
        (
            "5 CSTORE, stack mode",
            "CSTORE [Link:AppSpecific_0], [Packet:Word[0]], [Packet:Word[0]]\n".repeat(5),
        ),
        ("none", String::new()),
    ];
    println!("program                  bytes   ns a hop   with protection");
    for (name, text) in programs {
        let options = Options { hops: Some(10), ..Options::default() };
        let bytes = assemble(&text, &options).expect("a good program").emit();
        let open = measure(&bytes, &Settings::default());
        let guarded =
            measure(&bytes, &Settings { protection: Some(&table), ..Settings::default() });
        println!("{name:22} {:7} {open:10.1} {guarded:17.1}", bytes.len());
    }
}

fn measure(bytes: &[u8], settings: &Settings<'_>) -> f64 {
    let mut memory = Flat((0..=0xffff).collect());
    let mut buffer = bytes.to_vec();
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..HOPS {
            buffer.copy_from_slice(bytes);
            let mut tpp = Tpp::new(black_box(buffer.as_mut_slice())).expect("a TPP");
            black_box(execute(&mut tpp, &mut memory, settings));
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(HOPS));
    }
    best
}
