//! Which packets an application's TPP goes with, in the words of iptables.
//!
//! ```
//! let filter: ww_host::filter::Filter =
//!     "-p udp -s 10.0.0.0/8 -d 10.1.0.2 --dport 5000:5100".parse().expect("a good filter");
//! assert_eq!(filter.to_string(), "-p udp -s 10.0.0.0/8 -d 10.1.0.2 --dport 5000:5100");
//! ```

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::Ipv4Addr;
use std::ops::RangeInclusive;
use std::str::FromStr;
use ww_packet::protocol::{ethertype, ip};
use ww_packet::{ethernet, ipv4};

/// The fields of a packet by which filters choose, and which identify its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fields {
    /// IPv4's protocol.
    pub protocol: u8,
    /// IPv4's source address.
    pub source: u32,
    /// IPv4's destination address.
    pub destination: u32,
    /// Ports of TCP and UDP: source, destination; none of other protocols and of later fragments.
    pub ports: Option<[u16; 2]>,
}

impl Fields {
    /// Of a frame with an IPv4 packet.
    pub fn of(frame: &[u8]) -> Option<Self> {
        let (kind, at) = ethernet::Frame::new(frame).ok()?.network_layer().ok()?;
        if kind != ethertype::IPV4 {
            return None;
        }
        let packet = ipv4::Packet::new(&frame[at..]).ok()?;
        let (protocol, payload) = (packet.protocol(), packet.payload());
        let has_ports = matches!(protocol, ip::TCP | ip::UDP) && packet.fragment_offset() == 0;
        let ports = payload.first_chunk::<4>().filter(|_| has_ports);
        let ports = ports.map(|b| [[b[0], b[1]], [b[2], b[3]]].map(u16::from_be_bytes));
        let (source, destination) = (packet.source().into(), packet.destination().into());
        Some(Self { protocol, source, destination, ports })
    }
}

/// Addresses that begin alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prefix {
    /// The first address.
    pub address: u32,
    /// Bits that count, 0 to 32.
    pub length: u8,
}

impl Prefix {
    /// The bits that count, as a mask.
    pub fn mask(length: u8) -> u32 {
        u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or(0)
    }

    fn contains(&self, address: u32) -> bool {
        (address ^ self.address) & Self::mask(self.length) == 0
    }
}

/// Packets: those that all parts fit. One without parts fits every IPv4 packet. Written down, it is a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Filter {
    /// `-p`
    pub protocol: Option<u8>,
    /// `-s`
    pub source: Prefix,
    /// `-d`
    pub destination: Prefix,
    /// `--sport`
    pub source_ports: Option<RangeInclusive<u16>>,
    /// `--dport`
    pub destination_ports: Option<RangeInclusive<u16>>,
}

impl Filter {
    /// Whether it fits.
    pub fn fits(&self, fields: &Fields) -> bool {
        let port = |range: &Option<RangeInclusive<u16>>, which: usize| match range {
            None => true,
            Some(range) => fields.ports.is_some_and(|ports| range.contains(&ports[which])),
        };
        self.protocol.is_none_or(|protocol| protocol == fields.protocol)
            && self.source.contains(fields.source)
            && self.destination.contains(fields.destination)
            && port(&self.source_ports, 0)
            && port(&self.destination_ports, 1)
    }
}

/// What is wrong with a filter: a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError(pub String);

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FilterError {}

const PROTOCOLS: [(&str, u8); 3] = [("tcp", ip::TCP), ("udp", ip::UDP), ("icmp", ip::ICMP)];

impl TryFrom<String> for Filter {
    type Error = FilterError;

    fn try_from(text: String) -> Result<Self, FilterError> {
        text.parse()
    }
}

impl From<Filter> for String {
    fn from(filter: Filter) -> Self {
        filter.to_string()
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let mut filter = Self::default();
        let mut words = text.split_whitespace();
        let mut seen = Vec::new();
        while let Some(option) = words.next() {
            let error = |message: String| FilterError(format!("filter: {message}"));
            if seen.contains(&option) {
                return Err(error(format!("{option} is there twice")));
            }
            seen.push(option);
            let found = option.escape_debug();
            let expected =
                || error(format!("expected -p, -s, -d, --sport or --dport, found '{found}'"));
            if !["-p", "-s", "-d", "--sport", "--dport"].contains(&option) {
                return Err(expected());
            }
            let word =
                words.next().ok_or_else(|| error(format!("there is nothing behind {option}")))?;
            let wrong = |what: &str| {
                error(format!("{option}: expected {what}, found '{}'", word.escape_debug()))
            };
            match option {
                "-p" => {
                    let known = PROTOCOLS.iter().find(|(name, _)| *name == word);
                    let number = known.map(|(_, number)| *number).or_else(|| word.parse().ok());
                    filter.protocol =
                        Some(number.ok_or_else(|| wrong("tcp, udp, icmp or a number"))?);
                }
                "-s" | "-d" => {
                    let prefix = prefix(word).ok_or_else(|| wrong("an address, as 10.0.0.0/8"))?;
                    *(if option == "-s" { &mut filter.source } else { &mut filter.destination }) =
                        prefix;
                }
                _ => {
                    let range =
                        ports(word).ok_or_else(|| wrong("a port, or ports as 5000:5100"))?;
                    let is_source = option == "--sport";
                    *(if is_source {
                        &mut filter.source_ports
                    } else {
                        &mut filter.destination_ports
                    }) = Some(range);
                }
            }
        }
        let has_ports = filter.source_ports.is_some() || filter.destination_ports.is_some();
        match filter.protocol {
            Some(ip::TCP | ip::UDP) => {}
            _ if !has_ports => {}
            _ => return Err(FilterError("filter: ports need -p tcp or -p udp".to_owned())),
        }
        Ok(filter)
    }
}

fn prefix(word: &str) -> Option<Prefix> {
    let (address, length) = word.split_once('/').unwrap_or((word, "32"));
    let address: Ipv4Addr = address.parse().ok()?;
    let length = length.parse().ok().filter(|length| *length <= 32)?;
    Some(Prefix { address: u32::from(address) & Prefix::mask(length), length })
}

fn ports(word: &str) -> Option<RangeInclusive<u16>> {
    let (first, last) = word.split_once(':').unwrap_or((word, word));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some(first..=last)
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(protocol) = self.protocol {
            let known = PROTOCOLS.iter().find(|(_, number)| *number == protocol);
            parts.push(known.map_or(format!("-p {protocol}"), |(name, _)| format!("-p {name}")));
        }
        for (option, prefix) in [("-s", self.source), ("-d", self.destination)] {
            let address = Ipv4Addr::from(prefix.address);
            match prefix.length {
                0 => {}
                32 => parts.push(format!("{option} {address}")),
                length => parts.push(format!("{option} {address}/{length}")),
            }
        }
        for (option, range) in
            [("--sport", &self.source_ports), ("--dport", &self.destination_ports)]
        {
            match range {
                None => {}
                Some(range) if range.start() == range.end() => {
                    parts.push(format!("{option} {}", range.start()));
                }
                Some(range) => parts.push(format!("{option} {}:{}", range.start(), range.end())),
            }
        }
        f.write_str(&parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read_and_written() {
        for text in
            ["", "-p tcp", "-p 47 -d 10.0.0.0/8", "-p udp -s 1.2.3.4 --sport 1 --dport 2:65535"]
        {
            let filter: Filter = text.parse().expect(text);
            assert_eq!(filter.to_string(), text);
        }
        let same: Filter = "-d 10.9.8.7/8".parse().expect("good");
        assert_eq!(same.to_string(), "-d 10.0.0.0/8");
        for (text, message) in [
            ("-p sctp", "-p: expected tcp, udp, icmp or a number, found 'sctp'"),
            ("-s 10.0.0.0/33", "-s: expected an address, as 10.0.0.0/8, found '10.0.0.0/33'"),
            ("-p udp --dport 9:8", "--dport: expected a port, or ports as 5000:5100, found '9:8'"),
            ("--dport 9", "ports need -p tcp or -p udp"),
            ("-j TPP", "expected -p, -s, -d, --sport or --dport, found '-j'"),
            ("-p tcp -p udp", "-p is there twice"),
            ("-d", "there is nothing behind -d"),
        ] {
            let error = text.parse::<Filter>().expect_err(text);
            assert_eq!(error.0, format!("filter: {message}"));
        }
    }

    #[test]
    fn all_parts_have_to_fit() {
        let fields =
            |ports| Fields { protocol: 17, source: 0x0a000001, destination: 0x0a010002, ports };
        let with = fields(Some([4000, 5050]));
        for (text, fits) in [
            ("", true),
            ("-p udp", true),
            ("-p tcp", false),
            ("-s 10.0.0.0/16 -d 10.1.0.0/16", true),
            ("-s 10.1.0.0/16", false),
            ("-p udp --dport 5000:5050", true),
            ("-p udp --dport 5051:6000", false),
            ("-p udp --sport 4000 --dport 5050", true),
            ("-s 0.0.0.0/0", true),
        ] {
            assert_eq!(text.parse::<Filter>().expect(text).fits(&with), fits, "{text}");
        }
        let filter: Filter = "-p udp --dport 1:65535".parse().expect("good");
        assert!(!filter.fits(&fields(None)), "a fragment has no ports");
    }
}
