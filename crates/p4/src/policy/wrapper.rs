//! The v1model program around the controls of a policy, as P4.
//!
//! Names begin with `ww_`, which keeps them apart from those of the policy.

use super::{Field, FieldKind, Layout, Policy, Size, State};
use crate::architecture::scheduler::{ANSWER, Argument, CONTROLS, PolicyControl, REQUEST, Word};
use std::fmt::Write;

/// The text, without the policy itself.
pub fn text(policy: &Policy, size: Size, layout: Layout) -> String {
    let mut out = String::new();
    let owners = [("node", &policy.node), ("child", &policy.child)];
    header(&mut out, "ww_request_t", REQUEST, owners, layout);
    header(&mut out, "ww_answer_t", ANSWER, owners, layout);
    out += "struct ww_headers_t { ww_request_t request; ww_answer_t answer; }\n\
            struct ww_metadata_t { }\n\
            parser ww_parser(packet_in packet, out ww_headers_t ww, inout ww_metadata_t meta,\n\
            inout standard_metadata_t standard) {\n\
            state start { packet.extract(ww.request); transition accept; } }\n\
            control ww_policy(inout ww_headers_t ww, inout ww_metadata_t meta,\n\
            inout standard_metadata_t standard) {\n";
    let states =
        [("node", &policy.node, size.nodes.max(1)), ("child", &policy.child, size.children.max(1))];
    let cells = states.map(|(owner, state, count)| (owner, cells(owner, state, layout), count));
    for (owner, cells, count) in &cells {
        for Cell { name, public, bits, .. } in cells.iter().filter(|_| layout == Layout::Fields) {
            let index = if policy.registers_name_index { ", bit<32>" } else { "" };
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "@name(\".{owner}{public}\") register<bit<{bits}>{index}>({count}) {name};"
            );
        }
    }
    let made = CONTROLS.iter().zip(&policy.controls);
    let made: Vec<_> = made.filter_map(|(control, call)| Some((control, call.as_ref()?))).collect();
    for (control, call) in &made {
        let _ = writeln!(out, "{call} ww_{};", control.parameter);
    }
    out += "apply {\nww.answer.setValid();\n";
    for word in ANSWER {
        let _ = writeln!(out, "ww.answer.{} = 0;", word.name);
    }
    for ((owner, cells, _), (_, state, _)) in cells.iter().zip(states) {
        let _ = writeln!(out, "{} ww_{owner};", state.name);
        load(&mut out, owner, cells, layout);
    }
    for (number, (control, _)) in made.iter().enumerate() {
        let otherwise = if number == 0 { "" } else { "else " };
        let _ = writeln!(out, "{otherwise}if (ww.request.kind == {}) {{", control.kind as u8);
        call(&mut out, control);
        out += "}\n";
    }
    for (owner, cells, _) in &cells {
        store(&mut out, owner, cells, layout);
    }
    out += "ww.request.setInvalid();\n} }\n\
            control ww_checksum(inout ww_headers_t ww, inout ww_metadata_t meta) { apply { } }\n\
            control ww_egress(inout ww_headers_t ww, inout ww_metadata_t meta,\n\
            inout standard_metadata_t standard) { apply { } }\n\
            control ww_deparser(packet_out packet, in ww_headers_t ww) {\n\
            apply { packet.emit(ww.answer); } }\n\
            V1Switch(ww_parser(), ww_checksum(), ww_policy(), ww_egress(), ww_checksum(),\n\
            ww_deparser()) main;\n";
    out
}

fn header(
    out: &mut String,
    name: &str,
    words: &[Word],
    owners: [(&str, &State); 2],
    layout: Layout,
) {
    let _ = write!(out, "header {name} {{ ");
    for word in words {
        let _ = write!(out, "bit<{}> {}; ", word.bits, word.name);
    }
    let carried = owners.iter().filter(|_| layout == Layout::Carried);
    for (owner, state) in carried.filter(|(_, state)| state.bytes() > 0) {
        let _ = write!(out, "bit<{}> ww_{owner}; ", 8 * state.bytes());
    }
    *out += "}\n";
}

/// A register array, or what is carried, and the fields that are in it.
struct Cell<'p> {
    name: String,
    /// What follows `node` or `child` in its name for the control plane.
    public: String,
    bits: u32,
    /// The first in the lowest bits.
    fields: &'p [Field],
}

fn cells<'p>(owner: &str, state: &'p State, layout: Layout) -> Vec<Cell<'p>> {
    let cell = |fields: &'p [Field], inner: &str| Cell {
        name: format!("ww_{owner}_{inner}"),
        public: String::new(),
        bits: fields.iter().map(|field| field.kind.bits()).sum(),
        fields,
    };
    match layout {
        Layout::Carried if state.fields.is_empty() => Vec::new(),
        Layout::Carried => vec![cell(&state.fields, "")],
        Layout::Fields => {
            let each = state.fields.chunks(1);
            each.map(|field| {
                let inner = &field[0].name;
                Cell { public: format!(".{inner}"), ..cell(field, inner) }
            })
            .collect()
        }
    }
}

/// The state of the request's node or child.
fn load(out: &mut String, owner: &str, cells: &[Cell<'_>], layout: Layout) {
    for Cell { name, bits, fields, .. } in cells {
        let _ = match layout {
            Layout::Fields => writeln!(
                out,
                "bit<{bits}> {name}_now; {name}.read({name}_now, ww.request.{owner});"
            ),
            Layout::Carried => {
                writeln!(out, "bit<{bits}> {name}_now = (bit<{bits}>) ww.request.ww_{owner};")
            }
        };
        let mut low = 0;
        for Field { name: field, kind } in *fields {
            let high = low + kind.bits() - 1;
            let cast = match kind {
                FieldKind::Bit(_) => String::new(),
                FieldKind::Signed(bits) => format!("(int<{bits}>) "),
                FieldKind::Bool => "(bool) ".to_owned(),
            };
            let _ = writeln!(out, "ww_{owner}.{field} = {cast}{name}_now[{high}:{low}];");
            low = high + 1;
        }
    }
}

fn store(out: &mut String, owner: &str, cells: &[Cell<'_>], layout: Layout) {
    for Cell { name, bits, fields, .. } in cells {
        let values = fields.iter().rev().map(|Field { name: field, kind }| match kind {
            FieldKind::Bit(_) => format!("ww_{owner}.{field}"),
            _ => format!("(bit<{}>) ww_{owner}.{field}", kind.bits()),
        });
        let values: Vec<String> = values.collect();
        let value = values.join(" ++ ");
        let _ = match layout {
            Layout::Fields => writeln!(out, "{name}.write(ww.request.{owner}, {value});"),
            Layout::Carried => {
                let carried = bits.div_ceil(8) * 8;
                writeln!(out, "ww.answer.ww_{owner} = (bit<{carried}>) ({value});")
            }
        };
    }
}

/// Applies a control to what the request says, and puts what it gives into the answer.
fn call(out: &mut String, control: &PolicyControl) {
    let (mut arguments, mut after) = (Vec::new(), String::new());
    let word = |words: &[Word], name: &str| {
        words.iter().find(|word| word.name == name).copied().expect("the description names words")
    };
    let from = |name: &&str| match word(REQUEST, name).is_bool {
        true => format!("ww.request.{name} != 0"),
        false => format!("ww.request.{name}"),
    };
    for (number, argument) in control.arguments.iter().enumerate() {
        let local = format!("ww_argument_{number}");
        match argument {
            Argument::Node => arguments.push("ww_node".into()),
            Argument::Child => arguments.push("ww_child".into()),
            Argument::Request("", names) => arguments.extend(names.iter().map(from)),
            Argument::Request(ty, names) => {
                let values: Vec<String> = names.iter().map(from).collect();
                let _ = writeln!(out, "{ty} {local} = {{ {} }};", values.join(", "));
                arguments.push(local);
            }
            Argument::Answer(ty, names) => {
                let answer = |name: &&'static str| (*name, word(ANSWER, name));
                let words: Vec<_> = names.iter().map(answer).collect();
                let single = ty.is_empty();
                for (name, word) in &words {
                    let value = if single { local.clone() } else { format!("{local}.{name}") };
                    let value = match word.is_bool {
                        true => format!("(bit<{}>) (bit<1>) {value}", word.bits),
                        false => value,
                    };
                    let _ = writeln!(after, "ww.answer.{name} = {value};");
                }
                let declared = match words.first() {
                    Some((_, word)) if single && word.is_bool => "bool".to_owned(),
                    Some((_, word)) if single => format!("bit<{}>", word.bits),
                    _ => (*ty).to_owned(),
                };
                let _ = writeln!(out, "{declared} {local};");
                arguments.push(local);
            }
        }
    }
    let _ = writeln!(out, "ww_{}.apply({});", control.parameter, arguments.join(", "));
    *out += &after;
}
