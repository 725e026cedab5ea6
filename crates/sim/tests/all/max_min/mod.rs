//! Max-min fair rates against linear programs (`scripts/max_min_oracle.py`) and against closed forms.

use serde_json::Value;
use ww_sim::max_min::{Flow, rates};

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-6 * expected.abs().max(1e-3)
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn flow(value: &Value) -> Flow {
    let used = |pair: &Value| (pair[0].as_u64().expect("a resource") as usize, number(&pair[1]));
    Flow {
        weight: number(&value["weight"]),
        demand: value["demand"].as_f64().unwrap_or(f64::INFINITY),
        uses: list(&value["uses"]).iter().map(used).collect(),
    }
}

/// Random networks with weights, demands and flows spread over paths: SciPy's solver finds the same rates.
#[test]
fn rates_are_those_of_linear_programs() {
    let networks: Value =
        serde_json::from_str(include_str!("linprog.json")).expect("what the script writes");
    assert!(list(&networks).len() >= 100);
    for (place, network) in list(&networks).iter().enumerate() {
        let capacities: Vec<f64> = list(&network["capacities"]).iter().map(number).collect();
        let flows: Vec<Flow> = list(&network["flows"]).iter().map(flow).collect();
        let expected: Vec<f64> = list(&network["rates"]).iter().map(number).collect();
        let found = rates(&capacities, &flows).expect("rates");
        assert_eq!(found.len(), expected.len());
        let same = found.iter().zip(&expected).all(|(found, expected)| near(*found, *expected));
        assert!(same, "network {place}: expected {expected:?}, found {found:?}");
    }
}

/// A parking lot: the flow over n links of capacity 1 shares each with one other, so all have 1/2. With capacities 1 to n
/// the first link decides: the long one has 1/2, the other at link c has c - 1/2.
#[test]
fn parking_lot() {
    let flows: Vec<Flow> =
        std::iter::once(Flow::over(0..4)).chain((0..4).map(|link| Flow::over([link]))).collect();
    assert_eq!(rates(&[1.0; 4], &flows), Ok(vec![0.5; 5]));
    let growing = rates(&[1.0, 2.0, 3.0, 4.0], &flows);
    assert_eq!(growing, Ok(vec![0.5, 0.5, 1.5, 2.5, 3.5]));
}

/// Three flows at a link of 12 with weights 1, 2 and 3: 2, 4, 6. If the last one wants 3 only, 1:2 of the other 9.
#[test]
fn weights_and_demands() {
    let with = |weight: f64, demand: f64| Flow { weight, demand, ..Flow::over([0]) };
    let unlimited = f64::INFINITY;
    let all = [with(1.0, unlimited), with(2.0, unlimited), with(3.0, unlimited)];
    assert_eq!(rates(&[12.0], &all), Ok(vec![2.0, 4.0, 6.0]));
    let modest = [with(1.0, unlimited), with(2.0, unlimited), with(3.0, 3.0)];
    assert_eq!(rates(&[12.0], &modest), Ok(vec![3.0, 6.0, 3.0]));
}

/// Incast: n senders of capacity 1 to one receiver of capacity 1 have 1/n each; a resource that a flow lists twice counts twice.
#[test]
fn incast_and_repeated_resources() {
    let flows: Vec<Flow> = (1..=8).map(|sender| Flow::over([sender, 0])).collect();
    assert_eq!(rates(&[1.0; 9], &flows), Ok(vec![0.125; 8]));
    assert_eq!(rates(&[1.0], &[Flow::over([0, 0])]), Ok(vec![0.5]));
    assert_eq!(rates(&[0.0, 1.0], &[Flow::over([0]), Flow::over([1])]), Ok(vec![0.0, 1.0]));
}

#[test]
fn numbers_out_of_range_are_refused() {
    let one = Flow::over([0]);
    let text =
        |capacity: f64, flow: Flow| rates(&[capacity], &[flow]).expect_err("refused").to_string();
    assert!(text(f64::NAN, one.clone()).starts_with("resource 0: expected a capacity"));
    assert!(text(-1.0, one.clone()).starts_with("resource 0: expected a capacity"));
    assert!(text(1.0, Flow { weight: 0.0, ..one.clone() }).contains("expected a finite weight"));
    assert!(text(1.0, Flow { demand: f64::NAN, ..one.clone() }).contains("expected a demand"));
    assert!(text(1.0, Flow::over([1])).contains("expected a resource below 1, found 1"));
    let negative = Flow { uses: vec![(0, -1.0)], ..one.clone() };
    assert!(text(1.0, negative).contains("expected a finite fraction"));
    assert!(text(f64::INFINITY, one).contains("a resource of finite capacity, found neither"));
}
