//! Keys of a lab set from elsewhere: `--set`, `[quick]`, variants, sweeps. A path such as `traffic.search.load` leads through
//! tables, and in lists of tables to the one with that name (or number, from 0; or to all, with `*`).

use ww_config::mistakes::{Mistakes, Place, Sources, did_you_mean};
use ww_config::tree::{self, Kind, Table, Value};

/// A key with the value that it shall have.
#[derive(Clone, Debug)]
pub struct Override {
    /// Between dots.
    pub path: String,
    /// Where the path is written.
    pub place: Place,
    /// What it is set to.
    pub value: Value,
}

impl Override {
    /// `key=value`, as an argument of a command; `what` stands in front of it in messages. A value that is not TOML is a text.
    ///
    /// # Errors
    /// A sentence: there is no `=`.
    pub fn parse(text: &str, what: &str, sources: &mut Sources) -> Result<Self, String> {
        let Some((path, value)) = text.split_once('=') else {
            return Err(format!("expected KEY=VALUE, found {text:?}"));
        };
        let source = sources.argument(format!("{what}{text}"));
        let place = Place::new(source, 0..0);
        let value = value.trim();
        let quiet = Mistakes::default();
        let mut table = tree::parse(&format!("v = {value}"), source, &quiet);
        let single = (quiet.count() == 0 && table.entries.len() == 1).then(|| table.entries.pop());
        let kind = match single.flatten() {
            Some(entry) if entry.key == "v" => entry.value.kind,
            _ => Kind::Text(value.to_owned()),
        };
        let value = Value { place: place.clone(), kind };
        Ok(Self { path: path.trim().to_owned(), place, value })
    }

    /// The keys of a table that are paths: of `[quick]`, for instance.
    pub fn of_table(table: &Table) -> Vec<Self> {
        let mut list = Vec::new();
        gather(table, "", &mut list);
        list
    }

    /// Sets the key in a lab's tree. A path that leads nowhere is a mistake; a key that is unknown is found when
    /// the tree is read.
    pub fn apply(&self, lab: &mut Table, mistakes: &Mistakes) {
        let keys: Vec<&str> = self.path.split('.').collect();
        if keys.iter().any(|key| key.is_empty()) {
            mistakes.add(&self.place, format!("expected keys between dots, found '{}'", self.path));
            return;
        }
        self.set(lab, &keys, mistakes);
    }

    fn set(&self, table: &mut Table, keys: &[&str], mistakes: &Mistakes) {
        let (key, rest) = (keys[0], &keys[1..]);
        if rest.is_empty() {
            table.set(key, self.placed());
            return;
        }
        if table.get(key).is_none() {
            let kind = Kind::Table(Table::default());
            table.set(key, Value { place: self.place.clone(), kind });
        }
        // It has just been put there if it was not.
        let Some(value) = table.get_mut(key) else { return };
        match &mut value.kind {
            Kind::Table(inner) => self.set(inner, rest, mistakes),
            Kind::List(list) => self.set_in_list(key, list, rest, mistakes),
            _ => mistakes.add(
                &self.place,
                format!("'{}': '{key}' has no keys: it is {}", self.path, value.described()),
            ),
        }
    }

    fn set_in_list(&self, owner: &str, list: &mut [Value], keys: &[&str], mistakes: &Mistakes) {
        // Names may have dots: as many keys as fit.
        for taken in (1..=keys.len()).rev() {
            let name = keys[..taken].join(".");
            let rest = &keys[taken..];
            let mut found = false;
            for (number, item) in list.iter_mut().enumerate() {
                let fits = name == "*" || names(item).contains(&name) || name == number.to_string();
                if !fits {
                    continue;
                }
                found = true;
                if rest.is_empty() && item.table().is_none() {
                    *item = self.placed();
                    continue;
                }
                match (&mut item.kind, rest) {
                    (Kind::Table(inner), [_, ..]) => self.set(inner, rest, mistakes),
                    _ => mistakes
                        .add(&self.place, format!("'{}' needs a key behind '{name}'", self.path)),
                }
            }
            if found {
                return;
            }
        }
        let known: Vec<String> =
            list.iter().filter_map(|item| names(item).into_iter().next()).collect();
        let message = format!("'{}': there is no '{}' in '{owner}'", self.path, keys[0]);
        let advice = did_you_mean(keys[0], known.iter().map(String::as_str))
            .or_else(|| (!known.is_empty()).then(|| format!("there are {}", known.join(", "))));
        mistakes.advise(&self.place, message, advice);
    }

    /// The value, with all of it at the place of the override.
    fn placed(&self) -> Value {
        self.value.clone()
    }
}

/// What a table of a list is called: its name, or the ends of a link.
fn names(item: &Value) -> Vec<String> {
    let Some(table) = item.table() else { return Vec::new() };
    let mut names = Vec::new();
    if let Some(name) = table.get("name").and_then(Value::text) {
        names.push(name.to_owned());
    }
    if let Some(Kind::List(ends)) = table.get("ends").map(|ends| &ends.kind) {
        let ends: Vec<&str> = ends.iter().filter_map(Value::text).collect();
        let plain = |end: &&str| end.split(':').next().unwrap_or_default().to_owned();
        let short: Vec<String> = ends.iter().map(plain).collect();
        names.push(short.join("-"));
        names.push(short.into_iter().rev().collect::<Vec<_>>().join("-"));
        names.push(ends.join("-"));
    }
    names
}

fn gather(table: &Table, above: &str, list: &mut Vec<Override>) {
    for entry in &table.entries {
        let path = format!("{above}{}", entry.key);
        match &entry.value.kind {
            // A key with dots in it is a path, and its value is all that it says.
            Kind::Table(inner) if !entry.key.contains('.') => {
                gather(inner, &format!("{path}."), list);
            }
            _ => {
                let (place, value) = (entry.place.clone(), entry.value.clone());
                list.push(Override { path, place, value });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAB: &str = "
[run]
seed = 1
[[traffic]]
name = \"a.b\"
load = 0.5
[[traffic]]
name = \"c\"
load = 0.5
[[link]]
ends = [\"h0\", \"s0:3\"]
";

    fn applied(arguments: &[&str]) -> (Table, String) {
        let (mut sources, mistakes) = (Sources::default(), Mistakes::default());
        let file = sources.file("lab.toml", LAB);
        let mut table = tree::parse(LAB, file, &mistakes);
        for argument in arguments {
            let setting = Override::parse(argument, "--set ", &mut sources).expect("key=value");
            setting.apply(&mut table, &mistakes);
        }
        (table, mistakes.report(&sources).map(|report| report.to_string()).unwrap_or_default())
    }

    fn number(table: &Table, list: &str, index: usize, key: &str) -> String {
        table.get(list).expect("a list").listed()[index]
            .table()
            .and_then(|t| t.get(key))
            .expect("a key")
            .described()
    }

    #[test]
    fn paths_lead_to_keys() {
        let arguments = [
            "traffic.a.b.load=0.7",
            "run.seed=3",
            "link.h0-s0.rate=10 Gb/s",
            "routing.multipath=false",
        ];
        let (table, wrong) = applied(&arguments);
        assert_eq!(wrong, "");
        assert_eq!(number(&table, "traffic", 0, "load"), "0.7");
        assert_eq!(number(&table, "traffic", 1, "load"), "0.5");
        assert_eq!(number(&table, "link", 0, "rate"), "\"10 Gb/s\"");
        assert_eq!(
            table
                .get("routing")
                .and_then(Value::table)
                .and_then(|t| t.get("multipath"))
                .expect("set")
                .described(),
            "false"
        );
        for link in ["s0-h0", "h0-s0:3", "0"] {
            let (table, wrong) = applied(&[&format!("link.{link}.rate=9 Gb/s")]);
            assert_eq!(
                (number(&table, "link", 0, "rate"), wrong),
                ("\"9 Gb/s\"".to_owned(), String::new())
            );
        }
        let (table, wrong) = applied(&["traffic.*.load=0.9", "traffic.1.stop=\"1 ms\""]);
        assert_eq!(wrong, "");
        assert_eq!(number(&table, "traffic", 0, "load"), "0.9");
        assert_eq!(number(&table, "traffic", 1, "stop"), "\"1 ms\"");
    }

    #[test]
    fn paths_that_lead_nowhere() {
        for (argument, words) in [
            ("traffic.ab.load=1", "there is no 'ab' in 'traffic'; did you mean 'a.b'?"),
            ("traffic.search.load=1", "there are a.b, c"),
            ("run.seed.x=1", "'seed' has no keys: it is 1"),
            ("run..x=1", "between dots"),
            ("traffic.c=1", "needs a key behind 'c'"),
        ] {
            let (_, wrong) = applied(&[argument]);
            assert!(
                wrong.starts_with(&format!("--set {argument}: ")) && wrong.contains(words),
                "{wrong}"
            );
        }
        assert!(Override::parse("x", "--set ", &mut Sources::default()).is_err());
    }
}
