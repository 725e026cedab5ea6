//! Measures the native tables: nanoseconds per lookup beside a hash map of the standard library,
//! time to load, time per update, and memory.
//!
//! ```sh
//! cargo run --release -p wirewright-engine --example table_lookups
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use ww_dataplane::control::{KeyInfo, MatchKind};
use ww_engine::bits::Bits;
use ww_engine::tables::KeyField;
use ww_engine::tables::native::{EntryStore, TableIndex};

/// Counts the bytes that are allocated.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: hands everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller says.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        BYTES.fetch_add(size, Ordering::Relaxed);
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller says.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller says.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Seconds that this thread has had a processor: others may be busy on this machine, too. Without
/// the kernel's statistics, seconds that have passed.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()) {
        Some(ns) => ns * 1e-9,
        None => START.elapsed().as_secs_f64(),
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

const FLOWS: usize = 1 << 16;
const LOOKUPS: usize = 1 << 22;
const BATCH: usize = 32;

fn key(kind: MatchKind, width: u32) -> KeyInfo {
    KeyInfo { name: "k".to_owned(), kind, width, signed: false }
}

/// Entries, and keys that packets have.
struct Case {
    name: &'static str,
    infos: Vec<KeyInfo>,
    entries: Vec<(Vec<KeyField>, i64)>,
    flows: Vec<u128>,
}

type Make = fn(&'static str) -> Case;

/// Lengths of prefixes as in a routing table of the Internet: 55 % /24, most others /16 to /23.
fn ipv4_length(random: &mut Random) -> u32 {
    match random.below(1000) {
        0..550 => 24,
        550..670 => 22,
        670..770 => 23,
        770..830 => 20,
        830..880 => 21,
        880..920 => 19,
        920..940 => 18,
        940..950 => 17,
        950..970 => 16,
        970..980 => 8 + random.below(8) as u32,
        _ => 25 + random.below(8) as u32,
    }
}

/// Lengths as in an IPv6 routing table: mostly /48 and /32 to /44.
fn ipv6_length(random: &mut Random) -> u32 {
    match random.below(100) {
        0..47 => 48,
        47..62 => 32,
        62..75 => 44,
        75..85 => 40,
        85..92 => 36,
        92..97 => 29 + random.below(19) as u32,
        _ => 49 + random.below(16) as u32,
    }
}

fn routes(name: &'static str, width: u32, count: usize) -> Case {
    let mut random = Random(count as u64);
    let mut seen = HashMap::new();
    let mut entries = Vec::new();
    let mut flows = Vec::new();
    while entries.len() < count {
        let (length, value) = if width == 32 {
            // Unicast addresses; a part of them is announced densely.
            let dense = random.below(3) > 0;
            let spread = if dense { random.below(40) * 5 + 2 } else { 1 + random.below(222) };
            let value = spread << 24 | random.below(1 << 24);
            (ipv4_length(&mut random), u128::from(value))
        } else {
            // 2000::/3, the regional registries' blocks.
            let block = [0x2001u128, 0x2400, 0x2600, 0x2800, 0x2a00, 0x2c00];
            let top = block[random.below(6) as usize] + u128::from(random.below(16));
            (ipv6_length(&mut random), top << 112 | random.wide() >> 16)
        };
        let mask = Bits::prefix_mask(width, length);
        let field = KeyField::masked(&Bits::new(width, value), mask.clone());
        if seen.insert(field.clone(), ()).is_some() {
            continue;
        }
        let free = mask.not().to_u128().unwrap_or(0);
        flows.push(value & !free | random.wide() & free);
        entries.push((vec![field], 0));
    }
    let flows = (0..FLOWS).map(|_| flows[random.below(flows.len() as u64) as usize]).collect();
    Case { name, infos: vec![key(MatchKind::Lpm, width)], entries, flows }
}

fn macs(name: &'static str, count: usize) -> Case {
    let mut random = Random(count as u64);
    let values: Vec<u128> = (0..count).map(|_| u128::from(random.next() >> 16)).collect();
    let flows = (0..FLOWS).map(|_| values[random.below(count as u64) as usize]).collect();
    let entries = values.iter().map(|&v| (vec![KeyField::exact(Bits::new(48, v))], 0)).collect();
    Case { name, infos: vec![key(MatchKind::Exact, 48)], entries, flows }
}

/// Rules on source and destination address, protocol, ports and a flag: 113 bits.
fn rules(name: &'static str, count: usize, ranges: bool) -> Case {
    let mut random = Random(count as u64);
    let widths = [32, 32, 8, 16, 16, 9];
    let port = if ranges { MatchKind::Range } else { MatchKind::Ternary };
    let ternary = MatchKind::Ternary;
    let kinds = [ternary, ternary, ternary, port, port, ternary];
    let infos: Vec<KeyInfo> = kinds.iter().zip(widths).map(|(&k, w)| key(k, w)).collect();
    let mut entries = Vec::new();
    let mut flows = Vec::new();
    for n in 0..count {
        let mut flow = Bits::zero(0);
        let fields = infos.iter().map(|info| {
            let width = info.width;
            let value = Bits::new(width, random.wide());
            flow = flow.concat(&value);
            if info.kind == MatchKind::Range {
                let number = value.low_u64();
                let low = Bits::new(width, u128::from(random.below(number + 1)));
                let high = number + random.below(0x1_0000 - number);
                let high = Bits::new(width, u128::from(high));
                return KeyField::Range { low, high, signed: false };
            }
            let mask = match (width, random.below(4)) {
                (32, 0) => Bits::prefix_mask(32, 24),
                (32, 1) => Bits::prefix_mask(32, 8 + random.below(24) as u32),
                (32, 2) => Bits::ones(32),
                (_, 0) => Bits::zero(width),
                (16, 1) => Bits::prefix_mask(16, random.below(16) as u32),
                _ => Bits::ones(width),
            };
            KeyField::masked(&value, mask)
        });
        let fields: Vec<KeyField> = fields.collect();
        entries.push((fields, n as i64 % 16));
        flows.push(flow.to_u128().unwrap_or(0));
    }
    let flows = (0..FLOWS).map(|_| flows[random.below(count as u64) as usize]).collect();
    Case { name, infos, entries, flows }
}

fn target(n: usize) -> u32 {
    1 + n as u32 % 200
}

fn measure(case: &Case) {
    let before = BYTES.load(Ordering::Relaxed);
    let mut store = EntryStore::with_seed(&case.infos, u64::MAX, 1);
    let mut handles = Vec::with_capacity(case.entries.len());
    let handle_bytes = handles.capacity() * 8;
    let clock = seconds();
    for (n, (keys, priority)) in case.entries.iter().enumerate() {
        if let Ok((handle, _)) = store.insert(keys.clone(), *priority, target(n), false) {
            handles.push(handle);
        }
    }
    let stored = seconds() - clock;
    let clock = seconds();
    let mut copies = [TableIndex::new(&store), TableIndex::new(&store)];
    let built = seconds() - clock;
    let bytes = BYTES.load(Ordering::Relaxed) - before - handle_bytes;
    let of_store = store.memory_bytes();
    let computed =
        store.memory_bytes() + copies.iter().map(TableIndex::memory_bytes).sum::<usize>();

    let words = store.layout().words;
    let flows: Vec<[u64; 2]> = case.flows.iter().map(|&f| [f as u64, (f >> 64) as u64]).collect();
    let index = &copies[0];
    let (lookup, prefetch, data) = (index.lookup_fn(), index.prefetch_fn(), index.data());
    assert!(words <= 2);
    let mut hits = 0u64;
    let clock = seconds();
    for n in 0..LOOKUPS {
        let flow = &flows[n % FLOWS];
        // SAFETY: the key has the words of the layout.
        hits += u64::from(unsafe { lookup(data, flow.as_ptr()) } != 0);
    }
    let plain = (seconds() - clock) * 1e9 / LOOKUPS as f64;
    let clock = seconds();
    let mut sum = 0u64;
    for n in (0..LOOKUPS).step_by(BATCH) {
        let batch = &flows[n % FLOWS..][..BATCH];
        // SAFETY: the keys have the words of the layout.
        unsafe {
            batch.iter().for_each(|flow| prefetch(data, flow.as_ptr()));
            batch.iter().for_each(|flow| sum += u64::from(lookup(data, flow.as_ptr())));
        }
    }
    black_box(sum);
    let batched = (seconds() - clock) * 1e9 / LOOKUPS as f64;
    // Each lookup waits for the one before.
    let mut last = 0u32;
    let clock = seconds();
    for n in 0..LOOKUPS {
        let flow = &flows[(n + (last >> 30) as usize) % FLOWS];
        // SAFETY: the key has the words of the layout.
        last = unsafe { lookup(data, flow.as_ptr()) };
    }
    black_box(last);
    let chained = (seconds() - clock) * 1e9 / LOOKUPS as f64;

    let map: HashMap<u128, u32> =
        case.flows.iter().enumerate().map(|(n, &f)| (f, n as u32)).collect();
    let clock = seconds();
    let mut sum = 0u64;
    for n in 0..LOOKUPS {
        sum += u64::from(map.get(&case.flows[n % FLOWS]).copied().unwrap_or(0));
    }
    black_box(sum);
    let yardstick = (seconds() - clock) * 1e9 / LOOKUPS as f64;

    let mut random = Random(9);
    let updates = 10_000.min(handles.len());
    let mut slowest = 0.0f64;
    let clock = seconds();
    for _ in 0..updates {
        let place = random.below(handles.len() as u64) as usize;
        let begin = Instant::now();
        let Some((entry, change)) = store.remove(handles[place]) else { continue };
        copies.iter_mut().for_each(|copy| copy.apply(&store, &change));
        if let Ok((handle, change)) = store.insert(entry.keys, entry.priority, entry.target, false)
        {
            handles[place] = handle;
            copies.iter_mut().for_each(|copy| copy.apply(&store, &change));
        }
        slowest = slowest.max(begin.elapsed().as_secs_f64() * 1e6 / 2.0);
    }
    let update = (seconds() - clock) * 1e6 / (2 * updates) as f64;
    println!(
        "{:22} {plain:8.1} {batched:8.1} {chained:8.1} {yardstick:8.1} {:6.1}% {:9.1} {:9.1} {:9.1} \
         {:8.0} {:8.0} {update:8.2} {slowest:8.0}",
        case.name,
        hits as f64 * 100.0 / LOOKUPS as f64,
        bytes as f64 / 1048576.0,
        computed as f64 / 1048576.0,
        of_store as f64 / 1048576.0,
        stored * 1e3,
        built * 1e3,
    );
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    println!(
        "{:22} {:>8} {:>8} {:>8} {:>8} {:>7} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "64K flows, ns/lookup",
        "plain",
        "batched",
        "chained",
        "std map",
        "hits",
        "MiB",
        "computed",
        "store",
        "store ms",
        "2 idx ms",
        "us/upd.",
        "slowest"
    );
    let cases: [(&str, Make); 11] = [
        ("exact 1K MACs", |name| macs(name, 1_000)),
        ("exact 1M MACs", |name| macs(name, 1_000_000)),
        ("lpm 10K IPv4", |name| routes(name, 32, 10_000)),
        ("lpm 100K IPv4", |name| routes(name, 32, 100_000)),
        ("lpm 1M IPv4", |name| routes(name, 32, 1_000_000)),
        ("lpm 10K IPv6", |name| routes(name, 128, 10_000)),
        ("lpm 100K IPv6", |name| routes(name, 128, 100_000)),
        ("ternary 100", |name| rules(name, 100, false)),
        ("ternary 1000", |name| rules(name, 1000, false)),
        ("ternary 4000", |name| rules(name, 4000, false)),
        ("ternary+range 1000", |name| rules(name, 1000, true)),
    ];
    for (name, make) in cases {
        if name.contains(&wanted) {
            measure(&make(name));
        }
    }
}
