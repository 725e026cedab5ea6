//! Many runs of a lab: a point for each combination of values of some keys. Each point has a folder of its own with
//! its `results.json`, which appears when the point is finished, so that a sweep that was interrupted goes on.

pub mod cluster;
pub mod report;
pub mod run;

use serde_json::Value;

/// Points of a sweep.
pub const MAX_POINTS: usize = 100_000;

/// A key and the values that it takes, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// A dotted path.
    pub key: String,
    /// One or more.
    pub values: Vec<String>,
}

impl Over {
    /// `key=a,b,c`; commas in quotes or brackets do not separate.
    ///
    /// # Errors
    /// A sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some((key, values)) = text.split_once('=') else {
            return Err(format!("expected KEY=VALUE,VALUE,..., found {text:?}"));
        };
        let (mut list, mut value) = (Vec::new(), String::new());
        let (mut quoted, mut depth) = (false, 0i32);
        for letter in values.chars() {
            match letter {
                '"' => quoted = !quoted,
                '[' | '{' if !quoted => depth += 1,
                ']' | '}' if !quoted => depth -= 1,
                _ => {}
            }
            match letter {
                ',' if !quoted && depth == 0 => list.push(std::mem::take(&mut value)),
                _ => value.push(letter),
            }
        }
        list.push(value);
        let values: Vec<String> = list.into_iter().map(|value| value.trim().to_owned()).collect();
        if key.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(format!("expected KEY=VALUE,VALUE,..., found {text:?}"));
        }
        Ok(Self { key: key.trim().to_owned(), values })
    }
}

/// A point of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `key=value` of each key.
    pub set: Vec<String>,
    /// The name of its folder.
    pub folder: String,
}

/// All combinations; the last key runs fastest.
///
/// # Errors
/// There are too many.
pub fn points(over: &[Over]) -> Result<Vec<Point>, String> {
    let count = over.iter().try_fold(1usize, |count, over| count.checked_mul(over.values.len()));
    let Some(count) = count.filter(|count| *count <= MAX_POINTS) else {
        return Err(format!("the sweep has more than {MAX_POINTS} points"));
    };
    let point = |number: usize| {
        let mut rest = number;
        let mut set: Vec<String> = over
            .iter()
            .rev()
            .map(|over| {
                let value = &over.values[rest % over.values.len()];
                rest /= over.values.len();
                format!("{}={value}", over.key)
            })
            .collect();
        set.reverse();
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._=-".contains(c) { c } else { '_' };
        let words: String = set.join("+").chars().take(120).map(plain).collect();
        Point { set, folder: format!("{number:04}-{words}") }
    };
    Ok((0..count).map(point).collect())
}

/// What a sweep has come to.
#[derive(Debug)]
pub struct Done {
    /// Points with their results, in order.
    pub points: Vec<(Point, Value)>,
    /// Points whose results were there already.
    pub found: usize,
    /// Points that were not run, because the sweep was stopped.
    pub missing: usize,
}

impl Done {
    /// Points that miss an expectation.
    pub fn missed(&self) -> usize {
        self.points.iter().filter(|(_, results)| missed(results) > 0).count()
    }
}

/// Expectations that results miss.
fn missed(results: &Value) -> usize {
    let lines = results.get("expectations").and_then(Value::as_array);
    let is_missed = |line: &&Value| line.get("verdict").and_then(Value::as_str) == Some("missed");
    lines.into_iter().flatten().filter(is_missed).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations() {
        let over = ["a.b=1,2", "c=\"x,y\",[1,2],z"].map(|text| Over::parse(text).expect("good"));
        assert_eq!(over[1].values, ["\"x,y\"", "[1,2]", "z"]);
        let points = points(&over).expect("six");
        assert_eq!(points.len(), 6);
        assert_eq!(points[1].set, ["a.b=1", "c=[1,2]"]);
        assert_eq!(points[1].folder, "0001-a.b=1_c=_1_2_");
        assert_eq!(points[5].set, ["a.b=2", "c=z"]);
        for wrong in ["a", "=1", "a=", "a=1,,2"] {
            assert!(Over::parse(wrong).is_err(), "{wrong}");
        }
        let large = Over { key: "k".into(), values: vec!["1".into(); 400] };
        assert!(super::points(&[large.clone(), large]).is_err());
    }
}
