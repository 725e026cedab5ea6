//! The network of these tests: one bottleneck for all flows, a fixed delay each way, and a script
//! that decides what is lost, late or doubled. It shares no code with the simulation.
//!
//! It also keeps account, byte by byte, of what has arrived, and holds both ends to it.

use std::collections::{BTreeMap, VecDeque};
use ww_sim::transport::tcp::{Receiver, Segment, Sender, Settings};

pub type Time = u64;
pub const US: Time = 1_000_000;
pub const MS: Time = 1_000 * US;
pub const S: Time = 1_000 * MS;

/// What becomes of a packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    Pass,
    Drop,
    /// So much later than the others.
    Late(Time),
    /// Twice, the second one so much later.
    Twice(Time),
    /// It arrives marked.
    Mark,
}

/// A packet that enters the network.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    /// From sender to receiver.
    pub forward: bool,
    /// How many packets went this way before, of all flows.
    pub number: u64,
}

#[derive(Clone, Copy)]
enum Event {
    Wake(usize),
    Arrive { flow: usize, forward: bool, segment: Segment, marked: bool },
    SenderTimer(usize),
    ReceiverTimer(usize),
}

/// The path.
#[derive(Clone, Copy)]
pub struct Path {
    /// Each way.
    pub delay: Time,
    /// Picoseconds a byte of the bottleneck; 0: no bottleneck.
    pub pace: Time,
    /// Bytes that its queue holds.
    pub room: u64,
    /// Packets that find so many bytes in it are marked.
    pub mark_at: Option<u64>,
}

impl Path {
    pub fn of_delay(delay: Time) -> Self {
        Self { delay, pace: 0, room: u64::MAX, mark_at: None }
    }
}

pub struct Flow {
    pub sender: Sender,
    pub receiver: Receiver,
    settings: Settings,
    written: u64,
    sender_armed: Option<Time>,
    receiver_armed: Option<Time>,
    /// Which bytes have arrived, if accounts are kept, and the first that has not.
    arrived: Option<Vec<bool>>,
    first_missing: usize,
    end_arrived: bool,
}

pub struct Pipe<'a> {
    pub now: Time,
    pub flows: Vec<Flow>,
    path: Path,
    fate: Box<dyn FnMut(&Passage) -> Fate + 'a>,
    events: BTreeMap<(Time, u64), Event>,
    scheduled: u64,
    passed: [u64; 2],
    free_at: Time,
    queue: VecDeque<(Time, u64)>,
    queued: u64,
    /// If wanted: what senders handed out, and windows after each acknowledgement.
    pub log: Option<Log>,
    /// Bytes in the queue after each arrival there, from this time on: least and most.
    pub depth_from: Time,
    pub depth: (u64, u64),
}

#[derive(Default)]
pub struct Log {
    pub sent: Vec<(Time, usize, Segment)>,
    pub answers: Vec<(Time, usize, Segment)>,
    pub windows: Vec<(Time, usize, u64)>,
}

impl<'a> Pipe<'a> {
    pub fn new(path: Path, fate: impl FnMut(&Passage) -> Fate + 'a) -> Self {
        Self {
            now: 0,
            flows: Vec::new(),
            path,
            fate: Box::new(fate),
            events: BTreeMap::new(),
            scheduled: 0,
            passed: [0; 2],
            free_at: 0,
            queue: VecDeque::new(),
            queued: 0,
            log: None,
            depth_from: Time::MAX,
            depth: (u64::MAX, 0),
        }
    }

    pub fn logging(mut self) -> Self {
        self.log = Some(Log::default());
        self
    }

    /// A flow of so many bytes that starts at a time. With `accounts` each byte is followed.
    pub fn flow(&mut self, settings: &Settings, bytes: u64, start: Time, accounts: bool) {
        let mut sender = Sender::new(settings);
        sender.write(bytes);
        sender.finish();
        self.add(sender, settings, bytes, start, accounts);
    }

    /// A flow whose sender is already prepared.
    pub fn add(
        &mut self,
        sender: Sender,
        settings: &Settings,
        written: u64,
        start: Time,
        accounts: bool,
    ) {
        self.flows.push(Flow {
            sender,
            receiver: Receiver::new(settings),
            settings: *settings,
            written,
            sender_armed: None,
            receiver_armed: None,
            arrived: accounts.then(|| vec![false; written as usize]),
            first_missing: 0,
            end_arrived: false,
        });
        self.schedule(start, Event::Wake(self.flows.len() - 1));
    }

    fn schedule(&mut self, time: Time, event: Event) {
        self.events.insert((time, self.scheduled), event);
        self.scheduled += 1;
    }

    /// Until nothing is to come, or the time. False if there is more to come.
    pub fn run(&mut self, until: Time) -> bool {
        while let Some(entry) = self.events.first_entry() {
            if entry.key().0 > until {
                self.now = until;
                return false;
            }
            let ((time, _), event) = entry.remove_entry();
            self.now = time;
            self.happen(event);
        }
        self.now = until;
        true
    }

    /// Of flow 0, when something was written to its sender from outside.
    pub fn wake(&mut self, flow: usize) {
        self.schedule(self.now, Event::Wake(flow));
    }

    fn happen(&mut self, event: Event) {
        let now = self.now;
        match event {
            Event::Wake(flow) => self.drain(flow),
            Event::Arrive { flow, forward: true, segment, marked } => {
                let of = &mut self.flows[flow];
                of.account(&segment);
                let answer = of.receiver.receive(now, &segment, marked);
                of.check_receiver(&segment, answer.as_ref());
                self.answer(flow, answer);
            }
            Event::Arrive { flow, forward: false, segment, .. } => {
                let of = &mut self.flows[flow];
                of.sender.receive(now, &segment);
                assert!(of.sender.acknowledged() <= of.receiver.delivered());
                let window = of.sender.window();
                if let Some(log) = &mut self.log {
                    log.windows.push((now, flow, window));
                }
                self.drain(flow);
            }
            Event::SenderTimer(flow) => {
                let of = &mut self.flows[flow];
                if of.sender_armed == Some(now) {
                    of.sender_armed = None;
                    of.sender.expire(now);
                    self.drain(flow);
                }
            }
            Event::ReceiverTimer(flow) => {
                let of = &mut self.flows[flow];
                if of.receiver_armed == Some(now) {
                    of.receiver_armed = None;
                    let answer = of.receiver.expire(now);
                    self.answer(flow, answer);
                }
            }
        }
    }

    fn drain(&mut self, flow: usize) {
        while let Some(segment) = self.flows[flow].sender.poll(self.now) {
            self.flows[flow].check_sent(&segment);
            if let Some(log) = &mut self.log {
                log.sent.push((self.now, flow, segment));
            }
            self.enter(flow, true, segment);
        }
        let of = &mut self.flows[flow];
        if let Some(time) = of.sender.timer()
            && of.sender_armed.is_none_or(|armed| time < armed)
        {
            assert!(time >= self.now, "a timer in the past");
            of.sender_armed = Some(time);
            self.schedule(time, Event::SenderTimer(flow));
        }
    }

    fn answer(&mut self, flow: usize, answer: Option<Segment>) {
        if let Some(segment) = answer {
            if let Some(log) = &mut self.log {
                log.answers.push((self.now, flow, segment));
            }
            self.enter(flow, false, segment);
        }
        let of = &mut self.flows[flow];
        if let Some(time) = of.receiver.timer()
            && of.receiver_armed.is_none_or(|armed| time < armed)
        {
            of.receiver_armed = Some(time);
            self.schedule(time, Event::ReceiverTimer(flow));
        }
    }

    fn enter(&mut self, flow: usize, forward: bool, segment: Segment) {
        let number = self.passed[usize::from(forward)];
        self.passed[usize::from(forward)] += 1;
        let fate = (self.fate)(&Passage { forward, number });
        if fate == Fate::Drop {
            return;
        }
        let mut marked = fate == Fate::Mark && segment.ecn_capable;
        let mut leaves = self.now;
        if forward && self.path.pace > 0 {
            let Some((at, mark)) = self.through_queue(&segment) else { return };
            (leaves, marked) = (at, marked || mark);
        }
        let time = leaves + self.path.delay;
        let arrival = Event::Arrive { flow, forward, segment, marked };
        match fate {
            Fate::Late(extra) => self.schedule(time + extra, arrival),
            Fate::Twice(extra) => {
                self.schedule(time, arrival);
                self.schedule(time + extra, arrival);
            }
            Fate::Pass | Fate::Mark | Fate::Drop => self.schedule(time, arrival),
        }
    }

    /// When it leaves the bottleneck and whether it is marked; none if there is no room.
    fn through_queue(&mut self, segment: &Segment) -> Option<(Time, bool)> {
        while let Some((leaves, bytes)) = self.queue.front().copied()
            && leaves <= self.now
        {
            self.queue.pop_front();
            self.queued -= bytes;
        }
        if self.now >= self.depth_from {
            self.depth.0 = self.depth.0.min(self.queued);
        }
        let bytes = u64::from(segment.packet_bytes());
        if self.queued + bytes > self.path.room {
            return None;
        }
        let marked = segment.ecn_capable && self.path.mark_at.is_some_and(|at| self.queued >= at);
        self.free_at = self.free_at.max(self.now) + bytes * self.path.pace;
        self.queue.push_back((self.free_at, bytes));
        self.queued += bytes;
        if self.now >= self.depth_from {
            self.depth.1 = self.depth.1.max(self.queued);
        }
        Some((self.free_at, marked))
    }
}

impl Flow {
    /// A sender sends what was written, in segments that are not too long, within its window.
    fn check_sent(&self, segment: &Segment) {
        let length = u64::from(segment.length);
        assert!(length <= u64::from(self.settings.segment));
        assert!(segment.sequence + length <= self.written, "{segment:?}");
        assert!(!segment.fin || segment.sequence + length == self.written, "{segment:?}");
        assert!(segment.syn || length > 0 || segment.fin, "an empty segment");
        assert!(self.sender.outstanding() <= self.settings.maximum_window + 1);
    }

    fn account(&mut self, segment: &Segment) {
        let Some(arrived) = &mut self.arrived else { return };
        let start = segment.sequence as usize;
        arrived[start..start + usize::from(segment.length)].fill(true);
        while arrived.get(self.first_missing) == Some(&true) {
            self.first_missing += 1;
        }
        self.end_arrived |= segment.fin;
    }

    /// What the receiver says is what has arrived.
    fn check_receiver(&self, segment: &Segment, answer: Option<&Segment>) {
        let Some(arrived) = &self.arrived else { return };
        assert_eq!(self.receiver.delivered(), self.first_missing as u64);
        let all = self.first_missing == arrived.len();
        assert_eq!(self.receiver.is_closed(), all && self.end_arrived);
        let Some(answer) = answer else { return };
        let acknowledged = answer.acknowledgement as usize;
        assert!(
            answer.ack && acknowledged <= self.first_missing + usize::from(all && self.end_arrived)
        );
        let blocks: Vec<_> = answer.blocks().collect();
        assert!(self.settings.sack || blocks.is_empty());
        let in_blocks =
            |at: u64| blocks.iter().filter(|(start, end)| (*start..*end).contains(&at)).count();
        for (start, end) in &blocks {
            assert!(*start > answer.acknowledgement, "{answer:?}");
            let known = |at: u64| match arrived.get(at as usize) {
                Some(known) => *known,
                None => self.end_arrived && at as usize == arrived.len(),
            };
            assert!((*start..*end).all(|at| known(at) && in_blocks(at) == 1), "{answer:?}");
            assert!(!known(*start - 1), "a block is a whole run: {answer:?}");
            assert!(
                *end > arrived.len() as u64 || !known(*end),
                "a block is a whole run: {answer:?}"
            );
        }
        // RFC 2018 section 4: the first block has the segment that caused the acknowledgement.
        if self.settings.sack && segment.sequence > answer.acknowledgement {
            let (start, end) = blocks[0];
            assert!(start <= segment.sequence && segment.end() <= end);
        }
    }
}

/// Settings of most tests: segments of 1,000 bytes, each acknowledged at once, no handshake, growth by one
/// segment an acknowledgement in slow start, losses found by counting (RFC 6675).
pub fn plain() -> Settings {
    Settings {
        segment: 1000,
        handshake: false,
        acknowledge_every: 1,
        slow_start_limit: 1,
        rack: false,
        prr: false,
        ..Settings::default()
    }
}
