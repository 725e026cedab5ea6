//! `ww ctl`: requests to a running dataplane.

use crate::Failure;
use crate::ctl_args::{
    CounterCommand, CtlArguments, CtlCommand, DigestCommand, EntryArguments, GroupCommand,
    MemberCommand, MeterCommand, MirrorCommand, MulticastCommand, RegisterCommand, TableCommand,
    TppMemoryCommand, ValueSetCommand,
};
use crate::ctl_text::{digest, text};
use crate::output::{is_watched, print, stdout, tell, tell_text, written};
use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use ww_control::live::{CallError, Client};
use ww_runtime::program::text as text_of;

/// Makes a request and prints the answer.
pub fn ctl(arguments: &CtlArguments) -> Result<(), Failure> {
    let mut client = Client::connect(&arguments.socket).map_err(|error| {
        let path = arguments.socket.display();
        Failure::Rejected(format!(
            "cannot reach a dataplane at '{path}': {error}; is `ww run --control {path}` running?"
        ))
    })?;
    match &arguments.command {
        CtlCommand::Digest(DigestCommand::Watch { count }) => {
            watch(&mut client, *count, arguments.json)
        }
        CtlCommand::Run { file, atomic } => run(&mut client, file, *atomic, arguments.json),
        CtlCommand::Multicast(MulticastCommand::List) => {
            let mut answer = call(&mut client, json!({ "request": "multicast_groups" }))?;
            let nodes = call(&mut client, json!({ "request": "multicast_nodes" }))?;
            answer["nodes"] = nodes["nodes"].clone();
            show(&answer, arguments.json)
        }
        command => {
            let answer = call(&mut client, request(command)?)?;
            show(&answer, arguments.json)
        }
    }
}

fn refused(error: CallError) -> Failure {
    Failure::Rejected(error.to_string())
}

fn call(client: &mut Client, request: Value) -> Result<Value, Failure> {
    client.call(request).map_err(refused)
}

fn show(answer: &Value, json: bool) -> Result<(), Failure> {
    print(&match json {
        true => format!("{answer}\n"),
        false => text(answer),
    })
}

/// Prints digests until there were enough or the server ends.
fn watch(client: &mut Client, count: Option<u64>, json: bool) -> Result<(), Failure> {
    call(client, json!({ "request": "digests", "subscribe": true }))?;
    if is_watched() {
        tell("waiting for digests; Ctrl-C ends it");
    }
    let mut seen = 0;
    while count.is_none_or(|count| seen < count) {
        let event = client.event().map_err(refused)?;
        let line = if json { format!("{event}\n") } else { digest(&event) };
        let mut stdout = stdout();
        let result = stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush());
        if result.is_err() {
            // Nobody reads any more, as with `| head`.
            return written(result);
        }
        seen += 1;
    }
    Ok(())
}

/// BMv2's commands, from a file or standard input.
fn run(client: &mut Client, file: &Path, atomic: bool, json: bool) -> Result<(), Failure> {
    let text = match file.as_os_str() == "-" {
        false => text_of(file)?,
        true => {
            let mut text = String::new();
            let read = std::io::stdin().lock().read_to_string(&mut text);
            read.map_err(|error| {
                Failure::Rejected(format!("cannot read standard input: {error}"))
            })?;
            text
        }
    };
    let request = json!({ "request": "script", "text": text, "atomic": atomic });
    let answer = call(client, request)?;
    if json {
        print(&format!("{answer}\n"))?;
    } else {
        for said in answer["output"].as_array().into_iter().flatten() {
            print(&format!("{}\n", said.as_str().unwrap_or_default()))?;
        }
        let name = if file.as_os_str() == "-" { Path::new("<stdin>") } else { file };
        let rendered = answer["rendered"].as_str().unwrap_or_default();
        tell_text(&rendered.replace("--> commands:", &format!("--> {}:", name.display())));
    }
    match answer["errors"].as_u64() {
        Some(0) => Ok(()),
        errors => {
            let (n, what) = (
                errors.unwrap_or_default(),
                if atomic { "nothing is changed" } else { "the other commands are carried out" },
            );
            let errors = crate::output::counted(n, "error");
            Err(Failure::Rejected(format!("{errors}: {what}")))
        }
    }
}

fn object(name: &str, fields: Value) -> Map<String, Value> {
    let mut object = Map::from_iter([("request".to_owned(), name.into())]);
    if let Value::Object(fields) = fields {
        // What was not given is not asked for.
        object.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
    }
    object
}

/// Action and arguments, or member or group, as fields of a request.
fn goal(words: &[String]) -> Result<Map<String, Value>, Failure> {
    let (first, rest) = words.split_first().ok_or_else(|| {
        Failure::Usage("expected an action (or `member N`, `group N`) behind `do`".to_owned())
    })?;
    if matches!(first.as_str(), "member" | "group")
        && let [number] = rest
        && let Ok(number) = number.parse::<u64>()
    {
        return Ok(Map::from_iter([(first.clone(), number.into())]));
    }
    Ok(Map::from_iter([
        ("action".to_owned(), first.as_str().into()),
        ("arguments".to_owned(), rest.into()),
    ]))
}

/// A request about an entry: keys or handle, and behind `do` what it leads to.
fn entry(name: &str, arguments: &EntryArguments, leads: bool) -> Result<Value, Failure> {
    let words = &arguments.words;
    let is_do = |word: &String| word == "do" || word == "=>";
    let at = words.iter().position(is_do);
    let (keys, target) = match at {
        Some(at) if leads => (&words[..at], Some(&words[at + 1..])),
        Some(_) => return Err(Failure::Usage("expected keys only".to_owned())),
        None if leads => {
            let hint = match words.iter().any(|word| word == "=") {
                true => ": the shell takes `>` for itself, quote '=>' or write `do`",
                false => "",
            };
            let message = format!("expected `do` between the keys and the action{hint}");
            return Err(Failure::Usage(message));
        }
        None => (&words[..], None),
    };
    let mut request = object(
        name,
        json!({
            "table": arguments.table,
            "handle": arguments.handle,
            "priority": arguments.priority,
            "keys": (arguments.handle.is_none() || !keys.is_empty()).then_some(keys),
        }),
    );
    if let Some(target) = target {
        request.extend(goal(target)?);
    }
    Ok(Value::Object(request))
}

fn simple(name: &str, fields: Value) -> Value {
    Value::Object(object(name, fields))
}

fn with_goal(name: &str, fields: Value, words: &[String]) -> Result<Value, Failure> {
    let mut request = object(name, fields);
    request.extend(goal(words)?);
    Ok(Value::Object(request))
}

/// `all` or a number.
fn cell(index: &str) -> Result<Option<u64>, Failure> {
    match index {
        "all" => Ok(None),
        _ => index.parse().map(Some).map_err(|_| {
            Failure::Usage(format!("expected the number of a cell or `all`, found `{index}`"))
        }),
    }
}

/// `RATE:BURST`
fn rate(text: &str) -> Result<Value, Failure> {
    let parsed = text.split_once(':').and_then(|(rate, burst)| {
        let (rate, burst) = (rate.parse::<f64>().ok()?, burst.parse::<u64>().ok()?);
        (rate.is_finite() && rate >= 0.0).then(|| json!({ "rate": rate, "burst": burst }))
    });
    parsed.ok_or_else(|| {
        let what = "RATE:BURST (units per microsecond, units)";
        Failure::Usage(format!("expected {what}, found `{text}`"))
    })
}

fn request(command: &CtlCommand) -> Result<Value, Failure> {
    Ok(match command {
        CtlCommand::Table(command) => table(command)?,
        CtlCommand::Member(command) => match command {
            MemberCommand::Add { profile, words } => {
                with_goal("member_add", json!({ "profile": profile }), words)?
            }
            MemberCommand::Modify { profile, member, words } => {
                let fields = json!({ "profile": profile, "member": member });
                with_goal("member_modify", fields, words)?
            }
            MemberCommand::Delete { profile, member } => {
                simple("member_delete", json!({ "profile": profile, "member": member }))
            }
            MemberCommand::List { profile } => simple("members", json!({ "profile": profile })),
        },
        CtlCommand::Group(command) => match command {
            GroupCommand::Create { profile, members } => {
                simple("group_create", json!({ "profile": profile, "members": members }))
            }
            GroupCommand::Delete { profile, group } => {
                simple("group_delete", json!({ "profile": profile, "group": group }))
            }
            GroupCommand::Add { profile, group, member } => simple(
                "group_add_member",
                json!({ "profile": profile, "group": group, "member": member }),
            ),
            GroupCommand::Remove { profile, group, member } => simple(
                "group_remove_member",
                json!({ "profile": profile, "group": group, "member": member }),
            ),
            GroupCommand::List { profile } => simple("groups", json!({ "profile": profile })),
        },
        CtlCommand::Counter(command) => match command {
            CounterCommand::Read { counter, index } => {
                simple("counter_read", json!({ "counter": counter, "index": index }))
            }
            CounterCommand::Write { counter, index, packets, bytes } => simple(
                "counter_write",
                json!({ "counter": counter, "index": index, "packets": packets, "bytes": bytes }),
            ),
            CounterCommand::Reset { counter } => {
                simple("counter_reset", json!({ "counter": counter }))
            }
        },
        CtlCommand::Meter(command) => match command {
            MeterCommand::Read { meter, index } => {
                simple("meter_read", json!({ "meter": meter, "index": index }))
            }
            MeterCommand::Set { meter, index, committed, peak } => {
                let (committed, peak) = (rate(committed)?, rate(peak)?);
                let index = cell(index)?;
                simple(
                    "meter_set",
                    json!({ "meter": meter, "index": index, "committed": committed, "peak": peak }),
                )
            }
            MeterCommand::Reset { meter, index } => {
                simple("meter_reset", json!({ "meter": meter, "index": index }))
            }
        },
        CtlCommand::Register(command) => match command {
            RegisterCommand::Read { register, index } => {
                simple("register_read", json!({ "register": register, "index": index }))
            }
            RegisterCommand::Write { register, index, value } => simple(
                "register_write",
                json!({ "register": register, "index": cell(index)?, "value": value }),
            ),
            RegisterCommand::Reset { register } => {
                simple("register_reset", json!({ "register": register }))
            }
        },
        CtlCommand::ValueSet(command) => match command {
            ValueSetCommand::List { value_set } => {
                simple("value_set_members", json!({ "value_set": value_set }))
            }
            ValueSetCommand::Add { value_set, words } => {
                simple("value_set_add", json!({ "value_set": value_set, "member": words }))
            }
            ValueSetCommand::Remove { value_set, words } => {
                simple("value_set_remove", json!({ "value_set": value_set, "member": words }))
            }
            ValueSetCommand::Clear { value_set } => {
                simple("value_set_clear", json!({ "value_set": value_set }))
            }
        },
        CtlCommand::Mirror(command) => match command {
            MirrorCommand::List => simple("mirrors", json!({})),
            MirrorCommand::Set { session, port, group, truncate } => simple(
                "mirror_set",
                json!({ "session": session, "port": port, "group": group, "truncate": truncate }),
            ),
            MirrorCommand::Delete { session } => {
                simple("mirror_delete", json!({ "session": session }))
            }
        },
        CtlCommand::Multicast(command) => multicast(command),
        CtlCommand::Load { program, include, define, arch, drop_misfits } => {
            // The server's working directory may be another one.
            let absolute = |path: &Path| {
                std::path::absolute(path).map_err(|error| {
                    Failure::Rejected(format!("cannot resolve '{}': {error}", path.display()))
                })
            };
            let all = |paths: &[PathBuf]| -> Result<Vec<_>, _> {
                paths.iter().map(|path| absolute(path)).collect()
            };
            simple(
                "load",
                json!({
                    "path": absolute(program)?,
                    "include": all(include)?,
                    "define": define,
                    "arch": all(arch)?,
                    "drop_misfits": drop_misfits,
                }),
            )
        }
        CtlCommand::Port(_) => simple("ports", json!({})),
        CtlCommand::Queue(_) => simple("queues", json!({})),
        CtlCommand::Tpp(command) => match command {
            TppMemoryCommand::Read { addresses } => {
                let addresses: Vec<u16> =
                    addresses.iter().map(|text| tpp_address(text)).collect::<Result<_, _>>()?;
                simple("tpp_read", json!({ "addresses": addresses }))
            }
            TppMemoryCommand::Write { address, value } => {
                let value = integer(value).and_then(|value| u32::try_from(value).ok());
                let value = value.ok_or_else(|| {
                    Failure::Usage("the value is a number of at most 32 bits".to_owned())
                })?;
                simple("tpp_write", json!({ "address": tpp_address(address)?, "value": value }))
            }
        },
        CtlCommand::Generation => simple("generation", json!({})),
        CtlCommand::Schema => simple("schema", json!({})),
        CtlCommand::Stop => simple("stop", json!({})),
        CtlCommand::Call { request } => {
            let value: Value = serde_json::from_str(request)
                .map_err(|error| Failure::Usage(format!("the request is no JSON: {error}")))?;
            match value.is_object() {
                true => value,
                false => return Err(Failure::Usage("a request is a JSON object".to_owned())),
            }
        }
        // These are not made of a single request.
        CtlCommand::Digest(_) | CtlCommand::Run { .. } => json!({ "request": "hello" }),
    })
}

fn table(command: &TableCommand) -> Result<Value, Failure> {
    Ok(match command {
        TableCommand::Add(arguments) => entry("table_add", arguments, true)?,
        TableCommand::Modify(arguments) => entry("table_modify", arguments, true)?,
        TableCommand::Delete(arguments) => entry("table_delete", arguments, false)?,
        TableCommand::Get(arguments) => entry("table_entry", arguments, false)?,
        TableCommand::Dump { table, counters } => {
            simple("table_entries", json!({ "table": table, "counters": counters }))
        }
        TableCommand::Clear { table } => simple("table_clear", json!({ "table": table })),
        TableCommand::SetDefault { table, words } => {
            with_goal("table_set_default", json!({ "table": table }), words)?
        }
        TableCommand::ResetDefault { table } => {
            simple("table_reset_default", json!({ "table": table }))
        }
        TableCommand::List => simple("schema", json!({})),
    })
}

fn multicast(command: &MulticastCommand) -> Value {
    match command {
        MulticastCommand::List => simple("multicast_groups", json!({})),
        MulticastCommand::Create { group, ports, .. } if ports.is_empty() => {
            simple("multicast_group_create", json!({ "group": group }))
        }
        MulticastCommand::Create { group, rid, ports } => {
            let create = simple("multicast_group_create", json!({ "group": group }));
            let fields = json!({ "group": group, "replication_id": rid, "ports": ports });
            let node = simple("multicast_node_create", fields);
            simple("transaction", json!({ "changes": [create, node] }))
        }
        MulticastCommand::Delete { group } => {
            simple("multicast_group_delete", json!({ "group": group }))
        }
        MulticastCommand::NodeCreate { group, rid, ports } => simple(
            "multicast_node_create",
            json!({ "group": group, "replication_id": rid, "ports": ports }),
        ),
        MulticastCommand::NodeModify { node, ports } => {
            simple("multicast_node_modify", json!({ "node": node, "ports": ports }))
        }
        MulticastCommand::NodeDelete { node } => {
            simple("multicast_node_delete", json!({ "node": node }))
        }
    }
}

/// A decimal number, or a hexadecimal one after `0x`.
fn integer(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// An address that TPPs use: a number, or a name of the map.
fn tpp_address(text: &str) -> Result<u16, Failure> {
    if let Some(number) = integer(text) {
        return u16::try_from(number)
            .map_err(|_| Failure::Usage(format!("the address {text} has more than 16 bits")));
    }
    ww_tpp::map::lookup(text).map_err(|error| {
        let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
        Failure::Usage(format!("{}{help}", error.message))
    })
}
