//! The executor over a network that loses packets, with switches that execute.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use ww_host::executor::{Call, Executor, Outcome, Patience, has_stored};
use ww_host::guard::{CannotGuard, by_hops, guarded, targeted};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::execute::{Settings, execute};
use ww_tpp::header::WordSize;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::switch_memory::PlainMemory;

fn program(text: &str, hops: u16) -> Repr {
    let options = Options { hops: Some(hops), ..Options::default() };
    assemble(text, &options).expect("a good program")
}

fn switch(id: u32) -> PlainMemory {
    PlainMemory::new().with("Switch:SwitchID", id).with("Link:AppSpecific_0", 0)
}

/// Switches in a row, and a way back, which lose packets.
struct Network {
    switches: Vec<PlainMemory>,
    loss: f64,
    draws: fastrand::Rng,
}

impl Network {
    /// What comes back, if anything does.
    fn carry(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.draws.f64() < self.loss {
            return None;
        }
        let mut bytes = bytes.to_vec();
        for memory in &mut self.switches {
            let mut tpp = Tpp::new(bytes.as_mut_slice()).expect("a good TPP");
            execute(&mut tpp, memory, &Settings::default());
        }
        (self.draws.f64() >= self.loss).then_some(bytes)
    }

    /// Sends and waits until nothing is under way.
    fn run(&mut self, executor: &mut Executor) {
        let (mut now, mut out) = (0, Vec::new());
        while let Some(next) = executor.poll(now, &mut out) {
            for outgoing in out.drain(..) {
                if let Some(bytes) = self.carry(&outgoing.tpp) {
                    assert!(executor.returned(outgoing.port, &bytes));
                    assert!(!executor.returned(outgoing.port, &bytes), "once");
                }
            }
            now = next;
        }
    }
}

const HOST: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const FIVE: Patience = Patience { tries: 5, timeout: 1000 };

/// Acceptance check 29 of spec 003: a packet and its answer get through with 0.7^2, so that five tries succeed with
/// 1 - 0.51^5 = 0.9655; 4 standard deviations of 10,000 calls are 0.0073. A call takes 1.88 datagrams in the mean.
#[test]
fn reliable_reads_succeed_at_the_predicted_rate() {
    let mut network =
        Network { switches: vec![switch(7)], loss: 0.3, draws: fastrand::Rng::with_seed(1) };
    let mut executor = Executor::new();
    let read = program("PUSH [Switch:SwitchID]", 1);
    let calls: Vec<Call> = (0..10_000).map(|_| executor.reliable(&read, HOST, FIVE)).collect();
    network.run(&mut executor);
    let mut good = 0;
    for call in calls {
        match executor.outcome(call).expect("it has ended") {
            Outcome::Returned(tpp) => {
                assert_eq!(tpp.words().collect::<Vec<_>>(), [7]);
                good += 1;
            }
            Outcome::Lost => {}
        }
    }
    let (rate, sent) = (f64::from(good) / 10_000.0, executor.sent() as f64 / 10_000.0);
    assert!((rate - 0.9655).abs() < 0.0073, "{rate}");
    let expected: f64 = (0..5).map(|n| 0.51f64.powi(n)).sum();
    assert!((sent - expected).abs() < 0.06, "{sent} {expected}");
}

/// The same check: increments by read and CSTORE, each sent as often as it takes. The register counts those that have
/// happened, whatever was lost; none happened twice.
#[test]
fn a_retried_cstore_applies_once() {
    let mut network =
        Network { switches: vec![switch(7)], loss: 0.3, draws: fastrand::Rng::with_seed(2) };
    let address = ww_tpp::map::lookup("Link:AppSpecific_0").expect("a name");
    let many = Patience { tries: 40, timeout: 1 };
    for round in 0..1000 {
        let (old, new) = (round, round + 1);
        let text = format!(
            ".report-back\n.memory {old}, {new}\n\
             CSTORE [Link:AppSpecific_0], [Packet:Word[0]], [Packet:Word[1]]"
        );
        let mut executor = Executor::new();
        let call = executor.reliable(&program(&text, 1), HOST, many);
        network.run(&mut executor);
        let Some(Outcome::Returned(tpp)) = executor.outcome(call) else { panic!("lost") };
        let slot = tpp.words().next().expect("a word");
        assert!(has_stored(slot, old, new, WordSize::Four));
        assert_eq!(network.switches[0].get(address), Some(new));
    }
    assert!(!has_stored(5, 3, 4, WordSize::Four) && has_stored(0x1_0003, 3, 4, WordSize::Two));
}

/// The same check: twenty switches in a row, of which three are not there; the others answer.
#[test]
fn scatter_and_gather() {
    let switches = (1..=20).filter(|id| ![4, 11, 20].contains(id)).map(switch).collect();
    let mut network = Network { switches, loss: 0.3, draws: fastrand::Rng::with_seed(3) };
    let store = program(
        "LOAD [Switch:SwitchID], [Packet:Word[0]]\nSTORE [Link:AppSpecific_0], [Packet:Word[0]]",
        1,
    );
    // The number of the switch goes into its own register.
    let patience = Patience { tries: 30, timeout: 10 };
    let mut executor = Executor::new();
    let calls: BTreeMap<u32, Call> = (1..=20)
        .map(|id| {
            let tpp = targeted(&store, id).expect("there is room");
            (id, executor.reliable(&tpp, HOST, patience))
        })
        .collect();
    network.run(&mut executor);
    assert_eq!(executor.open(), 0);
    let pushed: BTreeMap<u32, u32> = calls
        .into_iter()
        .map(|(id, call)| match executor.outcome(call).expect("it has ended") {
            // The guard's word, then what the program has.
            Outcome::Returned(tpp) => (id, tpp.words().nth(1).expect("a word")),
            Outcome::Lost => (id, 0),
        })
        .collect();
    for (id, word) in pushed {
        let is_there = ![4, 11, 20].contains(&id);
        assert_eq!(word, if is_there { id } else { 0 }, "switch {id}");
    }
    let address = ww_tpp::map::lookup("Link:AppSpecific_0").expect("a name");
    for memory in &network.switches {
        assert_eq!(memory.get(address), memory.get(0), "its own number");
    }
}

/// Acceptance check 10, second half, and large programs: hops in blocks of a power of two.
#[test]
fn a_long_path_in_parts() {
    let collect =
        program("PUSH [Switch:SwitchID]\nPUSH [Link:AppSpecific_0]\nPUSH [Switch:SwitchID]", 1);
    let parts = by_hops(&collect, 40).expect("it only pushes");
    // 247 bytes hold 20 hops of 12, of which 16 are a power of two.
    let sizes: Vec<(u8, u8)> = parts.iter().map(|part| (part.first, part.hops)).collect();
    assert_eq!(sizes, [(0, 16), (16, 16), (32, 8)]);
    let mut switches: Vec<PlainMemory> = (100..137).map(switch).collect();
    let mut found = Vec::new();
    for part in &parts {
        let mut bytes = part.tpp.emit();
        for memory in &mut switches {
            let mut tpp = Tpp::new(bytes.as_mut_slice()).expect("good");
            execute(&mut tpp, memory, &Settings::default());
        }
        found.extend(part.values(&Repr::parse(&Tpp::new(bytes).expect("good"))));
    }
    let wanted: Vec<Vec<u32>> = (100..137).map(|id| vec![id, 0, id]).collect();
    assert_eq!(found, wanted);
    let loads = program(".memory 0\nLOAD [Switch:SwitchID], [Packet:Word[0]]", 1);
    assert_eq!(by_hops(&loads, 4), Err(CannotGuard::NotOnlyPushes));
}

#[test]
fn guards_move_operands_and_know_their_bounds() {
    let text = ".word 16\n.memory 1, 2, 3, 4\nCSTORE [Link:AppSpecific_0], [Packet:Word[0]], [Packet:Word[1]]\n\
                LOAD [Switch:SwitchID], [Packet:Word[3]]";
    let tpp = program(text, 1);
    let with = guarded(&tpp, 0, 0xffff_0000, 0x0007_0000).expect("there is room");
    let operands: Vec<(u8, u8)> =
        with.instructions.iter().map(|i| (i.first(), i.second())).collect();
    assert_eq!(operands[..2], [(0, 2), (4, 5)]);
    assert_eq!(operands[2].0, 7);
    assert_eq!(with.memory[..8], [0xff, 0xff, 0, 0, 0, 7, 0, 0]);
    let five = program(&"PUSH [Switch:SwitchID]\n".repeat(5), 1);
    assert_eq!(targeted(&five, 1), Err(CannotGuard::Instructions));
    let full = program("PUSH [Switch:SwitchID]", 63);
    assert_eq!(targeted(&full, 1), Err(CannotGuard::Memory));
    let hop = program(".mode hop\nLOAD [Switch:SwitchID], [Packet:Hop[0]]", 2);
    assert_eq!(targeted(&hop, 1), Err(CannotGuard::HopMode));
}
