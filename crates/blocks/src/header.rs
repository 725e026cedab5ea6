//! The head of a module: its parameters and ports, with the comments above them.

use serde::Serialize;

/// A parameter of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type, as written: `int`, `logic [15:0]`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its default, as written.
    pub default: String,
    /// The comment above it: what it means and which values are legal.
    pub about: String,
}

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// `input`, `output` or `inout`.
    pub direction: String,
    /// Its type, as written: `logic`, `logic [WIDTH-1:0]`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The comment above it.
    pub about: String,
}

/// Parameters and ports of a module.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub parameters: Vec<Parameter>,
    pub ports: Vec<Port>,
}

/// Reads the head of `module` in a source, in the form in which all of `rtl/` is written: `module NAME import PACKAGES;
/// #(parameters) (ports);`. `None` if the source has no such module.
pub fn read(module: &str, text: &str) -> Option<Header> {
    let begin = format!("module {module}");
    let mut behind = text.match_indices(&begin).map(|(at, found)| &text[at + found.len()..]);
    let rest = behind.find(|rest| !rest.starts_with(is_name))?;
    let mut header = Header::default();
    let mut rest = rest.trim_start();
    while let Some(behind) = rest.strip_prefix("import ") {
        rest = behind.split_once(';')?.1.trim_start();
    }
    if let Some(behind) = rest.strip_prefix('#') {
        let (list, after) = parenthesised(behind)?;
        header.parameters = items(list).iter().filter_map(parameter).collect();
        rest = after.trim_start();
    }
    let (list, _) = parenthesised(rest)?;
    let mut shared = (String::new(), String::new());
    header.ports = items(list).iter().filter_map(|item| port(item, &mut shared)).collect();
    Some(header)
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// An item of a list, without the comments, and the comment above it.
struct Item {
    text: String,
    about: String,
}

/// What is within the parentheses at the beginning, and what is behind them. Comments and strings do not count.
fn parenthesised(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let mut depth = 0;
    for (at, c) in code(text) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.starts_with('(').then(|| (&text[1..at], &text[at + 1..]));
        }
    }
    None
}

/// The characters outside of comments and strings, and where they are.
fn code(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut skipped_to = 0;
    text.char_indices().filter(move |&(at, c)| {
        if at < skipped_to {
            return false;
        }
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            Some(rest.find('\n').unwrap_or(rest.len()))
        } else if c == '"' {
            Some(rest[1..].find('"').map_or(rest.len(), |end| end + 2))
        } else {
            None
        };
        skipped_to = length.map_or(skipped_to, |length| at + length);
        length.is_none()
    })
}

/// The items of a list, which commas part that are within no brackets.
fn items(list: &str) -> Vec<Item> {
    let mut ends: Vec<usize> = Vec::new();
    let mut depth = 0;
    for (at, c) in code(list) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => ends.push(at),
            _ => {}
        }
    }
    ends.push(list.len());
    let begins = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    begins
        .zip(&ends)
        .filter(|(begin, end)| begin < end)
        .map(|(begin, end)| item(&list[begin..*end]))
        .collect()
}

fn item(text: &str) -> Item {
    let (mut code, mut about) = (String::new(), Vec::new());
    for line in text.lines() {
        let comment = line.find("//").filter(|at| line[..*at].matches('"').count() % 2 == 0);
        let (before, comment) = comment.map_or((line, ""), |at| (&line[..at], &line[at + 2..]));
        code.push_str(before);
        code.push(' ');
        // A comment in the line of the item before belongs to that one, as does one about several. One for Verilator says
        // nothing to a reader.
        if !comment.is_empty() && !comment.trim_start().starts_with("verilator ") {
            about.push(comment.trim());
        }
    }
    Item { text: code.split_whitespace().collect::<Vec<_>>().join(" "), about: about.join(" ") }
}

fn parameter(item: &Item) -> Option<Parameter> {
    let rest = item.text.strip_prefix("parameter ")?;
    let (left, default) = rest.split_once('=')?;
    let (kind, name) = kind_and_name(left);
    Some(Parameter { name, kind, default: default.trim().to_owned(), about: item.about.clone() })
}

/// `shared` are direction and type of the port before: `input logic clk, rst`.
fn port(item: &Item, shared: &mut (String, String)) -> Option<Port> {
    let (first, rest) = item.text.split_once(' ').unwrap_or((&item.text, ""));
    if matches!(first, "input" | "output" | "inout") {
        let (kind, name) = kind_and_name(rest);
        *shared = (first.to_owned(), kind);
        return Some(Port {
            name,
            direction: shared.0.clone(),
            kind: shared.1.clone(),
            about: item.about.clone(),
        });
    }
    let (kind, name) = kind_and_name(&item.text);
    let kind = [shared.1.as_str(), &kind].join(" ").trim_end().to_owned();
    (!name.is_empty()).then(|| Port {
        name,
        direction: shared.0.clone(),
        kind,
        about: item.about.clone(),
    })
}

/// The last name outside of brackets is what is declared; what is in front of it is its type. Unpacked dimensions
/// behind the name belong to the type.
fn kind_and_name(text: &str) -> (String, String) {
    let text = text.trim();
    let mut end = text.len();
    while text[..end].ends_with(']') {
        let Some(open) = text[..end].rfind('[') else { break };
        end = text[..open].trim_end().len();
    }
    let begin = text[..end].rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
    let (kind, dimensions) = (text[..begin].trim(), text[end..].trim());
    let kind = [kind, dimensions]
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join(" ");
    (kind, text[begin..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// module ww_other
        module ww_example #(
            // Bits of a word,
            // a multiple of 8.
            parameter int WIDTH = 8,
            parameter logic [2*WIDTH-1:0] TABLE = {8'h1, 8'h2},
            parameter string STYLE = \"a,(b // c\",
            localparam int HALF = WIDTH / 2
        ) (
            input  logic clk, rst,
            // What comes.
            input  logic [WIDTH-1:0] data,
            output logic [1:0] level, other [2]
        );
        endmodule";

    #[test]
    fn parameters_and_ports() {
        let header = read("ww_example", TEXT).expect("it is there");
        let parameters: Vec<_> = header
            .parameters
            .iter()
            .map(|p| (p.name.as_str(), p.kind.as_str(), p.default.as_str(), p.about.as_str()))
            .collect();
        assert_eq!(
            parameters,
            [
                ("WIDTH", "int", "8", "Bits of a word, a multiple of 8."),
                ("TABLE", "logic [2*WIDTH-1:0]", "{8'h1, 8'h2}", ""),
                ("STYLE", "string", "\"a,(b // c\"", ""),
            ]
        );
        let ports: Vec<_> = header
            .ports
            .iter()
            .map(|p| (p.name.as_str(), p.direction.as_str(), p.kind.as_str(), p.about.as_str()))
            .collect();
        assert_eq!(
            ports,
            [
                ("clk", "input", "logic", ""),
                ("rst", "input", "logic", ""),
                ("data", "input", "logic [WIDTH-1:0]", "What comes."),
                ("level", "output", "logic [1:0]", ""),
                ("other", "output", "logic [1:0] [2]", ""),
            ]
        );
    }

    #[test]
    fn only_the_module_that_is_asked_for() {
        assert_eq!(read("ww_exam", TEXT), None);
        assert_eq!(read("ww_none", "module ww_none"), None);
        assert_eq!(read("ww_cut", "module ww_cut #(parameter int A = ("), None);
        let bare = read("ww_bare", "module ww_bare (input logic a);").expect("it is there");
        assert_eq!((bare.parameters.len(), bare.ports.len()), (0, 1));
    }
}
