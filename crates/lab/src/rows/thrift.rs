//! The compact protocol of Thrift, as far as the metadata of Parquet needs it
//! (<https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>).

/// Types of fields and of elements of lists.
mod kind {
    pub const I32: u8 = 5;
    pub const I64: u8 = 6;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const STRUCT: u8 = 12;
}

/// A structure that is being written.
#[derive(Debug, Default)]
pub struct Struct {
    bytes: Vec<u8>,
    last: i16,
}

impl Struct {
    fn field(&mut self, number: i16, kind: u8) {
        // Numbers grow by 1 to 15 in all structures of Parquet.
        let delta = (number - self.last) as u8;
        self.bytes.push(delta << 4 | kind);
        self.last = number;
    }

    /// A field that is an integer of 32 bits, or an enumeration.
    pub fn i32(mut self, number: i16, value: i32) -> Self {
        self.field(number, kind::I32);
        zigzag(&mut self.bytes, value.into());
        self
    }

    /// A field that is an integer of 64 bits.
    pub fn i64(mut self, number: i16, value: i64) -> Self {
        self.field(number, kind::I64);
        zigzag(&mut self.bytes, value);
        self
    }

    /// A field that is a string.
    pub fn text(mut self, number: i16, text: &str) -> Self {
        self.field(number, kind::BINARY);
        binary(&mut self.bytes, text);
        self
    }

    /// A field that is a structure.
    pub fn inner(mut self, number: i16, inner: Self) -> Self {
        self.field(number, kind::STRUCT);
        self.bytes.extend(inner.end());
        self
    }

    /// A field that is a list of structures.
    pub fn structs(mut self, number: i16, list: Vec<Self>) -> Self {
        self.field(number, kind::LIST);
        list_header(&mut self.bytes, list.len(), kind::STRUCT);
        for item in list {
            self.bytes.extend(item.end());
        }
        self
    }

    /// A field that is a list of enumerations.
    pub fn i32s(mut self, number: i16, list: &[i32]) -> Self {
        self.field(number, kind::LIST);
        list_header(&mut self.bytes, list.len(), kind::I32);
        for item in list {
            zigzag(&mut self.bytes, i64::from(*item));
        }
        self
    }

    /// A field that is a list of strings.
    pub fn texts(mut self, number: i16, list: &[&str]) -> Self {
        self.field(number, kind::LIST);
        list_header(&mut self.bytes, list.len(), kind::BINARY);
        for item in list {
            binary(&mut self.bytes, item);
        }
        self
    }

    /// The bytes, with the end of the structure.
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn list_header(bytes: &mut Vec<u8>, count: usize, kind: u8) {
    match count < 15 {
        true => bytes.push((count as u8) << 4 | kind),
        false => {
            bytes.push(0xf0 | kind);
            varint(bytes, count as u64);
        }
    }
}

fn binary(bytes: &mut Vec<u8>, text: &str) {
    varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    varint(bytes, (value << 1 ^ value >> 63) as u64);
}

/// Seven bits a byte, the lowest first.
pub fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
