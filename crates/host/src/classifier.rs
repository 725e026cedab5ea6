//! Finding the filters that fit a packet among many: tuple space search (V. Srinivasan, S. Suri, G. Varghese:
//! Packet classification using tuple space search. SIGCOMM 1999).
//!
//! Filters that look at the same bits are in one hash table; a packet is looked up once in each. A thousand filters
//! on destination ports cost one lookup; the filters of one application after the other cost one lookup a form.

use crate::filter::{Fields, Filter, Prefix};
use std::collections::HashMap;

/// Which bits filters look at. Ranges of ports count as not looked at, and are compared afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Form {
    protocol: bool,
    source: u8,
    destination: u8,
    ports: [bool; 2],
}

/// The bits of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    protocol: u8,
    source: u32,
    destination: u32,
    ports: [u16; 2],
}

impl Form {
    fn of(filter: &Filter) -> Self {
        let one = |range: &Option<std::ops::RangeInclusive<u16>>| {
            range.as_ref().is_some_and(|range| range.start() == range.end())
        };
        Self {
            protocol: filter.protocol.is_some(),
            source: filter.source.length,
            destination: filter.destination.length,
            ports: [one(&filter.source_ports), one(&filter.destination_ports)],
        }
    }

    /// What packets have to have that fit a filter of this form; also what a packet has.
    fn key(&self, protocol: u8, source: u32, destination: u32, ports: [u16; 2]) -> Key {
        let port = |n: usize| if self.ports[n] { ports[n] } else { 0 };
        Key {
            protocol: if self.protocol { protocol } else { 0 },
            source: source & Prefix::mask(self.source),
            destination: destination & Prefix::mask(self.destination),
            ports: [port(0), port(1)],
        }
    }
}

/// Filters, each with a number; lower numbers come first.
#[derive(Clone, Debug, Default)]
pub struct Classifier {
    filters: Vec<Filter>,
    /// By form, and then by key, numbers in ascending order.
    forms: Vec<(Form, HashMap<Key, Vec<u32>>)>,
}

impl Classifier {
    /// Of filters in their order.
    pub fn new(filters: impl IntoIterator<Item = Filter>) -> Self {
        let mut classifier = Self::default();
        for (number, filter) in (0u32..).zip(filters) {
            let form = Form::of(&filter);
            let start = |range: &Option<std::ops::RangeInclusive<u16>>| {
                range.as_ref().map_or(0, |range| *range.start())
            };
            let ports = [start(&filter.source_ports), start(&filter.destination_ports)];
            let protocol = filter.protocol.unwrap_or(0);
            let key = form.key(protocol, filter.source.address, filter.destination.address, ports);
            let place = match classifier.forms.iter().position(|(known, _)| *known == form) {
                Some(place) => place,
                None => {
                    classifier.forms.push((form, HashMap::new()));
                    classifier.forms.len() - 1
                }
            };
            classifier.forms[place].1.entry(key).or_default().push(number);
            classifier.filters.push(filter);
        }
        classifier
    }

    /// Puts the numbers of all filters that fit into `found`, in ascending order.
    pub fn find(&self, fields: &Fields, found: &mut Vec<u32>) {
        found.clear();
        let Fields { protocol, source, destination, ports } = *fields;
        for (form, table) in &self.forms {
            let key = form.key(protocol, source, destination, ports.unwrap_or_default());
            let candidates = table.get(&key).into_iter().flatten();
            found.extend(candidates.filter(|number| self.filters[**number as usize].fits(fields)));
        }
        found.sort_unstable();
    }

    /// Different forms of filters: lookups that a packet takes.
    pub fn forms(&self) -> usize {
        self.forms.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filter() -> impl Strategy<Value = Filter> {
        let prefix = || {
            (0u32..4, prop_oneof![Just(0u8), Just(31), Just(32)]).prop_map(|(address, length)| {
                Prefix { address: address & Prefix::mask(length), length }
            })
        };
        let range = || {
            prop_oneof![
                Just(None),
                (0u16..4).prop_map(|n| Some(n..=n)),
                (0u16..4, 0u16..4).prop_map(|(first, more)| Some(first..=first + more)),
            ]
        };
        (
            prop_oneof![Just(None), Just(Some(6)), Just(Some(17))],
            prefix(),
            prefix(),
            range(),
            range(),
        )
            .prop_map(
                |(protocol, source, destination, source_ports, destination_ports)| Filter {
                    protocol,
                    source,
                    destination,
                    source_ports,
                    destination_ports,
                },
            )
    }

    proptest! {
        /// Against looking at one filter after the other.
        #[test]
        fn finds_what_fits(
            filters in proptest::collection::vec(filter(), 0..40),
            packets in proptest::collection::vec(
                (prop_oneof![Just(6u8), Just(17)], 0u32..4, 0u32..4, proptest::option::of([0u16..8, 0u16..8])), 1..20,
            ),
        ) {
            let classifier = Classifier::new(filters.clone());
            let mut found = vec![99];
            for (protocol, source, destination, ports) in packets {
                let fields = Fields { protocol, source, destination, ports };
                classifier.find(&fields, &mut found);
                let all = (0u32..).zip(&filters);
                let wanted: Vec<u32> =
                    all.filter(|(_, filter)| filter.fits(&fields)).map(|(number, _)| number).collect();
                prop_assert_eq!(&found, &wanted);
            }
        }
    }

    #[test]
    fn a_thousand_ports_are_one_lookup() {
        let filters =
            (0..1000).map(|n| format!("-p tcp --dport {}", 5000 + n).parse().expect("good"));
        let classifier = Classifier::new(filters);
        assert_eq!(classifier.forms(), 1);
        let mut found = Vec::new();
        let ports = Some([1, 5999]);
        classifier.find(&Fields { protocol: 6, source: 1, destination: 2, ports }, &mut found);
        assert_eq!(found, [999]);
    }
}
