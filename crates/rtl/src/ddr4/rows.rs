//! What stands in a memory: pages that were written, and zeros.

use std::collections::HashMap;

/// Rows of 64 bytes in a page.
const ROWS: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Rows {
    pages: HashMap<u32, Box<[[u8; 64]; ROWS]>>,
}

impl Rows {
    /// Writes the bytes of a row whose bit in `mask` is 1.
    pub(super) fn write(&mut self, row: u32, data: &[u8; 64], mask: u64) {
        let page = self.pages.entry(row / ROWS as u32).or_insert_with(|| Box::new([[0; 64]; ROWS]));
        let place = &mut page[row as usize % ROWS];
        if mask == u64::MAX {
            *place = *data;
            return;
        }
        for (lane, (old, new)) in place.iter_mut().zip(data).enumerate() {
            if mask >> lane & 1 == 1 {
                *old = *new;
            }
        }
    }

    /// A row.
    pub(super) fn read(&self, row: u32) -> [u8; 64] {
        self.pages.get(&(row / ROWS as u32)).map_or([0; 64], |page| page[row as usize % ROWS])
    }

    /// Bytes of the pages.
    pub(super) fn resident(&self) -> usize {
        self.pages.len() * ROWS * 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_that_were_written_take_memory() {
        let mut rows = Rows::default();
        assert_eq!(rows.read(1 << 25), [0; 64]);
        assert_eq!(rows.resident(), 0);
        rows.write(1 << 25, &[7; 64], 0b101);
        rows.write((1 << 25) + 63, &[8; 64], u64::MAX);
        assert_eq!(rows.resident(), 4096);
        let row = rows.read(1 << 25);
        assert_eq!((row[0], row[1], row[2]), (7, 0, 7), "bytes that are masked stay");
        rows.write(0, &[9; 64], 1);
        assert_eq!(rows.resident(), 8192);
    }
}
