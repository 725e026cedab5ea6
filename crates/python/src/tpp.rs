//! Tiny packet programs: bytes, and the executor on sockets.

use pyo3::exceptions::{
    PyConnectionRefusedError, PyLookupError, PyOSError, PyRuntimeError, PyTimeoutError,
    PyValueError,
};
use pyo3::prelude::*;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use ww_host::patterns::Unfinished;
use ww_host::reading::Reading;
use ww_host::udp_executor::{self as executor, NoAnswer, Request, Why};
use ww_tpp::analyse::hazard::hazards;
use ww_tpp::analyse::verify::verify;
use ww_tpp::assemble::{self as assembler, Options, render};
use ww_tpp::disassemble::{disassemble as program_of, line};
use ww_tpp::header::{Mode, WordSize, flag};
use ww_tpp::map::Stages;
use ww_tpp::packet::Repr;
use ww_tpp::policy_file;
use ww_tpp::protection::Protection;

fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn parsed(bytes: &[u8]) -> PyResult<Repr> {
    let tpp = ww_tpp::packet::Tpp::new(bytes)
        .map_err(|fault| wrong(format!("this is no TPP: {fault}")))?;
    match tpp.length() == bytes.len() {
        true => Ok(Repr::parse(&tpp)),
        false => Err(wrong(format!("the TPP has {} bytes, found {}", tpp.length(), bytes.len()))),
    }
}

/// A TPP. Its fields are those of the bytes; it does not change.
#[pyclass(frozen, eq, from_py_object, module = "wirewright.tpp")]
#[derive(Clone, PartialEq)]
pub struct Tpp(Repr);

#[pymethods]
impl Tpp {
    /// Of bytes, all of which are the TPP. ValueError: they are none.
    #[new]
    fn new(bytes: &[u8]) -> PyResult<Self> {
        parsed(bytes).map(Self)
    }

    fn __bytes__(&self) -> Vec<u8> {
        self.0.emit()
    }

    fn __repr__(&self) -> String {
        let Repr { hop, app_tag, ref instructions, ref memory, .. } = self.0;
        let (code, memory) = (instructions.len(), memory.len());
        format!("<Tpp of application {app_tag}: {code} instructions, {memory} bytes, {hop} hops>")
    }

    /// 'stack' or 'hop'.
    #[getter]
    fn mode(&self) -> &'static str {
        self.0.mode.word()
    }

    /// Bits of a word of packet memory.
    #[getter]
    fn word(&self) -> u32 {
        self.0.word.bits()
    }

    /// Switches that have executed it.
    #[getter]
    fn hops(&self) -> u8 {
        self.0.hop
    }

    /// Bytes.
    #[getter]
    fn stack_pointer(&self) -> u8 {
        self.0.stack_pointer
    }

    /// Bytes of a hop's block.
    #[getter]
    fn hop_length(&self) -> u8 {
        self.0.hop_length
    }

    /// The application's tag.
    #[getter]
    fn app(&self) -> u8 {
        self.0.app_tag
    }

    /// The EtherType of what follows.
    #[getter]
    fn protocol(&self) -> u16 {
        self.0.protocol
    }

    /// Whether no switch executes it any more.
    #[getter]
    fn done(&self) -> bool {
        self.0.marks & flag::DONE != 0
    }

    /// Instructions as text.
    #[getter]
    fn instructions(&self) -> Vec<String> {
        self.0.instructions.iter().map(|instruction| line(*instruction, self.0.mode)).collect()
    }

    /// Packet memory, word by word.
    #[getter]
    fn words(&self) -> Vec<u32> {
        self.0.words().collect()
    }

    /// Packet memory in blocks of so many words: what a program that pushes as many values has collected, for as many
    /// hops as have executed it.
    fn rows(&self, values: usize) -> PyResult<Vec<Vec<u32>>> {
        if values == 0 {
            return Err(wrong("a hop has one value at least"));
        }
        let words: Vec<u32> = self.0.words().collect();
        let hops = words.chunks_exact(values).take(self.0.hop.into());
        Ok(hops.map(<[u32]>::to_vec).collect())
    }
}

/// The TPP of a program. ValueError: all mistakes.
#[pyfunction]
#[pyo3(signature = (program, hops=None, word=None, mode=None, app=None))]
pub fn assemble(
    program: &str,
    hops: Option<u16>,
    word: Option<u8>,
    mode: Option<&str>,
    app: Option<u8>,
) -> PyResult<Tpp> {
    let word = match word {
        None => None,
        Some(16) => Some(WordSize::Two),
        Some(32) => Some(WordSize::Four),
        Some(other) => return Err(wrong(format!("a word has 16 or 32 bits, found {other}"))),
    };
    let mode = match mode {
        None => None,
        Some("stack") => Some(Mode::Stack),
        Some("hop") => Some(Mode::Hop),
        Some(_) => return Err(wrong("a mode is 'stack' or 'hop'")),
    };
    let options = Options { word, hops, app_tag: app, mode };
    assembler::assemble(program, &options)
        .map(Tpp)
        .map_err(|mistakes| wrong(render("program", program, &mistakes).trim_end()))
}

/// The program of a TPP; assembling it gives the same.
#[pyfunction]
pub fn disassemble(tpp: &Tpp) -> String {
    program_of(&tpp.0)
}

/// What is against a TPP: rules of a policy file's text, and hazards in a pipeline of so many stages. An empty list:
/// nothing is.
#[pyfunction]
#[pyo3(signature = (tpp, policy=None, stages=4, egress_stages=0))]
pub fn check(
    tpp: &Tpp,
    policy: Option<&str>,
    stages: u16,
    egress_stages: u16,
) -> PyResult<Vec<String>> {
    if !(1..=64).contains(&stages) || egress_stages > 64 {
        return Err(wrong("a pipeline has 1 to 64 stages, and up to 64 behind the queues"));
    }
    let mut against = Vec::new();
    if let Some(text) = policy {
        let rules = policy_file::parse("", text).map_err(|report| wrong(report.to_string()))?;
        let violations = verify(&tpp.0, &Protection::new(&rules)).err().unwrap_or_default();
        against.extend(violations.iter().map(ToString::to_string));
    }
    let stages = Stages { ingress: stages, egress: egress_stages };
    against.extend(hazards(&tpp.0, &stages).iter().map(|hazard| format!("hazard: {hazard}")));
    Ok(against)
}

/// A TPP that has come back.
#[pyclass(frozen, get_all, module = "wirewright.tpp")]
pub struct Answer {
    /// As it came back.
    tpp: Py<Tpp>,
    /// Seconds since it was last sent.
    round_trip: f64,
    /// How often it was sent.
    tries: u32,
    /// Switches that have executed it.
    hops: usize,
    /// What the columns of rows are.
    names: Vec<String>,
    /// What the hops have read, one behind the other.
    rows: Vec<Vec<u32>>,
    /// Words with a place of their own: name and value.
    fixed: Vec<(String, u32)>,
}

fn no_answer(error: &NoAnswer) -> PyErr {
    let message = error.to_string();
    match error.why {
        Why::Lost { .. } | Why::Interrupted => PyTimeoutError::new_err(message),
        Why::Refused => PyConnectionRefusedError::new_err(message),
        Why::Unreachable(_) | Why::Failed(_) => PyOSError::new_err(message),
    }
}

fn unfinished(error: &Unfinished) -> PyErr {
    match error {
        Unfinished::Guard(reason) => wrong(reason),
        Unfinished::NoAnswer(reason) => no_answer(reason),
        Unfinished::NotExecuted(_) => PyLookupError::new_err(error.to_string()),
        Unfinished::NoWord(_) | Unfinished::Changed(_) => {
            PyRuntimeError::new_err(error.to_string())
        }
    }
}

fn address(text: &str) -> PyResult<Ipv4Addr> {
    text.parse().map_err(|_| wrong(format!("expected an IPv4 address, found {text:?}")))
}

/// Sends TPPs in UDP datagrams until they come back; no root is needed. TimeoutError: nothing came back;
/// ConnectionRefusedError: nobody answers TPPs there; LookupError: the switch was not on the way.
#[pyclass(module = "wirewright.tpp")]
pub struct Executor {
    executor: executor::Executor,
    raised: Arc<Mutex<Option<PyErr>>>,
}

#[pymethods]
impl Executor {
    /// Sends up to `tries` times and waits `timeout` seconds each time.
    #[new]
    #[pyo3(signature = (tries=3, timeout=1.0))]
    fn new(tries: u32, timeout: f64) -> PyResult<Self> {
        let timeout = Duration::try_from_secs_f64(timeout).map_err(wrong)?;
        if tries == 0 || timeout.is_zero() {
            return Err(wrong("it needs one try and some time at least"));
        }
        let raised = Arc::new(Mutex::new(None));
        let signal = Arc::clone(&raised);
        let executor = executor::Executor::new(tries, timeout).interrupted_by(move || {
            match Python::attach(|py| py.check_signals()) {
                Ok(()) => false,
                Err(error) => {
                    *signal.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    true
                }
            }
        });
        Ok(Self { executor, raised })
    }

    /// Sends a TPP until it comes back.
    fn reliable(&mut self, py: Python<'_>, tpp: &Tpp, to: &str) -> PyResult<Answer> {
        let (tpp, to) = (&tpp.0, address(to)?);
        let answer = self.beside(py, |executor| executor.reliable(tpp, to))?;
        told(py, answer.map_err(|error| no_answer(&error))?)
    }

    /// Sends many TPPs at once, given as (tpp, address). Gives an Answer or an exception for each.
    fn all(&mut self, py: Python<'_>, requests: Vec<(Tpp, String)>) -> PyResult<Vec<Py<PyAny>>> {
        let request = |(tpp, to): (Tpp, String)| Ok(Request { tpp: tpp.0, to: address(&to)? });
        let requests = requests.into_iter().map(request).collect::<PyResult<Vec<_>>>()?;
        let answers = self.beside(py, |executor| executor.all(&requests))?;
        let each = answers.into_iter().map(|answer| {
            object(py, answer.map_err(|error| no_answer(&error)).and_then(|a| told(py, a)))
        });
        each.collect()
    }

    /// Has one switch on the way execute a TPP.
    fn targeted(&mut self, py: Python<'_>, tpp: &Tpp, to: &str, switch: u32) -> PyResult<Answer> {
        let (tpp, to) = (&tpp.0, address(to)?);
        let answer = self.beside(py, |executor| executor.targeted(tpp, to, switch))?;
        told(py, answer.map_err(|error| unfinished(&error))?)
    }

    /// Has each of these switches execute a TPP, all at once. `switches` has their numbers with the addresses that TPPs
    /// are sent to. Gives an Answer or an exception for each.
    fn scatter_gather(
        &mut self,
        py: Python<'_>,
        tpp: &Tpp,
        switches: std::collections::BTreeMap<u32, String>,
    ) -> PyResult<std::collections::BTreeMap<u32, Py<PyAny>>> {
        let place = |(id, to): (u32, String)| Ok((id, address(&to)?));
        let switches = switches.into_iter().map(place).collect::<PyResult<Vec<_>>>()?;
        let tpp = &tpp.0;
        let all = self.beside(py, |executor| executor.scatter(tpp, &switches))?;
        let each = all.map_err(wrong)?.into_iter().map(|(id, answer)| {
            let told = answer.map_err(|error| unfinished(&error)).and_then(|a| told(py, a));
            Ok((id, object(py, told)?))
        });
        each.collect()
    }

    /// Has the first switch send the TPP back after executing it.
    fn reflective(&mut self, py: Python<'_>, tpp: &Tpp, to: &str) -> PyResult<Answer> {
        let (tpp, to) = (&tpp.0, address(to)?);
        let answer = self.beside(py, |executor| executor.reflect(tpp, to))?;
        told(py, answer.map_err(|error| no_answer(&error))?)
    }

    /// Collects of more hops than one TPP has room for. Gives the rows; without `hops` it finds out how long the path is.
    #[pyo3(signature = (tpp, to, hops=None))]
    fn large(
        &mut self,
        py: Python<'_>,
        tpp: &Tpp,
        to: &str,
        hops: Option<u8>,
    ) -> PyResult<Vec<Vec<u32>>> {
        let (tpp, to) = (&tpp.0, address(to)?);
        let large = self.beside(py, |executor| executor.large(tpp, to, hops))?;
        large.map(|large| large.reading.rows).map_err(|error| unfinished(&error))
    }

    /// Writes a word of a switch, given by its name, so that a retry does no harm. Gives what it was. Error:
    /// somebody else has written meanwhile, or it cannot be written.
    #[pyo3(signature = (to, switch, name, value, app=0))]
    fn store(
        &mut self,
        py: Python<'_>,
        to: &str,
        switch: u32,
        name: &str,
        value: u32,
        app: u8,
    ) -> PyResult<u32> {
        let at = ww_tpp::map::lookup(name).map_err(|error| match error.help {
            Some(help) => wrong(format!("{}; {help}", error.message)),
            None => wrong(error.message),
        })?;
        let to = address(to)?;
        self.beside(py, |executor| executor.store(to, switch, at, value, app))?
            .map_err(|error| unfinished(&error))
    }
}

impl Executor {
    /// Waits beside the interpreter, until it is done or a signal handler of Python raises.
    fn beside<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut executor::Executor) -> T + Send,
    ) -> PyResult<T> {
        let executor = &mut self.executor;
        let result = py.detach(|| work(executor));
        match self.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(result),
        }
    }
}

fn told(py: Python<'_>, answer: executor::Answer) -> PyResult<Answer> {
    let Reading { fixed, names, rows, .. } = Reading::new(&answer.sent, &answer.tpp);
    let (round_trip, tries) = (answer.round_trip.as_secs_f64(), answer.tries);
    let hops = answer.tpp.hop.into();
    let tpp = Py::new(py, Tpp(answer.tpp))?;
    Ok(Answer { tpp, round_trip, tries, hops, names, rows, fixed })
}

/// An answer, or the exception that there is instead.
fn object(py: Python<'_>, result: PyResult<Answer>) -> PyResult<Py<PyAny>> {
    match result {
        Ok(answer) => Ok(Py::new(py, answer)?.into_any()),
        Err(error) => Ok(error.into_value(py).into_any()),
    }
}
