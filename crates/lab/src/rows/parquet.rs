//! Tables as Parquet files (<https://parquet.apache.org/docs/file-format/>): columns of integers, numbers and words, in
//! groups of 65,536 rows, so that memory is bounded; compressed with Snappy.
//!
//! The crate `parquet` takes two minutes of processor time to compile and does a hundred times what is needed here.

use super::thrift::{Struct, varint};
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a group.
pub const GROUP: usize = 1 << 16;

/// What a column holds.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Integers of 64 bits.
    Integer,
    /// Integers of 64 bits, or nothing.
    Optional,
    /// One of these words.
    Word(Arc<Vec<String>>),
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
}

impl Column {
    /// A column of integers.
    pub fn integer(name: &'static str) -> Self {
        Self { name, kind: Kind::Integer }
    }

    /// A column of integers, some of which are not there.
    pub fn optional(name: &'static str) -> Self {
        Self { name, kind: Kind::Optional }
    }

    /// A column of words; cells are numbers of words.
    pub fn word(name: &'static str, words: &Arc<Vec<String>>) -> Self {
        Self { name, kind: Kind::Word(Arc::clone(words)) }
    }
}

/// Values of the file format.
mod format {
    pub const MAGIC: &[u8; 4] = b"PAR1";
    pub const INT64: i32 = 2;
    pub const BYTE_ARRAY: i32 = 6;
    pub const UTF8: i32 = 0;
    pub const REQUIRED: i32 = 0;
    pub const OPTIONAL: i32 = 1;
    pub const PLAIN: i32 = 0;
    pub const RLE: i32 = 3;
    pub const RLE_DICTIONARY: i32 = 8;
    pub const SNAPPY: i32 = 1;
    pub const DATA_PAGE: i32 = 0;
    pub const DICTIONARY_PAGE: i32 = 2;
}

/// Writes a table.
pub struct Table<W: Write> {
    out: W,
    columns: Vec<Column>,
    /// Cells of the group in the making, by column.
    cells: Vec<Vec<Option<i64>>>,
    offset: u64,
    rows: i64,
    groups: Vec<Struct>,
}

impl<W: Write> Table<W> {
    /// A table with these columns.
    ///
    /// # Errors
    /// Those of writing.
    pub fn new(mut out: W, columns: Vec<Column>) -> io::Result<Self> {
        out.write_all(format::MAGIC)?;
        let cells = vec![Vec::new(); columns.len()];
        Ok(Self { out, columns, cells, offset: 4, rows: 0, groups: Vec::new() })
    }

    /// Adds a row: a cell for each column.
    ///
    /// # Errors
    /// Those of writing.
    pub fn row(&mut self, cells: &[Option<i64>]) -> io::Result<()> {
        for (column, cell) in self.cells.iter_mut().zip(cells) {
            column.push(*cell);
        }
        match self.cells.first().is_some_and(|column| column.len() >= GROUP) {
            true => self.group(),
            false => Ok(()),
        }
    }

    /// Writes what is left and the end of the file.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(mut self) -> io::Result<W> {
        if self.cells.first().is_some_and(|column| !column.is_empty()) {
            self.group()?;
        }
        let root = Struct::default().text(4, "rows").i32(5, self.columns.len() as i32);
        let mut schema = vec![root];
        for column in &self.columns {
            let (kind, repetition) = match column.kind {
                Kind::Integer => (format::INT64, format::REQUIRED),
                Kind::Optional => (format::INT64, format::OPTIONAL),
                Kind::Word(_) => (format::BYTE_ARRAY, format::REQUIRED),
            };
            let element = Struct::default().i32(1, kind).i32(3, repetition).text(4, column.name);
            schema.push(match column.kind {
                Kind::Word(_) => element.i32(6, format::UTF8),
                _ => element,
            });
        }
        let metadata = Struct::default()
            .i32(1, 1)
            .structs(2, schema)
            .i64(3, self.rows)
            .structs(4, std::mem::take(&mut self.groups))
            .text(6, concat!("wirewright version ", env!("CARGO_PKG_VERSION")))
            .end();
        self.out.write_all(&metadata)?;
        self.out.write_all(&(metadata.len() as u32).to_le_bytes())?;
        self.out.write_all(format::MAGIC)?;
        Ok(self.out)
    }

    fn group(&mut self) -> io::Result<()> {
        let count = self.cells[0].len();
        let (mut chunks, mut total) = (Vec::new(), 0);
        for number in 0..self.columns.len() {
            let cells = std::mem::take(&mut self.cells[number]);
            let (chunk, bytes) = self.chunk(number, &cells)?;
            chunks.push(chunk);
            total += bytes;
        }
        let group = Struct::default().structs(1, chunks).i64(2, total).i64(3, count as i64);
        self.groups.push(group);
        self.rows += count as i64;
        Ok(())
    }

    /// The pages of a column. Returns its metadata and how many bytes it has before compression.
    fn chunk(&mut self, number: usize, cells: &[Option<i64>]) -> io::Result<(Struct, i64)> {
        let Column { name, kind } = self.columns[number].clone();
        let start = self.offset as i64;
        let mut sizes = (0, 0);
        let mut add = |(plain, packed): (i64, i64)| {
            sizes.0 += plain;
            sizes.1 += packed;
        };
        let mut body = Vec::new();
        let mut dictionary = None;
        let (kind, encodings) = match &kind {
            Kind::Integer => {
                cells.iter().for_each(|cell| body.extend(cell.unwrap_or(0).to_le_bytes()));
                (format::INT64, vec![format::PLAIN, format::RLE])
            }
            Kind::Optional => {
                let mut levels = Vec::new();
                pack(
                    &mut levels,
                    cells.iter().map(|cell| u64::from(cell.is_some())),
                    cells.len(),
                    1,
                );
                body.extend((levels.len() as u32).to_le_bytes());
                body.extend(levels);
                cells.iter().flatten().for_each(|cell| body.extend(cell.to_le_bytes()));
                (format::INT64, vec![format::PLAIN, format::RLE])
            }
            Kind::Word(words) => {
                let mut page = Vec::new();
                for word in words.iter() {
                    page.extend((word.len() as u32).to_le_bytes());
                    page.extend(word.as_bytes());
                }
                let header = Struct::default().i32(1, words.len() as i32).i32(2, format::PLAIN);
                dictionary = Some(self.offset as i64);
                add(self.page(format::DICTIONARY_PAGE, &page, 7, header)?);
                let width = u64::BITS - (words.len().max(2) as u64 - 1).leading_zeros();
                body.push(width as u8);
                let indices = cells.iter().map(|cell| cell.unwrap_or(0) as u64);
                pack(&mut body, indices, cells.len(), width);
                (format::BYTE_ARRAY, vec![format::PLAIN, format::RLE, format::RLE_DICTIONARY])
            }
        };
        let encoding = if dictionary.is_some() { format::RLE_DICTIONARY } else { format::PLAIN };
        let header = Struct::default()
            .i32(1, cells.len() as i32)
            .i32(2, encoding)
            .i32(3, format::RLE)
            .i32(4, format::RLE);
        let data = self.offset as i64;
        add(self.page(format::DATA_PAGE, &body, 5, header)?);
        let metadata = Struct::default()
            .i32(1, kind)
            .i32s(2, &encodings)
            .texts(3, &[name])
            .i32(4, format::SNAPPY)
            .i64(5, cells.len() as i64)
            .i64(6, sizes.0)
            .i64(7, sizes.1)
            .i64(9, data);
        let metadata = match dictionary {
            Some(offset) => metadata.i64(11, offset),
            None => metadata,
        };
        Ok((Struct::default().i64(2, start).inner(3, metadata), sizes.0))
    }

    /// Writes a page. Returns its length, header included, before and after compression.
    fn page(
        &mut self,
        kind: i32,
        body: &[u8],
        field: i16,
        inner: Struct,
    ) -> io::Result<(i64, i64)> {
        let packed = snap::raw::Encoder::new().compress_vec(body).map_err(io::Error::other)?;
        let header = Struct::default()
            .i32(1, kind)
            .i32(2, body.len() as i32)
            .i32(3, packed.len() as i32)
            .inner(field, inner)
            .end();
        self.out.write_all(&header)?;
        self.out.write_all(&packed)?;
        let length = header.len() + packed.len();
        self.offset += length as u64;
        Ok(((header.len() + body.len()) as i64, length as i64))
    }
}

/// Numbers of `width` bits, the lowest bit first, as one run of groups of eight (the format's RLE / bit-packing hybrid).
fn pack(bytes: &mut Vec<u8>, values: impl Iterator<Item = u64>, count: usize, width: u32) {
    let groups = count.div_ceil(8);
    varint(bytes, (groups as u64) << 1 | 1);
    let (mut waiting, mut bits) = (0u128, 0);
    let padding = std::iter::repeat_n(0, groups * 8 - count);
    for value in values.chain(padding) {
        waiting |= u128::from(value) << bits;
        bits += width;
        while bits >= 8 {
            bytes.push(waiting as u8);
            waiting >>= 8;
            bits -= 8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the format's description: the numbers 0 to 7 with three bits each.
    #[test]
    fn packing() {
        let mut bytes = Vec::new();
        pack(&mut bytes, 0..8, 8, 3);
        assert_eq!(bytes, [0b11, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        bytes.clear();
        pack(&mut bytes, [1, 0, 1].into_iter(), 3, 1);
        assert_eq!(bytes, [0b11, 0b101]);
    }
}
