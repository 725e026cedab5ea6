//! The driver of `rtl/driver`, the one that software of real hardware uses, with the control bus
//! of a model under it.

use super::Error;
use super::bus::{Door, Request};
use super::testbench::Testbench;
use crate::manifest::{HashParameters, TableObject};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

/// `ww_driver.h`, with its names.
mod raw {
    use super::{c_char, c_int, c_void};

    #[repr(C)]
    pub struct Bus {
        pub context: *mut c_void,
        pub write: unsafe extern "C" fn(*mut c_void, u32, u32) -> c_int,
        pub read: unsafe extern "C" fn(*mut c_void, u32, *mut u32) -> c_int,
    }

    #[repr(C)]
    pub struct TableInfo {
        pub name: *const c_char,
        pub window: u32,
        pub kind: u32,
        pub entries: u32,
        pub key_bits: u32,
        pub data_bits: u32,
        pub action_bits: u32,
        pub number_bits: u32,
        pub ways: u32,
        pub buckets: u32,
        pub stash: u32,
        pub reserved: u32,
        pub seed: u64,
        pub range_bits: *const u8,
        pub range_low: *const u8,
    }

    #[repr(C)]
    pub struct Match {
        pub key: *const u8,
        pub mask: *const u8,
        pub prefix_length: u32,
        pub priority: i32,
    }

    #[repr(C)]
    pub struct Table {
        _opaque: [u8; 0],
    }

    unsafe extern "C" {
        pub fn ww_error_text(error: c_int) -> *const c_char;
        pub fn ww_row_write(
            bus: *const Bus,
            window: u32,
            memory: u32,
            index: u32,
            row: *const u8,
            bits: u32,
        ) -> c_int;
        pub fn ww_row_read(
            bus: *const Bus,
            window: u32,
            memory: u32,
            index: u32,
            row: *mut u8,
            bits: u32,
        ) -> c_int;
        pub fn ww_table_open(
            table: *mut *mut Table,
            info: *const TableInfo,
            bus: *const Bus,
        ) -> c_int;
        pub fn ww_table_close(table: *mut Table);
        pub fn ww_table_insert(
            table: *mut Table,
            entry: *const Match,
            data: *const u8,
            number: *mut u32,
        ) -> c_int;
        pub fn ww_table_modify(table: *mut Table, entry: *const Match, data: *const u8) -> c_int;
        pub fn ww_table_delete(table: *mut Table, entry: *const Match) -> c_int;
        pub fn ww_table_find(
            table: *mut Table,
            entry: *const Match,
            data: *mut u8,
            number: *mut u32,
        ) -> c_int;
        pub fn ww_table_clear(table: *mut Table) -> c_int;
        pub fn ww_table_set_default(table: *mut Table, data: *const u8) -> c_int;
        pub fn ww_table_count(table: *const Table) -> u32;
    }
}

/// An entry with this match is there already.
const EXISTS: c_int = -3;

/// The driver's sentence for an error.
fn text(code: c_int) -> String {
    // SAFETY: the function gives a constant text for any number.
    unsafe { CStr::from_ptr(raw::ww_error_text(code)) }.to_string_lossy().into_owned()
}

/// What the driver's callbacks work on.
struct Wire {
    /// Null but during calls.
    bench: *mut Testbench,
    door: Door,
    /// Why a callback failed.
    error: Option<Error>,
}

impl Wire {
    /// # Safety
    /// `bench` must be a test bench that nobody else uses.
    unsafe fn request(&mut self, address: u32, word: Option<u32>) -> Option<u32> {
        // SAFETY: see above.
        let bench = unsafe { self.bench.as_mut() }?;
        match bench.request(Request { door: self.door, address, word }) {
            Ok(word) => Some(word),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}

unsafe extern "C" fn write_word(context: *mut c_void, address: u32, word: u32) -> c_int {
    // SAFETY: `Bus` gave its wire as context, and it is only used here during a call.
    let wire = unsafe { &mut *context.cast::<Wire>() };
    // SAFETY: `Bus::call` has the test bench.
    if unsafe { wire.request(address, Some(word)) }.is_some() { 0 } else { -1 }
}

unsafe extern "C" fn read_word(context: *mut c_void, address: u32, word: *mut u32) -> c_int {
    // SAFETY: as above.
    let wire = unsafe { &mut *context.cast::<Wire>() };
    // SAFETY: as above.
    match unsafe { wire.request(address, None) } {
        Some(found) => {
            // SAFETY: the driver gives a place for the word.
            unsafe { *word = found };
            0
        }
        None => -1,
    }
}

/// A bus as the driver takes it.
pub struct Bus {
    wire: *mut Wire,
    raw: Box<raw::Bus>,
}

// SAFETY: what it points to is its own, and used in calls through `&mut` only.
unsafe impl Send for Bus {}

impl Bus {
    /// Through this door.
    pub fn new(door: Door) -> Self {
        let wire = Box::into_raw(Box::new(Wire { bench: ptr::null_mut(), door, error: None }));
        let raw = raw::Bus { context: wire.cast(), write: write_word, read: read_word };
        Self { wire, raw: Box::new(raw) }
    }

    /// Calls the driver. The result is its code; an error is one of the bus.
    fn call(
        &mut self,
        bench: &mut Testbench,
        function: impl FnOnce(*const raw::Bus) -> c_int,
    ) -> Result<c_int, Error> {
        // SAFETY: the wire is ours, and nobody has a reference to it now.
        unsafe { (*self.wire).bench = bench };
        let code = function(&*self.raw);
        // SAFETY: as above; the driver has returned.
        let wire = unsafe { &mut *self.wire };
        wire.bench = ptr::null_mut();
        match wire.error.take() {
            Some(error) => Err(error),
            None => Ok(code),
        }
    }

    /// Writes the low `bits` bits of a row.
    pub fn write_row(
        &mut self,
        bench: &mut Testbench,
        at: RowPlace,
        row: &[u8],
        bits: u32,
    ) -> Result<(), Error> {
        assert!(row.len() * 8 >= bits as usize, "a row as wide as it is said to be");
        let RowPlace { window, memory, index } = at;
        // SAFETY: the row has the bits.
        let code = self.call(bench, |bus| unsafe {
            raw::ww_row_write(bus, window, memory, index, row.as_ptr(), bits)
        })?;
        done(code, at)
    }

    /// Reads a row of `bits` bits.
    pub fn read_row(
        &mut self,
        bench: &mut Testbench,
        at: RowPlace,
        bits: u32,
    ) -> Result<Vec<u8>, Error> {
        let mut row = vec![0; bits.div_ceil(8) as usize];
        let RowPlace { window, memory, index } = at;
        // SAFETY: the row has place for the bits.
        let code = self.call(bench, |bus| unsafe {
            raw::ww_row_read(bus, window, memory, index, row.as_mut_ptr(), bits)
        })?;
        done(code, at)?;
        Ok(row)
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        // SAFETY: it came from a box, and nobody has it any more.
        drop(unsafe { Box::from_raw(self.wire) });
    }
}

/// Where a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// Number of the object.
    pub window: u32,
    /// Number of the memory.
    pub memory: u32,
    /// Number of the row.
    pub index: u32,
}

fn done(code: c_int, at: RowPlace) -> Result<(), Error> {
    match code {
        0 => Ok(()),
        _ => Err(Error::Control(format!("{at:?}: {}", text(code)))),
    }
}

/// What an entry of a table matches, in the layout of the table's key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Match {
    /// The key; in the field of a range the smallest value.
    pub key: Vec<u8>,
    /// The bits that count, for ternary tables; in the field of a range the largest value.
    pub mask: Vec<u8>,
    /// For tables of prefixes: bits that count, from the highest on.
    pub prefix_length: u32,
    /// For ternary tables: the higher number wins, then the entry that was inserted first.
    pub priority: i32,
}

impl Match {
    /// As the driver takes it; lives as long as `self`.
    fn raw(&self) -> raw::Match {
        raw::Match {
            key: self.key.as_ptr(),
            mask: self.mask.as_ptr(),
            prefix_length: self.prefix_length,
            priority: self.priority,
        }
    }
}

/// What came of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is there, with this number.
    Number(u32),
    /// An entry with the same match is there.
    Exists,
}

/// A table behind the driver.
pub struct Table {
    table: *mut raw::Table,
    bus: Bus,
    name: CString,
    key_bytes: usize,
    data_bytes: usize,
    /// The driver keeps a pointer to it, and it points into the vectors.
    _info: Box<raw::TableInfo>,
    _range_bits: Vec<u8>,
    _range_low: Vec<u8>,
}

// SAFETY: the driver's table is this one's alone, and is not bound to a thread.
unsafe impl Send for Table {}

impl Table {
    /// The table in a window of a design; it must be empty.
    pub fn open(name: &str, window: u32, object: &TableObject, door: Door) -> Result<Self, Error> {
        let refuse = |what: &str| Error::Control(format!("table `{name}`: {what}"));
        let kind = match object.implementation.as_str() {
            "direct" => 0,
            "hash" => 1,
            "cam" => 2,
            "ternary" => 3,
            "lpm" => 4,
            other => return Err(refuse(&format!("the driver knows no {other}"))),
        };
        let hash = match (kind, object.hash) {
            (1, None) => return Err(refuse("the parameters of its hash are not known")),
            (_, hash) => hash.unwrap_or(HashParameters { ways: 0, buckets: 0, stash: 0, seed: 0 }),
        };
        let bytes = |bits: u32| bits.div_ceil(8) as usize;
        let (mut range_bits, mut range_low) =
            (vec![0u8; bytes(object.key_bits)], vec![0u8; bytes(object.key_bits)]);
        for key in object.keys.iter().filter(|key| key.match_kind == "range") {
            range_low[key.offset as usize / 8] |= 1 << (key.offset % 8);
            for bit in key.offset..key.offset + key.width {
                range_bits[bit as usize / 8] |= 1 << (bit % 8);
            }
        }
        let text = CString::new(name).map_err(|_| refuse("a name with a zero byte"))?;
        let entries = u32::try_from(object.entries).map_err(|_| refuse("too many entries"))?;
        let info = Box::new(raw::TableInfo {
            name: text.as_ptr(),
            window,
            kind,
            entries,
            key_bits: object.key_bits,
            data_bits: object.data_bits,
            action_bits: object.action_bits,
            number_bits: object.number_bits,
            ways: hash.ways,
            buckets: hash.buckets,
            stash: hash.stash,
            reserved: 0,
            seed: hash.seed,
            range_bits: range_bits.as_ptr(),
            range_low: range_low.as_ptr(),
        });
        let bus = Bus::new(door);
        let mut table = ptr::null_mut();
        // SAFETY: description, name, vectors and bus live as long as the table, see `Table`.
        let code = unsafe { raw::ww_table_open(&mut table, &*info, &*bus.raw) };
        if code != 0 || table.is_null() {
            return Err(refuse(&self::text(code)));
        }
        Ok(Self {
            table,
            bus,
            name: text,
            key_bytes: bytes(object.key_bits),
            data_bytes: bytes(object.data_bits),
            _info: info,
            _range_bits: range_bits,
            _range_low: range_low,
        })
    }

    /// Adds an entry.
    pub fn insert(
        &mut self,
        bench: &mut Testbench,
        entry: &Match,
        data: &[u8],
    ) -> Result<Inserted, Error> {
        let mut number = 0;
        let (raw, table) = (self.raw(entry, Some(data)), self.table);
        // SAFETY: the table is open; key, mask and data are as long as it takes them.
        let code = self.bus.call(bench, |_| unsafe {
            raw::ww_table_insert(table, &raw, data.as_ptr(), &mut number)
        })?;
        match code {
            EXISTS => Ok(Inserted::Exists),
            code => self.done(code).map(|()| Inserted::Number(number)),
        }
    }

    /// Gives an entry other data.
    pub fn modify(
        &mut self,
        bench: &mut Testbench,
        entry: &Match,
        data: &[u8],
    ) -> Result<(), Error> {
        let (raw, table) = (self.raw(entry, Some(data)), self.table);
        // SAFETY: as in `insert`.
        let code = self
            .bus
            .call(bench, |_| unsafe { raw::ww_table_modify(table, &raw, data.as_ptr()) })?;
        self.done(code)
    }

    /// Removes an entry.
    pub fn delete(&mut self, bench: &mut Testbench, entry: &Match) -> Result<(), Error> {
        let (raw, table) = (self.raw(entry, None), self.table);
        // SAFETY: as in `insert`.
        let code = self.bus.call(bench, |_| unsafe { raw::ww_table_delete(table, &raw) })?;
        self.done(code)
    }

    /// The number of the entry with this match.
    pub fn find(&mut self, entry: &Match) -> Option<u32> {
        let mut number = 0;
        let raw = self.raw(entry, None);
        // SAFETY: as in `insert`; the function does not use the bus.
        let code = unsafe { raw::ww_table_find(self.table, &raw, ptr::null_mut(), &mut number) };
        (code == 0).then_some(number)
    }

    /// Removes all entries.
    pub fn clear(&mut self, bench: &mut Testbench) -> Result<(), Error> {
        let table = self.table;
        // SAFETY: as in `insert`.
        let code = self.bus.call(bench, |_| unsafe { raw::ww_table_clear(table) })?;
        self.done(code)
    }

    /// What a lookup without a match gives.
    pub fn set_default(&mut self, bench: &mut Testbench, data: &[u8]) -> Result<(), Error> {
        assert!(data.len() >= self.data_bytes, "data as wide as the table's");
        let table = self.table;
        // SAFETY: as in `insert`.
        let code =
            self.bus.call(bench, |_| unsafe { raw::ww_table_set_default(table, data.as_ptr()) })?;
        self.done(code)
    }

    /// How many entries there are.
    pub fn count(&self) -> u32 {
        // SAFETY: the table is open.
        unsafe { raw::ww_table_count(self.table) }
    }

    /// Checks that everything is as long as the driver takes it.
    fn raw(&self, entry: &Match, data: Option<&[u8]>) -> raw::Match {
        let long = |bytes: &[u8], wanted| bytes.len() >= wanted;
        assert!(
            long(&entry.key, self.key_bytes)
                && long(&entry.mask, self.key_bytes)
                && data.is_none_or(|data| long(data, self.data_bytes)),
            "keys and data as wide as the table's"
        );
        entry.raw()
    }

    fn done(&self, code: c_int) -> Result<(), Error> {
        match code {
            0 => Ok(()),
            _ => Err(Error::Control(format!(
                "table `{}`: {}",
                self.name.to_string_lossy(),
                text(code)
            ))),
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // SAFETY: it is open, and nobody uses it any more.
        unsafe { raw::ww_table_close(self.table) }
    }
}
