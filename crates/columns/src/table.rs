//! Tables as Parquet files: columns of integers and of words, in groups of 65,536 rows, so that memory is bounded.

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::{ParquetError, Result as Written};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::net::Ipv4Addr;
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
    /// IPv4 addresses as text, from their numbers.
    Address,
    /// One of these words.
    Word(Arc<Vec<ByteArray>>),
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

    /// A column of IPv4 addresses; cells are their numbers.
    pub fn address(name: &'static str) -> Self {
        Self { name, kind: Kind::Address }
    }

    /// A column of words; cells are numbers of words.
    pub fn word<'w>(name: &'static str, words: impl IntoIterator<Item = &'w String>) -> Self {
        let words = words.into_iter().map(|word| word.as_str().into()).collect();
        Self { name, kind: Kind::Word(Arc::new(words)) }
    }

    fn schema(&self) -> Written<Arc<Type>> {
        let (physical, repetition, logical) = match self.kind {
            Kind::Integer => (Physical::INT64, Repetition::REQUIRED, None),
            Kind::Optional => (Physical::INT64, Repetition::OPTIONAL, None),
            Kind::Address | Kind::Word(_) => {
                (Physical::BYTE_ARRAY, Repetition::REQUIRED, Some(LogicalType::String))
            }
        };
        Type::primitive_type_builder(self.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    }

    /// Writes cells, one a row. A missing one is an error where the column has no room for that.
    fn write(&self, cells: &[Option<i64>], mut out: SerializedColumnWriter<'_>) -> Written<()> {
        match &self.kind {
            Kind::Integer => {
                let values: Option<Vec<i64>> = cells.iter().copied().collect();
                let values = values.ok_or_else(|| {
                    ParquetError::General(format!("'{}': a value is missing", self.name))
                })?;
                out.typed::<Int64Type>().write_batch(&values, None, None)?;
            }
            Kind::Optional => {
                let values: Vec<i64> = cells.iter().copied().flatten().collect();
                let there: Vec<i16> = cells.iter().map(|cell| cell.is_some().into()).collect();
                out.typed::<Int64Type>().write_batch(&values, Some(&there), None)?;
            }
            Kind::Address => {
                let address = |cell: &Option<i64>| {
                    let number = cell.and_then(|cell| u32::try_from(cell).ok());
                    number.map(|number| Ipv4Addr::from(number).to_string().into_bytes().into())
                };
                let values: Option<Vec<ByteArray>> = cells.iter().map(address).collect();
                let values = values.ok_or_else(|| {
                    ParquetError::General(format!("'{}': there is no such address", self.name))
                })?;
                out.typed::<ByteArrayType>().write_batch(&values, None, None)?;
            }
            Kind::Word(words) => {
                let word = |cell: &Option<i64>| {
                    let number = cell.and_then(|cell| usize::try_from(cell).ok());
                    number.and_then(|number| words.get(number)).cloned()
                };
                let values: Option<Vec<ByteArray>> = cells.iter().map(word).collect();
                let values = values.ok_or_else(|| {
                    ParquetError::General(format!("'{}': there is no such word", self.name))
                })?;
                out.typed::<ByteArrayType>().write_batch(&values, None, None)?;
            }
        }
        out.close()
    }
}

/// Writes a table.
pub struct Table<W: Write + Send> {
    out: SerializedFileWriter<W>,
    columns: Vec<Column>,
    /// Cells of the group in the making, by column.
    cells: Vec<Vec<Option<i64>>>,
}

impl<W: Write + Send> Table<W> {
    /// A table with these columns.
    ///
    /// # Errors
    /// Those of writing.
    pub fn new(out: W, columns: Vec<Column>) -> io::Result<Self> {
        let fields: Written<Vec<_>> = columns.iter().map(Column::schema).collect();
        let schema = Type::group_type_builder("rows").with_fields(fields?).build()?;
        let properties = WriterProperties::builder()
            .set_created_by(concat!("wirewright version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::SNAPPY)
            .build();
        let out = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        let cells = vec![Vec::new(); columns.len()];
        Ok(Self { out, columns, cells })
    }

    /// Adds a row: a cell for each column. Only a column that is optional may have none.
    ///
    /// # Errors
    /// Those of writing; the row has more cells or fewer than there are columns. A cell that is missing is an error when its
    /// group of rows is written.
    pub fn row(&mut self, cells: &[Option<i64>]) -> io::Result<()> {
        if cells.len() != self.cells.len() {
            let (found, expected) = (cells.len(), self.cells.len());
            return Err(io::Error::other(format!("a row of {found} cells for {expected} columns")));
        }
        for (column, cell) in self.cells.iter_mut().zip(cells) {
            column.push(*cell);
        }
        match self.cells.first().is_some_and(|column| column.len() >= GROUP) {
            true => Ok(self.group()?),
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
        Ok(self.out.into_inner()?)
    }

    fn group(&mut self) -> Written<()> {
        let mut group = self.out.next_row_group()?;
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            if let Some(out) = group.next_column()? {
                column.write(cells, out)?;
            }
            cells.clear();
        }
        group.close().map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    /// What was written is read again, over the end of a group.
    #[test]
    fn rows_are_read_again() {
        let words = ["file".to_owned(), "stream".to_owned()];
        let columns = vec![
            Column::integer("flow"),
            Column::optional("end_ps"),
            Column::word("traffic", &words),
        ];
        let mut table = Table::new(Vec::new(), columns).expect("a table");
        let cells = |row: i64| [Some(row * 3), (row % 7 != 0).then_some(row), Some(row % 2)];
        let rows = GROUP as i64 + 10;
        for row in 0..rows {
            table.row(&cells(row)).expect("a row");
        }
        let bytes = table.finish().expect("a file");
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a reader");
        assert_eq!(reader.metadata().num_row_groups(), 2);
        assert_eq!(reader.metadata().file_metadata().num_rows(), rows);
        let mut count = 0;
        for (number, row) in reader.get_row_iter(None).expect("rows").enumerate() {
            let (row, number) = (row.expect("a row"), number as i64);
            assert_eq!(row.get_long(0).ok(), Some(number * 3));
            assert_eq!(row.get_long(1).ok(), (number % 7 != 0).then_some(number));
            assert_eq!(row.get_string(2).ok(), Some(&words[number as usize % 2]));
            count += 1;
        }
        assert_eq!(count, rows);
    }

    /// A number without a word is an error, not a file.
    #[test]
    fn a_word_that_is_not_there() {
        let words = ["a".to_owned()];
        let mut table = Table::new(Vec::new(), vec![Column::word("w", &words)]).expect("a table");
        table.row(&[Some(1)]).expect("it waits");
        assert!(table.finish().is_err_and(|error| error.to_string().contains("'w'")));
    }

    /// What is missing is an error, not a 0.
    #[test]
    fn a_missing_cell_of_a_column_that_needs_one_is_an_error() {
        let columns = || vec![Column::integer("there"), Column::integer("missing")];
        let mut table = Table::new(Vec::new(), columns()).expect("a table");
        table.row(&[Some(1), None]).expect("it waits");
        let error = table.finish().expect_err("a cell is missing").to_string();
        assert!(error.contains("'missing': a value is missing"), "{error}");
        let mut table = Table::new(Vec::new(), columns()).expect("a table");
        let error = table.row(&[Some(1)]).expect_err("a row too short").to_string();
        assert!(error.contains("a row of 1 cells for 2 columns"), "{error}");
    }
}
