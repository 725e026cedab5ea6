//! The reference engine, which follows the log of requests and executes sampled packets again.

use crate::run::Problems;
use crate::traffic::Sample;
use crate::updates::Logged;
use std::sync::mpsc::Receiver;
use ww_dataplane::Dataplane;
use ww_engine::interp::Interp;

/// The reference engine at some generation.
pub struct Reference<'r> {
    pub interp: Interp,
    pub generation: u64,
    pub log: Receiver<Logged>,
    pub problems: &'r Problems,
    /// Packets executed.
    pub checked: u64,
    /// Those of them that left.
    pub left: u64,
}

impl Reference<'_> {
    /// Follows the log up to a generation; `false` if the log ends before.
    fn follow(&mut self, to: u64) -> bool {
        while self.generation < to {
            let Ok(Logged { generation, requests }) = self.log.recv() else { return false };
            for (request, found) in requests {
                let expected = request.carry_out(&mut self.interp);
                if expected != found {
                    self.problems.add(format!(
                        "generation {generation}: {request:?} gave {found:?} on the native \
                         engine, {expected:?} on the reference"
                    ));
                }
            }
            self.generation = generation;
        }
        true
    }

    /// Executes the samples again until there are no more, then follows the log to its end.
    pub fn check(mut self, samples: &Receiver<Sample>) -> Self {
        for sample in samples {
            let generation = sample.generation;
            if !self.follow(generation) || self.generation != generation {
                let has = self.generation;
                let text = format!("a packet saw generation {generation}, the log has {has}");
                self.problems.add(text);
                break;
            }
            let mut expected = Vec::new();
            self.interp.receive(sample.port, sample.now, &sample.packet, &mut expected);
            self.checked += 1;
            self.left += expected.len() as u64;
            if expected != sample.output {
                self.problems.add(format!(
                    "generation {generation}, packet {:02x?}\nreference {expected:02x?}\n\
                     native    {:02x?}",
                    sample.packet, sample.output
                ));
                break;
            }
        }
        if self.problems.is_empty() {
            self.follow(u64::MAX);
        }
        self
    }
}
