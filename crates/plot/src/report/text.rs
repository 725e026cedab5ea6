//! A report for a terminal.

use super::{Report, Table};

/// Verdicts and tables, section by section.
pub fn text(report: &Report) -> String {
    let mut out = format!("{}\n", report.title);
    for note in &report.notes {
        out += &format!("{note}\n");
    }
    for section in &report.sections {
        out += &format!("\n== {} ({})\n", section.title, section.name);
        if !section.verdicts.is_empty() {
            let mut table = Table::new("", ["verdict", "what", "published or bound", "ours"]);
            for verdict in &section.verdicts {
                let columns =
                    [verdict.outcome.word(), &verdict.what, &verdict.published, &verdict.measured];
                table.rows.push(columns.map(str::to_owned).to_vec());
            }
            let lines = columns(&table);
            let mut lines = lines.lines();
            out += &format!("{}\n", lines.next().unwrap_or_default());
            for (line, verdict) in lines.zip(&section.verdicts) {
                out += &format!("{line}\n");
                if !verdict.reason.is_empty() {
                    out += &format!("    why: {}\n", verdict.reason);
                }
            }
        }
        for table in &section.tables {
            out += "\n";
            if !table.title.is_empty() {
                out += &format!("{}\n", table.title);
            }
            out += &columns(table);
        }
    }
    out
}

/// A table with columns as wide as they must be; numbers to the right.
fn columns(table: &Table) -> String {
    let length = |text: &String| text.chars().count();
    let widths: Vec<usize> = (0..table.head.len())
        .map(|n| {
            let rows = table.rows.iter().filter_map(|row| row.get(n)).map(length);
            rows.max().unwrap_or(0).max(length(&table.head[n]))
        })
        .collect();
    let mut out = String::new();
    for row in std::iter::once(&table.head).chain(&table.rows) {
        let cells = row.iter().zip(&widths).map(|(text, &width)| {
            let is_number = text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(' ');
            if is_number { format!("{text:>width$}") } else { format!("{text:width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        out += &format!("{}\n", line.trim_end());
    }
    out
}
