//! Which pages of a memory were ever touched: what the system has given no memory to is zero.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::LazyLock;

/// Bytes of an entry of `/proc/self/pagemap`.
const ENTRY: usize = 8;
/// Entries that are read at a time.
const AT_A_TIME: usize = 4096;

/// Bytes of a page of the system, from the auxiliary vector (`AT_PAGESZ`); `None` if it does not say.
fn page_size() -> Option<usize> {
    const AT_PAGESZ: u64 = 6;
    static SIZE: LazyLock<Option<usize>> = LazyLock::new(|| {
        // Files of this kind have no length.
        let mut auxv = Vec::new();
        File::open("/proc/self/auxv").ok()?.take(4096).read_to_end(&mut auxv).ok()?;
        let word = |bytes: &[u8]| Some(u64::from_ne_bytes(bytes.try_into().ok()?));
        let size = auxv.chunks_exact(16).find_map(|pair| {
            (word(&pair[..8])? == AT_PAGESZ).then(|| word(&pair[8..])).flatten()
        })?;
        usize::try_from(size).ok().filter(|size| size.is_power_of_two())
    });
    *SIZE
}

/// The next addresses of `range`, a piece of this process's own anonymous memory, whose pages have
/// memory or are swapped out. Where the system does not tell, all of `range`.
pub(super) fn next(range: Range<usize>) -> Option<Range<usize>> {
    if range.is_empty() {
        return None;
    }
    let all = range.clone();
    look(range).unwrap_or(Some(all))
}

/// The same; the outer `None` if the system does not tell.
fn look(range: Range<usize>) -> Option<Option<Range<usize>>> {
    let size = page_size()?;
    let file = File::open("/proc/self/pagemap").ok()?;
    let (mut page, last) = (range.start / size, (range.end - 1) / size);
    let mut buffer = vec![0; ENTRY * AT_A_TIME];
    let mut begin = None;
    while page <= last {
        let count = (last - page + 1).min(AT_A_TIME);
        let bytes = &mut buffer[..count * ENTRY];
        file.read_exact_at(bytes, (page * ENTRY) as u64).ok()?;
        for entry in bytes.chunks_exact(ENTRY) {
            // Bit 63: in memory; bit 62: swapped out. They are in the last byte (little-endian).
            let is_touched = u64::from_ne_bytes(entry.try_into().ok()?) >> 62 != 0;
            match begin {
                None if is_touched => begin = Some(page),
                Some(begin) if !is_touched => {
                    return Some(Some(range.start.max(begin * size)..page * size));
                }
                _ => {}
            }
            page += 1;
        }
    }
    Some(begin.map(|begin| range.start.max(begin * size)..range.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untouched_pages_are_passed_over() {
        let size = page_size().expect("Linux says it");
        let mut memory = vec![0u8; 64 << 20];
        let start = memory.as_ptr() as usize;
        let middle = (start + (32 << 20)).next_multiple_of(size) - start;
        memory[middle] = 1;
        memory[middle + size] = 1;
        let end = start + memory.len();
        // The allocator may have written in front of the memory, in the same page.
        let first = start.next_multiple_of(size);
        let found = next(first..end).expect("two pages");
        // Huge pages are longer.
        assert!(found.contains(&(start + middle)) && found.contains(&(start + middle + size)));
        assert!(found.len() <= 4 << 20, "{found:?}");
        assert_eq!(next(start + middle + 7..end).map(|r| r.start), Some(start + middle + 7));
        assert_eq!(next(found.end..end), None);
        assert_eq!(next(end..end), None);
    }
}
