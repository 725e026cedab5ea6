//! Requests as they stand on the wire.

use crate::registry::Application;
use serde::Deserialize;
use serde_json::Value;

/// Something that is asked for: `{"id": 1, "request": "register", "name": "rcp"}`. Applications have names here.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum Request {
    /// A new application, with what it may access in the words of policy files.
    Register {
        /// Its name.
        name: String,
        /// What it may read.
        #[serde(default)]
        read: Vec<String>,
        /// What it may write.
        #[serde(default)]
        write: Vec<String>,
    },
    /// An application as the network's registry has numbered it.
    Adopt {
        /// All of it.
        application: Application,
    },
    /// Removes an application and its rules.
    Unregister {
        /// Its name.
        name: String,
    },
    /// Words of switch memory that no other application can write.
    Allocate {
        /// The application.
        name: String,
        /// `link` or `stage N`.
        space: String,
        /// How many.
        words: u16,
    },
    /// All applications.
    Applications {},
    /// `add_tpp` of the paper.
    AddTpp {
        /// The application.
        name: String,
        /// In the words of iptables; every IPv4 packet if it is empty.
        #[serde(default)]
        filter: String,
        /// The TPP in hexadecimal digits.
        tpp: String,
        /// One packet in this many; 0 for none.
        #[serde(default = "one")]
        every: u32,
        /// Higher ones are asked first.
        #[serde(default)]
        priority: i32,
    },
    /// Ends a rule.
    Remove {
        /// Its number.
        rule: u64,
    },
    /// All rules.
    Rules {},
    /// What the shim has done.
    Stats {},
}

fn one() -> u32 {
    1
}

/// A line. Gives its number, whatever else is wrong with it.
pub(super) fn parse(line: &[u8]) -> (Value, Result<Request, String>) {
    match serde_json::from_slice::<Value>(line) {
        Ok(value) => {
            let id = value.get("id").cloned().unwrap_or(Value::Null);
            (id, serde_json::from_value(value).map_err(|error| error.to_string()))
        }
        Err(error) => (Value::Null, Err(format!("this is no JSON: {error}"))),
    }
}
