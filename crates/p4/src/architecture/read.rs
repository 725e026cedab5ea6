//! Reading a description: `NAME.arch.toml`. All mistakes of a file are reported at once.

use super::primitives::{FUNCTIONS, OBJECTS};
use super::sections::{Misfit, Sections};
use super::{
    Architecture, BlockDescription, BlockKind, Effect, ExternFunction, ExternObject,
    IntrinsicField, Meaning, PacketPath, PathAction, Request, Role, Trigger, Writer,
};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::Direction;
use crate::source::{FileId, SourceMap, Span};
use std::path::Path;
use ww_config::{Kind, Mistakes, Place, Reader, Sources, did_you_mean, tree};

/// Reads the description in a file. `None`, with the reasons in `diagnostics`, if there is a
/// mistake in it.
pub fn load(
    path: &Path,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<&'static Architecture> {
    match ww_config::text(path) {
        Ok(text) => {
            let file = sources.add(path, text, false);
            read(file, sources, diagnostics)
        }
        Err(report) => {
            diagnostics.error(Span::NONE, report.to_string());
            None
        }
    }
}

/// Reads the description that is the text of `file`. `None`, with the reasons in `diagnostics`, if
/// there is a mistake in it.
///
/// A description lives as long as the process: programs, engines and designs refer to it, and a
/// process reads few.
pub fn read(
    file: FileId,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<&'static Architecture> {
    let source = sources.file(file)?;
    let mut texts = Sources::default();
    let mistakes = Mistakes::default();
    let number = texts.file(source.path.display().to_string(), source.text.as_str());
    let table = tree::parse(&source.text, number, &mistakes);
    let place = Place::new(number, 0..0);
    let reader = Reader::new(&table, "the file", &place, &mistakes);
    let found = architecture(&reader);
    reader.finish();
    let Some(report) = mistakes.report(&texts) else {
        return found.map(|found| &*Box::leak(Box::new(found)));
    };
    for mistake in report.mistakes {
        let span = mistake.position.map_or(Span::NONE, |at| span_at(file, &source.text, at));
        let mut diagnostic = Diagnostic::error(span, mistake.message);
        if let Some(advice) = mistake.advice {
            diagnostic = diagnostic.help(advice);
        }
        diagnostics.push(diagnostic);
    }
    None
}

/// The place of a line and a column (in characters), both from 1.
fn span_at(file: FileId, text: &str, (line, column): (usize, usize)) -> Span {
    let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = text.get(before..).unwrap_or_default();
    let within: usize = rest.chars().take(column - 1).map(char::len_utf8).sum();
    let lo = (before + within).min(text.len());
    let width = text[lo..].chars().next().map_or(0, char::len_utf8);
    Span { file, lo: lo as u32, hi: (lo + width) as u32 }
}

/// What was read, with the place of its table.
type Placed<'t, T> = Vec<(T, &'t Place)>;

fn each<'t, T>(
    reader: &Reader<'t>,
    key: &'static str,
    mut read: impl FnMut(&Reader<'t>) -> Option<T>,
) -> Placed<'t, T> {
    reader.each(key, |table| read(table).map(|found| (found, table.place())))
}

fn architecture(reader: &Reader<'_>) -> Option<Architecture> {
    let mistakes = reader.mistakes();
    let name = text(reader, "name", "\"v1model\"");
    let package = text(reader, "package", "\"V1Switch\"");
    let blocks = each(reader, "block", block);
    let intrinsic = each(reader, "intrinsic", intrinsic_field);
    let externs = each(reader, "extern", external);
    let paths = each(reader, "path", path);
    let read_completely = mistakes.count() == 0;

    different(mistakes, "block", blocks.iter().map(|(b, place)| (b.parameter, *place)));
    different(mistakes, "field", intrinsic.iter().map(|(f, place)| (f.name, *place)));
    let block_names: Vec<&str> = blocks.iter().map(|(b, _)| b.parameter).collect();
    let field_names: Vec<&str> = intrinsic.iter().map(|(f, _)| f.name).collect();
    let known = |what: &str, name: &str, names: &[&'static str], place: &Place| {
        // What could not be read is no reason to doubt what refers to it.
        if read_completely && !names.contains(&name) {
            let message = format!("the file has no {what} '{name}'");
            mistakes.advise(place, message, did_you_mean(name, names.iter().copied()));
        }
    };
    for (n, (field, place)) in intrinsic.iter().enumerate() {
        let same = |(other, _): &(IntrinsicField, &Place)| other.meaning == field.meaning;
        if field.meaning != Meaning::Trigger && intrinsic[..n].iter().any(same) {
            let message = format!("a field before '{}' has the same meaning", field.name);
            mistakes.add(place, message);
        }
        known("block", field.block, &block_names, place);
    }
    let (mut functions, mut objects) = (Vec::new(), Vec::new());
    for (external, place) in externs {
        match external {
            External::Function(function) => {
                match function.effect {
                    Effect::Assigns(values) => {
                        for (field, _) in values {
                            known("field", field, &field_names, place);
                        }
                    }
                    Effect::Flags(field) | Effect::FlagsWithPayload(field) => {
                        known("field", field, &field_names, place);
                    }
                    _ => {}
                }
                functions.push(function);
            }
            External::Object(object) => objects.push(object),
        }
    }
    for (n, (path, place)) in paths.iter().enumerate() {
        for block in [Some(path.from), path.to].into_iter().flatten() {
            known("block", block, &block_names, place);
        }
        if let Trigger::Equals(field, _) | Trigger::NotZero(field) = path.when {
            known("field", field, &field_names, place);
        }
        let takes_all =
            |(p, _): &&(PacketPath, _)| p.from == path.from && p.when == Trigger::Otherwise;
        if let Some((first, _)) = paths[..n].iter().find(takes_all) {
            let message = format!("no packet comes here: path '{}' takes every packet", first.name);
            mistakes.add(place, message);
        }
    }
    let (mut blocks, block_places): (Vec<_>, Vec<_>) = blocks.into_iter().unzip();
    for (n, block) in blocks.iter_mut().enumerate() {
        block.position = n;
    }
    let (paths, path_places): (Vec<_>, Vec<_>) = paths.into_iter().unzip();
    if mistakes.count() > 0 {
        return None;
    }
    let sections = Sections::of(&blocks, &paths).map_err(|misfits| {
        for misfit in misfits {
            match misfit {
                Misfit::Block(n, message) => mistakes.add(block_places[n], message),
                Misfit::Path(n, message) => mistakes.add(path_places[n], message),
                Misfit::Whole(message) => mistakes.add(reader.place(), message),
            }
        }
    });
    Some(Architecture {
        name: name?,
        package: package?,
        blocks: Vec::leak(blocks),
        intrinsic: Vec::leak(intrinsic.into_iter().map(|(field, _)| field).collect()),
        functions: Vec::leak(functions),
        objects: Vec::leak(objects),
        paths: Vec::leak(paths),
        sections: sections.ok()?,
    })
}

fn block(reader: &Reader<'_>) -> Option<BlockDescription> {
    const KINDS: &[(&str, BlockKind)] = &[
        ("parser", BlockKind::Parser),
        ("control", BlockKind::Control),
        ("deparser", BlockKind::Deparser),
    ];
    let parameter = text(reader, "name", "\"ig\"");
    let kind = reader.needed_choice("kind", KINDS);
    let (mut roles, mut directions) = (Vec::new(), Vec::new());
    reader.needed_value("parameters", "[\"packet\", \"out headers\"]");
    let listed = reader.list::<String>("parameters");
    let all = listed.len();
    for (text, place) in listed {
        match block_parameter(&text) {
            Ok((role, direction)) => {
                roles.push(role);
                directions.push(direction);
            }
            Err(message) => reader.mistakes().add(place, message),
        }
    }
    let kind = kind?;
    let has_packet = roles.contains(&Role::Packet);
    if all == roles.len() && has_packet != (kind != BlockKind::Control) {
        let message = match has_packet {
            true => "a control has no parameter \"packet\"",
            false => "a parser and a deparser have a parameter \"packet\"",
        };
        reader.wrong("parameters", message);
    }
    let (roles, directions) = (Vec::leak(roles), Vec::leak(directions));
    // The list's reader knows the position.
    Some(BlockDescription { parameter: parameter?, position: 0, kind, roles, directions })
}

/// `inout headers`
fn block_parameter(text: &str) -> Result<(Role, Direction), String> {
    const WANTED: &str = "expected \"packet\", or \"in\", \"out\" or \"inout\" and one of \
                          headers, metadata, intrinsic";
    let wrong = || format!("{WANTED}, found {text:?}");
    if text == "packet" {
        return Ok((Role::Packet, Direction::None));
    }
    let (direction, carried) = text.split_once(' ').ok_or_else(wrong)?;
    let direction = match direction {
        "in" => Direction::In,
        "out" => Direction::Out,
        "inout" => Direction::InOut,
        _ => return Err(wrong()),
    };
    match carried {
        "headers" => Ok((Role::Headers, direction)),
        "metadata" => Ok((Role::Metadata, direction)),
        "intrinsic" => Ok((Role::Intrinsic, direction)),
        _ => Err(wrong()),
    }
}

fn intrinsic_field(reader: &Reader<'_>) -> Option<IntrinsicField> {
    const WRITERS: &[(&str, Writer)] = &[("switch", Writer::Switch), ("program", Writer::Program)];
    let name = text(reader, "name", "\"ingress_port\"");
    let meaning = reader.needed_choice("is", Meaning::ALL);
    let writer = reader.needed_choice("writer", WRITERS);
    let block = text(reader, "block", "\"ig\"");
    Some(IntrinsicField { name: name?, meaning: meaning?, writer: writer?, block: block? })
}

/// What an `[[extern]]` is.
enum External {
    Function(ExternFunction),
    Object(ExternObject),
}

fn external(reader: &Reader<'_>) -> Option<External> {
    let name = text(reader, "name", "\"hash\"");
    let does = optional_text(reader, "does");
    let flags = optional_text(reader, "flags");
    let assigns = reader.inner("assigns");
    let name = name?;
    if let Some(assigns) = assigns {
        if does.is_some() || flags.is_some() {
            reader.wrong("assigns", "what assigns fields has neither 'does' nor 'flags'");
        }
        let mut values = Vec::new();
        for entry in assigns.entries() {
            let number: Option<u32> = assigns.read(&entry.key, &entry.value);
            let field: &'static str = String::leak(entry.key.clone());
            values.extend(number.map(|number| (field, u64::from(number))));
        }
        let effect = Effect::Assigns(Vec::leak(values));
        return Some(External::Function(ExternFunction { name, primitive: name, effect }));
    }
    let (key, primitive) = does.map_or(("name", name), |does| ("does", does));
    if let Some((_, methods, is_direct)) = OBJECTS.iter().find(|o| o.0 == primitive) {
        if primitive != name || flags.is_some() {
            let message = "a type of objects has the name of what the engines carry out, and no \
                           other key";
            reader.wrong(key, message);
        }
        return Some(External::Object(ExternObject { name, methods, is_direct: *is_direct }));
    }
    let Some((primitive, effect)) = FUNCTIONS.iter().find(|f| f.0 == primitive) else {
        let known = FUNCTIONS.iter().map(|f| f.0).chain(OBJECTS.iter().map(|o| o.0));
        let place = reader.value(key).map_or(reader.place(), |value| &value.place);
        let message = format!("'{key}': no engine carries out an extern '{primitive}'");
        reader.mistakes().advise(place, message, did_you_mean(primitive, known));
        return None;
    };
    let effect = match (*effect, flags) {
        (Effect::Flags(_), Some(field)) => Effect::Flags(field),
        (Effect::FlagsWithPayload(_), Some(field)) => Effect::FlagsWithPayload(field),
        (Effect::Flags(_) | Effect::FlagsWithPayload(_), None) => {
            reader.missing("flags", "\"checksum_error\", the field that a wrong sum sets to 1");
            return None;
        }
        (_, Some(_)) => {
            reader.wrong("flags", format!("'{primitive}' flags no field"));
            return None;
        }
        (effect, None) => effect,
    };
    Some(External::Function(ExternFunction { name, primitive, effect }))
}

fn path(reader: &Reader<'_>) -> Option<PacketPath> {
    const ACTIONS: &[(&str, PathAction)] = &[
        ("clone", PathAction::Clone),
        ("restart", PathAction::Restart),
        ("replicate", PathAction::Replicate),
        ("drop", PathAction::Drop),
        ("enqueue", PathAction::Enqueue),
        ("transmit", PathAction::Transmit),
    ];
    const REQUESTS: &[(&str, Request)] = &[
        ("clone", Request::Clone),
        ("resubmit", Request::Resubmit),
        ("recirculate", Request::Recirculate),
    ];
    let name = text(reader, "name", "\"drop\"");
    let from = text(reader, "from", "\"ig\"");
    let action = reader.needed_choice("does", ACTIONS);
    let asked = reader.choice("asked", REQUESTS).map(Trigger::Asked);
    let not_zero = optional_text(reader, "not_zero").map(Trigger::NotZero);
    let field = optional_text(reader, "field");
    let value: Option<u32> = reader.get("equals");
    let is_half = reader.has("field") != reader.has("equals");
    let equals = field.zip(value).map(|(field, value)| Trigger::Equals(field, u64::from(value)));
    let to = optional_text(reader, "to");
    let instance_type: Option<u32> = reader.get("instance_type");
    let (name, from, action) = (name?, from?, action?);
    if is_half {
        reader.mistakes().add(reader.place(), "'field' and 'equals' belong together");
        return None;
    }
    let triggers: Vec<Trigger> = [asked, not_zero, equals].into_iter().flatten().collect();
    if triggers.len() > 1 {
        let message = "a path has one trigger: 'asked', 'not_zero', or 'field' and 'equals'";
        reader.mistakes().add(reader.place(), message);
        return None;
    }
    let when = triggers.first().copied().unwrap_or(Trigger::Otherwise);
    let (fits, wanted) = match action {
        PathAction::Clone => {
            (when == Trigger::Asked(Request::Clone), "the trigger asked = \"clone\"")
        }
        PathAction::Replicate => (matches!(when, Trigger::NotZero(_)), "the trigger 'not_zero'"),
        PathAction::Restart => (
            matches!(when, Trigger::Asked(Request::Resubmit | Request::Recirculate)),
            "the trigger asked = \"resubmit\" or asked = \"recirculate\"",
        ),
        PathAction::Drop => (
            matches!(when, Trigger::Equals(..) | Trigger::NotZero(_)),
            "the triggers 'field' and 'equals', or 'not_zero'",
        ),
        PathAction::Enqueue | PathAction::Transmit => (when == Trigger::Otherwise, "no trigger"),
    };
    if !fits {
        reader.wrong("does", format!("a path that does this has {wanted}"));
    }
    Some(PacketPath { name, from, when, action, to, instance_type })
}

/// A text that must be there and not be empty.
fn text(reader: &Reader<'_>, key: &'static str, example: &str) -> Option<&'static str> {
    reader.needed_value(key, example)?;
    optional_text(reader, key)
}

fn optional_text(reader: &Reader<'_>, key: &'static str) -> Option<&'static str> {
    if let Some(Kind::Text(text)) = reader.value(key).map(|value| &value.kind)
        && text.is_empty()
    {
        reader.wrong(key, format!("'{key}': expected a text, found an empty one"));
        return None;
    }
    reader.get::<String>(key).map(|text| &*String::leak(text))
}

fn different<'t>(
    mistakes: &Mistakes,
    what: &str,
    names: impl Iterator<Item = (&'static str, &'t Place)>,
) {
    let mut seen: Vec<&str> = Vec::new();
    for (name, place) in names {
        if seen.contains(&name) {
            mistakes.add(place, format!("a second {what} '{name}'"));
        }
        seen.push(name);
    }
}
