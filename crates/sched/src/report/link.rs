//! A link that a scheduler serves.

use crate::framework::Packet;
use crate::framework::fixed::Pace;
use crate::framework::scheduler::Scheduler;

/// A packet that comes to a flow of the scheduler. Times are picoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// When.
    pub time: u64,
    /// Of which flow of the scheduler.
    pub flow: usize,
    /// What.
    pub packet: Packet,
}

/// A packet that the link has sent.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// Of which flow of the scheduler.
    pub flow: usize,
    /// What; its arrival is set.
    pub packet: Packet,
    /// When its first bit left.
    pub begin: u64,
    /// When its last bit left.
    pub end: u64,
}

/// What an event does to the scheduler besides packets: a pause, a new weight.
pub type Event<'a> = (u64, &'a dyn Fn(&mut Scheduler));

/// Serves the link from 0 until a time: no packet begins then or later. Arrivals and events are in the
/// order of their times. `sent` sees every packet when it begins and may give the scheduler new ones.
///
/// # Errors
/// The scheduler says again and again that a packet may leave now, and none does.
pub fn serve(
    scheduler: &mut Scheduler,
    link: Pace,
    arrivals: &[Arrival],
    events: &[Event],
    until: u64,
    mut sent: impl FnMut(&mut Scheduler, &Departure),
) -> Result<(), String> {
    let (mut arrivals, mut events) = (arrivals.iter().peekable(), events.iter().peekable());
    let (mut now, mut idle) = (0, 0);
    while now < until {
        while let Some(arrival) = arrivals.next_if(|arrival| arrival.time <= now) {
            scheduler.enqueue(arrival.flow, arrival.packet, arrival.time);
        }
        while let Some((_, event)) = events.next_if(|(time, _)| *time <= now) {
            event(scheduler);
        }
        if let Some((flow, packet)) = scheduler.dequeue(now) {
            let end = now + link.picoseconds(u64::from(packet.bytes));
            sent(scheduler, &Departure { flow, packet, begin: now, end });
            (now, idle) = (end, 0);
            continue;
        }
        let coming = arrivals.peek().map(|arrival| arrival.time);
        let event = events.peek().map(|(time, _)| *time);
        let Some(next) = [coming, event, scheduler.next_event(now)].into_iter().flatten().min()
        else {
            return Ok(());
        };
        idle = if next > now { 0 } else { idle + 1 };
        if idle > 100 {
            return Err(format!("the scheduler has no packet at {now} ps and says that it has"));
        }
        now = next;
    }
    Ok(())
}
