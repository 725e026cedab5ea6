//! Answers of a dataplane for people.

use serde_json::Value;
use std::fmt::Write;

/// A digest on one line.
pub fn digest(event: &Value) -> String {
    let fields = event["fields"].as_object().map(pairs).unwrap_or_default();
    let lost = match event["lost"].as_u64() {
        Some(0) | None => String::new(),
        Some(lost) => format!(" ({lost} lost before it)"),
    };
    format!("{} {fields}{lost}\n", plain(&event["name"]))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn pairs(object: &serde_json::Map<String, Value>) -> String {
    let pairs: Vec<_> = object.iter().map(|(name, v)| format!("{name}={}", plain(v))).collect();
    pairs.join(" ")
}

/// What an entry or member leads to.
fn target(value: &Value) -> String {
    for name in ["member", "group"] {
        if let Some(handle) = value[name].as_u64() {
            return format!("{name} {handle}");
        }
    }
    let arguments = value["arguments"].as_object().map(pairs).unwrap_or_default();
    let action = value["action"].as_str().unwrap_or("?");
    match arguments.is_empty() {
        true => action.to_owned(),
        false => format!("{action} {arguments}"),
    }
}

fn entry(value: &Value) -> String {
    let keys = value["keys"].as_object().map(pairs).unwrap_or_default();
    let mut line = format!("{}: {keys} => {}", value["handle"], target(value));
    if let Some(priority) = value["priority"].as_i64() {
        let _ = write!(line, " priority {priority}");
    }
    if value["const"] == true {
        line.push_str(" (const)");
    }
    if let Some(packets) = value["packets"].as_u64() {
        let _ = write!(line, " [{packets} packets, {} bytes]", value["bytes"]);
    }
    line
}

fn list<'v>(answer: &'v Value, name: &str) -> Option<&'v Vec<Value>> {
    answer[name].as_array()
}

fn tables(out: &mut String, tables: &[Value]) {
    for table in tables {
        let key = |k: &Value| {
            format!("{} ({}, {} bits)", plain(&k["name"]), plain(&k["match"]), k["width"])
        };
        let keys: Vec<_> = table["keys"].as_array().into_iter().flatten().map(key).collect();
        let _ = writeln!(
            out,
            "table {}: size {}, keys: {}",
            plain(&table["name"]),
            table["size"],
            keys.join(", ")
        );
        for action in table["actions"].as_array().into_iter().flatten() {
            let parameter = |p: &Value| format!("{} ({} bits)", plain(&p["name"]), p["width"]);
            let parameters: Vec<_> =
                action["parameters"].as_array().into_iter().flatten().map(parameter).collect();
            let _ = writeln!(out, "  {}({})", plain(&action["name"]), parameters.join(", "));
        }
    }
}

fn ports(out: &mut String, ports: &[Value]) {
    let _ = writeln!(
        out,
        "{:>5}  {:<24} {:>12} {:>14} {:>12} {:>14} {:>9}",
        "port", "spec", "rx packets", "rx bytes", "tx packets", "tx bytes", "drops"
    );
    for port in ports {
        let number = |name: &str| plain(&port[name]);
        let _ = writeln!(
            out,
            "{:>5}  {:<24} {:>12} {:>14} {:>12} {:>14} {:>9}",
            number("port"),
            number("spec"),
            number("rx_packets"),
            number("rx_bytes"),
            number("tx_packets"),
            number("tx_bytes"),
            number("drops")
        );
    }
}

fn queues(out: &mut String, ports: &[Value]) {
    for port in ports {
        let _ = writeln!(
            out,
            "port {}: {} b/s, {} packets sent, {} bytes",
            port["port"], port["rate"], port["sent"], port["sent_bytes"]
        );
        for flow in port["flows"].as_array().into_iter().flatten() {
            let dropped = flow["dropped"].as_object().map(pairs).unwrap_or_default();
            let _ = writeln!(
                out,
                "  flow {}: {} packets, {} bytes, {} marked, dropped: {}, mean wait {} ns",
                plain(&flow["flow"]),
                flow["packets"],
                flow["bytes"],
                flow["marked"],
                if dropped.is_empty() { "none" } else { &dropped },
                flow["mean_wait_ns"]
            );
        }
    }
}

fn cell(value: &Value) -> String {
    let rates = |side: &Value| format!("{}:{}", side["rate"], side["burst"]);
    for name in ["counter", "meter", "register"] {
        let Some(object) = value[name].as_str() else { continue };
        let head = format!("{object}[{}] =", value["index"]);
        return match name {
            "counter" => format!("{head} {} packets, {} bytes", value["packets"], value["bytes"]),
            "register" => format!("{head} {}", plain(&value["value"])),
            _ if value["rates"].is_null() => format!("{head} not set"),
            _ => {
                let sides = &value["rates"];
                format!("{head} {} {}", rates(&sides["committed"]), rates(&sides["peak"]))
            }
        };
    }
    value.to_string()
}

/// An answer. The forms are told apart by the fields that they have.
pub fn text(answer: &Value) -> String {
    let mut out = String::new();
    let Some(object) = answer.as_object() else { return format!("{answer}\n") };
    if let (Some(table), Some(count)) = (answer["table"].as_str(), answer["count"].as_u64()) {
        let _ = writeln!(out, "table {table}: {count} of {} entries", answer["size"]);
        for value in list(answer, "entries").into_iter().flatten() {
            let _ = writeln!(out, "  {}", entry(value));
        }
        let _ = writeln!(out, "  default: {}", target(&answer["default"]));
    } else if let Some(list) = list(answer, "tables") {
        tables(&mut out, list);
    } else if let Some(list) = list(answer, "ports") {
        ports(&mut out, list);
    } else if let Some(list) = list(answer, "queues") {
        queues(&mut out, list);
    } else if let Some(values) = list(answer, "values") {
        for value in values {
            let _ = writeln!(out, "{value}");
        }
    } else if let Some(cells) = list(answer, "cells") {
        for value in cells {
            let _ = writeln!(out, "{}", cell(value));
        }
    } else if let Some(members) = list(answer, "members") {
        for member in members {
            let _ = match member["handle"].as_u64() {
                Some(handle) => writeln!(out, "member {handle}: {}", target(member)),
                None => writeln!(out, "{}", member.as_object().map(pairs).unwrap_or_default()),
            };
        }
    } else if let Some(mirrors) = list(answer, "mirrors") {
        for mirror in mirrors {
            let given = mirror.as_object().into_iter().flatten().filter(|(_, v)| !v.is_null());
            let words: Vec<_> = given.map(|(name, v)| format!("{name} {v}")).collect();
            let _ = writeln!(out, "{}", words.join(" "));
        }
    } else if list(answer, "groups").is_some() || list(answer, "nodes").is_some() {
        for group in list(answer, "groups").into_iter().flatten() {
            let _ = match group["group"].as_u64() {
                Some(number) => writeln!(out, "group {number}: nodes {}", group["nodes"]),
                None => writeln!(out, "group {}: members {}", group["handle"], group["members"]),
            };
        }
        for node in list(answer, "nodes").into_iter().flatten() {
            let (id, ports) = (&node["replication_id"], &node["ports"]);
            let _ = writeln!(out, "node {}: replication id {id}, ports {ports}", node["handle"]);
        }
    } else if answer.get("keys").is_some() {
        let _ = writeln!(out, "{}", entry(answer));
    } else if let (Some(program), Some(kept)) =
        (answer["program"].as_str(), answer["tables"].as_object())
    {
        let _ = writeln!(out, "{program} is loaded");
        for (table, count) in kept {
            let _ = writeln!(out, "table {table} keeps {count} entries");
        }
        for note in list(answer, "dropped").into_iter().flatten() {
            let _ = writeln!(out, "note: {}", plain(note));
        }
    } else {
        for (name, value) in object {
            let _ = writeln!(out, "{name} {}", plain(value));
        }
    }
    out
}
