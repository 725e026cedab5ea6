//! Tests of the fabric.

mod configuration;
mod flows;
mod outcome;
mod published;
mod relay;
mod report;
mod schedule;
mod workload;
