//! One connection (RFC 9293): state, what it sends and when, what it makes of what arrives.
//!
//! A session does nothing by itself. It is given segments ([`Session::arrive`]), the application's calls and the time
//! ([`Session::expire`]); it is asked for segments to send ([`Session::depart`]) whenever the line is free, and says
//! when it wants to be looked at again ([`Session::wakes`]). All state is integers of a fixed size, and each of these
//! calls is one transition: the hardware in `rtl/toe` carries out the same ones.

mod acknowledgements;
mod application;
mod arrivals;
mod congestion;
mod departures;
pub mod handshake;
mod published;
mod rack;
pub mod reassembly;
pub mod round_trip;
pub mod scoreboard;
pub mod send_queue;
mod timers;

use crate::options::{Block, Options};
use crate::sequence::Sequence;
use crate::settings::{Behaviour, Nanoseconds};
use congestion::Congestion;
pub use departures::Departure;
use rack::Rack;
use reassembly::Reassembly;
use round_trip::RoundTrip;
use scoreboard::Scoreboard;
use send_queue::SendQueue;
use std::net::SocketAddrV4;
use timers::Timers;

/// States of RFC 9293 section 3.3.2. `Listen` belongs to a port and not to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// SYN sent.
    SynSent,
    /// SYN received, SYN-ACK sent.
    SynReceived,
    /// Both sides may send.
    Established,
    /// We have closed; our FIN is not acknowledged.
    FinWait1,
    /// Our FIN is acknowledged; the peer may send.
    FinWait2,
    /// Both have closed at once; our FIN is not acknowledged.
    Closing,
    /// Both have closed; late segments are waited for.
    TimeWait,
    /// The peer has closed; we may send.
    CloseWait,
    /// The peer has closed, then we; our FIN is not acknowledged.
    LastAck,
    /// Nothing goes either way.
    Closed,
}

impl State {
    /// Whether SYNs have gone both ways and been acknowledged.
    pub fn is_synchronised(self) -> bool {
        !matches!(self, Self::SynSent | Self::SynReceived | Self::Closed)
    }

    /// Whether the application's bytes may still be sent.
    pub fn may_send(self) -> bool {
        matches!(
            self,
            Self::Established | Self::CloseWait | Self::FinWait1 | Self::Closing | Self::LastAck
        )
    }

    /// Whether bytes of the peer may still come.
    pub fn may_receive(self) -> bool {
        matches!(self, Self::Established | Self::FinWait1 | Self::FinWait2)
    }
}

/// Why a session has come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Both sides have closed.
    Closed,
    /// The peer has reset it.
    Reset,
    /// The peer has refused it.
    Refused,
    /// The peer does not answer.
    TimedOut,
    /// We have reset it.
    Aborted,
}

/// What has happened since it was last asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// The connection is open.
    pub opened: bool,
    /// Bytes can be read that could not before.
    pub readable: bool,
    /// There is room to write.
    pub writable: bool,
    /// The peer has closed its side.
    pub peer_closed: bool,
    /// The session is over.
    pub ended: Option<End>,
}

impl Events {
    /// These and later ones.
    pub fn and(self, later: Self) -> Self {
        Self {
            opened: self.opened | later.opened,
            readable: self.readable | later.readable,
            writable: self.writable | later.writable,
            peer_closed: self.peer_closed | later.peer_closed,
            ended: later.ended.or(self.ended),
        }
    }
}

/// A segment that has arrived, its checksum verified.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// Number of the first byte, or of SYN.
    pub sequence: Sequence,
    /// Number that the peer expects, if the ACK flag is set.
    pub acknowledgement: Sequence,
    /// Control bits, see [`ww_packet::tcp::flags`].
    pub flags: u8,
    /// The window as it stands.
    pub window: u16,
    /// Options.
    pub options: Options,
    /// Data.
    pub payload: &'a [u8],
    /// A router has marked the packet (RFC 3168).
    pub marked: bool,
}

impl Segment<'_> {
    /// Whether a control bit is set.
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Behind the last number that it takes.
    pub fn end(&self) -> Sequence {
        use ww_packet::tcp::flags::{FIN, SYN};
        let controls = u32::from(self.has(SYN)) + u32::from(self.has(FIN));
        self.sequence + self.payload.len() as u32 + controls
    }
}

/// A reset that answers a segment (RFC 9293 section 3.10.7.1); with `acknowledgement` it carries ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reset {
    /// Its number.
    pub sequence: Sequence,
    /// What it acknowledges.
    pub acknowledgement: Option<Sequence>,
}

impl Reset {
    /// The answer to a segment that belongs to no connection; none to a reset.
    pub fn answering(segment: &Segment<'_>) -> Option<Self> {
        use ww_packet::tcp::flags::{ACK, RST};
        if segment.has(RST) {
            return None;
        }
        Some(if segment.has(ACK) {
            Self { sequence: segment.acknowledgement, acknowledgement: None }
        } else {
            Self { sequence: Sequence(0), acknowledgement: Some(segment.end()) }
        })
    }
}

/// What the acknowledging side has to send.
#[derive(Clone, Copy, Debug, Default)]
struct AcknowledgementDue {
    /// Acknowledgements that go out at once.
    now: u8,
    /// Something has arrived that is not acknowledged.
    scheduled: bool,
    /// Acknowledgements that do not wait, left (Linux's quick mode).
    quick: u8,
    /// Data goes both ways in turn: acknowledgements ride on it.
    interactive: bool,
    /// How long an acknowledgement waits now; 0 before the first data.
    wait: Nanoseconds,
    /// When data came last.
    last_data: Nanoseconds,
    /// Length of the peer's full segments, as seen.
    peer_segment: u32,
    /// To be reported once (RFC 2883).
    duplicate: Option<Block>,
    /// When a segment outside the window was last answered.
    outside_answered: Option<Nanoseconds>,
}

/// What goes out next, whatever congestion control says.
#[derive(Clone, Copy, Debug, Default)]
struct Forced {
    /// The first record again.
    first: bool,
    /// A probe of a lost tail: new data, or the last record again.
    tail: bool,
    /// A probe of a closed window.
    window: bool,
    /// A probe of an idle connection.
    keep_alive: bool,
    /// A reset.
    reset: bool,
}

/// One connection. See the module.
#[derive(Clone, Debug)]
pub struct Session {
    /// Our port.
    pub own_port: u16,
    /// The peer.
    pub peer: SocketAddrV4,
    pub(crate) state: State,
    pub(crate) behaviour: Behaviour,
    pub(crate) events: Events,
    /// The port that listens has made it.
    pub(crate) passive: bool,
    /// It has been open.
    pub(crate) was_open: bool,

    // What both sides have agreed on.
    /// Longest payload with the options that each segment has.
    mss: u32,
    own_scale: u8,
    peer_scale: u8,
    /// The peer's SYN has the window scale option.
    peer_scales: bool,
    timestamps: bool,
    sack: bool,
    ecn: bool,

    // Sending.
    /// ISS.
    first: Sequence,
    /// snd_una.
    acknowledged: Sequence,
    /// snd_nxt.
    next: Sequence,
    queue: SendQueue,
    board: Scoreboard,
    /// The application has closed its side.
    closed: bool,
    /// Our FIN has a number.
    fin_sent: bool,
    /// Nobody reads any more.
    abandoned: bool,
    /// Segments that are not full wait.
    corked: bool,
    /// Bytes that are kept for sending at most.
    send_limit: u32,
    /// The connection is given up when nothing was acknowledged for so long.
    user_timeout: Option<Nanoseconds>,
    /// When something was last acknowledged, or sent after all had been.
    progress: Nanoseconds,
    /// The peer's window in bytes, and the segment that told it.
    window: u32,
    window_told: Sequence,
    largest_window: u32,
    /// Behind the last segment that was smaller than it could have been.
    small_end: Sequence,
    last_departure: Nanoseconds,
    congestion: Congestion,
    rack: Rack,
    round_trip: RoundTrip,
    /// The tail is probed up to here, and whether with data that had been sent.
    probe: Option<(Sequence, bool)>,
    forced: Forced,
    /// New data goes before what is lost (RFC 5682 section 3, step 2b).
    prefer_new: bool,
    /// Duplicate acknowledgements in a row, with the published feature set.
    duplicates: u32,
    /// Timeouts in a row, and since when.
    timeouts: u8,
    timeouts_began: Nanoseconds,
    /// Probes of a closed window, or of an idle connection, in a row.
    probes: u8,
    /// Doublings of the time between probes of a closed window.
    window_doublings: u8,
    pub(crate) resent_segments: u64,
    pub(crate) all_timeouts: u64,

    // Receiving.
    reassembly: Reassembly,
    /// Behind the last byte that the peer may send.
    edge: Sequence,
    /// rcv_nxt of the last acknowledgement.
    told: Sequence,
    /// Where the peer's stream ends, if its FIN has come in order.
    peer_fin: bool,
    acknowledge: AcknowledgementDue,
    recent_timestamp: u32,
    recent_timestamp_at: Nanoseconds,
    /// What is added to the clock of timestamps.
    timestamp_offset: u32,
    /// Our clock as the segment that is looked at echoes it.
    last_echo: Option<u32>,
    /// Congestion is echoed until the peer says that it has slowed down (RFC 3168 section 6.1.3).
    echo_congestion: bool,
    /// We have slowed down, and the next data says so.
    tell_reduced: bool,
    last_arrival: Nanoseconds,

    timers: Timers,
}

impl Session {
    /// The state.
    pub fn state(&self) -> State {
        self.state
    }

    /// snd_una, snd_nxt and the end of what was written: always in this order (modulo 2^32).
    pub fn send_positions(&self) -> [Sequence; 3] {
        let written = self.queue.end() + u32::from(self.fin_sent);
        [self.acknowledged, self.next, written.latest(self.next)]
    }

    /// What has happened since the last call.
    pub fn take_events(&mut self) -> Events {
        std::mem::take(&mut self.events)
    }

    /// The clock of the timestamps option: milliseconds (RFC 7323 section 5.4).
    fn timestamp(&self, now: Nanoseconds) -> u32 {
        ((now / crate::settings::MILLISECOND) as u32).wrapping_add(self.timestamp_offset)
    }

    /// It is over: nothing is kept but why.
    fn end(&mut self, end: End) {
        self.state = State::Closed;
        self.board.clear();
        self.timers = Timers::default();
        self.forced = Forced { reset: self.forced.reset, ..Forced::default() };
        self.acknowledge.now = 0;
        self.acknowledge.scheduled = false;
        self.events.ended = Some(end);
    }
}
