//! The scripts of `tests/drill`: each passes, and with any one of its expectations spoiled it fails at that line.

use std::fs;
use std::path::{Path, PathBuf};
use ww_tcp::drill::{Options, Problem, run};

fn scripts() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drill");
    let mut scripts: Vec<(PathBuf, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect();
    scripts.sort();
    assert!(scripts.len() >= 30, "{} scripts", scripts.len());
    scripts
}

#[test]
fn every_script_passes_with_any_seed() {
    for (path, text) in scripts() {
        for seed in 1..=4 {
            if let Err(problem) = run(&text, &Options { seed, ..Options::default() }) {
                panic!("{}:{problem} (seed {seed})", path.display());
            }
        }
    }
}

/// A line with its first number behind `mark` made greater by one.
fn spoiled_behind(line: &str, mark: &str) -> Option<String> {
    let at = line.find(mark)? + mark.len();
    let digits: String = line[at..].chars().take_while(char::is_ascii_digit).collect();
    let number: u64 = digits.parse().ok()?;
    Some(format!("{}{}{}", &line[..at], number + 1, &line[at + digits.len()..]))
}

/// All ways in which a line's expectation is spoiled: a number, a flag, an option, a result.
fn spoiled(line: &str) -> Vec<String> {
    let code = line.split("//").next().unwrap_or_default();
    let mut all = Vec::new();
    let words: Vec<&str> = code.split_whitespace().collect();
    if words.get(1) == Some(&">") {
        all.extend(spoiled_behind(code, " ack "));
        all.extend(spoiled_behind(code, "mss "));
        all.extend(spoiled_behind(code, "wscale "));
        all.extend(spoiled_behind(code, "sack "));
        all.extend(spoiled_behind(code, "ecr "));
        all.extend(spoiled_behind(code, "udp ("));
        let flags = words[2];
        if flags.ends_with('.') && !flags.starts_with('[') {
            all.push(code.replacen(&format!("> {flags} "), &format!("> {flags}U "), 1));
        }
        if let Some(at) = code.find(" <") {
            if !code.contains("<...>") {
                all.push(code[..at].to_owned());
            }
        } else if !code.contains("udp") {
            all.push(format!("{code} <nop,nop,sack 1:2>"));
        }
    } else if code.contains('(') && !code.contains('`') && !code.contains('<') {
        let result = code.rfind(" = ");
        if let Some(at) = result
            && !code[at..].contains("-1")
        {
            all.extend(spoiled_behind(code, &code[at..at + 3]));
        }
        all.extend(code.contains("EAGAIN").then(|| code.replace("EAGAIN", "EPIPE")));
        all.extend(code.contains("ECONNRE").then(|| code.replace("ECONNRE", "ECONNABORTED ; ")));
    }
    all.retain(|other| !other.contains(';') && other != code);
    all
}

#[test]
fn a_spoiled_expectation_is_found_at_its_line() {
    let mut count = 0;
    for (path, text) in scripts() {
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            for wrong in spoiled(line) {
                let mut script: Vec<&str> = lines.clone();
                script[number] = &wrong;
                let place = format!("{}:{}: {wrong}", path.display(), number + 1);
                match run(&script.join("\n"), &Options::default()) {
                    Err(Problem::Failed { line, .. }) => assert_eq!(line, number + 1, "{place}"),
                    other => panic!("{place}: {other:?}"),
                }
                count += 1;
            }
        }
    }
    assert!(count > 300, "{count} spoiled");
}

#[test]
fn times_are_judged() {
    let script = |when: &str| {
        format!(
            "`sysctl -q net.ipv4.tcp_early_retrans=0`\n0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n\
             +0 bind(3, ..., ...) = 0\n+0 listen(3, 1) = 0\n+0 < S 0:0(0) win 65535 <mss 1000>\n\
             +0 > S. 0:0(0) ack 1 <...>\n+.01 < . 1:1(0) ack 1 win 65535\n+0 accept(3, ..., ...) = 4\n\
             +0 write(4, ..., 10) = 10\n+0 > P. 1:11(10) ack 1\n{when} > P. 1:11(10) ack 1\n"
        )
    };
    // SRTT is 10 ms, the floor 200 ms.
    for right in ["+.21", "+.207", "+.213", "+.2~+.22", "+.213~+1", "*", ".22", "0~1"] {
        run(&script(right), &Options::default()).unwrap_or_else(|p| panic!("{right}: {p}"));
    }
    for wrong in ["+.2", "+.22", "+.1~+.2", "+.22~+1", ".21", "0~.2"] {
        let problem = run(&script(wrong), &Options::default());
        assert!(matches!(problem, Err(Problem::Failed { line: 11, .. })), "{wrong}: {problem:?}");
    }
    let tolerant = Options { tolerance: 20_000_000, ..Options::default() };
    run(&script("+.2"), &tolerant).unwrap();
    run(&format!("--tolerance_usecs=20000\n{}", script("+.2")), &Options::default()).unwrap();
}

#[test]
fn what_is_not_supported_is_named_with_its_line() {
    for (text, line) in [
        ("0 < icmp unreachable host_unreachable\n", 1),
        ("\n0 epoll_create(1) = 3\n", 2),
        ("0 `tc qdisc add dev lo`\n", 1),
        ("--ip_version=ipv6\n0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n", 1),
        ("0 socket(AF_INET6, SOCK_STREAM, IPPROTO_TCP) = 3\n", 1),
        ("0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n+0 %{ print(1) }%\n", 2),
        ("0 `sysctl -q net.ipv4.tcp_no_such=1`\n", 1),
    ] {
        match run(text, &Options::default()) {
            Err(Problem::Unsupported { line: found, .. }) => assert_eq!(found, line, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}
