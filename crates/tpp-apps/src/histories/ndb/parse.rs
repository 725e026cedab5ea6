//! The text of queries.

use super::{Condition, Path, QueryError};
use crate::histories::values::Value;
use std::ops::RangeInclusive;
use ww_host::filter::Filter;

/// Characters of a query.
pub const MAX_QUERY: usize = 4096;
/// Groups in groups.
pub const MAX_DEPTH: u32 = 50;

type Parsed<T> = Result<T, QueryError>;

pub fn parse(text: &str) -> Parsed<(Path, Filter)> {
    let characters: Vec<char> = text.chars().collect();
    let mut parser = Parser { text: &characters, at: 0 };
    if characters.len() > MAX_QUERY {
        let message = format!("the query has more than {MAX_QUERY} characters");
        return Err(QueryError { column: MAX_QUERY + 1, message });
    }
    let path = parser.choice(0)?;
    parser.blanks();
    let column = parser.at + 1;
    if parser.at == characters.len() {
        return Ok((path, Filter::default()));
    }
    if parser.word() != "where" {
        parser.at = column - 1;
        return Err(parser.expected("a hop, an operator or 'where'"));
    }
    parser.blanks();
    let column = parser.at + 1;
    let filter: String = characters[parser.at..].iter().collect();
    let filter =
        filter.parse().map_err(|error| QueryError { column, message: format!("{error}") })?;
    Ok((path, filter))
}

struct Parser<'a> {
    text: &'a [char],
    at: usize,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    /// The next character that counts.
    fn peek(&mut self) -> Option<char> {
        self.blanks();
        self.text.get(self.at).copied()
    }

    fn take(&mut self, character: char) -> bool {
        let is_there = self.peek() == Some(character);
        self.at += usize::from(is_there);
        is_there
    }

    fn word(&mut self) -> String {
        let is_part = |c: &&char| c.is_ascii_alphanumeric() || **c == '-' || **c == '_';
        self.blanks();
        let word: String = self.text[self.at..].iter().take_while(is_part).collect();
        self.at += word.len();
        word
    }

    fn expected(&mut self, what: &str) -> QueryError {
        let found = match self.peek() {
            Some(c) => format!("'{}'", c.escape_debug()),
            None => "the end".to_owned(),
        };
        QueryError { column: self.at + 1, message: format!("expected {what}, found {found}") }
    }

    fn choice(&mut self, depth: u32) -> Parsed<Path> {
        let mut paths = vec![self.sequence(depth)?];
        while self.take('|') {
            paths.push(self.sequence(depth)?);
        }
        Ok(if paths.len() == 1 { paths.remove(0) } else { Path::Choice(paths) })
    }

    fn sequence(&mut self, depth: u32) -> Parsed<Path> {
        let mut paths = Vec::new();
        loop {
            let path = match self.peek() {
                Some('(') if depth == MAX_DEPTH => {
                    let message = format!("more than {MAX_DEPTH} groups in one another");
                    return Err(QueryError { column: self.at + 1, message });
                }
                Some('(') => {
                    self.at += 1;
                    let path = self.choice(depth + 1)?;
                    if !self.take(')') {
                        return Err(self.expected("')'"));
                    }
                    path
                }
                Some('.') => {
                    self.at += 1;
                    Path::Hop(Vec::new())
                }
                Some('^') => {
                    self.at += 1;
                    Path::Begin
                }
                Some('$') => {
                    self.at += 1;
                    Path::End
                }
                Some('{') => {
                    self.at += 1;
                    Path::Hop(self.conditions()?)
                }
                Some('0'..='9') => {
                    let range = self.range()?;
                    Path::Hop(vec![Condition { value: Value::Switch, range, is_outside: false }])
                }
                Some('*' | '+' | '?') => return Err(self.expected("something to repeat")),
                _ => return Ok(Path::Sequence(paths)),
            };
            // Several operators say no more than one.
            let (mut is_optional, mut is_many, mut is_repeated) = (false, false, false);
            while let Some(operator @ ('*' | '+' | '?')) = self.peek() {
                self.at += 1;
                is_optional |= operator != '+';
                is_many |= operator != '?';
                is_repeated = true;
            }
            paths.push(match is_repeated {
                true => Path::Repeat { path: Box::new(path), is_optional, is_many },
                false => path,
            });
        }
    }

    fn conditions(&mut self) -> Parsed<Vec<Condition>> {
        let mut conditions = Vec::new();
        loop {
            self.blanks();
            let begin = self.at;
            let word = self.word();
            let Some(value) = Value::of(&word) else {
                let all = Value::ALL.map(Value::word).join(", ");
                self.at = begin;
                return Err(match word.is_empty() {
                    true => self.expected(&format!("one of {all}")),
                    false => QueryError {
                        column: begin + 1,
                        message: format!("expected one of {all}, found '{word}'"),
                    },
                });
            };
            let is_outside = self.take('!');
            if !self.take('=') {
                return Err(self.expected(if is_outside { "'='" } else { "'=' or '!='" }));
            }
            conditions.push(Condition { value, range: self.range()?, is_outside });
            match self.peek() {
                Some(',') => self.at += 1,
                Some('}') => {
                    self.at += 1;
                    return Ok(conditions);
                }
                _ => return Err(self.expected("',' or '}'")),
            }
        }
    }

    /// `N` or `N..M`. Behind a number a hop may follow, so that only two points make a range.
    fn range(&mut self) -> Parsed<RangeInclusive<u32>> {
        let first = self.number()?;
        if self.text.get(self.at..self.at + 2) != Some(&['.', '.']) {
            return Ok(first..=first);
        }
        self.at += 2;
        let column = self.at + 1;
        match self.number()? {
            last if last < first => {
                let message = format!("{first}..{last} has no number");
                Err(QueryError { column, message })
            }
            last => Ok(first..=last),
        }
    }

    fn number(&mut self) -> Parsed<u32> {
        self.blanks();
        let begin = self.at;
        while self.text.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        let digits: String = self.text[begin..self.at].iter().collect();
        if digits.is_empty() {
            return Err(self.expected("a number"));
        }
        digits.parse().map_err(|_| QueryError {
            column: begin + 1,
            message: format!("{digits} has more than 32 bits"),
        })
    }
}
