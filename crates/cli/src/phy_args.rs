//! The arguments of `ww phy`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `ww phy`
#[derive(Args)]
pub struct PhyArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: PhyCommand,
}

/// What can be done with a line.
#[derive(Subcommand)]
pub enum PhyCommand {
    /// Generate frames with exact gaps: rates, times and blocks, and the bitstream
    Gen(GenArguments),
    /// Find the frames of a bitstream and the exact gaps between them
    Cap(CapArguments),
    /// Make a bitstream of frames at their times: of a list or of a capture
    Replay(ReplayArguments),
    /// Make a bitstream of the frames of a capture, at one gap
    Encode(EncodeArguments),
    /// Print the blocks of a bitstream, one a line
    Decode(DecodeArguments),
    /// Measure the times between the frames of a bitstream, as it is or behind the model of a device
    Profile(ProfileArguments),
    /// Send frames on an interface at their times, and measure how exact that was
    Pace(PaceArguments),
    /// Say something by the times between frames, hear it, and find out that somebody does
    #[command(subcommand)]
    Covert(CovertCommand),
}

/// What happens to a gap after which a frame would start in a lane other than 0 and 4.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoundingName {
    /// Up to 3 characters shorter or longer, so that the mean is exact
    Mean,
    /// Longer, to the next whole block
    Block,
}

/// How a bitstream is written.
#[derive(Args)]
pub struct BitstreamArguments {
    /// What happens to a gap after which a frame would start in a lane other than 0 and 4
    #[arg(long, value_name = "HOW", default_value = "mean")]
    pub rounding: RoundingName,
    /// Do not scramble
    #[arg(long)]
    pub plain: bool,
}

/// `ww phy gen`
#[derive(Args)]
pub struct GenArguments {
    /// Bytes of a frame, with its check sequence: 64 to 9018
    #[arg(long, value_name = "L", default_value_t = 1518,
          value_parser = clap::value_parser!(u32).range(64..=9018))]
    pub len: u32,
    /// Characters between frames, the terminate counted: the standard's least is 12
    #[arg(long, value_name = "CHARS", default_value_t = 12,
          value_parser = clap::value_parser!(u64).range(5..=1_250_000_000))]
    pub ipg: u64,
    /// Number of frames
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    /// How it is written
    #[command(flatten)]
    pub bitstream: BitstreamArguments,
    /// Write the bitstream to FILE
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww phy pace`
#[derive(Args)]
pub struct PaceArguments {
    /// The interface that sends
    #[arg(value_name = "INTERFACE")]
    pub interface: String,
    /// Bytes of a frame, with its check sequence: 64 to 9018
    #[arg(long, value_name = "L", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(64..=9018))]
    pub len: u32,
    /// Characters between frames, the terminate counted: 1,250 are 1 us
    #[arg(long, value_name = "CHARS", default_value_t = 125_000,
          value_parser = clap::value_parser!(u64).range(5..=1_250_000_000))]
    pub ipg: u64,
    /// Number of frames
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    pub count: u64,
    /// Take stamps of what comes to this interface
    #[arg(long, value_name = "INTERFACE")]
    pub listen: Option<String>,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww phy cap`
#[derive(Args)]
pub struct CapArguments {
    /// The bitstream
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// Write the good frames to a capture: .pcapng has times in picoseconds, .pcap in nanoseconds
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Bytes of each frame that are kept, 14 or more; all by default
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(14..))]
    pub snap: Option<u32>,
    /// Write a line for each good frame, its length and the gap in front of it, for `ww phy replay`
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// Longest frame in bytes, with its check sequence
    #[arg(long, value_name = "BYTES", default_value_t = 9018,
          value_parser = clap::value_parser!(u32).range(64..=65_535))]
    pub longest: u32,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww phy replay`
#[derive(Args)]
pub struct ReplayArguments {
    /// Lines `LENGTH GAP` as `ww phy cap --list` writes them, or a capture
    #[arg(value_name = "SOURCE")]
    pub input: PathBuf,
    /// How it is written
    #[command(flatten)]
    pub bitstream: BitstreamArguments,
    /// The bitstream
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww phy encode`
#[derive(Args)]
pub struct EncodeArguments {
    /// The capture
    #[arg(value_name = "CAPTURE")]
    pub input: PathBuf,
    /// Characters between frames, the terminate counted
    #[arg(long, value_name = "CHARS", default_value_t = 12,
          value_parser = clap::value_parser!(u64).range(5..=1_250_000_000))]
    pub ipg: u64,
    /// How it is written
    #[command(flatten)]
    pub bitstream: BitstreamArguments,
    /// The bitstream
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww phy decode`
#[derive(Args)]
pub struct DecodeArguments {
    /// The bitstream
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// Blocks to leave out at the beginning
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip: u64,
    /// Blocks to print
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub count: u64,
}

/// Models of devices.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DeviceName {
    /// Sends when it knows where to
    CutThrough,
    /// Sends when it has the whole frame
    StoreAndForward,
}

/// Frames at their times.
#[derive(Args)]
pub struct TimesArguments {
    /// The bitstream
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// Have the frames pass the model of a device first
    #[arg(long, value_name = "DEVICE")]
    pub through: Option<DeviceName>,
    /// Decides what varies in the device and in stamps
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww phy profile`
#[derive(Args)]
pub struct ProfileArguments {
    /// Whose times
    #[command(flatten)]
    pub times: TimesArguments,
    /// Write the distribution to FILE: lines of nanoseconds and the share of intervals that are not longer
    #[arg(long, value_name = "FILE")]
    pub cdf: Option<PathBuf>,
}

/// `ww phy covert`
#[derive(Subcommand)]
pub enum CovertCommand {
    /// Write frames whose gaps say a message
    Send(CovertSendArguments),
    /// Find messages in gaps
    Receive(TimesArguments),
    /// Say whether somebody speaks: by the characters between frames, or as software sees it that stamps them
    Detect(CovertDetectArguments),
}

/// `ww phy covert send`
#[derive(Args)]
pub struct CovertSendArguments {
    /// What to say: up to 65535 bytes
    #[arg(long, value_name = "TEXT")]
    pub message: String,
    /// Bytes of a frame, with its check sequence: 64 to 9018
    #[arg(long, value_name = "L", default_value_t = 1518,
          value_parser = clap::value_parser!(u32).range(64..=9018))]
    pub len: u32,
    /// Mean gap in characters; with length and preamble a multiple of 4
    #[arg(long, value_name = "CHARS", default_value_t = 170,
          value_parser = clap::value_parser!(u64).range(12..=1_000_000))]
    pub ipg: u64,
    /// Characters by which gaps are longer and shorter: a multiple of 4
    #[arg(long, value_name = "CHARS", default_value_t = 16,
          value_parser = clap::value_parser!(u64).range(4..=100_000))]
    pub shift: u64,
    /// Frames at the mean gap in front of the message and behind it
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub around: u64,
    /// The bitstream
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww phy covert detect`
#[derive(Args)]
pub struct CovertDetectArguments {
    /// Whose times
    #[command(flatten)]
    pub times: TimesArguments,
    /// Standard deviation of stamps in nanoseconds; 0 counts characters
    #[arg(long, value_name = "NS", default_value_t = 0.0)]
    pub stamp_error: f64,
}
