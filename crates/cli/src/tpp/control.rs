//! Requests to a shim that runs: `ww tpp register`, `unregister`, `apps`, `add`, `remove`, `rules` and `stats`.

use super::with_program;
use crate::Failure;
use crate::output::{counted, print};
use crate::tpp_args::{
    AddArguments, GrantArguments, ListArguments, NameArguments, RegisterArguments, RemoveArguments,
    RuleArguments,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use ww_control::live::Client;
use ww_host::hex;
use ww_tpp::assemble::assemble;
use ww_tpp::map::describe;
use ww_tpp::packet::Repr;

/// A shim that takes requests.
pub(super) struct Shim(Client);

impl Shim {
    pub(super) fn connect(socket: &Path) -> Result<Self, Failure> {
        Client::connect(socket).map(Self).map_err(|error| {
            let shown = socket.display();
            Failure::Rejected(format!(
                "no shim takes requests at '{shown}': {error}; it is started with `ww tpp shim --control`"
            ))
        })
    }

    pub(super) fn ask(&mut self, request: Value) -> Result<Value, Failure> {
        self.0.call(request).map_err(|error| Failure::Rejected(error.to_string()))
    }
}

/// An application that a shim has registered.
pub(super) struct Registered {
    /// Its number.
    pub id: u64,
    /// What its TPPs bear.
    pub tag: u64,
    /// First and last addresses of words that it alone may write.
    pub owned: Vec<(u16, u16)>,
}

impl Shim {
    /// Registers an application; if something of what it is to have cannot be, it is not there afterwards.
    pub(super) fn register(
        &mut self,
        name: &str,
        grants: &GrantArguments,
    ) -> Result<Registered, Failure> {
        let GrantArguments { read, write, allocate } = grants;
        let request = json!({ "request": "register", "name": name, "read": read, "write": write });
        let made = self.ask(request)?;
        let mut owned = Vec::new();
        for (space, words) in allocate {
            let request =
                json!({ "request": "allocate", "name": name, "space": space, "words": words });
            match self.ask(request) {
                Ok(range) => {
                    owned.push((number(&range, "first")?, number(&range, "last")?));
                }
                Err(failure) => {
                    self.unregister(name)?;
                    return Err(failure);
                }
            }
        }
        Ok(Registered { id: number(&made, "app")?, tag: number(&made, "tag")?, owned })
    }

    /// Removes an application; gives how many rules went with it.
    pub(super) fn unregister(&mut self, name: &str) -> Result<u64, Failure> {
        let gone = self.ask(json!({ "request": "unregister", "name": name }))?;
        let rules = gone["rules"].as_array().ok_or_else(|| lacks(&gone, "rules"))?;
        Ok(rules.len() as u64)
    }

    /// Adds a rule; gives its number.
    pub(super) fn add(&mut self, rule: &RuleArguments, tpp: &Repr) -> Result<u64, Failure> {
        let RuleArguments { name, filter, every, priority, .. } = rule;
        let tpp = hex::digits(&tpp.emit());
        let request = json!({ "request": "add_tpp", "name": name, "filter": filter, "tpp": tpp, "every": every, "priority": priority });
        number(&self.ask(request)?, "rule")
    }
}

/// A number of an answer of a shim.
fn number<T: TryFrom<u64>>(answer: &Value, name: &str) -> Result<T, Failure> {
    let found = answer[name].as_u64().and_then(|number| T::try_from(number).ok());
    found.ok_or_else(|| lacks(answer, name))
}

fn lacks(answer: &Value, name: &str) -> Failure {
    Failure::Rejected(format!(
        "expected '{name}' in the shim's answer, found {answer}; is the shim of another version?"
    ))
}

/// The TPP of a rule.
pub(super) fn tpp_of(rule: &RuleArguments) -> Result<Repr, Failure> {
    let options = rule.program.options();
    with_program(&rule.program, |text| assemble(text, &options))
}

/// Registers an application.
pub fn register(arguments: &RegisterArguments) -> Result<(), Failure> {
    let NameArguments { name, control } = &arguments.name;
    let made = Shim::connect(control)?.register(name, &arguments.grants)?;
    let mut text = format!("application {}, tag {}\n", made.id, made.tag);
    for (first, last) in made.owned {
        let _ = match first == last {
            true => writeln!(text, "owns {}", describe(first)),
            false => writeln!(text, "owns {} to {}", describe(first), describe(last)),
        };
    }
    print(&text)
}

/// Removes an application.
pub fn unregister(arguments: &NameArguments) -> Result<(), Failure> {
    let rules = Shim::connect(&arguments.control)?.unregister(&arguments.name)?;
    print(&format!("removed, with {}\n", counted(rules, "rule")))
}

/// Adds a rule.
pub fn add(arguments: &AddArguments) -> Result<(), Failure> {
    let tpp = tpp_of(&arguments.rule)?;
    let rule = Shim::connect(&arguments.control)?.add(&arguments.rule, &tpp)?;
    print(&format!("rule {rule}\n"))
}

/// Removes a rule.
pub fn remove(arguments: &RemoveArguments) -> Result<(), Failure> {
    let request = json!({ "request": "remove", "rule": arguments.rule });
    Shim::connect(&arguments.control)?.ask(request).map(|_| ())
}

/// Prints the answer to a request without arguments.
fn list(
    arguments: &ListArguments,
    request: &str,
    text: impl FnOnce(&Value) -> String,
) -> Result<(), Failure> {
    let answer = Shim::connect(&arguments.control)?.ask(json!({ "request": request }))?;
    print(&match arguments.json {
        true => format!("{answer:#}\n"),
        false => text(&answer),
    })
}

/// Prints applications with what they may access.
pub fn apps(arguments: &ListArguments) -> Result<(), Failure> {
    list(arguments, "applications", |answer| {
        let mut text = String::new();
        for app in answer["applications"].as_array().into_iter().flatten() {
            let name = app["name"].as_str().unwrap_or_default();
            let _ = writeln!(text, "{name}: number {}, tag {}", app["id"], app["tag"]);
            for grant in app["grants"].as_array().into_iter().flatten() {
                let end = |end: &str| grant[end].as_u64().and_then(|n| u16::try_from(n).ok());
                let (first, last) = (end("first").unwrap_or(0), end("last").unwrap_or(0));
                let what = match (grant["own"] == true, grant["write"] == true) {
                    (true, _) => "owns",
                    (false, true) => "reads and writes",
                    (false, false) => "reads",
                };
                let _ = match first == last {
                    true => writeln!(text, "  {what} {}", describe(first)),
                    false => writeln!(text, "  {what} 0x{first:04x} to 0x{last:04x}"),
                };
            }
        }
        text
    })
}

/// Prints rules.
pub fn rules(arguments: &ListArguments) -> Result<(), Failure> {
    list(arguments, "rules", |answer| {
        let mut text = String::new();
        for rule in answer["rules"].as_array().into_iter().flatten() {
            let word = |name: &str| rule[name].as_str().unwrap_or_default().to_owned();
            let _ = writeln!(
                text,
                "{}: {}, one in {} of '{}', priority {}, {} bytes",
                rule["rule"],
                word("name"),
                rule["every"],
                word("filter"),
                rule["priority"],
                word("tpp").len() / 2
            );
        }
        text
    })
}

/// Prints counters.
pub fn stats(arguments: &ListArguments) -> Result<(), Failure> {
    list(arguments, "stats", |answer| {
        let mut text = String::new();
        for (name, count) in answer.as_object().into_iter().flatten() {
            let _ = writeln!(text, "{name} {count}");
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_number_of_an_answer_is_an_error() {
        let answer = json!({ "rule": 7, "first": 70_000 });
        assert_eq!(number::<u64>(&answer, "rule").ok(), Some(7));
        for name in ["tag", "first"] {
            let failure = number::<u16>(&answer, name).expect_err("not there, or too large");
            assert!(failure.message().contains(&format!("expected '{name}'")));
        }
    }
}
