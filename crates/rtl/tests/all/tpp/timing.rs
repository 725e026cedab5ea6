//! Checks 13 and 14, and what rtl/tpp/README.md says about clocks.

use crate::tpp::programs::{Random, hazard_free, word};
use ww_rtl::tpp_block::{Events, METADATA_WORDS, Shape, SimulatedTpp};
use ww_tpp::header::WordSize;
use ww_tpp::instruction::{Instruction, Opcode};
use ww_tpp::packet::Repr;

/// Bytes of the smallest frame, without FCS.
const SMALLEST: usize = 60;
/// Clocks at 160 MHz from one such frame to the next at 10 Gb/s: 84 bytes with preamble, FCS and gap, times 1000.
const INTERVAL: u64 = 10_752;

/// A frame of 60 bytes or more with these instructions, 32-bit words, and a memory of `words`.
fn frame(instructions: &[(Opcode, u16, u8, u8)], words: &[u32]) -> Vec<u8> {
    let word = |&(opcode, address, first, second): &(Opcode, u16, u8, u8)| {
        Instruction::new(opcode, address, first, second)
    };
    carry(&Repr {
        word: WordSize::Four,
        instructions: instructions.iter().map(word).collect(),
        memory: words.iter().flat_map(|word| word.to_be_bytes()).collect(),
        ..Repr::default()
    })
}

fn carry(tpp: &Repr) -> Vec<u8> {
    let mut frame = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x66, 0x66];
    frame.extend_from_slice(&tpp.emit());
    if frame.len() < SMALLEST {
        frame.resize(SMALLEST, 0);
    }
    frame
}

fn block(shape: Shape) -> SimulatedTpp {
    SimulatedTpp::new(shape).expect("Verilator is there")
}

/// Clocks that a frame alone spends in each of four stages.
fn latencies(block: &mut SimulatedTpp, frame: Vec<u8>) -> [u64; 4] {
    let (mut entered, mut spent) = ([0; 4], [0; 4]);
    block.send(0, frame, [0; METADATA_WORDS]);
    let see = |clock, Events { enters, leaves, .. }| {
        for stage in 0..4 {
            if enters >> stage & 1 == 1 {
                entered[stage] = clock;
            }
            if leaves >> stage & 1 == 1 {
                spent[stage] = clock - entered[stage];
            }
        }
    };
    block.drain(see).expect("it runs");
    block.receive(0).expect("a frame");
    spent
}

const REGISTER: u16 = 0x1240;
const WORD: u16 = 0xe080;

#[test]
fn check_13_two_clocks_a_stage_and_three_with_a_cstore() {
    let mut block = block(Shape::published(1));
    // PUSH [Switch:Clock] four times, as in the paper's measurement.
    let clock = [(Opcode::Push, 0x0004, 0, 0); 4];
    assert_eq!(latencies(&mut block, frame(&clock, &[0; 4])), [2, 2, 2, 2]);
    assert_eq!(latencies(&mut block, frame(&[], &[])), [2, 2, 2, 2]);
    assert_eq!(latencies(&mut block, vec![0; SMALLEST]), [2, 2, 2, 2], "a frame without TPP");
    for address in [REGISTER, WORD] {
        for opcode in [Opcode::Load, Opcode::Store] {
            let one = [(opcode, address, 0, 0)];
            assert_eq!(latencies(&mut block, frame(&one, &[0])), [2, 2, 2, 2], "{opcode:?}");
        }
        // One that finds its old value and one that does not.
        for old in [0, 77] {
            let one = [(Opcode::Cstore, address, 0, 1)];
            assert_eq!(latencies(&mut block, frame(&one, &[old, 0])), [2, 3, 2, 2], "{old}");
        }
    }
    // Registers and what the switch drives without limit; one word of memory a clock.
    let five = [(Opcode::Load, REGISTER, 0, 0); 5];
    assert_eq!(latencies(&mut block, frame(&five, &[0])), [2, 2, 2, 2]);
    for count in 1..=5 {
        let loads: Vec<_> = (0..count).map(|n| (Opcode::Load, WORD + n, 0, 0)).collect();
        let spent = latencies(&mut block, frame(&loads, &[0]));
        assert_eq!(spent, [2, 1 + u64::from(count), 2, 2], "the bound of `ww tpp check`");
        let cstores: Vec<_> = (0..count).map(|_| (Opcode::Cstore, WORD, 0, 0)).collect();
        let spent = latencies(&mut block, frame(&cstores, &[0]));
        assert_eq!(spent, [2, 2 * u64::from(count) + 1, 2, 2], "{count} CSTOREs of one word");
    }
}

/// Frames of 60 bytes at 10 Gb/s on each port. How many beats had to wait at an input.
fn line_rate(shape: Shape, count: u64, mut frame: impl FnMut() -> Vec<u8>) -> u64 {
    let mut block = block(shape);
    let ports = shape.ports as u64;
    let (mut sent, mut delayed) = (vec![0u64; shape.ports], 0);
    let limit = block.clocks() + count * INTERVAL / 1000 * 8 + 10_000;
    let start = block.clocks();
    while sent.iter().any(|sent| *sent < count) || !block.is_idle() {
        let now = 1000 * (block.clocks() - start);
        for port in 0..ports {
            let sent = &mut sent[port as usize];
            // Ports begin at different times.
            if *sent < count && now >= *sent * INTERVAL + port * INTERVAL / ports {
                *sent += 1;
                let metadata = std::array::from_fn(|at| (*sent + at as u64) as u32);
                block.send(port as usize, frame(), metadata);
            }
        }
        let events = block.clock(u64::MAX, u64::MAX).expect("it runs");
        delayed += u64::from(events.refused.count_ones());
        for port in 0..shape.ports {
            while block.receive(port).is_some() {}
        }
        assert!(block.clocks() < limit, "frames do not leave");
    }
    delayed
}

/// TPPs that fit into the smallest frame.
fn small(random: &mut Random, cstores: usize) -> Vec<u8> {
    loop {
        let tpp = hazard_free(random);
        let is = |i: &&Instruction| i.opcode() == Some(Opcode::Cstore);
        if tpp.instructions.iter().filter(is).count() <= cstores
            && tpp.emit().len() <= SMALLEST - 14
        {
            return carry(&tpp);
        }
    }
}

fn check_14(count: u64) {
    let mut random = Random(14);
    // Half of the frames have a TPP with at most one CSTORE.
    let delayed = line_rate(Shape::published(4), count, || match random.one_in(2) {
        true => small(&mut random, 1),
        false => vec![word(&mut random) as u8; SMALLEST],
    });
    assert_eq!(delayed, 0, "4 ports");
    // The TPP of 4 instructions and 4 words that fills the smallest frame, in all frames.
    let full = frame(&[1, 2, 3, 4].map(|n| (Opcode::Push, 0x1040 + 0x100 * n, 0, 0)), &[0; 4]);
    assert_eq!(full.len(), SMALLEST, "58 bytes of the paper are 46 and Ethernet here");
    assert_eq!(line_rate(Shape::published(4), count, || full.clone()), 0);
    // A CSTORE of the same word of memory in all frames.
    let one = frame(&[(Opcode::Cstore, WORD, 0, 1)], &[0, 0]);
    assert_eq!(line_rate(Shape::published(4), count, || one.clone()), 0);
}

#[test]
fn check_14_smallest_frames_at_four_times_10_gbps() {
    check_14(2000);
}

#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn check_14_a_hundred_thousand_frames_a_port() {
    check_14(100_000);
}

/// Clocks a frame when as many come as can.
fn interval(shape: Shape, frame: &[u8]) -> f64 {
    let mut block = block(shape);
    let count = 400;
    for number in 0..count * shape.ports {
        block.send(number % shape.ports, frame.to_vec(), [0; METADATA_WORDS]);
    }
    let (mut left, mut first, mut last) = (0, 0, 0);
    while !block.is_idle() {
        block.clock(u64::MAX, u64::MAX).expect("it runs");
        for port in 0..shape.ports {
            while let Some(frame) = block.receive(port) {
                left += 1;
                if left == 100 {
                    first = frame.clock;
                }
                last = last.max(frame.clock);
            }
        }
    }
    (last - first) as f64 / f64::from(left - 100)
}

/// The corner that the paper does not report: five CSTOREs of one word of memory.
#[test]
fn check_14_five_cstores_of_one_word() {
    let five = frame(&[(Opcode::Cstore, WORD, 0, 0); 5], &[0]);
    assert_eq!(five.len(), SMALLEST, "in the smallest frame");
    let (one, four) = (interval(Shape::published(1), &five), interval(Shape::published(4), &five));
    println!(
        "5 CSTOREs of one word: {one} clocks a frame with one port, {four} with four that share the stages"
    );
    assert!((one - 10.0).abs() < 0.05 && (four - 10.0).abs() < 0.05, "{one} {four}");
    assert_eq!(
        line_rate(Shape::published(1), 2000, || five.clone()),
        0,
        "a port alone loses nothing"
    );
    assert!(
        line_rate(Shape::published(4), 500, || five.clone()) > 0,
        "four ports need 43 clocks in 11"
    );
}

#[test]
fn a_clock_a_stage() {
    let mut block = block(Shape::wide());
    for frame in [
        vec![0; SMALLEST],
        frame(&[(Opcode::Push, 0x0004, 0, 0); 4], &[0; 4]),
        frame(&[(Opcode::Load, REGISTER, 0, 0); 5], &[0; 1]),
        frame(&[1, 2, 3, 4].map(|n| (Opcode::Load, 0xe000 + 0x40 * n, 0, 0)), &[0; 4]),
        frame(&[(Opcode::Store, WORD, 0, 0)], &[5]),
        frame(&[(Opcode::Cstore, WORD, 0, 0)], &[5]),
    ] {
        assert_eq!(latencies(&mut block, frame), [1, 1, 1, 1]);
    }
}

/// A frame a clock on 512 bits, and k clocks for k accesses of one memory.
#[test]
fn a_beat_a_clock_and_k_clocks_for_k_accesses() {
    let shape = Shape::wide();
    let free = [
        vec![0; SMALLEST],
        frame(&[(Opcode::Load, REGISTER, 0, 0); 4], &[0; 1]),
        frame(&[(Opcode::Cstore, REGISTER, 0, 0); 5], &[0; 1]),
        frame(&[1, 2, 3, 4].map(|n| (Opcode::Load, 0xe000 + 0x40 * n, 0, 0)), &[0; 4]),
        frame(&[1, 2, 3, 4].map(|n| (Opcode::Store, 0xe000 + 0x40 * n, 0, 0)), &[1; 4]),
    ];
    for frame in free {
        assert_eq!((interval(shape, &frame), frame.len()), (1.0, SMALLEST));
    }
    for count in 1..=5 {
        for opcode in [Opcode::Load, Opcode::Store] {
            let all: Vec<_> = (0..count).map(|n| (opcode, WORD + n, 0, 0)).collect();
            assert_eq!(interval(shape, &frame(&all, &[3])), f64::from(count), "{count} {opcode:?}");
        }
        // A CSTORE that finds its old value reads and writes.
        let all: Vec<_> = (0..count).map(|_| (Opcode::Cstore, WORD, 0, 0)).collect();
        assert_eq!(interval(shape, &frame(&all, &[0])), f64::from(2 * count), "{count} CSTOREs");
    }
}

#[test]
fn cstores_of_one_word_on_the_wide_bus() {
    let mut block = block(Shape::wide());
    for count in 1..=5 {
        let all: Vec<_> = (0..count).map(|_| (Opcode::Cstore, WORD, 0, 0)).collect();
        assert_eq!(latencies(&mut block, frame(&all, &[0])), [1, 2 * count - 1, 1, 1]);
    }
    // The read of the second frame finds the port taken by the write of the first.
    let (load, store) = ([(Opcode::Load, WORD, 0, 0)], [(Opcode::Store, WORD, 0, 0)]);
    for number in 0..400 {
        let one = if number % 2 == 0 { &load } else { &store };
        block.send(0, frame(one, &[0]), [0; METADATA_WORDS]);
    }
    let start = block.clocks();
    block.drain(|_, _| {}).expect("it runs");
    let clocks = block.clocks() - start;
    assert!((600..650).contains(&clocks), "3 clocks for 2 frames: {clocks} for 400");
}

/// Clocks of a frame of one beat: to the first stage, through four, and to the output.
#[test]
fn clocks_around_the_stages() {
    let mut block = block(Shape::wide());
    block.send(0, vec![0; SMALLEST], [0; METADATA_WORDS]);
    let start = block.clocks();
    let (mut entered, mut left) = (0, 0);
    let see = |clock, events: Events| {
        if events.enters & 1 == 1 {
            entered = clock - start;
        }
        if events.leaves & 8 == 8 {
            left = clock - start;
        }
    };
    block.drain(see).expect("it runs");
    let out = block.receive(0).expect("a frame").clock - start;
    assert_eq!((entered, left - entered, out - left), (5, 4, 3));
}
