//! What runs the flows of `ww fabric sim`: the model, or hardware under Verilator.

use crate::Failure;
use crate::fabric_args::EngineArgument;
use crate::terminal::waiting;
use indicatif::ProgressBar;
use ww_fabric::configuration::Configuration;
use ww_fabric::flows::Flows;
use ww_fabric::observed::{self, Events, Hardware, Offer, Start};
use ww_fabric::offsets::{ClockCounts, Offsets};
use ww_fabric::outcome::Outcome;
use ww_fabric::schedule::Schedule;
use ww_fabric::trace::Trace;
use ww_rtl::runner::Error;
use ww_rtl::shoal_prototype::{MODULE, SimulatedPrototype};

/// Slots between two changes of what the terminal shows.
const SHOWN_SLOTS: u64 = 1024;

/// One of both.
pub enum Engine {
    /// The simulator of the configuration's rules.
    Model,
    /// The prototype.
    Rtl(Box<Watched>),
}

impl Engine {
    /// Builds the hardware's model, or takes the one that is kept; a terminal shows that it takes its time.
    pub fn new(argument: EngineArgument, offsets: &Offsets) -> Result<Self, Failure> {
        if argument == EngineArgument::Model {
            return Ok(Self::Model);
        }
        let bar = waiting(&format!("building the model of {MODULE}, once"));
        let mut hardware = SimulatedPrototype::new().map_err(|error| failed(&error))?;
        hardware.set_offsets(offsets);
        let is_judged = offsets.are_in_guard();
        Ok(Self::Rtl(Box::new(Watched { hardware, bar, slots: 0, is_judged })))
    }

    /// Runs flows, once.
    pub fn run(
        &mut self,
        configuration: &Configuration,
        flows: &Flows,
        trace: Option<Trace<'_>>,
    ) -> Result<Outcome, Failure> {
        match (self, configuration.relay()) {
            (Self::Rtl(watched), Some(settings)) => {
                let schedule = configuration.schedule();
                let (flows, hardware) = (&flows.flows, watched.as_mut());
                let outcome = match configuration.failures() {
                    None if !hardware.is_judged => {
                        observed::late::run(schedule, settings, flows, hardware, trace)
                    }
                    None => observed::run(schedule, settings, flows, hardware, trace),
                    Some(failures) => observed::failures::run(
                        schedule, settings, failures, flows, hardware, trace,
                    ),
                };
                watched.bar.finish_and_clear();
                outcome.map_err(|error| failed(&error))
            }
            _ => Ok(configuration.run_accepted(flows, trace)?),
        }
    }
}

fn failed(error: &dyn std::fmt::Display) -> Failure {
    Failure::Rejected(format!("--engine rtl: {error}"))
}

/// Hardware whose slots the terminal shows.
pub struct Watched {
    hardware: SimulatedPrototype,
    bar: ProgressBar,
    slots: u64,
    /// No cell may be lost but those whose headers were damaged.
    is_judged: bool,
}

impl Watched {
    fn pass(&mut self, slots: u64) {
        let shown = self.slots / SHOWN_SLOTS;
        self.slots += slots;
        if self.slots / SHOWN_SLOTS > shown {
            self.bar.set_message(format!("slot {}", self.slots));
        }
    }
}

impl Hardware for Watched {
    type Error = Error;

    fn seq_bits(&self) -> u32 {
        self.hardware.seq_bits()
    }

    fn most_cells(&self) -> u64 {
        self.hardware.most_cells()
    }

    fn start(&mut self, offers: &[Offer]) -> Result<(), Error> {
        self.bar.set_message("slot 0");
        self.hardware.start(offers)
    }

    fn damage(&mut self, headers: &[u64]) {
        self.hardware.damage(headers);
    }

    fn may_die(&mut self, lives: &[bool]) {
        self.hardware.may_die(lives);
    }

    fn may_repair(&mut self, schedule: &Schedule, hosts: &[usize]) {
        self.hardware.may_repair(schedule, hosts);
    }

    fn repair(&mut self, pauses: bool, begins: bool) {
        self.hardware.repair(pauses, begins);
    }

    fn lives(&mut self, lives: &[bool], starts: &[Start]) {
        self.hardware.lives(lives, starts);
    }

    fn clock_counts(&self) -> ClockCounts {
        self.hardware.clock_counts()
    }

    fn slot(&mut self, offers: &[Offer], events: &mut Events) -> Result<(), Error> {
        self.pass(1);
        self.hardware.slot(offers, events)
    }

    fn skip(&mut self, slots: u64) {
        self.pass(slots);
        self.hardware.skip(slots);
    }
}
