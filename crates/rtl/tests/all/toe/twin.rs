//! One session twice: in hardware and in software.

use std::collections::{BTreeMap, HashMap};
use ww_rtl::toe::{Answer, Request, SessionProcessor};
use ww_tcp::options::Blocks;
use ww_tcp::sequence::Sequence;
use ww_tcp::session::handshake::Opening;
use ww_tcp::session::{Departure, Events, Reset, Segment, Session, State};
use ww_tcp::settings::{Behaviour, KeepAlive, Nanoseconds};

/// What has been seen, so that a test can say that it has seen enough: names, and how often.
pub type Seen = BTreeMap<String, u64>;

/// A session of the model and its place in the processor.
pub struct Twin {
    index: u32,
    pub model: Session,
    /// What hardware kept of the peer's bytes, by position.
    kept: HashMap<u32, u8>,
    /// The first byte that was not read.
    read: Option<Sequence>,
    written: u32,
    pub seen: Seen,
    /// What was asked last, for the report of a difference.
    asked: String,
}

/// What the application writes at a position.
pub fn pattern(at: u32) -> u8 {
    (at.wrapping_mul(2_654_435_761) >> 24) as u8
}

impl Twin {
    pub fn connect(
        processor: &mut SessionProcessor,
        index: u32,
        behaviour: Behaviour,
        opening: &Opening,
        now: Nanoseconds,
    ) -> Self {
        let model = Session::connect(behaviour, opening);
        let answer = processor.ask(index, Request::Connect(*opening), now).unwrap();
        Self::begin(index, model, &answer, "connect")
    }

    pub fn accept(
        processor: &mut SessionProcessor,
        index: u32,
        behaviour: Behaviour,
        opening: &Opening,
        syn: &Segment<'_>,
        now: Nanoseconds,
    ) -> Self {
        let model = Session::accept(behaviour, opening, syn, now);
        let answer = processor.ask(index, Request::Accept(*opening, syn), now).unwrap();
        Self::begin(index, model, &answer, "accept")
    }

    pub fn redeem(
        processor: &mut SessionProcessor,
        index: u32,
        behaviour: Behaviour,
        opening: &Opening,
        syn: &Segment<'_>,
        now: Nanoseconds,
    ) -> Self {
        let model = Session::from_cookie(behaviour, opening, syn, now);
        let answer = processor.ask(index, Request::Redeem(*opening, syn), now).unwrap();
        Self::begin(index, model, &answer, "redeem")
    }

    fn begin(index: u32, model: Session, answer: &Answer, asked: &str) -> Self {
        let (kept, asked) = (HashMap::new(), asked.to_owned());
        let seen = Seen::new();
        let mut twin = Self { index, model, kept, read: None, written: 0, seen, asked };
        twin.compare(answer, None, None, None);
        twin
    }

    /// Asks the hardware; the request is part of the report of a difference.
    fn ask(
        &mut self,
        processor: &mut SessionProcessor,
        request: Request<'_>,
        now: Nanoseconds,
    ) -> Answer {
        self.asked = format!("session {} at {now}: {request:?}", self.index);
        self.asked.truncate(900);
        processor.ask(self.index, request, now).unwrap_or_else(|e| panic!("{e}\n{}", self.asked))
    }

    /// Compares all that an answer says.
    fn compare(
        &mut self,
        answer: &Answer,
        reset: Option<Reset>,
        departure: Option<Departure>,
        count: Option<u32>,
    ) -> Events {
        let events = self.model.take_events();
        let departure = departure.map(trimmed);
        self.note(&events, departure.as_ref());
        if reset.is_some() {
            self.see("reset");
        }
        let positions = self.model.send_positions();
        let expected = Answer {
            reset,
            departure,
            placement: answer.placement,
            events,
            state: self.model.state(),
            due: self.model.is_due(),
            wakes: self.model.wakes(),
            count: count.unwrap_or(answer.count),
            sent: [positions[0], positions[1], answer.sent[2]],
            expected: self.model.expected(),
            read: answer.read,
            clocks: answer.clocks,
        };
        assert!(
            *answer == expected,
            "{}\nhardware {answer:#?}\nmodel {expected:#?}\n{:#?}",
            self.asked,
            self.model
        );
        events
    }

    fn see(&mut self, what: &str) {
        *self.seen.entry(what.to_owned()).or_default() += 1;
    }

    fn note(&mut self, events: &Events, departure: Option<&Departure>) {
        self.see(&format!("{:?}", self.model.state()));
        if let Some(end) = events.ended {
            self.see(&format!("{end:?}"));
        }
        let Some(departure) = departure else { return };
        let [acknowledged, next, _] = self.model.send_positions();
        let (start, end) = departure.data;
        let whole = u32::from(departure.flags & 1);
        for (what, is_seen) in [
            ("data", start != end),
            ("again", end.after(acknowledged) && start != end && end + whole != next),
            ("blocks", !departure.options.sack.is_empty()),
            ("push", departure.flags & 8 != 0),
            ("congestion echoed", departure.flags & 0x40 != 0),
            ("window reduced", departure.flags & 0x80 != 0),
            ("probe", departure.sequence == acknowledged - 1),
            ("window closed", departure.window == 0 && departure.flags & 4 == 0),
        ] {
            if is_seen {
                self.see(what);
            }
        }
    }

    pub fn arrive(
        &mut self,
        processor: &mut SessionProcessor,
        segment: &Segment<'_>,
        now: Nanoseconds,
    ) -> (Option<Reset>, Events) {
        let answer = self.ask(processor, Request::Arrive(segment), now);
        let reset = self.model.arrive(segment, now);
        if let Some(placement) = answer.placement {
            let bytes = &segment.payload[placement.skip..placement.skip + placement.length];
            for (offset, &byte) in bytes.iter().enumerate() {
                self.kept.insert((placement.start + offset as u32).0, byte);
            }
        }
        let events = self.compare(&answer, reset, None, None);
        (reset, events)
    }

    pub fn depart(
        &mut self,
        processor: &mut SessionProcessor,
        now: Nanoseconds,
    ) -> (Option<Departure>, u32) {
        let answer = self.ask(processor, Request::Depart, now);
        let departure = self.model.depart(now);
        self.compare(&answer, None, departure, None);
        (departure, answer.clocks)
    }

    pub fn expire(&mut self, processor: &mut SessionProcessor, now: Nanoseconds) -> Events {
        let answer = self.ask(processor, Request::Expire, now);
        self.model.expire(now);
        self.compare(&answer, None, None, None)
    }

    pub fn write(
        &mut self,
        processor: &mut SessionProcessor,
        length: u32,
        ends: bool,
        now: Nanoseconds,
    ) {
        let answer = self.ask(processor, Request::Write(length, ends), now);
        let bytes: Vec<u8> =
            (0..length).map(|offset| pattern(self.written.wrapping_add(offset))).collect();
        let count = self.model.write(&bytes, ends) as u32;
        self.written = self.written.wrapping_add(count);
        self.compare(&answer, None, None, Some(count));
    }

    /// Reads up to `most` bytes: those that the model has must be those that hardware kept.
    pub fn consume(&mut self, processor: &mut SessionProcessor, most: u32, now: Nanoseconds) {
        let count = (self.model.readable() as u32).min(most);
        let (first, second) = self.model.peek();
        let bytes: Vec<u8> = first.iter().chain(second).take(count as usize).copied().collect();
        if !bytes.is_empty() {
            // The peer's FIN takes a number behind all of its bytes.
            let fin = u32::from(self.model.peer_has_closed());
            let unread = self.model.readable() as u32;
            let start = *self.read.get_or_insert(self.model.expected() - unread - fin);
            for (offset, byte) in bytes.iter().enumerate() {
                let position = (start + offset as u32).0;
                let kept = self.kept.remove(&position);
                assert_eq!(kept, Some(*byte), "byte {position}: {}\n{:#?}", self.asked, self.model);
            }
            self.read = Some(start + count);
        }
        let answer = self.ask(processor, Request::Consume(count), now);
        self.model.consume(count as usize);
        self.compare(&answer, None, None, Some(count));
    }

    pub fn shut_down(&mut self, processor: &mut SessionProcessor, now: Nanoseconds) -> Events {
        let answer = self.ask(processor, Request::ShutDown, now);
        self.model.shut_down();
        self.compare(&answer, None, None, None)
    }

    pub fn close(&mut self, processor: &mut SessionProcessor, now: Nanoseconds) -> Events {
        let answer = self.ask(processor, Request::Close, now);
        self.model.close(now);
        self.compare(&answer, None, None, None)
    }

    pub fn abort(&mut self, processor: &mut SessionProcessor, now: Nanoseconds) -> Events {
        let answer = self.ask(processor, Request::Abort, now);
        self.model.abort();
        self.compare(&answer, None, None, None)
    }

    /// Sets option number `which` to a value that `random` chooses.
    pub fn set(
        &mut self,
        processor: &mut SessionProcessor,
        which: u64,
        random: u64,
        now: Nanoseconds,
    ) {
        let on = random & 1 == 1;
        let request = match which {
            0 => {
                self.model.set_nagle(on);
                Request::Nagle(on)
            }
            1 => {
                self.model.set_quick(on);
                Request::Quick(on)
            }
            2 => {
                self.model.set_cork(on);
                Request::Cork(on)
            }
            3 => {
                let bytes = (random >> 1) as u32 % 100_000;
                self.model.set_send_limit(bytes);
                Request::SendLimit(bytes)
            }
            4 => {
                let time = if on { 1 + random % 5_000_000_000 } else { 0 };
                self.model.set_user_timeout(time);
                Request::UserTimeout(time)
            }
            _ => {
                let keep_alive = on.then_some(KeepAlive {
                    idle: 1 + (random >> 8) % 3_000_000_000,
                    interval: 1 + (random >> 20) % 1_000_000_000,
                    probes: 1 + (random >> 40) as u8 % 4,
                });
                self.model.set_keep_alive(keep_alive, now);
                Request::KeepAlive(keep_alive)
            }
        };
        let answer = self.ask(processor, request, now);
        self.compare(&answer, None, None, None);
    }

    /// Whether nothing more is to be expected of it.
    pub fn is_over(&self) -> bool {
        self.model.state() == State::Closed && !self.model.is_due()
    }
}

/// Beside timestamps there is room for three blocks.
fn trimmed(departure: Departure) -> Departure {
    let mut options = departure.options;
    if options.timestamps.is_some() {
        let mut sack = Blocks::default();
        options.sack.as_slice().iter().take(3).for_each(|&block| sack.push(block));
        options.sack = sack;
    }
    Departure { options, ..departure }
}
