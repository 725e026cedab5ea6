//! Random TPPs through both engines: the same frames, and the same memory afterwards.

use super::*;
use ww_dataplane::random::threefry;
use ww_tpp::header::{Mode, WordSize};
use ww_tpp::instruction::{Instruction, Opcode};

/// Random numbers that do not depend on anything but the seed.
struct Draws(u64, u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.1 += 1;
        threefry(self.0, self.1) % bound
    }
}

/// Addresses that exist in some way, and now and then any.
fn address(draws: &mut Draws) -> u16 {
    let all: Vec<(u16, u16)> =
        ww_tpp::map::table::SEGMENTS.iter().map(|s| (s.base, s.last())).collect();
    match draws.below(8) {
        0 => draws.below(0x10000) as u16,
        1 | 2 => 0xd000 + draws.below(16) as u16,
        3 => 0x1140 + draws.below(4) as u16 * 0x100 + draws.below(8) as u16,
        _ => {
            let (first, last) = all[draws.below(all.len() as u64) as usize];
            // Most of what there is lies at the beginning of a segment's instances.
            first + draws.below(u64::from(last - first).min(0x60) + 1) as u16
        }
    }
}

fn random_tpp(draws: &mut Draws) -> Vec<u8> {
    let word = if draws.below(2) == 0 { WordSize::Two } else { WordSize::Four };
    let bytes = word.bytes() as u64;
    let words = 1 + draws.below(24);
    let memory: Vec<u8> = (0..words * bytes).map(|_| draws.below(256) as u8 & 0x83).collect();
    let instructions: Vec<Instruction> = (0..draws.below(6))
        .map(|_| {
            let opcode = Opcode::ALL[draws.below(Opcode::ALL.len() as u64) as usize];
            let operands = [draws.below(words + 2) as u8, draws.below(words + 2) as u8];
            Instruction::new(opcode, address(draws), operands[0].min(63), operands[1].min(63))
        })
        .collect();
    let is_hop = draws.below(2) == 0;
    Repr {
        mode: if is_hop { Mode::Hop } else { Mode::Stack },
        word,
        marks: ((draws.below(16) == 0) as u8 * ww_tpp::header::flag::REFLECT)
            | ((draws.below(3) == 0) as u8 * ww_tpp::header::flag::REPORT_BACK),
        hop: draws.below(3) as u8,
        stack_pointer: (draws.below(words + 1) * bytes) as u8,
        hop_length: if is_hop { (draws.below(4) * bytes) as u8 } else { 0 },
        app_tag: draws.below(4) as u8,
        protocol: 0x0800,
        instructions,
        memory,
    }
    .emit()
}

/// 10,000 packets, two thirds of them with TPPs, that change tables' counters, registers and ways.
#[test]
fn both_engines_do_the_same() {
    let mut engines = KINDS.map(|kind| bridge(kind, Config::new(7)));
    for engine in &mut engines {
        let key = KeyMatch::Ternary { value: 0x0800u16.into(), mask: 0xff00u16.into() };
        add(engine, "I.queues", key, (0, 3));
    }
    let mut draws = Draws(11, 0);
    let mut executed = 0;
    for n in 0..10_000u64 {
        let (from, to) = (draws.below(10) as u8, draws.below(12) as u8);
        let kind = [0x0800, 0x86dd, 0x0801][draws.below(3) as usize];
        let mut sent = frame(from, to, kind, &vec![n as u8; 46 + draws.below(200) as usize]);
        if draws.below(3) > 0 {
            sent = with_tpp(sent, &random_tpp(&mut draws));
            executed += 1;
        }
        let now = n * 137_000_000;
        let [ours, theirs] = engines.each_mut().map(|engine| send(engine, from.into(), now, &sent));
        assert_eq!(ours, theirs, "packet {n}: {sent:02x?}");
    }
    assert!(executed > 6_000);
    let [ours, theirs] = engines.each_mut().map(|engine| engine.tcpu().expect("a TCPU").counters());
    assert_eq!(ours, theirs);
    assert!(ours.executed > 5_000 && ours.absent > 1_000 && ours.reflected > 100, "{ours:?}");
}
