//! 8b/10b and 1000BASE-X: the code, frames as code-groups and back, errors.

use crate::frames;

use frames::frame;
use proptest::prelude::*;
use ww_phy::eight_b_ten_b::{Disparity, Invalid, Octet, decode, encode, is_comma};
use ww_phy::gigabit::{COMMA, END, ERROR, REPEAT, Receiver, START, Transmitter};
use ww_phy::stream::{Captured, Rounding, Verdict};

const BOTH: [Disparity; 2] = [Disparity::Negative, Disparity::Positive];

fn octets() -> Vec<Octet> {
    (0..=255).map(Octet::data).chain(Octet::CONTROL).collect()
}

/// A code-group as the standard writes it: abcdei fghj.
fn text(code_group: u16) -> String {
    let bit = |n: u32| if code_group >> n & 1 == 1 { '1' } else { '0' };
    (0..6).map(bit).chain([' ']).chain((6..10).map(bit)).collect()
}

/// Rows of tables 36-1 and 36-2, as printed there.
#[test]
fn code_groups_of_the_standard() {
    for (octet, negative, positive) in [
        (Octet::d(0, 0), "100111 0100", "011000 1011"),
        (Octet::d(1, 0), "011101 0100", "100010 1011"),
        (Octet::d(3, 0), "110001 1011", "110001 0100"),
        (Octet::d(7, 0), "111000 1011", "000111 0100"),
        (Octet::d(2, 2), "101101 0101", "010010 0101"),
        (Octet::d(5, 6), "101001 0110", "101001 0110"),
        (Octet::d(16, 2), "011011 0101", "100100 0101"),
        (Octet::d(21, 5), "101010 1010", "101010 1010"),
        (Octet::d(3, 3), "110001 1100", "110001 0011"),
        (Octet::d(17, 7), "100011 0111", "100011 0001"),
        (Octet::d(18, 7), "010011 0111", "010011 0001"),
        (Octet::d(20, 7), "001011 0111", "001011 0001"),
        (Octet::d(11, 7), "110100 1110", "110100 1000"),
        (Octet::d(13, 7), "101100 1110", "101100 1000"),
        (Octet::d(14, 7), "011100 1110", "011100 1000"),
        (Octet::d(31, 7), "101011 0001", "010100 1110"),
        (Octet::d(10, 2), "010101 0101", "010101 0101"),
        (Octet::k(28, 0), "001111 0100", "110000 1011"),
        (Octet::k(28, 1), "001111 1001", "110000 0110"),
        (Octet::k(28, 2), "001111 0101", "110000 1010"),
        (Octet::k(28, 3), "001111 0011", "110000 1100"),
        (Octet::k(28, 4), "001111 0010", "110000 1101"),
        (Octet::k(28, 5), "001111 1010", "110000 0101"),
        (Octet::k(28, 6), "001111 0110", "110000 1001"),
        (Octet::k(28, 7), "001111 1000", "110000 0111"),
        (Octet::k(23, 7), "111010 1000", "000101 0111"),
        (Octet::k(27, 7), "110110 1000", "001001 0111"),
        (Octet::k(29, 7), "101110 1000", "010001 0111"),
        (Octet::k(30, 7), "011110 1000", "100001 0111"),
    ] {
        let both = BOTH.map(|disparity| text(encode(octet, disparity).expect("it has one").0));
        assert_eq!(both, [negative, positive], "{octet:?}");
    }
}

/// 268 octets have code-groups that are balanced, differ, and come back; the other control octets have none.
#[test]
fn all_octets_round_trip() {
    for disparity in BOTH {
        let mut seen = std::collections::HashSet::new();
        for octet in octets() {
            let (code_group, behind) = encode(octet, disparity).expect("it has one");
            assert!(seen.insert(code_group), "{octet:?}");
            assert_eq!(decode(code_group, disparity), (Ok(octet), behind));
            let other = if behind == Disparity::Negative {
                Disparity::Positive
            } else {
                Disparity::Negative
            };
            let balance = 2 * code_group.count_ones() as i32 - 10;
            match (disparity, balance) {
                (_, 0) => assert_eq!(behind, disparity),
                (Disparity::Negative, 2) | (Disparity::Positive, -2) => {
                    assert_eq!(other, disparity)
                }
                _ => panic!("{octet:?} has a balance of {balance} at {disparity:?}"),
            }
        }
        assert_eq!(seen.len(), 268);
        // What no octet has is invalid, and what it has at the other disparity, too.
        let (mut codes, mut disparities) = (0, 0);
        for code_group in (0..1024).filter(|code_group| !seen.contains(code_group)) {
            match decode(code_group, disparity).0 {
                Err(Invalid::Code) => codes += 1,
                Err(Invalid::Disparity) => disparities += 1,
                Ok(octet) => panic!("{} is {octet:?}", text(code_group)),
            }
        }
        assert_eq!(codes + disparities, 1024 - 268);
        assert!(disparities > 100 && codes > 100);
    }
    // One that octets have at both disparities is the same octet at both.
    for code_group in 0..1024 {
        if let [Ok(first), Ok(second)] = BOTH.map(|disparity| decode(code_group, disparity).0) {
            assert_eq!(first, second);
        }
    }
    let control = (0..=255).map(|value| Octet { control: true, value });
    assert_eq!(control.filter(|octet| encode(*octet, Disparity::Negative).is_some()).count(), 12);
}

/// Clause 36.2.4.4: bits that are balanced but stand at the wrong disparity set it, too.
#[test]
fn disparity_follows_from_the_bits() {
    use Disparity::{Negative, Positive};
    for (bits, before, behind) in [
        ("0001110101", Negative, Positive),
        ("1110000101", Positive, Negative),
        ("1010100011", Negative, Positive),
        ("1010101100", Positive, Negative),
        ("0001111100", Negative, Negative),
    ] {
        let ones = bits.bytes().enumerate().filter(|(_, bit)| *bit == b'1');
        let code_group = ones.fold(0, |sum, (n, _)| sum | 1 << n);
        let (octet, found) = decode(code_group, before);
        assert!(octet.is_err(), "{bits}");
        assert_eq!(found, behind, "{bits}");
    }
}

/// All octets behind all others, but for K28.7: no run is longer than five, and a comma stands nowhere but in front of K28.1 and K28.5.
#[test]
fn commas_and_runs() {
    let octets: Vec<_> = octets().into_iter().filter(|octet| *octet != Octet::k(28, 7)).collect();
    let mut commas = 0;
    for disparity in BOTH {
        for first in &octets {
            let (low, between) = encode(*first, disparity).expect("it has one");
            for second in &octets {
                let (high, _) = encode(*second, between).expect("it has one");
                let line = u32::from(high) << 10 | u32::from(low);
                for place in 0..=13 {
                    let has_comma = [0b111_1100, 0b000_0011].contains(&(line >> place & 0x7f));
                    let due = [(0, first), (10, second)].iter().any(|(at, octet)| {
                        *at == place && [Octet::k(28, 1), Octet::k(28, 5)].contains(octet)
                    });
                    assert_eq!(has_comma, due, "{first:?} {second:?} at {place}");
                    commas += u32::from(has_comma);
                }
                for place in 0..=14 {
                    let six = line >> place & 0x3f;
                    assert!(six != 0 && six != 0x3f, "{first:?} {second:?}");
                }
            }
        }
    }
    assert_eq!(commas, 2 * 2 * 2 * 267);
    assert!(is_comma(encode(Octet::k(28, 7), Disparity::Negative).expect("one").0));
}

/// A wrong bit anywhere: it is found at once or by the disparity of what follows, before it can be forgotten.
#[test]
fn a_wrong_bit_is_found() {
    // What follows: idle, which is unbalanced.
    let behind: Vec<Octet> = [COMMA, Octet::d(16, 2)].repeat(4);
    for disparity in BOTH {
        for octet in octets() {
            for place in 0..10 {
                let (mut sent, mut received) = (disparity, disparity);
                let mut errors = 0;
                for (n, octet) in [octet].iter().chain(&behind).enumerate() {
                    let (code_group, after) = encode(*octet, sent).expect("it has one");
                    sent = after;
                    let arrived = if n == 0 { code_group ^ 1 << place } else { code_group };
                    let (found, after) = decode(arrived, received);
                    received = after;
                    errors += u32::from(found.is_err());
                }
                assert!(errors > 0, "{octet:?}, bit {place}");
                // And then all is well again.
                assert_eq!(sent, received);
            }
        }
    }
}

/// The code-groups of frames behind idle, and the gaps as they became.
fn write(rounding: Rounding, frames: &[(u64, Vec<u8>)]) -> (Vec<u16>, Vec<u64>) {
    let mut line = Vec::new();
    let mut transmitter = Transmitter::new(rounding);
    let mut visit = |code_group| line.push(code_group);
    let gaps = frames
        .iter()
        .enumerate()
        .map(|(n, (gap, frame))| {
            transmitter.frame(if n == 0 { 40 } else { *gap }, frame, &mut visit)
        })
        .collect();
    transmitter.idle_until(transmitter.at() + 20, &mut visit);
    (line, gaps)
}

/// The same bits in words that begin so many bits early.
fn late(line: &[u16], bits: u32) -> Vec<u16> {
    let mut waiting = 0x2a5 & ((1 << bits) - 1);
    let mut words: Vec<u16> = Vec::new();
    for code_group in line.iter().chain(&[0x155]) {
        waiting |= u32::from(*code_group) << bits;
        words.push((waiting & 0x3ff) as u16);
        waiting >>= 10;
    }
    words
}

/// Gap, verdict, bytes.
type Found = (u64, Verdict, Vec<u8>);

fn read(words: &[u16]) -> (Receiver, Vec<Found>) {
    let mut receiver = Receiver::new(1522);
    let mut found = Vec::new();
    let mut visit = |captured: Captured<'_>| {
        found.push((captured.gap, captured.verdict, captured.frame.to_vec()));
    };
    words.iter().for_each(|word| receiver.word(*word, &mut visit));
    receiver.finish_stream(&mut visit);
    (receiver, found)
}

/// Every length at the least gap, from any bit on.
#[test]
fn every_length_from_any_bit() {
    let frames: Vec<_> = (64..=1522).map(|bytes| (12, frame(bytes, bytes as u64))).collect();
    let (line, gaps) = write(Rounding::Mean, &frames);
    for bits in 0..10 {
        let (receiver, found) = read(&late(&line, bits));
        assert_eq!(found.len(), frames.len());
        for (n, (gap, verdict, bytes)) in found.iter().enumerate() {
            assert_eq!((*verdict, bytes == &frames[n].1), (Verdict::Good, true), "frame {n}");
            if n > 0 {
                assert_eq!(*gap, gaps[n], "frame {n}");
            }
        }
        let counts = receiver.counts();
        assert_eq!((counts.code_errors, counts.disparity_errors, counts.false_carriers), (0, 0, 0));
        assert_eq!((counts.synchronisations, counts.synchronisation_losses), (1, 0));
        assert_eq!((counts.frames, counts.good), (1459, 1459));
        // Idle turns the disparity to negative once behind a frame that ended high.
        assert!(counts.idles[0] > 0 && counts.idles[0] < 1459 && counts.idles[2] == 0);
    }
}

/// The code-groups of a frame and its gap, by name.
#[test]
fn exact_sequences() {
    for (bytes, end) in [(64, vec![END, REPEAT]), (65, vec![END, REPEAT, REPEAT])] {
        let one = frame(bytes, 1);
        let (line, gaps) = write(Rounding::Mean, &[(0, one.clone()), (12, one.clone())]);
        assert_eq!(gaps[0], 40);
        let mut disparity = Disparity::Negative;
        let mut names = Vec::new();
        for code_group in &line {
            let (octet, behind) = decode(*code_group, disparity);
            disparity = behind;
            names.push(octet.expect("it is one"));
        }
        let idle = [COMMA, Octet::d(16, 2)];
        assert_eq!(names[..40], idle.repeat(20));
        let preamble = [0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5].map(Octet::data);
        let data: Vec<_> = one.iter().map(|octet| Octet::data(*octet)).collect();
        let sent = [&[START][..], &preamble, &data, &end].concat();
        assert_eq!(names[40..][..sent.len()], sent);
        // Behind it, a set of idle, of which the first may turn the disparity.
        let next = 40 + 8 + bytes + gaps[1] as usize;
        let filling = &names[40 + sent.len()..next];
        assert_eq!(filling.len() % 2, 0);
        assert!([Octet::d(16, 2), Octet::d(5, 6)].contains(&filling[1]));
        assert!(filling[2..].chunks(2).all(|set| set == idle));
        assert_eq!(names[next], START);
        assert_eq!(gaps[1] + bytes as u64, 76);
    }
}

/// Gaps of frames of odd lengths: one shorter and one as it was or longer, so that the mean is exact.
#[test]
fn gaps_keep_their_mean() {
    let frames: Vec<_> = (0..100).map(|n| (13, frame(64, n))).collect();
    let (line, gaps) = write(Rounding::Mean, &frames);
    assert_eq!(gaps[1..5], [12, 14, 12, 14]);
    let (_, found) = read(&line);
    assert_eq!(found.iter().map(|found| found.0).sum::<u64>(), 40 + 99 * 13 - 1);
    let (_, gaps) = write(Rounding::Block, &frames);
    assert!(gaps[1..].iter().all(|gap| *gap == 14));
    // What is less than /T/ /R/ and a set of idle becomes that.
    let frames: Vec<_> = (64..70).map(|bytes| (0, frame(bytes, 1))).collect();
    let (line, gaps) = write(Rounding::Mean, &frames);
    assert_eq!(gaps, [40, 4, 5, 4, 5, 4]);
    assert_eq!(read(&line).1.iter().filter(|found| found.1 == Verdict::Good).count(), 6);
}

/// Octets to code-groups, behind idle that synchronises.
fn line_of(octets: &[Octet]) -> Vec<u16> {
    let idle = [COMMA, Octet::d(16, 2)];
    let mut disparity = Disparity::Negative;
    let all = [&idle.repeat(10)[..], octets, &idle.repeat(4)].concat();
    all.iter()
        .map(|octet| {
            let (code_group, behind) = encode(*octet, disparity).expect("it has one");
            disparity = behind;
            code_group
        })
        .collect()
}

/// A frame as octets, with a preamble of so many bytes and an end.
fn octets_of(frame: &[u8], preamble: usize, end: &[Octet]) -> Vec<Octet> {
    let mut octets = vec![START];
    octets.extend([Octet::data(0x55)].repeat(preamble - 1));
    octets.push(Octet::data(0xd5));
    octets.extend(frame.iter().map(|octet| Octet::data(*octet)));
    octets.extend(end);
    octets
}

#[test]
fn ends_and_preambles() {
    let even = frame(64, 1);
    let odd = frame(65, 2);
    let good = [END, REPEAT];
    let idle = [COMMA, Octet::d(16, 2)];
    for (frame, preamble, end, verdict) in [
        (&even, 7, &good[..], Verdict::Good),
        (&odd, 7, &[END, REPEAT, REPEAT], Verdict::Good),
        // A sender that left a byte of preamble out, and one that left out two.
        (&odd, 6, &good, Verdict::Good),
        (&even, 5, &good, Verdict::BadPreamble),
        // No end, or half of one.
        (&even, 7, &[], Verdict::Cut),
        (&even, 7, &[END, ERROR], Verdict::Cut),
        (&even, 7, &[END, Octet::d(1, 1)], Verdict::Cut),
        (&odd, 7, &[END, REPEAT, Octet::d(1, 1)], Verdict::Cut),
        (&odd, 7, &[END], Verdict::Cut),
        (&even, 7, &[ERROR, END, REPEAT, REPEAT], Verdict::Cut),
        (&even, 7, &[REPEAT, REPEAT], Verdict::Cut),
        (&even, 7, &[START, Octet::d(1, 1)], Verdict::Cut),
    ] {
        let mut octets = octets_of(frame, preamble, end);
        // Another frame, to see that the first one does no more harm.
        octets.extend(idle.repeat(4));
        octets.extend(octets_of(&even, 7, &good));
        let (_, found) = read(&line_of(&octets));
        let verdicts: Vec<_> = found.iter().map(|found| found.1).collect();
        assert_eq!(verdicts, [verdict, Verdict::Good], "{end:?}");
        if verdict == Verdict::Good {
            assert_eq!(&found[0].2, frame);
            // From /T/ to /S/.
            assert_eq!(found[1].0, end.len() as u64 + 8);
        }
    }
    // An error within, and a frame that is too long.
    let mut octets = octets_of(&even, 7, &good);
    octets[30] = ERROR;
    assert_eq!(read(&line_of(&octets)).1[0].1, Verdict::Cut);
    let (_, found) = read(&line_of(&octets_of(&frame(1700, 3), 7, &good)));
    assert_eq!((found.len(), found[0].1, found[0].2.len()), (1, Verdict::Oversize, 1522));
    // A start behind no set of idle, or at an odd place, is none.
    let strange = [&[Octet::d(1, 1)][..], &octets_of(&even, 7, &good)].concat();
    let (receiver, found) = read(&line_of(&strange));
    assert_eq!((found.len(), receiver.counts().false_carriers), (0, 1));
}

#[test]
fn configuration_sets() {
    let mut line = Vec::new();
    let mut transmitter = Transmitter::new(Rounding::Mean);
    let mut visit = |code_group| line.push(code_group);
    (0..20).for_each(|_| transmitter.configuration(0x41a0, &mut visit));
    transmitter.frame(100, &frame(64, 1), &mut visit);
    transmitter.idle_until(300, &mut visit);
    let mut disparity = Disparity::Negative;
    let names: Vec<_> = line[..8]
        .iter()
        .map(|code_group| {
            let (octet, behind) = decode(*code_group, disparity);
            disparity = behind;
            octet.expect("it is one")
        })
        .collect();
    let register = [Octet::data(0xa0), Octet::data(0x41)];
    let sets = [
        COMMA,
        Octet::d(21, 5),
        register[0],
        register[1],
        COMMA,
        Octet::d(2, 2),
        register[0],
        register[1],
    ];
    assert_eq!(names, sets);
    let (receiver, found) = read(&line);
    assert_eq!(receiver.configuration(), Some(0x41a0));
    // Two and the comma of the third go by before there is synchronisation.
    assert_eq!(receiver.counts().configurations, 18);
    assert_eq!((found.len(), found[0].1), (1, Verdict::Good));
}

/// A wrong bit costs a frame or two, and no wrong frame passes; four bad code-groups near one another cost synchronisation, which comes back.
#[test]
fn loss_and_recovery() {
    let frames: Vec<_> = (0..60).map(|n| (12, frame(100, n))).collect();
    let (line, _) = write(Rounding::Mean, &frames);
    let (receiver, found) = {
        let mut line = line.clone();
        // In the middle of frame 20: noise that no octet has.
        line[40 + 20 * 120 + 50..][..6].fill(0x3ff);
        read(&line)
    };
    let counts = receiver.counts();
    assert_eq!((counts.synchronisations, counts.synchronisation_losses), (2, 1));
    assert_eq!(counts.code_errors, 4);
    assert_eq!(found[20].1, Verdict::Cut);
    // The gap behind it is enough to synchronise again.
    assert_eq!(found.len(), 60);
    for (n, (_, verdict, bytes)) in found.iter().enumerate().filter(|(n, _)| *n != 20) {
        assert_eq!((*verdict, *bytes == frames[n].1), (Verdict::Good, true), "frame {n}");
    }
    assert!(receiver.synchronised());
    // Bits are lost: the next commas say where code-groups begin.
    for lost in 1..10 {
        let mut words = line[..40 + 20 * 120 + 50].to_vec();
        let rest: Vec<u16> = late(&line[40 + 20 * 120 + 51..], 10 - lost);
        words.extend(rest);
        let (receiver, found) = read(&words);
        assert!(receiver.synchronised());
        assert_eq!(receiver.counts().synchronisation_losses, 1, "{lost} bits");
        let good = found.iter().filter(|found| found.1 == Verdict::Good);
        let good: Vec<_> = good.map(|found| &found.2).collect();
        assert!(good.iter().all(|good| frames.iter().any(|(_, frame)| frame == *good)));
        assert!(good.len() >= 50, "{} of 60 behind {lost} bits", good.len());
    }
}

proptest! {
    /// Any words: no panic, and nothing is called good.
    #[test]
    fn arbitrary_words_do_not_panic(words in proptest::collection::vec(any::<u16>(), 0..3000)) {
        let (_, found) = read(&words);
        prop_assert!(found.iter().all(|found| found.1 != Verdict::Good));
    }

    /// Any octets behind synchronisation: no panic, and what is good has its own check sequence.
    #[test]
    fn arbitrary_octets_do_not_panic(choices in proptest::collection::vec(0usize..268 * 2, 0..1000)) {
        let all = octets();
        let usual = [COMMA, Octet::d(16, 2), START, END, REPEAT, ERROR, Octet::d(21, 5)];
        let some = choices.iter().map(|n| *all.get(*n).unwrap_or(&usual[n % usual.len()]));
        let (_, found) = read(&line_of(&some.collect::<Vec<_>>()));
        for (_, verdict, bytes) in found {
            prop_assert!(verdict != Verdict::Good || ww_phy::fcs::is_good(&bytes));
        }
    }

    /// Wrong bits: what is called good was sent, and all frames far from them are there.
    #[test]
    fn wrong_bits(places in proptest::collection::vec(40usize * 10..40 * 104 * 10, 1..12)) {
        let frames: Vec<_> = (0..60).map(|n| (12, frame(84, n))).collect();
        let (mut line, _) = write(Rounding::Mean, &frames);
        for place in &places {
            line[place / 10] ^= 1 << (place % 10);
        }
        let (receiver, found) = read(&line);
        let mut good = 0;
        for (_, verdict, bytes) in found {
            if verdict == Verdict::Good {
                prop_assert!(frames.iter().any(|(_, frame)| *frame == bytes));
                good += 1;
            }
        }
        let counts = receiver.counts();
        let wrong: std::collections::HashSet<_> = places.iter().map(|place| place / 10).collect();
        prop_assert!(counts.code_errors + counts.disparity_errors <= 2 * wrong.len() as u64);
        // A loss of synchronisation costs the time of three sets of idle, of which a gap has four or five.
        prop_assert!(good + 3 * places.len() >= 60);
    }
}
