//! Tests of the fabric.

mod configuration;
mod flows;
mod networks;
mod outcome;
mod published;
mod relay;
mod report;
mod rotors;
mod schedule;
mod workload;
