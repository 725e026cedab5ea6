//! The gallery of policies: the plots in docs/images/scheduling are what the program draws, byte for byte, and
//! docs/scheduling.md shows and explains each; and what the sentences say is so, by counting bytes.

use std::collections::HashMap;
use std::path::PathBuf;
use ww_sched::report::gallery::{Plot, plots};

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// To make the files anew: `ww sched report --gallery docs/images/scheduling`.
#[test]
fn plots_in_the_documents_are_up_to_date() {
    let folder = docs().join("images/scheduling");
    let page = std::fs::read_to_string(docs().join("scheduling.md")).expect("docs/scheduling.md");
    let mut names = Vec::new();
    for Plot { name, reading, figure, .. } in plots().expect("a gallery") {
        let file = folder.join(format!("{name}.svg"));
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(kept == figure.svg(), "{} is out of date", file.display());
        assert!(page.contains(&format!("(images/scheduling/{name}.svg)")), "{name} is not shown");
        assert!(page.contains(reading), "the page does not say of {name}: {reading}");
        names.push(format!("{name}.svg"));
    }
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("a file").file_name().into_string().expect("a name");
        assert!(names.contains(&name), "{name} belongs to no policy");
    }
}

/// Who gets what in 48 us of 10 Gb/s, 60,000 bytes. Offered are a 48,000, b 30,000 and c 27,000.
#[test]
fn policies_do_what_the_page_says() {
    let plots: HashMap<&str, Plot> =
        plots().expect("a gallery").into_iter().map(|plot| (plot.name, plot)).collect();
    let bytes = |name: &str| plots[name].bytes;
    for (name, [a, b, c]) in plots.values().map(|plot| (plot.name, plot.bytes)) {
        assert!(a + b + c <= 60_000 + 1500, "{name} sends more than the link does");
        // Those that hold packets back need not fill the link; the others lose at most the wait for
        // the first packets.
        if !["token-bucket", "rcsp"].contains(&name) {
            assert!(a + b + c >= 57_000, "{name} wastes the link: {a} {b} {c}");
        }
    }
    let [a, b, c] = bytes("strict");
    assert!(c == 27_000 && a < b, "c has all that it wants, and b is before a");
    let aged = bytes("aging");
    assert!(aged[0] > a, "aging gives a more than strict priority does");
    // Rates times 48 us, a burst, and a packet.
    let [a, b, c] = bytes("token-bucket");
    assert!(a <= 12_000 + 3000 + 1500 && b <= 18_000 + 3000 + 750 && c <= 24_000 + 3000 + 1500);
    assert!(a >= 12_000 && b >= 18_000);
    assert!(bytes("fair-shaper")[0] <= 12_000 + 3000 + 1500);
    // Two queues: b has half, a and c the other half together.
    let [a, b, c] = bytes("sfq");
    assert!((a + c).abs_diff(b) <= 3000, "{a} {b} {c}");
    // a and b have the same weight or quantum here; b's packets are half as long.
    for name in ["drr", "stfq", "wf2q", "hierarchy"] {
        let [a, b, _] = bytes(name);
        assert!(a.abs_diff(b) <= 3000, "{name}: {a} {b}");
    }
    // A pause of 14 us in which a would have sent a third of the link's 17,500 bytes or more.
    assert!(bytes("pause")[0] + 4500 < bytes("pause")[1]);
    let [a, ..] = bytes("sjf");
    assert!(a < 9000, "the largest jobs wait");
}
