//! Branches that become selections.

use super::ingress;

const PASS: &[&str] = &["if-conversion"];

#[test]
fn both_ways_assign() {
    let report = ingress(
        "if (hdr.h.x == 1) { meta.a = 2; } else { meta.a = 3; } sm.egress_spec = (bit<9>)meta.a;",
    )
    .expect(
        PASS,
        &["  0:
    meta.a = (hdr.h.x == 8w0x1) ? 8w0x2 : 8w0x3
    sm.egress_spec = zext<9>(meta.a)
  1: end
"],
    );
    assert_eq!(report.converted, 1);
}

#[test]
fn one_way_keeps_the_old_value_if_that_is_read() {
    ingress(
        "meta.a = hdr.h.y; if (hdr.h.x == 1) { meta.a = 2; meta.b = meta.a + 1; }
         sm.egress_spec = (bit<9>)meta.a;",
    )
    .expect(
        PASS,
        &["  0:
    meta.a = hdr.h.y
    meta.a = (hdr.h.x == 8w0x1) ? 8w0x2 : meta.a
    meta.b = meta.a + 8w0x1
    sm.egress_spec = zext<9>(meta.a)
  1: end
"],
    );
}

#[test]
fn the_other_way_keeps_the_old_value_too() {
    ingress(
        "meta.a = hdr.h.y; if (hdr.h.x == 1) { meta.b = 1; } else { meta.a = 2; }
         sm.egress_spec = (bit<9>)(meta.a + meta.b);",
    )
    .expect(PASS, &["    meta.a = (hdr.h.x == 8w0x1) ? meta.a : 8w0x2\n"]);
}

#[test]
fn ways_that_read_what_they_write_are_chosen_one_by_one() {
    // Of the second way only what the first one has assigned must be kept.
    ingress(
        "meta.c = 0;
         if (hdr.h.x == 1) { meta.a = 2; meta.b = meta.a + 1; } else { meta.b = 9; meta.a = meta.b; }
         sm.egress_spec = (bit<9>)(meta.a + meta.b);",
    )
    .expect(
        PASS,
        &["    meta.a = 8w0x2
    meta.b = meta.a + 8w0x1
    meta.b = (hdr.h.x == 8w0x1) ? meta.b : 8w0x9
    meta.a = (hdr.h.x == 8w0x1) ? meta.a : meta.b
"],
    );
}

#[test]
fn the_condition_must_stay_what_it_is() {
    let apply =
        "if (meta.a == 1) { meta.a = 2; meta.b = 5; } sm.egress_spec = (bit<9>)(meta.a + meta.b);";
    let report = ingress(apply).expect(PASS, &["0: if meta.a == 8w0x1 goto 1 else 2"]);
    assert_eq!(report.converted, 0);
}

#[test]
fn branches_in_branches_go_from_the_inside() {
    let apply =
        "if (hdr.h.x == 1) { if (hdr.h.y == 2) { meta.a = 1; } } sm.egress_spec = (bit<9>)meta.a;";
    let report = ingress(apply).expect(PASS, &["control ig = I {\n  0:\n"]);
    assert_eq!(report.converted, 2);
}

#[test]
fn what_costs_more_than_a_branch_stays_one() {
    for apply in [
        "if (hdr.h.x == 1) { hdr.h.y = hdr.h.y * hdr.h.x; }",
        "if (hdr.h.x == 1) { hdr.h.y = hdr.h.y / 3; }",
        "if (hdr.h.x == 1) { meta.a = 1; meta.b = 1; meta.c = 1; hdr.h.x = 2; hdr.h.y = 1; }",
        "if (hdr.h.y == 1) { log_msg(\"one\"); }",
    ] {
        assert_eq!(ingress(apply).optimised(super::only(PASS)).1.converted, 0, "{apply}");
    }
}
