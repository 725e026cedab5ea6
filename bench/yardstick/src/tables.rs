//! The lookup structures that one would choose by hand for a small L2/L3 switch.

/// Stations by VLAN and MAC address: open addressing, a slot is 16 bytes, at most half full.
pub struct Stations {
    slots: Vec<Slot>,
    shift: u32,
}

#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Slot {
    key: u64,
    value: Station,
}

/// What is known about an address in a VLAN.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Station {
    /// Where it was learnt, as a source.
    pub source: u16,
    /// Where frames for it go.
    pub destination: u16,
    /// It is the router's own address.
    pub router: bool,
}

/// No port.
pub const NOWHERE: u16 = u16::MAX;

impl Station {
    /// What a miss gives.
    pub const UNKNOWN: Self = Self { source: NOWHERE, destination: NOWHERE, router: false };
}

/// No address: MAC addresses have 48 bits and VLANs 12.
const FREE: u64 = u64::MAX;

/// The key of an address (48 bits) in a VLAN.
pub fn station_key(vid: u16, mac: u64) -> u64 {
    u64::from(vid) << 48 | mac
}

impl Stations {
    /// From keys with what is known about them.
    pub fn new(list: &std::collections::HashMap<u64, Station>) -> Self {
        let bits = (list.len().max(8) * 2).next_power_of_two().trailing_zeros();
        let free = Slot { key: FREE, value: Station::UNKNOWN };
        let mut stations = Self { slots: vec![free; 1 << bits], shift: 64 - bits };
        for (&key, &value) in list {
            let mut at = stations.home(key);
            while stations.slots[at].key != FREE {
                at = (at + 1) & (stations.slots.len() - 1);
            }
            stations.slots[at] = Slot { key, value };
        }
        stations
    }

    fn home(&self, key: u64) -> usize {
        // The upper bits of a product depend on all bits of the key; the digits are those of the
        // golden ratio.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// What is known about an address.
    #[inline]
    pub fn get(&self, key: u64) -> Station {
        let mut at = self.home(key);
        loop {
            let slot = &self.slots[at & (self.slots.len() - 1)];
            if slot.key == key {
                return slot.value;
            }
            if slot.key == FREE {
                return Station::UNKNOWN;
            }
            at += 1;
        }
    }
}

/// IPv4 routes: DIR-24-8 (Gupta, Lin, McKeown, "Routing lookups in hardware at memory access
/// speeds", 1998). One access for prefixes up to /24, two for longer ones; 32 MiB and 512 bytes
/// for each /24 with longer prefixes in it.
pub struct Routes {
    /// By the upper 24 bits: a next hop, or `LONGER` and the number of a group.
    first: Vec<u16>,
    /// Groups of 256, by the lower 8 bits.
    groups: Vec<u16>,
}

/// No route.
pub const NO_ROUTE: u16 = 0x7fff;
const LONGER: u16 = 0x8000;

impl Routes {
    /// From (address, length, next hop), where next hops are below `NO_ROUTE`.
    pub fn new(mut list: Vec<(u32, u8, u16)>) -> Self {
        // Longer prefixes overwrite parts of shorter ones.
        list.sort_by_key(|route| route.1);
        let mut routes = Self { first: vec![NO_ROUTE; 1 << 24], groups: Vec::new() };
        for (address, length, hop) in list {
            let at = (address >> 8) as usize;
            if length <= 24 {
                routes.first[at..at + (1 << (24 - length))].fill(hop);
                continue;
            }
            let entry = routes.first[at];
            let group = if entry & LONGER != 0 {
                usize::from(entry & !LONGER)
            } else {
                let group = routes.groups.len() / 256;
                assert!(group < usize::from(LONGER), "too many /24 with longer prefixes");
                routes.groups.resize(routes.groups.len() + 256, entry);
                routes.first[at] = LONGER | group as u16;
                group
            };
            let at = group * 256 + (address & 255) as usize;
            routes.groups[at..at + (1 << (32 - length))].fill(hop);
        }
        routes
    }

    /// Has the cache fetch what `get` reads first.
    #[inline]
    pub fn prefetch(&self, address: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let at: *const u16 = &self.first[(address >> 8) as usize];
            // SAFETY: a prefetch changes nothing, and the address is that of an element.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = address;
    }

    /// The next hop, or `NO_ROUTE`.
    #[inline]
    pub fn get(&self, address: u32) -> u16 {
        let entry = self.first[(address >> 8) as usize];
        match entry & LONGER {
            0 => entry,
            _ => self.groups[usize::from(entry & !LONGER) * 256 + (address & 255) as usize],
        }
    }

    /// Bytes of both levels.
    pub fn bytes(&self) -> usize {
        2 * (self.first.len() + self.groups.len())
    }
}

/// At most 128 ternary rules: for each byte of the key a table of the rules that this byte allows,
/// as a bit for each rule (Lakshman and Stiliadis, "High-speed policy-based packet forwarding",
/// 1998); the lowest bit that all tables have is the first rule that matches. Bytes that no rule
/// looks at have no table.
pub struct AccessList {
    tables: Vec<(usize, [u128; 256])>,
    rules: usize,
}

/// The bytes of a key: port (2), source (4), destination (4), protocol, L4 source (2), L4
/// destination (2), and one that is 0.
pub const ACL_KEY: usize = 16;

/// No rule.
pub const NO_RULE: usize = 128;

impl AccessList {
    /// From rules in the order in which they are tried: value and mask.
    pub fn new(rules: &[([u8; ACL_KEY], [u8; ACL_KEY])]) -> Self {
        assert!(rules.len() <= NO_RULE, "at most {NO_RULE} rules");
        let mut tables = Vec::new();
        for byte in 0..ACL_KEY {
            if rules.iter().all(|(_, mask)| mask[byte] == 0) {
                continue;
            }
            let mut table = [0; 256];
            for (n, (value, mask)) in rules.iter().enumerate() {
                for (found, allowed) in table.iter_mut().enumerate() {
                    let matches = found as u8 & mask[byte] == value[byte] & mask[byte];
                    *allowed |= u128::from(matches) << n;
                }
            }
            tables.push((byte, table));
        }
        Self { tables, rules: rules.len() }
    }

    /// The first rule that matches, or `NO_RULE`.
    #[inline]
    pub fn get(&self, key: &[u8; ACL_KEY]) -> usize {
        let all = if self.rules == NO_RULE { u128::MAX } else { (1 << self.rules) - 1 };
        let allowed = |left, (byte, table): &(usize, [u128; 256])| {
            left & table[usize::from(key[*byte & (ACL_KEY - 1)])]
        };
        self.tables.iter().fold(all, allowed).trailing_zeros() as usize
    }
}
