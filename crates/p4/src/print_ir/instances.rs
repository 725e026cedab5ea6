//! The tree of objects.

use super::Printer;
use crate::ir::{ConstructorValue, InstanceKind};

impl Printer<'_> {
    pub(super) fn instances(&mut self) {
        let program = self.program;
        self.line("");
        self.braces("instances", "}", |p| {
            for (index, instance) in program.instances.iter().enumerate() {
                let what = match &instance.kind {
                    InstanceKind::Extern(id, arguments) => {
                        p.ty(&crate::ir::Type::Extern(*id, arguments.clone()))
                    }
                    InstanceKind::Package(id) => {
                        let def = program.types.apply_types.get(id.index());
                        format!("package {}", def.map_or("?", |def| &def.signature.name))
                    }
                    InstanceKind::Parser(id) => {
                        let def = program.parsers.get(id.index());
                        format!("parser {}", def.map_or("?", |def| &def.name))
                    }
                    InstanceKind::Control(id) => {
                        let def = program.controls.get(id.index());
                        format!("control {}", def.map_or("?", |def| &def.name))
                    }
                };
                let arguments: Vec<_> =
                    instance.arguments.iter().map(|a| p.constructor_value(a)).collect();
                let main =
                    if program.main.map(|id| id.index()) == Some(index) { " // main" } else { "" };
                p.line(&format!("{}: {what}({});{main}", instance.name, arguments.join(", ")));
            }
        });
    }

    fn constructor_value(&self, value: &ConstructorValue) -> String {
        match value {
            ConstructorValue::Const(value) => self.constant(value, &crate::ir::Type::Unknown),
            ConstructorValue::Instance(id) => {
                let instance = self.program.instances.get(id.index());
                instance.map_or("?".to_owned(), |instance| instance.name.clone())
            }
            ConstructorValue::Absent => "_".to_owned(),
        }
    }
}
