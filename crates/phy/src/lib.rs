//! The physical layer of Ethernet in software, bit for bit: 10GBASE-R (IEEE 802.3 clauses 46 and 49), and beside it 40GBASE-R
//! ([`lanes`], clause 82) and 1000BASE-X ([`gigabit`], clause 36).
//!
//! A line never rests: between frames it carries idle characters, and their number is the time between
//! frames, in units of 0.8 ns. What a program does to a line is therefore one of four things, each to the bits of
//! packets or to the filling between them: it adds, deletes, counts or modifies. The module [`stream`] is where
//! that is done: a line is a sequence of frames with the exact number of characters in front of each, which
//! [`stream::Writer`] turns into blocks and [`stream::Reader`] finds in them; [`gigabit`] has both for code-groups.
//!
//! Below it are the layers of the standard, each alone: [`xgmii`] words; [`block`]s with their [`encoder`] and
//! [`decoder`]; the [`scrambler`]; [`gearbox`]es to the words of a serialiser; [`block_sync`] and [`ber`]; the frame
//! check sequence ([`fcs`]); [`page`]s of 496 blocks; and [`adapt`], which inserts and deletes idle between two clocks.
//! `rtl/phy` has the same in SystemVerilog. Of 100G there is the local bus of a MAC ([`lbus`]), as `rtl/lbus` has it.
//!
//! What is made of it: [`bitstream`] files, [`profile`]s of what a [`device`] does to times, a [`covert`] channel in them.

pub mod adapt;
pub mod ber;
pub mod bitstream;
pub mod block;
pub mod block_sync;
pub mod character;
pub mod coding;
pub mod covert;
pub mod decoder;
pub mod device;
pub mod eight_b_ten_b;
pub mod encoder;
pub mod fcs;
pub mod fifo;
pub mod gearbox;
pub mod gigabit;
pub mod lanes;
pub mod lbus;
pub mod packed;
pub mod page;
pub mod profile;
mod random;
pub mod scrambler;
pub mod stream;
pub mod xgmii;

/// Bits a second on the line of 10GBASE-R: 10 Gb/s times 66/64.
pub const LINE_RATE: u64 = 10_312_500_000;

/// Time of one character (8 bits of XGMII) in picoseconds.
pub const CHARACTER_PS: u64 = 800;
