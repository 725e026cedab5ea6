//! The scripts that judge the model judge the hardware too.

use std::path::Path;
use ww_rtl::toe::HardwareEndpoint;
use ww_rtl::toe::equal::SHAPE;
use ww_tcp::drill::{Options, Problem, run_on};

fn judge(text: &str) -> Result<(), Problem> {
    run_on(text, &Options::default(), |settings| {
        let host = HardwareEndpoint::new(SHAPE, settings).map_err(|error| error.to_string())?;
        Ok(Box::new(host))
    })
}

#[test]
fn all_scripts_pass_on_hardware() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tcp/tests/drill");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the scripts are there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_none_or(|extension| extension != "pkt") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it can be read");
        if let Err(problem) = judge(&text) {
            panic!("{}:{problem}", path.display());
        }
        count += 1;
    }
    assert!(count >= 46, "{count} scripts");
}

/// A wrong number in the last packet is found.
#[test]
fn a_spoiled_script_fails_on_hardware() {
    let script = |ack: u32| {
        format!(
            "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
+0 bind(3, ..., ...) = 0
+0 listen(3, 1) = 0
+0 < S 0:0(0) win 65535 <mss 1000,sackOK,nop,nop,nop,wscale 8>
+0 > S. 0:0(0) ack 1 <mss 1460,nop,nop,sackOK,nop,wscale 8>
+.1 < . 1:1(0) ack 1 win 257
+0 < P. 1:101(100) ack 1 win 257
+0 > . 1:1(0) ack {ack}
"
        )
    };
    assert_eq!(judge(&script(101)), Ok(()));
    let Err(Problem::Failed { line, .. }) = judge(&script(102)) else {
        panic!("a wrong number passes");
    };
    assert_eq!(line, 8);
}
