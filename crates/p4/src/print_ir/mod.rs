//! The typed IR as text, for people who want to see what the checker made of a program.
//!
//! The notation follows P4 where P4 has one. Every name is resolved, every conversion is written
//! out, generics are specialised, constants carry their width; two variables of one name in the
//! same declaration are told apart by a number (`x#17`). The text is the same for the same
//! program; there is no parser for it.

mod declarations;
mod expressions;
mod instances;
mod labels;
mod statements;
mod types;

use crate::ir::Program;
use labels::Labels;

/// The whole program.
pub fn print(program: &Program) -> String {
    let mut printer =
        Printer { program, labels: Labels::of(program), out: String::new(), indent: 0 };
    printer.types();
    printer.callables();
    printer.instances();
    printer.out
}

/// Text under construction.
struct Printer<'p> {
    program: &'p Program,
    labels: Labels,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    /// A whole line.
    fn line(&mut self, text: &str) {
        if !text.is_empty() {
            for _ in 0..self.indent {
                self.out.push_str("    ");
            }
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A line that ends in `{`, lines further in, and a closing line.
    fn braces(&mut self, head: &str, close: &str, lines: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        lines(self);
        self.indent -= 1;
        self.line(close);
    }
}

#[cfg(test)]
mod tests;
