//! World netns: real time, hosts and switches in network namespaces of Linux, real host stacks.
//!
//! Each node is a namespace. Links are pairs of veth interfaces whose second ends are all in one namespace, where one
//! process, the element, carries frames between them with the rates, delays, queues and losses of the lab ([`wires`]).
//! Programs run as `ww run`, plain switches as `ww lab switch`, and hosts send on sockets of the kernel ([`agent`]).

pub mod agent;
pub mod budget;
pub mod calibration;
pub mod clock;
pub mod element;
mod gather;
mod hosts;
mod process;
pub mod schedule;
pub mod shim;
pub mod spec;
pub mod switch;
pub mod system;
pub mod wires;

use super::Watch;
use super::sim::{Outcome, rows_folder};
use crate::lab::Planned;
use crate::plan::Plan;
use crate::results::collect::Curves;
use crate::results::numbers::Numbers;

use crate::rows::{CAPTURE, Writers};
use budget::Demand;
use calibration::Calibration;
use clock::{monotonic, sleep_until};
use gather::Told;
use process::{Process, Router};
use spec::{Answer, ElementSpec, Order, ShimReport, ShimSpec, SwitchSpec, TppSwitchSpec};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use system::System;
use ww_sim::network::NodeKind;
use ww_tpp::switch::settings_file;

/// Why a run has ended that was stopped.
pub(crate) const STOPPED: &str = "stopped";

/// Priorities among processes that run before ordinary ones: the element before switches before hosts.
const ELEMENT: i32 = 12;
const SWITCH: i32 = 11;
const HOST: i32 = 10;
/// How long a process may take to be ready: machines are busy, and programs are compiled.
const READY: Duration = Duration::from_secs(60);
/// From the announcement of the start to the start, ns.
const AHEAD: u64 = 300_000_000;
/// How long a command has after Ctrl-C before it is killed, ns.
const GRACE: u64 = 500_000_000;
/// A delay is true to a fifth if frames are handed on so much of it too late at most.
const TRUE: u64 = 5;

/// Applications that lose no more than so much of a run send what they are to send.
const MUCH: u64 = 100;

/// What a run has besides its plan.
pub struct Setting<'s> {
    /// The `ww` program: its own file.
    pub ww: &'s Path,
    /// Told in one sentence what the user should know.
    pub notice: &'s dyn Fn(&str),
    /// Called often; how far the run has come, 0 to 1. Whether it shall go on.
    pub watch: &'s dyn Fn(f64) -> bool,
}

/// Runs a plan with a seed. Rows, captures and what commands say go into `folder`, if there is one.
///
/// # Errors
/// Sentences: the lab cannot be run in this world, or not on this machine; or something has failed.
pub fn run(
    plan: &Plan,
    seed: u64,
    folder: Option<&Path>,
    setting: &Setting<'_>,
) -> Result<Outcome, String> {
    system::available()?;
    let laws = fs::read_to_string("/proc/sys/net/ipv4/tcp_available_congestion_control")
        .unwrap_or_default();
    let problems = hosts::impossible(plan, &laws);
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let schedule = schedule::schedule(plan, seed)?;
    let writers = match folder {
        Some(folder) => {
            fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make '{}': {error}", folder.display()))?;
            // Frames are captured by the element.
            let mut without = plan.clone();
            without.measure.captures.clear();
            Writers::create(folder, &without)?
        }
        None => Writers::default(),
    };
    let stopped = || Outcome {
        seed,
        numbers: Numbers::default(),
        curves: Curves::default(),
        stopped: Some(0),
        notes: Vec::new(),
    };
    // The system keeps the files of the reports.
    let (told, _system) =
        match Run::prepare(plan, seed, folder, setting, &schedule).and_then(Run::go) {
            Ok(told) => told,
            Err(error) if error == STOPPED => return Ok(stopped()),
            Err(error) => return Err(error),
        };
    let notes = remarks(plan, &told);
    notes.iter().for_each(|note| (setting.notice)(&format!("seed {seed}: {note}")));
    let (numbers, curves) = gather::gather(plan, &schedule, &told, writers)?;
    Ok(Outcome { seed, numbers, curves, stopped: told.stopped, notes })
}

/// Runs all variants of a lab with all their seeds, one after the other. Returns what each variant's runs gave, in the
/// order of seeds. If `watch` stops them, runs that have not begun are missing.
///
/// # Errors
/// The first one.
pub fn run_all(
    planned: &Planned,
    ww: &Path,
    out: Option<&Path>,
    notice: &dyn Fn(&str),
    watch: &dyn Watch,
) -> Result<Vec<Vec<Outcome>>, String> {
    let mut all = Vec::new();
    let mut number = 0;
    for (place, variant) in planned.variants.iter().enumerate() {
        let mut outcomes = Vec::new();
        for run in 0..variant.plan.run.seeds {
            let look = |share| {
                watch.progress(number, share);
                !watch.stopped()
            };
            if watch.stopped() {
                break;
            }
            let folder = out.map(|out| rows_folder(out, planned, place, run));
            let setting = Setting { ww, notice, watch: &look };
            let seed = variant.plan.run.seed.wrapping_add(run.into());
            outcomes.push(self::run(&variant.plan, seed, folder.as_deref(), &setting)?);
            number += 1;
        }
        all.push(outcomes);
    }
    Ok(all)
}

/// Why this world refuses a plan on every machine: sentences.
pub fn refused(plan: &Plan) -> Vec<String> {
    let mut problems = hosts::refused(plan);
    problems.extend(budget::beyond_all(plan));
    problems
}

/// What the user should know of a run that has ended.
fn remarks(plan: &Plan, told: &Told) -> Vec<String> {
    let mut notes = hosts::shared(plan);
    for (node, report, _) in &told.hosts {
        let name = &plan.network.nodes[*node as usize].name;
        notes.extend(report.problems.iter().map(|problem| format!("{name}: {problem}")));
    }
    let delays = plan.network.links.iter().flat_map(|link| link.directions).map(|line| line.delay);
    let least = delays.min().unwrap_or(u64::MAX);
    if let Some(late) = gather::lateness(&told.element, 0.99)
        && late > least / TRUE
    {
        notes.push(format!(
            "the machine was busier than when it was measured: the p99 of the forwarding error exceeds a fifth of the \
             shortest delay ({} of {}); do not trust the times of this run",
            budget::span(late),
            budget::span(least)
        ));
    }
    let much = plan.run.duration / MUCH;
    for (node, lost) in told.held_up.iter().filter(|(_, lost)| *lost > much) {
        let name = &plan.network.nodes[*node as usize].name;
        notes.push(format!(
            "the machine was busier than when it was measured: {name}'s application was held up for {} that it cannot \
             make up for, so that it has sent less than it was to send",
            budget::span(*lost)
        ));
    }
    if told.element.lost > 0 {
        notes.push(format!(
            "the element lost {} frames that the lab does not lose",
            told.element.lost
        ));
    }
    notes
}

/// A run between its preparation and its end. Processes are declared before the system: they go first.
struct Run<'r> {
    element: Process,
    switches: Vec<Process>,
    routers: Vec<Router>,
    hosts: Vec<(u32, Process, PathBuf)>,
    shims: Vec<(u32, Process)>,
    commands: Vec<Running>,
    told: Told,
    system: System,
    plan: &'r Plan,
    folder: Option<&'r Path>,
    setting: &'r Setting<'r>,
}

/// A command of the lab's.
struct Running {
    place: usize,
    child: Option<Child>,
    status: Option<i32>,
    /// When it was asked to end, ns after the start.
    asked: Option<u64>,
    over: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            process::end(child);
        }
    }
}

impl<'r> Run<'r> {
    /// Makes namespaces, starts all processes, and waits until they are ready.
    fn prepare(
        plan: &'r Plan,
        seed: u64,
        folder: Option<&'r Path>,
        setting: &'r Setting<'r>,
        schedule: &schedule::Schedule,
    ) -> Result<Self, String> {
        let network = &plan.network;
        let go_on = || (setting.watch)(0.0);
        let applications =
            plan.tpps.as_ref().map(|tpps| tpps.hosts(plan, seed)).unwrap_or_default();
        let shimmed = applications.keys().copied().collect();
        let system = System::make(network, &hosts::settings(plan, schedule), &shimmed)?;
        let samples = plan.measure.every.map(|_| system.folder().join("samples"));
        let captured = folder.filter(|_| !plan.measure.captures.is_empty());
        let spec = ElementSpec {
            seed,
            captures: plan.measure.captures.clone(),
            capture_names: plan
                .measure
                .captures
                .iter()
                .map(|one| plan.directions[*one as usize].clone())
                .collect(),
            capture_file: captured.map(|folder| folder.join(CAPTURE)),
            sampled: plan.measure.sampled.clone(),
            every: plan.measure.every.unwrap_or(0),
            samples_file: samples.clone(),
            marks: vec![plan.run.warmup, plan.run.duration],
            warmup: plan.run.warmup,
            end: plan.run.duration + plan.run.drain,
            traffic: network.traffic.len(),
            ..ElementSpec::of(&network.links, &network.changes)
        };
        let names = ("the element", "element");
        let mut element =
            Process::start(&system, setting.ww, names, system.links(), ELEMENT, &spec)?;
        let Answer::Calibrated(machine) = element.answer(READY, go_on)? else {
            return Err("the element says something else than was asked".into());
        };
        (setting.notice)(&described(&machine));
        let demand = Demand { frames: schedule.frames, commands: budget::commands(plan) };
        budget::check(plan, &demand, &machine)?;
        ready(&mut element, go_on)?;
        let told = Told { samples, machine, demand, ..Told::default() };
        let mut run = Self {
            element,
            switches: Vec::new(),
            routers: Vec::new(),
            hosts: Vec::new(),
            shims: Vec::new(),
            commands: Vec::new(),
            told,
            system,
            plan,
            folder,
            setting,
        };
        run.start_switches(seed)?;
        for (node, mut spec) in hosts::specs(plan, schedule, seed) {
            let name = &network.nodes[node as usize].name;
            let packets = run.system.folder().join(format!("{name}.packets"));
            spec.packets_file = Some(packets.clone());
            let namespace = run.system.namespace(node);
            let host =
                Process::start(&run.system, setting.ww, (name, "host"), namespace, HOST, &spec)?;
            run.hosts.push((node, host, packets));
        }
        for (node, application) in applications {
            let name = format!("{}.shim", network.nodes[node as usize].name);
            let (namespace, spec) = (run.system.namespace(node), ShimSpec { application });
            let names = (name.as_str(), "shim");
            let shim = Process::start(&run.system, setting.ww, names, namespace, HOST, &spec)?;
            run.shims.push((node, shim));
        }
        for process in run.processes() {
            ready(process, go_on)?;
        }
        for router in &mut run.routers {
            router.wait(READY, go_on)?;
        }
        Ok(run)
    }

    /// Switches, hosts and what is between hosts and their links.
    fn processes(&mut self) -> impl Iterator<Item = &mut Process> {
        let hosts = self.hosts.iter_mut().map(|(_, host, _)| host);
        let shims = self.shims.iter_mut().map(|(_, shim)| shim);
        self.switches.iter_mut().chain(shims).chain(hosts)
    }

    fn start_switches(&mut self, seed: u64) -> Result<(), String> {
        let network = &self.plan.network;
        for (node, settings) in (0u32..).zip(&network.nodes) {
            let ends =
                network.links.iter().flat_map(|link| link.ends).filter(|end| end.node == node);
            let ports: Vec<u32> = ends.map(|end| end.port).collect();
            let (name, namespace) = (settings.name.as_str(), self.system.namespace(node));
            match settings.kind {
                NodeKind::Host(_) => {}
                NodeKind::Switch(_) => {
                    let settings = ww_sim::forwarder::Settings::of(network, node, seed);
                    let tpps = self.plan.tpps.as_ref();
                    let tpp = tpps.and_then(|tpps| {
                        let (config, queues) = (tpps.switches.get(&node)?, tpps.queues.get(&node)?);
                        let rates = crate::plan::rates(network, node);
                        Some(TppSwitchSpec {
                            config: config.clone(),
                            queues: queues.clone(),
                            rates,
                        })
                    });
                    let spec = SwitchSpec { ports, settings, tpp };
                    let names = (name, "switch");
                    let process = Process::start(
                        &self.system,
                        self.setting.ww,
                        names,
                        namespace,
                        SWITCH,
                        &spec,
                    )?;
                    self.switches.push(process);
                }
                NodeKind::Program => {
                    let program = self.plan.programs.iter().find(|program| program.node == node);
                    let program =
                        program.ok_or_else(|| format!("there is no program for {name}"))?;
                    let note = |what: &str, text: &str| {
                        let file = self.system.folder().join(format!("{name}.{what}"));
                        fs::write(&file, text)
                            .map_err(|error| format!("cannot write '{}': {error}", file.display()))
                            .map(|()| file.display().to_string())
                    };
                    let entries = note("entries", &program.entries)?;
                    let engine = program.engine.word();
                    let mut arguments: Vec<String> =
                        vec!["run".into(), program.file.display().to_string()];
                    for port in &ports {
                        arguments.extend([
                            "--port".into(),
                            format!("{port}=packet:{}", switch::interface(*port)),
                        ]);
                    }
                    arguments.extend(["--entries".into(), entries]);
                    arguments.extend(["--engine".into(), engine.into()]);
                    if let Some(config) = &program.tcpu {
                        let settings = note("tpp.toml", &settings_file::text(config))?;
                        arguments.extend(["--tpp".into(), settings]);
                    }
                    let place = (namespace, SWITCH);
                    let router = Router::start(
                        &self.system,
                        self.setting.ww,
                        name,
                        place,
                        &arguments,
                        ports.len(),
                    )?;
                    self.routers.push(router);
                }
            }
        }
        Ok(())
    }

    /// Runs to the end, or until it is stopped.
    fn go(mut self) -> Result<(Told, System), String> {
        let begin = monotonic() + AHEAD;
        let order = Order::Start(begin);
        self.element.order(order)?;
        for process in self.processes() {
            process.order(order)?;
        }
        let places = 0..self.plan.commands.len();
        self.commands = places
            .map(|place| Running { place, child: None, status: None, asked: None, over: false })
            .collect();
        let end = (self.plan.run.duration + self.plan.run.drain) / 1000;
        let mut next_check = begin;
        loop {
            let now = monotonic();
            let time = now.saturating_sub(begin);
            if now >= begin {
                self.run_commands(time)?;
            }
            if time >= end {
                break;
            }
            if now >= next_check {
                next_check = now + 50_000_000;
                if !(self.setting.watch)(time as f64 / end.max(1) as f64) {
                    self.told.stopped = Some(time.saturating_mul(1000));
                    break;
                }
                self.element.check()?;
                self.processes().try_for_each(Process::check)?;
                self.routers.iter_mut().try_for_each(Router::check)?;
            }
            let due = self
                .plan
                .commands
                .iter()
                .flat_map(|command| [command.start / 1000, command.stop / 1000]);
            let due = due.filter(|at| *at > time).map(|at| begin + at).min().unwrap_or(u64::MAX);
            sleep_until(due.min(next_check).min(begin + end).max(now + 1_000_000));
        }
        self.finish()
    }

    /// Starts and ends commands as their times come, ns after the start.
    fn run_commands(&mut self, time: u64) -> Result<(), String> {
        for running in &mut self.commands {
            let command = &self.plan.commands[running.place];
            if running.over {
                continue;
            }
            match &mut running.child {
                None if time >= command.start / 1000 => {
                    let folder = self.folder.unwrap_or(self.system.folder());
                    let path = folder.join(format!("{}.txt", command.name));
                    let wrong = |error: std::io::Error| {
                        format!("cannot write '{}': {error}", path.display())
                    };
                    let out = File::create(&path).map_err(wrong)?;
                    let errors = out.try_clone().map_err(wrong)?;
                    let words: Vec<String> = command
                        .run
                        .iter()
                        .map(|word| system::expand(word, &self.plan.network))
                        .collect();
                    let Some((program, arguments)) = words.split_first() else { continue };
                    let mut started = Command::new(program);
                    started.args(arguments).stdin(Stdio::null()).stdout(out).stderr(errors);
                    let namespace = self.system.namespace(command.node);
                    let child = self.system.spawn(namespace, None, &mut started);
                    running.child = Some(
                        child.map_err(|error| format!("traffic '{}': {error}", command.name))?,
                    );
                }
                None => {}
                Some(child) => {
                    if let Ok(Some(status)) = child.try_wait() {
                        (running.status, running.over) = (status.code(), true);
                    } else if running.asked.is_some_and(|asked| time >= asked + GRACE) {
                        process::end(child);
                        running.over = true;
                    } else if running.asked.is_none() && time >= command.stop / 1000 {
                        process::signal(child, libc::SIGINT);
                        running.asked = Some(time);
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends all processes and hears what they have counted.
    fn finish(mut self) -> Result<(Told, System), String> {
        let mut told = std::mem::take(&mut self.told);
        for running in &mut self.commands {
            if !running.over
                && let Some(child) = &mut running.child
                && let Ok(Some(status)) = child.try_wait()
            {
                running.status = status.code();
            }
            told.commands.push((self.plan.commands[running.place].name.clone(), running.status));
        }
        for (node, host, packets) in &mut self.hosts {
            host.order(Order::End)?;
            let Answer::Host(report) = host.answer(READY, || true)? else {
                return Err("a host says something else than was asked".into());
            };
            told.hosts.push((*node, *report, packets.clone()));
        }
        for (node, shim) in &mut self.shims {
            shim.order(Order::End)?;
            let Answer::Shim(report) = shim.answer(READY, || true)? else {
                return Err("a shim says something else than was asked".into());
            };
            let ShimReport { report, lost } = *report;
            told.tpps.push((*node, report));
            told.held_up.push((*node, lost));
        }
        for switch in &mut self.switches {
            switch.order(Order::End)?;
            let Answer::Switch(dropped) = switch.answer(READY, || true)? else {
                return Err("a switch says something else than was asked".into());
            };
            told.switches.route += dropped.route;
            told.switches.ttl += dropped.ttl;
            told.switches.queue += dropped.queue;
            told.switches.outside += dropped.outside;
        }
        self.element.order(Order::End)?;
        let Answer::Element(report) = self.element.answer(READY, || true)? else {
            return Err("the element says something else than was asked".into());
        };
        told.element = *report;
        Ok((told, self.system))
    }
}

fn ready(process: &mut Process, go_on: impl Fn() -> bool) -> Result<(), String> {
    match process.answer(READY, go_on)? {
        Answer::Ready => Ok(()),
        _ => Err("a process says something else than was asked".into()),
    }
}

/// What was measured, in a sentence.
fn described(machine: &Calibration) -> String {
    format!(
        "this machine forwards frames {} (median), {} (p99) after they are due, and carries {} full frames a second{}",
        budget::span(machine.median),
        budget::span(machine.p99),
        machine.rate,
        if machine.realtime { "" } else { " (without SCHED_FIFO, which is not permitted here)" }
    )
}
