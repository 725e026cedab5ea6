//! Frames for tests.

use ww_phy::fcs::fcs;

/// A frame of so many bytes with its check sequence.
pub fn frame(bytes: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut frame: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed | 1);
        (state >> 56) as u8
    })
    .take(bytes - 4)
    .collect();
    let sequence = fcs(&frame).to_le_bytes();
    frame.extend(sequence);
    frame
}
