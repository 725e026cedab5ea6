//! Two threads make a line: one puts frames with their check sequences into entries of a queue, the other makes scrambled blocks of
//! them. How many frames a second, beside the line's own rate (spec 000, figures 4.4 and 4.5)?
//!
//! ```text
//! cargo run --release -p wirewright-phy --example packing
//! ```

use std::convert::Infallible;
use std::hint::black_box;
use std::time::{Duration, Instant};
use ww_phy::fcs::{bitwise, folding, slicing, table};
use ww_phy::fifo::fifo;
use ww_phy::packed::Packed;
use ww_phy::scrambler::Scrambler;
use ww_phy::stream::{LEAST_GAP, PREAMBLE, Ring, Rounding, Writer};

type Engine = fn(&[u8]) -> u32;

const SIZES: [usize; 5] = [64, 256, 512, 1024, 1518];
/// Entries between the threads, and bytes of each: a few, so that they stay in the cache.
const ENTRIES: usize = 8;
const ENTRY: usize = 64 * 1024;
const TIME: Duration = Duration::from_millis(150);

fn main() {
    let line = |size: usize| 1.25e9 / (PREAMBLE + size as u64 + LEAST_GAP) as f64;
    let row = |name: &str, cells: Vec<String>| println!("{name:>22} {}", cells.join(" "));
    println!("times the rate of a full line at 10 Gb/s, the better of two runs of 150 ms");
    row("bytes of a frame", SIZES.map(|size| format!("{size:>7}")).to_vec());
    let better = |size, packed, engine| {
        let rates = [rate(size, packed, engine), rate(size, packed, engine)];
        rates.into_iter().fold(0.0, f64::max)
    };
    for packed in [1, 2, 4, 8, 16, 32] {
        let cell = |size| format!("{:7.2}", better(size, packed, folding::crc32) / line(size));
        row(&format!("{packed} in an entry"), SIZES.map(cell).to_vec());
    }
    println!("16 in an entry, by what computes check sequences");
    let engines: [(&str, Engine); 4] = [
        ("bitwise", bitwise::crc32),
        ("table", table::crc32),
        ("slicing", slicing::crc32),
        ("folding", folding::crc32),
    ];
    for (name, engine) in engines {
        let cell = |size| format!("{:7.2}", better(size, 16, engine) / line(size));
        row(name, SIZES.map(cell).to_vec());
    }
}

/// Frames a second.
fn rate(size: usize, packed: usize, engine: Engine) -> f64 {
    let entries = (0..ENTRIES).map(|_| Packed::new(ENTRY)).collect();
    let (mut producer, mut consumer) = fifo::<Packed>(entries);
    let payload = vec![0x5a; size - 4];
    let begin = Instant::now();
    let mut frames = 0u64;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while begin.elapsed() < TIME {
                let fill = |entry: &mut Packed| {
                    entry.clear();
                    for _ in 0..packed {
                        entry.push_with(LEAST_GAP, size, |frame| {
                            frame[..size - 4].copy_from_slice(&payload);
                            let check = engine(&frame[..size - 4]);
                            frame[size - 4..].copy_from_slice(&check.to_le_bytes());
                        });
                    }
                };
                if producer.fill(fill).is_none() {
                    std::thread::yield_now();
                }
            }
        });
        let mut scrambler = Scrambler::default();
        let mut ring = Ring::new(|_: &[u8], payloads: &mut [u64]| {
            scrambler.scramble(payloads);
            black_box(payloads);
            Ok::<(), Infallible>(())
        });
        let mut writer = Writer::new(Rounding::Mean);
        while begin.elapsed() < TIME {
            let taken = consumer.take(|entry| {
                for (gap, frame) in entry.frames() {
                    let Ok(_) = writer.frame(&mut ring, gap, frame);
                    frames += 1;
                }
            });
            if taken.is_none() {
                std::thread::yield_now();
            }
        }
    });
    frames as f64 / TIME.as_secs_f64()
}
