//! The golden model, rule by rule: expected values by hand from section 2 of the specification.

use ww_packet::checksum::internet_checksum;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::execute::{AbsentGuard, Report, Settings, execute};
use ww_tpp::map::lookup;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::protection::{Operation, Protection, Rule};
use ww_tpp::switch_memory::PlainMemory;

/// Assembles, executes once at each memory, and gives the TPP that results with the last report.
fn run(text: &str, switches: &mut [&mut PlainMemory], settings: &Settings<'_>) -> (Repr, Report) {
    let program = assemble(text, &Options::default()).unwrap_or_else(|m| panic!("{m:?}"));
    run_on(program, switches, settings)
}

fn run_on(
    program: Repr,
    switches: &mut [&mut PlainMemory],
    settings: &Settings<'_>,
) -> (Repr, Report) {
    let mut bytes = program.emit();
    let mut report = Report::default();
    for memory in switches {
        let mut tpp = Tpp::new(bytes.as_mut_slice()).expect("a TPP");
        report = execute(&mut tpp, *memory, settings);
        assert_eq!(internet_checksum(&bytes), 0, "the checksum is right at each hop");
    }
    (Repr::parse(&Tpp::new(bytes.as_slice()).expect("still a TPP")), report)
}

fn at(memory: &PlainMemory, name: &str) -> u32 {
    memory.get(lookup(name).expect("a name")).expect("it exists")
}

fn words(tpp: &Repr) -> Vec<u32> {
    tpp.words().collect()
}

fn plain() -> Settings<'static> {
    Settings::default()
}

#[test]
fn check_3_five_switches_and_16_bit_words() {
    let text = ".word 16\n.hops 5\nPUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\nPUSH [Queue:QueueOccupancy]";
    let switch = |id| {
        PlainMemory::new()
            .with("Switch:SwitchID", id)
            .with("PacketMetadata:OutputPort", 10 + id)
            .with("Queue:QueueOccupancy", 100 * id)
    };
    let mut path: Vec<PlainMemory> = (1..=5).map(switch).collect();
    let mut path: Vec<&mut PlainMemory> = path.iter_mut().collect();
    let (tpp, report) = run(text, &mut path, &plain());
    assert_eq!((tpp.hop, tpp.stack_pointer), (5, 30));
    assert_eq!(words(&tpp), [1, 11, 100, 2, 12, 200, 3, 13, 300, 4, 14, 400, 5, 15, 500]);
    assert_eq!(report, Report { executed: true, ..Report::default() });
}

#[test]
fn check_5_what_is_absent_at_hop_2_leaves_its_slot() {
    let text = ".word 16\n.hops 3\n.memory 0xaaaa, 0xaaaa, 0xaaaa, 0xaaaa, 0xaaaa, 0xaaaa\n.sp 0\nPUSH [Switch:SwitchID]\nPUSH [Queue:QueueOccupancy]";
    let full = |id| PlainMemory::new().with("Switch:SwitchID", id).with("Queue:QueueOccupancy", 7);
    let (mut a, mut c) = (full(1), full(3));
    let mut b = PlainMemory::new().with("Switch:SwitchID", 2);
    let (tpp, _) = run(text, &mut [&mut a, &mut b, &mut c], &plain());
    assert_eq!(words(&tpp), [1, 7, 2, 0xaaaa, 3, 7]);
    assert_eq!((tpp.hop, tpp.stack_pointer), (3, 12), "SP moves all the same");
}

#[test]
fn check_6_hop_mode_writes_words_1_17_and_33() {
    let text = ".word 32\n.mode hop\n.hop-length 64\n.length 192\n.sp 0\nLOAD [Switch:SwitchID], [Packet:Hop[1]]";
    let switch = |id| PlainMemory::new().with("Switch:SwitchID", id);
    let (mut a, mut b, mut c) = (switch(0xa), switch(0xb), switch(0xc));
    let (tpp, _) = run(text, &mut [&mut a, &mut b, &mut c], &plain());
    let set: Vec<_> = tpp.words().enumerate().filter(|(_, word)| *word != 0).collect();
    assert_eq!(set, [(1, 0xa), (17, 0xb), (33, 0xc)]);
}

#[test]
fn check_7_push_and_pop_have_fixed_slots() {
    let text = "PUSH [PacketMetadata:OutputPort]\nPUSH [PacketMetadata:InputPort]\nPUSH [Stage1:Reg1]\nPOP [Stage3:Reg3]\n.hops 1";
    let memory = || {
        PlainMemory::new()
            .with("PacketMetadata:OutputPort", 4)
            .with("PacketMetadata:InputPort", 2)
            .with("Stage1:Reg1", 0xbeef)
            .with("Stage3:Reg3", 1)
    };
    let mut stack = memory();
    let (tpp, _) = run(text, &mut [&mut stack], &plain());
    assert_eq!(words(&tpp), [4, 2, 0xbeef], "slots 0, 1, 2");
    assert_eq!(tpp.stack_pointer, 8, "three pushed and one popped");
    assert_eq!(at(&stack, "Stage3:Reg3"), 0xbeef);
    // What a parser makes of it.
    let fixed = "LOAD [PacketMetadata:OutputPort], [Packet:Word[0]]\nLOAD [PacketMetadata:InputPort], [Packet:Word[1]]\nLOAD [Stage1:Reg1], [Packet:Word[2]]\nSTORE [Stage3:Reg3], [Packet:Word[2]]";
    let mut loads = memory();
    let (same, _) = run(fixed, &mut [&mut loads], &plain());
    assert_eq!(words(&same), words(&tpp));
    assert_eq!(loads, stack);
}

#[test]
fn check_10_one_switch_of_five() {
    let text = "CEXEC [Switch:SwitchID], 0xffffffff, 3\nSTORE [Link:AppSpecific_0], 99";
    let switch = |id| PlainMemory::new().with("Switch:SwitchID", id).with("Link:AppSpecific_0", 1);
    for word in [16, 32] {
        let mut path: Vec<PlainMemory> = (1..=5).map(switch).collect();
        let mut borrowed: Vec<&mut PlainMemory> = path.iter_mut().collect();
        let (tpp, report) = run(&format!(".word {word}\n{text}"), &mut borrowed, &plain());
        assert_eq!(tpp.hop, 5);
        assert!(report.guard_failed, "at the last switch");
        let found: Vec<u32> = path.iter().map(|memory| at(memory, "Link:AppSpecific_0")).collect();
        assert_eq!(found, [1, 1, 99, 1, 1]);
    }
}

#[test]
fn check_10_hops_0_to_3() {
    let text = "CEXEC [PacketMetadata:HopNumber], 0xfffc, 0\nSTORE [Link:AppSpecific_0], 99";
    let mut path = vec![PlainMemory::new().with("Link:AppSpecific_0", 1); 6];
    run(text, &mut path.iter_mut().collect::<Vec<_>>(), &plain());
    let found: Vec<u32> = path.iter().map(|memory| at(memory, "Link:AppSpecific_0")).collect();
    assert_eq!(found, [99, 99, 99, 99, 1, 1]);
}

#[test]
fn check_12_writes_can_be_switched_off() {
    let text = ".report-back\n.hops 1\n.memory 5, 6\nPUSH [Switch:SwitchID]\nSTORE [Link:AppSpecific_0], [Packet:Word[0]]\nCSTORE [Link:AppSpecific_1], [Packet:Word[0]], [Packet:Word[1]]\nPOP [Link:AppSpecific_2]";
    let before = PlainMemory::new()
        .with("Switch:SwitchID", 77)
        .with("Link:AppSpecific_0", 1)
        .with("Link:AppSpecific_1", 5)
        .with("Link:AppSpecific_2", 3);
    let mut memory = before.clone();
    let off = Settings { writes_enabled: false, ..plain() };
    let (tpp, report) = run(text, &mut [&mut memory], &off);
    assert_eq!(memory, before, "bit for bit");
    assert_eq!(words(&tpp), [5, 6, 77], "loads go on; nothing is reported back");
    assert_eq!((report.disabled, tpp.stack_pointer), (3, 8));
    let (tpp, report) = run(text, &mut [&mut memory], &plain());
    let found = [0, 1, 2].map(|n| at(&memory, &format!("Link:AppSpecific_{n}")));
    assert_eq!((found, report.disabled), ([5, 6, 77], 0));
    assert_eq!(words(&tpp), [5, 6, 77]);
}

#[test]
fn check_25_a_switch_denies_what_no_rule_permits() {
    let text = ".app 7\n.hops 1\nPUSH [Switch:SwitchID]\nPUSH [Queue:QueueOccupancy]\nSTORE [Link:AppSpecific_0], 9\nSTORE [Link:AppSpecific_1], 9";
    let rule = |operation, first, last| Rule { app_tag: 7, operation, first, last };
    let table = Protection::new(&[
        rule(Operation::Read, 0, 0),
        rule(Operation::Write, 0xd001, 0xd001),
        rule(Operation::Read, 0xd000, 0xd000),
    ]);
    let mut memory = PlainMemory::new()
        .with("Switch:SwitchID", 77)
        .with("Queue:QueueOccupancy", 78)
        .with("Link:AppSpecific_0", 1)
        .with("Link:AppSpecific_1", 1);
    let settings = Settings { protection: Some(&table), ..plain() };
    let (tpp, report) = run(text, &mut [&mut memory], &settings);
    // Two immediates, then the stack.
    assert_eq!(words(&tpp), [9, 9, 77, 0]);
    assert_eq!((report.denied, tpp.stack_pointer), (2, 16));
    assert_eq!((at(&memory, "Link:AppSpecific_0"), at(&memory, "Link:AppSpecific_1")), (1, 9));
    // CSTORE needs both; a CEXEC on a denied address fails as on an absent one; LOADI is judged, too.
    for (text, expected) in [
        (".app 7\nCSTORE [Link:AppSpecific_0], 1, 2", 1),
        (".app 7\nCSTORE [Link:AppSpecific_1], 9, 2", 9),
        (".app 7\nCEXEC [Queue:QueueOccupancy], 78\nSTORE [Link:AppSpecific_1], 5", 9),
        (".app 7\n.memory 0\nLOADI [Queue:QueueOccupancy], [Packet:Word[0]]", 9),
    ] {
        let (tpp, report) = run(text, &mut [&mut memory], &settings);
        assert_eq!(report.denied, 1, "{text}");
        let name = if expected == 1 { "Link:AppSpecific_0" } else { "Link:AppSpecific_1" };
        assert_eq!(at(&memory, name), expected, "{text}");
        assert!(!text.contains("LOADI") || words(&tpp)[0] == 0, "{text}");
    }
}

#[test]
fn cstore_and_what_it_reports() {
    // Immediates: old is word 0, new is word 1.
    let program = |old: u32, back: &str| format!("{back}\nCSTORE [Link:AppSpecific_0], {old}, 20");
    let memory = || PlainMemory::new().with("Link:AppSpecific_0", 10);
    for (old, back, stored, slot) in [
        (10, "", 20, 10),
        (11, "", 10, 11),
        (10, ".report-back", 20, 10),
        (11, ".report-back", 10, 10),
    ] {
        let mut memory = memory();
        let (tpp, _) = run(&program(old, back), &mut [&mut memory], &plain());
        assert_eq!(at(&memory, "Link:AppSpecific_0"), stored, "{old} {back}");
        assert_eq!(words(&tpp), [slot, 20], "{old} {back}");
    }
    // Neither read-only nor absent locations report.
    for name in ["Switch:SwitchID", "Link:AppSpecific_1"] {
        let text = format!(".report-back\nCSTORE [{name}], 11, 20");
        let mut memory = memory().with("Switch:SwitchID", 5);
        let (tpp, report) = run(&text, &mut [&mut memory], &plain());
        assert_eq!(words(&tpp), [11, 20]);
        assert_eq!(report.read_only + report.absent, 1);
    }
}

#[test]
fn words_of_16_bits_see_the_low_half() {
    let name = "Link:AppSpecific_0";
    let memory = || PlainMemory::new().with(name, 0x0012_3456);
    let mut m = memory();
    let (tpp, _) = run(&format!(".word 16\n.hops 1\nPUSH [{name}]"), &mut [&mut m], &plain());
    assert_eq!(words(&tpp), [0x3456]);
    let (tpp, _) = run(
        &format!(".word 16\n.report-back\nCSTORE [{name}], 0x3456, 7"),
        &mut [&mut m],
        &plain(),
    );
    assert_eq!((at(&m, name), words(&tpp)), (7, vec![0x3456, 7]), "the high half is cleared");
    let mut m = memory();
    run(&format!(".word 16\nSTORE [{name}], 0x9999"), &mut [&mut m], &plain());
    assert_eq!(at(&m, name), 0x9999);
    // CEXEC compares all 32 bits, two words an operand, the upper half first.
    let guard = ".word 16\n.memory 0xffff, 0xffff, 0x0012, 0x3456\nCEXEC [Link:AppSpecific_0], [Packet:Word[0]], [Packet:Word[2]]\nSTORE [Link:AppSpecific_1], 1";
    for (value, written) in [(0x0012_3456, 1), (0x3456, 0)] {
        let mut m = PlainMemory::new().with(name, value).with("Link:AppSpecific_1", 0);
        run(guard, &mut [&mut m], &plain());
        assert_eq!(at(&m, "Link:AppSpecific_1"), written);
    }
}

#[test]
fn cexec_forms_and_the_stack_pointer() {
    // The mask is left out: all ones. The value 0x103 differs from 3 in bit 8.
    let mut m = PlainMemory::new().with("Switch:SwitchID", 0x103).with("Switch:VendorID", 9);
    let text =
        ".hops 1\nPUSH [Switch:VendorID]\nCEXEC [Switch:SwitchID], 3\nPUSH [Switch:VendorID]";
    let (tpp, report) = run(text, &mut [&mut m], &plain());
    assert!(report.guard_failed);
    // One immediate of 4 bytes, one push.
    assert_eq!((words(&tpp), tpp.stack_pointer), (vec![3, 9, 0], 8));
    let text = text.replace("3\nPUSH", "0xff, 3\nPUSH");
    let (tpp, report) = run(&text, &mut [&mut m], &plain());
    assert!(!report.guard_failed);
    assert_eq!((words(&tpp), tpp.stack_pointer), (vec![0xff, 3, 9, 9], 16));
}

#[test]
fn a_guard_that_cannot_be_evaluated() {
    let text = "CEXEC [Switch:SwitchID], 3\nSTORE [Link:AppSpecific_0], 1";
    for (absent_guard, written) in [(AbsentGuard::Fails, 0), (AbsentGuard::Skipped, 1)] {
        let mut memory = PlainMemory::new().with("Link:AppSpecific_0", 0);
        let settings = Settings { absent_guard, ..plain() };
        let (tpp, report) = run(text, &mut [&mut memory], &settings);
        assert_eq!(at(&memory, "Link:AppSpecific_0"), written, "{absent_guard:?}");
        assert_eq!((report.absent, report.guard_failed, tpp.hop), (1, written == 0, 1));
        // An operand outside of packet memory, of 4 bytes here.
        let mut program = assemble("CEXEC [Link:AppSpecific_0], 0\nSTORE [Link:AppSpecific_0], [Packet:Word[0]]\n.memory 8", &Options::default()).expect("good");
        program.instructions[0].0 |= 63;
        let mut memory = PlainMemory::new().with("Link:AppSpecific_0", 0);
        let (_, report) = run_on(program, &mut [&mut memory], &settings);
        assert_eq!((report.out_of_memory, at(&memory, "Link:AppSpecific_0")), (1, 8 * written));
    }
}

#[test]
fn the_stack_stays_in_packet_memory() {
    let mut m = PlainMemory::new().with("Switch:SwitchID", 5).with("Link:AppSpecific_0", 1);
    // Room for one of two.
    let text = ".length 4\n.sp 0\nPUSH [Switch:SwitchID]\nPUSH [Switch:SwitchID]";
    let (tpp, report) = run(text, &mut [&mut m], &plain());
    assert_eq!((words(&tpp), tpp.stack_pointer, report.out_of_memory), (vec![5], 4, 1));
    let text = ".length 4\n.sp 0\n.memory 6\nPOP [Link:AppSpecific_0]";
    let (tpp, report) = run(text, &mut [&mut m], &plain());
    assert_eq!((tpp.stack_pointer, report.out_of_memory), (0, 1));
    assert_eq!(at(&m, "Link:AppSpecific_0"), 1);
    // SP counts on outside: the POP does not get what an earlier hop left, and SP ends at the end.
    let text = ".length 8\n.sp 4\nPUSH [Switch:SwitchID]\nPUSH [Switch:SwitchID]\nPUSH [Switch:SwitchID]\nPOP [Link:AppSpecific_0]";
    let (tpp, report) = run(text, &mut [&mut m], &plain());
    assert_eq!((words(&tpp), tpp.stack_pointer, report.out_of_memory), (vec![0, 5], 8, 3));
    assert_eq!(at(&m, "Link:AppSpecific_0"), 1);
    let text = ".length 8\n.sp 4\n.memory 6, 7\nPOP [0xd005]\nPOP [0xd005]\nPUSH [Switch:SwitchID]\nPUSH [Switch:SwitchID]";
    let (tpp, report) = run(text, &mut [&mut m], &plain());
    assert_eq!((words(&tpp), tpp.stack_pointer), (vec![5, 7], 4), "below zero and back");
    assert_eq!((report.absent, report.out_of_memory), (1, 2));
    // A POP that nobody may carry out moves SP.
    let text = ".length 4\n.sp 4\n.memory 6\nPOP [Switch:SwitchID]";
    let (tpp, report) = run(text, &mut [&mut m], &plain());
    assert_eq!((tpp.stack_pointer, report.read_only), (0, 1));
    // Hop mode: the block of hop 1 is outside; PUSH uses SP there, too.
    let text = ".mode hop\n.length 8\n.hop-length 4\n.hop 2\n.sp 4\nLOAD [Switch:SwitchID], [Packet:Hop[0]]\nPUSH [Switch:SwitchID]";
    let (tpp, report) = run(text, &mut [&mut m], &plain());
    assert_eq!((words(&tpp), report.out_of_memory, tpp.hop), (vec![0, 5], 1, 3));
}

#[test]
fn loadi_reads_where_a_word_says() {
    let memory = || PlainMemory::new().with("Switch:SwitchID", 5).with("Queue:QueueOccupancy", 6);
    let text =
        ".mode hop\n.hops 2\n.memory 0xb000, 0x1b000\nLOADI [Packet:Hop[0]], [Packet:Hop[0]]";
    let (mut a, mut b) = (memory(), memory());
    let (tpp, report) = run(text, &mut [&mut a, &mut b], &plain());
    assert_eq!(words(&tpp), [6, 0x1b000], "an address has 16 bits");
    assert_eq!(report.absent, 1);
    let text = ".memory 0\nLOADI [Queue:QueueOccupancy], [Packet:Word[0]]";
    let (tpp, _) = run(text, &mut [&mut a], &plain());
    assert_eq!(words(&tpp), [6, 0xb000]);
}

#[test]
fn multi_vendor_read() {
    // Section 8 of the paper: each vendor has its own address for the queue's size.
    let text = ".mode hop\n.hops 2\n.memory 1, 0xff00, 2, 0xfe00\nCEXEC [Switch:VendorID], [Packet:Hop[0]]\nLOADI [Packet:Hop[1]], [Packet:Hop[1]]";
    let mut a = PlainMemory::new().with("Switch:VendorID", 1);
    a.set(0xff00, 111, false);
    let mut b = PlainMemory::new().with("Switch:VendorID", 2);
    b.set(0xfe00, 222, false);
    let (tpp, _) = run(text, &mut [&mut a, &mut b], &plain());
    assert_eq!(words(&tpp), [1, 111, 2, 222]);
    let (tpp, _) = run(text, &mut [&mut b, &mut a], &plain());
    assert_eq!(words(&tpp), [1, 0xff00, 2, 0xfe00], "other vendors than foreseen: nothing is read");
}

#[test]
fn high_words_are_latched() {
    /// A counter that grows with each look at it.
    struct Growing(u64);
    impl ww_tpp::switch_memory::SwitchMemory for Growing {
        fn read(&mut self, address: u16) -> Option<ww_tpp::switch_memory::Value> {
            let now = self.0;
            self.0 += 0xffff_ffff;
            match address {
                0x800a => Some(ww_tpp::switch_memory::Value {
                    word: now as u32,
                    high: Some((now >> 32) as u32),
                }),
                0x800b => Some(((now >> 32) as u32).into()),
                _ => None,
            }
        }
        fn write(&mut self, _: u16, _: u32) -> Result<(), ww_tpp::switch_memory::Refusal> {
            Err(ww_tpp::switch_memory::Refusal::ReadOnly)
        }
        fn compare_and_store(
            &mut self,
            _: u16,
            _: ww_tpp::switch_memory::Swap,
        ) -> Result<u32, ww_tpp::switch_memory::Refusal> {
            Err(ww_tpp::switch_memory::Refusal::ReadOnly)
        }
    }
    let text = ".hops 1\nPUSH [Link:TX-BytesHigh]\nPUSH [Link:TX-Bytes]\nPUSH [Link:TX-BytesHigh]\nPUSH [Link:TX-Bytes]\nPUSH [Link:TX-BytesHigh]";
    let mut bytes = assemble(text, &Options::default()).expect("good").emit();
    let mut memory = Growing(0x1_ffff_ff00);
    execute(&mut Tpp::new(bytes.as_mut_slice()).expect("a TPP"), &mut memory, &plain());
    let tpp = Tpp::new(bytes.as_slice()).expect("a TPP");
    // Looks: 1 ffffff00, 2 fffffeff (low, its high 2 latched), 3 fffffefe (low, its high 3 latched).
    let expected = [1, 0xffff_feff, 2, 0xffff_fefe, 3];
    assert_eq!(tpp.words().collect::<Vec<_>>(), expected);
}

#[test]
fn done_reserved_empty_and_saturated() {
    let mut m = PlainMemory::new().with("Switch:SwitchID", 5);
    let (tpp, report) = run(".done\n.hops 1\nPUSH [Switch:SwitchID]", &mut [&mut m], &plain());
    assert_eq!((words(&tpp), tpp.hop, report), (vec![0], 0, Report::default()));
    let text =
        ".hops 1\n.instruction 0x8b000000\n.instruction 0xf0000fff\nNOP\nPUSH [Switch:SwitchID]";
    let (tpp, report) = run(text, &mut [&mut m], &plain());
    assert_eq!((words(&tpp), report.reserved), (vec![5], 2));
    let (tpp, report) = run("", &mut [&mut m], &plain());
    assert_eq!((tpp.hop, report.executed), (1, true));
    let (tpp, _) = run(".hop 255", &mut [&mut m], &plain());
    assert_eq!(tpp.hop, 255);
    // The TPP's own fields, as they came.
    let text = ".app 9\n.hop 3\n.hops 1\nPUSH [PacketMetadata:HopNumber]\nPUSH [PacketMetadata:StackPointer]\nPUSH [PacketMetadata:AppTag]\nPUSH [PacketMetadata:TotalLength]";
    let (tpp, _) = run(text, &mut [&mut m], &plain());
    assert_eq!(words(&tpp), [3, 0, 9, 12 + 16 + 16]);
}
