//! Tests of the fabric.

mod schedule;
