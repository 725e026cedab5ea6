//! Parsers: each state becomes a block; sub-parsers are inlined.

use super::draft::{BlockId, End};
use super::{Flow, Lowered, Lowerer};
use crate::ir::{InstanceId, ParserId, Target, Transition};

impl Lowerer<'_> {
    /// The states of a parser whose parameters are bound. Lowering goes on where it accepts.
    pub(super) fn run_parser(&mut self, instance: InstanceId, id: ParserId) -> Lowered<()> {
        let parser = &self.program[id];
        self.instance = instance;
        self.bind_instance(instance);
        self.locals(instance, &parser.locals)?;
        let accept = self.new_block(parser.span);
        let path = self.path_of(instance);
        let blocks: Vec<BlockId> = parser
            .states
            .iter()
            .map(|state| {
                let block = self.new_block(state.span);
                let draft = &mut self.draft.blocks[block.0];
                draft.label = format!("{path}{}", state.name);
                draft.is_entry = true;
                block
            })
            .collect();
        if let Some(start) = blocks.get(parser.start as usize) {
            self.draft.end(End::Goto(*start));
        }
        let Flow { exit, reject, .. } = self.flow;
        let flow = Flow { exit, reject, leave: Some(accept), ..Flow::default() };
        let outer = std::mem::replace(&mut self.flow, flow);
        let mut result = Ok(());
        for (state, block) in parser.states.iter().zip(&blocks) {
            self.draft.switch_to(*block);
            let done = self.statements(&state.body).and_then(|()| match &state.transition {
                Transition::Direct(target) => {
                    let to = self.target(*target, &blocks, accept);
                    self.draft.end(End::Goto(to));
                    Ok(())
                }
                Transition::Select { values, cases } => {
                    self.select(values, cases, &blocks, accept, state.span)
                }
            });
            if let Err(stop) = done {
                result = Err(stop);
            }
        }
        self.flow = outer;
        self.draft.switch_to(accept);
        let label = self.draft.blocks[0].label.clone();
        self.draft.blocks[accept.0].label = label;
        result
    }

    /// The path of a sub-parser in front of its states' names.
    fn path_of(&self, instance: InstanceId) -> String {
        let name = &self.program[instance].name;
        let mut root = instance;
        while let Some(parent) = self.program[root].parent {
            if matches!(self.program[parent].kind, crate::ir::InstanceKind::Package(_)) {
                break;
            }
            root = parent;
        }
        let prefix = format!("{}.", self.program[root].name);
        name.strip_prefix(&prefix).map_or(String::new(), |path| format!("{path}."))
    }

    /// The block of a target.
    pub(super) fn target(
        &mut self,
        target: Target,
        blocks: &[BlockId],
        accept: BlockId,
    ) -> BlockId {
        match target {
            Target::State(n) => blocks.get(n as usize).copied().unwrap_or(accept),
            Target::Accept => accept,
            Target::Reject => match self.flow.reject {
                Some(block) => block,
                None => {
                    let block = self.draft.block(crate::source::Span::NONE, None);
                    self.draft.blocks[block.0].end = Some(End::Reject);
                    block
                }
            },
        }
    }
}
