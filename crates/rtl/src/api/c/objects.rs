//! Counters, registers, meters, copies and messages in C.

use super::super::plan::{Array, Digests, Plan};
use super::Part;
use super::values::{comment, get, member};
use std::fmt::Write;

/// The parts of all objects that are no tables.
pub fn parts(plan: &Plan<'_>) -> Vec<Part> {
    let program = plan.program.as_str();
    let mut parts = vec![counts(plan)];
    parts.extend(plan.counters.iter().map(|array| counter(program, array)));
    parts.extend(plan.registers.iter().map(|array| register(program, array)));
    parts.extend(plan.meters.iter().map(|array| meter(program, array)));
    if plan.replication.is_some() {
        parts.push(copies(program));
    }
    parts.extend(plan.digests.as_ref().map(|found| digests(program, found)));
    parts
}

/// The counts of the whole device.
fn counts(plan: &Plan<'_>) -> Part {
    let program = &plan.program;
    let bits = plan.manifest.objects.first().map_or(64, |object| object.row_bits);
    let members =
        ["packets_received", "packets_sent", "packets_dropped", "digests_lost", "buffer_lost"];
    let mut part = Part { title: "packets of the device".into(), ..Part::default() };
    let list: String = members.iter().map(|name| format!("    uint64_t {name};\n")).collect();
    let doc = "/* Counts since the reset. packets_dropped: by the program; buffer_lost: packets for \
               which there\n * was no buffer. */\n";
    part.types = format!("{doc}typedef struct {program}_counts {{\n{list}}} {program}_counts;\n");
    let places: String = members.iter().map(|name| format!("&counts->{name}, ")).collect();
    part.function(
        "Reads the counts of the whole device.",
        format!("int {program}_counts_read({program} *device, {program}_counts *counts)"),
        &format!(
            "{{
    uint64_t *const places[] = {{{places}}};
    uint32_t n;

    for (n = 0; n < sizeof places / sizeof *places; n++) {{
        uint8_t row[{bytes}];
        int error = ww_row_read(&device->bus, 0, 0, n, row, {bits});

        if (error != WW_OK)
            return error;
        *places[n] = ww_get(row, 0, {bits});
    }}
    return WW_OK;
}}",
            places = places.trim_end_matches(", "),
            bytes = bits.div_ceil(8),
        ),
    );
    part
}

fn checked(size: u64, call: &str) -> String {
    format!(
        "{{
    if (index >= {size}u)
        return WW_ERROR_RANGE;
    return {call};
}}"
    )
}

fn counter(program: &str, array: &Array) -> Part {
    let Array { id, name, window, size, .. } = array;
    let mut part = Part { title: format!("counter {name}, {size} cells"), ..Part::default() };
    part.function(
        "Reads a cell; pointers may be NULL.",
        format!(
            "int {program}_{id}_read({program} *device, uint32_t index, uint64_t *packets, \
             uint64_t *bytes)"
        ),
        &checked(*size, &format!("ww_counter_read(&device->bus, {window}, index, packets, bytes)")),
    );
    part.function(
        "Sets a cell.",
        format!(
            "int {program}_{id}_write({program} *device, uint32_t index, uint64_t packets, \
             uint64_t bytes)"
        ),
        &checked(
            *size,
            &format!("ww_counter_write(&device->bus, {window}, index, packets, bytes)"),
        ),
    );
    part
}

fn meter(program: &str, array: &Array) -> Part {
    let Array { id, name, window, size, bytes, .. } = array;
    let unit = if *bytes { "bytes" } else { "packets" };
    let title = format!("meter {name}, {size} cells, {unit}");
    let mut part = Part { title, ..Part::default() };
    part.function(
        "Sets the rates of a cell, whose buckets are full then. NULL: everything is green.",
        format!(
            "int {program}_{id}_write({program} *device, uint32_t index, const ww_rates *rates)"
        ),
        &checked(*size, &format!("ww_meter_write(&device->bus, {window}, index, rates)")),
    );
    part
}

fn register(program: &str, array: &Array) -> Part {
    let Array { id, name, window, size, width, .. } = array;
    let bytes = width.div_ceil(8);
    let title = format!("register {name}, {size} values of {width} bits");
    let mut part = Part { title, ..Part::default() };
    // Values are as often numbers as not: integers as far as there are such.
    let wide = *width > 64;
    let (out, value, doc) = match wide {
        true => (
            format!("uint8_t value[{bytes}]"),
            format!("const uint8_t value[{bytes}]"),
            ", in network order",
        ),
        false => ("uint64_t *value".to_owned(), "uint64_t value".to_owned(), ""),
    };
    let take = match wide {
        true => format!("ww_get_bytes(row, 0, {width}, value);"),
        false => format!("*value = ww_get(row, 0, {width});"),
    };
    let put = if wide { "ww_put_bytes" } else { "ww_put" };
    part.function(
        &format!("Reads a value{doc}."),
        format!("int {program}_{id}_read({program} *device, uint32_t index, {out})"),
        &format!(
            "{{
    uint8_t row[{bytes}];
    int error;

    if (index >= {size}u)
        return WW_ERROR_RANGE;
    error = ww_row_read(&device->bus, {window}, 0, index, row, {width});
    if (error == WW_OK)
        {take}
    return error;
}}"
        ),
    );
    part.function(
        &format!("Sets a value{doc}."),
        format!("int {program}_{id}_write({program} *device, uint32_t index, {value})"),
        &format!(
            "{{
    uint8_t row[{bytes}] = {{0}};

    if (index >= {size}u || {put}(row, 0, {width}, value) != WW_OK)
        return WW_ERROR_RANGE;
    return ww_row_write(&device->bus, {window}, 0, index, row, {width});
}}"
        ),
    );
    part
}

fn copies(program: &str) -> Part {
    let mut part = Part { title: "multicast groups and mirror sessions".into(), ..Part::default() };
    part.function(
        "Replaces the members of a multicast group; `count` 0 empties it.",
        format!(
            "int {program}_multicast_set({program} *device, uint32_t group, \
             const ww_replica *members, uint32_t count)"
        ),
        "{\n    return ww_multicast_set(device->copies, group, members, count);\n}",
    );
    part.function(
        "Replaces the copies of a mirror session, cut to `truncate` bytes or WW_WHOLE.",
        format!(
            "int {program}_mirror_set({program} *device, uint32_t session, \
             const ww_replica *members, uint32_t count, uint32_t truncate)"
        ),
        "{\n    return ww_mirror_set(device->copies, session, members, count, truncate);\n}",
    );
    part
}

fn digests(program: &str, digests: &Digests<'_>) -> Part {
    let mut part = Part { title: "digests".into(), ..Part::default() };
    let upper = program.to_uppercase();
    let (mut kinds, mut types, mut members, mut cases) =
        (String::new(), String::new(), String::new(), String::new());
    for (n, (id, layout)) in digests.kinds.iter().enumerate() {
        let kind = format!("{upper}_DIGEST_{}", id.to_uppercase());
        let _ = writeln!(kinds, "    {kind} = {n}, /* {} */", comment(&layout.name));
        let names = layout.fields.iter().map(|(name, _)| name.as_str());
        let fields = super::super::names::distinct(names, &[]);
        let (mut list, mut takes) = (String::new(), String::new());
        let mut offset = 0;
        for ((_, width), field) in layout.fields.iter().zip(&fields) {
            let _ = writeln!(list, "    {}", member(field, *width));
            let place = format!("digest->fields.{id}.{field}");
            let _ = writeln!(takes, "        {}", get("row", offset, *width, &place));
            offset += width;
        }
        if list.is_empty() {
            list = "    uint8_t empty;\n".to_owned();
        }
        let _ = write!(
            types,
            "\ntypedef struct {program}_digest_{id} {{\n{list}}} {program}_digest_{id};\n"
        );
        let _ = writeln!(members, "        {program}_digest_{id} {id};");
        let _ = write!(cases, "    case {kind}:\n{takes}        break;\n");
    }
    part.types = format!(
        "/* Kinds of digests. */
enum {{
{kinds}}};
{types}
/* A digest; `kind` says which of the fields are valid. */
typedef struct {program}_digest {{
    uint32_t kind;
    uint32_t receiver; /* what the program gave as such */
    union {{
{members}    }} fields;
}} {program}_digest;
"
    );
    let (window, bits) = (digests.window, digests.row_bits);
    let data = bits.saturating_sub(41);
    part.function(
        "Takes the oldest digest out of the device; WW_ERROR_NOT_FOUND if none waits.",
        format!("int {program}_digest_take({program} *device, {program}_digest *digest)"),
        &format!(
            "{{
    uint8_t row[{bytes}];
    int error = ww_row_read(&device->bus, {window}, 0, 0, row, {bits});

    if (error != WW_OK)
        return error;
    if (ww_get(row, {valid}, 1) == 0)
        return WW_ERROR_NOT_FOUND;
    digest->kind = (uint32_t)ww_get(row, {data}, 8);
    digest->receiver = (uint32_t)ww_get(row, {receiver}, 32);
    switch (digest->kind) {{
{cases}    default:
        return WW_ERROR_INFO;
    }}
    return WW_OK;
}}",
            bytes = bits.div_ceil(8),
            valid = data + 40,
            receiver = data + 8,
        ),
    );
    part
}
