//! Hardware and golden model side by side: the same frames, with the same words about them.

use crate::tpp::programs::{Random, word};
use crate::tpp::switch::Switch;
use std::collections::VecDeque;
use ww_rtl::tpp_block::{Counters, METADATA_WORDS, Memory, Shape, SimulatedTpp, Switches};
use ww_tpp::execute::{AbsentGuard, Settings};
use ww_tpp::frame::{Outcome, execute_frame};
use ww_tpp::packet::Malformed;
use ww_tpp::protection::{Operation, Protection, Rule};

/// How outputs and inputs behave.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// Back to back.
    Full,
    /// With gaps and back-pressure.
    Random,
    /// Inputs back to back; outputs wait until everything inside is full, then take everything.
    Blocked,
}

pub struct Bench {
    pub block: SimulatedTpp,
    pub switch: Switch,
    pub expected: Counters,
    shape: Shape,
    switches: Switches,
    protection: Option<Protection>,
    /// Frames as they must leave, by port, and what was sent.
    waiting: Vec<VecDeque<(Vec<u8>, [u32; METADATA_WORDS])>>,
    promised: Vec<VecDeque<(Vec<u8>, Vec<u8>)>>,
    pace: Random,
    pub compared: u64,
}

impl Bench {
    pub fn new(shape: Shape) -> Self {
        let block = SimulatedTpp::new(shape).expect("Verilator is there");
        let switches = Switches {
            writes_enabled: true,
            protection_enabled: false,
            absent_guard_skipped: false,
        };
        Self {
            block,
            switch: Switch::new(&shape),
            expected: Counters { refused: vec![[0; 7]; shape.ports], ..Counters::default() },
            shape,
            switches,
            protection: None,
            waiting: vec![VecDeque::new(); shape.ports],
            promised: vec![VecDeque::new(); shape.ports],
            pace: Random(7),
            compared: 0,
        }
    }

    /// Sets the switches of hardware and golden model, while nothing is on its way.
    pub fn set(&mut self, switches: Switches) {
        self.switches = switches;
        self.block.switch(switches);
    }

    /// Writes the protection table; it counts once [`Self::set`] enables it.
    pub fn protect(&mut self, rules: &[Rule]) {
        for at in 0..16 {
            let row = rules.get(at).map_or(0, |rule| {
                let write = u64::from(rule.operation == Operation::Write);
                1 << 41
                    | write << 40
                    | u64::from(rule.app_tag) << 32
                    | u64::from(rule.first) << 16
                    | u64::from(rule.last)
            });
            self.block.write(Memory::Protection, at, row).expect("it runs");
            assert_eq!(
                self.block.read(Memory::Protection, at).expect("it runs") & ((1 << 42) - 1),
                row
            );
        }
        self.protection = Some(Protection::new(rules));
    }

    /// Other words in all of switch memory.
    pub fn scramble(&mut self, random: &mut Random) {
        self.switch.scramble(|| word(random));
        self.switch.write_to(&mut self.block);
    }

    pub fn send(&mut self, port: usize, frame: Vec<u8>, metadata: [u32; METADATA_WORDS]) {
        self.block.send(port, frame.clone(), metadata);
        self.waiting[port].push_back((frame, metadata));
    }

    /// Has the golden model do what the hardware does in a clock, in the order of the stages.
    fn admit(&mut self, port: usize) {
        let (before, metadata) = self.waiting[port].pop_front().expect("a frame that was sent");
        let mut frame = before.clone();
        self.switch.metadata = metadata;
        let settings = Settings {
            writes_enabled: self.switches.writes_enabled,
            absent_guard: match self.switches.absent_guard_skipped {
                true => AbsentGuard::Skipped,
                false => AbsentGuard::Fails,
            },
            protection: self.protection.as_ref().filter(|_| self.switches.protection_enabled),
        };
        match execute_frame(&mut frame, &mut self.switch, &settings) {
            Outcome::NoTpp => {}
            Outcome::Malformed(fault) => {
                let number =
                    Malformed::ALL.iter().position(|one| *one == fault).expect("one of all");
                self.expected.refused[port][number] += 1;
            }
            Outcome::Done(report) => {
                let expected = &mut self.expected;
                expected.executed += u32::from(report.executed);
                expected.guards_failed += u32::from(report.guard_failed);
                let counts = [
                    report.absent,
                    report.denied,
                    report.read_only,
                    report.disabled,
                    report.out_of_memory,
                    report.reserved,
                ];
                for (sum, count) in expected.skipped.iter_mut().zip(counts) {
                    *sum += u32::from(count);
                }
            }
        }
        self.promised[port].push_back((before, frame));
    }

    /// Runs until all frames have left, and compares each.
    pub fn run(&mut self, pace: Pace) {
        let all = (1 << self.shape.ports) - 1;
        let limit = self.block.clocks() + 1_000_000;
        while !self.block.is_idle() {
            let (offer, take) = match pace {
                Pace::Full => (all, all),
                Pace::Blocked => (all, if self.block.clocks() & 512 == 0 { 0 } else { all }),
                Pace::Random => {
                    (self.pace.next() | self.pace.next(), self.pace.next() | self.pace.next())
                }
            };
            let events = self.block.clock(offer, take & all).expect("it runs");
            if let Some(port) = events.admitted {
                self.admit(port);
            }
            for port in 0..self.shape.ports {
                while let Some(left) = self.block.receive(port) {
                    let (before, after) =
                        self.promised[port].pop_front().expect("a frame that was sent");
                    assert_eq!(
                        hex(&left.bytes),
                        hex(&after),
                        "frame {} of all, sent as {}",
                        self.compared,
                        hex(&before)
                    );
                    self.compared += 1;
                }
            }
            assert!(self.block.clocks() < limit, "frames do not leave");
        }
    }

    /// Compares switch memory and counters.
    pub fn compare(&mut self) {
        // Counters are a clock behind the results.
        for _ in 0..4 {
            self.block.clock(0, 0).expect("it runs");
        }
        let differences = self.switch.differences(&mut self.block);
        assert!(differences.is_empty(), "{differences:?}");
        assert_eq!(self.block.counters(), self.expected);
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
