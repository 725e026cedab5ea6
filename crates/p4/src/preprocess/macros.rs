//! Macros: their definitions and the expansion of their uses.

use super::Preprocessor;
use crate::ast::Name;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Punct, RawKind, RawToken};
use crate::source::Span;
use std::cell::Cell;
use std::rc::Rc;

/// Deepest nesting of macro uses within arguments of macro uses.
const MAX_EXPANSION_DEPTH: usize = 100;

/// A macro.
pub(super) struct Macro {
    /// Where its name was defined.
    pub(super) span: Span,
    name: Name,
    /// Parameters of a function-like macro; a variadic one's last takes all further arguments.
    pub(super) parameters: Option<Vec<Name>>,
    pub(super) variadic: bool,
    pub(super) body: Vec<BodyToken>,
    /// It is being expanded; its name within the result stays as it is.
    expanding: Cell<bool>,
}

/// One token of a macro's replacement.
pub(super) struct BodyToken {
    pub(super) token: RawToken,
    /// Which parameter it stands for.
    pub(super) parameter: Option<usize>,
    /// `#` stood before it.
    pub(super) stringify: bool,
    /// `##` joins it with the next.
    pub(super) paste: bool,
}

/// Tokens that are read instead of the file: a macro's result, or a list to be expanded.
pub(super) struct Context {
    tokens: std::vec::IntoIter<RawToken>,
    expanded: Option<Rc<Macro>>,
    /// Nothing outside may be read before this is used up and removed.
    barrier: bool,
}

impl Macro {
    /// Reads what follows the name in a `#define`.
    pub(super) fn parse(
        name: Name,
        span: Span,
        mut rest: &[RawToken],
    ) -> Result<Self, (Span, String)> {
        let mut parameters = None;
        let mut variadic = false;
        if let Some(open) = rest.first()
            && open.is(Punct::ParenOpen)
            && !open.space_before
        {
            let (names, is_variadic, length) = parse_parameters(&name, rest)?;
            parameters = Some(names);
            variadic = is_variadic;
            rest = rest.get(length..).unwrap_or(&[]);
        }
        let body = parse_body(parameters.as_deref(), rest)?;
        Ok(Self { span, name, parameters, variadic, body, expanding: Cell::new(false) })
    }

    /// Whether both have the same parameters and the same replacement.
    pub(super) fn same_as(&self, other: &Macro) -> bool {
        self.parameters == other.parameters
            && self.variadic == other.variadic
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).enumerate().all(|(i, (a, b))| {
                a.token.kind == b.token.kind
                    && a.stringify == b.stringify
                    && a.paste == b.paste
                    && (i == 0 || a.token.space_before == b.token.space_before)
            })
    }
}

/// Parameters from `(` to `)`: names, whether the last is variadic, tokens taken.
fn parse_parameters(
    name: &Name,
    rest: &[RawToken],
) -> Result<(Vec<Name>, bool, usize), (Span, String)> {
    let mut names: Vec<Name> = Vec::new();
    let mut at = 1;
    let span_at = |at: usize| rest.get(at).or(rest.last()).map_or(Span::NONE, |t| t.span);
    let wrong = |at: usize| {
        let message = format!("expected a parameter name or ')' in the definition of '{name}'");
        Err((span_at(at), message))
    };
    if rest.get(at).is_some_and(|t| t.is(Punct::ParenClose)) {
        return Ok((names, false, at + 1));
    }
    loop {
        let Some(token) = rest.get(at) else { return wrong(at) };
        let mut variadic = false;
        match &token.kind {
            RawKind::Identifier(parameter) => {
                if names.contains(parameter) {
                    return Err((token.span, format!("parameter '{parameter}' appears twice")));
                }
                names.push(parameter.clone());
                if rest.get(at + 1).is_some_and(|t| t.is(Punct::Dots)) {
                    at += 1;
                    variadic = true;
                }
            }
            RawKind::Punct(Punct::Dots) => {
                names.push("__VA_ARGS__".into());
                variadic = true;
            }
            _ => return wrong(at),
        }
        at += 1;
        match rest.get(at) {
            Some(token) if token.is(Punct::ParenClose) => return Ok((names, variadic, at + 1)),
            Some(token) if token.is(Punct::Comma) && !variadic => at += 1,
            _ => return wrong(at),
        }
    }
}

fn parse_body(
    parameters: Option<&[Name]>,
    rest: &[RawToken],
) -> Result<Vec<BodyToken>, (Span, String)> {
    let position = |token: &RawToken| match &token.kind {
        RawKind::Identifier(name) => parameters?.iter().position(|p| p == name),
        _ => None,
    };
    let mut body: Vec<BodyToken> = Vec::with_capacity(rest.len());
    let mut at = 0;
    while let Some(token) = rest.get(at) {
        if token.is(Punct::HashHash) {
            match body.last_mut() {
                Some(last) if at + 1 < rest.len() => last.paste = true,
                _ => {
                    let message = "'##' needs a token on each side".to_owned();
                    return Err((token.span, message));
                }
            }
            at += 1;
            continue;
        }
        // Before anything but a parameter `#` is a token like others, as in assembler sources.
        let stringified = if token.is(Punct::Hash) { rest.get(at + 1) } else { None };
        let (token, parameter, stringify) = match stringified.and_then(|t| Some((t, position(t)?)))
        {
            Some((_, parameter)) => {
                at += 1;
                (token, Some(parameter), true)
            }
            None => (token, position(token), false),
        };
        body.push(BodyToken { token: token.clone(), parameter, stringify, paste: false });
        at += 1;
    }
    Ok(body)
}

impl Preprocessor<'_> {
    /// The next token after expansion of macros.
    pub(super) fn next_expanded(&mut self) -> RawToken {
        loop {
            let mut token = self.fetch();
            let RawKind::Identifier(name) = &token.kind else { return token };
            if token.no_expand {
                return token;
            }
            if let Some(replaced) = self.predefined(name, &token) {
                return replaced;
            }
            let Some(found) = self.macros.get(name).cloned() else { return token };
            if found.expanding.get() {
                token.no_expand = true;
                return token;
            }
            let result = match &found.parameters {
                None => {
                    let use_span = token.span;
                    self.replace_object(&found, use_span)
                }
                Some(_) => {
                    if !self.parenthesis_follows() {
                        return token;
                    }
                    match self.collect_arguments(&found, &token) {
                        Some((arguments, close)) => {
                            let use_span = token.span.to(close);
                            self.replace_function(&found, &arguments, use_span)
                        }
                        None => continue,
                    }
                }
            };
            self.push_expansion(found, result, &token);
        }
    }

    /// Continues with a macro's result, whose first token takes the place of `used`.
    fn push_expansion(&mut self, expanded: Rc<Macro>, mut result: Vec<RawToken>, used: &RawToken) {
        self.charge(result.len() as u64 + 1, used.span);
        if self.failed {
            return;
        }
        if let Some(first) = result.first_mut() {
            first.space_before = used.space_before;
            first.line_start = used.line_start;
        }
        expanded.expanding.set(true);
        let tokens = result.into_iter();
        self.contexts.push(Context { tokens, expanded: Some(expanded), barrier: false });
    }

    /// `__LINE__` and `__FILE__`.
    fn predefined(&mut self, name: &str, token: &RawToken) -> Option<RawToken> {
        let kind = match name {
            "__LINE__" => {
                let line = self.sources.position(token.span).map_or(0, |p| p.line);
                RawKind::Number(self.interner.intern(&line.to_string()))
            }
            "__FILE__" => {
                let file = self.sources.file(token.span.file)?;
                let text = crate::lexer::encode_string(&file.path.display().to_string());
                RawKind::String(self.interner.intern(&text), true)
            }
            _ => return None,
        };
        Some(RawToken { kind, ..token.clone() })
    }

    /// The next token before expansion, from the innermost context or from the file.
    fn fetch(&mut self) -> RawToken {
        while let Some(context) = self.contexts.last_mut() {
            if let Some(token) = context.tokens.next() {
                return token;
            }
            if context.barrier {
                return end_token();
            }
            self.leave_context();
        }
        self.next_raw()
    }

    fn leave_context(&mut self) {
        if let Some(expanded) = self.contexts.pop().and_then(|c| c.expanded) {
            expanded.expanding.set(false);
        }
    }

    /// Whether `(` is the next token, on this line or a later one.
    fn parenthesis_follows(&mut self) -> bool {
        while let Some(context) = self.contexts.last_mut() {
            if let Some(token) = context.tokens.as_slice().first() {
                return token.is(Punct::ParenOpen);
            }
            if context.barrier {
                return false;
            }
            self.leave_context();
        }
        let mut seen = Vec::new();
        loop {
            let token = self.next_raw();
            let more = token.kind == RawKind::Newline && !self.pragma_line;
            let found = token.is(Punct::ParenOpen);
            if token.kind != RawKind::End {
                seen.push(token);
            }
            if !more {
                for token in seen.into_iter().rev() {
                    self.pushed_back.push_front(token);
                }
                return found;
            }
        }
    }

    /// The arguments of a use, from `(` to `)`, and where it ends; `None` after an error.
    fn collect_arguments(
        &mut self,
        used: &Macro,
        name: &RawToken,
    ) -> Option<(Vec<Vec<RawToken>>, Span)> {
        let parameters = used.parameters.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        let mut newline = false;
        let files = self.files.len();
        let mut taken = 0;
        // The parenthesis was seen; perhaps lines end before it.
        while self.fetch().kind == RawKind::Newline {}
        let close = loop {
            let mut token = self.fetch();
            if token.kind == RawKind::Newline && self.files.len() >= files {
                newline = true;
                continue;
            }
            taken += 1;
            self.charge(1, name.span);
            self.limit_list(taken, name.span);
            if token.ends_line() || self.failed {
                if !self.failed {
                    let message = format!("the arguments of macro '{}' never end", used.name);
                    self.diagnostics.push(Diagnostic::error(name.span, message).label("used here"));
                }
                return None;
            }
            token.space_before |= std::mem::take(&mut newline);
            token.line_start = false;
            match token.kind {
                RawKind::Punct(Punct::ParenOpen) => depth += 1,
                RawKind::Punct(Punct::ParenClose) => {
                    if depth == 0 {
                        break token.span;
                    }
                    depth -= 1;
                }
                RawKind::Punct(Punct::Comma)
                    if depth == 0 && !(used.variadic && arguments.len() == parameters) =>
                {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        };
        let given = arguments.len();
        let empty = given == 1 && arguments.first().is_some_and(Vec::is_empty);
        let fits = given == parameters
            || (parameters == 0 && empty)
            || (used.variadic && given + 1 == parameters);
        if !fits {
            let given = if empty { 0 } else { given };
            let message = format!(
                "macro '{}' takes {parameters} argument{}, but {given} {} given",
                used.name,
                if parameters == 1 { "" } else { "s" },
                if given == 1 { "is" } else { "are" },
            );
            self.diagnostics.push(
                Diagnostic::error(name.span.to(close), message).also(used.span, "defined here"),
            );
            return None;
        }
        Some((arguments, close))
    }

    /// Expands a list of tokens on its own, without reading on behind it.
    pub(super) fn expand_all(&mut self, tokens: Vec<RawToken>) -> Vec<RawToken> {
        let place = tokens.first().map_or(Span::NONE, |t| t.span);
        if self.expansion_depth >= MAX_EXPANSION_DEPTH {
            let message =
                format!("macro arguments are nested more than {MAX_EXPANSION_DEPTH} deep");
            self.give_up(Diagnostic::error(place, message));
        }
        self.charge(tokens.len() as u64 + 1, place);
        if self.failed {
            return Vec::new();
        }
        self.expansion_depth += 1;
        let tokens = tokens.into_iter();
        self.contexts.push(Context { tokens, expanded: None, barrier: true });
        let mut out = Vec::new();
        loop {
            let token = self.next_expanded();
            if token.kind == RawKind::End || self.failed {
                break;
            }
            out.push(token);
            self.limit_list(out.len(), place);
        }
        if !self.failed {
            self.leave_context();
        }
        self.expansion_depth -= 1;
        out
    }
}

fn end_token() -> RawToken {
    RawToken {
        kind: RawKind::End,
        span: Span::NONE,
        space_before: false,
        line_start: false,
        no_expand: false,
    }
}
