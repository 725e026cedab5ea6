//! The arguments of `ww tpp`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use ww_tpp::assemble::Options;
use ww_tpp::header::{Mode, WordSize};

/// `ww tpp`
#[derive(Args)]
pub struct TppArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: TppCommand,
}

/// What can be done with tiny packet programs.
#[derive(Subcommand)]
pub enum TppCommand {
    /// Assemble a program; prints the bytes in hexadecimal on one line
    Asm(AsmArguments),
    /// Print the program of a TPP; assembling it gives the same bytes
    Dis(DisArguments),
    /// Say what a program accesses, its hazards, latency and overhead: 1 if it is refused
    Check(TppCheckArguments),
    /// Split a program that one TPP cannot hold; prints the TPPs and where their words belong
    Split(SplitArguments),
    /// Put TPPs into a host's packets and take them out, between its stack and its wire
    Shim(ShimArguments),
    /// Print the memory map of switches
    Map(MapArguments),
}

/// The program and what wins over its directives.
#[derive(Args)]
pub struct TppProgramArguments {
    /// The program, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Hops that packet memory is sized for
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u16).range(1..=255))]
    pub hops: Option<u16>,
    /// Bits of a word of packet memory [32]
    #[arg(long, value_name = "BITS", value_parser = word_size())]
    pub word: Option<WordSize>,
    /// What operands count from [hop for programs with Packet:Hop, stack for others]
    #[arg(long, value_name = "MODE", value_parser = mode())]
    pub mode: Option<Mode>,
    /// The tag of the application, 0 to 255 [0]
    #[arg(long, value_name = "TAG")]
    pub app: Option<u8>,
}

impl TppProgramArguments {
    /// The assembler's options.
    pub fn options(&self) -> Options {
        Options { word: self.word, mode: self.mode, hops: self.hops, app_tag: self.app }
    }
}

/// `ww tpp asm`
#[derive(Args)]
pub struct AsmArguments {
    /// The program.
    #[command(flatten)]
    pub program: TppProgramArguments,
    /// Write the bytes to FILE instead
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `ww tpp dis`
#[derive(Args)]
pub struct DisArguments {
    /// Hexadecimal digits, a file with them or with the bytes, or `-` for standard input
    #[arg(value_name = "HEX|FILE")]
    pub tpp: String,
}

/// `ww tpp check`
#[derive(Args)]
pub struct TppCheckArguments {
    /// The program.
    #[command(flatten)]
    pub program: TppProgramArguments,
    /// Refuse what the application may not access
    #[arg(long, value_name = "FILE.toml")]
    pub policy: Option<PathBuf>,
    /// The pipeline.
    #[command(flatten)]
    pub pipeline: PipelineArguments,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The match-action stages of the switches.
#[derive(Args)]
pub struct PipelineArguments {
    /// Stages in front of the queues
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub stages: u16,
    /// Stages behind the queues
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=64))]
    pub egress_stages: u16,
}

/// `ww tpp split`
#[derive(Args)]
pub struct SplitArguments {
    /// The program.
    #[command(flatten)]
    pub program: TppProgramArguments,
    /// Bytes that a TPP may take, its header included
    #[arg(long, value_name = "BYTES", default_value_t = 287)]
    pub room: usize,
    /// The pipeline.
    #[command(flatten)]
    pub pipeline: PipelineArguments,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww tpp map`
#[derive(Args)]
pub struct MapArguments {
    /// Print every address with its name instead of the table, one a line
    #[arg(long)]
    pub names: bool,
}

fn word_size() -> impl TypedValueParser<Value = WordSize> {
    PossibleValuesParser::new(["16", "32"]).map(|word| match word.as_str() {
        "16" => WordSize::Two,
        _ => WordSize::Four,
    })
}

fn mode() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new([Mode::Stack.word(), Mode::Hop.word()])
        .map(|word| if word == Mode::Hop.word() { Mode::Hop } else { Mode::Stack })
}

/// `ww tpp shim`
#[derive(Args)]
pub struct ShimArguments {
    /// Which packets carry which TPPs, and what applications may access
    #[arg(value_name = "RULES.toml")]
    pub rules: PathBuf,
    /// Where the host's stack is, as in `ww run --port`: tap:NAME, an interface, or captures IN.pcap:OUT.pcap
    #[arg(long, value_name = "SPEC")]
    pub stack: String,
    /// Where the wire is
    #[arg(long, value_name = "SPEC")]
    pub wire: String,
    /// Write each TPP that arrives to FILE, or `-`, as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub collect: Option<PathBuf>,
    /// Print what it has done as JSON
    #[arg(long)]
    pub json: bool,
}
