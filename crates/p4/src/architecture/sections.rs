//! The blocks between one decision of the switch and the next: what the engines execute.
//!
//! Every architecture that can be executed today has this shape: a parser and controls; the
//! switch decides and queues the packet; perhaps controls, behind which the switch decides once
//! more; controls and a deparser, behind which the packet leaves or starts over.

use super::{BlockDescription, BlockKind, PacketPath, PathAction};
use std::ops::Range;

/// Positions among an architecture's blocks. Each range begins where the one before ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections {
    /// From the parser to the block that decides where the packet goes.
    pub front: Range<usize>,
    /// From behind the queue to a control that decides once more; empty without such a control.
    pub egress: Range<usize>,
    /// From there to the deparser.
    pub finish: Range<usize>,
}

/// What is wrong with blocks and paths: a sentence, and the position of the block or path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// About a block.
    Block(usize, String),
    /// About a path.
    Path(usize, String),
    /// About the whole.
    Whole(String),
}

impl Sections {
    /// Works out the sections; `paths` name blocks that exist.
    pub(super) fn of(
        blocks: &[BlockDescription],
        paths: &[PacketPath],
    ) -> Result<Self, Vec<Misfit>> {
        let mut misfits = Vec::new();
        let position = |name: &str| blocks.iter().position(|b| b.parameter == name);
        let last = blocks.len().saturating_sub(1);
        for (n, block) in blocks.iter().enumerate() {
            let (wanted, fits) = match block.kind {
                BlockKind::Parser => ("the parser is the first block", n == 0),
                BlockKind::Deparser => ("the deparser is the last block", n == last),
                BlockKind::Control => ("the first block is a parser", n != 0),
            };
            if !fits {
                let sentence = format!(
                    "{wanted}: no engine executes an architecture with block `{}` at this place",
                    block.parameter
                );
                misfits.push(Misfit::Block(n, sentence));
            }
        }
        if blocks.last().is_none_or(|b| b.kind != BlockKind::Deparser) {
            misfits.push(Misfit::Whole("the last block must be a deparser".to_owned()));
        }
        let queues: Vec<usize> =
            (0..paths.len()).filter(|n| paths[*n].action == PathAction::Enqueue).collect();
        let Some(&queue) = queues.first() else {
            let sentence = "no path with `does = \"enqueue\"`: no packet gets to the deparser";
            misfits.push(Misfit::Whole(sentence.to_owned()));
            return Err(misfits);
        };
        for extra in &queues[1..] {
            let sentence = "a second path with `does = \"enqueue\"`: packets have one queue";
            misfits.push(Misfit::Path(*extra, sentence.to_owned()));
        }
        let end = position(paths[queue].from).unwrap_or(0);
        let behind = end + 1;
        if behind > last {
            let sentence = "a packet that leaves the deparser has no block to be queued for";
            misfits.push(Misfit::Path(queue, sentence.to_owned()));
            return Err(misfits);
        }
        // A control behind the queue that has paths of its own ends a section.
        let decides = |n: &usize| paths.iter().any(|p| p.from == blocks[*n].parameter);
        let second = (behind..last).rev().find(decides).map_or(behind, |n| n + 1);
        for (n, path) in paths.iter().enumerate() {
            let from = position(path.from).unwrap_or(0);
            if from != end && from != last && (second == behind || from != second - 1) {
                let sentence = format!(
                    "block `{}` ends no section: paths leave `{}`, the deparser, and at most one \
                     control between them",
                    path.from, blocks[end].parameter
                );
                misfits.push(Misfit::Path(n, sentence));
            }
            let target = path.to.and_then(position);
            let wanted = match path.action {
                PathAction::Clone | PathAction::Replicate | PathAction::Enqueue => Some(behind),
                PathAction::Restart => Some(0),
                PathAction::Drop | PathAction::Transmit => None,
            };
            if target != wanted {
                let sentence = match wanted {
                    Some(block) => format!("this path leads to `{}`", blocks[block].parameter),
                    None => "this path leads to no block".to_owned(),
                };
                misfits.push(Misfit::Path(n, sentence));
            }
            let allowed = match path.action {
                PathAction::Clone => from < last,
                PathAction::Replicate | PathAction::Enqueue => from == end,
                PathAction::Drop => from < last,
                PathAction::Restart => from == end || from == last,
                PathAction::Transmit => from == last,
            };
            if !allowed {
                let sentence = format!("no engine does this at the end of `{}`", path.from);
                misfits.push(Misfit::Path(n, sentence));
            }
        }
        let leaves = |p: &PacketPath| p.action == PathAction::Transmit;
        if !paths.iter().any(leaves) {
            let sentence = "no path with `does = \"transmit\"`: no packet leaves";
            misfits.push(Misfit::Whole(sentence.to_owned()));
        }
        if misfits.is_empty() {
            Ok(Self { front: 0..behind, egress: behind..second, finish: second..last + 1 })
        } else {
            Err(misfits)
        }
    }

    /// Whether a block is behind the queue.
    pub fn is_behind_queue(&self, block: usize) -> bool {
        block >= self.front.end
    }
}
