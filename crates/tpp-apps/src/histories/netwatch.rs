//! Live checks: rules that each history has to keep, and what is wrong with one that does not.
//!
//! ```
//! let watch = ww_tpp_apps::histories::netwatch::Watch::parse(r#"
//!     loops = true                       # no packet comes to a switch twice
//!
//!     [[isolation]]                      # packets between these two do not arrive, either way
//!     name = "guests"
//!     between = ["10.0.1.0/24", "10.0.2.0/24"]
//!
//!     [[waypoint]]                       # these packets come by this switch
//!     name = "firewall"
//!     filter = "-p tcp --dport 80"
//!     switch = 4
//!
//!     [[route]]                          # what a switch is meant to do with these packets
//!     filter = "-d 10.0.0.2"
//!     switch = 1
//!     entry = 3                          # the entry, the port, or both
//!     out_port = 2
//!
//!     [[table]]                          # the state of a switch's tables
//!     switch = 1
//!     version = 12
//! "#).expect("good rules");
//! assert_eq!(watch.rules(), 5);
//! ```

use crate::histories::history::{History, Hop};
use crate::histories::values::Value;
use serde::Deserialize;
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use ww_host::filter::Filter;
use ww_tpp::policy_file::{FileError, located, read};

/// Rules of a file, at most.
const MAX_RULES: usize = 100_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    loops: bool,
    #[serde(default)]
    isolation: Vec<FileIsolation>,
    #[serde(default)]
    waypoint: Vec<FileWaypoint>,
    #[serde(default)]
    route: Vec<Spanned<FileRoute>>,
    #[serde(default)]
    table: Vec<FileTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileIsolation {
    name: String,
    between: [Spanned<String>; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWaypoint {
    name: String,
    filter: Option<Spanned<String>>,
    switch: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRoute {
    filter: Option<Spanned<String>>,
    switch: u32,
    entry: Option<u32>,
    out_port: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTable {
    switch: u32,
    version: u32,
}

/// Something that holds of every history.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    NoLoops,
    /// Packets of neither filter arrive: one way, and the other way.
    Isolation(String, [Filter; 2]),
    Waypoint(String, Filter, u32),
    Route {
        filter: Filter,
        switch: u32,
        wanted: Vec<(Value, u32)>,
    },
    Table {
        switch: u32,
        version: u32,
    },
}

/// A rule that a history has broken.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Violation {
    /// Which: `loops`, `isolation`, `waypoint`, `route` or `table`, with the name that it has, if it has one.
    pub rule: String,
    /// At which hop, from 0; `None` if it is the whole way.
    pub hop: Option<usize>,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.hop {
            Some(hop) => write!(f, "{} at hop {hop}: {}", self.rule, self.message),
            None => write!(f, "{}: {}", self.rule, self.message),
        }
    }
}

/// Rules. See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    rules: Vec<Rule>,
}

impl Watch {
    /// Reads a file of rules.
    ///
    /// # Errors
    /// All mistakes in values, or the first in TOML.
    pub fn parse(text: &str) -> Result<Self, Vec<FileError>> {
        let file: File = read(text)?;
        let mut errors = Vec::new();
        let mut wrong = |span: Range<usize>, message: String| {
            errors.push(located(text, span.start, message));
        };
        let mut filter = |text: &Option<Spanned<String>>| match text {
            None => Filter::default(),
            Some(text) => text.get_ref().parse().unwrap_or_else(|error| {
                wrong(text.span(), format!("'filter': {error}"));
                Filter::default()
            }),
        };
        let mut rules = Vec::from_iter(file.loops.then_some(Rule::NoLoops));
        for one in &file.waypoint {
            rules.push(Rule::Waypoint(one.name.clone(), filter(&one.filter), one.switch));
        }
        for one in &file.table {
            rules.push(Rule::Table { switch: one.switch, version: one.version });
        }
        let mut empty = Vec::new();
        for one in &file.route {
            let FileRoute { filter: text, switch, entry, out_port } = one.get_ref();
            let wanted = [(Value::Entry, entry), (Value::OutPort, out_port)];
            let wanted: Vec<(Value, u32)> = wanted
                .into_iter()
                .filter_map(|(value, number)| Some((value, (*number)?)))
                .collect();
            if wanted.is_empty() {
                empty.push(one.span());
            }
            rules.push(Rule::Route { filter: filter(text), switch: *switch, wanted });
        }
        for span in empty {
            wrong(span, "a route needs 'entry', 'out_port' or both".to_owned());
        }
        for FileIsolation { name, between } in &file.isolation {
            let filters = [(0, 1), (1, 0)].map(|(from, to): (usize, usize)| {
                format!("-s {} -d {}", between[from].get_ref(), between[to].get_ref()).parse()
            });
            match filters {
                [Ok(there), Ok(back)] => rules.push(Rule::Isolation(name.clone(), [there, back])),
                _ => {
                    let is_bad = |one: &&Spanned<String>| {
                        format!("-s {}", one.get_ref()).parse::<Filter>().is_err()
                    };
                    for bad in between.iter().filter(is_bad) {
                        let message = format!(
                            "expected addresses such as 10.0.1.0/24, found '{}'",
                            bad.get_ref().escape_debug()
                        );
                        wrong(bad.span(), message);
                    }
                }
            }
        }
        if rules.len() > MAX_RULES {
            wrong(0..0, format!("more than {MAX_RULES} rules"));
        }
        errors.sort_by_key(|error| error.line);
        if errors.is_empty() { Ok(Self { rules }) } else { Err(errors) }
    }

    /// How many rules there are.
    pub fn rules(&self) -> usize {
        self.rules.len()
    }

    /// What is wrong with a history. A rule about something that was not collected is not broken.
    pub fn judge(&self, history: &History) -> Vec<Violation> {
        let mut violations = Vec::new();
        for rule in &self.rules {
            rule.judge(history, &mut violations);
        }
        violations
    }
}

impl Rule {
    fn judge(&self, history: &History, violations: &mut Vec<Violation>) {
        let hops = || history.hops.iter().enumerate();
        let is_at = |hop: &Hop, switch: u32| hop.get(Value::Switch) == Some(switch);
        let mut broken = |rule: String, hop: Option<usize>, message: String| {
            violations.push(Violation { rule, hop, message });
        };
        match self {
            Self::NoLoops => {
                for (at, hop) in hops() {
                    let Some(switch) = hop.get(Value::Switch) else { continue };
                    if let Some(first) = history.hops[..at].iter().position(|h| is_at(h, switch)) {
                        let message = format!("switch {switch} again, as at hop {first}");
                        broken("loops".to_owned(), Some(at), message);
                    }
                }
            }
            Self::Isolation(name, filters) => {
                if filters.iter().any(|filter| filter.fits(&history.fields())) {
                    let message = format!(
                        "a packet from {} has come to {}",
                        history.source, history.destination
                    );
                    broken(format!("isolation '{name}'"), None, message);
                }
            }
            Self::Waypoint(name, filter, switch) => {
                let comes_by = hops().any(|(_, hop)| is_at(hop, *switch));
                // What is behind the end of the TPP's memory is not known.
                if filter.fits(&history.fields()) && !comes_by && !history.is_cut() {
                    let path: Vec<String> = hops()
                        .map(|(_, hop)| hop.get(Value::Switch))
                        .map(|switch| switch.map_or("?".to_owned(), |switch| switch.to_string()))
                        .collect();
                    let message =
                        format!("expected switch {switch} on the way, found {}", path.join(" "));
                    broken(format!("waypoint '{name}'"), None, message);
                }
            }
            Self::Route { filter, switch, wanted } => {
                if !filter.fits(&history.fields()) {
                    return;
                }
                for (at, hop) in hops().filter(|(_, hop)| is_at(hop, *switch)) {
                    for (value, expected) in wanted {
                        if let Some(found) = hop.get(*value).filter(|found| found != expected) {
                            let word = value.word();
                            let message = format!(
                                "switch {switch}: expected {word} {expected}, found {found}"
                            );
                            broken("route".to_owned(), Some(at), message);
                        }
                    }
                }
            }
            Self::Table { switch, version } => {
                for (at, hop) in hops().filter(|(_, hop)| is_at(hop, *switch)) {
                    if let Some(found) = hop.get(Value::Version).filter(|found| found != version) {
                        let message =
                            format!("switch {switch}: expected version {version}, found {found}");
                        broken("table".to_owned(), Some(at), message);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(hops: &[[u32; 4]]) -> History {
        let hop = |values: &[u32; 4]| {
            let mut hop = Hop::default();
            for (value, number) in [Value::Switch, Value::Entry, Value::OutPort, Value::Version]
                .into_iter()
                .zip(values)
            {
                hop.set(value, Some(*number));
            }
            hop
        };
        History {
            at: 0,
            app: 1,
            source: [10, 0, 1, 1].into(),
            destination: [10, 0, 2, 1].into(),
            protocol: 6,
            ports: [4000, 80],
            length: 100,
            executed: hops.len() as u8,
            hops: hops.iter().map(hop).collect(),
        }
    }

    fn judged(rules: &str, hops: &[[u32; 4]]) -> Vec<String> {
        let watch = Watch::parse(rules).expect(rules);
        watch.judge(&history(hops)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_rule() {
        let path = [[1, 5, 2, 7], [4, 6, 3, 7]];
        let nothing: [&str; 0] = [];
        assert_eq!(judged("loops = true", &path), nothing);
        let twice = [path[0], path[1], path[0]];
        assert_eq!(judged("loops = true", &twice), ["loops at hop 2: switch 1 again, as at hop 0"]);
        let isolation = "[[isolation]]\nname = 'g'\nbetween = ['10.0.2.0/24', '10.0.1.0/24']";
        assert_eq!(
            judged(isolation, &path),
            ["isolation 'g': a packet from 10.0.1.1 has come to 10.0.2.1"]
        );
        assert_eq!(judged(&isolation.replace("10.0.2", "10.0.3"), &path), nothing);
        let waypoint = "[[waypoint]]\nname = 'w'\nfilter = '-p tcp --dport 80'\nswitch = 4";
        assert_eq!(judged(waypoint, &path), nothing);
        assert_eq!(
            judged(&waypoint.replace("switch = 4", "switch = 3"), &path),
            ["waypoint 'w': expected switch 3 on the way, found 1 4"]
        );
        let route = "[[route]]\nfilter = '-d 10.0.2.1'\nswitch = 4\nentry = 6\nout_port = 3";
        assert_eq!(judged(route, &path), nothing);
        assert_eq!(
            judged(&route.replace("= 3", "= 2"), &path),
            ["route at hop 1: switch 4: expected out-port 2, found 3"]
        );
        let table = "[[table]]\nswitch = 1\nversion = 7";
        assert_eq!(judged(table, &path), nothing);
        assert_eq!(
            judged(table, &[[1, 5, 2, 6]]),
            ["table at hop 0: switch 1: expected version 7, found 6"]
        );
    }

    /// Of hops that the TPP had no memory for nothing is said.
    #[test]
    fn what_is_not_known_is_not_wrong() {
        let watch = Watch::parse("[[waypoint]]\nname = 'w'\nswitch = 9").expect("good");
        let mut cut = history(&[[1, 5, 2, 7]]);
        assert_eq!(watch.judge(&cut).len(), 1);
        cut.executed = 2;
        assert_eq!(watch.judge(&cut), []);
    }

    #[test]
    fn mistakes_have_lines() {
        let text = "loops = true\n[[isolation]]\nname = 'g'\nbetween = ['10.0.1.0/24', '10.0.2']\n\
                    [[waypoint]]\nname = 'w'\nfilter = '-p tpc'\nswitch = 1\n[[route]]\nswitch = 1\n";
        let errors = Watch::parse(text).expect_err("three mistakes");
        let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
        assert_eq!(lines, [4, 7, 9], "{errors:?}");
        let errors = Watch::parse("[[table]]\nswitch = 1\nversio = 2").expect_err("unknown key");
        assert_eq!(errors[0].line, 3);
    }
}
