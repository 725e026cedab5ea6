//! The arguments of `ww tcp`.

use clap::{Args, Subcommand, ValueEnum};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::PathBuf;
use std::str::FromStr;
use ww_tcp::host::{Application, Protocol};
use ww_tcp::pair::Impairments;

/// `ww tcp`
#[derive(Args)]
pub struct TcpArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: TcpCommand,
}

/// What can be done with the TCP/IP engine.
#[derive(Subcommand)]
pub enum TcpCommand {
    /// Be a TCP/IP host on a port: answer, serve and open connections
    Host(HostArguments),
    /// Let the engine send to a peer in simulated time, and measure
    Pair(PairArguments),
    /// What the blocks of the hardware cost, beside what was published
    Report(TcpReportArguments),
    /// Judge the engine by a script in packetdrill's language: 0 passed, 1 failed, 3 not supported
    Drill(DrillArguments),
    /// Give hardware and model the same frames and calls, and compare all that comes of them
    Equal(EqualArguments),
}

/// What carries the engine out.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The model in Rust
    Model,
    /// The hardware of rtl/limago under Verilator
    Rtl,
}

/// An address and the length of its network part.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// The address.
    pub ip: Ipv4Addr,
    /// Length of the network part, 0 to 32.
    pub prefix: u8,
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected an address and a length, for example 10.0.0.2/24".to_owned();
        let (ip, prefix) = text.split_once('/').ok_or_else(wrong)?;
        let ip: Ipv4Addr = ip.parse().map_err(|_| wrong())?;
        let prefix = prefix.parse().ok().filter(|prefix| *prefix <= 32).ok_or_else(wrong)?;
        if ip.is_unspecified() || ip.is_broadcast() || ip.is_multicast() {
            return Err("expected the address of a host".into());
        }
        Ok(Self { ip, prefix })
    }
}

/// An Ethernet address.
#[derive(Clone, Copy, Debug)]
pub struct Mac(pub [u8; 6]);

impl FromStr for Mac {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected six bytes, for example 02:00:00:00:00:02".to_owned();
        let mut bytes = [0; 6];
        let mut parts = text.split(':');
        for byte in &mut bytes {
            let part = parts.next().filter(|part| part.len() == 2).ok_or_else(wrong)?;
            *byte = u8::from_str_radix(part, 16).map_err(|_| wrong())?;
        }
        if parts.next().is_some() {
            return Err(wrong());
        }
        if bytes[0] & 1 == 1 || bytes == [0; 6] {
            return Err("expected the address of one station: no group, not zero".into());
        }
        Ok(Self(bytes))
    }
}

/// What listens where.
#[derive(Clone, Copy, Debug)]
pub struct Listen {
    /// TCP or UDP.
    pub protocol: Protocol,
    /// The port.
    pub port: u16,
    /// The application.
    pub application: Application,
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "expected tcp:PORT=APP or udp:PORT=APP, APP one of echo, discard, chargen, iperf"
                .to_owned()
        };
        let (place, application) = text.split_once('=').ok_or_else(wrong)?;
        let (protocol, port) = place.split_once(':').ok_or_else(wrong)?;
        let protocol = match protocol {
            "tcp" => Protocol::Tcp,
            "udp" => Protocol::Udp,
            _ => return Err(wrong()),
        };
        let port = port.parse().ok().filter(|port| *port > 0).ok_or_else(wrong)?;
        Ok(Self { protocol, port, application: application.parse().map_err(|()| wrong())? })
    }
}

/// A connection to be opened.
#[derive(Clone, Copy, Debug)]
pub struct Connect {
    /// With whom.
    pub peer: SocketAddrV4,
    /// The application.
    pub application: Application,
}

impl FromStr for Connect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected IP:PORT=iperf, for example 10.0.0.1:5001=iperf".to_owned();
        let (peer, application) = text.split_once('=').ok_or_else(wrong)?;
        let peer: SocketAddrV4 = peer.parse().map_err(|_| wrong())?;
        if application != "iperf" || peer.port() == 0 || peer.ip().is_unspecified() {
            return Err(wrong());
        }
        Ok(Self { peer, application: Application::Iperf })
    }
}

/// `ww tcp host`
#[derive(Args)]
pub struct HostArguments {
    /// Where frames come from and go to: IN.pcap:OUT.pcap, tap:NAME, an interface
    #[arg(long, value_name = "SPEC")]
    pub port: String,
    /// The host's address and the length of its network part
    #[arg(long, value_name = "A.B.C.D/LEN")]
    pub ip: Network,
    /// What carries the engine out
    #[arg(long, value_name = "ENGINE", default_value = "model")]
    pub engine: EngineName,
    /// The host's Ethernet address
    #[arg(long, value_name = "MAC", default_value = "02:00:00:00:00:02")]
    pub mac: Mac,
    /// Where packets for other networks go
    #[arg(long, value_name = "IP")]
    pub gateway: Option<Ipv4Addr>,
    /// Serve a port: tcp:PORT=APP or udp:PORT=APP, APP echo, discard, chargen or iperf; may be repeated
    #[arg(long, value_name = "PLACE=APP")]
    pub listen: Vec<Listen>,
    /// Open a connection and send for 10 s, or up to --seconds: IP:PORT=iperf; may be repeated
    #[arg(long, value_name = "IP:PORT=APP")]
    pub connect: Vec<Connect>,
    /// Connections at the same time
    #[arg(long, value_name = "N", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub sessions: u32,
    /// Shift of the windows: buffers are 64 KiB shifted by so much [default: 8, or what 4 GiB leave each
    /// session]
    #[arg(long, value_name = "SHIFT", value_parser = clap::value_parser!(u8).range(0..=14))]
    pub window_scale: Option<u8>,
    /// Least variance in the retransmission timeout, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=60_000))]
    pub rto_min: u32,
    /// Use timestamps, and drop what is too old by them (RFC 7323)
    #[arg(long)]
    pub timestamps: bool,
    /// Ask for explicit congestion notification, and accept it (RFC 3168)
    #[arg(long)]
    pub ecn: bool,
    /// Probe connections that are idle for so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep_alive: Option<u32>,
    /// All randomness follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    pub seconds: Option<f64>,
    /// Do not ask for the network's addresses at the start
    #[arg(long)]
    pub no_scan: bool,
    /// Print the report as JSON, on one line
    #[arg(long)]
    pub json: bool,
}

/// What is at the other end.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PeerName {
    /// The model in Rust
    Model,
    /// The hardware of rtl/limago under Verilator
    Rtl,
    /// The crate smoltcp, untouched
    Smoltcp,
}

/// Where buffers are.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MemoryName {
    /// DDR4: 125 Gb/s
    Ddr4,
    /// Memory in the chip
    Uram,
}

/// Who sends.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DirectionName {
    /// The engine
    Send,
    /// The peer
    Receive,
}

/// `ww tcp pair`
#[derive(Args)]
pub struct PairArguments {
    /// What carries the engine out
    #[arg(long, value_name = "ENGINE", default_value = "model")]
    pub engine: EngineName,
    /// What is at the other end [default: as the engine]
    #[arg(long, value_name = "PEER")]
    pub peer: Option<PeerName>,
    /// How they are connected: 1 by 100G Ethernet, 2 stream to stream
    #[arg(long, value_name = "1|2", default_value_t = 1,
          value_parser = clap::value_parser!(u8).range(1..=2))]
    pub scheme: u8,
    /// Where buffers are, at both ends
    #[arg(long, value_name = "MEMORY", default_value = "ddr4")]
    pub memory: MemoryName,
    /// Payload of each segment and of each write, in bytes
    #[arg(long, value_name = "N", default_value_t = 1460,
          value_parser = clap::value_parser!(u16).range(1..=8960))]
    pub segment: u16,
    /// Connections at the same time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=32_768))]
    pub sessions: u32,
    /// Bytes of each connection, then it is closed [default: without end, measured for --cycles]
    #[arg(long, value_name = "N", conflicts_with = "cycles")]
    pub bytes: Option<u64>,
    /// Clocks that are measured, after warm-up
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub cycles: u64,
    /// Added round trip, in nanoseconds
    #[arg(long, value_name = "NS", default_value_t = 0,
          value_parser = clap::value_parser!(u64).range(0..=10_000_000_000))]
    pub rtt: u64,
    /// Shift of the windows at both ends [default: 8, or what 4 GiB leave each session]
    #[arg(long, value_name = "SHIFT", value_parser = clap::value_parser!(u8).range(0..=14))]
    pub window_scale: Option<u8>,
    /// What happens to frames, both ways: loss=1%,reorder=1%,duplicate=1%,damage=0.5%, any of them
    #[arg(long, value_name = "LIST")]
    pub impair: Option<Impairments>,
    /// Both ends have the published feature set: nothing out of order is kept, no SACK
    #[arg(long)]
    pub published: bool,
    /// Who sends
    #[arg(long, value_name = "DIRECTION", default_value = "send")]
    pub direction: DirectionName,
    /// Least variance in the retransmission timeout, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=60_000))]
    pub rto_min: u32,
    /// All randomness follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print the figures as JSON, on one line
    #[arg(long)]
    pub json: bool,
}

/// `ww tcp drill`
#[derive(Args)]
pub struct DrillArguments {
    /// The script
    #[arg(value_name = "SCRIPT.pkt")]
    pub script: PathBuf,
    /// What carries the engine out
    #[arg(long, value_name = "ENGINE", default_value = "model")]
    pub engine: EngineName,
    /// By how many microseconds times may differ; the script's own option wins
    #[arg(long = "tolerance_usecs", alias = "tolerance-usecs", value_name = "US",
          default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    pub tolerance: u64,
    /// All randomness follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// `ww tcp report`
#[derive(Args)]
pub struct TcpReportArguments {
    /// Print it as JSON, on one line
    #[arg(long)]
    pub json: bool,
}

/// `ww tcp equal`
#[derive(Args)]
pub struct EqualArguments {
    /// Frames, calls, news and steps of the time, at least
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub events: u64,
    /// With frames that no honest peer sends
    #[arg(long)]
    pub hostile: bool,
    /// All choices follow from it
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Print the result as JSON, on one line
    #[arg(long)]
    pub json: bool,
}
