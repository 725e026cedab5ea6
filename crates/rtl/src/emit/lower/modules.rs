//! Calls of the user's own modules: `@ww_module("name", latency = 3)`.

use super::super::dataflow::{UnitId, UnitKind, ValueId, ValueKind};
use super::super::refusal::Reason;
use super::externs::outs;
use super::{Environment, Lowering};
use ww_p4::ir::HardwareModule;
use ww_p4::pipeline::{ArgumentValue, ExternCall};
use ww_p4::source::Span;

/// An instance of a module.
#[derive(Clone, Debug)]
pub struct ModuleUse {
    /// Which module.
    pub module: HardwareModule,
    /// The extern function that it stands for.
    pub function: String,
    /// Ports for arguments, in the order of the unit's inputs behind the enable.
    pub inputs: Vec<String>,
    /// Ports for results, in the order of the unit's outputs.
    pub outputs: Vec<String>,
    /// Its call.
    pub unit: UnitId,
    /// Whether a packet calls it.
    condition: ValueId,
    /// Where it is called first.
    pub span: Span,
}

impl Lowering<'_> {
    /// Calls a module. Calls that exclude each other share an instance; a module with a state has
    /// only one, so that its calls are in the order of the packets.
    pub(super) fn module_call(
        &mut self,
        env: &mut Environment,
        call: &ExternCall,
        module: &HardwareModule,
        active: ValueId,
        span: Span,
    ) {
        let enable = self.enabled(env, active);
        let mut arguments = vec![enable];
        let (mut inputs, mut outputs, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        for (n, argument) in call.arguments.iter().enumerate() {
            if matches!(argument.value, ArgumentValue::In(_)) {
                let Some(value) = self.whole(env, call, n) else { continue };
                arguments.push(value);
                inputs.push(argument.name.to_string());
            } else {
                targets.push(outs(call, n).to_vec());
                outputs.push(argument.name.to_string());
            }
        }
        if !call.result.is_empty() {
            targets.push(call.result.clone());
            outputs.push("result".to_owned());
        }
        let width = |leaves: &Vec<ww_p4::pipeline::OutLeaf>| -> u32 {
            leaves.iter().map(|leaf| self.pipeline[leaf.field].width).sum()
        };
        let widths = targets.iter().map(width).collect();
        let results = match self.shared_module(&call.name, module, &arguments, span) {
            Some(results) => results,
            None => {
                let kind = UnitKind::Module(self.modules.len() as u32, !module.stateless);
                let unit = UnitId(self.graph.units.len() as u32);
                let results = self.graph.unit(kind, arguments, widths);
                self.modules.push(ModuleUse {
                    module: module.clone(),
                    function: call.name.to_string(),
                    inputs,
                    outputs,
                    unit,
                    condition: enable,
                    span,
                });
                results
            }
        };
        for (leaves, value) in targets.iter().zip(results) {
            self.spread(env, leaves, value);
        }
    }

    /// An instance whose calls exclude this one, which it gets too: its results.
    fn shared_module(
        &mut self,
        function: &str,
        module: &HardwareModule,
        arguments: &[ValueId],
        span: Span,
    ) -> Option<Vec<ValueId>> {
        for n in 0..self.modules.len() {
            if self.modules[n].function != function || self.modules[n].module != *module {
                continue;
            }
            let (unit, condition) = (self.modules[n].unit, self.modules[n].condition);
            let old = self.graph.units[unit.index()].inputs.clone();
            let apart = old.len() == arguments.len()
                && arguments.iter().all(|argument| !self.depends(*argument, unit))
                && self.conditions.exclude(&self.graph, condition, arguments[0]);
            if apart {
                let either = self.graph.or(condition, arguments[0]);
                let mut inputs = vec![either];
                for (new, old) in arguments.iter().zip(old).skip(1) {
                    inputs.push(self.graph.mux(arguments[0], *new, old));
                }
                self.graph.units[unit.index()].inputs = inputs;
                self.modules[n].condition = either;
                return Some(self.module_outputs(unit));
            }
            if !module.stateless {
                let name = &module.name;
                let what = format!(
                    "one packet can call module `{name}` more than once; only a module that is \
                     `stateless` has several instances"
                );
                self.refuse(Reason::Module, &what, Some(span));
                return Some(self.module_outputs(unit));
            }
        }
        None
    }

    fn module_outputs(&self, unit: UnitId) -> Vec<ValueId> {
        let values = self.graph.values.iter().enumerate();
        let of = |kind: &ValueKind| match kind {
            ValueKind::Output(made_by, n) if *made_by == unit => Some(*n),
            _ => None,
        };
        let mut found: Vec<(u32, ValueId)> =
            values.filter_map(|(id, v)| Some((of(&v.kind)?, ValueId(id as u32)))).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, id)| id).collect()
    }
}
