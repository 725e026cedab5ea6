//! The integration tests of this crate, in one binary: one link instead of many.

mod bench;
mod ddr4;
mod dtp;
mod fresh;
mod generated;
mod lbus;
mod limago;
mod phy;
mod pieo;
mod policies;
mod report;
mod runner;
mod sched_report;
mod shoal;
mod switch;
mod toe;
mod tpp;
mod two_level;
