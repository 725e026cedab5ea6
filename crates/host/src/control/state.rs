//! What a shim's control plane knows, and its file.

use crate::filter::Filter;
use crate::registry::Registry;
use crate::shim::Rule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Bytes that a state's file may have.
const MAX_FILE: u64 = 64 << 20;

/// A rule as the file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    next_rule: u64,
    /// Applications and whose memory is whose.
    pub registry: Registry,
    #[serde(default, rename = "rule")]
    rules: Vec<StoredRule>,
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
    /// A sentence with the name of the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let wrong = |reason: String| format!("{}: {reason}", path.display());
        let text = match fs::metadata(path) {
            Ok(metadata) if metadata.len() > MAX_FILE => {
                return Err(wrong(format!("it has more than {MAX_FILE} bytes")));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            _ => fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?,
        };
        toml::from_str(&text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))
    }

    /// Writes a file, which is there whole, or as it was before, whatever happens.
    ///
    /// # Errors
    /// A sentence with the name of the file.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
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
