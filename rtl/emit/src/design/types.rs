//! What a type descriptor says: enum variants and struct fields.
use crate::ir::Named;
use rust_hdl::core::bits::clog2;
use rust_hdl::prelude::{TypeDescriptor, TypeKind};
use std::collections::BTreeMap;

/// A field of a struct at any depth: bits `lo .. lo + width`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// Field names from the outside in.
    pub path: Vec<String>,
    pub lo: usize,
    pub width: usize,
}

/// The variants of all enums inside the type, by `Type$Variant`.
pub(crate) fn variants(ty: &TypeDescriptor, out: &mut BTreeMap<String, Named>) {
    match &ty.kind {
        TypeKind::Enum(names) => {
            let width = clog2(names.len());
            for (value, name) in names.iter().enumerate() {
                let key = name.replace("::", "$");
                let named = Named { name: key.replace('$', "_"), value: value.into(), width, signed: false };
                out.insert(key, named);
            }
        }
        TypeKind::Composite(fields) => fields.iter().for_each(|field| variants(&field.kind, out)),
        TypeKind::Bits(_) | TypeKind::Signed(_) => {}
    }
}

/// All fields, outer before inner, lowest first.
pub(crate) fn fields(ty: &TypeDescriptor) -> Vec<Field> {
    let mut out = vec![];
    collect(ty, &mut vec![], 0, &mut out);
    out
}

fn collect(ty: &TypeDescriptor, path: &mut Vec<String>, base: usize, out: &mut Vec<Field>) {
    let TypeKind::Composite(fields) = &ty.kind else { return };
    let mut lo = base;
    for field in fields {
        let width = width(&field.kind);
        path.push(field.fieldname.clone());
        out.push(Field { path: path.clone(), lo, width });
        collect(&field.kind, path, lo, out);
        path.pop();
        lo += width;
    }
}

fn width(ty: &TypeDescriptor) -> usize {
    match &ty.kind {
        TypeKind::Bits(bits) | TypeKind::Signed(bits) => *bits,
        TypeKind::Enum(names) => clog2(names.len()),
        TypeKind::Composite(fields) => fields.iter().map(|field| width(&field.kind)).sum(),
    }
}
