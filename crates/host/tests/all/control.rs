//! The control plane of a shim over its socket.

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ww_control::live::Client;
use ww_host::control::{Plane, Server};
use ww_host::hex;
use ww_host::shim::{Sent, Shim};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::protection::Protection;

struct Host {
    shim: Arc<Mutex<Shim>>,
    client: Client,
    socket: PathBuf,
    _server: Server,
}

fn host(folder: &Path) -> Host {
    let shim = Arc::new(Mutex::new(Shim::new(1500, Protection::new(&[]), 1)));
    let plane = Plane::new(Arc::clone(&shim), Some(folder.join("state.toml"))).expect("good");
    let socket = folder.join("socket");
    let server = Server::start(&socket, plane).expect("it listens");
    let client = Client::connect(&socket).expect("it answers");
    Host { shim, client, socket, _server: server }
}

impl Host {
    fn good(&mut self, request: Value) -> Value {
        self.client.call(request.clone()).unwrap_or_else(|error| panic!("{request}: {error}"))
    }

    fn refused(&mut self, request: Value) -> String {
        self.client.call(request).expect_err("refused").to_string()
    }

    /// What becomes of a UDP packet to port 5000.
    fn transmit(&self) -> Sent {
        // 10.0.0.1 to 10.0.0.2, 28 bytes, protocol 17; checksums do not count here.
        let ip = [0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        let mut frame = [&[0; 12][..], &[8, 0], &ip, &[0, 1, 0x13, 0x88, 0, 8, 0, 0]].concat();
        self.shim.lock().transmit(&mut frame)
    }
}

fn tpp(program: &str) -> String {
    let options = Options { hops: Some(2), ..Options::default() };
    hex::digits(&assemble(program, &options).expect("a good program").emit())
}

/// Acceptance check 25 of spec 003: a TPP that reads outside of what was granted is refused, and nothing is installed.
#[test]
fn programs_are_judged_when_they_are_added() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut host = host(folder.path());
    let made = host.good(json!({ "request": "register", "name": "queues", "read": ["Switch:*"] }));
    assert_eq!(made, json!({ "app": 0, "tag": 1 }));
    let add = |program: &str| json!({ "request": "add_tpp", "name": "queues", "filter": "-p udp", "tpp": tpp(program) });
    let said = host.refused(add("PUSH [Switch:SwitchID]\nPUSH [Link:QueueSize]"));
    assert!(said.contains("instruction 2"), "{said}");
    let indirect = ".memory 0xd000, 0\nLOADI [Packet:Word[0]], [Packet:Word[1]]";
    host.refused(add(indirect));
    assert_eq!(host.good(json!({ "request": "rules" })), json!({ "rules": [] }));
    assert_eq!(host.transmit(), Sent::Plain);
    host.good(add("PUSH [Switch:SwitchID]"));
    assert!(matches!(host.transmit(), Sent::Stamped(_)));
    assert_eq!(host.good(json!({ "request": "stats" }))["stamped"], 1);
    host.good(json!({ "request": "remove", "rule": 0 }));
    assert_eq!(host.transmit(), Sent::Plain);
    assert_eq!(host.refused(json!({ "request": "remove", "rule": 0 })), "there is no rule 0");
}

#[test]
fn requests_that_are_refused_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut host = host(folder.path());
    host.good(json!({ "request": "register", "name": "queues", "write": ["Link:AppSpecific_3"] }));
    let before = std::fs::read(folder.path().join("state.toml")).expect("it is there");
    let add = json!({ "request": "add_tpp", "name": "queues", "tpp": tpp("NOP") });
    let with = |name: &str, value: Value| {
        let mut request = add.clone();
        request[name] = value;
        request
    };
    for (request, part) in [
        (json!({ "request": "register", "name": "queues" }), "already"),
        (json!({ "request": "register", "name": "b", "read": ["Swich:*"] }), "no namespace"),
        (json!({ "request": "register", "name": "" }), "1 to 64 bytes"),
        (json!({ "request": "unregister", "name": "queus" }), "did you mean 'queues'?"),
        (
            json!({ "request": "allocate", "name": "queues", "space": "link", "words": 17 }),
            "no 17 words",
        ),
        (
            json!({ "request": "allocate", "name": "queues", "space": "moon", "words": 1 }),
            "stage N",
        ),
        (with("filter", "-p sctp".into()), "filter: -p"),
        (with("tpp", "0".into()), "digits"),
        (with("tpp", "00".into()), "no TPP"),
        (with("every", (-1).into()), "invalid value"),
        (json!({ "request": "rulez" }), "unknown variant"),
    ] {
        let said = host.refused(request.clone());
        assert!(said.contains(part), "{request}: {said}");
    }
    assert_eq!(std::fs::read(folder.path().join("state.toml")).expect("it is there"), before);
    // Bytes that are nothing, and a line without an end.
    let mut other = UnixStream::connect(&host.socket).expect("it answers");
    other.write_all(b"\xff\xfe\n\n{\"id\":7,\"request\":\"stats\"").expect("written");
    other.shutdown(std::net::Shutdown::Write).expect("shut");
    let mut answers = String::new();
    other.read_to_string(&mut answers).expect("it ends");
    assert_eq!(answers.lines().count(), 1, "{answers}");
    assert!(answers.contains("\"ok\":false"), "{answers}");
}

/// What was answered is there when the process has been killed: its socket file is, too, and is replaced.
#[test]
fn the_state_survives() {
    let folder = tempfile::tempdir().expect("a folder");
    let (applications, rules) = {
        let mut host = host(folder.path());
        host.good(json!({ "request": "register", "name": "rcp", "read": ["*"] }));
        let allocate = json!({ "request": "allocate", "name": "rcp", "space": "link", "words": 2 });
        assert_eq!(host.good(allocate), json!({ "first": 0xd000, "last": 0xd001 }));
        for priority in [0, 5] {
            let add = json!({ "request": "add_tpp", "name": "rcp", "filter": "-p udp --dport 5000",
                "tpp": tpp("PUSH [Switch:SwitchID]"), "every": 1, "priority": priority });
            assert_eq!(host.good(add)["rule"], u64::from(priority > 0));
        }
        host.good(json!({ "request": "remove", "rule": 0 }));
        let answers = ["applications", "rules"].map(|what| host.good(json!({ "request": what })));
        // A copy of what a kill would leave.
        std::fs::copy(folder.path().join("state.toml"), folder.path().join("kept"))
            .expect("copied");
        answers.into()
    };
    std::fs::rename(folder.path().join("kept"), folder.path().join("state.toml")).expect("moved");
    let mut host = host(folder.path());
    assert_eq!(host.good(json!({ "request": "applications" })), applications);
    assert_eq!(host.good(json!({ "request": "rules" })), rules);
    assert!(matches!(host.transmit(), Sent::Stamped(_)));
    let add = json!({ "request": "add_tpp", "name": "rcp", "tpp": tpp("NOP") });
    assert_eq!(host.good(add)["rule"], 2, "numbers are not used again");
    assert_eq!(
        host.good(json!({ "request": "unregister", "name": "rcp" }))["rules"],
        json!([1, 2])
    );
    assert_eq!(host.transmit(), Sent::Plain);
}

#[test]
fn files_that_cannot_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("state.toml");
    let app = "[registry]\nnext = 1\n[[registry.application]]\nid = 0\ntag = 1\nname = \"a\"\n";
    let rule = format!(
        "[[rule]]\nid = 0\napp = 0\nfilter = \"\"\ntpp = \"{}\"\nevery = 1\npriority = 0\n",
        tpp("PUSH [Switch:SwitchID]")
    );
    for (text, part) in [
        ("next = 1".to_owned(), "unknown key 'next'"),
        (format!("next_rule = 0\n{app}").replace("next = 1", "next = 0"), "application 0"),
        // What the application may not do.
        (format!("next_rule = 1\n{app}{rule}"), "rule 0: instruction 1"),
    ] {
        std::fs::write(&file, text).expect("written");
        let shim = Arc::new(Mutex::new(Shim::new(1500, Protection::new(&[]), 1)));
        let error = Plane::new(shim, Some(file.clone())).err().expect("refused");
        assert!(error.contains("state.toml:") && error.contains(part), "{error}");
    }
}
