//! `ww lab check` and `ww lab new`.

use super::{open, rejected};
use crate::Failure;
use crate::output::{counted, print};
use std::fs;
use std::path::Path;
use ww_lab::expect;
use ww_lab::file::names::is_name;
use ww_lab::inspect::{self, Inspected};
use ww_lab::lab::FILE;
use ww_lab::plan::Plan;
use ww_lab::programs::Engines;
use ww_lab::starter::{EXPECTED, TEMPLATE};

/// Says what a lab is, or all that is wrong with it.
pub fn check(word: &str) -> Result<(), Failure> {
    let lab = open(word)?;
    let Inspected { planned, expectations } =
        inspect::every_way(&lab, &Engines::default()).map_err(rejected)?;
    let plan = &planned.variants[0].plan;
    let mut text = format!("{}: {}\n", lab.file, describe(plan));
    let named: Vec<&str> = planned.variants.iter().map(|variant| variant.name.as_str()).collect();
    if named != [""] {
        text += &format!("variants: {}\n", named.join(", "));
    }
    text += &format!("{}\n", counted(expectations.len() as u64, "expectation"));
    for (world, state) in [("sim", &plan.worlds.sim), ("netns", &plan.worlds.netns)] {
        text += &match state {
            Ok(()) => format!("{world}: yes\n"),
            Err(reason) if reason.is_empty() => format!("{world}: no\n"),
            Err(reason) => format!("{world}: cannot: {reason}\n"),
        };
    }
    print(&text)
}

fn describe(plan: &Plan) -> String {
    let hosts = plan.network.hosts().count();
    let others = plan.network.nodes.len() - hosts;
    let switches = if others == 1 { "1 switch".to_owned() } else { format!("{others} switches") };
    format!(
        "{}, {switches}, {}, {} of traffic, {}",
        counted(hosts as u64, "host"),
        counted(plan.network.links.len() as u64, "link"),
        counted((plan.network.traffic.len() + plan.commands.len()) as u64, "piece"),
        counted(plan.run.seeds.into(), "run"),
    )
}

/// Writes a lab to begin with.
pub fn new(name: &str) -> Result<(), Failure> {
    let plain = |c: char| c == '-' || is_name(&c.to_string()) || c == '.';
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) || name.starts_with('.') {
        let message =
            format!("a lab's name has 1 to 64 letters, digits, '-', '_' and '.', not {name:?}");
        return Err(Failure::Rejected(message));
    }
    let labs = Path::new("labs");
    let folder = if labs.is_dir() { labs.join(name) } else { Path::new(name).to_owned() };
    let wrong = |error: std::io::Error| {
        Failure::Rejected(format!("cannot make '{}': {error}", folder.display()))
    };
    fs::create_dir(&folder).map_err(wrong)?;
    let readme = format!(
        "# {name}\n\nWhat the lab shows, why the figures in expected.toml are what they are, and who says so.\n\n```\nww lab check {name}\nww lab run {name} --out results\n```\n"
    );
    let text = TEMPLATE.replace("NAME", name);
    for (file, text) in [(FILE, text.as_str()), (expect::FILE, EXPECTED), ("README.md", &readme)] {
        fs::write(folder.join(file), text).map_err(wrong)?;
    }
    print(&format!(
        "{0}/lab.toml, expected.toml and README.md are there to be changed; try\n  ww lab run {0}\n",
        folder.display()
    ))
}
