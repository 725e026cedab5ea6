//! Tests of the fabric.

mod flows;
mod outcome;
mod published;
mod report;
mod schedule;
mod workload;
