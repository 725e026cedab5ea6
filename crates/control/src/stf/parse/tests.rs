use super::*;

fn read(text: &str) -> (Test, Vec<String>) {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("t.stf", text.to_owned(), false);
    let test = parse(file, &sources, &mut diagnostics);
    let shown = |d: &Diagnostic| format!("{} {}", sources.describe(d.span), d.message);
    let errors = diagnostics.iter().map(shown).collect();
    (test, errors)
}

fn one(text: &str) -> StatementKind {
    let (test, errors) = read(text);
    assert!(errors.is_empty(), "{text}: {errors:?}");
    assert_eq!(test.statements.len(), 1, "{text}");
    test.statements.into_iter().next().expect("a statement").kind
}

fn error(text: &str) -> String {
    let (_, errors) = read(text);
    assert_eq!(errors.len(), 1, "{text}: {errors:?}");
    errors.concat()
}

#[test]
fn packets() {
    let StatementKind::Packet { port: 3, bytes } = one("packet 3 0A 0b0c # end") else { panic!() };
    assert_eq!(bytes, [10, 11, 12]);
    let StatementKind::Packet { bytes, .. } = one("packet 3") else { panic!() };
    assert!(bytes.is_empty());
    let StatementKind::Expect { port: 1, pattern: None } = one("expect 1") else { panic!() };
    let StatementKind::Expect { pattern: Some(pattern), .. } = one("expect 1 0*ff $") else {
        panic!()
    };
    assert_eq!(pattern.nibbles, [Some(0), None, Some(15), Some(15)]);
    assert!(pattern.exact);
    let StatementKind::Expect { pattern: Some(pattern), .. } = one("expect 1 $") else { panic!() };
    assert!(pattern.exact && pattern.nibbles.is_empty());
    assert!(error("packet 1 0").contains("t.stf:1:10 1 hexadecimal digits do not make whole"));
    assert!(error("packet 1 0*").contains("t.stf:1:11 expected hexadecimal digits, found `*`"));
    assert!(error("expect 1 00$00").contains("`$` must be the last"));
    assert!(error("\n packet x 00").contains("t.stf:2:9 expected a port number, found `x`"));
}

#[test]
fn entries() {
    let line = "add ingress.t 12 hdr.h.a:0x1* s[1].x : 1/4 hdr.isValid():1 r:-1->5 m:0x1&&&3 \
                x.y[7:4]:0b1 act.x(p:1, q = -2) = e1";
    let StatementKind::Add { table, priority, keys, action, name } = one(line) else { panic!() };
    assert_eq!((table.text.as_str(), priority), ("ingress.t", Some(12)));
    let names: Vec<_> = keys.iter().map(|k| k.name.text.as_str()).collect();
    assert_eq!(names, ["hdr.h.a", "s[1].x", "hdr.isValid()", "r", "m", "x.y[7:4]"]);
    assert_eq!(keys[1].value, MatchValue::Prefix(1u8.into(), 4));
    assert_eq!(keys[3].value, MatchValue::Range((-1).into(), 5.into()));
    assert_eq!(keys[4].value, MatchValue::Mask(1u8.into(), 3u8.into()));
    assert_eq!(action.name.text, "act.x");
    let arguments: Vec<_> =
        action.arguments.iter().map(|a| (a.name.as_ref(), a.value.clone())).collect();
    let arguments: Vec<_> =
        arguments.iter().map(|(n, v)| (n.map_or("", |n| &n.text), v.clone())).collect();
    assert_eq!(arguments, [("p", 1.into()), ("q", (-2).into())]);
    assert_eq!(name.map(|n| n.text), Some("e1".into()));

    let StatementKind::Add { priority, keys, action, .. } = one("add t NoAction()") else {
        panic!()
    };
    assert!(priority.is_none() && keys.is_empty() && action.arguments.is_empty());
    let StatementKind::Add { keys, .. } = one("add t a:10..20 b:0x*1 c:* NoAction") else {
        panic!()
    };
    assert_eq!(keys[0].value, MatchValue::Range(10.into(), 20.into()));
    assert_eq!(keys[2].value, MatchValue::Any);
    assert!(matches!(one("remove all"), StatementKind::RemoveAll));
    let StatementKind::Remove { keys, priority: None, .. } = one("remove t a:1") else { panic!() };
    assert_eq!(keys.len(), 1);

    assert!(error("add t a:x go()").contains("t.stf:1:9 expected a number"));
    assert!(error("add t a:1 go(p)").contains("expected `:` and the argument's value"));
    assert!(error("add t a:1 go(5, p:1)").contains("by name or by position, not both"));
    assert!(error("add t a:1 go(p:1").contains("expected `,` or `)`, found the end of the line"));
    assert!(error("add t a:1").contains("expected an action"));
    assert!(error("add t a:10* go()").contains("0x or 0b number with `*`"));
    assert!(error("add t a:1 go() rest").contains("expected the end of the line, found `rest`"));
}

#[test]
fn spellings() {
    let StatementKind::Add { table, keys, action, name, .. } = one(
        "ADD\tt h.$valid$:0b1 v:0xaB_cD i:10.0.0.1 p:10.0.0.0/8 m:00:1b:c0:ff:ee:0 x:2001:db8::1 \
             y:::1 g(5, 1.2.3.4 , true) = $e\r\n",
    ) else {
        panic!()
    };
    assert_eq!(table.text, "t");
    let values: Vec<_> = keys.iter().map(|k| k.value.clone()).collect();
    let exact = |value: u128| MatchValue::Exact(value.into());
    let net = MatchValue::Prefix(0x0a00_0000u32.into(), 8);
    assert_eq!(values[..4], [exact(1), exact(0xabcd), exact(0x0a00_0001), net]);
    assert_eq!(values[4..], [exact(0x001b_c0ff_ee00), exact(0x2001_0db8 << 96 | 1), exact(1)]);
    let arguments: Vec<_> = action.arguments.iter().map(|a| a.value.clone()).collect();
    assert_eq!(arguments, [5.into(), 0x0102_0304.into(), 1.into()]);
    assert!(action.arguments.iter().all(|a| !a.is_named()));
    assert_eq!(name.map(|n| n.text), Some("e".into()));
    let StatementKind::Add { keys, .. } = one("add t a:10..20 b:10.0.0.0..10.0.0.255 g") else {
        panic!()
    };
    assert_eq!(keys[0].value, MatchValue::Range(10.into(), 20.into()));
    let range = MatchValue::Range(0x0a00_0000.into(), 0x0a00_00ff.into());
    assert_eq!(keys[1].value, range);
    let StatementKind::SetDefault { action, .. } = one("setdefault t drop") else { panic!() };
    assert_eq!((action.name.text.as_str(), action.arguments.len()), ("drop", 0));
    // What is expected may end within a byte, unless the length counts.
    let StatementKind::Expect { pattern: Some(pattern), .. } = one("expect 1 0a 1") else {
        panic!()
    };
    assert_eq!(pattern.nibbles, [Some(0), Some(10), Some(1), None]);
    assert!(error("expect 1 0a 1$").contains("3 hexadecimal digits do not make whole bytes"));
    assert!(error("add t a:1:2 g()").contains("expected a number"));
}

#[test]
fn objects() {
    let StatementKind::CheckCounter { bytes: false, comparison, value: 5, .. } =
        one("check_counter c(0) packets >= 5")
    else {
        panic!()
    };
    assert_eq!(comparison, Comparison::AtLeast);
    let StatementKind::CheckCounter { bytes: true, index: CounterCell::Entry(word), .. } =
        one("check_counter c(e1) bytes==5")
    else {
        panic!()
    };
    assert_eq!(word.text, "e1");
    let StatementKind::CheckCounter { index: CounterCell::Entry(word), .. } =
        one("check_counter c($e1) packets == 1")
    else {
        panic!()
    };
    assert_eq!(word.text, "e1");
    let StatementKind::CheckCounter { index: CounterCell::Index(3), bytes: false, .. } =
        one("check_counter a.c 3 == 1")
    else {
        panic!()
    };
    let StatementKind::MeterSetRates { index: Some(2), rates, .. } =
        one("meter_set_rates m 2 0.5:10 1:20")
    else {
        panic!()
    };
    assert_eq!(rates, [(0.5, 10), (1.0, 20)]);
    let StatementKind::NodeCreate { replication_id: 7, ports } = one("mc_node_create 7 1 2 3")
    else {
        panic!()
    };
    assert_eq!(ports, [1, 2, 3]);
    assert!(error("mc_mgrp_create 65536").contains("expected a multicast group"));
    assert!(error("check_counter c(0)").contains("expected `packets` or `bytes`"));
}

#[test]
fn all_errors_in_one_go() {
    let (test, errors) = read("packet 1 0\nexpct 1 00\nwait\nadd\n");
    assert_eq!(errors.len(), 3);
    assert!(errors[1].contains("there is no STF command `expct`"));
    assert_eq!(test.statements.len(), 1);
}
