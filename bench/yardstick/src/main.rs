//! The yardstick for `ww bench`: l2l3's work on IPv4 frames, written by hand for this machine.
//!
//! yardstick --entries F --pcap N=F ... [--seconds S | --passes P] [--rounds R] [--batch B]
//!
//! Prints one line of JSON. The frames are copied fresh into buffers before each use, as `ww bench`
//! does; the output hash is that of `ww bench`, so that both can be compared.

#[path = "../../../crates/io/src/fingerprint.rs"]
#[allow(dead_code)]
mod fingerprint;
mod switch;
mod tables;
mod workload;

use fingerprint::{Fingerprint, chain};
use std::collections::BTreeMap;
use std::error::Error;
use std::time::Instant;
use switch::{HEADROOM, Switch, Verdict};

/// Frames in one piece of memory, each on a cache line of its own.
struct Frames {
    bytes: Vec<u8>,
    list: Vec<(u16, u32, u32)>,
    /// Bytes between two buffers: headroom and the longest frame, in whole cache lines.
    room: usize,
}

impl Frames {
    fn new(frames: &[(u16, Vec<u8>)]) -> Self {
        let longest = frames.iter().map(|(_, frame)| frame.len()).max().unwrap_or(0);
        let room = (HEADROOM + longest).next_multiple_of(64);
        let mut all = Self { bytes: Vec::new(), list: Vec::new(), room };
        for (port, frame) in frames {
            all.list.push((*port, all.bytes.len() as u32, frame.len() as u32));
            all.bytes.extend_from_slice(frame);
            all.bytes.resize(all.bytes.len().next_multiple_of(64), 0);
        }
        all
    }

    /// All frames once.
    fn pass(
        &self,
        switch: &mut Switch,
        batch: usize,
        buffers: &mut [u8],
        mut sink: impl FnMut(u16, &[u8]),
    ) {
        let mut verdicts = [Verdict::DROPPED; 256];
        for chunk in self.list.chunks(batch) {
            for (n, &(port, at, length)) in chunk.iter().enumerate() {
                let (at, length) = (at as usize, length as usize);
                let frame = &mut buffers[n * self.room + HEADROOM..][..length];
                frame.copy_from_slice(&self.bytes[at..][..length]);
                verdicts[n] = switch.classify(port, frame);
            }
            for (n, &(_, _, length)) in chunk.iter().enumerate() {
                let buffer = &mut buffers[n * self.room..][..self.room];
                if let Some((port, begin, end)) =
                    switch.forward(verdicts[n], buffer, length as usize)
                {
                    sink(port, &buffer[begin..end]);
                }
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut entries = None;
    let mut captures = Vec::new();
    let (mut seconds, mut rounds, mut batch) = (5.0, 5, 64);
    let mut fixed = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{option}: no value"))?;
        match option.as_str() {
            "--entries" => entries = Some(value),
            "--pcap" => {
                let (port, path) = value.split_once('=').ok_or("--pcap: expected N=FILE")?;
                captures.push((port.parse()?, path.to_owned()));
            }
            "--passes" => fixed = Some(value.parse::<usize>()?.max(1)),
            "--seconds" => seconds = value.parse()?,
            "--rounds" => rounds = value.parse::<usize>()?.max(1),
            "--batch" => batch = value.parse::<usize>()?.clamp(1, 256),
            _ => return Err(format!("{option}: there is no such option").into()),
        }
    }
    let entries = std::fs::read_to_string(entries.ok_or("--entries is missing")?)?;
    let mut switch = workload::switch(&entries)?;
    let frames = Frames::new(&workload::frames(&captures)?);
    if frames.list.is_empty() {
        return Err("no frames".into());
    }
    let mut buffers = vec![0; frames.room * batch];

    let mut ports: BTreeMap<u16, Fingerprint> = BTreeMap::new();
    let mut sent = 0u64;
    frames.pass(&mut switch, batch, &mut buffers, |port, frame| {
        ports.entry(port).or_default().add(frame);
        sent += 1;
    });
    let hash = ports.iter().fold(0, |hash, (&port, f)| chain(chain(hash, port.into()), f.hash()));
    let sum =
        ports.iter().fold(0u64, |sum, (&port, f)| sum.wrapping_add(chain(port.into(), f.sum())));
    if switch.others != 0 {
        return Err(format!("{} frames that this program has no way for", switch.others).into());
    }

    let (mut count, mut bytes) = (0u64, 0u64);
    let mut round = |passes: usize| {
        let start = Instant::now();
        for _ in 0..passes {
            frames.pass(&mut switch, batch, &mut buffers, |_, frame| {
                count += 1;
                bytes += frame.len() as u64;
            });
        }
        start.elapsed().as_secs_f64()
    };
    round(1);
    let passes = match fixed {
        Some(passes) => passes,
        None => (seconds / rounds as f64 / round(1)).ceil().max(1.0) as usize,
    };
    let packets = passes * frames.list.len();
    let mut times: Vec<f64> = (0..rounds).map(|_| round(passes) * 1e9 / packets as f64).collect();
    let total: f64 = times.iter().sum::<f64>() * packets as f64 / 1e9;
    times.sort_by(f64::total_cmp);
    let median = times[rounds / 2];
    println!(
        "{{\"engine\": \"yardstick\", \"packets\": {}, \"seconds\": {total}, \"mpps\": {}, \
         \"ns_per_packet\": {median}, \"fastest_ns\": {}, \"slowest_ns\": {}, \"batch\": {batch}, \
         \"frames\": {}, \"route_bytes\": {}, \"output\": {{\"frames\": {sent}, \
         \"hash\": \"{hash:016x}\", \"sum\": \"{sum:016x}\"}}, \"learn\": {}, \"drops\": {:?}, \
         \"sunk\": {count}, \"sunk_bytes\": {bytes}}}",
        packets * rounds,
        1e3 / median,
        times[0],
        times[rounds - 1],
        frames.list.len(),
        switch.route_bytes(),
        switch.learn,
        switch.drops,
    );
    Ok(())
}
