//! `ww tpp`: tiny packet programs.

mod asm;
mod check;
mod collection;
mod control;
mod deploy;
mod dis;
mod echo;
mod histories;
mod send;
mod shim;
mod split;
mod trace;

use crate::Failure;
use crate::output::print;
use crate::tpp_args::{
    MapArguments, PipelineArguments, TppArguments, TppCommand, TppProgramArguments,
};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use ww_tpp::assemble::{MAX_TEXT, Mistake, render};
use ww_tpp::map::{self, Stages};

/// Does what the arguments say.
pub fn tpp(arguments: &TppArguments) -> Result<(), Failure> {
    match &arguments.command {
        TppCommand::Asm(arguments) => asm::asm(arguments),
        TppCommand::Dis(arguments) => dis::dis(arguments),
        TppCommand::Check(arguments) => check::check(arguments),
        TppCommand::Split(arguments) => split::split(arguments),
        TppCommand::Shim(arguments) => shim::shim(arguments),
        TppCommand::Send(arguments) => send::send(arguments),
        TppCommand::Trace(arguments) => trace::trace(arguments),
        TppCommand::Echo(arguments) => echo::echo(arguments),
        TppCommand::Register(arguments) => control::register(arguments),
        TppCommand::Unregister(arguments) => control::unregister(arguments),
        TppCommand::Apps(arguments) => control::apps(arguments),
        TppCommand::Add(arguments) => control::add(arguments),
        TppCommand::Remove(arguments) => control::remove(arguments),
        TppCommand::Rules(arguments) => control::rules(arguments),
        TppCommand::Stats(arguments) => control::stats(arguments),
        TppCommand::Deploy(arguments) => deploy::deploy(arguments),
        TppCommand::Aggregate(arguments) => collection::aggregate(arguments),
        TppCommand::Collect(arguments) => collection::collect(arguments),
        TppCommand::Netshark(arguments) => histories::netshark(arguments),
        TppCommand::Ndb(arguments) => histories::ndb(arguments),
        TppCommand::Netwatch(arguments) => histories::netwatch(arguments),
        TppCommand::Profile(arguments) => histories::profile(arguments),
        TppCommand::Map(arguments) => memory_map(arguments),
    }
}

fn memory_map(arguments: &MapArguments) -> Result<(), Failure> {
    if !arguments.names {
        return print(&map::page::markdown());
    }
    let mut text = String::new();
    for (address, name) in map::names() {
        let _ = writeln!(text, "0x{address:04x} {name}");
    }
    print(&text)
}

/// The whole of a file, or of standard input.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    let limit = MAX_TEXT as u64;
    let mut bytes = Vec::new();
    let result = match path.as_os_str() == "-" {
        true => io::stdin().lock().take(limit + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)),
    };
    result.map_err(|error| Failure::Rejected(format!("cannot read '{shown}': {error}")))?;
    match bytes.len() as u64 > limit {
        true => Err(Failure::Rejected(format!("'{shown}' has more than {limit} bytes"))),
        false => Ok(bytes),
    }
}

fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?)
        .map_err(|error| Failure::Rejected(format!("'{}' is not UTF-8: {error}", path.display())))
}

/// Reads the program and makes of it what `make` makes of its text.
fn with_program<T>(
    arguments: &TppProgramArguments,
    make: impl FnOnce(&str) -> Result<T, Vec<Mistake>>,
) -> Result<T, Failure> {
    let text = read_text(&arguments.file)?;
    make(&text).map_err(|mistakes| wrong(&arguments.file, &text, &mistakes))
}

/// All mistakes of a program.
fn wrong(file: &Path, text: &str, mistakes: &[Mistake]) -> Failure {
    let shown = render(&file.display().to_string(), text, mistakes);
    Failure::Rejected(shown.trim_end().to_owned())
}

impl PipelineArguments {
    fn stages(&self) -> Stages {
        Stages { ingress: self.stages, egress: self.egress_stages }
    }
}
