//! Lists of values for hashes, checksums, digests and messages.

use super::Generator;
use crate::tree::*;

impl Generator<'_> {
    /// Up to `most` values of fixed widths, as a tuple.
    pub(super) fn data(&mut self, most: usize) -> Expr {
        let mut parts = Vec::new();
        for _ in 0..self.random.between(1, most) {
            let part = match self.variable(|v| v.expr.ty.width().is_some()) {
                Some(found) => found,
                None => Expr::bits(8, 1),
            };
            parts.push(part);
        }
        if self.random.chance(25) {
            let ty = self.number_type();
            parts.push(self.expr(&ty, 1));
        }
        let ty = Type::Tuple(parts.iter().map(|p| p.ty.clone()).collect());
        Expr::new(ExprKind::List(parts), ty)
    }

    /// Data for a checksum: fields of headers, and at times a part of variable length.
    pub(super) fn checksum_data(&mut self) -> Expr {
        let mut data = self.data(4);
        let varbits: Vec<Expr> = self
            .scope
            .places
            .iter()
            .filter(|p| p.size.is_none())
            .filter_map(|p| {
                let (name, ty) = self.header_types[p.header].fields.last()?;
                matches!(ty, Type::Varbit(_)).then(|| p.expr.clone().member(name, ty.clone()))
            })
            .collect();
        if let (Some(varbit), ExprKind::List(parts)) =
            (self.random.pick(&varbits).cloned(), &mut data.kind)
        {
            parts.push(varbit);
        }
        data
    }
}
