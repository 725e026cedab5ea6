//! What nodes have found out: values of types that only the nodes and whoever reads them know.

use std::any::Any;
use std::fmt;

/// Reports of nodes, in the order in which they were added. Whoever knows a type takes the reports of that type.
#[derive(Default)]
pub struct Reports(Vec<Box<dyn Any>>);

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reports").field(&self.0.len()).finish()
    }
}

impl Reports {
    /// Adds one.
    pub fn add<T: Any>(&mut self, report: T) {
        self.0.push(Box::new(report));
    }

    /// Takes out all of one type.
    pub fn take<T: Any>(&mut self) -> Vec<T> {
        let mut taken = Vec::new();
        for report in std::mem::take(&mut self.0) {
            match report.downcast() {
                Ok(report) => taken.push(*report),
                Err(other) => self.0.push(other),
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_taken_by_type_in_order() {
        let mut reports = Reports::default();
        reports.add(1u8);
        reports.add("text");
        reports.add(2u8);
        assert_eq!(reports.take::<u8>(), [1, 2]);
        assert_eq!(reports.take::<u8>(), [0u8; 0]);
        assert_eq!(reports.take::<&str>(), ["text"]);
    }
}
