//! Small expressions over figures: `dctcp.links.s0->h0.utilisation / newreno.links.s0->h0.utilisation`.
//!
//! Numbers, paths of figures, `+ - * /`, parentheses, `sqrt(x)`. A path is names between dots; a name with dots or
//! blanks stands in double quotes. A minus between two values has blanks around it, as names may contain one.

use std::fmt;

/// Nesting of parentheses.
const DEPTH: usize = 64;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A number.
    Number(f64),
    /// A figure of results.
    Path(Vec<String>),
    /// A square root.
    Root(Box<Expression>),
    /// Two values with `+`, `-`, `*` or `/` between them.
    Pair(char, Box<(Expression, Expression)>),
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Path(Vec<String>),
    Sign(char),
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoValue(pub String);

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Expression {
    /// Reads a text.
    ///
    /// # Errors
    /// A sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens, at: 0 };
        let expression = parser.sum(0)?;
        match parser.tokens.get(parser.at) {
            None => Ok(expression),
            Some(token) => Err(format!(
                "expected an operator (+ - * /, a minus between blanks), found {token}"
            )),
        }
    }

    /// Its value, with the figures that `figure` knows.
    ///
    /// # Errors
    /// A path leads nowhere, or the value is not finite.
    pub fn value(&self, figure: &dyn Fn(&[String]) -> Option<f64>) -> Result<f64, NoValue> {
        let value = match self {
            Self::Number(number) => *number,
            Self::Path(path) => {
                let shown = path.join(".");
                figure(path).ok_or_else(|| NoValue(format!("there is no figure '{shown}'")))?
            }
            Self::Root(inner) => libm::sqrt(inner.value(figure)?),
            Self::Pair(sign, pair) => {
                let (left, right) = (pair.0.value(figure)?, pair.1.value(figure)?);
                match sign {
                    '+' => left + right,
                    '-' => left - right,
                    '*' => left * right,
                    _ => left / right,
                }
            }
        };
        match value.is_finite() {
            true => Ok(value),
            false => Err(NoValue("its value is not finite".to_owned())),
        }
    }

    /// All its paths.
    pub fn paths(&self) -> Vec<&[String]> {
        match self {
            Self::Number(_) => Vec::new(),
            Self::Path(path) => vec![path],
            Self::Root(inner) => inner.paths(),
            Self::Pair(_, pair) => [pair.0.paths(), pair.1.paths()].concat(),
        }
    }

    /// The path, if it is nothing but one.
    pub fn path(&self) -> Option<&[String]> {
        match self {
            Self::Path(path) => Some(path),
            _ => None,
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Path(path) => write!(f, "'{}'", path.join(".")),
            Self::Sign(sign) => write!(f, "'{sign}'"),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at).copied() {
        let blank_behind =
            letters.get(at + 1).is_none_or(|next| next.is_whitespace() || *next == '(');
        if letter.is_whitespace() {
            at += 1;
        } else if "+*/()".contains(letter) || (letter == '-' && blank_behind) {
            tokens.push(Token::Sign(letter));
            at += 1;
        } else {
            let (word, next) = word(&letters, at)?;
            tokens.push(word);
            at = next;
        }
    }
    Ok(tokens)
}

/// A number or a path.
fn word(letters: &[char], start: usize) -> Result<(Token, usize), String> {
    let (mut names, mut name) = (Vec::new(), String::new());
    let (mut at, mut quoted, mut was_quoted) = (start, false, false);
    while let Some(letter) = letters.get(at).copied() {
        match letter {
            '"' => {
                quoted = !quoted;
                was_quoted = true;
            }
            _ if quoted => name.push(letter),
            '.' => names.push(std::mem::take(&mut name)),
            _ if letter.is_whitespace() || "+*/()".contains(letter) => break,
            _ => name.push(letter),
        }
        at += 1;
    }
    let text: String = letters[start..at].iter().collect();
    if quoted {
        return Err(format!("a quote without its other half in {text:?}"));
    }
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        // A sign of an exponent has been taken for an operator, or for a part of the word.
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        return match number {
            Some(number) => Ok((Token::Number(number), at)),
            None => Err(format!("expected a number, found {text:?}")),
        };
    }
    names.push(name);
    if !was_quoted && names.iter().any(String::is_empty) {
        return Err(format!("expected names between dots, found {text:?}"));
    }
    Ok((Token::Path(names), at))
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl Parser<'_> {
    fn sign(&mut self, wanted: &str) -> Option<char> {
        match self.tokens.get(self.at) {
            Some(Token::Sign(sign)) if wanted.contains(*sign) => {
                self.at += 1;
                Some(*sign)
            }
            _ => None,
        }
    }

    fn sum(&mut self, depth: usize) -> Result<Expression, String> {
        let mut left = self.product(depth)?;
        while let Some(sign) = self.sign("+-") {
            let right = self.product(depth)?;
            left = Expression::Pair(sign, Box::new((left, right)));
        }
        Ok(left)
    }

    fn product(&mut self, depth: usize) -> Result<Expression, String> {
        let mut left = self.single(depth)?;
        while let Some(sign) = self.sign("*/") {
            let right = self.single(depth)?;
            left = Expression::Pair(sign, Box::new((left, right)));
        }
        Ok(left)
    }

    fn single(&mut self, depth: usize) -> Result<Expression, String> {
        if depth > DEPTH {
            return Err(format!("parentheses nest more than {DEPTH} levels"));
        }
        if self.sign("(").is_some() {
            let inner = self.sum(depth + 1)?;
            return match self.sign(")") {
                Some(_) => Ok(inner),
                None => Err("expected ')'".to_owned()),
            };
        }
        let token = self.tokens.get(self.at);
        self.at += 1;
        match token {
            Some(Token::Number(number)) => Ok(Expression::Number(*number)),
            Some(Token::Path(path)) if path.len() == 1 && path[0] == "sqrt" => {
                match self.tokens.get(self.at) {
                    Some(Token::Sign('(')) => {
                        Ok(Expression::Root(Box::new(self.single(depth + 1)?)))
                    }
                    _ => Ok(Expression::Path(path.clone())),
                }
            }
            Some(Token::Path(path)) => Ok(Expression::Path(path.clone())),
            Some(token) => Err(format!("expected a number or a figure, found {token}")),
            None => Err("expected a number or a figure, found the end".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        let figure = |path: &[String]| match path.join("/").as_str() {
            "a/b" => Some(6.0),
            "links/s0->s1/use" => Some(0.5),
            "x-y/a.b" => Some(7.0),
            _ => None,
        };
        Expression::parse(text)?.value(&figure).map_err(|error| error.0)
    }

    #[test]
    fn values() {
        for (text, expected) in [
            ("2 + 3 * 4", 14.0),
            ("(2 + 3) * 4", 20.0),
            ("a.b / 4 - 1", 0.5),
            ("10 - 2 - 3", 5.0),
            ("links.s0->s1.use*2", 1.0),
            ("x-y.\"a.b\"", 7.0),
            ("sqrt(a.b + 3)", 3.0),
            ("-1.5e3 + 1500", 0.0),
            ("8/2/2", 2.0),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes() {
        for (text, words) in [
            ("", "found the end"),
            ("1 +", "found the end"),
            ("(1", "expected ')'"),
            ("1 2", "expected an operator"),
            ("a..b", "between dots"),
            ("\"a", "other half"),
            ("1x", "expected a number"),
            ("a.c", "there is no figure 'a.c'"),
            ("1 / 0", "not finite"),
            ("* 2", "found '*'"),
        ] {
            let error = value(text).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!(Expression::parse(&"(".repeat(10_000)).is_err());
    }
}
