//! The ordered lists of `rtl/pieo` under Verilator, one operation after the other.

use crate::bench::{Bench, Top};
use crate::runner::Error;
use crate::runner::model::Signal;
use ww_blocks::facts::pieo::{
    DEQUEUE, DEQUEUE_ID, DEQUEUE_RANGE, ENQUEUE, ERROR_DUPLICATE, ERROR_FULL, ERROR_ID, ERROR_NONE,
    ERROR_RANGE,
};
use ww_sched::list::{Element, Limits, Refusal};
use ww_sched::operations::{Answer, Implementation, Operand, Operation};

/// Which module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// `ww_pieo`: the published architecture, 4 clocks an operation.
    Pieo,
    /// `ww_pieo_fast`: 2 clocks an operation.
    PieoFast,
    /// `ww_pieo_pipelined`: an operation every clock.
    PieoPipelined,
}

impl Block {
    fn module(self) -> &'static str {
        match self {
            Self::Pieo => "ww_pieo",
            Self::PieoFast => "ww_pieo_fast",
            Self::PieoPipelined => "ww_pieo_pipelined",
        }
    }
}

/// Fewest elements that the modules take.
pub const LEAST_CAPACITY: u32 = 4;
/// Most elements that are worth simulating.
pub const MOST_CAPACITY: u32 = 65_536;

/// A module in simulation.
pub struct SimulatedList {
    bench: Bench,
    limits: Limits,
    signals: Signals,
    /// Ids in the list: the ports have no place for ranks and times that are too large, and a
    /// duplicate comes before these.
    present: Vec<bool>,
    /// Clocks since reset.
    clocks: u64,
}

/// Ports by name.
struct Signals {
    op_valid: Signal,
    op_ready: Signal,
    op_code: Signal,
    op_id: Signal,
    op_rank: Signal,
    op_time: Signal,
    op_now: Signal,
    op_lo: Signal,
    op_hi: Signal,
    result_valid: Signal,
    result_found: Signal,
    result_id: Signal,
    result_rank: Signal,
    result_time: Signal,
    result_error: Signal,
    occupancy: Signal,
}

impl Signals {
    fn of(bench: &Bench) -> Result<Self, Error> {
        Ok(Self {
            op_valid: bench.port("op_valid")?,
            op_ready: bench.port("op_ready")?,
            op_code: bench.port("op_code")?,
            op_id: bench.port("op_id")?,
            op_rank: bench.port("op_rank")?,
            op_time: bench.port("op_time")?,
            op_now: bench.port("op_now")?,
            op_lo: bench.port("op_lo")?,
            op_hi: bench.port("op_hi")?,
            result_valid: bench.port("result_valid")?,
            result_found: bench.port("result_found")?,
            result_id: bench.port("result_id")?,
            result_rank: bench.port("result_rank")?,
            result_time: bench.port("result_time")?,
            result_error: bench.port("result_error")?,
            occupancy: bench.port("occupancy")?,
        })
    }
}

impl SimulatedList {
    /// Builds the model, or takes the one that is kept, and resets it.
    ///
    /// # Errors
    /// The limits are none of the module's, the tools are missing, or the model does not work.
    pub fn new(block: Block, limits: Limits) -> Result<Self, Error> {
        if !(LEAST_CAPACITY..=MOST_CAPACITY).contains(&limits.capacity) {
            return Err(Error::Model(format!(
                "{} is simulated with {LEAST_CAPACITY} to {MOST_CAPACITY} elements, not {}",
                block.module(),
                limits.capacity
            )));
        }
        let top = Top::of(block.module())
            .with("N", limits.capacity)
            .with("RANK_BITS", limits.rank_bits)
            .with("TIME_BITS", limits.time_bits);
        let mut bench = Bench::new(&top)?;
        let signals = Signals::of(&bench)?;
        bench.reset(2)?;
        let present = vec![false; limits.capacity as usize];
        Ok(Self { bench, limits, signals, present, clocks: 0 })
    }

    /// Clocks since reset.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    fn clock(&mut self) -> Result<(), Error> {
        self.bench.edge()?;
        self.bench.settle()?;
        self.clocks += 1;
        Ok(())
    }

    /// One operation; its result.
    fn operate(&mut self, code: u64, operands: &[(Signal, u64)]) -> Result<Answer, Error> {
        // It clears its map after reset, and reads sublist by sublist for ranges.
        let patience = self.clocks + 16 * u64::from(self.limits.capacity) + 1000;
        let late = || Error::Model("the module does not answer".to_owned());
        self.bench.set(self.signals.op_code, code);
        for (signal, value) in operands {
            self.bench.set(*signal, *value);
        }
        self.bench.set(self.signals.op_valid, 1);
        self.bench.settle()?;
        while self.bench.get(self.signals.op_ready) == 0 {
            self.clock()?;
            if self.clocks > patience {
                return Err(late());
            }
        }
        self.clock()?;
        self.bench.set(self.signals.op_valid, 0);
        self.bench.settle()?;
        while self.bench.get(self.signals.result_valid) == 0 {
            self.clock()?;
            if self.clocks > patience {
                return Err(late());
            }
        }
        let get = |signal| self.bench.get(signal);
        let answer = match get(self.signals.result_error) {
            ERROR_NONE if code == ENQUEUE => Answer::Done,
            ERROR_NONE if get(self.signals.result_found) == 0 => Answer::Nobody,
            ERROR_NONE => Answer::Element(Element {
                id: get(self.signals.result_id) as u32,
                rank: get(self.signals.result_rank),
                eligible: get(self.signals.result_time),
            }),
            ERROR_ID => Answer::Refused(Refusal::Id),
            ERROR_DUPLICATE => Answer::Refused(Refusal::Duplicate),
            ERROR_RANGE => Answer::Refused(Refusal::Range),
            ERROR_FULL => Answer::Refused(Refusal::Full),
            other => return Err(Error::Model(format!("the module has no error {other}"))),
        };
        self.clock()?;
        Ok(answer)
    }

    fn dispatch(&mut self, operation: &Operation) -> Result<Answer, Error> {
        let Limits { ids, .. } = self.limits;
        let (max_rank, max_time) = (self.limits.max_rank(), self.limits.max_time());
        // The largest number that the ports for ids can have.
        let widest = u64::from((ids.next_power_of_two() - 1).max(1));
        let ready = |id: Operand| id.at_most(widest);
        let Signals { op_id, op_rank, op_time, op_now, op_lo, op_hi, occupancy, .. } = self.signals;
        let answer = match *operation {
            Operation::Enqueue { id, .. } | Operation::DequeueId { id } if !ready(id) => {
                return Ok(Answer::Refused(Refusal::Id));
            }
            Operation::Enqueue { id, rank, eligible } => {
                if id.at_most(u64::from(ids) - 1)
                    && !(rank.at_most(max_rank) && eligible.at_most(max_time))
                {
                    let present = self.present[id.value as usize];
                    let reason = if present { Refusal::Duplicate } else { Refusal::Range };
                    return Ok(Answer::Refused(reason));
                }
                let operands =
                    [(op_id, id.value), (op_rank, rank.value), (op_time, eligible.value)];
                let answer = self.operate(ENQUEUE, &operands)?;
                if answer == Answer::Done {
                    self.present[id.value as usize] = true;
                }
                answer
            }
            Operation::DequeueId { id } => self.operate(DEQUEUE_ID, &[(op_id, id.value)])?,
            Operation::Dequeue { now } | Operation::DequeueRange { now, .. }
                if !now.at_most(max_time) =>
            {
                Answer::Refused(Refusal::Range)
            }
            Operation::Dequeue { now } => self.operate(DEQUEUE, &[(op_now, now.value)])?,
            Operation::DequeueRange { lo, .. } if !ready(lo) => Answer::Nobody,
            Operation::DequeueRange { now, lo, hi } => {
                let last = if ready(hi) { hi.value } else { widest };
                let operands = [(op_now, now.value), (op_lo, lo.value), (op_hi, last)];
                self.operate(DEQUEUE_RANGE, &operands)?
            }
            Operation::Len => Answer::Length(self.bench.get(occupancy)),
        };
        if let Answer::Element(element) = answer
            && let Some(present) = self.present.get_mut(element.id as usize)
        {
            *present = false;
        }
        Ok(answer)
    }
}

impl Implementation for SimulatedList {
    fn execute(&mut self, operation: &Operation) -> Result<Answer, String> {
        self.dispatch(operation).map_err(|error| error.to_string())
    }
}
