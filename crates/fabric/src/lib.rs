//! Shoal, a fabric of circuit switches (Shrivastav et al., NSDI 2019): hosts that meet each other in a fixed order, one
//! short slot a meeting, and need no other scheduler.
//!
//! - [`schedule`]: who sends to whom in which slot, and what each switch of a folded Clos network does for it.
//! - [`flows`]: what hosts have to send, as a text of one line a flow.
//! - [`published`]: a simulator with the rules of the authors' public one.
//! - [`relay`]: a simulator of hosts that relay cells, with four rules, any schedule and any delay.
//! - [`rotors`]: a simulator of fabrics whose switches turn slowly: RotorNet, Opera, Vermilion.
//! - [`observed`]: hardware instead of a simulator, and what an observer counts of it.
//! - [`configuration`]: rules, profiles and options of a simulation, and what does not go together.
//! - [`prototype`]: what the hardware in `rtl/shoal` does of that, and what it does not.
//! - [`offsets`]: slot clocks of its hosts that are not on time.
//! - [`node`]: the fabric in the place of a switch of a packet network.
//! - [`workload`]: flows of the document's traffic, drawn at random.
//! - [`outcome`]: what a run has counted, as JSON and as a line a flow; [`trace`]: each cell that it sent.
//! - [`fairness`]: what pairs of hosts get, beside their max-min fair rates.
//! - [`report`]: power, cost and parts beside networks of packet switches.
//! - [`bound`], [`reorder`], [`barrier`]: what simulators are made of, whatever their rules.
//!
//! Nothing here reads a clock or a file.

pub mod barrier;
pub mod bound;
pub mod configuration;
pub mod fairness;
pub mod flows;
mod incoming;
pub mod node;
pub mod observed;
pub mod offsets;
pub mod outcome;
mod plan;
pub mod prototype;
pub mod published;
mod queue;
pub mod relay;
pub mod reorder;
pub mod report;
mod ring;
pub mod rotors;
pub mod schedule;
pub mod trace;
pub mod workload;
