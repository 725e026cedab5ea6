//! Checks 7, 10, 11, 12 of the specification: expected values by hand.

use crate::tpp::bench::{Bench, Pace};
use crate::tpp::programs::{Random, carried, hazard_free, word};
use ww_rtl::tpp_block::{
    METADATA_ADDRESSES, METADATA_WORDS, Memory, Shape, SimulatedTpp, Switches,
};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::frame::insert;
use ww_tpp::header::{WordSize, flag};
use ww_tpp::instruction::{Instruction, Opcode};
use ww_tpp::packet::{Repr, Tpp};

/// A frame of an IPv4 header with this program in front.
fn frame(program: &Repr) -> Vec<u8> {
    let mut frame = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45];
    frame.resize(34, 0);
    insert(&mut frame, &program.emit()).expect("a frame without TPP");
    frame
}

fn program(text: &str) -> Repr {
    assemble(text, &Options::default()).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
}

fn tpp(frame: &[u8]) -> Repr {
    Repr::parse(&Tpp::new(&frame[14..]).expect("a TPP"))
}

fn metadata(words: &[(u16, u32)]) -> [u32; METADATA_WORDS] {
    let mut all = [0; METADATA_WORDS];
    for (address, word) in words {
        let known = METADATA_ADDRESSES.iter().position(|known| known == address);
        all[known.expect("an address of the vector")] = *word;
    }
    all
}

/// Sends a frame through a block alone.
fn pass(block: &mut SimulatedTpp, port: usize, frame: Vec<u8>, words: &[(u16, u32)]) -> Vec<u8> {
    block.send(port, frame, metadata(words));
    block.drain(|_, _| {}).expect("it runs");
    block.receive(port).expect("a frame").bytes
}

#[test]
fn check_7_push_and_pop_have_fixed_slots() {
    let text = "PUSH [PacketMetadata:OutputPort]\nPUSH [PacketMetadata:InputPort]\nPUSH [Stage1:Reg1]\nPOP [Stage3:Reg3]\n.hops 1";
    for shape in [Shape::published(1), Shape::wide()] {
        let mut block = SimulatedTpp::new(shape).expect("Verilator is there");
        block.write(Memory::Registers(1), 1, 0xbeef).expect("it runs");
        let left = pass(&mut block, 0, frame(&program(text)), &[(0xc040, 4), (0xc000, 2)]);
        let after = tpp(&left);
        assert_eq!(after.words().collect::<Vec<_>>(), [4, 2, 0xbeef], "slots 0, 1, 2");
        assert_eq!((after.stack_pointer, after.hop), (8, 1), "three pushed and one popped");
        assert_eq!(block.read(Memory::Registers(3), 3).expect("it runs"), 0xbeef);
    }
}

#[test]
fn check_10_one_switch_of_five() {
    for bits in [16, 32] {
        let text = "CEXEC [Switch:SwitchID], 0xffffffff, 3\nSTORE [Stage2:Reg1], 99\nCSTORE [Stage3:Sram_5], 0, 98";
        let mut travelling = frame(&program(&format!(".word {bits}\n{text}")));
        let mut found = Vec::new();
        for id in 1..=5 {
            let mut block = SimulatedTpp::new(Shape::published(1)).expect("Verilator is there");
            travelling = pass(&mut block, 0, travelling, &[(0x0000, id)]);
            let register = block.read(Memory::Registers(2), 1).expect("it runs");
            found.push((register, block.read(Memory::Stage(3), 5).expect("it runs")));
        }
        assert_eq!(found, [(0, 0), (0, 0), (99, 98), (0, 0), (0, 0)]);
        assert_eq!(tpp(&travelling).hop, 5);
    }
}

#[test]
fn check_10_hops_0_to_3() {
    let text = "CEXEC [PacketMetadata:HopNumber], 0xfffc, 0\nSTORE [Stage4:Reg0], 7";
    let mut travelling = frame(&program(text));
    let mut found = Vec::new();
    for _ in 0..6 {
        let mut block = SimulatedTpp::new(Shape::wide()).expect("Verilator is there");
        travelling = pass(&mut block, 0, travelling, &[]);
        found.push(block.read(Memory::Registers(4), 0).expect("it runs"));
    }
    assert_eq!(found, [7, 7, 7, 7, 0, 0]);
}

/// A CSTORE of `old` to `old + 1` that reports what it found.
fn increment(address: u16, old: u32) -> Vec<u8> {
    frame(&Repr {
        word: WordSize::Four,
        marks: flag::REPORT_BACK,
        instructions: vec![Instruction::new(Opcode::Cstore, address, 0, 1)],
        memory: [old.to_be_bytes(), (old + 1).to_be_bytes()].concat(),
        ..Repr::default()
    })
}

/// Operand 63 is a mask of all ones and no word, even if word 63 exists and was written just before.
#[test]
fn a_mask_of_all_ones_is_no_word() {
    for shape in [Shape::published(1), Shape::wide()] {
        let mut memory = vec![0; 128];
        // Words 0 and 1 are the value 0x10005, word 2 what is stored.
        memory[..6].copy_from_slice(&[0, 1, 0, 5, 0, 99]);
        let program = Repr {
            word: WordSize::Two,
            instructions: vec![
                Instruction::new(Opcode::Load, 0x0000, 63, 0),
                Instruction::new(Opcode::Cexec, 0x1140, 63, 0),
                Instruction::new(Opcode::Store, 0x1141, 2, 0),
            ],
            memory,
            ..Repr::default()
        };
        let mut block = SimulatedTpp::new(shape).expect("Verilator is there");
        block.write(Memory::Registers(1), 0, 0x10005).expect("it runs");
        let left = pass(&mut block, 0, frame(&program), &[(0x0000, 8)]);
        assert_eq!(tpp(&left).words().nth(63), Some(8));
        assert_eq!(block.read(Memory::Registers(1), 1).expect("it runs"), 99);
    }
}

/// With words of 16 bits a CEXEC takes two: a LOAD of the second one counts.
#[test]
fn half_of_what_a_cexec_compares_may_just_have_been_written() {
    // Mask and value are words 0 and 1, and 2 and 3; word 4 is stored. Word 1 or 3 is written first, with SwitchID.
    for (written, memory, register) in
        [(3, [0xffff, 0xffff, 1, 0, 99], 0x10008), (1, [0xffff, 0, 1, 8, 99], 0x1000c)]
    {
        for shape in [Shape::published(1), Shape::wide()] {
            let program = Repr {
                word: WordSize::Two,
                instructions: vec![
                    Instruction::new(Opcode::Load, 0x0000, written, 0),
                    Instruction::new(Opcode::Cexec, 0x1140, 0, 2),
                    Instruction::new(Opcode::Store, 0x1141, 4, 0),
                ],
                memory: memory.iter().flat_map(|word: &u16| word.to_be_bytes()).collect(),
                ..Repr::default()
            };
            let mut block = SimulatedTpp::new(shape).expect("Verilator is there");
            block.write(Memory::Registers(1), 0, register).expect("it runs");
            pass(&mut block, 0, frame(&program), &[(0x0000, 8)]);
            assert_eq!(block.read(Memory::Registers(1), 1).expect("it runs"), 99, "word {written}");
        }
    }
}

/// What moves the window of a stage counts for the instructions behind it: row 3 begins with word 12.
#[test]
fn a_window_moves_within_a_program() {
    for shape in [Shape::published(1), Shape::wide()] {
        for opcode in [Opcode::Store, Opcode::Cstore] {
            let program = Repr {
                word: WordSize::Four,
                instructions: vec![
                    Instruction::new(opcode, 0x1202, 0, 1),
                    Instruction::new(Opcode::Load, 0xe081, 2, 0),
                    Instruction::new(Opcode::Store, 0xe082, 3, 0),
                ],
                // A STORE stores 3; a CSTORE finds 3 and stores 5.
                memory: [3u32, 5, 0, 99].iter().flat_map(|word| word.to_be_bytes()).collect(),
                ..Repr::default()
            };
            let mut block = SimulatedTpp::new(shape).expect("Verilator is there");
            let (before, row) = if opcode == Opcode::Store { (0, 3) } else { (3, 5) };
            block.write(Memory::Registers(2), 8, before).expect("it runs");
            for word in 0..32 {
                block.write(Memory::Stage(2), word, 100 + word as u64).expect("it runs");
            }
            let left = pass(&mut block, 0, frame(&program), &[]);
            assert_eq!(tpp(&left).words().nth(2), Some(100 + 4 * row + 1));
            let stored = block.read(Memory::Stage(2), 4 * row as usize + 2).expect("it runs");
            assert_eq!(stored, 99);
        }
    }
}

#[test]
fn check_11_a_thousand_increments_by_four_ports() {
    // A register, and a word of memory.
    for (address, memory, index) in
        [(0x1242, Memory::Registers(2), 2), (0xe0c3, Memory::Stage(3), 3)]
    {
        let mut block = SimulatedTpp::new(Shape::published(4)).expect("Verilator is there");
        let mut random = Random(11);
        let (mut guesses, mut done) = ([0u32; 4], [0u32; 4]);
        let mut failed = 0;
        for port in 0..4 {
            block.send(port, increment(address, 0), [0; METADATA_WORDS]);
        }
        while done.iter().sum::<u32>() < 1000 {
            // Ports that are late come with what they have read long ago.
            block.clock(random.next() & random.next(), 15).expect("it runs");
            for port in 0..4 {
                let Some(left) = block.receive(port) else { continue };
                let found = tpp(&left.bytes).words().next().expect("two words");
                if found == guesses[port] {
                    done[port] += 1;
                    guesses[port] += 1;
                } else {
                    failed += 1;
                    guesses[port] = found;
                }
                if done[port] < 250 {
                    block.send(port, increment(address, guesses[port]), [0; METADATA_WORDS]);
                }
            }
            assert!(block.clocks() < 2_000_000, "{done:?}");
        }
        assert_eq!(block.read(memory, index).expect("it runs"), 1000, "no update is lost");
        println!("{address:#x}: {failed} of {} CSTOREs failed", failed + 1000);
        assert!(failed > 100, "the ports met: {failed}");
    }
}

#[test]
fn check_12_writes_can_be_switched_off() {
    for shape in [Shape::published(1), Shape::wide()] {
        let mut clocks = Vec::new();
        for writes_enabled in [false, true] {
            let mut random = Random(5);
            let mut bench = Bench::new(shape);
            bench.scramble(&mut random);
            let before = bench.switch.clone();
            bench.set(Switches {
                writes_enabled,
                protection_enabled: false,
                absent_guard_skipped: false,
            });
            // First without CSTORE, which takes a clock longer if it is executed, and timed.
            for cstores in [false, true] {
                for _ in 0..500 {
                    let mut program = hazard_free(&mut random);
                    let kept = |i: &Instruction| cstores || i.opcode() != Some(Opcode::Cstore);
                    program.instructions.retain(kept);
                    let metadata = std::array::from_fn(|_| word(&mut random));
                    bench.send(0, carried(&mut random, &program), metadata);
                }
                let start = bench.block.clocks();
                bench.run(Pace::Full);
                if !cstores {
                    clocks.push(bench.block.clocks() - start);
                }
            }
            bench.compare();
            let mut after = bench.switch.clone();
            after.metadata = before.metadata;
            assert_eq!(after == before, !writes_enabled, "bit for bit");
            assert!((bench.expected.skipped[3] > 100) != writes_enabled);
        }
        println!("{:?}: {clocks:?} clocks for 500 frames without and with writing", shape.width);
        // As fast without writing as with it.
        assert!(clocks[0] <= clocks[1], "{clocks:?}");
    }
}
