//! The world of files: frames enter in the order of their timestamps, then of
//! their ports, and time is theirs. It ends with the last frame, once the
//! dataplane has nothing pending.
//!
//! The run's clock starts at the earliest timestamp. What leaves is written with
//! that start added back, so a frame that passes without delay keeps its stamp.

use super::files::FilePort;
use super::outbox::Outbox;
use super::{RunError, RunReport, Traffic};
use crate::spec::PortAssignment;
use crate::stop::Stop;
use crate::time::UtcTime;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Instant;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Transmit};

/// Frames between two looks at the request to stop.
const STOP_INTERVAL: u64 = 256;

/// Runs `dataplane` until the files end. Output files appear only when all of it
/// went well; a raised `stop` counts as an error for that reason.
///
/// All of `ports` must be files; others count as not attached.
pub fn run(
    ports: &[PortAssignment],
    dataplane: &mut dyn Dataplane,
    stop: &Stop,
) -> Result<RunReport, RunError> {
    let began = Instant::now();
    let mut files = BTreeMap::new();
    for port in ports {
        if let Some(file) = FilePort::open(port)? {
            files.insert(port.port, file);
        }
    }
    // Which port has the next frame: by time, then by number.
    let mut arrivals = BinaryHeap::new();
    for (&port, file) in &mut files {
        if let Some(time) = file.peek()? {
            arrivals.push(Reverse((time, port)));
        }
    }
    let start = arrivals.peek().map_or(UtcTime(0), |Reverse((time, _))| *time);
    let mut world =
        World { files, start, now: 0, outbox: Outbox::default(), unattached: Traffic::default() };
    let mut count = 0u64;
    while let Some(Reverse((_, port))) = arrivals.pop() {
        count += 1;
        if count.is_multiple_of(STOP_INTERVAL) && stop.is_raised() {
            return Err(RunError::Interrupted);
        }
        if let Some(next) = world.receive(port, dataplane)? {
            arrivals.push(Reverse((next, port)));
        }
    }
    world.advance(Picoseconds::MAX, dataplane, stop)?;
    world.release(Picoseconds::MAX)?;
    world.finish(began)
}

struct World {
    files: BTreeMap<PortId, FilePort>,
    start: UtcTime,
    now: Picoseconds,
    outbox: Outbox,
    unattached: Traffic,
}

impl World {
    /// Gives the dataplane the next frame of `port`; returns the time of the one
    /// after it.
    fn receive(
        &mut self,
        port: PortId,
        dataplane: &mut dyn Dataplane,
    ) -> Result<Option<UtcTime>, RunError> {
        let Some(file) = self.files.get_mut(&port) else { return Ok(None) };
        let Some((time, frame)) = file.next_frame(self.start)? else { return Ok(None) };
        while let Some(event) = dataplane.next_event().filter(|event| *event <= time) {
            self.now = self.now.max(event);
            dataplane.advance(self.now, &mut self.outbox.fresh);
            self.release(self.now)?;
        }
        self.now = self.now.max(time);
        dataplane.receive(port, self.now, &frame.frame, &mut self.outbox.fresh);
        self.release(self.now)?;
        let Some(file) = self.files.get_mut(&port) else { return Ok(None) };
        file.recycle(frame);
        Ok(file.peek()?)
    }

    /// Lets the dataplane work off what is pending up to `until`.
    fn advance(
        &mut self,
        until: Picoseconds,
        dataplane: &mut dyn Dataplane,
        stop: &Stop,
    ) -> Result<(), RunError> {
        while let Some(event) = dataplane.next_event().filter(|event| *event <= until) {
            if stop.is_raised() {
                return Err(RunError::Interrupted);
            }
            self.now = self.now.max(event);
            dataplane.advance(self.now, &mut self.outbox.fresh);
            self.release(self.now)?;
        }
        Ok(())
    }

    /// Writes what leaves by `until`.
    fn release(&mut self, until: Picoseconds) -> Result<(), RunError> {
        let Self { files, start, outbox, unattached, .. } = self;
        outbox.release(until, |Transmit { port, at, frame }| {
            if let Some(file) = files.get_mut(&port) {
                return file.send(start.after(at), &frame);
            }
            unattached.count(frame.len());
            Ok(())
        })
    }

    fn finish(self, began: Instant) -> Result<RunReport, RunError> {
        let ports =
            self.files.into_values().map(FilePort::finish).collect::<Result<Vec<_>, _>>()?;
        Ok(RunReport {
            ports,
            unattached: self.unattached,
            end: self.now,
            wall_seconds: began.elapsed().as_secs_f64(),
            workers: Vec::new(),
        })
    }
}
