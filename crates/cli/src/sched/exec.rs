//! `ww sched exec`: operations in, answers out.

use crate::Failure;
use crate::output::{stdout, written};
use crate::sched_args::{ExecArguments, ImplementationName};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use ww_rtl::ordered_list::{Block, SimulatedList};
use ww_sched::list::fast::FastList;
use ww_sched::list::fifo::FifoList;
use ww_sched::list::pifo::PifoList;
use ww_sched::list::reference::ReferenceList;
use ww_sched::list::{Limits, OrderedList};
use ww_sched::operations::{Implementation, MAX_LINE, Operation};

/// Executes the operations. Answers appear as soon as no further operation is at hand, so that a
/// program at the other end of a pipe can wait for them.
pub fn exec(arguments: &ExecArguments) -> Result<(), Failure> {
    let limits = Limits::new(arguments.capacity, arguments.rank_bits, arguments.time_bits)
        .map_err(Failure::Usage)?;
    let mut implementation = implementation(arguments.implementation, limits)?;
    let path = &arguments.operations;
    let input: Box<dyn Read> = match path.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(path).map_err(|error| unreadable(path, &error))?),
    };
    let mut output = BufWriter::new(stdout());
    let result = answer(path, BufReader::new(input), &mut output, implementation.as_mut());
    let flushed = output.flush();
    match (result, flushed) {
        (Err(Stop::Output(error)), _) => written(Err(error)),
        (Err(Stop::Input(message)), _) => Err(Failure::Rejected(message)),
        (Ok(()), flushed) => written(flushed),
    }
}

/// The implementation of this name. All of one kind of list, or of a model, go through one trait.
fn implementation(
    name: ImplementationName,
    limits: Limits,
) -> Result<Box<dyn Implementation>, Failure> {
    let hardware = |block| match SimulatedList::new(block, limits) {
        Ok(list) => Ok(Box::new(list) as Box<dyn Implementation>),
        Err(error) => Err(Failure::Rejected(error.to_string())),
    };
    let list: Box<dyn OrderedList> = match name {
        ImplementationName::List => Box::new(ReferenceList::new(limits)),
        ImplementationName::Fast => Box::new(FastList::new(limits)),
        ImplementationName::Pifo => Box::new(PifoList::new(limits)),
        ImplementationName::Fifo => Box::new(FifoList::new(limits)),
        ImplementationName::Rtl => return hardware(Block::Pieo),
        ImplementationName::RtlFast => return hardware(Block::PieoFast),
        ImplementationName::RtlPipelined => return hardware(Block::PieoPipelined),
    };
    Ok(Box::new(list))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::Rejected(format!("cannot read '{}': {error}", path.display()))
}

/// Why no further operation is executed.
enum Stop {
    Input(String),
    Output(io::Error),
}

fn answer(
    path: &Path,
    mut input: BufReader<Box<dyn Read>>,
    output: &mut impl Write,
    implementation: &mut dyn Implementation,
) -> Result<(), Stop> {
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        let place =
            |message: String| Stop::Input(format!("{}:{number}: {message}", path.display()));
        let limit = MAX_LINE as u64 + 1;
        let read = input.by_ref().take(limit).read_until(b'\n', &mut line);
        if read.map_err(|error| place(format!("cannot read: {error}")))? == 0 {
            break;
        }
        if line.len() > MAX_LINE {
            return Err(place(format!("expected an operation, found more than {MAX_LINE} bytes")));
        }
        let text = String::from_utf8_lossy(&line);
        if let Some(operation) = Operation::parse(&text).map_err(place)? {
            let answer = implementation.execute(&operation).map_err(place)?;
            writeln!(output, "{answer}").map_err(Stop::Output)?;
        }
        if input.buffer().is_empty() {
            output.flush().map_err(Stop::Output)?;
        }
    }
    Ok(())
}
