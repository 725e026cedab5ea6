//! The world of Linux interfaces: real time, until somebody asks it to stop.
//!
//! One thread serves all ports in turn, a batch at a time. File ports may be mixed
//! in: their frames come in at the pace of their timestamps, counted from the start
//! of the run, and what leaves through them is written with the time of day.

use super::files::FilePort;
use super::outbox::Outbox;
use super::{RunError, RunReport, Traffic};
use crate::live::{self, Device};
use crate::spec::PortAssignment;
use crate::stop::Stop;
use crate::time::UtcTime;
use libc::pollfd;
use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use ww_engine::dataplane::{Dataplane, Picoseconds, PortId, Transmit};

/// Frames taken from one port before the next one gets its turn.
const BATCH: usize = 64;

/// How often interfaces are looked after.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Runs `dataplane` on live ports until `stop` is raised. Output files get their
/// names then.
pub fn run(
    ports: &[PortAssignment],
    dataplane: &mut dyn Dataplane,
    stop: &Stop,
) -> Result<RunReport, RunError> {
    let mut world = World::open(ports)?;
    let mut next_check = Instant::now() + CHECK_INTERVAL;
    while !stop.is_raised() {
        world.clock.tick();
        world.pass_time(dataplane);
        world.receive_files(dataplane)?;
        world.receive_devices(dataplane);
        world.send()?;
        if Instant::now() >= next_check {
            world.devices.iter_mut().for_each(|device| device.check());
            next_check = Instant::now() + CHECK_INTERVAL;
        }
        let limit = next_check.saturating_duration_since(Instant::now());
        world.wait(dataplane, stop, limit)?;
    }
    stop.acknowledge();
    world.finish()
}

/// The run's clock: monotonic, in picoseconds since the start.
struct Clock {
    began: Instant,
    /// The time of day at the start, by which output files are stamped.
    start: UtcTime,
    /// The time of this round.
    now: Picoseconds,
    /// The time of day at `now`, to place the kernel's stamps.
    today: UtcTime,
    /// The latest time given to the dataplane; it never runs backwards.
    latest: Picoseconds,
}

impl Clock {
    fn new() -> Self {
        let start = time_of_day();
        Self { began: Instant::now(), start, now: 0, today: start, latest: 0 }
    }

    fn tick(&mut self) {
        let elapsed = self.began.elapsed().as_nanos().saturating_mul(1000);
        self.now = Picoseconds::try_from(elapsed).unwrap_or(Picoseconds::MAX);
        self.today = time_of_day();
    }

    /// The run's time for a frame the kernel stamped: now, less its age. A step of
    /// the system's clock cannot push it into the future or behind other frames.
    fn arrival(&mut self, stamp: Option<UtcTime>) -> Picoseconds {
        let age = stamp.and_then(|stamp| self.today.since(stamp)).unwrap_or(0);
        self.at(self.now.saturating_sub(age))
    }

    /// `time`, or the latest time given out if that is later.
    fn at(&mut self, time: Picoseconds) -> Picoseconds {
        self.latest = self.latest.max(time);
        self.latest
    }
}

fn time_of_day() -> UtcTime {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UtcTime::from_seconds(since.as_secs() as i64, since.subsec_nanos())
}

/// Where a port's frames go.
#[derive(Clone, Copy)]
enum Target {
    Device(usize),
    File(usize),
}

struct World {
    clock: Clock,
    devices: Vec<Box<dyn Device>>,
    files: Vec<FilePort>,
    targets: HashMap<PortId, Target>,
    /// The earliest timestamp in the input files: it stands for the run's start.
    files_start: UtcTime,
    outbox: Outbox,
    unattached: Traffic,
    descriptors: Vec<pollfd>,
}

/// Gives a frame to the dataplane, after the events due before it.
fn receive(
    dataplane: &mut dyn Dataplane,
    outbox: &mut Outbox,
    port: PortId,
    now: Picoseconds,
    frame: &[u8],
) {
    if dataplane.next_event().is_some_and(|event| event <= now) {
        dataplane.advance(now, &mut outbox.fresh);
    }
    dataplane.receive(port, now, frame, &mut outbox.fresh);
}

impl World {
    fn open(ports: &[PortAssignment]) -> Result<Self, RunError> {
        let (mut devices, mut files, mut targets) = (Vec::new(), Vec::new(), HashMap::new());
        let mut files_start: Option<UtcTime> = None;
        for port in ports {
            if let Some(device) = live::open(port)? {
                targets.insert(port.port, Target::Device(devices.len()));
                devices.push(device);
            } else if let Some(mut file) = FilePort::open(port)? {
                if let Some(first) = file.peek()? {
                    files_start = Some(files_start.map_or(first, |start| start.min(first)));
                }
                targets.insert(port.port, Target::File(files.len()));
                files.push(file);
            }
        }
        Ok(Self {
            clock: Clock::new(),
            devices,
            files,
            targets,
            files_start: files_start.unwrap_or_default(),
            outbox: Outbox::default(),
            unattached: Traffic::default(),
            descriptors: Vec::new(),
        })
    }

    /// Lets the dataplane catch up with the clock.
    fn pass_time(&mut self, dataplane: &mut dyn Dataplane) {
        if dataplane.next_event().is_some_and(|event| event <= self.clock.now) {
            let now = self.clock.at(self.clock.now);
            dataplane.advance(now, &mut self.outbox.fresh);
        }
    }

    fn receive_files(&mut self, dataplane: &mut dyn Dataplane) -> Result<(), RunError> {
        for file in &mut self.files {
            for _ in 0..BATCH {
                let Some(stamp) = file.peek()? else { break };
                if stamp.since(self.files_start).is_some_and(|due| due > self.clock.now) {
                    break;
                }
                let Some((due, frame)) = file.next_frame(self.files_start)? else { break };
                let now = self.clock.at(due);
                receive(dataplane, &mut self.outbox, file.port(), now, &frame.frame);
                file.recycle(frame);
            }
        }
        Ok(())
    }

    fn receive_devices(&mut self, dataplane: &mut dyn Dataplane) {
        let Self { devices, clock, outbox, .. } = self;
        for device in devices {
            let port = device.port();
            device.receive(BATCH, &mut |stamp, frame| {
                let now = clock.arrival(stamp);
                receive(dataplane, outbox, port, now, frame);
            });
        }
    }

    /// Sends what is due.
    fn send(&mut self) -> Result<(), RunError> {
        let Self { devices, files, targets, outbox, clock, unattached, .. } = self;
        let now = clock.now.max(clock.latest);
        outbox.release(now, |Transmit { port, at, frame }| {
            match targets.get(&port) {
                Some(&Target::Device(index)) => devices[index].send(frame),
                Some(&Target::File(index)) => files[index].send(clock.start.after(at), &frame)?,
                None => unattached.count(frame.len()),
            }
            Ok::<(), RunError>(())
        })?;
        devices.iter_mut().for_each(|device| device.flush());
        Ok(())
    }

    /// Waits for frames, for the next thing that is due, or for `limit`.
    fn wait(
        &mut self,
        dataplane: &dyn Dataplane,
        stop: &Stop,
        limit: Duration,
    ) -> Result<(), RunError> {
        let mut due = [dataplane.next_event(), self.outbox.next_due()]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(Picoseconds::MAX);
        for file in &mut self.files {
            if let Some(stamp) = file.peek()? {
                due = due.min(stamp.since(self.files_start).unwrap_or(Picoseconds::MAX));
            }
        }
        let due = self.clock.began + Duration::from_nanos(due.div_ceil(1000));
        let timeout = due.saturating_duration_since(Instant::now()).min(limit);
        let entry = |fd| pollfd { fd, events: libc::POLLIN, revents: 0 };
        self.descriptors.clear();
        self.descriptors.push(entry(stop.descriptor()));
        // A negative descriptor is passed over, and keeps the places aligned.
        let devices = self.devices.iter().map(|device| entry(device.descriptor().unwrap_or(-1)));
        self.descriptors.extend(devices);
        live::wait(&mut self.descriptors, timeout)?;
        for (device, entry) in self.devices.iter_mut().zip(&self.descriptors[1..]) {
            if entry.revents & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0 {
                device.clear_error();
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<RunReport, RunError> {
        let mut ports: Vec<_> = self.devices.iter_mut().map(|device| device.report()).collect();
        for file in self.files {
            ports.push(file.finish()?);
        }
        ports.sort_by_key(|report| report.port);
        Ok(RunReport {
            ports,
            unattached: self.unattached,
            end: self.clock.now.max(self.clock.latest),
            wall_seconds: self.clock.began.elapsed().as_secs_f64(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_runs_backwards() {
        let mut clock = Clock::new();
        clock.now = 1_000;
        clock.today = UtcTime(5_000);
        assert_eq!(clock.arrival(Some(UtcTime(4_900))), 900);
        assert_eq!(clock.arrival(Some(UtcTime(4_800))), 900, "behind another frame");
        assert_eq!(clock.arrival(Some(UtcTime(9_999))), 1_000, "from the future");
        assert_eq!(clock.arrival(None), 1_000);
        clock.now = 2_000;
        assert_eq!(clock.arrival(Some(UtcTime(0))), 1_000, "older than the run");
    }
}
