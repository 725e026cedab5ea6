//! The modules of `rtl/lbus` beside their twins in `phy`, clock by clock.

use std::ops::Range;
use ww_phy::lbus::{Beat, Clock, FromAxis, Segment, ToAxis, Wire};
use ww_rtl::bench::{Bench, Top};
use ww_tcp::random::Random;

/// Drives a bus that goes in.
fn drive(bench: &mut Bench, clock: &Clock) {
    for (place, segment) in clock.iter().enumerate() {
        let s = segment.unwrap_or_default();
        let bit = place..place + 1;
        bench.set_field("s_lbus_ena", bit.clone(), u64::from(segment.is_some()));
        bench.set_field("s_lbus_sop", bit.clone(), u64::from(s.start));
        bench.set_field("s_lbus_eop", bit.clone(), u64::from(s.end));
        bench.set_field("s_lbus_err", bit, u64::from(s.error));
        bench.set_field("s_lbus_mty", 4 * place..4 * place + 4, u64::from(s.empty));
        // The first byte of a segment is the high one.
        let mut data = s.data;
        data.reverse();
        bench.set_bytes("s_lbus_data", 16 * place, &data);
    }
}

/// What a bus that comes out carries.
fn sample(bench: &Bench) -> Clock {
    let bit = |port: &str, bits: Range<usize>| bench.field(port, bits);
    std::array::from_fn(|place| {
        (bit("m_lbus_ena", place..place + 1) == 1).then(|| {
            let mut data = [0; 16];
            data.copy_from_slice(&bench.bytes("m_lbus_data")[16 * place..16 * place + 16]);
            data.reverse();
            Segment {
                start: bit("m_lbus_sop", place..place + 1) == 1,
                end: bit("m_lbus_eop", place..place + 1) == 1,
                error: bit("m_lbus_err", place..place + 1) == 1,
                empty: bit("m_lbus_mty", 4 * place..4 * place + 4) as u8,
                data,
            }
        })
    })
}

/// Frames as segments, one after the other, now and then with what a bus must not have.
struct Frames {
    random: Random,
    /// Bytes of the frame that are left; 0: none is on its way.
    left: usize,
    begins: bool,
    longest: u64,
    wild: bool,
}

impl Frames {
    fn new(seed: u64, longest: u64, wild: bool) -> Self {
        Self { random: Random(seed), left: 0, begins: false, longest, wild }
    }

    fn segment(&mut self) -> Segment {
        if self.left == 0 {
            self.left = 1 + self.random.below(self.longest) as usize;
            self.begins = true;
        }
        let bytes = self.left.min(16);
        let end = self.left <= 16;
        let segment = Segment {
            start: std::mem::take(&mut self.begins) || (self.wild && self.random.once_in(60)),
            end,
            error: end && self.random.once_in(10),
            empty: if end { 16 - bytes as u8 } else { 0 },
            data: self.random.array(),
        };
        self.left -= bytes;
        if self.wild && self.random.once_in(60) {
            // Its end does not come.
            self.left = 0;
        }
        segment
    }

    /// A clock with segments from a place on, with gaps once in `gaps`.
    fn clock(&mut self, gaps: u64) -> Clock {
        std::array::from_fn(|_| (!self.random.once_in(gaps)).then(|| self.segment()))
    }
}

#[test]
fn received_frames_come_in_the_same_clocks() {
    let mut bench = Bench::new(&Top::of("ww_lbus_to_axis")).expect("Verilator is there");
    let (mut beats, mut overflows, mut strays) = (0, 0, 0);
    for seed in 0..12 {
        bench.reset(2).unwrap();
        let mut twin = ToAxis::new(8);
        // Short frames, one behind the other, do not find room.
        let (longest, gaps) = [(100, 3), (1_500, 50), (14, 1_000), (9_000, 9)][seed as usize % 4];
        let mut frames = Frames::new(seed, longest, seed % 2 == 1);
        for clock in 0..1_500 {
            let input = frames.clock(gaps);
            drive(&mut bench, &input);
            bench.cycle().unwrap();
            let expected = twin.clock(&input);
            let beat = bench.is("m_axis_tvalid").then(|| {
                let bytes = bench.get("m_axis_tkeep").trailing_ones() as u8;
                let mut data = [0; 64];
                data[..usize::from(bytes)]
                    .copy_from_slice(&bench.bytes("m_axis_tdata")[..usize::from(bytes)]);
                let last = bench.is("m_axis_tlast");
                Beat { data, bytes, last, bad: bench.is("m_axis_tuser") }
            });
            let expected_beat = expected.beat.map(|mut beat| {
                beat.data[usize::from(beat.bytes)..].fill(0);
                beat
            });
            assert_eq!(beat, expected_beat, "seed {seed}, clock {clock}");
            assert_eq!(bench.is("event_overflow"), expected.overflow, "seed {seed}, clock {clock}");
            assert_eq!(bench.is("event_stray"), expected.stray, "seed {seed}, clock {clock}");
            beats += u32::from(beat.is_some());
            overflows += u32::from(expected.overflow);
            strays += u32::from(expected.stray);
        }
    }
    assert!(beats > 5_000 && overflows > 50 && strays > 50, "{beats} {overflows} {strays}");
}

#[test]
fn sent_frames_leave_in_the_same_clocks() {
    let (mut sent, mut cut) = (0, 0);
    for start in [1, 3, 16] {
        let top = Top::of("ww_axis_to_lbus").with("START", start as u64);
        let mut bench = Bench::new(&top).expect("Verilator is there");
        for seed in 0..6 {
            bench.reset(2).unwrap();
            let mut twin = FromAxis::new(start);
            // The first clock after reset.
            twin.clock(None, false);
            bench.set("m_lbus_ready", 0);
            bench.set("s_axis_tvalid", 0);
            bench.cycle().unwrap();
            let mut random = Random(seed);
            let (gaps, stops) = ([2, 4, 1_000][seed as usize % 3], [3, 1_000][seed as usize % 2]);
            let mut left = 0;
            for clock in 0..1_500 {
                let offers = !random.once_in(gaps);
                if left == 0 {
                    left = 1 + random.below(700) as usize;
                }
                let bytes = left.min(64);
                let last = left <= 64;
                let beat =
                    Beat { data: random.array(), bytes: bytes as u8, last, bad: random.once_in(9) };
                let ready = !random.once_in(stops);
                let keep = if bytes == 64 { u64::MAX } else { (1 << bytes) - 1 };
                bench.set_bytes("s_axis_tdata", 0, &beat.data);
                bench.set("s_axis_tkeep", keep);
                bench.set("s_axis_tlast", u64::from(last));
                bench.set("s_axis_tuser", u64::from(beat.bad));
                bench.set("s_axis_tvalid", u64::from(offers));
                bench.set("m_lbus_ready", u64::from(ready));
                bench.settle().unwrap();
                assert_eq!(bench.is("s_axis_tready"), twin.is_ready(), "seed {seed}, {clock}");
                if offers && twin.is_ready() {
                    left -= bytes;
                }
                bench.cycle().unwrap();
                let expected = twin.clock(offers.then_some(beat), ready);
                let mut got = sample(&bench);
                if expected.underflow {
                    got[0] = got[0].map(|segment| Segment { data: [0; 16], ..segment });
                    cut += 1;
                }
                assert_eq!(got, expected.segments, "start {start}, seed {seed}, clock {clock}");
                assert_eq!(bench.is("event_underflow"), expected.underflow);
                sent += got.iter().flatten().count();
            }
        }
    }
    assert!(sent > 10_000 && cut > 50, "{sent} sent, {cut} cut");
}

#[test]
fn the_wire_carries_in_the_same_clocks() {
    for rotates in [true, false] {
        let top = Top::of("ww_lbus_wire").with("ROTATE", u64::from(rotates));
        let mut bench = Bench::new(&top).expect("Verilator is there");
        let (mut carried, mut underflows) = (0, 0);
        for seed in 0..6 {
            bench.reset(2).unwrap();
            let mut twin = Wire::new(rotates);
            twin.clock(&Clock::default());
            drive(&mut bench, &Clock::default());
            bench.cycle().unwrap();
            let mut frames = Frames::new(seed, [70, 1_500, 300][seed as usize % 3], false);
            let gaps = [1_000, 2][seed as usize % 2];
            for clock in 0..2_000 {
                assert_eq!(bench.is("s_lbus_ready"), twin.is_ready(), "seed {seed}, clock {clock}");
                let input = if twin.is_ready() { frames.clock(gaps) } else { Clock::default() };
                drive(&mut bench, &input);
                bench.cycle().unwrap();
                let expected = twin.clock(&input);
                let got = sample(&bench);
                assert_eq!(got, expected.segments, "seed {seed}, clock {clock}");
                assert_eq!(bench.is("event_underflow"), expected.underflow);
                carried += got.iter().flatten().count();
                underflows += u32::from(expected.underflow);
            }
        }
        assert!(carried > 5_000 && underflows > 20, "{carried} {underflows}");
    }
}

/// The time of a frame is exact: 1,280 frames of 976 bytes take 33,000 clocks.
#[test]
fn a_frame_takes_its_bytes_and_24_more() {
    let mut wire = Wire::new(true);
    let (length, mut frames, mut left, mut begins) = (976usize, 0, 0usize, false);
    let mut clocks = 0u32;
    let mut first = None;
    while frames < 1_281 {
        let mut input = Clock::default();
        if wire.is_ready() {
            for place in &mut input {
                if left == 0 {
                    (left, begins) = (length, true);
                }
                let bytes = left.min(16);
                left -= bytes;
                *place = Some(Segment {
                    start: std::mem::take(&mut begins),
                    end: left == 0,
                    empty: 16 - bytes as u8,
                    ..Segment::default()
                });
            }
        }
        let output = wire.clock(&input);
        clocks += 1;
        if output.segments.iter().flatten().any(|segment| segment.end) {
            frames += 1;
            first.get_or_insert(clocks);
        }
    }
    // 1,000 bytes with preamble, check sequence and gap: 1,280 frames are 1,280 x 1,000 x 33 / 1,280 clocks.
    let taken = clocks - first.unwrap();
    assert!(taken.abs_diff(33_000) <= 1, "{taken} clocks");
}
