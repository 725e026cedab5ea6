//! Packets through the code, a batch at a time.
//!
//! A packet that is neither copied nor sent back takes the fast path: one function of the
//! program, in the place where the packet came in. All others go on in [`super::switch`].

use super::abi::{Context, CounterCell, cells_apart};
use super::control::{Generation, Objects, Ordered, Reader};
use super::memory::PacketMemory;
use super::packet::{ELSEWHERE, PacketHead, request, status};
use super::program::Program;
use super::runtime::{Runtime, externs::append_rest};
use super::switch::Waiting;
use crate::arch::Unsupported;
use std::cell::UnsafeCell;
use std::ops::DerefMut;
use std::sync::Arc;
use ww_dataplane::DropReason;
use ww_dataplane::control::{Answer, Error, Request, Subject};
use ww_dataplane::traffic::TrafficManager;
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Statistics, Status, Transmit};
use ww_tpp::switch::{Carried, Config, Tcpu};

/// Packets that are worked on together.
pub const BATCH: usize = 16;

const PICOSECONDS_PER_MICROSECOND: u64 = 1_000_000;

/// One of the threads that packets run on.
pub struct Worker {
    reader: Reader,
    objects: Arc<Objects>,
    switch: Switch,
    /// A frame of [`Dataplane::receive`], which may not be written.
    single: Vec<u8>,
    generation: u64,
}

/// All of a worker but its way to the generation.
pub(super) struct Switch {
    pub program: Arc<Program>,
    pub counters: Vec<*mut CounterCell>,
    /// See [`Context::own_cell`].
    pub own_cell: u64,
    pub runtime: Box<UnsafeCell<Runtime>>,
    /// What native code writes in the deparser, if it is longer than what came in.
    output: Vec<u8>,
    /// Bytes of it for each packet of a batch.
    output_bytes: usize,
    /// A frame that is put together from output and payload.
    pub frame: Vec<u8>,
    pub received: u64,
    pub transmitted: u64,
    pub parser_rejects: u64,
    pub dropped: [u64; DropReason::ALL.len()],
    pub waiting: Waiting,
    pub memory: PacketMemory,
    pub tcpu: Option<Box<Tcpu>>,
    /// The TPP at work, and the frame that it leaves in: buffers that are used again.
    pub carried: Carried,
    pub carrier: Vec<u8>,
    /// See [`Context::seen`].
    pub seen: Vec<[CounterCell; 2]>,
}

// SAFETY: the pointers lead to what `program` and `objects` own, and to counter cells that no
// other worker writes.
unsafe impl Send for Switch {}

impl Worker {
    /// Worker number `number` of `workers`.
    pub(super) fn new(
        program: Arc<Program>,
        objects: Arc<Objects>,
        reader: Reader,
        number: usize,
        workers: usize,
    ) -> Self {
        let runtime = Runtime {
            generation: std::ptr::null(),
            ordered: std::ptr::null_mut(),
            sites: program.sites.clone(),
            draws: Vec::new(),
            seed: program.options.seed,
            wire: Vec::new(),
            output: Vec::new(),
            digests: Vec::new(),
        };
        let output_bytes = program.code.output.unwrap_or(0);
        let switch = Switch {
            counters: objects.counter_cells(number),
            own_cell: (number * cells_apart(workers) * size_of::<CounterCell>()) as u64,
            runtime: Box::new(UnsafeCell::new(runtime)),
            output: vec![0; output_bytes * BATCH],
            output_bytes,
            frame: Vec::new(),
            received: 0,
            transmitted: 0,
            parser_rejects: 0,
            dropped: [0; DropReason::ALL.len()],
            waiting: Waiting::default(),
            memory: PacketMemory::new(&program.code.layout, BATCH),
            tcpu: None,
            carried: Carried::default(),
            carrier: Vec::new(),
            seen: vec![Default::default(); program.code.layout.matched.len() / 8],
            program,
        };
        Self { reader, objects, switch, single: Vec::new(), generation: 0 }
    }

    /// Replaces the output queues, which must be empty: call this before the first packet.
    pub fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        self.switch.waiting.set_traffic_manager(traffic);
    }

    /// Gives the switch a TCPU: call this before the first packet.
    ///
    /// # Errors
    /// The program was loaded without [`crate::interp::Options::tcpu`].
    pub fn set_tcpu(&mut self, config: Config) -> Result<(), Unsupported> {
        let (tables, is_prepared) = (self.switch.seen.len(), self.switch.program.options.tcpu);
        self.switch.tcpu = Some(crate::tcpu::make(config, tables, is_prepared)?);
        Ok(())
    }

    /// The TCPU, if there is one.
    pub fn tcpu(&mut self) -> Option<&mut Tcpu> {
        self.switch.tcpu.as_deref_mut()
    }

    /// What became of the packets so far.
    pub fn statistics(&self) -> Statistics {
        let switch = &self.switch;
        let dropped = DropReason::ALL.iter().zip(switch.dropped);
        Statistics {
            received: switch.received,
            transmitted: switch.transmitted,
            dropped: dropped.filter(|(_, n)| *n > 0).map(|(r, n)| (*r, n)).collect(),
            parser_rejects: switch.parser_rejects,
            // Workers share the digests that wait: the first one tells how many were lost.
            digests_lost: match switch.own_cell {
                0 => self.objects.ordered().digests_lost(),
                _ => 0,
            },
            tpp: switch.tcpu.as_ref().map(|tcpu| tcpu.counters().named().collect()),
        }
    }

    /// The generation that the packets of the last batch saw; 0 before the first one.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Runs `work` with a pinned generation.
    fn with_context(&mut self, work: impl FnOnce(&mut Switch, &Batch<'_>)) {
        let generation = self.reader.pin();
        self.generation = generation.number;
        let switch = &mut self.switch;
        let objects = &*self.objects;
        let mut ordered = switch.program.code.ordered.then(|| objects.ordered());
        let pointer = ordered.as_mut().map_or(std::ptr::null_mut(), |guard| {
            let ordered: &mut Ordered = guard.deref_mut();
            std::ptr::from_mut(ordered)
        });
        let runtime = switch.runtime.get();
        // SAFETY: no native code is running.
        unsafe {
            (*runtime).generation = std::ptr::from_ref(&*generation);
            (*runtime).ordered = pointer;
        }
        let context = Context {
            tables: generation.views.as_ptr(),
            counters: switch.counters.as_ptr(),
            queues: u64::from(!switch.waiting.is_default()),
            own_cell: switch.own_cell,
            seen: switch.seen.as_mut_ptr(),
            runtime: runtime.cast(),
        };
        work(switch, &Batch { generation: &generation, context: &context });
        // SAFETY: as above.
        let digests = unsafe { &mut (*runtime).digests };
        if !digests.is_empty() {
            // Packets of a batch overlap; their digests come in the order of the packets.
            digests.sort_by_key(|(packet, _)| *packet);
            let mut guard = ordered.unwrap_or_else(|| objects.ordered());
            digests.drain(..).for_each(|(_, digest)| guard.push_digest(digest));
        }
    }
}

/// What the packets of a batch share.
pub(super) struct Batch<'b> {
    pub generation: &'b Generation,
    pub context: &'b Context,
}

impl Switch {
    /// The runtime, between calls of native code.
    pub fn runtime(&mut self) -> &mut Runtime {
        self.runtime.get_mut()
    }

    pub fn drop(&mut self, reason: DropReason) {
        if let Some(n) = DropReason::ALL.iter().position(|r| *r == reason) {
            self.dropped[n] += 1;
        }
    }

    /// The reason why native code gave up a packet; `None` if it did not.
    pub fn loss(status: u64) -> Option<DropReason> {
        let position = status.checked_sub(u64::from(status::LOST))?;
        DropReason::ALL.get(position as usize).copied()
    }

    /// Prepares a packet's memory for the parser.
    ///
    /// # Safety
    /// `packet` is memory of the program's layout, and `bytes` outlives its use there.
    pub unsafe fn arrive(
        &self,
        packet: *mut PacketHead,
        (bytes, length): (*mut u8, usize),
        port: PortId,
        now: Picoseconds,
        number: u64,
    ) {
        let program = &self.program;
        let layout = &program.code.layout;
        // SAFETY: the caller's promise.
        unsafe {
            let head = &mut *packet;
            head.bytes = bytes;
            head.length = length as u64;
            head.cursor = 0;
            head.steps = program.options.max_steps;
            head.resume = 0;
            head.requests = 0;
            head.rejected = 0;
            head.failed = 0;
            head.now = now;
            head.microseconds = now / PICOSECONDS_PER_MICROSECOND;
            head.packet = number;
            head.copy = 0;
            let memory = packet.cast::<u8>();
            let cleared = layout.headers.start..layout.matched.end;
            memory.add(cleared.start).write_bytes(0, cleared.len());
            for (slot, value) in &program.initial {
                slot.write(memory, *value);
            }
            let fields = &program.intrinsic;
            for (slot, value) in [
                (fields.ingress_port, u64::from(port)),
                (fields.packet_length, length as u64),
                (fields.ingress_global_timestamp, head.microseconds),
            ] {
                if let Some(slot) = slot {
                    slot.write(memory, value);
                }
            }
        }
    }

    fn batch(
        &mut self,
        batch: &Batch<'_>,
        now: Picoseconds,
        frames: &mut [Frame<'_>],
        sink: &mut dyn Sink,
    ) {
        let code = &self.program.code;
        if self.tcpu.is_some() {
            return self.batch_with_tpps(batch, now, frames, sink);
        }
        let overlaps = batch.generation.views.iter().any(|view| view.far != 0);
        if !overlaps || code.ordered || code.draws || code.output.is_none() {
            // Nothing is gained by turns that are taken without need: the memory of one packet
            // stays in the cache. And what one packet leaves in registers the next one finds;
            // draws are counted and odd output is kept for one packet at a time.
            for frame in frames {
                self.received += 1;
                let mut status = self.start(batch, 0, frame, now, self.received);
                while status == u64::from(status::WAIT) {
                    status = self.go_on(batch, 0);
                }
                self.complete(batch, 0, status, frame, sink);
                if !self.waiting.is_empty() {
                    self.work(batch, now, sink);
                }
            }
            return;
        }
        for group in frames.chunks_mut(BATCH) {
            self.group(batch, now, group, sink);
        }
    }

    fn group(
        &mut self,
        batch: &Batch<'_>,
        now: Picoseconds,
        frames: &mut [Frame<'_>],
        sink: &mut dyn Sink,
    ) {
        let first = self.received;
        self.received += frames.len() as u64;
        let mut statuses = [0; BATCH];
        for (n, (frame, status)) in frames.iter_mut().zip(&mut statuses).enumerate() {
            *status = self.start(batch, n, frame, now, first + n as u64 + 1);
        }
        // Those that wait go on when all others have had their turn, until nobody waits.
        let mut waits = true;
        while waits {
            waits = false;
            for (n, status) in statuses.iter_mut().enumerate().take(frames.len()) {
                if *status == u64::from(status::WAIT) {
                    *status = self.go_on(batch, n);
                    waits |= *status == u64::from(status::WAIT);
                }
            }
        }
        for (n, frame) in frames.iter_mut().enumerate() {
            self.complete(batch, n, statuses[n], frame, sink);
            if !self.waiting.is_empty() {
                self.work(batch, now, sink);
            }
        }
    }

    /// Has a received frame take the fast path, in the memory of packet `n`.
    #[inline]
    pub(super) fn start(
        &mut self,
        batch: &Batch<'_>,
        n: usize,
        frame: &mut Frame<'_>,
        now: Picoseconds,
        number: u64,
    ) -> u64 {
        if self.program.code.draws {
            self.runtime().draws.clear();
        }
        let packet = self.memory.packet(n);
        // SAFETY: memory and context are those that the code was made for, and the frame is
        // borrowed until its packet is done.
        unsafe {
            let head = &mut *packet;
            head.bytes = frame.bytes.as_mut_ptr();
            head.length = frame.bytes.len() as u64;
            head.now = now;
            head.microseconds = now / PICOSECONDS_PER_MICROSECOND;
            head.packet = number;
            head.copy = 0;
            head.resume = 0;
            head.port = frame.port;
            head.out = self.output.as_mut_ptr().add(n * self.output_bytes);
            (self.program.code.whole)(packet, batch.context)
        }
    }

    /// Has a packet go on that waited.
    pub(super) fn go_on(&mut self, batch: &Batch<'_>, n: usize) -> u64 {
        // SAFETY: as in `start`.
        unsafe { (self.program.code.whole)(self.memory.packet(n), batch.context) }
    }

    /// What becomes of a packet behind the fast path, or where it left that.
    pub(super) fn complete(
        &mut self,
        batch: &Batch<'_>,
        n: usize,
        status: u64,
        frame: &mut Frame<'_>,
        sink: &mut dyn Sink,
    ) {
        let packet = self.memory.packet(n);
        // SAFETY: the packet's memory begins with a head; native code is not running.
        let head = unsafe { &*packet };
        self.parser_rejects += u64::from(head.rejected);
        let (port, at) = (head.port, head.now);
        if status == u64::from(status::READY) {
            self.transmitted += 1;
            let in_place = usize::try_from(head.begin).ok().and_then(|n| frame.bytes.get(n..));
            let frame = match in_place.filter(|_| head.requests & request::TRUNCATE == 0) {
                Some(frame) => frame,
                // SAFETY: the packet is finished.
                None => unsafe { self.assemble(packet) },
            };
            sink.transmit(port, at, frame);
            let bytes = frame.len() as u32;
            if self.tcpu.is_some() {
                let queue = self.passed(packet, port);
                self.tcpu.iter_mut().for_each(|tcpu| tcpu.ports().sent(port, queue, at, bytes));
            }
        } else if let Some(reason) = Self::loss(status) {
            self.drop(reason);
        } else if status == u64::from(status::INGRESS_ENDED) {
            let memory = self.memory.copy(n);
            self.ingress_end(batch, memory, frame, None);
        } else {
            let memory = self.memory.copy(n);
            self.egress_end(batch, memory, frame, port, sink);
        }
    }

    /// Runs the last function.
    pub fn finish(&mut self, batch: &Batch<'_>, packet: *mut PacketHead) -> Result<(), DropReason> {
        // SAFETY: memory and context are those that the code was made for.
        let status = unsafe {
            (*packet).out = self.output.as_mut_ptr();
            (*packet).out_bits = 0;
            (self.program.code.finish)(packet, batch.context)
        };
        Self::loss(status).map_or(Ok(()), Err)
    }

    /// The frame of a finished packet.
    ///
    /// # Safety
    /// The packet came out of [`finish`](Switch::finish), and its bytes are there.
    pub unsafe fn assemble(&mut self, packet: *const PacketHead) -> &[u8] {
        // SAFETY: the caller's promise.
        let (head, bytes) = unsafe {
            let head = &*packet;
            (head, std::slice::from_raw_parts(head.bytes.cast_const(), head.length as usize))
        };
        let mut frame: &[u8] = if self.program.code.output.is_none() {
            let runtime = self.runtime.get_mut();
            std::mem::swap(&mut self.frame, &mut runtime.output);
            let mut filled = head.out_bits;
            self.frame.truncate(filled.div_ceil(8) as usize);
            append_rest(&mut self.frame, &mut filled, bytes, head.cursor);
            &self.frame
        } else if head.begin != ELSEWHERE {
            bytes.get(head.begin as usize..).unwrap_or_default()
        } else {
            self.frame.clear();
            let mut filled = head.out_bits;
            // SAFETY: native code wrote so many bits there.
            let out =
                unsafe { std::slice::from_raw_parts(head.out.cast_const(), (filled / 8) as usize) };
            self.frame.extend_from_slice(out);
            append_rest(&mut self.frame, &mut filled, bytes, head.cursor);
            &self.frame
        };
        if head.requests & request::TRUNCATE != 0 {
            frame = frame.get(..head.truncate as usize).unwrap_or(frame);
        }
        frame
    }
}

impl Dataplane for Worker {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        let mut single = std::mem::take(&mut self.single);
        single.clear();
        single.extend_from_slice(frame);
        let frame = Frame { port, bytes: &mut single };
        self.receive_batch(now, &mut [frame], out);
        self.single = single;
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        self.with_context(|switch, batch| switch.batch(batch, now, frames, sink));
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        if !self.switch.waiting.is_empty() {
            self.with_context(|switch, batch| switch.work(batch, now, out));
        }
    }

    fn status(&self) -> Status {
        Status {
            next_event: self.switch.waiting.next_event(),
            refused: self.switch.dropped[DropReason::QueueFull as usize],
        }
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        match (request.subject(), &request) {
            (_, Request::Statistics {}) => Ok(self.statistics().into()),
            (Subject::Queues, _) => self.switch.waiting.handle(request),
            (Subject::TppMemory, _) => self.switch.tpp_memory(&self.reader.pin(), request),
            _ => Err(request.refused_by("a worker of engine jit")),
        }
    }
}
