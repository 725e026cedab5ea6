//! Entries that users bring: the runtime commands of BMv2's `simple_switch_CLI`, or, in a file that
//! begins with `{`, the P4Runtime JSON of the public P4 exercises (`json_entries`).
//!
//! One command a line; `#` starts a comment. Values of keys and arguments are decimal, `0x`, `0o`
//! or `0b` numbers, IPv4, IPv6 or MAC addresses, `true` or `false`; prefixes are `V/LEN`, ternary
//! values `V&&&MASK`, ranges `LO->HI`.
//!
//! Priorities: in these commands the LOWER number wins. They are turned around (`-P`) for our
//! tables, where the higher one does; so entries that the program itself brings, whose priorities
//! are positive, come before those of a command file.

mod commands;
mod dumps;
mod help;
mod json_entries;
mod json_syntax;
mod objects;
mod profiles;
mod replication;
mod session;
mod tables;
pub(crate) mod values;

use crate::word::{Word, shorten};
use commands::{COMMANDS, Command, REFUSED};
use session::Session;
use std::time::Duration;
use ww_dataplane::control::{Control, Error};
use ww_p4::diagnostic::{Diagnostic, Diagnostics};
use ww_p4::source::{FileId, SourceMap, Span};
use ww_spelling::suggestion;

pub use values::{format_key, format_target, parse_key, parse_value};

/// A file of commands, read and checked as far as that is possible without a program.
#[derive(Clone, Debug, Default)]
pub struct Script {
    lines: Vec<Line>,
    /// Entries of a file that is no list of commands.
    entries: Vec<json_entries::Entry>,
    /// Lines and entries with errors, which are in neither.
    wrong: usize,
}

/// What commands may ask of the run around a dataplane. By default it has not begun.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Numbers and names of the ports, if they are attached.
    pub ports: Option<Vec<(u32, String)>>,
    /// Time since the run began.
    pub elapsed: Duration,
    /// Time since 1970, if there is a clock.
    pub since_epoch: Option<Duration>,
}

/// One command.
#[derive(Clone, Debug)]
struct Line {
    command: &'static Command,
    arguments: Vec<Word>,
    span: Span,
}

/// Reads a file of commands or entries that was added to `sources`. All errors go to `diagnostics`; the lines
/// without error are in the result.
pub fn parse(file: FileId, sources: &SourceMap, diagnostics: &mut Diagnostics) -> Script {
    let mut script = Script::default();
    let text = sources.file(file).map_or("", |f| f.text.as_str());
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let before = diagnostics.error_count();
        match json_syntax::parse(file, text) {
            Ok(value) => script.entries = json_entries::read(value, diagnostics),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
        script.wrong = diagnostics.error_count() - before;
        return script;
    }
    let mut base = 0;
    for full in text.split_inclusive('\n') {
        let words = words(file, base, full);
        base += full.len();
        let Some((verb, arguments)) = words.split_first() else { continue };
        let span = arguments.last().map_or(verb.span, |last| verb.span.to(last.span));
        match find(verb, arguments, span) {
            Ok(command) => {
                script.lines.push(Line { command, arguments: arguments.to_vec(), span });
            }
            Err(diagnostic) => {
                script.wrong += 1;
                diagnostics.push(*diagnostic);
            }
        }
    }
    script
}

fn words(file: FileId, base: usize, line: &str) -> Vec<Word> {
    let line = line.split('#').next().unwrap_or("");
    let mut words = Vec::new();
    let mut at = 0;
    for text in line.split(char::is_whitespace) {
        if !text.is_empty() {
            let lo = (base + at) as u32;
            let span = Span { file, lo, hi: lo + text.len() as u32 };
            words.push(Word { text: text.to_owned(), span });
        }
        // The character that ended the word; all white space but ASCII's is wider than a byte.
        let separator = line[at + text.len()..].chars().next().map_or(0, char::len_utf8);
        at += text.len() + separator;
    }
    words
}

fn find(verb: &Word, arguments: &[Word], span: Span) -> session::Result<&'static Command> {
    let fail = |diagnostic| Err(Box::new(diagnostic));
    if let Some((_, reason)) = REFUSED.iter().find(|(name, _)| *name == verb.text) {
        let message = format!("`{}` is not supported: {reason}", verb.text);
        return fail(Diagnostic::error(verb.span, message));
    }
    let Some(command) = COMMANDS.iter().find(|c| c.name == verb.text) else {
        let message = format!("there is no command `{}`", shorten(&verb.text));
        let diagnostic = Diagnostic::error(verb.span, message);
        return fail(match suggestion(&verb.text, COMMANDS.iter().map(|c| c.name)) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic,
        });
    };
    let (least, most) = command.arguments;
    if arguments.len() < least || arguments.len() > most {
        let found = match arguments.len() {
            1 => "1 argument".to_owned(),
            n => format!("{n} arguments"),
        };
        let message = format!("expected `{} {}`, found {found}", command.name, command.usage);
        return fail(Diagnostic::error(span, message));
    }
    Ok(command)
}

impl Script {
    /// Number of commands and entries.
    pub fn len(&self) -> usize {
        self.lines.len() + self.entries.len()
    }

    /// Whether there is neither.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Carries out all commands in order; one that is refused is reported, changes nothing, and
    /// those behind it go on. Returns what reading and dumping commands have to say, one text
    /// per command.
    pub fn apply(
        &self,
        control: &mut dyn Control,
        surroundings: &Surroundings,
        diagnostics: &mut Diagnostics,
    ) -> Vec<String> {
        let mut session = Session::new(control, surroundings);
        for line in &self.lines {
            if let Err(diagnostic) = (line.command.run)(&mut session, &line.arguments, line.span) {
                session.creation_failed |= line.command.creates;
                diagnostics.push(*diagnostic);
            }
        }
        for entry in &self.entries {
            if let Err(diagnostic) = entry.run(&mut session, diagnostics) {
                diagnostics.push(*diagnostic);
            }
        }
        session.output
    }

    /// The same for a dataplane in the state after loading, all or nothing: if any command is
    /// refused, or a line could not be read, the dataplane is reset to that state, and all
    /// complaints are in `diagnostics`.
    pub fn load(&self, control: &mut dyn Control, diagnostics: &mut Diagnostics) -> Vec<String> {
        let of_commands = self.lines.first().map(|line| line.span);
        let of_entries = || self.entries.first().map(json_entries::Entry::span);
        let Some(first) = of_commands.or_else(of_entries) else { return Vec::new() };
        let before = diagnostics.error_count();
        let note = |answer: Result<(), Error>, diagnostics: &mut Diagnostics| {
            if let Err(error) = answer {
                diagnostics.push(Diagnostic::error(first, error.to_string()));
            }
        };
        // Packets see all of it at once, which also spares engines the work for each command.
        note(control.hold(), diagnostics);
        let mut output = self.apply(control, &Surroundings::default(), diagnostics);
        if self.wrong > 0 || diagnostics.error_count() > before {
            note(control.reset_state(), diagnostics);
            output.clear();
        }
        note(control.release(), diagnostics);
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_places() {
        let found = words(FileId(0), 10, "  a b\t=>\u{a0}c # d\n");
        let brief: Vec<_> = found.iter().map(|w| (w.text.as_str(), w.span.lo)).collect();
        assert_eq!(brief, [("a", 12), ("b", 14), ("=>", 16), ("c", 20)]);
    }

    fn errors(text: &str) -> Vec<String> {
        let mut sources = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let file = sources.add("e.txt", text.to_owned(), false);
        parse(file, &sources, &mut diagnostics);
        let shown = |d: &Diagnostic| {
            let help = d.help.as_deref().unwrap_or("");
            format!("{} {} {help}", sources.describe(d.span), d.message)
        };
        diagnostics.iter().map(shown).collect()
    }

    #[test]
    fn all_mistakes_at_once() {
        let found = errors(
            "table_ad t a =>\n\nregister_write r 1\n# fine\nport_add x 1\nmc_mgrp_create 1\n",
        );
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            found[0].contains("e.txt:1:1 there is no command `table_ad` did you mean `table_add`?")
        );
        assert!(
            found[1].contains("e.txt:3:1 expected `register_write REGISTER INDEX VALUE`, found 2")
        );
        assert!(found[2].contains("e.txt:5:1 `port_add` is not supported"));
    }
}
