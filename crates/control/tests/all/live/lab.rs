//! A dataplane without ports, its server, and raw connections to it.

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use ww_control::live::{Client, Ledger, Loaded, Plane, Server, Shared, SharedControl, share};
use ww_engine::engine::AnyEngine;
use ww_engine::interp::{Interp, Options};
use ww_p4::frontend::compile_text;

/// The program of all tests.
pub const PROGRAM: &str = include_str!("switch.p4");

/// An engine with a program.
pub fn engine(text: &str) -> Result<AnyEngine, String> {
    let text = text.to_owned();
    let compile = move || {
        let compilation = compile_text(Path::new("switch.p4"), text, &Default::default());
        if compilation.diagnostics.has_errors() {
            return Err(compilation.diagnostics.render(&compilation.sources, false));
        }
        let program = Arc::new(compilation.program);
        Interp::new(program, Options::default()).map(AnyEngine::new).map_err(|e| e.to_string())
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(compile);
    thread.expect("a thread").join().expect("no panic")
}

pub type Books = Ledger<SharedControl<AnyEngine>>;

/// A dataplane with a server.
pub struct Lab {
    pub path: PathBuf,
    pub ledger: Arc<Mutex<Books>>,
    pub dataplane: Shared<AnyEngine>,
    pub server: Option<Server>,
}

impl Lab {
    /// With the program of all tests. Files that `load` names are programs.
    pub fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("ww-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let (dataplane, control) = share(engine(PROGRAM).expect("it loads"));
        let ledger = Arc::new(Mutex::new(Ledger::new(control).expect("a ledger")));
        let plane = Plane::new(Arc::clone(&ledger), "switch.p4").loading(|request| {
            let text = std::fs::read_to_string(&request.path).map_err(|e| e.to_string())?;
            let (_, control) = share(engine(&text)?);
            Ok(Loaded { control, program: request.path.display().to_string() })
        });
        let server = Server::start(&path, plane).expect("it listens");
        Self { path, ledger, dataplane, server: Some(server) }
    }

    pub fn client(&self) -> Client {
        Client::connect(&self.path).expect("it accepts")
    }

    /// A program in a file; removed by the caller's folder.
    pub fn program(&self, name: &str, text: &str) -> String {
        let path = self.path.with_extension(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    }

    pub fn raw(&self) -> Raw {
        let stream = UnixStream::connect(&self.path).expect("it accepts");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        Raw(BufReader::new(stream))
    }
}

/// A connection that sends what it likes.
pub struct Raw(BufReader<UnixStream>);

impl Raw {
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.0.get_mut().write_all(bytes).is_ok()
    }

    /// The next line; `None` at the end.
    pub fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.0.read_line(&mut line) {
            Ok(n) if n > 0 => Some(serde_json::from_str(&line).expect("JSON")),
            _ => None,
        }
    }
}

/// A request that must succeed.
pub fn ask(client: &mut Client, request: Value) -> Value {
    let shown = request.to_string();
    client.call(request).unwrap_or_else(|error| panic!("{shown}: {error}"))
}

/// A request that must be refused, for a reason that contains `expected`.
pub fn refused(client: &mut Client, request: Value, expected: &str) {
    let shown = request.to_string();
    match client.call(request) {
        Ok(answer) => panic!("{shown} is answered {answer}"),
        Err(error) => assert!(error.to_string().contains(expected), "{shown}: {error}"),
    }
}

/// All that can be read, except what packets change.
pub fn everything(client: &mut Client) -> Value {
    let mut all = json!({});
    for table in ["exact_t", "lpm_t", "ternary_t", "spread"] {
        all[table] =
            ask(client, json!({"request": "table_entries", "table": table, "counters": true}));
    }
    for (name, request) in [
        ("members", json!({"request": "members", "profile": "choice"})),
        ("groups", json!({"request": "groups", "profile": "choice"})),
        ("mirrors", json!({"request": "mirrors"})),
        ("multicast", json!({"request": "multicast_groups"})),
        ("nodes", json!({"request": "multicast_nodes"})),
        ("known", json!({"request": "value_set_members", "value_set": "known"})),
        ("last", json!({"request": "register_read", "register": "last"})),
        ("seen", json!({"request": "counter_read", "counter": "seen"})),
        ("rate", json!({"request": "meter_read", "meter": "rate"})),
        ("generation", json!({"request": "generation"})),
    ] {
        all[name] = ask(client, request);
    }
    all
}
