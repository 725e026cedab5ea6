//! The processes of a run, as the orchestrator sees them.

use super::clock::monotonic;
use super::spec::{Answer, Order, read, write};
use super::system::System;
use serde::Serialize;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Bytes that are shown of what a process has said of its failure.
const SAID: usize = 2_000;

/// A process that hears orders and answers. It is killed when dropped.
pub struct Process {
    name: String,
    child: Child,
    orders: Option<ChildStdin>,
    answers: Receiver<Result<Answer, String>>,
    log: PathBuf,
}

impl Process {
    /// Starts `ww lab WORD` in a namespace and tells it what to do.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start<T: Serialize>(
        system: &System,
        ww: &Path,
        (name, word): (&str, &str),
        namespace: &str,
        priority: i32,
        spec: &T,
    ) -> Result<Self, String> {
        let log = system.folder().join(format!("{name}.log"));
        let file = File::create(&log)
            .map_err(|error| format!("cannot write '{}': {error}", log.display()))?;
        let mut command = Command::new(ww);
        command.args(["lab", word]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file);
        let mut child = system.spawn(namespace, Some(priority), &mut command)?;
        let (sender, answers) = channel();
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut out = BufReader::new(out);
                while let Some(answer) = read(&mut out).transpose() {
                    let over = answer.is_err();
                    if sender.send(answer).is_err() || over {
                        return;
                    }
                }
            });
        }
        let orders = child.stdin.take();
        let mut process = Self { name: name.to_owned(), child, orders, answers, log };
        process.tell(spec)?;
        Ok(process)
    }

    /// Gives an order.
    ///
    /// # Errors
    /// The process has ended.
    pub fn order(&mut self, order: Order) -> Result<(), String> {
        self.tell(&order)
    }

    fn tell<T: Serialize>(&mut self, value: &T) -> Result<(), String> {
        let Some(orders) = &mut self.orders else {
            return Err(format!("{} hears no more", self.name));
        };
        write(orders, value).map_err(|_| self.failure())
    }

    /// What it answers next.
    ///
    /// # Errors
    /// It has failed, or says nothing for so long, or `go_on` is not true any more.
    pub fn answer(
        &mut self,
        patience: Duration,
        go_on: impl Fn() -> bool,
    ) -> Result<Answer, String> {
        let deadline = monotonic() + patience.as_nanos() as u64;
        loop {
            match self.answers.recv_timeout(Duration::from_millis(20)) {
                Ok(Ok(Answer::Failed(text))) => return Err(format!("{}: {text}", self.name)),
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) => return Err(format!("{}: {error}", self.name)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.failure()),
                Err(RecvTimeoutError::Timeout) if !go_on() => {
                    return Err(String::from(super::STOPPED));
                }
                Err(RecvTimeoutError::Timeout) if monotonic() < deadline => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("{} does not answer; {}", self.name, said(&self.log)));
                }
            }
        }
    }

    /// Whether it runs.
    ///
    /// # Errors
    /// It has ended.
    pub fn check(&mut self) -> Result<(), String> {
        match self.child.try_wait() {
            Ok(None) => Ok(()),
            _ => Err(self.failure()),
        }
    }

    fn failure(&mut self) -> String {
        if let Ok(Ok(Answer::Failed(text))) = self.answers.try_recv() {
            return format!("{}: {text}", self.name);
        }
        let status = self.child.wait().map(|status| status.to_string()).unwrap_or_default();
        format!("{} has ended ({status}); {}", self.name, said(&self.log))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Kills a process with all of its group, and waits for it.
pub fn end(child: &mut Child) {
    // Its number is its own as long as nobody has waited for it, which `try_wait` finds out.
    if let Ok(None) = child.try_wait() {
        signal(child, libc::SIGKILL);
    }
    // It may have ended by itself.
    let _ = child.wait();
}

/// Sends a signal to the group of a process that has not been waited for.
pub fn signal(child: &Child, signal: i32) {
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: the call has no pointers; the group was made for the child.
        unsafe { libc::kill(-group, signal) };
    }
}

fn said(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text[text.len().saturating_sub(SAID)..]).trim().to_owned();
    match text.is_empty() {
        true => "it has said nothing".into(),
        false => format!("it has said:\n{text}"),
    }
}

/// A switch that runs a program: `ww run`. It is killed when dropped.
pub struct Router {
    name: String,
    child: Child,
    ports: usize,
    log: PathBuf,
}

impl Router {
    /// Starts it; `arguments` are those of `ww`.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(
        system: &System,
        ww: &Path,
        name: &str,
        (namespace, priority): (&str, i32),
        arguments: &[String],
        ports: usize,
    ) -> Result<Self, String> {
        let log = system.folder().join(format!("{name}.log"));
        let wrong = |error: std::io::Error| format!("cannot write '{}': {error}", log.display());
        let file = File::create(&log).map_err(wrong)?;
        let out = file.try_clone().map_err(wrong)?;
        let mut command = Command::new(ww);
        command.args(arguments).stdin(Stdio::null()).stdout(out).stderr(file);
        let child = system.spawn(namespace, Some(priority), &mut command)?;
        Ok(Self { name: name.to_owned(), child, ports, log })
    }

    /// Waits until it has its ports: each is a socket that receives and one that sends.
    ///
    /// # Errors
    /// It has ended, or takes too long, or `go_on` is not true any more.
    pub fn wait(&mut self, patience: Duration, go_on: impl Fn() -> bool) -> Result<(), String> {
        let deadline = monotonic() + patience.as_nanos() as u64;
        let sockets = format!("/proc/{}/net/packet", self.child.id());
        loop {
            self.check()?;
            let text = fs::read_to_string(&sockets).unwrap_or_default();
            if text.lines().count() > 2 * self.ports {
                return Ok(());
            }
            if !go_on() {
                return Err(String::from(super::STOPPED));
            }
            if monotonic() > deadline {
                return Err(format!("{} does not take its ports; {}", self.name, said(&self.log)));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether it runs.
    ///
    /// # Errors
    /// It has ended.
    pub fn check(&mut self) -> Result<(), String> {
        match self.child.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => {
                Err(format!("{} has ended ({status}); {}", self.name, said(&self.log)))
            }
            Err(error) => Err(format!("{}: {error}", self.name)),
        }
    }
}

impl Drop for Router {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}
