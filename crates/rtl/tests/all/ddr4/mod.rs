//! `ww_ddr4` and the buffers of TCP at a DDR4 memory (spec S49).

mod mover;
mod rings;
