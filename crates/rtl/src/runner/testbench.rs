//! Packets in and out of a model, beat by beat.

use super::Error;
use super::bus::{BusPorts, Request};
use super::model::{Model, Signal};
use super::pace::{Pace, Rhythm};
use crate::manifest::Manifest;
use std::collections::VecDeque;

/// The longest frame in bytes that goes into a model: longer ones need not fit into its packet
/// memory.
pub const LONGEST_FRAME: usize = 16_384;

/// Bits of `tuser`: whether the FCS was wrong, the port, the time in microseconds.
const USER_BITS: usize = 65;
/// Clocks for which a design must have been idle to count as empty: `idle` may take a moment to
/// fall behind the last beat.
const IDLE_CLOCKS: u32 = 4;
/// Clocks of reset.
const RESET_CLOCKS: u32 = 8;

/// A frame that left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The port in `tuser`.
    pub port: u32,
    /// The stream on which it left.
    pub stream: u32,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The clock of its first beat.
    pub first: u64,
    /// The clock of its last beat.
    pub last: u64,
}

/// A frame on its way in.
struct Waiting {
    bytes: Vec<u8>,
    user: u128,
    /// Bytes that the design has.
    sent: usize,
}

/// What goes in on one stream.
#[derive(Default)]
struct Lane {
    queue: VecDeque<Waiting>,
    /// A beat is on the wires and stays until it is taken.
    offered: bool,
}

/// What comes out on one stream.
#[derive(Default)]
struct Outlet {
    bytes: Vec<u8>,
    first: Option<u64>,
    /// A beat that was not taken must stay as it is.
    held: Option<Vec<u8>>,
}

/// One direction of the streams.
#[derive(Clone, Copy)]
struct Streams {
    data: Signal,
    keep: Signal,
    valid: Signal,
    ready: Signal,
    last: Signal,
    user: Signal,
}

impl Streams {
    fn of(model: &Model, side: &str, width: u32, ports: u32) -> Result<Self, Error> {
        let find = |name: &str, bits: u32| model.expect(&format!("{side}_axis_{name}"), bits);
        Ok(Self {
            data: find("tdata", width * ports)?,
            keep: find("tkeep", width / 8 * ports)?,
            valid: find("tvalid", ports)?,
            ready: find("tready", ports)?,
            last: find("tlast", ports)?,
            user: find("tuser", USER_BITS as u32 * ports)?,
        })
    }
}

/// A model with its streams and its control bus.
pub struct Testbench {
    pub(super) model: Model,
    reset: Signal,
    idle: Signal,
    input: Streams,
    output: Streams,
    /// Bytes of a beat.
    beat: usize,
    lanes: Vec<Lane>,
    outlets: Vec<Outlet>,
    delivered: VecDeque<Delivered>,
    pub(super) bus: BusPorts,
    pace: Pace,
    rhythm: Rhythm,
    /// Outputs that are not taken at all.
    blocked: u64,
    clock: u64,
    /// Clocks in a row in which the design was idle and nothing was offered to it.
    quiet: u32,
    /// The last clock in which a beat moved.
    moved: u64,
    /// Clocks without a beat after which it does not go on.
    patience: u64,
    /// Beats that went in.
    beats_in: u64,
    /// When the first beat of the frame that went in last was taken.
    entered: u64,
}

impl Testbench {
    /// Connects a model and resets it.
    pub fn new(model: Model, manifest: &Manifest) -> Result<Self, Error> {
        let (width, ports) = (manifest.width, manifest.ports);
        if !matches!(width, 64 | 128 | 256 | 512) || !(1..=64).contains(&ports) {
            let text = format!("{ports} port(s) of {width} bits cannot be driven");
            return Err(Error::Model(text));
        }
        let mut bench = Self {
            reset: model.expect("rst", 1)?,
            idle: model.expect("idle", 1)?,
            input: Streams::of(&model, "s", width, ports)?,
            output: Streams::of(&model, "m", width, ports)?,
            beat: width as usize / 8,
            lanes: (0..ports).map(|_| Lane::default()).collect(),
            outlets: (0..ports).map(|_| Outlet::default()).collect(),
            delivered: VecDeque::new(),
            bus: BusPorts::of(&model)?,
            pace: Pace::default(),
            rhythm: Rhythm::new(Pace::default()),
            blocked: 0,
            clock: 0,
            quiet: 0,
            moved: 0,
            // A packet may come back to the parser a thousand times.
            patience: if manifest.reenters { 4_000_000 } else { 50_000 },
            beats_in: 0,
            entered: 0,
            model,
        };
        bench.model.set(bench.reset, 1);
        for _ in 0..RESET_CLOCKS {
            bench.step()?;
        }
        bench.model.set(bench.reset, 0);
        bench.step()?;
        bench.run()?;
        Ok(bench)
    }

    /// Has packets go in and out like this from now on.
    pub fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        self.rhythm = Rhythm::new(pace);
    }

    /// From now on nothing is taken of an output, whatever the pace; or it is again.
    pub fn block(&mut self, stream: usize, blocked: bool) {
        debug_assert!(stream < self.outlets.len());
        self.blocked = self.blocked & !(1 << stream) | u64::from(blocked) << stream;
    }

    /// See [`Pace`].
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Has all that follows written to a file: for models that were built for it.
    pub fn waveform(&mut self, path: &std::path::Path) -> Result<(), Error> {
        self.model.waveform(path)
    }

    /// Clocks since the model was made.
    pub fn clocks(&self) -> u64 {
        self.clock
    }

    /// Beats that went in.
    pub fn beats_in(&self) -> u64 {
        self.beats_in
    }

    /// The clock in which the first beat of the frame that went in last was taken.
    pub fn entered(&self) -> u64 {
        self.entered
    }

    /// The low 64 bits of an output of the model, if it has one with this name.
    pub fn output(&self, name: &str) -> Option<u64> {
        self.model.signal(name).filter(|port| port.is_output()).map(|port| self.model.get(port))
    }

    /// How many streams there are in each direction.
    pub fn streams(&self) -> usize {
        self.lanes.len()
    }

    /// Puts a frame into the queue in front of a stream. It must have at least one byte, and not
    /// more than [`LONGEST_FRAME`].
    pub fn push(&mut self, stream: usize, port: u32, microseconds: u64, frame: &[u8]) {
        debug_assert!((1..=LONGEST_FRAME).contains(&frame.len()));
        let time = u128::from(microseconds & ((1 << 48) - 1));
        let user = time << 17 | u128::from(port & 0xffff) << 1;
        let waiting = Waiting { bytes: frame.to_vec(), user, sent: 0 };
        self.lanes[stream].queue.push_back(waiting);
        self.quiet = 0;
    }

    /// The next frame that left.
    pub fn pop(&mut self) -> Option<Delivered> {
        self.delivered.pop_front()
    }

    /// Whether nothing waits in front of the design or is inside.
    pub fn is_empty(&self) -> bool {
        self.quiet >= IDLE_CLOCKS
    }

    /// Runs until nothing waits in front of the design or is inside.
    pub fn run(&mut self) -> Result<(), Error> {
        self.moved = self.clock;
        while !self.is_empty() {
            self.step()?;
            self.watch()?;
        }
        Ok(())
    }

    /// An error if nothing has moved for too long.
    pub fn watch(&self) -> Result<(), Error> {
        let still = self.clock - self.moved;
        match still > self.patience {
            false => Ok(()),
            true => Err(Error::Stalled(self.state(still))),
        }
    }

    /// What can be seen from outside, for a message.
    fn state(&self, still: u64) -> String {
        let bits = |signal: Signal| format!("{:b}", self.model.get(signal));
        let waiting: usize = self.lanes.iter().map(|lane| lane.queue.len()).sum();
        let inside: usize = self.outlets.iter().map(|outlet| outlet.bytes.len()).sum();
        format!(
            "nothing has moved for {still} clocks, at clock {}: {waiting} frame(s) wait in front \
             of the design, {inside} byte(s) of an unfinished frame are out; s_axis_tvalid {}, \
             s_axis_tready {}, m_axis_tvalid {}, m_axis_tready {}, idle {}",
            self.clock,
            bits(self.input.valid),
            bits(self.input.ready),
            bits(self.output.valid),
            bits(self.output.ready),
            bits(self.idle),
        )
    }

    /// One clock.
    pub fn step(&mut self) -> Result<(), Error> {
        let offered = self.offer();
        let takes: u64 =
            (0..self.outlets.len()).map(|n| u64::from(self.rhythm.takes(self.clock)) << n).sum();
        let takes = takes & !self.blocked;
        self.model.set(self.output.ready, takes);
        self.bus.drive(&mut self.model);
        self.model.settle()?;
        let in_reset = self.model.get(self.reset) == 1;
        let ready = self.model.get(self.input.ready);
        let valid = self.model.get(self.output.valid);
        let is_idle = self.model.get(self.idle) == 1;
        if !in_reset {
            self.bus.sample(&self.model);
            self.accepted(offered & ready);
            for stream in 0..self.outlets.len() {
                if valid >> stream & 1 == 1 {
                    self.beat(stream, takes >> stream & 1 == 1)?;
                } else if self.outlets[stream].held.is_some() {
                    return Err(self.wrong(stream, "tvalid fell before the beat was taken"));
                }
            }
        }
        self.model.edge()?;
        self.clock += 1;
        let waits = self.lanes.iter().any(|lane| !lane.queue.is_empty());
        let moves = offered != 0 || valid != 0;
        self.quiet = if is_idle && !waits && !moves && !in_reset { self.quiet + 1 } else { 0 };
        Ok(())
    }

    /// Puts beats on the wires where the pace has it, and says on which streams there are any.
    fn offer(&mut self) -> u64 {
        let mut offered = 0;
        for (n, lane) in self.lanes.iter_mut().enumerate() {
            if !lane.offered
                && let Some(frame) = lane.queue.front()
                && self.rhythm.offers(self.clock)
            {
                let rest = &frame.bytes[frame.sent..];
                let count = rest.len().min(self.beat);
                let data = &mut self.model.bytes_mut(self.input.data)[n * self.beat..];
                data[..count].copy_from_slice(&rest[..count]);
                // What tkeep leaves out is anything but zero.
                data[count..self.beat].fill(0xa5);
                let lanes = self.beat / 8;
                let keep = &mut self.model.bytes_mut(self.input.keep)[n * lanes..][..lanes];
                for (at, byte) in keep.iter_mut().enumerate() {
                    let kept = count.saturating_sub(at * 8).min(8);
                    *byte = ((1u16 << kept) - 1) as u8;
                }
                let last = u8::from(rest.len() <= self.beat);
                set_bits(self.model.bytes_mut(self.input.last), n, 1, u128::from(last));
                let at = n * USER_BITS;
                set_bits(self.model.bytes_mut(self.input.user), at, USER_BITS, frame.user);
                lane.offered = true;
            }
            offered |= u64::from(lane.offered) << n;
        }
        self.model.set(self.input.valid, offered);
        offered
    }

    /// The design took the beats of these streams.
    fn accepted(&mut self, streams: u64) {
        for (n, lane) in self.lanes.iter_mut().enumerate() {
            if streams >> n & 1 == 0 {
                continue;
            }
            lane.offered = false;
            self.moved = self.clock;
            self.beats_in += 1;
            if let Some(frame) = lane.queue.front_mut() {
                if frame.sent == 0 {
                    self.entered = self.clock;
                }
                frame.sent += self.beat;
                if frame.sent >= frame.bytes.len() {
                    lane.queue.pop_front();
                }
            }
        }
    }

    /// A valid beat on an output.
    fn beat(&mut self, stream: usize, taken: bool) -> Result<(), Error> {
        let data = &self.model.bytes(self.output.data)[stream * self.beat..][..self.beat];
        let lanes = self.beat / 8;
        let keep = &self.model.bytes(self.output.keep)[stream * lanes..][..lanes];
        let last = get_bits(self.model.bytes(self.output.last), stream, 1) == 1;
        let user = get_bits(self.model.bytes(self.output.user), stream * USER_BITS, USER_BITS);
        if self.rhythm.presses() {
            let mut now = [data, keep, &[u8::from(last)]].concat();
            now.extend(user.to_le_bytes());
            if self.outlets[stream].held.as_ref().is_some_and(|held| *held != now) {
                return Err(self.wrong(stream, "a beat changed before it was taken"));
            }
            self.outlets[stream].held = (!taken).then_some(now);
        }
        if !taken {
            return Ok(());
        }
        let count: usize = keep.iter().map(|byte| byte.count_ones() as usize).sum();
        let contiguous = (0..self.beat).all(|n| (keep[n / 8] >> (n % 8) & 1 == 1) == (n < count));
        let outlet = &mut self.outlets[stream];
        outlet.bytes.extend_from_slice(&data[..count]);
        let first = *outlet.first.get_or_insert(self.clock);
        self.moved = self.clock;
        if !contiguous || count == 0 || (!last && count < self.beat) {
            return Err(self.wrong(stream, "tkeep has holes, or is partial before the last beat"));
        }
        if last {
            let outlet = &mut self.outlets[stream];
            let bytes = std::mem::take(&mut outlet.bytes);
            outlet.first = None;
            self.delivered.push_back(Delivered {
                port: (user >> 1 & 0xffff) as u32,
                stream: stream as u32,
                bytes,
                first,
                last: self.clock,
            });
        }
        Ok(())
    }

    /// A beat against the rules of AXI4-Stream or our contract.
    fn wrong(&self, stream: usize, what: &str) -> Error {
        Error::Model(format!("m_axis of stream {stream}, clock {}: {what}", self.clock))
    }

    /// Puts a request on the control bus and runs until it is answered; packets go on meanwhile.
    pub(super) fn request(&mut self, request: Request) -> Result<u32, Error> {
        self.bus.begin(request);
        let begin = self.clock;
        loop {
            self.step()?;
            if let Some(answer) = self.bus.answer() {
                // A control access is a sign of life.
                self.moved = self.moved.max(begin);
                return answer;
            }
            if self.clock - begin > self.patience {
                let still = self.clock - self.moved;
                let text = self.state(still);
                return Err(Error::Stalled(format!("no answer to {request}; {text}")));
            }
        }
    }
}

/// Writes bits into a vector, the lowest at `at`.
fn set_bits(memory: &mut [u8], at: usize, count: usize, value: u128) {
    for n in 0..count {
        let (byte, bit) = ((at + n) / 8, (at + n) % 8);
        memory[byte] = memory[byte] & !(1 << bit) | ((value >> n & 1) as u8) << bit;
    }
}

/// Reads bits of a vector.
fn get_bits(memory: &[u8], at: usize, count: usize) -> u128 {
    (0..count).map(|n| u128::from(memory[(at + n) / 8] >> ((at + n) % 8) & 1) << n).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_vectors() {
        let mut memory = [0xffu8; 20];
        let value = 0x1_2345_6789_abcd_ef01_u128;
        set_bits(&mut memory, 65, 65, value);
        assert_eq!(get_bits(&memory, 65, 65), value & ((1 << 65) - 1));
        assert_eq!(
            (get_bits(&memory, 0, 65), get_bits(&memory, 130, 30)),
            ((1 << 65) - 1, (1 << 30) - 1)
        );
    }
}
