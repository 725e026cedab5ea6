//! World sim: virtual time.

use super::{Programs, Watch};
use crate::lab::Planned;
use crate::plan::Plan;
use crate::results::collect::{Collector, Curves};
use crate::results::numbers::Numbers;
use crate::results::tpp::witnesses;
use crate::rows::Writers;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use ww_sim::measure::Wishes;
use ww_sim::nodes::agents::AgentReport;
use ww_sim::nodes::dtp::DtpReport;
use ww_sim::nodes::keepers::KeptReport;
use ww_sim::simulation::{Parts, Simulation};

/// Pieces of a run, between which it is looked whether it shall end.
const SLICES: u64 = 500;

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its seed.
    pub seed: u64,
    /// Its numbers; up to `stopped` if it did not come to its end.
    pub numbers: Numbers,
    /// For the report.
    pub curves: Curves,
    /// When it was stopped, ps.
    pub stopped: Option<u64>,
    /// Why its figures may not be what they look like.
    pub notes: Vec<String>,
}

/// Runs a plan with a seed. Rows go into `folder`, if there is one.
///
/// # Errors
/// A sentence: a program cannot be loaded, the network cannot be simulated, rows cannot be written.
pub fn run(
    plan: &Plan,
    seed: u64,
    programs: &dyn Programs,
    folder: Option<&Path>,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<Outcome, String> {
    if let Some(fabric) = &plan.fabric {
        return super::fabric::run(fabric, seed, watch);
    }
    if let Some(pair) = &plan.pair {
        return super::pair::run(pair, seed, watch);
    }
    let mut parts = Parts::default();
    for program in &plan.programs {
        parts.dataplanes.insert(program.node, programs.load(program)?);
    }
    for (node, policy) in &plan.schedulers {
        let rates = crate::plan::rates(&plan.network, *node);
        parts.managers.insert(*node, policy.traffic_manager_at(&rates));
    }
    let witnesses = witnesses(plan);
    let mut captures = if folder.is_some() { plan.measure.captures.clone() } else { Vec::new() };
    captures.extend(witnesses.iter().flat_map(|(_, witness)| witness.directions()));
    captures.sort_unstable();
    captures.dedup();
    let wishes = Wishes {
        packets: plan.measure.packets && folder.is_some(),
        drops: false,
        sample_every: plan.measure.every,
        sampled: plan.measure.sampled.clone(),
        captures,
        warmup: plan.run.warmup,
    };
    let writers = match folder {
        Some(folder) => {
            fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make '{}': {error}", folder.display()))?;
            Writers::create(folder, plan)?
        }
        None => Writers::default(),
    };
    let mut collector = Collector::new(plan, writers);
    collector.witnesses = witnesses;
    let mut network = plan.network.clone();
    super::tpp::install(plan, seed, &mut network, &mut parts)?;
    super::clocks::install(plan, &mut parts);
    super::fabric::install(plan, &mut parts)?;
    let mut simulation =
        Simulation::new(network, parts, seed, wishes).map_err(|error| error.to_string())?;
    let (duration, end) = (plan.run.duration, plan.run.duration + plan.run.drain);
    let mut stopped = None;
    let mut now = 0;
    for slice in 1..=SLICES {
        // The ends of warm-up and traffic are stops of their own.
        let until = (u128::from(end) * u128::from(slice) / u128::from(SLICES)) as u64;
        for stop in [plan.run.warmup, duration, until] {
            if stop <= now || stop > until {
                continue;
            }
            simulation.run(stop, &mut collector);
            now = stop;
            if stop == plan.run.warmup {
                collector.warmed_up(&mut simulation);
            }
            if stop == duration {
                collector.traffic_ends(&mut simulation);
            }
        }
        if !watch(slice as f64 / SLICES as f64) {
            stopped = (slice < SLICES).then_some(now);
            break;
        }
    }
    simulation.finish(&mut collector);
    let mut reports = simulation.inspect();
    let agents = reports.take::<AgentReport>().into_iter();
    collector.tpps(&agents.map(|agent| (agent.node, agent.report)).collect::<Vec<_>>())?;
    for report in reports.take::<DtpReport>() {
        collector.dtp(&report);
    }
    collector.kept(&reports.take::<KeptReport>());
    let (mut numbers, curves) = collector.finish(&mut simulation, now)?;
    super::fabric::reported(&mut reports, &mut numbers);
    let warnings = plan.circuits.values().filter_map(|circuits| circuits.configuration.warning());
    Ok(Outcome { seed, numbers, curves, stopped, notes: warnings.collect() })
}

/// Where rows of a run go: a folder for each variant and each seed, where there are several.
pub fn rows_folder(out: &Path, planned: &Planned, variant: usize, run: u32) -> PathBuf {
    let chosen = &planned.variants[variant];
    let mut folder = out.to_owned();
    if !chosen.name.is_empty() {
        folder.push(&chosen.name);
    }
    if chosen.plan.run.seeds > 1 {
        folder.push(format!("seed-{}", chosen.plan.run.seed.wrapping_add(run.into())));
    }
    folder
}

/// Runs all variants of a lab with all their seeds, on `workers` threads. Returns the outcomes of each variant, in the
/// order of seeds. If `watch` stops them, runs that have not begun are missing.
///
/// # Errors
/// The first one in the order of runs.
pub fn run_all(
    planned: &Planned,
    programs: &dyn Programs,
    out: Option<&Path>,
    workers: usize,
    watch: &dyn Watch,
) -> Result<Vec<Vec<Outcome>>, String> {
    let jobs: Vec<(usize, u32)> = planned
        .variants
        .iter()
        .enumerate()
        .flat_map(|(number, variant)| (0..variant.plan.run.seeds).map(move |run| (number, run)))
        .collect();
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<Result<Outcome, String>>>> =
        jobs.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some((variant, run)) = jobs.get(place).copied() else { break };
            if watch.stopped() {
                break;
            }
            let plan = &planned.variants[variant].plan;
            let folder = out.map(|out| rows_folder(out, planned, variant, run));
            let mut look = |share| {
                watch.progress(place, share);
                !watch.stopped()
            };
            let seed = plan.run.seed.wrapping_add(run.into());
            let outcome = self::run(plan, seed, programs, folder.as_deref(), &mut look);
            let failed = outcome.is_err();
            if let Ok(mut slot) = done[place].lock() {
                *slot = Some(outcome);
            }
            if failed {
                // No further runs are begun.
                next.store(jobs.len(), Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers.clamp(1, jobs.len().max(1)) {
            // Without another thread this one does all.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        work();
    });
    let mut outcomes: Vec<Vec<Outcome>> = planned.variants.iter().map(|_| Vec::new()).collect();
    for ((variant, _), slot) in jobs.iter().zip(done) {
        if let Some(outcome) = slot.into_inner().unwrap_or_default() {
            outcomes[*variant].push(outcome?);
        }
    }
    Ok(outcomes)
}

/// Programs nest deeply; the front end bounds how deeply, and this holds it.
pub const STACK: usize = 512 << 20;
