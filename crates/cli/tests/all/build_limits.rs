//! Programs that make a design too large are refused before the work, with what is too large; others that have many
//! of something take time in proportion to it.

use std::fmt::Write;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A program for v1model whose parser, declarations and ingress are these.
fn program(headers: &str, states: &str, locals: &str, body: &str) -> String {
    format!(
        "#include <core.p4>\n#include <v1model.p4>\n\
         header h_t {{ bit<8> a; bit<8> b; bit<16> c; }}\n\
         struct headers_t {{ h_t h; {headers} }}\nstruct meta_t {{ }}\n\
         parser P(packet_in pkt, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {{\n\
         state start {{ pkt.extract(hdr.h); transition s0; }}\n{states} }}\n\
         control V(inout headers_t hdr, inout meta_t meta) {{ apply {{ }} }}\n\
         control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {{\n\
         {locals}\napply {{ sm.egress_spec = 1; {body} }} }}\n\
         control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {{ apply {{ }} }}\n\
         control C(inout headers_t hdr, inout meta_t meta) {{ apply {{ }} }}\n\
         control D(packet_out pkt, in headers_t hdr) {{ apply {{ pkt.emit(hdr); }} }}\n\
         V1Switch(P(), V(), I(), E(), C(), D()) main;\n"
    )
}

/// `count` lines.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, n| {
        writeln!(text, "{}", line(n)).expect("a String takes everything");
        text
    })
}

/// A table with many actions.
fn actions(count: usize) -> String {
    let mut locals =
        lines(count, |n| format!("action a{n}(bit<8> x) {{ hdr.h.a = x + {}; }}", n % 256));
    let names = lines(count, |n| format!("a{n};"));
    write!(locals, "table t {{ key = {{ hdr.h.c: exact; }} actions = {{ {names} NoAction; }} default_action = NoAction; }}")
        .expect("a String takes everything");
    program("", "state s0 { transition accept; }", &locals, "t.apply();")
}

/// Builds it: status, what was said, and the processor time it took, since other tests use the machine too.
fn build(source: &str) -> (Option<i32>, String, Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.p4");
    std::fs::write(&file, source).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.args(["build", "--target=rtl", "--out"]).arg(folder.path().join("design")).arg(file);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("ww runs");
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    let time = time_at_the_end(&child);
    (child.wait().expect("ww ran").code(), said, time)
}

/// The processor time of a program that is about to end, whose status nobody has asked for yet: state, user and
/// system time in hundredths of a second are the third, 14th and 15th word of its `stat` (proc(5)).
fn time_at_the_end(child: &Child) -> Duration {
    loop {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("Linux");
        let (_, words) = stat.rsplit_once(')').expect("a name in brackets");
        let words: Vec<&str> = words.split_whitespace().collect();
        if words[0] == "Z" {
            let ticks = |word: usize| words[word - 3].parse::<u64>().expect("a number");
            return Duration::from_millis(10 * (ticks(14) + ticks(15)));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn too_large_a_design_is_refused_before_the_work() {
    let cases = lines(20_000, |n| format!("32w{n}: {{ hdr.h.a = {}; }}", n % 256));
    let many_cases = program(
        "",
        "state s0 { transition accept; }",
        "",
        &format!("switch (hdr.h.c ++ hdr.h.c) {{ {cases} default: {{ }} }}"),
    );
    let more = "state s0 { pkt.extract(hdr.s.next); transition select(hdr.s.last.a) { 0: s0; default: accept; } }";
    let long_stack = program("h_t[20000] s;", more, "", "hdr.s.push_front(1);");
    // Each state is a step for each number of bytes before it.
    let steps = lines(9, |n| {
        format!("state s{n} {{ pkt.advance((bit<32>)hdr.h.a << 3); transition s{}; }}", n + 1)
    });
    let many_steps = program("", &(steps + "state s9 { transition accept; }"), "", "");
    for (what, source, reason) in [
        ("cases", many_cases, "MiB of SystemVerilog, where 2 MiB are the most"),
        ("actions", actions(20_000), "MiB of SystemVerilog, where 2 MiB are the most"),
        ("headers of a stack", long_stack, "further into the packet than 2048 bytes"),
        (
            "steps",
            many_steps,
            "the pipeline would be too large: more than 4096 steps of the parser",
        ),
    ] {
        let (status, said, time) = build(&source);
        assert_eq!(status, Some(1), "{what}: {said}");
        assert!(said.contains(reason) && said.contains("large.p4:"), "{what}: {said}");
        // A second on a machine that does nothing else; over 10 s when the work came first.
        assert!(time < Duration::from_secs(8), "{what}: {time:?}");
    }
}

#[test]
fn many_actions_take_time_in_proportion() {
    let (status, said, few) = build(&actions(500));
    assert_eq!(status, Some(0), "{said}");
    let (status, said, many) = build(&actions(4_000));
    assert_eq!(status, Some(0), "{said}");
    // Eight times as many; in proportion to their square it was 50 times as long.
    assert!(many < few * 25 + Duration::from_millis(200), "500: {few:?}, 4,000: {many:?}");
}
