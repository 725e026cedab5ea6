//! What requests do.

use super::request::Request;
use super::state::{State, StoredRule};
use crate::registry::{Application, Registry, Space};
use crate::shim::{Counters, Rule, RuleId, Shim};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use ww_spelling::suggestion;
use ww_tpp::map::Range;
use ww_tpp::policy_file::ranges;

/// The state of a shim, and the shim, which has at each moment the rules and permissions that the state says.
pub struct Plane {
    state: State,
    /// What the shim calls the rules.
    numbers: BTreeMap<u64, RuleId>,
    shim: Arc<Mutex<Shim>>,
    /// Where the state is kept.
    file: Option<PathBuf>,
}

impl Plane {
    /// Takes a shim over. With a file, the shim gets what is in it.
    ///
    /// # Errors
    /// The file cannot be read, or what is in it cannot be.
    pub fn new(shim: Arc<Mutex<Shim>>, file: Option<PathBuf>) -> Result<Self, String> {
        let state = file.as_deref().map(State::read).transpose()?.unwrap_or_default();
        let rules = state.for_shim().map_err(|reason| match &file {
            Some(file) => format!("{}: {reason}", file.display()),
            None => reason,
        })?;
        let (ids, rules): (Vec<u64>, Vec<Rule>) = rules.into_iter().unzip();
        let numbers = {
            let mut shim = shim.lock();
            shim.set_protection(state.registry.protection());
            ids.into_iter().zip(shim.add_all(rules)).collect()
        };
        Ok(Self { state, numbers, shim, file })
    }

    /// Does what is asked for, wholly or not at all.
    ///
    /// # Errors
    /// A sentence.
    pub fn carry_out(&mut self, request: Request) -> Result<Value, String> {
        match request {
            Request::Register { name, read, write } => {
                self.change(|state| register(&mut state.registry, &name, &read, &write))
            }
            Request::Adopt { application } => self.change(|state| {
                let (id, tag) = (application.id, application.tag);
                state.registry.adopt(application).map_err(|reason| reason.to_string())?;
                Ok(json!({ "app": id, "tag": tag }))
            }),
            Request::Unregister { name } => self.change(|state| {
                let id = find(&state.registry, &name)?.id;
                let gone = state.remove_all_of(id);
                state.registry.unregister(id).map_err(|reason| reason.to_string())?;
                Ok(json!({ "rules": gone }))
            }),
            Request::Allocate { name, space, words } => self.change(|state| {
                let id = find(&state.registry, &name)?.id;
                let allocated = state.registry.allocate(id, self::space(&space)?, words);
                let (first, last) = allocated.map_err(|reason| reason.to_string())?;
                Ok(json!({ "first": first, "last": last }))
            }),
            Request::AddTpp { name, filter, tpp, every, priority } => self.change(|state| {
                let app = find(&state.registry, &name)?.id;
                let bytes = crate::hex::bytes(tpp.as_bytes())
                    .ok_or("a TPP is an even number of hexadecimal digits")?;
                let (rule, _) = state.add(app, &filter, &bytes, every, priority)?;
                Ok(json!({ "rule": rule }))
            }),
            Request::Remove { rule } => self.change(|state| match state.remove(rule) {
                true => Ok(json!({})),
                false => Err(format!("there is no rule {rule}")),
            }),
            Request::Applications {} => {
                let all: Vec<&Application> = self.state.registry.applications().collect();
                Ok(json!({ "applications": all }))
            }
            Request::Rules {} => Ok(
                json!({ "rules": self.state.rules().iter().map(|r| self.shown(r)).collect::<Vec<_>>() }),
            ),
            Request::Stats {} => Ok(counters(self.shim.lock().counters())),
        }
    }

    /// Makes a change to a copy of the state, keeps that, and then has the shim follow.
    fn change(
        &mut self,
        make: impl FnOnce(&mut State) -> Result<Value, String>,
    ) -> Result<Value, String> {
        let mut state = self.state.clone();
        let answer = make(&mut state)?;
        let rules = state.for_shim()?;
        if let Some(file) = &self.file {
            state.write(file)?;
        }
        let mut shim = self.shim.lock();
        shim.set_protection(state.registry.protection());
        self.numbers.retain(|id, number| {
            let stays = rules.contains_key(id);
            if !stays {
                shim.remove(*number);
            }
            stays
        });
        for (id, rule) in rules {
            self.numbers.entry(id).or_insert_with(|| shim.add(rule));
        }
        drop(shim);
        self.state = state;
        Ok(answer)
    }

    fn shown(&self, rule: &StoredRule) -> Value {
        let name = self.state.registry.application(rule.app).map_or("", |app| &app.name);
        json!({
            "rule": rule.id,
            "name": name,
            "filter": rule.filter,
            "every": rule.every,
            "priority": rule.priority,
            "tpp": rule.tpp,
        })
    }
}

fn register(
    registry: &mut Registry,
    name: &str,
    read: &[String],
    write: &[String],
) -> Result<Value, String> {
    let named = !name.is_empty() && name.len() <= 64 && !name.contains(char::is_control);
    if !named {
        return Err("a name has 1 to 64 bytes and no control characters".to_owned());
    }
    let all = |words: &[String]| -> Result<Vec<Range>, String> {
        Ok(words.iter().map(|word| ranges(word)).collect::<Result<Vec<_>, _>>()?.concat())
    };
    let (read, write) = (all(read)?, all(write)?);
    let id = registry.register(name).map_err(|reason| reason.to_string())?;
    for (may_write, granted) in [(false, read), (true, write)] {
        for (first, last) in granted {
            registry.grant(id, may_write, first, last).map_err(|reason| reason.to_string())?;
        }
    }
    let tag = registry.application(id).map(|application| application.tag);
    Ok(json!({ "app": id, "tag": tag.map_err(|reason| reason.to_string())? }))
}

/// The application with a name.
fn find<'r>(registry: &'r Registry, name: &str) -> Result<&'r Application, String> {
    registry.applications().find(|application| application.name == name).ok_or_else(|| {
        let names = registry.applications().map(|application| application.name.as_str());
        let near = suggestion(name, names);
        let help = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
        format!("there is no application '{}'{help}", name.escape_debug())
    })
}

/// `link` or `stage N`.
fn space(text: &str) -> Result<Space, String> {
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["link"] => Some(Space::Link),
        ["stage", number] => number.parse().ok().map(Space::Stage),
        _ => None,
    }
    .ok_or_else(|| format!("expected 'link' or 'stage N', found '{}'", text.escape_debug()))
}

/// What a shim has done, by name.
pub(crate) fn counters(counters: Counters) -> Value {
    let Counters { stamped, too_long, refused, stripped, echoed, returned } = counters;
    json!({
        "stamped": stamped,
        "too_long": too_long,
        "refused": refused,
        "stripped": stripped,
        "echoed": echoed,
        "returned": returned,
    })
}
