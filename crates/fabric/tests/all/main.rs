//! Tests of the fabric.

mod configuration;
mod flows;
mod networks;
mod node;
mod outcome;
mod published;
mod relay;
mod report;
mod rotors;
mod schedule;
mod workload;
