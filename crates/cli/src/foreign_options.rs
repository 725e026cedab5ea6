//! Options of p4c, simple_switch and simple_switch_CLI that people type out of habit: what is said
//! of them is our option, not a guess at what they might have meant.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// The commands in whose place people have used the other tools.
const COMMANDS: &[&str] = &["check", "run", "stf", "trace", "bench", "report", "build", "ctl"];

/// What there is instead; `{}` stands for what the other tool's option was given.
const OPTIONS: &[(&[&str], &str)] = &[
    // p4c
    (&["--std"], "leave it out: `ww` reads P4_16 (p4c's --std)"),
    (
        &["--p4runtime-files", "--p4runtime-file"],
        "the P4Info is written by `ww check PROG.p4 --p4info {FILE.txtpb}`",
    ),
    (
        &["--p4runtime-format"],
        "the ending of the file says the format: `ww check PROG.p4 --p4info FILE.txtpb`, .json or .bin",
    ),
    (
        &["--toJSON", "--toP4", "--pp", "--top4", "--dump"],
        "the program is printed by `ww check PROG.p4 --emit ast`, `ir` or `pipeline`",
    ),
    (
        &["-o", "--output", "-b", "--backend", "--target"],
        "leave it out: nothing is compiled to a file, `ww run PROG.p4` runs the source; `ww build PROG.p4 \
         --target rtl --out DIR` writes hardware",
    ),
    (&["-E", "--parse-only"], "a program is checked without running it by `ww check PROG.p4`"),
    (
        &["--Wdisable", "--Wwarn", "--Werror", "-Wdisable"],
        "warnings are silenced where they are: see the list of warnings in docs/supported.md",
    ),
    // simple_switch
    (&["-i", "--interface"], "ports are given by `--port {0=veth0}`"),
    (&["--use-files", "--pcap"], "capture files are given by port: `--port 0=in.pcap:out.pcap`"),
    (
        &["--log-console", "--log-file", "--log-level", "-L", "--log-flush", "--nanolog"],
        "every step of packets is shown by `ww trace PROG.p4 --port 0=in.pcap`",
    ),
    (
        &["--debugger", "--dump-packet-data"],
        "every step of packets is shown by `ww trace PROG.p4 --port 0=in.pcap`",
    ),
    (
        &["--thrift-port", "--thrift-ip", "--grpc-server-addr", "--notifications-addr"],
        "a running dataplane is controlled at a Unix socket: `ww run PROG.p4 --control SOCKET`, `ww ctl \
         --socket SOCKET run COMMANDS`",
    ),
    (&["--pre"], "leave it out: there is one replication engine"),
    (&["--device-id", "--max-port-count", "--no-p4"], "leave it out: it has no meaning here"),
    (&["--drop-port"], "leave it out: the drop port is that of the architecture (v1model: 511)"),
    (
        &["--priority-queues", "--enable-swap"],
        "queues are described by `ww run PROG.p4 --scheduler POLICY.toml`; `ww ctl load NEW.p4` exchanges \
         programs",
    ),
    (&["--p4info"], "the P4Info is written by `ww check PROG.p4 --p4info FILE.txtpb`"),
    (&["--runtime-json", "--runtime"], "entries are given by `ww run PROG.p4 --entries FILE`"),
];

/// Says our option where the command line has one of another tool, and takes away the advice to
/// put `--` in front of an option, which makes a file name of it.
pub fn explain(mut error: Error, words: &[String]) -> Error {
    let unknown = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) => word.clone(),
        _ => return error,
    };
    if !unknown.starts_with('-') {
        return error;
    }
    error.remove(ContextKind::Suggested);
    if !words.get(1).is_some_and(|command| COMMANDS.contains(&command.as_str())) {
        return error;
    }
    let name = unknown.split('=').next().unwrap_or(&unknown);
    let Some(tip) = advice(name, value(name, words)) else { return error };
    error.remove(ContextKind::SuggestedArg);
    let tip = ContextValue::StyledStrs(vec![tip.into()]);
    error.insert(ContextKind::Suggested, tip);
    error
}

/// What an option was given: behind `=`, attached to it, or the next word.
fn value<'w>(name: &str, words: &'w [String]) -> Option<&'w str> {
    let at = words.iter().position(|word| word.starts_with(name))?;
    let rest = words[at][name.len()..].trim_start_matches('=');
    match rest.is_empty() {
        false => Some(rest),
        true => words.get(at + 1).map(String::as_str).filter(|word| !word.starts_with('-')),
    }
}

/// The advice about an option; `{...}` in it is an example, which what the option was given replaces.
fn advice(name: &str, value: Option<&str>) -> Option<String> {
    let (_, text) = OPTIONS.iter().find(|(names, _)| names.contains(&name))?;
    let Some((head, (example, tail))) =
        text.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)))
    else {
        return Some((*text).to_owned());
    };
    let given = match value {
        // simple_switch writes PORT@INTERFACE.
        Some(value) if matches!(name, "-i" | "--interface") && value.contains('@') => {
            value.replacen('@', "=", 1)
        }
        Some(value) if name.starts_with("--p4runtime") => value.to_owned(),
        _ => example.to_owned(),
    };
    Some(format!("{head}{given}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arguments;
    use clap::Parser;

    fn told(line: &str) -> String {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match Arguments::try_parse_from(&words) {
            Ok(_) => panic!("{line} is accepted"),
            Err(error) => explain(error, &words).to_string(),
        }
    }

    #[test]
    fn options_of_other_tools_are_explained() {
        for (line, wanted) in [
            ("ww check p.p4 --std p4-16", "`ww` reads P4_16"),
            ("ww check p.p4 --std=p4-16", "`ww` reads P4_16"),
            (
                "ww check p.p4 --p4runtime-files p.p4info.txt",
                "ww check PROG.p4 --p4info p.p4info.txt",
            ),
            ("ww run p.p4 -i 0@veth0", "`--port 0=veth0`"),
            ("ww run p.p4 -i 3@s1-eth2 -i 4@x", "`--port 3=s1-eth2`"),
            ("ww run p.p4 --interface 3@eth2", "`--port 3=eth2`"),
            ("ww run p.p4 --log-console", "ww trace PROG.p4"),
            ("ww run p.p4 --thrift-port 9090", "--control SOCKET"),
            ("ww ctl --thrift-port 9090 run x", "ww ctl --socket SOCKET"),
            ("ww check p.p4 -o p.json", "nothing is compiled to a file"),
            ("ww check p.p4 --toJSON x", "--emit ast"),
        ] {
            let text = told(line);
            assert!(text.contains(wanted) && text.contains("tip: "), "{line}: {text}");
            assert!(!text.contains("use '-- "), "{line}: {text}");
        }
    }

    #[test]
    fn no_tip_makes_a_file_name_of_an_option() {
        let text = told("ww check p.p4 --frobnicate");
        assert!(!text.contains("-- --frobnicate") && !text.contains("tip"), "{text}");
        let text = told("ww lab run x -o y");
        assert!(!text.contains("compiled"), "{text}");
        // A slip of the pen is still recognised.
        let text = told("ww run p.p4 --entrys x");
        assert!(text.contains("'--entries'"), "{text}");
    }

    #[test]
    fn no_option_is_listed_twice() {
        let mut names: Vec<_> = OPTIONS.iter().flat_map(|(names, _)| *names).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
