//! Clocks: one packet alone, and packets back to back, on a model with probes.

use super::frames::{Template, Varied, of_size};
use super::probe::{Passages, has_copies};
use crate::manifest::Manifest;
use crate::runner::Error;
use crate::runner::engine::Rtl;
use crate::runner::pace::Pace;
use crate::runner::testbench::{Delivered, LONGEST_FRAME, Testbench};
use serde::{Deserialize, Serialize};

/// Packets back to back at least.
const FEWEST: u64 = 16;
/// Clocks that a row of packets takes at least, in latencies of one: longer than what buffers
/// inside can hide.
const LATENCIES: u64 = 4;
/// Packets that each port gets when all have them at once.
const ROUNDS: u64 = 64;

/// Where the clocks of a packet go. Each is a difference between two clocks; together they are
/// [`Alone::last_bit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stages {
    /// From the first beat in to the clock in which the first table or state object gets its
    /// index: the head is collected and taken apart. All of the pipeline if there is no such
    /// object.
    pub parser: u64,
    /// From there until the new headers are there; the clocks of ingress and egress together in a
    /// program that makes copies.
    pub match_action: u64,
    /// Waiting for each other: of the headers for the deparser and the first beat from the packet
    /// memory; in a program that makes copies, from ingress to egress, too.
    pub memory: u64,
    /// From the clock in which the deparser has the headers and the first beat to the last beat
    /// out.
    pub deparser: u64,
}

/// A packet alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alone {
    /// Frames that came out of it.
    pub frames_out: u64,
    /// Bytes of the last of them; 0 without one.
    pub bytes_out: u64,
    /// Clocks from the first beat in to the first beat out, of the last frame if there are
    /// several.
    pub first_bit: Option<u64>,
    /// Clocks from the first beat in to the last beat out.
    pub last_bit: Option<u64>,
    /// Where they go; only for packets with one frame out.
    pub stages: Option<Stages>,
}

/// Packets of one size back to back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    /// Packets that were sent.
    pub packets: u64,
    /// Frames that came out of them.
    pub frames_out: u64,
    /// Clocks a packet, sustained: those between two packets at the input or at the output,
    /// whichever is slower.
    pub clocks_per_packet: f64,
    /// The fewest that the bus allows: beats of a packet in or out, whichever are more.
    pub bound: u64,
}

impl Stream {
    /// Whether the bus was never idle.
    pub fn is_line_rate(&self) -> bool {
        self.clocks_per_packet <= self.bound as f64
    }
}

/// A packet at every port at the same time, back to back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Together {
    /// Pairs of streams.
    pub ports: u32,
    /// Clocks until every port has another packet, sustained.
    pub clocks_per_round: f64,
    /// The fewest that are possible: beats of a port's packets in or out, whichever port has the
    /// most, and a clock for each packet and for each copy of one in the pipeline.
    pub bound: f64,
    /// Beats that came in a clock, of all ports together: at most the number of ports.
    pub beats_per_clock: f64,
    /// Frames that left, of each that came.
    pub frames_out: f64,
}

impl Together {
    /// Gigabits a second that come in at all ports together, at this clock.
    pub fn gigabits(&self, bytes: u64, megahertz: f64) -> f64 {
        let bits = (bytes * 8 * u64::from(self.ports)) as f64;
        bits / self.clocks_per_round * megahertz / 1000.0
    }
}

/// What was measured for a size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// Bytes of the frame on the bus, without FCS.
    pub bytes: u64,
    /// Beats of it.
    pub beats: u64,
    /// One packet alone.
    pub alone: Alone,
    /// Packets back to back.
    pub stream: Stream,
    /// All ports at once; of the shape `switch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
}

/// Measures with frames made of templates.
pub struct Meter<'r> {
    engine: &'r mut Rtl,
    manifest: &'r Manifest,
    templates: Vec<Template>,
    varied: Option<Varied>,
    /// Packets so far: the next one's number.
    number: u64,
}

impl<'r> Meter<'r> {
    /// For an engine that was loaded with a model with probes, and has its entries.
    ///
    /// Templates that the program forwards go before those that it drops: the ones that it drops
    /// are used only if it drops all.
    pub fn new(
        engine: &'r mut Rtl,
        manifest: &'r Manifest,
        templates: Vec<Template>,
        varied: Option<Varied>,
    ) -> Result<Self, Error> {
        let mut meter = Self { engine, manifest, templates: Vec::new(), varied, number: 0 };
        let mut forwarded = Vec::new();
        for template in &templates {
            if meter.alone(template)?.frames_out == 1 {
                forwarded.push(template.clone());
            }
        }
        meter.templates = if forwarded.is_empty() { templates } else { forwarded };
        Ok(meter)
    }

    /// Measures a size; `None` if all templates are longer, or the size is none for a frame.
    pub fn size(&mut self, bytes: u64) -> Result<Option<Size>, Error> {
        let frame = usize::try_from(bytes).ok().filter(|size| (1..=LONGEST_FRAME).contains(size));
        let Some(frame) = frame.and_then(|size| of_size(&self.templates, size)) else {
            return Ok(None);
        };
        let alone = self.alone(&frame)?;
        let stream = self.stream(&frame, &alone)?;
        let together = match self.manifest.ports {
            1 => None,
            ports => Some(self.together(&frame, ports)?),
        };
        Ok(Some(Size { bytes, beats: self.beats(bytes), alone, stream, together }))
    }

    fn beats(&self, bytes: u64) -> u64 {
        (bytes * 8).div_ceil(u64::from(self.manifest.width)).max(1)
    }

    /// Puts a packet in front of the model.
    fn push(&mut self, frame: &Template) -> Result<(), Error> {
        let ports = self.manifest.ports;
        let stream = if ports == 1 { 0 } else { frame.port };
        if stream >= ports {
            let text = format!("a frame comes in at port {stream}: the design has {ports} ports");
            return Err(Error::Model(text));
        }
        let mut bytes = frame.bytes.clone();
        if let Some(varied) = self.varied {
            varied.apply(&mut bytes, self.number);
        }
        self.number += 1;
        self.engine.bench().push(stream as usize, frame.port, self.number, &bytes);
        Ok(())
    }

    /// Runs until the model is empty, and returns bytes out and last clock of each frame.
    fn run(&mut self) -> Result<Vec<(u64, u64)>, Error> {
        Ok(self.frames()?.iter().map(|frame| (frame.bytes.len() as u64, frame.last)).collect())
    }

    /// Runs until the model is empty, and returns the frames that left.
    fn frames(&mut self) -> Result<Vec<Delivered>, Error> {
        let bench: &mut Testbench = self.engine.bench();
        bench.run()?;
        Ok(std::iter::from_fn(|| bench.pop()).collect())
    }

    /// A packet alone in a design without probes.
    fn alone_of_switch(&mut self, frame: &Template) -> Result<Alone, Error> {
        self.engine.bench().set_pace(Pace::Serial);
        self.push(frame)?;
        let frames = self.frames()?;
        let entered = self.engine.bench().entered();
        let last = frames.last();
        Ok(Alone {
            frames_out: frames.len() as u64,
            bytes_out: last.map_or(0, |frame| frame.bytes.len() as u64),
            first_bit: last.map(|frame| frame.first - entered),
            last_bit: last.map(|frame| frame.last - entered),
            stages: None,
        })
    }

    /// A packet of this size at every port, again and again: of the port's own template, or else
    /// the one that is measured.
    fn together(&mut self, frame: &Template, ports: u32) -> Result<Together, Error> {
        let mut list = Vec::new();
        for port in 0..ports {
            let own: Vec<Template> =
                self.templates.iter().filter(|t| t.port == port).cloned().collect();
            let found = of_size(&own, frame.bytes.len()).unwrap_or_else(|| frame.clone());
            list.push(Template { port, bytes: found.bytes });
        }
        self.engine.bench().set_pace(Pace::BackToBack);
        // What twice as many rounds take longer is without what a row of them takes at its ends.
        let mut clocks = [0; 2];
        let mut frames = Vec::new();
        for (n, rounds) in [ROUNDS, 2 * ROUNDS].into_iter().enumerate() {
            let begin = self.engine.bench().clocks();
            for _ in 0..rounds {
                for frame in &list {
                    self.push(frame)?;
                }
            }
            frames = self.frames()?;
            clocks[n] = self.engine.bench().clocks() - begin;
        }
        let rounds = (2 * ROUNDS) as f64;
        let mut out = vec![0; ports as usize];
        for frame in &frames {
            out[frame.stream as usize] += self.beats(frame.bytes.len() as u64);
        }
        let beats = self.beats(frame.bytes.len() as u64) as f64;
        let most = out.into_iter().max().unwrap_or(0) as f64 / rounds;
        let tokens = (frames.len() as f64 / rounds).max(f64::from(ports));
        let clocks_per_round = (clocks[1] - clocks[0]) as f64 / ROUNDS as f64;
        Ok(Together {
            ports,
            clocks_per_round,
            bound: beats.max(most).max(tokens),
            beats_per_clock: beats * f64::from(ports) / clocks_per_round,
            frames_out: frames.len() as f64 / rounds / f64::from(ports),
        })
    }

    fn alone(&mut self, frame: &Template) -> Result<Alone, Error> {
        if self.manifest.ports != 1 {
            return self.alone_of_switch(frame);
        }
        self.engine.bench().set_pace(Pace::Serial);
        self.push(frame)?;
        let frames = self.run()?;
        let at = Passages::read(self.engine.bench())?;
        let after =
            |clock: u64| Some(clock.wrapping_sub(at.entered)).filter(|_| !frames.is_empty());
        let stages = match frames.len() {
            1 => Some(stages(&at, self.manifest)?),
            _ => None,
        };
        Ok(Alone {
            frames_out: frames.len() as u64,
            bytes_out: frames.last().map_or(0, |(bytes, _)| *bytes),
            first_bit: after(at.first),
            last_bit: after(at.last),
            stages,
        })
    }

    fn stream(&mut self, frame: &Template, alone: &Alone) -> Result<Stream, Error> {
        let bytes = frame.bytes.len() as u64;
        let out = self.beats(alone.bytes_out) * alone.frames_out;
        let bound = self.beats(bytes).max(out);
        let sections = &self.manifest.timing.sections;
        let pipelines: u64 = sections.iter().map(|section| u64::from(section.latency)).sum();
        let latency = alone.last_bit.unwrap_or(0).max(pipelines);
        let packets = FEWEST.max((LATENCIES * latency).div_ceil(bound));
        self.engine.bench().set_pace(Pace::BackToBack);
        for _ in 0..packets {
            self.push(frame)?;
        }
        let begin = self.engine.bench().clocks();
        let frames = self.run()?;
        let between = (packets - 1) as f64;
        let entered = (self.engine.bench().entered() - begin) as f64 / between;
        // Of several frames a packet, from the last of one packet to the last of the next.
        let each = frames.len() as u64 / packets;
        let left = match (frames.get(each.saturating_sub(1) as usize), frames.last()) {
            (Some((_, first)), Some((_, last))) if each > 0 => (last - first) as f64 / between,
            _ => 0.0,
        };
        let frames_out = frames.len() as u64;
        Ok(Stream { packets, frames_out, clocks_per_packet: entered.max(left), bound })
    }
}

/// Where the clocks of a packet went.
fn stages(at: &Passages, manifest: &Manifest) -> Result<Stages, Error> {
    let sections = &manifest.timing.sections;
    let (first, last) = match (sections.first(), sections.last()) {
        (Some(first), Some(last)) => (first, last),
        _ => return Err(Error::Model("the design does not say when its packets are where".into())),
    };
    let parsed = first.accesses.first().map_or(first.latency, |access| access.clock);
    let copies = has_copies(manifest);
    // Where the first pipeline ends and the last one begins.
    let (end, begin) = if copies { (at.gated, at.copied) } else { (at.processed, at.started) };
    let fed = at.taken.max(at.fed);
    let order = [at.entered, at.started, end, at.processed, fed, at.first, at.last];
    let is_scheduled = parsed <= first.latency
        && end.checked_sub(at.started) == Some(first.latency.into())
        && at.processed.checked_sub(begin) == Some(last.latency.into());
    if !is_scheduled || !order.is_sorted() || (copies && begin < end) {
        return Err(Error::Model(format!(
            "the packet was not where the schedule has it: {at:?}, scheduled {sections:?}"
        )));
    }
    let crossing = if copies { begin - end } else { 0 };
    let parser = at.started - at.entered + u64::from(parsed);
    let memory = crossing + (fed - at.processed);
    let deparser = at.last - fed;
    let egress = if copies { u64::from(last.latency) } else { 0 };
    let match_action = u64::from(first.latency - parsed) + egress;
    Ok(Stages { parser, match_action, memory, deparser })
}
