//! Sizes of table memories, as the driver in `rtl/driver` computes them: hardware and driver must
//! agree, so there is one place that knows.

use std::ffi::c_int;
use ww_blocks::facts::lpm::{WW_LPM_LEVELS_MAX, WW_LPM_MARGIN};

/// Levels of a trie at most.
const MAX_LEVELS: usize = WW_LPM_LEVELS_MAX as usize;
/// Percent that memories of large tries are larger than the reference needs.
const MARGIN: u32 = WW_LPM_MARGIN as u32;

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct RawLevel {
    depth: u32,
    stride: u32,
    rows: u32,
    nodes: u32,
    child_bits: u32,
    width: u32,
}

#[repr(C)]
struct RawTrie {
    key_bits: u32,
    data_bits: u32,
    entries: u32,
    root_bits: u32,
    levels: u32,
    list_rows: u32,
    index_bits: u32,
    list_bits: u32,
    row_bits: u32,
    latency: u32,
    memory_bits: u64,
    level: [RawLevel; MAX_LEVELS],
}

unsafe extern "C" {
    fn ww_lpm_geometry(
        key_bits: u32,
        data_bits: u32,
        entries: u32,
        margin_percent: u32,
        geometry: *mut RawTrie,
    ) -> c_int;
    fn ww_hash_geometry(entries: u32, ways: *mut u32, buckets: *mut u32, stash: *mut u32) -> c_int;
}

/// Parameters of a `ww_table_lpm`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trie {
    /// `ROOT_BITS`.
    pub root_bits: u32,
    /// `STRIDES` and `ROWS`, level by level.
    pub levels: Vec<(u32, u32)>,
    /// `LIST_ROWS`.
    pub list_rows: u32,
    /// `ROW_WIDTH`.
    pub row_bits: u32,
    /// Bits of all memories.
    pub memory_bits: u64,
}

/// Parameters of a `ww_table_hash`: ways, buckets and stash. `None` if no table is that large.
pub fn hash(entries: u64) -> Option<(u32, u32, u32)> {
    let entries = u32::try_from(entries).ok()?;
    let (mut ways, mut buckets, mut stash) = (0, 0, 0);
    // SAFETY: three numbers to write to.
    let result = unsafe { ww_hash_geometry(entries, &mut ways, &mut buckets, &mut stash) };
    (result == 0).then_some((ways, buckets, stash))
}

/// Parameters of a `ww_table_lpm`. `None` if no table is that large.
pub fn trie(key_bits: u32, data_bits: u32, entries: u64) -> Option<Trie> {
    let entries = u32::try_from(entries).ok()?;
    let mut raw = RawTrie {
        key_bits: 0,
        data_bits: 0,
        entries: 0,
        root_bits: 0,
        levels: 0,
        list_rows: 0,
        index_bits: 0,
        list_bits: 0,
        row_bits: 0,
        latency: 0,
        memory_bits: 0,
        level: [RawLevel::default(); MAX_LEVELS],
    };
    // SAFETY: `raw` has the layout of `ww_lpm_geometry_info`.
    let result = unsafe { ww_lpm_geometry(key_bits, data_bits, entries, MARGIN, &mut raw) };
    if result != 0 {
        return None;
    }
    let levels = raw.level.get(..raw.levels as usize)?;
    Some(Trie {
        root_bits: raw.root_bits,
        levels: levels.iter().map(|level| (level.stride, level.rows)).collect(),
        list_rows: raw.list_rows,
        row_bits: raw.row_bits,
        memory_bits: raw.memory_bits,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometry_covers_the_key() {
        let found = trie(32, 16, 4096).expect("a common size");
        let strides: u32 = found.levels.iter().map(|(stride, _)| stride).sum();
        // The last level also has the prefixes of all bits.
        assert_eq!(found.root_bits + strides, 33);
        assert!(trie(0, 16, 1).is_none());
        let (ways, buckets, stash) = hash(1000).expect("a common size");
        assert!(u64::from(ways) * u64::from(buckets) + u64::from(stash) >= 1200);
    }
}
