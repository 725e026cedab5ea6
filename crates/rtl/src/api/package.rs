//! The folder that `ww build` writes.

use super::plan::Plan;
use super::{Error, c, python, register_map};
use crate::design::Design;
use crate::library;
use std::fmt::Write;
use std::sync::Arc;
use ww_p4::ir::Program;

/// A file: its path below the folder, with `/`, and its contents.
pub type File = (String, Vec<u8>);

/// The driver, as it is in `rtl/driver`.
const DRIVER: [(&str, &str); 12] = [
    ("ww_driver.c", include_str!("../../../../rtl/driver/ww_driver.c")),
    ("ww_driver.h", include_str!("../../../../rtl/driver/ww_driver.h")),
    ("ww_driver.py", include_str!("../../../../rtl/driver/ww_driver.py")),
    ("ww_exact.c", include_str!("../../../../rtl/driver/ww_exact.c")),
    ("ww_lpm.c", include_str!("../../../../rtl/driver/ww_lpm.c")),
    ("ww_lpm.h", include_str!("../../../../rtl/driver/ww_lpm.h")),
    ("ww_lpm_blocks.c", include_str!("../../../../rtl/driver/ww_lpm_blocks.c")),
    ("ww_lpm_blocks.h", include_str!("../../../../rtl/driver/ww_lpm_blocks.h")),
    ("ww_lpm_geometry.c", include_str!("../../../../rtl/driver/ww_lpm_geometry.c")),
    ("ww_row.c", include_str!("../../../../rtl/driver/ww_row.c")),
    ("ww_shadow.h", include_str!("../../../../rtl/driver/ww_shadow.h")),
    ("ww_ternary.c", include_str!("../../../../rtl/driver/ww_ternary.c")),
];

/// What generated code stands on besides.
const RUNTIME: [(&str, &str); 3] = [
    ("ww_control.c", include_str!("runtime/ww_control.c")),
    ("ww_control.h", include_str!("runtime/ww_control.h")),
    ("ww_control.py", include_str!("runtime/ww_control.py")),
];

/// All files for a design that was made of `program`. `p4info` is that of the program, as text.
///
/// # Errors
/// What the program says of its tables has no place in the design.
pub fn package(
    design: &Design,
    program: &Arc<Program>,
    p4info: Vec<u8>,
) -> Result<Vec<File>, Error> {
    let plan = Plan::new(&design.manifest, program)?;
    let name = &plan.program;
    let blocks = library::needed(design.files.iter().map(|file| file.text.as_str()));
    let mut sources: Vec<(String, &str)> =
        blocks.iter().map(|block| (format!("rtl/{}.sv", block.module), block.text)).collect();
    sources.extend(design.files.iter().map(|f| (format!("rtl/{}", f.name), f.text.as_str())));
    let list: Vec<&str> = sources.iter().map(|(path, _)| path.as_str()).collect();

    let mut files: Vec<File> = vec![
        ("filelist.f".into(), list.join("\n").into_bytes()),
        (format!("{name}.core"), core(&design.top, name, &list).into_bytes()),
        ("p4info.txtpb".into(), p4info),
        ("manifest.json".into(), json(design)?),
        ("registers.md".into(), register_map::register_map(&design.manifest).into_bytes()),
        ("README.md".into(), readme(design, &plan).into_bytes()),
        (format!("control/{name}.h"), c::header(&plan).into_bytes()),
        (format!("control/{name}.c"), c::source(&plan).into_bytes()),
        (format!("control/{name}.py"), python::module(&plan).into_bytes()),
        ("control/Makefile".into(), makefile(name).into_bytes()),
    ];
    files[0].1.push(b'\n');
    files.extend(sources.iter().map(|(path, text)| (path.clone(), text.as_bytes().to_vec())));
    for (file, text) in DRIVER.iter().chain(&RUNTIME) {
        files.push((format!("control/{file}"), text.as_bytes().to_vec()));
    }
    Ok(files)
}

fn json(design: &Design) -> Result<Vec<u8>, Error> {
    let mut bytes = serde_json::to_vec_pretty(&design.manifest)
        .map_err(|error| Error::Program(format!("the manifest cannot be written: {error}")))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The FuseSoC description.
fn core(top: &str, name: &str, sources: &[&str]) -> String {
    let list: String = sources.iter().map(|path| format!("      - {path}\n")).collect();
    format!(
        "CAPI=2:
name: wirewright:design:{name}:0.1.0
description: P4 program {name} as hardware

filesets:
  rtl:
    files:
{list}    file_type: systemVerilogSource

targets:
  default:
    filesets: [rtl]
    toplevel: {top}
  lint:
    default_tool: verilator
    filesets: [rtl]
    toplevel: {top}
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
"
    )
}

fn makefile(name: &str) -> String {
    format!(
        "# The control plane as a library, for C programs and for {name}.py.
CC ?= cc
CFLAGS ?= -O2 -Wall -Wextra

SOURCES := $(wildcard *.c)

lib{name}.so: $(SOURCES) $(wildcard *.h)
\t$(CC) -std=c99 $(CFLAGS) -fPIC -shared -o $@ $(SOURCES)

clean:
\trm -f lib{name}.so

.PHONY: clean
"
    )
}

fn readme(design: &Design, plan: &Plan<'_>) -> String {
    let (top, name, manifest) = (&design.top, &plan.program, &design.manifest);
    let mut text = format!(
        "# `{program}` as hardware

Made by `ww build`: a bus of {width} bits, shape `{shape}`, {ports} stream pair{s}. Nothing here needs anything else of
Wirewright.

| | |
|---|---|
| `rtl/`, `filelist.f`, `{name}.core` | SystemVerilog; top module `{top}`. The list is in the order in which tools are to read the files, relative to this folder |
| `p4info.txtpb` | what P4Runtime calls the program's objects |
| `manifest.json` | what software must know: objects, windows, rows; everything below is made from it |
| `registers.md` | the register map |
| `control/{name}.h`, `.c` | the control plane in C: typed functions for every table, counter and register |
| `control/{name}.py` | the same in Python |
| `control/ww_*` | what both stand on; `make -C control` makes a shared library of it |

## Ports

`clk`, `rst` (synchronous, high); `s_axis_*` and `m_axis_*`, AXI4-Stream, byte 0 in `tdata[7:0]`, `tuser` =
`{{time[47:0] in microseconds, port[15:0], bad_fcs}}`; `s_axil_*`, AXI4-Lite; `cfg_*`, a second master of the control
bus for simulations (tie `cfg_valid` to 0); `idle`, 1 when no packet is inside.

```
verilator --lint-only -Wall --top-module {top} -f filelist.f
```

## In C

```c
static int write_word(void *base, uint32_t address, uint32_t word)
{{
    ((volatile uint32_t *)base)[address / 4] = word;
    return 0;
}}

static int read_word(void *base, uint32_t address, uint32_t *word)
{{
    *word = ((volatile uint32_t *)base)[address / 4];
    return 0;
}}

ww_bus bus = {{.context = registers, .write = write_word, .read = read_word}};
{name} *device;
int error = {name}_open(&device, &bus);
```

Compile all `.c` files of `control/` into the program (C99).

## In Python

```python
from {name} import Device

device = Device(bus)  # an object with write32(address, word) and read32(address)
device.open()
```

Under cocotb, `Device(bus, asynchronous=True)` with coroutines, and `await` before every call.
",
        program = manifest.program,
        width = manifest.width,
        shape = manifest.shape,
        ports = manifest.ports,
        s = if manifest.ports == 1 { "" } else { "s" },
    );
    if !plan.tables.is_empty() {
        text.push_str("\n## Tables\n\n| table | built as | entries | in C | in Python |\n|---|---|---|---|---|\n");
        for table in &plan.tables {
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | `{name}_{id}_...` | `device.{id}` |",
                table.name,
                table.object.implementation,
                table.object.entries,
                id = table.id
            );
        }
    }
    text
}
