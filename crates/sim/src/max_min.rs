//! Max-min fair rates by progressive filling ("water-filling"): the oracle for fair sharing, and what senders compute that
//! know all flows.
//!
//! Rates of all flows rise together, each in proportion to its weight. When a resource is full, the flows that use it stop;
//! the others go on (Bertsekas and Gallager, Data Networks, 2nd edition, section 6.5.2). A flow may be spread over several
//! paths: it then takes a fraction of its rate from each resource. No flow's rate divided by its weight can be raised
//! without lowering that of a flow which has no more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

/// A flow: its weight, its demand, and what it takes of which resources.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Its share of a resource is in proportion to this: above 0 and finite.
    pub weight: f64,
    /// The most that it can use, 0 or more, in the unit of capacities; infinite if it takes what it gets.
    pub demand: f64,
    /// Numbers of resources and the fraction of the flow's rate that each carries: above 0 and finite, 1 on a single path. A
    /// resource that is listed twice carries the sum.
    pub uses: Vec<(usize, f64)>,
}

impl Flow {
    /// A flow of weight 1 with no end of demand, whose whole rate each of these resources carries.
    pub fn over(resources: impl IntoIterator<Item = usize>) -> Self {
        let uses = resources.into_iter().map(|resource| (resource, 1.0)).collect();
        Self { weight: 1.0, demand: f64::INFINITY, uses }
    }
}

/// Why there are no rates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbounded(String);

impl fmt::Display for Unbounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unbounded {}

/// A level: the rate of a flow of weight 1. Levels are never NaN.
#[derive(Clone, Copy, PartialEq)]
struct Level(f64);

impl Eq for Level {}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Level {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// What stops flows: numbers order equal levels, so that results do not depend on chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stop {
    Demand(usize),
    Full(usize),
}

/// A resource while rates rise.
struct Resource {
    /// What flows that have stopped leave of it.
    left: f64,
    /// Flows that may still rise, and their fractions; those that have stopped go when the resource is looked at.
    rising: Vec<(usize, f64)>,
}

impl Resource {
    /// At which level it is full: infinite if nobody rises there.
    fn full_at(&mut self, flows: &[Flow], rates: &[Option<f64>]) -> f64 {
        let left = &mut self.left;
        self.rising.retain(|&(flow, fraction)| match rates[flow] {
            Some(rate) => {
                *left -= fraction * rate;
                false
            }
            None => true,
        });
        // A sum of positive numbers that is made anew each time: what has left does not leave its rounding behind.
        let slope: f64 =
            self.rising.iter().map(|&(flow, fraction)| flows[flow].weight * fraction).sum();
        if self.rising.is_empty() { f64::INFINITY } else { self.left.max(0.0) / slope }
    }
}

/// The rates of `flows`, in their order, over resources of these capacities (0 or more; any unit, that of the rates; infinite
/// ones limit nobody).
///
/// Time grows with the fractions' number, and with it once more for each level at which the same resource is looked at.
///
/// # Errors
///
/// A number that is out of its range, a resource that does not exist, or a flow that nothing limits.
pub fn rates(capacities: &[f64], flows: &[Flow]) -> Result<Vec<f64>, Unbounded> {
    check(capacities, flows)?;
    let mut resources: Vec<Resource> =
        capacities.iter().map(|&left| Resource { left, rising: Vec::new() }).collect();
    for (number, flow) in flows.iter().enumerate() {
        for &(resource, fraction) in &flow.uses {
            resources[resource].rising.push((number, fraction));
        }
    }
    let mut rates: Vec<Option<f64>> = vec![None; flows.len()];
    let mut heap = BinaryHeap::with_capacity(resources.len() + flows.len());
    for (number, resource) in resources.iter_mut().enumerate() {
        heap.push(Reverse((Level(resource.full_at(flows, &rates)), Stop::Full(number))));
    }
    for (number, flow) in flows.iter().enumerate() {
        heap.push(Reverse((Level(flow.demand / flow.weight), Stop::Demand(number))));
    }
    let mut water = 0.0f64;
    while let Some(Reverse((Level(level), stop))) = heap.pop() {
        if level == f64::INFINITY {
            break;
        }
        match stop {
            Stop::Demand(flow) => {
                if rates[flow].is_none() {
                    water = water.max(level);
                    rates[flow] = Some(flows[flow].demand);
                }
            }
            Stop::Full(number) => {
                // Flows that have stopped since leave more for the others: the resource is full later, never earlier.
                let now = resources[number].full_at(flows, &rates);
                let next = heap.peek().map_or(f64::INFINITY, |Reverse((Level(next), _))| *next);
                if now > level && now > next {
                    heap.push(Reverse((Level(now), stop)));
                    continue;
                }
                if now == f64::INFINITY {
                    continue;
                }
                water = water.max(now);
                for &(flow, _) in &resources[number].rising {
                    rates[flow] = Some((water * flows[flow].weight).min(flows[flow].demand));
                }
            }
        }
    }
    let rate = |(number, rate): (usize, Option<f64>)| {
        rate.ok_or_else(|| {
            Unbounded(format!(
                "flow {number}: expected a demand or a resource of finite capacity, found neither"
            ))
        })
    };
    rates.into_iter().enumerate().map(rate).collect()
}

fn check(capacities: &[f64], flows: &[Flow]) -> Result<(), Unbounded> {
    let bad = |text: String| Err(Unbounded(text));
    for (number, capacity) in capacities.iter().enumerate() {
        if capacity.is_nan() || *capacity < 0.0 {
            return bad(format!(
                "resource {number}: expected a capacity of 0 or more, found {capacity}"
            ));
        }
    }
    for (number, flow) in flows.iter().enumerate() {
        if !(flow.weight > 0.0 && flow.weight.is_finite()) {
            let weight = flow.weight;
            return bad(format!("flow {number}: expected a finite weight above 0, found {weight}"));
        }
        if flow.demand.is_nan() || flow.demand < 0.0 {
            let demand = flow.demand;
            return bad(format!("flow {number}: expected a demand of 0 or more, found {demand}"));
        }
        for &(resource, fraction) in &flow.uses {
            if resource >= capacities.len() {
                let count = capacities.len();
                return bad(format!(
                    "flow {number}: expected a resource below {count}, found {resource}"
                ));
            }
            if !(fraction > 0.0 && fraction.is_finite()) {
                return bad(format!(
                    "flow {number}: expected a finite fraction above 0 of resource {resource}, found {fraction}"
                ));
            }
        }
    }
    Ok(())
}
