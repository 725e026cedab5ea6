//! The port arguments of the command line: `N=SPEC`.
//!
//! | SPEC | meaning |
//! |---|---|
//! | `in.pcap:out.pcap` | frames come from one capture file and go to another; either side may be empty |
//! | `NAME` | the Linux interface of that name |
//! | `tap:NAME` | the TAP device of that name, created if it does not exist |
//!
//! A file whose name looks like one of the prefixes is written with its folder
//! (`./tap:x` reads the file `tap` and writes `x`).

use std::fmt;
use std::path::{Path, PathBuf};
use ww_engine::dataplane::PortId;

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
    Interface(String),
    /// A TAP device by name.
    Tap(String),
}

impl PortSpec {
    /// Whether the port is made of files alone.
    pub fn is_files(&self) -> bool {
        matches!(self, Self::Files { .. })
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
            Self::Interface(name) => f.write_str(name),
            Self::Tap(name) => write!(f, "tap:{name}"),
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
        return Err("expected a file pair, an interface or tap:NAME behind `=`".into());
    }
    if let Some(name) = spec.strip_prefix("tap:") {
        return interface_name(name).map(PortSpec::Tap);
    }
    for prefix in ["dpdk", "mem"] {
        if spec.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(':')) {
            return Err(format!("{prefix}: ports are not built into this program"));
        }
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
        None => interface_name(spec).map(PortSpec::Interface),
    }
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
    use PortSpec::{Files, Interface, Tap};
    if old.port == new.port {
        return Some(format!("port {} is given twice (before: {})", old.port, old.spec));
    }
    match (&old.spec, &new.spec) {
        (Interface(a) | Tap(a), Interface(b) | Tap(b)) if a == b => {
            Some(format!("interface `{a}` is port {} already", old.port))
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

/// Whether two paths name one file whose content matters (so not `/dev/null`).
fn same_file(a: &Path, b: &Path) -> bool {
    let (a, b) = (resolved(a), resolved(b));
    a == b && !a.starts_with("/dev")
}

/// The path without links and detours. A file that does not exist yet keeps its name in its folder.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        match (folder.unwrap_or(Path::new(".")).canonicalize(), path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path.to_path_buf(),
        }
    })
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
        assert_eq!(spec("0=eth0"), PortSpec::Interface("eth0".into()));
        assert_eq!(spec("0=tap:t0"), PortSpec::Tap("t0".into()));
        assert_eq!(spec("0=./tap:x"), files("./tap", "x"));
        assert_eq!(spec("0=./mem:x"), files("./mem", "x"));
        assert_eq!(spec("0=memory"), PortSpec::Interface("memory".into()));
        assert_eq!(spec("0=a=b:c"), files("a=b", "c"));
        assert_eq!(parse_port("511=eth0").unwrap().port, 511);
        for text in ["a.pcap:b.pcap", "eth0", "tap:t0", ":"] {
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
            ("0=dpdk:0000:01:00.0", "dpdk: ports are not built into"),
            ("0=mem:1", "mem: ports are not built into"),
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
        // One input may feed several ports, and all may write to nowhere.
        let both = ["1=a:/dev/null", "2=a:/dev/null", "3=:", "4=:"];
        assert_eq!(parse_ports(both).unwrap().len(), 4);
    }
}
