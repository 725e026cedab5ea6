//! Fields, headers, objects and tables as text.

use super::Printer;
use crate::pipeline::Pipeline;
use crate::pipeline::blocks::Match;
use crate::pipeline::fields::{Field, FieldId, FieldRole, FieldType, Scope, StackElement};
use crate::pipeline::tables::{ActionCall, PropertyValue, Table};

impl Printer<'_> {
    /// Everything but the blocks.
    pub(super) fn items(&mut self) {
        self.headers();
        self.unions_and_stacks();
        for (scope, title) in [
            (Scope::Metadata, "metadata"),
            (Scope::Intrinsic, "intrinsic"),
            (Scope::Local, "locals"),
        ] {
            self.variables(scope, title);
        }
        self.field_lists();
        self.objects();
        for n in 0..self.pipeline.tables.len() {
            self.blank();
            let pipeline = self.pipeline;
            self.table(&pipeline.tables[n]);
        }
    }

    fn headers(&mut self) {
        let pipeline = self.pipeline;
        for header in pipeline.headers.iter().filter(|h| is_parsed(pipeline, h.valid)) {
            self.blank();
            let bits = header.fixed_bits;
            self.line(&format!("header {} : {} {{ // {bits} bits", header.name, header.type_name));
            self.indent += 1;
            for item in &header.layout {
                let field = &pipeline[item.field];
                let variable = if item.length.is_some() { ", length follows" } else { "" };
                let text = format!("{} : {} @ {}{variable}", field.name, kind(field), item.offset);
                self.line(&text);
            }
            self.indent -= 1;
            self.line("}");
        }
    }

    fn unions_and_stacks(&mut self) {
        let pipeline = self.pipeline;
        for union in &pipeline.unions {
            let is_parsed =
                union.members.first().is_some_and(|h| is_parsed(pipeline, pipeline[*h].valid));
            if is_parsed {
                let members: Vec<_> =
                    union.members.iter().map(|h| pipeline[*h].name.to_string()).collect();
                self.line(&format!("union {} = {}", union.name, members.join(" | ")));
            }
        }
        for stack in pipeline.stacks.iter().filter(|s| is_parsed(pipeline, s.next)) {
            let elements: Vec<_> = stack
                .elements
                .iter()
                .map(|e| match e {
                    StackElement::Header(h) => pipeline[*h].name.to_string(),
                    StackElement::Union(u) => pipeline[*u].name.to_string(),
                })
                .collect();
            self.line(&format!("stack {} = {}", stack.name, elements.join(", ")));
        }
    }

    fn variables(&mut self, scope: Scope, title: &str) {
        let pipeline = self.pipeline;
        let mut wanted = pipeline
            .fields
            .iter()
            .filter(|f| f.scope == scope && !matches!(f.role, FieldRole::Temporary))
            .peekable();
        if wanted.peek().is_none() {
            return;
        }
        self.blank();
        self.line(&format!("{title} {{"));
        self.indent += 1;
        for field in wanted {
            self.line(&format!("{} : {}", field.name, kind(field)));
        }
        self.indent -= 1;
        self.line("}");
    }

    fn field_lists(&mut self) {
        let pipeline = self.pipeline;
        for (number, fields) in &pipeline.field_lists {
            let names: Vec<_> = fields.iter().map(|f| pipeline[*f].name.to_string()).collect();
            self.line(&format!("field_list {number} = {}", names.join(", ")));
        }
    }

    fn objects(&mut self) {
        let pipeline = self.pipeline;
        for object in &pipeline.externs {
            let types: Vec<_> = object.type_arguments.iter().map(|(t, _)| t.clone()).collect();
            let types =
                if types.is_empty() { String::new() } else { format!("<{}>", types.join(", ")) };
            let arguments: Vec<_> = object
                .arguments
                .iter()
                .map(|a| format!("{} = {}", a.name, self.property(&a.value)))
                .collect();
            let arguments = arguments.join(", ");
            self.line(&format!(
                "extern {} : {}{types}({arguments})",
                object.name, object.type_name
            ));
        }
        for set in &pipeline.value_sets {
            let widths: Vec<_> = set.widths.iter().map(|w| format!("bit<{w}>")).collect();
            self.line(&format!("value_set {} : {} [{}]", set.name, widths.join(", "), set.size));
        }
    }

    fn property(&self, value: &PropertyValue) -> String {
        match value {
            PropertyValue::Object(id) => self.pipeline[*id].name.to_string(),
            PropertyValue::Number(n) => n.to_string(),
            PropertyValue::Text(text) => format!("{text:?}"),
            PropertyValue::Member(name) => name.to_string(),
            PropertyValue::Other => "?".to_owned(),
        }
    }

    fn table(&mut self, table: &Table) {
        let pipeline = self.pipeline;
        self.line(&format!("table {} {{", table.name));
        self.indent += 1;
        for key in &table.keys {
            let field = &pipeline[key.field];
            let name = if key.name == field.name {
                String::new()
            } else {
                format!(" named {:?}", &*key.name)
            };
            self.line(&format!("key {} : {} {}{name}", field.name, kind(field), key.match_kind));
        }
        for (n, listed) in table.actions.iter().enumerate() {
            let action = &pipeline[listed.action];
            let parameters: Vec<_> =
                action.parameters.iter().map(|p| format!("{} : {}", p.name, p.width)).collect();
            let only = match (listed.default_only, listed.table_only) {
                (true, _) => " default only",
                (_, true) => " table only",
                _ => "",
            };
            self.line(&format!("action {n} {}({}){only} {{", action.name, parameters.join(", ")));
            self.indent += 1;
            self.control_graph(&action.body);
            self.indent -= 1;
            self.line("}");
        }
        let constant = if table.const_default { "const " } else { "" };
        self.line(&format!("{constant}default {}", self.action_call(table, &table.default_action)));
        if let Some(size) = table.size {
            self.line(&format!("size {size}"));
        }
        for property in &table.properties {
            self.line(&format!("{} = {}", property.name, self.property(&property.value)));
        }
        for entry in &table.entries {
            let keys: Vec<_> = entry.keys.iter().map(|m| self.match_text(m)).collect();
            let action = self.action_call(table, &entry.action);
            let priority = entry.priority.map_or(String::new(), |p| format!(" priority {p}"));
            let constant = if entry.is_const { "const " } else { "" };
            let text = format!("{constant}entry ({}) -> {action}{priority}", keys.join(", "));
            self.line(&text);
        }
        self.indent -= 1;
        self.line("}");
    }

    fn action_call(&self, table: &Table, call: &ActionCall) -> String {
        let name = match table.actions.get(call.action as usize) {
            Some(listed) => self.pipeline[listed.action].name.to_string(),
            None => "?".to_owned(),
        };
        let arguments: Vec<_> = call.arguments.iter().map(|a| format!("{a:#x}")).collect();
        format!("{name}({})", arguments.join(", "))
    }

    /// A set of values.
    pub(super) fn match_text(&self, m: &Match) -> String {
        match m {
            Match::Any => "_".to_owned(),
            Match::Value(value) => format!("{value:#x}"),
            Match::Mask { value, mask } => format!("{value:#x} &&& {mask:#x}"),
            Match::Range { low, high, signed } => {
                format!("{low:#x} .. {high:#x}{}", if *signed { " signed" } else { "" })
            }
            Match::ValueSet(set) => self.pipeline[*set].name.to_string(),
        }
    }
}

/// Whether a field is part of the parsed headers, not a variable of the program.
fn is_parsed(pipeline: &Pipeline, field: FieldId) -> bool {
    pipeline[field].scope != Scope::Local
}

fn kind(field: &Field) -> String {
    match field.ty {
        FieldType::Bits => format!("bit<{}>", field.width),
        FieldType::Signed => format!("int<{}>", field.width),
        FieldType::Bool => "bool".to_owned(),
        FieldType::Error => "error".to_owned(),
        FieldType::Enum(_) => "enum".to_owned(),
        FieldType::Varbit => format!("varbit<{}>", field.width),
    }
}
