//! The world of live ports: real time, until somebody asks it to stop, or until the
//! frames of its memory ports are used up.
//!
//! Each worker is a thread that serves its part of all ports in turn, a batch at a
//! time, with a dataplane of its own. Frames of one flow come to one worker. File
//! ports may be mixed in: their frames come in at the pace of their timestamps,
//! counted from the start of the run, all at the first worker; what leaves through
//! them is written with the time of day. If no port but files and memory ports is
//! there, a worker ends once its frames are used up and nothing is pending.

use super::clock::Clock;
use super::counters::Counters;
use super::exits::{Exit, Exits};
use super::handle::{Handle, OwnedDataplane, Seat, Shared};
use super::paced::{FileOutput, FileTransmitter, PacedInput};
use super::worker::{Ended, Engine, Place, Worker};
use super::{RunError, RunReport, cores};
use crate::frame_memory::{DEFAULT_MEMORY, FrameMemory};
use crate::live::{Attachment, Transmitter};
use crate::spec::{PortAssignment, PortSpec};
use crate::stop::Stop;
use crate::time::UtcTime;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use ww_dataplane::Dataplane;

/// Bytes of stack of each worker but the first, which runs on the caller's.
const STACK: usize = 64 << 20;

/// Which cores the workers run on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pinning {
    /// Those that the kernel picks.
    None,
    /// One of those that the process may use for each worker.
    Any,
    /// These, in the order of the workers.
    Cores(Vec<usize>),
}

/// How a world runs.
#[derive(Clone)]
pub struct Options {
    /// Number of threads, each with a dataplane.
    pub workers: NonZeroUsize,
    /// Where they run. A worker that cannot get its core goes on unpinned, after a notice.
    pub pinning: Pinning,
    /// Told in one sentence what the user should know: how an interface is reached and
    /// why, a core that is not available, an interface that vanished.
    pub notice: Arc<dyn Fn(&str) + Send + Sync>,
    /// Bytes that the frames of all memory ports may take together.
    pub memory: u64,
}

impl Default for Options {
    /// One worker, anywhere, nobody who listens, and [`DEFAULT_MEMORY`].
    fn default() -> Self {
        Self {
            workers: NonZeroUsize::MIN,
            pinning: Pinning::None,
            notice: Arc::new(|_| ()),
            memory: DEFAULT_MEMORY,
        }
    }
}

/// Runs `dataplane` on live ports until `stop` is raised, with one worker. Output files
/// get their names then.
pub fn run(
    ports: &[PortAssignment],
    dataplane: &mut dyn Dataplane,
    stop: &Stop,
) -> Result<RunReport, RunError> {
    World::open(ports, &Options::default(), stop)?.run_lent(dataplane)
}

/// Open ports, ready to run.
pub struct World {
    shared: Arc<Shared>,
    workers: Vec<Worker>,
    outputs: Vec<Arc<FileOutput>>,
    notice: Arc<dyn Fn(&str) + Send + Sync>,
}

impl World {
    /// Opens all ports. The run ends when `stop` is raised.
    pub fn open(
        ports: &[PortAssignment],
        options: &Options,
        stop: &Stop,
    ) -> Result<Self, RunError> {
        let workers = options.workers.get();
        let notice = Arc::clone(&options.notice);
        let allowed = cores::allowed();
        let cores = match &options.pinning {
            Pinning::None => vec![None; workers],
            Pinning::Any => cores::assign(workers, None, &allowed, &*notice),
            Pinning::Cores(wanted) => cores::assign(workers, Some(wanted), &allowed, &*notice),
        };
        #[cfg(feature = "dpdk")]
        start_dpdk(ports, &allowed, &*notice)?;
        let numbers = ports.iter().map(|port| (port.port, port.spec.to_string()));
        let counters = Counters::new(numbers, workers);
        let seats = (0..workers).map(|_| Seat::new()).collect::<io::Result<_>>()?;
        let shared = Arc::new(Shared { seats, cores, counters, stop: stop.clone() });
        let mut clock = Clock::new();
        let (mut files, mut outputs) = (Files::default(), Vec::new());
        let mut attachments = Vec::new();
        let mut memory = FrameMemory::new(options.memory, 1);
        for (position, port) in ports.iter().enumerate() {
            attachments.push(Attachment::new(port, workers, &mut memory, &*notice)?.map(Arc::new));
            let output = files.open(port, &shared.counters, position, clock.today())?;
            outputs.push(output);
        }
        let finite = ports.iter().all(|port| port.spec.is_finite());
        let mut built = Vec::new();
        for index in 0..workers {
            let (mut places, mut ways) = (Vec::new(), Vec::new());
            for (position, port) in ports.iter().enumerate() {
                let counters = shared.counters.of(position, index);
                let (mut receiver, mut transmitter) = (None, None);
                if let Some(attachment) = &attachments[position] {
                    let opened = attachment.open(index, Arc::clone(&counters))?;
                    (receiver, transmitter) = (Some(opened.receiver), Some(opened.transmitter));
                } else if let Some(output) = &outputs[position] {
                    let (output, counters) = (Arc::clone(output), Arc::clone(&counters));
                    let file: Box<dyn Transmitter> = Box::new(FileTransmitter { output, counters });
                    transmitter = Some(file);
                }
                ways.push(Exit { port: port.port, counters: Arc::clone(&counters), transmitter });
                places.push(Place {
                    attachment: attachments[position].clone(),
                    receiver,
                    counters,
                });
            }
            built.push(Worker {
                index,
                shared: Arc::clone(&shared),
                clock: clock.clone(),
                places,
                exits: Exits::new(
                    ways,
                    Arc::clone(&shared.counters.unattached[index]),
                    Arc::clone(&shared.counters.lateness[index]),
                ),
                inputs: std::mem::take(&mut files.inputs),
                outputs: outputs.iter().flatten().cloned().collect(),
                files_start: files.start.unwrap_or_default(),
                finite,
                notice: Arc::clone(&notice),
                descriptors: Vec::new(),
                next_check: 0,
            });
        }
        // Loading took its time, which is none of the run's.
        clock.restart();
        built.iter_mut().for_each(|worker| worker.clock = clock.clone());
        let outputs = outputs.into_iter().flatten().collect();
        Ok(Self { shared, workers: built, outputs, notice })
    }

    /// A handle to the world, to be used while it runs and after.
    pub fn handle(&self) -> Handle {
        Handle(Arc::clone(&self.shared))
    }

    /// Runs until the end, one dataplane a worker. Returns what happened and the
    /// dataplanes that were in place at the end, by worker. Output files get their names.
    ///
    /// # Panics
    /// If the number of dataplanes is not the number of workers.
    pub fn run(
        self,
        dataplanes: Vec<OwnedDataplane>,
    ) -> Result<(RunReport, Vec<OwnedDataplane>), RunError> {
        self.run_engines(dataplanes.into_iter().map(Engine::Owned).collect())
    }

    /// Runs one worker until the end, with a dataplane that stays the caller's.
    ///
    /// # Panics
    /// If there are more workers than one.
    pub fn run_lent(self, dataplane: &mut dyn Dataplane) -> Result<RunReport, RunError> {
        Ok(self.run_engines(vec![Engine::Lent(dataplane)])?.0)
    }

    fn run_engines(
        self,
        engines: Vec<Engine<'_>>,
    ) -> Result<(RunReport, Vec<OwnedDataplane>), RunError> {
        let Self { shared, workers, outputs, notice } = self;
        assert_eq!(engines.len(), workers.len(), "one dataplane for each worker");
        let mut jobs = workers.into_iter().zip(engines);
        let first = jobs.next();
        let mut results = Vec::new();
        let result = std::thread::scope(|scope| -> io::Result<()> {
            let mut threads = Vec::new();
            for (worker, engine) in jobs {
                // A thread needs a dataplane of its own.
                let Engine::Owned(engine) = engine else { continue };
                let (shared, notice) = (&shared, &notice);
                let thread = std::thread::Builder::new()
                    .name(format!("worker{}", worker.index))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        start(worker, Engine::Owned(engine), shared, &**notice)
                    });
                match thread {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        shared.stop.raise();
                        return Err(error);
                    }
                }
            }
            if let Some((worker, engine)) = first {
                let before = cores::allowed();
                results.push(start(worker, engine, &shared, &*notice));
                // The caller's thread is its own again. That it could be pinned before says
                // that this works too.
                let _ = cores::pin(&before);
            }
            for thread in threads {
                match thread.join() {
                    Ok(result) => results.push(result),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(())
        });
        if shared.stop.is_raised() {
            shared.stop.acknowledge();
        }
        result?;
        let (mut dataplanes, mut end, mut seconds) = (Vec::new(), 0, 0.0);
        for result in results {
            let Ended { dataplane, clock } = result?;
            end = end.max(clock.end());
            seconds = clock.seconds();
            dataplanes.extend(dataplane);
        }
        outputs.iter().try_for_each(|output| output.finish())?;
        let handle = Handle(shared);
        let report = RunReport {
            ports: handle.port_counters(),
            unattached: handle.unattached(),
            end,
            wall_seconds: seconds,
            workers: handle.worker_counters(),
        };
        Ok((report, dataplanes))
    }
}

/// Starts DPDK if there are ports for it.
#[cfg(feature = "dpdk")]
fn start_dpdk(
    ports: &[PortAssignment],
    allowed: &[usize],
    notice: &dyn Fn(&str),
) -> Result<(), RunError> {
    let devices: Vec<_> = ports
        .iter()
        .filter_map(|port| match &port.spec {
            PortSpec::Dpdk(device) => Some(device.as_str()),
            _ => None,
        })
        .collect();
    if devices.is_empty() {
        return Ok(());
    }
    let result = crate::dpdk::start(&devices, allowed.first().copied().unwrap_or(0), notice);
    // DPDK pins the thread that starts it.
    cores::pin(allowed)?;
    result.map_err(|problem| RunError::System(io::Error::other(problem)))
}

/// Runs a worker on this thread. Whatever ends it badly ends the others too.
fn start(
    worker: Worker,
    engine: Engine<'_>,
    shared: &Shared,
    notice: &dyn Fn(&str),
) -> Result<Ended, RunError> {
    struct EndAll<'s>(&'s Stop);
    impl Drop for EndAll<'_> {
        fn drop(&mut self) {
            self.0.raise();
        }
    }
    let guard = EndAll(&shared.stop);
    let index = worker.index;
    if let Some(core) = shared.cores[index]
        && let Err(error) = cores::pin(&[core])
    {
        notice(&format!(
            "worker {index} gets no core of its own: core {core}: {error}; it goes on unpinned"
        ));
    }
    let result = worker.run(engine);
    if result.is_ok() {
        std::mem::forget(guard);
    }
    result
}

/// The file ports of a live world.
#[derive(Default)]
struct Files {
    inputs: Vec<PacedInput>,
    /// The earliest timestamp in them.
    start: Option<UtcTime>,
}

impl Files {
    /// Opens the files of a port; the way out, if it is a file port.
    fn open(
        &mut self,
        port: &PortAssignment,
        counters: &Counters,
        position: usize,
        today: UtcTime,
    ) -> Result<Option<Arc<FileOutput>>, RunError> {
        let PortSpec::Files { input, output } = &port.spec else { return Ok(None) };
        if let Some(path) = input {
            let mut input = PacedInput::open(path, port.port, counters.of(position, 0))?;
            if let Some(first) = input.peek()? {
                self.start = Some(self.start.map_or(first, |start| start.min(first)));
            }
            self.inputs.push(input);
        }
        Ok(Some(Arc::new(FileOutput::create(output.as_deref(), port.port, today)?)))
    }
}
