//! Tests of the fabric.

mod flows;
mod schedule;
