//! The C++ around a model: a plain C interface to its ports.

use super::Error;
use std::fmt::Write;

/// Number of the interface; a model of another one is not loaded.
pub const INTERFACE: u32 = 1;

/// Prefix of the names that Verilator gives to the model's classes.
pub const PREFIX: &str = "Vww";

/// A port as the class of the model declares it.
#[derive(Debug, PartialEq, Eq)]
struct Port {
    name: String,
    bits: u32,
    is_output: bool,
}

/// What stands after the model's own code. `header` is `Vww.h` of Verilator, which names the
/// ports.
pub fn shim(header: &str, waveform: Option<Waveform>) -> Result<String, Error> {
    let ports = ports(header)?;
    let mut code = String::new();
    if let Some(format) = waveform {
        let _ = writeln!(
            code,
            "#include \"{}\"\n#define WW_WAVEFORM {}",
            format.header(),
            format.class()
        );
    }
    let _ = write!(code, "#define WW_INTERFACE {INTERFACE}\n{}", include_str!("shim.cpp"));
    let _ = writeln!(code, "WW_API const ww_port* ww_ports(ww_model* m, uint32_t* count) {{");
    let _ = writeln!(code, "    if (m->ports.empty()) m->ports = {{");
    for Port { name, bits, is_output } in &ports {
        let _ = writeln!(
            code,
            "        {{\"{name}\", &m->top.{name}, {bits}, sizeof(m->top.{name}), {}}},",
            u8::from(*is_output)
        );
    }
    code.push_str("    };\n    *count = m->ports.size();\n    return m->ports.data();\n}\n");
    Ok(code)
}

/// Formats of waveforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waveform {
    /// GTKWave's, small; needs the headers of lz4 and zlib.
    Fst,
    /// Of the SystemVerilog standard.
    Vcd,
}

impl Waveform {
    /// The format that a file's name asks for: `.vcd`, otherwise FST.
    pub fn of(path: &std::path::Path) -> Self {
        match path.extension().is_some_and(|e| e.eq_ignore_ascii_case("vcd")) {
            true => Self::Vcd,
            false => Self::Fst,
        }
    }

    fn header(self) -> &'static str {
        match self {
            Self::Fst => "verilated_fst_c.h",
            Self::Vcd => "verilated_vcd_c.h",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Fst => "VerilatedFstC",
            Self::Vcd => "VerilatedVcdC",
        }
    }

    /// Verilator's option.
    pub fn option(self) -> &'static str {
        match self {
            Self::Fst => "--trace-fst",
            Self::Vcd => "--trace-vcd",
        }
    }

    /// The file of Verilator's runtime.
    pub fn source(self) -> &'static str {
        match self {
            Self::Fst => "verilated_fst_c",
            Self::Vcd => "verilated_vcd_c",
        }
    }

    /// Libraries that the model needs then.
    pub fn libraries(self) -> &'static [&'static str] {
        match self {
            Self::Fst => &["-llz4", "-lz"],
            Self::Vcd => &[],
        }
    }
}

/// The ports in the class of a model: `VL_IN8(&clk,0,0);`, `VL_OUTW(&q,70,0,3);`.
fn ports(header: &str) -> Result<Vec<Port>, Error> {
    let mut list = Vec::new();
    for line in header.lines().map(str::trim) {
        let (is_output, rest) = match (line.strip_prefix("VL_IN"), line.strip_prefix("VL_OUT")) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => continue,
        };
        let unreadable = || Error::Model(format!("a port that software cannot drive: {line}"));
        let inside = rest.split_once('(').and_then(|(_, rest)| rest.strip_suffix(");"));
        let mut items = inside.ok_or_else(unreadable)?.split(',');
        let name = items.next().and_then(|name| name.strip_prefix('&')).ok_or_else(unreadable)?;
        let mut number = || items.next().and_then(|text| text.trim().parse::<u32>().ok());
        let (high, low) = number().zip(number()).ok_or_else(unreadable)?;
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !plain || high < low {
            return Err(unreadable());
        }
        list.push(Port { name: name.to_owned(), bits: high - low + 1, is_output });
    }
    match list.iter().any(|port| port.name == "clk") {
        true => Ok(list),
        false => Err(Error::Model("the top module has no port clk".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_a_class() {
        let header = "class Vww {\n    VL_IN8(&clk,0,0);\n    VL_OUT16(&count,11,0);\n    \
                      VL_INW(&data,64,0,3);\n    // VL_IN8(&no,0,0)\n};\n";
        let found = ports(header).expect("well formed");
        let brief: Vec<_> = found.iter().map(|p| (p.name.as_str(), p.bits, p.is_output)).collect();
        assert_eq!(brief, [("clk", 1, false), ("count", 12, true), ("data", 65, false)]);
    }

    #[test]
    fn ports_that_are_none() {
        for header in ["", "VL_IN8(&rst,0,0);", "VL_IN8((&clk)[3],7,0);", "VL_IN8(&clk,0);"] {
            assert!(ports(header).is_err(), "{header}");
        }
    }
}
