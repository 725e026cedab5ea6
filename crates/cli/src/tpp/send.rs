//! `ww tpp send`: TPPs on their own, and what they bring back.

use super::{read_text, wrong};
use crate::Failure;
use crate::output::{counted, print, tell_text};
use crate::tpp_args::SendArguments;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::path::Path;
use ww_host::hex;
use ww_host::patterns::{Large, Unfinished};
use ww_host::reading::Reading;
use ww_host::udp_executor::{Answer, Executor};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::packet::{Repr, Tpp};

/// Hops that packet memory has room for if nothing is said.
const HOPS: u16 = 8;

/// What came of a TPP: text for people and an object for programs.
struct Told {
    text: String,
    value: Value,
    is_good: bool,
}

/// Sends as often as the arguments say. Fails if nothing has come back.
pub fn send(arguments: &SendArguments) -> Result<(), Failure> {
    let tpp = program(arguments)?;
    let switches = switches(arguments)?;
    let mut executor = Executor::new(arguments.patience.tries, arguments.patience.timeout);
    let (mut sent, mut good) = (Vec::new(), 0);
    for number in 0..arguments.count {
        if number > 0 {
            std::thread::sleep(arguments.interval);
        }
        let all = once(&mut executor, arguments, &tpp, &switches)?;
        good += all.iter().filter(|told| told.is_good).count();
        for told in all {
            if arguments.json {
                sent.push(told.value);
            } else if told.is_good {
                print(&told.text)?;
            } else {
                tell_text(&told.text);
            }
        }
    }
    if arguments.json {
        print(&format!("{:#}\n", json!({ "to": arguments.to.to_string(), "sent": sent })))?;
    }
    match good {
        // The reasons have been told.
        0 => Err(Failure::Rejected(String::new())),
        _ => Ok(()),
    }
}

/// The TPP of digits, or of a program.
fn program(arguments: &SendArguments) -> Result<Repr, Failure> {
    let SendArguments { word, hops, app, .. } = *arguments;
    if let Some(bytes) = hex::bytes(arguments.tpp.as_bytes()) {
        let tpp = Tpp::new(bytes.as_slice())
            .map_err(|fault| Failure::Rejected(format!("this is no TPP: {fault}")))?;
        if tpp.length() != bytes.len() {
            let message = format!("the TPP has {} bytes, found {}", tpp.length(), bytes.len());
            return Err(Failure::Rejected(message));
        }
        if word.is_some() || hops.is_some() && !arguments.large {
            let message = "--word and --hops are for programs; digits have said already";
            return Err(Failure::Usage(message.to_owned()));
        }
        let tpp = Repr::parse(&tpp);
        return Ok(Repr { app_tag: app.unwrap_or(tpp.app_tag), ..tpp });
    }
    let file = Path::new(&arguments.tpp);
    let text = read_text(file)?;
    // A targeted TPP is executed once, and blocks of hops are sized when they are cut.
    let needs_one = arguments.switch.is_some() || !arguments.scatter.is_empty();
    let hops = match (arguments.large || needs_one, hops) {
        (true, _) => Some(1),
        (false, hops) => hops,
    };
    let options = |hops| Options { word, hops, app_tag: app, mode: None };
    // The program may say itself; only if it does not, there is a number that fits most paths.
    let says = |line: &str| line.trim_start().to_ascii_lowercase().starts_with(".hops");
    let hops = hops.or_else(|| (!text.lines().any(says)).then_some(HOPS));
    assemble(&text, &options(hops)).map_err(|mistakes| wrong(file, &text, &mistakes))
}

/// Those of `--scatter`.
fn switches(arguments: &SendArguments) -> Result<Vec<(u32, Ipv4Addr)>, Failure> {
    let one = |text: &String| {
        let (id, to) = match text.split_once('=') {
            Some((id, to)) => (id, to.trim().parse().ok()),
            None => (text.as_str(), Some(arguments.to)),
        };
        id.trim().parse().ok().zip(to).ok_or_else(|| {
            Failure::Usage(format!("--scatter: expected ID or ID=ADDRESS, found '{text}'"))
        })
    };
    arguments.scatter.iter().map(one).collect()
}

fn once(
    executor: &mut Executor,
    arguments: &SendArguments,
    tpp: &Repr,
    switches: &[(u32, Ipv4Addr)],
) -> Result<Vec<Told>, Failure> {
    let rejected = |error: &dyn std::fmt::Display| Failure::Rejected(error.to_string());
    if !switches.is_empty() {
        let all = executor.scatter(tpp, switches).map_err(|error| rejected(&error))?;
        return Ok(all.into_iter().map(|(id, answer)| told(answer, Some(id))).collect());
    }
    if arguments.large {
        let hops = arguments.hops.and_then(|hops| hops.try_into().ok());
        return match executor.large(tpp, arguments.to, hops) {
            Ok(large) => Ok(vec![told_large(&large)]),
            Err(Unfinished::Guard(reason)) => Err(rejected(&reason)),
            Err(error) => Ok(vec![untold(&error, None)]),
        };
    }
    let answer = match arguments.switch {
        Some(id) => executor.targeted(tpp, arguments.to, id),
        None if arguments.reflect => executor.reflect(tpp, arguments.to).map_err(Into::into),
        None => executor.reliable(tpp, arguments.to).map_err(Into::into),
    };
    if let Err(Unfinished::Guard(reason)) = answer {
        return Err(rejected(&reason));
    }
    Ok(vec![told(answer, arguments.switch)])
}

fn told(answer: Result<Answer, Unfinished>, switch: Option<u32>) -> Told {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return untold(&error, switch),
    };
    let reading = Reading::new(&answer.sent, &answer.tpp);
    let microseconds = answer.round_trip.as_secs_f64() * 1e6;
    let mut text = match switch {
        Some(id) => format!("switch {id}, "),
        None => format!("{}, ", counted(answer.tpp.hop.into(), "hop")),
    };
    let tries = counted(answer.tries.into(), "try").replace("trys", "tries");
    let _ = writeln!(text, "back after {:.3} ms, {tries}", microseconds / 1e3);
    text += &table(&reading);
    let words: Vec<u32> = answer.tpp.words().collect();
    if reading.names.is_empty() && reading.fixed.is_empty() && !words.is_empty() {
        let _ = writeln!(text, "words: {words:?}");
    }
    let mut value = value(&reading);
    value["round_trip_us"] = json!(microseconds);
    value["tries"] = answer.tries.into();
    value["hops"] = answer.tpp.hop.into();
    value["words"] = json!(words);
    value["tpp"] = hex::digits(&answer.tpp.emit()).into();
    if let Some(id) = switch {
        value["switch"] = id.into();
    }
    Told { text, value, is_good: true }
}

fn told_large(large: &Large) -> Told {
    let Large { reading, parts, round_trip } = large;
    let mut text = format!(
        "{}, {}\n",
        counted(reading.rows.len() as u64, "hop"),
        counted(*parts as u64, "TPP")
    );
    text += &table(reading);
    let mut value = value(reading);
    value["round_trip_us"] = json!(round_trip.as_secs_f64() * 1e6);
    value["tpps"] = (*parts).into();
    Told { text, value, is_good: true }
}

fn untold(error: &Unfinished, switch: Option<u32>) -> Told {
    let text = match switch {
        Some(id) => format!("error: switch {id}: {error}\n"),
        None => format!("error: {error}\n"),
    };
    let mut value = json!({ "error": error.to_string() });
    if let Some(id) = switch {
        value["switch"] = id.into();
    }
    Told { text, value, is_good: false }
}

fn value(reading: &Reading) -> Value {
    let fixed: Vec<Value> = reading.fixed.iter().map(|(name, word)| json!([name, word])).collect();
    json!({
        "names": reading.names,
        "rows": reading.rows,
        "fixed": fixed,
        "numbered": reading.numbered,
        "beyond": reading.beyond,
    })
}

/// A line a hop, under the names of what was read.
fn table(reading: &Reading) -> String {
    let mut text = String::new();
    for (name, word) in &reading.fixed {
        let _ = writeln!(text, "{name} {word}");
    }
    if !reading.rows.is_empty() {
        let head = if reading.numbered { "hop" } else { "   " };
        let _ = writeln!(text, "{head}  {}", reading.names.join("  "));
    }
    for (row, number) in reading.rows.iter().zip(1..) {
        let hop = if reading.numbered { format!("{number}") } else { String::new() };
        let _ = write!(text, "{hop:>3}");
        for (word, name) in row.iter().zip(&reading.names) {
            let _ = write!(text, "  {word:>width$}", width = name.len());
        }
        text.push('\n');
    }
    if reading.beyond > 0 {
        let _ = writeln!(
            text,
            "{} more without room in packet memory: give --hops, or --large",
            counted(reading.beyond.into(), "hop")
        );
    }
    text
}
