//! Headers of pages (Apache Parquet's `parquet.thrift`, in Thrift's compact protocol), read before the library reads
//! pages: it makes room for as many values and bytes as they promise, up to 16 GB for a header of 20 bytes.

/// Bytes and values that a page may promise: a group of rows of 64 bits, and as much again.
const MAX_BYTES: i64 = 2 << 20;
const MAX_VALUES: i64 = 1 << 17;
/// Of structures in structures; those of the format have three.
const MAX_DEPTH: u32 = 8;

/// Checks all pages of a column in a group of rows.
///
/// # Errors
/// A sentence.
pub fn check(mut chunk: &[u8]) -> Result<(), String> {
    while !chunk.is_empty() {
        let mut header = Header { rest: chunk, uncompressed: 0, compressed: 0, values: 0 };
        header.structure(0, 0).ok_or("a page has a broken header")?;
        let Header { rest, uncompressed, compressed, values } = header;
        if !(0..=MAX_BYTES).contains(&uncompressed) || !(0..=MAX_VALUES).contains(&values) {
            return Err(format!(
                "a page promises {values} values in {uncompressed} bytes, more than {MAX_VALUES} or {MAX_BYTES}"
            ));
        }
        let length = usize::try_from(compressed).ok().filter(|length| *length <= rest.len());
        chunk = &rest[length.ok_or("a page is longer than its column")?..];
    }
    Ok(())
}

struct Header<'a> {
    rest: &'a [u8],
    uncompressed: i64,
    compressed: i64,
    /// The most that a header in the header says.
    values: i64,
}

impl Header<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn integer(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A structure at a depth; the field of the page header that it is, 0 for that itself.
    fn structure(&mut self, depth: u32, of: i64) -> Option<()> {
        let mut field = 0i64;
        loop {
            let byte = self.byte()?;
            if byte == 0 {
                return Some(());
            }
            field = match byte >> 4 {
                0 => self.integer()?,
                delta => field.checked_add(delta.into())?,
            };
            match byte & 0xf {
                1 | 2 => {}
                // 16, 32 and 64 bits.
                4..=6 => {
                    let value = self.integer()?;
                    match (depth, of, field) {
                        (0, _, 2) => self.uncompressed = value,
                        (0, _, 3) => self.compressed = value,
                        // Of data, dictionary and data of version 2.
                        (1, 5 | 7 | 8, 1) => self.values = value,
                        _ => {}
                    }
                }
                kind => self.skip(kind, depth, field)?,
            }
        }
    }

    /// What does not count for us, statistics above all.
    fn skip(&mut self, kind: u8, depth: u32, field: i64) -> Option<()> {
        match kind {
            3 => self.byte().map(drop),
            8 => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.rest = self.rest.get(length..)?;
                Some(())
            }
            12 if depth < MAX_DEPTH => {
                self.structure(depth + 1, if depth == 0 { field } else { 0 })
            }
            // The headers of pages have no floating point numbers, lists, sets and maps.
            _ => None,
        }
    }
}
