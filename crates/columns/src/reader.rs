//! Reads tables that [`crate::table`] has written, a group of rows at a time. Files are outside bytes: what they promise
//! is checked before room is made for it.

use crate::pages;
use crate::table::GROUP;
use parquet::basic::{Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::{ParquetError, Result as Read};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
pub use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;
use std::io;
use std::net::Ipv4Addr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Bytes of a column in a group of rows, at most: an address is at most 15 characters and their number.
const MAX_CHUNK: u64 = 4 << 20;
/// Bytes of the description at the end of a file: some thousand groups of rows.
const MAX_FOOTER: u32 = 64 << 20;

/// A file that is read: of some of its columns, group by group.
pub struct Reader<R: ChunkReader + 'static> {
    source: Arc<R>,
    metadata: ParquetMetaData,
    /// Where the columns that were asked for are.
    columns: Vec<usize>,
    next: usize,
}

impl<R: ChunkReader + 'static> Reader<R> {
    /// Reads columns of these names.
    ///
    /// # Errors
    /// Those of reading; the file is not Parquet, has no such column, or one of another type.
    pub fn new(source: R, names: &[&str]) -> io::Result<Self> {
        let source = Arc::new(source);
        let metadata = guarded(|| metadata(&*source))?;
        let schema = metadata.file_metadata().schema_descr();
        let place = |name: &&str| {
            let all = schema.columns();
            let at = all.iter().position(|column| *column.path().parts() == [(*name).to_owned()]);
            let at = at.ok_or_else(|| wrong(format!("there is no column '{name}'")))?;
            let repetition = all[at].self_type().get_basic_info().repetition();
            match (all[at].physical_type(), repetition) {
                (Physical::INT64 | Physical::BYTE_ARRAY, Repetition::REQUIRED)
                | (Physical::INT64, Repetition::OPTIONAL) => Ok(at),
                _ => Err(wrong(format!("column '{name}' has neither integers nor addresses"))),
            }
        };
        let columns = names.iter().map(place).collect::<Read<Vec<usize>>>()?;
        Ok(Self { source, metadata, columns, next: 0 })
    }

    /// The cells of the next group of rows, column by column in the order of the names; addresses as numbers. `None`
    /// at the end of the file.
    ///
    /// # Errors
    /// Those of reading; the group is damaged, or larger than those of [`crate::table`].
    pub fn group(&mut self) -> io::Result<Option<Vec<Vec<Option<i64>>>>> {
        let Some(group) = self.metadata.row_groups().get(self.next) else { return Ok(None) };
        let rows = usize::try_from(group.num_rows()).ok().filter(|rows| *rows <= GROUP);
        let rows = rows.ok_or_else(|| {
            let found = group.num_rows();
            wrong(format!("group {} has {found} rows, more than {GROUP}", self.next))
        })?;
        let read = |at: &usize| {
            let column = group.columns().get(*at);
            let column = column.ok_or_else(|| wrong("a group lacks a column".to_owned()))?;
            guarded(|| self.cells(column, rows))
        };
        let cells = self.columns.iter().map(read).collect::<io::Result<_>>()?;
        self.next += 1;
        Ok(Some(cells))
    }

    fn cells(&self, column: &ColumnChunkMetaData, rows: usize) -> Read<Vec<Option<i64>>> {
        let length = u64::try_from(column.compressed_size()).ok();
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let (Some(length), Ok(start)) =
            (length.filter(|length| *length <= MAX_CHUNK), u64::try_from(start))
        else {
            return Err(wrong(format!("a column in a group has more than {MAX_CHUNK} bytes")));
        };
        if start.checked_add(length).is_none_or(|end| end > self.source.len()) {
            return Err(wrong("a column ends behind the end of the file".to_owned()));
        }
        pages::check(&self.source.get_bytes(start, length as usize)?).map_err(wrong)?;
        let pages = SerializedPageReader::new(self.source.clone(), column, rows, None)?;
        let descriptor = column.column_descr_ptr();
        let is_optional = descriptor.max_def_level() > 0;
        let (mut levels, name) = (Vec::new(), descriptor.name().to_owned());
        let cells: Vec<i64> = match get_column_reader(descriptor, Box::new(pages)) {
            ColumnReader::Int64ColumnReader(mut reader) => {
                let mut values = Vec::new();
                let mut found = 0;
                while found < rows {
                    let levels = is_optional.then_some(&mut levels);
                    let (records, ..) =
                        reader.read_records(rows - found, levels, None, &mut values)?;
                    if records == 0 {
                        break;
                    }
                    found += records;
                }
                values
            }
            ColumnReader::ByteArrayColumnReader(mut reader) => {
                let mut values = Vec::new();
                while values.len() < rows {
                    let (records, ..) =
                        reader.read_records(rows - values.len(), None, None, &mut values)?;
                    if records == 0 {
                        break;
                    }
                }
                let address = |value: &parquet::data_type::ByteArray| {
                    let address: Option<Ipv4Addr> =
                        value.as_utf8().ok().and_then(|text| text.parse().ok());
                    let address =
                        address.ok_or_else(|| wrong(format!("'{name}' has no address")))?;
                    Ok(u32::from(address).into())
                };
                values.iter().map(address).collect::<Read<_>>()?
            }
            _ => return Err(wrong(format!("'{name}' has neither integers nor addresses"))),
        };
        let mut values = cells.into_iter();
        let cells: Vec<Option<i64>> = match is_optional {
            true => {
                levels.iter().map(|level| if *level > 0 { values.next() } else { None }).collect()
            }
            false => values.map(Some).collect(),
        };
        match cells.len() == rows {
            true => Ok(cells),
            false => Err(wrong(format!("'{name}' has {} of {rows} rows", cells.len()))),
        }
    }
}

fn metadata<R: ChunkReader>(source: &R) -> Read<ParquetMetaData> {
    // Parquet: the length of the description, then "PAR1", are the last 8 bytes.
    let end =
        source.len().checked_sub(8).ok_or_else(|| wrong("it is no Parquet file".to_owned()))?;
    let length = source.get_bytes(end, 4)?;
    let length = length.first_chunk::<4>().map_or(u32::MAX, |bytes| u32::from_le_bytes(*bytes));
    if length > MAX_FOOTER {
        return Err(wrong(format!("its description has more than {MAX_FOOTER} bytes")));
    }
    ParquetMetaDataReader::new().parse_and_finish(source)
}

/// The library has assertions about files; they are to be errors.
fn guarded<T>(read: impl FnOnce() -> Read<T>) -> io::Result<T> {
    let read = catch_unwind(AssertUnwindSafe(read));
    Ok(read.unwrap_or_else(|_| Err(wrong("the file is damaged".to_owned())))?)
}

fn wrong(message: String) -> ParquetError {
    ParquetError::General(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, Table};
    use bytes::Bytes;

    fn file(rows: i64) -> Vec<u8> {
        let columns = vec![Column::integer("n"), Column::optional("o"), Column::address("from")];
        let mut table = Table::new(Vec::new(), columns).expect("a table");
        for row in 0..rows {
            let cells = [Some(row * 3), (row % 7 != 0).then_some(row), Some(0x0a00_0000 + row % 9)];
            table.row(&cells).expect("a row");
        }
        table.finish().expect("a file")
    }

    /// In another order than written, over the end of a group.
    #[test]
    fn columns_by_name() {
        let rows = GROUP as i64 + 10;
        let mut reader =
            Reader::new(Bytes::from(file(rows)), &["from", "o", "n"]).expect("a reader");
        let mut row = 0;
        while let Some(group) = reader.group().expect("good") {
            for ((from, o), n) in group[0].iter().zip(&group[1]).zip(&group[2]) {
                assert_eq!((*from, *n), (Some(0x0a00_0000 + row % 9), Some(row * 3)));
                assert_eq!(*o, (row % 7 != 0).then_some(row));
                row += 1;
            }
        }
        assert_eq!(row, rows);
        assert!(Reader::new(Bytes::from(file(1)), &["m"]).is_err());
    }

    /// Damaged files give errors, or other cells.
    #[test]
    fn damaged_files() {
        let good = file(500);
        let mut draws = fastrand::Rng::with_seed(11);
        let (mut refused, mut read) = (0, 0);
        for _ in 0..3000 {
            let mut bytes = good.clone();
            for _ in 0..draws.usize(1..4) {
                let at = draws.usize(..bytes.len());
                bytes[at] = draws.u8(..);
            }
            if draws.u8(..4) == 0 {
                bytes.truncate(draws.usize(..bytes.len()));
            }
            let whole =
                Reader::new(Bytes::from(bytes), &["n", "o", "from"]).and_then(|mut file| {
                    while file.group()?.is_some() {}
                    Ok(())
                });
            *(if whole.is_ok() { &mut read } else { &mut refused }) += 1;
        }
        assert!(refused > 300 && read > 0, "{refused} {read}");
    }

    /// 20 bytes that promise 2^31 values.
    #[test]
    fn promises_of_pages() {
        // Thrift's compact protocol: field 1 (dictionary page), 2 (16 bytes), 3 (0 bytes), 7 { 1: values }.
        let mut header = vec![0x15, 4, 0x15, 32, 0x15, 0, 0x4c, 0x15];
        header.extend([20, 0, 0]);
        assert_eq!(pages::check(&header), Ok(()));
        header.truncate(8);
        header.extend([0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0]);
        assert!(pages::check(&header).is_err_and(|error| error.contains("2147483647 values")));
    }
}
