//! The integration tests of this crate, in one binary: one link instead of many.

mod architectures;
mod build;
mod captures;
mod cli;
mod corpus;
mod ctl;
mod hardware_modules;
mod hardware_options;
mod judge;
mod lab;
mod lab_seeds;
mod lab_stack;
mod memory_ports;
mod phy;
mod report;
mod sched;
mod scheduler;
mod signals;
mod stf_corpus;
mod switch;
mod tpp;
mod tpp_deploy;
mod tpp_histories;
mod tpp_shim;
mod tpp_switch;
