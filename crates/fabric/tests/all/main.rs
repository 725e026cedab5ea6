//! Tests of the fabric.

mod configuration;
mod flows;
mod outcome;
mod published;
mod relay;
mod schedule;
