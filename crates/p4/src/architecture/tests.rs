//! Descriptions: ours are consistent, and mistakes in others are found with their places.

use super::v1model::{DROP_PORT, v1model};
use super::{Architecture, Effect, Meaning, OBJECTS, Sections, Trigger, embedded, read};
use crate::diagnostic::Diagnostics;
use crate::source::SourceMap;

/// The smallest description.
const SMALL: &str = r#"
name = "small"
package = "Small"

[[block]]
name = "p"
kind = "parser"
parameters = ["packet", "out headers", "inout intrinsic"]

[[block]]
name = "c"
kind = "control"
parameters = ["inout headers", "inout intrinsic"]

[[block]]
name = "d"
kind = "deparser"
parameters = ["packet", "in headers"]

[[intrinsic]]
name = "out_port"
is = "output-port"
writer = "program"
block = "c"

[[path]]
name = "queue"
from = "c"
does = "enqueue"
to = "d"

[[path]]
name = "leave"
from = "d"
does = "transmit"
"#;

fn described(text: &str) -> Result<&'static Architecture, String> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("a.arch.toml", text.to_owned(), false);
    read(file, &sources, &mut diagnostics).ok_or_else(|| {
        let lines = diagnostics.iter().map(|d| {
            let help = d.help.as_ref().map_or(String::new(), |help| format!(" [{help}]"));
            format!("{}: {}{help}\n", sources.describe(d.span), d.message)
        });
        lines.collect()
    })
}

#[test]
fn v1model_has_its_sections() {
    let v1model = v1model();
    let sections = Sections { front: 0..3, egress: 3..4, finish: 4..6 };
    assert_eq!(v1model.sections, sections);
    assert_eq!(v1model.drop_port(), Some(DROP_PORT));
    let all = Meaning::ALL.iter().filter(|(_, meaning)| *meaning != Meaning::Trigger);
    assert!(all.clone().all(|(_, meaning)| v1model.named(*meaning).is_some()));
    assert_eq!(v1model.intrinsic.len(), all.count());
    assert_eq!(v1model.objects.len(), OBJECTS.len());
    let marks = v1model.function("mark_to_drop").map(|f| f.effect);
    assert_eq!(marks, Some(Effect::Assigns(&[("egress_spec", DROP_PORT), ("mcast_grp", 0)])));
    assert_eq!(embedded().iter().filter(|a| a.package == "V1Switch").count(), 1);
}

#[test]
fn a_description_without_a_control_behind_the_queue() {
    let small = described(SMALL).unwrap_or_else(|m| panic!("{m}"));
    assert_eq!(small.sections, Sections { front: 0..2, egress: 2..2, finish: 2..3 });
    assert_eq!(small.drop_port(), None);
    let ends: Vec<_> = small.paths_from(1).map(|path| path.when).collect();
    assert_eq!(ends, [Trigger::Otherwise]);
}

/// What replaces what in [`SMALL`], and the beginning of the message with its place.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("package = \"Small\"", "", ":1:1: the file needs 'package'"),
    ("package =", "packag =", ":3:1: unknown key 'packag' in the file [did you mean 'package'?]"),
    ("\"parser\"", "\"parse\"", ":7:8: 'kind': expected parser, control, deparser"),
    ("\"packet\", \"out headers\"", "\"out headers\"", ":8:14: a parser and a deparser have"),
    ("\"in headers\"", "\"headers\"", ":18:25: expected \"packet\", or"),
    ("\"in headers\"", "\"inn headers\"", ":18:25: expected \"packet\", or"),
    ("output-port", "out-port", ":22:6: 'is': expected ingress-port, "),
    ("block = \"c\"", "block = \"k\"", ":20:1: the file has no block 'k'"),
    ("does = \"enqueue\"", "does = \"queue\"", ":29:8: 'does': expected clone, restart"),
    ("to = \"d\"", "to = \"p\"", ":26:1: this path leads to `d`"),
    ("does = \"transmit\"", "does = \"transmit\"\nto = 4", ":36:6: 'to': expected a text"),
    ("from = \"d\"", "from = \"p\"", ":32:1: block `p` ends no section"),
    (
        "name = \"c\"\nkind = \"control\"\nparameters = [",
        "name = \"c\"\nkind = \"parser\"\nparameters = [\"packet\", ",
        ":10:1: the parser is the first block: no engine executes",
    ),
    ("name = \"leave\"", "name = ", ":33:8: "),
    ("name = \"leave\"", "name = \"leave\"\nfield = \"out_port\"", ":32:1: 'field' and 'equals'"),
    (
        "name = \"leave\"",
        "name = \"leave\"\nnot_zero = \"out_port\"",
        ":36:8: a path that does this",
    ),
    (
        "[[path]]\nname = \"queue\"",
        "[[extern]]\nname = \"mark\"\n[[path]]\nname = \"queue\"",
        ":27:8: 'name': no engine carries out an extern 'mark'",
    ),
    (
        "[[path]]\nname = \"queue\"",
        "[[extern]]\nname = \"verify_checksum\"\n[[path]]\nname = \"queue\"",
        ":26:1: [[extern]] needs 'flags'",
    ),
    (
        "[[path]]\nname = \"queue\"",
        "[[extern]]\nname = \"stop\"\nassigns = { port = 1 }\n[[path]]\nname = \"queue\"",
        ":26:1: the file has no field 'port'",
    ),
    (
        "does = \"enqueue\"",
        "does = \"drop\"\nfield = \"out_port\"\nequals = -1",
        ":31:10: 'equals': expected a whole number",
    ),
    (
        "name = \"leave\"\nfrom = \"d\"",
        "name = \"leave\"\nfrom = \"d\"\ndoes = \"transmit\"\n[[path]]\nname = \"again\"\nfrom = \"d\"",
        ":36:1: no packet comes here: path 'leave' takes",
    ),
];

#[test]
fn mistakes_are_found_with_their_places() {
    let mut missed = String::new();
    for (from, to, wanted) in MISTAKES {
        assert!(SMALL.contains(from), "{from}");
        let message = match described(&SMALL.replacen(from, to, 1)) {
            Ok(_) => "accepted".to_owned(),
            Err(message) => message,
        };
        if !message.lines().any(|line| line.contains(wanted)) {
            missed.push_str(&format!("{from} -> {to}\n  wanted {wanted}\n  found {message}\n"));
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

#[test]
fn all_mistakes_of_a_file_are_in_one_report() {
    let text = SMALL.replace("\"control\"", "\"controls\"").replace("output-port", "port");
    let message = described(&text).expect_err("two mistakes");
    assert!(message.contains("found \"controls\""), "{message}");
    assert!(message.contains("found \"port\""), "{message}");
}
