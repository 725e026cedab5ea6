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
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use ww_near::nearest;

/// Reads the description in a file. `None`, with the reasons in `diagnostics`, if there is a
/// mistake in it.
pub fn load(
    path: &Path,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<&'static Architecture> {
    match crate::preprocess::read_file(path) {
        Ok(text) => {
            let file = sources.add(path, text, false);
            read(file, sources, diagnostics)
        }
        Err(reason) => {
            let message = format!("cannot read architecture {}: {reason}", path.display());
            diagnostics.error(Span::NONE, message);
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
    let text = &sources.file(file)?.text;
    let (document, errors) = DeTable::parse_recoverable(text);
    let before = diagnostics.error_count();
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        diagnostics.error(span_of(file, span), error.message());
    }
    if diagnostics.error_count() > before {
        return None;
    }
    let mut reader = Reader { file, diagnostics };
    let architecture = reader.architecture(document.get_ref());
    (diagnostics.error_count() == before).then(|| &*Box::leak(Box::new(architecture)))
}

fn span_of(file: FileId, range: std::ops::Range<usize>) -> Span {
    let hi = range.end.max(range.start + 1);
    Span { file, lo: range.start as u32, hi: hi as u32 }
}

struct Reader<'d> {
    file: FileId,
    diagnostics: &'d mut Diagnostics,
}

/// One table of the file: its place, and what of it was asked for.
struct Entry<'t> {
    table: &'t DeTable<'t>,
    span: Span,
    known: Vec<&'static str>,
}

type Value<'t> = Spanned<DeValue<'t>>;

impl Reader<'_> {
    fn architecture(&mut self, document: &DeTable<'_>) -> Architecture {
        let whole = Span { file: self.file, lo: 0, hi: 1 };
        let mut top = Entry { table: document, span: whole, known: Vec::new() };
        let name = self.text(&mut top, "name");
        let package = self.text(&mut top, "package");
        let blocks = self.list(&mut top, "block", Self::block);
        let intrinsic = self.list(&mut top, "intrinsic", Self::intrinsic);
        let externs = self.list(&mut top, "extern", Self::external);
        let paths = self.list(&mut top, "path", Self::path);
        self.finish(top);

        self.different("block", blocks.iter().map(|(b, span)| (b.parameter, *span)));
        self.different("field", intrinsic.iter().map(|(f, span)| (f.name, *span)));
        for (n, (field, span)) in intrinsic.iter().enumerate() {
            if intrinsic[..n].iter().any(|(other, _)| other.meaning == field.meaning) {
                let message = format!("a field before `{}` has the same meaning", field.name);
                self.diagnostics.error(*span, message);
            }
            self.is_one_of("block", field.block, blocks.iter().map(|(b, _)| b.parameter), *span);
        }
        let (mut functions, mut objects) = (Vec::new(), Vec::new());
        for (external, span) in externs {
            match external {
                External::Function(function) => {
                    let fields: Vec<&str> = match function.effect {
                        Effect::Assigns(values) => values.iter().map(|(name, _)| *name).collect(),
                        Effect::Flags(field) | Effect::FlagsWithPayload(field) => vec![field],
                        _ => Vec::new(),
                    };
                    for field in fields {
                        self.is_one_of("field", field, intrinsic.iter().map(|(f, _)| f.name), span);
                    }
                    functions.push(function);
                }
                External::Object(object) => objects.push(object),
                External::Wrong => {}
            }
        }
        let mut complete = self.diagnostics.error_count() == 0;
        for (path, span) in &paths {
            for block in [Some(path.from), path.to].into_iter().flatten() {
                let known = blocks.iter().map(|(b, _)| b.parameter);
                complete &= self.is_one_of("block", block, known, *span);
            }
            if let Trigger::Equals(field, _) | Trigger::NotZero(field) = path.when {
                self.is_one_of("field", field, intrinsic.iter().map(|(f, _)| f.name), *span);
            }
        }
        let (mut blocks, block_spans): (Vec<_>, Vec<_>) = blocks.into_iter().unzip();
        for (n, block) in blocks.iter_mut().enumerate() {
            block.position = n;
        }
        let (paths, path_spans): (Vec<_>, Vec<_>) = paths.into_iter().unzip();
        let mut sections = Sections::default();
        if complete {
            match Sections::of(&blocks, &paths) {
                Ok(found) => sections = found,
                Err(misfits) => {
                    for misfit in misfits {
                        let (span, message) = match misfit {
                            Misfit::Block(n, message) => (block_spans[n], message),
                            Misfit::Path(n, message) => (path_spans[n], message),
                            Misfit::Whole(message) => (whole, message),
                        };
                        self.diagnostics.error(span, message);
                    }
                }
            }
            self.reachable(&paths, &path_spans);
        }
        Architecture {
            name,
            package,
            blocks: leak(blocks),
            intrinsic: leak(intrinsic.into_iter().map(|(field, _)| field).collect()),
            functions: leak(functions),
            objects: leak(objects),
            paths: leak(paths),
            sections,
        }
    }

    fn block(&mut self, entry: &mut Entry<'_>) -> BlockDescription {
        const KINDS: &[(&str, BlockKind)] = &[
            ("parser", BlockKind::Parser),
            ("control", BlockKind::Control),
            ("deparser", BlockKind::Deparser),
        ];
        let parameter = self.text(entry, "name");
        let kind = self.word(entry, "kind", KINDS).unwrap_or(BlockKind::Control);
        let (mut roles, mut directions) = (Vec::new(), Vec::new());
        for (text, span) in self.texts(entry, "parameters") {
            if let Some((role, direction)) = self.block_parameter(&text, span) {
                roles.push(role);
                directions.push(direction);
            }
        }
        let has_packet = roles.contains(&Role::Packet);
        if has_packet != (kind != BlockKind::Control) {
            let message = match has_packet {
                true => "a control has no parameter `packet`",
                false => "a parser and a deparser have a parameter `packet`",
            };
            self.diagnostics.error(entry.span, message);
        }
        BlockDescription {
            parameter,
            // The list's reader knows it.
            position: 0,
            kind,
            roles: leak(roles),
            directions: leak(directions),
        }
    }

    /// `inout headers`
    fn block_parameter(&mut self, text: &str, span: Span) -> Option<(Role, Direction)> {
        const ROLES: &[(&str, Role)] = &[
            ("packet", Role::Packet),
            ("headers", Role::Headers),
            ("metadata", Role::Metadata),
            ("intrinsic", Role::Intrinsic),
        ];
        let (direction, carried) = match text.split_once(' ') {
            Some(("in", rest)) => (Direction::In, rest),
            Some(("out", rest)) => (Direction::Out, rest),
            Some(("inout", rest)) => (Direction::InOut, rest),
            Some(_) => {
                let message = format!("`{text}`: a direction is `in`, `out` or `inout`");
                self.diagnostics.error(span, message);
                return None;
            }
            None => (Direction::None, text),
        };
        let role = self.known(carried, ROLES, span)?;
        if (role == Role::Packet) != (direction == Direction::None) {
            let message = match role {
                Role::Packet => "`packet` has no direction".to_owned(),
                _ => format!("`{carried}` needs a direction: `in`, `out` or `inout`"),
            };
            self.diagnostics.error(span, message);
            return None;
        }
        Some((role, direction))
    }

    fn intrinsic(&mut self, entry: &mut Entry<'_>) -> IntrinsicField {
        const WRITERS: &[(&str, Writer)] =
            &[("switch", Writer::Switch), ("program", Writer::Program)];
        IntrinsicField {
            name: self.text(entry, "name"),
            meaning: self.word(entry, "is", Meaning::ALL).unwrap_or(Meaning::IngressPort),
            writer: self.word(entry, "writer", WRITERS).unwrap_or(Writer::Switch),
            block: self.text(entry, "block"),
        }
    }

    fn external(&mut self, entry: &mut Entry<'_>) -> External {
        let name = self.text(entry, "name");
        let does = self.optional_text(entry, "does");
        let flags = self.optional_text(entry, "flags");
        let assigns = self.take(entry, "assigns");
        if let Some(assigns) = assigns {
            if does.is_some() || flags.is_some() {
                let message = "what assigns fields does nothing else: no `does`, no `flags`";
                self.diagnostics.error(entry.span, message);
            }
            let values = self.numbers(assigns);
            let effect = Effect::Assigns(leak(values));
            return External::Function(ExternFunction { name, primitive: name, effect });
        }
        let primitive = does.unwrap_or(name);
        if let Some((_, methods, is_direct)) = OBJECTS.iter().find(|o| o.0 == primitive) {
            if does.is_some_and(|does| does != name) || flags.is_some() {
                let message = "a type of objects has the name of what the engines carry out";
                self.diagnostics.error(entry.span, message);
            }
            return External::Object(ExternObject { name, methods, is_direct: *is_direct });
        }
        let Some((primitive, effect)) = FUNCTIONS.iter().find(|f| f.0 == primitive) else {
            if !primitive.is_empty() {
                let known = FUNCTIONS.iter().map(|f| f.0).chain(OBJECTS.iter().map(|o| o.0));
                let message = format!("no engine carries out an extern `{primitive}`");
                self.unknown(message, primitive, known, entry.span);
            }
            return External::Wrong;
        };
        let effect = match (*effect, flags) {
            (Effect::Flags(_), Some(field)) => Effect::Flags(field),
            (Effect::FlagsWithPayload(_), Some(field)) => Effect::FlagsWithPayload(field),
            (Effect::Flags(_) | Effect::FlagsWithPayload(_), None) => {
                let message = format!(
                    "`{name}` needs `flags`: the field that becomes 1 when a checksum does not hold"
                );
                self.diagnostics.error(entry.span, message);
                return External::Wrong;
            }
            (_, Some(_)) => {
                self.diagnostics.error(entry.span, format!("`{primitive}` flags no field"));
                return External::Wrong;
            }
            (effect, None) => effect,
        };
        External::Function(ExternFunction { name, primitive, effect })
    }

    fn path(&mut self, entry: &mut Entry<'_>) -> PacketPath {
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
        let name = self.text(entry, "name");
        let from = self.text(entry, "from");
        let action = self.word(entry, "does", ACTIONS).unwrap_or(PathAction::Drop);
        let asked = match entry.table.contains_key("asked") {
            true => self.word(entry, "asked", REQUESTS).map(Trigger::Asked),
            false => None,
        };
        let not_zero = self.optional_text(entry, "not_zero").map(Trigger::NotZero);
        let field = self.optional_text(entry, "field");
        let value = self.optional_number(entry, "equals");
        let equals = match (field, value) {
            (Some(field), Some(value)) => Some(Trigger::Equals(field, value)),
            (None, None) => None,
            _ => {
                let message = "`field` and `equals` belong together";
                self.diagnostics.error(entry.span, message);
                None
            }
        };
        let mut triggers = [asked, not_zero, equals].into_iter().flatten();
        let when = triggers.next().unwrap_or(Trigger::Otherwise);
        if triggers.next().is_some() {
            let message = "a path has one trigger: `asked`, `not_zero`, or `field` and `equals`";
            self.diagnostics.error(entry.span, message);
        }
        let fits = match action {
            PathAction::Clone => when == Trigger::Asked(Request::Clone),
            PathAction::Replicate => matches!(when, Trigger::NotZero(_)),
            PathAction::Restart => {
                matches!(when, Trigger::Asked(Request::Resubmit | Request::Recirculate))
            }
            PathAction::Drop => matches!(when, Trigger::Equals(..) | Trigger::NotZero(_)),
            PathAction::Enqueue | PathAction::Transmit => when == Trigger::Otherwise,
        };
        if !fits {
            let wanted = match action {
                PathAction::Clone => "`asked = \"clone\"`",
                PathAction::Replicate => "`not_zero`",
                PathAction::Restart => "`asked = \"resubmit\"` or `asked = \"recirculate\"`",
                PathAction::Drop => "`field` and `equals`, or `not_zero`",
                PathAction::Enqueue | PathAction::Transmit => "no trigger",
            };
            self.diagnostics.error(entry.span, format!("a path that does this has {wanted}"));
        }
        let to = self.optional_text(entry, "to");
        let instance_type = self.optional_number(entry, "instance_type").map(|n| n as u32);
        PacketPath { name, from, when, action, to, instance_type }
    }

    /// No path of a block comes behind one that takes every packet.
    fn reachable(&mut self, paths: &[PacketPath], spans: &[Span]) {
        for (n, path) in paths.iter().enumerate() {
            let takes_all = |p: &&PacketPath| p.from == path.from && p.when == Trigger::Otherwise;
            if let Some(first) = paths[..n].iter().find(takes_all) {
                let message = format!("no packet comes here: `{}` takes every packet", first.name);
                self.diagnostics.error(spans[n], message);
            }
        }
    }

    // The file's tables and values.

    fn list<T>(
        &mut self,
        entry: &mut Entry<'_>,
        key: &'static str,
        read: impl Fn(&mut Self, &mut Entry<'_>) -> T,
    ) -> Vec<(T, Span)> {
        let Some(value) = self.take(entry, key) else { return Vec::new() };
        let span = self.span(value);
        let DeValue::Array(items) = value.get_ref() else {
            self.diagnostics.error(span, format!("`{key}` is a list of tables: `[[{key}]]`"));
            return Vec::new();
        };
        let mut list = Vec::new();
        for item in items.iter() {
            let span = self.span(item);
            let DeValue::Table(table) = item.get_ref() else {
                self.diagnostics.error(span, format!("`{key}` is a list of tables: `[[{key}]]`"));
                continue;
            };
            let mut inner = Entry { table, span, known: Vec::new() };
            list.push((read(self, &mut inner), span));
            self.finish(inner);
        }
        list
    }

    fn take<'t>(&mut self, entry: &mut Entry<'t>, key: &'static str) -> Option<&'t Value<'t>> {
        entry.known.push(key);
        entry.table.get(key)
    }

    fn finish(&mut self, entry: Entry<'_>) {
        for key in entry.table.keys() {
            if !entry.known.iter().any(|known| known == key.get_ref()) {
                let span = span_of(self.file, key.span());
                let message = format!("unknown key `{}`", key.get_ref());
                self.unknown(message, key.get_ref(), entry.known.iter().copied(), span);
            }
        }
    }

    fn span(&self, value: &Value<'_>) -> Span {
        span_of(self.file, value.span())
    }

    fn text(&mut self, entry: &mut Entry<'_>, key: &'static str) -> &'static str {
        if !entry.table.contains_key(key) {
            entry.known.push(key);
            self.diagnostics.error(entry.span, format!("`{key}` is missing: a text"));
            return "";
        }
        self.optional_text(entry, key).unwrap_or("")
    }

    fn optional_text(
        &mut self,
        entry: &mut Entry<'_>,
        key: &'static str,
    ) -> Option<&'static str> {
        let value = self.take(entry, key)?;
        match value.get_ref() {
            DeValue::String(text) if !text.is_empty() => {
                Some(String::leak(text.clone().into_owned()))
            }
            other => {
                let message = format!("`{key}` is a text, found {}", found(other));
                self.diagnostics.error(self.span(value), message);
                None
            }
        }
    }

    fn optional_number(&mut self, entry: &mut Entry<'_>, key: &'static str) -> Option<u64> {
        let value = self.take(entry, key)?;
        self.number(key, value)
    }

    fn number(&mut self, key: &str, value: &Value<'_>) -> Option<u64> {
        let number = match value.get_ref() {
            DeValue::Integer(n) => u64::from_str_radix(n.as_str(), n.radix()).ok(),
            _ => None,
        };
        // Fields of the intrinsic metadata have at most 32 bits that the switch acts on.
        let number = number.filter(|n| *n <= u64::from(u32::MAX));
        if number.is_none() {
            let message =
                format!("`{key}` is a number from 0 to 4294967295, found {}", found(value.get_ref()));
            self.diagnostics.error(self.span(value), message);
        }
        number
    }

    /// `{ field = number, ... }`
    fn numbers(&mut self, value: &Value<'_>) -> Vec<(&'static str, u64)> {
        let DeValue::Table(table) = value.get_ref() else {
            let message = "`assigns` is a table of fields and numbers: `{ field = 1 }`";
            self.diagnostics.error(self.span(value), message);
            return Vec::new();
        };
        let mut values = Vec::new();
        for (key, value) in table.iter() {
            if let Some(number) = self.number(key.get_ref(), value) {
                values.push((&*String::leak(key.get_ref().clone().into_owned()), number));
            }
        }
        values
    }

    fn texts(&mut self, entry: &mut Entry<'_>, key: &'static str) -> Vec<(String, Span)> {
        let Some(value) = self.take(entry, key) else {
            self.diagnostics.error(entry.span, format!("`{key}` is missing: a list of texts"));
            return Vec::new();
        };
        let DeValue::Array(items) = value.get_ref() else {
            let message = format!("`{key}` is a list of texts, found {}", found(value.get_ref()));
            self.diagnostics.error(self.span(value), message);
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            let span = self.span(item);
            match item.get_ref() {
                DeValue::String(text) => texts.push((text.clone().into_owned(), span)),
                other => {
                    let message = format!("`{key}` is a list of texts, found {}", found(other));
                    self.diagnostics.error(span, message);
                }
            }
        }
        texts
    }

    fn word<T: Copy>(
        &mut self,
        entry: &mut Entry<'_>,
        key: &'static str,
        words: &[(&'static str, T)],
    ) -> Option<T> {
        let text = self.text(entry, key);
        let value = entry.table.get(key)?;
        let span = self.span(value);
        if text.is_empty() { None } else { self.known(text, words, span) }
    }

    fn known<T: Copy>(
        &mut self,
        text: &str,
        words: &[(&'static str, T)],
        span: Span,
    ) -> Option<T> {
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let all: Vec<_> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            let message = format!("`{text}` is none of {}", all.join(", "));
            self.unknown(message, text, words.iter().map(|(word, _)| *word), span);
        }
        found
    }

    fn is_one_of(
        &mut self,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'static str> + Clone,
        span: Span,
    ) -> bool {
        let is_known = name.is_empty() || known.clone().any(|k| k == name);
        if !is_known {
            self.unknown(format!("the file has no {what} `{name}`"), name, known, span);
        }
        is_known
    }

    fn unknown(
        &mut self,
        message: String,
        word: &str,
        known: impl Iterator<Item = &'static str>,
        span: Span,
    ) {
        let mut diagnostic = Diagnostic::error(span, message);
        if let Some(near) = nearest(word, known) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(diagnostic);
    }

    fn different(&mut self, what: &str, names: impl Iterator<Item = (&'static str, Span)>) {
        let mut seen: Vec<&str> = Vec::new();
        for (name, span) in names {
            if !name.is_empty() && seen.contains(&name) {
                self.diagnostics.error(span, format!("a second {what} `{name}`"));
            }
            seen.push(name);
        }
    }
}

/// What an `[[extern]]` is.
enum External {
    Function(ExternFunction),
    Object(ExternObject),
    /// Something that was reported.
    Wrong,
}

fn leak<T>(list: Vec<T>) -> &'static [T] {
    Vec::leak(list)
}

fn found(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(text) if text.is_empty() => "an empty text",
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "another number",
        DeValue::Float(_) => "a fraction",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
