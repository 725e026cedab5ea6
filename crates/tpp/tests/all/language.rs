//! The assembler and the disassembler.

use proptest::prelude::*;
use ww_tpp::assemble::{Options, assemble, render};
use ww_tpp::disassemble::disassemble;
use ww_tpp::header::{Mode, WordSize};
use ww_tpp::instruction::Instruction;
use ww_tpp::packet::{MARKS, Repr};

fn good(text: &str) -> Repr {
    assemble(text, &Options::default()).unwrap_or_else(|m| panic!("{}", render("t", text, &m)))
}

/// The mistakes as lines, without source lines and carets.
fn wrong(text: &str) -> Vec<String> {
    let mistakes = assemble(text, &Options::default()).expect_err("mistakes");
    let lines = mistakes.iter().map(|m| {
        let help = m.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        format!("{}:{}: {}{help}", m.span.line, m.span.column, m.message)
    });
    lines.collect()
}

fn hex(tpp: &Repr) -> String {
    tpp.emit().iter().map(|byte| format!("{byte:02x}")).collect()
}

const THREE: &str =
    "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\nPUSH [Queue:QueueOccupancy]\n";

#[test]
fn check_1_three_pushes_of_16_bits_take_54_and_84_bytes() {
    for (hops, length) in [(5, 54), (10, 84)] {
        let options = Options { word: Some(WordSize::Two), hops: Some(hops), ..Options::default() };
        assert_eq!(assemble(THREE, &options).expect("good").emit().len(), length);
    }
    // 8.4 % of a packet of 1000 bytes.
    assert_eq!(84 * 1000 / 1000, 84);
}

#[test]
fn bytes_by_hand() {
    // Length 12 + 4 + 8 = 24 = 0x18, memory 8, flags 0xc0 | 0x08 (hop, 32 bits, report back), hop 0, SP 8
    // (behind the block), per-hop length 8, application 7. CSTORE 0xd000, 0, 1 = 0x5d000001.
    // EtherType 0x0800. Sum: 0018 + 08c8 + 0008 + 0807 + 0800 + 5d00 + 0001 + 0005 + 0006 = 75fb; complement 8a04.
    let text = ".word 32\n.app 7\n.report-back\n.hops 1\n.memory 5, 6\nCSTORE [Link:AppSpecific_0], [Packet:Hop[0]], [Packet:Hop[1]]";
    assert_eq!(hex(&good(text)), "001808c8000808078a0408005d0000010000000500000006");
}

#[test]
fn check_2_the_assembler_refuses_a_sixth_instruction() {
    let text = "NOP\n".repeat(6);
    assert_eq!(
        wrong(&text),
        [
            "6:1: a TPP has at most 5 instructions, this program 6; `ww tpp split` makes several TPPs of it"
        ]
    );
    assert_eq!(good(&"NOP\n".repeat(5)).instructions.len(), 5);
    let many = wrong(&"NOP\n".repeat(1001));
    assert_eq!(many, ["1001:1: a program has at most 1000 instructions"]);
}

#[test]
fn where_immediates_go() {
    // Stack mode: named words, immediates, stack.
    let tpp = good(
        ".hops 2\nCEXEC [Switch:SwitchID], 0xff, 3\nPUSH [Switch:SwitchID]\nSTORE [Link:AppSpecific_0], [Packet:Word[1]]",
    );
    let words: Vec<u32> = tpp.words().collect();
    assert_eq!((words, tpp.stack_pointer, tpp.hop_length), (vec![0, 0, 0xff, 3, 0, 0], 16, 0));
    let operands: Vec<(u8, u8)> =
        tpp.instructions.iter().map(|i| (i.first(), i.second())).collect();
    assert_eq!(operands, [(2, 3), (0, 0), (1, 0)]);
    // 16-bit words: two words for each 32-bit operand of CEXEC.
    let tpp = good(".word 16\nCEXEC [Switch:SwitchID], 0x12345678\nSTORE [Link:AppSpecific_0], 9");
    assert_eq!(tpp.words().collect::<Vec<_>>(), [0x1234, 0x5678, 9]);
    let operands: Vec<(u8, u8)> =
        tpp.instructions.iter().map(|i| (i.first(), i.second())).collect();
    assert_eq!(operands, [(63, 0), (2, 0)]);
    // Hop mode: in each hop's block; `.memory` goes around them, the stack behind the blocks.
    let tpp = good(
        ".hops 2\n.memory 1, 2\nCSTORE [Link:AppSpecific_0], [Packet:Hop[0]], 7\nPUSH [Switch:SwitchID]",
    );
    assert_eq!(tpp.words().collect::<Vec<_>>(), [1, 7, 2, 7, 0, 0]);
    assert_eq!((tpp.mode, tpp.hop_length, tpp.stack_pointer), (Mode::Hop, 8, 16));
    // A name is a number for LOADI, and in .memory.
    let tpp = good(".memory [Switch:VendorID]\nLOADI [Queue:QueueOccupancy], [Packet:Word[0]]");
    assert_eq!(tpp.words().collect::<Vec<_>>(), [1, 0xb000]);
}

#[test]
fn the_stack_is_as_large_as_it_grows() {
    let memory = |text: &str| good(&format!(".hops 3\n{text}")).memory.len();
    assert_eq!(memory("PUSH [0]\nPUSH [0]\nPOP [0xd000]"), 3 * 4 + 4, "one stays, two at the peak");
    assert_eq!(memory("PUSH [0]\nPOP [0xd000]"), 4);
    // A CEXEC that fails leaves what was pushed before it.
    assert_eq!(memory("PUSH [0]\nCEXEC [0], 1\nPOP [0xd000]"), 4 + 3 * 4);
    assert_eq!(memory("NOP"), 0);
}

#[test]
fn directives_and_options() {
    let text =
        ".word 16\n.mode hop\n.hops 2\n.app 3\n.reflect\n.standalone\n.hop 4\n.protocol 0x86dd\n";
    let tpp = good(text);
    assert_eq!((tpp.word, tpp.mode, tpp.app_tag, tpp.hop), (WordSize::Two, Mode::Hop, 3, 4));
    assert_eq!((tpp.marks, tpp.protocol), (0x24, 0x86dd));
    let options = Options {
        word: Some(WordSize::Four),
        mode: Some(Mode::Stack),
        app_tag: Some(9),
        hops: Some(1),
    };
    let tpp = assemble(text, &options).expect("good");
    assert_eq!((tpp.word, tpp.mode, tpp.app_tag), (WordSize::Four, Mode::Stack, 9));
    // Case, blanks and comments.
    let tpp = good("  push [ switch:switchid ] // one\n# two\n\n.HOPS 1\n");
    assert_eq!(tpp.instructions, good(".hops 1\nPUSH [Switch:SwitchID]").instructions);
}

#[test]
fn all_mistakes_at_once() {
    let text = "PUHS [Switch:SwitchID]\nPUSH [Switch:SwitchDI]\n.wrod 16\nLOAD [Switch:ID], 5\n  STORE [Packet:Hop[0]], [0x1ffff]\nPOP\nLOAD [Switch:ID], [Packet:Hop[64]]\n.word 16\nSTORE [0xd000], 0x10000\n.hops 256\nCEXEC [Switch:ID], [Packet:Word[63]], 1\nPUSH [Switch:ID\n.word 16\nLOAD [Switch:ID], [Packet:Slot[0]]";
    assert_eq!(
        wrong(text),
        [
            "1:1: there is no instruction 'PUHS'; did you mean 'PUSH'?",
            "2:7: 'Switch' has no 'SwitchDI'; did you mean 'SwitchID'?",
            "3:1: there is no directive '.wrod'; did you mean '.word'?",
            "4:19: expected a word of packet memory, found '5'; write LOAD [switch], [Packet:..]",
            "5:27: expected 0 to 65535, found 131071",
            "6:1: POP has the wrong number of operands: 0; write POP [switch]",
            "7:31: expected 0 to 63, found 64",
            "9:17: 0x10000 does not fit into a word of 16 bits; write .word 32",
            "10:7: expected 0 to 255, found 256",
            "11:20: word 63 stands for a mask of all ones; leave the mask out, or use another word",
            "12:6: '[Switch:ID' has no closing ']'",
            "13:1: .word stands here a second time",
            "14:27: expected a word of packet memory, found 'Slot[0]'; write Packet:Hop[N] (of the hop's block) or Packet:Word[N] (of the whole memory)",
        ]
    );
}

#[test]
fn mistakes_of_the_layout() {
    assert_eq!(
        wrong("PUSH [0]"),
        [
            "1:1: for how many hops is packet memory to be?; write .hops N, or --hops N on the command line"
        ]
    );
    assert_eq!(
        wrong(".hops 70\nPUSH [0]"),
        [
            "2:1: packet memory for 70 hops takes 280 bytes; there are at most 255; 63 hops fit; `ww tpp split` makes several TPPs of it"
        ]
    );
    assert_eq!(
        wrong("POP [0xd000]"),
        [
            "1:1: there is nothing on the stack to pop; push first, or fill packet memory with .memory and set .sp"
        ]
    );
    assert_eq!(
        wrong(".sp 2\nPOP [0xd000]"),
        ["1:5: the stack pointer is 2 bytes and must be a multiple of 4"]
    );
    assert_eq!(
        wrong(".sp 8\n.length 4\nPOP [0xd000]"),
        ["1:5: the stack pointer 8 is beyond packet memory of 4 bytes"]
    );
    assert_eq!(
        wrong("LOAD [0], [Packet:Hop[0]]\nLOAD [0], [Packet:Word[0]]"),
        ["2:11: Packet:Word is for stack mode; write Packet:Hop[N], or .mode stack"]
    );
    assert_eq!(
        wrong(".length 4\n.sp 0\n.memory 1, 2"),
        ["1:1: .memory has 2 words, and there is room for 1"]
    );
    assert_eq!(
        wrong(".mode hop\n.hops 1\n.hop-length 4\nCSTORE [0xd000], 1, 2"),
        ["3:13: a hop needs 8 bytes, not 4"]
    );
}

#[test]
fn mistakes_are_shown_with_their_lines() {
    let text = ".hops 5\n  PUSH [Switch:SwitchDI]\n";
    let mistakes = assemble(text, &Options::default()).expect_err("a mistake");
    assert_eq!(
        render("queue.tpp", text, &mistakes),
        "queue.tpp:2:9: 'Switch' has no 'SwitchDI'; did you mean 'SwitchID'?\n    PUSH [Switch:SwitchDI]\n          ^^^^^^^^^^^^^^^\n"
    );
}

#[test]
fn a_disassembled_program() {
    let text = ".word 16\n.mode stack\n.length 8\n.sp 4\n.app 7\nPUSH [Switch:SwitchID]\nCEXEC [Link$3:TX-Bytes], [Packet:Word[0]]\nLOADI [Packet:Word[1]], [Packet:Word[0]]\nSTORE [0xff00], [Packet:Word[1]]\n.instruction 0x90000000\n.memory 0x0001, 0x0203\n";
    assert_eq!(disassemble(&good(text)), text);
}

fn tpps() -> impl Strategy<Value = Repr> {
    let parts = (
        any::<bool>(),
        any::<bool>(),
        any::<[u8; 6]>(),
        any::<u16>(),
        proptest::collection::vec(any::<u32>(), 0..6),
        proptest::collection::vec(any::<u8>(), 0..256),
    );
    parts.prop_map(|(hop, wide, bytes, protocol, code, mut memory)| {
        let word = if wide { WordSize::Four } else { WordSize::Two };
        let size = word.bytes() as u8;
        memory.truncate(memory.len() / word.bytes() * word.bytes());
        if bytes[4] & 1 == 0 {
            memory.fill(0);
        }
        let mode = if hop { Mode::Hop } else { Mode::Stack };
        let even = |byte: u8| byte / size * size;
        Repr {
            mode,
            word,
            marks: bytes[0] & MARKS,
            hop: bytes[1],
            stack_pointer: even((usize::from(bytes[2]) % (memory.len() + 1)) as u8),
            hop_length: if hop { even(bytes[3]) } else { bytes[3] },
            app_tag: bytes[5],
            protocol,
            // Often without bits that no mnemonic says.
            instructions: code
                .iter()
                .map(|word| match (word >> 28, bytes[4] & 2) {
                    (_, 0) => Instruction(*word),
                    (3 | 4, _) => Instruction(word & !0xfff),
                    (1 | 2, _) => Instruction(word & !0x3f),
                    (7, _) => Instruction(word & !0x0fff_f000),
                    _ => Instruction(*word),
                })
                .collect(),
            memory,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_disassembled_assembles_to_the_same(tpp in tpps()) {
        let text = disassemble(&tpp);
        let again = assemble(&text, &Options::default());
        prop_assert_eq!(again.as_ref(), Ok(&tpp), "{}", text);
        prop_assert_eq!(disassemble(&again.expect("good")), text);
    }

    #[test]
    fn no_text_makes_the_assembler_panic(text in "(\\PC|[\\[\\]:,.#0-9$\n]|PUSH|LOAD|CEXEC|\\.memory|Packet:Hop|Switch:|Link){0,60}") {
        if let Err(mistakes) = assemble(&text, &Options::default()) {
            prop_assert!(!mistakes.is_empty());
            render("t", &text, &mistakes);
        }
    }
}
