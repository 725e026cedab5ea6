//! Frames that are malformed or only look as if they had a TPP: refused, counted and passed on as the golden
//! model does.

use crate::tpp::bench::{Bench, Pace};
use crate::tpp::programs::{Random, carried, hazard_free, plain, word};
use ww_packet::checksum::internet_checksum;
use ww_rtl::tpp_block::{METADATA_WORDS, Shape};
use ww_tpp::analyse::hazard::hazards;
use ww_tpp::frame::find;
use ww_tpp::map::Stages;
use ww_tpp::packet::{Repr, Tpp};

/// What the golden model reads and the hardware passes on: options, a third tag.
fn beyond_hardware(frame: &[u8]) -> bool {
    let kind = |at: usize| frame.get(at..at + 2).map(|b| u16::from_be_bytes([b[0], b[1]]));
    let is_tag = |at: usize| matches!(kind(at), Some(0x8100 | 0x88a8));
    let mut at = 12;
    let mut tags = 0;
    while is_tag(at) {
        at += 4;
        tags += 1;
    }
    let options = kind(at) == Some(0x0800) && frame.get(at + 2).is_some_and(|b| b & 15 > 5);
    tags > 2 || options
}

/// Whether what was spoiled is a TPP all the same, and one that stages cannot execute in order.
fn has_hazards(frame: &[u8]) -> bool {
    let tpp = find(frame).and_then(|place| Tpp::new(&frame[place.bytes]).ok());
    tpp.is_some_and(|tpp| !hazards(&Repr::parse(&tpp), &Stages::default()).is_empty())
}

/// Makes the checksum of the TPP right again, if its length allows it.
fn mend(frame: &mut [u8]) {
    let Some(place) = find(frame) else { return };
    let tpp = &mut frame[place.bytes];
    if tpp.len() < 12 {
        return;
    }
    let total = usize::from(u16::from_be_bytes([tpp[0], tpp[1]]));
    if (12..=tpp.len()).contains(&total) {
        tpp[8..10].fill(0);
        let checksum = internet_checksum(&tpp[..total]);
        tpp[8..10].copy_from_slice(&checksum.to_be_bytes());
    }
}

fn spoiled(random: &mut Random) -> Vec<u8> {
    let program = hazard_free(random);
    let mut frame = carried(random, &program);
    let start = find(&frame).expect("it has a TPP").bytes.start;
    for _ in 0..1 + random.below(2) {
        match random.below(12) {
            // A field of the TPP's header.
            0..=3 => {
                let at = start + random.below(8) as usize;
                frame[at] =
                    random.pick(&[0, 1, 2, 3, 0x40, 0x80, 0xff, frame[at] ^ 1, frame[at] ^ 2]);
            }
            // Lengths that are nearly right.
            4 | 5 => {
                let at = start + 1 + random.below(2) as usize;
                frame[at] = frame[at].wrapping_add(random.pick(&[1, 2, 4, 8, 252, 254, 255]));
            }
            6 => {
                let length = random.below(frame.len() as u64) as usize;
                frame.truncate(length.max(1));
                return frame;
            }
            // A total length that no head holds, in frames that are longer or not.
            7 => {
                let total = (288 + 4 * random.below(60) + random.pick(&[0, 0, 0, 1, 2])) as u16;
                frame[start..start + 2].copy_from_slice(&total.to_be_bytes());
                frame.resize(start + random.below(600) as usize + 12, 0x5a);
            }
            // The headers in front.
            8 | 9 => {
                let at = random.below(start as u64) as usize;
                frame[at] ^= 1 << random.below(8);
            }
            // Lengths of IPv4 and UDP.
            10 if start >= 42 => {
                let at = start - random.pick(&[25, 26, 3, 4]);
                frame[at] = random.next() as u8;
            }
            _ => {
                let at = random.below(frame.len() as u64) as usize;
                frame[at] = random.next() as u8;
            }
        }
        if start + 12 > frame.len() {
            return frame;
        }
    }
    if !random.one_in(6) {
        mend(&mut frame);
    }
    frame
}

fn malformed(shape: Shape, count: u64, seed: u64) {
    let mut random = Random(seed);
    let mut bench = Bench::new(shape);
    bench.scramble(&mut random);
    let mut sent = 0;
    while sent < count {
        for _ in 0..100 {
            let frame = match random.below(10) {
                0 => (0..1 + random.below(80)).map(|_| random.next() as u8).collect(),
                1 => {
                    let (tags, length) = (random.below(3), random.below(2000) as usize);
                    plain(&mut random, tags, None, length)
                }
                _ => spoiled(&mut random),
            };
            if !beyond_hardware(&frame) && !has_hazards(&frame) {
                let port = random.below(shape.ports as u64) as usize;
                bench.send(port, frame, std::array::from_fn(|_| word(&mut random)));
                sent += 1;
            }
        }
        bench.run(if random.one_in(2) { Pace::Full } else { Pace::Random });
    }
    bench.compare();
    let mut refused = [0; 7];
    for port in &bench.expected.refused {
        for (sum, one) in refused.iter_mut().zip(port) {
            *sum += one;
        }
    }
    println!("{sent} frames: refused {refused:?}, executed {}", bench.expected.executed);
    assert!(refused.iter().all(|count| *count > 20), "each fault came: {refused:?}");
}

#[test]
fn refused_with_published_timing() {
    malformed(Shape::published(1), 4000, 21);
}

#[test]
fn refused_on_the_wide_bus() {
    malformed(Shape::wide(), 8000, 22);
}

#[test]
fn refused_on_four_ports() {
    malformed(Shape::published(4), 4000, 23);
}

#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn a_hundred_thousand_hostile_frames() {
    malformed(Shape::published(1), 100_000, 31);
    malformed(Shape::wide(), 100_000, 32);
}

/// Frames with options or a third tag: passed on and not counted.
#[test]
fn what_hardware_does_not_look_into() {
    let mut random = Random(9);
    let mut bench = Bench::new(Shape::wide());
    let mut options = plain(&mut random, 0, Some(0x6666), 40);
    options[14] = 0x46;
    let tags = plain(&mut random, 3, Some(0x6666), 40);
    for frame in [options, tags] {
        bench.block.send(0, frame.clone(), [0; METADATA_WORDS]);
        bench.block.drain(|_, _| {}).expect("it runs");
        assert_eq!(bench.block.receive(0).expect("a frame").bytes, frame);
    }
    assert_eq!(bench.block.counters(), bench.expected);
}
