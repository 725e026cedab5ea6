//! A case: a program, and what happens to it.

use crate::pool::Pool;
use crate::profile::{Feature, Profile};
use crate::program::generate;
use crate::random::Random;
use crate::request::Request;
use crate::tree::Program;
use crate::{entries, packets};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use ww_p4::frontend::compile_text;
use ww_p4::ir;

/// One thing that happens to an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A request of the control plane.
    Request(Request),
    /// A packet comes in.
    Packet {
        /// Port.
        port: u32,
        /// Time in picoseconds.
        at: u64,
        /// The frame.
        bytes: Vec<u8>,
    },
}

/// A program with requests and packets.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The program.
    pub program: Program,
    /// What happens, in order. Times never decrease.
    pub steps: Vec<Step>,
}

/// A program in the forms that engines are made from.
#[derive(Clone, Debug)]
pub struct Source {
    /// P4 text.
    pub text: String,
    /// The checked program.
    pub program: Arc<ir::Program>,
}

/// Compiles P4 text; the error is what the front end says.
pub fn compile(text: String) -> Result<Source, String> {
    let compilation = compile_text(Path::new("generated.p4"), text.clone(), &Default::default());
    if compilation.diagnostics.has_errors() {
        return Err(compilation.diagnostics.render(&compilation.sources, false));
    }
    Ok(Source { text, program: Arc::new(compilation.program) })
}

/// Tells the random numbers of the steps from those of the program.
const STEPS: u64 = 0x7374_6570_7300_0001;

impl Case {
    /// The case of a seed, and its program compiled. The error is a message of the front end or of
    /// the control plane's schema, either of them a fault of theirs or of the generator.
    pub fn generate(seed: u64, profile: &Profile) -> Result<(Case, Source), String> {
        let program = generate(seed, profile);
        let source = compile(program.text())?;
        let schema = ww_engine::schema::of(&source.program).map_err(|e| format!("{e:?}"))?;
        let pool = Pool::new(seed);
        let mut random = Random::new(seed ^ STEPS);

        let mut requests = entries::requests(&schema, &pool, profile, &mut random);
        let live = if profile.without.contains(Feature::LiveControl) { 0 } else { 30 };
        let late: Vec<Request> = requests.split_off(requests.len() - requests.len() * live / 100);
        let mut steps: Vec<Step> = requests.into_iter().map(Step::Request).collect();
        let first = steps.len();
        steps.extend(packets::packets(&program, &pool, profile, &mut random));
        for request in late {
            let at = random.between(first, steps.len());
            steps.insert(at, Step::Request(request));
        }
        Ok((Case { program, steps }, source))
    }

    /// The program and a listing of the steps in the notation of the Simple Test Framework; what
    /// that cannot say is a comment.
    pub fn listing(&self) -> String {
        let mut out = self.program.text();
        let _ = writeln!(out, "\n/* Steps:");
        let mut now = 0;
        for step in &self.steps {
            match step {
                Step::Request(request) => {
                    let _ = writeln!(out, "{request}");
                }
                Step::Packet { port, at, bytes } => {
                    if *at != now {
                        let _ = writeln!(out, "# at {at} ps");
                        now = *at;
                    }
                    let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
                    let _ = writeln!(out, "packet {port} {hex}");
                }
            }
        }
        out.push_str("*/\n");
        out
    }
}
