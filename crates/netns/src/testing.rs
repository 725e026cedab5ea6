//! Tests that cannot run everywhere: they say that they were skipped, and why, and are counted.
//!
//! A skipped test prints one line `SKIPPED test_name: reason` to standard error, past the capture of the test harness, and
//! appends `test_name: reason` to the file that the environment variable `WW_SKIPPED` names, if it is set.

use crate::{Namespaces, Owner, clean};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::process::{Command, Stdio};

/// The namespaces of tests.
pub const OWNER: Owner = Owner { prefix: "wwt-", folder: "/run/wirewright/tests" };

/// The file that lists skipped tests.
const LIST: &str = "WW_SKIPPED";

/// Whether a test can have network namespaces. If not, the test is skipped, unless it runs as root.
///
/// # Panics
/// As root: nothing that needs namespaces may be skipped there.
pub fn available(test: &str) -> bool {
    let problem = match crate::available().and_then(|()| can_be_made(test)) {
        Ok(()) => return true,
        Err(problem) => format!("needs network namespaces: {problem}"),
    };
    // SAFETY: the call has no arguments.
    skip_unless_root(test, &problem, unsafe { libc::getuid() } == 0);
    false
}

fn skip_unless_root(test: &str, problem: &str, is_root: bool) {
    assert!(!is_root, "{test}: as root it may not be skipped: {problem}");
    skip(test, problem);
}

/// Empty namespaces with these ends of names for a test, which is skipped where there can be none.
///
/// # Panics
/// As [`available`], or they cannot be made.
pub fn namespaces(test: &str, ends: &[&str]) -> Option<Namespaces> {
    if !available(test) {
        return None;
    }
    // What test processes have left behind that were killed.
    let made = clean(&OWNER).and_then(|_| Namespaces::make(&OWNER, ends));
    Some(made.unwrap_or_else(|error| panic!("{test}: {error}")))
}

/// The name of the test that runs on this thread: the test harness calls its threads so.
pub fn name() -> String {
    std::thread::current().name().unwrap_or("a test").to_owned()
}

/// Says and counts that a test is skipped, as what it needs is missing.
pub fn skip(test: &str, reason: &str) {
    let line = format!("{test}: {}", reason.trim().replace('\n', "; "));
    // SAFETY: descriptor 2 is open in every test; it is not closed here.
    let mut error = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
    let _ = error.write_all(format!("SKIPPED {line}\n").as_bytes());
    if let Some(list) = std::env::var_os(LIST) {
        let opened = OpenOptions::new().create(true).append(true).open(&list);
        let written = opened.and_then(|mut list| list.write_all(format!("{line}\n").as_bytes()));
        written.unwrap_or_else(|error| panic!("{LIST}: {}: {error}", list.display()));
    }
}

/// Whether a program that a test needs runs with these arguments. If not, the test is skipped.
pub fn has(test: &str, program: &str, arguments: &[&str]) -> bool {
    let problem = match Command::new(program).args(arguments).stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => return true,
        Ok(output) => {
            format!("needs {program}: {}", String::from_utf8_lossy(&output.stderr).trim())
        }
        Err(error) => format!("needs {program}: {error}"),
    };
    skip(test, &problem);
    false
}

/// Makes a namespace and removes it: containers may not be allowed to, even as root.
fn can_be_made(test: &str) -> Result<(), String> {
    let thread = format!("{:?}", std::thread::current().id());
    let digits: String = thread.chars().filter(char::is_ascii_digit).collect();
    let probe = format!("ww-probe-{}-{digits}", std::process::id());
    let removed = crate::batch(&format!("netns add {probe}\nnetns del {probe}\n"));
    removed.map_err(|error| format!("{error} (probe of {test})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "ping: as root it may not be skipped: no permission")]
    fn as_root_no_test_is_skipped() {
        skip_unless_root("ping", "no permission", true);
    }

    /// A process of its own, whose standard error and list are looked at.
    #[test]
    fn a_skipped_test_says_so_past_the_capture() {
        const INNER: &str = "WW_NETNS_INNER_TEST";
        if std::env::var_os(INNER).is_some() {
            assert!(!has("inner", "/nonexistent/tshark", &["-v"]));
            return;
        }
        let list = std::env::temp_dir().join(format!("ww-skipped-{}", std::process::id()));
        let output = Command::new(std::env::current_exe().expect("its name"))
            .args(["--exact", "testing::tests::a_skipped_test_says_so_past_the_capture"])
            .env(INNER, "1")
            .env(LIST, &list)
            .output()
            .expect("it runs");
        let (error, listed) =
            (String::from_utf8_lossy(&output.stderr), std::fs::read_to_string(&list));
        std::fs::remove_file(&list).expect("a list");
        assert!(output.status.success(), "{output:?}");
        assert!(error.contains("SKIPPED inner: needs /nonexistent/tshark: "), "{error}");
        let listed = listed.expect("a list");
        assert!(listed.starts_with("inner: needs /nonexistent/tshark: "), "{listed}");
        assert_eq!(listed.lines().count(), 1);
    }
}
