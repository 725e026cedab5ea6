//! Models of blocks, as oracles for their tests in cocotb.

use pyo3::exceptions::{PyKeyError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use ww_sched::framework::{Meta, Packet};
use ww_sched::list::reference::ReferenceList;
use ww_sched::list::{Element, Limits, OrderedList as _, Refusal};
use ww_sched::policy_file::Plan;

/// The Internet checksum of bytes (RFC 1071), an odd last byte padded with zero.
#[pyfunction]
pub fn internet_checksum(bytes: &[u8]) -> u16 {
    ww_packet::checksum::internet_checksum(bytes)
}

/// The ordered list with eligibility (PIEO) that the hardware of rtl/pieo is compared with.
///
/// Elements have an id below the capacity, a rank, and a time from which they are eligible. Methods return an
/// element as (id, rank, eligible), or None.
#[pyclass]
pub struct OrderedList(ReferenceList);

fn tuple(element: Element) -> (u32, u64, u64) {
    (element.id, element.rank, element.eligible)
}

#[pymethods]
impl OrderedList {
    #[new]
    #[pyo3(signature = (capacity=1024, rank_bits=16, time_bits=16))]
    fn new(capacity: u32, rank_bits: u32, time_bits: u32) -> PyResult<Self> {
        let limits = Limits::new(capacity, rank_bits, time_bits).map_err(PyValueError::new_err)?;
        Ok(Self(ReferenceList::new(limits)))
    }

    /// Adds an element. KeyError: it is there already; OverflowError: the list is full; ValueError: a number is out of
    /// range.
    fn enqueue(&mut self, id: u32, rank: u64, eligible: u64) -> PyResult<()> {
        self.0.enqueue(Element { id, rank, eligible }).map_err(|refusal| match refusal {
            Refusal::Duplicate => PyKeyError::new_err(refusal.word()),
            Refusal::Full => PyOverflowError::new_err(refusal.word()),
            _ => PyValueError::new_err(refusal.word()),
        })
    }

    /// Takes the element with the least rank of those that are eligible now; of equal ranks the one that came first.
    fn dequeue(&mut self, now: u64) -> Option<(u32, u64, u64)> {
        self.0.dequeue(now).map(tuple)
    }

    /// Takes this element, eligible or not.
    fn dequeue_id(&mut self, id: u32) -> Option<(u32, u64, u64)> {
        self.0.dequeue_id(id).map(tuple)
    }

    /// As dequeue, of elements with ids from low to high, both included.
    fn dequeue_range(&mut self, now: u64, low: u32, high: u32) -> Option<(u32, u64, u64)> {
        self.0.dequeue_range(now, low..=high).map(tuple)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// All elements in the order of their ranks.
    fn elements(&self) -> Vec<(u32, u64, u64)> {
        self.0.elements().iter().copied().map(tuple).collect()
    }
}

/// A hierarchy of scheduling policies from a policy file's text (docs/scheduling.md). Times are picoseconds and do
/// not go back.
#[pyclass(unsendable)]
pub struct Scheduler {
    scheduler: ww_sched::framework::scheduler::Scheduler,
    flows: Vec<String>,
}

#[pymethods]
impl Scheduler {
    #[new]
    fn new(policy: &str) -> PyResult<Self> {
        let plan = Plan::parse(policy).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { scheduler: plan.scheduler(), flows: plan.flows() })
    }

    /// Names of flows, in the order of their numbers.
    #[getter]
    fn flows(&self) -> Vec<String> {
        self.flows.clone()
    }

    /// Puts a packet into the queue of a flow. False: there is no such flow.
    fn enqueue(&mut self, flow: usize, packet: u64, bytes: u32, now: u64) -> bool {
        let packet = Packet { handle: packet, bytes, arrival: now, meta: Meta::default() };
        flow < self.flows.len() && self.scheduler.enqueue(flow, packet, now)
    }

    /// The packet that leaves now: (flow, packet), or None.
    fn dequeue(&mut self, now: u64) -> Option<(usize, u64)> {
        self.scheduler.dequeue(now).map(|(flow, packet)| (flow, packet.handle))
    }

    /// When dequeue will have something, if it has nothing now.
    fn next_event(&mut self, now: u64) -> Option<u64> {
        self.scheduler.next_event(now)
    }

    fn __len__(&self) -> usize {
        self.scheduler.len()
    }
}
