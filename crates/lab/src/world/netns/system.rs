//! Namespaces and interfaces of a run, a record of them, and their removal.
//!
//! Nothing outside the namespaces that are made here is changed: both ends of every pair of interfaces are made inside
//! of them, and go with them. The record is there before the first namespace, so that what a killed run leaves behind
//! can be found and removed.

use super::calibration;
use super::clock::monotonic;
use super::element;
use super::shim;
use super::switch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use ww_sim::network::{Network, NodeId, NodeKind};

/// Where records are, and the files of runs while they run.
pub const FOLDER: &str = "/run/wirewright/labs";
/// Where named namespaces are.
const NAMESPACES: &str = "/run/netns";
/// Names of namespaces begin with this.
const PREFIX: &str = "wwl-";

/// What was made for a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The process that runs the lab.
    pub pid: u32,
    /// When it was started, in ticks after boot: numbers of processes are used again.
    pub started: u64,
    /// All of its namespaces.
    pub namespaces: Vec<String>,
    /// Its files.
    pub folder: PathBuf,
}

/// How hosts reach others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostSettings {
    /// Segments that a connection may begin with.
    pub initial_window: Option<u32>,
    /// Least retransmission timeout, ms.
    pub minimum_timeout: Option<u64>,
    /// Explicit congestion notification.
    pub ecn: bool,
    /// Selective acknowledgements.
    pub no_sack: bool,
    /// Losses are found by counting duplicates only, and tails by the timer.
    pub no_rack: bool,
    /// A window stays what it was over an idle time.
    pub no_restart: bool,
    /// Bytes of an IP packet, at most.
    pub mtu: u32,
}

/// Namespaces and interfaces, removed when dropped.
#[derive(Debug)]
pub struct System {
    id: String,
    file: PathBuf,
    record: Record,
}

static RUNS: AtomicU32 = AtomicU32::new(0);

/// Whether namespaces can be made here; if not, why.
///
/// # Errors
/// A sentence.
pub fn available() -> Result<(), String> {
    // SAFETY: the call has no arguments.
    if unsafe { libc::geteuid() } != 0 {
        return Err(
            "world netns makes network namespaces, which needs root: run it with sudo".into()
        );
    }
    match Command::new("ip").arg("-V").stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) | Err(_) => {
            Err("world netns needs the command ip (Debian's package iproute2)".into())
        }
    }
}

impl System {
    /// Makes what a network needs. Between the stacks of `shimmed` hosts and their links there is room for a shim.
    ///
    /// # Errors
    /// What cannot be made; nothing is left of it.
    pub fn make(
        network: &Network,
        settings: &HostSettings,
        shimmed: &BTreeSet<NodeId>,
    ) -> Result<Self, String> {
        available()?;
        let pid = std::process::id();
        let id = format!("{pid}-{}", RUNS.fetch_add(1, Ordering::Relaxed));
        let wrong = |error: std::io::Error| format!("cannot write to '{FOLDER}': {error}");
        let folder = Path::new(FOLDER).join(&id);
        fs::create_dir_all(&folder).map_err(wrong)?;
        let mut namespaces: Vec<String> =
            network.nodes.iter().map(|node| format!("{PREFIX}{id}-{}", node.name)).collect();
        namespaces.push(format!("{PREFIX}{id}.links"));
        let record = Record { pid, started: process_start(pid).unwrap_or(0), namespaces, folder };
        let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
        let file = Path::new(FOLDER).join(format!("{id}.json"));
        fs::write(&file, text).map_err(wrong)?;
        let system = Self { id, file, record };
        system.build(network, settings, shimmed)?;
        Ok(system)
    }

    /// The run's own folder, which goes with it.
    pub fn folder(&self) -> &Path {
        &self.record.folder
    }

    /// The namespace of a node.
    pub fn namespace(&self, node: NodeId) -> &str {
        &self.record.namespaces[node as usize]
    }

    /// The namespace of the element.
    pub fn links(&self) -> &str {
        self.record.namespaces.last().map_or("", String::as_str)
    }

    /// What the run is called.
    pub fn id(&self) -> &str {
        &self.id
    }

    fn build(
        &self,
        network: &Network,
        settings: &HostSettings,
        shimmed: &BTreeSet<NodeId>,
    ) -> Result<(), String> {
        let adds = self.record.namespaces.iter().map(|name| format!("netns add {name}\n"));
        batch(None, &adds.collect::<String>())?;
        for (place, name) in self.record.namespaces.iter().enumerate() {
            let host = network.host(place as NodeId).is_some();
            within(name, || prepare(host.then_some(settings)))
                .map_err(|error| format!("{name}: {error}"))?;
        }
        let links = self.links();
        let mut pairs = String::new();
        let mut ups = String::new();
        let mtu = settings.mtu;
        for (number, link) in (0u32..).zip(&network.links) {
            for (side, end) in (0..).zip(link.ends) {
                let own = element::interface(2 * number + side);
                let there = self.namespace(end.node);
                let (name, address) = match &network.nodes[end.node as usize].kind {
                    // Its address is another one than the host's, so that the kernel leaves frames to the shim.
                    NodeKind::Host(_) if shimmed.contains(&end.node) => {
                        (shim::WIRE_INTERFACE.to_owned(), String::new())
                    }
                    NodeKind::Host(host) => {
                        (shim::STACK_INTERFACE.to_owned(), format!(" address {}", mac(host.mac)))
                    }
                    _ => (switch::interface(end.port), String::new()),
                };
                pairs.push_str(&format!(
                    "link add name {own} netns {links} mtu {mtu} type veth peer name {name} netns {there} mtu {mtu}{address}\n"
                ));
                ups.push_str(&format!("link set dev {own} up\n"));
            }
        }
        let [first, second] = calibration::ENDS;
        pairs.push_str(&format!(
            "link add name {first} netns {links} type veth peer name {second} netns {links}\n"
        ));
        ups.push_str(&format!("link set dev {first} up\nlink set dev {second} up\n"));
        batch(None, &pairs)?;
        batch(Some(links), &ups)?;
        let hosts: Vec<_> = network.hosts().collect();
        for (id, node) in (0..).zip(&network.nodes) {
            let mut lines = String::from("link set dev lo up\n");
            let ends = network.links.iter().flat_map(|link| link.ends).filter(|end| end.node == id);
            match &node.kind {
                NodeKind::Host(own) => {
                    if shimmed.contains(&id) {
                        let (wire, mac) = (shim::WIRE_INTERFACE, mac(own.mac));
                        lines.push_str(&format!(
                            "tuntap add dev eth0 mode tap vnet_hdr\nlink set dev eth0 mtu {mtu} address {mac}\n\
                             link set dev {wire} arp off up\n"
                        ));
                    }
                    lines.push_str("link set dev eth0 up\n");
                    lines.push_str(&format!("addr add {}/32 dev eth0\n", own.ip));
                    lines.push_str(&format!("route add default dev eth0 src {}", own.ip));
                    if let Some(window) = settings.initial_window {
                        lines.push_str(&format!(" initcwnd {window}"));
                    }
                    if let Some(timeout) = settings.minimum_timeout {
                        lines.push_str(&format!(" rto_min {timeout}ms"));
                    }
                    lines.push('\n');
                    for (_, other) in hosts.iter().filter(|(other, _)| *other != id) {
                        let address = mac(own.gateway.unwrap_or(other.mac));
                        let line = format!(
                            "neigh replace {} lladdr {address} dev eth0 nud permanent\n",
                            other.ip
                        );
                        lines.push_str(&line);
                    }
                }
                _ => ends.for_each(|end| {
                    lines.push_str(&format!("link set dev {} up\n", switch::interface(end.port)));
                }),
            }
            batch(Some(self.namespace(id)), &lines)?;
        }
        Ok(())
    }

    /// Starts a process in a namespace, in a group of its own, so that Ctrl-C reaches it only through us. With a `priority`
    /// it runs before ordinary processes (SCHED_FIFO), where that is permitted.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn spawn(
        &self,
        namespace: &str,
        priority: Option<i32>,
        command: &mut Command,
    ) -> Result<Child, String> {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
        // A child inherits both from the thread that starts it.
        within(namespace, || {
            if let Some(sched_priority) = priority {
                let parameters = libc::sched_param { sched_priority };
                // SAFETY: the pointer is to the parameters. Without the permission it stays as it was.
                unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &parameters) };
            }
            command.spawn()
        })
        .map_err(|error| format!("cannot start {:?}: {error}", command.get_program()))
    }
}

impl Drop for System {
    fn drop(&mut self) {
        // What could not be removed stays in its record, for `ww lab clean`.
        if remove(&self.record).is_ok() {
            let _ = fs::remove_file(&self.file);
        }
    }
}

fn mac(bytes: [u8; 6]) -> String {
    let words: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    words.join(":")
}

/// Settings of the kernel in a namespace: no IPv6, and TCP as the lab wants it.
fn prepare(host: Option<&HostSettings>) -> std::io::Result<()> {
    let root = Path::new("/proc/sys/net");
    for which in ["all", "default"] {
        let file = root.join(format!("ipv6/conf/{which}/disable_ipv6"));
        if file.exists() {
            fs::write(file, "1")?;
        }
    }
    let Some(host) = host else { return Ok(()) };
    let truth = |value: bool| if value { "1" } else { "0" };
    for (name, value) in [
        ("tcp_ecn", truth(host.ecn)),
        ("tcp_sack", truth(!host.no_sack)),
        // RACK as loss detection; tail loss probes (ip-sysctl of the kernel: 1 and 3 are what it has by itself).
        ("tcp_recovery", truth(!host.no_rack)),
        ("tcp_early_retrans", if host.no_rack { "0" } else { "3" }),
        ("tcp_slow_start_after_idle", truth(!host.no_restart)),
        // Each connection finds out for itself.
        ("tcp_no_metrics_save", "1"),
    ] {
        fs::write(root.join("ipv4").join(name), value)?;
    }
    Ok(())
}

/// Does something on a thread inside a namespace.
fn within<T: Send>(
    namespace: &str,
    work: impl FnOnce() -> std::io::Result<T> + Send,
) -> std::io::Result<T> {
    use std::os::fd::AsRawFd;
    let file = fs::File::open(Path::new(NAMESPACES).join(namespace))?;
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            // SAFETY: the descriptor is open; the namespace is this thread's alone, which ends soon.
            if unsafe { libc::setns(file.as_raw_fd(), libc::CLONE_NEWNET) } != 0 {
                return Err(std::io::Error::last_os_error());
            }
            work()
        });
        thread.join().unwrap_or_else(|_| Err(std::io::Error::other("a thread has failed")))
    })
}

/// Gives `ip` several commands, a line each.
fn batch(namespace: Option<&str>, lines: &str) -> Result<(), String> {
    let mut command = Command::new("ip");
    if let Some(name) = namespace {
        command.args(["-n", name]);
    }
    command
        .args(["-batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut run = || -> std::io::Result<std::process::Output> {
        let mut child = command.spawn()?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(lines.as_bytes())?;
        }
        child.wait_with_output()
    };
    let output = run().map_err(|error| format!("cannot run ip: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    // `Command failed -:3`: the line says more.
    let number = text.rsplit(':').next().and_then(|number| number.trim().parse::<usize>().ok());
    let line =
        number.and_then(|number| lines.lines().nth(number.checked_sub(1)?)).unwrap_or_default();
    Err(format!("ip {line}: {text}"))
}

/// When a process was started (proc(5), field 22 of stat); `None` if there is none.
fn process_start(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in brackets, may have spaces.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    // A process that has ended and waits to be asked for is none.
    if matches!(fields.next(), Some("Z" | "X")) {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

/// Whether a namespace of this name may have been made here.
fn is_ours(name: &str) -> bool {
    let rest = name.strip_prefix(PREFIX);
    rest.is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit()) && !rest.contains(['/', ' ', '\n'])
    })
}

/// Whether a folder may have been made here.
fn is_folder_of_a_run(folder: &Path) -> bool {
    folder.parent() == Some(Path::new(FOLDER)) && folder.file_name().is_some()
}

/// Kills what runs in the namespaces of a record, and removes them.
fn remove(record: &Record) -> Result<(), String> {
    let there: Vec<&String> = record
        .namespaces
        .iter()
        .filter(|name| is_ours(name))
        .filter(|name| Path::new(NAMESPACES).join(name).exists())
        .collect();
    let deadline = monotonic() + 5_000_000_000;
    for name in &there {
        loop {
            let pids =
                Command::new("ip").args(["netns", "pids", name]).stdin(Stdio::null()).output();
            let text = pids.map(|output| output.stdout).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let pids: Vec<i32> =
                text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
            if pids.is_empty() || monotonic() > deadline {
                break;
            }
            for pid in pids.into_iter().filter(|pid| *pid > 1) {
                // SAFETY: the call has no pointers; the process is in a namespace that we have made.
                unsafe { libc::kill(pid, libc::SIGKILL) };
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    if !there.is_empty() {
        let lines: String = there.iter().map(|name| format!("netns del {name}\n")).collect();
        batch(None, &lines)?;
    }
    if is_folder_of_a_run(&record.folder) && record.folder.is_dir() {
        fs::remove_dir_all(&record.folder).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Removes what runs have left behind whose processes are there no more. Returns the names of the namespaces.
///
/// # Errors
/// What could not be removed.
pub fn clean() -> Result<Vec<String>, String> {
    let Ok(entries) = fs::read_dir(FOLDER) else { return Ok(Vec::new()) };
    let mut removed = Vec::new();
    let mut problems = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        let record: Record = match serde_json::from_str(&text) {
            Ok(record) => record,
            Err(error) => {
                problems.push(format!("'{}' is not a record of a lab: {error}", path.display()));
                continue;
            }
        };
        if process_start(record.pid).is_some_and(|started| started == record.started) {
            continue;
        }
        available()?;
        let there = |name: &&String| Path::new(NAMESPACES).join(name).exists();
        let names: Vec<String> = record.namespaces.iter().filter(there).cloned().collect();
        match remove(&record) {
            Ok(()) => {
                let _ = fs::remove_file(&path);
                removed.extend(names);
            }
            Err(error) => problems.push(error),
        }
    }
    match problems.is_empty() {
        true => Ok(removed),
        false => Err(problems.join("\n")),
    }
}

/// The address of a host by its name, for commands: `{h1.ip}`, `{h1.mac}`.
pub fn expand(word: &str, network: &Network) -> String {
    let mut text = word.to_owned();
    for (id, host) in network.hosts() {
        let name = &network.nodes[id as usize].name;
        for (field, value) in [("ip", Ipv4Addr::to_string(&host.ip)), ("mac", mac(host.mac))] {
            text = text.replace(&format!("{{{name}.{field}}}"), &value);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_told_apart() {
        let own = process_start(std::process::id()).expect("it runs");
        assert!(own > 0);
        let mut child = Command::new("true").spawn().expect("it starts");
        let number = child.id();
        // It has ended, whether or not somebody has asked for its status.
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(process_start(number), None);
        child.wait().expect("its status");
        assert_eq!(process_start(number), None);
    }

    #[test]
    fn addresses_in_commands() {
        let network = ww_sim::topology::star(
            2,
            Default::default(),
            ww_sim::network::Direction {
                rate: 1_000_000,
                delay: 0,
                jitter: 0,
                overhead: 24,
                limits: ww_sim::line::Limits { bytes: 1, mark: None },
                loss: 0.0,
                corruption: 0.0,
                phy: ww_sim::network::Phy::Bytes,
            },
        );
        assert_eq!(expand("tcp://{h1.ip}:80", &network), "tcp://10.0.0.2:80");
        assert_eq!(
            expand("{h0.mac} {h2.ip} {s0.ip}", &network),
            "02:00:0a:00:00:01 {h2.ip} {s0.ip}"
        );
    }

    /// Only what has our prefix is removed, whatever a record says.
    #[test]
    fn records_name_only_our_own() {
        let names = [
            "wwl-1-0-h0",
            "wwl-1-0.links",
            "other",
            "../wwl-1",
            "wwl-/../other",
            "wwl-",
            "x wwl-1",
        ];
        let ours: Vec<_> = names.into_iter().filter(|name| is_ours(name)).collect();
        assert_eq!(ours, names[..2]);
        assert!(is_folder_of_a_run(Path::new("/run/wirewright/labs/1-0")));
        for other in
            ["/run/wirewright", "/run/wirewright/labs", "/run/wirewright/labs/..", "/etc/x"]
        {
            assert!(!is_folder_of_a_run(Path::new(other)), "{other}");
        }
    }
}
