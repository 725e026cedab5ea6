//! What an observer counts of a fabric that it does not know. The fabric is the reference, of which only the events are
//! played back; the figures, flows and cells must be those of the simulator.

use super::{reference, traced};
use crate::networks::{networks, without_empty};
use proptest::prelude::*;
use ww_fabric::configuration::{Options, Profile, Rules as AllRules};
use ww_fabric::flows::Flow;
use ww_fabric::observed::{Arrived, Events, Failure, Hardware, Offer, run};
use ww_fabric::offsets::Offsets;
use ww_fabric::outcome::Outcome;
use ww_fabric::prototype;
use ww_fabric::relay::failures::HostAt;
use ww_fabric::relay::{Rules, Settings};
use ww_fabric::schedule::{Order, Schedule};
use ww_fabric::trace::SentCell;

/// Events that are played back. What is offered must be what the flows have, when they have it.
struct Replay<'a> {
    flows: &'a [Flow],
    events: Vec<Events>,
    hosts: usize,
    /// Cells that were offered and queued, by pair.
    offered: Vec<u64>,
    queued: Vec<u64>,
    slot: usize,
    skipped: u64,
    seq_bits: u32,
    most_cells: u64,
}

impl<'a> Replay<'a> {
    fn new(hosts: usize, flows: &'a [Flow], events: Vec<Events>) -> Self {
        Self {
            flows,
            events,
            hosts,
            offered: vec![0; hosts * hosts],
            queued: vec![0; hosts * hosts],
            slot: 0,
            skipped: 0,
            seq_bits: 20,
            most_cells: 1 << 31,
        }
    }

    fn take(&mut self, offers: &[Offer]) {
        for &Offer { src, dst, cells } in offers {
            let pair = src * self.hosts + dst;
            assert!(cells > 0);
            self.offered[pair] += cells;
            assert!(self.offered[pair] - self.queued[pair] <= self.most_cells);
        }
    }

    /// Pairs have cells left, as far as the hardware knows, if they have some.
    fn check_offers(&self) {
        let mut started = vec![0; self.offered.len()];
        for flow in self.flows.iter().filter(|flow| flow.start <= self.slot as u64) {
            started[flow.src as usize * self.hosts + flow.dst as usize] += flow.cells;
        }
        for ((&offered, &queued), started) in self.offered.iter().zip(&self.queued).zip(started) {
            assert!(offered <= started);
            assert_eq!(offered > queued, started > queued, "slot {}", self.slot);
        }
    }
}

impl Hardware for Replay<'_> {
    type Error = String;

    fn seq_bits(&self) -> u32 {
        self.seq_bits
    }

    fn most_cells(&self) -> u64 {
        self.most_cells
    }

    fn start(&mut self, offers: &[Offer]) -> Result<(), String> {
        self.take(offers);
        Ok(())
    }

    fn slot(&mut self, offers: &[Offer], events: &mut Events) -> Result<(), String> {
        self.check_offers();
        assert_eq!(*events, Events::default());
        let seen = self.events.get(self.slot).ok_or("expected an end of the run, found none")?;
        *events = seen.clone();
        let mask = u64::MAX >> (64 - self.seq_bits);
        events.sent.iter_mut().for_each(|cell| cell.seq &= mask);
        events.received.iter_mut().for_each(|cell| cell.seq &= mask);
        for queued in &seen.queued {
            // A host that there is not is the observer's to find.
            if let Some(count) = self.queued.get_mut(queued.src * self.hosts + queued.dst) {
                *count += 1;
            }
        }
        self.slot += 1;
        self.take(offers);
        Ok(())
    }

    fn skip(&mut self, slots: u64) {
        let to = self.slot + slots as usize;
        assert!(self.events[self.slot..to].iter().all(|events| *events == Events::default()));
        (self.slot, self.skipped) = (to, self.skipped + slots);
    }
}

fn watched(
    schedule: &Schedule,
    settings: &Settings,
    hardware: &mut Replay<'_>,
) -> Result<(Outcome, Vec<[u64; 6]>), Failure<String>> {
    let mut rows = Vec::new();
    let mut note = |cell: &SentCell| {
        let [from, to, src, dst] = [cell.from, cell.to, cell.src, cell.dst].map(|host| host as u64);
        rows.push([cell.slot, from, to, src, dst, cell.seq]);
    };
    let flows = hardware.flows;
    let outcome = run(schedule, settings, flows, hardware, Some(&mut note))?;
    Ok((outcome, rows))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn an_observer_counts_what_the_simulator_does(
        (hosts, flows) in networks(),
        rules in prop_oneof![2 => Just(Rules::Shoal), 1 => prop::sample::select(Rules::ALL.to_vec())],
        order in prop_oneof![Just(Order::Plain), Just(Order::Reordered)],
        channels in 1..3usize,
        delay in prop_oneof![Just(1), 1..6u64, 1..30u64],
        gate in prop_oneof![Just(0), 1..20u64],
        epochs in prop_oneof![3 => Just(None), 1 => (1..80u64).prop_map(Some)],
        finish in prop_oneof![3 => Just(None), 1 => (1..50u64).prop_map(Some)],
        warmup in 0..100u64,
        seq_bits in prop_oneof![Just(64u32), 1..10u32],
        most_cells in prop_oneof![Just(u64::MAX), 8..40u64],
    ) {
        let schedule = Schedule::new(hosts, order, channels.min(hosts - 1)).unwrap();
        let settings =
            Settings { slot_ns: 76.8, delay, gate, epochs, finish, warmup, ..Settings::new(rules) };
        let events = reference::events(&schedule, &settings, &flows);
        let mut hardware = Replay { seq_bits, most_cells, ..Replay::new(hosts, &flows, events) };
        let expected = traced(&schedule, &settings, &flows, 1);
        let found = watched(&schedule, &settings, &mut hardware).unwrap();
        prop_assert_eq!(without_empty(found.0), without_empty(expected.0));
        prop_assert_eq!(found.1, expected.1);
    }
}

/// Two flows, 5,000 slots apart: whole epochs between them are skipped, and nothing changes.
#[test]
fn pauses_are_skipped_in_whole_epochs() {
    let flow = |id, start| Flow { id, src: 1, dst: 4, cells: 9, start };
    let flows = [flow(0, 3), flow(1, 5_003)];
    let schedule = Schedule::new(8, Order::Plain, 1).unwrap();
    for epochs in [None, Some(400), Some(1_000)] {
        let settings = Settings { delay: 21, gate: 7, epochs, ..Settings::new(Rules::Shoal) };
        let events = reference::events(&schedule, &settings, &flows);
        let mut hardware = Replay::new(8, &flows, events);
        let found = watched(&schedule, &settings, &mut hardware).unwrap();
        assert_eq!(found, traced(&schedule, &settings, &flows, 1));
        assert!(hardware.skipped.is_multiple_of(7), "{}", hardware.skipped);
        let least = if epochs == Some(400) { 2_400 } else { 4_500 };
        assert!(hardware.skipped > least, "{epochs:?}: {}", hardware.skipped);
    }
}

/// The prototype with an incast, and what an observer says if the events are changed.
fn incast(change: impl Fn(&mut Vec<Events>)) -> Result<(), Failure<String>> {
    let options = Options { profile: Some(Profile::Prototype), ..Options::default() };
    let configuration = options.configuration().unwrap();
    let (schedule, settings) = (configuration.schedule(), configuration.relay().unwrap());
    let flow = |src: u32| Flow { id: u64::from(src), src, dst: 0, cells: 7, start: 0 };
    let flows: Vec<Flow> = (1..8).map(flow).collect();
    let mut events = reference::events(schedule, settings, &flows);
    change(&mut events);
    watched(schedule, settings, &mut Replay::new(8, &flows, events)).map(|_| ())
}

#[test]
fn what_no_fabric_may_do_is_named_with_its_slot() {
    assert_eq!(incast(|_| ()), Ok(()));
    type Change = fn(&mut Vec<Events>);
    /// The first slot with such an event, and the place of the event.
    fn first<T>(
        events: &[Events],
        list: fn(&Events) -> &Vec<T>,
        is: fn(&T) -> bool,
    ) -> (usize, usize) {
        let found = events
            .iter()
            .enumerate()
            .find_map(|(slot, events)| list(events).iter().position(is).map(|place| (slot, place)));
        found.expect("such an event")
    }
    let changes: Vec<(Change, &[&str])> = vec![
        // Another number: the first of the queue is told.
        (
            |all| all[0].sent[0].seq += 3,
            &["slot 0: ", "first of the queue, cell 0 of", "found host", "cell 3"],
        ),
        // To another host than that of the slot.
        (|all| all[0].sent[0].to = 5, &["slot 0: ", "one cell of each circuit", "to host 5"]),
        (
            |all| {
                let sent = all[0].sent[0];
                all[0].sent.push(sent)
            },
            &["slot 0: ", "one cell of each circuit"],
        ),
        // A queue with a cell that does not send.
        (
            |all| {
                all[0].sent.remove(0);
            },
            &["slot 0: ", "in the queue, found none"],
        ),
        // A cell that was never queued.
        (
            |all| {
                all[0].queued.remove(0);
            },
            &["slot 0: ", "expected an empty cell", "found host"],
        ),
        // More than there are.
        (
            |all| {
                let queued = all[0].queued[0];
                all[0].queued.extend([queued; 7])
            },
            &["slot 0: ", "none is left to send"],
        ),
        (|all| all[0].queued[0].dst = 3, &["slot 0: ", "found one for 3", "none is left to send"]),
        // A cell that is lost, comes late, comes twice, comes at the wrong host, or comes from nowhere.
        (
            |all| {
                let (slot, place) = first(all, |events| &events.received, |_| true);
                all[slot].received.remove(place);
            },
            &["expected cell 0 of", "at its destination", "in slot", "found none"],
        ),
        (
            |all| {
                let (slot, place) = first(all, |events| &events.received, |_| true);
                let late = all[slot].received.remove(place);
                all[slot + 1].received.push(late);
            },
            &["slot 2", "expected cell 0 of", "at its destination"],
        ),
        (
            |all| {
                let (slot, place) = first(all, |events| &events.received, |_| true);
                let twice = all[slot].received[place];
                all[slot].received.push(twice);
            },
            &["expected no more cells", "found cell 0 of"],
        ),
        (
            |all| {
                let (slot, place) = first(all, |events| &events.received, |_| true);
                all[slot].received[place].dst = 6;
            },
            &["expected cell 0 of", "found none"],
        ),
        (
            |all| all[1].received.push(Arrived { src: 3, dst: 4, seq: 9 }),
            &["slot 1: ", "expected no more cells", "found cell 9 of 3->4 at host 4"],
        ),
        // Hosts that there are not.
        (|all| all[0].sent[0].from = 99, &["slot 0: ", "host 99"]),
        (|all| all[0].queued[0].src = 99, &["slot 0: ", "host 99"]),
        (|all| all[0].queued[0].via = 99, &["slot 0: ", "the queue to 99"]),
        // Nothing at all.
        (
            |all| *all = vec![Events::default(); 10_000],
            &["slots 0 to ", "found nothing, with 7 of 7 flows", "of 1->0, 0 of 7 cells", "hangs"],
        ),
    ];
    for (number, (change, words)) in changes.into_iter().enumerate() {
        let Err(Failure::Wrong(message)) = incast(change) else { panic!("{number} is not found") };
        for word in words {
            assert!(message.contains(word), "{number}: {message}: no {word:?}");
        }
    }
}

/// The constants are those of the profile, and whatever else is asked for is refused by name.
#[test]
fn the_prototype_does_one_thing() {
    let options = Options { profile: Some(Profile::Prototype), ..Options::default() };
    let found = options.configuration().unwrap();
    let settings = found.relay().unwrap();
    assert_eq!(found.schedule().hosts(), prototype::HOSTS);
    assert_eq!(found.leaves(), Some(prototype::LEAVES));
    assert_eq!(found.schedule().channels(), prototype::CHANNELS);
    assert_eq!(found.schedule().slots() as u64, prototype::EPOCH_SLOTS);
    assert_eq!(settings.delay, prototype::DELAY_SLOTS);
    assert_eq!(settings.gate, prototype::EPOCH_SLOTS);
    assert_eq!(settings.slot_ns, prototype::SLOT_PS as f64 / 1000.0);
    let same = Options {
        rules: Some(AllRules::Relay(Rules::Shoal)),
        hosts: Some(8),
        order: Some(Order::Plain),
        channels: Some(1),
        leaves: Some(4),
        slot_ps: Some(76_800),
        delay_ps: Some(1_576_000),
        epochs: Some(9),
        warmup: Some(9),
        finish: Some(9),
        gate: Some(7),
        fail: Some(0.0),
        flip: Some(0.1),
        flip_seed: Some(3),
        kills: vec![HostAt { host: 1, slot: 2 }],
        repair: true,
        workers: Some(1),
        ..options.clone()
    };
    let on_time = Offsets::default();
    assert_eq!(prototype::check(&options, &on_time), Ok(()));
    assert_eq!(prototype::check(&same, &on_time), Ok(()));
    let mistakes: Vec<(Options, &[&str])> = vec![
        (Options { profile: None, ..same.clone() }, &["--profile prototype"]),
        (Options { profile: Some(Profile::Paper), ..same.clone() }, &["--profile prototype"]),
        (
            Options { rules: Some(AllRules::Published), ..same.clone() },
            &["--rules shoal", "published"],
        ),
        (Options { hosts: Some(4), ..same.clone() }, &["--hosts 8", "found 4"]),
        (
            Options { order: Some(Order::Reordered), ..same.clone() },
            &["--order plain", "reordered"],
        ),
        (Options { channels: Some(2), ..same.clone() }, &["--channels 1", "found 2"]),
        (Options { leaves: Some(2), ..same.clone() }, &["--leaves 4", "found 2"]),
        (Options { slot_ps: Some(23_250), ..same.clone() }, &["--slot-ns 76.8", "found 23.25"]),
        (Options { delay_ps: Some(0), ..same.clone() }, &["--delay-ns 1576", "found 0"]),
        (Options { gate: Some(0), ..same.clone() }, &["--gate 7", "found 0"]),
        (Options { fail: Some(12.5), ..same.clone() }, &["--fail 0", "found 12.5"]),
        (Options { workers: Some(2), ..same.clone() }, &["--workers 1", "found 2"]),
    ];
    for (options, words) in mistakes {
        let message = prototype::check(&options, &on_time).expect_err("a mistake").to_string();
        for word in words {
            assert!(message.contains(word), "{message}: no {word:?}");
        }
        assert!(message.contains("--engine model"), "{message}");
    }
    // Hosts that are late inside the guard band change nothing; beyond it a run needs an end, and errors would count twice.
    let late = |text: &str| Offsets::new(&[text.parse().unwrap()], 0).unwrap();
    assert_eq!(prototype::check(&same, &late("3=6.4")), Ok(()));
    let endless = Options { epochs: None, ..options.clone() };
    for (options, word) in [(&endless, "--epochs"), (&same, "--flip")] {
        let message =
            prototype::check(options, &late("3=-6.4")).expect_err("a mistake").to_string();
        assert!(message.contains(word) && message.contains("--offset"), "{message}");
    }
}
