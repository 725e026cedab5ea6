//! The example of the rates prints what docs/phy.md says.

#[path = "../../examples/rates.rs"]
mod rates;

#[test]
fn prints_what_the_docs_say() {
    let docs = include_str!("../../../../docs/phy.md");
    let report = rates::report();
    assert!(docs.contains(&report), "docs/phy.md does not have:\n{report}");
}
