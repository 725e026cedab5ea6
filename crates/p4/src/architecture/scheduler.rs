//! The scheduler of `wirewright.p4`: controls that a scheduling policy consists of, and where their
//! arguments are in the request and the answer in which a scheduler speaks with it
//! ([`ww_dataplane::policy`], docs/scheduling.md).
//!
//! A policy is no switch: its `main` is lowered to a program for v1model ([`crate::policy`]) in which a
//! request is a packet that comes in, and the answer the packet that leaves.

pub use ww_dataplane::policy::{ANSWER, Kind, REQUEST, Word, bytes, offset};

/// The include file that declares the package.
pub const INCLUDE: &str = "wirewright.p4";

/// The package that `main` of a policy has.
pub const PACKAGE: &str = "Scheduler";

/// What a parameter of a control is, and with it where its value comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// State of the node.
    Node,
    /// State of the child.
    Child,
    /// A struct or a value of the request: its fields, by their names there.
    Request(&'static str, &'static [&'static str]),
    /// A struct or a value of the answer: its fields, by their names there.
    Answer(&'static str, &'static [&'static str]),
}

/// A control of a policy.
#[derive(Debug, PartialEq, Eq)]
pub struct PolicyControl {
    /// Name of the package's parameter.
    pub parameter: &'static str,
    /// The request that it answers.
    pub kind: Kind,
    /// Whether a policy must have it.
    pub is_required: bool,
    /// Its parameters in order.
    pub arguments: &'static [Argument],
}

const PARAMETERS: Argument = Argument::Request(
    "parameters_t",
    &["weight", "priority", "pace", "share", "node_pace", "burst", "quantum"],
);
const HEAD: Argument = Argument::Request(
    "head_t",
    &["now", "bytes", "fresh", "arrival", "size", "remaining", "slack", "deadline", "release"],
);
const SENT: Argument = Argument::Request("sent_t", &["now", "bytes", "stamped"]);
const STAMP: Argument = Argument::Answer("stamp_t", &["rank", "eligible"]);

/// The controls, in the order of the package's parameters.
pub const CONTROLS: &[PolicyControl] = &[
    PolicyControl {
        parameter: "pre_enqueue",
        kind: Kind::PreEnqueue,
        is_required: true,
        arguments: &[Argument::Node, Argument::Child, PARAMETERS, HEAD, STAMP],
    },
    PolicyControl {
        parameter: "post_dequeue",
        kind: Kind::PostDequeue,
        is_required: false,
        arguments: &[Argument::Node, Argument::Child, PARAMETERS, SENT],
    },
    PolicyControl {
        parameter: "clock",
        kind: Kind::Clock,
        is_required: false,
        arguments: &[
            Argument::Node,
            Argument::Request("", &["now"]),
            Argument::Request("", &["any"]),
            Argument::Request("", &["least"]),
            Argument::Answer("", &["clock"]),
        ],
    },
    PolicyControl {
        parameter: "may_send",
        kind: Kind::MaySend,
        is_required: false,
        arguments: ROUND,
    },
    PolicyControl { parameter: "stays", kind: Kind::Stays, is_required: false, arguments: ROUND },
    PolicyControl {
        parameter: "withdraw",
        kind: Kind::Withdraw,
        is_required: false,
        arguments: &[
            Argument::Node,
            Argument::Child,
            PARAMETERS,
            Argument::Request("", &["bytes"]),
        ],
    },
    PolicyControl {
        parameter: "emptied",
        kind: Kind::Emptied,
        is_required: false,
        arguments: &[Argument::Node, Argument::Child],
    },
];

const ROUND: &[Argument] =
    &[Argument::Node, Argument::Child, PARAMETERS, HEAD, Argument::Answer("", &["yes"])];

/// The control for a request.
pub fn control(kind: Kind) -> &'static PolicyControl {
    &CONTROLS[kind as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::compile_text;
    use crate::ir::{Direction, Type};
    use std::path::Path;

    /// The include file and this description say the same.
    #[test]
    fn include_and_description_agree() {
        let text = format!("#include <{INCLUDE}>\n");
        let compiled = compile_text(Path::new("t.p4"), text, &Default::default());
        assert!(!compiled.diagnostics.has_errors());
        let types = &compiled.program.types;
        let named = |name: &str| types.apply_types.iter().find(|t| &*t.signature.name == name);
        let package = &named(PACKAGE).expect("the package").signature;
        assert_eq!(package.parameters.len(), CONTROLS.len());
        for (number, (control, parameter)) in CONTROLS.iter().zip(&package.parameters).enumerate() {
            assert_eq!(control.kind as usize, number);
            assert_eq!(control.parameter, &*parameter.name);
            assert_eq!(control.is_required, !parameter.optional, "{}", control.parameter);
            let Type::Apply(id, _) = &parameter.ty else { panic!("{}", control.parameter) };
            let declared = &types[*id].signature.parameters;
            assert_eq!(declared.len(), control.arguments.len(), "{}", control.parameter);
            for (argument, declared) in control.arguments.iter().zip(declared) {
                let (direction, list, name, words) = match argument {
                    Argument::Node | Argument::Child => {
                        assert_eq!(declared.direction, Direction::InOut);
                        continue;
                    }
                    Argument::Request(name, words) => (Direction::In, REQUEST, name, words),
                    Argument::Answer(name, words) => (Direction::Out, ANSWER, name, words),
                };
                assert_eq!(declared.direction, direction, "{}", declared.name);
                let fields: Vec<(&str, &Type)> = match types.as_struct(&declared.ty) {
                    Some(def) => {
                        assert_eq!(&*def.name, *name);
                        def.fields.iter().map(|f| (&*f.name, &f.ty)).collect()
                    }
                    None => vec![(&*declared.name, &declared.ty)],
                };
                let names: Vec<&str> = fields.iter().map(|field| field.0).collect();
                assert_eq!(names, *words);
                for (name, ty) in fields {
                    let word = list.iter().find(|word| word.name == name).expect(name);
                    let expected = if word.is_bool { Type::Bool } else { Type::Bit(word.bits) };
                    assert_eq!(*ty, expected, "{name}");
                }
            }
        }
    }
}
