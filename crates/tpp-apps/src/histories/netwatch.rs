//! Live checks: rules that each history has to keep, and what is wrong with one that does not.
//!
//! ```
//! let watch = ww_tpp_apps::histories::netwatch::Watch::parse("rules.toml", r#"
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
use std::fmt;
use ww_config::{Reader, Report};
use ww_host::filter::Filter;

/// Rules of a file, at most.
const MAX_RULES: usize = 100_000;

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
    /// Reads the text of a file of rules that messages call `name`.
    ///
    /// # Errors
    /// All mistakes.
    pub fn parse(name: &str, text: &str) -> Result<Self, Report> {
        ww_config::parse(name, text, |file| {
            let mut rules = Vec::from_iter(file.get_or("loops", false).then_some(Rule::NoLoops));
            let isolation = file.each("isolation", isolation);
            rules.extend(file.each("waypoint", waypoint));
            rules.extend(file.each("table", table));
            rules.extend(file.each("route", route));
            rules.extend(isolation);
            if rules.len() > MAX_RULES {
                file.mistakes().add(file.place(), format!("more than {MAX_RULES} rules"));
            }
            Some(Self { rules })
        })
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

/// The filter of a rule; one that fits everything if there is none.
fn filter(reader: &Reader<'_>) -> Filter {
    let Some(text) = reader.get::<String>("filter") else { return Filter::default() };
    text.parse().unwrap_or_else(|error| {
        reader.wrong("filter", format!("{error}"));
        Filter::default()
    })
}

fn isolation(reader: &Reader<'_>) -> Option<Rule> {
    let name = reader.need("name", "\"guests\"");
    let example = "[\"10.0.1.0/24\", \"10.0.2.0/24\"]";
    reader.needed_value("between", example)?;
    let ends = reader.list::<String>("between");
    for (end, place) in &ends {
        if format!("-s {end}").parse::<Filter>().is_err() {
            let found = end.escape_debug();
            let message = format!("expected addresses such as 10.0.1.0/24, found '{found}'");
            reader.mistakes().add(place, message);
        }
    }
    let [(here, _), (there, _)] = &ends[..] else {
        reader.wrong("between", format!("expected two addresses such as {example}"));
        return None;
    };
    let filter = |from, to| format!("-s {from} -d {to}").parse().ok();
    Some(Rule::Isolation(name?, [filter(here, there)?, filter(there, here)?]))
}

fn waypoint(reader: &Reader<'_>) -> Option<Rule> {
    let name = reader.need("name", "\"firewall\"");
    let filter = filter(reader);
    let switch = reader.need("switch", "4");
    Some(Rule::Waypoint(name?, filter, switch?))
}

fn table(reader: &Reader<'_>) -> Option<Rule> {
    let switch = reader.need("switch", "1");
    let version = reader.need("version", "12");
    Some(Rule::Table { switch: switch?, version: version? })
}

fn route(reader: &Reader<'_>) -> Option<Rule> {
    let filter = filter(reader);
    let switch = reader.need("switch", "1");
    let wanted = [(Value::Entry, "entry"), (Value::OutPort, "out_port")];
    if !wanted.iter().any(|(_, key)| reader.has(key)) {
        let message = "a route needs 'entry', 'out_port' or both";
        reader.mistakes().add(reader.place(), message);
    }
    let number = |(value, key)| Some((value, reader.get(key)?));
    let wanted = wanted.into_iter().filter_map(number).collect();
    Some(Rule::Route { filter, switch: switch?, wanted })
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
        let watch = Watch::parse("", rules).expect(rules);
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
        let watch = Watch::parse("", "[[waypoint]]\nname = 'w'\nswitch = 9").expect("good");
        let mut cut = history(&[[1, 5, 2, 7]]);
        assert_eq!(watch.judge(&cut).len(), 1);
        cut.executed = 2;
        assert_eq!(watch.judge(&cut), []);
    }

    #[test]
    fn mistakes_have_lines() {
        let text = "loops = true\n[[isolation]]\nname = 'g'\nbetween = ['10.0.1.0/24', '10.0.2']\n\
                    [[waypoint]]\nname = 'w'\nfilter = '-p tpc'\nswitch = 1\n[[route]]\nswitch = 1\n";
        let report = Watch::parse("", text).expect_err("three mistakes");
        assert_eq!(report.lines(), [4, 7, 9], "{report}");
        let report =
            Watch::parse("", "[[table]]\nswitch = 1\nversio = 2").expect_err("unknown key");
        assert_eq!(report.lines(), [3]);
    }
}
