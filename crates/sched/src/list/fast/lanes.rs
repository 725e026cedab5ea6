//! Sixty-four times side by side, compared with one time at once.

/// Times of 16 bits in a form that sorts as a signed number, which is what vector units compare.
pub type Time = i16;

/// The time in its sortable form.
pub fn sortable(time: u64) -> Time {
    debug_assert!(time <= u64::from(u16::MAX));
    (time as u16 ^ 0x8000) as i16
}

/// Back from the sortable form.
pub fn plain(time: Time) -> u64 {
    u64::from(time as u16 ^ 0x8000)
}

/// The lanes: two cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Lanes(pub [Time; 64]);

impl Lanes {
    /// All lanes at the latest time.
    pub const LATEST: Self = Self([Time::MAX; 64]);

    /// Bit i is set if lane i is `now` or less.
    #[inline]
    pub fn at_most(&self, now: Time) -> u64 {
        vector::at_most(&self.0, now)
    }

    /// The least lane.
    #[inline]
    pub fn least(&self) -> Time {
        vector::least(&self.0)
    }
}

/// SSE2, which every x86-64 has.
#[cfg(target_arch = "x86_64")]
mod vector {
    use super::Time;
    use std::arch::x86_64::{
        __m128i, _mm_cmpgt_epi16, _mm_extract_epi16, _mm_loadu_si128, _mm_min_epi16,
        _mm_movemask_epi8, _mm_packs_epi16, _mm_set1_epi16, _mm_shuffle_epi32, _mm_shufflelo_epi16,
    };

    #[inline]
    fn load(lanes: &[Time; 64], eighth: usize) -> __m128i {
        let part: &[Time; 8] = lanes.as_chunks().0.get(eighth).expect("eight parts");
        // SAFETY: `part` is 16 readable bytes; the load needs no alignment.
        unsafe { _mm_loadu_si128(part.as_ptr().cast()) }
    }

    #[inline]
    pub fn at_most(lanes: &[Time; 64], now: Time) -> u64 {
        // SAFETY: SSE2 is part of the x86-64 baseline.
        unsafe {
            let now = _mm_set1_epi16(now);
            let mut later = 0;
            for quarter in 0..4 {
                let low = _mm_cmpgt_epi16(load(lanes, 2 * quarter), now);
                let high = _mm_cmpgt_epi16(load(lanes, 2 * quarter + 1), now);
                let mask = _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32;
                later |= u64::from(mask) << (16 * quarter);
            }
            !later
        }
    }

    #[inline]
    pub fn least(lanes: &[Time; 64]) -> Time {
        // SAFETY: SSE2 is part of the x86-64 baseline.
        unsafe {
            let pair = |i: usize| _mm_min_epi16(load(lanes, 2 * i), load(lanes, 2 * i + 1));
            let half =
                _mm_min_epi16(_mm_min_epi16(pair(0), pair(1)), _mm_min_epi16(pair(2), pair(3)));
            let half = _mm_min_epi16(half, _mm_shuffle_epi32::<0b1110>(half));
            let half = _mm_min_epi16(half, _mm_shuffle_epi32::<0b01>(half));
            let half = _mm_min_epi16(half, _mm_shufflelo_epi16::<0b01>(half));
            _mm_extract_epi16::<0>(half) as Time
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod vector {
    use super::Time;

    pub fn at_most(lanes: &[Time; 64], now: Time) -> u64 {
        lanes.iter().enumerate().fold(0, |mask, (i, &t)| mask | (u64::from(t <= now) << i))
    }

    pub fn least(lanes: &[Time; 64]) -> Time {
        lanes.iter().fold(Time::MAX, |least, &t| least.min(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_do_what_the_words_say() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 48) as u16
        };
        for round in 0..2000 {
            let mut lanes = Lanes::LATEST;
            // Narrow values too, so that many are equal.
            let mask = if round % 2 == 0 { u16::MAX } else { 3 };
            lanes.0.fill_with(|| sortable(u64::from(next() & mask)));
            let now = sortable(u64::from(next() & mask));
            let expected: Vec<bool> = lanes.0.iter().map(|&t| plain(t) <= plain(now)).collect();
            let found: Vec<bool> = (0..64).map(|i| lanes.at_most(now) >> i & 1 == 1).collect();
            assert_eq!(found, expected);
            assert_eq!(plain(lanes.least()), lanes.0.iter().map(|&t| plain(t)).min().unwrap());
        }
    }
}
