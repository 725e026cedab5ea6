//! Labs on seeds that nobody tuned: which expectations hold, on how many tries, by what margin.

pub mod known;

use crate::expect::{Expectation, Verdict};
use crate::lab::{Lab, Planned, Request};
use crate::plan::World;
use crate::results::Results;
use crate::world::sim::{Outcome, STACK};
use known::Known;
use serde::Serialize;
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What one try gave: a verdict for each expectation.
type Try = Result<Vec<Verdict>, String>;

/// The first seed, unless another one is given.
pub const FIRST: u64 = 1_000_003;
/// Tries of a lab, unless another number is given.
pub const COUNT: NonZeroU32 = NonZeroU32::new(32).expect("not 0");

/// How labs are tried. Try k of a lab that runs n seeds has the seeds `first + k n` to `first + (k + 1) n - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tries {
    /// The first seed of the first try.
    pub first: u64,
    /// How many tries.
    pub count: u32,
    /// With the settings of `[quick]`.
    pub quick: bool,
    /// Where.
    pub world: World,
}

/// What an expectation comes to over all tries. The figures are of what it measures, in its unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The lab.
    pub lab: String,
    /// The expectation's name; the second of the same name ends with ` (2)`, and so on.
    pub expectation: String,
    /// Tries on which it holds.
    pub holds: u32,
    /// All tries.
    pub seeds: u32,
    /// The smallest measured value; `None`: nothing was measured on any try.
    pub min: Option<f64>,
    /// The median of the measured values.
    pub median: Option<f64>,
    /// The largest one.
    pub max: Option<f64>,
    /// How far the try that is nearest to failure is from it; below 0 it has failed by so much. `None`: on some try nothing
    /// was measured.
    pub margin: Option<f64>,
    /// It is listed as a known failure.
    pub known: bool,
    /// The tries with which it was listed; 0 if it is not.
    #[serde(skip)]
    pub listed_seeds: u32,
}

/// What a row means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds on all tries.
    Holds,
    /// It fails, and is known to.
    FailsAsKnown,
    /// It fails.
    Fails,
    /// It is listed as a known failure and holds on all tries, which are at least as many as it was listed with: the list
    /// is out of date.
    HoldsAgain,
}

impl Row {
    /// What it means.
    pub fn status(&self) -> Status {
        match (self.holds == self.seeds, self.known) {
            (true, true) if self.seeds >= self.listed_seeds => Status::HoldsAgain,
            (true, _) => Status::Holds,
            (false, true) => Status::FailsAsKnown,
            (false, false) => Status::Fails,
        }
    }

    /// Whether it is as it should be.
    pub fn is_good(&self) -> bool {
        matches!(self.status(), Status::Holds | Status::FailsAsKnown)
    }
}

/// Runs a planned lab: the number of the try, what is run.
pub type Runner<'r> = dyn Fn(usize, &Planned) -> Result<Vec<Vec<Outcome>>, String> + Sync + 'r;

impl Tries {
    /// The seeds of one try: the largest number of any variant.
    ///
    /// # Errors
    /// All that is wrong with the lab.
    pub fn seeds(&self, lab: &Lab) -> Result<u32, String> {
        let request = Request { quick: self.quick, ..Request::default() };
        let planned = lab.plan(&request).map_err(|report| report.to_string())?;
        Ok(planned.variants.iter().map(|variant| variant.plan.run.seeds).max().unwrap_or(1))
    }

    /// What a try runs, in a lab with so many seeds.
    fn request(&self, number: usize, seeds: u32) -> Option<Request> {
        let ahead = (number as u64).checked_mul(seeds.into())?;
        let seed = Some(self.first.checked_add(ahead)?);
        Some(Request { quick: self.quick, seed, ..Request::default() })
    }

    /// Tries a lab on so many threads. Expectations that are not judged in this world, or in quick runs, have no row.
    /// `None`: it was stopped.
    ///
    /// # Errors
    /// A try cannot be planned or run; a known failure is none of the lab's expectations.
    pub fn run(
        &self,
        lab: &Lab,
        expectations: &[Expectation],
        known: &[Known],
        threads: usize,
        runner: &Runner<'_>,
    ) -> Result<Option<Vec<Row>>, String> {
        let seeds = self.seeds(lab)?;
        let names = names(expectations);
        let of_lab = |known: &&Known| known.lab == lab.name;
        let mut of_lab = known.iter().filter(of_lab);
        if let Some(stray) = of_lab.find(|known| !names.contains(&known.expectation)) {
            let (file, name) = (known::FILE, &stray.expectation);
            return Err(format!("{file}: lab '{}' has no expectation '{name}'", lab.name));
        }
        let next = AtomicUsize::new(0);
        let done: Vec<Mutex<Option<Try>>> = (0..self.count).map(|_| Mutex::new(None)).collect();
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = done.get(number) else { break };
                let verdicts = self.one(lab, expectations, number, seeds, runner);
                let Some(verdicts) = verdicts.transpose() else { break };
                if verdicts.is_err() {
                    next.store(done.len(), Ordering::Relaxed);
                }
                if let Ok(mut slot) = slot.lock() {
                    *slot = Some(verdicts);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.clamp(1, done.len().max(1)) {
                // Without another thread this one does all.
                let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            }
            work();
        });
        let (mut tries, mut stopped) = (Vec::new(), false);
        for slot in done {
            match slot.into_inner() {
                Ok(Some(verdicts)) => tries.push(verdicts?),
                Ok(None) => stopped = true,
                Err(_) => return Err("a try has failed".into()),
            }
        }
        if stopped {
            return Ok(None);
        }
        let listed = |name: &str| known.iter().find(|known| known.applies(lab, name, self));
        let judged =
            |place: &usize| tries.iter().any(|verdicts| verdicts[*place].tolerance.is_some());
        let places = (0..expectations.len()).filter(judged);
        Ok(Some(places.map(|place| row(lab, (place, &names[place]), &tries, &listed)).collect()))
    }

    /// The verdicts of one try. `None`: it was stopped.
    fn one(
        &self,
        lab: &Lab,
        expectations: &[Expectation],
        number: usize,
        seeds: u32,
        runner: &Runner<'_>,
    ) -> Result<Option<Vec<Verdict>>, String> {
        let Some(request) = self.request(number, seeds) else {
            return Err(format!("try {number} has no seeds: {} is too large", self.first));
        };
        let planned = lab.plan(&request).map_err(|report| report.to_string())?;
        let outcomes = runner(number, &planned)?;
        let results = Results::new(self.world, lab, &request, &planned, outcomes, expectations)?;
        Ok(results.stopped().is_empty().then_some(results.verdicts))
    }
}

/// The names of expectations, each one once.
fn names(expectations: &[Expectation]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (place, expectation) in expectations.iter().enumerate() {
        let same = |other: &&Expectation| other.name == expectation.name;
        let number = expectations[..place].iter().filter(same).count() + 1;
        let ending = if number == 1 { String::new() } else { format!(" ({number})") };
        names.push(format!("{}{ending}", expectation.name));
    }
    names
}

/// An expectation over all tries.
fn row<'k>(
    lab: &Lab,
    (place, name): (usize, &str),
    tries: &[Vec<Verdict>],
    listed: &dyn Fn(&str) -> Option<&'k Known>,
) -> Row {
    let verdicts = || tries.iter().map(|verdicts| &verdicts[place]);
    let mut values: Vec<f64> =
        verdicts().filter_map(|verdict| verdict.measured.as_ref().ok().copied()).collect();
    values.sort_by(f64::total_cmp);
    let median = match (values.get(values.len() / 2), values.len() % 2) {
        (Some(upper), 0) => Some((values[values.len() / 2 - 1] + upper) / 2.0),
        (middle, _) => middle.copied(),
    };
    let margins: Option<Vec<f64>> = verdicts().map(Verdict::margin).collect();
    Row {
        lab: lab.name.clone(),
        expectation: name.to_owned(),
        holds: verdicts().filter(|verdict| verdict.is_met() == Some(true)).count() as u32,
        seeds: tries.len() as u32,
        min: values.first().copied(),
        median,
        max: values.last().copied(),
        margin: margins.and_then(|margins| margins.into_iter().min_by(f64::total_cmp)),
        known: listed(name).is_some(),
        listed_seeds: listed(name).map_or(0, |known| known.seeds),
    }
}

#[cfg(test)]
mod tests;
