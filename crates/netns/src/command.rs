//! Commands and threads inside a namespace.

use crate::FOLDER;
use std::fs;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// Moves the calling thread into a namespace, for good. What it opens and starts from now on is there.
///
/// # Errors
/// There is no such namespace, or it may not be entered.
pub fn enter(namespace: &str) -> io::Result<()> {
    let file = fs::File::open(Path::new(FOLDER).join(namespace))?;
    // SAFETY: the descriptor is open; other threads stay where they are.
    match unsafe { libc::setns(file.as_raw_fd(), libc::CLONE_NEWNET) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Does something on a thread of its own inside a namespace. A panic in there goes on here.
///
/// # Errors
/// The namespace cannot be entered, or what `work` returns.
pub fn within<T: Send>(
    namespace: &str,
    work: impl FnOnce() -> io::Result<T> + Send,
) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| enter(namespace).and_then(|()| work()));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A command that runs inside a namespace, with nothing to read.
pub fn command(namespace: &str, program: &str) -> Command {
    let mut command = Command::new("ip");
    command.args(["netns", "exec", namespace, program]).stdin(Stdio::null());
    command
}

/// Starts a process in a namespace, in a group of its own, so that Ctrl-C reaches it only through us. With a `priority`
/// it runs before ordinary processes (SCHED_FIFO), where that is permitted.
///
/// # Errors
/// It cannot be started.
pub fn spawn(
    namespace: &str,
    priority: Option<i32>,
    command: &mut Command,
) -> Result<Child, String> {
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

/// Gives `ip` several commands in a namespace, a line each.
///
/// # Errors
/// The line that failed, and why.
pub fn ip(namespace: &str, lines: &str) -> Result<(), String> {
    run(Some(namespace), lines)
}

/// Gives `ip` several commands outside of every namespace, a line each.
///
/// # Errors
/// The line that failed, and why.
pub fn batch(lines: &str) -> Result<(), String> {
    run(None, lines)
}

/// What `ip` prints for one command, between blanks, in a namespace.
///
/// # Errors
/// It failed.
pub fn output(namespace: &str, arguments: &str) -> Result<String, String> {
    let mut command = Command::new("ip");
    command.args(["-n", namespace]).args(arguments.split_whitespace()).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("cannot run ip: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("ip {arguments}: {}", message(&output))),
    }
}

/// Connects two namespaces by a pair of interfaces (veth), which are down.
///
/// # Errors
/// Why it cannot be made.
pub fn link(here: &str, name: &str, there: &str, far: &str) -> Result<(), String> {
    batch(&format!("link add name {name} netns {here} type veth peer name {far} netns {there}\n"))
}

/// Sets a setting of the kernel (`net.ipv4.tcp_ecn`) in a namespace.
///
/// # Errors
/// There is none, or it does not take the value.
pub fn sysctl(namespace: &str, name: &str, value: &str) -> Result<(), String> {
    let file = Path::new("/proc/sys").join(name.replace('.', "/"));
    within(namespace, || fs::write(&file, value))
        .map_err(|error| format!("{namespace}: {name} = {value}: {error}"))
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

fn run(namespace: Option<&str>, lines: &str) -> Result<(), String> {
    let mut command = Command::new("ip");
    if let Some(name) = namespace {
        command.args(["-n", name]);
    }
    command
        .args(["-batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut run = || -> io::Result<Output> {
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
    let text = message(&output);
    // `Command failed -:3`: the line says more.
    let number = text.rsplit(':').next().and_then(|number| number.trim().parse::<usize>().ok());
    let line =
        number.and_then(|number| lines.lines().nth(number.checked_sub(1)?)).unwrap_or_default();
    Err(format!("ip {line}: {text}"))
}
