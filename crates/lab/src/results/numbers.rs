//! Named numbers of a run, and of several runs.

use super::statistics::Figure;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Numbers under paths of names: what one run gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Paths, and what they lead to.
    pub list: BTreeMap<Vec<String>, f64>,
}

impl Numbers {
    /// Adds a number. One that is not finite is left out, as JSON has none.
    pub fn set(&mut self, path: &[&str], value: f64) {
        if value.is_finite() {
            self.list.insert(path.iter().map(|name| (*name).to_owned()).collect(), value);
        }
    }

    /// Adds a number, if there is one.
    pub fn set_some(&mut self, path: &[&str], value: Option<f64>) {
        if let Some(value) = value {
            self.set(path, value);
        }
    }

    /// The number at a path.
    pub fn get(&self, path: &[&str]) -> Option<f64> {
        let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
        self.list.get(&path).copied()
    }
}

/// Numbers of several runs with different seeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Paths, and what each run gave there.
    pub list: BTreeMap<Vec<String>, Figure>,
}

impl Figures {
    /// Of runs, in the order of seeds.
    pub fn of(runs: &[Numbers]) -> Self {
        let mut list: BTreeMap<Vec<String>, Figure> = BTreeMap::new();
        for (path, value) in runs.iter().flat_map(|run| &run.list) {
            let figure = list.entry(path.clone()).or_insert_with(|| Figure { values: Vec::new() });
            figure.values.push(*value);
        }
        Self { list }
    }

    /// The mean at a path.
    pub fn mean(&self, path: &[&str]) -> Option<f64> {
        let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
        self.list.get(&path).map(Figure::mean)
    }

    /// As a tree of objects. A figure is `{"value": mean}`, with several runs also `"interval"` and `"values"`.
    pub fn json(&self) -> Value {
        let mut tree = Map::new();
        for (path, figure) in &self.list {
            let Some((last, above)) = path.split_last() else { continue };
            if let Some(at) = above.iter().try_fold(&mut tree, |at, name| {
                at.entry(name.clone()).or_insert_with(|| Value::Object(Map::new())).as_object_mut()
            }) {
                at.insert(last.clone(), figure_json(figure));
            }
        }
        Value::Object(tree)
    }
}

fn figure_json(figure: &Figure) -> Value {
    let value = number(figure.mean());
    match figure.interval() {
        None => json!({ "value": value }),
        Some((low, high)) => json!({
            "value": value,
            "interval": [number(low), number(high)],
            "values": figure.values.iter().map(|value| number(*value)).collect::<Vec<_>>(),
        }),
    }
}

/// A whole number without a point.
pub fn number(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 9e15 {
        true => json!(value as i64),
        false => json!(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees() {
        let mut runs = [Numbers::default(), Numbers::default()];
        for (run, value) in runs.iter_mut().zip([1.0, 2.0]) {
            run.set(&["a", "b"], value);
            run.set(&["a", "c"], 0.5);
            run.set(&["d"], f64::NAN);
        }
        let both = Figures::of(&runs);
        assert_eq!(both.mean(&["a", "b"]), Some(1.5));
        assert_eq!(both.mean(&["d"]), None);
        // t of one degree is 12.706; the standard error is 0.5.
        assert_eq!(
            both.json().to_string(),
            r#"{"a":{"b":{"interval":[-4.853,7.853],"value":1.5,"values":[1,2]},"c":{"interval":[0.5,0.5],"value":0.5,"values":[0.5,0.5]}}}"#
        );
        assert_eq!(
            Figures::of(&runs[..1]).json().to_string(),
            r#"{"a":{"b":{"value":1},"c":{"value":0.5}}}"#
        );
    }
}
