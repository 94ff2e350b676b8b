//! Small shared-variable programs: the model, and the families of the literature.
