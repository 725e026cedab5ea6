//! What is refused, with its place; and that what is accepted becomes a v1model program.

use super::{Layout, Size, judge, program};
use crate::frontend::{Compilation, compile_text};
use crate::ir::InstanceKind;
use std::path::Path;

const GOOD: &str = "#include <wirewright.p4>
struct node_t { bit<64> served; }
struct flow_t { bit<64> finish; int<9> credit; bool seen; }
control Enter(inout node_t node, inout flow_t flow, in parameters_t p,
              in head_t head, out stamp_t stamp)(bit<64> base) {
    apply {
        flow.finish = base + tag(head.bytes, p.share);
        stamp = { flow.finish, ALWAYS };
    }
}
control Sent(inout node_t node, inout flow_t flow, in parameters_t p, in sent_t sent) {
    apply {
        node.served = node.served |+| tag(sent.bytes, p.node_pace);
        flow.seen = true;
    }
}
Scheduler(Enter(7), Sent()) main;
";

fn compile(text: &str) -> Compilation {
    compile_text(Path::new("policy.p4"), text.into(), &Default::default())
}

#[test]
fn a_policy_becomes_a_program_with_registers() {
    for text in [GOOD, &format!("#define V1MODEL_VERSION 20200408\n{GOOD}")] {
        let mut compiled = compile(text);
        let shown = compiled.diagnostics.render(&compiled.sources, false);
        assert!(!compiled.diagnostics.has_errors(), "{shown}");
        let policy = judge(&compiled.ast, &compiled.program, &mut compiled.diagnostics);
        let policy = policy.expect("a policy");
        assert_eq!(policy.controls.iter().flatten().collect::<Vec<_>>(), ["Enter(7)", "Sent()"]);
        let size = Size { nodes: 2, children: 5 };
        let mut lowered = |layout| {
            program(&mut compiled, &policy, size, layout).unwrap_or_else(|diagnostics| {
                panic!("{}", diagnostics.render(&compiled.sources, false))
            })
        };
        let carried = lowered(Layout::Carried);
        let is_register = |program: &crate::ir::Program, kind: &InstanceKind| matches!(kind, InstanceKind::Extern(id, _) if &*program.types[*id].name == "register");
        assert!(!carried.instances.iter().any(|instance| is_register(&carried, &instance.kind)));
        let lowered = lowered(Layout::Fields);
        let registers =
            lowered.instances.iter().filter(|instance| is_register(&lowered, &instance.kind));
        let names: Vec<&str> = registers.map(|instance| instance.name.as_str()).collect();
        assert_eq!(names, ["node.served", "child.finish", "child.credit", "child.seen"]);
        let (architecture, _) = crate::architecture::bind(&lowered).expect("v1model");
        assert_eq!(architecture.name, "v1model");
        // The policy itself is no switch, and the message says what to do with it.
        let refusal = crate::architecture::bind(&compiled.program).expect_err("a policy");
        assert!(refusal.message.contains("--scheduler"), "{}", refusal.message);
    }
}

/// Each line replaces something in the good file; the message must have the words and point at the line.
#[test]
fn what_is_refused_and_where() {
    let mut missed = String::new();
    let mut refuse = |old: &str, new: &str, line: usize, words: &str| {
        let text = GOOD.replacen(old, new, 1);
        assert_ne!(text, GOOD, "{old}");
        let mut compiled = compile(&text);
        if !compiled.diagnostics.has_errors() {
            assert!(judge(&compiled.ast, &compiled.program, &mut compiled.diagnostics).is_none());
        }
        let shown = compiled.diagnostics.render(&compiled.sources, false);
        let found = compiled.diagnostics.iter().any(|d| {
            let at = compiled.sources.position(d.span);
            let whole = format!("{} {} {}", d.message, d.label, d.help.as_deref().unwrap_or(""));
            whole.contains(words) && at.map_or(line == 0, |at| at.line == line)
        });
        if !found {
            missed += &format!("expected line {line} and {words:?}:\n{shown}");
        }
    };
    refuse("bit<64> served;", "bit<64> served; error last;", 2, "bit<W>");
    refuse("bool seen;", "bool seen; varbit<32> v;", 3, "`v` of the state of a child");
    refuse("bool seen;", "bool seen; tuple<bit<8>> list;", 3, "`list` of the state of a child");
    refuse("bool seen;", "bool seen; bit<513> wide;", 3, "`wide`");
    refuse("struct node_t {", "header node_t {", 4, "the state of a node is a struct");
    refuse("head.bytes", "head.byte", 7, "bytes");
    refuse("p.share", "p.shares", 7, "share");
    refuse("stamp = { flow", "stamp.ranks = { flow", 8, "rank");
    refuse("flow.seen = true;", "exit;", 14, "`return`");
    refuse("flow.seen = true;", "truncate(3);", 14, "`truncate` acts on a packet");
    refuse("flow.seen = true;", "resubmit(flow.seen);", 14, "`resubmit` acts on a packet");
    refuse("Scheduler(Enter(7), Sent()) main;", "", 0, "no `main`");
    refuse("Scheduler(Enter(7), Sent()) main;", "Scheduler(Sent()) main;", 17, "Sent");
    refuse("Scheduler(Enter(7), Sent()) main;", "Scheduler() main;", 17, "pre_enqueue");
    refuse(
        "Scheduler(Enter(7), Sent()) main;",
        "Scheduler(post_dequeue = Sent()) main;",
        17,
        "pre_enqueue",
    );
    refuse(
        "Scheduler(Enter(7), Sent()) main;",
        "package Other(bit<8> x); Other(1) main;",
        17,
        "`main` is a `Other`",
    );
    refuse(
        "Scheduler(Enter(7), Sent()) main;",
        "Scheduler(pre_enqueue = Enter(7), visit = Sent()) main;",
        17,
        "visit",
    );
    assert!(missed.is_empty(), "{missed}");
}
