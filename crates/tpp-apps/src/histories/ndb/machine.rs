//! Path expressions as nondeterministic automata (Thompson, CACM 1968), all of whose states go along the path at once:
//! no expression takes longer than its length times the hops.

use super::{Condition, Path};
use crate::histories::history::Hop;

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// A hop of which all hold, then the next state.
    Hop(Vec<Condition>),
    /// The next state and another one.
    Split(usize),
    /// Another state.
    Jump(usize),
    /// The next state, at the begin only.
    Begin,
    /// The next state, at the end only.
    End,
    /// It fits.
    Found,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine(Vec<State>);

impl Machine {
    pub fn new(path: &Path) -> Self {
        let mut machine = Self(Vec::new());
        machine.add(path);
        machine.0.push(State::Found);
        machine
    }

    fn add(&mut self, path: &Path) {
        match path {
            Path::Hop(conditions) => self.0.push(State::Hop(conditions.clone())),
            Path::Begin => self.0.push(State::Begin),
            Path::End => self.0.push(State::End),
            Path::Sequence(paths) => paths.iter().for_each(|path| self.add(path)),
            Path::Choice(paths) => {
                let (last, others) = match paths.split_last() {
                    Some(parts) => parts,
                    None => return,
                };
                let mut ends = Vec::new();
                for path in others {
                    let split = self.0.len();
                    self.0.push(State::Split(0));
                    self.add(path);
                    ends.push(self.0.len());
                    self.0.push(State::Jump(0));
                    self.0[split] = State::Split(self.0.len());
                }
                self.add(last);
                let end = self.0.len();
                ends.into_iter().for_each(|at| self.0[at] = State::Jump(end));
            }
            Path::Repeat { path, is_optional, is_many } => {
                let begin = self.0.len();
                if *is_optional {
                    self.0.push(State::Split(0));
                }
                let body = self.0.len();
                self.add(path);
                if *is_many {
                    self.0.push(State::Split(body));
                }
                if *is_optional {
                    self.0[begin] = State::Split(self.0.len());
                }
            }
        }
    }

    /// Whether some part of a path fits.
    pub fn fits(&self, hops: &[Hop]) -> bool {
        let (mut now, mut next) = (Vec::new(), Vec::new());
        for at in 0..=hops.len() {
            let mut is_there = vec![false; self.0.len()];
            // A part may begin at each hop.
            next.push(0);
            now.clear();
            while let Some(state) = next.pop() {
                if std::mem::replace(&mut is_there[state], true) {
                    continue;
                }
                match &self.0[state] {
                    State::Hop(_) => now.push(state),
                    State::Split(other) => next.extend([state + 1, *other]),
                    State::Jump(other) => next.push(*other),
                    State::Begin if at == 0 => next.push(state + 1),
                    State::End if at == hops.len() => next.push(state + 1),
                    State::Begin | State::End => {}
                    State::Found => return true,
                }
            }
            let Some(hop) = hops.get(at) else { break };
            let holds = |state: &&usize| match &self.0[**state] {
                State::Hop(conditions) => conditions.iter().all(|condition| condition.holds(hop)),
                _ => false,
            };
            next.extend(now.iter().filter(holds).map(|state| state + 1));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histories::ndb::parse::parse;
    use crate::histories::values::Value;

    fn hops(switches: &[u32]) -> Vec<Hop> {
        let hop = |switch: &u32| {
            let mut hop = Hop::default();
            hop.set(Value::Switch, Some(*switch));
            hop
        };
        switches.iter().map(hop).collect()
    }

    fn fits(query: &str, switches: &[u32]) -> bool {
        Machine::new(&parse(query).expect(query).0).fits(&hops(switches))
    }

    #[test]
    fn by_hand() {
        let path = [1, 5, 3, 4];
        for (query, expected) in [
            ("", true),
            ("5 3", true),
            ("5 4", false),
            ("5 . 4", true),
            ("^ 5", false),
            ("^ 1 .* 4 $", true),
            ("3 $", false),
            ("(2|5) 3", true),
            ("^ 1 (2|5|3)+ 4 $", true),
            ("^ 1 2? 5", true),
            ("{switch=2..4} {switch!=3}", true),
            ("{entry=1}", false),
            ("{entry!=1}", false),
            ("^ . . . . $", true),
            ("^ . . . $", false),
        ] {
            assert_eq!(fits(query, &path), expected, "{query}");
        }
        assert!(fits("^ $", &[]) && !fits(".", &[]));
    }

    /// Where else a path may go on: the plain way, with backtracking.
    fn ends(path: &Path, hops: &[Hop], at: usize) -> Vec<usize> {
        let mut ends = match path {
            Path::Hop(conditions) => match hops.get(at) {
                Some(hop) if conditions.iter().all(|condition| condition.holds(hop)) => {
                    vec![at + 1]
                }
                _ => Vec::new(),
            },
            Path::Begin => Vec::from_iter((at == 0).then_some(at)),
            Path::End => Vec::from_iter((at == hops.len()).then_some(at)),
            Path::Sequence(paths) => paths.iter().fold(vec![at], |from, path| {
                from.iter().flat_map(|at| self::ends(path, hops, *at)).collect()
            }),
            Path::Choice(paths) => {
                paths.iter().flat_map(|path| self::ends(path, hops, at)).collect()
            }
            Path::Repeat { path, is_optional, is_many } => {
                let mut all = self::ends(path, hops, at);
                let mut fresh = if *is_many { all.clone() } else { Vec::new() };
                while let Some(from) = fresh.pop() {
                    for to in self::ends(path, hops, from) {
                        if !all.contains(&to) {
                            all.push(to);
                            fresh.push(to);
                        }
                    }
                }
                all.extend(is_optional.then_some(at));
                all
            }
        };
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    fn random(draws: &mut fastrand::Rng, depth: u32) -> String {
        match draws.u32(..if depth == 0 { 5 } else { 9 }) {
            0 => ".".to_owned(),
            1 => "^".to_owned(),
            2 => "$".to_owned(),
            3 => format!("{{switch{}={}}}", if draws.bool() { "!" } else { "" }, draws.u32(1..4)),
            4 => draws.u32(1..4).to_string(),
            5 => format!("({})*", random(draws, depth - 1)),
            6 => format!("({}){}", random(draws, depth - 1), if draws.bool() { "+" } else { "?" }),
            7 => format!("({}|{})", random(draws, depth - 1), random(draws, depth - 1)),
            _ => format!("{} {}", random(draws, depth - 1), random(draws, depth - 1)),
        }
    }

    #[test]
    fn as_with_backtracking() {
        let mut draws = fastrand::Rng::with_seed(5);
        let mut found = 0;
        for _ in 0..4000 {
            let query = random(&mut draws, 4);
            let path = parse(&query).expect(&query).0;
            let machine = Machine::new(&path);
            for _ in 0..5 {
                let switches: Vec<u32> = (0..draws.usize(..6)).map(|_| draws.u32(1..4)).collect();
                let hops = hops(&switches);
                let expected = (0..=hops.len()).any(|at| !ends(&path, &hops, at).is_empty());
                assert_eq!(machine.fits(&hops), expected, "{query} {switches:?}");
                found += u32::from(expected);
            }
        }
        assert!((2000..18_000).contains(&found), "{found}");
    }

    /// What takes backtracking exponential time: 60 stars in one another over 255 hops.
    #[test]
    fn no_explosion() {
        let query = format!("^ {}.{} 2 $", "(".repeat(50), ")*".repeat(50));
        assert!(!fits(&query, &[1; 255]));
        assert!(!fits(&format!("^ {} 2 $", ".* ".repeat(1000)), &[1; 255]));
    }

    #[test]
    fn mistakes_have_columns() {
        for (query, column, message) in [
            ("1 (2", 5, "expected ')', found the end"),
            ("1 2)", 4, "expected a hop, an operator or 'where', found ')'"),
            ("* 1", 1, "expected something to repeat, found '*'"),
            ("1 {swich=2}", 4, "expected one of switch, entry"),
            ("{switch 2}", 9, "expected '=' or '!=', found '2'"),
            ("{switch=5..2}", 12, "5..2 has no number"),
            ("99999999999", 1, "99999999999 has more than 32 bits"),
            ("1 where -p sctp", 9, "filter: -p: expected tcp"),
            ("{switch=1", 10, "expected ',' or '}', found the end"),
        ] {
            let error = parse(query).expect_err(query);
            assert_eq!(error.column, column, "{query}: {error}");
            assert!(error.message.starts_with(message), "{error}");
        }
        assert!(parse(&"(".repeat(51)).is_err_and(|error| error.column == 51));
        assert!(parse(&".".repeat(5000)).is_err());
    }

    #[test]
    fn random_text() {
        let mut draws = fastrand::Rng::with_seed(6);
        let alphabet: Vec<char> = "^$.*+?|(){}=!,0123456789 switchenryporvwä\n-".chars().collect();
        for _ in 0..20_000 {
            let text: String =
                (0..draws.usize(..30)).map(|_| *draws.choice(&alphabet).expect("some")).collect();
            if let Ok((path, _)) = parse(&text) {
                Machine::new(&path).fits(&hops(&[1, 2, 3]));
            } else if let Err(error) = parse(&text) {
                assert!(error.column <= text.chars().count() + 1, "{text}: {error}");
            }
        }
    }
}
