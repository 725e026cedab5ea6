//! ARP for IPv4 over Ethernet (RFC 826).

use crate::HeaderError;
use crate::ethernet::MacAddress;
use crate::field::{array, need, put, u16_at};
use std::net::Ipv4Addr;

/// Bytes in a message.
pub const LENGTH: usize = 28;

/// What stands in front of the operation: Ethernet, IPv4, and the lengths of their addresses.
const PREFIX: [u8; 6] = [0, 1, 8, 0, 6, 4];

/// What a message wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Who has the target's address?
    Request,
    /// The sender has it.
    Reply,
}

/// The values of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repr {
    /// What it wants.
    pub operation: Operation,
    /// Ethernet address of the sender.
    pub sender_mac: MacAddress,
    /// IPv4 address of the sender; 0.0.0.0 in a probe (RFC 5227).
    pub sender_ip: Ipv4Addr,
    /// Ethernet address of the target; zeros in a request.
    pub target_mac: MacAddress,
    /// IPv4 address of the target.
    pub target_ip: Ipv4Addr,
}

impl Repr {
    /// The values of a message. Fails below 28 bytes, with other address types or lengths, and with another operation
    /// than request and reply. What follows the message is padding.
    pub fn parse(bytes: &[u8]) -> Result<Self, HeaderError> {
        need(bytes, LENGTH)?;
        if array::<6>(bytes, 0) != PREFIX {
            return Err(HeaderError::Malformed("ARP is not for IPv4 over Ethernet"));
        }
        let operation = match u16_at(bytes, 6) {
            1 => Operation::Request,
            2 => Operation::Reply,
            _ => return Err(HeaderError::Malformed("ARP operation is neither request nor reply")),
        };
        Ok(Self {
            operation,
            sender_mac: MacAddress(array(bytes, 8)),
            sender_ip: array::<4>(bytes, 14).into(),
            target_mac: MacAddress(array(bytes, 18)),
            target_ip: array::<4>(bytes, 24).into(),
        })
    }

    /// The message as bytes.
    pub fn emit(&self) -> [u8; LENGTH] {
        let mut b = [0; LENGTH];
        put(&mut b, 0, PREFIX);
        let operation: u16 = match self.operation {
            Operation::Request => 1,
            Operation::Reply => 2,
        };
        put(&mut b, 6, operation.to_be_bytes());
        put(&mut b, 8, self.sender_mac.0);
        put(&mut b, 14, self.sender_ip.octets());
        put(&mut b, 18, self.target_mac.0);
        put(&mut b, 24, self.target_ip.octets());
        b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: [u8; 28] =
        [0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 1, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 2];

    #[test]
    fn parse_and_emit() {
        let repr = Repr::parse(&REQUEST).unwrap();
        assert_eq!(repr.operation, Operation::Request);
        assert_eq!(repr.sender_mac, MacAddress([2, 0, 0, 0, 0, 1]));
        assert_eq!(repr.sender_ip, Ipv4Addr::new(10, 0, 0, 1));
        assert_eq!(repr.target_ip, Ipv4Addr::new(10, 0, 0, 2));
        assert_eq!(repr.emit(), REQUEST);
    }

    #[test]
    fn rejected() {
        assert!(Repr::parse(&REQUEST[..27]).is_err());
        for (at, value) in [(1, 6), (3, 1), (4, 8), (5, 16), (7, 0), (7, 3)] {
            let mut bytes = REQUEST;
            bytes[at] = value;
            assert!(Repr::parse(&bytes).is_err(), "byte {at} is {value}");
        }
    }
}
