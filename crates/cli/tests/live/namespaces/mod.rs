//! Hosts and what is between them, set up and removed by a script with the verbs `up` and `down`, as
//! examples/router/netns.sh.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use ww_netns::testing;

/// Namespaces with names of their own, removed when dropped.
pub struct Namespaces {
    script: String,
    prefix: String,
    folder: PathBuf,
}

/// A process that is killed if it is still there when dropped.
pub struct Process(Option<Child>);

impl Process {
    /// Sends SIGINT, as Ctrl-C does, and waits for the end.
    pub fn interrupt(mut self) -> Output {
        let child = self.0.take().expect("it runs");
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
        child.wait_with_output().expect("its output")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Why a command cannot be used here; `None` if it can.
fn problem(command: &mut Command) -> Option<String> {
    match command.output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Some(format!("{:?}: {error}", command.get_program())),
    }
}

impl Namespaces {
    /// Sets the namespaces of a test up; where that cannot be, says why and returns `None`.
    pub fn new(test: &str, script: &str) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        sweep();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("ww-test-{}-{number}", std::process::id());
        if !testing::available(test)
            || !testing::has(test, "ping", &["-V"])
            || !testing::has(test, "python3", &["-V"])
        {
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&prefix);
        std::fs::create_dir_all(&folder).expect("a folder");
        let names = Self { script: script.to_owned(), prefix, folder };
        let problem = problem(&mut command("sh", &[script, "up", &names.prefix]));
        assert_eq!(problem, None, "netns.sh up");
        Some(names)
    }

    /// A command inside a namespace.
    pub fn command(&self, host: &str, program: &str) -> Command {
        command("ip", &["netns", "exec", &format!("{}-{host}", self.prefix), program])
    }

    /// Starts a command that ends with this test at the latest.
    pub fn spawn(&self, command: &mut Command) -> Process {
        Process(Some(command.spawn().expect("it starts")))
    }

    /// Whether all requests were answered.
    pub fn ping(&self, host: &str, address: &str, options: &[&str]) -> bool {
        let mut ping = self.command(host, "ping");
        ping.args(options).arg(address).stdout(Stdio::null());
        ping.status().expect("ping runs").success()
    }

    /// `client` fetches `length` bytes from `server` over HTTP, which must arrive unchanged.
    /// Returns what the sniffer saw of the first `sniffed` packets that reached the client.
    pub fn transfer(
        &self,
        client: &str,
        server: &str,
        address: &str,
        length: usize,
        sniffed: usize,
    ) -> Value {
        let data: Vec<u8> = noise(length);
        let folder = self.folder.join(server);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("data"), &data).expect("a file");
        let mut http = self.command(server, "python3");
        http.args(["-m", "http.server", "8000", "--directory"]).arg(&folder);
        let _server = self.spawn(http.stdout(Stdio::null()).stderr(Stdio::null()));

        let mut sniffer = self.command(client, "python3");
        sniffer.args(["-c", include_str!("sniff.py"), &sniffed.to_string()]);
        let mut sniffer = self.spawn(sniffer.stdout(Stdio::piped()));
        let output = sniffer.0.as_mut().and_then(|child| child.stdout.take());
        let mut output = BufReader::new(output.expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");

        let copy = self.folder.join(format!("copy-{client}"));
        let url = format!("http://{address}:8000/data");
        let fetch = "import sys, urllib.request as r; \
                     open(sys.argv[2], 'wb').write(r.urlopen(sys.argv[1], timeout=60).read())";
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let mut fetcher = self.command(client, "python3");
            fetcher.args(["-c", fetch, &url]).arg(&copy);
            match problem(&mut fetcher) {
                None => break,
                // The server may not listen yet.
                Some(problem) if problem.contains("refused") && Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(100));
                }
                Some(problem) => panic!("{url}: {problem}"),
            }
        }
        assert!(std::fs::read(&copy).expect("the copy") == data, "{url} arrived damaged");
        let mut report = String::new();
        output.read_to_string(&mut report).expect("a report");
        serde_json::from_str(&report).expect("JSON")
    }

    /// Packets that the kernel of a host refused because of a checksum (`/proc/net/snmp`).
    pub fn checksum_errors(&self, host: &str) -> u64 {
        let output = self.command(host, "cat").arg("/proc/net/snmp").output().expect("cat runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        let mut sum = 0;
        for pair in lines.chunks(2) {
            let [names, values] = pair else { continue };
            for (name, value) in names.iter().zip(values) {
                if matches!(*name, "InCsumErrors" | "InHdrErrors") {
                    sum += value.parse::<u64>().expect("a number");
                }
            }
        }
        assert!(text.contains("InCsumErrors"), "{text}");
        sum
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        let _ = command("sh", &[&self.script, "down", &self.prefix]).status();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Removes what test processes left behind that were killed.
fn sweep() {
    let Ok(list) = std::fs::read_dir("/run/netns") else { return };
    for entry in list.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(process) = name.strip_prefix("ww-test-").and_then(|r| r.split('-').next()) else {
            continue;
        };
        if !Path::new("/proc").join(process).exists() {
            let _ = command("ip", &["netns", "del", &name]).status();
        }
    }
}

/// Bytes that neither repeat nor compress.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}
