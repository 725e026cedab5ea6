//! The port arguments of the command line: `N=SPEC`.
//!
//! | SPEC | meaning |
//! |---|---|
//! | `in.pcap:out.pcap` | frames come from one capture file and go to another; either side may be empty |
//! | `NAME` | the Linux interface of that name, through AF_PACKET or AF_XDP, whichever suits it |
//! | `packet:NAME`, `xdp:NAME` | the same with the choice made |
//! | `tap:NAME` | the TAP device of that name, created if it does not exist |
//! | `mem:FILE`, `mem:FILE,loop=K`, `mem:FILE,seconds=S` | the frames of a capture from memory, as fast as they are taken: once, K times, or for S seconds; what leaves is counted and fingerprinted. `mem:` receives nothing |
//! | `dpdk:DEVICE` | a DPDK device: a virtual one with its arguments, or a PCI address |
//!
//! A file whose name looks like one of the prefixes is written with its folder
//! (`./tap:x` reads the file `tap` and writes `x`).

use crate::overwrite::same_file;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use ww_dataplane::PortId;

/// Bytes in the longest interface name (`IFNAMSIZ` without its final zero).
const LONGEST_NAME: usize = 15;

/// What a port is attached to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PortSpec {
    /// Capture files to read from and to write to.
    Files {
        /// Where frames come from; `None`: the port receives nothing.
        input: Option<PathBuf>,
        /// Where frames go; `None`: they are counted and dropped.
        output: Option<PathBuf>,
    },
    /// A Linux interface by name.
    Interface(String, Access),
    /// A TAP device by name.
    Tap(String),
    /// Frames in memory.
    Memory {
        /// The capture they are loaded from; `None`: the port receives nothing.
        input: Option<PathBuf>,
        /// How often they come.
        replay: Replay,
    },
    /// A DPDK device in DPDK's own words: `net_null0,size=64`, `0000:01:00.0`.
    Dpdk(String),
}

/// How an interface is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// By what is faster there.
    Any,
    /// Through AF_PACKET sockets.
    Packet,
    /// Through AF_XDP sockets.
    Xdp,
}

/// How often the frames of a memory port come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replay {
    /// That many times, at least once.
    Times(u64),
    /// Until so much time has passed since the start of the run.
    For(Duration),
}

impl PortSpec {
    /// Whether the port is made of files alone.
    pub fn is_files(&self) -> bool {
        matches!(self, Self::Files { .. })
    }

    /// The capture file that frames come from.
    pub fn input(&self) -> Option<&Path> {
        match self {
            Self::Files { input, .. } | Self::Memory { input, .. } => input.as_deref(),
            _ => None,
        }
    }

    /// The capture file that frames go to.
    pub fn output(&self) -> Option<&Path> {
        match self {
            Self::Files { output, .. } => output.as_deref(),
            _ => None,
        }
    }

    /// Whether what comes in through the port ends by itself.
    pub fn is_finite(&self) -> bool {
        matches!(self, Self::Files { .. } | Self::Memory { .. })
    }
}

impl fmt::Display for PortSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Files { input, output } => {
                let name = |path: &Option<PathBuf>| {
                    path.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
                };
                write!(f, "{}:{}", name(input), name(output))
            }
            Self::Interface(name, Access::Any) => f.write_str(name),
            Self::Interface(name, Access::Packet) => write!(f, "packet:{name}"),
            Self::Interface(name, Access::Xdp) => write!(f, "xdp:{name}"),
            Self::Tap(name) => write!(f, "tap:{name}"),
            Self::Memory { input, replay } => {
                f.write_str("mem:")?;
                if let Some(input) = input {
                    write!(f, "{}", input.display())?;
                    match replay {
                        Replay::Times(1) => {}
                        Replay::Times(times) => write!(f, ",loop={times}")?,
                        Replay::For(time) => write!(f, ",seconds={}", time.as_secs_f64())?,
                    }
                }
                Ok(())
            }
            Self::Dpdk(device) => write!(f, "dpdk:{device}"),
        }
    }
}

/// A port number and what it is attached to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortAssignment {
    /// The number that the dataplane sees.
    pub port: PortId,
    /// What stands behind it.
    pub spec: PortSpec,
}

/// Why a port argument is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError(String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

/// Reads one `N=SPEC` argument.
pub fn parse_port(argument: &str) -> Result<PortAssignment, SpecError> {
    let fail = |problem: String| SpecError(format!("port `{argument}`: {problem}"));
    let Some((number, spec)) = argument.split_once('=') else {
        return Err(fail("expected N=SPEC, for example 0=in.pcap:out.pcap or 0=eth0".into()));
    };
    let port = number
        .parse()
        .map_err(|_| fail(format!("`{number}` is not a port number (0 to {})", PortId::MAX)))?;
    Ok(PortAssignment { port, spec: parse_spec(spec).map_err(fail)? })
}

fn parse_spec(spec: &str) -> Result<PortSpec, String> {
    if spec.is_empty() {
        return Err(
            "expected a file pair, an interface, tap:NAME, mem:FILE or dpdk:DEVICE behind `=`"
                .into(),
        );
    }
    if let Some(name) = spec.strip_prefix("tap:") {
        return interface_name(name).map(PortSpec::Tap);
    }
    for (prefix, access) in [("packet:", Access::Packet), ("xdp:", Access::Xdp)] {
        if let Some(name) = spec.strip_prefix(prefix) {
            return interface_name(name).map(|name| PortSpec::Interface(name, access));
        }
    }
    if let Some(memory) = spec.strip_prefix("mem:") {
        return parse_memory(memory);
    }
    if let Some(device) = spec.strip_prefix("dpdk:") {
        let plain = |c: char| c.is_ascii_graphic();
        if device.is_empty() || device.starts_with([',', '-']) || !device.chars().all(plain) {
            return Err("expected a device behind `dpdk:`, for example dpdk:net_null0".into());
        }
        return Ok(PortSpec::Dpdk(device.into()));
    }
    match spec.split_once(':') {
        Some((_, output)) if output.contains(':') => {
            Err("expected one `:` between the input file and the output file".into())
        }
        Some((input, output)) => {
            let path = |name: &str| (!name.is_empty()).then(|| PathBuf::from(name));
            Ok(PortSpec::Files { input: path(input), output: path(output) })
        }
        None if spec.contains('/') || looks_like_capture(spec) => {
            Err(format!("files are written IN:OUT; to only read this one, say `{spec}:`"))
        }
        None => interface_name(spec).map(|name| PortSpec::Interface(name, Access::Any)),
    }
}

/// Reads what follows `mem:`. Only an ending that looks like an option is one, so that
/// file names may contain commas.
fn parse_memory(text: &str) -> Result<PortSpec, String> {
    let (mut file, mut replay) = (text, Replay::Times(1));
    if let Some((name, option)) = text.rsplit_once(',')
        && let Some((key, value)) = option.split_once('=')
    {
        file = name;
        replay = match key {
            "loop" => match value.parse() {
                Ok(times @ 1..) => Replay::Times(times),
                _ => return Err(format!("`{value}` is not a number of times (1 or more)")),
            },
            "seconds" => match value.parse().map(Duration::try_from_secs_f64) {
                Ok(Ok(time)) if !time.is_zero() => Replay::For(time),
                _ => return Err(format!("`{value}` is not a number of seconds above 0")),
            },
            _ => return Err(format!("`{key}` is not an option of mem: (loop=K, seconds=S)")),
        };
        if name.rsplit_once(',').is_some_and(|(_, option)| option.contains('=')) {
            return Err("one option will do: loop=K or seconds=S".into());
        }
        if name.is_empty() {
            return Err("there is no file whose frames could come again".into());
        }
    }
    Ok(PortSpec::Memory { input: (!file.is_empty()).then(|| PathBuf::from(file)), replay })
}

fn looks_like_capture(name: &str) -> bool {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    [".pcap", ".pcapng", ".cap"].iter().any(|extension| name.ends_with(extension))
}

/// Checks a name by the kernel's rules for device names.
fn interface_name(name: &str) -> Result<String, String> {
    let problem = if name.is_empty() {
        "is empty"
    } else if name.len() > LONGEST_NAME {
        "is longer than 15 bytes"
    } else if name == "." || name == ".." || name.contains(['/', ':', '\0']) {
        "is not a device name"
    } else if name.chars().any(char::is_whitespace) {
        "contains white space"
    } else {
        return Ok(name.into());
    };
    Err(format!("the interface name `{name}` {problem}"))
}

/// Reads all port arguments of a run. Fails on a port number, an interface or an
/// output file that is used twice, and on an output that is also an input.
pub fn parse_ports<S: AsRef<str>>(
    arguments: impl IntoIterator<Item = S>,
) -> Result<Vec<PortAssignment>, SpecError> {
    let mut ports: Vec<PortAssignment> = Vec::new();
    for argument in arguments {
        let argument = argument.as_ref();
        let new = parse_port(argument)?;
        for old in &ports {
            if let Some(problem) = conflict(old, &new) {
                return Err(SpecError(format!("port `{argument}`: {problem}")));
            }
        }
        if let PortSpec::Files { input: Some(input), output: Some(output) } = &new.spec
            && same_file(input, output)
        {
            let problem = "input and output are the same file";
            return Err(SpecError(format!("port `{argument}`: {problem}")));
        }
        ports.push(new);
    }
    Ok(ports)
}

/// Why two ports cannot be in one run.
fn conflict(old: &PortAssignment, new: &PortAssignment) -> Option<String> {
    use PortSpec::{Dpdk, Files, Interface, Memory, Tap};
    if old.port == new.port {
        return Some(format!("port {} is given twice (before: {})", old.port, old.spec));
    }
    match (&old.spec, &new.spec) {
        (Interface(a, _) | Tap(a), Interface(b, _) | Tap(b)) if a == b => {
            Some(format!("interface `{a}` is port {} already", old.port))
        }
        (Dpdk(a), Dpdk(b)) if device_name(a) == device_name(b) => {
            Some(format!("device `{}` is port {} already", device_name(a), old.port))
        }
        (Files { output: Some(output), .. }, Memory { input: Some(input), .. })
            if same_file(output, input) =>
        {
            Some(format!("its input file is the output of port {}", old.port))
        }
        (Memory { input: Some(input), .. }, Files { output: Some(output), .. })
            if same_file(output, input) =>
        {
            Some(format!("its output file is the input of port {}", old.port))
        }
        (Files { input: in_a, output: out_a }, Files { input: in_b, output: out_b }) => {
            let clash = |a: &Option<PathBuf>, b: &Option<PathBuf>| match (a, b) {
                (Some(a), Some(b)) => same_file(a, b),
                _ => false,
            };
            if clash(out_a, out_b) {
                Some(format!("its output file is the output of port {} already", old.port))
            } else if clash(out_a, in_b) {
                Some(format!("its input file is the output of port {}", old.port))
            } else if clash(in_a, out_b) {
                Some(format!("its output file is the input of port {}", old.port))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// A DPDK device without its arguments.
fn device_name(device: &str) -> &str {
    device.split(',').next().unwrap_or(device)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(input: &str, output: &str) -> PortSpec {
        let path = |name: &str| (!name.is_empty()).then(|| PathBuf::from(name));
        PortSpec::Files { input: path(input), output: path(output) }
    }

    #[test]
    fn forms() {
        let spec = |text: &str| parse_port(text).unwrap().spec;
        assert_eq!(spec("0=a.pcap:b.pcap"), files("a.pcap", "b.pcap"));
        assert_eq!(spec("0=a.pcap:"), files("a.pcap", ""));
        assert_eq!(spec("0=:b.pcap"), files("", "b.pcap"));
        assert_eq!(spec("0=:"), files("", ""));
        let interface = |name: &str, access| PortSpec::Interface(name.into(), access);
        assert_eq!(spec("0=eth0"), interface("eth0", Access::Any));
        assert_eq!(spec("0=packet:eth0"), interface("eth0", Access::Packet));
        assert_eq!(spec("0=xdp:eth0"), interface("eth0", Access::Xdp));
        assert_eq!(spec("0=tap:t0"), PortSpec::Tap("t0".into()));
        assert_eq!(spec("0=./tap:x"), files("./tap", "x"));
        assert_eq!(spec("0=./mem:x"), files("./mem", "x"));
        assert_eq!(spec("0=memory"), interface("memory", Access::Any));
        let memory = |input: &str, replay| PortSpec::Memory { input: Some(input.into()), replay };
        assert_eq!(spec("0=mem:a.pcap"), memory("a.pcap", Replay::Times(1)));
        assert_eq!(spec("0=mem:a,b:c.pcap"), memory("a,b:c.pcap", Replay::Times(1)));
        assert_eq!(spec("0=mem:a.pcap,loop=7"), memory("a.pcap", Replay::Times(7)));
        let time = Replay::For(Duration::from_millis(1500));
        assert_eq!(spec("0=mem:a.pcap,seconds=1.5"), memory("a.pcap", time));
        let nothing = PortSpec::Memory { input: None, replay: Replay::Times(1) };
        assert_eq!(spec("0=mem:"), nothing);
        let device = "net_pcap0,rx_pcap=a.pcap,tx_pcap=b.pcap";
        assert_eq!(spec(&format!("0=dpdk:{device}")), PortSpec::Dpdk(device.into()));
        assert_eq!(spec("0=a=b:c"), files("a=b", "c"));
        assert_eq!(parse_port("511=eth0").unwrap().port, 511);
        for text in [
            "a.pcap:b.pcap",
            "eth0",
            "packet:eth0",
            "xdp:eth0",
            "tap:t0",
            ":",
            "mem:",
            "mem:a",
            "mem:a,loop=2",
            "mem:a,seconds=0.5",
            "dpdk:0000:01:00.0",
        ] {
            assert_eq!(spec(&format!("1={text}")).to_string(), text);
        }
    }

    #[test]
    fn rejected() {
        for (argument, expected) in [
            ("eth0", "expected N=SPEC"),
            ("x=eth0", "`x` is not a port number"),
            ("-1=eth0", "`-1` is not a port number"),
            ("=eth0", "`` is not a port number"),
            ("4294967296=eth0", "is not a port number"),
            ("0=", "expected a file pair"),
            ("0=a:b:c", "expected one `:`"),
            ("0=in.pcap", "say `in.pcap:`"),
            ("0=in.pcapng.gz", "say `in.pcapng.gz:`"),
            ("0=dir/file", "say `dir/file:`"),
            ("0=tap:", "the interface name `` is empty"),
            ("0=tap:a/b", "not a device name"),
            ("0=a_name_too_long_for_linux", "longer than 15 bytes"),
            ("0=my if", "white space"),
            ("0=xdp:", "the interface name `` is empty"),
            ("0=dpdk:", "expected a device"),
            ("0=dpdk:--huge-dir=x", "expected a device"),
            ("0=mem:a,loop=0", "`0` is not a number of times"),
            ("0=mem:a,loop=x", "`x` is not a number of times"),
            ("0=mem:a,seconds=-1", "`-1` is not a number of seconds"),
            ("0=mem:a,seconds=NaN", "`NaN` is not a number of seconds"),
            ("0=mem:a,times=2", "`times` is not an option of mem:"),
            ("0=mem:a,loop=2,seconds=1", "one option will do"),
            ("0=mem:,loop=2", "there is no file"),
        ] {
            let message = parse_port(argument).unwrap_err().to_string();
            assert!(message.contains(expected), "{argument}: {message}");
            assert!(message.contains(argument), "{argument}: {message}");
        }
    }

    #[test]
    fn sets() {
        let fails = |arguments: &[&str]| parse_ports(arguments).unwrap_err().to_string();
        assert!(fails(&["1=a:b", "2=eth0", "1=eth1"]).contains("port 1 is given twice"));
        assert!(fails(&["1=eth0", "2=eth0"]).contains("`eth0` is port 1 already"));
        assert!(fails(&["1=a:o", "2=b:o"]).contains("output of port 1 already"));
        assert!(fails(&["1=a:o", "2=b:./o"]).contains("output of port 1 already"));
        assert!(fails(&["1=a:b", "2=b:c"]).contains("input file is the output of port 1"));
        assert!(fails(&["1=a:b", "2=c:a"]).contains("output file is the input of port 1"));
        assert!(fails(&["1=a:a"]).contains("the same file"));
        assert!(fails(&["1=eth0", "2=xdp:eth0"]).contains("`eth0` is port 1 already"));
        assert!(fails(&["1=:a", "2=mem:a,loop=2"]).contains("input file is the output of port 1"));
        assert!(fails(&["1=mem:a", "2=:a"]).contains("output file is the input of port 1"));
        let null = ["1=dpdk:net_null0", "2=dpdk:net_null0,size=60"];
        assert!(fails(&null).contains("device `net_null0` is port 1 already"));
        // One input may feed several ports, and all may write to nowhere.
        let both = ["1=a:/dev/null", "2=a:/dev/null", "3=:", "4=:"];
        assert_eq!(parse_ports(both).unwrap().len(), 4);
    }
}
