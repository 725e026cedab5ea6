//! The integration tests of this crate, in one binary: one link instead of many.

mod driver;
mod equality;
mod fairness;
mod operations;
mod p4_policies;
mod policy_file;
mod scheduler;
mod shaping;
mod traffic;
mod wf2q_vector;
