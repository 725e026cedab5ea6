//! Values that only labs have: names of their parts, and first hops of hosts.

use std::net::Ipv4Addr;
use ww_config::quantity::{Mac, Quantity};
use ww_config::tree::{Kind, Value};

/// A name of a node, of a piece of traffic: letters, digits, '_' and '.'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(pub String);

/// Where a host's frames go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gateway {
    /// Its address on the link.
    Mac([u8; 6]),
    /// Its IP address.
    Address(Ipv4Addr),
}

/// Whether a name can be used in paths of results and names of links.
pub fn is_name(text: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    !text.is_empty()
        && text.len() <= 64
        && text.chars().all(legal)
        && !text.starts_with('.')
        && !text.ends_with('.')
}

impl Quantity for Name {
    fn read(value: &Value) -> Result<Self, String> {
        match &value.kind {
            Kind::Text(text) if is_name(text) => Ok(Self(text.clone())),
            _ => Err(format!(
                "expected a name of 1 to 64 letters, digits, '_' and '.', found {}",
                value.described()
            )),
        }
    }
}

impl Quantity for Gateway {
    fn read(value: &Value) -> Result<Self, String> {
        if let Some(ip) = value.text().and_then(|text| text.parse().ok()) {
            return Ok(Self::Address(ip));
        }
        Mac::read(value).map(|Mac(mac)| Self::Mac(mac)).map_err(|message| {
            match value.text().is_some_and(|text| text.contains('.')) {
                true => Ipv4Addr::read(value).map_or_else(|message| message, |_| message),
                false => message,
            }
        })
    }
}
