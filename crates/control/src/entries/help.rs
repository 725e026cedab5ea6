//! `help`: the commands, and how each is written.

use super::commands::{COMMANDS, REFUSED};
use super::session::{Result, Session, fail};
use crate::word::{Word, shorten};
use ww_p4::source::Span;
use ww_spelling::suggestion;

/// Names on a line of the list.
const COLUMNS: usize = 3;

/// `help [COMMAND]`
pub(super) fn help(session: &mut Session, arguments: &[Word], _: Span) -> Result<()> {
    let Some(word) = arguments.first() else {
        let mut names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
        names.sort_unstable();
        let title = "Commands (help COMMAND shows how one is written):";
        let rows = names.chunks(COLUMNS).map(|row| {
            let row: String = row.iter().map(|name| format!("{name:42}")).collect();
            row.trim_end().to_owned()
        });
        let lines: Vec<_> =
            [title.to_owned(), "=".repeat(title.len())].into_iter().chain(rows).collect();
        session.say(lines.join("\n"));
        return Ok(());
    };
    if let Some(command) = COMMANDS.iter().find(|command| command.name == word.text) {
        session.say(format!("{} {}", command.name, command.usage).trim_end().to_owned());
        return Ok(());
    }
    if let Some((name, reason)) = REFUSED.iter().find(|(name, _)| *name == word.text) {
        session.say(format!("{name} is not supported: {reason}"));
        return Ok(());
    }
    let near = suggestion(&word.text, COMMANDS.iter().map(|command| command.name));
    let advice = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    fail(word.span, format!("there is no command `{}`{advice}", shorten(&word.text)))
}
