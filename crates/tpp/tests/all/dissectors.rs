//! The dissectors in `dissect/` are what the tables make of them.

use ww_tpp::dissect::{lua, scapy};

#[test]
fn dissectors_are_up_to_date() {
    let advice = "out of date: cargo run -p wirewright-tpp --example dissectors";
    assert!(include_str!("../../dissect/tpp.lua") == lua(), "tpp.lua is {advice}");
    assert!(include_str!("../../dissect/tpp.py") == scapy(), "tpp.py is {advice}");
}
