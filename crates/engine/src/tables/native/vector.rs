//! Rows of bits in registers.

/// The bits of a row. Functions of processor features must be inlined into a function that has
/// them.
pub(super) trait Vector: Copy {
    /// # Safety
    /// There is a row, aligned to its size; the processor has the features.
    unsafe fn load(row: *const u64) -> Self;

    /// # Safety
    /// The processor has the features.
    unsafe fn and(self, other: Self) -> Self;

    /// `self | a & b`.
    ///
    /// # Safety
    /// The processor has the features.
    unsafe fn or_both(self, a: Self, b: Self) -> Self;

    /// Whether no bit is set.
    ///
    /// # Safety
    /// The processor has the features.
    unsafe fn is_none(self) -> bool;

    /// # Safety
    /// There is room for a row, aligned to its size; the processor has the features.
    unsafe fn store(self, row: *mut u64);
}

/// Any processor.
#[derive(Clone, Copy)]
pub(super) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Vector for Words<N> {
    #[inline(always)]
    unsafe fn load(row: *const u64) -> Self {
        // SAFETY: as the caller says.
        Self(unsafe { *row.cast() })
    }

    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|n| self.0[n] & other.0[n]))
    }

    #[inline(always)]
    unsafe fn or_both(self, a: Self, b: Self) -> Self {
        Self(std::array::from_fn(|n| self.0[n] | a.0[n] & b.0[n]))
    }

    #[inline(always)]
    unsafe fn is_none(self) -> bool {
        self.0 == [0; N]
    }

    #[inline(always)]
    unsafe fn store(self, row: *mut u64) {
        // SAFETY: as the caller says.
        unsafe { *row.cast() = self.0 };
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512, Sse2};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Vector;
    use std::arch::x86_64::*;

    /// 128 bits; every processor of this architecture has it.
    #[derive(Clone, Copy)]
    pub(crate) struct Sse2(__m128i);

    impl Vector for Sse2 {
        #[inline(always)]
        unsafe fn load(row: *const u64) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm_load_si128(row.cast()) })
        }

        #[inline(always)]
        unsafe fn and(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm_and_si128(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn or_both(self, a: Self, b: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm_or_si128(self.0, _mm_and_si128(a.0, b.0)) })
        }

        #[inline(always)]
        unsafe fn is_none(self) -> bool {
            // SAFETY: see above.
            unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_setzero_si128())) == 0xffff }
        }

        #[inline(always)]
        unsafe fn store(self, row: *mut u64) {
            // SAFETY: see above.
            unsafe { _mm_store_si128(row.cast(), self.0) };
        }
    }

    /// 512 bits in two registers.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(__m256i, __m256i);

    impl Vector for Avx2 {
        #[inline(always)]
        unsafe fn load(row: *const u64) -> Self {
            let row: *const __m256i = row.cast();
            // SAFETY: see above.
            unsafe { Self(_mm256_load_si256(row), _mm256_load_si256(row.add(1))) }
        }

        #[inline(always)]
        unsafe fn and(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Self(_mm256_and_si256(self.0, other.0), _mm256_and_si256(self.1, other.1)) }
        }

        #[inline(always)]
        unsafe fn or_both(self, a: Self, b: Self) -> Self {
            // SAFETY: see above.
            unsafe {
                let both = a.and(b);
                Self(_mm256_or_si256(self.0, both.0), _mm256_or_si256(self.1, both.1))
            }
        }

        #[inline(always)]
        unsafe fn is_none(self) -> bool {
            // SAFETY: see above.
            unsafe {
                let any = _mm256_or_si256(self.0, self.1);
                _mm256_testz_si256(any, any) == 1
            }
        }

        #[inline(always)]
        unsafe fn store(self, row: *mut u64) {
            let row: *mut __m256i = row.cast();
            // SAFETY: see above.
            unsafe {
                _mm256_store_si256(row, self.0);
                _mm256_store_si256(row.add(1), self.1);
            }
        }
    }

    /// 512 bits.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512(__m512i);

    impl Vector for Avx512 {
        #[inline(always)]
        unsafe fn load(row: *const u64) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_load_si512(row.cast()) })
        }

        #[inline(always)]
        unsafe fn and(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_and_si512(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn or_both(self, a: Self, b: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_or_si512(self.0, _mm512_and_si512(a.0, b.0)) })
        }

        #[inline(always)]
        unsafe fn is_none(self) -> bool {
            // SAFETY: see above.
            unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
        }

        #[inline(always)]
        unsafe fn store(self, row: *mut u64) {
            // SAFETY: see above.
            unsafe { _mm512_store_si512(row.cast(), self.0) };
        }
    }
}
