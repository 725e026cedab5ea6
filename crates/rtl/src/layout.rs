//! Where the fields of a packed structure are, read from the SystemVerilog package that declares it: what drives a
//! port in software and the module itself cannot differ.
//!
//! ```
//! use ww_rtl::layout::Layouts;
//!
//! let text = "package p; typedef enum logic [1:0] {OFF, ON} mode_t;
//!     typedef struct packed { logic [3:0] a; mode_t mode; } pair_t; endpackage";
//! let layouts = Layouts::read(text).unwrap();
//! assert_eq!(layouts.field("pair_t", "a"), Some(2..6));
//! assert_eq!(layouts.value("mode_t", "ON"), Some(1));
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

/// A type.
#[derive(Clone, Debug)]
enum Kind {
    /// Bits.
    Vector(usize),
    /// Bits, and the names of their values.
    Enumeration(usize, Vec<String>),
    /// Fields, the highest first: type, count of the array's elements if it is one, name.
    Structure(Vec<(String, Option<usize>, String)>),
}

/// The types of a package.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    kinds: BTreeMap<String, Kind>,
}

impl Layouts {
    /// Reads the types that a package declares with `typedef`: vectors, enumerations with values from 0 on, and packed
    /// structures of these and of arrays of them, all of one dimension and with constant bounds.
    ///
    /// # Errors
    /// What is not understood, with the words around it.
    pub fn read(text: &str) -> Result<Self, String> {
        let words = words(text);
        let mut layouts = Self::default();
        let mut rest = words.as_slice();
        while let Some(at) = rest.iter().position(|word| word == "typedef") {
            rest = &rest[at + 1..];
            rest = layouts.declare(rest).ok_or_else(|| {
                format!(
                    "a typedef that is not understood: {}",
                    rest[..rest.len().min(12)].join(" ")
                )
            })?;
        }
        Ok(layouts)
    }

    /// Takes one declaration, and says what is behind it.
    fn declare<'w>(&mut self, words: &'w [String]) -> Option<&'w [String]> {
        let (kind, rest) = match words.first()?.as_str() {
            "struct" => {
                let mut rest = expect(words, &["struct", "packed", "{"])?;
                let mut fields = Vec::new();
                while rest.first()? != "}" {
                    let (of, count, behind) = match rest.first()?.as_str() {
                        "logic" => {
                            let (bits, behind) = bounds(&rest[1..])?;
                            (bits.unwrap_or(1).to_string(), None, behind)
                        }
                        of => {
                            let (count, behind) = bounds(&rest[1..])?;
                            (of.to_owned(), count, behind)
                        }
                    };
                    fields.push((of, count, behind.first()?.clone()));
                    rest = expect(&behind[1..], &[";"])?;
                }
                (Kind::Structure(fields), &rest[1..])
            }
            "enum" => {
                let (bits, rest) = bounds(expect(words, &["enum", "logic"])?)?;
                let end = rest.iter().position(|word| word == "}")?;
                let names = expect(&rest[..end], &["{"])?.iter().filter(|word| *word != ",");
                (Kind::Enumeration(bits.unwrap_or(1), names.cloned().collect()), &rest[end + 1..])
            }
            _ => {
                let (bits, rest) = bounds(expect(words, &["logic"])?)?;
                (Kind::Vector(bits.unwrap_or(1)), rest)
            }
        };
        self.kinds.insert(rest.first()?.clone(), kind);
        expect(&rest[1..], &[";"])
    }

    /// Bits of a type.
    pub fn width(&self, of: &str) -> Option<usize> {
        if let Ok(bits) = of.parse() {
            return Some(bits);
        }
        match self.kinds.get(of)? {
            Kind::Vector(bits) | Kind::Enumeration(bits, _) => Some(*bits),
            Kind::Structure(fields) => {
                fields.iter().map(|(of, count, _)| Some(self.width(of)? * count.unwrap_or(1))).sum()
            }
        }
    }

    /// The bits of a field, bit 0 the lowest of the structure. `path` has names and, behind that of an array, places:
    /// `options.blocks.0.start`.
    pub fn field(&self, of: &str, path: &str) -> Option<Range<usize>> {
        let (mut of, mut base) = (of.to_owned(), 0);
        let mut steps = path.split('.');
        while let Some(step) = steps.next() {
            let Kind::Structure(fields) = self.kinds.get(&of)? else { return None };
            let at = fields.iter().position(|(_, _, name)| name == step)?;
            for (of, count, _) in &fields[at + 1..] {
                base += self.width(of)? * count.unwrap_or(1);
            }
            let (inner, count, _) = fields[at].clone();
            if let Some(count) = count {
                let place = steps.next()?.parse::<usize>().ok().filter(|place| *place < count)?;
                base += place * self.width(&inner)?;
            }
            of = inner;
        }
        Some(base..base + self.width(&of)?)
    }

    /// The number of a value of an enumeration.
    pub fn value(&self, of: &str, name: &str) -> Option<u64> {
        let Kind::Enumeration(_, names) = self.kinds.get(of)? else { return None };
        names.iter().position(|known| known == name).map(|at| at as u64)
    }
}

/// What is behind these words.
fn expect<'w>(words: &'w [String], expected: &[&str]) -> Option<&'w [String]> {
    let (head, rest) = words.split_at_checked(expected.len())?;
    head.iter().zip(expected).all(|(word, expected)| word == expected).then_some(rest)
}

/// Bounds `[high:0]`, if there are any: how many elements that makes, and what is behind.
fn bounds(words: &[String]) -> Option<(Option<usize>, &[String])> {
    if words.first()? != "[" {
        return Some((None, words));
    }
    let high: usize = words.get(1)?.parse().ok()?;
    Some((Some(high + 1), expect(&words[2..], &[":", "0", "]"])?))
}

/// Words and signs outside of comments.
fn words(text: &str) -> Vec<String> {
    let mut list = Vec::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        let mut word = String::new();
        for sign in code.chars().chain([' ']) {
            if sign.is_alphanumeric() || matches!(sign, '_' | '\'') {
                word.push(sign);
                continue;
            }
            if !word.is_empty() {
                list.push(std::mem::take(&mut word));
            }
            if !sign.is_whitespace() {
                list.push(sign.to_string());
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "package p;
        typedef logic [31:0] number_t; // 32 bits
        typedef struct packed { logic on; number_t at; } place_t;
        typedef struct packed { number_t first; place_t [2:0] places; logic [4:0] last; } all_t;
    endpackage";

    #[test]
    fn the_first_field_is_the_highest() {
        let layouts = Layouts::read(TEXT).unwrap();
        assert_eq!(layouts.width("all_t"), Some(32 + 3 * 33 + 5));
        assert_eq!(layouts.field("all_t", "last"), Some(0..5));
        assert_eq!(layouts.field("all_t", "places.1"), Some(38..71));
        assert_eq!(layouts.field("all_t", "places.1.on"), Some(70..71));
        assert_eq!(layouts.field("all_t", "places.3.on"), None);
        assert_eq!(layouts.field("all_t", "first"), Some(104..136));
    }

    #[test]
    fn what_is_not_understood_is_told() {
        let told = Layouts::read("typedef union { logic a; } t;").unwrap_err();
        assert!(told.contains("union { logic a"), "{told}");
    }
}
