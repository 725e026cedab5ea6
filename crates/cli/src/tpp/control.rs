//! Requests to a shim that runs: `ww tpp register`, `unregister`, `apps`, `add`, `remove`, `rules` and `stats`.

use super::with_program;
use crate::Failure;
use crate::output::{counted, print};
use crate::tpp_args::{
    AddArguments, ListArguments, NameArguments, RegisterArguments, RemoveArguments,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use ww_control::live::Client;
use ww_host::hex;
use ww_tpp::assemble::assemble;
use ww_tpp::map::describe;

struct Shim(Client);

impl Shim {
    fn connect(socket: &Path) -> Result<Self, Failure> {
        Client::connect(socket).map(Self).map_err(|error| {
            let shown = socket.display();
            Failure::Rejected(format!(
                "no shim takes requests at '{shown}': {error}; it is started with `ww tpp shim --control`"
            ))
        })
    }

    fn ask(&mut self, request: Value) -> Result<Value, Failure> {
        self.0.call(request).map_err(|error| Failure::Rejected(error.to_string()))
    }
}

/// Registers an application; if something of what it is to have cannot be, it is not there afterwards.
pub fn register(arguments: &RegisterArguments) -> Result<(), Failure> {
    let NameArguments { name, control } = &arguments.name;
    let mut shim = Shim::connect(control)?;
    let RegisterArguments { read, write, .. } = arguments;
    let request = json!({ "request": "register", "name": name, "read": read, "write": write });
    let made = shim.ask(request)?;
    let mut text = format!("application {}, tag {}\n", made["app"], made["tag"]);
    for (space, words) in &arguments.allocate {
        let request =
            json!({ "request": "allocate", "name": name, "space": space, "words": words });
        match shim.ask(request) {
            Ok(range) => {
                let of = |end: &str| range[end].as_u64().and_then(|n| u16::try_from(n).ok());
                let (first, last) = (of("first").unwrap_or(0), of("last").unwrap_or(0));
                let _ = match first == last {
                    true => writeln!(text, "owns {}", describe(first)),
                    false => writeln!(text, "owns {} to {}", describe(first), describe(last)),
                };
            }
            Err(failure) => {
                shim.ask(json!({ "request": "unregister", "name": name }))?;
                return Err(failure);
            }
        }
    }
    print(&text)
}

/// Removes an application.
pub fn unregister(arguments: &NameArguments) -> Result<(), Failure> {
    let mut shim = Shim::connect(&arguments.control)?;
    let gone = shim.ask(json!({ "request": "unregister", "name": arguments.name }))?;
    let rules = gone["rules"].as_array().map_or(0, Vec::len) as u64;
    print(&format!("removed, with {}\n", counted(rules, "rule")))
}

/// Adds a rule.
pub fn add(arguments: &AddArguments) -> Result<(), Failure> {
    let options = arguments.program.options();
    let tpp = with_program(&arguments.program, |text| assemble(text, &options))?;
    let request = json!({
        "request": "add_tpp",
        "name": arguments.name,
        "filter": arguments.filter,
        "tpp": hex::digits(&tpp.emit()),
        "every": arguments.every,
        "priority": arguments.priority,
    });
    let made = Shim::connect(&arguments.control)?.ask(request)?;
    print(&format!("rule {}\n", made["rule"]))
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
