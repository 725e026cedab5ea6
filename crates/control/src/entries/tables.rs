//! Commands on tables.

use super::session::{Result, Session, argument, at, fail, small};
use super::values::{format_key, format_target, parse_key, parse_value};
use crate::word::Word;
use std::fmt::Write;
use ww_dataplane::control::{
    ActionData, ActionInfo, EntryHandle, EntryView, KeyMatch, NewEntry, Schema, TableIndex,
    TableInfo, Target,
};
use ww_p4::diagnostic::Diagnostic;
use ww_p4::source::Span;

/// Largest priority; BMv2 keeps them in a signed 32-bit integer.
pub(super) const LARGEST_PRIORITY: u32 = i32::MAX as u32;

/// `table_add TABLE ACTION KEY.. => [ARGUMENT..] [PRIORITY]`
pub(super) fn add(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let (name, action) = (argument(arguments, 0, span)?, argument(arguments, 1, span)?);
    let index = session.table(name)?;
    let schema = session.schema();
    let info = &schema[index];
    direct(info, name)?;
    let position = info.action(&action.text).map_err(|e| at(action.span, e))?;
    let (keys, rest) = split(info, &arguments[2..], span)?;
    let keys = read_keys(info, keys, span)?;
    let offered = &info.actions[position];
    let (data, priority) = if info.has_priorities() {
        let Some((priority, data)) =
            rest.split_last().filter(|_| rest.len() > offered.parameters.len())
        else {
            return fail(span, missing_priority(info, offered, rest.len()));
        };
        (data, Some(priority))
    } else {
        (rest, None)
    };
    let data = ActionData { action: position, arguments: action_arguments(offered, data, span)? };
    let priority = priority.map_or(Ok(0), read_priority)?;
    insert(session, span, index, NewEntry { keys, priority, target: Target::Action(data) })
}

fn missing_priority(info: &TableInfo, action: &ActionInfo, found: usize) -> String {
    let parameters = action.parameters.len();
    if found == parameters {
        return format!(
            "table `{}` has ternary, range or optional keys: expected a priority at the end \
             (the lower number wins)",
            info.name
        );
    }
    format!(
        "expected {parameters} argument(s) of action `{}` and a priority behind `=>`, found {found} word(s)",
        action.name
    )
}

/// The words in front of `=>` and those behind it.
fn split<'w>(info: &TableInfo, words: &'w [Word], span: Span) -> Result<(&'w [Word], &'w [Word])> {
    match words.iter().position(|w| w.text == "=>") {
        Some(at) => Ok((&words[..at], &words[at + 1..])),
        None if words.is_empty() && info.keys.is_empty() => Ok((words, words)),
        None => fail(span, "expected `=>` between the keys and the action's arguments"),
    }
}

pub(super) fn read_keys(info: &TableInfo, words: &[Word], span: Span) -> Result<Vec<KeyMatch>> {
    if words.len() != info.keys.len() {
        let keys: Vec<_> =
            info.keys.iter().map(|k| format!("{} ({})", k.name, k.kind.name())).collect();
        let message = match keys.is_empty() {
            true => format!("table `{}` has no keys, found {}", info.name, words.len()),
            false => format!(
                "table `{}` has {} key(s), {}; found {}",
                info.name,
                keys.len(),
                keys.join(", "),
                words.len()
            ),
        };
        return fail(span, message);
    }
    let read = |(key, word): (_, &Word)| {
        parse_key(key, &word.text).map_err(|m| Box::new(Diagnostic::error(word.span, m)))
    };
    info.keys.iter().zip(words).map(read).collect()
}

/// The arguments of an action.
pub(super) fn action_arguments(
    action: &ActionInfo,
    words: &[Word],
    span: Span,
) -> Result<Vec<num_bigint::BigUint>> {
    if words.len() != action.parameters.len() {
        let names: Vec<_> =
            action.parameters.iter().map(|p| format!("{} ({} bits)", p.name, p.width)).collect();
        let names =
            if names.is_empty() { String::new() } else { format!(", {}", names.join(", ")) };
        let message = format!(
            "action `{}` takes {} argument(s){names}; found {}",
            action.name,
            action.parameters.len(),
            words.len()
        );
        return fail(span, message);
    }
    let read = |(parameter, word): (&ww_dataplane::control::ParameterInfo, &Word)| {
        parse_value(&word.text, parameter.width).map_err(|problem| {
            let message =
                format!("parameter `{}` of action `{}` {problem}", parameter.name, action.name);
            Box::new(Diagnostic::error(word.span, message))
        })
    };
    action.parameters.iter().zip(words).map(read).collect()
}

/// The priority turned around: here the lower number wins, inside the higher one.
pub(super) fn read_priority(word: &Word) -> Result<i64> {
    let what = "a priority (0 to 2147483647)";
    let priority: u32 = small(word, what)?;
    if priority > LARGEST_PRIORITY {
        return fail(word.span, format!("expected {what}, found `{}`", word.text));
    }
    Ok(-i64::from(priority))
}

fn insert(session: &mut Session, span: Span, index: TableIndex, entry: NewEntry) -> Result<()> {
    let answer = session.control.table_insert(index, entry);
    session.accept(span, answer).map(|_| ())
}

/// Refuses tables whose entries refer to members of a profile.
pub(super) fn direct(info: &TableInfo, name: &Word) -> Result<()> {
    if info.profile.is_none() {
        return Ok(());
    }
    let message = format!(
        "the entries of table `{}` refer to members or groups of an action profile",
        info.name
    );
    let help = "use `table_indirect_add` or `table_indirect_add_with_group`";
    Err(Box::new(Diagnostic::error(name.span, message).help(help)))
}

/// `table_set_default TABLE ACTION [ARGUMENT..]`
pub(super) fn set_default(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let (name, action) = (argument(arguments, 0, span)?, argument(arguments, 1, span)?);
    let index = session.table(name)?;
    let schema = session.schema();
    let info = &schema[index];
    direct(info, name)?;
    let position = info.action(&action.text).map_err(|e| at(action.span, e))?;
    let words = without_arrow(&arguments[2..]);
    let data = action_arguments(&info.actions[position], words, span)?;
    let target = Target::Action(ActionData { action: position, arguments: data });
    let answer = session.control.table_set_default(index, target);
    session.done(span, answer)
}

/// A `=>` that people write in front of arguments although there is nothing to separate.
pub(super) fn without_arrow(words: &[Word]) -> &[Word] {
    match words.split_first() {
        Some((first, rest)) if first.text == "=>" => rest,
        _ => words,
    }
}

/// `table_reset_default TABLE`
pub(super) fn reset_default(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let answer = session.control.table_reset_default(index);
    session.done(span, answer)
}

fn handle(arguments: &[Word], n: usize, span: Span) -> Result<EntryHandle> {
    small(argument(arguments, n, span)?, "the handle of an entry").map(EntryHandle)
}

/// `table_modify TABLE ACTION HANDLE [ARGUMENT..]`
pub(super) fn modify(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let (name, action) = (argument(arguments, 0, span)?, argument(arguments, 1, span)?);
    let index = session.table(name)?;
    let schema = session.schema();
    let info = &schema[index];
    direct(info, name)?;
    let position = info.action(&action.text).map_err(|e| at(action.span, e))?;
    let entry = handle(arguments, 2, span)?;
    let words = without_arrow(&arguments[3..]);
    let data = action_arguments(&info.actions[position], words, span)?;
    let target = Target::Action(ActionData { action: position, arguments: data });
    let answer = session.control.table_modify(index, entry, target);
    session.done(span, answer)
}

/// `table_delete TABLE HANDLE`
pub(super) fn delete(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let entry = handle(arguments, 1, span)?;
    let answer = session.control.table_delete(index, entry);
    session.done(span, answer)
}

/// `table_clear TABLE`
pub(super) fn clear(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let answer = session.control.table_clear(index);
    session.done(span, answer)
}

/// What an entry of a table with an action profile leads to.
#[derive(Clone, Copy)]
pub(super) enum Indirect {
    Member,
    Group,
}

impl Indirect {
    fn target(self, handle: u32) -> Target {
        match self {
            Self::Member => Target::Member(handle),
            Self::Group => Target::Group(handle),
        }
    }

    fn read(self, word: &Word) -> Result<Target> {
        let what = match self {
            Self::Member => "the handle of a member",
            Self::Group => "the handle of a group",
        };
        Ok(self.target(small(word, what)?))
    }
}

/// `table_indirect_add TABLE KEY.. => MEMBER [PRIORITY]`,
/// `table_indirect_add_with_group TABLE KEY.. => GROUP [PRIORITY]`
pub(super) fn indirect_add(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
    to: Indirect,
) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let schema = session.schema();
    let info = &schema[index];
    let (keys, rest) = split(info, &arguments[1..], span)?;
    let keys = read_keys(info, keys, span)?;
    let expected = if info.has_priorities() { 2 } else { 1 };
    if rest.len() != expected {
        let message = match expected {
            1 => format!("expected one member or group behind `=>`, found {} words", rest.len()),
            _ => format!(
                "expected a member or group and a priority behind `=>`, found {} word(s)",
                rest.len()
            ),
        };
        return fail(span, message);
    }
    let to = to.target(small(argument(rest, 0, span)?, "the handle of a member or group")?);
    let priority = rest.get(1).map_or(Ok(0), read_priority)?;
    insert(session, span, index, NewEntry { keys, priority, target: to })
}

/// `table_indirect_modify TABLE HANDLE MEMBER`, `table_indirect_modify_with_group TABLE HANDLE GROUP`
pub(super) fn indirect_modify(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
    to: Indirect,
) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let entry = handle(arguments, 1, span)?;
    let to = to.read(argument(arguments, 2, span)?)?;
    let answer = session.control.table_modify(index, entry, to);
    session.done(span, answer)
}

/// `table_indirect_set_default TABLE MEMBER`, `table_indirect_set_default_with_group TABLE GROUP`
pub(super) fn indirect_set_default(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
    to: Indirect,
) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let to = to.read(argument(arguments, 1, span)?)?;
    let answer = session.control.table_set_default(index, to);
    session.done(span, answer)
}

fn actions_of<'s>(schema: &'s Schema, info: &'s TableInfo) -> &'s [ActionInfo] {
    match info.profile {
        Some(profile) => &schema[profile].actions,
        None => &info.actions,
    }
}

fn entry_text(info: &TableInfo, actions: &[ActionInfo], view: &EntryView) -> String {
    let keys: Vec<_> = info
        .keys
        .iter()
        .zip(&view.entry.keys)
        .map(|(key, value)| format!("{}={}", key.name, format_key(value)))
        .collect();
    let mut text = format!("  {}: {}", view.handle.0, keys.join(" "));
    let _ = write!(text, " => {}", format_target(actions, &view.entry.target));
    if info.has_priorities() {
        let _ = write!(text, " priority {}", -view.entry.priority);
    }
    if view.is_const {
        text.push_str(" (const)");
    }
    text
}

/// `table_dump TABLE`
pub(super) fn dump(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let entries = session.control.table_entries(index).map_err(|e| at(span, e))?;
    let default = session.control.table_default(index).map_err(|e| at(span, e))?;
    let schema = session.schema();
    let info = &schema[index];
    let actions = actions_of(&schema, info);
    let mut text = format!("table {}: {} of {} entries", info.name, entries.len(), info.size);
    for view in &entries {
        let _ = write!(text, "\n{}", entry_text(info, actions, view));
    }
    let _ = write!(text, "\n  default: {}", format_target(actions, &default));
    session.say(text);
    Ok(())
}

/// `table_dump_entry TABLE HANDLE`
pub(super) fn dump_entry(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let wanted = handle(arguments, 1, span)?;
    let found = session.control.table_entry(index, wanted).map_err(|e| at(span, e))?;
    if found.is_none() {
        let name = session.schema()[index].name.clone();
        return session.missing(span, format!("there is no entry {} in table `{name}`", wanted.0));
    }
    let text = entry_of(session, index, wanted, span)?;
    session.say(text);
    Ok(())
}

/// An entry that is there, with its table.
pub(super) fn entry_of(
    session: &mut Session,
    index: TableIndex,
    handle: EntryHandle,
    span: Span,
) -> Result<String> {
    let found = session.control.table_entry(index, handle).map_err(|e| at(span, e))?;
    let schema = session.schema();
    let info = &schema[index];
    let entry = found.map(|view| entry_text(info, actions_of(&schema, info), &view));
    Ok(format!("table {}:\n{}", info.name, entry.unwrap_or_default()))
}

/// `table_num_entries TABLE`
pub(super) fn count(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let entries = session.control.table_entries(index).map_err(|e| at(span, e))?.len();
    let text = format!("table {}: {entries} entries", session.schema()[index].name);
    session.say(text);
    Ok(())
}

fn head(info: &TableInfo) -> String {
    let keys: Vec<_> = info
        .keys
        .iter()
        .map(|k| format!("{} ({}, {} bits)", k.name, k.kind.name(), k.width))
        .collect();
    format!("table {}: size {}, keys: {}", info.name, info.size, keys.join(", "))
}

fn action_list(info: &TableInfo) -> String {
    let mut text = String::new();
    for action in &info.actions {
        let parameters: Vec<_> =
            action.parameters.iter().map(|p| format!("{} ({} bits)", p.name, p.width)).collect();
        let _ = write!(text, "\n  {}({})", action.name, parameters.join(", "));
    }
    text
}

/// `table_info TABLE`
pub(super) fn info(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let schema = session.schema();
    let info = &schema[index];
    let text = format!("{}{}", head(info), action_list(info));
    session.say(text);
    Ok(())
}

/// `table_show_actions TABLE`
pub(super) fn show_actions(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let schema = session.schema();
    let info = &schema[index];
    let text = format!("table {}:{}", info.name, action_list(info));
    session.say(text);
    Ok(())
}

/// `show_tables`
pub(super) fn show(session: &mut Session, _: &[Word], _: Span) -> Result<()> {
    let text: Vec<_> = session.schema().tables.iter().map(head).collect();
    session.say(text.join("\n"));
    Ok(())
}
