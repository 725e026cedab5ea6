//! Drives `ww_toe_session` of `rtl/toe`: requests to sessions, and what comes of them.
//!
//! Time is an input of the module. It stands still while a request is carried out: what the sessions do depends on the
//! time at which they are asked, and not on how many clocks the answer takes.

use super::fields::Fields;
use crate::bench::{Bench, Top};
use crate::runner::Error;
use ww_tcp::options::{Block, Blocks, Options, Timestamps};
use ww_tcp::sequence::Sequence;
use ww_tcp::session::handshake::Opening;
use ww_tcp::session::{Departure, Events, Reset, Segment, State};
use ww_tcp::settings::{Behaviour, KeepAlive, MILLISECOND, Nanoseconds};

/// Clocks after which a request has failed: more than any loop over 65,536 records takes.
const MOST_CLOCKS: u32 = 1_000_000;

/// How large a processor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Sessions, 1 to 65,536.
    pub sessions: u32,
    /// Segments on their way a session, a power of two from 4 to 65,536.
    pub records: u32,
    /// Ranges out of order a session, a power of two from 2 to 64.
    pub ranges: u32,
    /// Ends of writes a session, a power of two from 2 to 32,768.
    pub marks: u32,
}

impl Shape {
    /// What hosts are built with: so many sessions, and room for 1,024 segments on their way, 64 ranges and 64 ends of
    /// writes of each; of more than 1,024 sessions, whose buffers are 128 KiB or less, for 128, 16 and 16.
    pub fn of_host(sessions: u32) -> Self {
        if sessions > 1_024 {
            return Self { sessions, records: 128, ranges: 16, marks: 16 };
        }
        Self { sessions, records: 1_024, ranges: 64, marks: 64 }
    }

    /// A behaviour with no more records and ranges than there are.
    pub fn bound(&self, behaviour: Behaviour) -> Behaviour {
        Behaviour {
            most_records: behaviour.most_records.min(self.records),
            most_ranges: behaviour.most_ranges.min(self.ranges as u8),
            ..behaviour
        }
    }
}

/// What is asked of a session.
#[derive(Clone, Copy, Debug)]
pub enum Request<'a> {
    /// It opens a connection.
    Connect(Opening),
    /// It answers a SYN.
    Accept(Opening, &'a Segment<'a>),
    /// It begins with a cookie that came back: what the cookie says of the SYN.
    Redeem(Opening, &'a Segment<'a>),
    /// A segment has come.
    Arrive(&'a Segment<'a>),
    /// What it sends next.
    Depart,
    /// Time passes.
    Expire,
    /// So many bytes are written; whether the write ends with them.
    Write(u32, bool),
    /// So many bytes are read.
    Consume(u32),
    /// The application sends no more.
    ShutDown,
    /// The application is done with it.
    Close,
    /// It ends with a reset.
    Abort,
    /// Small segments wait.
    Nagle(bool),
    /// Acknowledgements do not wait.
    Quick(bool),
    /// Segments that are not full wait.
    Cork(bool),
    /// Bytes that are kept for sending, at most.
    SendLimit(u32),
    /// It is given up when nothing is acknowledged for so long; 0: never.
    UserTimeout(Nanoseconds),
    /// It is probed when it is idle.
    KeepAlive(Option<KeepAlive>),
}

/// Bytes of a segment that are kept: `length` of them from `skip` on, from the position `start` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Bytes that are passed over.
    pub skip: usize,
    /// Bytes that are kept.
    pub length: usize,
    /// Where the first one belongs in the peer's stream.
    pub start: Sequence,
}

/// What came of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// A reset that answers the segment.
    pub reset: Option<Reset>,
    /// A segment that leaves.
    pub departure: Option<Departure>,
    /// Where the segment's bytes go.
    pub placement: Option<Placement>,
    /// What is new to the application.
    pub events: Events,
    /// The state.
    pub state: State,
    /// Whether [`Request::Depart`] may have a segment.
    pub due: bool,
    /// When [`Request::Expire`] is due.
    pub wakes: Option<Nanoseconds>,
    /// Bytes that were written or read.
    pub count: u32,
    /// snd_una, snd_nxt, and behind the last byte that was written.
    pub sent: [Sequence; 3],
    /// rcv_nxt.
    pub expected: Sequence,
    /// The first byte that was not read.
    pub read: Sequence,
    /// Clocks that the request took.
    pub clocks: u32,
}

/// A processor in simulation.
pub struct SessionProcessor {
    bench: Bench,
    request: Fields,
    answer: Fields,
    behaviour: Fields,
    most_mss: u16,
}

impl SessionProcessor {
    /// Builds it, or takes the model that is kept.
    ///
    /// # Errors
    /// The tools are missing, or Verilator refuses the shape.
    pub fn new(shape: Shape, behaviour: &Behaviour) -> Result<Self, Error> {
        let top = Top::of("ww_toe_session")
            .with("SESSIONS", shape.sessions)
            .with("RECORDS", shape.records)
            .with("RANGES", shape.ranges)
            .with("MARKS", shape.marks);
        let mut bench = Bench::new(&top)?;
        let [request, answer, behaviour_fields] = Fields::of(
            &bench,
            &["ww_toe_types"],
            [("request", "request_t"), ("answer", "answer_t"), ("behaviour", "behaviour_t")],
        )?;
        bench.set("clk", 0);
        let mut processor =
            Self { bench, request, answer, behaviour: behaviour_fields, most_mss: 0 };
        processor.set_behaviour(behaviour);
        processor.bench.reset(2)?;
        Ok(processor)
    }

    /// Sets the registers.
    pub fn set_behaviour(&mut self, behaviour: &Behaviour) {
        self.most_mss = behaviour.mss;
        self.behaviour.put_behaviour(&mut self.bench, behaviour);
    }

    fn put(&mut self, path: &str, value: u64) {
        self.request.put(&mut self.bench, path, value);
    }

    fn get(&mut self, path: &str) -> u64 {
        self.answer.get(&self.bench, path)
    }

    fn on(&mut self, path: &str) -> bool {
        self.get(path) != 0
    }

    fn number(&mut self, path: &str) -> Sequence {
        Sequence(self.get(path) as u32)
    }

    /// Asks a session at a time, and waits for the answer.
    ///
    /// # Errors
    /// An assertion of the module stopped it, or there is no answer.
    pub fn ask(
        &mut self,
        session: u32,
        request: Request<'_>,
        now: Nanoseconds,
    ) -> Result<Answer, Error> {
        self.bench.set("now", now);
        self.bench.set("milliseconds", now / MILLISECOND);
        self.put("session", u64::from(session));
        self.fill(request);
        self.bench.set("request_valid", 1);
        self.bench.settle()?;
        let mut clocks = 0;
        loop {
            let taken = self.bench.is("request_ready");
            self.bench.edge()?;
            if taken {
                self.bench.set("request_valid", 0);
            }
            self.bench.settle()?;
            clocks += 1;
            if self.bench.is("answer_valid") {
                return Ok(self.read(clocks));
            }
            if clocks > MOST_CLOCKS {
                return Err(Error::Model(format!("no answer to {request:?}")));
            }
        }
    }

    fn fill(&mut self, request: Request<'_>) {
        let (name, count, ends) = match request {
            Request::Connect(_) => ("CONNECT", 0, false),
            Request::Accept(..) => ("ACCEPT", 0, false),
            Request::Redeem(..) => ("REDEEM", 0, false),
            Request::Arrive(_) => ("ARRIVE", 0, false),
            Request::Depart => ("DEPART", 0, false),
            Request::Expire => ("EXPIRE", 0, false),
            Request::Write(count, ends) => ("WRITE", u64::from(count), ends),
            Request::Consume(count) => ("CONSUME", u64::from(count), false),
            Request::ShutDown => ("SHUT_DOWN", 0, false),
            Request::Close => ("CLOSE", 0, false),
            Request::Abort => ("ABORT", 0, false),
            Request::Nagle(on) => ("SET_NAGLE", 0, on),
            Request::Quick(on) => ("SET_QUICK", 0, on),
            Request::Cork(on) => ("SET_CORK", 0, on),
            Request::SendLimit(bytes) => ("SET_SEND_LIMIT", u64::from(bytes), false),
            Request::UserTimeout(time) => ("SET_USER_TIMEOUT", time, false),
            Request::KeepAlive(_) => ("SET_KEEP_ALIVE", 0, false),
        };
        let operation = self.request.value("operation_t", name);
        self.put("operation", operation);
        self.put("count", count);
        self.put("ends", u64::from(ends));
        match request {
            Request::Connect(opening) => self.fill_opening(&opening),
            Request::Accept(opening, segment) | Request::Redeem(opening, segment) => {
                self.fill_opening(&opening);
                self.fill_segment(segment);
            }
            Request::Arrive(segment) => self.fill_segment(segment),
            Request::KeepAlive(keep) => {
                self.request.put_keep_alive(&mut self.bench, keep);
            }
            _ => {}
        }
    }

    fn fill_opening(&mut self, opening: &Opening) {
        self.put("own_port", u64::from(opening.own_port));
        self.put("peer_ip", u64::from(opening.peer.ip().to_bits()));
        self.put("peer_port", u64::from(opening.peer.port()));
        self.put("first", u64::from(opening.first.0));
        self.put("timestamp_offset", u64::from(opening.timestamp_offset));
        self.put("most_mss", u64::from(self.most_mss));
    }

    fn fill_segment(&mut self, segment: &Segment<'_>) {
        let options = &segment.options;
        let times = options.timestamps.unwrap_or_default();
        let blocks = options.sack.as_slice();
        self.put("segment.number", u64::from(segment.sequence.0));
        self.put("segment.acknowledgement", u64::from(segment.acknowledgement.0));
        self.put("segment.flags", u64::from(segment.flags));
        self.put("segment.window", u64::from(segment.window));
        self.put("segment.length", segment.payload.len() as u64);
        self.put("segment.marked", u64::from(segment.marked));
        self.put("segment.options.mss_on", u64::from(options.mss.is_some()));
        self.put("segment.options.mss", u64::from(options.mss.unwrap_or(0)));
        self.put("segment.options.scale_on", u64::from(options.window_scale.is_some()));
        self.put("segment.options.scale", u64::from(options.window_scale.unwrap_or(0)));
        self.put("segment.options.sack_permitted", u64::from(options.sack_permitted));
        self.put("segment.options.timestamps", u64::from(options.timestamps.is_some()));
        self.put("segment.options.value", u64::from(times.value));
        self.put("segment.options.echo", u64::from(times.echo));
        self.put("segment.options.count", blocks.len() as u64);
        for (place, block) in blocks.iter().enumerate() {
            self.put(&format!("segment.options.blocks.{place}.start"), u64::from(block.start.0));
            self.put(&format!("segment.options.blocks.{place}.stop"), u64::from(block.end.0));
        }
    }

    fn read(&mut self, clocks: u32) -> Answer {
        let reset = self.on("reset.on").then(|| {
            let number = self.number("reset.acknowledgement");
            Reset {
                sequence: self.number("reset.number"),
                acknowledgement: self.on("reset.acknowledges").then_some(number),
            }
        });
        let placement = self.on("placement.on").then(|| Placement {
            skip: self.get("placement.skip") as usize,
            length: self.get("placement.length") as usize,
            start: self.number("placement.start"),
        });
        let departure = self.on("departure.on").then(|| self.read_departure());
        let events = self.answer.events(&self.bench);
        let state = self.answer.state(&self.bench);
        let wakes = self.get("wakes.at");
        Answer {
            reset,
            departure,
            placement,
            events,
            state,
            due: self.on("due"),
            wakes: self.on("wakes.on").then_some(wakes),
            count: self.get("count") as u32,
            sent: ["acknowledged", "next", "written"].map(|path| self.number(path)),
            expected: self.number("expected"),
            read: self.number("read"),
            clocks,
        }
    }

    fn read_departure(&mut self) -> Departure {
        let mut sack = Blocks::default();
        for place in 0..self.get("departure.options.count") {
            sack.push(Block {
                start: self.number(&format!("departure.options.blocks.{place}.start")),
                end: self.number(&format!("departure.options.blocks.{place}.stop")),
            });
        }
        let value = self.get("departure.options.value") as u32;
        let echo = self.get("departure.options.echo") as u32;
        let mss = self.get("departure.options.mss") as u16;
        let scale = self.get("departure.options.scale") as u8;
        let start = self.number("departure.number");
        Departure {
            sequence: start,
            acknowledgement: self.number("departure.acknowledgement"),
            flags: self.get("departure.flags") as u8,
            window: self.get("departure.window") as u16,
            options: Options {
                mss: self.on("departure.options.mss_on").then_some(mss),
                window_scale: self.on("departure.options.scale_on").then_some(scale),
                sack_permitted: self.on("departure.options.sack_permitted"),
                timestamps: self
                    .on("departure.options.timestamps")
                    .then_some(Timestamps { value, echo }),
                sack,
            },
            data: (start, start + self.get("departure.length") as u32),
            markable: self.on("departure.markable"),
        }
    }
}
