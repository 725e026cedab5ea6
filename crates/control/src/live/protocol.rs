//! Requests as they stand on the wire: one JSON object a line. docs/control.md describes them.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;
use ww_spelling::suggestion;

/// The version of the protocol; it changes when a request changes its meaning.
pub const VERSION: u32 = 1;

/// A number, address or pattern: a JSON number, text, or truth value.
pub type Word = Value;

/// Keys of an entry or a member of a value set: by position or by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a list of keys or an object from names to keys")]
pub enum Keys {
    /// All of them in order.
    List(Vec<Word>),
    /// By name.
    Named(BTreeMap<String, Word>),
}

/// Arguments of an action: by position or by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a list of arguments or an object from names to arguments")]
pub enum Arguments {
    /// All of them in order.
    List(Vec<Word>),
    /// By name.
    Named(BTreeMap<String, Word>),
}

/// A handle: a number, or `{"of": N}` for what change N (from 0) of the same transaction made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// Known.
    Number(u64),
    /// Known once the transaction is carried out.
    Of(usize),
}

impl<'de> Deserialize<'de> for Handle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let of = value.as_object().filter(|map| map.len() == 1).and_then(|map| map.get("of"));
        let found = match of {
            Some(of) => of.as_u64().and_then(|n| usize::try_from(n).ok()).map(Handle::Of),
            None => value.as_u64().map(Handle::Number),
        };
        found.ok_or_else(|| {
            serde::de::Error::custom(format!(
                "expected a handle (a number, or {{\"of\": N}}), found {}",
                crate::word::shorten(&value.to_string())
            ))
        })
    }
}

/// One rate of a meter.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Units (packets, or bytes) per microsecond.
    pub rate: f64,
    /// Depth of the bucket in units.
    pub burst: u64,
}

/// A request that changes something; it may be part of a transaction.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)] // docs/control.md has every field
pub enum Change {
    TableAdd {
        table: String,
        keys: Keys,
        priority: Option<i64>,
        action: Option<String>,
        arguments: Option<Arguments>,
        member: Option<Handle>,
        group: Option<Handle>,
    },
    TableModify {
        table: String,
        handle: Option<Handle>,
        keys: Option<Keys>,
        priority: Option<i64>,
        action: Option<String>,
        arguments: Option<Arguments>,
        member: Option<Handle>,
        group: Option<Handle>,
    },
    TableDelete {
        table: String,
        handle: Option<Handle>,
        keys: Option<Keys>,
        priority: Option<i64>,
    },
    TableClear {
        table: String,
    },
    TableSetDefault {
        table: String,
        action: Option<String>,
        arguments: Option<Arguments>,
        member: Option<Handle>,
        group: Option<Handle>,
    },
    TableResetDefault {
        table: String,
    },
    MemberAdd {
        profile: String,
        action: String,
        arguments: Option<Arguments>,
    },
    MemberModify {
        profile: String,
        member: Handle,
        action: String,
        arguments: Option<Arguments>,
    },
    MemberDelete {
        profile: String,
        member: Handle,
    },
    GroupCreate {
        profile: String,
        #[serde(default)]
        members: Vec<Handle>,
    },
    GroupDelete {
        profile: String,
        group: Handle,
    },
    GroupAddMember {
        profile: String,
        group: Handle,
        member: Handle,
    },
    GroupRemoveMember {
        profile: String,
        group: Handle,
        member: Handle,
    },
    RegisterWrite {
        register: String,
        index: Option<u64>,
        value: Word,
    },
    RegisterReset {
        register: String,
    },
    CounterWrite {
        counter: String,
        index: Option<Handle>,
        packets: u64,
        bytes: u64,
    },
    CounterReset {
        counter: String,
    },
    MeterSet {
        meter: String,
        index: Option<Handle>,
        committed: Rate,
        peak: Rate,
    },
    MeterReset {
        meter: String,
        index: Option<Handle>,
    },
    ValueSetAdd {
        value_set: String,
        member: Keys,
    },
    ValueSetRemove {
        value_set: String,
        member: Keys,
    },
    ValueSetClear {
        value_set: String,
    },
    MirrorSet {
        session: u32,
        port: Option<u32>,
        group: Option<u16>,
        truncate: Option<u32>,
    },
    MirrorDelete {
        session: u32,
    },
    MulticastGroupCreate {
        group: u16,
    },
    MulticastGroupDelete {
        group: u16,
    },
    MulticastNodeCreate {
        #[serde(default)]
        replication_id: u16,
        ports: Vec<u32>,
        group: Option<u16>,
    },
    MulticastNodeModify {
        node: Handle,
        ports: Vec<u32>,
    },
    MulticastNodeAdd {
        group: u16,
        node: Handle,
    },
    MulticastNodeRemove {
        group: u16,
        node: Handle,
    },
    MulticastNodeDelete {
        node: Handle,
    },
}

/// Every other request.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)] // docs/control.md has every field
pub enum Request {
    Hello {
        version: Option<u32>,
    },
    Schema {},
    Generation {},
    Ports {},
    Queues {},
    TppRead {
        addresses: Vec<u16>,
    },
    TppWrite {
        address: u16,
        value: u32,
    },
    Stop {},
    TableEntries {
        table: String,
        #[serde(default)]
        counters: bool,
    },
    TableEntry {
        table: String,
        handle: Option<u64>,
        keys: Option<Keys>,
        priority: Option<i64>,
    },
    TableDefault {
        table: String,
    },
    Members {
        profile: String,
    },
    Groups {
        profile: String,
    },
    RegisterRead {
        register: String,
        index: Option<u64>,
    },
    CounterRead {
        counter: String,
        index: Option<u64>,
    },
    MeterRead {
        meter: String,
        index: Option<u64>,
    },
    ValueSetMembers {
        value_set: String,
    },
    Mirrors {},
    MulticastGroups {},
    MulticastNodes {},
    Transaction {
        changes: Vec<Map<String, Value>>,
    },
    Begin {},
    Commit {},
    Abort {},
    Script {
        text: String,
        #[serde(default)]
        atomic: bool,
    },
    Digests {
        subscribe: bool,
    },
    Load(LoadRequest),
}

/// Asks for another program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadRequest {
    /// The program's file, as the server's process sees it.
    pub path: PathBuf,
    /// Folders for included files.
    #[serde(default)]
    pub include: Vec<PathBuf>,
    /// Macros, `N` or `N=V`.
    #[serde(default)]
    pub define: Vec<String>,
    /// Descriptions of architectures, files.
    #[serde(default)]
    pub arch: Vec<PathBuf>,
    /// Load even if tables do not fit, which are empty then.
    #[serde(default)]
    pub drop_misfits: bool,
}

/// A message, apart from its `id`.
#[derive(Clone, Debug)]
pub enum Message {
    /// Something is to change.
    Change(Box<Change>),
    /// Anything else.
    Request(Box<Request>),
}

/// The names between back quotes in a message of serde's.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// A refusal in our words, with the name that was meant if one is near.
fn explain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // Places in a line that we took apart mean nothing.
    let text = text.split(" at line ").next().unwrap_or(&text).to_owned();
    if !text.starts_with("unknown field") {
        return text;
    }
    let names = quoted(&text);
    match names.split_first().and_then(|(wrong, known)| suggestion(wrong, known.iter().copied())) {
        Some(near) => format!("{text}; did you mean `{near}`?"),
        None => text,
    }
}

/// The names of all requests of one kind.
fn names_of<T: for<'de> Deserialize<'de>>() -> Vec<String> {
    // serde lists the names of an enum when it meets one that is not among them.
    let object = Map::from_iter([(String::new(), Value::Null)]);
    match serde_json::from_value::<T>(Value::Object(object)) {
        Ok(_) => Vec::new(),
        Err(error) => quoted(&error.to_string()).into_iter().skip(1).map(str::to_owned).collect(),
    }
}

/// Reads a change from an object with its name in `request`.
pub fn read_change(mut object: Map<String, Value>) -> Result<Change, String> {
    match read(take_name(&mut object)?, object)? {
        Message::Change(change) => Ok(*change),
        Message::Request(_) => Err("a transaction consists of changes only".to_owned()),
    }
}

fn take_name(object: &mut Map<String, Value>) -> Result<String, String> {
    match object.remove("request") {
        Some(Value::String(name)) => Ok(name),
        Some(other) => Err(format!(
            "expected the name of a request in `request`, found {}",
            crate::word::shorten(&other.to_string())
        )),
        None => Err("`request`, the name of what is asked for, is missing".to_owned()),
    }
}

fn read(name: String, object: Map<String, Value>) -> Result<Message, String> {
    static NAMES: LazyLock<(Vec<String>, Vec<String>)> =
        LazyLock::new(|| (names_of::<Change>(), names_of::<Request>()));
    let (changes, requests) = &*NAMES;
    let whole = Value::Object(Map::from_iter([(name.clone(), Value::Object(object))]));
    let context = |error: serde_json::Error| format!("{name}: {}", explain(&error));
    if changes.contains(&name) {
        return serde_json::from_value(whole)
            .map(|c| Message::Change(Box::new(c)))
            .map_err(context);
    }
    if requests.contains(&name) {
        return serde_json::from_value(whole)
            .map(|r| Message::Request(Box::new(r)))
            .map_err(context);
    }
    let all = changes.iter().chain(requests).map(String::as_str);
    Err(match suggestion(&name, all) {
        Some(near) => {
            format!("there is no request `{}`; did you mean `{near}`?", crate::word::shorten(&name))
        }
        None => format!("there is no request `{}`", crate::word::shorten(&name)),
    })
}

/// Reads a message. The `id`, whatever it is, is there even if the rest is wrong.
pub fn parse(line: &[u8]) -> (Value, Result<Message, String>) {
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => {
            return (Value::Null, Err(format!("expected one JSON object a line: {error}")));
        }
    };
    let Value::Object(mut object) = value else {
        return (Value::Null, Err("expected a JSON object".to_owned()));
    };
    let id = object.remove("id").unwrap_or(Value::Null);
    if !(id.is_null() || id.is_number() || id.is_string()) {
        return (Value::Null, Err("`id` is a number or a text".to_owned()));
    }
    let message = take_name(&mut object).and_then(|name| read(name, object));
    (id, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Result<Message, String> {
        parse(text.as_bytes()).1
    }

    #[test]
    fn requests_are_read() {
        for text in [
            r#"{"request": "generation"}"#,
            r#"{"request": "table_add", "table": "t", "keys": ["1"], "action": "a"}"#,
            r#"{"request": "table_add", "table": "t", "keys": {"k": 1}, "member": {"of": 3}}"#,
            r#"{"request": "load", "path": "/p.p4", "arch": ["/a.arch.toml"]}"#,
            r#"{"request": "load", "path": "/p.p4"}"#,
            r#"{"request": "transaction", "changes": [{"request": "table_clear", "table": "t"}]}"#,
        ] {
            assert!(message(text).is_ok(), "{text}: {:?}", message(text).err());
        }
        let (id, _) = parse(br#"{"id": "x7", "request": "nonsense"}"#);
        assert_eq!(id, "x7");
    }

    #[test]
    fn refusals_say_what_was_expected() {
        for (text, expected) in [
            ("[]", "expected a JSON object"),
            ("{", "expected one JSON object a line"),
            (r#"{"request": 7}"#, "expected the name of a request in `request`, found 7"),
            ("{}", "`request`, the name of what is asked for, is missing"),
            (r#"{"id": [], "request": "stop"}"#, "`id` is a number or a text"),
            (r#"{"request": "table_ad"}"#, "no request `table_ad`; did you mean `table_add`?"),
            (r#"{"request": "generation", "x": 1}"#, "generation: unknown field `x`"),
            (
                r#"{"request": "table_clear", "tabel": "t"}"#,
                "unknown field `tabel`, expected `table`; did you mean `table`?",
            ),
            (r#"{"request": "table_clear"}"#, "table_clear: missing field `table`"),
            (
                r#"{"request": "member_delete", "profile": "p", "member": "1"}"#,
                r#"expected a handle (a number, or {"of": N}), found "1""#,
            ),
            (
                r#"{"request": "table_add", "table": "t", "keys": 3}"#,
                "expected a list of keys or an object from names to keys",
            ),
        ] {
            let error = message(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
