//! The ordered lists of `rtl/pieo` under Verilator, one operation after the other.

use crate::design::SourceFile;
use crate::runner::Error;
use crate::runner::cache::Cache;
use crate::runner::compile::{Effort, Options, build_files};
use crate::runner::model::{Model, Signal};
use crate::runner::tools::Tools;
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
    model: Model,
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
    rst: Signal,
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
        let top = "ww_list";
        let files = [SourceFile { name: format!("{top}.sv"), text: wrapper(top, block, &limits) }];
        let options = Options { effort: Effort::Fast, waveform: None };
        let path = build_files(top, &files, options, &Tools::find()?, &Cache::open()?)?;
        let model = Model::load(&path, 1)?;
        let signal = |name: &str| {
            model.signal(name).ok_or_else(|| Error::Model(format!("the model has no port {name}")))
        };
        let signals = Signals {
            rst: signal("rst")?,
            op_valid: signal("op_valid")?,
            op_ready: signal("op_ready")?,
            op_code: signal("op_code")?,
            op_id: signal("op_id")?,
            op_rank: signal("op_rank")?,
            op_time: signal("op_time")?,
            op_now: signal("op_now")?,
            op_lo: signal("op_lo")?,
            op_hi: signal("op_hi")?,
            result_valid: signal("result_valid")?,
            result_found: signal("result_found")?,
            result_id: signal("result_id")?,
            result_rank: signal("result_rank")?,
            result_time: signal("result_time")?,
            result_error: signal("result_error")?,
            occupancy: signal("occupancy")?,
        };
        let present = vec![false; limits.capacity as usize];
        let mut list = Self { model, limits, signals, present, clocks: 0 };
        list.model.set(list.signals.op_valid, 0);
        list.model.set(list.signals.rst, 1);
        list.clock()?;
        list.clock()?;
        list.model.set(list.signals.rst, 0);
        list.clocks = 0;
        Ok(list)
    }

    /// Clocks since reset.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    fn clock(&mut self) -> Result<(), Error> {
        self.model.edge()?;
        self.model.settle()?;
        self.clocks += 1;
        Ok(())
    }

    /// One operation; its result.
    fn operate(&mut self, code: u64, operands: &[(Signal, u64)]) -> Result<Answer, Error> {
        // It clears its map after reset, and reads sublist by sublist for ranges.
        let patience = self.clocks + 16 * u64::from(self.limits.capacity) + 1000;
        let late = || Error::Model("the module does not answer".to_owned());
        self.model.set(self.signals.op_code, code);
        for (signal, value) in operands {
            self.model.set(*signal, *value);
        }
        self.model.set(self.signals.op_valid, 1);
        self.model.settle()?;
        while self.model.get(self.signals.op_ready) == 0 {
            self.clock()?;
            if self.clocks > patience {
                return Err(late());
            }
        }
        self.clock()?;
        self.model.set(self.signals.op_valid, 0);
        self.model.settle()?;
        while self.model.get(self.signals.result_valid) == 0 {
            self.clock()?;
            if self.clocks > patience {
                return Err(late());
            }
        }
        let get = |signal| self.model.get(signal);
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
            Operation::Len => Answer::Length(self.model.get(occupancy)),
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

/// The module with these limits, under a name of its own.
fn wrapper(top: &str, block: Block, limits: &Limits) -> String {
    let Limits { capacity, rank_bits, time_bits, .. } = *limits;
    let range = |bits: u32| format!("[{}:0]", bits - 1);
    let (rank, time) = (range(rank_bits), range(time_bits));
    let id = range((capacity - 1).ilog2() + 1);
    let count = range(capacity.ilog2() + 1);
    let module = block.module();
    let least = match block {
        Block::Pieo => ", .least_of('0), .least_any(), .least_time()",
        Block::PieoFast | Block::PieoPipelined => "",
    };
    format!(
        "module {top} (
    input  logic clk, rst,
    input  logic op_valid,
    output logic op_ready,
    input  logic [1:0] op_code,
    input  logic {id} op_id, op_lo, op_hi,
    input  logic {rank} op_rank,
    input  logic {time} op_time, op_now,
    output logic result_valid, result_found,
    output logic {id} result_id,
    output logic {rank} result_rank,
    output logic {time} result_time,
    output logic [2:0] result_error,
    output logic {count} occupancy
);
    // What the hierarchy needs is not connected here.
    // verilator lint_off PINCONNECTEMPTY
    {module} #(.N({capacity}), .RANK_BITS({rank_bits}), .TIME_BITS({time_bits})) list_i (.*{least});
    // verilator lint_on PINCONNECTEMPTY
endmodule
"
    )
}
