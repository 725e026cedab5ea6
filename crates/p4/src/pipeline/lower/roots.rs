//! The storage that all blocks of an architecture share: headers and both kinds of metadata.

use super::storage::{Purpose, Storage};
use super::{Lowered, Lowerer};
use crate::architecture::{self, BoundBlock, Role};
use crate::ir::Type;
use crate::pipeline::SYMBOLIC_WIDTH;
use crate::pipeline::fields::{FieldRole, FieldType, Scope};

impl Lowerer<'_> {
    /// Makes the storage behind the parameters of all blocks. It is named after the parameters of
    /// the first block that has it.
    pub(super) fn roots(&mut self, blocks: &[BoundBlock]) -> Lowered<()> {
        let mut types: Vec<(Role, Type)> = Vec::new();
        for block in blocks {
            let parameters = architecture::bind_parameters(self.program, block.instance);
            for (parameter, role) in parameters.iter().zip(block.description.roles) {
                let scope = match role {
                    Role::Packet => continue,
                    Role::Headers => Scope::Headers,
                    Role::Metadata => Scope::Metadata,
                    Role::Intrinsic => Scope::Intrinsic,
                };
                if self.roots.contains_key(role) {
                    continue;
                }
                let variable = &self.program[parameter.var];
                let name = variable.name.clone();
                let purpose = Purpose { scope, role: FieldRole::Variable, span: variable.span };
                let storage = self.storage(&name, &parameter.ty, purpose)?;
                self.roots.insert(*role, storage);
                types.push((*role, parameter.ty.clone()));
            }
        }
        let (ty, role) = (FieldType::Error, FieldRole::ParserError);
        let name = "$parser_error".to_owned();
        let span = crate::source::Span::NONE;
        self.out.parser_error =
            self.field(name, SYMBOLIC_WIDTH, ty, Scope::Intrinsic, role, span)?;
        let find = |role: Role| types.iter().find(|(r, _)| *r == role).map(|(_, ty)| ty.clone());
        if let Some(intrinsic) = find(Role::Intrinsic) {
            self.intrinsic_fields(&intrinsic);
            if let Some(metadata) = find(Role::Metadata) {
                self.field_lists(&metadata, &intrinsic);
            }
        }
        Ok(())
    }

    /// The type of the intrinsic metadata.
    pub(super) fn intrinsic_type(&self) -> Option<Type> {
        let main = self.program.main?;
        let crate::ir::InstanceKind::Package(_) = self.program[main].kind else { return None };
        self.architecture.blocks.iter().find_map(|block| {
            let n = block.roles.iter().position(|r| *r == Role::Intrinsic)?;
            let argument = self.program[main].arguments.get(block.position)?;
            let crate::ir::ConstructorValue::Instance(id) = argument else { return None };
            architecture::bind_parameters(self.program, *id).get(n).map(|p| p.ty.clone())
        })
    }

    fn intrinsic_fields(&mut self, ty: &Type) {
        let Some(def) = self.program.types.as_struct(ty) else { return };
        let Some(storage) = self.roots.get(&Role::Intrinsic) else { return };
        for (field, part) in def.fields.iter().zip(storage.parts()) {
            if let Storage::Scalar(id) = part {
                self.out.intrinsic.push((field.name.clone(), *id));
            }
        }
    }

    fn field_lists(&mut self, metadata: &Type, intrinsic: &Type) {
        let lists = architecture::field_lists(self.program, metadata, intrinsic);
        for (number, paths) in lists {
            let mut fields = Vec::new();
            for path in paths {
                let mut at = self.roots.get(&path.root.role());
                for n in &path.fields {
                    at = at.and_then(|s| s.parts().get(*n as usize));
                }
                if let Some(storage) = at {
                    self.for_each_field(storage, &mut |f| {
                        if !fields.contains(&f) {
                            fields.push(f);
                        }
                    });
                }
            }
            self.out.field_lists.push((number, fields));
        }
    }
}
