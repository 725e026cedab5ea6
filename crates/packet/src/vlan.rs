//! VLAN tags (IEEE 802.1Q clause 9).

use crate::HeaderError;
use crate::field::{need, u16_at};

/// Bytes a tag adds to a frame.
pub const TAG_LENGTH: usize = 4;

/// Where a tag goes into a frame: behind the two addresses.
pub const TAG_OFFSET: usize = 12;

/// A view over the tag control information and the type that follows it, that is
/// over the four bytes behind a tag protocol identifier.
#[derive(Debug, Clone, Copy)]
pub struct Tag<T>(T);

impl<T: AsRef<[u8]>> Tag<T> {
    /// Takes `bytes` for a tag. Fails below 4 bytes.
    pub fn new(bytes: T) -> Result<Self, HeaderError> {
        need(bytes.as_ref(), TAG_LENGTH)?;
        Ok(Self(bytes))
    }

    /// Priority code point, 0 to 7.
    pub fn priority(&self) -> u8 {
        self.0.as_ref()[0] >> 5
    }

    /// Drop eligible indicator.
    pub fn drop_eligible(&self) -> bool {
        self.0.as_ref()[0] & 0x10 != 0
    }

    /// VLAN identifier, 0 to 4095.
    pub fn identifier(&self) -> u16 {
        u16_at(self.0.as_ref(), 0) & 0x0fff
    }

    /// The type of what follows the tag.
    pub fn ethertype(&self) -> u16 {
        u16_at(self.0.as_ref(), 2)
    }
}

/// Puts a tag into `frame` behind the addresses. `protocol` is the tag protocol
/// identifier, `control` priority, drop indicator and identifier as on the wire.
/// A frame below 12 bytes is left alone.
pub fn insert(frame: &mut Vec<u8>, protocol: u16, control: u16) {
    if frame.len() < TAG_OFFSET {
        return;
    }
    let [p0, p1] = protocol.to_be_bytes();
    let [c0, c1] = control.to_be_bytes();
    frame.splice(TAG_OFFSET..TAG_OFFSET, [p0, p1, c0, c1]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        // PCP 5, DEI 1, VID 0xabc
        let tag = Tag::new([0xba, 0xbc, 0x86, 0xdd]).unwrap();
        assert_eq!((tag.priority(), tag.drop_eligible(), tag.identifier()), (5, true, 0xabc));
        assert_eq!(tag.ethertype(), 0x86dd);
        assert!(Tag::new([0; 3]).is_err());
    }

    #[test]
    fn insertion() {
        let mut frame: Vec<u8> = (0..16).collect();
        insert(&mut frame, 0x8100, 0x0064);
        assert_eq!(frame[..12], (0..12).collect::<Vec<u8>>());
        assert_eq!(frame[12..], [0x81, 0x00, 0x00, 0x64, 12, 13, 14, 15]);
        let mut short = vec![1, 2, 3];
        insert(&mut short, 0x8100, 1);
        assert_eq!(short, [1, 2, 3]);
    }
}
