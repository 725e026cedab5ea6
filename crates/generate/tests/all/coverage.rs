//! Nothing that the generator should make is missing: kinds are counted in the P4 text of many
//! programs, which does not depend on what the generator believes to have made.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use ww_dataplane::Dataplane;
use ww_dataplane::DropReason;
use ww_dataplane::trace::{PacketTag, TraceEvent};
use ww_engine::interp::{Interp, Options};
use ww_generate::case::{Case, Step};
use ww_generate::profile::{Feature, FeatureSet, Profile};
use ww_generate::program::generate;

/// Texts of which each must stand in several of the programs.
const KINDS: &[&str] = &[
    // Declarations.
    "typedef ",
    "type ",
    "enum enum_",
    "enum bit<",
    "error {",
    "const bit<",
    "const int<",
    "header header_",
    "header_union ",
    "struct struct_",
    "varbit<",
    "@field_list(",
    "tuple<",
    "V1MODEL_VERSION 20200408",
    "register<",
    ", bit<32>>(",
    "counter(",
    "meter(",
    "counter<bit<32>>(",
    "direct_counter(",
    "direct_meter<",
    "action_profile(",
    "action_selector(",
    "value_set<",
    "parser SubParser",
    "control Sub",
    "bit<8> k",
    "sub_",
    "function_",
    "action action_",
    // Statements.
    "if (",
    "} else {",
    "switch (",
    "default: {",
    "for (bit<8> i",
    " in {",
    "0x1 .. ",
    "break;",
    "continue;",
    "return;",
    "exit;",
    "return ",
    "transition select(",
    "transition accept;",
    "transition state_",
    ": reject;",
    "|+|= ",
    "<<= ",
    "+= ",
    ".setValid()",
    ".setInvalid()",
    ".push_front(",
    ".pop_front(",
    ".next)",
    ".last.",
    "verify(",
    "pkt.advance(",
    "pkt.emit(hdr)",
    "pkt.emit(hdr.h",
    ", ((bit<32>)(",
    // Expressions.
    " + ",
    " - ",
    " * ",
    " / ",
    " % ",
    " & ",
    " | ",
    " ^ ",
    " |+| ",
    " |-| ",
    " << ",
    " >> ",
    " == ",
    " != ",
    " < ",
    " <= ",
    " > ",
    " >= ",
    " && ",
    " || ",
    " ++ ",
    " ? ",
    "(~",
    "(-",
    "(!",
    ".isValid()",
    ".lastIndex",
    ".size",
    ".minSizeInBits()",
    "((bit<",
    "((int<",
    "((bool)",
    "lookahead<",
    "pkt.length()",
    ":0]",
    " = { ",
    "error.",
    "HashAlgorithm.",
    " &&& ",
    " .. ",
    // Tables.
    ": exact",
    ": lpm",
    ": ternary",
    ": range",
    ": optional",
    ": selector",
    "const entries =",
    "\n        entries =",
    "@priority(",
    "priority = ",
    "const default_action",
    "size = ",
    "@tableonly",
    "@defaultonly",
    ".apply().hit",
    ".apply().miss",
    ".apply().action_run",
    "NoAction;",
    "implementation = ",
    "counters = ",
    "meters = ",
    // The architecture.
    ".read(",
    ".write(",
    ".count(",
    ".execute_meter(",
    "hash(",
    "random(",
    "digest<",
    "digest(",
    "verify_checksum(",
    "verify_checksum_with_payload(",
    "update_checksum(",
    "update_checksum_with_payload(",
    "truncate(",
    "mark_to_drop(sm)",
    "clone(CloneType.I2E",
    "clone_preserving_field_list(CloneType.I2E",
    "clone_preserving_field_list(CloneType.E2E",
    "resubmit_preserving_field_list(",
    "recirculate_preserving_field_list(",
    "sm.mcast_grp = ",
    "assert(",
    "assume(",
    "log_msg(",
    "HashAlgorithm.crc32,",
    "HashAlgorithm.crc32_custom,",
    "HashAlgorithm.crc16,",
    "HashAlgorithm.crc16_custom,",
    "HashAlgorithm.random,",
    "HashAlgorithm.identity,",
    "HashAlgorithm.csum16,",
    "HashAlgorithm.xor16,",
    "sm.parser_error",
    "sm.packet_length",
    "sm.priority",
    "sm.checksum_error",
];

#[test]
fn each_kind_occurs() {
    let texts: Vec<String> =
        (0..1000).map(|seed| generate(seed, &Profile::for_seed(seed)).text()).collect();
    let rare: Vec<String> = KINDS
        .iter()
        .map(|kind| (kind, texts.iter().filter(|t| t.contains(kind)).count()))
        .filter(|(_, count)| *count < 5)
        .map(|(kind, count)| format!("`{kind}` {count} times"))
        .collect();
    assert!(rare.is_empty(), "too rare in {} programs: {}", texts.len(), rare.join(", "));
    let lines = texts.iter().map(|t| t.lines().count()).sum::<usize>() / texts.len();
    println!("{lines} lines on average");
    assert!((50..200).contains(&lines), "{lines} lines on average");
    let wide = texts.iter().filter(|t| t.contains("bit<2")).count();
    assert!(wide > 50, "{wide} programs with wide values");
}

#[test]
fn a_seed_is_a_program() {
    let profile = Profile::standard();
    assert_eq!(generate(7, &profile).text(), generate(7, &profile).text());
    assert_ne!(generate(7, &profile).text(), generate(8, &profile).text());
}

#[test]
fn what_a_profile_leaves_out_is_missing() {
    use Feature::*;
    let left_out: &[(Feature, &[&str])] = &[
        (Varbit, &["varbit"]),
        (Division, &[" / ", " % "]),
        (Stacks, &[".push_front", ".next"]),
        (Unions, &["header_union"]),
        (Loops, &["for ("]),
        (Lookahead, &["lookahead<", "advance("]),
        (ValueSets, &["value_set"]),
        (RangeKeys, &[": range"]),
        (Profiles, &["action_profile", "action_selector"]),
        (Objects, &["register", "counter", "meter"]),
        (Random, &["random(", "HashAlgorithm.random"]),
        (Digest, &["digest"]),
        (Clone, &["clone"]),
        (Resubmit, &["resubmit"]),
        (Recirculate, &["recirculate"]),
        (Multicast, &["sm.mcast_grp ="]),
        (Truncate, &["truncate("]),
        (PayloadChecksum, &["with_payload"]),
        (Debugging, &["assert(", "assume(", "log_msg"]),
    ];
    for (feature, texts) in left_out {
        let without = FeatureSet::of(&[*feature]);
        let profile = Profile { without, ..Profile::standard() };
        for seed in 0..150 {
            let text = generate(seed, &profile).text();
            let found = texts.iter().find(|t| text.contains(**t));
            assert_eq!(found, None, "seed {seed} without {feature:?}");
        }
    }
}

/// What happens to the packets: a generator whose packets all end in the parser is worth little.
#[test]
fn packets_get_far() {
    let counts: Arc<Mutex<BTreeMap<&'static str, usize>>> = Arc::default();
    for seed in 0..200 {
        let (case, source) = Case::generate(seed, &Profile::for_seed(seed)).expect("accepted");
        let mut engine = Interp::new(source.program, Options::default()).expect("supported");
        let counting = counts.clone();
        engine.set_observer(Some(Box::new(move |_: PacketTag, event: TraceEvent| {
            let kind = match event {
                TraceEvent::Receive { .. } => "received",
                TraceEvent::Extract { .. } => "extracted",
                TraceEvent::ParserError { .. } => "parser error",
                TraceEvent::Table { hit: true, .. } => "hit",
                TraceEvent::Table { .. } => "miss",
                TraceEvent::Clone { configured: true, .. } => "clone",
                TraceEvent::Resubmit => "resubmit",
                TraceEvent::Recirculate { .. } => "recirculate",
                TraceEvent::Multicast { .. } => "multicast",
                TraceEvent::Transmit { .. } => "transmitted",
                TraceEvent::Drop { reason: DropReason::Fault, .. } => "fault",
                TraceEvent::Drop { reason: DropReason::TooManySteps, .. } => "endless",
                TraceEvent::Drop { reason: DropReason::TooManyPasses, .. } => "endless",
                TraceEvent::Drop { .. } => "dropped",
                _ => return,
            };
            *counting.lock().expect("no panic").entry(kind).or_default() += 1;
        })));
        let (mut done, mut refused) = (0, 0);
        for step in &case.steps {
            match step {
                Step::Request(request) => match request.perform(&mut engine).starts_with("error") {
                    true => refused += 1,
                    false => done += 1,
                },
                Step::Packet { port, at, bytes } => {
                    engine.receive(*port, *at, bytes, &mut Vec::new());
                }
            }
        }
        let mut counts = counts.lock().expect("no panic");
        *counts.entry("done").or_default() += done;
        *counts.entry("refused").or_default() += refused;
    }
    let counts = counts.lock().expect("no panic");
    println!("{counts:?}");
    let count = |kind| counts.get(kind).copied().unwrap_or(0);
    let packets = count("received");
    assert!(count("extracted") > 3 * packets / 2);
    assert!(count("transmitted") > packets / 2);
    assert!(count("hit") > packets / 5 && count("miss") > packets / 5);
    assert!(count("done") > 2 * count("refused") && count("refused") > 100);
    for kind in ["clone", "resubmit", "recirculate", "multicast", "dropped", "parser error"] {
        assert!(count(kind) > 5, "{kind}");
    }
    assert_eq!(count("fault") + count("endless"), 0);
}
