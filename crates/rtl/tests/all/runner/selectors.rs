//! Action selectors in hardware against the reference engine: members and groups come, change and
//! go between packets.

use std::path::Path;
use std::sync::Arc;
use ww_dataplane::control::{
    ActionData, BigUint, Control, CounterIndex, CounterValue, EntryHandle, Error, KeyMatch,
    NewEntry, ProfileIndex, TableIndex, Target,
};
use ww_dataplane::{Dataplane, Frame};
use ww_engine::interp::{Interp, Options};
use ww_p4::frontend::compile_file;
use ww_rtl::runner::engine::Rtl;
use ww_rtl::runner::load::{Wanted, load};
use ww_rtl::runner::pace::Pace;

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn engines(pace: Pace) -> (Rtl, Interp) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/runner/selectors.p4");
    let compilation = compile_file(&path, &Default::default());
    assert!(!compilation.diagnostics.has_errors());
    let program = Arc::new(compilation.program);
    let mut rtl = load(program.clone(), &Wanted::quick("selectors")).expect("hardware has all");
    rtl.set_pace(pace);
    (rtl, Interp::new(program, Options::default()).expect("it is supported"))
}

/// The profiles by position, and the number of their actions.
fn named(engine: &dyn Control, name: &str) -> ProfileIndex {
    engine.schema().profile(name).expect("the program has it")
}

fn action(random: &mut Random, actions: u64) -> ActionData {
    let action = random.below(actions) as usize;
    let values = if action == 0 { 256 } else { 65_536 };
    ActionData { action, arguments: vec![random.below(values).into()] }
}

/// Groups that are made of each profile: hardware has places for 16.
const GROUPS: u32 = 12;

/// A request, the same for the same random numbers and numbers of groups that were made, and what
/// was answered.
fn request(
    engine: &mut dyn Control,
    random: &mut Random,
    made: &mut [u32; 2],
) -> Result<u64, Error> {
    let (both, alone) = (named(engine, "both"), named(engine, "alone"));
    let table = |engine: &dyn Control, name| engine.schema().table(name).expect("it is there");
    let (profile, actions) = if random.below(3) == 0 { (alone, 1) } else { (both, 2) };
    // Handles count up, and few are ever alive.
    let (member, group) = (random.below(14) as u32, random.below(6) as u32);
    let made = &mut made[usize::from(actions == 1)];
    let target = match random.below(3) {
        0 => Target::Member(member),
        _ => Target::Group(group),
    };
    match random.below(12) {
        0 | 1 => {
            let data = action(random, actions);
            engine.member_add(profile, data).map(u64::from)
        }
        2 => {
            let data = action(random, actions);
            engine.member_modify(profile, member, data).map(|()| 0)
        }
        3 if random.below(3) == 0 => engine.member_delete(profile, member).map(|()| 0),
        4 if *made < GROUPS => {
            *made += 1;
            engine.group_create(profile).map(u64::from)
        }
        5 if random.below(4) == 0 => engine.group_delete(profile, group).map(|()| 0),
        3..=7 => engine.group_add_member(profile, group, member).map(|()| 0),
        8 => engine.group_remove_member(profile, group, member).map(|()| 0),
        9 => {
            let key = BigUint::from(random.below(8));
            let table = table(engine, "exactly");
            let keys = vec![KeyMatch::Exact(key)];
            match engine.table_find(table, keys.clone(), 0)? {
                Some(entry) if random.below(3) == 0 => {
                    engine.table_delete(table, entry).map(|()| entry.0)
                }
                Some(entry) => engine.table_modify(table, entry, target).map(|()| entry.0),
                None => {
                    engine.table_insert(table, NewEntry { keys, priority: 0, target }).map(|h| h.0)
                }
            }
        }
        10 => {
            let (value, mask) = (random.below(256), random.below(256));
            let keys = vec![KeyMatch::Ternary { value: (value & mask).into(), mask: mask.into() }];
            let priority = random.below(100) as i64;
            let table = table(engine, "masked");
            if random.below(8) == 0 {
                return engine.table_clear(table).map(|()| 0);
            }
            engine.table_insert(table, NewEntry { keys, priority, target }).map(|h| h.0)
        }
        _ => {
            let name = if random.below(2) == 0 { "exactly" } else { "always" };
            let table = table(engine, name);
            match random.below(6) {
                0 => engine.table_reset_default(table).map(|()| 0),
                _ => engine.table_set_default(table, target).map(|()| 0),
            }
        }
    }
}

/// Counters of the entries of the first table.
fn counters(engine: &mut dyn Control) -> Vec<CounterValue> {
    let table: TableIndex = engine.schema().table("exactly").expect("it is there");
    let entries = engine.table_entries(table).expect("it is there");
    let mut count = |handle: EntryHandle| engine.counter_read(CounterIndex(0), handle.0);
    entries.iter().map(|entry| count(entry.handle).expect("it counts")).collect()
}

/// Frames by what was hit: no table, the one, the other, both.
fn compare(pace: Pace, seed: u64) -> [u32; 4] {
    let (mut rtl, mut interp) = engines(pace);
    let mut random = Random(seed);
    let mut seen = [0; 256];
    let mut made = [0; 2];
    for round in 0..60u64 {
        for _ in 0..12 {
            let begin = random.0;
            let mut again = made;
            let answer = request(&mut rtl, &mut random, &mut made);
            let wanted = request(&mut interp, &mut Random(begin), &mut again);
            assert_eq!(answer, wanted, "round {round}");
        }
        let frame = |_| {
            let mut frame = vec![random.below(8) as u8];
            frame.extend((1..20).map(|_| random.below(256) as u8));
            frame
        };
        let frames: Vec<Vec<u8>> = (0..20).map(frame).collect();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut copies = frames.clone();
        let mut batch: Vec<_> = copies.iter_mut().map(|bytes| Frame { port: 0, bytes }).collect();
        rtl.receive_batch(0, &mut batch, &mut ours);
        frames.iter().for_each(|frame| interp.receive(0, 0, frame, &mut theirs));
        assert_eq!(rtl.monitor().fault(), None);
        assert_eq!(ours, theirs, "round {round}, seed {seed}, {pace:?}");
        theirs.iter().for_each(|sent| seen[usize::from(sent.frame[9])] += 1);
        assert_eq!(counters(&mut rtl), counters(&mut interp), "round {round}, seed {seed}");
    }
    [seen[0], seen[1], seen[2], seen[3]]
}

#[test]
fn groups_change_between_packets() {
    let mut hit = [0; 4];
    for seed in 1..6 {
        for pace in [Pace::Serial, Pace::BackToBack] {
            let counts = compare(pace, seed);
            hit.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    assert!(hit.iter().all(|count| *count > 100), "{hit:?}");
}

/// Groups are replaced until no gap is left for them, and more members than there are places for
/// are refused without a trace.
#[test]
fn places_for_members_run_out() {
    let (mut rtl, mut interp) = engines(Pace::Serial);
    let mut random = Random(3);
    let profile = named(&rtl, "both");
    let both: [&mut dyn Control; 2] = [&mut rtl, &mut interp];
    let mut full = 0;
    for engine in both {
        let is_hardware = full == 0;
        for n in 0..8u32 {
            let data = ActionData { action: 0, arguments: vec![(n + 10).into()] };
            assert_eq!(engine.member_add(profile, data), Ok(n));
        }
        for group in 0..12 {
            assert_eq!(engine.group_create(profile), Ok(group));
        }
        for group in 0..12 {
            for member in 0..8 {
                match engine.group_add_member(profile, group, member) {
                    Ok(()) => {}
                    Err(error) if is_hardware => {
                        assert!(error.to_string().contains("64 members"), "{error}");
                        full += 1;
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
        // Those that hardware does not have.
        if !is_hardware {
            for group in 8..12 {
                for member in 0..8 {
                    assert_eq!(engine.group_remove_member(profile, group, member), Ok(()));
                }
            }
        }
        let table = engine.schema().table("exactly").expect("it is there");
        for group in 0..12u32 {
            let keys = vec![KeyMatch::Exact(group.into())];
            let target = Target::Group(group);
            engine.table_insert(table, NewEntry { keys, priority: 0, target }).expect("room");
        }
    }
    assert_eq!(full, 4 * 8);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for n in 0..240u64 {
        let mut frame = vec![(n % 12) as u8];
        frame.extend((1..20).map(|_| random.below(256) as u8));
        rtl.receive(0, n, &frame, &mut ours);
        interp.receive(0, n, &frame, &mut theirs);
    }
    assert_eq!(ours, theirs);
    let hits = theirs.iter().filter(|sent| sent.frame[9] & 1 == 1).count();
    assert_eq!(hits, 8 * 20);
}
