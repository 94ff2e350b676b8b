//! Old programs declare types of the standard library themselves: `data Bool = True | False;`, `data List<A> = Nil | Cons(A, List<A>);`.
//! A declaration that says the same as the library's means the library's type, so that literals and `list[…]` fit it.

use std::sync::Arc;

use mazurka_diagnostics::Diagnostic;

use super::Checker;
use super::scope::{Def, Space};
use crate::checked::DataId;
use crate::syntax::ast::{DataDecl, Name, Type};

impl Checker<'_> {
    /// The type of the library that a declaration repeats.
    pub(super) fn library_twin(&self, data: &DataDecl) -> Option<DataId> {
        let key = (Space::Type, Arc::clone(&data.name.text));
        let found = self
            .modules
            .iter()
            .filter(|module| module.library)
            .find_map(|module| module.own.get(&key).copied());
        let Some(Def::Data(id)) = found else { return None };
        let twin = self.data[id.index()].1?;
        let same = data.params.len() == twin.params.len()
            && data.constructors.len() == twin.constructors.len()
            && data.constructors.iter().zip(&twin.constructors).all(|(ours, theirs)| {
                ours.name.text == theirs.name.text
                    && ours.args.len() == theirs.args.len()
                    && ours.args.iter().zip(&theirs.args).all(|(our, their)| {
                        let accessor = match (&our.accessor, &their.accessor) {
                            (None, _) => true,
                            (Some(our), Some(their)) => our.text == their.text,
                            (Some(_), None) => false,
                        };
                        accessor && same_type(&our.ty, &data.params, &their.ty, &twin.params)
                    })
            });
        same.then_some(id)
    }

    /// Lets the names of a repeated declaration mean the library's type and constructors.
    pub(super) fn adopt_twin(&mut self, module: usize, data: &DataDecl, twin: DataId) {
        self.define(module, Space::Type, &data.name, Def::Data(twin));
        let constructors = self.model.data_types[twin.index()].constructors.clone();
        for (decl, id) in data.constructors.iter().zip(constructors) {
            self.define(module, Space::Constructor, &decl.name, Def::Constructor(id));
        }
        let message = format!(
            "`{}` is the type of the standard library: this declaration repeats it",
            data.name.text
        );
        self.report(Diagnostic::note("repeated-declaration", message).label(data.name.span, ""));
    }
}

/// Whether two types say the same up to the names of type parameters.
fn same_type(ours: &Type, our_params: &[Name], theirs: &Type, their_params: &[Name]) -> bool {
    let position = |ty: &Type, params: &[Name]| params.iter().position(|param| param.text == ty.name.name);
    match (position(ours, our_params), position(theirs, their_params)) {
        (None, None) => {
            ours.name.name == theirs.name.name
                && ours.args.len() == theirs.args.len()
                && ours
                    .args
                    .iter()
                    .zip(&theirs.args)
                    .all(|(our, their)| same_type(our, our_params, their, their_params))
        }
        (our, their) => our == their,
    }
}
