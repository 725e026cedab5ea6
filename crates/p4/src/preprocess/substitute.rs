//! The result of one macro use: arguments in place of parameters, `#` and `##`.

use super::Preprocessor;
use super::macros::{BodyToken, Macro};
use crate::lexer::{Punct, RawKind, RawToken, Scanner, encode_string};
use crate::source::Span;
use std::rc::Rc;

impl Preprocessor<'_> {
    /// The replacement of an object-like macro used at `use_span`.
    pub(super) fn replace_object(&mut self, used: &Rc<Macro>, use_span: Span) -> Vec<RawToken> {
        self.replace_function(used, &[], use_span)
    }

    /// The replacement of a macro used at `use_span` with these arguments.
    pub(super) fn replace_function(
        &mut self,
        used: &Rc<Macro>,
        arguments: &[Vec<RawToken>],
        use_span: Span,
    ) -> Vec<RawToken> {
        let mut expanded: Vec<Option<Vec<RawToken>>> = vec![None; arguments.len()];
        let mut out: Vec<RawToken> = Vec::new();
        // Whether `##` joins what comes, and whether there is a token to join it to.
        let mut joining = false;
        let mut left = false;
        for (index, item) in used.body.iter().enumerate() {
            let mut tokens = match item.parameter {
                None => vec![RawToken { span: use_span, line_start: false, ..item.token.clone() }],
                Some(parameter) => {
                    let argument = arguments.get(parameter).map_or(&[][..], Vec::as_slice);
                    let comma = joining && self.is_variadic_comma(used, index);
                    if item.stringify {
                        vec![self.stringify(argument, item, use_span)]
                    } else if comma {
                        // `, ## args`: without arguments the comma goes, else nothing is joined.
                        joining = false;
                        if arguments.len() <= parameter || argument.is_empty() {
                            out.pop();
                        }
                        self.expand_all(argument.to_vec())
                    } else if joining || item.paste {
                        argument.to_vec()
                    } else {
                        if let Some(slot @ None) = expanded.get_mut(parameter) {
                            let result = self.expand_all(argument.to_vec());
                            *slot = Some(result);
                        }
                        expanded.get(parameter).cloned().flatten().unwrap_or_default()
                    }
                }
            };
            if let Some(first) = tokens.first_mut() {
                first.space_before = item.token.space_before;
            }
            self.charge(tokens.len() as u64, use_span);
            self.limit_list(out.len() + tokens.len(), use_span);
            if self.failed {
                return Vec::new();
            }
            let some = !tokens.is_empty();
            let mut rest = tokens.into_iter();
            if joining && left {
                if let Some(second) = rest.next()
                    && let Some(first) = out.pop()
                {
                    self.paste(first, second, use_span, &mut out);
                }
                left = true;
            } else {
                left = some;
            }
            out.extend(rest);
            joining = item.paste;
        }
        out
    }

    /// Whether the item at `index` is the variadic parameter behind `, ##`.
    fn is_variadic_comma(&self, used: &Macro, index: usize) -> bool {
        let last = used.parameters.as_ref().map_or(0, Vec::len).wrapping_sub(1);
        used.variadic
            && used.body.get(index).is_some_and(|item| item.parameter == Some(last))
            && index
                .checked_sub(1)
                .and_then(|i| used.body.get(i))
                .is_some_and(|item| item.token.is(Punct::Comma) && item.parameter.is_none())
    }

    /// `#parameter`: the argument's spelling as a string literal.
    fn stringify(&mut self, argument: &[RawToken], item: &BodyToken, span: Span) -> RawToken {
        let mut text = String::new();
        for (index, token) in argument.iter().enumerate() {
            if index > 0 && token.space_before {
                text.push(' ');
            }
            text.push_str(&token.spelling());
        }
        self.charge(text.len() as u64, span);
        let kind = RawKind::String(self.interner.intern(&encode_string(&text)), true);
        RawToken { kind, span, line_start: false, no_expand: false, ..item.token.clone() }
    }

    /// `first ## second`. What does not make one token stays two, side by side.
    fn paste(&mut self, first: RawToken, second: RawToken, span: Span, out: &mut Vec<RawToken>) {
        let text = format!("{}{}", first.spelling(), second.spelling());
        self.charge(text.len() as u64, span);
        let mut scanner = Scanner::new(text.as_str().into(), span.file);
        let joined = scanner.next(&mut self.interner);
        let end = scanner.next(&mut self.interner);
        if end.kind == RawKind::End && !joined.ends_line() && scanner.open_comment.is_none() {
            let space_before = first.space_before;
            out.push(RawToken { kind: joined.kind, span, space_before, ..first });
            if let Some(last) = out.last_mut() {
                last.no_expand = false;
            }
        } else {
            out.push(first);
            out.push(RawToken { space_before: false, ..second });
        }
    }
}
