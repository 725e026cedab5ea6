//! Types, errors, match kinds, constants, externs.

use super::Printer;
use crate::ir::{ApplyKind, Signature, StructKind, Type};

impl Printer<'_> {
    /// A type by its name.
    pub(super) fn ty(&self, ty: &Type) -> String {
        let program = self.program;
        match ty {
            Type::Parser(id) => program.parsers.get(id.index()).map(|p| p.name.to_string()),
            Type::Control(id) => program.controls.get(id.index()).map(|c| c.name.to_string()),
            Type::ActionRun(id) => {
                program.tables.get(id.index()).map(|t| format!("action_run({})", t.name))
            }
            Type::Stack(element, n) => Some(format!("{}[{n}]", self.ty(element))),
            _ => None,
        }
        .unwrap_or_else(|| program.types.display(ty))
    }

    pub(super) fn types(&mut self) {
        let program = self.program;
        self.line(&format!("errors {{ {} }}", program.errors.join(", ")));
        self.line(&format!("match_kinds {{ {} }}", program.match_kinds.join(", ")));
        for def in &program.types.structs {
            let word = match def.kind {
                StructKind::Struct => "struct",
                StructKind::Header => "header",
                StructKind::Union => "header_union",
            };
            self.line("");
            self.braces(&format!("{word} {}", def.name), "}", |p| {
                for field in &def.fields {
                    p.line(&format!("{} {};", p.ty(&field.ty), field.name));
                }
            });
        }
        for def in &program.types.enums {
            let underlying =
                def.underlying.as_ref().map(|ty| format!("{} ", self.ty(ty))).unwrap_or_default();
            self.line("");
            self.braces(&format!("enum {underlying}{}", def.name), "}", |p| {
                for member in &def.members {
                    match &member.value {
                        Some(value) => p.line(&format!("{} = {value},", member.name)),
                        None => p.line(&format!("{},", member.name)),
                    }
                }
            });
        }
        if !program.types.new_types.is_empty() {
            self.line("");
        }
        for def in &program.types.new_types {
            self.line(&format!("type {} {};", self.ty(&def.underlying), def.name));
        }
        for def in &program.types.externs {
            self.line("");
            let parameters = self.type_parameters(&def.type_parameters);
            self.braces(&format!("extern {}{parameters}", def.name), "}", |p| {
                for constructor in &def.constructors {
                    p.line(&format!("{}({});", def.name, p.signature_parameters(constructor)));
                }
                for method in &def.methods {
                    let word = if method.is_abstract { "abstract " } else { "" };
                    p.line(&format!("{word}{};", p.signature(&method.signature)));
                }
            });
        }
        if !program.types.apply_types.is_empty() || !program.extern_functions.is_empty() {
            self.line("");
        }
        for def in &program.types.apply_types {
            let word = match def.kind {
                ApplyKind::Parser => "parser",
                ApplyKind::Control => "control",
                ApplyKind::Package => "package",
            };
            let signature = &def.signature;
            let types = self.type_parameters(&signature.type_parameters);
            let parameters = self.signature_parameters(signature);
            self.line(&format!("{word} {}{types}({parameters});", signature.name));
        }
        for function in &program.extern_functions {
            self.line(&format!("extern {};", self.signature(&function.signature)));
        }
        if !program.constants.is_empty() {
            self.line("");
        }
        for (name, ty, value) in &program.constants {
            let text = format!("const {} {name} = {};", self.ty(ty), self.constant(value, ty));
            self.line(&text);
        }
    }

    fn type_parameters(&self, ids: &[crate::ir::TypeParameterId]) -> String {
        let name = |id: &crate::ir::TypeParameterId| {
            self.program.types.parameters.get(id.index()).map_or("?", |name| name)
        };
        let names: Vec<_> = ids.iter().map(name).collect();
        if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
    }

    fn signature(&self, signature: &Signature) -> String {
        format!(
            "{} {}{}({})",
            self.ty(&signature.return_type),
            signature.name,
            self.type_parameters(&signature.type_parameters),
            self.signature_parameters(signature)
        )
    }

    fn signature_parameters(&self, signature: &Signature) -> String {
        let one = |p: &crate::ir::ParameterDef| {
            let optional = if p.optional { "@optional " } else { "" };
            let default = match &p.default {
                Some(value) => format!(" = {}", self.expr(value)),
                None => String::new(),
            };
            let direction = super::declarations::direction(p.direction);
            format!("{optional}{direction}{} {}{default}", self.ty(&p.ty), p.name)
        };
        signature.parameters.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
