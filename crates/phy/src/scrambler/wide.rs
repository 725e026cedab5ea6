//! Many words at a time.
//!
//! A word of output needs the one before it, through six operations one behind the other: some two nanoseconds. The
//! recurrence itself need not be so near. Let D delay by a bit; then output = input / (1 + D^39 + D^58). Bits are added
//! without carry, so (1 + D^39 + D^58)^2 = 1 + D^78 + D^116, and
//!
//! output = input (1 + D^39 + D^58) / (1 + D^78 + D^116)
//!
//! and so on: after six such steps the delays in the denominator are 39 and 58 *words*. The six factors in the numerator
//! are sums of delayed input, of which any number of words can be computed at a time; and what is left to divide by,
//! word[n] = sum[n] + word[n - 39] + word[n - 58], can be computed for 39 words at a time, without a shift.

use super::{Descrambler, Scrambler, plain};

/// Words of a step: two buffers of them stay in the nearest cache.
const CHUNK: usize = 1024;
/// Words at the beginning of a chunk that are scrambled one by one: as many as the delays reach back.
const LEAD: usize = 64;
/// Words of the recurrence at a time, fewer than 40.
const STRIDE: usize = 32;
/// Shorter slices are scrambled word by word.
const SHORTEST: usize = 3 * LEAD;

pub(super) fn scramble(scrambler: &mut Scrambler, words: &mut [u64]) {
    for chunk in words.chunks_mut(CHUNK) {
        if chunk.len() < SHORTEST {
            scrambler.words(chunk);
        } else {
            dispatch(scrambler, chunk);
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn dispatch(scrambler: &mut Scrambler, words: &mut [u64]) {
    #[target_feature(enable = "avx512f,avx512vl,avx512vbmi2")]
    fn avx512(scrambler: &mut Scrambler, words: &mut [u64]) {
        chunk(scrambler, words);
    }
    #[target_feature(enable = "avx2")]
    fn avx2(scrambler: &mut Scrambler, words: &mut [u64]) {
        chunk(scrambler, words);
    }
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi2")
    {
        // SAFETY: the processor has what the function is compiled for.
        unsafe { avx512(scrambler, words) }
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: as above.
        unsafe { avx2(scrambler, words) }
    } else {
        // Two words at a time gain nothing over one by one.
        scrambler.words(words);
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn dispatch(scrambler: &mut Scrambler, words: &mut [u64]) {
    chunk(scrambler, words);
}

/// A chunk of more than `LEAD` words.
#[inline(always)]
fn chunk(scrambler: &mut Scrambler, words: &mut [u64]) {
    let mut one = [0; CHUNK];
    let mut two = [0; CHUNK];
    let length = words.len();
    let (one, two) = (&mut one[..length], &mut two[..length]);
    // The first words of each sum lack what was before the chunk; the delays of all six together reach back 58 * 63
    // bits, which is fewer than LEAD words.
    add_delayed::<0>(words, one);
    add_delayed::<1>(one, two);
    add_delayed::<2>(two, one);
    add_delayed::<3>(one, two);
    add_delayed::<4>(two, one);
    add_delayed::<5>(one, two);
    scrambler.words(&mut words[..LEAD]);
    let mut begin = LEAD;
    while begin < length {
        let (past, now) = words.split_at_mut(begin);
        let count = now.len().min(STRIDE);
        let near = &past[begin - 39..][..count];
        let far = &past[begin - 58..][..count];
        let sums = &two[begin..][..count];
        for (((word, sum), near), far) in now[..count].iter_mut().zip(sums).zip(near).zip(far) {
            *word = sum ^ near ^ far;
        }
        begin += count;
    }
    scrambler.last = words[length - 1];
}

/// to = from (1 + D^(39 * 2^STEP) + D^(58 * 2^STEP)), without what was before the first word.
#[inline(always)]
fn add_delayed<const STEP: u32>(from: &[u64], to: &mut [u64]) {
    let (near, far) = (39usize << STEP, 58usize << STEP);
    let (near_words, near_bits) = (near / 64, (near % 64) as u32);
    let (far_words, far_bits) = (far / 64, (far % 64) as u32);
    let lead = far_words + 1;
    to[..lead].fill(0);
    let count = from.len() - lead;
    let to = &mut to[lead..][..count];
    let now = &from[lead..][..count];
    let near_high = &from[lead - near_words..][..count];
    let near_low = &from[lead - near_words - 1..][..count];
    let far_high = &from[lead - far_words..][..count];
    let far_low = &from[lead - far_words - 1..][..count];
    for n in 0..count {
        to[n] = now[n]
            ^ join(near_high[n], near_low[n], near_bits)
            ^ join(far_high[n], far_low[n], far_bits);
    }
}

/// The upper word of `high` and `low` together, moved up by 0 to 63 bits.
#[inline(always)]
fn join(high: u64, low: u64, bits: u32) -> u64 {
    if bits == 0 { high } else { high << bits | low >> (64 - bits) }
}

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
