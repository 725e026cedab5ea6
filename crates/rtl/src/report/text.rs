//! The report as text.

use super::cycles::Size;
use super::synthesis::{Area, Cells, Clock};
use super::{Report, WIRE_OVERHEAD};
use crate::manifest::SectionTiming;
use std::fmt::Write;

/// More sizes than these are summed up.
const ROWS: usize = 40;
/// Sizes below the bound that are named.
const NAMED: usize = 12;

/// Clock of the published design, for bits a second.
const TYPICAL_MHZ: f64 = 250.0;

/// All of it.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    let _ =
        writeln!(text, "{}: {} bits a beat, shape {}", report.program, report.width, report.shape);
    forwarding(report, &mut text);
    for section in &report.timing.sections {
        accesses(section, &mut text);
    }
    if !report.sizes.is_empty() {
        sizes(report, &mut text);
    }
    if report.sizes.iter().any(|size| size.together.is_some()) {
        together(report, &mut text);
    }
    if let Some(area) = &report.area {
        parts(area, &mut text);
    }
    if let Some(clock) = &report.clock {
        frequency(clock, &mut text);
    }
    text
}

/// When a packet's processing begins, and how soon the next one's.
fn forwarding(report: &Report, text: &mut String) {
    let head = report.timing.head_bytes;
    match report.timing.store_and_forward.as_slice() {
        [] => {
            let mut accesses = report.timing.sections.iter().flat_map(|section| &section.accesses);
            let counters = if accesses.any(|access| access.operation == "count") {
                " Counters count a packet when it has ended."
            } else {
                ""
            };
            let sentence = format!(
                "Cut-through: a packet's processing begins with the beat that completes its head \
                 (up to {head} bytes), since nothing in the program needs its end.{counters}"
            );
            paragraph(&sentence, text);
        }
        reasons => {
            let sentence = format!(
                "Store-and-forward: a packet's processing begins with its end, since {}.",
                reasons.join(", and ")
            );
            paragraph(&sentence, text);
        }
    }
    let stateful = report.timing.sections.iter().flat_map(|section| &section.accesses);
    let mut written: Vec<&str> =
        stateful.filter(|access| access.operation == "write").map(|a| a.object.as_str()).collect();
    written.dedup();
    let interval = report.initiation_interval;
    let clocks =
        if interval == 1 { "every clock".into() } else { format!("every {interval} clocks") };
    let state = match written.as_slice() {
        [] => "no packet writes what another one reads".to_owned(),
        list => format!(
            "packets read and write {}, and each of these arrays is read, changed and written back \
             before the next packet reads it",
            list.join(", ")
        ),
    };
    paragraph(&format!("A packet can begin {clocks}: {state}."), text);
}

/// A sentence in lines of at most 100 columns.
fn paragraph(sentence: &str, text: &mut String) {
    let mut column = 0;
    for word in sentence.split_whitespace() {
        let length = word.chars().count();
        match column {
            0 => {}
            _ if column + 1 + length > 100 => {
                text.push('\n');
                column = 0;
            }
            _ => {
                text.push(' ');
                column += 1;
            }
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
}

/// A pipeline's tables and state, clock by clock.
fn accesses(section: &SectionTiming, text: &mut String) {
    let _ = writeln!(
        text,
        "\n{}: {} clocks from the head to the new headers",
        section.name, section.latency
    );
    for access in &section.accesses {
        let answer = match access.latency {
            0 => String::new(),
            clocks => format!(", answer after {clocks}"),
        };
        let _ = writeln!(
            text,
            "  clock {:>3}  {:<6} {}{answer}",
            access.clock, access.operation, access.object
        );
    }
}

/// The table of clocks.
fn sizes(report: &Report, text: &mut String) {
    text.push_str(
        "\nClocks of one packet alone (first bit: first beat in to first beat out; last bit: to \
         the last beat\nout, the sum of the stages), and of packets back to back. Sizes are bytes \
         without FCS.\n\n\
         bytes  beats  parser  match-action  memory  deparser  first bit  last bit  \
         clocks/packet  bound\n",
    );
    if report.sizes.len() <= ROWS {
        report.sizes.iter().for_each(|size| row(size, text));
    } else {
        report
            .sizes
            .iter()
            .filter(|size| super::SIZES.contains(&size.bytes))
            .for_each(|size| row(size, text));
    }
    let slow: Vec<&Size> = report.slow().collect();
    let (count, last) = (report.sizes.len(), report.sizes.iter().map(|s| s.bytes).max());
    let first = report.sizes.iter().map(|size| size.bytes).min().unwrap_or(0);
    let range = format!("{count} sizes from {first} to {} bytes", last.unwrap_or(0));
    text.push('\n');
    if slow.is_empty() {
        paragraph(&format!("All {range} keep the bus busy: no clock without a beat."), text);
    } else {
        let list: Vec<String> = slow
            .iter()
            .take(NAMED)
            .map(|size| {
                let stream = &size.stream;
                format!("{} B {:.3} of {}", size.bytes, stream.clocks_per_packet, stream.bound)
            })
            .collect();
        let more = if slow.len() > NAMED { ", ..." } else { "" };
        let (slow, list) = (slow.len(), list.join(", "));
        let sentence = format!("{slow} of {range} take more clocks than the bus: {list}{more}.");
        paragraph(&sentence, text);
    }
    let rates: Vec<String> = report
        .line_rate_mhz
        .iter()
        .map(|(gigabits, mhz)| format!("{mhz:.1} MHz for {gigabits} Gbit/s"))
        .collect();
    let sentence = format!(
        "Clock that these sizes need for Ethernet at line rate, with {WIRE_OVERHEAD} more bytes a \
         frame on the wire: {}.",
        rates.join(", ")
    );
    paragraph(&sentence, text);
}

/// The table of all ports at once.
fn together(report: &Report, text: &mut String) {
    text.push('\n');
    let sentence = format!(
        "All ports at once, back to back: clocks until each has another packet, and the fewest that \
         the busiest port and one packet or copy a clock in the pipeline allow; Gbit/s of frames \
         that come in at {TYPICAL_MHZ} MHz."
    );
    paragraph(&sentence, text);
    text.push_str(
        "\nbytes  ports  clocks/round    bound  beats/clock  frames out  Gbit/s a port  Gbit/s\n",
    );
    for size in &report.sizes {
        let Some(all) = &size.together else { continue };
        let gigabits = all.gigabits(size.bytes, TYPICAL_MHZ);
        let _ = writeln!(
            text,
            "{:>5}  {:>5}  {:>12.2}  {:>7.2}  {:>11.2}  {:>10.2}  {:>13.1}  {:>6.1}",
            size.bytes,
            all.ports,
            all.clocks_per_round,
            all.bound,
            all.beats_per_clock,
            all.frames_out,
            gigabits / f64::from(all.ports),
            gigabits,
        );
    }
}

fn row(size: &Size, text: &mut String) {
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let stages = size.alone.stages;
    let stage = |of: fn(&super::cycles::Stages) -> u64| number(stages.as_ref().map(of));
    let _ = write!(
        text,
        "{:>5}  {:>5}  {:>6}  {:>12}  {:>6}  {:>8}  {:>9}  {:>8}  {:>13.3}  {:>5}",
        size.bytes,
        size.beats,
        stage(|s| s.parser),
        stage(|s| s.match_action),
        stage(|s| s.memory),
        stage(|s| s.deparser),
        number(size.alone.first_bit),
        number(size.alone.last_bit),
        size.stream.clocks_per_packet,
        size.stream.bound,
    );
    text.push_str(match size.alone.frames_out {
        0 => "  dropped\n",
        1 => "\n",
        _ => "  several frames out\n",
    });
}

/// The table of areas.
fn parts(area: &Area, text: &mut String) {
    text.push_str(
        "\nArea on a Xilinx 7-series FPGA (Yosys, not placed). Parts are mapped one by one, the \
         total as one.\n\n     LUT  as RAM      FF  RAMB36  RAMB18  DSP  part\n",
    );
    let mut line = |cells: &Cells, name: &str| {
        let _ = writeln!(
            text,
            "{:>8}{:>8}{:>8}{:>8}{:>8}{:>5}  {name}",
            cells.lut, cells.lut_ram, cells.ff, cells.ramb36, cells.ramb18, cells.dsp
        );
    };
    area.parts.iter().for_each(|part| line(&part.cells, &part.name));
    line(&area.total, "total");
    let depth = &area.depth;
    let _ = writeln!(
        text,
        "\nLongest path: {} look-up tables and {} carry blocks, from {} to {}",
        depth.luts,
        depth.carries,
        named(&depth.from),
        named(&depth.to)
    );
}

fn named(signal: &str) -> &str {
    if signal.is_empty() { "a signal without name" } else { signal }
}

/// The clock.
fn frequency(clock: &Clock, text: &mut String) {
    let _ = writeln!(
        text,
        "\nClock on a Lattice ECP5-85, speed grade 8 (nextpnr, one run): {:.1} MHz",
        clock.mhz
    );
    let cells: Vec<String> = clock
        .cells
        .iter()
        .map(|(kind, (used, available))| format!("{used} of {available} {kind}"))
        .collect();
    let _ = writeln!(text, "  in use: {}", cells.join(", "));
    let (mut logic, mut routing, mut luts) = (0.0, 0.0, 0);
    for (kind, delay, _) in &clock.path {
        if kind == "routing" {
            routing += delay;
        } else {
            logic += delay;
            luts += u32::from(kind == "logic");
        }
    }
    if let (Some(first), Some(last)) = (clock.path.first(), clock.path.last()) {
        let _ = writeln!(
            text,
            "  critical path: {luts} cells, {logic:.2} ns in cells, {routing:.2} ns between them,\n\
             \x20 from {} to {}",
            first.2, last.2
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Access, Timing};
    use crate::report::cycles::{Alone, Stages, Stream};

    fn report(bytes: u64, clocks_per_packet: f64) -> Report {
        let access = |operation: &str, clock| Access {
            object: "ingress.state".to_owned(),
            operation: operation.to_owned(),
            clock,
            latency: 0,
        };
        let accesses = vec![access("read", 1), access("write", 3)];
        let timing = Timing {
            store_and_forward: vec!["the program reads packet_length".to_owned()],
            head_bytes: 34,
            sections: vec![SectionTiming {
                name: "pipeline".to_owned(),
                latency: 5,
                accesses,
                register_bits: 0,
            }],
        };
        let manifest = crate::manifest::Manifest {
            program: "p".to_owned(),
            width: 512,
            initiation_interval: 1,
            timing,
            ..Default::default()
        };
        let stages = Stages { parser: 1, match_action: 5, memory: 1, deparser: 3 };
        let alone = Alone {
            frames_out: 1,
            bytes_out: bytes,
            first_bit: Some(10),
            last_bit: Some(10),
            stages: Some(stages),
        };
        let stream = Stream { packets: 40, frames_out: 40, clocks_per_packet, bound: 1 };
        Report::new(&manifest, vec![Size { bytes, beats: 1, alone, stream, together: None }])
    }

    #[test]
    fn what_a_reader_is_told() {
        let text = text(&report(60, 1.0));
        assert!(
            text.contains("begins with its end, since the program reads packet_length"),
            "{text}"
        );
        assert!(text.contains("packets read and write ingress.state"), "{text}");
        assert!(text.contains("All 1 sizes from 60 to 60 bytes keep the bus busy"), "{text}");
        // 100 Gbit/s are 100e9 / (84 * 8) = 148.8 million frames of 64 bytes with FCS a second.
        assert!(text.contains("148.8 MHz for 100 Gbit/s"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn bubbles_are_named() {
        let text = text(&report(60, 1.25));
        assert!(text.contains("1 of 1 sizes from 60 to 60 bytes take more clocks"), "{text}");
        assert!(text.contains("60 B 1.250 of 1"), "{text}");
        assert!(text.contains("186.0 MHz for 100 Gbit/s"), "{text}");
    }
}
