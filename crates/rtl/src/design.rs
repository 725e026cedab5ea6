//! An emitted design: source files and what software must know of them.

use crate::manifest::Manifest;

/// A file of SystemVerilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its name, with `.sv`: that of the module in it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A program as hardware. The blocks of `rtl/` that it uses are not among its files:
/// [`crate::library`] has them.
#[derive(Clone, Debug)]
pub struct Design {
    /// The top module. Its ports: `clk`, `rst`; `s_axis_*` and `m_axis_*` (`tdata`, `tkeep`,
    /// `tvalid`, `tready`, `tlast`, `tuser[64:0]`), for the shape `switch` arrays of
    /// [`Manifest::ports`] of them, port 0 lowest; `s_axil_*`, AXI4-Lite with 24 bits of address
    /// and 32 of data; `cfg_*`, the control bus behind that as a second master for models that
    /// load tables quickly (`cfg_valid`, `cfg_write`, `cfg_object[11:0]`, `cfg_address[11:0]`,
    /// `cfg_wdata[31:0]`, `cfg_ready`, `cfg_rdata[31:0]`; tie `cfg_valid` to 0 in hardware);
    /// `idle`, 1 when no packet is inside.
    pub top: String,
    /// The files, the packages first.
    pub files: Vec<SourceFile>,
    /// What software must know.
    pub manifest: Manifest,
}
