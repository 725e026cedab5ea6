//! What happens to packets on their paths (spec 003, section 2.20): where they have been and how long each part took
//! ([`DISCOVER`]), and what else switches know of it, by staged collection ([`Survey`]): the first TPP finds the path, one
//! for each of its switches asks for more.

pub mod lab;
mod results;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use ww_host::executor::{Call, Executor, Outcome, Patience};
use ww_host::guard::targeted;
use ww_tpp::header::WordSize;
use ww_tpp::instruction::{Instruction, Opcode};
use ww_tpp::map;
use ww_tpp::packet::Repr;

/// What packets collect at each hop, for the assembler: 20 bytes.
pub const DISCOVER: &str = "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:InputPort]\n\
                            PUSH [PacketMetadata:OutputPort]\nPUSH [Switch:Clock]\n\
                            PUSH [Link:QueueOccupancy]\n";

/// Words that [`DISCOVER`] takes a hop.
pub const WORDS: usize = 5;

/// What a packet has found at a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// `Switch:SwitchID`.
    pub switch: u32,
    /// Where it came in.
    pub input: u32,
    /// Where it went out.
    pub output: u32,
    /// Low 32 bits of the switch's clock when it joined its queue, ns.
    pub clock: u32,
    /// Bytes in front of it.
    pub queued: u32,
}

/// The hops of what [`DISCOVER`] has collected.
pub fn hops(words: &[u32], executed: u8) -> Vec<Hop> {
    let hops = words.chunks_exact(WORDS).take(executed.into());
    hops.map(|hop| Hop {
        switch: hop[0],
        input: hop[1],
        output: hop[2],
        clock: hop[3],
        queued: hop[4],
    })
    .collect()
}

/// How long a hop took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// From the queue of this switch to the queue of the next one, ns, if their clocks are the same; `None` of the last
    /// one. Below 4.3 s.
    pub to_next: Option<u32>,
    /// Of that the time that bytes in front of the packet took, ns; `None` if the link's rate is not known.
    pub queueing: Option<u64>,
}

/// The parts of a packet's delay: `occupancy * 8 / rate` and what the clocks say. `rate` gives bits a second of the link
/// that a hop sends on. Gaps and preambles of frames in the queue are not known, nor how much of the frame that is being
/// sent is left: queueing is what it says or more.
pub fn breakdown(hops: &[Hop], rate: impl Fn(&Hop) -> Option<u64>) -> Vec<Delay> {
    let next = hops.iter().skip(1).map(Some).chain([None]);
    hops.iter()
        .zip(next)
        .map(|(hop, next)| Delay {
            to_next: next.map(|next| next.clock.wrapping_sub(hop.clock)),
            queueing: rate(hop)
                .filter(|rate| *rate > 0)
                .map(|rate| u64::from(hop.queued) * 8_000_000_000 / rate),
        })
        .collect()
}

/// Values that a TPP for one switch has room for besides its guard.
pub const MOST_VALUES: usize = 4;

/// What a switch has answered: values by the names that were asked for.
pub type Answers = BTreeMap<String, u32>;

/// A staged collection.
#[derive(Debug)]
pub struct Survey {
    to: Ipv4Addr,
    patience: Patience,
    names: Vec<String>,
    discovery: Option<Call>,
    path: Vec<Hop>,
    asked: Vec<(usize, Call)>,
    answers: BTreeMap<usize, Option<Answers>>,
}

/// How far a survey is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Some TPPs are under way.
    UnderWay,
    /// The first TPP did not come back.
    NoPath,
    /// All have returned or are lost. By hop: what was found, and the answers; `None` if the switch did not answer, as the
    /// packets did not come by it any more, or were lost.
    Done(Vec<(Hop, Option<Answers>)>),
}

impl Survey {
    /// Of the path to a host, with names of statistics of the links on it, as `TX-Bytes`: at most [`MOST_VALUES`] of `Link`.
    /// `None` if there is no such name, or too many.
    pub fn new(to: Ipv4Addr, names: &[&str], patience: Patience) -> Option<Self> {
        let known = names.iter().all(|name| map::lookup(&format!("Link$0:{name}")).is_ok());
        let is_good = known && (1..=MOST_VALUES).contains(&names.len());
        is_good.then(|| Self {
            to,
            patience,
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            discovery: None,
            path: Vec::new(),
            asked: Vec::new(),
            answers: BTreeMap::new(),
        })
    }

    /// The TPP for one switch: statistics of the link at a port.
    fn question(&self, hop: &Hop, app_tag: u8) -> Option<Repr> {
        let push = |name: &String| {
            let address = map::lookup(&format!("Link${}:{name}", hop.output)).ok()?;
            Some(Instruction::new(Opcode::Push, address, 0, 0))
        };
        let instructions: Option<Vec<Instruction>> = self.names.iter().map(push).collect();
        let memory = vec![0; 4 * self.names.len()];
        let tpp = Repr {
            word: WordSize::Four,
            app_tag,
            instructions: instructions?,
            memory,
            ..Repr::default()
        };
        targeted(&tpp, hop.switch).ok()
    }

    /// Sends what can be sent, and takes what has returned. `discover` is [`DISCOVER`], assembled for as many hops as
    /// the path may have. The driver of the executor calls this after each returned TPP, and before [`Executor::poll`].
    pub fn advance(&mut self, discover: &Repr, executor: &mut Executor) -> Progress {
        let Some(discovery) = self.discovery else {
            self.discovery = Some(executor.reliable(discover, self.to, self.patience));
            return Progress::UnderWay;
        };
        if self.path.is_empty() {
            match executor.outcome(discovery) {
                None => return Progress::UnderWay,
                Some(Outcome::Lost) => return Progress::NoPath,
                Some(Outcome::Returned(tpp)) => {
                    let words: Vec<u32> = tpp.words().collect();
                    self.path = hops(&words, tpp.hop);
                }
            }
            if self.path.is_empty() {
                return Progress::NoPath;
            }
            for (number, hop) in self.path.iter().enumerate() {
                match self.question(hop, discover.app_tag) {
                    Some(tpp) => {
                        let call = executor.reliable(&tpp, self.to, self.patience);
                        self.asked.push((number, call));
                    }
                    // A port that the memory map has no place for.
                    None => drop(self.answers.insert(number, None)),
                }
            }
        }
        self.asked.retain(|(number, call)| {
            let Some(outcome) = executor.outcome(*call) else { return true };
            let answers = match outcome {
                Outcome::Returned(tpp) => read(&self.names, &tpp),
                Outcome::Lost => None,
            };
            self.answers.insert(*number, answers);
            false
        });
        if !self.asked.is_empty() {
            return Progress::UnderWay;
        }
        let found =
            |(number, hop): (usize, &Hop)| (*hop, self.answers.get(&number).cloned().flatten());
        Progress::Done(self.path.iter().enumerate().map(found).collect())
    }
}

/// What the one switch has pushed behind the guard's operand; `None` if the TPP has not met it.
fn read(names: &[String], tpp: &Repr) -> Option<Answers> {
    let words: Vec<u32> = tpp.words().collect();
    let values = words.get(1..1 + names.len())?;
    let pushed = usize::from(tpp.stack_pointer) == 4 * (1 + names.len());
    pushed.then(|| names.iter().cloned().zip(values.iter().copied()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,500 bytes at 100 Mb/s are 120 us; clocks wrap after 2^32 ns.
    #[test]
    fn parts_of_a_delay_by_hand() {
        let words = [1, 0, 3, u32::MAX - 99, 1500, 2, 1, 4, 150_000, 0, 9, 9, 9, 9, 9];
        let hops = hops(&words, 2);
        let rate = |hop: &Hop| (hop.switch == 1).then_some(100_000_000);
        let found = breakdown(&hops, rate);
        let wanted = [
            Delay { to_next: Some(150_100), queueing: Some(120_000) },
            Delay { to_next: None, queueing: None },
        ];
        assert_eq!(found, wanted);
        assert!(Survey::new(Ipv4Addr::LOCALHOST, &["NoSuch"], PATIENCE).is_none());
        assert!(Survey::new(Ipv4Addr::LOCALHOST, &["ID"; 5], PATIENCE).is_none());
    }

    const PATIENCE: Patience = Patience { tries: 2, timeout: 1000 };
}
