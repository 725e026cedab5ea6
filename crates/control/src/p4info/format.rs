//! P4Info as a file: text, JSON or binary.

use super::proto::P4Info;
use prost::Message;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, MapKey, ReflectMessage, Value,
};
use std::fmt::Write;
use std::path::Path;

/// How a P4Info is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Protocol buffers' text format.
    Text,
    /// Protocol buffers' JSON mapping.
    Json,
    /// Protocol buffers' wire format.
    Binary,
}

impl Format {
    /// The format that a file's name asks for: `.txt`, `.txtpb`, `.textproto`, `.pbtxt` or
    /// `.p4info` for text, `.json`, and `.bin`, `.pb` or `.binpb` for binary.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "txt" | "txtpb" | "textproto" | "pbtxt" | "p4info" => Some(Self::Text),
            "json" => Some(Self::Json),
            "bin" | "pb" | "binpb" => Some(Self::Binary),
            _ => None,
        }
    }
}

/// The bytes of a file. Equal programs give equal bytes.
pub fn encode(info: &P4Info, format: Format) -> Result<Vec<u8>, String> {
    let binary = info.encode_to_vec();
    if format == Format::Binary {
        return Ok(binary);
    }
    let descriptor = include_bytes!(concat!(env!("OUT_DIR"), "/p4info.bin"));
    let pool = DescriptorPool::decode(&descriptor[..]).map_err(|e| e.to_string())?;
    let message = pool.get_message_by_name("p4.config.v1.P4Info").ok_or("no message P4Info")?;
    let message = DynamicMessage::decode(message, &binary[..]).map_err(|e| e.to_string())?;
    if format == Format::Json {
        let value = serde_json::to_value(&message).map_err(|e| e.to_string())?;
        let mut text = serde_json::to_vec_pretty(&sorted(value)).map_err(|e| e.to_string())?;
        text.push(b'\n');
        return Ok(text);
    }
    let mut text = String::new();
    print_message(&message, 0, &mut text);
    Ok(text.into_bytes())
}

/// The same value with the keys of all objects in order, so that maps have one.
fn sorted(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(object) => {
            let mut pairs: Vec<_> = object.into_iter().map(|(k, v)| (k, sorted(v))).collect();
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            pairs.into_iter().collect()
        }
        serde_json::Value::Array(items) => items.into_iter().map(sorted).collect(),
        other => other,
    }
}

/// All fields that are set, in the order of their numbers.
fn print_message(message: &DynamicMessage, indent: usize, out: &mut String) {
    let mut fields: Vec<_> = message.descriptor().fields().collect();
    fields.sort_by_key(FieldDescriptor::number);
    for field in fields.iter().filter(|field| message.has_field(field)) {
        match &*message.get_field(field) {
            Value::List(items) => {
                for item in items {
                    print_field(field, item, indent, out);
                }
            }
            Value::Map(map) => {
                let mut pairs: Vec<_> = map.iter().collect();
                pairs.sort_by_key(|(key, _)| key_text(key));
                for (key, value) in pairs {
                    let _ = writeln!(out, "{:indent$}{} {{", "", field.name());
                    let _ = writeln!(out, "{:indent$}  key: {}", "", key_text(key));
                    print_named("value", value, None, indent + 2, out);
                    let _ = writeln!(out, "{:indent$}}}", "");
                }
            }
            value => print_field(field, value, indent, out),
        }
    }
}

fn print_field(field: &FieldDescriptor, value: &Value, indent: usize, out: &mut String) {
    print_named(field.name(), value, Some(field), indent, out);
}

fn print_named(
    name: &str,
    value: &Value,
    field: Option<&FieldDescriptor>,
    indent: usize,
    out: &mut String,
) {
    let scalar = match value {
        Value::Message(message) => {
            let _ = writeln!(out, "{:indent$}{name} {{", "");
            print_message(message, indent + 2, out);
            let _ = writeln!(out, "{:indent$}}}", "");
            return;
        }
        Value::Bool(value) => value.to_string(),
        Value::I32(value) => value.to_string(),
        Value::I64(value) => value.to_string(),
        Value::U32(value) => value.to_string(),
        Value::U64(value) => value.to_string(),
        Value::F32(value) => value.to_string(),
        Value::F64(value) => value.to_string(),
        Value::String(text) => quoted(text.as_bytes()),
        Value::Bytes(bytes) => quoted(bytes),
        Value::EnumNumber(number) => {
            let kind = field.map(FieldDescriptor::kind);
            let names = kind.as_ref().and_then(|kind| kind.as_enum());
            let member = names.and_then(|names| names.get_value(*number));
            member.map_or_else(|| number.to_string(), |member| member.name().to_owned())
        }
        // Lists and maps do not nest.
        Value::List(_) | Value::Map(_) => return,
    };
    let _ = writeln!(out, "{:indent$}{name}: {scalar}", "");
}

fn key_text(key: &MapKey) -> String {
    match key {
        MapKey::Bool(key) => key.to_string(),
        MapKey::I32(key) => key.to_string(),
        MapKey::I64(key) => key.to_string(),
        MapKey::U32(key) => key.to_string(),
        MapKey::U64(key) => key.to_string(),
        MapKey::String(key) => quoted(key.as_bytes()),
    }
}

/// A string literal: printable ASCII as it is, the rest as escapes.
fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b'\n' => out.push_str("\\n"),
            b' '..=b'~' => out.push(char::from(byte)),
            other => {
                let _ = write!(out, "\\{other:03o}");
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::super::proto;
    use super::*;

    #[test]
    fn suffixes() {
        let of = |name: &str| Format::of_path(Path::new(name));
        assert_eq!(of("a.p4info.txt"), Some(Format::Text));
        assert_eq!(of("a.txtpb"), Some(Format::Text));
        assert_eq!(of("a.JSON"), Some(Format::Json));
        assert_eq!(of("a.bin"), Some(Format::Binary));
        assert_eq!(of("a"), None);
        assert_eq!(of("a.p4"), None);
    }

    #[test]
    fn the_three_forms() {
        let mut info = P4Info::default();
        let preamble =
            proto::Preamble { id: 0x0200_0001, name: "a.t".into(), ..Default::default() };
        info.tables.push(proto::Table { preamble: Some(preamble), size: 7, ..Default::default() });
        // Field 2 (tables) of wire type 2, 14 bytes: field 1 (preamble), 10 bytes: id as varint
        // 33554433, name; field 8 (size).
        let binary =
            [0x12, 14, 0x0a, 10, 0x08, 0x81, 0x80, 0x80, 0x10, 0x12, 3, b'a', b'.', b't', 0x40, 7];
        assert_eq!(encode(&info, Format::Binary).as_deref(), Ok(&binary[..]));
        let text = String::from_utf8(encode(&info, Format::Text).expect("text")).expect("UTF-8");
        let expected =
            "tables {\n  preamble {\n    id: 33554433\n    name: \"a.t\"\n  }\n  size: 7\n}\n";
        assert_eq!(text, expected);
        let json = encode(&info, Format::Json).expect("JSON");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        assert_eq!(json["tables"][0]["preamble"]["id"], 33_554_433);
        // 64-bit integers are strings in the JSON mapping.
        assert_eq!(json["tables"][0]["size"], "7");
    }
}
