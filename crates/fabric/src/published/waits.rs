//! Waits: how many epochs each destination of each host must wait at each peer, and which destinations count.
//!
//! A wait is kept as the epoch in which it reaches zero, so it falls without being touched. The waits of a slot, of all
//! hosts, lie together: a slot reads them from front to back.

/// Columns are added by so many, at least: what a processor compares at once.
pub const STEP: usize = 16;

/// Epochs are counted from such a number on anew (see [`Waits::rebase`]), so that most waits fit 16 bits.
pub const REBASE: i32 = 1 << 14;

/// A wait in memory. The largest number is that of one which ends when feedback has arrived.
trait Wait: Copy + Ord {
    const BLOCKED: Self;

    /// An epoch, if it fits.
    fn of(epoch: i32) -> Option<Self>;

    /// The last epoch that fits.
    fn largest() -> Self;

    /// The epoch.
    fn epoch(self) -> i32;

    /// How many of `row` are at most `limit` and listed (1, not 0).
    fn count(row: &[Self], listed: &[Self], limit: Self) -> u32;
}

macro_rules! wait {
    ($type:ty) => {
        impl Wait for $type {
            const BLOCKED: Self = <$type>::MAX;

            fn of(epoch: i32) -> Option<Self> {
                Self::try_from(epoch).ok().filter(|&wait| wait < Self::BLOCKED)
            }

            fn largest() -> Self {
                Self::BLOCKED - 1
            }

            fn epoch(self) -> i32 {
                i32::from(self)
            }

            // Sums are at most the number of hosts, which fits.
            fn count(row: &[Self], listed: &[Self], limit: Self) -> u32 {
                let counts = row
                    .iter()
                    .zip(listed)
                    .map(|(&zero, &listed)| Self::from(zero <= limit) & listed);
                counts.sum::<Self>() as u32
            }
        }
    };
}

wait!(i16);
wait!(i32);

/// The waits of a number of hosts, in columns that they give to their destinations.
#[derive(Debug)]
struct Rows<T> {
    /// `zero[(phase * hosts + host) * width + column]`
    zero: Vec<T>,
    /// `listed[host * width + column]`: 1 or 0.
    listed: Vec<T>,
}

/// Waits in 16 bits, or in 32 if there has ever been one that needs them.
#[derive(Debug)]
enum Size {
    Narrow(Rows<i16>),
    Wide(Rows<i32>),
}

/// Does the same with waits of either size.
macro_rules! rows {
    ($size:expr, $rows:ident => $work:expr) => {
        match $size {
            Size::Narrow($rows) => $work,
            Size::Wide($rows) => $work,
        }
    };
}

/// The waits of a number of hosts at their peers. Peers are numbered by the slot of an epoch in which they are met.
#[derive(Debug)]
pub struct Waits {
    hosts: usize,
    peers: usize,
    width: usize,
    size: Size,
}

/// The waits of a host at a peer.
pub struct Row<'a> {
    size: RowSize<'a>,
}

enum RowSize<'a> {
    Narrow(&'a [i16], i16),
    Wide(&'a [i32], i32),
}

impl Row<'_> {
    /// Whether the wait of a column is over.
    pub fn is_over(&self, column: u16) -> bool {
        match self.size {
            RowSize::Narrow(row, limit) => row[usize::from(column)] <= limit,
            RowSize::Wide(row, limit) => row[usize::from(column)] <= limit,
        }
    }
}

impl Waits {
    /// Without columns.
    pub fn new(hosts: usize, peers: usize) -> Self {
        let size = Size::Narrow(Rows { zero: Vec::new(), listed: Vec::new() });
        Self { hosts, peers, width: 0, size }
    }

    /// Columns that a host can have now.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Gives each host `width` columns; new ones are zero and not listed.
    pub fn widen(&mut self, width: usize) {
        fn widen<T: Wait>(rows: &mut Vec<T>, old: usize, width: usize, zero: T, count: usize) {
            let mut wider = vec![zero; count * width];
            if old > 0 {
                for (row, new) in rows.chunks(old).zip(wider.chunks_mut(width)) {
                    new[..old].copy_from_slice(row);
                }
            }
            *rows = wider;
        }
        let (hosts, slots) = (self.hosts, self.hosts * self.peers);
        rows!(&mut self.size, rows => {
            widen(&mut rows.zero, self.width, width, 0, slots);
            widen(&mut rows.listed, self.width, width, 0, hosts);
        });
        self.width = width;
    }

    /// Whether the destination of a column counts.
    pub fn is_listed(&self, host: usize, column: u16) -> bool {
        let place = host * self.width + usize::from(column);
        rows!(&self.size, rows => rows.listed[place] == 1)
    }

    /// Lets the destination of a column count, or not.
    pub fn list(&mut self, host: usize, column: u16, listed: bool) {
        let place = host * self.width + usize::from(column);
        rows!(&mut self.size, rows => rows.listed[place] = listed.into());
    }

    /// Blocks a destination at a peer.
    pub fn block(&mut self, host: usize, peer: usize, column: u16) {
        let place = self.place(host, peer, column);
        match &mut self.size {
            Size::Narrow(rows) => rows.zero[place] = i16::BLOCKED,
            Size::Wide(rows) => rows.zero[place] = i32::BLOCKED,
        }
    }

    /// The wait of a destination at a peer is zero in `epoch`.
    pub fn set(&mut self, host: usize, peer: usize, column: u16, epoch: i32) {
        let place = self.place(host, peer, column);
        if let Size::Narrow(rows) = &mut self.size {
            match i16::of(epoch) {
                Some(wait) => {
                    rows.zero[place] = wait;
                    return;
                }
                None => self.grow(),
            }
        }
        if let Size::Wide(rows) = &mut self.size {
            rows.zero[place] = epoch.min(i32::BLOCKED - 1);
        }
    }

    /// Makes room for large waits.
    fn grow(&mut self) {
        if let Size::Narrow(rows) = &self.size {
            let wide = |&wait: &i16| if wait == i16::BLOCKED { i32::BLOCKED } else { wait.into() };
            self.size = Size::Wide(Rows {
                zero: rows.zero.iter().map(wide).collect(),
                listed: rows.listed.iter().map(|&listed| listed.into()).collect(),
            });
        }
    }

    fn place(&self, host: usize, peer: usize, column: u16) -> usize {
        (peer * self.hosts + host) * self.width + usize::from(column)
    }

    /// The first `columns` waits of a host at a peer, with a `limit`: those that end in that epoch or before are over. Also
    /// how many listed ones are over.
    pub fn look(&self, host: usize, peer: usize, columns: usize, limit: i32) -> (u32, Row<'_>) {
        fn look<T: Wait>(
            rows: &Rows<T>,
            row: usize,
            listed: usize,
            columns: usize,
            limit: i32,
        ) -> (u32, &[T], T) {
            let row = &rows.zero[row..][..columns];
            // A limit that is too large lets all pass but those that are blocked.
            let limit = T::of(limit).unwrap_or_else(|| T::largest());
            (T::count(row, &rows.listed[listed..][..columns], limit), row, limit)
        }
        let (row, listed) = (self.place(host, peer, 0), host * self.width);
        match &self.size {
            Size::Narrow(rows) => {
                let (count, row, limit) = look(rows, row, listed, columns, limit);
                (count, Row { size: RowSize::Narrow(row, limit) })
            }
            Size::Wide(rows) => {
                let (count, row, limit) = look(rows, row, listed, columns, limit);
                (count, Row { size: RowSize::Wide(row, limit) })
            }
        }
    }

    /// Whether all waits of a destination are zero in `epoch`.
    pub fn is_clean(&self, host: usize, column: u16, epoch: i32) -> bool {
        let mut places = (0..self.peers).map(|peer| self.place(host, peer, column));
        rows!(&self.size, rows => places.all(|place| rows.zero[place].epoch() <= epoch))
    }

    /// Epochs are counted from `epochs` later on.
    pub fn rebase(&mut self, epochs: i32) {
        fn rebase<T: Wait>(rows: &mut [T], epochs: i32) {
            for zero in rows.iter_mut().filter(|zero| **zero != T::BLOCKED) {
                // What is less than before fits.
                *zero = T::of((zero.epoch() - epochs).max(0)).unwrap_or(*zero);
            }
        }
        rows!(&mut self.size, rows => rebase(&mut rows.zero, epochs));
    }
}
