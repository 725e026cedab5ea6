//! What the analyser finds, and that split programs do what whole ones do.

use ww_tpp::analyse::Accesses;
use ww_tpp::analyse::hazard::{Cause, Hazard, hazards};
use ww_tpp::analyse::verify::{Violation, verify};
use ww_tpp::assemble::{Options, Program, assemble};
use ww_tpp::execute::{Settings, execute};
use ww_tpp::map::{Stages, lookup};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::policy_file;
use ww_tpp::protection::{Operation, Protection};
use ww_tpp::split::{CannotSplit, Origin, Split};
use ww_tpp::switch_memory::PlainMemory;

fn good(text: &str) -> Repr {
    assemble(text, &Options::default()).unwrap_or_else(|m| panic!("{m:?}"))
}

fn program(text: &str) -> Program {
    Program::parse(text, &Options::default()).unwrap_or_else(|m| panic!("{m:?}"))
}

fn found(text: &str) -> Vec<Hazard> {
    hazards(&good(text), &Stages::default()).into_iter().collect()
}

fn rules(text: &str) -> Protection {
    Protection::new(&policy_file::parse("", text).unwrap_or_else(|e| panic!("{e:?}")))
}

#[test]
fn ranges_of_accesses() {
    let tpp = good(
        "PUSH [0x10]\nPUSH [0x11]\nPUSH [0x13]\nCSTORE [0xd000], 1, 2\nCEXEC [0x12], 0\n.hops 1",
    );
    let accesses = Accesses::of(&tpp);
    assert_eq!(accesses.ranges(Operation::Read), [(0x10, 0x13), (0xd000, 0xd000)]);
    assert_eq!(accesses.ranges(Operation::Write), [(0xd000, 0xd000)]);
    // Outside of packet memory nothing is accessed.
    let tpp = good(".length 4\n.sp 0\nLOAD [5], [Packet:Word[1]]\nPUSH [6]\nPUSH [7]");
    let accesses = Accesses::of(&tpp);
    assert_eq!(accesses.ranges(Operation::Read), [(6, 6)]);
    assert_eq!(accesses.outside.into_iter().collect::<Vec<_>>(), [0, 2]);
}

#[test]
fn check_25_policies() {
    let policy = rules(
        "[[app]]\ntag = 7\nread = [\"Switch:*\", \"Link:*\"]\nwrite = [\"Link:AppSpecific_0\"]\n",
    );
    let judge = |text: &str| verify(&good(&format!(".app 7\n.hops 2\n{text}")), &policy);
    assert_eq!(judge("PUSH [Switch:SwitchID]\nCSTORE [Link:AppSpecific_0], 1, 2"), Ok(()));
    let refused = |instruction, operation, address| {
        Err(vec![Violation::NotAllowed { instruction, operation, address }])
    };
    assert_eq!(
        judge("PUSH [Switch:SwitchID]\nPUSH [Queue:QueueOccupancy]"),
        refused(1, Operation::Read, 0xb000)
    );
    assert_eq!(judge("STORE [Link:AppSpecific_1], 1"), refused(0, Operation::Write, 0xd001));
    let other = good(".app 8\n.hops 1\nPUSH [Switch:SwitchID]");
    assert!(verify(&other, &policy).is_err(), "another application");
    // LOADI: what its words hold at first decides, at every hop.
    let hop = |words: &str| {
        judge(&format!(".mode hop\n.memory {words}\nLOADI [Packet:Hop[0]], [Packet:Hop[0]]"))
    };
    assert_eq!(hop("0x0001, 0x8002"), Ok(()));
    assert_eq!(hop("0x0001, 0xff00"), refused(0, Operation::Read, 0xff00));
    assert_eq!(hop("0x0001, 0x1ff00"), Ok(()), "no address: it reads nothing");
}

#[test]
fn check_25_loadi_of_an_address_that_the_tpp_makes() {
    let policy = rules("[[app]]\ntag = 0\nread = [\"*\"]\n");
    let judge = |text: &str| verify(&good(text), &policy);
    let overwritten = |instruction| Err(vec![Violation::AddressOverwritten { instruction }]);
    // Before its use, at the same hop.
    assert_eq!(
        judge("LOAD [Switch:SwitchID], [Packet:Word[0]]\nLOADI [Packet:Word[0]], [Packet:Word[1]]"),
        overwritten(1)
    );
    // By itself: the second hop reads where the first one's result says.
    assert_eq!(judge("LOADI [Packet:Word[0]], [Packet:Word[0]]"), overwritten(0));
    // In hop mode each hop has its own word.
    assert_eq!(judge(".hops 3\nLOADI [Packet:Hop[0]], [Packet:Hop[0]]"), Ok(()));
    // After its use in hop mode, harmless; in stack mode the next hop uses it.
    let after = |word: &str| {
        format!(
            ".hops 2\nLOADI [Packet:{word}[0]], [Packet:{word}[1]]\nLOAD [0], [Packet:{word}[0]]"
        )
    };
    assert_eq!(judge(&after("Hop")), Ok(()));
    assert_eq!(judge(&after("Word")), overwritten(0));
    // By a PUSH, at the second hop only.
    assert_eq!(
        judge(".length 12\n.sp 0\nPUSH [0]\nLOADI [Packet:Word[1]], [Packet:Word[2]]"),
        overwritten(1)
    );
    // By what CSTORE reports, if it reports.
    let text = "CSTORE [0xd000], [Packet:Word[0]], [Packet:Word[1]]\nLOADI [Packet:Word[0]], [Packet:Word[1]]";
    let write = rules("[[app]]\ntag = 0\nread = [\"*\"]\nwrite = [\"*\"]\n");
    assert_eq!(verify(&good(&format!(".report-back\n{text}")), &write), overwritten(1));
    assert_eq!(
        verify(
            &good(
                ".length 12\nCSTORE [0xd000], [Packet:Word[0]], [Packet:Word[1]]\nLOADI [Packet:Word[0]], [Packet:Word[2]]"
            ),
            &write
        ),
        Ok(())
    );
}

#[test]
fn check_9_hazards_across_stages() {
    // Read in stage 3, written in stage 1 through the packet.
    let text = "LOAD [Stage3:Reg0], [Packet:Hop[0]]\nSTORE [Stage1:Reg0], [Packet:Hop[0]]\n.hops 1";
    let hazard = |earlier, later, cause, stages| Hazard { earlier, later, cause, stages };
    assert_eq!(found(text), [hazard(0, 1, Cause::Word, (3, 1))]);
    // The other way round a pipeline does it in order; so it does in one stage.
    assert_eq!(
        found("LOAD [Stage1:Reg0], [Packet:Hop[0]]\nSTORE [Stage3:Reg0], [Packet:Hop[0]]\n.hops 1"),
        []
    );
    assert_eq!(
        found("LOAD [Stage3:Reg0], [Packet:Hop[0]]\nSTORE [Stage3:Reg1], [Packet:Hop[0]]\n.hops 1"),
        []
    );
    // Two writers of one word, and a reader before a writer.
    assert_eq!(
        found("LOAD [Stage3:Reg0], [Packet:Hop[0]]\nLOAD [Stage1:Reg0], [Packet:Hop[0]]\n.hops 1"),
        [hazard(0, 1, Cause::Word, (3, 1))]
    );
    assert_eq!(
        found("STORE [Stage3:Reg0], [Packet:Hop[0]]\nLOAD [Stage1:Reg0], [Packet:Hop[0]]\n.hops 1"),
        [hazard(0, 1, Cause::Word, (3, 1))]
    );
    // Two readers share what they want.
    assert_eq!(
        found("STORE [Stage3:Reg0], [Packet:Word[0]]\nSTORE [Stage1:Reg0], [Packet:Word[0]]"),
        []
    );
    // The stack is packet memory as well: the example of section 2.3 has no hazard.
    assert_eq!(
        found(
            "PUSH [PacketMetadata:OutputPort]\nPUSH [PacketMetadata:InputPort]\nPUSH [Stage1:Reg1]\nPOP [Stage3:Reg3]\n.hops 1"
        ),
        []
    );
    assert_eq!(found("PUSH [Stage3:Reg0]\nPOP [Stage1:Reg0]").len(), 1);
    // CEXEC later than what it guards; what the parser knows guards everything.
    assert_eq!(
        found("CEXEC [Queue:QueueOccupancy], 0\nSTORE [Stage1:Reg0], 1"),
        [hazard(0, 1, Cause::Guard, (4, 1))]
    );
    assert_eq!(found("CEXEC [Switch:SwitchID], 0\nSTORE [Stage1:Reg0], 1"), []);
    assert_eq!(found("CEXEC [PacketMetadata:HopNumber], 0\nSTORE [Link:AppSpecific_0], 1"), []);
    // An address that is made in the same packet.
    assert_eq!(
        found("LOAD [Switch:SwitchID], [Packet:Word[0]]\nLOADI [Packet:Word[0]], [Packet:Word[1]]"),
        [hazard(0, 1, Cause::Address, (0, 0))]
    );
    // A 16-bit CEXEC takes two words.
    let text =
        ".word 16\nLOAD [Stage3:Reg0], [Packet:Word[1]]\nCEXEC [Switch:SwitchID], [Packet:Word[0]]";
    assert_eq!(found(text), [hazard(0, 1, Cause::Word, (3, 0))]);
    // Stack and named words that meet at the second hop alone.
    let text = ".length 8\n.sp 0\nPUSH [Stage3:Reg0]\nSTORE [Stage1:Reg0], [Packet:Word[1]]";
    assert_eq!(found(text), [hazard(0, 1, Cause::Word, (3, 1))]);
}

/// Sends all parts of a program over the switches, one after the other, as a host does.
fn send(split: &Split, switches: &mut [PlainMemory]) -> Vec<Vec<u32>> {
    let mut image = split.image.clone();
    for part in &split.parts {
        let mut bytes = split.fill(part, &image).emit();
        pass(&mut bytes, switches);
        split.collect(part, &Repr::parse(&Tpp::new(bytes.as_slice()).expect("a TPP")), &mut image);
    }
    image
}

fn pass(bytes: &mut [u8], switches: &mut [PlainMemory]) {
    for memory in switches {
        execute(&mut Tpp::new(&mut *bytes).expect("a TPP"), memory, &Settings::default());
    }
}

#[test]
fn check_9_the_split_version_gives_the_sequential_result() {
    let text = ".hops 2\nLOAD [Stage3:Reg0], [Packet:Hop[0]]\nSTORE [Stage1:Reg0], [Packet:Hop[0]]";
    let switch = |value| PlainMemory::new().with("Stage3:Reg0", value).with("Stage1:Reg0", 0);
    let mut switches = [switch(7), switch(8)];
    let split = Split::new(&program(text), 287, &Stages::default()).expect("two parts");
    assert_eq!(split.parts.len(), 2);
    let image = send(&split, &mut switches);
    assert_eq!(image, [[7], [8]]);
    let stored = switches.map(|memory| memory.get(lookup("Stage1:Reg0").expect("a name")));
    assert_eq!(stored, [Some(7), Some(8)]);
}

#[test]
fn parts_and_their_words() {
    // Eight values: five and three; each part has its own words.
    let text = format!(".word 16\n.hops 4\n{}", "PUSH [Switch:SwitchID]\n".repeat(8));
    let split = Split::new(&program(&text), 287, &Stages::default()).expect("two parts");
    let words: Vec<&[usize]> = split.parts.iter().map(|part| part.words.as_slice()).collect();
    assert_eq!(words, [&[0, 1, 2, 3, 4][..], &[5, 6, 7]]);
    assert_eq!(split.origins[6], Origin::Stack(6));
    // Room for 12 + 2 * 4 + 4 * 2 * 2 bytes: two values each.
    let split = Split::new(&program(&text), 36, &Stages::default()).expect("four parts");
    assert_eq!(split.parts.len(), 4);
    assert!(split.parts.iter().all(|part| split.fill(part, &split.image).emit().len() == 36));
    // Guards are repeated, with their words.
    let text = ".hops 2\nCEXEC [Switch:SwitchID], 0xff, 3\nLOAD [Stage3:Reg0], [Packet:Hop[0]]\nSTORE [Stage1:Reg0], [Packet:Hop[0]]";
    let split = Split::new(&program(text), 287, &Stages::default()).expect("two parts");
    let statements: Vec<_> = split.parts.iter().map(|part| part.statements.clone()).collect();
    assert_eq!(statements, [[0, 1], [0, 2]]);
}

#[test]
fn what_cannot_be_split() {
    let split = |text: &str, room| Split::new(&program(text), room, &Stages::default()).map(|_| ());
    let hazard = "LOAD [Stage3:Reg0], [Packet:Hop[0]]\nSTORE [Stage1:Reg0], [Packet:Hop[0]]";
    assert_eq!(split(hazard, 287), Err(CannotSplit::Hops));
    assert_eq!(split(&format!(".hops 2\n.sp 8\n{hazard}"), 287), Err(CannotSplit::Layout));
    assert_eq!(split(&format!(".hops 2\n{hazard}"), 23), Err(CannotSplit::Room(0)));
    assert_eq!(
        split(".hops 1\nCEXEC [Queue:QueueOccupancy], 0\nSTORE [Stage1:Reg0], 1", 287),
        Err(CannotSplit::Guard(1))
    );
    let text = ".hops 1\nCEXEC [Stage1:Reg1], 0\nSTORE [Stage1:Reg1], 1\nLOAD [Stage3:Reg0], [Packet:Hop[0]]\nSTORE [Stage1:Reg0], [Packet:Hop[0]]";
    assert_eq!(split(text, 287), Err(CannotSplit::GuardChanged(1)));
    assert_eq!(
        split(".hops 1\nPUSH [0]\nPOP [0xd000]\nPOP [0xd000]", 287),
        Err(CannotSplit::EmptyStack(2))
    );
    assert_eq!(split(".hops 1\nLOAD [0], [Packet:Word[0]]", 287), Err(CannotSplit::SharedWord(0)));
    assert_eq!(
        split(".hops 1\nLOAD [0], [Packet:Hop[0]]\nLOADI [Packet:Hop[0]], [Packet:Hop[1]]", 287),
        Err(CannotSplit::Address(1))
    );
    let own = |field: &str| split(&format!(".hops 1\nPUSH [PacketMetadata:{field}]"), 287);
    assert_eq!(own("StackPointer"), Err(CannotSplit::OwnField(0)));
    assert_eq!(own("HopNumber"), Ok(()));
}

/// xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

const PLACES: [&str; 6] = [
    "Switch:SwitchID",
    "Stage1:Reg0",
    "Stage2:Reg0",
    "Stage3:Reg0",
    "Link:AppSpecific_0",
    "Queue:QueueOccupancy",
];

/// A program in hop mode with all instructions but PUSH and POP, or of PUSH, POP, STORE and CSTORE of
/// numbers in stack mode.
fn random_program(random: &mut Random) -> String {
    let hop = random.below(3) > 0;
    let word = if random.below(2) == 0 { 16 } else { 32 };
    let mut text = format!(".word {word}\n.hops 3\n.mode {}\n", if hop { "hop" } else { "stack" });
    if hop && random.below(2) == 0 {
        text += ".report-back\n";
    }
    let mut depth = 0;
    for _ in 0..1 + random.below(5) {
        let place = PLACES[random.below(6) as usize];
        let number = random.below(4);
        let mut value = || match hop && random.below(3) > 0 {
            true => format!("[Packet:Hop[{}]]", random.below(3)),
            false => format!("{}", random.below(4)),
        };
        let (a, b) = (value(), value());
        let slot = random.below(3);
        let kind = random.below(6);
        text += &match (hop, kind) {
            (true, 0 | 1) => format!("LOAD [{place}], [Packet:Hop[{slot}]]\n"),
            (_, 2) => format!("STORE [{place}], {a}\n"),
            (_, 3) => format!("CSTORE [{place}], {a}, {b}\n"),
            (true, 4) => format!("CEXEC [{place}], {number}, {}\n", random.below(2)),
            (true, _) => format!("LOADI [{place}], [Packet:Hop[{slot}]]\n"),
            (false, 0) if depth > 0 => {
                depth -= 1;
                format!("POP [{place}]\n")
            }
            (false, _) => {
                depth += 1;
                format!("PUSH [{place}]\n")
            }
        };
    }
    text
}

/// Check 9 on random programs: on switches that nobody else changes, the parts leave what the whole leaves.
#[test]
fn split_programs_do_what_whole_ones_do() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut several, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let text = random_program(&mut random);
        let program = program(&text);
        let whole = program.layout().unwrap_or_else(|m| panic!("{text}{m:?}"));
        let split = match Split::new(&program, 287, &Stages::default()) {
            Ok(split) => split,
            Err(reason) => {
                refused += 1;
                let known = [
                    matches!(reason, CannotSplit::Guard(_) | CannotSplit::GuardChanged(_)),
                    matches!(reason, CannotSplit::Address(_)),
                ];
                assert!(known.contains(&true), "{text}{reason}");
                continue;
            }
        };
        several += u32::from(split.parts.len() > 1);
        for part in &split.parts {
            let tpp = split.fill(part, &split.image);
            assert!(hazards(&tpp, &Stages::default()).is_empty(), "{text}");
        }
        let mut switches: Vec<PlainMemory> = Vec::new();
        for _ in 0..3 {
            let mut memory = PlainMemory::new();
            for place in PLACES {
                // In stack mode a hop finds on the stack what the one before it left there, where a PUSH has
                // nothing to push; parts in hop mode find what packet memory began with.
                if program.mode == ww_tpp::header::Mode::Stack || random.below(8) > 0 {
                    memory = memory.with(place, random.below(4) as u32);
                }
            }
            switches.push(memory);
        }
        let mut others = switches.clone();
        let mut bytes = whole.emit();
        pass(&mut bytes, &mut switches);
        let image = send(&split, &mut others);
        assert_eq!(others, switches, "{text}");
        // Where the words of the image are in the whole program's memory.
        let words: Vec<u32> = Tpp::new(bytes.as_slice()).expect("a TPP").words().collect();
        let immediates = split.origins.iter().filter(|o| !matches!(o, Origin::Stack(_))).count();
        let growth = (words.len() - immediates.min(words.len())) / 3;
        for (hop, image) in image.iter().enumerate() {
            for (word, origin) in split.origins.iter().enumerate() {
                let at = match (origin, program.mode) {
                    (_, ww_tpp::header::Mode::Hop) => hop * split.origins.len() + word,
                    (Origin::Stack(depth), _) => {
                        // What is popped again is overwritten by the next hop.
                        if *depth >= growth || peak_is_above_growth(&program) {
                            continue;
                        }
                        immediates + hop * growth + depth
                    }
                    // Numbers: nothing writes them.
                    _ => continue,
                };
                assert_eq!(image[word], words[at], "{text}hop {hop}, word {word}");
            }
        }
    }
    assert!(several > 3000 && refused < 10_000, "{several} in parts, {refused} refused");
}

fn peak_is_above_growth(program: &Program) -> bool {
    use ww_tpp::assemble::Code;
    use ww_tpp::instruction::Opcode;
    program.statements.iter().any(|s| matches!(s.code, Code::Plain { opcode: Opcode::Pop, .. }))
}
