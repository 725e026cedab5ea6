//! Tables in C.

use super::super::plan::{ActionPlan, Order, TablePlan};
use super::Part;
use super::values::{argument, bytes, comment, get, literal, member, put};
use crate::manifest::{ActionLayout, HashParameters};
use num_bigint::BigUint;
use std::fmt::Write;

/// Types and functions of a table.
pub fn part(program: &str, table: &TablePlan<'_>) -> Part {
    let writer = Writer { program, table, name: format!("{program}_{}", table.id) };
    let object = table.object;
    let title = match table.has_keys() {
        true => {
            format!("table {} ({}, {} entries)", table.name, object.implementation, object.entries)
        }
        false => format!("table {} (no keys)", table.name),
    };
    let mut part = Part { title, ..Part::default() };
    writer.types(&mut part);
    if table.has_keys() {
        writer.info(&mut part);
        writer.pack(&mut part);
    }
    for (n, (action, layout)) in writer.actions().enumerate() {
        writer.action(&mut part, n, action, layout);
    }
    if table.has_keys() {
        writer.entries(&mut part);
    }
    part
}

/// The constant that is a table's position among those that have entries.
pub fn position(program: &str, table: &TablePlan<'_>) -> String {
    format!("TABLE_{program}_{}", table.id).to_uppercase()
}

struct Writer<'t> {
    program: &'t str,
    table: &'t TablePlan<'t>,
    /// Prefix of all names.
    name: String,
}

impl Writer<'_> {
    fn actions(&self) -> impl Iterator<Item = (&ActionPlan, &ActionLayout)> {
        self.table.actions.iter().zip(&self.table.object.actions)
    }

    /// The number of an action, as a constant.
    fn constant(&self, action: &ActionPlan) -> String {
        format!("{}_{}", self.name, action.id).to_uppercase()
    }

    fn key_bytes(&self) -> u32 {
        bytes(self.table.object.key_bits)
    }

    fn data_bytes(&self) -> u32 {
        bytes(self.table.object.data_bits)
    }

    /// Position among the tables that the driver holds.
    fn handle(&self) -> String {
        format!("device->table[{}]", position(self.program, self.table))
    }

    fn types(&self, part: &mut Part) {
        let (name, table) = (&self.name, self.table);
        let text = &mut part.types;
        let _ = writeln!(text, "/* Actions of the table. */\nenum {{");
        for (n, action) in table.actions.iter().enumerate() {
            let _ = writeln!(
                text,
                "    {} = {n}, /* {} */",
                self.constant(action),
                comment(&action.name)
            );
        }
        text.push_str("};\n");
        if !table.has_keys() {
            return;
        }
        let _ = write!(
            text,
            "\n/* An action with its parameters. */\ntypedef struct {name}_action {{\n    uint32_t action; /* one of the numbers above */\n"
        );
        if table.actions.iter().any(|action| !action.parameters.is_empty()) {
            text.push_str("    union {\n");
            for (action, layout) in self.actions().filter(|(a, _)| !a.parameters.is_empty()) {
                text.push_str("        struct {\n");
                for (id, parameter) in action.parameters.iter().zip(&layout.parameters) {
                    let _ = writeln!(text, "            {}", member(id, parameter.width));
                }
                let _ = writeln!(text, "        }} {};", action.id);
            }
            text.push_str("    } parameters;\n");
        }
        let _ = writeln!(text, "}} {name}_action;");
        if table.is_exact() {
            return;
        }
        let _ = write!(text, "\n/* What an entry matches. */\ntypedef struct {name}_match {{\n");
        for (id, key) in table.keys.iter().zip(&table.object.keys) {
            let value = |text: &mut String, suffix: &str| {
                let _ = writeln!(text, "    {}", member(&format!("{id}{suffix}"), key.width));
            };
            match key.match_kind.as_str() {
                "ternary" => {
                    value(text, "");
                    value(text, "_mask");
                }
                "range" => {
                    value(text, "_low");
                    value(text, "_high");
                }
                "lpm" => {
                    value(text, "");
                    let _ =
                        writeln!(text, "    uint32_t {id}_prefix; /* bits, 0 to {} */", key.width);
                }
                "optional" => {
                    value(text, "");
                    let _ = writeln!(text, "    int {id}_any; /* not 0: every value */");
                }
                _ => value(text, ""),
            }
        }
        if table.has_priority() {
            text.push_str(
                "    int32_t priority; /* the higher number wins, then the first inserted */\n",
            );
        }
        let _ = writeln!(text, "}} {name}_match;");
    }

    /// The driver's description.
    fn info(&self, part: &mut Part) {
        let (name, object) = (&self.name, self.table.object);
        let hash = object.hash.unwrap_or(HashParameters { ways: 0, buckets: 0, stash: 0, seed: 0 });
        let kind = object.implementation.to_uppercase();
        let one = || BigUint::from(1u32);
        let (mut bits, mut low) = (BigUint::ZERO, BigUint::ZERO);
        for key in object.keys.iter().filter(|key| key.match_kind == "range") {
            bits |= ((one() << key.width) - 1u32) << key.offset;
            low |= one() << key.offset;
        }
        let ranges = |value: &BigUint| match bits == BigUint::ZERO {
            true => "NULL".to_owned(),
            false => {
                let mut list = value.to_bytes_le();
                list.resize(self.key_bytes() as usize, 0);
                super::values::constant(&list)
            }
        };
        let _ = write!(
            part.private,
            "static const ww_table_info {name}_info = {{
    .name = {text},
    .window = {window},
    .kind = WW_TABLE_{kind},
    .entries = {entries},
    .key_bits = {key_bits},
    .data_bits = {data_bits},
    .action_bits = {action_bits},
    .number_bits = {number_bits},
    .ways = {ways},
    .buckets = {buckets},
    .stash = {stash},
    .seed = UINT64_C({seed}),
    .range_bits = {range_bits},
    .range_low = {range_low},
}};
",
            text = literal(self.table.name),
            window = self.table.window,
            entries = object.entries,
            key_bits = object.key_bits,
            data_bits = object.data_bits,
            action_bits = object.action_bits,
            number_bits = object.number_bits,
            ways = hash.ways,
            buckets = hash.buckets,
            stash = hash.stash,
            seed = hash.seed,
            range_bits = ranges(&bits),
            range_low = ranges(&low),
        );
    }

    /// Parameters of functions that name an entry, and how they are passed on.
    fn keys(&self) -> (String, String) {
        if !self.table.is_exact() {
            return (format!("const {}_match *match", self.name), "match".to_owned());
        }
        let keys = self.table.keys.iter().zip(&self.table.object.keys);
        let list: Vec<String> = keys.map(|(id, key)| argument(id, key.width)).collect();
        (list.join(", "), self.table.keys.join(", "))
    }

    /// The function that puts keys into the layout of the table.
    fn pack(&self, part: &mut Part) {
        let (table, name) = (self.table, &self.name);
        let (keys, _) = self.keys();
        let mut body = String::new();
        let mut prefix = String::from("0");
        let mut count = 0;
        for (id, key) in table.keys.iter().zip(&table.object.keys) {
            let (offset, width) = (key.offset, key.width);
            let from = if table.is_exact() { "" } else { "match->" };
            let mut line = |call: String| {
                let _ = writeln!(body, "    bad |= {call};");
            };
            let value = format!("{from}{id}");
            let ones = format!("ww_put_ones(mask, {offset}, {width})");
            let keep = format!("    ww_keep(key, mask, {offset}, {width});\n");
            match key.match_kind.as_str() {
                "ternary" => {
                    line(put("key", offset, width, &value));
                    line(put("mask", offset, width, &format!("{value}_mask")));
                    body.push_str(&keep);
                }
                "range" => {
                    line(put("key", offset, width, &format!("{value}_low")));
                    line(put("mask", offset, width, &format!("{value}_high")));
                    if key.is_signed_range {
                        // Hardware compares without sign: two's complement with the sign inverted.
                        let sign = offset + width - 1;
                        let (byte, bit) = (sign / 8, 1 << (sign % 8));
                        let _ = writeln!(body, "    key[{byte}] ^= 0x{bit:02x};");
                        let _ = writeln!(body, "    mask[{byte}] ^= 0x{bit:02x};");
                    }
                }
                "lpm" => {
                    line(put("key", offset, width, &value));
                    line(format!("ww_put_prefix(mask, {offset}, {width}, {value}_prefix)"));
                    body.push_str(&keep);
                    let _ = write!(prefix, " + {value}_prefix");
                    count += 1;
                }
                "optional" => {
                    let call = put("key", offset, width, &value);
                    let _ = write!(
                        body,
                        "    if (!{value}_any) {{\n        bad |= {call};\n        {ones};\n    }}\n"
                    );
                }
                _ => {
                    line(put("key", offset, width, &value));
                    let _ = writeln!(body, "    {ones};");
                    if count == 0 && table.object.implementation == "lpm" {
                        let _ = write!(prefix, " + {width}");
                    }
                }
            }
        }
        let prefix = prefix.trim_start_matches("0 + ");
        if table.object.implementation == "lpm" {
            let _ = writeln!(body, "    packed->prefix_length = {prefix};");
        }
        let rank = match table.order {
            Order::None => None,
            Order::Priority => Some("match->priority".to_owned()),
            Order::Prefixes => Some(format!("(int32_t)({prefix})")),
            Order::PriorityThenPrefixes => {
                body.push_str(
                    "    if (match->priority > 0x7FFFF || match->priority < -0x80000)\n        bad = WW_ERROR_RANGE;\n    else\n    ",
                );
                Some(format!("match->priority * 0x1000 + (int32_t)({prefix})"))
            }
        };
        if let Some(rank) = rank {
            let _ = writeln!(body, "    packed->priority = {rank};");
        }
        let bytes = self.key_bytes();
        let _ = write!(
            part.private,
            "
/* Keys in the layout of the table. */
{prototype}
{{
    int bad = WW_OK;

    memset(key, 0, {bytes});
    memset(mask, 0, {bytes});
    memset(packed, 0, sizeof *packed);
    packed->key = key;
    packed->mask = mask;
{body}    return bad == WW_OK ? WW_OK : WW_ERROR_RANGE;
}}
",
            prototype = super::wrapped(&format!(
                "static int {name}_pack({keys}, ww_match *packed, uint8_t key[{bytes}], \
                 uint8_t mask[{bytes}])"
            )),
        );
    }

    /// The beginning of a function on an entry.
    fn packed(&self) -> String {
        let (_, keys) = self.keys();
        let bytes = self.key_bytes();
        format!(
            "    uint8_t key[{bytes}], mask[{bytes}];
    ww_match packed;
    int error = {}_pack({keys}, &packed, key, mask);

    if (error != WW_OK)
        return error;
",
            self.name
        )
    }

    /// The functions that have an action's parameters.
    fn action(&self, part: &mut Part, number: usize, action: &ActionPlan, layout: &ActionLayout) {
        let (program, name, table) = (self.program, &self.name, self.table);
        let writes = table.has_keys() && !table.const_entries && !action.default_only;
        let defaults = !table.const_default && !action.table_only;
        if !writes && !defaults {
            return;
        }
        let mut parameters = String::new();
        let mut passed = String::new();
        let mut body = String::new();
        for (id, parameter) in action.parameters.iter().zip(&layout.parameters) {
            let _ = write!(parameters, ", {}", argument(id, parameter.width));
            let _ = write!(passed, ", {id}");
            let call = put("data", parameter.offset, parameter.width, id);
            let _ = writeln!(body, "    bad |= {call};");
        }
        let data = self.data_bytes();
        let bits = table.object.action_bits;
        let prototype = super::wrapped(&format!(
            "static int {name}_data_{id}(uint8_t data[{data}]{parameters})",
            id = action.id
        ));
        let _ = write!(
            part.private,
            "
{prototype}
{{
    int bad;

    memset(data, 0, {data});
    bad = ww_put(data, 0, {bits}, {number});
{body}    return bad == WW_OK ? WW_OK : WW_ERROR_RANGE;
}}
"
        );
        let id = &action.id;
        let fill = format!("{name}_data_{id}(data{passed})");
        let (keys, _) = self.keys();
        let handle = self.handle();
        let begin = format!("{{\n    uint8_t data[{data}];\n{}", self.packed());
        if writes {
            let after = self.after_insert();
            part.function(
                &format!("Adds an entry with the action {}.", action.name),
                format!("int {name}_insert_{id}({program} *device, {keys}{parameters})"),
                &format!(
                    "{{\n    uint8_t data[{data}];\n    uint32_t number;\n{packed}    error = {fill};
    if (error == WW_OK)
        error = ww_table_insert({handle},
                                &packed, data, &number);
{after}    return error;
}}",
                    packed = self.packed(),
                ),
            );
            part.function(
                &format!("Gives an entry the action {}.", action.name),
                format!("int {name}_modify_{id}({program} *device, {keys}{parameters})"),
                &format!(
                    "{begin}    error = {fill};
    if (error != WW_OK)
        return error;
    return ww_table_modify({handle}, &packed, data);
}}"
                ),
            );
        }
        if defaults {
            let (window, bits) = (table.window, table.object.data_bits);
            part.function(
                &format!("Makes {} what packets without an entry get.", action.name),
                format!("int {name}_set_default_{id}({program} *device{parameters})"),
                &format!(
                    "{{
    uint8_t data[{data}];
    int error = {fill};

    if (error != WW_OK)
        return error;
    return ww_row_write(&device->bus, {window}, WW_DEFAULT_MEMORY, 0, data, {bits});
}}"
                ),
            );
        }
    }

    /// What a new entry needs besides.
    fn after_insert(&self) -> String {
        let mut text = String::new();
        let mut add = |call: String| {
            let _ = write!(text, "    if (error == WW_OK)\n        error = {call};\n");
        };
        if let Some(window) = self.table.counter {
            add(format!("ww_counter_write(&device->bus, {window}, number, 0, 0)"));
        }
        if let Some(window) = self.table.meter {
            add(format!("ww_meter_write(&device->bus, {window}, number, NULL)"));
        }
        text
    }

    /// Functions on entries that have no action's parameters.
    fn entries(&self, part: &mut Part) {
        let (program, name, table) = (self.program, &self.name, self.table);
        let (keys, _) = self.keys();
        let (handle, packed, data) = (self.handle(), self.packed(), self.data_bytes());
        if !table.const_entries {
            part.function(
                "Removes an entry.",
                format!("int {name}_delete({program} *device, {keys})"),
                &format!("{{\n{packed}    return ww_table_delete({handle}, &packed);\n}}"),
            );
            part.function(
                "Removes all entries, writing every row.",
                format!("int {name}_clear({program} *device)"),
                &format!("{{\n    return ww_table_clear({handle});\n}}"),
            );
        }
        let mut cases = String::new();
        for (action, layout) in self.actions().filter(|(a, _)| !a.parameters.is_empty()) {
            let _ = writeln!(cases, "    case {}:", self.constant(action));
            for (id, parameter) in action.parameters.iter().zip(&layout.parameters) {
                let place = format!("action->parameters.{}.{id}", action.id);
                let _ = writeln!(
                    cases,
                    "        {}",
                    get("data", parameter.offset, parameter.width, &place)
                );
            }
            cases.push_str("        break;\n");
        }
        if !cases.is_empty() {
            cases = format!(
                "    switch (action->action) {{\n{cases}    default:\n        break;\n    }}\n"
            );
        }
        part.function(
            "Reads what the entry with exactly this match does, from what software remembers.",
            format!("int {name}_read({program} *device, {keys}, {name}_action *action)"),
            &format!(
                "{{\n    uint8_t data[{data}];\n{packed}    error = ww_table_find({handle},
                          &packed, data, NULL);
    if (error != WW_OK)
        return error;
    memset(action, 0, sizeof *action);
    action->action = (uint32_t)ww_get(data, 0, {bits});
{cases}    return WW_OK;
}}",
                bits = table.object.action_bits,
            ),
        );
        part.function(
            "How many entries there are.",
            format!("uint32_t {name}_count({program} *device)"),
            &format!("{{\n    return ww_table_count({handle});\n}}"),
        );
        let mut cell = |doc: &str, verb: &str, arguments: &str, call: &str| {
            part.function(
                doc,
                format!("int {name}_{verb}({program} *device, {keys}{arguments})"),
                &format!(
                    "{{\n    uint32_t number;\n{packed}    error = ww_table_find({handle},
                          &packed, NULL, &number);
    if (error != WW_OK)
        return error;
    return {call};
}}"
                ),
            );
        };
        if let Some(window) = table.counter {
            cell(
                "Reads the counter of an entry; pointers may be NULL.",
                "counter_read",
                ", uint64_t *packets, uint64_t *bytes",
                &format!("ww_counter_read(&device->bus, {window}, number, packets, bytes)"),
            );
            cell(
                "Sets the counter of an entry.",
                "counter_write",
                ", uint64_t packets, uint64_t bytes",
                &format!("ww_counter_write(&device->bus, {window}, number, packets, bytes)"),
            );
        }
        if let Some(window) = table.meter {
            cell(
                "Sets the rates of an entry's meter. NULL: everything is green.",
                "meter_write",
                ", const ww_rates *rates",
                &format!("ww_meter_write(&device->bus, {window}, number, rates)"),
            );
        }
    }
}
