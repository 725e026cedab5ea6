//! What a shim's control plane knows, and its file.

use crate::filter::Filter;
use crate::registry::Registry;
use crate::shim::Rule;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use ww_config::Reader;

/// Bytes that a state's file may have.
const MAX_FILE: usize = ww_config::MAX_TEXT;

/// A rule as the file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredRule {
    /// Its number, which no other rule ever gets.
    pub id: u64,
    /// The application's number.
    pub app: u64,
    /// In the words of iptables.
    pub filter: String,
    /// In hexadecimal digits, with the application's tag.
    pub tpp: String,
    /// One packet in this many; 0 for none.
    pub every: u32,
    /// Higher ones are asked first.
    pub priority: i32,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct State {
    next_rule: u64,
    /// Applications and whose memory is whose.
    pub registry: Registry,
    #[serde(rename = "rule")]
    rules: Vec<StoredRule>,
}

impl StoredRule {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        let id = reader.need("id", "0");
        let app = reader.need("app", "0");
        let filter = reader.need("filter", "\"-p udp\"");
        let tpp = reader.need("tpp", "\"a1b2\"");
        let every = reader.need("every", "1");
        let priority = reader.need("priority", "0");
        let (filter, tpp) = (filter?, tpp?);
        Some(Self { id: id?, app: app?, filter, tpp, every: every?, priority: priority? })
    }
}

impl State {
    /// All rules, the oldest first.
    pub fn rules(&self) -> &[StoredRule] {
        &self.rules
    }

    /// Adds a rule of an application, if its filter is right and it may do what the TPP does. Gives its number and what
    /// the shim needs.
    ///
    /// # Errors
    /// A sentence.
    pub fn add(
        &mut self,
        app: u64,
        filter: &str,
        tpp: &[u8],
        every: u32,
        priority: i32,
    ) -> Result<(u64, Rule), String> {
        let filter: Filter = filter.parse().map_err(|error| format!("{error}"))?;
        let tpp = self.registry.authorise(app, tpp).map_err(|reason| reason.to_string())?;
        let id = self.next_rule;
        self.next_rule += 1;
        let stored = StoredRule {
            id,
            app,
            filter: filter.to_string(),
            tpp: crate::hex::digits(&tpp),
            every,
            priority,
        };
        self.rules.push(stored);
        Ok((id, Rule { filter, tpp, every, priority }))
    }

    /// Removes a rule. False if there is none with this number.
    pub fn remove(&mut self, id: u64) -> bool {
        let before = self.rules.len();
        self.rules.retain(|rule| rule.id != id);
        self.rules.len() < before
    }

    /// Removes all rules of an application. Gives their numbers.
    pub fn remove_all_of(&mut self, app: u64) -> Vec<u64> {
        let (gone, kept) = std::mem::take(&mut self.rules).into_iter().partition(|r| r.app == app);
        self.rules = kept;
        gone.into_iter().map(|rule: StoredRule| rule.id).collect()
    }

    /// What the shim needs of all rules.
    ///
    /// # Errors
    /// A sentence about the first rule that cannot be, as somebody has changed the file.
    pub fn for_shim(&self) -> Result<BTreeMap<u64, Rule>, String> {
        let mut made = BTreeMap::new();
        for rule in &self.rules {
            let wrong = |reason: String| format!("rule {}: {reason}", rule.id);
            let filter = rule.filter.parse::<Filter>().map_err(|e| wrong(e.to_string()))?;
            let bytes = crate::hex::bytes(rule.tpp.as_bytes())
                .ok_or_else(|| wrong("its TPP is no even number of digits".to_owned()))?;
            let tpp =
                self.registry.authorise(rule.app, &bytes).map_err(|e| wrong(e.to_string()))?;
            let (every, priority) = (rule.every, rule.priority);
            let is_new = made.insert(rule.id, Rule { filter, tpp, every, priority }).is_none();
            if !is_new || rule.id >= self.next_rule {
                return Err(wrong("its number cannot be".to_owned()));
            }
        }
        Ok(made)
    }

    /// Reads a file; there need not be one yet.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(path: &Path) -> Result<Self, String> {
        if matches!(path.try_exists(), Ok(false)) {
            return Ok(Self::default());
        }
        let text = ww_config::text_within(path, MAX_FILE).map_err(|report| report.to_string())?;
        let state = ww_config::parse(&path.display().to_string(), &text, |file| {
            let next_rule = file.need("next_rule", "0");
            let registry = file.needed_value("registry", "{ next = 0 }").and_then(|value| {
                let reader = file.as_table(value, "[registry]".to_owned())?;
                let registry = Registry::read(&reader);
                reader.finish();
                registry
            });
            let rules = file.each("rule", StoredRule::read);
            Some(Self { next_rule: next_rule?, registry: registry?, rules })
        });
        state.map_err(|report| report.to_string())
    }

    /// Writes a file, which is there whole, or as it was before, whatever happens.
    ///
    /// # Errors
    /// A sentence with the name of the file.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = ww_config::write(self)?;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = path.with_file_name(name);
        let written = File::create(&new)
            .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&new, path));
        written.map_err(|error| {
            let _ = fs::remove_file(&new);
            format!("cannot write '{}': {error}", path.display())
        })
    }
}
