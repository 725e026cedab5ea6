//! What schedulers do in software, measured beside what was published of PIEO: the sections of `ww sched report`
//! that need no hardware, and those that put hardware beside software.
//!
//! Published: V. Shrivastav, "Towards High-Speed Networking in the Post-Moore Era" (2020), chapter 2; figures
//! are those of this chapter.

pub mod deviation;
pub mod gallery;
pub mod limits;
mod link;
pub mod six_packets;
pub mod software_rate;
mod statistics;
