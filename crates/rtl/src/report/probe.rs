//! Where a packet is, seen from inside: a module around the design that notes in which clock the
//! latest packet passed from one stage to the next.

use crate::design::{Design, SourceFile};
use crate::manifest::Manifest;
use crate::runner::Error;
use crate::runner::testbench::Testbench;

const PROBE: &str = include_str!("probe.sv.in");

/// A design with probes: the same, but for ports `probe_*` at its top. The shape `switch` has no
/// single way of a packet: it stays as it is.
pub fn probed(design: &Design) -> Design {
    if design.manifest.ports != 1 {
        return design.clone();
    }
    let (gated, copied, processed) = match has_copies(&design.manifest) {
        true => ("design_i.ingress_valid", "design_i.copy_start", "design_i.egress_valid"),
        false => ("1'b0", "1'b0", "design_i.out_valid"),
    };
    let top = format!("{}_probe", design.top);
    let text = PROBE
        .replace("@TOP@", &design.top)
        .replace("@WIDTH@", &design.manifest.width.to_string())
        .replace("@GATED@", gated)
        .replace("@COPIED@", copied)
        .replace("@PROCESSED@", processed);
    let mut files = design.files.clone();
    files.push(SourceFile { name: format!("{top}.sv"), text });
    Design { top, files, manifest: design.manifest.clone() }
}

/// Whether there is an egress of its own.
pub fn has_copies(manifest: &Manifest) -> bool {
    manifest.timing.sections.len() > 1
}

/// Clocks of the latest packet's passages, counted from reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passages {
    /// The first beat in.
    pub entered: u64,
    /// The head is complete, and the first pipeline takes it.
    pub started: u64,
    /// It leaves ingress (programs that make copies).
    pub gated: u64,
    /// Its latest copy enters egress (programs that make copies).
    pub copied: u64,
    /// Its new headers are there.
    pub processed: u64,
    /// The deparser takes them.
    pub taken: u64,
    /// The deparser takes the packet's first beat.
    pub fed: u64,
    /// The first beat out.
    pub first: u64,
    /// The last beat out.
    pub last: u64,
}

impl Passages {
    /// Reads the probes.
    pub fn read(bench: &Testbench) -> Result<Self, Error> {
        let read = |name: &str| {
            bench.output(&format!("probe_{name}")).ok_or_else(|| {
                Error::Model(format!("the model was built without the probe `{name}`"))
            })
        };
        Ok(Self {
            entered: read("entered")?,
            started: read("started")?,
            gated: read("gated")?,
            copied: read("copied")?,
            processed: read("processed")?,
            taken: read("taken")?,
            fed: read("fed")?,
            first: read("first")?,
            last: read("last")?,
        })
    }
}
