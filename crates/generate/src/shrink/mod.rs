//! Makes a failing case small (delta debugging): as long as something can be taken away so that
//! the case still fails, it is.
//!
//! Whether a case fails is the caller's business; most cuts make programs that the front end
//! refuses, and those count as not failing. Each cut makes the case smaller or simpler, and the
//! number of questions is bounded, so it ends.

mod cuts;
mod extractions;
mod steps;
mod widths;

use crate::case::Case;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// What became of a shrinking.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The smallest case found; it fails.
    pub case: Case,
    /// How often the caller was asked.
    pub questions: usize,
    /// Whether no cut was left to try.
    pub finished: bool,
}

/// Makes a case small. `fails` must hold for it; it is asked at most `limit` times.
pub fn shrink(case: &Case, limit: usize, fails: &mut dyn FnMut(&Case) -> bool) -> Shrunk {
    let mut shrinker =
        Shrinker { best: case.clone(), fails, known: HashMap::new(), questions: 0, limit };
    let mut size = usize::MAX;
    // Cuts of one kind make room for others; rounds end when nothing changed any more.
    while shrinker.questions < limit {
        shrinker.drop_steps();
        shrinker.drop_extractions();
        shrinker.cut_program();
        shrinker.simplify_steps();
        let now = measure(&shrinker.best);
        if now >= size {
            break;
        }
        size = now;
    }
    let finished = shrinker.questions < limit;
    Shrunk { case: shrinker.best, questions: shrinker.questions, finished }
}

/// The size of a case: characters of its listing.
fn measure(case: &Case) -> usize {
    case.listing().len()
}

struct Shrinker<'a> {
    best: Case,
    fails: &'a mut dyn FnMut(&Case) -> bool,
    /// Answers to questions, by the hash of the listing.
    known: HashMap<u64, bool>,
    questions: usize,
    limit: usize,
}

impl Shrinker<'_> {
    /// Takes the case if it fails; whether it does.
    fn try_case(&mut self, case: Case) -> bool {
        let mut hasher = DefaultHasher::new();
        case.listing().hash(&mut hasher);
        let hash = hasher.finish();
        let fails = match self.known.get(&hash) {
            Some(&known) => known,
            None if self.questions >= self.limit => return false,
            None => {
                self.questions += 1;
                let answer = (self.fails)(&case);
                self.known.insert(hash, answer);
                answer
            }
        };
        if fails {
            self.best = case;
        }
        fails
    }

    /// Goes through the cuts of the program one after the other.
    fn cut_program(&mut self) {
        let mut n = 0;
        while self.questions < self.limit {
            let mut program = self.best.program.clone();
            if !cuts::cut(&mut program, n) {
                return;
            }
            let steps = self.best.steps.clone();
            let changed = program != self.best.program;
            // After a cut the same number means the next one.
            if !changed || !self.try_case(Case { program, steps }) {
                n += 1;
            }
        }
    }
}
