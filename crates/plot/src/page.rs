//! A report as one HTML file: headings, paragraphs, tables, figures. Nothing is loaded from anywhere.

use crate::Figure;
use crate::text::escaped;

/// A page that grows from top to bottom.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    body: String,
}

/// How a cell of a table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As it is.
    Plain,
    /// It is good.
    Good,
    /// It is bad.
    Bad,
    /// It says that something is not there.
    Faint,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What stands in it; numbers stand to the right.
    pub text: String,
    /// How it is shown.
    pub mark: Mark,
}

impl Cell {
    /// A cell that is shown in a certain way.
    pub fn marked(text: impl Into<String>, mark: Mark) -> Self {
        Self { text: text.into(), mark }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), mark: Mark::Plain }
    }
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:1080px;margin:2em auto;padding:0 1em;color:#222;\
    background:#fff}h1{font-size:1.6em}h2{font-size:1.25em;margin-top:2.2em;border-bottom:1px solid #ddd}\
    table{border-collapse:collapse;margin:1em 0;display:block;overflow-x:auto}th,td{padding:.25em .7em;border-bottom:1px \
    solid #ddd;text-align:left;vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}\
    .good{color:#00734f}.bad{color:#b33c00;font-weight:600}.faint{color:#777}svg{max-width:100%;height:auto}\
    pre{overflow-x:auto;background:#8881;padding:1em;font-size:.85em}nav a{margin-right:1em}@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}h2,th,td{border-color:#333}\
    .good{color:#3cc79c}.bad{color:#f08a3c}.faint{color:#999}a{color:#8fd0f5}}";

impl Page {
    /// A page with a title.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), body: String::new() }
    }

    /// A heading, and a name for links to it (`#name`).
    pub fn heading(&mut self, name: &str, text: &str) {
        self.body += &format!("<h2 id=\"{}\">{}</h2>\n", escaped(name), escaped(text));
    }

    /// Links to headings: their names and words.
    pub fn contents<'a>(&mut self, entries: impl IntoIterator<Item = (&'a str, &'a str)>) {
        let link = |(name, text)| format!("<a href=\"#{}\">{}</a>", escaped(name), escaped(text));
        let links: Vec<String> = entries.into_iter().map(link).collect();
        self.body += &format!("<nav>{}</nav>\n", links.join("\n"));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.body += &format!("<p>{}</p>\n", escaped(text));
    }

    /// Text with its lines and blanks as they are: a file.
    pub fn listing(&mut self, text: &str) {
        self.body += &format!("<pre>{}</pre>\n", escaped(text));
    }

    /// A drawing: an `<svg>` element that comes from this program, and is not checked.
    pub fn drawing(&mut self, svg: &str) {
        self.body += &format!("<figure>{svg}</figure>\n");
    }

    /// A table with a row of headings.
    pub fn table(&mut self, head: &[String], rows: &[Vec<Cell>]) {
        let head: String = head.iter().map(|text| format!("<th>{}</th>", escaped(text))).collect();
        self.body += &format!("<table><thead><tr>{head}</tr></thead><tbody>\n");
        for row in rows {
            let cells: String = row.iter().map(cell).collect();
            self.body += &format!("<tr>{cells}</tr>\n");
        }
        self.body += "</tbody></table>\n";
    }

    /// A figure.
    pub fn figure(&mut self, figure: &Figure) {
        self.body += &format!("<figure>{}</figure>\n", figure.svg());
    }

    /// The file.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n{}</body></html>\n",
            self.body
        )
    }
}

fn cell(cell: &Cell) -> String {
    let is_number = cell.text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
    let mut classes = Vec::new();
    if is_number && cell.text.len() < 16 {
        classes.push("n");
    }
    match cell.mark {
        Mark::Plain => {}
        Mark::Good => classes.push("good"),
        Mark::Bad => classes.push("bad"),
        Mark::Faint => classes.push("faint"),
    }
    match classes.is_empty() {
        true => format!("<td>{}</td>", escaped(&cell.text)),
        false => format!("<td class=\"{}\">{}</td>", classes.join(" "), escaped(&cell.text)),
    }
}
