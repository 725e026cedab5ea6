//! A queue of cells that stores a run of them in one piece: a host keeps thousands of cells of one flow for others, which
//! its circuits have taken in turn.

use crate::queue::Cell;
use std::collections::VecDeque;

/// Cells of a flow whose numbers grow by the same step.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: Cell,
    step: u32,
    cells: u32,
}

/// A queue, first in, first out.
#[derive(Clone, Debug, Default)]
pub struct Runs(VecDeque<Run>);

impl Runs {
    /// Puts a cell at the end.
    pub fn push(&mut self, cell: Cell) {
        if let Some(last) = self.0.back_mut()
            && (last.first.flow, last.first.src, last.first.dst) == (cell.flow, cell.src, cell.dst)
            && last.cells < u32::MAX
            && let Some(ahead) = cell.seq.checked_sub(last.first.seq)
        {
            if last.cells == 1
                && let Ok(step) = u32::try_from(ahead)
            {
                last.step = step;
            }
            if ahead == u64::from(last.step) * u64::from(last.cells) {
                last.cells += 1;
                return;
            }
        }
        self.0.push_back(Run { first: cell, step: 0, cells: 1 });
    }

    /// Takes the first cell.
    pub fn pop(&mut self) -> Option<Cell> {
        let run = self.0.front_mut()?;
        let cell = run.first;
        run.first.seq += u64::from(run.step);
        run.cells -= 1;
        if run.cells == 0 {
            self.0.pop_front();
            if self.0.is_empty() {
                // Most queues are empty most of the time.
                self.0 = VecDeque::new();
            }
        }
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// It is a queue, whatever cells come: beside the standard library's.
        #[test]
        fn cells_leave_as_they_came(steps in prop::collection::vec((0..4u32, 0..3u64, 0..4u8), 1..300)) {
            let (mut runs, mut queue, mut seq) = (Runs::default(), VecDeque::new(), 1000);
            for (flow, ahead, what) in steps {
                if what == 0 {
                    prop_assert_eq!(runs.pop(), queue.pop_front());
                } else {
                    // Now and then a number that is lower than the one before.
                    seq = if ahead == 0 { seq - 1 } else { seq + ahead };
                    let cell = Cell { seq, flow: flow / 2, src: 3, dst: 7 };
                    runs.push(cell);
                    queue.push_back(cell);
                }
                prop_assert!(runs.0.len() <= queue.len());
            }
            while let Some(cell) = queue.pop_front() {
                prop_assert_eq!(runs.pop(), Some(cell));
            }
            prop_assert_eq!(runs.pop(), None);
        }
    }

    #[test]
    fn a_run_is_one_piece() {
        let mut runs = Runs::default();
        (0..1000).for_each(|n| runs.push(Cell { seq: 4 * n + 2, flow: 1, src: 2, dst: 3 }));
        assert_eq!(runs.0.len(), 1);
    }
}
