//! Sixteen bytes and more at a time, by multiplication without carry.
//!
//! A remainder does not change if 128 bits at the front of the bytes are replaced by a multiple of them that reaches
//! only further back: high * (x^n mod P) for the half that is n bits further from the end. So 16 bytes fold into the
//! 16 behind them with two multiplications, and of what is left at the end the remainder is taken by two more and
//! Barrett's reduction. Four folds run beside each other in long frames; in short ones, one does, and the bytes at the
//! end that do not fill 16 are folded as well, so that a frame of 64 bytes needs no table.

/// CRC-32 of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= 16
        && is_x86_feature_detected!("pclmulqdq")
        && is_x86_feature_detected!("sse4.1")
    {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { x86::crc32(bytes) };
    }
    super::slicing::crc32(bytes)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::step;
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_clmulepi64_si128, _mm_cvtsi32_si128, _mm_extract_epi32,
        _mm_loadu_si128, _mm_or_si128, _mm_set_epi32, _mm_set_epi64x, _mm_shuffle_epi8,
        _mm_srli_si128, _mm_xor_si128,
    };

    /// x^n mod P, reflected, one bit further up: what a product of reflected numbers needs.
    const fn power(n: u32) -> i64 {
        // x^0 is bit 31 of a reflected remainder.
        ((step(1 << 31, n) as u64) << 1) as i64
    }

    /// The reflected quotient x^64 / P, 33 bits.
    const fn quotient() -> i64 {
        // Division bit by bit of a polynomial of degree 64, coefficients not reflected.
        let divisor: u128 = 0x1_04c1_1db7;
        let mut rest: u128 = 1 << 64;
        let mut result: u64 = 0;
        let mut n = 64;
        while n >= 32 {
            if rest >> n & 1 == 1 {
                rest ^= divisor << (n - 32);
                result |= 1 << (n - 32);
            }
            n -= 1;
        }
        // Reflected in 33 bits.
        (result.reverse_bits() >> 31) as i64
    }

    /// The polynomial, reflected in 33 bits.
    const DIVISOR: i64 = 0x1_db71_0641;
    const QUOTIENT: i64 = quotient();

    /// For the halves of 16 bytes that move back by 16, and by 64.
    const BY_16: [i64; 2] = [power(128 - 32), power(128 + 32)];
    const BY_64: [i64; 2] = [power(512 - 32), power(512 + 32)];
    /// For 8 bytes, and for 4.
    const BY_8: [i64; 2] = [power(64), power(128 - 32)];

    /// Loads 16 bytes from some place.
    #[inline]
    #[target_feature(enable = "pclmulqdq,sse4.1")]
    fn load(bytes: &[u8; 16]) -> __m128i {
        // SAFETY: 16 bytes may be read, at any alignment.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    /// `sum` in the place of what is `key` further back, and added to it.
    #[inline]
    #[target_feature(enable = "pclmulqdq,sse4.1")]
    fn fold(sum: __m128i, key: __m128i, behind: __m128i) -> __m128i {
        let low = _mm_clmulepi64_si128::<0x00>(sum, key);
        let high = _mm_clmulepi64_si128::<0x11>(sum, key);
        _mm_xor_si128(_mm_xor_si128(low, high), behind)
    }

    /// Of 16 bytes or more.
    #[target_feature(enable = "pclmulqdq,sse4.1")]
    pub(super) fn crc32(bytes: &[u8]) -> u32 {
        let by_16 = _mm_set_epi64x(BY_16[0], BY_16[1]);
        let (blocks, rest) = bytes.as_chunks::<16>();
        let first = _mm_xor_si128(load(&blocks[0]), _mm_cvtsi32_si128(-1));
        let (fours, ones) = blocks.as_chunks::<4>();
        let (mut sum, singles) = if fours.len() >= 2 {
            let by_64 = _mm_set_epi64x(BY_64[0], BY_64[1]);
            let mut sums = [first, load(&fours[0][1]), load(&fours[0][2]), load(&fours[0][3])];
            for four in &fours[1..] {
                for (sum, block) in sums.iter_mut().zip(four) {
                    *sum = fold(*sum, by_64, load(block));
                }
            }
            let mut sum = sums[0];
            for next in &sums[1..] {
                sum = fold(sum, by_16, *next);
            }
            (sum, ones)
        } else {
            (first, &blocks[1..])
        };
        for block in singles {
            sum = fold(sum, by_16, load(block));
        }
        if !rest.is_empty() {
            sum = tail(sum, by_16, bytes, rest.len());
        }
        reduce(sum)
    }

    /// Folds the last 1 to 15 bytes: the 16 bytes of `sum` and those behind it become two groups of 16 of which the
    /// first begins with zeros.
    #[inline]
    #[target_feature(enable = "pclmulqdq,sse4.1")]
    fn tail(sum: __m128i, by_16: __m128i, bytes: &[u8], count: usize) -> __m128i {
        /// Indices for a shuffle that moves bytes up or down; those with the high bit set give zero.
        static MOVES: [u8; 48] = {
            let mut moves = [0x80; 48];
            let mut n = 0;
            while n < 16 {
                moves[16 + n] = n as u8;
                n += 1;
            }
            moves
        };
        let moved = |by: usize| load(MOVES[by..].first_chunk().expect("48 bytes are enough"));
        // The last 16 bytes, of which the last `count` are new.
        let last = load(bytes.last_chunk().expect("there are 16 bytes"));
        let front = _mm_shuffle_epi8(sum, moved(count));
        let back = _mm_shuffle_epi8(sum, moved(16 + count));
        // Ones where bytes are new.
        let new = load(NEW[count..].first_chunk().expect("32 bytes are enough"));
        fold(front, by_16, _mm_or_si128(back, _mm_and_si128(last, new)))
    }

    /// Zeros, then ones.
    static NEW: [u8; 32] = {
        let mut bytes = [0; 32];
        let mut n = 16;
        while n < 32 {
            bytes[n] = 0xff;
            n += 1;
        }
        bytes
    };

    /// The remainder of 16 bytes with 32 zero bits behind them, inverted.
    #[inline]
    #[target_feature(enable = "pclmulqdq,sse4.1")]
    fn reduce(sum: __m128i) -> u32 {
        // 128 bits to 96, and to 64.
        let by_8 = _mm_set_epi64x(BY_8[0], BY_8[1]);
        let low_32 = _mm_set_epi32(0, 0, 0, -1);
        let sum = _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(sum, by_8), _mm_srli_si128::<8>(sum));
        let sum = _mm_xor_si128(
            _mm_clmulepi64_si128::<0x10>(_mm_and_si128(sum, low_32), by_8),
            _mm_srli_si128::<4>(sum),
        );
        // Barrett's reduction: the quotient by a product, and what is left.
        let barrett = _mm_set_epi64x(DIVISOR, QUOTIENT);
        let estimate = _mm_clmulepi64_si128::<0x00>(_mm_and_si128(sum, low_32), barrett);
        let multiple = _mm_clmulepi64_si128::<0x10>(_mm_and_si128(estimate, low_32), barrett);
        !(_mm_extract_epi32::<1>(_mm_xor_si128(sum, multiple)) as u32)
    }
}
