//! The integration tests of this crate, in one binary: one link instead of many.

mod architectures;
mod jit_equality;
mod large_programs;
mod p4_policies;
mod pipeline_equality;
mod program_limits;
mod requests;
mod stf_files;
mod tcpu;
mod v1model_switch;
