//! The native part of the Python package `wirewright`.

// PyO3's macros make documented functions out of these.
mod labs;
mod models;
mod tpp;

use pyo3::prelude::*;

/// Labs, models for tests of hardware, and tiny packet programs.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(labs::check, module)?)?;
    module.add_function(wrap_pyfunction!(labs::run, module)?)?;
    module.add_function(wrap_pyfunction!(labs::sweep, module)?)?;
    module.add_function(wrap_pyfunction!(models::internet_checksum, module)?)?;
    module.add_class::<models::OrderedList>()?;
    module.add_class::<models::Scheduler>()?;
    module.add_function(wrap_pyfunction!(tpp::assemble, module)?)?;
    module.add_function(wrap_pyfunction!(tpp::disassemble, module)?)?;
    module.add_function(wrap_pyfunction!(tpp::check, module)?)?;
    module.add_class::<tpp::Answer>()?;
    module.add_class::<tpp::Executor>()?;
    module.add_class::<tpp::Tpp>()?;
    Ok(())
}
