//! Policy files: no text makes the reader panic, and what it accepts becomes a scheduler that sends what
//! it is given.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_sched::framework::Packet;
use ww_sched::policy_file::Plan;

fuzz_target!(|data: &[u8]| {
    let Ok(plan) = Plan::parse(&String::from_utf8_lossy(data)) else { return };
    let flows = plan.flows().len();
    // Large ones take long to build and say no more.
    if flows > 1000 {
        return;
    }
    let mut scheduler = plan.scheduler();
    assert_eq!(scheduler.flows(), flows);
    for flow in 0..flows {
        scheduler.enqueue(flow, Packet { bytes: 100, ..Packet::default() }, 0);
    }
    let (mut now, mut sent) = (0, 0);
    while let Some(next) = scheduler.next_event(now) {
        now = next;
        // Alarms of aging are events, too.
        sent += usize::from(scheduler.dequeue(now).is_some());
        if scheduler.is_empty() {
            break;
        }
    }
    assert_eq!(sent, flows);
});
