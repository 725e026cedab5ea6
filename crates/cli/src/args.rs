//! The command line.

use crate::Failure;
use crate::clock_args::ClockArguments;
use crate::ctl_args::CtlArguments;
use crate::design_args::DesignArguments;
use crate::fabric_args::FabricArguments;
use crate::lab_args::LabArguments;
use crate::phy_args::PhyArguments;
use crate::sched_args::SchedArguments;
use crate::tcp_args::TcpArguments;
use crate::tpp_args::TppArguments;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use ww_io::overwrite::Files;
use ww_p4::preprocess::Options;
use ww_rtl::report::frames::Varied;
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::pace::Pace;
use ww_runtime::engine::EngineName;
use ww_runtime::hardware::RtlSettings;
use ww_runtime::program;

/// Programmable dataplanes in P4_16: check programs, run them on packets, test and trace them.
#[derive(Parser)]
#[command(name = "ww", version, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Check a program: any architecture or none, with or without `main`
    Check(CheckArguments),
    /// Run a program on capture files, Linux interfaces or TAP devices
    Run(RunArguments),
    /// Run a test of the Simple Test Framework: 0 passed, 1 failed, 3 not supported
    Stf(StfArguments),
    /// Show the way of packets through a program: parser, tables, actions, changes
    Trace(TraceArguments),
    /// Measure an engine in memory, on one core, with the frames of captures
    Bench(BenchArguments),
    /// Measure a program as hardware: clocks by stage and frame size, throughput, area, frequency
    Report(ReportArguments),
    /// Turn a program into hardware: SystemVerilog, P4Info, control API in C and Python
    Build(BuildArguments),
    /// List the hardware blocks: modules, parameters, ports, models, tests, proofs
    Blocks(BlocksArguments),
    /// Steer a running dataplane: entries, counters, digests, another program
    Ctl(CtlArguments),
    /// Packet scheduling: ordered lists with eligibility, policies
    Sched(SchedArguments),
    /// The physical layer: frames with exact gaps as the blocks of a line, and back
    Phy(PhyArguments),
    /// This host's clock beside others
    Clock(ClockArguments),
    /// Labs: networks with traffic, measurements and expectations, in virtual time
    Lab(LabArguments),
    /// Tiny packet programs: assemble, disassemble, check, split
    Tpp(TppArguments),
    /// The circuit-switched fabric Shoal: schedules, a simulator, traffic, power and cost
    Fabric(FabricArguments),
    /// The TCP/IP engine: a host on a port
    Tcp(TcpArguments),
}

/// The program and how it is read.
#[derive(Args)]
pub struct ProgramArguments {
    /// The P4_16 program
    #[arg(value_name = "PROG.p4")]
    pub program: PathBuf,
    /// Look for included files in DIR, before our own includes
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define the macro N as V (as 1 without V)
    #[arg(short = 'D', value_name = "N=V")]
    pub define: Vec<String>,
    /// Read the description of an architecture from FILE; its folder is looked through for
    /// included files
    #[arg(long = "arch", value_name = "FILE")]
    pub architectures: Vec<PathBuf>,
}

impl ProgramArguments {
    /// The preprocessor's options.
    pub fn options(&self) -> Options {
        Options {
            architectures: self.architectures.clone(),
            ..program::options(&self.include, &self.define)
        }
    }
}

/// `ww blocks`
#[derive(Args)]
pub struct BlocksArguments {
    /// Show all that is known of these blocks
    #[arg(value_name = "BLOCK")]
    pub blocks: Vec<String>,
    /// Print JSON: [{"name","summary","page","model","modules","tests","rust_tests","proofs","quick_proofs"}]
    #[arg(long)]
    pub json: bool,
}

/// `ww check`
#[derive(Args)]
pub struct CheckArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Print a form of the accepted program
    #[arg(long, value_name = "FORM")]
    pub emit: Option<Form>,
    /// Write the P4Info of P4Runtime: .txt or .txtpb (text), .json, .bin or .pb (binary)
    #[arg(long, value_name = "FILE")]
    pub p4info: Option<PathBuf>,
    /// Print the diagnostics as JSON on standard output
    #[arg(long, conflicts_with = "emit")]
    pub json: bool,
}

/// What `--emit` prints.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// The syntax tree, as P4 with includes and macros resolved
    Ast,
    /// The typed IR
    Ir,
    /// The pipeline IR
    Pipeline,
}

/// The names of the engines.
fn engine() -> impl TypedValueParser<Value = EngineName> {
    let one = |engine: EngineName| PossibleValue::new(engine.word()).help(engine.description());
    PossibleValuesParser::new(EngineName::ALL.map(one)).try_map(|text| text.parse::<EngineName>())
}

/// What engine rtl alone takes.
#[derive(Args, Clone, Debug)]
pub struct RtlArguments {
    /// Engine rtl: how packets go in and out: serial, back-to-back, gaps (clocks without a beat),
    /// pressure (outputs are not taken at once), both
    #[arg(long, value_name = "PACE")]
    pub pace: Option<Pace>,
    /// Engine rtl: seed of gaps and pressure
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// What the design looks like.
    #[command(flatten)]
    pub design: DesignArguments,
    /// Engine rtl: write all signals to FILE.fst or FILE.vcd
    #[arg(long, value_name = "FILE")]
    pub waveform: Option<PathBuf>,
}

impl RtlArguments {
    /// Whether one is given that other engines do not have.
    pub fn is_used(&self) -> bool {
        self.pace.is_some() || self.waveform.is_some() || self.design.is_used()
    }

    /// Refuses options of engine rtl for another.
    pub fn check(&self, engine: EngineName) -> Result<(), Failure> {
        self.design.emit().map_err(Failure::Usage)?;
        match engine == EngineName::Rtl || !self.is_used() {
            true => Ok(()),
            false => {
                let message =
                    "--pace, --waveform, --target-clock, --shape, --ports, --table, --no-optimise and \
                     --module are for `--engine rtl`"
                        .to_owned();
                Err(Failure::Usage(message))
            }
        }
    }

    /// Refuses a waveform that would overwrite one of `files`, or a file of the user's modules.
    pub fn keep_inputs(&self, files: &mut Files) -> Result<(), Failure> {
        self.design.add_files(files);
        if let Some(path) = &self.waveform {
            files.writes("--waveform", path)?;
        }
        Ok(())
    }

    /// How engine rtl is loaded: at `pace` if the command line names none.
    pub fn settings(
        &self,
        pace: Pace,
        gather: usize,
        effort: Effort,
    ) -> Result<RtlSettings, Failure> {
        Ok(RtlSettings {
            design: self.design.emit().map_err(Failure::Usage)?,
            pace: self.pace.unwrap_or(pace).with_seed(self.seed),
            gather,
            effort,
            waveform: self.waveform.clone(),
        })
    }
}

/// `ww run`
#[derive(Args)]
pub struct RunArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Attach port N: in.pcap:out.pcap (either side may be empty), an interface, packet:NAME,
    /// xdp:NAME, tap:NAME, mem:FILE[,loop=K|,seconds=S], or dpdk:DEVICE
    #[arg(long = "port", value_name = "N=SPEC", required = true)]
    pub ports: Vec<String>,
    /// What executes the program
    #[arg(long, value_name = "ENGINE", default_value = "jit", value_parser = engine())]
    pub engine: EngineName,
    /// Run on N threads, each with its own flows and pinned to a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub workers: Option<u16>,
    /// The cores that the workers get, as 1,4-6
    #[arg(long, value_name = "LIST", value_parser = core_list)]
    pub cores: Option<CoreList>,
    /// Entries to install before the first packet: runtime commands of BMv2, or P4Runtime JSON
    #[arg(long, value_name = "FILE")]
    pub entries: Option<PathBuf>,
    /// Queues at the output ports, with the rates, classes and policies of a policy file
    #[arg(long, value_name = "POLICY.toml", conflicts_with = "workers")]
    pub scheduler: Option<PathBuf>,
    /// Execute tiny packet programs (TPPs), as a switch with the identity, rules and ports of a settings file
    #[arg(long, value_name = "SETTINGS.toml", conflicts_with = "workers")]
    pub tpp: Option<PathBuf>,
    /// Hold at most SIZE of frames in memory, as 512MiB or 4GiB (1GiB if not said): the captures of all mem: ports
    #[arg(long, value_name = "SIZE", value_parser = ww_config::units::bytes)]
    pub memory: Option<u64>,
    /// Take requests of `ww ctl` at this Unix socket while it runs
    #[arg(long, value_name = "SOCKET", conflicts_with = "check")]
    pub control: Option<PathBuf>,
    /// Send all packets through engine interp too, and fail at the first that leaves otherwise
    #[arg(long)]
    pub check: bool,
    /// Of engine rtl.
    #[command(flatten)]
    pub rtl: RtlArguments,
    /// Print the final counters as JSON
    #[arg(long)]
    pub json: bool,
}

/// Numbers of cores, in the order in which workers get them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreList(pub Vec<usize>);

/// Reads a list of cores: numbers and ranges with commas between.
fn core_list(text: &str) -> Result<CoreList, String> {
    let mut cores = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.parse::<u16>().map(usize::from);
        match (number(first), number(last)) {
            (Ok(first), Ok(last)) if first <= last => cores.extend(first..=last),
            _ => return Err(format!("`{part}` is neither a core nor a range of cores")),
        }
    }
    Ok(CoreList(cores))
}

/// `ww stf`
#[derive(Args)]
pub struct StfArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// The test
    #[arg(value_name = "TEST.stf")]
    pub test: PathBuf,
    /// What executes the program
    #[arg(long, value_name = "ENGINE", default_value = "interp", value_parser = engine())]
    pub engine: EngineName,
    /// Of engine rtl.
    #[command(flatten)]
    pub rtl: RtlArguments,
}

/// `ww trace`
#[derive(Args)]
pub struct TraceArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Packets that come in at port N
    #[arg(long = "port", value_name = "N=IN.pcap", required = true)]
    pub ports: Vec<String>,
    /// Entries to install before the first packet: runtime commands of BMv2, or P4Runtime JSON
    #[arg(long, value_name = "FILE")]
    pub entries: Option<PathBuf>,
    /// Show only packet K, counted from 1 over all ports in the order of arrival
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub packet: Option<u64>,
    /// One JSON object per packet
    #[arg(long)]
    pub json: bool,
    /// interp, which tells every step, or rtl: then the clocks that each packet takes, too
    #[arg(long, value_name = "ENGINE", default_value = "interp", value_parser = engine())]
    pub engine: EngineName,
    /// Of engine rtl.
    #[command(flatten)]
    pub rtl: RtlArguments,
}

/// `ww bench`
#[derive(Args)]
pub struct BenchArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Entries to install before the first packet: runtime commands of BMv2, or P4Runtime JSON
    #[arg(long, value_name = "FILE")]
    pub entries: Option<PathBuf>,
    /// Frames that come in at port N (0 if not said), all again and again
    #[arg(long, value_name = "[N=]IN.pcap", required = true)]
    pub pcap: Vec<String>,
    /// Hold at most SIZE of frames in memory, as 512MiB or 4GiB (1GiB if not said)
    #[arg(long, value_name = "SIZE", value_parser = ww_config::units::bytes)]
    pub memory: Option<u64>,
    /// What executes the program
    #[arg(long, value_name = "ENGINE", default_value = "jit", value_parser = engine())]
    pub engine: EngineName,
    /// Measure for about S seconds, at least one pass over the frames a round
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    pub seconds: f64,
    /// Measure at least N packets in each round
    #[arg(long, value_name = "N", conflicts_with = "seconds",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub packets: Option<u64>,
    /// Rounds, of which the median counts
    #[arg(long, value_name = "R", default_value = "5",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub rounds: u16,
    /// Frames that are handed over at a time
    #[arg(long, value_name = "B", default_value = "64",
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub batch: u16,
    /// Measure one worker, and then N of them on as many cores (engine jit)
    #[arg(long, value_name = "N", default_value = "1", conflicts_with_all = ["packets", "verify"],
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub workers: u16,
    /// Send all frames through engine interp too and compare what leaves
    #[arg(long)]
    pub verify: bool,
    /// Of engine rtl.
    #[command(flatten)]
    pub rtl: RtlArguments,
    /// Count tables' hits for the first N frames (with engine interp; 0: do not)
    #[arg(long, value_name = "N", default_value = "4096")]
    pub sample: u32,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww build`
#[derive(Args)]
pub struct BuildArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// What to build
    #[arg(long, value_name = "TARGET")]
    pub target: Target,
    /// Write to this folder; an earlier build in it is replaced
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// What the design looks like.
    #[command(flatten)]
    pub design: DesignArguments,
    /// Of a scheduling policy: how many nodes have it [1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub nodes: Option<u32>,
    /// Of a scheduling policy: how many children they have in all [64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_048_576))]
    pub children: Option<u32>,
}

/// What `ww build` builds.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// SystemVerilog
    Rtl,
}

/// `ww report`
#[derive(Args)]
pub struct ReportArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// What the design looks like.
    #[command(flatten)]
    pub design: DesignArguments,
    /// Entries to install before the first packet: runtime commands of BMv2, or P4Runtime JSON
    #[arg(long, value_name = "FILE")]
    pub entries: Option<PathBuf>,
    /// Make the frames of these, that come in at port N (0 if not said), with zeros behind them
    /// as the size needs it; without it, of UDP over IPv4
    #[arg(long, value_name = "[N=]IN.pcap")]
    pub pcap: Vec<String>,
    /// Count up the number at OFFSET with every packet, for programs that drop repetitions
    #[arg(long, value_name = "OFFSET:BYTES")]
    pub vary: Option<Varied>,
    /// Measure these sizes, in bytes without FCS
    #[arg(long, value_name = "N,N...", value_delimiter = ',', conflicts_with = "sweep_all",
          value_parser = clap::value_parser!(u64).range(1..=16384))]
    pub sizes: Vec<u64>,
    /// Measure every size from 64 to 1518 bytes, and 9018
    #[arg(long)]
    pub sweep_all: bool,
    /// Map the design to a 7-series FPGA: area by part and logic depth (Yosys)
    #[arg(long)]
    pub area: bool,
    /// Estimate the clock on a Lattice ECP5-85 (Yosys and nextpnr)
    #[arg(long)]
    pub clock: bool,
    /// Instead: compare the design with those that leave out one optimiser each
    #[arg(long, conflicts_with_all = ["sizes", "sweep_all", "area", "clock", "plot"])]
    pub optimisers: bool,
    /// Draw clocks and throughput over sizes: FILE.png, .svg or .pdf
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

/// A number of seconds that makes sense.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds, at most a million".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn cores() {
        assert_eq!(core_list("3"), Ok(CoreList(vec![3])));
        assert_eq!(core_list("4-6,1"), Ok(CoreList(vec![4, 5, 6, 1])));
        for wrong in ["", "1,", "2-1", "x", "-1", "1-99999999"] {
            assert!(core_list(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn defines() {
        let parse = |list: &[&str]| {
            let arguments = ["ww", "check", "p.p4"].iter().chain(list);
            let Ok(Arguments { command: Command::Check(check) }) =
                Arguments::try_parse_from(arguments)
            else {
                panic!("{list:?} is not accepted")
            };
            check.program.options().defines
        };
        let pair = |n: &str, v: &str| (n.to_owned(), v.to_owned());
        assert_eq!(
            parse(&["-D", "A=1=2", "-DB", "-DC="]),
            [pair("A", "1=2"), pair("B", "1"), pair("C", "")]
        );
    }
}
