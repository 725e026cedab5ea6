//! Which flow of the policy a packet belongs to.

use super::fields::Fields;
use std::net::IpAddr;
use std::ops::RangeInclusive;

/// Addresses that agree in their first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// An address with the wanted bits.
    pub address: IpAddr,
    /// How many bits count, at most 32 or 128.
    pub length: u32,
}

impl Prefix {
    fn has(&self, address: IpAddr) -> bool {
        let same = |a: u128, b: u128, width: u32| {
            let ignored = width - self.length.min(width);
            a.checked_shr(ignored).unwrap_or(0) == b.checked_shr(ignored).unwrap_or(0)
        };
        match (self.address, address) {
            (IpAddr::V4(a), IpAddr::V4(b)) => same(a.to_bits().into(), b.to_bits().into(), 32),
            (IpAddr::V6(a), IpAddr::V6(b)) => same(a.to_bits(), b.to_bits(), 128),
            _ => false,
        }
    }
}

/// What a packet must be like: everything that is `Some`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The queue that the program chose: v1model's `priority`.
    pub queue: Option<u32>,
    /// Differentiated services codepoint.
    pub dscp: Option<u8>,
    /// Priority of the outer VLAN tag.
    pub pcp: Option<u8>,
    /// Identifier of the outer VLAN tag.
    pub vlan: Option<u16>,
    /// EtherType behind VLAN tags.
    pub ether_type: Option<u16>,
    /// Protocol of IP.
    pub protocol: Option<u8>,
    /// Source address.
    pub source: Option<Prefix>,
    /// Destination address.
    pub destination: Option<Prefix>,
    /// Source port of TCP or UDP.
    pub source_port: Option<RangeInclusive<u16>>,
    /// Destination port.
    pub destination_port: Option<RangeInclusive<u16>>,
}

impl Pattern {
    /// Whether a packet is like that.
    pub fn matches(&self, queue: u32, fields: &Fields) -> bool {
        fn is<T: PartialEq>(wanted: &Option<T>, found: &Option<T>) -> bool {
            wanted.is_none() || wanted == found
        }
        let within = |wanted: &Option<Prefix>, found: Option<IpAddr>| match wanted {
            Some(prefix) => found.is_some_and(|address| prefix.has(address)),
            None => true,
        };
        let among = |wanted: &Option<RangeInclusive<u16>>, found: Option<u16>| match wanted {
            Some(range) => found.is_some_and(|port| range.contains(&port)),
            None => true,
        };
        self.queue.is_none_or(|wanted| wanted == queue)
            && is(&self.dscp, &fields.dscp)
            && is(&self.pcp, &fields.pcp)
            && is(&self.vlan, &fields.vlan)
            && is(&self.ether_type, &fields.ether_type)
            && is(&self.protocol, &fields.protocol)
            && within(&self.source, fields.source)
            && within(&self.destination, fields.destination)
            && among(&self.source_port, fields.source_port)
            && among(&self.destination_port, fields.destination_port)
    }
}

/// Flows of which the hash of a packet's flow chooses one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The first.
    pub first: usize,
    /// How many, 1 or more, one after the other.
    pub count: usize,
}

/// Rules, of which the first that matches decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classifier {
    /// The rules in order.
    pub rules: Vec<(Pattern, Target)>,
    /// For packets that match none.
    pub otherwise: Target,
}

impl Classifier {
    /// The flow of a packet.
    pub fn flow(&self, queue: u32, fields: &Fields) -> usize {
        let rule = self.rules.iter().find(|(pattern, _)| pattern.matches(queue, fields));
        let target = rule.map_or(&self.otherwise, |(_, target)| target);
        match target.count {
            1 => target.first,
            // Multiplication in place of a division, with the same fairness.
            count => target.first + ((u64::from(fields.flow_hash()) * count as u64) >> 32) as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        let prefix = |text: &str, length| Prefix { address: text.parse().expect("one"), length };
        let has = |prefix: Prefix, text: &str| prefix.has(text.parse().expect("one"));
        assert!(has(prefix("10.1.0.0", 16), "10.1.255.3"));
        assert!(!has(prefix("10.1.0.0", 16), "10.2.0.0"));
        assert!(has(prefix("1.2.3.4", 0), "255.0.0.1"));
        assert!(!has(prefix("1.2.3.4", 0), "::1"));
        assert!(has(prefix("1.2.3.4", 32), "1.2.3.4") && !has(prefix("1.2.3.4", 32), "1.2.3.5"));
        assert!(has(prefix("fd00::", 8), "fdff::1") && !has(prefix("fd00::", 8), "fc00::1"));
        assert!(has(prefix("::", 0), "fc00::1"));
    }

    #[test]
    fn the_first_rule_that_matches() {
        let one = |first| Target { first, count: 1 };
        let dscp = Pattern { dscp: Some(46), ..Pattern::default() };
        let web = Pattern { destination_port: Some(80..=81), ..Pattern::default() };
        let queue = Pattern { queue: Some(7), ..Pattern::default() };
        let rules = vec![(dscp, one(0)), (web, one(1)), (queue, Target { first: 2, count: 4 })];
        let classifier = Classifier { rules, otherwise: one(6) };
        let fields =
            |dscp, port| Fields { dscp: Some(dscp), destination_port: port, ..Fields::default() };
        assert_eq!(classifier.flow(7, &fields(46, Some(80))), 0);
        assert_eq!(classifier.flow(7, &fields(0, Some(81))), 1);
        assert_eq!(classifier.flow(0, &fields(0, Some(82))), 6);
        assert_eq!(classifier.flow(0, &fields(0, None)), 6);
        let hashed: std::collections::BTreeSet<usize> =
            (0..200).map(|port| classifier.flow(7, &fields(1, Some(5000 + port)))).collect();
        assert_eq!(hashed, (2..6).collect());
    }
}
