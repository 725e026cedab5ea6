//! Eight words at a time.
//!
//! A word of output needs the one before it, through six operations one behind the other: some two nanoseconds. The
//! recurrence itself need not be so near. Let D delay by a bit; then output = input / (1 + D^39 + D^58). Bits are added
//! without carry, so (1 + D^39 + D^58)^2 = 1 + D^78 + D^116, and
//!
//! output = input (1 + D^39 + D^58) / (1 + D^78 + D^116)
//!
//! and so on. After four such steps the delays in the denominator are 624 and 928 bits, more than eight words: what is
//! left of the recurrence can be computed for eight words at a time. The four factors in the numerator are sums of
//! delayed input, for which any number of words will do. All of it stays in registers: a delay by words is an alignment
//! of two neighbours, one by bits is a double shift, and a sum of three is one operation.

use super::{Descrambler, Scrambler, plain};

pub(super) fn scramble(scrambler: &mut Scrambler, words: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    if words.len() >= x86::SHORTEST
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vbmi2")
    {
        // SAFETY: the processor has what the function is compiled for.
        unsafe { x86::scramble(scrambler, words) };
        return;
    }
    scrambler.words(words);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::Scrambler;
    use std::arch::x86_64::{
        __m512i, _mm512_alignr_epi64, _mm512_loadu_si512, _mm512_setzero_si512, _mm512_shldi_epi64,
        _mm512_storeu_si512, _mm512_ternarylogic_epi64,
    };

    /// Words at the beginning of a slice that are scrambled one by one: as many as the delays reach back.
    const LEAD: usize = 16;
    /// Shorter slices gain nothing.
    pub(super) const SHORTEST: usize = 3 * LEAD;

    /// a + b + c, without carry.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn sum(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0x96>(a, b, c)
    }

    /// Each word's neighbour 8 - PLACES words before it, where `before` holds the eight words before `now`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn back<const PLACES: i32>(now: __m512i, before: __m512i) -> __m512i {
        _mm512_alignr_epi64::<PLACES>(now, before)
    }

    /// The words before, of each step.
    struct Past {
        input: __m512i,
        steps: [__m512i; 3],
    }

    /// Input (1 + D^39 + D^58) (1 + D^78 + D^116) (1 + D^156 + D^232) (1 + D^312 + D^464).
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi2")]
    fn numerator(past: &mut Past, input: __m512i) -> __m512i {
        let one = back::<7>(input, past.input);
        let first =
            sum(input, _mm512_shldi_epi64::<39>(input, one), _mm512_shldi_epi64::<58>(input, one));
        // 78 = 64 + 14, 116 = 64 + 52.
        let (one, two) = (back::<7>(first, past.steps[0]), back::<6>(first, past.steps[0]));
        let second =
            sum(first, _mm512_shldi_epi64::<14>(one, two), _mm512_shldi_epi64::<52>(one, two));
        // 156 = 2 * 64 + 28, 232 = 3 * 64 + 40.
        let two = back::<6>(second, past.steps[1]);
        let three = back::<5>(second, past.steps[1]);
        let four = back::<4>(second, past.steps[1]);
        let third = sum(
            second,
            _mm512_shldi_epi64::<28>(two, three),
            _mm512_shldi_epi64::<40>(three, four),
        );
        // 312 = 4 * 64 + 56, 464 = 7 * 64 + 16.
        let four = back::<4>(third, past.steps[2]);
        let five = back::<3>(third, past.steps[2]);
        let seven = back::<1>(third, past.steps[2]);
        let fourth = sum(
            third,
            _mm512_shldi_epi64::<56>(four, five),
            _mm512_shldi_epi64::<16>(seven, past.steps[2]),
        );
        *past = Past { input, steps: [first, second, third] };
        fourth
    }

    /// Scrambles 48 words or more.
    #[target_feature(enable = "avx512f,avx512vbmi2")]
    pub(super) fn scramble(scrambler: &mut Scrambler, words: &mut [u64]) {
        let (eights, _) = words.as_chunks_mut::<8>();
        // SAFETY: eight words may be read, at any alignment.
        let load = |words: &[u64; 8]| unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
        let zero = _mm512_setzero_si512();
        let mut past = Past { input: zero, steps: [zero; 3] };
        // What is before the slice is not known: the first fifteen sums are wrong, and not used.
        numerator(&mut past, load(&eights[0]));
        numerator(&mut past, load(&eights[1]));
        scrambler.words(eights[..2].as_flattened_mut());
        let (mut older, mut newer) = (load(&eights[0]), load(&eights[1]));
        for eight in &mut eights[2..] {
            let sums = numerator(&mut past, load(eight));
            // 624 = 9 * 64 + 48, 928 = 14 * 64 + 32, in words of output.
            let (nine, ten) = (back::<7>(newer, older), back::<6>(newer, older));
            let (fourteen, fifteen) = (back::<2>(newer, older), back::<1>(newer, older));
            let output = sum(
                sums,
                _mm512_shldi_epi64::<48>(nine, ten),
                _mm512_shldi_epi64::<32>(fourteen, fifteen),
            );
            // SAFETY: eight words may be written, at any alignment.
            unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), output) };
            (older, newer) = (newer, output);
        }
        scrambler.last = eights[eights.len() - 1][7];
        let (_, rest) = words.as_chunks_mut::<8>();
        scrambler.words(rest);
    }
}

/// Words that are copied at a time, for their neighbours are overwritten.
const CHUNK: usize = 512;

pub(super) fn descramble(descrambler: &mut Descrambler, words: &mut [u64]) {
    let mut copy = [0; CHUNK];
    for chunk in words.chunks_mut(CHUNK) {
        let copy = &mut copy[..chunk.len()];
        copy.copy_from_slice(chunk);
        descramble_copy(descrambler.last, copy, chunk);
        descrambler.last = copy[copy.len() - 1];
    }
}

#[cfg(target_arch = "x86_64")]
fn descramble_copy(last: u64, from: &[u64], to: &mut [u64]) {
    #[target_feature(enable = "avx512f")]
    fn avx512(last: u64, from: &[u64], to: &mut [u64]) {
        each_with_last(last, from, to);
    }
    #[target_feature(enable = "avx2")]
    fn avx2(last: u64, from: &[u64], to: &mut [u64]) {
        each_with_last(last, from, to);
    }
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has what the function is compiled for.
        unsafe { avx512(last, from, to) }
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: as above.
        unsafe { avx2(last, from, to) }
    } else {
        each_with_last(last, from, to);
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn descramble_copy(last: u64, from: &[u64], to: &mut [u64]) {
    each_with_last(last, from, to);
}

#[inline(always)]
fn each_with_last(last: u64, from: &[u64], to: &mut [u64]) {
    let count = from.len() - 1;
    to[0] = plain(last, from[0]);
    let (before, now) = (&from[..count], &from[1..]);
    for ((to, before), now) in to[1..].iter_mut().zip(before).zip(now) {
        *to = plain(*before, *now);
    }
}
