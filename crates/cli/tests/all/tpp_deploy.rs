//! `ww tpp deploy`, and `ww tpp aggregate` to `ww tpp collect`.

use parking_lot::Mutex;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use ww_host::control::{Plane, Server};
use ww_host::shim::Shim;
use ww_tpp::protection::Protection;

const WW: &str = env!("CARGO_BIN_EXE_ww");

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn server(socket: &Path) -> Server {
    let shim = Arc::new(Mutex::new(Shim::new(1500, Protection::new(&[]), 1)));
    Server::start(socket, Plane::new(shim, None).expect("a plane")).expect("it listens")
}

fn ww(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(WW);
    command.current_dir(folder).args(["tpp"]).args(arguments.split(' '));
    command.output().expect("it runs")
}

fn says(folder: &Path, arguments: &str) -> String {
    let output = ww(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn refused(folder: &Path, arguments: &str) -> String {
    let output = ww(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn at_all_shims_or_at_none() {
    let folder = folder("tpp-deploy");
    std::fs::write(folder.join("read.tpp"), "PUSH [Switch:SwitchID]\n").expect("a file");
    std::fs::write(folder.join("more.tpp"), "PUSH [Link:ID]\n").expect("a file");
    let _servers = ["a", "b"].map(|name| server(&folder.join(name)));
    let deploy = "deploy read.tpp --hops 3 --name who --read Switch:* --every 10 --control a b";
    assert_eq!(says(&folder, deploy), "a: tag 1, rule 0\nb: tag 1, rule 0\n");
    for at in ["a", "b"] {
        let rules = says(&folder, &format!("rules --control {at}"));
        assert_eq!(rules, "0: who, one in 10 of '', priority 0, 28 bytes\n");
    }
    // b has the name already: a is as it was.
    says(&folder, "unregister who --control a");
    assert!(refused(&folder, deploy).contains("'b': "));
    assert_eq!(says(&folder, "apps --control a"), "");
    // A TPP that may not read what it reads, and a shim that is not there.
    says(&folder, "unregister who --control b");
    let more = "deploy more.tpp --hops 3 --name who --read Switch:* --control a b";
    assert!(refused(&folder, more).contains("'a': "));
    assert!(refused(&folder, &format!("{deploy} c")).contains("no shim takes requests at 'c'"));
    // Tags differ.
    says(&folder, "register other --control b");
    assert!(refused(&folder, deploy).contains("tag"));
    for (at, apps) in [("a", 0), ("b", 1)] {
        assert_eq!(says(&folder, &format!("apps --control {at}")).lines().count(), apps, "{at}");
    }
}

#[test]
fn from_hosts_to_a_collector() {
    let folder = folder("tpp-collect");
    let record = r#"{"at":5,"app":1,"hops":1,"stack_pointer":2,"source":"10.0.0.1","destination":"10.0.0.2","protocol":17,"ports":[1,2],"length":100,"words":[9],"how":"stripped"}"#;
    std::fs::write(folder.join("tpps.json"), format!("{record}\n{record}\n")).expect("a file");
    let mut collector = Command::new(WW)
        .current_dir(&folder)
        .args("tpp collect --listen 127.0.0.1:0 --out all.json".split(' '))
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut told = BufReader::new(collector.stderr.take().expect("a pipe"));
    let mut line = String::new();
    told.read_line(&mut line).expect("a line");
    let at = line.trim().strip_prefix("collecting at ").expect("where").to_owned();
    let output = ww(&folder, &format!("aggregate tpps.json --to {at} --host h1 --changes --once"));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "1 record passed on, 1 left out, 0 lines malformed\n"
    );
    Command::new("kill").args(["-INT", &collector.id().to_string()]).status().expect("kill");
    assert!(collector.wait().expect("it ends").success());
    line.clear();
    told.read_line(&mut line).expect("a line");
    assert_eq!(line, "1 record, 0 connections refused\n");
    // What was collected is what the tools of histories read.
    assert_eq!(says(&folder, "netshark all.json --values switch --out h.parquet"), "1 history\n");
}
