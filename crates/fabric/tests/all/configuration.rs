//! Options of a simulation: profiles, defaults, and each way in which they do not go together.

use ww_fabric::configuration::{LONGEST_PS, Options, Profile, Rules, picoseconds};
use ww_fabric::flows::Flow;
use ww_fabric::relay::Rules::{Basic, Shoal};
use ww_fabric::rotors::Rules::{Opera, RotorNet, Vermilion};
use ww_fabric::rotors::{self, RotorOptions};
use ww_fabric::schedule::Order;

fn shoal(hosts: usize) -> Options {
    Options { rules: Some(Rules::Relay(Shoal)), hosts: Some(hosts), ..Options::default() }
}

#[test]
fn the_prototype_is_as_published() {
    let options = Options { profile: Some(Profile::Prototype), ..Options::default() };
    let found = options.configuration().unwrap();
    assert_eq!(found.rules(), Rules::Relay(Shoal));
    assert_eq!(found.schedule().hosts(), 8);
    assert_eq!(found.schedule().order(), Order::Plain);
    assert_eq!(found.schedule().channels(), 1);
    assert_eq!(found.leaves(), Some(4));
    assert_eq!(found.slot_ns(), 76.8);
    assert_eq!(found.delay_slots(), 21);
    assert_eq!(found.gate(), 7);
}

#[test]
fn the_paper_is_as_published() {
    let options = Options { profile: Some(Profile::Paper), ..Options::default() };
    let found = options.configuration().unwrap();
    assert_eq!(found.schedule().hosts(), 512);
    assert_eq!(found.schedule().channels(), 4);
    assert_eq!(found.schedule().slots(), 128);
    assert_eq!((found.slot_ns(), found.delay_slots(), found.gate()), (23.25, 1, 128));
    let overridden = Options {
        rules: Some(Rules::Relay(Basic)),
        hosts: Some(12),
        order: Some(Order::Reordered),
        channels: Some(2),
        slot_ps: Some(10_000),
        delay_ps: Some(20_001),
        ..options
    };
    let found = overridden.configuration().unwrap();
    assert_eq!(found.rules(), Rules::Relay(Basic));
    assert_eq!((found.schedule().hosts(), found.schedule().slots()), (12, 6));
    assert_eq!((found.slot_ns(), found.delay_slots(), found.gate()), (10.0, 3, 0));
}

#[test]
fn published_has_its_own_slot() {
    let options = Options { rules: Some(Rules::Published), ..shoal(12) };
    let found = options.configuration().unwrap();
    assert_eq!((found.slot_ns(), found.gate()), (1.1f32 * 5.12, 0));
    assert_eq!(found.schedule().slots(), 11);
    let flow = Flow { id: 0, src: 0, dst: 1, cells: 3, start: 0 };
    assert_eq!(found.run(&[flow], None).unwrap().rules, "published");
}

/// The delay counts in whole slots, of integer picoseconds: 3 slots of 0.1 ns are 0.3 ns and no more.
#[test]
fn delays_are_rounded_up_to_slots() {
    let delay = |delay_ps| {
        let options = Options { slot_ps: Some(100), delay_ps: Some(delay_ps), ..shoal(8) };
        options.configuration().unwrap().delay_slots()
    };
    let expected = [(0, 1), (1, 1), (100, 1), (101, 2), (300, 3), (301, 4)];
    assert_eq!(expected.map(|(ps, _)| (ps, delay(ps))), expected);
}

#[test]
fn delays_over_half_an_epoch_are_warned_of_with_shoal() {
    let with = |options: &Options, delay| {
        let options = Options {
            slot_ps: Some(1),
            delay_ps: Some(delay),
            order: Some(Order::Reordered),
            ..options.clone()
        };
        options.configuration().unwrap().warning()
    };
    assert_eq!(with(&shoal(8), 4), None);
    let warning = with(&shoal(8), 5).unwrap();
    assert!(warning.contains("5 slots") && warning.contains("epoch of 8 slots"), "{warning}");
    let basic = Options { rules: Some(Rules::Relay(Basic)), ..shoal(8) };
    assert_eq!(with(&basic, 5), None);
}

/// Each mistake, and what its message must have in it.
#[test]
fn each_mistake_names_the_option_to_change() {
    let published = Options { rules: Some(Rules::Published), ..shoal(8) };
    let paper = Options { profile: Some(Profile::Paper), ..Options::default() };
    let mistakes: Vec<(Options, &[&str])> = vec![
        (Options { rules: None, ..shoal(8) }, &["rules", "--rules published|basic", "--profile"]),
        (Options { hosts: None, ..shoal(8) }, &["--hosts", "--profile"]),
        (shoal(1), &["2 to 4096", "found 1", "--hosts"]),
        (shoal(4097), &["2 to 4096", "found 4097"]),
        (Options { channels: Some(8), ..shoal(8) }, &["1 to 7 channels", "found 8", "--channels"]),
        (Options { leaves: Some(3), ..shoal(8) }, &["divides the 8 hosts", "found 3", "--leaves"]),
        (Options { slot_ps: Some(0), ..shoal(8) }, &["found 0", "--slot-ns"]),
        (Options { delay_ps: Some(LONGEST_PS + 1), ..shoal(8) }, &["--delay-ns"]),
        (
            Options { slot_ps: Some(1), delay_ps: Some(LONGEST_PS), ..shoal(8) },
            &["1 to 4194304 slots", "found 1000000000000", "--delay-ns"],
        ),
        (Options { epochs: Some(0), ..shoal(8) }, &["1 epoch", "--epochs"]),
        (Options { finish: Some(0), ..shoal(8) }, &["--finish"]),
        (
            Options { fail: Some(100.5), ..shoal(8) },
            &["0 to 100 per cent", "found 100.5", "--fail"],
        ),
        (Options { fail: Some(f64::NAN), ..shoal(8) }, &["found NaN"]),
        (Options { workers: Some(0), ..shoal(8) }, &["1 to 8 workers", "--workers"]),
        (Options { workers: Some(9), ..shoal(8) }, &["1 to 8 workers", "found 9"]),
        (
            Options { order: Some(Order::Reordered), ..published.clone() },
            &["--order plain", "published", "found reordered"],
        ),
        (Options { channels: Some(2), ..published.clone() }, &["--channels 1", "found 2"]),
        (Options { delay_ps: Some(1_500), ..published.clone() }, &["--delay-ns 0", "found 1.5"]),
        (Options { slot_ps: Some(5_632), ..published.clone() }, &["--slot-ns", "5.632"]),
        (Options { workers: Some(9), ..published.clone() }, &["workers"]),
        (Options { fail: Some(-1.0), ..published }, &["--fail"]),
        (Options { rules: Some(Rules::Published), ..paper }, &["--channels 1", "found 4"]),
    ];
    for (options, words) in mistakes {
        let message = options.configuration().map(|_| ()).expect_err("a mistake").to_string();
        for word in words {
            assert!(message.contains(word), "{options:?}: {message}: no {word:?}");
        }
    }
}

#[test]
fn nanoseconds_are_read_exactly() {
    let right = [
        ("23.25", 23_250),
        ("76.8", 76_800),
        ("1576", 1_576_000),
        ("0", 0),
        ("0.001", 1),
        ("1000000000", LONGEST_PS),
    ];
    for (text, expected) in right {
        assert_eq!(picoseconds(text), Ok(expected), "{text}");
    }
    let wrong = [
        "",
        ".",
        "1.",
        ".5",
        "-1",
        "+1",
        "1e3",
        " 1",
        "0.0001",
        "1000000000.001",
        "99999999999999999999",
        "x\n",
    ];
    for text in wrong {
        let message = picoseconds(text).expect_err(text);
        assert!(message.contains("nanoseconds") && !message.contains('\n'), "{message}");
    }
}

fn rotors(rules: rotors::Rules, hosts: usize, channels: usize) -> Options {
    Options {
        rules: Some(Rules::Rotors(rules)),
        hosts: Some(hosts),
        channels: Some(channels),
        ..Options::default()
    }
}

/// 200 us and 20 us are 8,602.2 and 860.2 slots of 23.25 ns.
#[test]
fn turning_switches_have_their_times() {
    let found = rotors(RotorNet, 17, 4).configuration().unwrap();
    let settings = found.rotors().unwrap();
    assert_eq!((settings.matching, settings.reconfiguration), (8_603, 861));
    assert!(settings.two_hops);
    let found = rotors(Opera, 16, 4).configuration().unwrap();
    let settings = found.rotors().unwrap();
    assert_eq!((settings.matching, settings.reconfiguration), (4_302, 431));
    // 15 MB in cells of 56 bytes.
    assert_eq!(settings.bulk_cells, 267_858);
}

#[test]
fn mistakes_of_turning_switches_name_the_option_to_change() {
    let own = |options: RotorOptions| Options { rotors: options, ..rotors(RotorNet, 8, 2) };
    let none = RotorOptions::default();
    let hops = RotorOptions { hops: Some(2), ..none };
    let mistakes: Vec<(Options, &[&str])> = vec![
        (Options { order: Some(Order::Reordered), ..own(none) }, &["--order", "rotornet"]),
        (Options { leaves: Some(2), ..own(none) }, &["--leaves", "rotornet"]),
        (Options { gate: Some(3), ..own(none) }, &["--gate", "rotornet"]),
        (Options { fail: Some(10.0), ..own(none) }, &["--fail", "rotornet"]),
        (Options { workers: Some(2), ..own(none) }, &["--workers", "rotornet"]),
        (Options { slot_ps: Some(1), delay_ps: Some(LONGEST_PS), ..own(none) }, &["--delay-ns"]),
        (own(RotorOptions { hops: Some(3), ..none }), &["1 or 2 hops", "found 3", "--hops"]),
        (own(RotorOptions { factor: Some(3), ..none }), &["--factor", "rotornet", "vermilion"]),
        (own(RotorOptions { bulk_bytes: Some(3), ..none }), &["--bulk-bytes", "opera"]),
        (
            own(RotorOptions { matching_ps: Some(9_999), ..none }),
            &["--reconfiguration-ns", "found 861"],
        ),
        (rotors(Opera, 8, 2), &["3 to 64 channels", "found 2", "--channels"]),
        (rotors(Vermilion, 1025, 2), &["1024 hosts", "found 1025", "--hosts"]),
        (
            Options { rotors: RotorOptions { factor: Some(1), ..none }, ..rotors(Vermilion, 9, 2) },
            &["2 to 64", "found 1", "--factor"],
        ),
        (Options { rotors: hops, ..shoal(8) }, &["--hops", "shoal", "--rules rotornet"]),
    ];
    for (options, words) in mistakes {
        let message = options.configuration().map(|_| ()).expect_err("a mistake").to_string();
        for word in words {
            assert!(message.contains(word), "{options:?}: {message}: no {word:?}");
        }
    }
}

/// Networks that turn out to be impossible only when they are built.
#[test]
fn networks_that_cannot_be_say_why() {
    // Four slots are fewer than a cell takes for two hops of four slots.
    let flow = Flow { id: 0, src: 0, dst: 1, cells: 3, start: 0 };
    let short = RotorOptions {
        matching_ps: Some(93_000),
        reconfiguration_ps: Some(0),
        ..RotorOptions::default()
    };
    let options = Options { delay_ps: Some(93_000), rotors: short, ..rotors(Opera, 16, 4) };
    let message =
        options.configuration().unwrap().run(&[flow], None).expect_err("too short").to_string();
    assert!(message.contains("--matching-ns") && message.contains("found 4"), "{message}");
    assert_eq!(
        rotors(Opera, 16, 4).configuration().unwrap().run(&[flow], None).unwrap().rules,
        "opera"
    );
}

/// S26, S30: of a slot of 23.25 ns 2.75 are guard band, 2.5 of them for the reconfiguration; a receiver that locks in 0.625 ns makes it 3.375. The prototype has a
/// clock to spare, and what needs more takes whole clocks.
#[test]
fn receivers_that_lock_make_slots_longer() {
    let slot_ns = |profile, lock_ps| {
        let options =
            Options { profile: Some(profile), cdr_lock_ps: Some(lock_ps), ..Options::default() };
        let configuration = options.configuration().expect("a configuration");
        (configuration.slot_ps(), configuration.delay_slots())
    };
    assert_eq!(slot_ns(Profile::Paper, 0), (23_250, 1));
    assert_eq!(slot_ns(Profile::Paper, 625), (23_875, 1));
    assert_eq!(slot_ns(Profile::Prototype, 6_400), (76_800, 21));
    assert_eq!(slot_ns(Profile::Prototype, 6_401), (83_200, 19));
    assert_eq!(slot_ns(Profile::Prototype, 20_000), (96_000, 17));
    for rules in [Rules::Published, Rules::Rotors(ww_fabric::rotors::Rules::Opera)] {
        let options = Options {
            rules: Some(rules),
            hosts: Some(8),
            cdr_lock_ps: Some(1),
            ..Options::default()
        };
        let message = options.configuration().expect_err("a mistake").to_string();
        assert!(message.starts_with("expected no --cdr-lock"), "{message}");
    }
}
