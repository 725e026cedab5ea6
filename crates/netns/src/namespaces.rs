//! The namespaces of a run, a record of them, and their removal.
//!
//! Nothing outside the namespaces that are made here is changed: both ends of every pair of interfaces are made inside
//! of them, and go with them.

use crate::command::batch;
use crate::{FOLDER, available};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Processes in a namespace that is to be removed get so long to end once they are killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Who makes namespaces: labs, tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Names of its namespaces begin with this, and no other owner's do.
    pub prefix: &'static str,
    /// Where its records are, and the files of runs while they run.
    pub folder: &'static str,
}

/// What was made for a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The process of the run.
    pub pid: u32,
    /// When it was started, in ticks after boot: numbers of processes are used again.
    pub started: u64,
    /// All of its namespaces.
    pub namespaces: Vec<String>,
    /// Its files.
    pub folder: PathBuf,
}

/// Namespaces of a run, with whatever is in them: removed when dropped.
#[derive(Debug)]
pub struct Namespaces {
    owner: Owner,
    id: String,
    file: PathBuf,
    record: Record,
}

static RUNS: AtomicU32 = AtomicU32::new(0);

impl Namespaces {
    /// Makes empty namespaces, called by the owner's prefix, the run's [`id`](Self::id) and these ends of names.
    ///
    /// # Errors
    /// What cannot be made; nothing is left of it.
    pub fn make(owner: &Owner, ends: &[impl AsRef<str>]) -> Result<Self, String> {
        available()?;
        let pid = std::process::id();
        let id = format!("{pid}-{}", RUNS.fetch_add(1, Ordering::Relaxed));
        let wrong = |error: std::io::Error| format!("cannot write to '{}': {error}", owner.folder);
        let folder = Path::new(owner.folder).join(&id);
        fs::create_dir_all(&folder).map_err(wrong)?;
        let name = |end: &_| format!("{}{id}{}", owner.prefix, AsRef::<str>::as_ref(end));
        let namespaces: Vec<String> = ends.iter().map(name).collect();
        let adds: String = namespaces.iter().map(|name| format!("netns add {name}\n")).collect();
        let record = Record { pid, started: process_start(pid).unwrap_or(0), namespaces, folder };
        let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
        let file = Path::new(owner.folder).join(format!("{id}.json"));
        fs::write(&file, text).map_err(wrong)?;
        let made = Self { owner: *owner, id, file, record };
        batch(&adds)?;
        Ok(made)
    }

    /// What the run is called: no other process has a run of this name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The run's own folder, which goes with it.
    pub fn folder(&self) -> &Path {
        &self.record.folder
    }

    /// All namespaces, in the order in which they were named.
    pub fn all(&self) -> &[String] {
        &self.record.namespaces
    }

    /// The namespace whose name has this end.
    ///
    /// # Panics
    /// None was made.
    pub fn name(&self, end: &str) -> &str {
        let begin = self.owner.prefix.len() + self.id.len();
        let mut all = self.record.namespaces.iter();
        let found = all.find(|name| name.get(begin..) == Some(end));
        found.unwrap_or_else(|| panic!("no namespace '{end}' was made"))
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        // What could not be removed stays in its record, for `clean`.
        if remove(&self.owner, &self.record).is_ok() {
            let _ = fs::remove_file(&self.file);
        }
    }
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

impl Owner {
    /// Whether a namespace of this name may have been made by this owner.
    fn made(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.prefix);
        rest.is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit()) && !rest.contains(['/', ' ', '\n'])
        })
    }

    /// Whether a folder may be that of a run.
    fn has_run(&self, folder: &Path) -> bool {
        folder.parent() == Some(Path::new(self.folder)) && folder.file_name().is_some()
    }
}

/// Kills what runs in the namespaces of a record, and removes them.
fn remove(owner: &Owner, record: &Record) -> Result<(), String> {
    let there: Vec<&String> = record
        .namespaces
        .iter()
        .filter(|name| owner.made(name))
        .filter(|name| Path::new(FOLDER).join(name).exists())
        .collect();
    let deadline = Instant::now() + PATIENCE;
    for name in &there {
        loop {
            let pids =
                Command::new("ip").args(["netns", "pids", name]).stdin(Stdio::null()).output();
            let text = pids.map(|output| output.stdout).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let own = std::process::id() as i32;
            let pids = text.split_whitespace().filter_map(|pid| pid.parse().ok());
            let pids: Vec<i32> = pids.filter(|pid| *pid > 1 && *pid != own).collect();
            if pids.is_empty() || Instant::now() > deadline {
                break;
            }
            for pid in pids {
                // SAFETY: the call has no pointers; the process is in a namespace that we have made.
                unsafe { libc::kill(pid, libc::SIGKILL) };
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    if !there.is_empty() {
        let lines: String = there.iter().map(|name| format!("netns del {name}\n")).collect();
        batch(&lines)?;
    }
    if owner.has_run(&record.folder) && record.folder.is_dir() {
        fs::remove_dir_all(&record.folder).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Removes what an owner's runs have left behind whose processes are there no more. Returns the names of the namespaces.
///
/// # Errors
/// What could not be removed.
pub fn clean(owner: &Owner) -> Result<Vec<String>, String> {
    let Ok(entries) = fs::read_dir(owner.folder) else { return Ok(Vec::new()) };
    let mut removed = Vec::new();
    let mut problems = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        // Its own process may have removed it by now.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let record: Record = match serde_json::from_str(&text) {
            Ok(record) => record,
            Err(error) => {
                problems.push(format!("'{}' is no record of a run: {error}", path.display()));
                continue;
            }
        };
        if process_start(record.pid).is_some_and(|started| started == record.started) {
            continue;
        }
        available()?;
        let there = |name: &&String| Path::new(FOLDER).join(name).exists();
        let names: Vec<String> = record.namespaces.iter().filter(there).cloned().collect();
        match remove(owner, &record) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ip, link, output, sysctl, testing, within};

    const OWNER: Owner = Owner { prefix: "wwtn-", folder: "/run/wirewright/netns-tests" };

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

    /// Only what has the owner's prefix is removed, whatever a record says.
    #[test]
    fn records_name_only_their_owners_own() {
        let names = [
            "wwtn-1-0-h0",
            "wwtn-1-0.links",
            "other",
            "../wwtn-1",
            "wwtn-/../other",
            "wwtn-",
            "x wwtn-1",
        ];
        let ours: Vec<_> = names.into_iter().filter(|name| OWNER.made(name)).collect();
        assert_eq!(ours, names[..2]);
        assert!(OWNER.has_run(&Path::new(OWNER.folder).join("1-0")));
        for other in ["/run/wirewright", OWNER.folder, "/etc/x"] {
            assert!(!OWNER.has_run(Path::new(other)), "{other}");
        }
        assert!(!OWNER.has_run(&Path::new(OWNER.folder).join("..")));
    }

    /// Two hosts, a link and a process; after a panic nothing of it is left.
    #[test]
    fn all_is_removed_after_a_panic() {
        if !testing::available("netns::all_is_removed_after_a_panic") {
            return;
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        let run = std::thread::spawn(move || {
            let made = Namespaces::make(&OWNER, &["-a", "-b"]).expect("two namespaces");
            let (a, b) = (made.name("-a"), made.name("-b"));
            link(a, "eth0", b, "eth1").expect("a link");
            ip(a, "link set dev lo up\naddr add 10.0.0.1/24 dev eth0\n").expect("an address");
            assert!(output(a, "-br addr show eth0").expect("it is there").contains("10.0.0.1/24"));
            let error = ip(b, "link set dev eth1 up\nlink set dev eth9 up\n").expect_err("no eth9");
            assert!(error.contains("ip link set dev eth9 up: "), "{error}");
            sysctl(b, "net.ipv4.tcp_ecn", "1").expect("a setting");
            let read = within(b, || fs::read_to_string("/proc/sys/net/ipv4/tcp_ecn"));
            assert_eq!(read.expect("it is there"), "1\n");
            let child = crate::spawn(a, None, Command::new("sleep").arg("100")).expect("it runs");
            sender.send((made.all().to_vec(), made.file.clone(), child)).expect("a receiver");
            panic!("planted");
        });
        let (names, file, mut child) = receiver.recv().expect("it was made");
        assert!(run.join().is_err());
        assert!(names.iter().all(|name| !Path::new(FOLDER).join(name).exists()), "{names:?}");
        assert!(!file.exists() && !child.wait().expect("it was killed").success());
    }

    /// What a dead process has left is removed by its record; a living one's stays.
    #[test]
    fn what_killed_runs_leave_is_cleaned() {
        if !testing::available("netns::what_killed_runs_leave_is_cleaned") {
            return;
        }
        let owner = Owner { prefix: "wwtc-", folder: "/run/wirewright/netns-tests-clean" };
        let living = Namespaces::make(&owner, &[""]).expect("a namespace");
        let mut dead = std::mem::ManuallyDrop::new(
            Namespaces::make(&owner, &[""]).expect("another namespace"),
        );
        dead.record.started += 1;
        let text = serde_json::to_string(&dead.record).expect("JSON");
        fs::write(&dead.file, text).expect("a record");
        assert_eq!(clean(&owner), Ok(dead.all().to_vec()));
        assert!(Path::new(FOLDER).join(living.name("")).exists());
        assert!(!Path::new(FOLDER).join(dead.name("")).exists() && !dead.file.exists());
    }
}
