//! The native part of the Python package `wirewright`: a module for each subject, so that two subjects may use one
//! word (a lab and a tiny packet program can both be checked).

// PyO3's macros make documented functions out of these.
mod dataplanes;
mod labs;
mod models;
mod tpp;

use pyo3::prelude::*;

/// Labs, dataplanes, models for tests of hardware, and tiny packet programs.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    /// Programs on capture files and interfaces.
    #[pymodule]
    mod dataplanes {
        #[pymodule_export]
        use crate::dataplanes::{Dataplane, run};
    }

    /// Checks, runs and sweeps.
    #[pymodule]
    mod labs {
        #[pymodule_export]
        use crate::labs::{check, run, sweep};
    }

    /// What hardware is compared with.
    #[pymodule]
    mod models {
        #[pymodule_export]
        use crate::models::{OrderedList, Scheduler, internet_checksum};
    }

    /// Tiny packet programs.
    #[pymodule]
    mod tpp {
        #[pymodule_export]
        use crate::tpp::{Answer, Executor, Tpp, assemble, check, disassemble};
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
