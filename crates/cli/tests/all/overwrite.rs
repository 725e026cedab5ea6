//! No output of a command is one of its inputs: not under the same name, not through a link.

use super::streams::PROGRAM;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs in which `OUT` is the output: the input that it must not be, and the arguments. An input
/// that is a folder is one whose files would be replaced.
const RUNS: &[(&str, &str)] = &[
    ("prog.txt", "check prog.txt --p4info OUT.txt"),
    ("inc.txt", "check outer.p4 --p4info OUT.txt"),
    ("in.pcap", "run s.p4 --port 1=in.pcap:OUT"),
    ("in.pcap", "run s.p4 --port 1=in.pcap: --port 2=:OUT"),
    ("in.pcap", "run s.p4 --port 1=mem:in.pcap --port 2=:OUT"),
    ("s.p4", "run s.p4 --port 1=in.pcap:OUT"),
    ("e.txt", "run s.p4 --port 1=in.pcap:OUT --entries e.txt"),
    ("tpp.toml", "run s.p4 --port 1=in.pcap:OUT --tpp tpp.toml"),
    ("policy.toml", "run s.p4 --port 1=in.pcap:OUT --scheduler policy.toml"),
    ("m.sv", "run s.p4 --port 1=in.pcap: --engine rtl --module m.sv --waveform OUT"),
    ("t.stf", "stf s.p4 t.stf --engine rtl --waveform OUT"),
    ("in.pcap", "trace s.p4 --port 1=in.pcap --engine rtl --waveform OUT"),
    ("e.txt", "bench s.p4 --pcap in.pcap --entries e.txt --engine rtl --waveform OUT"),
    ("in.pcap", "report s.p4 --pcap in.pcap --plot OUT"),
    ("design/d.p4", "build design/d.p4 --target rtl --out design"),
    ("good.tpp", "tpp asm good.tpp -o OUT"),
    ("seen.json", "tpp netshark seen.json -o OUT"),
    ("seen.json", "tpp shim rules.toml --stack in.pcap: --wire seen.json: --collect OUT"),
    ("rules.toml", "tpp shim rules.toml --stack in.pcap: --wire : --collect OUT"),
    ("in.pcap", "tpp shim rules.toml --stack in.pcap:OUT --wire :"),
    ("seen.json", "tpp aggregate seen.json --to 127.0.0.1:1 --host h --once --state OUT"),
    ("bits", "phy cap bits -o OUT"),
    ("bits", "phy cap bits --list OUT"),
    ("lines.txt", "phy replay lines.txt -o OUT"),
    ("in.pcap", "phy encode in.pcap -o OUT"),
    ("bits", "phy profile bits --cdf OUT"),
    ("results.json", "sched report --hardware results.json --out . --no-rtl --quick"),
    ("lab/report.html", "lab run lab --out lab"),
    ("lab/report.html", "lab sweep lab --over run.seeds=1,2 --out lab"),
];

fn folder() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overwrite");
    let _ = fs::remove_dir_all(&path);
    for folder in ["", "design", "lab"] {
        fs::create_dir_all(path.join(folder)).expect("a folder");
    }
    let write = |name: &str, bytes: &[u8]| fs::write(path.join(name), bytes).expect("a file");
    for name in ["s.p4", "prog.txt", "inc.txt", "design/d.p4"] {
        write(name, PROGRAM.as_bytes());
    }
    write("design/.ww-build", b"d.p4\n");
    write("outer.p4", b"#include \"inc.txt\"\n");
    write("m.sv", b"module m; endmodule\n");
    write("t.stf", b"packet 1 01\nexpect 2 01$\n");
    write("good.tpp", b".hops 4\nPUSH [Switch:SwitchID]\n");
    for name in ["e.txt", "tpp.toml", "policy.toml", "rules.toml"] {
        write(name, b"");
    }
    write("seen.json", b"\n");
    write("lines.txt", b"64 12\n");
    write("results.json", b"{}\n");
    write("lab/lab.toml", LAB.as_bytes());
    write("lab/report.html", b"1000 0.0\n2000 1.0\n");
    let mut capture = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    for word in [0u32, 0, 65_535, 1, 0, 0, 1, 1] {
        capture.extend(word.to_le_bytes());
    }
    capture.push(1);
    write("in.pcap", &capture);
    let output = ww(&path, "phy gen --count 3 -o bits");
    assert_eq!(output.0, Some(0), "{}", output.1);
    path
}

/// A lab with a distribution of flow sizes in a file.
const LAB: &str = r#"
worlds = ["sim"]
[run]
duration = "1 ms"
[topology]
kind = "star"
hosts = 2
edge = { rate = "1 Gb/s", delay = "1 us" }
[[traffic]]
name = "web"
kind = "flows"
from = "h0"
to = "h1"
load = 0.1
transport = "cubic"
sizes = { file = "report.html" }
"#;

fn ww(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.current_dir(folder).args(arguments.split_whitespace());
    let output = command.output().expect("ww runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn no_output_is_an_input() {
    let folder = folder();
    let whole = |name: &str| fs::read(folder.join(name)).expect(name);
    for (input, arguments) in RUNS {
        let before = whole(input);
        for link in ["same", "hard", "soft"] {
            let name = match (link, arguments.contains("OUT.txt")) {
                ("same", _) => (*input).to_owned(),
                (_, true) => format!("{link}.txt"),
                (_, false) => format!("{link}.pcap"),
            };
            let given = arguments.replace("OUT.txt", "OUT").replace("OUT", &name);
            let link_path = folder.join(&name);
            match link {
                "same" => {}
                _ if !arguments.contains("OUT") => continue,
                "hard" => fs::hard_link(folder.join(input), &link_path).expect("a link"),
                _ => symlink(input, &link_path).expect("a link"),
            }
            let (status, stderr) = ww(&folder, &given);
            assert!(whole(input) == before, "ww {given} has overwritten {input}");
            assert_eq!(status, Some(2), "ww {given}: {stderr}");
            assert!(
                stderr.contains("same file")
                    || stderr.contains("overwritten")
                    || stderr.contains("its output file is"),
                "ww {given}: {stderr}"
            );
            if link != "same" {
                fs::remove_file(&link_path).expect("the link");
            }
        }
    }
}
