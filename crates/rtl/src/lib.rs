//! P4 pipelines as hardware.
//!
//! - [`bench`] simulates any module, with typed access to its ports.
//! - [`ddr4`] is a memory beside a module in simulation.
//! - [`design`] is a program as SystemVerilog.
//! - [`emit`] makes it from the pipeline IR.
//! - [`manifest`] is what software must know of it.
//! - [`api`] makes the folder that `ww build` writes of it.
//! - [`layout`] says where the fields of a packed structure are.
//! - [`library`] has the blocks that it is made of.
//! - [`ordered_list`] has the scheduler blocks of `rtl/pieo` execute operations.
//! - [`policy_block`] makes scheduling policies in P4 modules for `rtl/scheduler`.
//! - [`report`] measures it: clocks, area, frequency.
//! - [`sched_report`] measures schedulers beside what was published: `ww sched report`.
//! - [`shoal_prototype`] drives the fabric of 8 hosts of `rtl/shoal`.
//! - [`tcp_report`] has what the blocks of a TCP/IP host cost: `ww tcp report`.
//! - [`toe`] drives TCP in hardware: `rtl/toe` and `rtl/limago`.
//! - [`tpp_block`] drives the TCPU of `rtl/tpp`.
//! - [`two_level`] drives the hierarchical scheduler of `rtl/scheduler`.
//! - [`runner`] makes a model of it with Verilator, and of the model an engine.

pub mod api;
pub mod bench;
pub mod ddr4;
pub mod design;
pub mod emit;
pub mod geometry;
pub mod layout;
pub mod library;
pub mod manifest;
pub mod ordered_list;
pub mod policy_block;
pub mod report;
pub mod runner;
pub mod sched_report;
mod shadow;
pub mod shoal_prototype;
pub mod tcp_report;
pub mod toe;
pub mod tpp_block;
pub mod two_level;
