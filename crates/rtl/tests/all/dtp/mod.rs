//! `ww_dtp_device` against `ww_dtp`, tick by tick: every message that is sent, the counter, states, delays and events.
//!
//! spec: 000-p4fpga-sonic-dtp 2.6, checks 28, 30

mod bench;
mod bounds;
mod network;
mod node;
mod peer;
mod reference;

use bench::{Bench, Block};
use peer::{Habit, Peer};
use reference::Reference;
use std::collections::VecDeque;
use ww_dtp::counter::{Counter, LOW_MASK};
use ww_dtp::message::Message;
use ww_dtp::port::{Config, PATIENCE, PortCounts};

const SEED: u64 = 20_160_822;
const IDLE: Block = (1, 0x1e);
/// Clocks from a link to what it does, and from a block to when its message is acted on.
const LINK_CLOCKS: usize = 3;
const MESSAGE_CLOCKS: u64 = 6;

/// A generator of numbers (Knuth's linear congruence).
pub struct Random(u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let mut half = || {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            self.0 >> 32
        };
        half() << 32 | half()
    }

    /// 0 to `most` - 1.
    pub fn below(&mut self, most: u64) -> u64 {
        self.bits() % most
    }
}

/// Control characters with the same code in some lanes, and idle in the others.
const fn lanes(code: u64, mut n: u32, end: u32) -> Block {
    let mut payload = 0x1e;
    while n < end {
        payload |= code << (8 + 7 * n);
        n += 1;
    }
    (1, payload)
}

/// Blocks of control characters that are none of idle, but no messages either.
const RESERVED: [Block; 4] =
    [lanes(0x1e, 0, 8), lanes(0x06, 0, 8), lanes(0x06, 0, 4), lanes(0x06, 4, 8)];

/// A block that carries no message: a frame's, or control characters of other kinds.
fn other_block(random: &mut Random) -> Block {
    match random.below(8) {
        0 | 1 => RESERVED[random.below(4) as usize],
        2 => (1, random.bits() << 8 | [0x78, 0x33, 0xff, 0x87][random.below(4) as usize]),
        3 => (2, 0x1e),
        _ => (2, random.bits()),
    }
}

fn message_of(bits: u64) -> Message {
    // Codes of beacons come out as 3.
    match (bits & 7, bits >> 3 & LOW_MASK) {
        (3, payload) => Message::Beacon(payload),
        _ => Message::of_bits(bits).expect("a message was heard"),
    }
}

/// What was seen, so that a test shows what it has tested.
#[derive(Debug, Default)]
struct Seen {
    messages: [u64; 8],
    /// INITs without an answer that were sent anew.
    anew: u64,
    /// Port ticks in which the peer was found to jump.
    faulty: u64,
    sets: u64,
    wraps: u64,
    logs: u64,
}

struct Comparison {
    bench: Bench,
    reference: Reference,
    random: Random,
    ports: usize,
    clocks_per_tick: usize,
    peers: Vec<Peer>,
    links: Vec<bool>,
    history: VecDeque<Vec<bool>>,
    /// What was fed to each port, and in which clock.
    fed: Vec<VecDeque<(u64, u64)>>,
    clock: u64,
    set: Option<Counter>,
    logs: Vec<Option<u64>>,
    last_init: Vec<Option<u64>>,
    counts: Vec<PortCounts>,
    /// Nothing is left to chance.
    is_calm: bool,
    seen: Seen,
}

impl Comparison {
    fn new(ports: usize, clocks_per_tick: usize, config: Config) -> Self {
        let mut bench = Bench::new(ports);
        bench.set("interval", config.interval);
        bench.set("most_jumps", config.most_jumps);
        let mut comparison = Self {
            bench,
            reference: Reference::new(ports, config),
            random: Random(SEED),
            ports,
            clocks_per_tick,
            peers: (0..ports).map(|_| Peer::default()).collect(),
            links: vec![false; ports],
            history: VecDeque::from(vec![vec![false; ports]; LINK_CLOCKS]),
            fed: vec![VecDeque::new(); ports],
            clock: 0,
            set: None,
            logs: vec![None; ports],
            last_init: vec![None; ports],
            counts: vec![PortCounts::default(); ports],
            is_calm: false,
            seen: Seen::default(),
        };
        for name in ["tick", "arrived", "link", "late", "log_valid", "set_valid"] {
            comparison.bench.set(name, 0);
        }
        // The ports' `enable` crosses.
        (0..4).for_each(|_| comparison.bench.edge());
        comparison
    }

    /// Links go up and down, habits change, the user sets the counter: in some times often, in others seldom.
    fn unrest(&mut self, tick: u64) {
        if self.is_calm {
            return;
        }
        let random = &mut self.random;
        let rare = [2_000, 30_000, 200, 60_000][(tick / 60_000) as usize % 4];
        for port in 0..self.ports {
            let change = if self.links[port] { rare } else { 100 };
            if random.below(change) == 0 {
                self.links[port] = !self.links[port];
                self.peers[port].forget();
                self.peers[port].habit = match random.below(8) {
                    0 | 1 => Habit::Jumps,
                    2 | 3 => Habit::Silent,
                    4 => Habit::Noise,
                    _ => Habit::Good,
                };
            }
        }
        if random.below(2 * rare) == 0 {
            self.links.fill(false);
        }
        if self.set.is_none() && random.below(3 * rare) == 0 {
            let around = i128::from(random.below(8000)) - 7000;
            let places = [1 << 53, 1 << 105, 0, u128::from(random.bits()) << random.below(42)];
            self.set = Some(Counter::new(places[random.below(4) as usize]).plus(around));
        }
        for log in &mut self.logs {
            if log.is_none() && random.below(50) == 0 {
                *log = Some(random.bits() & LOW_MASK);
            }
        }
    }

    /// Blocks of the peers in a clock.
    fn feed(&mut self, tick: u64) {
        let arrives = self.clock.is_multiple_of(self.clocks_per_tick as u64);
        self.bench.set("arrived", u64::from(arrives));
        let mut blocks = Vec::new();
        for port in 0..self.ports {
            let counter = self.reference.device.counter(tick);
            let delay = self.reference.device.port(port).delay().unwrap_or(40);
            let bits = match self.random.below(10) {
                // The link is full at times.
                0..2 if arrives && !self.is_calm => {
                    blocks.push(other_block(&mut self.random));
                    continue;
                }
                _ if arrives => self.peers[port].bits(tick, counter, delay, &mut self.random),
                _ => 0,
            };
            blocks.push((1, bits << 8 | 0x1e));
            if arrives && self.links[port] && Message::of_bits(bits).is_some() {
                self.fed[port].push_back((bits, self.clock));
            }
        }
        self.bench.set_blocks("rx", &blocks);
        self.bench.settle();
        for (port, (block, restored)) in
            blocks.iter().zip(self.bench.get_blocks("restored")).enumerate()
        {
            let carries = block.0 == 1 && block.1 & 0xff == 0x1e;
            let other = !carries || RESERVED.contains(block);
            let expected = if other { *block } else { IDLE };
            assert_eq!(restored, expected, "port {port}, clock {}", self.clock);
        }
    }

    /// A tick: its clocks, the last of which is the one that counts.
    fn tick(&mut self, tick: u64) {
        self.unrest(tick);
        let clocks = self.clocks_per_tick;
        for last in (0..clocks).map(|n| n + 1 == clocks) {
            self.feed(tick);
            let late = if self.is_calm { 0 } else { self.random.bits() };
            self.bench.set("late", late & ((1 << self.ports) - 1));
            let links = self.links.iter().rev().fold(0, |all, link| all << 1 | u64::from(*link));
            self.bench.set("link", links);
            self.history.push_back(self.links.clone());
            let effective = self.history.pop_front().expect("there is one");
            if last {
                self.last_clock(tick, &effective);
            } else {
                self.bench.set("tick", 0);
                self.bench.edge();
                assert!(self.bench.get_each("events", 2).iter().all(|bits| bits & 0x1f == 0));
            }
            self.clock += 1;
        }
    }

    /// The clock in which a block leaves.
    fn last_clock(&mut self, tick: u64, links: &[bool]) {
        self.bench.set("tick", 1);
        let blocks: Vec<Block> = (0..self.ports)
            .map(|_| if self.random.below(3) == 0 { other_block(&mut self.random) } else { IDLE })
            .collect();
        self.bench.set_blocks("tx", &blocks);
        self.bench.set("set_valid", u64::from(self.set.is_some()));
        self.bench.set_wide("set_value", self.set.unwrap_or_default().value());
        let valid = self.logs.iter().rev().fold(0, |all, log| all << 1 | u64::from(log.is_some()));
        self.bench.set("log_valid", valid);
        let logs: Vec<u64> = self.logs.iter().map(|log| log.unwrap_or(0)).collect();
        self.bench.set_words("log_data", logs);
        self.bench.settle();

        let heard = self.heard(tick);
        let (set, set_done) = (self.set, self.bench.get("set_done") == 1);
        let ready = self.bench.get("log_ready");
        let counter = self.reference.device.counter(tick);
        assert_eq!(self.bench.get_wide("counter"), counter.value(), "tick {tick}");

        // A block leaves, then messages come.
        let sent: Vec<Option<Message>> = (0..self.ports)
            .map(|port| {
                let device = &mut self.reference.device;
                let message = if blocks[port] == IDLE { device.slot(port, tick) } else { None };
                let is_free =
                    blocks[port] == IDLE && message.is_none() && device.port(port).is_up();
                let log = self.logs[port].filter(|_| is_free);
                assert_eq!(ready >> port & 1 == 1, log.is_some(), "tick {tick}, port {port}");
                if log.is_some() {
                    self.logs[port] = None;
                }
                let stamped = |data: u64| {
                    if data >> 52 == 1 { data } else { counter.low() & (LOW_MASK >> 1) }
                };
                message.or(log.map(|data| Message::Log(stamped(data))))
            })
            .collect();
        self.reference.tick(tick, &heard, links, set);
        self.bench.edge();

        if set_done {
            self.set = None;
            self.seen.sets += 1;
        }
        self.check(tick, &blocks, &sent);
    }

    /// The messages of this tick: those that were fed, in order and in time.
    fn heard(&mut self, tick: u64) -> Vec<Option<Message>> {
        let bits = self.bench.get_each("heard", 8);
        let received = self.bench.get("log_received");
        let mut all = Vec::new();
        for (port, bits) in bits.into_iter().enumerate() {
            let message = (bits >> 63 == 1).then(|| message_of(bits & ((1 << 56) - 1)));
            if let Some(message) = message {
                let (fed, clock) = self.fed[port].pop_front().expect("it was fed");
                assert_eq!(Some(message), Message::of_bits(fed), "tick {tick}, port {port}");
                // One clock later at the crossing, up to the next tick.
                let took = self.clock - clock;
                let most = MESSAGE_CLOCKS + 1 + 3 * (self.clocks_per_tick as u64 - 1);
                assert!((MESSAGE_CLOCKS..=most).contains(&took), "{took} clocks, port {port}");
            }
            let is_log = matches!(message, Some(Message::Log(_)));
            let is_up = self.reference.device.port(port).is_up();
            assert_eq!(received >> port & 1 == 1, is_log && is_up);
            self.seen.logs += u64::from(is_log && is_up);
            all.push(message);
        }
        all
    }

    /// What the tick has changed.
    fn check(&mut self, tick: u64, blocks: &[Block], sent: &[Option<Message>]) {
        let (states, delays) = (self.bench.get_each("state", 1), self.bench.get_each("delay", 2));
        for (port, filled) in self.bench.get_blocks("filled").into_iter().enumerate() {
            let at = format!("seed {SEED}, tick {tick}, port {port}");
            let expected = match sent[port] {
                Some(message) => (1, message.to_bits() << 8 | 0x1e),
                None => blocks[port],
            };
            assert_eq!(filled, expected, "{at}: {:?}", sent[port]);
            if let Some(message) = sent[port] {
                self.seen.messages[(message.to_bits() & 7) as usize] += 1;
                self.peers[port].sees(message, tick, &mut self.random);
                if let Message::Init(_) = message {
                    let before = self.last_init[port].replace(tick);
                    self.seen.anew +=
                        u64::from(before.is_some_and(|sent| {
                            (PATIENCE..PATIENCE + 50).contains(&(tick - sent))
                        }));
                }
            }
            let peer = self.reference.device.port(port);
            assert_eq!(states[port] == 0, !peer.is_up(), "{at}");
            assert_eq!(states[port] == 4, peer.is_faulty(), "{at}");
            let delay = (states[port] == 3).then(|| i64::from(delays[port] as u16 as i16));
            assert_eq!(delay, peer.delay(), "{at}");
            self.seen.faulty += u64::from(peer.is_faulty());
        }
        let counter = self.reference.device.counter(tick);
        self.seen.wraps += u64::from(counter.low() < 8 && tick > 8);
        self.events(tick);
    }

    /// Events of this tick are what the counts of the port have grown by.
    fn events(&mut self, tick: u64) {
        let bits = self.bench.get_each("events", 2);
        for (port, bits) in bits.into_iter().enumerate() {
            let counts = self.reference.device.port(port).counts();
            let before = std::mem::replace(&mut self.counts[port], counts);
            let bit = |n: u32| bits >> n & 1;
            let expected = [
                (bit(0), counts.sent - before.sent),
                (bit(1), counts.beacons - before.beacons),
                (bit(2), counts.jumps - before.jumps),
                (bit(3), counts.out_of_range - before.out_of_range),
                (bit(4), counts.unexpected - before.unexpected),
            ];
            assert!(expected.iter().all(|(a, b)| a == b), "tick {tick}, port {port}: {expected:?}");
            let jump = bit(2) * (bits >> 5);
            assert_eq!(
                before.largest_jump.max(jump),
                counts.largest_jump,
                "tick {tick}, port {port}"
            );
        }
    }
}

fn compare(ports: usize, clocks_per_tick: usize, ticks: u64) {
    // A short interval, so that MSBs after 1,024 beacons and periods of 1,000 come within the test; and more jumps than
    // clocks explain, for good peers jump here too.
    let config = Config { most_jumps: 1700, ..Config::new(20) };
    let mut comparison = Comparison::new(ports, clocks_per_tick, config);
    (0..ticks).for_each(|tick| comparison.tick(tick));
    let (seen, reference) = (&comparison.seen, &comparison.reference);
    println!("{ports} ports, {ticks} ticks: {seen:?}");
    println!(
        "{} ahead, {} behind, {} restarts",
        reference.ahead, reference.behind, reference.restarts
    );
    for port in 0..ports {
        let counts = reference.device.port(port).counts();
        println!("{counts:?}");
        assert!(counts.beacons > 2000 && counts.jumps > 1000 && counts.largest_jump == 8);
        assert!(counts.out_of_range > 1000 && counts.unexpected > 1000);
    }
    let kinds = [1, 2, 3, 4, 5, 6, 7].map(|kind| seen.messages[kind]);
    assert!(kinds.iter().all(|count| *count > 200), "{kinds:?}");
    assert!(
        seen.anew > 0 && seen.faulty > 0 && seen.sets > 20 && seen.wraps > 0 && seen.logs > 100
    );
    assert!(reference.ahead > 50 && reference.restarts > 10);
}

/// As many ports as a device is meant for; what they see is as above.
#[test]
fn eight_ports() {
    let mut comparison = Comparison::new(8, 1, Config { most_jumps: 1700, ..Config::new(20) });
    (0..100_000).for_each(|tick| comparison.tick(tick));
    assert!(comparison.reference.ahead > 50 && comparison.seen.messages[3] > 1000);
}

/// Jumps are added up over exactly 1,000 beacons: a tick in each of them is as much as may be, and one less is too little.
#[test]
fn a_period_of_jumps() {
    for (most_jumps, is_faulty) in [(1000, false), (999, true)] {
        let mut comparison = Comparison::new(1, 1, Config { most_jumps, ..Config::new(20) });
        comparison.is_calm = true;
        comparison.links[0] = true;
        comparison.peers[0].habit = Habit::Steady;
        (0..30_000).for_each(|tick| comparison.tick(tick));
        let port = comparison.reference.device.port(0);
        assert_eq!(port.is_faulty(), is_faulty);
        assert!(port.counts().jumps >= 1000 && port.counts().largest_jump == 1);
    }
}

/// A switch, a block each clock.
#[test]
fn four_ports() {
    compare(4, 1, 600_000);
}

/// A NIC with a block every second clock.
#[test]
fn one_port_at_twice_the_clock() {
    compare(1, 2, 500_000);
}
