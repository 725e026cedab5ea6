//! TCP at the level of segments: loss recovery, congestion control and timers, without headers and
//! without bytes. A [`Sender`] and a [`Receiver`] are the two ends of one direction of a connection.
//!
//! Neither has a clock or a network. Whoever drives them hands in the time and what arrived, and
//! carries what they hand out. After each call of `write`, `finish`, `receive` or `expire` of a sender,
//! [`Sender::poll`] is called until it gives nothing, then [`Sender::timer`] says when `expire` is to be
//! called if nothing else happens before. A deadline moves with almost each acknowledgement; it is
//! enough to keep one event, and to look at `timer` again when that one comes: `expire` before the
//! deadline does nothing. Times given to one sender or receiver never go back.
//!
//! # What is modelled
//!
//! | what | source |
//! |---|---|
//! | slow start, congestion avoidance, fast retransmit, restart after idle | RFC 5681 |
//! | byte counting | RFC 3465 |
//! | initial window of ten segments | RFC 6928 |
//! | recovery without SACK (NewReno) | RFC 6582 |
//! | SACK, recovery with a scoreboard | RFC 2018, RFC 6675 |
//! | losses found by time, tail loss probes (RACK-TLP) | RFC 8985 |
//! | reduction in proportion to what arrives (PRR) | RFC 9937 |
//! | limited transmit | RFC 3042 |
//! | retransmission timer, back-off | RFC 6298 |
//! | time stamps, for round-trip times free of Karn's ambiguity | RFC 7323 |
//! | ECN | RFC 3168 |
//! | CUBIC | RFC 9438 |
//! | DCTCP | RFC 8257 |
//!
//! # What is left out
//!
//! - Flow control: the receiver's buffer is unlimited, so segments carry no window.
//!   [`Settings::maximum_window`] bounds what is outstanding as an advertised window would.
//! - Of the handshake there are the SYN and the SYN-ACK, their loss and their cost of a round trip.
//!   The third segment is the first one with data. No options are negotiated: both ends have the
//!   same [`Settings`]. There is no simultaneous open, no reset and no TIME-WAIT; a FIN closes the one
//!   direction.
//! - SYN takes no place in the numbering, which so is that of the stream and begins at 0; FIN takes one.
//! - Nagle's algorithm (as with `TCP_NODELAY`). A segment that is not full goes out only if it has
//!   all that is left to send (silly window avoidance, RFC 9293 section 3.8.6.2.1).
//! - DSACK (RFC 2883), and so what adapts RACK's reordering window to it (RFC 8985 section 6.2, step 4);
//!   detection of spurious timeouts (RFC 3522, RFC 5682), HyStart++ (RFC 9406). After a timeout all that was not
//!   reported is taken for lost (RFC 8985 section 6.3 would wait for what was sent last).
//! - With [`Settings::rack`] off, a retransmission that is lost again is repaired by a timeout, as RFC 6675 has it.
//! - A receiver never discards what it has reported by SACK, so the sender keeps the scoreboard after a
//!   timeout (RFC 2018 section 8 would have it cleared).

mod congestion;
mod rack;
mod ranges;
mod receiver;
mod rtt;
mod scoreboard;
mod segment;
mod sender;
mod settings;

pub use receiver::Receiver;
pub use segment::{Block, Segment};
pub use sender::{Counters, Sender};
pub use settings::{Control, Mistake, Pacing, Settings};
