//! The native part of the Python package `wirewright`.

// PyO3's macros make documented functions out of these.
mod labs;
mod models;

use pyo3::prelude::*;

/// Labs, and models for tests of hardware.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(labs::check, module)?)?;
    module.add_function(wrap_pyfunction!(labs::run, module)?)?;
    module.add_function(wrap_pyfunction!(labs::sweep, module)?)?;
    module.add_function(wrap_pyfunction!(models::internet_checksum, module)?)?;
    module.add_class::<models::OrderedList>()?;
    module.add_class::<models::Scheduler>()?;
    Ok(())
}
