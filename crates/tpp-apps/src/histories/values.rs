//! What a history says of each hop, and the program that collects it.

use std::fmt;
use std::str::FromStr;
use ww_tpp::assemble::{Mistake, Options, assemble};
use ww_tpp::header::WordSize;
use ww_tpp::instruction::MAX_INSTRUCTIONS;
use ww_tpp::packet::Repr;

/// Something that a switch says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The switch's number.
    Switch,
    /// The entry of the last table that had one.
    Entry,
    /// The port that the packet came in by.
    InPort,
    /// The port that it leaves by.
    OutPort,
    /// The number of changes of the switch's tables.
    Version,
    /// Bytes in its queue when it came.
    Occupancy,
    /// What its link has sent, in the units of `Link:TX-Utilization`.
    Utilisation,
}

impl Value {
    /// All.
    pub const ALL: [Self; 7] = [
        Self::Switch,
        Self::Entry,
        Self::InPort,
        Self::OutPort,
        Self::Version,
        Self::Occupancy,
        Self::Utilisation,
    ];

    /// Its name in queries, columns and options.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::Entry => "entry",
            Self::InPort => "in-port",
            Self::OutPort => "out-port",
            Self::Version => "version",
            Self::Occupancy => "occupancy",
            Self::Utilisation => "utilisation",
        }
    }

    /// That of a name.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.word() == word)
    }

    /// Where a TPP reads it.
    pub const fn address(self) -> &'static str {
        match self {
            Self::Switch => "Switch:SwitchID",
            Self::Entry => "PacketMetadata:MatchedEntryID",
            Self::InPort => "PacketMetadata:InputPort",
            Self::OutPort => "PacketMetadata:OutputPort",
            Self::Version => "Switch:Version",
            Self::Occupancy => "Queue:QueueOccupancy",
            Self::Utilisation => "Link:TX-Utilization",
        }
    }
}

/// What is collected at each hop, in this order: one to five different values, as a TPP has five instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values(Vec<Value>);

impl Default for Values {
    /// The paper's: switch, entry, in-port.
    fn default() -> Self {
        Self(vec![Value::Switch, Value::Entry, Value::InPort])
    }
}

impl Values {
    /// These.
    ///
    /// # Errors
    /// A sentence.
    pub fn new(values: Vec<Value>) -> Result<Self, String> {
        let is_twice = values.iter().enumerate().any(|(at, value)| values[..at].contains(value));
        match values.len() {
            1..=MAX_INSTRUCTIONS if is_twice => Err("a value is there twice".to_owned()),
            1..=MAX_INSTRUCTIONS => Ok(Self(values)),
            n => Err(format!("a TPP collects 1 to {MAX_INSTRUCTIONS} values at a hop, found {n}")),
        }
    }

    /// In order.
    pub fn all(&self) -> &[Value] {
        &self.0
    }

    /// The text of the program.
    pub fn program(&self) -> String {
        self.0.iter().map(|value| format!("PUSH [{}]\n", value.address())).collect()
    }

    /// The TPP of an application: 12 bytes, 4 for each value, and a word for each value at each hop.
    ///
    /// # Errors
    /// There is no room for so many hops.
    pub fn tpp(&self, app: u8, hops: u16, word: WordSize) -> Result<Repr, Vec<Mistake>> {
        let options =
            Options { word: Some(word), hops: Some(hops), app_tag: Some(app), mode: None };
        assemble(&self.program(), &options)
    }
}

impl FromStr for Values {
    type Err = String;

    /// Names with commas between.
    fn from_str(text: &str) -> Result<Self, String> {
        let value = |word: &str| {
            Value::of(word.trim()).ok_or_else(|| {
                let all = Value::ALL.map(Value::word).join(", ");
                format!("expected one of {all}, found '{}'", word.trim().escape_debug())
            })
        };
        Self::new(text.split(',').map(value).collect::<Result<_, _>>()?)
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.0.iter().map(|value| value.word()).collect();
        f.write_str(&words.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec 003, E5: 12 + 3 * 4 + 10 * 3 * 2 bytes.
    #[test]
    fn sizes_of_the_paper() {
        let tpp = |values: &str| {
            let values: Values = values.parse().expect("good");
            values.tpp(3, 10, WordSize::Two).expect("it fits").emit().len()
        };
        assert_eq!(tpp("switch,entry,in-port"), 84);
        assert_eq!(tpp("switch,entry,in-port,version,occupancy"), 12 + 5 * 4 + 10 * 5 * 2);
        for bad in ["", "switch,switch", "swich", "switch,entry,in-port,out-port,version,occupancy"]
        {
            assert!(bad.parse::<Values>().is_err(), "{bad}");
        }
    }
}
