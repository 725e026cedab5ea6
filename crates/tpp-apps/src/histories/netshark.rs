//! The store: a Parquet file with a row for each hop. A history without hops has one row, without hop.

use crate::histories::history::{History, Hop};
use crate::histories::values::Value;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::net::Ipv4Addr;
use ww_columns::reader::{ChunkReader, Reader};
use ww_columns::table::{Column, Table};

/// Columns of the packet, then those of the hop.
const PACKET: [&str; 10] = [
    "history",
    "time_ps",
    "app",
    "source",
    "destination",
    "source_port",
    "destination_port",
    "protocol",
    "length",
    "executed",
];
const HOP: [&str; 8] =
    ["hop", "switch", "entry", "in_port", "out_port", "version", "occupancy", "utilisation"];
/// A TPP counts no more.
const MAX_HOPS: usize = 255;

/// Writes histories. Memory is that of a group of rows.
pub struct Writer<W: Write + Send> {
    table: Table<W>,
    /// Histories so far.
    count: u64,
}

impl<W: Write + Send> Writer<W> {
    /// To here.
    ///
    /// # Errors
    /// Those of writing.
    pub fn new(out: W) -> io::Result<Self> {
        let packet = PACKET.iter().map(|name| match *name {
            "source" | "destination" => Column::address(name),
            _ => Column::integer(name),
        });
        let columns = packet.chain(HOP.iter().map(|name| Column::optional(name))).collect();
        Ok(Self { table: Table::new(out, columns)?, count: 0 })
    }

    /// Adds one. Histories are numbered from 0.
    ///
    /// # Errors
    /// Those of writing; it arrived after 2^63 ps.
    pub fn write(&mut self, history: &History) -> io::Result<()> {
        let time = i64::try_from(history.at)
            .map_err(|_| io::Error::other(format!("{} ps are beyond 2^63", history.at)))?;
        let packet = [
            self.count as i64,
            time,
            history.app.into(),
            u32::from(history.source).into(),
            u32::from(history.destination).into(),
            history.ports[0].into(),
            history.ports[1].into(),
            history.protocol.into(),
            history.length.into(),
            history.executed.into(),
        ];
        let mut row = |hop: [Option<i64>; HOP.len()]| {
            let cells: Vec<Option<i64>> = packet.into_iter().map(Some).chain(hop).collect();
            self.table.row(&cells)
        };
        for (number, hop) in history.hops.iter().enumerate() {
            let mut cells = [Some(number as i64); HOP.len()];
            for (cell, value) in cells[1..].iter_mut().zip(Value::ALL) {
                *cell = hop.get(value).map(i64::from);
            }
            row(cells)?;
        }
        if history.hops.is_empty() {
            row([None; HOP.len()])?;
        }
        self.count += 1;
        Ok(())
    }

    /// Writes what is left and the end of the file, and gives how many histories it has.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(self) -> io::Result<(W, u64)> {
        Ok((self.table.finish()?, self.count))
    }
}

/// Reads histories again. Memory is that of a group of rows.
pub struct Store<R: ChunkReader + 'static> {
    reader: Reader<R>,
    /// Whole ones, and at the end the one that the next rows may belong to.
    ready: VecDeque<(i64, History)>,
    is_done: bool,
}

impl<R: ChunkReader + 'static> Store<R> {
    /// From here.
    ///
    /// # Errors
    /// It is no such file.
    pub fn new(source: R) -> io::Result<Self> {
        let names: Vec<&str> = PACKET.iter().chain(&HOP).copied().collect();
        let reader = Reader::new(source, &names)?;
        Ok(Self { reader, ready: VecDeque::new(), is_done: false })
    }

    /// The next one; `None` at the end.
    ///
    /// # Errors
    /// Those of reading; the file is damaged.
    pub fn history(&mut self) -> io::Result<Option<History>> {
        while !self.is_done && self.ready.len() < 2 {
            match self.reader.group()? {
                Some(group) => {
                    let rows = group.first().map_or(0, Vec::len);
                    (0..rows).try_for_each(|row| self.row(|column| group[column][row]))?;
                }
                None => self.is_done = true,
            }
        }
        Ok(self.ready.pop_front().map(|(_, history)| history))
    }

    fn row(&mut self, cell: impl Fn(usize) -> Option<i64>) -> io::Result<()> {
        let (number, history) = packet(&cell)?;
        let is_new = self.ready.back().is_none_or(|(last, _)| *last != number);
        if is_new {
            self.ready.push_back((number, history));
        }
        let Some((_, history)) = self.ready.back_mut() else { return Ok(()) };
        match cell(PACKET.len()) {
            None if is_new => Ok(()),
            Some(at) if at == history.hops.len() as i64 && history.hops.len() < MAX_HOPS => {
                let mut hop = Hop::default();
                for (column, value) in (PACKET.len() + 1..).zip(Value::ALL) {
                    hop.set(
                        value,
                        cell(column).map(|n| narrow(n, HOP[value as usize + 1])).transpose()?,
                    );
                }
                history.hops.push(hop);
                Ok(())
            }
            _ => Err(damaged("hop")),
        }
    }
}

/// The number and the packet of a row.
fn packet(cell: impl Fn(usize) -> Option<i64>) -> io::Result<(i64, History)> {
    let all = |column: usize| cell(column).ok_or_else(|| damaged(PACKET[column]));
    let address = |column: usize| narrow::<u32>(all(column)?, PACKET[column]).map(Ipv4Addr::from);
    let history = History {
        at: narrow(all(1)?, PACKET[1])?,
        app: narrow(all(2)?, PACKET[2])?,
        source: address(3)?,
        destination: address(4)?,
        ports: [narrow(all(5)?, PACKET[5])?, narrow(all(6)?, PACKET[6])?],
        protocol: narrow(all(7)?, PACKET[7])?,
        length: narrow(all(8)?, PACKET[8])?,
        executed: narrow(all(9)?, PACKET[9])?,
        hops: Vec::new(),
    };
    Ok((all(0)?, history))
}

fn narrow<T: TryFrom<i64>>(number: i64, column: &str) -> io::Result<T> {
    T::try_from(number).map_err(|_| damaged(column))
}

fn damaged(column: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("column '{column}' has what no history has"))
}
