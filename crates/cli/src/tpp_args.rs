//! The arguments of `ww tpp`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use ww_config::units;
use ww_tpp::assemble::Options;
use ww_tpp::header::{Mode, WordSize};
use ww_tpp_apps::histories::values::Values;

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
    /// Send a TPP to a host and print, hop by hop, what it has read on its way there
    Send(SendArguments),
    /// Print the switches on the way to a host, and how they are doing
    Trace(TppTraceArguments),
    /// Answer TPPs on a host without a shim
    Echo(EchoArguments),
    /// Register an application at a shim, with what it may access
    Register(RegisterArguments),
    /// Remove an application from a shim, and its rules
    Unregister(NameArguments),
    /// Print the applications of a shim
    Apps(ListArguments),
    /// Have packets of a host carry a program of an application from now on
    Add(AddArguments),
    /// End a rule
    Remove(RemoveArguments),
    /// Print the rules of a shim
    Rules(ListArguments),
    /// Print what a shim has done
    Stats(ListArguments),
    /// Register an application and add its rule at many shims, at all or at none
    Deploy(DeployArguments),
    /// Pass what a shim has collected on to a collector
    Aggregate(AggregateArguments),
    /// Write down what aggregators of many hosts pass on
    Collect(CollectArguments),
    /// Store histories of packets as Parquet, a row for each hop
    Netshark(NetsharkArguments),
    /// Print the histories whose way a query describes
    Ndb(NdbArguments),
    /// Judge histories by rules: 1 if one is broken
    Netwatch(NetwatchArguments),
    /// Print what outputs, entries and flows have carried
    Profile(ProfileArguments),
    /// Print the memory map of switches
    Map(MapArguments),
}

/// Which histories.
#[derive(Args)]
pub struct HistoryArguments {
    /// Stores of `ww tpp netshark` or of a lab, or what shims have collected
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// What the program of collected TPPs pushes at each hop: of switch, entry, in-port, out-port, version, occupancy,
    /// utilisation
    #[arg(long, value_name = "V,V,...", default_value = "switch,entry,in-port")]
    pub values: Values,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww tpp netshark`
#[derive(Args)]
pub struct NetsharkArguments {
    /// The store
    #[arg(short, long, value_name = "FILE.parquet")]
    pub out: PathBuf,
    /// What goes in.
    #[command(flatten)]
    pub histories: HistoryArguments,
}

/// `ww tpp ndb`
#[derive(Args)]
pub struct NdbArguments {
    /// Such as '^ 1 .* {switch=4, in-port=2} $ where -d 10.0.0.2'
    #[arg(value_name = "QUERY")]
    pub query: String,
    /// Among which.
    #[command(flatten)]
    pub histories: HistoryArguments,
}

/// `ww tpp netwatch`
#[derive(Args)]
pub struct NetwatchArguments {
    /// The rules
    #[arg(value_name = "RULES.toml")]
    pub rules: PathBuf,
    /// What is judged.
    #[command(flatten)]
    pub histories: HistoryArguments,
}

/// `ww tpp profile`
#[derive(Args)]
pub struct ProfileArguments {
    /// Lines of each kind, at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub most: usize,
    /// Of which.
    #[command(flatten)]
    pub histories: HistoryArguments,
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
    #[arg(
        value_name = "RULES.toml",
        required_unless_present = "control",
        conflicts_with = "control"
    )]
    pub rules: Option<PathBuf>,
    /// Take requests at a Unix socket instead: `ww tpp register`, `add` and so on
    #[arg(long, value_name = "SOCKET")]
    pub control: Option<PathBuf>,
    /// Keep what was requested in FILE.toml, from which it goes on when it is started again
    #[arg(long, value_name = "FILE.toml", requires = "control")]
    pub state: Option<PathBuf>,
    /// Bytes of an IP packet on the wire, with its TPP [1500, or what RULES.toml says]
    #[arg(long, value_name = "BYTES", conflicts_with = "rules", value_parser = clap::value_parser!(u16).range(68..))]
    pub mtu: Option<u16>,
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

/// How often something is sent, and when it counts as lost.
#[derive(Args)]
pub struct PatienceArguments {
    /// The most times that a TPP is sent until it comes back
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub tries: u32,
    /// How long to wait for it each time
    #[arg(long, value_name = "TIME", default_value = "1 s", value_parser = time)]
    pub timeout: Duration,
}

/// `ww tpp send`
#[derive(Args)]
pub struct SendArguments {
    /// A program, its TPP in hexadecimal digits, or `-` for standard input
    #[arg(value_name = "PROGRAM|HEX")]
    pub tpp: String,
    /// The host that sends it back
    #[arg(long, value_name = "ADDRESS")]
    pub to: Ipv4Addr,
    /// How often
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    /// From one to the next
    #[arg(long, value_name = "TIME", default_value = "1 s", value_parser = time)]
    pub interval: Duration,
    /// Retries.
    #[command(flatten)]
    pub patience: PatienceArguments,
    /// Hops that packet memory is sized for [8, or what the program says]
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u16).range(1..=255))]
    pub hops: Option<u16>,
    /// Bits of a word of packet memory [32]
    #[arg(long, value_name = "BITS", value_parser = word_size())]
    pub word: Option<WordSize>,
    /// The tag of the application, 0 to 255 [0]
    #[arg(long, value_name = "TAG")]
    pub app: Option<u8>,
    /// Only this switch executes it
    #[arg(long, value_name = "ID", conflicts_with_all = ["scatter", "large", "reflect"])]
    pub switch: Option<u32>,
    /// Each of these switches executes one of its own; ID=ADDRESS goes to another address than --to
    #[arg(long, value_name = "ID[=ADDRESS],...", value_delimiter = ',', conflicts_with_all = ["large", "reflect"])]
    pub scatter: Vec<String>,
    /// Collect of all hops, in as many TPPs as it takes; with --hops of so many
    #[arg(long, conflicts_with = "reflect")]
    pub large: bool,
    /// The first switch sends it back
    #[arg(long)]
    pub reflect: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww tpp trace`
#[derive(Args)]
pub struct TppTraceArguments {
    /// The host at the end of the path
    #[arg(value_name = "ADDRESS")]
    pub to: Ipv4Addr,
    /// How often to look
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: u32,
    /// From one round to the next
    #[arg(long, value_name = "TIME", default_value = "100 ms", value_parser = time)]
    pub interval: Duration,
    /// Retries.
    #[command(flatten)]
    pub patience: PatienceArguments,
    /// The tag of the application, 0 to 255
    #[arg(long, value_name = "TAG", default_value_t = 0)]
    pub app: u8,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww tpp echo`
#[derive(Args)]
pub struct EchoArguments {
    /// Which address of this host answers
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0")]
    pub listen: Ipv4Addr,
    /// Print each TPP that comes, as a line of JSON
    #[arg(long)]
    pub json: bool,
}

/// A name at a shim.
#[derive(Args)]
pub struct NameArguments {
    /// The application
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Where the shim takes requests: its --control
    #[arg(long, value_name = "SOCKET")]
    pub control: PathBuf,
}

/// `ww tpp register`
#[derive(Args)]
pub struct RegisterArguments {
    /// Which application, at which shim.
    #[command(flatten)]
    pub name: NameArguments,
    /// What it may access.
    #[command(flatten)]
    pub grants: GrantArguments,
}

/// What an application may access.
#[derive(Args)]
pub struct GrantArguments {
    /// What it may read, as in policy files: Switch:*, Queue:QueueOccupancy, 0xd000-0xd00f
    #[arg(long, value_name = "ADDRESSES")]
    pub read: Vec<String>,
    /// What it may write
    #[arg(long, value_name = "ADDRESSES")]
    pub write: Vec<String>,
    /// Words that no other application can write: link=N, or stage I=N
    #[arg(long, value_name = "SPACE=WORDS", value_parser = allocation)]
    pub allocate: Vec<(String, u16)>,
}

/// What a rule is.
#[derive(Args)]
pub struct RuleArguments {
    /// The program.
    #[command(flatten)]
    pub program: TppProgramArguments,
    /// The application, which gives the TPP its tag
    #[arg(long, value_name = "NAME")]
    pub name: String,
    /// Which packets: -p, -s, -d, --sport and --dport as in iptables [all of IPv4]
    #[arg(long, value_name = "FILTER", default_value = "", allow_hyphen_values = true)]
    pub filter: String,
    /// One packet in so many, at random; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub every: u32,
    /// Rules of higher ones are asked first
    #[arg(long, value_name = "P", default_value_t = 0, allow_negative_numbers = true)]
    pub priority: i32,
}

/// `ww tpp add`
#[derive(Args)]
pub struct AddArguments {
    /// The rule.
    #[command(flatten)]
    pub rule: RuleArguments,
    /// Where the shim takes requests: its --control
    #[arg(long, value_name = "SOCKET")]
    pub control: PathBuf,
}

/// `ww tpp deploy`
#[derive(Args)]
pub struct DeployArguments {
    /// The rule.
    #[command(flatten)]
    pub rule: RuleArguments,
    /// What the application may access.
    #[command(flatten)]
    pub grants: GrantArguments,
    /// Where the shims take requests: their --control, those of other hosts forwarded (`ssh -L SOCKET:/run/tpp HOST`)
    #[arg(long, value_name = "SOCKET", required = true, num_args = 1..)]
    pub control: Vec<PathBuf>,
}

/// `ww tpp aggregate`
#[derive(Args)]
pub struct AggregateArguments {
    /// What the shim writes: its --collect
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The collector
    #[arg(long, value_name = "HOST:PORT")]
    pub to: String,
    /// What this host is called at the collector [its host name]
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,
    /// Only the records of these applications
    #[arg(long, value_name = "TAG")]
    pub app: Vec<u8>,
    /// Only records whose words differ from those of their flow's last one
    #[arg(long)]
    pub changes: bool,
    /// Remember in this file how far the collector is
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// End at the end of the file
    #[arg(long)]
    pub once: bool,
}

/// `ww tpp collect`
#[derive(Args)]
pub struct CollectArguments {
    /// Where aggregators come to; several collectors may have one address and port
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// Lines are appended to this file
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
}

/// `ww tpp remove`
#[derive(Args)]
pub struct RemoveArguments {
    /// Its number
    #[arg(value_name = "RULE")]
    pub rule: u64,
    /// Where the shim takes requests: its --control
    #[arg(long, value_name = "SOCKET")]
    pub control: PathBuf,
}

/// `ww tpp apps`, `rules` and `stats`
#[derive(Args)]
pub struct ListArguments {
    /// Where the shim takes requests: its --control
    #[arg(long, value_name = "SOCKET")]
    pub control: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A time with its unit, as `100 ms` or `100ms`.
fn time(text: &str) -> Result<Duration, String> {
    units::duration(text).map(|picoseconds| Duration::from_nanos(picoseconds / 1000))
}

/// `link=1`, `stage 2=8`.
fn allocation(text: &str) -> Result<(String, u16), String> {
    let parts = text.split_once('=').and_then(|(space, words)| Some((space, words.parse().ok()?)));
    let (space, words) =
        parts.ok_or_else(|| format!("expected link=WORDS or 'stage N=WORDS', found '{text}'"))?;
    Ok((space.to_owned(), words))
}
